//! Tries very forcing checks: those that leave few answers.
//!
//! *Reference:* Kaindl 1983, §II: the check quiescence search.
//! *Deviations:* the paper does not define very forcing. Here the number of legal answers decides. A
//! check that captures is a noisy move and is tried as such. The number of quiet checks on a line, of
//! both sides together, is limited. Checks that lose material are left out, as MERLIN left them out
//! "normally" (§III).
//! *Soundness:* a source: it adds choices for the side to move.
//! *Worth:* figures in results/ablation.md.

use super::{Site, Source, list_quiet};
use crate::alpha_beta::order::Order;
use crate::game::{Checks, Noisy};
use crate::score::Score;

crate::component! {
    /// Tries quiet checks with few answers.
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
