//! EXTEND-HORIZON: a line of forced moves is followed further if its end still matters.
//!
//! *Reference:* Kaindl 1983, §IV: at the horizon, before quiescence, a line is searched a ply further if it was forced
//! (FORCEDNESS: its plies, each counted by how free the choice was), if the estimate may still
//! matter (INTEREST), and if it was not extended enough already (EXTENSION).
//! *Deviations:* the paper defines none of the three in numbers. Here a check, a reply to a check and the only legal move are forced,
//! noisy moves half so; the line is extended by a ply if it has at least one forced ply more than
//! it was extended by, and the static value, with a compensation either way, lies inside the window.
//! *Soundness:* a depth rule; a line is longer by at most `most` plies.
//! *Worth:* figures in results/ablation.md.

use super::{Discount, Sort, Step};
use crate::{Checks, Depth, Evaluate, Noisy, Score, Window};

crate::component! {
    /// Extends forced lines of interest at the horizon.
    pub struct ExtendHorizon {
        /// What the static value may be wrong by, either way.
        compensation: 100 in 0..=2000 "evaluation units",
        /// Most that a line is extended by.
        most: 4 in 0..=50 "plies",
    }
}

/// What a line was like.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forcedness {
    /// Twice the number of forced plies, those of noisy moves counted half.
    halves: u16,
    /// Plies by which it was extended.
    extension: u16,
}

impl<G: Checks + Noisy> Discount<G> for ExtendHorizon {
    type Note = Forcedness;

    const LOOKS_FURTHER: bool = true;

    #[inline]
    fn discount(&mut self, line: Forcedness, step: &Step<'_, G>) -> (Depth, Forcedness) {
        let halves = match step.sort() {
            Sort::Only | Sort::Reply | Sort::Check => 2,
            Sort::Noisy => 1,
            Sort::Ordinary => 0,
        };
        (Depth::ZERO, Forcedness { halves: line.halves + halves, ..line })
    }

    fn further(
        &mut self,
        line: Forcedness,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> (Depth, Forcedness) {
        let forced = line.halves >= 2 * (line.extension + 1);
        if !forced || i32::from(line.extension) >= self.most {
            return (Depth::ZERO, line);
        }
        let (estimate, compensation) = (evaluate.evaluate(position), Score(self.compensation));
        let interesting = estimate + compensation > window.alpha && estimate - compensation < window.beta;
        match interesting {
            true => (Depth::PLY, Forcedness { extension: line.extension + 1, ..line }),
            false => (Depth::ZERO, line),
        }
    }
}
