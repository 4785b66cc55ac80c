//! Lets the evaluator answer "go on": a position that it cannot judge is searched further.
//!
//! At the horizon the evaluator is told how much depth is left, and either judges or asks for more
//! ([`Evaluate::judge`](crate::game::Evaluate::judge)). It decides itself what makes a position hard to
//! judge.
//!
//! *Reference:* Eppstein 1999: "the evaluation returns a special value telling the search to continue.
//! But if the depth reaches a large negative number, the evaluation function always succeeds."
//! *Deviations:* the notes do not say how far a continued search goes. Here it goes one ply, after which
//! the evaluator is asked again. The depth from which it must judge is enforced here and not left to the
//! evaluator. [`Complicated`](super::Complicated) does the same with a test that needs no evaluator.
//! *Soundness:* a depth rule; a line is longer by at most `floor` plies.
//! *Worth:* see results/importance.md.

use super::{Discount, Step};
use crate::depth::Depth;
use crate::game::{Evaluate, Game};
use crate::window::Window;

crate::component! {
    /// Searches further where the evaluator cannot judge a position.
    pub struct EvaluatorAsks {
        /// How far below the horizon it has to judge in any case.
        floor: 4 in 0..=50 "plies",
    }
}

impl<G: Game> Discount<G> for EvaluatorAsks {
    /// Number of plies by which the line was extended.
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
