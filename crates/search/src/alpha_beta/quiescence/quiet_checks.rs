//! Tries every check in the first plies of quiescence search.
//!
//! *Reference:* Eppstein 1999: checks may be tried, but then the search need not end; Kaindl 1983, §II.
//! *Deviations:* only within a number of plies beyond the horizon. If that number is as large as the
//! maximum ply, the search still ends, by repetition or at the maximum ply, but its cost is not bounded.
//! *Soundness:* a source: it adds choices for the side to move.
//! *Worth:* figures in results/ablation.md.

use super::{Site, Source, list_quiet};
use crate::alpha_beta::order::Order;
use crate::game::{Checks, Noisy};

crate::component! {
    /// Tries quiet moves that give check.
    pub struct QuietChecks {
        /// How far beyond the horizon they are tried.
        plies: 1 in 0..=200 "plies",
    }
}

impl<G: Noisy + Checks> Source<G> for QuietChecks {
    fn list<O: Order<G>>(&self, site: &Site<'_, G>, _: &O, moves: &mut Vec<G::Move>) {
        if site.trail.depth < self.plies as usize {
            list_quiet(site.position, moves, |mv| site.position.gives_check(mv));
        }
    }
}
