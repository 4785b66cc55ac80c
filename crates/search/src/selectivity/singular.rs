//! Singular extension as programs have it now: a remembered move that is much better than all others is searched deeper.
//!
//! *Reference:* the idea is Anantharaman, Campbell & Hsu's (1990), whose form, after McAllester & Yuret 1993, §9.3, is
//! [`FailHighSingular`](crate::FailHighSingular). This one is that of today's programs (Stockfish and others): before any move is tried, the move that the
//! memory names is tested against its stored bound, by one search of all the others to half the depth. Where others fail high
//! too, multi-cut pruning (Björnsson & Marsland 1999).
//! *Deviations:* the bar is the stored bound less a margin that grows with depth, not the root's value; the node need not have failed high. The cut asks that this target is not below β: a value far above the
//! window of a shallow search is no reason to leave a node.
//! *Soundness:* a depth rule of its own: a move counts for more than its ply.
//! *Worth:* figures in results/ablation.md.

use super::hundredths;
use crate::{Depth, Extend, Game, Hit, Node, Score, Singularity};

crate::component! {
    /// Extends the remembered move if all others miss its value by a margin.
    pub struct Singular {
        /// Least depth at which it is tested.
        min_depth: 7 in 3..=30 "plies",
        /// How much shallower than the node the remembered bound may be.
        slack: 3 in 0..=10 "plies",
        /// Margin below the remembered bound, a ply of depth …
        margin: 2 in 0..=50 "evaluation units",
        /// … and on the principal variation.
        pv_margin: 2 in 0..=50 "evaluation units",
        /// What the move gains.
        extension: 100 in 0..=200 "hundredths of a ply",
        /// How far the others must miss the target for a second extension.
        double: 20 in 0..=300 "evaluation units",
    }
}

impl<G: Game> Extend<G> for Singular {
    #[inline]
    fn test(&self, node: &Node<'_, G>, hit: &Hit) -> Option<Singularity> {
        let depth = node.high.min(node.low);
        if depth < Depth::plies(self.min_depth)
            || hit.mv == 0
            || hit.lower.is_decided()
            || hit.depths.lower < node.high - Depth::plies(self.slack)
        {
            return None;
        }
        let margin = if node.pv { self.pv_margin } else { self.margin };
        let target = hit.lower - Score(margin * depth.whole_plies());
        Some(Singularity {
            target,
            reduction: Depth(depth.0 / 2),
            extension: hundredths(self.extension),
            double_margin: Score(self.double),
        })
    }
}
