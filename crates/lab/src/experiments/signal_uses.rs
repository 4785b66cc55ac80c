//! What else a search could do with the number of moves that hold: when to go on, how far its value will
//! move, whether to trust a draw.

use super::depth_rules::LEARNED;
use super::full_width::Until;
use super::measure::{self, Done, MIB, Noting, Still, Subject, in_batches};
use super::option_signals::{FEW, learned};
use super::stability::position;
use crate::Budget;
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::prediction::{Bootstrap, Observation, RIDGE, auc_difference, auc_interval, folds};
use crate::statistics::Estimate;
use cassius_chess::{Engine, Move, Position, openings};
use cassius_insight::{Analyst, Effort, explain};
use cassius_search::{Bound, Checks as _, Game as _, Progress, Request, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Further uses of the signal.
pub static SIGNAL_USES: Experiment = Experiment {
    id: "signal-uses",
    claim: "How many moves hold, for either side, says what a search does not know without it: whether more \
            time will find a better move, how far its value will move, whether a draw can be trusted",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§5 and §6, which use it for depths only",
    cases: None,
    uses: &[Input::Kept],
    run,
};

/// The amount of work: the number of positions, and the nodes of the search whose result is judged.
struct Size {
    positions: usize,
    nodes: u64,
}

const QUICK: Size = Size { positions: 25, nodes: 400 };
const FULL: Size = Size { positions: 3_000, nodes: 20_000 };

/// How many times the nodes the search has that is taken for the truth.
const LATER: u64 = 16;
/// The nodes of a move of which it is asked what it costs, as a multiple of those of the search.
const COST: u64 = 4;
/// How many times the nodes the search has that is made in place of counting: to count costs twice as much
/// again.
const LONGER: u64 = 3;
/// Positions whose value is farther from a draw are left out, in centipawns.
const MOST: i32 = 400;

/// What is known of a position after a search, and what more search says of it. Values are in centipawns, for
/// the side to move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    number: usize,
    /// The last finished iteration, consecutive iterations with the same best move, the fall of the value in
    /// the last, and the share of the nodes of the best move.
    iteration: usize,
    stable: u32,
    fall: i32,
    effort: f64,
    /// The number of legal moves, and whether the side to move is in check.
    legal: usize,
    check: bool,
    /// The value, that of the next iteration, and that of a search with [`LATER`] times the nodes.
    now: i32,
    next: i32,
    later: i32,
    /// What the best move costs if the later search prefers another; else 0.
    loss: i32,
    /// The moves that hold, of the side to move and of the other side after the best move: counted by
    /// searches, and by the learned estimate, which does not count the best.
    counted: [usize; 2],
    learned: [usize; 2],
    /// What the same search knows after [`LONGER`] times the nodes.
    #[serde(skip)]
    longer: Option<Longer>,
}

/// What a longer search knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Longer {
    number: usize,
    value: i32,
    /// Whether it prefers the same move.
    same: bool,
    stable: u32,
    effort: f64,
}

/// Something that a search would like to know.
struct Question {
    name: &'static str,
    /// Whether it is so; `None` where it is not asked.
    is_so: fn(&Seen) -> Option<bool>,
}

const QUESTIONS: [Question; 4] = [
    Question { name: "a better move is found", is_so: |seen| Some(seen.loss >= 25) },
    Question {
        name: "the next value leaves the window",
        is_so: |seen| Some((seen.next - seen.now).abs() > 18),
    },
    Question { name: "the value moves", is_so: |seen| Some((seen.later - seen.now).abs() > 50) },
    Question {
        name: "a draw does not last",
        is_so: |seen| (seen.now.abs() <= 15).then_some(seen.later.abs() > 50),
    },
];

impl Seen {
    /// What a search knows without counting.
    fn usual(&self) -> Vec<f64> {
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        let check = f64::from(u8::from(self.check));
        let (iteration, stable) = (self.iteration as f64, f64::from(self.stable.min(20)));
        let (fall, now) = (pawns(self.fall), pawns(self.now));
        let legal = (self.legal as f64).ln();
        vec![iteration, stable, fall, fall.abs(), self.effort, now, now.abs(), legal, check]
    }

    fn with(&self, signal: [usize; 2]) -> Vec<f64> {
        [self.usual(), logarithms(signal)].concat()
    }

    /// What the search knows if it goes on instead of counting.
    fn with_longer(&self) -> Vec<f64> {
        let mut all = self.usual();
        if let Some(Longer { value, same, stable, effort, .. }) = self.longer {
            let moved = f64::from(value - self.now) / 100.0;
            let (same, stable) = (f64::from(u8::from(same)), f64::from(stable.min(20)));
            all.extend([moved, moved.abs(), same, stable, effort]);
        }
        all
    }
}

