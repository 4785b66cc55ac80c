//! Exchange pruning: prunes moves that lose material, near the horizon.
//!
//! *Reference:* static exchange pruning, as in Stockfish and Ethereal.
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::order::rank;
use crate::alpha_beta::selectivity::{Skip, Skipped};
use crate::alpha_beta::{Candidate, Node};
use crate::depth::Depth;
use crate::game::Noisy;
use crate::score::Score;

crate::component! {
    /// Prunes moves that lose more in an exchange than the remaining depth can recover.
    pub struct ExchangePruning {
        /// Greatest depth at which it is done.
        max_depth: 8 in 0..=20 "plies",
        /// What a quiet move may lose, a ply.
        quiet: 60 in 0..=400 "evaluation units",
        /// What a noisy move may lose, a ply squared.
        noisy: 22 in 0..=400 "evaluation units",
    }
}

impl<G: Noisy> Skip<G> for ExchangePruning {
    const USES_STATIC_EVAL: bool = false;

    #[inline]
    fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        // A noisy move of a winning rank has already passed a stricter test.
        if node.fail_low_depth > Depth::plies(self.max_depth) || candidate.rank >= rank::WINNING {
            return Skipped::No;
        }
        let plies = node.fail_low_depth.whole_plies().max(1);
        let loss = if noisy { self.noisy * plies * plies } else { self.quiet * plies };
        if node.position.exchange_at_least(candidate.mv, Score(-loss)) { Skipped::No } else { Skipped::This }
    }
}
