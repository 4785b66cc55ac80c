//! Reverse futility pruning: fail high where the static value is far above β.
//!
//! *Reference:* static null move pruning; the mirror of futility pruning (Schaeffer 1986, Heinz 1998).
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use crate::{Checks, Depth, Node, Prune, Score};

crate::component! {
    /// Fails high if the static value exceeds β by a margin that grows with depth.
    pub struct ReverseFutility {
        /// Greatest depth at which it is tried.
        max_depth: 8 in 0..=20 "plies",
        /// Margin a ply.
        margin: 75 in 0..=400 "evaluation units",
        /// What an improving static value takes off the margin.
        improving: 70 in 0..=400 "evaluation units",
    }
}

impl<G: Checks> Prune<G> for ReverseFutility {
    #[inline]
    fn prune(&self, node: &Node<'_, G>) -> Option<Score> {
        let beta = node.window.beta;
        if node.high > Depth::plies(self.max_depth) || beta.is_decided() || node.standing.is_decided() {
            return None;
        }
        let plies = node.high.whole_plies().max(1);
        let margin = Score(self.margin * plies - if node.improving { self.improving } else { 0 });
        (node.standing - margin.max(Score(20)) >= beta && !node.position.in_check()).then_some(node.standing)
    }
}