/// Each further move says less.
fn logarithms(signal: [usize; 2]) -> Vec<f64> {
    signal.iter().map(|count| (*count as f64 + 0.5).ln()).collect()
}

/// Predicts by these features.
struct Model {
    name: &'static str,
    features: fn(&Seen) -> Vec<f64>,
}

const USUAL: Model = Model { name: "usual signs", features: Seen::usual };
const MODELS: [Model; 5] = [
    Model { name: "counted", features: |seen| logarithms(seen.counted) },
    Model { name: "usual signs and counted", features: |seen| seen.with(seen.counted) },
    Model { name: "learned", features: |seen| logarithms(seen.learned) },
    Model { name: "usual signs and learned", features: |seen| seen.with(seen.learned) },
    Model { name: "usual signs and a longer search", features: Seen::with_longer },
];

/// What judges positions on one thread.
struct Judge<'a> {
    engine: Engine,
    analyst: Analyst,
    table: Table,
    limits: Until<'a>,
    nodes: u64,
}

impl Judge<'_> {
    /// Searches from nothing. Returns what is known after every finished iteration, with its best move.
    fn search(&mut self, position: &Position, nodes: u64) -> Vec<(Progress, Move)> {
        self.engine.forget();
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let limits = Noting::of(budget.limits(&Still, self.limits.stop));
        let mut moves = BTreeMap::new();
        self.engine.search(&Request::new(position, &limits), &mut |report| {
            if let (Some(Bound::Exact), Some(best)) = (report.bound, report.pv.first()) {
                moves.insert(report.iteration, *best);
            }
        });
        limits
            .seen()
            .into_iter()
            .filter_map(|progress| Some((progress, *moves.get(&progress.iteration)?)))
            .collect()
    }

    /// Returns the value of a move.
    fn value(&mut self, position: &Position, mv: Move) -> Option<i32> {
        let mut child = position.clone();
        child.play(mv);
        match child.is_over() {
            true => Some(-child.outcome().score(1).0),
            false => Some(-self.search(&child, COST * self.nodes).last()?.0.score.0),
        }
    }

    /// Returns what is seen of a position, or `None` where there is nothing to ask.
    fn look(&mut self, number: usize, position: &Position) -> Option<Seen> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        if position.is_over() || moves.len() < 2 {
            return None;
        }
        let (last, best) = *self.search(position, self.nodes).last()?;
        let now = last.score;
        if now.0.abs() > MOST {
            return None;
        }
        let all = self.search(position, LATER * self.nodes);
        let (next, _) = all.iter().find(|(of, _)| of.iteration > last.iteration)?;
        let (later, preferred) = *all.last()?;
        let loss = match preferred {
            other if other == best => 0,
            other => self.value(position, other)? - self.value(position, best)?,
        };
        let explained = explain(&mut self.analyst, position, &[]).ok()??;
        let mut after = position.clone();
        after.play(best);
        if after.is_over() {
            return None;
        }
        Some(Seen {
            number,
            iteration: last.iteration,
            legal: moves.len(),
            check: position.in_check(),
            stable: last.stable,
            fall: last.fall,
            effort: last.effort,
            now: now.0,
            next: next.score.0,
            later: later.score.0.clamp(-2_000, 2_000),
            loss,
            counted: [explained.own.room.holding, explained.other?.room.holding],
            learned: [
                learned(position, now, &self.table, &self.limits)?,
                learned(&after, -now, &self.table, &self.limits)?,
            ],
            longer: None,
        })
    }

    /// Returns what a longer search knows of a position that was seen.
    fn look_longer(&mut self, seen: &Seen, position: &Position) -> Option<Longer> {
        let all = self.search(position, LONGER * self.nodes);
        let (_, first) = all.iter().find(|(of, _)| of.iteration == seen.iteration)?;
        let (last, best) = all.last()?;
        let (value, same) = (last.score.0.clamp(-2_000, 2_000), best == first);
        Some(Longer { number: seen.number, value, same, stable: last.stable, effort: last.effort })
    }
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let Size { positions, nodes } = if context.quick { QUICK } else { FULL };
    let player = |player: &str| Subject::new(context, player.parse().expect("a player of this file's own"));
    // The trees of the second depend on what was learned.
    let (subject, learned) = (player("plies")?, player(LEARNED)?);
    let revision = cassius_insight::REVISION;
    let sizes =
        format!("{nodes} nodes, {LATER}, {COST}, within {MOST}, {FEW}, {MIB} MiB, revision {revision}");
    let key =
        |count: usize, begin: usize| format!("{subject}, {learned}: {count} positions from {begin}, {sizes}");
    let judge = || -> Result<Judge<'_>, Unfinished> {
        let effort = Effort { nodes, plan_nodes: 0, ..Effort::default() };
        let engine = subject.player.engine(MIB, 1)?;
        let (analyst, table) = (Analyst::new(effort, MIB)?, Table::new(MIB)?);
        Ok(Judge { engine, analyst, table, limits: Until::stopped(context.stop), nodes })
    };
    let work = || {
        let mut judge = judge()?;
        Ok(move |number: &usize| {
            let position = position(*number, &judge.limits).ok()?;
            judge.analyst.forget();
            Some(judge.look(*number, &position))
        })
    };
    let of = 2 * positions;
    let mut all = in_batches(context, positions, Done { steps: 0, of }, key, work)?;
    let key = |count: usize, begin: usize| {
        format!("{subject}: {count} of these {} from {begin}, {LONGER} times {sizes}", all.len())
    };
    let work = || {
        let mut judge = judge()?;
        let all = &all;
        Ok(move |number: &usize| {
            let seen = all.get(*number)?;
            let position = position(seen.number, &judge.limits).ok()?;
            Some(judge.look_longer(seen, &position))
        })
    };
    let longer: Vec<Longer> = in_batches(context, all.len(), Done { steps: positions, of }, key, work)?;
    let mut longer: BTreeMap<usize, Longer> = longer.into_iter().map(|of| (of.number, of)).collect();
    all.iter_mut().for_each(|seen| seen.longer = longer.remove(&seen.number));
    leave_out_repeats(&mut all);
    context.step(of, of)?;
    Ok(findings(&all, positions, nodes))
}

