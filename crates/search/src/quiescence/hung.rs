//! Moves that save what is hung.
//!
//! *Reference:* Kaindl 1983, §II: moves by pieces which are subject to capture by the side not on move, and
//! protective moves.
//! *Deviations:* only in so many plies beyond the horizon: two sides could save their pieces in turn for ever.
//! Standing pat stays allowed; see [`PassWhenHung`](super::PassWhenHung) for what cannot be saved.
//! *Soundness:* a source: one more choice for the side to move.
//! *Worth:* figures in results/ablation.md.

use super::{Site, Source};
use crate::{Hung, Order};

crate::component! {
    /// Quiet moves that bring a hung piece to safety, or guard it.
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
