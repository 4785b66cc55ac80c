//! Memory: the results that a search stores for positions it has seen.

mod entry;
#[cfg(test)]
mod model;
mod single_bound;
mod sync;
mod table;

pub use single_bound::SingleBound;
pub use table::{Table, TableError};

use super::sharing::Sharing;
use crate::component::{Component, Off};
use crate::depth::{Depth, Depths};
use crate::game::Game;
use crate::score::Score;
use crate::window::{Bound, Window};

/// The slot for the transposition table.
pub trait Memory<G: Game>: Component {
    /// How the threads that share this memory divide their work.
    type Sharing: Sharing<G>;

    /// Returns the component that divides the work among threads ([`Memory::Sharing`]).
    fn sharing(&self) -> &Self::Sharing;

    /// Whether a node with these remaining depths is looked up and stored. Near the horizon a search can
    /// be cheaper than a probe.
    #[inline]
    fn serves(&self, remaining: Depths) -> bool {
        let _ = remaining;
        true
    }

    /// Returns what is stored for a position `ply` plies below the root.
    fn probe(&self, position: &G, ply: usize) -> Hit;

    /// Returns what is stored for the position after `mv`, `ply` plies below the root. It is a hint: where
    /// the key after a move is hard to compute, it may miss that, or be what is stored for a similar
    /// position.
    #[inline]
    fn probe_after(&self, position: &G, mv: G::Move, ply: usize) -> Hit {
        let mut child = position.clone();
        child.play(mv);
        self.probe(&child, ply)
    }

    /// Whether `code`, from a [`Hit`] at `position`, stands for the move `mv`.
    fn names(&self, code: u16, position: &G, mv: G::Move) -> bool;

    /// Stores a search result.
    fn store(&self, position: &G, ply: usize, found: &Found<G::Move>);

    /// Prefetches the table bucket of the position after `mv`.
    #[inline]
    fn prefetch(&self, position: &G, mv: G::Move) {
        let _ = (position, mv);
    }

    /// Whether hits also end the search of open-window nodes. Without this, principal variations stay
    /// complete.
    #[inline]
    fn answers_pv(&self) -> bool {
        true
    }

    /// Whether a bound that does not end the search of an open-window node narrows its window.
    #[inline]
    fn narrows(&self) -> bool {
        false
    }

    /// Returns the stored bounds of the static value of a position, where the [static value is a small
    /// search](crate::alpha_beta::quiescence::ExactQuiescence).
    #[inline]
    fn static_bounds(&self, position: &G) -> Option<(Score, Score)> {
        let _ = position;
        None
    }

    /// Stores bounds of the static value of a position.
    #[inline]
    fn keep_static(&self, position: &G, lower: Score, upper: Score) {
        let _ = (position, lower, upper);
    }

    /// Signals that a new search begins: all stored entries become one search older.
    fn begin_search(&self) {}
}

impl<G: Game> Memory<G> for Off {
    type Sharing = Off;

    fn sharing(&self) -> &Off {
        &Off
    }

    #[inline]
    fn probe(&self, _: &G, _: usize) -> Hit {
        Hit::NONE
    }

    #[inline]
    fn names(&self, _: u16, _: &G, _: G::Move) -> bool {
        false
    }

    #[inline]
    fn store(&self, _: &G, _: usize, _: &Found<G::Move>) {}
}

/// A search result to be stored: the bounds that it proves and their depths.
#[derive(Clone, Copy, Debug)]
pub struct Found<M> {
    /// The value.
    pub value: Score,
    /// The value clipped to the window. `depths` belong to this claim.
    pub at_edge: Score,
    /// Whether `value` is a lower bound, an upper bound or exact.
    pub bound: Bound,
    /// Depths of the claim. `lower` applies if the bound is lower or exact, `upper` if it is upper or
    /// exact.
    pub depths: Depths,
    /// The best move.
    pub best: Option<M>,
    /// The static value, if it was computed.
    pub static_eval: Option<Score>,
    /// Whether the position is on the principal variation, or was, as far as the memory knows.
    pub was_pv: bool,
}

/// The stored data of a position: a move, a lower and an upper bound, each with the depth to which it
/// was searched, and the static value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Code of the best move, 0 if none.
    pub mv: u16,
    /// Lower bound of the value, −∞ if unknown.
    pub lower: Score,
    /// Upper bound of the value, +∞ if unknown.
    pub upper: Score,
    /// Depths of the two bounds.
    pub depths: Depths,
    /// The static value.
    pub static_eval: Option<Score>,
    /// Whether the position was once on the principal variation.
    pub was_pv: bool,
}

impl Hit {
    /// The result of a probe that found nothing.
    pub const NONE: Hit = Hit {
        mv: 0,
        lower: Score(-Score::INFINITE.0),
        upper: Score::INFINITE,
        depths: Depths::both(Depth(-Depth::CERTAIN.0)),
        static_eval: None,
        was_pv: false,
    };

    /// Returns the value with which the hit ends the search of a node, if it does. `remaining` returns
    /// the remaining depths of a claim.
    ///
    /// *Reference:* Marsland & Campbell 1981, §II.B, with two bounds as in DUCHESS. A bound counts if it
    /// was searched at least to the remaining depth of the same claim here. Each bound has a separate
    /// depth because each is established by a different side's plan (McAllester & Yuret 1993, §7).
    #[inline]
    pub fn answer(&self, window: Window, remaining: impl Fn(Score) -> Depths) -> Option<Score> {
        if self.lower >= window.beta && self.depths.lower >= remaining(self.lower).lower {
            return Some(self.lower);
        }
        if self.upper <= window.alpha && self.depths.upper >= remaining(self.upper).upper {
            return Some(self.upper);
        }
        if self.lower == self.upper && window.contains(self.lower) {
            let remaining = remaining(self.lower);
            if self.depths.lower >= remaining.lower && self.depths.upper >= remaining.upper {
                return Some(self.lower);
            }
        }
        None
    }

    /// Returns the window narrowed by the hit. It is empty, with α ≥ β, if the hit determines the value,
    /// which is then an edge that has moved. As in [`Hit::answer`], a bound counts only if it is deep
    /// enough.
    ///
    /// *Reference:* Marsland & Campbell 1981, §II.B, the second action on a hit: "score is used to
    /// adjust the current alpha-beta bounds".
    pub fn narrow(&self, window: Window, remaining: impl Fn(Score) -> Depths) -> Window {
        let mut narrow = window;
        if self.lower > window.alpha && self.depths.lower >= remaining(self.lower).lower {
            narrow.alpha = self.lower;
        }
        if self.upper < window.beta && self.depths.upper >= remaining(self.upper).upper {
            narrow.beta = self.upper;
        }
        narrow
    }

    /// Moves a static value into the stored bounds.
    #[inline]
    pub fn improve(&self, static_eval: Score) -> Score {
        if self.lower > static_eval && !self.lower.is_decided() {
            self.lower
        } else if self.upper < static_eval && !self.upper.is_decided() {
            self.upper
        } else {
            static_eval
        }
    }
}
