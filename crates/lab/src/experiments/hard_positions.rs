//! Positions, by name, that two depths solve sooner than one, and the reverse.

use super::depth_rules::{LEARNED, ONE_DEPTH, RANDOM, REFERENCE};
use super::known_positions::{expected_value, tables, value_word};
use super::measure::{MIB, Still, Subject, exercises};
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::parallel::run_in_order;
use crate::statistics::Estimate;
use crate::{Budget, Player};
use cassius_chess::notation::Epd;
use cassius_chess::{Move, Position};
use cassius_insight::chance;
use cassius_search::{Bound, Request, Score, fnv};
use std::fmt::Display;

/// Which positions profit from two depths.
pub static HARD_POSITIONS: Experiment = Experiment {
    id: "hard-positions",
    claim: "Where one side's moves are forced and the other's are not, two depths see what one does not",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§8, whose examples are made up",
    cases: None,
    uses: &[Input::Exercises, Input::Kept],
    run,
};

/// The rules. With *learned, one depth* S is the same for both plans, with *by chance* it is less than 1
/// where chance says so; the last is the same rule as the first, with other trees.
const RULES: [(&str, &str); 6] = [
    ("one depth", REFERENCE),
    ("coupled", "lab-coupled"),
    ("learned", LEARNED),
    ("learned, one depth", ONE_DEPTH),
    ("by chance", RANDOM),
    (AGAIN, REFERENCE),
];
const AGAIN: &str = "one depth again";
/// The first and the last together.
const BOTH: &str = "one depth, all trees";

/// What is compared with what: places in [`RULES`].
const COMPARED: [[usize; 2]; 6] = [[1, 0], [2, 0], [3, 0], [4, 0], [5, 0], [2, 3]];

/// The number of trees of each rule and position.
const TREES: i32 = 10;

/// Returns settings that make trees different and no rule better.
fn settings(again: bool, tree: i32) -> String {
    let (width, base) = if again { (10 + 2 * tree, 79 - tree) } else { (9 + 2 * tree, 70 + tree) };
    let margin = 85 + tree;
    format!("Aspiration.width={width},LateMoveReduction.base={base},Futility.margin={margin}")
}

/// The nodes of a search. A search that does not solve its position counts as one that takes twice as many.
const FULL: u64 = 100_000;
const QUICK: u64 = 1_000;

/// So many times fewer nodes, by the medians of half of the trees, are worth a look at the others …
const FEWER: f64 = 4.0;
/// … if the slower rule takes so many: the first iterations are the same in all trees.
const MANY: f64 = 2_000.0;

/// The expected values of known positions that are asked for. The others have two limits, near which a value
/// that changes a little is of another kind.
const ASKED: [&str; 3] = ["won", "equal", "lost"];

/// A position, and whether a move and its value are what is asked for.
struct Task<'a> {
    name: String,
    position: Position,
    right: Box<dyn Fn(Move, Score) -> bool + Sync + 'a>,
}

/// Returns the known positions of which the value is asked.
fn known() -> impl Iterator<Item = Epd> {
    tables().into_iter().flatten().filter(|epd| ASKED.contains(&expected_value(epd).as_str()))
}

/// Returns the exercises, and the known positions.
fn tasks<'a>(context: &Context<'a>) -> Vec<Task<'a>> {
    let known = known().map(|epd| {
        let (position, expected) = (epd.position.clone(), expected_value(&epd));
        let white = position.turn() == shakmaty::Color::White;
        let right = move |_: Move, score: Score| {
            let own = chance(score);
            value_word(if white { own } else { 1.0 - own }) == expected
        };
        Task { name: epd.id().unwrap_or_default().to_string(), position, right: Box::new(right) }
    });
    let exercises = context.exercises.iter().map(|exercise| Task {
        name: exercise.name(),
        position: exercise.epd.position.clone(),
        right: Box::new(|mv, score| exercise.is_solved_by(mv, score)),
    });
    known.chain(exercises).collect()
}

