//! The evaluation as the search calls it.

use super::{Evaluator, Pieces};
use crate::{Board, Position};
use cassius_search::{Evaluate, Score};
use shakmaty::{Color, Role};

impl From<&Board> for Pieces {
    #[inline]
    fn from(board: &Board) -> Pieces {
        let mut pieces = Pieces::EMPTY;
        for role in Role::ALL {
            pieces.roles[role as usize & 7] = board.by_role(role);
        }
        pieces.colors = [board.by_color(Color::Black), board.by_color(Color::White)];
        pieces
    }
}

impl Evaluate<Position> for Evaluator {
    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        Score(Evaluator::evaluate(self, position.board(), position.turn(), position.halfmoves()))
    }
}
