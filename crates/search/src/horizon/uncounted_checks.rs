//! Very forcing checks cost nothing.
//!
//! *Reference:* Kaindl 1983, §III: besides the replies, checks that leave hardly an answer are not counted.
//! *Deviations:* the paper does not say which checks are very forcing: here those with few legal answers, and those
//! that are noisy; and only so many on a line, for with uncounted replies such lines cost nothing at all.
//! *Soundness:* a depth rule; a line is longer by at most `most` plies.
//! *Worth:* figures in results/ablation.md.

use super::{Discount, Step};
use crate::{Checks, Depth, Noisy};

crate::component! {
    /// Uncounted very forcing checks.
    pub struct UncountedChecks {
        /// Most legal answers to a check that is very forcing.
        answers: 2 in 0..=20 "moves",
        /// Whether noisy checks are very forcing too.
        noisy: 1 in 0..=1 "0 or 1",
        /// Most of them on a line.
        most: 4 in 0..=50 "moves",
    }
}

impl<G: Checks + Noisy> Discount<G> for UncountedChecks {
    /// How many there were.
    type Note = u8;

    #[inline]
    fn discount(&mut self, before: u8, step: &Step<'_, G>) -> (Depth, u8) {
        if !step.child.in_check() || i32::from(before) >= self.most {
            return (Depth::ZERO, before);
        }
        let noisy = self.noisy != 0 && step.position.is_noisy(step.mv);
        match noisy || step.child.count_moves() <= self.answers as usize {
            true => (Depth::PLY, before + 1),
            false => (Depth::ZERO, before),
        }
    }
}
