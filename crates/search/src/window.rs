//! Search windows and what a value proves about the true one.

use crate::Score;

/// The open interval (α, β) of values that matter to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The side to move already has this much elsewhere.
    pub alpha: Score,
    /// The other side will not let it have this much.
    pub beta: Score,
}

impl Window {
    /// (−∞, +∞)
    pub const FULL: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// The window (α, β); α < β.
    pub fn new(alpha: Score, beta: Score) -> Window {
        debug_assert!(alpha < beta, "empty window ({alpha:?}, {beta:?})");
        Window { alpha, beta }
    }

    /// The minimal window (α, α + 1): asks only whether the value exceeds α.
    pub fn above(alpha: Score) -> Window {
        Window { alpha, beta: alpha + Score(1) }
    }

    /// The same window seen by the other side: (−β, −α).
    pub fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether no integer lies strictly between α and β.
    pub fn is_minimal(self) -> bool {
        self.beta.0 - self.alpha.0 <= 1
    }

    /// Whether α < value < β.
    pub fn contains(self, value: Score) -> bool {
        self.alpha < value && value < self.beta
    }

    /// The nearest value in [α, β].
    pub fn clip(self, value: Score) -> Score {
        value.clamp(self.alpha, self.beta)
    }

    /// What a search with this window proves when it returns `value`.
    /// Three outcomes (Marsland & Campbell 1981, §II.A); equality with an edge is a failure.
    ///
    /// ```
    /// use cassius_search::{Bound, Score, Window};
    /// let window = Window::new(Score(10), Score(20));
    /// assert_eq!(window.bound(Score(10)), Bound::Upper);
    /// assert_eq!(window.bound(Score(11)), Bound::Exact);
    /// assert_eq!(window.bound(Score(20)), Bound::Lower);
    /// ```
    pub fn bound(self, value: Score) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if value <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// What a returned value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is at least this: the search failed high.
    Lower,
    /// The true value is at most this: the search failed low.
    Upper,
    /// The true value.
    Exact,
}
