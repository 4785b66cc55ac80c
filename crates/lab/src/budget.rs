//! How much a search may spend. Time is read from a [`Clock`] that the program supplies; nothing here
//! reads a system clock.

use cassius_search::Limits;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// A source of time.
pub trait Clock: Sync {
    /// Returns the time since some fixed moment. It never decreases.
    fn now(&self) -> Duration;
}

/// The budget of one search. The first limit that is reached ends it.
///
/// ```
/// use cassius_lab::Budget;
/// let budget = Budget { nodes: Some(20_000), ..Budget::default() };
/// assert_eq!(budget.to_string(), "20000 nodes");
/// assert!(budget.is_deterministic());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The node limit. It is exact with one thread.
    pub nodes: Option<u64>,
    /// The time limit.
    pub time: Option<Duration>,
    /// The number of iterations.
    pub depth: Option<usize>,
}

impl Budget {
    /// Whether there is no limit.
    pub fn is_unlimited(&self) -> bool {
        *self == Budget::default()
    }

    /// Whether a search with one thread has the same result every time.
    pub fn is_deterministic(&self) -> bool {
        self.time.is_none()
    }

    /// Returns the number of the last iteration.
    pub fn iterations(&self) -> usize {
        self.depth.unwrap_or(cassius_search::MAX_PLY)
    }

    /// Returns the limits of a search that begins now.
    pub fn limits<'a>(&self, clock: &'a dyn Clock, stop: &'a AtomicBool) -> BudgetLimits<'a> {
        BudgetLimits { budget: *self, begin: clock.now(), clock, stop }
    }
}

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.time.map(|time| format!("{} ms", milliseconds(time))),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "no limit" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// Returns a time in milliseconds.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e6
}

/// The [`Limits`] of a [`Budget`], and a flag that ends the search early.
pub struct BudgetLimits<'a> {
    budget: Budget,
    begin: Duration,
    clock: &'a dyn Clock,
    stop: &'a AtomicBool,
}

/// Nodes between two checks of the flag and the clock: a quarter of a millisecond.
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
