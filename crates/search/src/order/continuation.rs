//! Continuation history: quiet moves that failed high after the same move one or two plies before.
//!
//! *Reference:* a generalisation of counter-moves (Uiterwijk 1992) to counters, customary in engines since 2016.
//! *Soundness:* an order; the value is unchanged.
//! *Worth:* figures in results/ablation.md.

use super::counters::Counters;
use super::{bonus, quiet};
use crate::slot::Facts;
use crate::{Node, Noisy, Order, Slotted};

crate::component! {
    /// A counter for every pair of slots.
    pub struct Continuation {
        /// Most that one cutoff changes a counter.
        most: 1600 in 1..=16384 "counter units",
    }
    state {
        counters: Counters = Counters::default(),
    }
}

impl Continuation {
    #[inline]
    fn index<G: Slotted>(previous: usize, slot: usize) -> usize {
        previous * G::SLOTS + slot
    }
}

impl<G: Noisy + Slotted> Order<G> for Continuation {
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        Facts { slot: Some(position.slot(mv)), noisy: position.is_noisy(mv) }
    }

    #[inline]
    fn rank(&self, node: &Node<'_, G>, _: G::Move, facts: Facts) -> i32 {
        let Some(slot) = facts.slot.filter(|_| !facts.noisy) else { return 0 };
        let counter = |previous: Option<usize>| {
            previous.map_or(0, |previous| self.counters.get(Self::index::<G>(previous, slot)))
        };
        counter(node.previous[0]) + counter(node.previous[1])
    }

    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, tried: &[G::Move]) {
        if node.position.is_noisy(best) {
            return;
        }
        let bonus = bonus(node.high, self.most);
        for &previous in node.previous.iter().flatten() {
            self.counters.nudge(Self::index::<G>(previous, node.position.slot(best)), bonus);
            for mv in quiet(node, tried) {
                self.counters.nudge(Self::index::<G>(previous, node.position.slot(mv)), -bonus);
            }
        }
    }

    fn start(&mut self) {
        self.counters.start(G::SLOTS * G::SLOTS);
    }

    fn share(&mut self, leader: &Self) {
        self.counters = leader.counters.share();
    }

    fn forget(&mut self) {
        self.counters.clear();
    }
}
