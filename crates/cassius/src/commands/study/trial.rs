//! `cassius study trial`: studies against one long search, and whether what a study says comes true.

use super::engines::EnginesArgs;
use super::pool::Worker;
use super::{measured, parameters};
use crate::Error;
use crate::commands::suites;
use crate::setup::{parse_count, parse_effort, parse_setting};
use crate::terminal::STRONG;
use anyhow::ensure;
use cassius_chess::{Move, Position};
use cassius_lab::kept::Kept;
use cassius_lab::suite::Exercise;
use cassius_search::study::{Asked, Errors, Growth, Judgement, LeafId, PositionId, Steps, Study, Target};
use cassius_search::{Score, fnv};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::path::PathBuf;

/// Arguments of `cassius study trial`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
For each position, --total-nodes are spent in three ways: on one search, on a study that grows by \
weights, and on one that grows by value. The study by weights goes on until it has --then times as many \
nodes. So it is seen whether its best move changes, how often that was predicted, whether positions that it \
named are among those whose values moved, and whether their later values alone make another move best.

Example:
  cassius study trial wac.epd --engine stockfish --nodes 100k --total-nodes 10M \\
    --jobs 2 --out trial.jsonl")]
pub struct TrialArgs {
    /// EPD files with `bm` or `am`.
    #[arg(required = true, value_name = "SUITE")]
    suites: Vec<PathBuf>,
    /// Nodes for the first judgement of a leaf.
    #[arg(long, value_name = "N", default_value = "100k", value_parser = parse_effort)]
    nodes: u64,
    /// Nodes for a position.
    #[arg(long = "total-nodes", value_name = "N", default_value = "10M", value_parser = parse_count)]
    total: u64,
    /// How many times as many nodes the study by weights has in the end; 1: it does not go on.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..=1000),
    )]
    then: u64,
    /// Clear the engine's table before each leaf.
    #[arg(long)]
    fresh: bool,
    /// Set a parameter, such as Steps.most=4; may be repeated.
    #[arg(long = "set", value_name = "COMPONENT.NAME=VALUE", value_parser = parse_setting)]
    set: Vec<(String, i32)>,
    /// File in which the results are kept. They are not measured again when the command is run again.
    /// An engine is known by its name and options.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    engines: EnginesArgs,
}

impl TrialArgs {
    /// Returns how far judgements are trusted, and the effort for a leaf.
    fn rules(&self) -> Result<(Errors, Steps), Error> {
        let (mut errors, mut steps) = (Errors::default(), Steps::default());
        steps.effort = i32::try_from(self.nodes).unwrap_or(i32::MAX);
        parameters::set(&mut errors, &mut steps, &self.set)?;
        Ok((errors, steps))
    }
}

/// What was found about a position.
struct Found {
    /// By one search, by weights, by value.
    tried: [Tried; 3],
    /// What the study by weights says.
    said: Said,
}

/// What was found in one of the ways.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Tried {
    /// The move that was chosen.
    chosen: String,
    /// Whether it solves the position.
    solved: bool,
    /// The number of judgements.
    judgements: usize,
}

/// What a study said, and what came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Said {
    /// The chance that another move is best.
    doubt: f32,
    /// What came of that, with more nodes.
    then: Option<Then>,
}

/// What a study has become.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Then {
    tried: Tried,
    /// What became of each of the [`SETS`] of leaves.
    moved: [Moved; SETS.len()],
    /// The value of the move that was best, the ends of its range of 80 %, and its later value, on the scale
    /// asinh(pawns).
    value: f32,
    range: (f32, f32),
    later: f32,
}

/// The leaves that are looked at.
const SETS: [&str; 5] = [
    "the most probable conspiracy",
    "as many random leaves",
    "all named leaves",
    "as many random leaves",
    "the leaf of the best line",
];

/// What became of some leaves.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Moved {
    /// The number of leaves.
    leaves: usize,
    /// How far the one that moved most moved, on the scale asinh(pawns).
    most: f32,
    /// Whether another move is best if their later values, and no others, are put into the earlier study.
    overturns: bool,
}

/// Runs the trial.
pub fn run(args: &TrialArgs) -> Result<(), Error> {
    let rules = args.rules()?;
    let (exercises, unread) = suites::read(&args.suites)?;
    ensure!(!exercises.is_empty(), "there is nothing to solve");
    let found = measured::each(&args.engines, args.out.as_deref(), &exercises, |worker, exercise, kept| {
        known_or_tried(worker, exercise, args, &rules, kept)
    })?;
    let mut out = anstream::stdout().lock();
    write!(out, "{}", text(&found, args))?;
    out.flush()?;
    unread.check()
}

