//! The evaluation as the search calls it.

use super::Evaluator;
use crate::Position;
use cassius_search::{Evaluate, Repeats, Score};

impl Evaluate<Position> for Evaluator {
    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let (key, board) = (position.repetition_key(), position.board());
        Score(self.recall(key, board, position.turn(), position.halfmoves()))
    }

    /// Not in check.
    #[inline]
    fn judges(&self, position: &Position) -> bool {
        position.checkers().is_empty()
    }
}
