//! Repetitions that the side to move can bring about with its next move.
//!
//! *Reference:* M. van Kervinck, "Upcoming repetition detection", 2013.
//! *Soundness:* a node is a draw at least if one of its moves repeats a position of the line, because
//! [`Repetition`] scores that move as a draw. A node whose β is not above a draw therefore fails high.
//! Positions of the game before the root are left out: there one repetition more is needed.

use super::{Draws, Repetition};
use crate::component::Component;
use crate::game::Repeats;

/// Scores repetitions as draws, one move ahead. It keeps those that have happened.
#[derive(Clone, Debug, Default)]
pub struct UpcomingRepetition(Repetition);

impl Component for UpcomingRepetition {
    const NAME: &'static str = "UpcomingRepetition";
}

impl<G: Repeats> Draws<G> for UpcomingRepetition {
    fn start(&mut self, before: &[G]) {
        Draws::<G>::start(&mut self.0, before);
    }

    #[inline]
    fn is_draw(&self, position: &G, ply: usize) -> bool {
        self.0.is_draw(position, ply)
    }

    #[inline]
    fn may_draw(&self, position: &G, ply: usize) -> bool {
        (3..=position.reversible_plies().min(ply)).step_by(2).any(|back| position.leads_to(self.0.key(back)))
    }

    #[inline]
    fn push(&mut self, position: &G) {
        self.0.push(position);
    }

    #[inline]
    fn pop(&mut self) {
        Draws::<G>::pop(&mut self.0);
    }

    fn repetition(position: &G) -> Option<(u64, usize)> {
        Repetition::repetition(position)
    }
}
