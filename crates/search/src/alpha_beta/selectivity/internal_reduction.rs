//! Internal iterative reduction: searches a node without a hash move to less depth. If the node matters,
//! the next iteration will have a hash move for it.
//!
//! *Reference:* Ed Schröder 2020, in place of internal iterative deepening.
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::Node;
use crate::alpha_beta::selectivity::ReduceNode;
use crate::depth::Depth;

crate::component! {
    /// Reduces the depth by one ply.
    pub struct InternalReduction {
        /// Least depth at which it is done.
        min_depth: 4 in 1..=20 "plies",
    }
}

impl<G: crate::game::Game> ReduceNode<G> for InternalReduction {
    const USES_STATIC_EVAL: bool = false;

    #[inline]
    fn reduction(&self, node: &Node<'_, G>) -> Depth {
        let deep = node.fail_high_depth.max(node.fail_low_depth) >= Depth::plies(self.min_depth);
        if deep && !node.has_hash_move && (node.pv || node.cut) { Depth::PLY } else { Depth::ZERO }
    }
}
