//! Null move in zugzwang: finds the values that it makes wrong, and those of them that its guard
//! corrects.

use super::full_width::{FullWidth, Until};
use super::iterative_deepening::MIDDLEGAMES;
use crate::experiment::{Context, Experiment, Findings, Interrupted, Tolerance, Unfinished};
use cassius_chess::{Evaluation, Evaluator, Move, Position};
use cassius_search::alpha_beta::Node;
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::order::{Killers, NoisyFirst};
use cassius_search::alpha_beta::quiescence::Captures;
use cassius_search::alpha_beta::selectivity::{NullMove, Passing};
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::{Checks as _, Component, Depth, Off, Pass as _, Request, Score, Slots, Table, search};

/// Eppstein's advice on null move.
pub static NULL_MOVE: Experiment = Experiment {
    id: "null-move",
    claim: "The null move changes the result of a search where a pass is worth more than any move; a guard \
            that passes only with a piece left (the notes say many) corrects this in pawn endings",
    paper: "D. Eppstein: Which nodes to search? Full-width vs. selective search, lecture notes, 1999",
    section: "Null-move search",
    cases: None,
    run,
};

/// A pass wherever the side to move is not in check, or only where the game's guard allows one.
#[derive(Default)]
struct Pass<const GUARDED: bool>;

impl<const GUARDED: bool> Component for Pass<GUARDED> {
    const NAME: &'static str = "Pass";
}

impl<const GUARDED: bool> Passing<Position> for Pass<GUARDED> {
    fn pass(&self, node: &Node<'_, Position>) -> Option<(Position, Depth)> {
        let (position, beta) = (node.position, node.window.beta);
        let allowed = if GUARDED { position.may_pass() } else { !position.in_check() };
        let tried = allowed
            && node.fail_high_depth >= Depth::plies(2)
            && node.static_eval >= beta
            && beta > -Score::MAX_ESTIMATE;
        tried.then(|| {
            let mut child = position.clone();
            child.pass();
            (child, Depth::plies(2))
        })
    }
}

/// Alpha-beta with quiescence, a table, an order, and the given kind of pass.
type Passes<N> =
    FullWidth<Evaluator, Plies, Captures, (NoisyFirst, Killers), Repetition, Off, MinimalWindow, Table, N>;

/// The result of a search to a depth.
#[derive(Clone, Debug, PartialEq)]
struct Found {
    value: Score,
    best: Move,
    nodes: u64,
}

fn solve<N: Passing<Position> + Default>(
    fen: &str,
    depth: usize,
    context: &Context<'_>,
) -> Result<Found, Interrupted> {
    let position: Position = fen.parse().expect("a position of this file's own");
    let table = Table::new(1).expect("a small table");
    let mut slots = Slots::<Position, Passes<N>>::new(Evaluator::of(&Evaluation::Classical), table, Off);
    let limits = Until::stopped(context.stop);
    let answer = search(&mut slots, &Request::new(&position, &limits).to_iteration(depth), &mut |_| {});
    match (answer.complete, answer.score(), answer.best()) {
        (true, Some(value), Some(best)) => Ok(Found { value, best, nodes: answer.nodes }),
        _ => Err(Interrupted),
    }
}

/// Pawn endings, and depths at which a pass makes a difference. The guard forbids every pass until a
/// pawn has promoted.
const PAWNS: [(&str, usize); 4] = [
    ("8/8/8/8/3p4/3P1k2/8/4K3 w - - 0 1", 9),
    ("8/8/1k6/p1p5/P1P5/1K6/8/8 w - - 0 1", 9),
    ("8/8/8/2k5/p1p5/P1P5/1K6/8 b - - 0 1", 7),
    ("k7/8/K1P5/8/8/8/8/8 w - - 0 1", 7),
];

/// White waits with Kh6, because every move of Black loses something. Both sides have pieces, so the
/// guard sees no danger.
const PIECES: (&str, usize) = ("1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", 5);

