//! Alpha-beta without selectivity. An experiment fills the slots that it measures.

use cassius_search::alpha_beta::draws::Draws;
use cassius_search::alpha_beta::horizon::Horizon;
use cassius_search::alpha_beta::memory::Memory;
use cassius_search::alpha_beta::observe::Observe;
use cassius_search::alpha_beta::order::Order;
use cassius_search::alpha_beta::quiescence::Quiescence;
use cassius_search::alpha_beta::selectivity::{Passing, Selectivity};
use cassius_search::alpha_beta::windows::{WholeWindow, Windows};
use cassius_search::{Evaluate, Game, Limits, Off};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A full-width search with an evaluation, depth rule, quiescence and order. Draws, observer, windows,
/// memory and passes are optional.
#[allow(clippy::type_complexity)]
pub(super) struct FullWidth<E, H, Q, O, D = Off, V = Off, W = WholeWindow, M = Off, N = Off>(
    PhantomData<(E, H, Q, O, D, V, W, M, N)>,
);

cassius_search::recipe! {
    impl [G, E, H, Q, O, D, V, W, M, N] FullWidth<E, H, Q, O, D, V, W, M, N>, game G, where [
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
    ] {
        Setting = (E, D);
        Observe = V;
        Horizon = H;
        Quiescence = Q;
        Memory = M;
        Selectivity = OnlyPasses<N>;
        Order = O;
        Windows = W;
    }
}

/// A selectivity that consists of passes of the kind `N` only.
pub(super) struct OnlyPasses<N>(PhantomData<N>);

impl<G: Game, N: Passing<G>> Selectivity<G> for OnlyPasses<N> {
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = N;
    type ProbCut = Off;
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
}

/// Limits of a number of nodes, and the end of the experiment.
pub(super) struct Until<'a> {
    pub nodes: u64,
    pub stop: &'a AtomicBool,
}

impl<'a> Until<'a> {
    /// Returns limits that only end with the experiment.
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
