//! Finds a move by proofs: asks whether the side to move wins, and if it does not, whether the other
//! side wins.
//!
//! Both questions are asked for as many plies as the request has iterations. If there is a win, shorter
//! wins are sought as long as the limits allow. For lines after the best one, the same questions are
//! asked about the remaining moves.
//! *Soundness:* exact: a value that is not proven is not reported. A draw means that neither side wins,
//! however long the game goes on. An answer is complete only if its values are exact.

use super::{Answer, Attack, ProofTable, Prover, Sight};
use crate::alpha_beta::{MAX_PLY, Report, Request};
use crate::depth::{Depth, Depths};
use crate::game::{Game, Outcome};
use crate::limits::Limits;
use crate::score::Score;
use crate::window::Bound;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Searches by [`Prover`]. The value of a line is the value of its first move. It is exact; or a bound,
/// if there may be a shorter win than the one found or if only one side's win has been ruled out; or
/// unknown, without a bound ([`Report::proof`]). The range of the line says the same. Nodes are moves that
/// were played. A ninth of the limit is reserved for finding the moves of the line.
///
/// ```
/// use cassius_search::proof::{Mobility, ProofTable, search};
/// use cassius_search::{Bound, Game, Keyed, Nodes, Outcome, Request, Score, mix};
///
/// /// Take one or two stones; who takes the last one wins.
/// #[derive(Clone)]
/// struct Stones(u64);
///
/// impl Game for Stones {
///     type Move = u64;
///     fn moves(&self, moves: &mut Vec<u64>) {
///         moves.extend((1..=2).filter(|taken| *taken <= self.0));
///     }
///     fn play(&mut self, taken: u64) {
///         self.0 -= taken;
///     }
///     fn outcome(&self) -> Outcome {
///         Outcome::Loss
///     }
/// }
///
/// impl Keyed for Stones {
///     fn key(&self) -> u64 {
///         mix(self.0)
///     }
///     fn code(&self, taken: u64) -> u16 {
///         taken as u16
///     }
/// }
///
/// let answer = search(Mobility, ProofTable::new(1)?, &Request::new(&Stones(7), &Nodes(1_000)), &mut |_| {});
/// let best = &answer.lines[0];
/// assert_eq!((best.score, best.bound), (Score::win_in(5), Some(Bound::Exact)));
/// assert_eq!(best.pv, [1, 1, 2, 1, 2]);
/// # Ok::<(), cassius_search::alpha_beta::memory::TableError>(())
/// ```
pub fn search<G: Game, A: Attack<G>>(
    attack: A,
    table: ProofTable,
    request: &Request<'_, G>,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> crate::alpha_beta::Answer<G::Move> {
    if request.iterations == 0 {
        return crate::alpha_beta::Answer::nothing();
    }
    let mut moves = Vec::new();
    request.position.moves(&mut moves);
    moves.retain(|mv| request.moves.is_empty() || request.moves.contains(mv));
    let limits = Held { limits: request.limits, holds: AtomicBool::new(true) };
    let mut prover = Prover::new(Around(attack), table, &limits);
    let (mut lines, mut complete) = (Vec::new(), true);
    for line in 0..request.lines.clamp(1, moves.len().max(1)).min(moves.len()) {
        limits.holds.store(true, Relaxed);
        let root =
            Among { position: request.position.clone(), moves: Some(moves[..].into()), line: line as u64 };
        let found = decide(&mut prover, &limits, &root, request.iterations.min(MAX_PLY));
        complete &= found.complete;
        let told = Report {
            iteration: 0,
            depths: Depths::both(Depth::ZERO),
            range: Some(match (found.score, found.bound) {
                (score, Some(Bound::Exact)) => (score, score),
                (least, Some(Bound::Lower)) => (least, Score::INFINITE),
                (greatest, Some(Bound::Upper)) => (-Score::INFINITE, greatest),
                (_, None) => (-Score::INFINITE, Score::INFINITE),
            }),
            max_ply: found.line.len(), // the table does not store how long the other lines were
            line,
            score: found.score,
            bound: found.bound,
            nodes: prover.nodes(),
            pv: found.line,
        };
        report(&told);
        moves.retain(|mv| *mv != told.pv[0]);
        lines.push(told);
    }
    crate::alpha_beta::Answer {
        lines,
        nodes: prover.nodes(),
        complete,
        ..crate::alpha_beta::Answer::nothing()
    }
}

/// What was found about a position.
struct Found<M> {
    score: Score,
    /// `None` if nothing is known.
    bound: Option<Bound>,
    /// The best move and, if there is a win, the moves that follow.
    line: Vec<M>,
    /// Whether the score is exact.
    complete: bool,
}

/// Asks for a win of either side within this many plies, at least one.
fn decide<G: Game, A: Attack<G>>(
    prover: &mut Prover<'_, Among<G>, Around<A>>,
    limits: &Held<'_>,
    root: &Among<G>,
    most: usize,
) -> Found<G::Move> {
    let open = |mv, never_won| {
        let (score, bound) = not_won(never_won, false);
        Found { score, bound, line: vec![mv], complete: false }
    };
    let (own, other) = (most - (most + 1) % 2, most - most % 2);
    let mut never_won = false;
    for (asked, wins) in [(own, true), (other, false)] {
        let answer = prover.any(root, asked);
        let promising = prover.most_promising().unwrap_or_else(|| root.first());
        match answer {
            Answer::Proven { plies, shortest } => {
                return won(prover, limits, root, (plies, shortest)).unwrap_or(open(promising, false));
            }
            Answer::Disproven { .. } if wins => never_won = prover.is_never_won(root, asked),
            Answer::Disproven { .. } => (),
            Answer::Unknown { .. } => return open(promising, never_won),
        }
    }
    limits.holds.store(false, Relaxed);
    let (mv, never_lost) = match prover.refutation(root, other) {
        Ok(Some(found)) => found,
        Ok(None) if other == 0 => (root.first(), false),
        _ => return open(root.first(), never_won), // there was no time left to find the move
    };
    let (score, bound) = not_won(never_won, never_lost);
    Found { score, bound, line: vec![mv], complete: bound == Some(Bound::Exact) }
}

