//! Reads the winner's strategy from the table.
//!
//! Entries that the table has lost are proven again, within the same limits.

use super::last_plies::THROUGH;
use super::numbers::Numbers;
use super::{Attack, Prover};
use crate::game::{Game, Outcome};
use crate::limits::Stopped;
use std::collections::HashMap;

/// The winner's moves against every play of the other side. Positions that occur on several lines may
/// share the steps that follow.
#[derive(Clone, PartialEq, Debug)]
pub struct Strategy<M> {
    /// The steps. A step comes after all steps that it refers to; the last step is that of the first
    /// position.
    pub steps: Vec<Step<M>>,
}

/// The step for one position.
#[derive(Clone, PartialEq, Debug)]
pub enum Step<M> {
    /// The game is over, and the winner has won.
    Won,
    /// The winner is to move.
    Own {
        /// The move of the winner.
        mv: M,
        /// The index of the next step.
        next: usize,
    },
    /// The other side is to move: every legal move, with the index of the next step.
    Other(Vec<(M, usize)>),
}

impl<G: Game, A: Attack<G>> Prover<'_, G, A> {
    /// Returns the strategy for a win within this many plies (see [`Prover::within`]). `None` if there
    /// is no such win.
    ///
    /// # Errors
    /// If a limit is reached before the whole strategy is found.
    pub fn strategy(&mut self, position: &G, plies: usize) -> Result<Option<Strategy<G::Move>>, Stopped> {
        let Some(plies) = self.ask(position, plies)? else { return Ok(None) };
        let mut known = HashMap::new();
        let mut strategy = Strategy { steps: vec![Step::Won] };
        let step = self.write(position, plies, &mut strategy.steps, &mut known)?;
        Ok(step.map(|first| {
            strategy.steps.truncate(first + 1);
            strategy
        }))
    }

    /// Writes the steps from a position that is won within this many plies, and returns the index of
    /// that position's step. Returns `None` if the table contradicts itself because two positions have
    /// the same key. `known` maps the positions already written to their steps and plies.
    fn write(
        &mut self,
        position: &G,
        plies: usize,
        steps: &mut Vec<Step<G::Move>>,
        known: &mut HashMap<u64, (usize, usize)>,
    ) -> Result<Option<usize>, Stopped> {
        let key = self.attack.key(position, plies);
        // If the key has no count of moves, none can make a draw before so short a win.
        let again = self.attack.key(position, 0);
        let is_short =
            |(_, taken): &&(usize, usize)| *taken <= plies && self.attack.key(position, *taken) == again;
        let known_here = known.get(&key).filter(|(_, taken)| *taken <= plies);
        if let Some((step, _)) = known_here.or_else(|| known.get(&again).filter(is_short)) {
            return Ok(Some(*step));
        }
        let begin = steps.len();
        let step = if plies % 2 == 1 {
            let Some((mv, left)) = self.winning_move(position, plies)? else { return Ok(None) };
            let child = self.play(position, mv)?;
            let Some(next) = self.write(&child, left, steps, known)? else { return Ok(None) };
            Step::Own { mv, next }
        } else {
            let mut replies = Vec::new();
            position.moves(&mut replies);
            if replies.is_empty() {
                return Ok((position.outcome() == Outcome::Loss).then_some(WON));
            }
            let mut answered = Vec::with_capacity(replies.len());
            for mv in replies {
                let child = self.play(position, mv)?;
                let Some(left) = plies.checked_sub(1) else { return Ok(None) };
                let Some(next) = self.write(&child, left, steps, known)? else { return Ok(None) };
                answered.push((mv, next));
            }
            Step::Other(answered)
        };
        // The position may have come again below, with a shorter win. That one is played instead, so that no
        // line passes a position twice. No count towards a draw is higher here than there: it wins here, too.
        let is_shorter = |(_, taken): &&(usize, usize)| *taken < plies;
        let below = known.get(&again).filter(|(step, _)| *step >= begin).filter(is_shorter);
        if let Some((shorter, _)) = known.get(&key).filter(is_shorter).or(below) {
            return Ok(Some(*shorter));
        }
        steps.push(step);
        for key in [key, again] {
            known.insert(key, (steps.len() - 1, plies));
        }
        Ok(Some(steps.len() - 1))
    }

    /// Returns a move that wins within this many plies, and the plies left after it.
    pub(super) fn winning_move(
        &mut self,
        position: &G,
        plies: usize,
    ) -> Result<Option<(G::Move, usize)>, Stopped> {
        self.children.clear();
        self.moves.clear();
        Ok(match plies {
            1 => self.one_ply(position)?.map(|mv| (mv, 0)),
            THROUGH => self.three_plies(position)?.map(|(mv, plies)| (mv, usize::from(plies) - 1)),
            _ => {
                self.unfold(position, plies, Numbers::NO_LIMIT)?;
                let winning = self.children.iter().filter(|child| child.known.numbers.delta == 0);
                let quickest = winning.min_by_key(|child| child.known.plies);
                quickest.map(|child| (child.mv, child.known.plies.into()))
            }
        })
    }
}

/// The step of every position that is won.
const WON: usize = 0;
