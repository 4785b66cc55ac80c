//! `go mate N`: a mate that is proven, before the search that plays.
//!
//! While it is being proven there is a table of proofs, as large as `Hash` says, besides the one of the search that plays: that
//! one keeps what it has learned, and both together take twice as much memory.

use super::info::{self, Facts};
use super::session::Order;
use crate::clock::{Budget, Clock, Control, Time};
use cassius_chess::mate::{Aim, Mate, MateSearch, Winner};
use cassius_chess::{Move, Position};
use cassius_search::proof::{Answer, ProofTable};
use cassius_search::{Bound, Depth, Depths, Game as _, MAX_PLY, Report, Score};
use std::sync::Arc;

/// Nodes of the search that plays, if there is no mate and nothing else limits it: about a second.
const ENOUGH: u64 = 1_000_000;

/// Looks for a mate in so many moves, with one of the moves of `order` if it names any, with three quarters of the time and of the nodes. If it is there, says so, and returns the line
/// with the `bestmove`. Also returns the nodes that it took. `hash` is the size of the table of proofs, in MiB.
pub fn search(
    order: &Order,
    moves: u32,
    hash: usize,
    control: Arc<Control>,
    say: &dyn Fn(String),
) -> (Option<String>, u64) {
    let budget = order.budget.for_proof();
    let table = match ProofTable::new(fitting(hash, budget.time)) {
        Ok(table) => table,
        Err(error) => {
            say(format!("info string go mate: {error}"));
            return (None, 0);
        }
    };
    let position = &order.position;
    let limits = Clock::new(&budget, 2, control);
    let mut search = MateSearch::new(table, &limits);
    let mut best = None;
    let moves = (moves as usize).min(MAX_PLY / 2);
    let mut tell = |nodes: u64, mate: Mate| {
        let plies = mate.replayed.plies;
        let report = Report {
            iteration: plies,
            depths: Depths::both(Depth::plies(plies as i32)),
            range: None,
            max_ply: plies,
            line: 0,
            score: Score::win_in(plies),
            bound: Bound::Exact,
            nodes,
            pv: mate.replayed.line,
        };
        let facts = Facts { elapsed: limits.control().elapsed(), wdl: order.wdl, ..Facts::default() };
        info::line(position, &report, &facts).into_iter().for_each(say);
        best = Some(info::best_line(position, &report.pv));
    };
    let answer = match order.moves.is_empty() {
        true => search.find(position, Aim::Within(Winner::Mover.plies(moves)), &mut tell),
        false => with_one_of(&order.moves, &mut search, position, moves, &mut tell),
    };
    let said = match answer {
        Answer::Proven { plies, shortest: true } => {
            Some(format!("mate in {}, proven: none is shorter", Winner::moves(plies)))
        }
        Answer::Proven { .. } => None,
        Answer::Disproven { .. } => Some(format!("no mate in {moves}, proven")),
        Answer::Unknown { .. } => Some(format!("no mate in {moves} found, given up")),
    };
    said.into_iter().for_each(|text| say(format!("info string {text}")));
    (best, search.nodes())
}

/// Looks for the shortest mate that begins with one of some moves.
fn with_one_of(
    first: &[Move],
    search: &mut MateSearch<'_>,
    position: &Position,
    moves: usize,
    tell: &mut dyn FnMut(u64, Mate),
) -> Answer {
    for plies in (1..=moves).map(|moves| Winner::Mover.plies(moves)) {
        for mv in first {
            let mut after = position.clone();
            after.play(*mv);
            let mut mate = None;
            let answer = search.find(&after, Aim::Any(plies - 1), &mut |_, found| mate = Some(found));
            match (answer, mate) {
                (Answer::Disproven { .. }, _) => {}
                (answer, None) => return answer,
                (_, Some(mut mate)) => {
                    mate.replayed.plies += 1;
                    mate.replayed.line.insert(0, *mv);
                    tell(search.nodes(), mate);
                    return Answer::Proven { plies, shortest: true };
                }
            }
        }
    }
    Answer::Disproven { within: Winner::Mover.plies(moves) }
}

/// No more MiB than a search of so much time could fill: to empty a table takes time too, in which nobody looks at the clock.
fn fitting(hash: usize, time: Time) -> usize {
    match time {
        // A MiB are 40 thousand positions; in two milliseconds 20 thousand are looked at.
        Time::Exact(time) => hash.min(usize::try_from(time.as_millis() / 2).unwrap_or(usize::MAX)).max(1),
        Time::Unlimited | Time::Game { .. } => hash,
    }
}

/// What is left of a budget after so many nodes.
pub fn rest(budget: &Budget, nodes: u64, iterations: usize) -> Budget {
    let mut rest =
        Budget { nodes: budget.nodes.map(|limit| limit.saturating_sub(nodes).max(1)), ..budget.clone() };
    if iterations >= MAX_PLY && rest.nodes.is_none() && rest.time == Time::Unlimited {
        // A mate that is not there would be looked for for ever.
        rest.nodes = Some(ENOUGH);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_table_fits_the_time() {
        let exactly = |millis| Time::Exact(Duration::from_millis(millis));
        assert_eq!(fitting(1024, Time::Unlimited), 1024);
        assert_eq!(fitting(1024, exactly(60_000)), 1024);
        assert_eq!(fitting(1024, exactly(100)), 50);
        assert_eq!(fitting(16, exactly(100)), 16);
        assert_eq!(fitting(1024, exactly(0)), 1);
    }
}
