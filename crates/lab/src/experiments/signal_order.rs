//! Should a search try the moves first after which the other side has few moves that hold?

use super::depth_rules::LEARNED;
use super::full_width::Until;
use super::measure::{self, Done, MIB, Still, Subject, in_batches};
use super::option_signals::{FEW, learned};
use super::stability::position;
use crate::Budget;
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::prediction::{Bootstrap, Observation, PredictionError, RIDGE, folds};
use crate::statistics::Estimate;
use cassius_chess::{Engine, Move, Position, openings};
use cassius_search::{Bound, Checks as _, Game as _, Noisy as _, Request, Score, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The signal in the order of moves.
pub static SIGNAL_ORDER: Experiment = Experiment {
    id: "signal-order",
    claim: "A move after which few replies hold is likelier to be the best one",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§5 and §6, which use the number of options for depths only",
    cases: None,
    uses: &[Input::Kept],
    run,
};

/// The amount of work: the number of positions, and the nodes that find the best move.
struct Size {
    positions: usize,
    nodes: u64,
}

const QUICK: Size = Size { positions: 9, nodes: 1_000 };
const FULL: Size = Size { positions: 1_500, nodes: 320_000 };

/// The share of the nodes of the first search. It finds the value that the other side is to hold.
const FIRST: u64 = 16;
/// Iterations of the search that tells what a move is worth at a glance.
const GLANCE: usize = 2;
/// A move that is farther behind counts as this far, in centipawns.
const FARTHEST: i32 = 500;

/// What is known of the moves of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    number: usize,
    moves: Vec<Known>,
}

/// What is known of a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "[i32; 4]", from = "[i32; 4]")]
struct Known {
    /// Centipawns by which it is behind the best at a glance, and by which the glance is above the value that
    /// the first search found.
    behind: i32,
    above: i32,
    /// Whether the first search plays it.
    first: bool,
    noisy: bool,
    check: bool,
    /// How many replies hold, the one that is tried first left out, by the estimate that was learned.
    replies: usize,
    /// Whether the long search plays it.
    best: bool,
}

/// There are many moves: what is kept of one is short.
impl From<Known> for [i32; 4] {
    fn from(known: Known) -> [i32; 4] {
        let flags = [known.first, known.noisy, known.check, known.best];
        let flags = flags.iter().rev().fold(0, |bits, flag| 2 * bits + i32::from(*flag));
        [known.behind, known.above, flags, known.replies as i32]
    }
}

impl From<[i32; 4]> for Known {
    fn from([behind, above, flags, replies]: [i32; 4]) -> Known {
        let [first, noisy, check, best] = [1, 2, 4, 8].map(|flag| flags & flag != 0);
        Known { behind, above, first, noisy, check, replies: replies as usize, best }
    }
}

impl Known {
    /// What a search knows in any case.
    fn usual(&self) -> Vec<f64> {
        let flag = |is_so: bool| f64::from(u8::from(is_so));
        let pawns = |centipawns: i32| f64::from(centipawns.clamp(-FARTHEST, FARTHEST)) / 100.0;
        let (behind, above) = (pawns(self.behind), pawns(self.above));
        let flags = [self.behind == 0, self.first, self.noisy, self.check].map(flag);
        [vec![behind, behind.sqrt(), above], flags.to_vec()].concat()
    }

    fn with_replies(&self) -> Vec<f64> {
        [self.usual(), vec![(self.replies as f64 + 0.5).ln()]].concat()
    }
}

/// Predicts by these features.
struct Model {
    name: &'static str,
    features: fn(&Known) -> Vec<f64>,
}

const USUAL: Model = Model { name: "usual signs", features: Known::usual };
const MODELS: [Model; 2] = [USUAL, Model { name: "usual signs and replies", features: Known::with_replies }];

/// Searches from nothing. Returns the value and the best move of the last iteration that was finished.
fn search(engine: &mut Engine, request: &Request<'_, Position>) -> Option<(Score, Move)> {
    engine.forget();
    let mut last = None;
    engine.search(request, &mut |report| {
        if let (Some(Bound::Exact), Some(best)) = (report.bound, report.pv.first()) {
            last = Some((report.score, *best));
        }
    });
    last
}

/// What judges positions on one thread.
struct Judge<'a> {
    engine: Engine,
    table: Table,
    limits: Until<'a>,
    nodes: u64,
}

