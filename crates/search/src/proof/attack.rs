//! What a proof search knows of a game beyond its rules.

use crate::{Checks, Game, Keyed, Outcome, Repeats};

/// What makes a proof search for a game good: which positions are the same, which are drawn although they have moves, how hard
/// a position will be, which moves may win at once. Whatever it says of the last two, answers stay right.
pub trait Attack<G: Game> {
    /// A hash of everything that decides whether a position is won within so many plies.
    fn key(&self, position: &G, plies: usize) -> u64;

    /// Whether a position with moves is drawn: nobody wins it.
    #[inline]
    fn is_drawn(&self, position: &G) -> bool {
        let _ = position;
        false
    }

    /// Whether the side to move has lost: the game is over, and it is [`Outcome::Loss`].
    #[inline]
    fn is_lost(&self, position: &G) -> bool {
        position.is_over() && position.outcome() == Outcome::Loss
    }

    /// Whether a legal move of the attacker may end the game. May be wrong only by saying yes.
    #[inline]
    fn may_win_at_once(&self, position: &G, mv: G::Move) -> bool {
        let _ = (position, mv);
        true
    }

    /// What is seen at once of a position in which the defender is to move, not drawn, with so many plies left, at least 4.
    #[inline]
    fn first_sight(&self, position: &G, plies: usize) -> Sight {
        let _ = plies;
        by_mobility(position)
    }
}

/// What is seen of a position without search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// The defender has lost.
    Won,
    /// The game is over, and he has not.
    NotWon,
    /// Proof and disproof number to begin with.
    Open {
        /// How hard it will be to show the win: 1 for one open position.
        proof: u32,
        /// How hard it will be to show that there is none.
        disproof: u32,
    },
}

/// Every reply has to be answered: their number is the proof number (Allis 1994, §2.4).
#[inline]
pub fn by_mobility<G: Game>(position: &G) -> Sight {
    match position.count_moves() {
        0 if position.outcome() == Outcome::Loss => Sight::Won,
        0 => Sight::NotWon,
        replies => Sight::Open { proof: replies.min(1 << 20) as u32, disproof: 1 },
    }
}

/// For any game with keys: mobility, and nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl<G: Keyed> Attack<G> for Mobility {
    #[inline]
    fn key(&self, position: &G, _: usize) -> u64 {
        position.exact_key()
    }
}

/// For games with checks, and with draws by rule: moves that give check come first.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChecksBefore;

impl ChecksBefore {
    /// So many times as many positions has a move to prove that leaves the defender free.
    const QUIET: u32 = 4;
}

impl<G: Keyed + Checks + Repeats> Attack<G> for ChecksBefore {
    #[inline]
    fn key(&self, position: &G, _: usize) -> u64 {
        position.exact_key()
    }

    #[inline]
    fn is_drawn(&self, position: &G) -> bool {
        position.drawn_by_rule()
    }

    #[inline]
    fn first_sight(&self, position: &G, _: usize) -> Sight {
        match by_mobility(position) {
            Sight::Open { proof, disproof } if !position.in_check() => {
                Sight::Open { proof: proof * Self::QUIET, disproof }
            }
            sight => sight,
        }
    }
}