/// Spends the nodes on a position in three ways, each once: later its result is among what was kept.
fn known_or_tried(
    worker: &mut Worker,
    exercise: &Exercise,
    args: &TrialArgs,
    rules: &(Errors, Steps),
    kept: Option<&Kept>,
) -> Result<Found, String> {
    worker.remember(!args.fresh);
    let position = &exercise.epd.position;
    let judge = worker.identity().to_string();
    let key = |way: fmt::Arguments<'_>| format!("{judge} {position} {} {way}", exercise.task());
    let TrialArgs { nodes, total, then, fresh, .. } = args;
    let (by_value, by_weights) = ((nodes, total, fresh, &rules.1), (nodes, total, then, fresh, rules));
    let one =
        kept_or(kept, &key(format_args!("by one search {total}")), || search(worker, exercise, *total))?;
    let by_value = kept_or(kept, &key(format_args!("by value {by_value:?}")), || {
        let (mut study, judgements, _) = grown(worker, position, Growth::ByValue, rules, *total)?;
        Ok(tried(exercise, best(&mut study), judgements))
    })?;
    let (by_weights, said) = kept_or(kept, &key(format_args!("by weights {by_weights:?}")), || {
        weigh(worker, exercise, args, rules)
    })?;
    Ok(Found { tried: [one, by_weights, by_value], said })
}

/// Returns what was kept, or does it and keeps it.
fn kept_or<T: Serialize + DeserializeOwned>(
    kept: Option<&Kept>,
    key: &str,
    find: impl FnOnce() -> Result<T, String>,
) -> Result<T, String> {
    if let Some(found) = kept.and_then(|kept| kept.get(key)) {
        return Ok(found);
    }
    let found = find()?;
    match kept.is_some_and(|kept| !kept.put(key, &found)) {
        true => Err("the results cannot be kept".into()),
        false => Ok(found),
    }
}

/// Returns what a move of this value achieves.
fn tried(exercise: &Exercise, chosen: Option<(Move, Score)>, judgements: usize) -> Tried {
    let position = &exercise.epd.position;
    Tried {
        chosen: chosen.map(|(mv, _)| position.uci(mv)).unwrap_or_default(),
        solved: chosen.is_some_and(|(mv, value)| exercise.is_solved_by(mv, value)),
        judgements,
    }
}

/// Returns the best move of a study, and the value of the root.
fn best(study: &mut Study<Position>) -> Option<(Move, Score)> {
    let best = study.verdict().moves.first().and_then(|best| best.mv);
    best.map(|mv| (mv, study.value(PositionId::ROOT)))
}

/// Spends all nodes on one search.
fn search(worker: &mut Worker, exercise: &Exercise, effort: u64) -> Result<Tried, String> {
    let position = &exercise.epd.position;
    let leaf = LeafId { position: PositionId::ROOT, followed: 0 };
    let (line, without) = (Vec::new(), Vec::new());
    worker.forget();
    let found = worker.judge(position, &Asked { leaf, position: position.clone(), line, without, effort })?;
    Ok(tried(exercise, found.line.first().map(|mv| (*mv, found.value)), 1))
}

/// Grows a study by weights, and on as far as it is wanted.
fn weigh(
    worker: &mut Worker,
    exercise: &Exercise,
    args: &TrialArgs,
    rules: &(Errors, Steps),
) -> Result<(Tried, Said), String> {
    let position = &exercise.epd.position;
    let (mut study, judged, mut nodes) = grown(worker, position, Growth::Weighted, rules, args.total)?;
    let verdict = study.verdict();
    let found = tried(exercise, best(&mut study), judged);
    let (doubt, first) = (verdict.doubt(), verdict.moves.first().ok_or("the game is over")?);
    if args.then == 1 {
        return Ok((found, Said { doubt, then: None }));
    }
    let leaves: Vec<Vec<LeafId>> = (verdict.conspiracies.iter())
        .map(|conspiracy| conspiracy.members.iter().map(|member| member.leaf).collect())
        .collect();
    let (likeliest, named) = (leaves.first().cloned().unwrap_or_default(), leaves.concat());
    let seed = fnv(position.to_string().bytes());
    let random = |as_many: &[LeafId]| drawn(&study, as_many.len(), seed);
    let (of_likeliest, of_named) = (random(&likeliest), random(&named));
    let sets = [likeliest, of_likeliest, named, of_named, vec![best_line(&study)]];
    let mut earlier = study.clone();
    let more = grow(worker, position, &mut study, args.total * args.then, &mut nodes)?;
    let scale = study.errors().scale();
    let later = study.verdict().moves.iter().find(|other| other.mv == first.mv).and_then(|of| of.value);
    let then = Then {
        tried: tried(exercise, best(&mut study), judged + more),
        moved: sets.map(|leaves| what_became(&leaves, &mut earlier, &study)),
        value: scale.of(first.value.unwrap_or_default()),
        range: (scale.of(first.range.0), scale.of(first.range.1)),
        later: scale.of(later.or(first.value).unwrap_or_default()),
    };
    Ok((found, Said { doubt, then: Some(then) }))
}

