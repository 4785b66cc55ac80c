//! Tries quiet moves that give check before other quiet moves.
//!
//! *Reference:* Kaindl 1983 (checks are the moves whose answers are forced); customary as a move order.
//! *Deviations:* a check that loses an exchange keeps its place among the quiet moves.
//! *Soundness:* an order; the value is unchanged.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::Node;
use crate::alpha_beta::order::Order;
use crate::alpha_beta::order::{Facts, rank};
use crate::game::{Checks, Noisy};
use crate::score::Score;

crate::component! {
    /// Ranks quiet moves that give check before other quiet moves. Futility pruning and late move
    /// pruning do not prune moves that are ranked as checks.
    pub struct ChecksFirst {
        /// An exchange may lose this much and the check is still one of the first.
        tolerance: 0 in 0..=1000 "evaluation units",
    }
}

impl<G: Noisy + Checks> Order<G> for ChecksFirst {
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        Facts { index: None, noisy: position.is_noisy(mv) }
    }

    #[inline(always)] // so that what all moves of a node share is computed once
    fn rank(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> i32 {
        let position = node.position;
        let first = !facts.noisy
            && position.gives_check(mv)
            && position.exchange_at_least(mv, Score(-self.tolerance));
        if first { rank::CHECK + 10_000_000 } else { 0 }
    }
}
