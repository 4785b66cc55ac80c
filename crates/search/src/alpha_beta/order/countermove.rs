//! Counter-moves: gives a high rank to the quiet move that last refuted the opponent's move.
//!
//! *Reference:* Uiterwijk 1992; a relative of the counter-killers of AWIT (Marsland & Campbell 1981,
//! §II.C).
//! *Soundness:* an order; the value is unchanged.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::Node;
use crate::alpha_beta::order::Order;
use crate::alpha_beta::order::{Facts, rank};
use crate::component::Component;
use crate::game::{MoveIndexed, Noisy};

/// One counter-move for every slot of the previous move.
#[derive(Clone, Debug, Default)]
pub struct Countermove {
    answers: Vec<usize>,
}

impl Component for Countermove {
    const NAME: &'static str = "Countermove";
}

impl<G: Noisy + MoveIndexed> Order<G> for Countermove {
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        Facts { index: Some(position.move_index(mv)), noisy: position.is_noisy(mv) }
    }

    #[inline]
    fn rank(&self, node: &Node<'_, G>, _: G::Move, facts: Facts) -> i32 {
        match (node.previous[0], facts.index) {
            (Some(previous), Some(slot)) if !facts.noisy && self.answers[previous] == slot => {
                rank::KILLER + 50_000_000 // a killer's rank, however bad the move's history
            }
            _ => 0,
        }
    }

    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, _: &[G::Move]) {
        if let Some(previous) = node.previous[0]
            && !node.position.is_noisy(best)
        {
            self.answers[previous] = node.position.move_index(best);
        }
    }

    fn start(&mut self) {
        self.answers.resize(G::MOVE_INDICES, usize::MAX);
    }

    fn forget(&mut self) {
        self.answers.fill(usize::MAX);
    }
}
