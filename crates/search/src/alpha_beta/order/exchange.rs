//! Tries noisy moves that win or keep material first, and those that lose material last.
//!
//! *Reference:* usual: captures first, divided by static exchange.
//! *Deviations:* pruning and reductions tell noisy moves by the rank that is given here. Without this
//! component they take every move for a quiet one, so that an ablation measures more than the order.
//! *Soundness:* an order; the value is unchanged.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::Node;
use crate::alpha_beta::order::Order;
use crate::alpha_beta::order::{Facts, rank};
use crate::game::Noisy;
use crate::score::Score;

crate::component! {
    /// Orders noisy moves by victim and attacker, and puts those that lose an exchange last.
    pub struct NoisyFirst {
        /// An exchange may lose this much and still count as not losing.
        tolerance: 0 in 0..=500 "evaluation units",
    }
}

impl<G: Noisy> Order<G> for NoisyFirst {
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        Facts { index: None, noisy: position.is_noisy(mv) }
    }

    #[inline]
    fn rank(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> i32 {
        if !facts.noisy {
            return 0;
        }
        let tier = if node.position.exchange_at_least(mv, Score(-self.tolerance)) {
            rank::WINNING + 100_000_000
        } else {
            rank::LOSING - 100_000_000
        };
        tier + node.position.noisy_rank(mv)
    }
}
