//! Killer quiescence: tries the killers of the full-width search beyond its horizon.
//!
//! *Reference:* Kaindl 1983, §II.
//! *Deviations:* the paper does not say which killers. Here they are those of the same ply. Since few
//! lines of the full-width search reach that ply, killers of some plies above with the same side to move
//! are used too.
//! *Soundness:* a source: it adds choices for the side to move. Like the killers, the value depends on
//! what was searched before.
//! *Worth:* figures in results/ablation.md.

use super::{Site, Source, list_quiet};
use crate::alpha_beta::order::Order;
use crate::game::{MoveIndexed, Noisy};

crate::component! {
    /// Tries the killers of the slot `Order`.
    pub struct KillerMoves {
        /// How far beyond the horizon they are tried.
        plies: 4 in 0..=20 "plies",
        /// From how far above killers are taken.
        above: 2 in 0..=10 "moves of the same side",
    }
}

impl<G: Noisy + MoveIndexed> Source<G> for KillerMoves {
    fn list<O: Order<G>>(&self, site: &Site<'_, G>, order: &O, moves: &mut Vec<G::Move>) {
        if site.trail.depth >= self.plies as usize {
            return;
        }
        let plies = (0..=site.ply).rev().step_by(2).take(1 + self.above as usize);
        let killers = plies.flat_map(|ply| order.killers(ply)).flatten();
        list_quiet(site.position, moves, |mv| {
            killers.clone().any(|slot| slot == site.position.move_index(mv))
        });
    }
}
