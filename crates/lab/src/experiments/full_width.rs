//! Alpha-beta without selectivity, with the slots filled that an experiment is about.

use cassius_search::{
    Draws, Evaluate, Game, Horizon, Limits, Memory, Observe, Off, Order, Passing, Quiescence, Recipe,
    WholeWindow, Windows,
};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A full-width search: evaluation, depth rule, quiescence and order; if named also draws, observer, windows, memory and
/// passes.
#[allow(clippy::type_complexity)]
pub(super) struct FullWidth<E, H, Q, O, D = Off, V = Off, W = WholeWindow, M = Off, N = Off>(
    PhantomData<(E, H, Q, O, D, V, W, M, N)>,
);

impl<G, E, H, Q, O, D, V, W, M, N> Recipe<G> for FullWidth<E, H, Q, O, D, V, W, M, N>
where
    G: Game,
    E: Evaluate<G>,
    H: Horizon<G>,
    Q: Quiescence<G>,
    O: Order<G>,
    D: Draws<G>,
    V: Observe<G>,
    W: Windows,
    M: Memory<G>,
    N: Passing<G>,
{
    type Evaluate = E;
    type Observe = V;
    type Draws = D;
    type Horizon = H;
    type Options = Off;
    type Quiescence = Q;
    type Memory = M;
    type Knowledge = Off;
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = N;
    type Order = O;
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
    type Windows = W;
    type Aspiration = Off;
    type Deepening = Off;
}

/// So many nodes, or until the experiment is ended.
pub(super) struct Until<'a> {
    pub nodes: u64,
    pub stop: &'a AtomicBool,
}

impl<'a> Until<'a> {
    /// Only until the experiment is ended.
    pub fn stopped(stop: &'a AtomicBool) -> Until<'a> {
        Until { nodes: u64::MAX, stop }
    }
}

impl Limits for Until<'_> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        (nodes < self.nodes && !self.ends_now()).then(|| self.nodes.min(nodes + 1024))
    }

    fn ends_now(&self) -> bool {
        self.stop.load(Relaxed)
    }
}
