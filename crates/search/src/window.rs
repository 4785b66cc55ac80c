//! Search windows, and what a returned value proves about the true value.

use crate::score::Score;

/// The open interval (α, β) of values that matter to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Window {
    /// The value that the side to move is already assured of elsewhere in the tree.
    pub alpha: Score,
    /// The value that the other side will not concede, because it has a better alternative elsewhere.
    pub beta: Score,
}

impl Window {
    /// The full window (−∞, +∞).
    pub const FULL: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// Creates the window (α, β). α must be less than β.
    pub fn new(alpha: Score, beta: Score) -> Window {
        debug_assert!(alpha < beta, "empty window ({alpha:?}, {beta:?})");
        Window { alpha, beta }
    }

    /// Returns the null window (α, α + 1), which only tests whether the value exceeds α.
    pub fn above(alpha: Score) -> Window {
        Window { alpha, beta: alpha + Score(1) }
    }

    /// Returns the same window from the other side's point of view: (−β, −α).
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

    /// Returns the nearest value in [α, β].
    pub fn clip(self, value: Score) -> Score {
        value.clamp(self.alpha, self.beta)
    }

    /// Returns what a search with this window proves when it returns `value`. There are three outcomes
    /// (Marsland & Campbell 1981, §II.A). A value equal to an edge counts as a failure.
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

/// How a returned value bounds the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Bound {
    /// The true value is at least the returned one: the search failed high.
    Lower,
    /// The true value is at most the returned one: the search failed low.
    Upper,
    /// The true value equals the returned one.
    Exact,
}
