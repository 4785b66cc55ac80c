//! Rules of depth on one skeleton: one counter, counters of both sides, credit, and the depths of plans.

use super::measure::{MIB, Still, Subject, games, positions};
use crate::experiment::{Context, Experiment, Findings, Interrupted, Tolerance};
use crate::plot::{Plot, Scale, Series};
use crate::statistics::Pentanomial;
use crate::suite::Summary;
use crate::{Budget, Player};
use cassius_chess::recipes::Laboratory;
use cassius_chess::tablebase::Endgames;
use cassius_chess::{EngineError, Evaluator, Position};
use cassius_search::{
    Abc, Coupled, DualCredit, Horizon, Instability, Plies, Recipe, Request, Sex, Slots, Table, search,
};
use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// The comparison.
pub static DEPTH_RULES: Experiment = Experiment {
    id: "depth-rules",
    claim: "A line may end when one counter has run out (fractional plies), when those of both sides have (SEX), when credit is \
            used up (dual credit), or when each side's plan is safe enough (ABC): which of them plays best is not published",
    paper: "D. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993; D. Levy, D. Broughton, M. Taylor: The SEX Algorithm in \
            Computer Chess, 1989; M. Campbell, A. J. Hoane, F. Hsu: Deep Blue, 2002; D. Eppstein: Variations on Alpha-Beta Search, 1999",
    section: "§11 of the first, which is empty",
    run,
};

/// Everything is one skeleton with the evaluation, the order and the pruning of this recipe; it counts every move as a ply.
const REFERENCE: &str = "lab";

/// A rule, as a player of the skeleton.
struct Rule {
    name: &'static str,
    player: &'static str,
    watch: Watcher,
}

