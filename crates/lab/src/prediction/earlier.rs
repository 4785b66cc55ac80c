//! The earlier model of errors: the chance of an error from seven numbers, without looking at single moves.
//!
//! An error is a move that lowers the win probability by more than 0.10. Its chance is a logistic
//! function of a few features. The coefficients are fitted to 600 games, 26,434 moves, of a public
//! collection of rated Lichess games of 2013 to 2017 (Kaggle, "Chess Game Dataset (Lichess)"), judged
//! with 20,000 nodes a position and without the first ten plies. The model of what a human would play
//! ([`cassius_insight::human`]) has taken its place; it is kept to compare with.

use cassius_chess::Position;
use cassius_insight::{Judged, Natural};
use cassius_search::Checks as _;

/// The features from which the chance of an error is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// The number of moves that hold ÷ the number of legal moves.
    pub share: f64,
    /// Whether the best move recaptures where the other side has just captured.
    pub recapture: bool,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The win probability of the side to move.
    pub chance: f64,
    /// The number of its legal moves.
    pub legal: usize,
    /// The chance that a shallow player errs: [`Room::temptation`](cassius_insight::Room::temptation).
    pub temptation: f64,
}

impl Features {
    /// Returns the features of a position. `before` is the one before it.
    pub fn of(judged: &Judged, position: &Position, before: Option<&Position>) -> Features {
        let best = position.parse_uci(&judged.best().uci).expect("a legal move");
        Features {
            share: judged.room.share(),
            recapture: Natural::of(position, best, before, false) == Some(Natural::Recapture),
            in_check: position.in_check(),
            chance: judged.value.chance,
            legal: judged.room.legal,
            temptation: judged.room.temptation,
        }
    }

    /// Returns the inputs of the logistic function in the order of the coefficients, for a player rated
    /// `elo`.
    pub fn numbers(&self, elo: f64) -> [f64; 7] {
        [
            self.share,
            f64::from(u8::from(self.recapture)),
            f64::from(u8::from(self.in_check)),
            (self.chance - 0.5).abs(),
            (1.0 + self.legal as f64).ln(),
            (elo - 1081.0) / 200.0,
            self.temptation,
        ]
    }
}

/// A logistic function of [`Features::numbers`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// The logit if all inputs are 0.
    pub constant: f64,
    /// The increase of the logit per unit of each input.
    pub of: [f64; 7],
}

/// The coefficients that [`error_chance`] uses.
pub const COEFFICIENTS: Coefficients =
    Coefficients { constant: -0.60, of: [-2.66, -1.51, 0.77, -0.41, 0.01, -0.38, 1.93] };

/// Returns the chance, from 0 to 1, that a player with this Elo rating plays a move that lowers the win
/// probability by more than 0.10. It is 0 if there is only one legal move.
pub fn error_chance(features: &Features, elo: f64) -> f64 {
    if features.legal <= 1 {
        return 0.0;
    }
    let terms = COEFFICIENTS.of.iter().zip(features.numbers(elo)).map(|(weight, number)| weight * number);
    1.0 / (1.0 + (-(COEFFICIENTS.constant + terms.sum::<f64>())).exp())
}