/// Returns what became of these leaves of an earlier study.
fn what_became(leaves: &[LeafId], earlier: &mut Study<Position>, later: &Study<Position>) -> Moved {
    let scale = later.errors().scale();
    let moved = |leaf: &LeafId| (scale.of(later.worth(*leaf)) - scale.of(earlier.worth(*leaf))).abs();
    let most = leaves.iter().map(moved).fold(0.0, f32::max);
    let is_judged = |leaf: &LeafId| {
        later.edges(leaf.position).len() > leaf.followed.into()
            || later.leaf(leaf.position).is_some_and(|leaf| leaf.is_judged())
    };
    let judged = leaves.iter().filter(|leaf| is_judged(leaf)).map(|leaf| (*leaf, later.worth(*leaf)));
    let judged: Vec<(LeafId, Score)> = judged.collect();
    let overturns = earlier.best_if(&judged) != earlier.best_if(&[]);
    Moved { leaves: leaves.len(), most, overturns }
}

/// Grows a study in memory. Returns the number of its judgements and of its nodes, too.
fn grown(
    worker: &mut Worker,
    root: &Position,
    growth: Growth,
    (errors, steps): &(Errors, Steps),
    total: u64,
) -> Result<(Study<Position>, usize, u64), String> {
    let mut study = cassius_study::study(root.clone());
    study.growth = growth;
    study.trust(errors.clone());
    study.steps = steps.clone();
    let mut nodes = 0;
    worker.forget();
    let judged = grow(worker, root, &mut study, total, &mut nodes)?;
    Ok((study, judged, nodes))
}

fn grow(
    worker: &mut Worker,
    root: &Position,
    study: &mut Study<Position>,
    total: u64,
    nodes: &mut u64,
) -> Result<usize, String> {
    let mut judged = 0;
    while *nodes < total {
        let Some(asked) = study.ask(1).pop() else { break };
        if *nodes + asked.effort / 2 > total {
            study.give_back(asked.leaf); // less than half of it is left
            break;
        }
        let found = worker.judge(root, &asked)?;
        *nodes += found.nodes.max(1);
        judged += 1;
        let best = found.line.first().copied().ok_or("no move was named")?;
        let judgement = Judgement::estimate(found.value, best, asked.effort);
        study.tell(asked.leaf, judgement).map_err(|refused| refused.to_string())?;
    }
    Ok(judged)
}

/// Returns the leaf of the best line.
fn best_line(study: &Study<Position>) -> LeafId {
    let mut at = PositionId::ROOT;
    loop {
        let next = study.edges(at).iter().find_map(|edge| match edge.to {
            Target::Position(to) if (-study.value(to)).at_root(1) == study.value(at) => Some(to),
            _ => None,
        });
        match next {
            Some(to) => at = to,
            None => return LeafId { position: at, followed: study.edges(at).len() as u16 },
        }
    }
}

/// Draws so many leaves.
fn drawn(study: &Study<Position>, count: usize, seed: u64) -> Vec<LeafId> {
    let ids = (0..study.len() as u32).map(PositionId);
    let mut leaves: Vec<LeafId> = ids
        .filter(|id| study.leaf(*id).is_some())
        .map(|position| LeafId { position, followed: study.edges(position).len() as u16 })
        .collect();
    leaves.sort_by_key(|leaf| fnv(format!("{seed} {leaf:?}").bytes()));
    leaves.truncate(count);
    leaves
}

