//! Every check, in the first plies of quiescence search.
//!
//! *Reference:* Eppstein 1999: checks may be tried, but then the search need not end; Kaindl 1983, §II.
//! *Deviations:* only in so many plies beyond the horizon. With as many as a line can have, the search still
//! ends, by repetition or at the greatest ply, but what it costs is not bounded.
//! *Soundness:* a source: one more choice for the side to move.
//! *Worth:* figures in results/ablation.md.

use super::{Site, Source, list_quiet};
use crate::{Checks, Noisy, Order};

crate::component! {
    /// Quiet moves that give check.
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
