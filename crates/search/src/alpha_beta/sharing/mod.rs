//! Sharing: how the threads of one search divide a node among them.
//!
//! Threads share the transposition table, and through it all that they find. This slot avoids that two of
//! them search the same move at the same time. [`Off`] is for one thread.

mod abdada;

pub use abdada::Abdada;

use crate::component::Off;
use crate::depth::Depth;
use crate::game::Game;

/// What the threads of a search tell each other of the moves that they search now.
pub trait Sharing<G: Game> {
    /// A search by so many threads begins.
    fn begin_search(&self, threads: usize) {
        let _ = threads;
    }

    /// Whether a node with this remaining depth is divided among threads.
    #[inline]
    fn divides(&self, remaining: Depth) -> bool {
        let _ = remaining;
        false
    }

    /// Whether another thread searches `mv` at `position` now.
    #[inline]
    fn is_searched(&self, position: &G, mv: G::Move) -> bool {
        let _ = (position, mv);
        false
    }

    /// This thread begins to search `mv` at `position` …
    #[inline]
    fn begin(&self, position: &G, mv: G::Move) {
        let _ = (position, mv);
    }

    /// … and has finished.
    #[inline]
    fn end(&self, position: &G, mv: G::Move) {
        let _ = (position, mv);
    }

    /// A thread has left its search without finishing the moves that it began.
    fn abandon(&self) {}
}

impl<G: Game> Sharing<G> for Off {}
