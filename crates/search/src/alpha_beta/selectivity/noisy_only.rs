//! Searches only noisy moves beyond a number of plies.
//!
//! *Reference:* Eppstein 1999, on which nodes to search: only capturing moves, as Turing proposed; here
//! beyond a number of plies.
//! *Deviations:* no side is forced to capture: the quiet move with the best static value is kept and stands
//! for doing nothing. In check all moves are kept. The depth rule decides where the line ends.
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use super::static_value_after;
use crate::alpha_beta::selectivity::{Skip, Skipped};
use crate::alpha_beta::{Candidate, Node};
use crate::game::{Checks, Evaluate, Noisy};

crate::component! {
    /// Far from the root, prunes all quiet moves but the one with the best static value.
    pub struct NoisyOnly {
        /// So many plies are searched with all moves.
        whole: 2 in 0..=20 "plies",
    }
}

impl<G: Noisy + Checks> Skip<G> for NoisyOnly {
    const USES_STATIC_EVAL: bool = false;

    fn select(
        &self,
        node: &Node<'_, G>,
        moves: &mut Vec<G::Move>,
        first: usize,
        evaluate: &mut impl Evaluate<G>,
    ) -> bool {
        if node.ply < self.whole as usize || node.position.in_check() {
            return false;
        }
        let mut quiet = moves.split_off(first);
        quiet.retain(|&mv| {
            let noisy = node.position.is_noisy(mv);
            if noisy {
                moves.push(mv);
            }
            !noisy
        });
        let prunes = quiet.len() > 1;
        moves.extend(quiet.into_iter().max_by_key(|&mv| static_value_after(node, mv, evaluate)));
        prunes
    }

    #[inline]
    fn skip(&self, _: &Node<'_, G>, _: &Candidate<G::Move>, _: bool) -> Skipped {
        Skipped::No
    }
}
