//! The last plies of a proof: too few for numbers to be worth their keeping, so they are searched through, without the table.
//!
//! With one ply left only moves that win at once matter. With two, most positions are refuted by the first reply tried, and
//! often by the reply that refuted the last one.

use super::numbers::Numbers;
use super::table::{FOR_EVER, Known};
use super::{Attack, Prover};
use crate::{Game, Outcome, Stopped};

/// So many plies are searched through from a position in which the attacker moves.
pub(super) const THROUGH: usize = 3;

impl<G: Game, A: Attack<G>> Prover<'_, G, A> {
    /// A move of the attacker that wins at once.
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

    /// Whether the defender, to move, has lost or loses whatever he replies.
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

    /// A move of the attacker that wins at once, or else one that leaves no reply against which he does not; and in how many
    /// plies.
    pub(super) fn three_plies(&mut self, position: &G) -> Result<Option<(G::Move, u8)>, Stopped> {
        if let Some(mv) = self.one_ply(position)? {
            return Ok(Some((mv, 1)));
        }
        let first = self.moves.len();
        position.moves(&mut self.moves);
        let mut winning = None;
        // Moves that might have won at once threaten most.
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
