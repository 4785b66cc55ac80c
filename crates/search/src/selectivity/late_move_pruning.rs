//! Late move pruning: near the horizon, quiet moves late in the order are left out.
//!
//! *Reference:* move-count pruning; the descendant of Shannon's type B (Eppstein 1999, on which nodes to search).
//! *Deviations:* what the order puts among the checks or above is spared.
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use crate::slot::rank;
use crate::{Candidate, Checks, Depth, Node, Skip, Skipped};

crate::component! {
    /// Leaves out quiet moves after the first few.
    pub struct LateMovePruning {
        /// Greatest depth at which it is done.
        max_depth: 8 in 0..=20 "plies",
        /// Moves tried at depth 0.
        base: 3 in 1..=20 "moves",
    }
}

impl<G: Checks> Skip<G> for LateMovePruning {
    #[inline]
    fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        if noisy || candidate.rank >= rank::CHECK || node.pv || node.low > Depth::plies(self.max_depth) {
            return Skipped::No;
        }
        let plies = node.low.whole_plies() as usize;
        let enough = self.base as usize + plies * plies;
        let enough = if node.improving { enough } else { enough / 2 };
        if candidate.tried > enough && !node.position.in_check() { Skipped::Quiet } else { Skipped::No }
    }
}
