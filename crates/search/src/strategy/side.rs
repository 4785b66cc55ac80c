//! The two sides, and what each of them wants.

use crate::Score;

/// Who moves, or whose plan it is. Values are seen by MAX throughout.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Wants great values.
    Max,
    /// Wants small values.
    Min,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::Max => Side::Min,
            Side::Min => Side::Max,
        }
    }

    /// Whether `value` is at most `limit` for MAX, at least `limit` for MIN: a plan of this side that was to be worth
    /// more has failed.
    ///
    /// ```
    /// use cassius_search::{Score, strategy::Side};
    /// assert!(Side::Max.fails(Score(3), Score(3)));
    /// assert!(!Side::Min.fails(Score(2), Score(3)));
    /// ```
    pub fn fails(self, value: Score, limit: Score) -> bool {
        match self {
            Side::Max => value <= limit,
            Side::Min => value >= limit,
        }
    }

    /// The value at which a plan worth `value` counts as defeated: v − δ for MAX, v + δ for MIN; never beyond
    /// ±[`Score::INFINITE`].
    pub fn limit(self, value: Score, margin: Score) -> Score {
        let limit = match self {
            Side::Max => value.0.saturating_sub(margin.0),
            Side::Min => value.0.saturating_add(margin.0),
        };
        Score(limit.clamp(-Score::INFINITE.0, Score::INFINITE.0))
    }

    /// The value that this side likes best; infinitely bad if there is none.
    pub fn best(self, values: impl IntoIterator<Item = Score>) -> Score {
        match self {
            Side::Max => values.into_iter().max().unwrap_or(-Score::INFINITE),
            Side::Min => values.into_iter().min().unwrap_or(Score::INFINITE),
        }
    }
}
