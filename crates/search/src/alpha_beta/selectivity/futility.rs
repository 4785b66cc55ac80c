//! Futility pruning: near the horizon, prunes quiet moves where the static value is far below α.
//!
//! *Reference:* Schaeffer 1986; Heinz 1998 (extended futility pruning).
//! *Deviations:* moves that the order ranks as checks or higher are not pruned.
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::order::rank;
use crate::alpha_beta::selectivity::{Skip, Skipped};
use crate::alpha_beta::{Candidate, Node};
use crate::depth::Depth;
use crate::game::Checks;
use crate::score::Score;

crate::component! {
    /// Prunes quiet moves that are unlikely to reach α.
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
            || node.fail_low_depth > Depth::plies(self.max_depth)
            || node.window.alpha.is_decided()
        {
            return Skipped::No;
        }
        let margin = Score(self.base + self.margin * node.fail_low_depth.whole_plies());
        let hopeless = node.static_eval + margin <= node.window.alpha && !node.position.in_check();
        if hopeless { Skipped::Quiet } else { Skipped::No }
    }
}
