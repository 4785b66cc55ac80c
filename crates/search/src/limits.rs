//! When to stop. A search never reads a clock: limits arrive through a trait.

use crate::Score;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says when a search must end.
///
/// [`Limits::poll`] is asked before the first node and then no later than the
/// node count it last answered, so that a node limit is exact and a clock is read rarely.
pub trait Limits: Sync {
    /// `None` to stop now, after `nodes` nodes of this worker; otherwise the node count at which to ask again.
    fn poll(&self, nodes: u64) -> Option<u64>;

    /// Whether the search must end now, however few its nodes are. Asked within long evaluations, and between nodes that take long:
    /// there nodes do not tell how long it has lasted.
    fn ends_now(&self) -> bool {
        false
    }

    /// The search is over, and what it has found is being put in order: what was kept back for that may be spent.
    fn wrap_up(&self) {}

    /// Asked after every finished iteration: whether to start another. If other threads have finished
    /// several meanwhile, it is asked after the last of them.
    fn go_on(&self, progress: &Progress) -> bool {
        let _ = progress;
        true
    }
}

/// What is known after an iteration, for limits that depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Nodes searched by this worker.
    pub nodes: u64,
    /// The iteration just finished: 1, 2, …
    pub iteration: usize,
    /// Its value.
    pub score: Score,
    /// Iterations in a row with the same best move.
    pub stable: u32,
    /// How much the score has fallen since the last iteration, in evaluation units.
    pub fall: i32,
    /// Share of the nodes that went into the best move, 0 to 1.
    pub effort: f64,
}

/// The search was ended by its limits: a value, not a magic score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// How much longer the work at hand may take: asks the limits of a search from within it, also where one evaluation looks at many positions.
///
/// ```
/// use cassius_search::{Nodes, Patience};
/// let patience = Patience::new(&Nodes(3));
/// assert!(patience.count().is_ok());
/// assert!((1..=2 * Patience::JUDGED).all(|nth| patience.judge(nth).is_ok())); // two more
/// assert_eq!(patience.nodes(), 3);
/// assert!(patience.count().is_err() && patience.is_out());
/// ```
pub struct Patience<'a> {
    limits: &'a dyn Limits,
    nodes: Cell<u64>,
    next_poll: Cell<u64>,
    /// Positions that evaluations have looked at since the limits were asked.
    judged: Cell<u64>,
    is_out: Cell<bool>,
}

impl<'a> Patience<'a> {
    /// After so many positions that evaluations have looked at the limits are asked; so many of one evaluation count as a node.
    pub const JUDGED: u64 = 256;

    /// As the limits allow.
    pub fn new(limits: &'a dyn Limits) -> Self {
        let (nodes, next_poll, judged, is_out) = Default::default();
        Patience { limits, nodes, next_poll, judged, is_out }
    }

    /// The limits that are asked.
    pub fn limits(&self) -> &'a dyn Limits {
        self.limits
    }

    /// Nodes counted so far.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes.get()
    }

    /// Whether the limits have come.
    #[inline]
    pub fn is_out(&self) -> bool {
        self.is_out.get()
    }

    /// Counts a node.
    ///
    /// # Errors
    /// If the limits have come.
    #[inline]
    pub fn count(&self) -> Result<(), Stopped> {
        let nodes = self.nodes.get();
        if nodes >= self.next_poll.get() {
            let next = self.limits.poll(nodes).ok_or_else(|| self.end())?;
            self.next_poll.set(next);
        }
        self.nodes.set(nodes + 1);
        Ok(())
    }

    /// Counts a position that an evaluation looks at, its `nth`, the first being 1.
    ///
    /// # Errors
    /// If the limits have come.
    #[inline]
    pub fn judge(&self, nth: u64) -> Result<(), Stopped> {
        if self.is_out.get() {
            return Err(Stopped);
        }
        self.judged.set(self.judged.get() + 1);
        if self.judged.get() >= Self::JUDGED {
            self.judged.set(0);
            if self.limits.ends_now() {
                return Err(self.end());
            }
        }
        if nth.is_multiple_of(Self::JUDGED) { self.count() } else { Ok(()) }
    }

    /// The limits have come: somebody else was told.
    pub(crate) fn give_up(&self) {
        self.is_out.set(true);
    }

    /// Begins anew after an end that was not the search's.
    pub(crate) fn resume(&self) {
        self.is_out.set(false);
    }

    #[cold]
    fn end(&self) -> Stopped {
        self.give_up();
        Stopped
    }
}

/// No limit but the depth asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Limits for Unlimited {
    fn poll(&self, _: u64) -> Option<u64> {
        Some(u64::MAX)
    }
}

/// At most this many nodes, exactly.
#[derive(Clone, Copy, Debug)]
pub struct Nodes(pub u64);

impl Limits for Nodes {
    fn poll(&self, nodes: u64) -> Option<u64> {
        (nodes < self.0).then_some(self.0)
    }
}

/// Until somebody else sets the flag.
#[derive(Debug, Default)]
pub struct StopFlag(pub AtomicBool);

impl Limits for StopFlag {
    fn poll(&self, nodes: u64) -> Option<u64> {
        (!self.ends_now()).then_some(nodes + 1024)
    }

    fn ends_now(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
