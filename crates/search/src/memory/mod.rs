//! What a search remembers of positions it has seen.

mod advice;
mod busy;
mod entry;
mod hardware;
#[cfg(test)]
mod model;
mod single_bound;
mod sync;
mod table;
mod written;

pub use advice::Advice;
pub(crate) use hardware::in_large_pages;
pub use hardware::prefetch;
pub use single_bound::SingleBound;
pub use table::{Table, TableError};
pub(crate) use written::Written;

use crate::{Depth, Depths, Score, Window};

/// What a memory knows of a position: a move, a lower and an upper bound, each with
/// the depth to which it was searched, and the static value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Code of the best move, 0 if none.
    pub mv: u16,
    /// The value is at least this: −∞ if nothing is known.
    pub lower: Score,
    /// The value is at most this: +∞ if nothing is known.
    pub upper: Score,
    /// Depths of the two bounds.
    pub depths: Depths,
    /// The static value.
    pub standing: Option<Score>,
}

impl Hit {
    /// Nothing is known.
    pub const NONE: Hit = Hit {
        mv: 0,
        lower: Score(-Score::INFINITE.0),
        upper: Score::INFINITE,
        depths: Depths::both(Depth(-Depth::CERTAIN.0)),
        standing: None,
    };

    /// The value with which the hit ends a search, if it does. `owed` says what a claim still owes.
    ///
    /// *Reference:* Marsland & Campbell 1981, §II.B, with two bounds as in DUCHESS. A bound
    /// counts if it was searched as deep as the same claim still has to be here; each bound has its own depth
    /// because each is another side's plan (McAllester & Yuret 1993, §7).
    #[inline]
    pub fn answer(&self, window: Window, owed: impl Fn(Score) -> Depths) -> Option<Score> {
        if self.lower >= window.beta && self.depths.lower >= owed(self.lower).lower {
            return Some(self.lower);
        }
        if self.upper <= window.alpha && self.depths.upper >= owed(self.upper).upper {
            return Some(self.upper);
        }
        if self.lower == self.upper && window.contains(self.lower) {
            let owed = owed(self.lower);
            if self.depths.lower >= owed.lower && self.depths.upper >= owed.upper {
                return Some(self.lower);
            }
        }
        None
    }

    /// The window as far as the hit leaves it open; empty, with α ≥ β, if the value is known: it is then the
    /// edge that did not move, or both. As in [`Hit::answer`], a bound counts if it is deep enough.
    ///
    /// *Reference:* Marsland & Campbell 1981, §II.B, the second action on a hit: "score is used to adjust the
    /// current alpha-beta bounds".
    pub fn narrow(&self, window: Window, owed: impl Fn(Score) -> Depths) -> Window {
        let mut narrow = window;
        if self.lower > window.alpha && self.depths.lower >= owed(self.lower).lower {
            narrow.alpha = self.lower;
        }
        if self.upper < window.beta && self.depths.upper >= owed(self.upper).upper {
            narrow.beta = self.upper;
        }
        narrow
    }

    /// A static value, moved into the bounds.
    #[inline]
    pub fn improve(&self, standing: Score) -> Score {
        if self.lower > standing && !self.lower.is_decided() {
            self.lower
        } else if self.upper < standing && !self.upper.is_decided() {
            self.upper
        } else {
            standing
        }
    }
}
