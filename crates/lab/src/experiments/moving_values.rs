//! How likely is a value to move if the search goes on? Fits what [`cassius_insight::movement`] says.

use super::full_width::Until;
use super::key_moments::games;
use super::measure::{Done, MIB, in_batches};
use super::stability::position;
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished, name_of};
use crate::plot::Intervals;
use crate::prediction::{
    Bootstrap, Logistic, Observation, PredictionError, RIDGE, auc_difference, auc_interval, calibration,
    folds,
};
use crate::statistics::Estimate;
use cassius_chess::pgn::Game;
use cassius_chess::{Position, openings};
use cassius_insight::movement::{FITTED, LATER, MOVE, features};
use cassius_insight::{Analyst, Effort, explain};
use cassius_search::{Score, fnv};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// What the number of moves that hold says of the value itself.
pub static MOVING_VALUES: Experiment = Experiment {
    id: "moving-values",
    claim: "The fewer moves hold, for either side, the more likely is the value to move when it is searched \
            longer",
    paper: "D. A. McAllester: Conspiracy Numbers for Min-Max Search, 1988",
    section: "§1: the more leaves must conspire, the less likely is the value to change",
    cases: None,
    uses: &[Input::Games, Input::Kept],
    run,
};

/// Where positions come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum From {
    /// Play of short searches after the built-in openings: to fit.
    Play,
    /// Rated games from a file: to fit, too.
    Rated,
    /// The games of `key-moments`: to test.
    Famous,
}

impl From {
    fn name(self) -> &'static str {
        match self {
            From::Play => "self-play",
            From::Rated => "rated games",
            From::Famous => "famous games",
        }
    }
}

/// Positions that are explained with so many nodes for each side.
struct Part {
    from: From,
    nodes: u64,
    count: usize,
}

const FULL: [Part; 6] = [
    Part { from: From::Play, nodes: 20_000, count: 2_000 },
    Part { from: From::Play, nodes: 150_000, count: 1_000 },
    Part { from: From::Play, nodes: 1_000_000, count: 200 },
    Part { from: From::Rated, nodes: 150_000, count: 1_000 },
    Part { from: From::Rated, nodes: 1_000_000, count: 100 },
    Part { from: From::Famous, nodes: 150_000, count: 600 },
];
const QUICK: [Part; 2] =
    [Part { from: From::Play, nodes: 500, count: 60 }, Part { from: From::Famous, nodes: 500, count: 30 }];

/// The share of the nodes that finds the value ([`Effort::nodes`]).
const VALUE: u64 = 3;
/// Into how many groups positions are put by their chances.
const BINS: usize = 5;
const FOLDS: usize = 10;
/// The plies of a game that are left out, since books have them.
const BOOK: usize = 12;

/// What was found of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Seen {
    /// Positions of one opening, or of one game, are a group.
    group: usize,
    nodes: u64,
    /// The moves that hold, of the side to move and of the other side after the best move.
    holding: [usize; 2],
    /// The win probability found, and the one found with [`LATER`] times the nodes that found it.
    now: f64,
    later: f64,
}

impl Seen {
    fn observation(&self) -> Observation {
        let moves = (self.later - self.now).abs() > MOVE;
        let features = features(self.holding, self.nodes, self.now).to_vec();
        Observation { features, error: moves, group: self.group }
    }
}

