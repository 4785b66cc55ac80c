//! Search limits. A search never reads a clock itself: limits reach it through a trait.

use crate::score::Score;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Decides when a search must end.
///
/// [`Limits::poll`] is called before the first node and then no later than the node count that it last
/// returned. A node limit is therefore exact with one thread, and a clock is rarely read. Several threads
/// may exceed it by up to 256 nodes each.
pub trait Limits: Sync {
    /// Returns `None` to stop now, after `nodes` nodes; otherwise the node count at which to poll again,
    /// which must be greater. The nodes are those of all threads, in a best-first search those of the tree.
    fn poll(&self, nodes: u64) -> Option<u64>;

    /// Whether the search must end now, whatever its node count. It is called within long evaluations
    /// and between nodes that take long, where the node count does not measure elapsed time.
    fn ends_now(&self) -> bool {
        false
    }

    /// Signals that the search is over and its results are being collected. Time reserved for this may
    /// now be used.
    fn wrap_up(&self) {}

    /// Whether to start another iteration. It is called after every finished iteration. If other threads
    /// have finished several iterations meanwhile, it is called after the last of them.
    fn go_on(&self, progress: &Progress) -> bool {
        let _ = progress;
        true
    }
}

/// The state of the search after an iteration, for limits that depend on it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Progress {
    /// Nodes searched by this worker.
    pub nodes: u64,
    /// The iteration just finished: 1, 2, …
    pub iteration: usize,
    /// The value of that iteration.
    pub score: Score,
    /// How many times in a row the best move stayed the same: 0 after an iteration with a new one.
    pub stable: u32,
    /// How much the score has fallen since the previous iteration, in evaluation units.
    pub fall: i32,
    /// Share of the nodes spent on the best move, 0 to 1.
    pub effort: f64,
}

/// Error returned when the limits ended the search. It replaces a special score value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Counts nodes and polls the limits of a search, also from within an evaluation that visits many
/// positions.
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
    /// Positions visited by evaluations since the limits were last polled.
    judged: Cell<u64>,
    is_out: Cell<bool>,
}

impl<'a> Patience<'a> {
    /// The limits are polled after this many positions visited by evaluations. The same number within
    /// one evaluation counts as a node.
    pub const JUDGED: u64 = 256;

    /// Creates the counter for these limits.
    pub fn new(limits: &'a dyn Limits) -> Self {
        let (nodes, next_poll, judged, is_out) = Default::default();
        Patience { limits, nodes, next_poll, judged, is_out }
    }

    /// Returns the limits that are polled.
    pub fn limits(&self) -> &'a dyn Limits {
        self.limits
    }

    /// Returns the number of nodes counted so far.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes.get()
    }

    /// Whether a limit has been reached.
    #[inline]
    pub fn is_out(&self) -> bool {
        self.is_out.get()
    }

    /// Counts a node.
    ///
    /// # Errors
    /// Returns [`Stopped`] if a limit has been reached.
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

    /// Counts a position visited by an evaluation. `nth` is its number within that evaluation, starting
    /// at 1.
    ///
    /// # Errors
    /// Returns [`Stopped`] if a limit has been reached.
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

    /// Records that a limit was reached, as reported elsewhere.
    pub(crate) fn give_up(&self) {
        self.is_out.set(true);
    }

    /// Clears the mark left by a stop that did not end the whole search.
    pub(crate) fn resume(&self) {
        self.is_out.set(false);
    }

    #[cold]
    fn end(&self) -> Stopped {
        self.give_up();
        Stopped
    }
}

/// No limit except the requested depth.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Limits for Unlimited {
    fn poll(&self, _: u64) -> Option<u64> {
        Some(u64::MAX)
    }
}

/// A node limit: exactly this many nodes at most. A best-first search that grows a tree expands its root in
/// any case.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Nodes(pub u64);

impl Limits for Nodes {
    fn poll(&self, nodes: u64) -> Option<u64> {
        (nodes < self.0).then_some(self.0)
    }
}

/// A limit that is reached when another thread sets the flag.
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

/// A time limit: the search ends at this moment, or some hundreds of nodes later.
///
/// ```
/// use cassius_games::Connect4;
/// use cassius_search::{Engine, Nodes, Request, Until};
/// use std::time::Duration;
///
/// let engine = Engine::<Connect4>::with_default(1)?;
/// let limits = (Until::after(Duration::from_millis(20)), Nodes(1_000_000)); // whichever comes first
/// let answer = engine.search(&Request::new(&Connect4::default(), &limits), &mut |_| {});
/// assert!(answer.best().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Until(pub Instant);

impl Until {
    /// Nodes between two looks at the clock.
    const NODES: u64 = 256;

    /// Returns the limit that is reached when so much time has passed from now.
    pub fn after(time: Duration) -> Until {
        let now = Instant::now();
        let century = Duration::from_secs(100 * 365 * 24 * 60 * 60); // of what a clock cannot show
        Until(now.checked_add(time).unwrap_or_else(|| now + century))
    }
}

impl Limits for Until {
    fn poll(&self, nodes: u64) -> Option<u64> {
        (!self.ends_now()).then_some(nodes + Self::NODES)
    }

    fn ends_now(&self) -> bool {
        Instant::now() >= self.0
    }
}

impl<L: Limits + ?Sized> Limits for &L {
    fn poll(&self, nodes: u64) -> Option<u64> {
        (**self).poll(nodes)
    }

    fn ends_now(&self) -> bool {
        (**self).ends_now()
    }

    fn wrap_up(&self) {
        (**self).wrap_up();
    }

    fn go_on(&self, progress: &Progress) -> bool {
        (**self).go_on(progress)
    }
}

/// Both limits: the search ends at the first that is reached.
impl<A: Limits, B: Limits> Limits for (A, B) {
    fn poll(&self, nodes: u64) -> Option<u64> {
        Some(self.0.poll(nodes)?.min(self.1.poll(nodes)?))
    }

    fn ends_now(&self) -> bool {
        self.0.ends_now() || self.1.ends_now()
    }

    fn wrap_up(&self) {
        self.0.wrap_up();
        self.1.wrap_up();
    }

    fn go_on(&self, progress: &Progress) -> bool {
        self.0.go_on(progress) && self.1.go_on(progress)
    }
}
