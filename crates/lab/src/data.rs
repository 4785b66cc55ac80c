//! Games with values, as data for an evaluation to learn from.
//!
//! [`viriformat`] is how they are kept in files; [`Summary`] says what a file holds.

pub mod viriformat;

use cassius_chess::{Move, Position, pgn::GameResult};
use cassius_search::{Checks as _, Game as _, Score};

/// A game of an engine with itself: every move with the value that its search gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataGame {
    /// Where it begins.
    pub start: Position,
    /// How it ended.
    pub result: GameResult,
    /// The moves; before each, the value of the position *for White*, in centipawns.
    pub moves: Vec<(Move, i16)>,
}

/// Values beyond this many centipawns, mates among them, are kept as this.
pub const MAX_VALUE: i32 = 32_000;

impl DataGame {
    /// A value of the side to move as it is kept.
    pub fn value_for_white(position: &Position, value: Score) -> i16 {
        let value = value.0.clamp(-MAX_VALUE, MAX_VALUE) as i16;
        if position.turn().is_white() { value } else { -value }
    }

    /// The positions, each with the move played in it and its value for White.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Move, i16)> + '_ {
        let mut position = self.start.clone();
        self.moves.iter().map(move |&(mv, value)| {
            let before = position.clone();
            position.play(mv);
            (before, mv, value)
        })
    }
}

/// Whether a static evaluation can be expected to know the value: no check, and the move played takes nothing and
/// promotes nothing.
pub fn is_quiet(position: &Position, mv: Move) -> bool {
    !position.in_check() && !mv.is_capture() && mv.promotion().is_none()
}

/// What some games hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games.
    pub games: u64,
    /// Games that White won, that were drawn, that Black won.
    pub results: [u64; 3],
    /// Positions.
    pub positions: u64,
    /// Positions that are quiet ([`is_quiet`]).
    pub quiet: u64,
    /// Positions by their value, from the winning side's view: below 1, 3, 10 pawns, and beyond.
    pub values: [u64; 4],
}

impl Summary {
    /// Adds a game.
    pub fn add(&mut self, game: &DataGame) {
        self.games += 1;
        let result = match game.result {
            GameResult::WhiteWins => 0,
            GameResult::BlackWins => 2,
            GameResult::Draw | GameResult::Unfinished => 1,
        };
        self.results[result] += 1;
        for (position, mv, value) in game.positions() {
            self.positions += 1;
            self.quiet += u64::from(is_quiet(&position, mv));
            let bounds = [100, 300, 1000];
            let place = bounds.iter().position(|bound| value.unsigned_abs() < *bound);
            self.values[place.unwrap_or(bounds.len())] += 1;
        }
    }
}
