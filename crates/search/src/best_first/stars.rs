//! Finds a move by SSS* or DUAL*: searches to one ply, then to two, and so on, until a limit is reached
//! or the list is full.
//!
//! A search to a fixed depth has no result before its end, and its duration is unknown. Therefore
//! shallower searches are run first. They cost little compared to the deepest one. Lines after the best
//! one are found by searches of the remaining moves.

use super::sss_star::{Unsolved, search, states_within};
use super::{Solution, Star};
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::{Answer, MAX_PLY, Report, Request};
use crate::depth::{Depth, Depths};
use crate::game::{Evaluate, Game};
use crate::limits::{Limits, Progress};
use crate::score::Score;
use crate::window::Bound;

/// Searches to as many plies as the request has iterations, with lists that take no more than this many
/// MiB. The answer is that of the last depth that was finished. It is [full](Answer::full) if the list
/// was too short for the next depth. Nodes are moves that were played.
///
/// ```
/// use cassius_search::best_first::{Star, stars};
/// use cassius_search::{Game, Nodes, Off, Outcome, Request, Score};
///
/// /// Take one or two stones; who takes the last one wins.
/// #[derive(Clone)]
/// struct Stones(u8);
/// impl Game for Stones {
///     type Move = u8;
///     fn moves(&self, moves: &mut Vec<u8>) {
///         moves.extend((1..=2).filter(|taken| *taken <= self.0));
///     }
///     fn play(&mut self, taken: u8) {
///         self.0 -= taken;
///     }
///     fn outcome(&self) -> Outcome {
///         Outcome::Loss
///     }
/// }
///
/// let request = Request { lines: 2, ..Request::new(&Stones(4), &Nodes(1_000)) };
/// let answer = stars::<_, Off>(&request, &mut |_: &Stones| Score::DRAW, Star::Sss, 1, &mut |_| {});
/// let lines: Vec<_> = answer.lines.iter().map(|line| (line.pv[0], line.score)).collect();
/// assert_eq!(lines, [(1, Score::win_in(3)), (2, Score::loss_in(2))]);
/// assert!(answer.complete && answer.nodes < 100); // all lines end after four plies
/// ```
pub fn stars<G: Game, D: Draws<G>>(
    request: &Request<'_, G>,
    evaluate: &mut impl Evaluate<G>,
    star: Star,
    mib: usize,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Answer<G::Move> {
    let mut moves = Vec::new();
    request.position.moves(&mut moves);
    moves.retain(|mv| request.moves.is_empty() || request.moves.contains(mv));
    let mut answer = Answer::nothing();
    let Some(&first) = moves.first() else { return answer };
    let mut stable = 0;
    for depth in 1..=request.iterations.min(MAX_PLY) {
        let most = states_within::<G>(mib, depth);
        let (mut left, mut lines, mut estimates) = (moves.clone(), Vec::new(), 0);
        while lines.len() < request.lines.clamp(1, moves.len()) {
            let limits = &After { limits: request.limits, nodes: answer.nodes };
            let rest = Request { limits, ..*request };
            match search::<G, D>(&rest, &left, depth, evaluate, star, most) {
                Ok(found) => {
                    let best = found.best.expect("a root with moves, searched to a ply or more");
                    answer.nodes += found.nodes;
                    estimates += found.estimates;
                    left.retain(|mv| *mv != best);
                    lines.push(line(depth, lines.len(), &found, best, answer.nodes));
                }
                Err(unsolved) => {
                    match unsolved {
                        Unsolved::Full(_, nodes) => {
                            (answer.full, answer.nodes) = (true, answer.nodes + nodes)
                        }
                        Unsolved::Stopped(nodes) => answer.nodes += nodes,
                    }
                    answer.complete = false;
                    if answer.lines.is_empty() {
                        answer.lines.push(unknown(first, answer.nodes));
                    }
                    return answer;
                }
            }
        }
        lines.iter().for_each(&mut *report);
        let before = answer.lines.first().map(|line| (line.pv[0], line.score));
        let (best, score) = (lines[0].pv[0], lines[0].score);
        answer.lines = lines;
        if estimates == 0 {
            break; // every line that matters has been played out
        }
        stable = if before.is_some_and(|(mv, _)| mv == best) { stable + 1 } else { 0 };
        let fall = before.map_or(0, |(_, before)| before.0 - score.0);
        let progress = Progress { nodes: answer.nodes, iteration: depth, score, stable, fall, effort: 0.5 };
        if !request.limits.go_on(&progress) {
            answer.complete = depth == request.iterations;
            break;
        }
    }
    answer
}

fn line<M: Copy>(depth: usize, line: usize, found: &Solution<M>, best: M, nodes: u64) -> Report<M> {
    Report {
        iteration: depth,
        depths: Depths::both(Depth::plies(depth as i32)),
        range: None,
        max_ply: depth,
        line,
        score: found.value,
        bound: Some(Bound::Exact),
        nodes,
        pv: vec![best],
    }
}

/// Returns the report if there was no time, or no room, to compare moves.
pub(super) fn unknown<M>(mv: M, nodes: u64) -> Report<M> {
    Report {
        iteration: 0,
        depths: Depths::both(Depth::ZERO),
        range: None,
        max_ply: 0,
        line: 0,
        score: Score::DRAW,
        bound: None,
        nodes,
        pv: vec![mv],
    }
}

/// The limits for a search that follows after this many nodes.
struct After<'a> {
    limits: &'a dyn Limits,
    nodes: u64,
}

