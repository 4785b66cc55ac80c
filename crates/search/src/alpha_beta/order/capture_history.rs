//! Capture history: noisy moves that often failed high are tried earlier among noisy moves.
//!
//! *Reference:* the history heuristic (Schaeffer 1983) for captures, by piece, target and what is taken, as
//! in Stockfish since 2016.
//! *Deviations:* it orders noisy moves within the tiers of [`NoisyFirst`](super::NoisyFirst), without which
//! it should not be used. Quiescence search does not use it.
//! *Soundness:* an order; the value is unchanged.
//! *Worth:* Elo -19 ± 22 at 5,000 nodes (600 games).

use super::bonus;
use super::counters::Counters;
use crate::alpha_beta::Node;
use crate::alpha_beta::order::Facts;
use crate::alpha_beta::order::Order;
use crate::game::{MoveIndexed, Noisy};

crate::component! {
    /// A counter for every slot and kind of noisy move.
    pub struct CaptureHistory {
        /// Most that one cutoff changes a counter.
        most: 1600 in 1..=16384 "counter units",
        /// Weight of a counter beside the rank by victim and attacker.
        weight: 25 in 0..=400 "hundredths",
    }
    state {
        counters: Counters = Counters::default(),
    }
}

#[inline]
fn place<G: Noisy + MoveIndexed>(position: &G, mv: G::Move, slot: usize) -> usize {
    slot * G::NOISY_KINDS + position.noisy_kind(mv)
}

impl<G: Noisy + MoveIndexed> Order<G> for CaptureHistory {
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        Facts { index: Some(position.move_index(mv)), noisy: position.is_noisy(mv) }
    }

    #[inline]
    fn rank(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> i32 {
        match facts.index {
            Some(slot) if facts.noisy => {
                self.counters.get(place(node.position, mv, slot)) * self.weight / 100
            }
            _ => 0,
        }
    }

    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, tried: &[G::Move]) {
        let position = node.position;
        let bonus = bonus(node.fail_high_depth, self.most);
        let noisy = |mv: &G::Move| position.is_noisy(*mv);
        let nudge = |mv: G::Move, bonus| {
            self.counters.nudge(place(position, mv, position.move_index(mv)), bonus);
        };
        Some(best).filter(noisy).into_iter().for_each(|mv| nudge(mv, bonus));
        tried.iter().copied().filter(noisy).for_each(|mv| nudge(mv, -bonus));
    }

    fn start(&mut self) {
        self.counters.start(G::MOVE_INDICES * G::NOISY_KINDS);
    }

    fn share(&mut self, leader: &Self) {
        self.counters = leader.counters.share();
    }

    fn forget(&mut self) {
        self.counters.clear();
    }
}