impl Judge<'_> {
    /// Searches for so many nodes.
    fn within(&mut self, position: &Position, nodes: u64) -> Option<(Score, Move)> {
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let limits = budget.limits(&Still, self.limits.stop);
        search(&mut self.engine, &Request::new(position, &limits))
    }

    /// Returns what is seen of a position, or `None` where there is nothing to order.
    fn look(&mut self, number: usize, position: &Position) -> Option<Seen> {
        let legal = position.legal_moves();
        if position.is_over() || legal.len() < 2 {
            return None;
        }
        let (now, first) = self.within(position, self.nodes / FIRST)?;
        let (_, best) = self.within(position, self.nodes)?;
        if now.is_decided() {
            return None;
        }
        let mut moves = Vec::new();
        for mv in legal {
            let mut after = position.clone();
            after.play(mv);
            let only = [mv];
            let request =
                Request { moves: &only, iterations: GLANCE, ..Request::new(position, &self.limits) };
            let (value, _) = search(&mut self.engine, &request)?;
            // Nothing is to be ordered where the game may end at once.
            if after.is_over() {
                return None;
            }
            let replies = learned(&after, -now, &self.table, &self.limits)?;
            let known = Known {
                behind: value.0,
                above: value.0 - now.0,
                first: mv == first,
                noisy: position.is_noisy(mv),
                check: after.in_check(),
                replies,
                best: mv == best,
            };
            moves.push(known);
        }
        let most = moves.iter().map(|known| known.behind).max()?;
        moves.iter_mut().for_each(|known| known.behind = most - known.behind);
        Some(Seen { number, moves })
    }
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let Size { positions, nodes } = if context.quick { QUICK } else { FULL };
    let player = |player: &str| Subject::new(context, player.parse().expect("a player of this file's own"));
    // The trees of the second depend on what was learned.
    let (subject, learned) = (player("plies")?, player(LEARNED)?);
    let sizes = format!("{nodes} nodes, {FIRST}, {GLANCE}, {FEW}, {MIB} MiB");
    let key =
        |count: usize, begin: usize| format!("{subject}, {learned}: {count} positions from {begin}, {sizes}");
    let work = || {
        let limits = Until::stopped(context.stop);
        let (engine, table) = (subject.player.engine(MIB, 1)?, Table::new(MIB)?);
        let mut judge = Judge { engine, table, limits, nodes };
        Ok(move |number: &usize| {
            let position = position(*number, &judge.limits).ok()?;
            Some(judge.look(*number, &position))
        })
    };
    let mut all = in_batches(context, positions, Done { steps: 0, of: positions }, key, work)?;
    leave_out_repeats(&mut all);
    context.step(positions, positions)?;
    Ok(findings(&all, nodes))
}

/// Leaves out what was seen of positions that came up before: the same position may arise from two openings,
/// which may be in different folds. Of the same position the same is seen.
fn leave_out_repeats(all: &mut Vec<Seen>) {
    let moves_of = |seen: &Seen| -> Vec<[i32; 4]> { seen.moves.iter().map(|&known| known.into()).collect() };
    measure::leave_out_repeats(all, moves_of);
}

/// The number of folds: a model is fitted to all but one and tested on that one.
const FOLDS: usize = 10;

fn findings(all: &[Seen], nodes: u64) -> Findings {
    let mut findings = Findings { conditions: vec!["ordered by"], ..Findings::default() };
    let lines = openings::builtin().len();
    let mut row = |quantity: &str, of: &str, value: f64| {
        findings.row(quantity, &[&of], None, value, Tolerance::Any);
    };
    row("positions", "", all.len() as f64);
    row("moves", "", all.iter().map(|seen| seen.moves.len()).sum::<usize>() as f64);
    let predicted = MODELS.map(|Model { features, .. }| {
        let of = |seen: &'_ Seen| {
            let group = seen.number % lines;
            seen.moves.iter().map(|known| (features(known), known.best, group)).collect::<Vec<_>>()
        };
        let observe = |(features, error, group)| Observation { features, error, group };
        let observations: Vec<Observation> = all.iter().flat_map(of).map(observe).collect();
        let chances = folds::out_of_fold(&observations, FOLDS, RIDGE, 1);
        chances.map(|chances| (observations, chances))
    });
    let groups: Vec<usize> = all.iter().map(|seen| seen.number % lines).collect();
    let mut usual: Option<(Vec<f64>, Vec<f64>)> = None;
    for (Model { name, .. }, predicted) in MODELS.iter().zip(&predicted) {
        let Ok((_, chances)) = predicted else { continue };
        let (first, before) = (each(all, chances, is_first), each(all, chances, share_before));
        let mut told = |quantities: [&str; 2], of: &[f64]| {
            if let Ok(mean) = mean(&groups, of) {
                row(quantities[0], name, 100.0 * mean.value);
                row(quantities[1], name, 100.0 * mean.error());
            }
        };
        told(["best first %", "±"], &first);
        told(["tried before %", "± of tried before"], &before);
        if let Some((first_usual, before_usual)) = &usual {
            told(["best first, more", "± of that"], &less(&first, first_usual));
            told(["tried before, more", "± of that change"], &less(&before, before_usual));
        }
        usual = usual.or(Some((first, before)));
    }
    findings.notes = vec![format!(
        "Positions as those of `stability` with a choice whose value is not proven, and that did not come up \
         before. The *best* move is that \
         of a search of {nodes} nodes, `plies`, {MIB} MiB. The *usual signs*: whether a first search of {} \
         nodes plays the move, by how much a search {GLANCE} plies deep has it behind the best and above the \
         value that the first search found, whether it is the best there, whether it is noisy, whether it \
         gives check. *replies*: the logarithm of how many replies hold that value for the other side, \
         counted by `LearnedOptions` after each move. Logistic models of the chance that a move \
         is the best, cross-validated; positions after the same opening stay together. *best first*: how \
         often, in percent, the best move has the greatest chance; *tried before*: which share of the other \
         moves has a greater one. Intervals (95 %) keep openings together.",
        nodes / FIRST
    )];
    findings
}

