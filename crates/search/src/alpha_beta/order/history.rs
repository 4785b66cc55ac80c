//! History heuristic: quiet moves that often failed high are tried earlier, those that did not are tried
//! later.
//!
//! *Reference:* Schaeffer 1983; the successor of the killers of Marsland & Campbell 1981, §II.C.
//! *Deviations:* a counter is pulled back towards zero in proportion to its size ("gravity"), so that
//! counters stay bounded and recent.
//! *Soundness:* an order; the value is unchanged.
//! *Worth:* figures in results/ablation.md.

use super::counters::Counters;
use super::{bonus, quiet};
use crate::alpha_beta::Node;
use crate::alpha_beta::order::Facts;
use crate::alpha_beta::order::Order;
use crate::game::{MoveIndexed, Noisy};

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

impl<G: Noisy + MoveIndexed> Order<G> for History {
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        Facts { index: Some(position.move_index(mv)), noisy: position.is_noisy(mv) }
    }

    #[inline]
    fn rank(&self, _: &Node<'_, G>, _: G::Move, facts: Facts) -> i32 {
        match facts.index {
            Some(slot) if !facts.noisy => self.counters.get(slot),
            _ => 0,
        }
    }

    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, tried: &[G::Move]) {
        if node.position.is_noisy(best) {
            return;
        }
        let bonus = bonus(node.fail_high_depth, self.most);
        self.counters.nudge(node.position.move_index(best), bonus);
        for mv in quiet(node, tried) {
            self.counters.nudge(node.position.move_index(mv), -bonus);
        }
    }

    fn start(&mut self) {
        self.counters.start(G::MOVE_INDICES);
    }

    fn share(&mut self, leader: &Self) {
        self.counters = leader.counters.share();
    }

    fn forget(&mut self) {
        self.counters.clear();
    }
}
