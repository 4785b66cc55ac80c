//! Futility pruning: near the horizon, quiet moves are left out where the static value is far below α.
//!
//! *Reference:* Schaeffer 1986; Heinz 1998 (extended futility pruning).
//! *Deviations:* what the order puts among the checks or above is spared.
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use crate::slot::rank;
use crate::{Candidate, Checks, Depth, Node, Score, Skip, Skipped};

crate::component! {
    /// Leaves out quiet moves that can hardly reach α.
    pub struct Futility {
        /// Greatest depth at which it is done.
        max_depth: 8 in 0..=20 "plies",
        /// Margin at depth 0.
        base: 100 in 0..=600 "evaluation units",
        /// Margin a ply.
        margin: 90 in 0..=400 "evaluation units",
    }
}

impl<G: Checks> Skip<G> for Futility {
    #[inline]
    fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        if noisy
            || candidate.rank >= rank::CHECK
            || node.low > Depth::plies(self.max_depth)
            || node.window.alpha.is_decided()
        {
            return Skipped::No;
        }
        let margin = Score(self.base + self.margin * node.low.whole_plies());
        let hopeless = node.standing + margin <= node.window.alpha && !node.position.in_check();
        if hopeless { Skipped::Quiet } else { Skipped::No }
    }
}
