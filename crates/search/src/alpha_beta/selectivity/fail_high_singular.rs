//! Singular extension in its original form: a move that has failed high is searched deeper if all others miss
//! its value by a margin.
//!
//! *Reference:* McAllester & Yuret 1993, §9.3, on Anantharaman, Campbell & Hsu 1990. A move is fail-high
//! singular for a search to depth d if v_{d−r}[n'] < v_r − δ for all its siblings n', where v_{d−r} is the
//! value of a search to depth d − r and v_r an estimate of the root's value. The extension is granted at
//! nodes that fail high, and on the principal variation with another δ. The estimate of the root's value at a
//! node is that of §8: the node's value, or the edge of the window beyond which it lies. So v_r is β where a
//! node fails high. With one depth both plans get the extension. With two, only the plan of the side that had
//! no choice gets it ([`Horizon::lengthen_own`](crate::alpha_beta::horizon::Horizon::lengthen_own)): the
//! two-depth approach of the same section.
//! *Deviations:* on the principal variation every move that raises α is tested, since the best move is not
//! known before the last is searched. The moves of the root are not tested, nor is any move below the depth
//! `min_depth`, or one whose value is a proven win or loss. A finished game has its value at any depth. A
//! line that is extended at every move ends only by the rules of the game or at
//! [`MAX_PLY`](crate::alpha_beta::MAX_PLY).
//! *Soundness:* a depth rule: an extended move costs less than a ply.
//! *Worth:* see results/singular-margins.md.

use super::hundredths;
use crate::alpha_beta::Node;
use crate::alpha_beta::selectivity::{Extend, Singularity};
use crate::depth::Depth;
use crate::game::Game;
use crate::score::Score;

crate::component! {
    /// Extends a move that fails high if all others, searched to less depth, miss by a margin.
    pub struct FailHighSingular {
        /// Least depth of a node whose moves are tested.
        min_depth: 3 in 1..=30 "plies",
        /// r: how much less deep the others are searched.
        reduction: 200 in 100..=2000 "hundredths of a ply",
        /// δ: by how much they must miss β where a node fails high …
        margin: 50 in 1..=1000 "evaluation units",
        /// … and the best value, on the principal variation.
        pv_margin: 25 in 1..=1000 "evaluation units",
        /// What the move gains.
        extension: 100 in 0..=200 "hundredths of a ply",
    }
}

impl<G: Game> Extend<G> for FailHighSingular {
    const VERIFIES: bool = true;

    fn verify(&self, node: &Node<'_, G>, value: Score) -> Option<Singularity> {
        let root_value = node.window.clip(value);
        if node.fail_high_depth < Depth::plies(self.min_depth) || root_value.is_decided() {
            return None;
        }
        let margin = if node.pv { self.pv_margin } else { self.margin };
        Some(Singularity {
            target: root_value - Score(margin),
            reduction: hundredths(self.reduction),
            extension: hundredths(self.extension),
            double_margin: Score::INFINITE,
            shortening: Depth::ZERO,
        })
    }
}
