//! Repetitions that the side to move can bring about with its next move.
//!
//! *Reference:* M. van Kervinck, "Upcoming repetition detection", 2013.
//! *Soundness:* a node is a draw at least if one of its moves repeats a position of the line, because
//! [`Repetition`] scores that move as a draw. A node whose β is not above a draw therefore fails high.
//! Positions of the game before the root are left out: there one repetition more is needed.

use super::{Draws, Repetition};
use crate::game::Repeats;

crate::component! {
    /// Scores repetitions as draws, one move ahead.
    pub struct UpcomingRepetition {
        /// Whether it looks ahead: 1 yes, 0 no.
        ahead: 1 in 0..=1 "0 or 1",
    }
    state {
        /// The repetitions that have happened.
        past: Repetition = Repetition::default(),
    }
}

impl<G: Repeats> Draws<G> for UpcomingRepetition {
    fn start(&mut self, before: &[G]) {
        Draws::<G>::start(&mut self.past, before);
    }

    #[inline]
    fn is_draw(&self, position: &G, ply: usize) -> bool {
        self.past.is_draw(position, ply)
    }

    #[inline]
    fn may_draw(&self, position: &G, ply: usize) -> bool {
        self.ahead != 0
            && (3..=position.reversible_plies().min(ply))
                .step_by(2)
                .any(|back| position.leads_to(self.past.key(back)))
    }

    #[inline]
    fn push(&mut self, position: &G) {
        self.past.push(position);
    }

    #[inline]
    fn pop(&mut self) {
        Draws::<G>::pop(&mut self.past);
    }

    fn repetition(position: &G) -> Option<(u64, usize)> {
        Repetition::repetition(position)
    }
}
