//! Draws that need no search.

mod repetition;
mod upcoming;

pub use repetition::Repetition;
pub use upcoming::UpcomingRepetition;

use crate::component::{Component, Off};
use crate::game::Game;

/// The slot for draws by repetition and by rule.
pub trait Draws<G: Game>: Component + Default + Send {
    /// A search begins; `before` are the positions of the game before the root.
    fn start(&mut self, before: &[G]) {
        let _ = before;
    }

    /// Whether the position is drawn, given the line that leads to it.
    #[inline]
    fn is_draw(&self, position: &G, ply: usize) -> bool {
        let _ = (position, ply);
        false
    }

    /// Whether it is known that a move of the side to move draws at once. It is not asked at the root.
    #[inline]
    fn may_draw(&self, position: &G, ply: usize) -> bool {
        let _ = (position, ply);
        false
    }

    /// The line continues from `position` …
    #[inline]
    fn push(&mut self, position: &G) {
        let _ = position;
    }

    /// … and returns to it.
    #[inline]
    fn pop(&mut self) {}

    /// A key that repeated positions share, and how many of the last plies can be repeated. `None` if
    /// nothing is drawn by repetition.
    fn repetition(position: &G) -> Option<(u64, usize)> {
        let _ = position;
        None
    }
}

impl<G: Game> Draws<G> for Off {}
