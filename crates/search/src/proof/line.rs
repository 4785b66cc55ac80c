//! Reads single moves and lines of what is proven from the table, as [`Strategy`](super::Strategy) does
//! for whole strategies.

use super::last_plies::THROUGH;
use super::numbers::Numbers;
use super::table::FOR_EVER;
use super::{Attack, Prover};
use crate::game::Game;
use crate::limits::Stopped;

impl<G: Game, A: Attack<G>> Prover<'_, G, A> {
    /// Returns the line of a win within this many plies (see [`within`](Self::within)): the winner's
    /// quickest moves and the replies that last longest. The line ends early if a limit is reached. It
    /// is empty if there is no such win.
    pub fn line(&mut self, position: &G, mut plies: usize) -> Vec<G::Move> {
        let (mut line, mut position) = (Vec::new(), position.clone());
        while plies > 0 {
            let next = match plies % 2 {
                1 => self.winning_move(&position, plies),
                _ => self.slowest_reply(&position, plies),
            };
            let Ok(Some((mv, left))) = next else { break };
            position.play(mv);
            line.push(mv);
            plies = left;
        }
        line
    }

    /// Returns the reply that delays the win longest, as far as the table knows, and the plies left
    /// after it.
    fn slowest_reply(&mut self, position: &G, plies: usize) -> Result<Option<(G::Move, usize)>, Stopped> {
        let (mut replies, mut slowest) = (Vec::new(), None);
        position.moves(&mut replies);
        for mv in replies {
            let child = self.play(position, mv)?;
            let Some(left) = self.ask(&child, plies - 1)? else { return Ok(None) };
            if slowest.is_none_or(|(_, most)| left > most) {
                slowest = Some((mv, left));
            }
        }
        Ok(slowest)
    }

    /// Returns a move after which the other side does not win within this many plies. `plies` is an even
    /// number that includes this move. The second value says whether the other side is then known never
    /// to win. `None` if there is no such move.
    ///
    /// # Errors
    /// If a limit is reached first.
    pub fn refutation(&mut self, position: &G, plies: usize) -> Result<Option<(G::Move, bool)>, Stopped> {
        if plies > THROUGH {
            self.children.clear();
            self.moves.clear();
            self.unfold(position, plies, Numbers::NO_LIMIT)?;
            let safe = self.children.iter().filter(|child| child.known.numbers.delta == 0);
            let safest = safe.max_by_key(|child| child.known.plies);
            return Ok(safest.map(|child| (child.mv, child.known.plies == FOR_EVER)));
        }
        let mut moves = Vec::new();
        position.moves(&mut moves);
        for mv in moves.into_iter().filter(|_| plies > 0) {
            let child = self.play(position, mv)?;
            if self.ask(&child, plies - 1)?.is_none() {
                return Ok(Some((mv, false)));
            }
        }
        Ok(None)
    }

    /// Returns the move that seemed most likely to achieve what the side to move wants, after a question
    /// was given up.
    pub fn most_promising(&self) -> Option<G::Move> {
        let children = self.children.iter().take(self.root_children);
        children.min_by_key(|child| child.known.numbers.delta).map(|child| child.mv)
    }

    /// Whether a win that was just disproven within this many plies is disproven for any number of
    /// plies: no line of the proof was cut off for its length.
    pub fn is_never_won(&self, position: &G, plies: usize) -> bool {
        self.table.disproven(self.key(position, plies)) == usize::from(FOR_EVER)
    }
}