/// [`watch`] for some depth rule.
type Watcher = fn(&Context<'_>, u64, &Player) -> Result<Option<Watch>, EngineError>;

const RULES: [Rule; 7] = [
    Rule { name: "plies", player: REFERENCE, watch: watch::<Plies> },
    Rule { name: "fractional", player: "lab,+Interest", watch: watch::<Plies> },
    Rule { name: "sex", player: "sex", watch: watch::<Sex> },
    Rule { name: "dual-credit", player: "dual-credit", watch: watch::<DualCredit> },
    Rule { name: "abc", player: "lab-abc", watch: watch::<Abc> },
    Rule { name: "abc, S(0) = 0", player: "lab-abc,Abc.floor=0", watch: watch::<Abc> },
    Rule { name: "coupled", player: "lab-coupled", watch: watch::<Coupled> },
];

/// How much is done.
struct Effort {
    /// Nodes for an exercise.
    budgets: &'static [u64],
    /// Nodes for a position whose search is watched.
    watched: u64,
    /// Pairs of games at equal nodes …
    pairs: u64,
    pace: u64,
    /// … and at equal times.
    timed_pairs: u64,
    times: &'static [Duration],
}

const QUICK: Effort =
    Effort { budgets: &[2_000], watched: 3_000, pairs: 1, pace: 200, timed_pairs: 0, times: &[] };
const FULL: Effort = Effort {
    budgets: &[10_000, 50_000, 250_000],
    watched: 50_000,
    pairs: 100,
    pace: 10_000,
    timed_pairs: 80,
    times: &[Duration::from_millis(10), Duration::from_millis(40)],
};

/// What is seen of the searches of one rule.
#[derive(Clone, Debug, Default, PartialEq)]
struct Watch {
    searches: u64,
    /// Sums over the searches: iterations finished, and the longest line of each in plies.
    iterations: u64,
    longest: u64,
    /// Searches with an iteration that took more than [`EXPLOSION`] times the nodes of all before it.
    explosions: u64,
    /// Sums of what [`Instability`] counts.
    again: u64,
    taken_back: u64,
}

/// How much an iteration may cost, in terms of all before it together, and these count as [`FIRST`] nodes at least.
const EXPLOSION: u64 = 20;
const FIRST: u64 = 500;

/// What was measured of a rule.
struct Case {
    name: &'static str,
    solved: Vec<Summary>,
    watch: Watch,
    /// Against the reference, at equal nodes and then at each time.
    games: Vec<(String, Pentanomial)>,
}

fn run(context: &Context<'_>) -> Result<Findings, Interrupted> {
    let effort = if context.quick { &QUICK } else { &FULL };
    match measure(context, effort) {
        Ok(Some(cases)) => Ok(findings(context, effort, &cases)),
        Ok(None) => Err(Interrupted),
        Err(error) => Ok(Findings { notes: vec![format!("Not measured: {error}.")], ..Findings::default() }),
    }
}

/// All cases; `None` if interrupted. What takes longest comes last, for all of them.
fn measure(context: &Context<'_>, effort: &Effort) -> Result<Option<Vec<Case>>, EngineError> {
    let wanted = |rule: &&Rule| {
        context.only.is_empty() || context.only.iter().any(|only| only.eq_ignore_ascii_case(rule.name))
    };
    let subject = |player: &str| Subject::new(context, player.parse().expect("a player of this file's own"));
    let reference = subject(REFERENCE)?;
    let mut cases = Vec::new();
    for rule in RULES.iter().filter(wanted) {
        let subject = subject(rule.player)?;
        let mut solved = Vec::new();
        for nodes in effort.budgets {
            let Some(summary) = subject.solves(context, *nodes)? else { return Ok(None) };
            solved.push(summary);
        }
        let Some(watch) = (rule.watch)(context, effort.watched, &subject.player)? else { return Ok(None) };
        cases.push((subject, Case { name: rule.name, solved, watch, games: Vec::new() }));
    }
    let nodes = Budget { nodes: Some(effort.pace), ..Budget::default() };
    let times = effort.times.iter().map(|time| Budget { time: Some(*time), ..Budget::default() });
    let times = times.filter(|_| context.clock.is_some()).map(|budget| (budget, effort.timed_pairs));
    let paces: Vec<(Budget, u64)> = [(nodes, effort.pairs)].into_iter().chain(times).collect();
    let steps = paces.len() * cases.len();
    for (pace, (budget, pairs)) in paces.iter().enumerate() {
        for number in 0..cases.len() {
            (context.progress)(pace * cases.len() + number, steps);
            let (subject, case) = &mut cases[number];
            if subject.player == reference.player {
                continue;
            }
            let Some(tally) = games(context, [subject, &reference], *budget, *pairs)? else {
                return Ok(None);
            };
            case.games.push((budget.to_string(), tally));
        }
    }
    (context.progress)(steps, steps);
    Ok(Some(cases.into_iter().map(|(_, case)| case).collect()))
}

/// A recipe with an observer.
struct Watched<R>(PhantomData<R>);

impl<R: Recipe<Position>> Recipe<Position> for Watched<R> {
    type Evaluate = R::Evaluate;
    type Observe = Instability;
    type Draws = R::Draws;
    type Horizon = R::Horizon;
    type Quiescence = R::Quiescence;
    type Memory = R::Memory;
    type Knowledge = R::Knowledge;
    type InternalReduction = R::InternalReduction;
    type ReverseFutility = R::ReverseFutility;
    type Razoring = R::Razoring;
    type NullMove = R::NullMove;
    type Order = R::Order;
    type LateMovePruning = R::LateMovePruning;
    type Futility = R::Futility;
    type ExchangePruning = R::ExchangePruning;
    type Extend = R::Extend;
    type LateMoveReduction = R::LateMoveReduction;
    type Windows = R::Windows;
    type Aspiration = R::Aspiration;
    type Deepening = R::Deepening;
}

/// Searches the exercises, or else the built-in positions, with the rule `H` and what the player changes.
fn watch<H: Horizon<Position> + Default>(
    context: &Context<'_>,
    nodes: u64,
    player: &Player,
) -> Result<Option<Watch>, EngineError> {
    let table = Table::new(MIB)?;
    let mut slots =
        Slots::<Position, Watched<Laboratory<H>>>::new(Evaluator::new(), table.clone(), Endgames::default());
    slots.visit(&mut |parameter, value| {
        let switched =
            player.components.iter().find(|(name, _)| parameter.name == "on" && name == parameter.component);
        let named = format!("{}.{}", parameter.component, parameter.name);
        let set = player.settings.iter().find(|(name, _)| *name == named);
        *value = set.map(|(_, value)| *value).or(switched.map(|(_, on)| i32::from(*on))).unwrap_or(*value);
    });
    let exercises = context.exercises.iter().map(|exercise| exercise.epd.position.clone());
    let positions: Vec<Position> =
        if context.exercises.is_empty() { positions().collect() } else { exercises.collect() };
    let mut watch = Watch::default();
    for position in positions {
        table.clear();
        slots.forget();
        slots.observe = Instability::default();
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let limits = budget.limits(&Still, context.stop);
        let (mut iteration, mut before, mut now, mut longest, mut explodes) = (0, 0, 0, 0, false);
        let costs_too_much = |before: u64, now: u64| now - before > EXPLOSION * before.max(FIRST);
        let answer = search(&mut slots, &Request::new(&position, &limits), &mut |report| {
            if report.iteration > iteration {
                explodes |= costs_too_much(before, now);
                (iteration, before) = (report.iteration, now);
            }
            (now, longest) = (report.nodes, report.max_ply.max(longest));
        });
        if context.stop.load(Relaxed) {
            return Ok(None);
        }
        // What came after the last report belongs to its iteration, or to one that never reported.
        explodes |= costs_too_much(before, answer.nodes) || costs_too_much(now, answer.nodes);
        watch.searches += 1;
        watch.iterations += iteration.saturating_sub(usize::from(!answer.complete)) as u64;
        watch.longest += longest as u64;
        watch.explosions += u64::from(explodes);
        let seen = &slots.observe;
        watch.again += seen.again;
        watch.taken_back += seen.high_then_low + seen.low_then_high;
    }
    Ok(Some(watch))
}

fn findings(context: &Context<'_>, effort: &Effort, cases: &[Case]) -> Findings {
    let mut findings = Findings { conditions: vec!["rule", "limit"], ..Findings::default() };
    for case in cases {
        let mut row = |quantity: &str, limit: &str, value: f64| {
            findings.row(quantity, &[&case.name, &limit], None, value, Tolerance::Any);
        };
        for (nodes, summary) in effort.budgets.iter().zip(&case.solved) {
            if summary.done > 0 {
                row("solved", &format!("{nodes} nodes"), summary.solved as f64);
            }
        }
        let Watch { searches, iterations, longest, explosions, again, taken_back } = case.watch;
        let limit = format!("{} nodes", effort.watched);
        let mean = |sum: u64| sum as f64 / searches.max(1) as f64;
        row("iterations", &limit, mean(iterations));
        row("longest line", &limit, mean(longest));
        row("explosions", &limit, explosions as f64);
        row("taken back", &limit, 1000.0 * taken_back as f64 / again.max(1) as f64);
        for (limit, pairs) in &case.games {
            let elo = pairs.elo();
            row("Elo", &limit.replace(" a move", ""), elo.value);
            row("±", &limit.replace(" a move", ""), elo.error());
        }
    }
    let points = |case: &Case| {
        let of = |(nodes, summary): (&u64, &Summary)| (*nodes as f64, summary.solved as f64);
        effort.budgets.iter().zip(&case.solved).map(of).collect()
    };
    findings.plots.push(Plot {
        name: "solved".into(),
        title: "Exercises solved by nodes".into(),
        x: "nodes".into(),
        y: "solved".into(),
        scale: Scale::Logarithmic,
        series: cases.iter().map(|case| Series { name: case.name.into(), points: points(case) }).collect(),
    });
    let players = RULES.map(|rule| format!("{} is `{}`", rule.name, rule.player)).join(", ");
    let watched = match context.exercises.len() {
        0 => format!("{} built-in positions; no exercises: name a suite with --suite", positions().count()),
        count => format!("{count} exercises"),
    };
    findings.notes = vec![
        format!(
            "One skeleton, evaluation, order and pruning, those of `{REFERENCE}`; {MIB} MiB, one thread; every rule with the prices that it is \
             declared with, none tuned. {players}."
        ),
        format!(
            "Of {watched}. *iterations* finished and *longest line* in plies: means. *explosions*: searches in which one iteration \
             took more than {EXPLOSION} times the nodes of all before it, these counted as {FIRST} at least. *taken back*: of 1000 \
             nodes that were searched again at once with a wider window, those that contradicted their bound."
        ),
        format!(
            "*Elo* against `{REFERENCE}`, half of the 95 % interval beside it: {} pairs at equal nodes a move, {} pairs at equal processor time a move, \
             built-in openings, seed 1.",
            effort.pairs, effort.timed_pairs
        ),
    ];
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite;
    use std::sync::atomic::AtomicBool;

    /// Every rule's player searches with that rule: the watched search and the player's agree to the node.
    #[test]
    fn what_is_watched_is_what_plays() {
        let stop = AtomicBool::new(false);
        let context = Context::new(true, &|_, _| {}, &stop);
        for rule in RULES {
            let player: Player = rule.player.parse().unwrap();
            let watch = (rule.watch)(&context, 2_000, &player).unwrap().unwrap();
            assert_eq!(watch.searches, positions().count() as u64);
            let mut engine = player.engine(MIB, 1).unwrap();
            let mut longest = 0;
            for position in positions() {
                engine.forget();
                let few = Budget { nodes: Some(2_000), ..Budget::default() };
                let limits = few.limits(&Still, &stop);
                let mut line = 0;
                engine
                    .search(&Request::new(&position, &limits), &mut |report| line = report.max_ply.max(line));
                longest += line as u64;
            }
            assert_eq!(watch.longest, longest, "{}", rule.name);
        }
    }

    /// As printed, the depths of plans follow one-sided forced lines for ever; one counter does not.
    #[test]
    fn one_sided_forced_lines_explode() {
        let epd = "8/Pk6/8/1p6/8/P1K5/8/6B1 w - - bm a8=Q+; id \"one-sided\";\n";
        let (exercises, broken) = suite::read("x.epd", epd.as_bytes());
        assert!(broken.is_empty());
        let stop = AtomicBool::new(false);
        let context = Context { exercises: &exercises, ..Context::new(true, &|_, _| {}, &stop) };
        let explosions = |rule: Watcher, player: &str| {
            rule(&context, 20_000, &player.parse().unwrap()).unwrap().unwrap().explosions
        };
        assert_eq!(explosions(watch::<Plies>, "lab"), 0);
        assert_eq!(explosions(watch::<Abc>, "lab-abc,Abc.floor=0"), 1);
    }
}
