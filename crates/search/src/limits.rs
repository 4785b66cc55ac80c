//! When to stop. A search never reads a clock: limits arrive through a trait.

use crate::Score;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says when a search must end.
///
/// [`Limits::poll`] is asked before the first node and then no later than the
/// node count it last answered, so that a node limit is exact and a clock is read rarely.
pub trait Limits: Sync {
    /// `None` to stop now, after `nodes` nodes of this worker; otherwise the node count at which to ask again.
    fn poll(&self, nodes: u64) -> Option<u64>;

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
        (!self.0.load(Ordering::Relaxed)).then_some(nodes + 1024)
    }
}