/// Leaves out what was seen of positions that came up before: the same position may arise from two openings,
/// which may be in different folds. Of the same position the same is seen.
fn leave_out_repeats(all: &mut Vec<Seen>) {
    measure::leave_out_repeats(all, |seen| format!("{:?}", Seen { number: 0, longer: None, ..seen.clone() }));
}

/// The number of folds: a model is fitted to all but one and tested on that one.
const FOLDS: usize = 10;

fn findings(all: &[Seen], of: usize, nodes: u64) -> Findings {
    let lines = openings::builtin().len();
    let mut findings = Findings { conditions: vec!["question", "predicted by"], ..Findings::default() };
    let bootstrap = Bootstrap::default();
    for Question { name, is_so } in &QUESTIONS {
        let asked: Vec<(&Seen, bool)> = all.iter().filter_map(|seen| Some((seen, is_so(seen)?))).collect();
        let mut row = |quantity: &str, of: &str, value: f64| {
            findings.row(quantity, &[name, &of], None, value, Tolerance::Any);
        };
        row("asked", "", asked.len() as f64);
        let so = asked.iter().filter(|of| of.1).count();
        row("so %", "", 100.0 * so as f64 / asked.len().max(1) as f64);
        let observe = |model: &Model| -> Vec<Observation> {
            let of = |(seen, error): &(&Seen, bool)| Observation {
                features: (model.features)(seen),
                error: *error,
                group: seen.number % lines,
            };
            asked.iter().map(of).collect()
        };
        let chances = |model: &Model| {
            let observations = observe(model);
            folds::out_of_fold(&observations, FOLDS, RIDGE, 1).map(|chances| (observations, chances))
        };
        let Ok((observations, usual)) = chances(&USUAL) else { continue };
        let mut area = |quantities: [&str; 2], of: &str, area: Estimate| {
            row(quantities[0], of, 100.0 * area.value);
            row(quantities[1], of, 100.0 * area.error());
        };
        let alone = ["AUC %", "±"];
        if let Ok(of_usual) = auc_interval(&observations, &usual, &bootstrap) {
            area(alone, USUAL.name, of_usual);
        }
        for model in &MODELS {
            let Ok((_, predicted)) = chances(model) else { continue };
            if let Ok(of_model) = auc_interval(&observations, &predicted, &bootstrap) {
                area(alone, model.name, of_model);
            }
            if let Ok(gain) = auc_difference(&observations, &predicted, &usual, &bootstrap) {
                area(["more than usual signs", "± of that"], model.name, gain);
            }
        }
    }
    findings.notes = vec![
        format!(
            "{} of {of} positions as those of `stability`: those with a choice, within {MOST} centipawns, \
             whose next iteration ends within {LATER} times the nodes, and that did not come up before. \
             `plies`, {nodes} nodes, {MIB} MiB; values and moves are those of the last iteration that was \
             finished. *a better move is found*: a search with {LATER} times the nodes prefers another \
             move, and searches after both moves, {COST} times the nodes each, say that it is better by 25 \
             centipawns or more. *the next value leaves the window*: the next iteration's value differs by \
             more than 18, half the width of the first window. *the value moves*: after {LATER} times the \
             nodes it differs by more than 50. *a draw does not last*: of values within 15 of a draw, \
             whether they are then farther from it than 50.",
            all.len()
        ),
        format!(
            "The *usual signs*: the iteration; for how many the best move has been the same; the fall of \
             the value, and how large it is; the best move's share of the nodes; the value, and its \
             distance from a draw; the number of legal moves; check. *counted*: the moves that hold, of the \
             side to move and of the other side after the best move, as `cassius explain` counts them with \
             {nodes} nodes for each side, which costs at least twice what the search costs. *a longer \
             search*: what the same search knows after {LONGER} times the nodes, which is what counting \
             costs: how far its value has moved, whether its best move is the same, for how many \
             iterations, and its share. *learned*: their number by `LearnedOptions`, at no cost to speak \
             of. Logistic models, of the logarithms of both numbers, cross-validated; areas (AUC, in \
             percent: 50 says nothing) have 95 % intervals. Positions after the same opening stay together, \
             in the cross-validation and in the draws for the intervals."
        ),
    ];
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn quiet() -> Seen {
        Seen {
            number: 0,
            iteration: 9,
            legal: 30,
            check: false,
            stable: 3,
            fall: 0,
            effort: 0.5,
            now: 10,
            next: 12,
            later: 20,
            loss: 0,
            counted: [4, 1],
            learned: [0, 2],
            longer: None,
        }
    }

    fn answers(seen: &Seen) -> [Option<bool>; 4] {
        QUESTIONS.map(|question| (question.is_so)(seen))
    }

    #[test]
    fn questions_are_asked_where_they_make_sense() {
        assert_eq!(answers(&quiet()), [Some(false); 4]);
        assert_eq!(answers(&Seen { loss: 25, ..quiet() })[0], Some(true));
        assert_eq!(answers(&Seen { next: 29, ..quiet() })[1], Some(true));
        let lost = Seen { later: -60, ..quiet() };
        assert_eq!(answers(&lost)[2..], [Some(true), Some(true)]);
        assert_eq!(answers(&Seen { now: 16, ..lost })[3], None);
    }

    /// A signal that decides the answer is found to say more than the usual signs, which say nothing.
    #[test]
    fn a_signal_that_says_something_is_found() {
        let made_up = |number: usize| Seen {
            number,
            stable: (number % 7) as u32,
            loss: if number.is_multiple_of(2) { 100 } else { 0 },
            counted: [1 + number % 2 * 5, 3],
            ..quiet()
        };
        let findings = findings(&(0..400).map(made_up).collect::<Vec<_>>(), 400, 1);
        let find = |quantity: &str, of: &str| {
            let is = |row: &&crate::experiment::Row| {
                row.quantity == quantity && row.conditions == [QUESTIONS[0].name, of]
            };
            findings.rows.iter().find(is).expect("a row").ours
        };
        assert!(find("AUC %", "counted") > 99.0, "{}", findings.to_csv());
        // Out of the folds that it was fitted to, a model of nothing is often below one half.
        assert!(find("AUC %", "usual signs") < 60.0, "{}", findings.to_csv());
        assert!(find("more than usual signs", "usual signs and counted") > 30.0, "{}", findings.to_csv());
    }

    #[test]
    fn a_position_counts_once() {
        let longer = |number: usize| Longer { number, value: 7, same: true, stable: 4, effort: 0.5 };
        let seen = |number: usize, now: i32| Seen { number, now, longer: Some(longer(number)), ..quiet() };
        let mut all = vec![seen(3, 10), seen(4, 11), seen(9, 10), seen(12, 11)];
        leave_out_repeats(&mut all);
        assert_eq!(all, [seen(3, 10), seen(4, 11)]);
    }

    #[test]
    fn positions_are_looked_at() {
        let findings = run(&Context::new(true, &|_, _| {}, &AtomicBool::new(false))).unwrap();
        let asked = findings.rows.iter().find(|row| row.quantity == "asked").expect("a row").ours;
        assert!(asked >= 20.0, "{}", findings.to_csv());
    }
}