impl Limits for After<'_> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        self.limits.poll(self.nodes + nodes).map(|next| next.saturating_sub(self.nodes))
    }

    fn ends_now(&self) -> bool {
        self.limits.ends_now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::Off;
    use crate::game::Outcome;
    use crate::limits::Unlimited;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    thread_local! {
        /// How often two moves were compared.
        static COMPARED: Cell<u64> = const { Cell::new(0) };
    }

    #[derive(Clone, Copy, Debug)]
    struct Branch(u16);

    impl PartialEq for Branch {
        fn eq(&self, other: &Branch) -> bool {
            COMPARED.set(COMPARED.get() + 1);
            self.0 == other.0
        }
    }

    const WIDTH: u16 = 600;

    /// Many moves, and then the game is over.
    #[derive(Clone)]
    struct Wide(Option<Branch>);

    impl Game for Wide {
        type Move = Branch;

        fn moves(&self, moves: &mut Vec<Branch>) {
            if self.0.is_none() {
                moves.extend((0..WIDTH).map(Branch));
            }
        }

        fn play(&mut self, branch: Branch) {
            self.0 = Some(branch);
        }

        fn outcome(&self) -> Outcome {
            Outcome::Draw
        }
    }

    /// The moves of the root are not looked for again in a list after every move.
    #[test]
    fn many_moves_are_not_compared_with_each_other() {
        for star in [Star::Sss, Star::Dual] {
            COMPARED.set(0);
            let request = Request::new(&Wide(None), &Unlimited);
            let answer = stars::<_, Off>(&request, &mut |_: &Wide| Score::DRAW, star, 1, &mut |_| {});
            assert!(answer.complete && answer.nodes == u64::from(WIDTH), "{answer:?}");
            assert!(COMPARED.get() <= u64::from(WIDTH), "{star:?}: {} comparisons", COMPARED.get());
        }
    }

    /// No limit of nodes; the search must end when this has been asked a second time.
    #[derive(Default)]
    struct Asked(AtomicU64);

    impl Limits for Asked {
        fn poll(&self, _: u64) -> Option<u64> {
            Some(u64::MAX)
        }

        fn ends_now(&self) -> bool {
            self.0.fetch_add(1, Relaxed) > 0
        }
    }

    /// A limit of time holds while the leaves are scored, when no moves are played any more.
    #[test]
    fn limits_hold_while_leaves_are_scored() {
        for star in [Star::Sss, Star::Dual] {
            let limits = Asked::default();
            let request = Request::new(&Wide(None), &limits);
            let answer = stars::<_, Off>(&request, &mut |_: &Wide| Score::DRAW, star, 1, &mut |_| {});
            assert!(!answer.complete && limits.0.load(Relaxed) == 2, "{star:?}: {answer:?}");
        }
    }
}
