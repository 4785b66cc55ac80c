//! Razoring: where the static value is far below α, quiescence search decides whether the node fails
//! low.
//!
//! *Reference:* Birmingham & Kent 1977; Heinz 1998 (limited razoring).
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::Node;
use crate::alpha_beta::selectivity::Prune;
use crate::depth::Depth;
use crate::game::Checks;
use crate::score::Score;

crate::component! {
    /// Razors a node whose static value is below α by a margin that grows with depth.
    pub struct Razoring {
        /// Greatest depth at which it is tried.
        max_depth: 1 in 0..=10 "plies",
        /// Margin at depth 0.
        base: 200 in 0..=1000 "evaluation units",
        /// Margin a ply.
        margin: 180 in 0..=1000 "evaluation units",
    }
}

impl<G: Checks> Prune<G> for Razoring {
    #[inline]
    fn prune(&self, node: &Node<'_, G>) -> Option<Score> {
        if node.fail_low_depth > Depth::plies(self.max_depth) || node.window.alpha.is_decided() {
            return None;
        }
        let margin = Score(self.base + self.margin * node.fail_low_depth.whole_plies());
        (node.static_eval + margin <= node.window.alpha && !node.position.in_check())
            .then_some(node.static_eval)
    }
}
