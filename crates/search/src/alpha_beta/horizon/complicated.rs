//! Searches a complicated position at the horizon further.
//!
//! *Reference:* Eppstein 1999: the evaluator is told how much depth is left, and near the horizon it may
//! answer "go on" instead of giving a value; below a floor it always gives one.
//! *Deviations:* complication is measured by what every game with these capabilities can tell: whether
//! the side to move is in check, and how many of its noisy moves win something.
//! *Soundness:* a depth rule; a line is longer by at most `floor` plies.
//! *Worth:* figures in results/ablation.md.

use super::{Discount, Step};
use crate::depth::Depth;
use crate::game::{Checks, Evaluate, Noisy};
use crate::score::Score;
use crate::window::Window;

crate::component! {
    /// Searches complicated positions at the horizon further.
    pub struct Complicated {
        /// How many threats make a position complicated.
        threats: 2 in 1..=10 "threats",
        /// How far below the horizon a position is judged in any case.
        floor: 4 in 0..=50 "plies",
    }
}

impl Complicated {
    fn is_complicated<G: Checks + Noisy>(&self, position: &G) -> bool {
        let check = usize::from(position.in_check());
        let wins = |&mv: &G::Move| position.exchange_at_least(mv, Score(1));
        let mut noisy = Vec::new();
        position.noisy_moves(&mut noisy);
        check + noisy.iter().filter(|mv| wins(mv)).count() >= self.threats as usize
    }
}

impl<G: Checks + Noisy> Discount<G> for Complicated {
    /// Number of plies by which the line was extended.
    type Note = u8;

    const LOOKS_FURTHER: bool = true;

    #[inline]
    fn discount(&mut self, extension: u8, _: &Step<'_, G>) -> (Depth, u8) {
        (Depth::ZERO, extension)
    }

    fn further(&mut self, extension: u8, position: &G, _: Window, _: &mut impl Evaluate<G>) -> (Depth, u8) {
        match i32::from(extension) < self.floor && self.is_complicated(position) {
            true => (Depth::PLY, extension + 1),
            false => (Depth::ZERO, extension),
        }
    }
}
