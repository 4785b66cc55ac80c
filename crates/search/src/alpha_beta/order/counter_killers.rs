//! Counter-killers: tries quiet moves that defuse the killer of the next ply before other quiet moves.
//!
//! *Reference:* Marsland & Campbell 1981, §II.C: AWIT "seeks out defensive moves at ply N-1 which
//! counteract killers from level N".
//! *Deviations:* only the newest killer of the next ply counts. It may be noisy, because a noisy move is
//! a threat as well. The game decides which moves defuse it ([`Defuse`]). A noisy move that defuses it
//! keeps its place among the noisy moves.
//! *Soundness:* an order; the value is unchanged.
//! *Worth:* Measured in chess, four positions to depth 6 over static values without a table: 1.0 % more
//! nodes, beside `NoisyFirst` and `Killers` alone and beside all six orders of the playing recipe.
//! Figures in results/ablation.md.

use crate::alpha_beta::MAX_PLY;
use crate::alpha_beta::Node;
use crate::alpha_beta::order::Order;
use crate::alpha_beta::order::{Facts, rank};
use crate::component::Component;
use crate::game::{Defuse, Noisy};

/// The newest killer of every ply, seen as a threat at the ply above.
#[derive(Clone, Debug)]
pub struct CounterKillers {
    threats: Vec<usize>,
}

impl Default for CounterKillers {
    fn default() -> Self {
        CounterKillers { threats: vec![usize::MAX; MAX_PLY + 3] }
    }
}

impl Component for CounterKillers {
    const NAME: &'static str = "CounterKillers";
}

impl<G: Noisy + Defuse> Order<G> for CounterKillers {
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        Facts { index: Some(position.move_index(mv)), noisy: position.is_noisy(mv) }
    }

    #[inline]
    fn rank(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> i32 {
        let threat = self.threats[node.ply + 1];
        if !facts.noisy && threat != usize::MAX && node.position.defuses(mv, threat) {
            rank::KILLER + 10_000_000 // a killer's rank, however bad the move's history
        } else {
            0
        }
    }

    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, _: &[G::Move]) {
        self.threats[node.ply] = node.position.move_index(best);
    }

    fn start(&mut self) {
        self.threats.fill(usize::MAX);
    }
}
