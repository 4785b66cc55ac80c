//! The knowledge about a game that a proof search uses beyond the rules.

use crate::game::{Checks, Game, Keyed, Outcome, Repeats};

/// What a proof search needs to know about a game: which positions are the same, which are drawn
/// although they have moves, how hard a position will be, and which moves may win at once. The last two
/// cannot make an answer wrong, except for the restriction at
/// [`may_win_at_once`](Self::may_win_at_once).
pub trait Attack<G: Game> {
    /// Returns a hash of everything that decides whether a position is won within this many plies.
    fn key(&self, position: &G, plies: usize) -> u64;

    /// Whether a position with moves is drawn, so that neither side wins it.
    #[inline]
    fn is_drawn(&self, position: &G) -> bool {
        let _ = position;
        false
    }

    /// Whether the side to move has lost: the game is over with [`Outcome::Loss`].
    #[inline]
    fn is_lost(&self, position: &G) -> bool {
        position.is_over() && position.outcome() == Outcome::Loss
    }

    /// Whether a legal move of the attacker may end the game. It may be wrong only by returning true.
    #[inline]
    fn may_win_at_once(&self, position: &G, mv: G::Move) -> bool {
        let _ = (position, mv);
        true
    }

    /// Returns a first estimate of a position that is not drawn. The defender is to move, and at least 4
    /// plies are left.
    #[inline]
    fn first_sight(&self, position: &G, plies: usize) -> Sight {
        let _ = plies;
        by_mobility(position)
    }
}

/// The first estimate of a position, made without search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// The defender has lost.
    Won,
    /// The game is over, and the defender has not lost.
    NotWon,
    /// The game goes on. The fields are the first proof and disproof numbers.
    Open {
        /// How hard it will be to prove the win: 1 for one open position.
        proof: u32,
        /// How hard it will be to disprove the win.
        disproof: u32,
    },
}

/// Estimates a position by its number of replies. Every reply has to be answered, so their number is the
/// proof number (Allis 1994, §2.4).
#[inline]
pub fn by_mobility<G: Game>(position: &G) -> Sight {
    match position.count_moves() {
        0 if position.outcome() == Outcome::Loss => Sight::Won,
        0 => Sight::NotWon,
        replies => Sight::Open { proof: replies.min(1 << 20) as u32, disproof: 1 },
    }
}

/// An attack for any game with keys. It uses mobility and nothing else.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl<G: Keyed> Attack<G> for Mobility {
    #[inline]
    fn key(&self, position: &G, _: usize) -> u64 {
        position.exact_key()
    }
}

/// An attack for games with checks and with draws by rule. Moves that give check come first.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChecksBefore;

impl ChecksBefore {
    /// The factor by which the proof number of a position is raised if the defender is not in check.
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
