//! Checks in quiescence: what it costs to try them without limit, and that it ends if they are limited.

use super::full_width::{FullWidth, Until};
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_chess::figures::{PERPETUAL, QUEENS};
use cassius_chess::{Evaluator, Position};
use cassius_search::{
    Captures, Counters, Draws, Killers, MAX_PLY, MinimalWindow, NoisyFirst, Off, Plies, QuietChecks,
    Repetition, Request, Slots, Widened, search,
};

/// Eppstein's warning against checks in quiescence.
pub static ENDLESS_CHECKS: Experiment = Experiment {
    id: "endless-checks",
    claim: "Quiescence that tries checks without limit can search a huge number of nodes and need not end; with a limit \
            on the plies it ends",
    paper: "D. Eppstein: Which nodes to search? Full-width vs. selective search, lecture notes, 1999",
    section: "Quiescence Search",
    cases: None,
    run,
};

type Searched<D> =
    FullWidth<Evaluator, Plies, Widened<QuietChecks>, (NoisyFirst, Killers), D, Counters, MinimalWindow>;

/// A search of one ply, and quiescence with all checks in the first plies beyond it.
struct Searching {
    /// Whether it came to its end within the nodes it was given.
    ended: bool,
    nodes: u64,
    /// The longest line, in plies.
    longest: usize,
}

fn quiesce<D: Draws<Position> + Default>(
    fen: &str,
    plies: usize,
    nodes: u64,
    context: &Context<'_>,
) -> Searching {
    let root: Position = fen.parse().expect("a position of the figures");
    let mut slots: Slots<Position, Searched<D>> = Slots::new(Evaluator::new(), Off, Off);
    // Nothing is pruned: a check that loses the piece is a check.
    slots.quiescence.captures = Captures { margin: 10_000, exchange: 0, evasions: 1 };
    slots.quiescence.sources.plies = plies as i32;
    let limits = Until { nodes, stop: context.stop };
    let answer = search(&mut slots, &Request::new(&root, &limits).to_iteration(1), &mut |_| {});
    Searching { ended: answer.complete, nodes: answer.nodes, longest: slots.observe.nodes.len() - 1 }
}

/// In how many plies checks are tried; besides, in all.
const LIMITS: [usize; 7] = [1, 2, 4, 6, 8, 10, 12];

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let most = if context.quick { 100_000 } else { 10_000_000 };
    let cases = [
        ("perpetual", PERPETUAL, "a draw", quiesce::<Repetition> as fn(_, _, _, &Context<'_>) -> _),
        ("perpetual", PERPETUAL, "not seen", quiesce::<Off>),
        ("queens", QUEENS, "a draw", quiesce::<Repetition>),
        ("queens", QUEENS, "not seen", quiesce::<Off>),
    ];
    let mut findings =
        Findings { conditions: vec!["position", "plies with checks", "repetition"], ..Findings::default() };
    let mut series = Vec::new();
    for (done, (name, fen, repetition, quiesce)) in cases.into_iter().enumerate() {
        context.step(done, cases.len())?;
        let mut points = Vec::new();
        for plies in LIMITS.into_iter().chain([MAX_PLY]) {
            let Searching { ended, nodes, longest } = quiesce(fen, plies, most, context);
            let limited = plies < MAX_PLY;
            let limit = if limited { plies.to_string() } else { "all".into() };
            let mut row = |quantity: &str, claimed: Option<f64>, ours, tolerance| {
                findings.row(quantity, &[&name, &limit, &repetition], claimed, ours, tolerance);
            };
            let mut judge = |quantity: &str, claimed: Option<bool>, ours: bool| {
                let number = |yes: bool| f64::from(u8::from(yes));
                let tolerance = if claimed.is_some() { Tolerance::Exact } else { Tolerance::Any };
                row(quantity, claimed.map(number), number(ours), tolerance);
            };
            // Where the queens check each other for ever the nodes are too many; the knight's one line is soon at the
            // greatest ply, unless repetition ends it.
            let ends = if limited { Some(true) } else { (name == "queens").then_some(false) };
            judge(&format!("ended within {most} nodes (1: yes)"), ends, ended);
            let endless = if limited { Some(false) } else { (repetition == "not seen").then_some(true) };
            judge("a line goes to the greatest ply (1: yes)", endless, longest >= MAX_PLY);
            row("longest line, plies", None, longest as f64, Tolerance::Any);
            row("nodes", None, nodes as f64, Tolerance::Any);
            if limited {
                points.push((plies as f64, nodes as f64));
            }
        }
        series.push(Series { name: format!("{name}, repetition {repetition}"), points });
    }
    context.step(cases.len(), cases.len())?;
    findings.plots.push(Plot {
        name: "nodes".into(),
        title: "Nodes of one ply and quiescence with checks".into(),
        x: "plies with checks".into(),
        y: "nodes".into(),
        scale: Scale::Logarithmic,
        series,
    });
    findings.notes = vec![
        format!("Perpetual is {PERPETUAL}, queens {QUEENS}."),
        format!("The greatest ply, at which every search here ends, is {MAX_PLY}: a line that gets there has no other end. \
                 A search that is broken off after its nodes shows how far it had come."),
        "Captures, evasions and checks are all tried, whatever they lose. Repetition is the library's: the first \
         one counts as a draw."
            .into(),
    ];
    Ok(findings)
}
