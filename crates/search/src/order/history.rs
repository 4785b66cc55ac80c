//! History: quiet moves that failed high often come earlier, those that did not come later.
//!
//! *Reference:* Schaeffer 1983; the successor of the killers of Marsland & Campbell 1981, §II.C.
//! *Deviations:* counters are drawn back the more the greater they are ("gravity"), so that they stay bounded and recent.
//! *Soundness:* an order; the value is unchanged.
//! *Worth:* figures in results/ablation.md.

use super::counters::Counters;
use super::{bonus, quiet};
use crate::slot::Facts;
use crate::{Node, Noisy, Order, Slotted};

crate::component! {
    /// A counter for every slot.
    pub struct History {
        /// Most that one cutoff changes a counter.
        most: 1600 in 1..=16384 "counter units",
    }
    state {
        counters: Counters = Counters::default(),
    }
}

impl<G: Noisy + Slotted> Order<G> for History {
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        Facts { slot: Some(position.slot(mv)), noisy: position.is_noisy(mv) }
    }

    #[inline]
    fn rank(&self, _: &Node<'_, G>, _: G::Move, facts: Facts) -> i32 {
        match facts.slot {
            Some(slot) if !facts.noisy => self.counters.get(slot),
            _ => 0,
        }
    }

    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, tried: &[G::Move]) {
        if node.position.is_noisy(best) {
            return;
        }
        let bonus = bonus(node.high, self.most);
        self.counters.nudge(node.position.slot(best), bonus);
        for mv in quiet(node, tried) {
            self.counters.nudge(node.position.slot(mv), -bonus);
        }
    }

    fn start(&mut self) {
        self.counters.start(G::SLOTS);
    }

    fn share(&mut self, leader: &Self) {
        self.counters = leader.counters.share();
    }

    fn forget(&mut self) {
        self.counters.clear();
    }
}
