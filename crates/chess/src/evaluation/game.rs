//! The evaluation as the search calls it.

use super::Evaluator;
use crate::Position;
use cassius_search::{Evaluate, Repeats, Score};

impl Evaluate<Position> for Evaluator {
    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let key = position.repetition_key();
        Score(self.recall(key, position, position.turn(), position.halfmoves()))
    }

    #[inline]
    fn prefetch(&self, position: &Position) {
        self.memo.prefetch(position.repetition_key());
        self.pawns.prefetch(&position.into());
    }

    /// Not in check.
    #[inline]
    fn judges(&self, position: &Position) -> bool {
        position.checkers().is_empty()
    }
}
