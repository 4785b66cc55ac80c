//! Singular extension in its current form: a hash move that is much better than all other moves is
//! searched deeper.
//!
//! *Reference:* the idea is that of Anantharaman, Campbell & Hsu (1990). Their form, after McAllester &
//! Yuret 1993, §9.3, is [`FailHighSingular`](crate::alpha_beta::selectivity::FailHighSingular). This one
//! is that of today's programs (Stockfish and others): before any move is tried, the hash move is tested
//! against its stored bound by one search of all other moves to half the depth. Where others fail high
//! too, the node is cut off by multi-cut pruning (Björnsson & Marsland 1999).
//! *Deviations:* the bar is the stored bound minus a margin that grows with depth, not the root's value, and
//! the node need not have failed high. The cutoff requires that this bar is not below β, because a value far
//! above the window of a shallow search is no reason to leave a node. The test knows no hash move, so that
//! [`InternalReduction`](super::InternalReduction) takes another ply off its depth. Where others reach the
//! bar and the node is not cut off, the hash move may be searched to less depth (negative extension,
//! Stockfish since 2021): `high`, `cut` and `low` say by how much.
//! *Soundness:* a depth rule: an extended move costs less than a ply.
//! *Worth:* figures in results/ablation.md.

use super::hundredths;
use crate::alpha_beta::Node;
use crate::alpha_beta::memory::Hit;
use crate::alpha_beta::selectivity::{Extend, Singularity};
use crate::depth::Depth;
use crate::game::Game;
use crate::score::Score;

crate::component! {
    /// Extends the hash move if all others miss its value by a margin.
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
        /// What the move loses if the others reach the target and its remembered bound is not below β …
        high: 0 in 0..=300 "hundredths of a ply",
        /// … or else a fail-high was expected …
        cut: 0 in 0..=300 "hundredths of a ply",
        /// … or else the remembered upper bound is not above α.
        low: 0 in 0..=300 "hundredths of a ply",
    }
}

impl<G: Game> Extend<G> for Singular {
    #[inline]
    fn test(&self, node: &Node<'_, G>, hit: &Hit) -> Option<Singularity> {
        let depth = node.fail_high_depth.min(node.fail_low_depth);
        if depth < Depth::plies(self.min_depth)
            || hit.mv == 0
            || hit.lower.is_decided()
            || hit.depths.lower < node.fail_high_depth - Depth::plies(self.slack)
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
            shortening: hundredths(match node.window {
                window if hit.lower >= window.beta => self.high,
                _ if node.cut => self.cut,
                window if hit.upper <= window.alpha => self.low,
                _ => 0,
            }),
        })
    }
}
