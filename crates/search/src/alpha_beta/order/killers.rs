//! Killer moves: quiet moves that failed high at the same ply.
//!
//! *Reference:* Marsland & Campbell 1981, §II.C: a short list for each level.
//! *Deviations:* two per ply, the newer first.
//! *Soundness:* an order; the value is unchanged.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::MAX_PLY;
use crate::alpha_beta::Node;
use crate::alpha_beta::order::Order;
use crate::alpha_beta::order::{Facts, rank};
use crate::component::Component;
use crate::game::{MoveIndexed, Noisy};

/// Two killers per ply, stored by their slots.
#[derive(Clone, Debug)]
pub struct Killers {
    slots: Vec<[usize; 2]>,
}

const NONE: [usize; 2] = [usize::MAX; 2];

impl Default for Killers {
    fn default() -> Self {
        Killers { slots: vec![NONE; MAX_PLY + 3] }
    }
}

impl Component for Killers {
    const NAME: &'static str = "Killers";
}

impl<G: Noisy + MoveIndexed> Order<G> for Killers {
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        Facts { index: Some(position.move_index(mv)), noisy: position.is_noisy(mv) }
    }

    #[inline]
    fn rank(&self, node: &Node<'_, G>, _: G::Move, facts: Facts) -> i32 {
        let [first, second] = self.slots[node.ply];
        match facts.index {
            _ if facts.noisy => 0,
            Some(slot) if slot == first => rank::KILLER + 200_000_000,
            Some(slot) if slot == second => rank::KILLER + 100_000_000,
            _ => 0,
        }
    }

    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, _: &[G::Move]) {
        let slot = node.position.move_index(best);
        let killers = &mut self.slots[node.ply];
        if !node.position.is_noisy(best) && killers[0] != slot {
            *killers = [slot, killers[0]];
        }
    }

    fn killers(&self, ply: usize) -> [Option<usize>; 2] {
        self.slots[ply].map(|slot| (slot != usize::MAX).then_some(slot))
    }

    fn start(&mut self) {
        self.slots.fill(NONE);
    }
}
