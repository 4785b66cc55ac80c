//! Compares the results of the ways to count options with those of a search.

use super::certificates::chess_positions;
use super::full_width::Until;
use super::leaves::RootWindow;
use super::measure::MIB;
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::options::{Collector, Quality};
use cassius_chess::{EngineError, Evaluation, Evaluator, Move, Position};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::{Altered, Plies};
use cassius_search::alpha_beta::options::{Listing, OptionRecorder, OptionSources, RootOptions};
use cassius_search::alpha_beta::order::{
    ChecksFirst, Continuation, Countermove, History, Killers, NoisyFirst,
};
use cassius_search::alpha_beta::quiescence::Captures;
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::{
    Component as _, Game as _, Limits, Off, Request, Score, Slots, Table, Visitor, Window, search,
};

/// The static option estimator in positions where the correct estimate is evident.
pub static STATIC_ESTIMATOR: Experiment = Experiment {
    id: "static-estimator",
    claim: "The static option estimator counts two options in check, three if a pass would lose the value, \
            and thirty more if it would not",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§10.3",
    cases: None,
    uses: &[],
    run: estimate,
};

/// Which cheap signal predicts which moves hold.
pub static OPTION_SIGNALS: Experiment = Experiment {
    id: "option-signals",
    claim: "Options can be counted by values of siblings, by an estimate from two values, by shallower \
            searches, or by what was learned; which of these knows best which moves hold, at what cost, has \
            not been published",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§9.3, §10.3 and §12, which leave it open",
    cases: Some(|| WAYS.iter().map(|(name, _)| *name).collect()),
    uses: &[],
    run: compare,
};

/// Counts options at every node and keeps the counts at the root. There is no selectivity.
struct Asked;

cassius_search::recipe! {
    impl [] Asked, game Position {
        Setting = (Evaluator, Repetition);
        Horizon = Altered<OptionRecorder<Move>, Plies>;
        Options = OptionSources;
        Quiescence = Captures;
        Memory = Table;
        Order = (NoisyFirst, ChecksFirst, Killers, Countermove, History, Continuation);
        Windows = MinimalWindow;
        Aspiration = RootWindow;
    }
}

/// δ, in centipawns.
const MARGIN: Score = Score(50);

/// The settings of each way to count options. Where a way gives no answer, the static values of the
/// siblings are counted.
const WAYS: [(&str, &[(&str, i32)]); 9] = [
    ("siblings (static)", &[]),
    ("siblings (quiescence)", &[("SiblingQuiescence.on", 1)]),
    ("siblings (2 plies less)", &[("ReducedSearches.on", 1), ("ReducedSearches.farness", 400)]),
    ("static estimator", &[("StaticEstimator.on", 1)]),
    ("static margin", &[("StaticMargin.on", 1)]),
    ("memory", &[("RememberedOptions.on", 1)]),
    ("order", &[("OrderedOptions.on", 1)]),
    ("learned", &[("LearnedOptions.on", 1), ("LearnedOptions.farness", 0)]),
    ("legal moves", &[("LegalMoves.on", 1), ("LegalMoves.quiet", 1)]),
];

/// The plies, plus one, of a search that is made for an estimate only.
pub(super) const FEW: usize = 5;

type WindowSwitches = Slots<Position, Asked>;

fn asking(evaluation: &Evaluation, table: &Table, settings: &[(&str, i32)]) -> WindowSwitches {
    let mut slots = WindowSwitches::new(Evaluator::of(evaluation), table.clone(), Off);
    slots.options = ways(settings);
    slots.horizon.change.margin = MARGIN;
    slots
}

/// The ways to count options with these settings.
fn ways(settings: &[(&str, i32)]) -> OptionSources {
    let (mut ways, mut left) = (OptionSources::default(), settings.len());
    let visitor: &mut Visitor<'_> = &mut |parameter, value| {
        if let Some((_, set)) = settings.iter().find(|(name, _)| *name == parameter.full_name()) {
            *value = *set;
            left -= 1;
        }
    };
    ways.visit(visitor);
    assert_eq!(left, 0, "parameters of the ways to count options");
    ways
}

