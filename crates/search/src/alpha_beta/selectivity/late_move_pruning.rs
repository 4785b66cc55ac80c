//! Late move pruning: near the horizon, prunes quiet moves late in the order.
//!
//! *Reference:* move-count pruning; the descendant of Shannon's type B (Eppstein 1999, on which nodes to
//! search).
//! *Deviations:* moves that the order ranks as checks or higher are not pruned.
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::order::rank;
use crate::alpha_beta::selectivity::{Skip, Skipped};
use crate::alpha_beta::{Candidate, Node};
use crate::depth::Depth;
use crate::game::Checks;

crate::component! {
    /// Prunes quiet moves after the first few.
    pub struct LateMovePruning {
        /// Greatest depth at which it is done.
        max_depth: 8 in 0..=20 "plies",
        /// One less than the moves tried at depth 0, where the static value has risen; half elsewhere.
        base: 3 in 1..=20 "moves",
    }
}

impl<G: Checks> Skip<G> for LateMovePruning {
    #[inline]
    fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        if noisy
            || candidate.rank >= rank::CHECK
            || node.pv
            || node.fail_low_depth > Depth::plies(self.max_depth)
        {
            return Skipped::No;
        }
        let plies = node.fail_low_depth.whole_plies() as usize;
        let enough = self.base as usize + plies * plies;
        let enough = if node.improving { enough } else { enough / 2 };
        if candidate.tried > enough && !node.position.in_check() { Skipped::Quiet } else { Skipped::No }
    }
}
