//! Proves forced mates with [`cassius_search::proof`]: the chess-specific part, and the complete
//! procedure from a question to a replayed line.
//!
//! Checks are tried first. Mates are recognised by the king's flight squares before any list of moves is
//! generated. The counter of the fifty-move rule distinguishes positions only where it could run out
//! within the remaining plies.

use crate::evaluation::Evaluation;
use crate::{Move, Position, certificate};
use cassius_search::game::Repeats as _;
use cassius_search::plans::certificate::Certificate;
use cassius_search::proof::{
    self, Answer, Attack, ProofTable, Prover, Replayed, Sight, Strategy, TooLarge, by_mobility,
};
use cassius_search::{Checks as _, Game as _, Keyed as _, Limits, MAX_PLY};
use shakmaty::{Color, Position as _, attacks};

/// The chess-specific part of the proof search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mating;

/// The proof number of a move that gives no check. Counting the replies as well takes longer and solves
/// fewer mates: with 1, 2, 4 or 8 per reply, 82, 79, 76 and 75 of 100 are solved in half a second each;
/// with this constant, 85.
const QUIET: u32 = 8;

impl Attack<Position> for Mating {
    #[inline]
    fn key(&self, position: &Position, plies: usize) -> u64 {
        match position.halfmoves() as usize + plies < 100 {
            true => position.repetition_key(),
            false => position.exact_key(),
        }
    }

    #[inline]
    fn is_drawn(&self, position: &Position) -> bool {
        position.drawn_by_rule()
    }

    #[inline]
    fn is_lost(&self, position: &Position) -> bool {
        is_checkmate(position)
    }

    #[inline]
    fn may_win_at_once(&self, position: &Position, mv: Move) -> bool {
        position.gives_check(mv)
    }

    /// Counts replies where there are few: in check.
    #[inline]
    fn first_sight(&self, position: &Position, _: usize) -> Sight {
        match position.in_check() {
            true => by_mobility(position),
            false => Sight::Open { proof: QUIET, disproof: 1 },
        }
    }
}

/// Whether the side to move is mated. It tests first whether the king has a flight square, as most kings
/// do.
fn is_checkmate(position: &Position) -> bool {
    if !position.in_check() {
        return false;
    }
    let (board, us) = (position.board(), position.turn());
    let Some(king) = board.king_of(us) else { return false };
    let occupied = board.occupied().without(king);
    let flights = attacks::king_attacks(king) & !board.by_color(us);
    flights.into_iter().all(|to| board.attacks_to(to, !us, occupied).any())
        && position.as_chess().legal_moves().is_empty()
}

/// The side that is to mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// The side to move.
    Mover,
    /// The other side.
    Other,
}

impl Winner {
    /// Returns the plies of a mate in `moves` moves, at most [`MAX_PLY`].
    pub fn plies(self, moves: usize) -> usize {
        let plies = moves.saturating_mul(2);
        match self {
            Winner::Mover => plies.clamp(1, MAX_PLY) - 1,
            Winner::Other => plies.min(MAX_PLY),
        }
    }

    /// Returns the moves of a mate in `plies` plies: the moves of the side that mates, or of the side
    /// that is mated.
    pub fn moves(plies: usize) -> usize {
        plies.div_ceil(2)
    }

    /// Returns the colour of the winner.
    pub fn color(self, position: &Position) -> Color {
        match self {
            Winner::Mover => position.turn(),
            Winner::Other => !position.turn(),
        }
    }
}

/// Returns the number of moves within which an answer proves that there is no mate, if it does.
pub fn no_mate_in(answer: Answer) -> Option<usize> {
    match answer {
        Answer::Proven { plies, shortest: true } => {
            Winner::moves(plies).checked_sub(1).filter(|moves| *moves > 0)
        }
        Answer::Proven { .. } => None,
        Answer::Disproven { within } => Some(Winner::moves(within)),
        Answer::Unknown { disproven, .. } => disproven.map(Winner::moves).filter(|moves| *moves > 0),
    }
}

/// A mate that was proven, and replayed by the rules.
#[derive(Clone, Debug)]
pub struct Mate {
    /// The winner's strategy.
    pub strategy: Strategy<Move>,
    /// The length of the mate, and the longest line.
    pub replayed: Replayed<Move>,
}

