//! Internal iterative reduction: a node without a remembered move is searched less deep;
//! if it matters, the next iteration comes with a move.
//!
//! *Reference:* Ed Schröder 2020, in place of internal iterative deepening.
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use crate::{Depth, Node, ReduceNode};

crate::component! {
    /// Takes a ply off.
    pub struct InternalReduction {
        /// Least depth at which it is done.
        min_depth: 4 in 1..=20 "plies",
    }
}

impl<G: crate::Game> ReduceNode<G> for InternalReduction {
    const USES_STANDING: bool = false;

    #[inline]
    fn reduction(&self, node: &Node<'_, G>) -> Depth {
        let deep = node.high.max(node.low) >= Depth::plies(self.min_depth);
        if deep && !node.remembered && (node.pv || node.cut) { Depth::PLY } else { Depth::ZERO }
    }
}