/// Returns the nodes after which each task was solved and stayed so.
fn solve(
    context: &Context<'_>,
    player: &Player,
    tasks: &[Task<'_>],
    nodes: u64,
) -> Result<Vec<Option<u64>>, Unfinished> {
    let (mut solved, stop) = (Vec::new(), context.stop);
    let work = || -> Result<_, Unfinished> {
        let mut engine = player.engine(MIB, 1)?;
        Ok(move |task: &Task<'_>| {
            engine.forget();
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let limits = budget.limits(&Still, stop);
            let mut since = None;
            let answer = engine.search(&Request::new(&task.position, &limits), &mut |report| {
                if report.bound == Some(Bound::Exact) {
                    let right = report.pv.first().is_some_and(|mv| (task.right)(*mv, report.score));
                    since = if right { since.or(Some(report.nodes)) } else { None };
                }
            });
            let last = answer.best().zip(answer.score());
            let is_right = last.is_some_and(|(mv, score)| (task.right)(mv, score));
            Some(is_right.then_some(since.unwrap_or(answer.nodes)))
        })
    };
    run_in_order(tasks, context.jobs, work, stop, &mut |since| {
        solved.push(since);
        true
    })?;
    Ok(context.go_on().map(|()| solved)?)
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let nodes = if context.quick { QUICK } else { FULL };
    let mut tasks = tasks(context);
    if context.quick {
        tasks = tasks.into_iter().step_by(8).collect();
    }
    let question = |epd: Epd| format!("{} {}\n", epd.position, expected_value(&epd));
    let asked: String = known().map(question).collect();
    let asked = format!("{} and known positions ({:016x})", exercises(context), fnv(asked.bytes()));
    let mut costs: Vec<Vec<Vec<f64>>> = Vec::new(); // by rule, tree and task
    let steps = RULES.len() * TREES as usize;
    for (name, player) in &RULES {
        let mut of_rule = Vec::new();
        for tree in 0..TREES {
            context.step(costs.len() * TREES as usize + tree as usize, steps)?;
            let player = format!("{player},{}", settings(*name == AGAIN, tree));
            let subject = Subject::new(context, player.parse().expect("a player of this file's own"))?;
            let key = format!("{subject}: {asked}, {nodes} nodes, {MIB} MiB");
            let solved = context.once(&key, || solve(context, &subject.player, &tasks, nodes))?;
            let Some(solved) = solved else { break };
            of_rule.push(solved.iter().map(|of| of.unwrap_or(2 * nodes).max(1) as f64).collect());
        }
        costs.push(of_rule);
    }
    context.step(steps, steps)?;
    Ok(findings(&tasks, &costs, nodes))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

/// What is said of a position from the costs of two rules, tree by tree.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Verdict {
    /// The medians of the second half of the trees.
    medians: [f64; 2],
    /// Which rule takes [`FEWER`] times fewer nodes by the first half of the trees, if one does.
    found: Option<usize>,
    /// Whether the other half confirms it: all its trees of that rule are smaller than all of the other.
    confirmed: bool,
}

impl Verdict {
    /// How many times the second rule halves the nodes of the first.
    fn doublings(&self) -> f64 {
        (self.medians[0] / self.medians[1]).log2()
    }
}

/// Returns every second tree, from the first or from the second.
fn half(of_rule: &[f64], half: usize) -> impl Iterator<Item = f64> {
    of_rule.iter().copied().skip(half).step_by(2)
}

fn judge(costs: [&[f64]; 2]) -> Verdict {
    let medians = |second: usize| costs.map(|of_rule| median(half(of_rule, second).collect()));
    let found = match medians(0) {
        [one, two] if one.max(two) < MANY => None,
        [one, two] if two * FEWER <= one => Some(1),
        [one, two] if one * FEWER <= two => Some(0),
        _ => None,
    };
    let least = |rule: usize| half(costs[rule], 1).fold(f64::INFINITY, f64::min);
    let most = |rule: usize| half(costs[rule], 1).fold(0.0, f64::max);
    let confirmed = found.is_some_and(|better| most(better) < least(1 - better));
    Verdict { medians: medians(1), found, confirmed }
}

/// Returns how likely it is that of so many differences as many, or more, go one way or the other by chance.
fn sign_test(one: u32, two: u32) -> f64 {
    let (count, least) = (one + two, one.min(two));
    let ways = |chosen: u32| (0..chosen).map(|n| f64::from(count - n) / f64::from(n + 1)).product::<f64>();
    let tail = (0..=least).map(ways).sum::<f64>() / 2_f64.powi(count as i32);
    (2.0 * tail).min(1.0)
}

