//! Single moves and lines of what is proven, read from the table like a [`Strategy`](super::Strategy).

use super::last_plies::THROUGH;
use super::numbers::Numbers;
use super::table::FOR_EVER;
use super::{Attack, Prover};
use crate::{Game, Stopped};

impl<G: Game, A: Attack<G>> Prover<'_, G, A> {
    /// How a win within so many plies (see [`within`](Self::within)) goes: the winner's quickest moves, and the replies that last longest.
    /// Ends early where the limits come; without moves if there is no such win.
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

    /// The reply after which the win takes longest, as far as the table tells, and the plies left after it.
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

    /// A move after which the other side does not win within so many plies, an even number that counts this move, and whether it is then
    /// known never to win. None if there is none.
    ///
    /// # Errors
    /// If the limits come first.
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

    /// Where a question was just given up: the move that seemed most likely to get what the side to move wants.
    pub fn most_promising(&self) -> Option<G::Move> {
        let children = self.children.iter().take(self.root_children);
        children.min_by_key(|child| child.known.numbers.delta).map(|child| child.mv)
    }

    /// Whether a win that was just disproven within so many plies is none within any: no line of the proof was too long.
    pub fn is_never_won(&self, position: &G, plies: usize) -> bool {
        self.table.disproven(self.key(position, plies)) == usize::from(FOR_EVER)
    }
}
