//! Very forcing checks: those that leave few answers.
//!
//! *Reference:* Kaindl 1983, §II: the check quiescence search.
//! *Deviations:* the paper does not say what is very forcing. Here it is the number of legal answers; a check that
//! captures is a noisy move and tried as such. A line has room for so many quiet checks, of both
//! sides together. Checks that lose material are left out, as MERLIN left them out "normally" (§III).
//! *Soundness:* a source: one more choice for the side to move.
//! *Worth:* figures in results/ablation.md.

use super::{Site, Source, list_quiet};
use crate::{Checks, Noisy, Order, Score};

crate::component! {
    /// Quiet checks with few answers.
    pub struct ForcingChecks {
        /// Most legal answers.
        replies: 2 in 1..=20 "moves",
        /// Most quiet checks of a line.
        line: 2 in 0..=100 "checks",
        /// Whether checks that lose an exchange are tried too, which matters where a static value is refused:
        /// 1 yes, 0 no.
        losing: 0 in 0..=1 "0 or 1",
    }
}

impl<G: Noisy + Checks> Source<G> for ForcingChecks {
    fn list<O: Order<G>>(&self, site: &Site<'_, G>, _: &O, moves: &mut Vec<G::Move>) {
        if site.trail.checks >= self.line as usize {
            return;
        }
        let replies = |mv| {
            let mut child = site.position.clone();
            child.play(mv);
            child.count_moves()
        };
        let most = self.replies as usize;
        let loses = |mv| !site.position.exchange_at_least(mv, Score::DRAW);
        list_quiet(site.position, moves, |mv| {
            site.position.gives_check(mv) && replies(mv) <= most && (self.losing != 0 || !loses(mv))
        });
    }
}
