//! Checks in quiescence: measures the cost of trying them without a limit, and tests that the search
//! ends if they are limited.

use super::full_width::{FullWidth, Until};
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_chess::figures::{PERPETUAL, QUEENS};
use cassius_chess::{Evaluation, Evaluator, Position};
use cassius_search::alpha_beta::draws::{Draws, Repetition};
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::observe::Counters;
use cassius_search::alpha_beta::order::{Killers, NoisyFirst};
use cassius_search::alpha_beta::quiescence::{Captures, QuietChecks, Widened};
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::{MAX_PLY, Off, Request, Slots, search};

/// Eppstein's warning against checks in quiescence.
pub static ENDLESS_CHECKS: Experiment = Experiment {
    id: "endless-checks",
    claim: "Quiescence that tries checks without limit can search \
            a huge number of nodes: checks can go on for ever",
    paper: "D. Eppstein: Which nodes to search? Full-width vs. selective search, lecture notes, 1999",
    section: "Quiescence Search",
    cases: None,
    uses: &[],
    run,
};

type Searched<D> =
    FullWidth<Evaluator, Plies, Widened<QuietChecks>, (NoisyFirst, Killers), D, Counters, MinimalWindow>;

/// A search of one ply, followed by quiescence with all checks in its first plies.
struct Searching {
    /// Whether it ended within its node limit.
    ended: bool,
    nodes: u64,
    /// The longest line, in plies.
    longest: usize,
}

fn quiesce<D: Draws<Position>>(fen: &str, plies: usize, nodes: u64, context: &Context<'_>) -> Searching {
    let root: Position = fen.parse().expect("a position of the figures");
    let mut slots: Slots<Position, Searched<D>> = Slots::new(Evaluator::of(&Evaluation::Classical), Off, Off);
    // Nothing is pruned: a check that loses the piece also counts.
    slots.quiescence.captures = Captures { margin: 10_000, exchange: 0, evasions: 1 };
    slots.quiescence.sources.plies = plies as i32;
    let limits = Until { nodes, stop: context.stop };
    let answer = search(&mut slots, &Request::new(&root, &limits).to_iteration(1), &mut |_| {});
    Searching { ended: answer.complete, nodes: answer.nodes, longest: slots.observe.nodes.len() - 1 }
}

/// The numbers of plies in which checks are tried. A search without a limit is added.
const LIMITS: [usize; 7] = [1, 2, 4, 6, 8, 10, 12];

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let most = if context.quick { 10_000 } else { 30_000 };
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
            let number = |yes: bool| f64::from(u8::from(yes));
            row(&format!("ended within {most} nodes (1: yes)"), None, number(ended), Tolerance::Any);
            // Nothing else ends a line of checks in these positions, neither a limit nor a draw.
            let (claimed, tolerance) = match !limited && repetition == "not seen" {
                true => (Some(1.0), Tolerance::Exact),
                false => (None, Tolerance::Any),
            };
            let endless = number(longest >= MAX_PLY);
            row("a line goes to the greatest ply (1: yes)", claimed, endless, tolerance);
            row("longest line, plies", None, longest as f64, Tolerance::Any);
            row("nodes", None, nodes as f64, Tolerance::Any);
            if limited {
                points.push((plies as f64, nodes as f64));
            }
        }
        series.push(Series::new(format!("{name}, repetition {repetition}"), points));
    }
    context.step(cases.len(), cases.len())?;
    findings.plot(Plot {
        name: "nodes".into(),
        title: "Nodes of one ply and quiescence with checks".into(),
        x: "plies with checks".into(),
        y: "nodes".into(),
        scale: Scale::Logarithmic,
        series,
    });
    findings.notes = vec![
        format!(
            "Perpetual is {PERPETUAL}, queens {QUEENS}; positions, limits and the nodes after which a search \
             is broken off are our choice, the last so that the library's own bound on quiescence is not \
             reached. Judged is what the notes say: that checks go on for ever where nothing ends them."
        ),
        format!(
            "The greatest ply, at which every search here ends, is {MAX_PLY}: a line that gets there \
             has no other end. A search that is broken off after its nodes shows how far it had come."
        ),
        "Captures, evasions and checks are all tried, whatever they lose. \
         Repetition is the library's: the first one counts as a draw."
            .into(),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// With checks in four plies the search ends soon, whatever other rules may end a line.
    #[test]
    fn with_a_limit_it_ends() {
        let stop = AtomicBool::new(false);
        let context = Context::new(true, &|_, _| {}, &stop);
        for fen in [PERPETUAL, QUEENS] {
            for quiesce in [quiesce::<Repetition>, quiesce::<Off>] {
                let Searching { ended, longest, .. } = quiesce(fen, 4, 30_000, &context);
                assert!(ended && longest < MAX_PLY, "{fen}");
            }
        }
    }

    /// Without a limit, the knight's line ends by repetition or at the maximum ply; the queens have too
    /// many checks.
    #[test]
    fn without_a_limit_it_need_not() {
        let stop = AtomicBool::new(false);
        let context = Context::new(true, &|_, _| {}, &stop);
        let drawn = quiesce::<Repetition>(PERPETUAL, MAX_PLY, 30_000, &context);
        assert!(drawn.ended && drawn.longest < MAX_PLY);
        assert_eq!(quiesce::<Off>(PERPETUAL, MAX_PLY, 30_000, &context).longest, MAX_PLY);
        for quiesce in [quiesce::<Repetition>, quiesce::<Off>] {
            assert!(!quiesce(QUEENS, MAX_PLY, 30_000, &context).ended);
        }
    }
}
