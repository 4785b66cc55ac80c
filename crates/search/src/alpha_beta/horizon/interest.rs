//! Interesting moves cost a fraction of a ply less: fractional plies.
//!
//! *Reference:* Eppstein 1999: an interesting move extends the line. Amounts are counted in 24ths of a ply,
//! so that each sort of interest may give a half, a third, a quarter …, and no move gives a whole ply. With
//! whole plies these are the extensions for checks and captures with which McAllester & Yuret 1993, §9,
//! compare theirs; those for recaptures are usual.
//! *Deviations:* the paper names no amounts.
//! *Soundness:* a depth rule. With at most e 24ths a move, no line of L plies is longer than ⌈24 L / (24 −
//! e)⌉ plies; with `most` = 24 there is no such bound.
//! *Worth:* figures in results/ablation.md.

use super::{Discount, Step};
use crate::depth::Depth;
use crate::game::{Checks, Noisy};

crate::component! {
    /// Cheaper interesting moves, in 24ths of a ply.
    pub struct Interest {
        /// For a move that gives check.
        check: 12 in 0..=24 "24ths of a ply",
        /// For a reply to a check.
        reply: 8 in 0..=24 "24ths of a ply",
        /// For the only legal move.
        only: 12 in 0..=24 "24ths of a ply",
        /// For a noisy move.
        noisy: 0 in 0..=24 "24ths of a ply",
        /// For a noisy move that takes back what the move before has taken.
        recapture: 12 in 0..=24 "24ths of a ply",
        /// Most for one move.
        most: 23 in 0..=24 "24ths of a ply",
    }
}

impl<G: Checks + Noisy> Discount<G> for Interest {
    /// The previous move, if it was noisy.
    type Note = Option<G::Move>;

    #[inline]
    fn discount(&mut self, before: Option<G::Move>, step: &Step<'_, G>) -> (Depth, Option<G::Move>) {
        let Step { position, child, mv, .. } = *step;
        let mut interest = 0;
        if child.in_check() {
            interest += self.check;
        }
        if position.in_check() {
            interest += self.reply;
        }
        if step.moves == 1 {
            interest += self.only;
        }
        let noisy = position.is_noisy(mv);
        if noisy {
            interest += self.noisy;
            if before.is_some_and(|before| position.takes_back(mv, before)) {
                interest += self.recapture;
            }
        }
        (Depth(interest.min(self.most) * Depth::PLY.0 / 24), noisy.then_some(mv))
    }
}