fn findings(tasks: &[Task<'_>], costs: &[Vec<Vec<f64>>], nodes: u64) -> Findings {
    let conditions = vec!["rule", "against", "position"];
    let mut findings = Findings { conditions, ..Findings::default() };
    let is_whole = |rule: usize| costs.get(rule).is_some_and(|trees| trees.len() == TREES as usize);
    // Against all trees of one depth, so that the luck of ten of them is in no row.
    if [0, 5].into_iter().all(is_whole) {
        for rule in (1..5).filter(|rule| is_whole(*rule)) {
            let of = |rules: &[usize], task: usize| -> Vec<f64> {
                rules.iter().flat_map(|rule| costs[*rule].iter().map(|tree| tree[task])).collect()
            };
            let first = |rules: &[usize], task: usize| median(half(&of(rules, task), 0).collect());
            let is_hard = |task: &usize| (first(&[rule], *task) * first(&[0, 5], *task)).sqrt() >= MANY;
            let verdict = |task: usize| judge([&of(&[0, 5], task), &of(&[rule], task)]);
            let logs: Vec<f64> =
                (0..tasks.len()).filter(is_hard).map(|task| verdict(task).doublings()).collect();
            let error = Estimate::of_mean(logs.iter().copied().enumerate()).error();
            let mut row = |quantity: &str, value: f64| {
                let conditions: [&dyn Display; 3] = [&RULES[rule].0, &BOTH, &"all"];
                findings.row(quantity, &conditions, None, value, Tolerance::Any);
            };
            row("hard", logs.len() as f64);
            row("fewer nodes, doublings", logs.iter().sum::<f64>() / logs.len().max(1) as f64);
            if error.is_finite() {
                row("±", error);
            }
        }
    }
    for [rule, against] in COMPARED.into_iter().filter(|of| of.iter().all(|rule| is_whole(*rule))) {
        let of = |rule: usize, task: usize| costs[rule].iter().map(|tree| tree[task]).collect::<Vec<_>>();
        let verdict = |task| judge([&of(against, task), &of(rule, task)]);
        let verdicts: Vec<Verdict> = (0..tasks.len()).map(verdict).collect();
        let mut row = |quantity: &str, position: &str, value: f64| {
            let conditions: [&dyn Display; 3] = [&RULES[rule].0, &RULES[against].0, &position];
            findings.row(quantity, &conditions, None, value, Tolerance::Any);
        };
        let count = |is: &dyn Fn(&Verdict) -> bool| verdicts.iter().filter(|of| is(of)).count() as f64;
        // Both rules choose the positions. One that is chosen by one rule's slowness favours the other rule.
        let first = |rule: usize, task: usize| median(half(&of(rule, task), 0).collect());
        let is_hard = |task: &usize| (first(rule, *task) * first(against, *task)).sqrt() >= MANY;
        let hard: Vec<Verdict> = (0..tasks.len()).filter(is_hard).map(|task| verdicts[task]).collect();
        row("positions", "all", tasks.len() as f64);
        row("sooner", "all", count(&|of| of.found == Some(1)));
        let sooner = count(&|of| of.found == Some(1) && of.confirmed);
        row("confirmed", "all", sooner);
        row("later", "all", count(&|of| of.found == Some(0)));
        let later = count(&|of| of.found == Some(0) && of.confirmed);
        row("confirmed too", "all", later);
        row("p", "all", sign_test(sooner as u32, later as u32));
        let solves = |of: &Verdict| of.medians.map(|median| median <= nodes as f64);
        row("solved by it alone", "all", count(&|of| solves(of) == [false, true]));
        row("by the other alone", "all", count(&|of| solves(of) == [true, false]));
        row("hard", "all", hard.len() as f64);
        let logs: Vec<f64> = hard.iter().map(Verdict::doublings).collect();
        row("fewer nodes, doublings", "all", logs.iter().sum::<f64>() / logs.len().max(1) as f64);
        let neither = |of: &&Verdict| solves(of) == [false, false];
        row("hard, solved by neither", "all", hard.iter().filter(neither).count() as f64);
        let error = Estimate::of_mean(logs.iter().copied().enumerate()).error();
        if error.is_finite() {
            row("±", "all", error);
        }
        let logs: Vec<f64> = hard.iter().filter(|of| !neither(of)).map(Verdict::doublings).collect();
        let error = Estimate::of_mean(logs.iter().copied().enumerate()).error();
        if error.is_finite() {
            row(
                "fewer nodes where one solves, doublings",
                "all",
                logs.iter().sum::<f64>() / logs.len() as f64,
            );
            row("± where one solves", "all", error);
        }
        for (task, verdict) in tasks.iter().zip(&verdicts).filter(|(_, of)| of.confirmed) {
            for (place, quantity) in [(1, "nodes"), (0, "nodes of the other")] {
                row(quantity, &task.name, verdict.medians[place]);
            }
        }
    }
    findings.notes = vec![format!(
        "Known positions of `known-positions`, of which the value is asked where it is won, equal or lost, \
         and the exercises, of which the move is: {} positions, {nodes} nodes, {MIB} MiB. One depth is \
         `{REFERENCE}`; the other rules are those of `depth-rules`. Each is searched {TREES} times, with \
         slightly different `Aspiration.width`, `LateMoveReduction.base` and `Futility.margin`, so that the \
         trees differ; that is less than if they were drawn anew. *sooner*: by the medians of every second \
         tree the rule takes {FEWER} times fewer nodes than the other until the answer is right and stays \
         so, where the other takes {MANY} at least, and a search that does not get there counts as {}. \
         *later*: the reverse. *confirmed*: in the other trees it always takes fewer than the other ever \
         does; the nodes given are the medians of those. *{AGAIN}* is no other rule: what is found there is \
         found by chance. *p*: how likely so unequal numbers of confirmed positions are by chance (sign \
         test). *alone*: solved in most of the second trees of one rule and not of the other. *hard*: \
         positions in which the two rules together take {MANY} by the first medians (geometric mean), which \
         favours neither. *fewer nodes*: the mean over these of the ratio of the other medians, in \
         doublings; where neither gets there it is 0; *where one solves* leaves these out. *{BOTH}*: those \
         of *one depth* and of *{AGAIN}*, so that the luck of ten trees is in no row.",
        tasks.len(),
        2 * nodes
    )];
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_difference_is_found_and_confirmed() {
        let slow = [10_000.0; 10];
        let fast: Vec<f64> = (0..10).map(|tree| 2_000.0 + f64::from(tree)).collect();
        let verdict = judge([&slow, &fast]);
        assert_eq!((verdict.found, verdict.confirmed), (Some(1), true));
        assert_eq!(verdict.medians, [10_000.0, 2_005.0]);
        let verdict = judge([&fast, &slow]);
        assert_eq!((verdict.found, verdict.confirmed), (Some(0), true));
        // One tree of the second half is as large: found, not confirmed.
        let mut odd = fast.clone();
        odd[9] = 10_000.0;
        assert_eq!(judge([&slow, &odd]).found, Some(1));
        assert!(!judge([&slow, &odd]).confirmed);
        assert_eq!(judge([&slow, &slow]).found, None);
        // Few nodes are the same in all trees.
        assert_eq!(judge([&[500.0; 10], &[50.0; 10]]).found, None);
    }

    #[test]
    fn chance_explains_equal_numbers() {
        assert_eq!(
            [(0, 5), (5, 0), (3, 3), (0, 0), (1, 9)].map(|(one, two)| sign_test(one, two)),
            [0.0625, 0.0625, 1.0, 1.0, 0.021484375]
        );
    }

    #[test]
    fn every_known_position_is_asked() {
        let stop = AtomicBool::new(false);
        let context = Context::new(true, &|_, _| {}, &stop);
        assert_eq!(tasks(&context).len(), 151);
        let findings = run(&context).unwrap();
        let all = |row: &&crate::experiment::Row| row.quantity == "positions" && row.ours == 19.0;
        assert_eq!(findings.rows.iter().filter(all).count(), COMPARED.len(), "{}", findings.to_csv());
    }
}