/// Looks for shorter wins if a win within `plies` is not known to be the shortest. `None` if the limits
/// leave no time to find a move.
fn won<G: Game, A: Attack<G>>(
    prover: &mut Prover<'_, Among<G>, Around<A>>,
    limits: &Held<'_>,
    root: &Among<G>,
    (mut plies, mut shortest): (usize, bool),
) -> Option<Found<G::Move>> {
    // No part of a time limit is reserved, so the line that is proven so far is read now.
    let mut line = prover.line(root, plies);
    if !shortest
        && let Answer::Proven { plies: less, shortest: least } = prover.shortest(root, plies, &mut |_, _| {})
    {
        limits.holds.store(false, Relaxed);
        let shorter = if less < plies { prover.line(root, less) } else { Vec::new() };
        if less == plies {
            shortest = least;
        } else if !shorter.is_empty() {
            (plies, shortest, line) = (less, least, shorter);
        }
    }
    limits.holds.store(false, Relaxed);
    if line.is_empty() {
        line = prover.line(root, plies);
    }
    let first = *line.first()?;
    let (score, bound) = match plies % 2 {
        1 => (Score::win_in(plies), if shortest { Bound::Exact } else { Bound::Lower }),
        _ => (Score::loss_in(plies), Bound::Upper),
    };
    if bound != Bound::Upper || !shortest {
        return Some(Found { score, bound: Some(bound), line, complete: shortest });
    }
    // The reply that holds out longest is one against which there is no shorter win.
    let longest = if plies == 2 {
        Some(first)
    } else {
        prover.refutation(root, plies - 2).ok().flatten().map(|(mv, _)| mv)
    };
    let Some(longest) = longest else {
        return Some(Found { score, bound: Some(bound), line, complete: false });
    };
    if longest != first {
        let mut child = root.clone();
        child.play(longest);
        line = vec![longest];
        line.extend(prover.line(&child, plies - 1));
    }
    Some(Found { score, bound: Some(Bound::Exact), line, complete: true })
}

/// Returns the score and bound if no win was found. The arguments say whether the side to move is known
/// never to win, and whether it is known never to lose.
fn not_won(never_won: bool, never_lost: bool) -> (Score, Option<Bound>) {
    match (never_won, never_lost) {
        (true, true) => (Score::DRAW, Some(Bound::Exact)),
        (true, false) => (Score::DRAW, Some(Bound::Upper)),
        (false, true) => (Score::DRAW, Some(Bound::Lower)),
        (false, false) => (Score::DRAW, None),
    }
}

/// A position of which only some moves are considered. Below it all moves are considered.
#[derive(Clone)]
struct Among<G: Game> {
    position: G,
    moves: Option<Rc<[G::Move]>>,
    /// Distinguishes the sets of moves that are considered.
    line: u64,
}

impl<G: Game> Among<G> {
    fn first(&self) -> G::Move {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves[0]
    }
}

impl<G: Game> Game for Among<G> {
    type Move = G::Move;

    fn moves(&self, moves: &mut Vec<G::Move>) {
        match &self.moves {
            Some(some) => moves.extend_from_slice(some),
            None => self.position.moves(moves),
        }
    }

    fn play(&mut self, mv: G::Move) {
        self.position.play(mv);
        self.moves = None;
    }

    fn outcome(&self) -> Outcome {
        self.position.outcome()
    }

    fn count_moves(&self) -> usize {
        self.moves.as_ref().map_or_else(|| self.position.count_moves(), |some| some.len())
    }

    fn is_over(&self) -> bool {
        self.position.is_over()
    }
}

/// The attack of the game, adapted to restricted positions.
struct Around<A>(A);

impl<G: Game, A: Attack<G>> Attack<Among<G>> for Around<A> {
    #[inline]
    fn key(&self, root: &Among<G>, plies: usize) -> u64 {
        let key = self.0.key(&root.position, plies);
        match root.moves {
            Some(_) => key ^ (root.line + 1).wrapping_mul(0xd1b5_4a32_d192_ed03),
            None => key,
        }
    }

    #[inline]
    fn is_drawn(&self, root: &Among<G>) -> bool {
        root.moves.is_none() && self.0.is_drawn(&root.position)
    }

    #[inline]
    fn is_lost(&self, root: &Among<G>) -> bool {
        self.0.is_lost(&root.position)
    }

    #[inline]
    fn may_win_at_once(&self, root: &Among<G>, mv: G::Move) -> bool {
        self.0.may_win_at_once(&root.position, mv)
    }

    #[inline]
    fn first_sight(&self, root: &Among<G>, plies: usize) -> Sight {
        self.0.first_sight(&root.position, plies)
    }
}

/// The limits, minus a ninth of the nodes while `holds` is set.
struct Held<'a> {
    limits: &'a dyn Limits,
    holds: AtomicBool,
}

impl Limits for Held<'_> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        match self.holds.load(Relaxed) {
            true => {
                let next = self.limits.poll(nodes.saturating_add(nodes / 8))?;
                Some((next / 9 * 8).max(nodes + 1))
            }
            false => self.limits.poll(nodes),
        }
    }

    fn ends_now(&self) -> bool {
        self.limits.ends_now()
    }
}