fn estimate(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let cases = [
        ("nothing hangs", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 33),
        ("a knight hangs", "r3k3/8/8/8/8/8/N7/4K3 w - - 0 1", 3),
        ("in check", "4k3/8/8/8/8/8/8/r3K3 w - - 0 1", 2),
    ];
    let table = Table::new(1).expect("a small table");
    let mut findings = Findings { conditions: vec!["position"], ..Findings::default() };
    for (name, fen, expected) in cases {
        context.go_on()?;
        let position: Position = fen.parse().expect("a position of this file's own");
        let mut slots = asking(&Evaluation::Classical, &table, &[("StaticEstimator.on", 1)]);
        let limits = Until::stopped(context.stop);
        search(&mut slots, &Request::new(&position, &limits).to_iteration(1), &mut |_| {});
        let values = slots.horizon.change.said.pop().expect("the root was expanded").values;
        // The first value is that of the current position: the plan is to hold it.
        let holds = |value: &&Score| **value > values[0] - MARGIN;
        let options = values.iter().filter(holds).count();
        findings.row("options", &[&name], Some(f64::from(expected)), options as f64, Tolerance::Exact);
    }
    findings.notes = vec![format!(
        "Options of a plan to hold the quiescence value of the position by the classical evaluation, \
         δ = {MARGIN}; the positions are our choice.",
        MARGIN = MARGIN.0
    )];
    Ok(findings)
}

/// The amount of work: the number of positions, the plies of the search that determines the truth, and the
/// nodes of the searches at whose nodes the ways are asked. At the root they are asked in a search of one ply
/// less.
struct Effort {
    positions: usize,
    plies: usize,
    nodes: u64,
}

const QUICK: Effort = Effort { positions: 4, plies: 5, nodes: 1_000 };
const FULL: Effort = Effort { positions: 400, plies: 6, nodes: 5_000 };

/// A position, the value to be held there, and the number of moves that actually hold it.
struct Sample {
    position: Position,
    value: Score,
    best: Move,
    /// The number of moves that hold besides the best.
    holding: usize,
}

/// Searches every move.
fn sample(position: Position, plies: usize, table: &Table, limits: &dyn Limits) -> Option<Sample> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut values = Vec::new();
    for mv in &moves {
        let mut child = position.clone();
        child.play(*mv);
        table.clear();
        let mut slots = asking(&Evaluation::default(), table, &[]);
        let answer = search(&mut slots, &Request::new(&child, limits).to_iteration(plies - 1), &mut |_| {});
        values.push(match child.is_over() {
            true => -child.outcome().score(1),
            false => -answer.score().filter(|_| answer.complete)?.at_root(1),
        });
    }
    let value = *values.iter().max()?;
    let best = moves[values.iter().position(|other| *other == value)?];
    let holding = values.iter().filter(|other| **other > value - MARGIN).count() - 1;
    Some(Sample { position, value, best, holding })
}

/// The answer of a way, in a search that tests whether the value is reached.
struct Said {
    /// The number of moves that hold besides the best.
    options: usize,
    nodes: u64,
    option_nodes: u64,
}

fn ask(
    sample: &Sample,
    settings: &[(&str, i32)],
    plies: usize,
    table: &Table,
    limits: &dyn Limits,
) -> Option<Said> {
    table.clear();
    let mut slots = asking(&Evaluation::default(), table, settings);
    let window = Window::above(sample.value - Score(1));
    slots.aspiration = RootWindow(window);
    let request = Request::new(&sample.position, limits).to_iteration(plies - 1);
    let answer = search(&mut slots, &request, &mut |_| {});
    let heard = slots.horizon.change.said.into_iter().rev();
    let RootOptions { moves, listing, values, .. } = { heard }.find(|said| said.window == window)?;
    let is_best = |index: usize| listing != Some(Listing::Guess) && moves[index] == sample.best;
    let holds = |(index, value): &(usize, &Score)| **value > sample.value - MARGIN && !is_best(*index);
    let options = values.iter().enumerate().filter(holds).count();
    Some(Said { options, nodes: answer.nodes, option_nodes: answer.option_nodes })
}

/// Returns how many moves besides the best hold a value, by the learned estimate in a search of a few plies.
pub(super) fn learned(
    position: &Position,
    value: Score,
    table: &Table,
    limits: &dyn Limits,
) -> Option<usize> {
    let (_, settings) = WAYS.iter().find(|(name, _)| *name == "learned")?;
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let best = *moves.first()?; // the estimate does not say which moves hold
    let sample = Sample { position: position.clone(), value, best, holding: 0 };
    ask(&sample, settings, FEW, table, limits).map(|said| said.options)
}

