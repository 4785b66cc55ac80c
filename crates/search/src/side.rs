//! The two sides and their goals.

use crate::score::Score;

/// The side to move, or the side that owns a plan. Values are always from MAX's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// Prefers large values.
    Max,
    /// Prefers small values.
    Min,
}

impl Side {
    /// Returns the opponent.
    pub fn other(self) -> Side {
        match self {
            Side::Max => Side::Min,
            Side::Min => Side::Max,
        }
    }

    /// Whether a plan of this side with the given `value` fails against `limit`: the value is at most
    /// `limit` for MAX, or at least `limit` for MIN.
    ///
    /// ```
    /// use cassius_search::Score;
    /// use cassius_search::plans::strategy::Side;
    /// assert!(Side::Max.fails(Score(3), Score(3)));
    /// assert!(!Side::Min.fails(Score(2), Score(3)));
    /// ```
    pub fn fails(self, value: Score, limit: Score) -> bool {
        match self {
            Side::Max => value <= limit,
            Side::Min => value >= limit,
        }
    }

    /// Returns the value at which a plan worth `value` counts as defeated: v − δ for MAX, v + δ for MIN.
    /// It never lies beyond ±[`Score::INFINITE`].
    pub fn limit(self, value: Score, margin: Score) -> Score {
        let limit = match self {
            Side::Max => value.0.saturating_sub(margin.0),
            Side::Min => value.0.saturating_add(margin.0),
        };
        Score(limit.clamp(-Score::INFINITE.0, Score::INFINITE.0))
    }

    /// Returns the value that this side prefers, or the infinitely bad value if there is none.
    pub fn best(self, values: impl IntoIterator<Item = Score>) -> Score {
        match self {
            Side::Max => values.into_iter().max().unwrap_or(-Score::INFINITE),
            Side::Min => values.into_iter().min().unwrap_or(Score::INFINITE),
        }
    }
}
