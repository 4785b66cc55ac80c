//! Shannon's type B: only the k moves that look best are searched.
//!
//! *Reference:* Eppstein 1999, on which nodes to search: strategy B of Shannon 1950.
//! *Deviations:* a move looks as good as the static value of the position after it, an ended game has its outcome. The
//! root keeps all its moves. Fills one of the slots that leave out moves; if any are left out, the others are listed best first, which
//! is the order of those that the slot `Order` ranks alike.
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md. It evaluates every child of a node before one is searched.

use super::static_value_after;
use crate::{Candidate, Evaluate, Game, Node, Skip, Skipped};
use std::cmp::Reverse;

crate::component! {
    /// Leaves out all but the moves whose positions have the best static values.
    pub struct KBest {
        /// How many moves of a node are searched.
        k: 7 in 1..=200 "moves",
    }
}

impl<G: Game> Skip<G> for KBest {
    const USES_STANDING: bool = false;

    fn select(
        &self,
        node: &Node<'_, G>,
        moves: &mut Vec<G::Move>,
        first: usize,
        evaluate: &mut impl Evaluate<G>,
    ) {
        let k = self.k as usize;
        if moves.len() - first > k {
            moves[first..].sort_by_cached_key(|&mv| Reverse(static_value_after(node, mv, evaluate)));
            moves.truncate(first + k);
        }
    }

    #[inline]
    fn skip(&self, _: &Node<'_, G>, _: &Candidate<G::Move>, _: bool) -> Skipped {
        Skipped::No
    }
}