/// Returns the results as text.
fn text(found: &[Found], args: &TrialArgs) -> String {
    let mut text = String::new();
    let count = |of: &dyn Fn(&Found) -> bool| found.iter().filter(|found| of(found)).count();
    let solved = |way: usize| count(&|found| found.tried[way].solved);
    let only =
        |way: usize, other: usize| count(&|found| found.tried[way].solved && !found.tried[other].solved);
    let _ = writeln!(
        text,
        "{STRONG}{} positions, {} nodes each: one search {}, by weights {}, by value {}{STRONG:#}",
        found.len(),
        args.total,
        solved(0),
        solved(1),
        solved(2)
    );
    for (names, way, other) in [
        (["by weights", "one search"], 1, 0),
        (["by value", "one search"], 2, 0),
        (["by weights", "by value"], 1, 2),
    ] {
        let [here, there] = names;
        let _ = writeln!(text, "only {here} {}, only {there} {}", only(way, other), only(other, way));
    }
    let pairs: Vec<(&Found, &Then)> =
        found.iter().filter_map(|found| Some((found, found.said.then.as_ref()?))).collect();
    if pairs.is_empty() {
        return text;
    }
    let changes = |found: &Found, then: &Then| found.tried[1].chosen != then.tried.chosen;
    let changed: Vec<_> = pairs.iter().filter(|(found, then)| changes(found, then)).collect();
    let later = pairs.iter().filter(|(_, then)| then.tried.solved).count();
    let _ = writeln!(
        text,
        "\n{STRONG}with {} times as many nodes by weights {later}; the best move changed in {} of \
         {}{STRONG:#}",
        args.then,
        changed.len(),
        pairs.len()
    );
    let _ = writeln!(
        text,
        "\nin how many of them one of these leaves moved by 0.2 or more, in how many their later values\n\
         alone make another move best, and in how many of the other {} positions they do:\n\
         {STRONG}{:<29} leaves  moved  another  of the others{STRONG:#}",
        pairs.len() - changed.len(),
        ""
    );
    for (of, name) in SETS.into_iter().enumerate() {
        let leaves = pairs.iter().map(|(_, then)| then.moved[of].leaves).sum::<usize>();
        let moved = changed.iter().filter(|(_, then)| then.moved[of].most >= 0.2).count();
        let overturned = changed.iter().filter(|(_, then)| then.moved[of].overturns).count();
        let all = pairs.iter().filter(|(_, then)| then.moved[of].overturns).count();
        let _ = writeln!(
            text,
            "{name:<29} {:>6.1} {:>6} {:>8} {:>14}",
            leaves as f64 / pairs.len() as f64,
            moved,
            overturned,
            all - overturned
        );
    }
    let mean = |of: &dyn Fn(&Then) -> f32| {
        pairs.iter().map(|(_, then)| of(then)).sum::<f32>() / pairs.len().max(1) as f32
    };
    let found = |is_so: &dyn Fn(&Then) -> bool| pairs.iter().filter(|(_, then)| is_so(then)).count();
    let _ = writeln!(
        text,
        "\n{STRONG}the later value of the move that was best lay within its range of 80 % in {} of \
         {}{STRONG:#},\nbelow in {}, above in {}; on average {:+.3} from the value and {:+.3} from \
         the middle of the range",
        found(&|then| (then.range.0..=then.range.1).contains(&then.later)),
        pairs.len(),
        found(&|then| then.later < then.range.0),
        found(&|then| then.later > then.range.1),
        mean(&|then| then.later - then.value),
        mean(&|then| then.later - (then.range.0 + then.range.1) / 2.0),
    );
    let _ = writeln!(text, "\n{STRONG}predicted     positions  mean  changed{STRONG:#}");
    for bin in 0..10 {
        let (low, high) = (bin as f32 / 10.0, (bin + 1) as f32 / 10.0);
        let inside = |doubt: f32| doubt >= low && (doubt < high || bin == 9);
        let there: Vec<_> = pairs.iter().filter(|(found, _)| inside(found.said.doubt)).collect();
        if there.is_empty() {
            continue;
        }
        let mean = there.iter().map(|(found, _)| found.said.doubt).sum::<f32>() / there.len() as f32;
        let changed = there.iter().filter(|(found, then)| changes(found, then)).count();
        let share = 100.0 * changed as f32 / there.len() as f32;
        let _ = writeln!(
            text,
            "{:>3.0} to {:>3.0} % {:>9} {:>4.0} % {share:>5.0} %",
            100.0 * low,
            100.0 * high,
            there.len(),
            100.0 * mean
        );
    }
    text
}
