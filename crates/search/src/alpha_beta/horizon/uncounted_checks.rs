//! Very forcing checks cost no depth.
//!
//! *Reference:* Kaindl 1983, §III: besides the replies, checks that leave hardly an answer are not
//! counted.
//! *Deviations:* the paper does not say which checks are very forcing. Here they are those with few
//! legal answers, and noisy ones. Their number on a line is limited, because with uncounted replies such
//! lines would cost nothing at all.
//! *Soundness:* a depth rule; a line is longer by at most `most` plies.
//! *Worth:* figures in results/ablation.md.

use super::{Discount, Step};
use crate::depth::Depth;
use crate::game::{Checks, Noisy};

crate::component! {
    /// Very forcing checks that are not counted.
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
    /// The number of uncounted checks so far.
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
