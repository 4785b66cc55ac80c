//! The evaluation as the search uses it.

use super::{Evaluator, Kind};
use crate::Position;
use crate::threats::unclear;
use cassius_search::game::Repeats;
use cassius_search::{Depth, Evaluate, Score};

impl Evaluate<Position> for Evaluator {
    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let key = position.repetition_key();
        let ply = position.plies() as usize;
        Score(self.recall(key, position, position.turn(), position.halfmoves(), ply))
    }

    /// Returns `None`, which asks for a deeper search, where two or more things are unclear: a check, a
    /// hung piece, a threat to promote or to mate.
    fn judge(&mut self, position: &Position, _: Depth) -> Option<Score> {
        (unclear(position) < 2).then(|| Evaluate::evaluate(self, position))
    }

    #[inline]
    fn prefetch(&self, position: &Position) {
        self.memo.prefetch(position.repetition_key());
        match &self.kind {
            Kind::Classical(classical) => classical.prefetch(&position.into()),
            Kind::Network(network) => network.prefetch(&position.into()),
        }
    }

    /// Whether the position can be judged: not in check.
    #[inline]
    fn judges(&self, position: &Position) -> bool {
        position.checkers().is_empty()
    }
}
