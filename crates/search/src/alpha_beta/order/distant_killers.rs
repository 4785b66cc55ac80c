//! Distant killers: gives a high rank to quiet moves that failed high two plies below or two plies
//! above.
//!
//! *Reference:* Marsland & Campbell 1981, §II.C: information gathered deep in the tree is redistributed
//! to shallower levels. A killer of one level is tried at the nearest levels where the same side moves.
//! *Deviations:* one killer per ply, the newest. [`Reorder`](super::Reorder) is the other half: it also
//! takes effect while the moves of a node are being tried.
//! *Soundness:* an order; the value is unchanged.
//! *Worth:* Measured in chess, four positions to depth 6 over static values without a table: 5.2 % fewer
//! nodes beside `NoisyFirst` and `Killers` alone, 0.8 % more beside all six orders of the playing
//! recipe. Figures in results/ablation.md.

use crate::alpha_beta::MAX_PLY;
use crate::alpha_beta::Node;
use crate::alpha_beta::order::Order;
use crate::alpha_beta::order::{Facts, rank};
use crate::game::{MoveIndexed, Noisy};

crate::component! {
    /// Ranks killers from two plies away behind those of the same ply.
    pub struct DistantKillers {
        /// Whether the killer of two plies further down counts: 1 yes, 0 no.
        below: 1 in 0..=1 "0 or 1",
        /// Whether the killer of two plies further up counts: 1 yes, 0 no.
        above: 1 in 0..=1 "0 or 1",
    }
    state {
        slots: Vec<usize> = vec![usize::MAX; MAX_PLY + 3],
    }
}

impl<G: Noisy + MoveIndexed> Order<G> for DistantKillers {
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        Facts { index: Some(position.move_index(mv)), noisy: position.is_noisy(mv) }
    }

    #[inline]
    fn rank(&self, node: &Node<'_, G>, _: G::Move, facts: Facts) -> i32 {
        let Some(slot) = facts.index.filter(|_| !facts.noisy) else { return 0 };
        if self.below != 0 && self.slots[node.ply + 2] == slot {
            rank::KILLER + 40_000_000
        } else if self.above != 0 && node.ply >= 2 && self.slots[node.ply - 2] == slot {
            rank::KILLER + 20_000_000
        } else {
            0
        }
    }

    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, _: &[G::Move]) {
        if !node.position.is_noisy(best) {
            self.slots[node.ply] = node.position.move_index(best);
        }
    }

    fn start(&mut self) {
        self.slots.fill(usize::MAX);
    }
}