/// Writes how well a way counts, by pairs of the true number and the one that it says.
fn judge(findings: &mut Findings, way: &str, place: &str, pairs: &[(usize, usize)]) {
    let Quality { correlation, found, right } = Quality::of(pairs);
    let percent = |share: Option<f64>| share.map(|share| 100.0 * share);
    let rows = [
        ("asked", Some(pairs.len() as f64)),
        ("only moves found", percent(found)),
        ("of those said", percent(right)),
        ("correlation of S", correlation),
    ];
    for (quantity, value) in rows {
        if let Some(value) = value {
            findings.row(quantity, &[&way, &place], None, value, Tolerance::Any);
        }
    }
}

fn compare(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let effort = if context.quick { &QUICK } else { &FULL };
    let limits = Until::stopped(context.stop);
    let table = Table::new(MIB).map_err(EngineError::from)?;
    let mut samples = Vec::new();
    for position in chess_positions().filter(|it| !it.is_over()) {
        context.step(samples.len(), 2 * effort.positions)?;
        if samples.len() == effort.positions {
            break;
        }
        samples.extend(sample(position, effort.plies, &table, &limits));
    }
    let conditions = vec!["options counted by", "asked at"];
    let mut findings = Findings { conditions, ..Findings::default() };
    let ways: Vec<_> = WAYS.iter().filter(|(name, _)| context.wants(name)).collect();
    for (done, (name, settings)) in ways.iter().enumerate() {
        context.step(effort.positions * (ways.len() + done) / ways.len(), 2 * effort.positions)?;
        let asked = samples.iter().filter_map(|sample| {
            Some((sample.holding, ask(sample, settings, effort.plies, &table, &limits)?))
        });
        let asked: Vec<(usize, Said)> = asked.collect();
        context.go_on()?;
        let pairs: Vec<_> = asked.iter().map(|(truth, said)| (*truth, said.options)).collect();
        judge(&mut findings, name, "roots", &pairs);
        let mut row = |quantity: &str, value: f64| {
            findings.row(quantity, &[name, &"roots"], None, value, Tolerance::Any);
        };
        let nodes = asked.iter().map(|(_, said)| said.nodes).sum::<u64>() as f64;
        row("nodes", nodes / asked.len() as f64);
        let counting = asked.iter().map(|(_, said)| said.option_nodes).sum::<u64>() as f64;
        row("to count", 100.0 * counting / nodes);

        let mut pairs = Vec::new();
        for (number, sample) in samples.iter().enumerate() {
            context.go_on()?;
            let mut collector = Collector::new(effort.nodes, number as u64).map_err(EngineError::from)?;
            collector.ask(self::ways(settings));
            let examples = collector.examples(&sample.position);
            pairs.extend(examples.iter().filter_map(|of| Some((of.holding, of.options(), of.said?))));
        }
        let of = |least| pairs.iter().filter(move |pair| pair.0 >= least).map(|pair| (pair.1, pair.2));
        judge(&mut findings, name, "nodes", &of(0).collect::<Vec<_>>());
        judge(&mut findings, name, "nodes that hold", &of(1).collect::<Vec<_>>());
    }
    context.step(2 * effort.positions, 2 * effort.positions)?;
    let Effort { positions, plies, nodes } = effort;
    findings.notes = vec![
        format!(
            "*roots*: {positions} positions up to 26 plies after built-in openings. The truth: every move is \
             searched, itself included, to {plies} plies; a move other than the best is an option if it is \
             less than {} centipawns worse. A way to count is asked at the root of a search of a ply less, \
             nothing selective, that asks whether the value is reached.",
            MARGIN.0
        ),
        format!(
            "*nodes*: the playing recipe searches the same positions, or ones up to three random moves away, \
             twice with {nodes} nodes. The ways are asked at nodes with a minimal window that owe two plies \
             or more, one in 64 where they owe two and all that owe five; and in the second search, which \
             asks whether the value of the first is reached, at the root. The truth: every move is searched \
             by the playing recipe, with memory and histories of its own, to a ply less than the node owes, \
             until 13 options are found; an option is worth more than the value to be held less 25, 50 or \
             100 centipawns. *nodes that hold*: those where a move holds. At the others there is no option \
             either. Where a way gives no answer, static values of the moves are counted. The nodes of ways \
             that search count too, so that those are asked at fewer. *learned* has learned from other \
             games, with the same truth, and is asked wherever the others are; in play, only far from the \
             leaves."
        ),
        "*only moves found*: where no option is, the share in which none is counted (%); *of those said*: \
         where none is counted, the share in which none is (%); *correlation* of S of the number counted \
         with S of the true one, S as by default; *nodes* a position, all iterations; *to count*: of them to \
         count options (%), at all nodes of the search; static values, looks into the memory and ranks are \
         no nodes and cost time all the same."
            .into(),
    ];
    Ok(findings)
}
