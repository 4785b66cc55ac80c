//! Killer quiescence: the killers of the full-width search are tried beyond its horizon.
//!
//! *Reference:* Kaindl 1983, §II.
//! *Deviations:* the paper does not say which killers. Here they are those of the same ply and, since few lines of
//! the full-width search come so far, of some plies above at which the same side was to move.
//! *Soundness:* a source: one more choice for the side to move. The value depends on what was searched before,
//! as the killers do.
//! *Worth:* figures in results/ablation.md.

use super::{Site, Source, list_quiet};
use crate::{Noisy, Order, Slotted};

crate::component! {
    /// Killers of the slot `Order`.
    pub struct KillerMoves {
        /// How far beyond the horizon they are tried.
        plies: 4 in 0..=20 "plies",
        /// From how far above killers are taken.
        above: 2 in 0..=10 "moves of the same side",
    }
}

impl<G: Noisy + Slotted> Source<G> for KillerMoves {
    fn list<O: Order<G>>(&self, site: &Site<'_, G>, order: &O, moves: &mut Vec<G::Move>) {
        if site.trail.depth >= self.plies as usize {
            return;
        }
        let plies = (0..=site.ply).rev().step_by(2).take(1 + self.above as usize);
        let killers = plies.flat_map(|ply| order.killers(ply)).flatten();
        list_quiet(site.position, moves, |mv| killers.clone().any(|slot| slot == site.position.slot(mv)));
    }
}
