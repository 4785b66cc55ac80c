//! Observers: are told what happens in a search, and change nothing.

mod recorders;

pub use recorders::{Counters, Instability, Recorded, TreeRecorder};

use crate::component::Off;
use crate::game::Game;
use crate::score::Score;
use crate::window::Window;

/// The slot for an observer. Nothing that it does changes the search.
pub trait Observe<G: Game>: Default {
    /// A node is entered.
    #[inline]
    fn enter(&mut self, position: &G, window: Window, ply: usize) {
        let _ = (position, window, ply);
    }

    /// The innermost open node is about to search this move.
    #[inline]
    fn play(&mut self, mv: G::Move, ply: usize) {
        let _ = (mv, ply);
    }

    /// The innermost open node is left with this value.
    #[inline]
    fn leave(&mut self, value: Score, ply: usize) {
        let _ = (value, ply);
    }
}

impl<G: Game> Observe<G> for Off {}

/// Both are told.
impl<G: Game, A: Observe<G>, B: Observe<G>> Observe<G> for (A, B) {
    #[inline]
    fn enter(&mut self, position: &G, window: Window, ply: usize) {
        self.0.enter(position, window, ply);
        self.1.enter(position, window, ply);
    }

    #[inline]
    fn play(&mut self, mv: G::Move, ply: usize) {
        self.0.play(mv, ply);
        self.1.play(mv, ply);
    }

    #[inline]
    fn leave(&mut self, value: Score, ply: usize) {
        self.0.leave(value, ply);
        self.1.leave(value, ply);
    }
}
