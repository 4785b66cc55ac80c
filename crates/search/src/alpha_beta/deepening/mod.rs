//! Deepening: which iterations a search goes through, and what the first one prepares.
//!
//! [`Off`] is plain iterative deepening: 1, 2, 3, … plies, each iteration with the root moves in the order
//! that the last one left.

mod move_and_refutation;

pub use move_and_refutation::MoveAndRefutation;

use crate::component::{Component, Off, Switch};

/// The slot for the choice of iterations.
pub trait Deepen: Component + Default {
    /// Whether the first iteration may search every root move by itself, to find the best reply to each.
    const PAIRS: bool = false;

    /// Whether it does. The replies are then tried first.
    fn pairs(&self) -> bool {
        Self::PAIRS
    }

    /// The iteration after this one; it must be greater. 0 stands before the first.
    fn next(&self, iteration: usize) -> usize {
        iteration + 1
    }
}

impl Deepen for Off {}

impl<C: Deepen, const ON: bool> Deepen for Switch<C, ON> {
    const PAIRS: bool = C::PAIRS;

    fn pairs(&self) -> bool {
        self.is_on() && self.component.pairs()
    }

    fn next(&self, iteration: usize) -> usize {
        if self.is_on() { self.component.next(iteration) } else { Off.next(iteration) }
    }
}
