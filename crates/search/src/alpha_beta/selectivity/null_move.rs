//! Null move pruning: a node fails high if even a pass fails high in a shallower search.
//!
//! *Reference:* Eppstein 1999; Beal 1989.
//! *Deviations:* a pass is tried at nodes with a minimal window only, and its value is returned, not β. The
//! game supplies the guard ([`Pass::may_pass`]): not in check, zugzwang unlikely. There are never two passes
//! in a row. The reduction grows with the depth and with how far the static value is above β. The pass is
//! undone (the printed code forgets to undo it). With `cut_only` a pass is tried only where a fail-high is
//! expected, as in Stockfish since 2023. From the depth `verify` on, a fail-high counts only if a search
//! without a pass at this node, reduced alike, fails high too (Plenkner 1995; Stockfish).
//! *Soundness:* may change the value; wrong in zugzwang that the guard does not detect.
//! *Worth:* figures in results/ablation.md.

use super::hundredths;
use crate::alpha_beta::Node;
use crate::alpha_beta::selectivity::Passing;
use crate::depth::Depth;
use crate::game::Pass;
use crate::score::Score;

crate::component! {
    /// Tries a pass first.
    pub struct NullMove {
        /// Least depth at which it is tried.
        min_depth: 2 in 0..=20 "plies",
        /// What a pass is searched shallower by, besides its own ply.
        reduction: 300 in 0..=800 "hundredths of a ply",
        /// What each ply of depth adds to that.
        slope: 28 in 0..=100 "hundredths of a ply",
        /// How far the static value must exceed β to add one ply more.
        per_ply: 200 in 20..=1000 "evaluation units",
        /// Most plies added for that.
        most: 3 in 0..=8 "plies",
        /// Whether it is tried only where a fail-high is expected: 1 yes, 0 no.
        cut_only: 0 in 0..=1 "0 or 1",
        /// Least depth at which its fail-high is verified without a pass.
        verify: 200 in 2..=200 "plies",
    }
}

impl<G: Pass> Passing<G> for NullMove {
    #[inline]
    fn pass(&self, node: &Node<'_, G>) -> Option<(G, Depth)> {
        let beta = node.window.beta;
        if node.fail_high_depth < Depth::plies(self.min_depth)
            || node.static_eval < beta
            || beta <= -Score::MAX_ESTIMATE
            || self.cut_only != 0 && !node.cut
            || !node.position.may_pass()
        {
            return None;
        }
        let surplus = ((node.static_eval.0 - beta.0) * 100 / self.per_ply).min(100 * self.most);
        let depth = node.fail_high_depth.whole_plies();
        let mut child = node.position.clone();
        child.pass();
        Some((child, hundredths(self.reduction + self.slope * depth + surplus)))
    }

    #[inline]
    fn verifies(&self, node: &Node<'_, G>) -> bool {
        node.fail_high_depth >= Depth::plies(self.verify)
    }
}
