//! Option counting in chess: measures the cost of each way to count options, and its value in games.

use super::measure::{MIB, Still, Subject, games, positions};
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::statistics::Pentanomial;
use crate::suite::Summary;
use crate::{Budget, Player};
use cassius_search::Request;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Every way to count options, in the paper's form and coupled.
pub static OPTION_COUNTING: Experiment = Experiment {
    id: "option-counting",
    claim: "Counting options pays in chess if it is done cheaply enough: \
            by siblings, estimators, shallower searches, or signals that cost nothing",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§10.3, and §11, Empirical Results, which is empty",
    cases: Some(|| WAYS.iter().map(|(name, _)| *name).collect()),
    uses: &[Input::Exercises, Input::Kept],
    run,
};

/// The reference, which counts plies and has the same selective components.
const REFERENCE: &str = "lab";

/// The two forms. The paper's form has a floor under S. In the coupled form, a move is also a ply of the
/// other side's plan, and values outside the window are returned unclipped, so that with S = 1 it equals
/// the reference.
const FORMS: [(&str, &str); 2] =
    [("paper", "lab-abc"), ("coupled", "lab-abc,Abc.coupling=100,Abc.soft=1,Abc.floor=50")];

/// The ways to count options, as settings of the program. The first two are for comparison: with S = 1
/// no option is counted.
const WAYS: [(&str, &str); 13] = [
    ("none", ",+LegalMoves,LegalMoves.quiet=1,Abc.floor=100"),
    ("siblings", ""),
    ("SiblingQuiescence", ",+SiblingQuiescence"),
    ("StaticEstimator", ",+StaticEstimator"),
    ("near-leaf", ",+StaticEstimator,StaticEstimator.nearness=200,+SiblingQuiescence"),
    ("ReducedSearches", ",+ReducedSearches,+StaticEstimator,StaticEstimator.nearness=399"),
    ("RememberedOptions", ",+RememberedOptions"),
    (
        "remembered-far",
        ",+RememberedOptions,RememberedOptions.farness=300,RememberedOptions.hopeful=1,Abc.delta=1,\
         +LegalMoves,LegalMoves.quiet=1",
    ),
    ("OrderedOptions", ",+OrderedOptions"),
    ("StaticMargin", ",+StaticMargin"),
    ("FailedPass", ",+FailedPass,+LegalMoves,LegalMoves.quiet=1"),
    ("LearnedOptions", ",+LearnedOptions,LearnedOptions.farness=300,+LegalMoves,LegalMoves.quiet=1"),
    ("LegalMoves", ",+LegalMoves,LegalMoves.quiet=1"),
];

/// The ways whose coupled form plays more games: the value of a signal that costs only a look must be
/// known more precisely.
const LOOKS: [&str; 7] = [
    "RememberedOptions",
    "remembered-far",
    "OrderedOptions",
    "StaticMargin",
    "FailedPass",
    "LearnedOptions",
    "LegalMoves",
];

/// The amount of work.
struct Effort {
    /// The node limit of an exercise.
    nodes: u64,
    /// The node limit of a position whose search is observed.
    watched: u64,
    /// The pairs of games at equal nodes, and the nodes for each move.
    pairs: u64,
    pace: u64,
    /// The pairs of games at equal time, and the time for each move.
    timed_pairs: u64,
    time: Duration,
}

const QUICK: Effort = Effort {
    nodes: 2_000,
    watched: 1_000,
    pairs: 1,
    pace: 100,
    timed_pairs: 0,
    time: Duration::from_millis(1),
};
const FULL: Effort = Effort {
    nodes: 10_000,
    watched: 50_000,
    pairs: 50,
    pace: 2_000,
    timed_pairs: 50,
    time: Duration::from_millis(10),
};

/// Sums of observations of the searches of the built-in positions.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Watch {
    searches: u64,
    iterations: u64,
    longest: u64,
    nodes: u64,
    option_nodes: u64,
}

struct Case {
    way: &'static str,
    form: &'static str,
    subject: Subject,
    watch: Option<Watch>,
    /// The times of the same searches by this player and by the reference.
    times: Option<[Duration; 2]>,
    solved: Option<Summary>,
    /// Games against the reference.
    games: Option<Pentanomial>,
    timed: Option<Pentanomial>,
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let effort = if context.quick { &QUICK } else { &FULL };
    Ok(findings(context, effort, &measure(context, effort)?))
}

/// Measures all cases. The slowest measurement comes last, for all of them.
fn measure(context: &Context<'_>, effort: &Effort) -> Result<Vec<Case>, Unfinished> {
    let subject = |text: String| -> Result<Subject, Unfinished> {
        let player: Player = text.parse().expect("a player of this file's own");
        Ok(Subject::new(context, player)?)
    };
    let reference = subject(REFERENCE.into())?;
    let wanted: Vec<_> = WAYS
        .iter()
        .filter(|(way, _)| context.wants(way))
        .flat_map(|way| FORMS.map(|form| (way, form)))
        .collect();
    let steps = 3 * wanted.len();
    let mut cases = Vec::new();
    for (done, ((way, counting), (form, player))) in wanted.iter().enumerate() {
        context.step(done, steps)?;
        let subject = subject(format!("{player}{counting}"))?;
        let key = format!("{subject}: watched for {} nodes, {MIB} MiB", effort.watched);
        let watch = context.once(&key, || watch(context, effort.watched, &subject.player))?;
        let times = times(context, effort.watched, [&subject, &reference])?;
        let solved = subject.solves(context, effort.nodes)?;
        cases.push(Case { way, form, subject, watch, times, solved, games: None, timed: None });
    }
    let nodes = Budget { nodes: Some(effort.pace), ..Budget::default() };
    let time = Budget { time: Some(effort.time), ..Budget::default() };
    for (done, case) in cases.iter_mut().enumerate() {
        context.step(wanted.len() + done, steps)?;
        case.games = games(context, [&case.subject, &reference], nodes, effort.pairs)?;
    }
    for (done, case) in cases.iter_mut().enumerate().filter(|_| effort.timed_pairs > 0) {
        context.step(2 * wanted.len() + done, steps)?;
        let longer = case.form == "coupled" && LOOKS.contains(&case.way);
        let pairs = effort.timed_pairs * if longer { 2 } else { 1 };
        case.timed = games(context, [&case.subject, &reference], time, pairs)?;
    }
    context.step(steps, steps)?;
    Ok(cases)
}

