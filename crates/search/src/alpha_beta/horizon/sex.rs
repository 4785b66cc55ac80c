//! SEX, the search extension scheme: a separate depth counter for each side, reduced by that side's
//! moves.
//!
//! *Reference:* Levy, Broughton & Taylor 1989: every sort of move has a price. A side's moves are paid
//! from its counter, and the line goes on while either counter is positive.
//! *Deviations:* the prices are our choice. So is the division of n plies into moves of the two sides,
//! which is that of [`Abc`](super::Abc).
//! *Soundness:* a depth rule. Every move costs something, so that every line ends. A table stores the
//! plies that both counters together amount to: a hit may rest on another division between the sides.
//! *Worth:* beside other depth rules in results/depth-rules.md.

use super::{Horizon, Sort, Step};
use crate::depth::{Depth, Depths};
use crate::game::{Checks, Noisy};
use crate::window::Window;

crate::component! {
    /// Two counters. An ordinary move costs its owner a ply.
    pub struct Sex {
        /// What a noisy move costs.
        noisy: 100 in 5..=200 "hundredths of a ply",
        /// What a move that gives check costs.
        check: 50 in 5..=200 "hundredths of a ply",
        /// What a reply to a check costs.
        reply: 50 in 5..=200 "hundredths of a ply",
        /// What the only legal move costs.
        only: 25 in 5..=200 "hundredths of a ply",
    }
}

impl Sex {
    fn cost(&self, sort: Sort) -> Depth {
        let hundredths = match sort {
            Sort::Only => self.only,
            Sort::Reply => self.reply,
            Sort::Check => self.check,
            Sort::Noisy => self.noisy,
            Sort::Ordinary => 100,
        };
        Depth(hundredths * Depth::PLY.0 / 100)
    }
}

impl<G: Checks + Noisy> Horizon<G> for Sex {
    /// The moves that each side has left. `lower` is the counter of the side to move.
    type Count = Depths;

    /// An iteration of n plies gives (n + 1) / 2 moves to the side to move and n / 2 to the other side.
    fn iteration(&self, n: usize) -> Depths {
        let n = n as i32;
        Depths { lower: Depth::plies((n + 1) / 2), upper: Depth::plies(n / 2) }
    }

    fn root(&mut self, depths: Depths, _: Window) -> Depths {
        depths
    }

    /// Returns the number of plies for which a line of ordinary moves would continue.
    #[inline]
    fn remaining(&self, count: &Depths, _: Window) -> Depths {
        Depths::both(mover_ends(count).max(other_ends(count)))
    }

    #[inline]
    fn child(&mut self, count: &Depths, step: &Step<'_, G>) -> Depths {
        Depths { lower: count.lower - self.cost(step.sort()), upper: count.upper }.flip()
    }

    #[inline]
    fn pass(&self, count: &Depths) -> Depths {
        Depths { lower: count.lower - Depth::PLY, upper: count.upper }.flip()
    }

    /// An additional ply gives one more move to the side whose turn comes after the end. One ply less
    /// takes a move from the other side.
    fn lengthen(&self, count: &Depths, more: Depth) -> Depths {
        let much = more.0.abs();
        let half = Depth::plies((much + 2 * Depth::PLY.0 - 1) / (2 * Depth::PLY.0)).0.min(much);
        let (first, second) = (Depth(half * more.0.signum()), Depth((much - half) * more.0.signum()));
        let mover_first = (mover_ends(count) > other_ends(count)) == (more < Depth::ZERO);
        let (lower, upper) = if mover_first { (first, second) } else { (second, first) };
        Depths { lower: count.lower + lower, upper: count.upper + upper }
    }

    #[inline]
    fn lengthen_own(&self, count: &Depths, more: Depth) -> Depths {
        Depths { lower: count.lower + more, upper: count.upper }
    }
}

/// Returns the number of plies after which ordinary moves use up the counter of the side to move.
fn mover_ends(count: &Depths) -> Depth {
    let twice = count.lower + count.lower;
    (twice - Depth::PLY).max(twice.min(Depth::PLY))
}

/// Returns the same for the other side's counter.
fn other_ends(count: &Depths) -> Depth {
    count.upper + count.upper
}