/// The kinds of pass, by name.
type Way = fn(&str, usize, &Context<'_>) -> Result<Found, Interrupted>;
const UNGUARDED: &str = "no guard";
const WAYS: [(&str, Way); 3] = [
    (UNGUARDED, solve::<Pass<false>>),
    ("the guard", solve::<Pass<true>>),
    ("the component `NullMove`", solve::<NullMove>),
];

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let depth = if context.quick { 5 } else { 7 };
    let middlegames = MIDDLEGAMES.map(|fen| (fen, depth));
    let search = |way: Way| -> Result<[Vec<Found>; 3], Interrupted> {
        let all = |set: &[(&str, usize)]| -> Result<Vec<Found>, Interrupted> {
            set.iter().map(|&(fen, depth)| way(fen, depth, context)).collect()
        };
        Ok([all(&PAWNS)?, all(&[PIECES])?, all(&middlegames)?])
    };
    let changed = |found: &[Found], plain: &[Found]| {
        found.iter().zip(plain).filter(|(found, plain)| found.value != plain.value).count() as f64
    };
    let nodes = |found: &[Found]| found.iter().map(|found| found.nodes).sum::<u64>() as f64;

    let mut findings = Findings { conditions: vec!["positions", "pass with"], ..Findings::default() };
    let steps = 1 + WAYS.len();
    context.step(0, steps)?;
    let plain = search(solve::<Off>)?;
    for (done, (name, way)) in WAYS.into_iter().enumerate() {
        context.step(1 + done, steps)?;
        let [pawns, pieces, middle] = search(way)?;
        let mut row = |quantity: &str, positions: &str, paper: Option<f64>, value: f64| {
            let tolerance = if paper.is_some() { Tolerance::Exact } else { Tolerance::Any };
            findings.row(quantity, &[&positions, &name], paper, value, tolerance);
        };
        let wrong = changed(&pawns, &plain[0]);
        row("values that a pass changes", "pawns in zugzwang", None, wrong);
        // Without a guard the result may change. With one it should not.
        let (claim, paper) = ("a pass changes a value (1: yes)", f64::from(u8::from(name == UNGUARDED)));
        row(claim, "pawns in zugzwang", Some(paper), f64::from(u8::from(wrong > 0.0)));
        let missed = pieces[0].best != plain[1][0].best;
        row("waiting move missed (1: yes)", "pieces in zugzwang", None, f64::from(u8::from(missed)));
        let loss = f64::from((plain[1][0].value - pieces[0].value).0);
        row("value lost, hundredths of a pawn", "pieces in zugzwang", None, loss);
        let positions = format!("{} middlegames, {depth} plies", MIDDLEGAMES.len());
        row("values that a pass changes", &positions, None, changed(&middle, &plain[2]));
        row("nodes, without a pass = 1", &positions, None, nodes(&middle) / nodes(&plain[2]));
    }
    (context.progress)(steps, steps);
    findings.notes = vec![
        format!(
            "Positions and depths are our choice; judged is that a pass changes a value where there is no \
             guard, and none where there is one: {} endings of pawns alone, and depths of 7 or 9 plies, \
             chosen because a pass without a guard makes a difference to each; pieces: {}, {} plies, chosen \
             because the guard sees no danger there.",
            PAWNS.len(),
            PIECES.0,
            PIECES.1
        ),
        "A pass costs its own ply and two, as in the notes (`depth-3`); never \
         two in a row. The guard asks for a piece of the side to move. The \
         component reduces more the deeper it is and the more the value exceeds β."
            .into(),
        "Alpha-beta with captures at the horizon, a table and killers, nothing else selective.".into(),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn found<N: Passing<Position> + Default>(fen: &str, depth: usize) -> (Score, String) {
        let stop = AtomicBool::new(false);
        let found = solve::<N>(fen, depth, &Context::new(true, &|_, _| {}, &stop)).expect("not interrupted");
        (found.value, found.best.to_string())
    }

    #[test]
    fn the_guard_mends_what_a_pass_spoils_in_pawn_endings() {
        for (fen, depth) in PAWNS {
            let right = found::<Off>(fen, depth);
            assert_ne!(found::<Pass<false>>(fen, depth).0, right.0, "{fen}");
            assert_eq!(found::<Pass<true>>(fen, depth), right, "{fen}");
            assert_eq!(found::<NullMove>(fen, depth), right, "{fen}");
        }
    }

    #[test]
    fn the_guard_does_not_see_zugzwang_with_pieces() {
        let (fen, depth) = PIECES;
        let (value, best) = found::<Off>(fen, depth);
        assert_eq!(best, "g5h6", "the waiting move");
        let (guarded, other) = found::<NullMove>(fen, depth);
        assert!(guarded < value && other != best, "{guarded:?} {other}");
    }
}
