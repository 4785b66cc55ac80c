//! Values that are known without search.

use crate::component::Off;
use crate::game::Game;
use crate::score::Score;
use crate::window::Bound;

/// The slot for positions whose value is known without search, such as endgame tables.
pub trait Knowledge<G: Game> {
    /// Returns the value of a position, if it is known, and whether it is exact or a bound.
    #[inline]
    fn probe(&mut self, position: &G, ply: usize) -> Option<(Score, Bound)> {
        let _ = (position, ply);
        None
    }
}

impl<G: Game> Knowledge<G> for Off {}
