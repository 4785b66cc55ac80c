//! The evaluator may answer "go on": a position that it cannot judge is searched further.
//!
//! At the horizon it is told how much depth is left, and either judges or asks for more
//! ([`Evaluate::judge`](crate::Evaluate::judge)). What makes a position hard to judge is its own business.
//!
//! *Reference:* Eppstein 1999: "the evaluation returns a special value telling the search to continue. But if
//! the depth reaches a large negative number, the evaluation function always succeeds."
//! *Deviations:* the notes do not say how much a continued search gets: here a ply, after which the evaluator
//! is asked again. That it must judge from a depth on is not left to it. [`Complicated`](super::Complicated)
//! is the same with a question that needs no evaluator.
//! *Soundness:* a depth rule; a line is longer by at most `floor` plies.
//! *Worth:* not measured.

use super::{Discount, Step};
use crate::{Depth, Evaluate, Game, Window};

crate::component! {
    /// Searches positions further that the evaluator cannot judge.
    pub struct EvaluatorAsks {
        /// How far below the horizon it has to judge in any case.
        floor: 4 in 0..=50 "plies",
    }
}

impl<G: Game> Discount<G> for EvaluatorAsks {
    /// Plies by which the line was extended.
    type Note = u8;

    const LOOKS_FURTHER: bool = true;

    #[inline]
    fn discount(&mut self, extension: u8, _: &Step<'_, G>) -> (Depth, u8) {
        (Depth::ZERO, extension)
    }

    fn further(
        &mut self,
        extension: u8,
        position: &G,
        _: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> (Depth, u8) {
        let left = Depth::plies(-i32::from(extension));
        match i32::from(extension) < self.floor && evaluate.judge(position, left).is_none() {
            true => (Depth::PLY, extension + 1),
            false => (Depth::ZERO, extension),
        }
    }
}
