//! Depth-first proof-number search.
//!
//! *Reference:* Nagai 2002, *Df-pn algorithm for searching AND/OR trees*, the procedure MID; Kishimoto,
//! Winands, Müller and Saito 2012, §3.
//! *Deviations:* children keep their numbers while their parent is searched, instead of being looked up
//! again in every round. The thresholds are those of 1 + ε. The last plies are searched exhaustively.
//! *Soundness:* a state is a position together with the plies left, and every move uses one ply.
//! Therefore no line returns to an earlier state, and repetition needs no special treatment.

use super::last_plies::THROUGH;
use super::numbers::{Numbers, Sum};
use super::table::{FOR_EVER, Known};
use super::{Attack, Prover, Sight};
use crate::game::{Game, Outcome};
use crate::limits::Stopped;

/// The number of nodes between two checks of the limits. It is small because each node may be the first
/// to touch a page of the table, which takes a tenth of a millisecond.
const OFTEN: u64 = 32;

/// A move of a position on the line, with what is known about the position after it.
pub(super) struct Child<G: Game> {
    pub mv: G::Move,
    position: G,
    key: u64,
    pub known: Known,
}

impl<G: Game, A: Attack<G>> Prover<'_, G, A> {
    /// Plays a move on a copy of the position and counts it as a node.
    #[inline]
    pub(super) fn play(&mut self, position: &G, mv: G::Move) -> Result<G, Stopped> {
        if self.nodes >= self.next_poll {
            if self.nodes >= self.pause || self.limits.ends_now() {
                return Err(Stopped);
            }
            let next = self.limits.poll(self.nodes).ok_or(Stopped)?;
            self.next_poll = next.min(self.pause).min(self.nodes + OFTEN);
        }
        self.nodes += 1;
        let mut child = position.clone();
        child.play(mv);
        Ok(child)
    }

    /// Returns the key for the table. Attack and defence of one position are two different questions.
    /// The constant is not a multiple that a game may use in its own keys for a move counter.
    #[inline]
    pub(super) fn key(&self, position: &G, plies: usize) -> u64 {
        let defends = if plies.is_multiple_of(2) { 0x632b_e59b_d9b4_e019 } else { 0 };
        self.attack.key(position, plies) ^ defends
    }

    /// Searches a position until its numbers reach the thresholds.
    pub(super) fn mid(&mut self, position: &G, plies: usize, limit: Numbers) -> Result<Known, Stopped> {
        let attacks = plies % 2 == 1;
        match plies {
            0 => {
                let won = self.attack.is_lost(position);
                return Ok(Known { numbers: Numbers::decided(won, attacks), plies: 0 });
            }
            1 => {
                let won = self.one_ply(position)?.is_some();
                return Ok(Known { numbers: Numbers::decided(won, attacks), plies: 1 });
            }
            2 => return self.two_plies(position),
            _ => (),
        }
        let key = self.key(position, plies);
        if let Some(known) = self.table.look_up(key, plies).filter(|known| known.numbers.reaches(limit)) {
            return Ok(known); // another line reached this position in the meantime
        }
        let began = self.nodes;
        let known = if plies == THROUGH {
            let found = self.three_plies(position)?;
            let numbers = Numbers::decided(found.is_some(), attacks);
            Known { numbers, plies: found.map_or(plies as u8, |(_, plies)| plies) }
        } else {
            let first = self.children.len();
            let known = self.unfold(position, plies, limit)?;
            self.children.truncate(first);
            known
        };
        self.table.store(key, plies, known, self.nodes - began);
        Ok(known)
    }

    /// Searches a position with at least four plies left, without looking up the position itself. Its
    /// children stay on the stack.
    pub(super) fn unfold(&mut self, position: &G, plies: usize, limit: Numbers) -> Result<Known, Stopped> {
        let first = self.children.len();
        self.list(position, plies)?;
        if first == 0 {
            self.root_children = self.children.len();
        }
        if self.children.len() == first {
            let won = plies.is_multiple_of(2) && position.outcome() == Outcome::Loss;
            let plies_left = if won { 0 } else { FOR_EVER };
            return Ok(Known { numbers: Numbers::decided(won, plies % 2 == 1), plies: plies_left });
        }
        loop {
            let sum = self.sum(first);
            if sum.numbers.reaches(limit) {
                let children = self.children[first..].iter().map(|child| child.known);
                return Ok(Known { numbers: sum.numbers, plies: distance(children, sum.numbers, plies) });
            }
            let next = first + sum.best;
            let child = self.children[next].position.clone();
            let known = self.mid(&child, plies - 1, sum.limit(limit))?;
            self.children[next].known = known;
        }
    }

    /// Returns the numbers of the position whose children begin at `first` and are the last on the
    /// stack.
    fn sum(&self, first: usize) -> Sum {
        Sum::of(self.children[first..].iter().map(|child| child.known.numbers))
    }

    /// Returns the numbers of the root of a search that was stopped.
    pub(super) fn root_numbers(&self) -> Numbers {
        if self.root_children == 0 {
            return Numbers::open(1, 1);
        }
        let children = self.children.iter().take(self.root_children);
        Sum::of(children.map(|child| child.known.numbers)).numbers
    }

    /// Puts the moves of a position on the stack, with what is known about them or their first
    /// estimates. Stops at a move that decides the position.
    fn list(&mut self, position: &G, plies: usize) -> Result<(), Stopped> {
        let (first_move, first) = (self.moves.len(), self.children.len());
        position.moves(&mut self.moves);
        let open = Known { numbers: Numbers::open(1, 1), plies: 0 };
        for index in first_move..self.moves.len() {
            let mv = self.moves[index];
            let child = self.play(position, mv)?;
            let key = self.key(&child, plies - 1);
            self.table.prefetch(key);
            self.children.push(Child { mv, position: child, key, known: open });
        }
        self.moves.truncate(first_move);
        for index in first..self.children.len() {
            let child = &self.children[index];
            let known = self.look(&child.position, child.key, plies - 1);
            self.children[index].known = known;
            if known.numbers.delta == 0 {
                self.children.truncate(index + 1);
                break;
            }
        }
        Ok(())
    }

    /// Returns what is known about a new position: its entry in the table, or else its first estimate.
    fn look(&self, position: &G, key: u64, plies: usize) -> Known {
        let attacks = plies % 2 == 1;
        if let Some(known) = self.table.look_up(key, plies) {
            return known;
        }
        let over = |won, plies| Known { numbers: Numbers::decided(won, attacks), plies };
        if self.attack.is_drawn(position) {
            return over(false, FOR_EVER);
        }
        if attacks {
            return Known { numbers: Numbers::open(1, 1), plies: 0 };
        }
        match self.attack.first_sight(position, plies) {
            Sight::Won => over(true, 0),
            Sight::NotWon => over(false, FOR_EVER),
            Sight::Open { proof, disproof } => Known { numbers: Numbers::open(disproof, proof), plies: 0 },
        }
    }
}

/// Returns the number of plies for which a decision holds, computed from those of the children. 0 if
/// there is no decision.
fn distance(children: impl Iterator<Item = Known>, numbers: Numbers, plies: usize) -> u8 {
    let attacks = plies % 2 == 1;
    let reached = numbers.phi == 0;
    let after = |children: &mut dyn Iterator<Item = Known>| {
        let plies = children.map(|known| known.plies);
        // A win takes the attacker's quickest move and the defender's longest reply. A disproof takes
        // the opposite choices.
        if attacks { plies.min() } else { plies.max() }
    };
    let last = match () {
        () if reached => after(&mut children.filter(|known| known.numbers.delta == 0)),
        () if numbers.delta == 0 => after(&mut children.into_iter()),
        () => return 0,
    };
    match last {
        None | Some(FOR_EVER) => FOR_EVER,
        Some(plies) => (plies + 1).min(FOR_EVER - 1),
    }
}