fn watch(context: &Context<'_>, nodes: u64, player: &Player) -> Result<Watch, Unfinished> {
    let mut engine = player.engine(MIB, 1)?;
    let mut watch = Watch::default();
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    for position in positions() {
        engine.forget();
        let (mut iteration, mut longest) = (0, 0);
        let limits = budget.limits(&Still, context.stop);
        let answer = engine.search(&Request::new(&position, &limits), &mut |report| {
            (iteration, longest) = (report.iteration, report.max_ply);
        });
        context.go_on()?;
        watch.searches += 1;
        watch.iterations += iteration as u64;
        watch.longest += longest as u64;
        watch.nodes += answer.nodes;
        watch.option_nodes += answer.option_nodes;
    }
    Ok(watch)
}

/// Returns the time that each player takes for the same positions and nodes, one after the other; `None`
/// if there is no clock.
fn times(
    context: &Context<'_>,
    nodes: u64,
    subjects: [&Subject; 2],
) -> Result<Option<[Duration; 2]>, Unfinished> {
    let Some(clock) = context.clock else { return Ok(None) };
    let [first, second] = subjects;
    let key = format!("{first} and {second}: time for {nodes} nodes of each position, {MIB} MiB");
    context.once(&key, || {
        let mut engines = [first.player.engine(MIB, 1)?, second.player.engine(MIB, 1)?];
        let mut times = [Duration::ZERO; 2];
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        for position in positions() {
            for (engine, time) in engines.iter_mut().zip(&mut times) {
                engine.forget();
                let limits = budget.limits(&Still, context.stop);
                let begin = clock.now();
                engine.search(&Request::new(&position, &limits), &mut |_| {});
                *time += clock.now() - begin;
            }
        }
        Ok(context.go_on().map(|()| times)?)
    })
}

fn findings(context: &Context<'_>, effort: &Effort, cases: &[Case]) -> Findings {
    let mut findings = Findings { conditions: vec!["options counted by", "form"], ..Findings::default() };
    for case in cases {
        let mut row = |quantity: &str, value: f64| {
            findings.row(quantity, &[&case.way, &case.form], None, value, Tolerance::Any);
        };
        if let Some(Watch { searches, iterations, longest, nodes, option_nodes }) = case.watch {
            let mean = |sum: u64| sum as f64 / searches as f64;
            row("iterations", mean(iterations));
            row("longest line", mean(longest));
            row("nodes to count", 100.0 * option_nodes as f64 / nodes as f64);
        }
        if let Some([time, reference]) = case.times {
            row("time a node", time.as_secs_f64() / reference.as_secs_f64());
        }
        if let Some(summary) = &case.solved {
            row("solved", summary.solved as f64);
        }
        for (name, pairs) in [("nodes", case.games), ("time", case.timed)] {
            if let Some(pairs) = pairs {
                let elo = pairs.elo();
                row(&format!("Elo ({name})"), elo.value);
                if elo.error().is_finite() {
                    row(&format!("± ({name})"), elo.error());
                }
            }
        }
    }
    let Effort { nodes, watched, pairs, pace, timed_pairs, time } = effort;
    findings.notes = vec![
        format!(
            "All play with the laboratory's selective components and are compared with `{REFERENCE}`, which \
             counts plies. *paper*: c = 0 and S at least ¼; *coupled*: a move is also a ply of the other \
             side's plan (c = 1), S is at least ½, and values are fail-soft; *none*: S = 1, which in the \
             coupled form is the reference, node for node. δ = 50, γ = 5. *near-leaf*: the static estimator \
             where a node owes two plies at most, quiescence values of siblings above; *ReducedSearches*: \
             two plies less where a node owes four at least and its window is minimal, static siblings where \
             it is open, the static estimator below; *remembered-far*: where a node owes three plies at \
             least, all moves that the memory does not refute (δ = 1), elsewhere all legal ones; \
             *LearnedOptions*: where a node owes three plies at least, the estimate that was learned, \
             elsewhere all legal moves; *FailedPass*: two options where the null move has failed, elsewhere \
             as many as legal moves."
        ),
        format!(
            "*iterations* and *longest line* (plies, with quiescence): means of {} searches of {watched} \
             nodes; *nodes to count*: of the nodes of these searches (%); static values of siblings, looks \
             into the memory and ranks are no nodes, but cost time; *time a node*: of the same searches, in \
             those of the reference, which searched the same positions in turns. *Elo*: half of the 95 % \
             interval beside it; {pairs} pairs at {pace} nodes a move, {timed_pairs} pairs at {} ms of \
             processor time a move (twice as many for the coupled form of signals that cost nothing but a \
             look), built-in openings, seed 1, {MIB} MiB. At equal time it depends on the machine too.",
            positions().count(),
            time.as_millis()
        ),
        match context.exercises.len() {
            0 => "No exercises: name a suite with --suite.".into(),
            count => format!("*solved*: of {count} exercises, {nodes} nodes each."),
        },
    ];
    findings
}
