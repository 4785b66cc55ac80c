//! Games with values, as training data for an evaluation.
//!
//! [`viriformat`] is the file format; [`Summary`] describes the contents of a file. [`Archive`] is a file
//! that grows game by game. [`prepare`] selects games or positions of some files, for other trainers too,
//! and [`relabel`] values the positions of a game anew.

mod archive;
pub mod prepare;
pub mod relabel;
pub mod viriformat;

pub use archive::Archive;

use cassius_chess::{Move, Position, pgn::GameResult};
use cassius_search::{Checks as _, Game as _, Score};

/// A game of an engine against itself: every move with the value that its search returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataGame {
    /// The start position.
    pub start: Position,
    /// The result.
    pub result: GameResult,
    /// The moves, each with the value of the position before it. The value is *for White*, in
    /// centipawns.
    pub moves: Vec<(Move, i16)>,
}

/// The largest stored value in centipawns. Greater values, among them mates, are clamped to it.
pub const MAX_VALUE: i32 = 32_000;

impl DataGame {
    /// Returns the stored form of a value that is given for the side to move.
    pub fn value_for_white(position: &Position, value: Score) -> i16 {
        let value = value.0.clamp(-MAX_VALUE, MAX_VALUE) as i16;
        if position.turn().is_white() { value } else { -value }
    }

    /// The largest value of a position from which a static value can be learned, in centipawns.
    pub const MOST_LEARNED: u16 = 3_000;

    /// Returns the positions from which a static value can be learned, with their values for White: the
    /// quiet ones ([`is_quiet`]) that are not decided.
    pub fn learnable(&self) -> impl Iterator<Item = (Position, i16)> + '_ {
        self.positions()
            .filter(|(position, mv, value)| {
                is_quiet(position, *mv) && value.unsigned_abs() <= Self::MOST_LEARNED
            })
            .map(|(position, _, value)| (position, value))
    }

    /// Returns the positions, each with the move played in it and its value for White.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Move, i16)> + '_ {
        let mut position = self.start.clone();
        self.moves.iter().map(move |&(mv, value)| {
            let before = position.clone();
            position.play(mv);
            (before, mv, value)
        })
    }
}

/// Whether a static evaluation can be expected to predict the value: the side to move is not in check,
/// and the move played is neither a capture nor a promotion.
pub fn is_quiet(position: &Position, mv: Move) -> bool {
    !position.in_check() && !mv.is_capture() && mv.promotion().is_none()
}

/// The contents of a set of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of games.
    pub games: u64,
    /// The numbers of games won by White, drawn, and won by Black.
    pub results: [u64; 3],
    /// The number of positions.
    pub positions: u64,
    /// The number of quiet positions ([`is_quiet`]).
    pub quiet: u64,
    /// The numbers of positions by the absolute value: below 1, 3, 10 pawns, and beyond.
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
