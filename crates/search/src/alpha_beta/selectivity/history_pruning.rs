//! History pruning: near the horizon, prunes quiet moves that have rarely failed high before.
//!
//! *Reference:* Fruit (Letouzey 2005) reduced such moves; Stockfish and others prune them near the
//! horizon. The counters are those of the order: [`History`](crate::alpha_beta::order::History) and
//! [`Continuation`](crate::alpha_beta::order::Continuation). Without these nothing is pruned.
//! *Deviations:* moves that the order ranks as checks or higher are not pruned.
//! *Soundness:* may change the value.
//! *Worth:* not measured.

use crate::alpha_beta::selectivity::{Skip, Skipped};
use crate::alpha_beta::{Candidate, Node};
use crate::depth::Depth;
use crate::game::Checks;

crate::component! {
    /// Prunes quiet moves whose counters are far below zero.
    pub struct HistoryPruning {
        /// Greatest depth at which it is done.
        max_depth: 4 in 0..=20 "plies",
        /// How far below zero the counters must be, a ply.
        margin: 2000 in 0..=50000 "counter units",
    }
}

impl<G: Checks> Skip<G> for HistoryPruning {
    const USES_STATIC_EVAL: bool = false;

    #[inline]
    fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        let plies = node.fail_low_depth.whole_plies().max(1);
        if noisy
            || candidate.rank >= -self.margin * plies
            || node.pv
            || node.fail_low_depth > Depth::plies(self.max_depth)
            || node.position.in_check()
        {
            return Skipped::No;
        }
        Skipped::Quiet // those that come later have smaller counters
    }
}
