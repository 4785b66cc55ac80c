//! EXTEND-HORIZON: searches a line of forced moves further if its end may still matter.
//!
//! *Reference:* Kaindl 1983, §IV: at the horizon, before quiescence search, a line is searched a ply further
//! if three conditions hold. It was forced (FORCEDNESS: its plies less their sum weighted by how free the
//! choice was), the estimate may still matter (INTEREST), and it was not extended enough already (EXTENSION).
//! *Deviations:* the paper gives no numbers for the three. Here a check, a reply to a check and the only
//! legal move are forced, and noisy moves are half forced. The line is extended by a ply under two
//! conditions. It has at least one more forced ply than the plies by which it was extended, and the static
//! value, with a compensation either way, lies inside the window. Only these plies count as EXTENSION, not
//! those that another rule does not count.
//! *Soundness:* a depth rule; a line is longer by at most `most` plies.
//! *Worth:* figures in results/ablation.md.

use super::{Discount, Sort, Step};
use crate::depth::Depth;
use crate::game::{Checks, Evaluate, Noisy};
use crate::score::Score;
use crate::window::Window;

crate::component! {
    /// Extends forced lines of interest at the horizon.
    pub struct ExtendHorizon {
        /// What the static value may be wrong by, either way.
        compensation: 100 in 0..=2000 "evaluation units",
        /// Most that a line is extended by.
        most: 4 in 0..=50 "plies",
    }
}

/// How forced a line was, and by how much it was extended.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forcedness {
    /// Twice the number of forced plies. Those of noisy moves count half.
    halves: u16,
    /// Number of plies by which the line was extended.
    extension: u16,
}

impl<G: Checks + Noisy> Discount<G> for ExtendHorizon {
    type Note = Forcedness;

    const LOOKS_FURTHER: bool = true;

    #[inline]
    fn discount(&mut self, count: Forcedness, step: &Step<'_, G>) -> (Depth, Forcedness) {
        let halves = match step.sort() {
            Sort::Only | Sort::Reply | Sort::Check => 2,
            Sort::Noisy => 1,
            Sort::Ordinary => 0,
        };
        (Depth::ZERO, Forcedness { halves: count.halves + halves, ..count })
    }

    fn further(
        &mut self,
        count: Forcedness,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> (Depth, Forcedness) {
        let forced = count.halves >= 2 * (count.extension + 1);
        if !forced || i32::from(count.extension) >= self.most {
            return (Depth::ZERO, count);
        }
        let (estimate, compensation) = (evaluate.evaluate(position), Score(self.compensation));
        let interesting = estimate + compensation > window.alpha && estimate - compensation < window.beta;
        match interesting {
            true => (Depth::PLY, Forcedness { extension: count.extension + 1, ..count }),
            false => (Depth::ZERO, count),
        }
    }
}
