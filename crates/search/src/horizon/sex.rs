//! SEX, the search extension scheme: a counter for each side, drawn on by its own moves.
//!
//! *Reference:* Levy, Broughton & Taylor 1989: every sort of move has a price, a side's moves are paid from its own
//! counter, and the line goes on while either counter is positive.
//! *Deviations:* the prices are ours; so is the division of n plies into own moves of both sides, as in ABC's
//! [`Abc`](super::Abc).
//! *Soundness:* a depth rule. Every move costs something, so that every line ends. A table keeps what both counters come to in plies: a hit may
//! rest on another division between the sides.
//! *Worth:* beside other depth rules in results/depth-rules.md.

use super::{Horizon, Sort, Step};
use crate::{Checks, Depth, Depths, Noisy, Window};

crate::component! {
    /// Two counters; an ordinary move costs its owner a ply.
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
    /// What each side has left in own moves; `lower` is the counter of the side to move.
    type Line = Depths;

    /// n plies are (n + 1) / 2 own moves of the side to move and n / 2 of the other.
    fn iteration(&self, n: usize) -> Depths {
        let n = n as i32;
        Depths { lower: Depth::plies((n + 1) / 2), upper: Depth::plies(n / 2) }
    }

    fn root(&mut self, depths: Depths, _: Window) -> Depths {
        depths
    }

    /// The plies that a line of ordinary moves would go on.
    #[inline]
    fn owed(&self, line: &Depths, _: Window) -> Depths {
        Depths::both(mover_ends(line).max(other_ends(line)))
    }

    #[inline]
    fn child(&mut self, line: &Depths, step: &Step<'_, G>) -> Depths {
        Depths { lower: line.lower - self.cost(step.sort()), upper: line.upper }.flip()
    }

    #[inline]
    fn pass(&self, line: &Depths) -> Depths {
        Depths { lower: line.lower - Depth::PLY, upper: line.upper }.flip()
    }

    /// A ply more is an own move more of the side whose turn comes after the end, a ply less one less of the other.
    fn lengthen(&self, line: &Depths, more: Depth) -> Depths {
        let much = more.0.abs();
        let half = Depth::plies((much + 2 * Depth::PLY.0 - 1) / (2 * Depth::PLY.0)).0.min(much);
        let (first, second) = (Depth(half * more.0.signum()), Depth((much - half) * more.0.signum()));
        let mover_first = (mover_ends(line) > other_ends(line)) == (more < Depth::ZERO);
        let (lower, upper) = if mover_first { (first, second) } else { (second, first) };
        Depths { lower: line.lower + lower, upper: line.upper + upper }
    }

    #[inline]
    fn lengthen_own(&self, line: &Depths, more: Depth) -> Depths {
        Depths { lower: line.lower + more, upper: line.upper }
    }
}

/// After how many plies the counter of the side to move is used up by ordinary moves …
fn mover_ends(line: &Depths) -> Depth {
    let twice = line.lower + line.lower;
    (twice - Depth::PLY).max(twice.min(Depth::PLY))
}

/// … and the other side's.
fn other_ends(line: &Depths) -> Depth {
    line.upper + line.upper
}
