//! Null move in zugzwang: finds the values that it makes wrong, and those of them that its guard
//! corrects. And two passes in a row.

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
use cassius_search::{
    Checks as _, Component, Depth, Evaluate, Game as _, Off, Pass as _, Request, Score, Slots, Table, search,
};
use std::sync::atomic::Ordering::Relaxed;

/// Eppstein's advice on null move.
pub static NULL_MOVE: Experiment = Experiment {
    id: "null-move",
    claim: "The null move changes the result of a search where a pass is worth more than any move; a guard \
            that passes only with a piece left (the notes say many) corrects this in pawn endings; with \
            two passes in a row a search degenerates to the evaluation",
    paper: "D. Eppstein: Which nodes to search? Full-width vs. selective search, lecture notes, 1999",
    section: "Null-move search",
    cases: None,
    uses: &[],
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

/// When a search may pass, besides never in check.
#[derive(Clone, Copy, PartialEq)]
enum MayPass {
    Never,
    AfterAMove,
    Always,
}

/// Whether a search to `depth` reaches `beta`. The leaves have static values, and a pass costs three plies,
/// as in the notes. Nothing else is selective, so that only the passes make a difference.
fn reaches(
    position: &Position,
    evaluator: &mut Evaluator,
    beta: Score,
    depth: i32,
    may_pass: MayPass,
    after_pass: bool,
) -> bool {
    if depth <= 0 {
        return Evaluate::evaluate(evaluator, position) >= beta;
    }
    let mut refutes = |child: &Position, depth: i32, after_pass: bool| {
        !reaches(child, evaluator, Score(1) - beta, depth, may_pass, after_pass)
    };
    let allowed = may_pass == MayPass::Always || may_pass == MayPass::AfterAMove && !after_pass;
    if allowed && !position.in_check() {
        let mut child = position.clone();
        child.pass();
        if refutes(&child, depth - 3, true) {
            return true;
        }
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    if moves.is_empty() {
        return !position.in_check() && beta <= Score::DRAW;
    }
    moves.into_iter().any(|mv| {
        let mut child = position.clone();
        child.play(mv);
        refutes(&child, depth - 1, false)
    })
}

/// Returns the positions one move after each of some middlegames, without checks.
fn after_a_move(middlegames: &[&str]) -> Vec<Position> {
    let mut positions = Vec::new();
    for fen in middlegames {
        let position: Position = fen.parse().expect("a position of this file's own");
        let mut moves = Vec::new();
        position.moves(&mut moves);
        positions.extend(moves.into_iter().map(|mv| {
            let mut child = position.clone();
            child.play(mv);
            child
        }));
    }
    positions.retain(|position| !position.in_check());
    positions
}

/// Returns the share of the positions in which a search does not reach the static value, in per cent. A
/// search that only returns the evaluation always reaches it.
fn share_below_static(
    positions: &[Position],
    depth: i32,
    may_pass: MayPass,
    context: &Context<'_>,
) -> Result<f64, Interrupted> {
    let mut evaluator = Evaluator::of(&Evaluation::Classical);
    let mut below = 0;
    for position in positions {
        if context.stop.load(Relaxed) {
            return Err(Interrupted);
        }
        let beta = Evaluate::evaluate(&mut evaluator, position);
        below += u64::from(!reaches(position, &mut evaluator, beta, depth, may_pass, false));
    }
    Ok(100.0 * below as f64 / positions.len() as f64)
}

/// "Your search will degenerate to just returning the evaluation": it does not, for the second pass is the
/// other side's, which may prefer a move.
fn passes_in_a_row(context: &Context<'_>, findings: &mut Findings) -> Result<(), Interrupted> {
    let (middlegames, depth) = if context.quick { (&MIDDLEGAMES[..1], 4) } else { (&MIDDLEGAMES[..], 5) };
    let positions = after_a_move(middlegames);
    let of = format!("{} middlegames, {depth} plies", positions.len());
    for (may_pass, name, paper) in [
        (MayPass::Never, "no pass", None),
        (MayPass::AfterAMove, "never two in a row", None),
        (MayPass::Always, "passes in a row", Some(0.0)),
    ] {
        let share = share_below_static(&positions, depth, may_pass, context)?;
        let quantity = "values below the static value, %";
        let tolerance = if paper.is_some() { Tolerance::Exact } else { Tolerance::Any };
        findings.row(quantity, &[&of, &name], paper, share, tolerance).because(paper.map(|_| SECOND_PASS));
    }
    Ok(())
}

const SECOND_PASS: &str = "the second pass is the other side's, which may prefer a move";

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
    let steps = 2 + WAYS.len();
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
    context.step(steps - 1, steps)?;
    passes_in_a_row(context, &mut findings)?;
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
        "Passes in a row: a search without quiescence asks whether the side to move can keep its static \
         value. \"Your search will degenerate to just returning the evaluation\" would mean that it \
         always can. It cannot: passes in a row change little."
            .into(),
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

    /// A pawn forks bishop and knight. A search that only returned the evaluation would not see it.
    #[test]
    fn passes_in_a_row_do_not_hide_a_fork() {
        let position: Position = "7k/8/2p5/3p4/2B1N3/8/8/4K3 w - - 0 1".parse().unwrap();
        let mut evaluator = Evaluator::of(&Evaluation::Classical);
        let beta = Evaluate::evaluate(&mut evaluator, &position);
        for may_pass in [MayPass::Never, MayPass::AfterAMove, MayPass::Always] {
            assert!(!reaches(&position, &mut evaluator, beta, 3, may_pass, false));
            assert!(reaches(&position, &mut evaluator, beta - Score(700), 3, may_pass, false));
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