impl Mate {
    /// Returns the strategy as a certificate that `cassius check` reads, for the position it was found
    /// for.
    ///
    /// # Errors
    /// If the written strategy has more than `most` positions.
    pub fn certificate(&self, position: &Position, most: usize) -> Result<Certificate, TooLarge> {
        let name = |position: &Position, mv| position.uci(mv);
        let position = &certificate::as_written(position);
        let mut certificate = proof::certificate(position, &self.strategy, self.replayed.plies, most, &name)?;
        certificate.game = certificate::GAME.into();
        certificate.position = position.to_string();
        certificate.values = certificate::values(&Evaluation::default());
        Ok(certificate)
    }
}

/// The kind of mate to search for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A mate within this many plies ([`Winner::plies`]), then the shortest.
    Within(usize),
    /// Any mate within this many plies, then the shortest. Suited to many plies: shorter mates are
    /// searched for from the beginning.
    Shortest(usize),
    /// Any mate within this many plies.
    Any(usize),
}

/// Searches for mates.
pub struct MateSearch<'a> {
    prover: Prover<'a, Position, Mating>,
}

impl<'a> MateSearch<'a> {
    /// Creates a search whose table and limits are shared by all its questions.
    pub fn new(table: ProofTable, limits: &'a dyn Limits) -> Self {
        MateSearch { prover: Prover::new(Mating, table, limits) }
    }

    /// Returns the number of positions visited so far.
    pub fn nodes(&self) -> u64 {
        self.prover.nodes()
    }

    /// Returns the table with everything proven so far.
    pub fn into_table(self) -> ProofTable {
        self.prover.into_table()
    }

    /// Searches for mates. `found` is called with every mate that was proven and replayed, and the nodes
    /// so far. The answer is about the last of them. A mate whose strategy could not be read before the
    /// limits were reached is not reported and does not enter the answer.
    pub fn find(&mut self, position: &Position, aim: Aim, found: &mut dyn FnMut(u64, Mate)) -> Answer {
        let mut told = None;
        let mut tell = |prover: &mut Prover<'a, Position, Mating>, plies: usize| {
            if told.is_none_or(|told| plies < told)
                && let Ok(Some(strategy)) = prover.strategy(position, plies)
                && let Ok(replayed) = prover.replay(position, &strategy, Position::drawn_by_rule)
            {
                told = Some(replayed.plies);
                found(prover.nodes(), Mate { strategy, replayed });
            }
        };
        let prover = &mut self.prover;
        let mut answer = match aim {
            Aim::Within(plies) => prover.shortest(position, plies, &mut tell),
            Aim::Shortest(plies) | Aim::Any(plies) => prover.any(position, plies),
        };
        if let Answer::Proven { plies, shortest } = answer
            && !matches!(aim, Aim::Within(_))
        {
            tell(prover, plies);
            if !shortest && matches!(aim, Aim::Shortest(_)) {
                answer = prover.shortest(position, plies, &mut tell);
            }
        }
        match (answer, told) {
            // The last proof may be of a shorter mate than the last one replayed. Then the replayed mate
            // is not the shortest.
            (Answer::Proven { plies: proven, shortest }, Some(plies)) => {
                Answer::Proven { plies, shortest: shortest && plies <= proven }
            }
            (Answer::Unknown { .. }, Some(plies)) => Answer::Proven { plies, shortest: false },
            (Answer::Proven { .. }, None) => Answer::Unknown { disproven: None, proof: 1, disproof: 1 },
            (answer, _) => answer,
        }
    }

    /// Returns for each legal move whether the side to move mates with it within `plies` plies, this
    /// move included, by a replayed strategy; `None` where the limits were reached first.
    pub fn solutions(&mut self, position: &Position, plies: usize) -> Vec<(Move, Option<bool>)> {
        let mut answers = Vec::new();
        for mv in position.legal_moves() {
            let mut child = position.clone();
            child.play(mv);
            let left = plies.saturating_sub(1);
            let wins = match self.prover.within(&child, left) {
                Answer::Disproven { .. } => Some(false),
                Answer::Unknown { .. } => None,
                Answer::Proven { plies, .. } => {
                    let strategy = self.prover.strategy(&child, plies).ok().flatten();
                    strategy
                        .and_then(|strategy| {
                            self.prover.replay(&child, &strategy, Position::drawn_by_rule).ok()
                        })
                        .map(|_| true)
                }
            };
            answers.push((mv, wins));
        }
        answers
    }
}
