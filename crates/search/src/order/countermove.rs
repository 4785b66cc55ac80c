//! Counter-moves: the quiet move that last refuted the opponent's move.
//!
//! *Reference:* Uiterwijk 1992; a relative of the counter-killers of AWIT (Marsland &
//! Campbell 1981, §II.C).
//! *Soundness:* an order; the value is unchanged.

use crate::slot::{Ranked, rank};
use crate::{Component, Node, Noisy, Order, Slotted};

/// One answer for every slot of the move before.
#[derive(Clone, Debug, Default)]
pub struct Countermove {
    answers: Vec<usize>,
}

impl Component for Countermove {
    const NAME: &'static str = "Countermove";
}

impl<G: Noisy + Slotted> Order<G> for Countermove {
    #[inline]
    fn rank(&self, node: &Node<'_, G>, mv: G::Move) -> i32 {
        match node.previous[0] {
            Some(previous)
                if self.answers[previous] == node.position.slot(mv) && !node.position.is_noisy(mv) =>
            {
                rank::KILLER
            }
            _ => 0,
        }
    }

    #[inline]
    fn slot(&self, position: &G, mv: G::Move) -> Option<usize> {
        Some(position.slot(mv))
    }

    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, _: &[Ranked<G::Move>]) {
        if let Some(previous) = node.previous[0]
            && !node.position.is_noisy(best)
        {
            self.answers[previous] = node.position.slot(best);
        }
    }

    fn start(&mut self) {
        self.answers.resize(G::SLOTS, usize::MAX);
    }

    fn forget(&mut self) {
        self.answers.fill(usize::MAX);
    }
}
