//! Continuation history: counts how often a quiet move failed high after the same move one or two plies
//! earlier.
//!
//! *Reference:* generalises counter-moves (Uiterwijk 1992) to counters; customary in engines since 2016.
//! *Soundness:* an order; the value is unchanged.
//! *Worth:* figures in results/ablation.md.

use super::counters::Counters;
use super::{bonus, quiet};
use crate::alpha_beta::Node;
use crate::alpha_beta::order::Facts;
use crate::alpha_beta::order::Order;
use crate::game::{MoveIndexed, Noisy};

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
    fn index<G: MoveIndexed>(previous: usize, slot: usize) -> usize {
        previous * G::MOVE_INDICES + slot
    }
}

impl<G: Noisy + MoveIndexed> Order<G> for Continuation {
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        Facts { index: Some(position.move_index(mv)), noisy: position.is_noisy(mv) }
    }

    #[inline]
    fn rank(&self, node: &Node<'_, G>, _: G::Move, facts: Facts) -> i32 {
        let Some(slot) = facts.index.filter(|_| !facts.noisy) else { return 0 };
        let counter = |previous: Option<usize>| {
            previous.map_or(0, |previous| self.counters.get(Self::index::<G>(previous, slot)))
        };
        counter(node.previous[0]) + counter(node.previous[1])
    }

    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, tried: &[G::Move]) {
        if node.position.is_noisy(best) {
            return;
        }
        let bonus = bonus(node.fail_high_depth, self.most);
        for &previous in node.previous.iter().flatten() {
            self.counters.nudge(Self::index::<G>(previous, node.position.move_index(best)), bonus);
            for mv in quiet(node, tried) {
                self.counters.nudge(Self::index::<G>(previous, node.position.move_index(mv)), -bonus);
            }
        }
    }

    fn start(&mut self) {
        self.counters.start(G::MOVE_INDICES * G::MOVE_INDICES);
    }

    fn share(&mut self, leader: &Self) {
        self.counters = leader.counters.share();
    }

    fn forget(&mut self) {
        self.counters.clear();
    }
}
