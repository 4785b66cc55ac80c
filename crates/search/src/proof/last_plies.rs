//! Searches the last plies of a proof exhaustively and without the table, because they are too few for
//! proof numbers to pay off.
//!
//! With one ply left, only moves that win at once matter. With two plies left, most positions are
//! refuted by the first reply tried, often by the reply that refuted the previous one.

use super::numbers::Numbers;
use super::table::{FOR_EVER, Known};
use super::{Attack, Prover};
use crate::game::{Game, Outcome};
use crate::limits::Stopped;

/// The number of plies that are searched exhaustively from a position where the attacker is to move.
pub(super) const THROUGH: usize = 3;

impl<G: Game, A: Attack<G>> Prover<'_, G, A> {
    /// Returns a move of the attacker that wins at once.
    pub(super) fn one_ply(&mut self, position: &G) -> Result<Option<G::Move>, Stopped> {
        let first = self.moves.len();
        position.moves(&mut self.moves);
        let mut winning = None;
        for index in first..self.moves.len() {
            let mv = self.moves[index];
            if self.attack.may_win_at_once(position, mv) {
                let child = self.play(position, mv)?;
                if self.attack.is_lost(&child) {
                    winning = Some(mv);
                    break;
                }
            }
        }
        self.moves.truncate(first);
        Ok(winning)
    }

    /// Finds out whether the defender, who is to move, has lost or loses after every reply.
    pub(super) fn two_plies(&mut self, position: &G) -> Result<Known, Stopped> {
        let disproven = |plies| Known { numbers: Numbers::decided(false, false), plies };
        let proven = |plies| Known { numbers: Numbers::decided(true, false), plies };
        if self.attack.is_drawn(position) {
            return Ok(disproven(FOR_EVER));
        }
        let first = self.moves.len();
        position.moves(&mut self.moves);
        let end = self.moves.len();
        if first == end {
            let lost = position.outcome() == Outcome::Loss;
            return Ok(if lost { proven(0) } else { disproven(FOR_EVER) });
        }
        if let Some(index) = self.moves[first..].iter().position(|mv| self.refutation == Some(*mv)) {
            self.moves.swap(first, first + index);
        }
        let mut known = proven(2);
        for index in first..end {
            let mv = self.moves[index];
            let child = self.play(position, mv)?;
            if self.attack.is_drawn(&child) || self.one_ply(&child)?.is_none() {
                self.refutation = Some(mv);
                known = disproven(2);
                break;
            }
        }
        self.moves.truncate(first);
        Ok(known)
    }

    /// Returns a move of the attacker that wins at once, or else one that wins in three plies against
    /// every reply, together with the number of plies.
    pub(super) fn three_plies(&mut self, position: &G) -> Result<Option<(G::Move, u8)>, Stopped> {
        if let Some(mv) = self.one_ply(position)? {
            return Ok(Some((mv, 1)));
        }
        let first = self.moves.len();
        position.moves(&mut self.moves);
        let mut winning = None;
        // Moves that might have won at once are tried first, because they are the most forcing.
        'found: for forcing in [true, false] {
            for index in first..self.moves.len() {
                let mv = self.moves[index];
                if self.attack.may_win_at_once(position, mv) == forcing {
                    let child = self.play(position, mv)?;
                    if self.two_plies(&child)?.numbers == Numbers::decided(true, false) {
                        winning = Some((mv, 3));
                        break 'found;
                    }
                }
            }
        }
        self.moves.truncate(first);
        Ok(winning)
    }
}