/// Returns a number for each position: a function of the chance of the best move, and of all chances.
fn each(all: &[Seen], chances: &[f64], of: impl Fn(f64, &[f64]) -> f64) -> Vec<f64> {
    let mut rest = chances;
    let mut numbers = Vec::new();
    for Seen { moves, .. } in all {
        let (own, later) = rest.split_at(moves.len());
        rest = later;
        numbers.extend(moves.iter().position(|known| known.best).map(|best| of(own[best], own)));
    }
    numbers
}

/// The share of the other moves that are tried before the best. Equal chances count by halves.
fn share_before(best: f64, all: &[f64]) -> f64 {
    let more = all.iter().filter(|chance| **chance > best).count() as f64;
    let equal = all.iter().filter(|chance| **chance == best).count() as f64 - 1.0;
    (more + equal / 2.0) / (all.len() as f64 - 1.0)
}

/// How often the best move is the first, if equal chances are in a random order.
fn is_first(best: f64, all: &[f64]) -> f64 {
    let equal = all.iter().filter(|chance| **chance == best).count() as f64;
    if all.iter().any(|chance| *chance > best) { 0.0 } else { 1.0 / equal }
}

fn less(of: &[f64], other: &[f64]) -> Vec<f64> {
    of.iter().zip(other).map(|(one, other)| one - other).collect()
}

/// Returns the mean, with an interval that keeps groups together.
fn mean(groups: &[usize], of: &[f64]) -> Result<Estimate, PredictionError> {
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (group, number) in groups.iter().zip(of) {
        let (sum, count) = sums.entry(*group).or_default();
        *sum += number;
        *count += 1.0;
    }
    let sums: Vec<(f64, f64)> = sums.into_values().collect();
    let mean = |times: &dyn Fn(usize) -> f64| {
        let total = |of: fn(&(f64, f64)) -> f64| -> f64 {
            sums.iter().enumerate().map(|(index, group)| times(index) * of(group)).sum()
        };
        total(|group| group.0) / total(|group| group.1)
    };
    let drawn = |drawn: &[u32]| Some(mean(&|index| f64::from(drawn[index])));
    Bootstrap::default().interval(mean(&|_| 1.0), sums.len(), drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn known(behind: i32, replies: usize, best: bool) -> Known {
        Known { behind, above: 0, first: false, noisy: false, check: false, replies, best }
    }

    fn ours(findings: &Findings, quantity: &str, of: &str) -> f64 {
        let is = |row: &&crate::experiment::Row| row.quantity == quantity && row.conditions == [of];
        findings.rows.iter().find(is).unwrap_or_else(|| panic!("{}", findings.to_csv())).ours
    }

    /// Replies that decide which move is best are found to say more than a glance that says little.
    #[test]
    fn a_signal_that_says_something_is_found() {
        let made_up = |number: usize| {
            let best = number % 5;
            let mv =
                |index: usize| known((index * 40) as i32, if index == best { 1 } else { 9 }, index == best);
            Seen { number, moves: (0..5).map(mv).collect() }
        };
        let all: Vec<Seen> = (0..300).map(made_up).collect();
        let findings = findings(&all, 1);
        let [usual, more] = MODELS.map(|model| ours(&findings, "best first %", model.name));
        assert!(usual < 40.0 && more == 100.0, "{}", findings.to_csv());
        assert!(ours(&findings, "best first, more", MODELS[1].name) > 60.0);
        assert_eq!(ours(&findings, "tried before %", MODELS[1].name), 0.0);
    }

    #[test]
    fn what_is_kept_is_what_was_known() {
        let known =
            Known { behind: 7, above: -30, first: true, noisy: false, check: true, replies: 9, best: false };
        let kept = <[i32; 4]>::from(known);
        assert_eq!((kept, Known::from(kept)), ([7, -30, 5, 9], known));
    }

    #[test]
    fn equal_chances_are_in_a_random_order() {
        assert_eq!(share_before(0.5, &[0.5, 0.5, 0.1, 0.7]), 0.5);
        assert_eq!(is_first(0.5, &[0.5, 0.5, 0.1, 0.7]), 0.0);
        assert_eq!(is_first(0.7, &[0.7, 0.7, 0.1, 0.5]), 0.5);
    }

    #[test]
    fn a_position_counts_once() {
        let seen = |number: usize, replies: usize| Seen {
            number,
            moves: vec![known(0, replies, true), known(40, 3, false)],
        };
        let mut all = vec![seen(3, 1), seen(4, 2), seen(9, 1), seen(12, 2)];
        leave_out_repeats(&mut all);
        assert_eq!(all, [seen(3, 1), seen(4, 2)]);
    }

    #[test]
    fn positions_are_looked_at() {
        let findings = run(&Context::new(true, &|_, _| {}, &AtomicBool::new(false))).unwrap();
        assert!(ours(&findings, "positions", "") >= 6.0, "{}", findings.to_csv());
    }
}
