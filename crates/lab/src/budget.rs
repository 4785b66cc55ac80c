//! How much a search may spend. Time is read from a [`Clock`] that the program gives; nothing here reads one.

use cassius_search::Limits;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// A source of time.
pub trait Clock: Sync {
    /// Time since some fixed moment; never less than before.
    fn now(&self) -> Duration;
}

/// What one search may spend; the first limit that is reached ends it.
///
/// ```
/// use cassius_lab::Budget;
/// let budget = Budget { nodes: Some(20_000), ..Budget::default() };
/// assert_eq!(budget.to_string(), "20000 nodes");
/// assert!(budget.is_deterministic());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Nodes, kept to exactly with one thread.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// Iterations.
    pub depth: Option<usize>,
}

impl Budget {
    /// Whether nothing is limited.
    pub fn is_unlimited(&self) -> bool {
        *self == Budget::default()
    }

    /// Whether one thread spends it in the same way every time.
    pub fn is_deterministic(&self) -> bool {
        self.time.is_none()
    }

    /// The last iteration.
    pub fn iterations(&self) -> usize {
        self.depth.unwrap_or(cassius_search::MAX_PLY)
    }

    /// Limits for a search that begins now.
    pub fn limits<'a>(&self, clock: &'a dyn Clock, stop: &'a AtomicBool) -> BudgetLimits<'a> {
        BudgetLimits { budget: *self, begin: clock.now(), clock, stop }
    }
}

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.time.map(|time| format!("{} ms", time.as_millis())),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "no limit" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// [`Limits`] of a [`Budget`], and a flag that ends the search early.
pub struct BudgetLimits<'a> {
    budget: Budget,
    begin: Duration,
    clock: &'a dyn Clock,
    stop: &'a AtomicBool,
}

/// Nodes between two looks at flag and clock: a quarter of a millisecond.
pub(crate) const POLL: u64 = 256;

impl Limits for BudgetLimits<'_> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        let most = self.budget.nodes.unwrap_or(u64::MAX);
        (nodes < most && !self.ends_now()).then(|| most.min(nodes + POLL))
    }

    fn ends_now(&self) -> bool {
        let out_of_time = || self.budget.time.is_some_and(|time| self.clock.now() - self.begin >= time);
        self.stop.load(Relaxed) || out_of_time()
    }
}
