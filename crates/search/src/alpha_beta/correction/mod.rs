//! Correction: what searches have found out about static values, used to correct the next ones.

mod correction_history;

pub use correction_history::CorrectionHistory;

use super::node::Node;
use crate::component::{Component, Off, Switch};
use crate::game::Game;
use crate::score::Score;

/// The slot for corrections of the static value.
pub trait Correct<G: Game>: Component + Default {
    /// Whether anything is ever corrected. Only then are the other methods called.
    const CORRECTS: bool = true;

    /// What is added to the static value of a position, for the side to move. `previous` are the indices
    /// of the moves that led there, last first.
    #[inline]
    fn correction(&self, position: &G, previous: [Option<usize>; 2]) -> Score {
        let _ = (position, previous);
        Score::DRAW
    }

    /// Whether quiescence search too stands pat on corrected values.
    #[inline]
    fn in_quiescence(&self) -> bool {
        false
    }

    /// Learns from a node that was searched: its value was by `error` more than its static value as
    /// corrected before. A value that is only a bound comes only if it bounds the error away from 0.
    /// `best` is the move that raised α.
    #[inline]
    fn learn(&mut self, node: &Node<'_, G>, best: Option<G::Move>, error: Score) {
        let _ = (node, best, error);
    }

    /// Called when a new search begins.
    fn start(&mut self) {}

    /// Shares all statistics with `leader`, which has already started, from now on.
    fn share(&mut self, leader: &Self) {
        let _ = leader;
    }

    /// Clears all statistics, when a new game begins.
    fn forget(&mut self) {}
}

impl<G: Game> Correct<G> for Off {
    const CORRECTS: bool = false;
}

impl<G: Game, C: Correct<G>, const ON: bool> Correct<G> for Switch<C, ON> {
    const CORRECTS: bool = C::CORRECTS;

    #[inline]
    fn correction(&self, position: &G, previous: [Option<usize>; 2]) -> Score {
        if self.is_on() { self.component.correction(position, previous) } else { Score::DRAW }
    }

    #[inline]
    fn in_quiescence(&self) -> bool {
        self.is_on() && self.component.in_quiescence()
    }

    #[inline]
    fn learn(&mut self, node: &Node<'_, G>, best: Option<G::Move>, error: Score) {
        if self.is_on() {
            self.component.learn(node, best, error);
        }
    }

    fn start(&mut self) {
        if self.is_on() {
            self.component.start();
        }
    }

    fn share(&mut self, leader: &Self) {
        self.component.share(&leader.component);
    }

    fn forget(&mut self) {
        self.component.forget();
    }
}
