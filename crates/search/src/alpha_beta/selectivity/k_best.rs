//! Shannon's type B: searches only the k moves that look best.
//!
//! *Reference:* Eppstein 1999, on which nodes to search: strategy B of Shannon 1950.
//! *Deviations:* a move is valued by the static value of the position after it, or by the outcome if the
//! game is then over. The root keeps all its moves. The component fills one of the slots that prune
//! moves. If it prunes any, the remaining moves are listed best first; this decides the order of moves
//! that the slot `Order` ranks equal.
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md. It evaluates every child of a node before one is searched.

use super::static_value_after;
use crate::alpha_beta::selectivity::{Skip, Skipped};
use crate::alpha_beta::{Candidate, Node};
use crate::game::{Evaluate, Game};
use std::cmp::Reverse;

crate::component! {
    /// Prunes all but the moves whose positions have the best static values.
    pub struct KBest {
        /// How many moves of a node are searched.
        k: 7 in 1..=200 "moves",
    }
}

impl<G: Game> Skip<G> for KBest {
    const USES_STATIC_EVAL: bool = false;

    fn select(
        &self,
        node: &Node<'_, G>,
        moves: &mut Vec<G::Move>,
        first: usize,
        evaluate: &mut impl Evaluate<G>,
    ) -> bool {
        let k = self.k as usize;
        let prunes = moves.len() - first > k;
        if prunes {
            moves[first..].sort_by_cached_key(|&mv| Reverse(static_value_after(node, mv, evaluate)));
            moves.truncate(first + k);
        }
        prunes
    }

    #[inline]
    fn skip(&self, _: &Node<'_, G>, _: &Candidate<G::Move>, _: bool) -> Skipped {
        Skipped::No
    }
}
