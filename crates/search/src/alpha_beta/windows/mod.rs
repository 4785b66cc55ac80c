//! Windows: how the moves of a node with an open window are searched.
//!
//! All of these visit the same tree and differ in what they ask first: the value is the same.

mod moves;

pub use moves::{LastMinimal, MinimalWindow, Palphabeta, PalphabetaAbove, ScoutWindow, WholeWindow};

use crate::component::{Component, Spare};
use crate::depth::Depth;
use crate::score::Score;
use crate::window::Window;

/// Every way to search the moves of a node, each behind a switch: the first that is on, else
/// [`MinimalWindow`].
pub type WindowSwitches = (
    Spare<WholeWindow>,
    (Spare<LastMinimal>, (Spare<Palphabeta>, (Spare<PalphabetaAbove>, (Spare<ScoutWindow>, MinimalWindow)))),
);

/// The slot for the windows of the moves of an open node.
pub trait Windows: Component + Default {
    /// Whether any move is searched with a minimal window first.
    const MINIMAL: bool;

    /// Whether a move that is searched again may be searched by plain alpha-beta.
    const PLAIN: bool = false;

    /// Whether this move is searched with a minimal window first.
    fn minimal_first(&self, turn: &Turn) -> bool;

    /// The window with which a move is searched again whose first search returned `value`, α < `value` < β.
    #[inline]
    fn again(&self, window: Window, value: Score) -> Window {
        let _ = value;
        window
    }

    /// Whether that second search is plain alpha-beta.
    #[inline]
    fn is_plain(&self) -> bool {
        Self::PLAIN
    }
}

/// A move of an open node.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// How many moves were tried before it.
    pub tried: usize,
    /// How many moves the node has.
    pub moves: usize,
    /// The remaining depth of the node, the greater of both claims.
    pub remaining: Depth,
}

/// The first if it is switched on, else the second.
impl<A: Windows, B: Windows> Windows for (Spare<A>, B) {
    const MINIMAL: bool = A::MINIMAL || B::MINIMAL;
    const PLAIN: bool = A::PLAIN || B::PLAIN;

    fn minimal_first(&self, turn: &Turn) -> bool {
        if self.0.is_on() { self.0.component.minimal_first(turn) } else { self.1.minimal_first(turn) }
    }

    fn again(&self, window: Window, value: Score) -> Window {
        if self.0.is_on() { self.0.component.again(window, value) } else { self.1.again(window, value) }
    }

    fn is_plain(&self) -> bool {
        if self.0.is_on() { self.0.component.is_plain() } else { self.1.is_plain() }
    }
}
