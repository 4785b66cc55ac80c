//! `go mate N`: tries to prove a mate before the normal search.
//!
//! The proof search has its own table, as large as `Hash` says. The transposition table of the normal
//! search keeps its contents meanwhile, so both together take twice as much memory.

use super::info::{self, Facts};
use super::session::Order;
use crate::clock::{Allowance, Clock, Control, Time};
use cassius_chess::mate::{Aim, Mate, MateSearch, Winner};
use cassius_chess::tablebase::has_repeated;
use cassius_chess::{Move, Position};
use cassius_search::proof::{Answer, ProofTable};
use cassius_search::{Bound, Depth, Depths, Game as _, MAX_PLY, Report, Score};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// How much longer the search goes on after the first mate, if no other limit is set.
const ENOUGH: Duration = Duration::from_secs(1);

/// Searches for a mate in the given number of moves, with three quarters of the time and of the nodes.
/// The first move is one of the moves of `order`, if it names any. If a mate is found, reports it and
/// returns the line with the `bestmove`. If more lines are asked for, goes on to mates with other first
/// moves, the shortest first. Nothing is proven where a draw could be claimed. Also returns the number of
/// nodes searched. `hash` is the size of the proof table, in MiB.
pub fn search(
    order: &Order,
    moves: u32,
    hash: usize,
    control: &Arc<Control>,
    say: &dyn Fn(String),
) -> (Option<String>, u64) {
    if order.position.halfmoves() >= 100 {
        say("info string go mate: a draw can be claimed by the fifty-move rule, so nothing is proven".into());
        return (None, 0);
    }
    if has_repeated(&order.position, &order.before) {
        // A proof takes no account of them.
        say("info string go mate: some position has occurred twice, so nothing is proven".into());
        return (None, 0);
    }
    let allowance = order.allowance.for_proof();
    let table = match ProofTable::new(hash) {
        Ok(table) => table,
        Err(error) => {
            say(format!("info string go mate: {error}"));
            return (None, 0);
        }
    };
    let position = &order.position;
    let moves = (moves as usize).min(MAX_PLY / 2);
    let mut first = None;
    let limits = Clock::new(&allowance, 2, control.clone());
    let mut search = MateSearch::new(table, &limits);
    let mut tell = |line, nodes, mate| first = Some(show(order, control, say, line, nodes, mate));
    let answer = match order.moves.is_empty() {
        true => {
            let aim = Aim::Within(Winner::Mover.plies(moves));
            search.find(position, aim, &mut |nodes, mate| tell(0, nodes, mate))
        }
        false => with_each_of(&order.moves, 0..1, &mut search, position, moves, &mut tell),
    };
    let among = if order.moves.is_empty() { "" } else { " with these moves" };
    match answer {
        Answer::Proven { plies, shortest: true } => {
            say(format!("info string mate in {} proven; no mate{among} is shorter", Winner::moves(plies)));
        }
        Answer::Proven { .. } => {}
        Answer::Disproven { .. } => say(format!("info string no mate in {moves}{among} (proven)")),
        Answer::Unknown { .. } => say(format!("info string no mate in {moves}{among} found (undecided)")),
    }
    let spent = search.nodes();
    let Some(line) = first else { return (None, spent) };
    let best = info::best_line(position, &line);
    if order.lines == 1 {
        return (Some(best), spent);
    }
    let mut others = if order.moves.is_empty() { position.legal_moves() } else { order.moves.clone() };
    others.retain(|mv| line.first() != Some(mv));
    let limits =
        Clock::new(&rest(&allowance, order.is_infinite(), spent, control, MAX_PLY), 2, control.clone());
    let mut search = MateSearch::new(search.into_table(), &limits);
    let mut tell = |line, nodes, mate| drop(show(order, control, say, line, spent + nodes, mate));
    match with_each_of(&others, 1..order.lines, &mut search, position, moves, &mut tell) {
        Answer::Proven { .. } => {}
        Answer::Disproven { .. } => say(format!("info string no other mate in {moves}{among} (proven)")),
        Answer::Unknown { .. } => {
            say(format!("info string no other mate in {moves}{among} found (undecided)"))
        }
    }
    (Some(best), spent + search.nodes())
}

/// Reports a mate. Returns its line.
fn show(
    order: &Order,
    control: &Control,
    say: &dyn Fn(String),
    line: usize,
    nodes: u64,
    mate: Mate,
) -> Vec<Move> {
    let plies = mate.replayed.plies;
    let report = Report {
        iteration: plies,
        depths: Depths::both(Depth::plies(plies as i32)),
        range: None,
        max_ply: plies,
        line,
        score: Score::win_in(plies),
        bound: Some(Bound::Exact),
        nodes,
        pv: mate.replayed.line,
    };
    let facts = Facts { elapsed: control.elapsed(), wdl: order.wdl, ..Facts::default() };
    info::line(&order.position, &report, &facts).into_iter().for_each(say);
    report.pv
}

/// Searches for a mate with each of the given moves, the shortest first, until each of the lines has
/// one. Returns `Proven` if all lines have one, otherwise the result for the remaining moves.
fn with_each_of(
    choices: &[Move],
    mut lines: Range<usize>,
    search: &mut MateSearch<'_>,
    position: &Position,
    moves: usize,
    tell: &mut dyn FnMut(usize, u64, Mate),
) -> Answer {
    let mut open = choices.to_vec();
    for plies in (1..=moves).map(|moves| Winner::Mover.plies(moves)) {
        for mv in std::mem::take(&mut open) {
            let mut after = position.clone();
            after.play(mv);
            let mut mate = None;
            let answer = search.find(&after, Aim::Any(plies - 1), &mut |_, found| mate = Some(found));
            match (answer, mate) {
                (Answer::Disproven { .. }, _) => open.push(mv),
                (answer, None) => return answer,
                (_, Some(mut mate)) => {
                    mate.replayed.plies += 1;
                    mate.replayed.line.insert(0, mv);
                    tell(lines.start, search.nodes(), mate);
                    lines.start += 1;
                    if lines.is_empty() {
                        return Answer::Proven { plies, shortest: true };
                    }
                }
            }
        }
    }
    Answer::Disproven { within: Winner::Mover.plies(moves) }
}

/// Returns what is left of an allowance after the given nodes and time, for a search with the given number
/// of iterations. An `infinite` one goes on until `stop`.
pub fn rest(
    allowance: &Allowance,
    infinite: bool,
    nodes: u64,
    control: &Control,
    iterations: usize,
) -> Allowance {
    let nodes = allowance.nodes.map(|limit| limit.saturating_sub(nodes).max(1));
    let time = match allowance.time {
        // Without a limit, the search for a mate that does not exist would never end.
        // Time begins to count with `ponderhit`.
        Time::Unlimited if nodes.is_none() && iterations >= MAX_PLY && !infinite => {
            Time::Exact(control.spent().unwrap_or_default() + ENOUGH)
        }
        time => time,
    };
    Allowance { nodes, time, ..allowance.clone() }
}
