//! Tries moves that save hung material.
//!
//! *Reference:* Kaindl 1983, §II: moves by pieces which are subject to capture by the side not on move,
//! and protective moves.
//! *Deviations:* only within a number of plies beyond the horizon, since two sides could save their
//! pieces in turn forever. Standing pat is still allowed. See [`PassWhenHung`](super::PassWhenHung) for
//! material that cannot be saved.
//! *Soundness:* a source: it adds choices for the side to move.
//! *Worth:* figures in results/ablation.md.

use super::{Site, Source};
use crate::alpha_beta::order::Order;
use crate::game::Hung;

crate::component! {
    /// Tries quiet moves that bring a hung piece to safety or guard it.
    pub struct HungMoves {
        /// How far beyond the horizon they are tried.
        plies: 2 in 0..=20 "plies",
    }
}

impl<G: Hung> Source<G> for HungMoves {
    fn list<O: Order<G>>(&self, site: &Site<'_, G>, _: &O, moves: &mut Vec<G::Move>) {
        if site.trail.depth < self.plies as usize {
            site.position.saving_moves(moves);
        }
    }
}