/// Returns every position of the games that is asked about, with its group: a number for each game.
fn positions_of<'a>(first: usize, games: impl Iterator<Item = &'a Game>) -> Vec<(usize, Position)> {
    let numbered =
        |(group, game): (usize, &'a Game)| game.positions().skip(BOOK).map(move |position| (group, position));
    (first..).zip(games).flat_map(numbered).collect()
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let parts: &[Part] = if context.quick { &QUICK } else { &FULL };
    let parts = parts.iter().filter(|part| part.from != From::Rated || !context.games.is_empty());
    let parts: Vec<&Part> = parts.collect();
    let steps = parts.iter().map(|part| part.count).sum();
    let moves: String = context.games.iter().map(|rated| format!("{:?}", rated.game.moves)).collect();
    let rated = fnv(moves.bytes());
    let (mut seen, mut done) = (Vec::new(), 0);
    for part in parts {
        let Part { from, nodes, count } = *part;
        let name = match from {
            From::Rated => format!("{} {} ({rated:016x})", context.games.len(), from.name()),
            _ => from.name().into(),
        };
        let (revision, judge) = (cassius_insight::REVISION, name_of(None, MIB));
        let key = |of_batch: usize, begin: usize| {
            format!(
                "{name}: {of_batch} of {count} positions from {begin}, {nodes} nodes, {LATER}, \
                 revision {revision}, {judge}"
            )
        };
        let source = Source::of(context, part);
        let work = || {
            let effort = Effort { nodes, plan_nodes: 0, ..Effort::default() };
            let mut analyst = Analyst::new(effort, MIB)?;
            let (source, limits) = (&source, Until::stopped(context.stop));
            Ok(move |number: &usize| {
                let (group, position) = source.position(*number, &limits)?;
                Some(look_at(&mut analyst, group, &position))
            })
        };
        let of_part = in_batches(context, count, Done { steps: done, of: steps }, key, work)?;
        done += count;
        seen.push((from, nodes, of_part));
    }
    context.step(steps, steps)?;
    Ok(findings(&seen))
}

/// The positions of a part, and their groups.
struct Source {
    count: usize,
    /// Every position of the games with its group; `None` if positions are played.
    of_games: Option<Vec<(usize, Position)>>,
}

impl Source {
    fn of(context: &Context<'_>, part: &Part) -> Source {
        let (famous, lines) = (games(), openings::builtin().len());
        let of_games = match part.from {
            From::Play => None,
            From::Famous => Some(positions_of(lines, famous.iter())),
            From::Rated => {
                let rated = context.games.iter().map(|rated| &rated.game);
                Some(positions_of(lines + famous.len(), rated))
            }
        };
        Source { count: part.count, of_games }
    }

    /// Returns a position of the part with its group. Those of games are spread over all games.
    fn position(&self, number: usize, limits: &Until<'_>) -> Option<(usize, Position)> {
        match &self.of_games {
            None => Some((number % openings::builtin().len(), position(number, limits).ok()?)),
            Some(of_games) => of_games.get(number * of_games.len() / self.count).cloned(),
        }
    }
}

/// Explains a position and searches it for longer. Returns `None` where nothing is predicted.
fn look_at(analyst: &mut Analyst, group: usize, position: &Position) -> Option<Seen> {
    let nodes = analyst.effort().nodes;
    let explained = explain(analyst, position, &[]).ok()??;
    let (own, other) = (&explained.own, explained.other.as_ref()?);
    if own.value.score.abs() >= Score::KNOWN_WIN.0 {
        return None;
    }
    analyst.forget();
    let (_, later) = analyst.value(position, &[], &[], LATER * nodes / VALUE).ok()??;
    let holding = [own.room.holding, other.room.holding];
    Some(Seen { group, nodes, holding, now: own.value.chance, later: later.chance })
}

fn findings(seen: &[(From, u64, Vec<Seen>)]) -> Findings {
    let mut findings =
        Findings { conditions: vec!["positions", "nodes a side", "predicted"], ..Findings::default() };
    if let Err(error) = report(&mut findings, seen) {
        findings.notes.push(format!("These positions are too few to say more: {error}."));
    }
    findings.notes.push(format!(
        "Each position is explained as by `cassius explain --plan-nodes 0` with so many nodes for each side. \
         One part in {VALUE} of them finds the value. Then the position is searched anew with {LATER} times \
         as many nodes as found the value. It *moves* if the two win probabilities differ by more than {} \
         points. Left out are proven values, games that are over after the best move, and positions that \
         came up before.",
        100.0 * MOVE
    ));
    findings.notes.push(format!(
        "The chance that it moves comes from a logistic model of four numbers: the logarithms of how many \
         moves hold, of both sides, and of the nodes, and whether the result is *open*: 1 where the win \
         probability is a quarter or three quarters, 0 where it is ½, 0 or 1. It is fitted to positions of \
         *{}*, up to 40 plies of searches two plies deep after a built-in opening, and of *{}*, if there are \
         any. There the chances of each position come from a model that was fitted without the positions of \
         its opening or game and of others, a tenth of all. Nothing was fitted to the *{}*, those of \
         `key-moments`; their chances come from the weights that are *built in*: `cassius explain` tells \
         these. They are famous because they turned, so their values move more than others. *AUC*: how \
         often, in percent, a value that moves had a higher chance than one that does not, with an interval \
         that keeps openings and games together, if {FEWEST} values move. *By moves that hold*: how much \
         more that is than by nodes and *open* alone. *Fifth*: positions in the order of their chances, in \
         five groups; their intervals are those of independent positions, and so a little too short.",
        From::Play.name(),
        From::Rated.name(),
        From::Famous.name()
    ));
    findings
}

/// Areas are not told where fewer values move.
const FEWEST: usize = 10;

/// A position, and the chance that was predicted, also without the number of moves that hold.
struct Told {
    from: From,
    nodes: u64,
    observation: Observation,
    chance: f64,
    without: f64,
}

/// Returns the observations without the features of the moves that hold.
fn without_moves(observations: &[Observation]) -> Vec<Observation> {
    let without = |one: &Observation| Observation { features: one.features[2..].to_vec(), ..one.clone() };
    observations.iter().map(without).collect()
}

fn report(findings: &mut Findings, seen: &[(From, u64, Vec<Seen>)]) -> Result<(), PredictionError> {
    let is_fitted = |from: From| from != From::Famous;
    // The same position may arise from two openings.
    let mut known = HashSet::new();
    let mut is_new =
        |one: &&Seen| known.insert((one.nodes, one.holding, one.now.to_bits(), one.later.to_bits()));
    let parts: Vec<(From, u64, Vec<Observation>)> = seen
        .iter()
        .map(|(from, nodes, part)| {
            (*from, *nodes, part.iter().filter(&mut is_new).map(Seen::observation).collect())
        })
        .collect();
    let fit = parts.iter().filter(|(from, ..)| is_fitted(*from)).flat_map(|(.., part)| part);
    let fit: Vec<Observation> = fit.cloned().collect();
    let model = Logistic::fit(&fit, RIDGE)?;
    let fitted = [model.intercept].into_iter().chain(model.coefficients);
    let names = ["constant", "own moves", "other's moves", "nodes", "open"];
    for ((name, built_in), fitted) in names.into_iter().zip(FITTED).zip(fitted) {
        let mut row = |quantity: &str, value: f64| {
            findings.row(quantity, &[&"fitted", &"", &name], None, value, Tolerance::Any);
        };
        row("weight", fitted);
        row("built in", built_in);
    }
    let fit_without = without_moves(&fit);
    let mut cross_validated = folds::out_of_fold(&fit, FOLDS, RIDGE, 1)?.into_iter().zip(folds::out_of_fold(
        &fit_without,
        FOLDS,
        RIDGE,
        1,
    )?);
    let built_in = Logistic { intercept: FITTED[0], coefficients: FITTED[1..].to_vec() };
    let model_without = Logistic::fit(&fit_without, RIDGE)?;
    let mut told = Vec::new();
    for (from, nodes, part) in parts {
        told.extend(part.into_iter().map(|observation| {
            let features = &observation.features;
            let (chance, without) = match is_fitted(from) {
                true => cross_validated.next().expect("one for each"),
                false => (built_in.chance(features), model_without.chance(&features[2..])),
            };
            Told { from, nodes, observation, chance, without }
        }));
    }
    for part in told.chunk_by(|one, other| (one.from, one.nodes) == (other.from, other.nodes)) {
        let (observations, chances) = apart(part);
        let mut row = |quantity: &str, value: f64| {
            findings.row(
                quantity,
                &[&part[0].from.name(), &part[0].nodes, &"all"],
                None,
                value,
                Tolerance::Any,
            );
        };
        row("positions", part.len() as f64);
        let moving = observations.iter().filter(|one| one.error).count();
        row("moves %", 100.0 * moving as f64 / part.len() as f64);
        row("predicted %", 100.0 * chances.iter().sum::<f64>() / part.len() as f64);
        if moving < FEWEST {
            continue;
        }
        let mut area = |quantities: [&str; 2], area: Estimate| {
            row(quantities[0], 100.0 * area.value);
            row(quantities[1], 100.0 * area.error());
        };
        let bootstrap = Bootstrap::default();
        if let Ok(of_all) = auc_interval(&observations, &chances, &bootstrap) {
            area(["AUC %", "±"], of_all);
        }
        let without: Vec<f64> = part.iter().map(|one| one.without).collect();
        if let Ok(gain) = auc_difference(&observations, &chances, &without, &bootstrap) {
            area(["by moves that hold", "± of that"], gain);
        }
    }
    for part in told.chunk_by(|one, other| one.from == other.from) {
        let name = part[0].from.name();
        let (observations, chances) = apart(part);
        let bins = calibration(&observations, &chances, BINS)?;
        for (number, bin) in (1..).zip(&bins) {
            let fifth = format!("fifth {number}");
            let mut row = |quantity: &str, value: f64| {
                findings.row(quantity, &[&name, &"", &fifth], None, value, Tolerance::Any);
            };
            row("positions", bin.count as f64);
            row("predicted %", 100.0 * bin.predicted);
            row("moves %", 100.0 * bin.observed.value);
            row("±", 100.0 * bin.observed.error());
        }
        findings.plot(Intervals {
            name: name.replace(' ', "-"),
            title: format!("Values that move, {name}"),
            x: "predicted chance that the value moves, mean of a fifth".into(),
            y: "share of values that move".into(),
            points: bins.iter().map(|bin| (bin.predicted, bin.observed)).collect(),
        });
    }
    Ok(())
}

fn apart(told: &[Told]) -> (Vec<Observation>, Vec<f64>) {
    told.iter().map(|one| (one.observation.clone(), one.chance)).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn positions_are_looked_at() {
        let findings = run(&Context::new(true, &|_, _| {}, &AtomicBool::new(false))).unwrap();
        let counted = findings.rows.iter().filter(|row| row.quantity == "positions");
        assert!(counted.map(|row| row.ours).sum::<f64>() >= 120.0, "{}", findings.to_csv());
    }

    /// If fewer moves that hold mean more movement, the model says so for positions that it has not seen.
    #[test]
    fn a_signal_is_found() {
        let made_up = |number: usize| {
            let holding = if number.is_multiple_of(3) { [1, 1] } else { [12, 1] };
            let later = if number % 15 < 3 && number.is_multiple_of(3) { 0.7 } else { 0.52 };
            // Differs a little, as the same position would count once.
            let now = 0.5 + number as f64 * 1e-6;
            Seen { group: number % 41, nodes: 500, holding, now, later }
        };
        let of = |from, numbers: std::ops::Range<usize>| (from, 500, numbers.map(made_up).collect());
        let findings = findings(&[of(From::Play, 0..400), of(From::Famous, 400..600)]);
        let ours = |quantity: &str, conditions: [&str; 3]| {
            let is = |row: &&crate::experiment::Row| row.quantity == quantity && row.conditions == conditions;
            findings.rows.iter().find(is).unwrap_or_else(|| panic!("{}", findings.to_csv())).ours
        };
        assert!(ours("weight", ["fitted", "", "own moves"]) < -1.0);
        assert!(ours("AUC %", ["self-play", "500", "all"]) > 70.0);
        let [few, many] = ["fifth 5", "fifth 1"].map(|fifth| ours("moves %", ["self-play", "", fifth]));
        assert!(few > 2.0 * many);
    }
}
