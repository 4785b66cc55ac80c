//! Fits and examines the model of what a human would play ([`cassius_insight::human`]) on rated games.
//!
//! Every position of a game is judged for itself, without knowledge of the move that was played. What was
//! found is kept in a file, so that the games are judged once however often the model is fitted.
//!
//! *Reference:* D. McFadden, "Conditional logit analysis of qualitative choice behavior", 1974: the weights
//! maximise the likelihood of the moves that were played. *Deviations:* a penalty on the squares of the
//! weights; the maximum is approached by Adam (D. P. Kingma and J. Ba, 2015) from a fixed seed.

use crate::experiment::{Interrupted, OtherJudge, Unfinished, analyst, name_of};
use crate::kept::Kept;
use crate::parallel;
use crate::prediction::logistic::solve;
use crate::prediction::{Logistic, Observation, PredictionError, RIDGE, earlier};
use crate::random::Random;
use crate::rated::RatedGame;
use cassius_chess::Position;
use cassius_insight::human::{
    Choice, DOUBTS, FEATURES, Features, HumanModel, LOOKS, PARTS, Player, ROWS, SumWeights, Sums, shares,
};
use cassius_insight::{Analyst, Effort, JudgeError, REVISION, chance, clock, over};
use cassius_search::fnv;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Opening plies, which are known by heart and left out.
pub const BOOK: usize = 10;
/// Where the win probability differs from one half by more than this, the game is decided, and its moves are
/// left out.
pub const UNDECIDED: f64 = 0.45;
/// A move is an error if it loses more win probability than this.
pub const ERROR: f64 = 0.10;
/// A rating that changes by more than this in a game is not settled, and the moves of its player are left
/// out.
pub const SETTLED: f64 = 30.0;
/// The number of games that count of one player. Games without the player's name all count.
pub const MOST_GAMES: usize = 60;
/// The size of the table of each job, in MiB.
const MIB: usize = 4;

/// What was found about a position in which a rated player moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The number of plies played before.
    pub ply: usize,
    /// The win probability of the player.
    pub chance: f64,
    /// By how much the move that was played lowered it.
    pub loss: f64,
    /// The chance of an error according to the earlier model, for this player.
    pub earlier: f64,
    /// The indices of the best move and of the move that was played among the legal moves.
    pub best: usize,
    /// See `best`.
    pub played: usize,
    /// Whether each legal move holds: `+` or `-`.
    pub holds: String,
    /// The iteration that established this for each legal move.
    pub verified: Vec<u8>,
    /// The looks of each legal move, in ten-thousandths of win probability.
    pub looks: Vec<[u16; LOOKS]>,
}

/// A position in which a rated player chose a move.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The number of the game.
    pub game: usize,
    /// The player.
    pub player: Player,
    /// Whether the player is one of the third that no model is fitted to.
    pub held_out: bool,
    /// The legal moves.
    pub moves: Vec<Features>,
    /// What decides whether each is an error if it is played.
    pub doubts: Vec<[f32; DOUBTS.len()]>,
    /// What was found.
    pub found: Found,
}

impl Scene {
    /// Returns the chance of each legal move according to a model.
    pub fn shares(&self, model: &HumanModel) -> Vec<f64> {
        let utilities: Vec<_> = self.moves.iter().map(|features| model.utility(features)).collect();
        shares(&utilities, &self.player)
    }

    /// Returns what is added up over the moves.
    fn sums(&self, model: &HumanModel, shares: &[f64]) -> Sums {
        let chance = |(index, share): (usize, &f64)| match index == self.found.best {
            true => 0.0,
            false => share * model.doubt(&self.doubts[index]).chance(&self.player),
        };
        let holds = self.found.holds.bytes();
        Sums {
            errors: shares.iter().enumerate().map(chance).sum(),
            holds: shares.iter().zip(holds).filter(|(_, holds)| *holds == b'+').map(|(share, _)| share).sum(),
            share: self.found.holds.bytes().filter(|holds| *holds == b'+').count() as f64
                / self.moves.len() as f64,
            chance: self.found.chance,
        }
    }

    /// Returns the chance of an error according to a model; `shares` are the chances of the moves.
    pub fn error(&self, model: &HumanModel, shares: &[f64]) -> f64 {
        model.sums.error_chance(&self.sums(model, shares), &self.player)
    }

    /// Whether the move that was played was an error.
    pub fn is_error(&self) -> bool {
        self.found.loss > ERROR
    }
}

/// How the positions are judged.
pub struct Settings<'a> {
    /// Nodes for each position.
    pub nodes: u64,
    /// The number of games judged at the same time.
    pub jobs: usize,
    /// Another engine as the judge.
    pub judge: Option<OtherJudge<'a>>,
    /// Where the findings are kept.
    pub kept: Option<&'a Kept>,
    /// Uses what is kept, and judges nothing.
    pub kept_only: bool,
    /// Ends the work early when set.
    pub stop: &'a AtomicBool,
}

/// Judges the positions of these games and returns those that count, in the order of the games. `progress` is
/// called with the number of games done and of all.
///
/// # Errors
/// If it is interrupted, there is not enough memory, or the judge does not answer.
pub fn scenes(
    games: &[RatedGame],
    settings: &Settings<'_>,
    progress: &dyn Fn(usize, usize),
) -> Result<Vec<Scene>, Unfinished> {
    let Settings { nodes, jobs, judge, kept, kept_only, stop } = *settings;
    let effort = Effort { nodes, plan_nodes: 0, ..Effort::default() };
    let by = name_of(judge, MIB);
    let key = |game: &RatedGame| {
        let text = fnv(game.game.to_string().bytes());
        format!("human moves, revision {REVISION}: {nodes} nodes, {by}: {text:016x}")
    };
    let known = |game: &RatedGame| kept.and_then(|kept| kept.known::<Vec<Found>>(&key(game), kept_only));
    let mut found: Vec<Option<Vec<Found>>> = games.iter().map(known).collect();
    let mut todo: Vec<usize> = (0..games.len()).filter(|game| found[*game].is_none()).collect();
    if kept_only {
        todo.clear();
    }
    let (of, mut done, mut failed) = (todo.len(), 0, None);
    let work = || -> Result<_, Unfinished> {
        let mut analyst = analyst(judge, effort, MIB)?;
        Ok(move |index: &usize| {
            let found = judge_game(&mut analyst, &games[*index], stop).transpose()?;
            Some(found.map(|found| (*index, found)))
        })
    };
    parallel::run(&todo, jobs, work, stop, &mut |judged: Result<_, JudgeError>| {
        let (index, judged) = match judged {
            Ok(judged) => judged,
            Err(error) => {
                failed = Some(error);
                return false;
            }
        };
        let is_kept = kept.is_none_or(|kept| kept.put(&key(&games[index]), &judged));
        found[index] = Some(judged);
        done += 1;
        progress(done, of);
        is_kept && !stop.load(Relaxed)
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    if stop.load(Relaxed) {
        return Err(Interrupted.into());
    }
    let mut played = BTreeMap::new();
    let mut scenes = Vec::new();
    for (number, (game, found)) in games.iter().zip(found).enumerate() {
        let counts = ["White", "Black"].map(|side| counts(game, side, &mut played));
        scenes.extend(of_game(number, game, counts, found.unwrap_or_default()));
    }
    Ok(scenes)
}

/// Returns whether the moves of a side count, and if so, whether its player is held out.
fn counts(game: &RatedGame, side: &str, played: &mut BTreeMap<String, usize>) -> Option<bool> {
    let change = game.game.tag(&format!("{side}RatingDiff")).and_then(|change| change.parse::<f64>().ok());
    if change.is_some_and(|change| change.abs() > SETTLED) {
        return None;
    }
    let is_held_out = |text: &str| fnv(text.bytes()).is_multiple_of(3);
    let name = game.game.tag(side).unwrap_or_default().to_lowercase();
    if UNNAMED.contains(&name.trim()) {
        return Some(is_held_out(&game.game.to_string()));
    }
    let held_out = is_held_out(&name);
    let games = played.entry(name).or_default();
    *games += 1;
    (*games <= MOST_GAMES).then_some(held_out)
}

/// What stands in place of a name that is not known, in lower case. Games without names are taken to be of as
/// many players, and held out one by one.
const UNNAMED: [&str; 4] = ["", "?", "nn", "n.n."];

/// Judges the positions of a game that count. Returns `None` if it was stopped.
fn judge_game(
    analyst: &mut Analyst,
    game: &RatedGame,
    stop: &AtomicBool,
) -> Result<Option<Vec<Found>>, JudgeError> {
    let moves = &game.game.moves;
    let positions: Vec<Position> = game.game.positions().collect();
    let mut judge = |ply: usize| {
        analyst.forget();
        analyst.judge(&positions[ply], &positions[..ply], None)
    };
    let mut all = Vec::new();
    let mut next = if BOOK < moves.len() { judge(BOOK)? } else { None };
    for (ply, mv) in moves.iter().enumerate().skip(BOOK) {
        if stop.load(Relaxed) {
            return Ok(None);
        }
        let Some(judged) = next.take() else { break };
        let (position, after) = (&positions[ply], &positions[ply + 1]);
        // Where the game went on, no draw had been claimed.
        let end = (ply + 1 == moves.len()).then(|| over(after, &positions[..=ply])).flatten();
        next = if end.is_none() { judge(ply + 1)? } else { None };
        let worth = end.map(chance).or(next.as_ref().map(|next| next.value.chance)).unwrap_or(0.5);
        if judged.room.legal == 1 || (judged.value.chance - 0.5).abs() > UNDECIDED {
            continue;
        }
        let legal = position.legal_moves();
        let uci: Vec<String> = legal.iter().map(|mv| position.uci(*mv)).collect();
        let of = |uci: &String| judged.moves.iter().find(|of| of.uci == *uci);
        let Some(of_moves) = uci.iter().map(of).collect::<Option<Vec<_>>>() else { continue };
        let index = |name: &str| uci.iter().position(|uci| uci == name);
        let Some((best, played)) = index(&judged.best().uci).zip(index(&position.uci(*mv))) else { continue };
        let loss = if best == played { 0.0 } else { (judged.value.chance - (1.0 - worth)).max(0.0) };
        let elo = game.elo[usize::from(position.turn().is_black())];
        let features = earlier::Features::of(&judged, position, positions[..ply].last());
        let rounded = |value: f64| (value * 1e4).round() / 1e4 + 0.0;
        all.push(Found {
            ply,
            chance: rounded(judged.value.chance),
            loss: rounded(loss),
            earlier: rounded(earlier::error_chance(&features, elo)),
            best,
            played,
            holds: of_moves.iter().map(|of| if of.holds { '+' } else { '-' }).collect(),
            verified: of_moves.iter().map(|of| of.verified.min(255) as u8).collect(),
            looks: of_moves.iter().map(|of| of.looks.map(|look| (look * 1e4).round() as u16)).collect(),
        });
    }
    Ok(Some(all))
}

/// Returns the scenes of a game.
fn of_game(number: usize, game: &RatedGame, counts: [Option<bool>; 2], found: Vec<Found>) -> Vec<Scene> {
    let positions: Vec<Position> = game.game.positions().collect();
    let scene = |found: Found| {
        let position = positions.get(found.ply)?;
        let held_out = counts[usize::from(position.turn().is_black())]?;
        let moves = position.legal_moves();
        let looks: Vec<[f64; LOOKS]> =
            found.looks.iter().map(|looks| looks.map(|look| f64::from(look) / 1e4)).collect();
        let holds: Vec<bool> = found.holds.bytes().map(|holds| holds == b'+').collect();
        let verified: Vec<usize> = found.verified.iter().map(|iteration| usize::from(*iteration)).collect();
        if [looks.len(), holds.len(), verified.len()] != [moves.len(); 3] {
            return None; // the file was changed by hand
        }
        let best = *moves.get(found.best)?;
        moves.get(found.played)?;
        let choice = Choice {
            position,
            before: &positions[..found.ply],
            moves: &moves,
            looks: &looks,
            holds: &holds,
            verified: &verified,
            best,
            chance: found.chance,
        };
        let elo = game.elo[usize::from(position.turn().is_black())];
        // The clock before the move is that after the own last one.
        let left = found.ply.checked_sub(1).and_then(|played| clock(&game.game, played));
        let player = Player::of(&game.game.tags, elo).with_clock(left);
        Some(Scene {
            game: number,
            player,
            held_out,
            moves: choice.features(),
            doubts: choice.doubts(),
            found,
        })
    };
    found.into_iter().filter_map(scene).collect()
}

/// Adapts how the sum over the moves becomes the chance of an error: by a constant, so that as many errors
/// are predicted as these players make. A few games change little.
pub fn recalibrate_sums(model: &mut HumanModel, scenes: &[Scene]) {
    let shares: Vec<Vec<f64>> = scenes.iter().map(|scene| scene.shares(model)).collect();
    let start = model.sums.0[0];
    for _ in 0..20 {
        // Newton's method.
        let changed = f64::from(model.sums.0[0] - start);
        let (mut slope, mut curvature) = (-RECALIBRATION_RIDGE * changed, RECALIBRATION_RIDGE);
        for (scene, shares) in scenes.iter().zip(&shares) {
            let chance = scene.error(model, shares);
            slope += f64::from(u8::from(scene.is_error())) - chance;
            curvature += chance * (1.0 - chance);
        }
        model.sums.0[0] += (slope / curvature) as f32;
    }
}

/// How the model is fitted.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// The number of passes over the scenes.
    pub epochs: usize,
    /// The number of scenes for each step.
    pub batch: usize,
    /// The size of the first steps.
    pub rate: f64,
    /// The penalty on the squares of the weights of the features.
    pub ridge: f64,
    /// The penalty on the squares of the weights of the tables.
    pub table_ridge: f64,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        FitOptions { epochs: 30, batch: 512, rate: 0.03, ridge: 1e-5, table_ridge: 3e-4 }
    }
}

/// The parts of the weights of the tables that are fitted: the constant and that for the rating. There are
/// too few moves for the others.
const TABLE_PARTS: usize = 2;

/// Fits a model to scenes. Without `start` all weights are fitted from nothing. With it three change: a
/// factor of all weights, and the weight of a move that holds, its constant and its change with the rating.
/// `progress` is called after each pass with its number and the mean log loss in natural units.
pub fn fit(
    scenes: &[Scene],
    start: Option<&HumanModel>,
    options: &FitOptions,
    progress: &mut dyn FnMut(usize, f64),
) -> HumanModel {
    match start {
        None => fit_all(scenes, options, progress),
        Some(start) => recalibrated(scenes, start, options, progress),
    }
}

/// Fits the three weights of a recalibration.
fn recalibrated(
    scenes: &[Scene],
    start: &HumanModel,
    options: &FitOptions,
    progress: &mut dyn FnMut(usize, f64),
) -> HumanModel {
    let holds = FEATURES.iter().position(|name| *name == "holds").expect("a feature");
    // A scene in short: for each move the utility, and whether it holds.
    let short = |scene: &Scene| {
        let known = scene.player.known();
        let utility = |features: &Features| -> f64 {
            start.utility(features).0.iter().zip(known).map(|(part, known)| f64::from(*part) * known).sum()
        };
        let moves: Vec<[f64; 3]> = scene
            .moves
            .iter()
            .map(|features| {
                let holds = f64::from(features.dense[holds]);
                [utility(features), holds, holds * known[1]]
            })
            .collect();
        (moves, scene.found.played)
    };
    let short: Vec<_> = scenes.iter().map(short).collect();
    let mut weights = [1.0, 0.0, 0.0];
    for epoch in 0..options.epochs {
        // Newton's method: the loss is convex.
        let (mut loss, mut slope, mut curvature) = (0.0, [0.0; 3], [[0.0; 3]; 3]);
        for (moves, played) in &short {
            let utilities: Vec<f64> = moves
                .iter()
                .map(|move_| move_.iter().zip(weights).map(|(x, weight)| x * weight).sum())
                .collect();
            let most = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = utilities.iter().map(|utility| (utility - most).exp()).sum();
            loss += sum.ln() - (utilities[*played] - most);
            let shares: Vec<f64> = utilities.iter().map(|utility| (utility - most).exp() / sum).collect();
            let mean: [f64; 3] =
                std::array::from_fn(|of| moves.iter().zip(&shares).map(|(x, share)| x[of] * share).sum());
            for i in 0..3 {
                slope[i] += mean[i] - moves[*played][i];
                for j in 0..3 {
                    let product: f64 = moves.iter().zip(&shares).map(|(x, share)| x[i] * x[j] * share).sum();
                    curvature[i][j] += product - mean[i] * mean[j];
                }
            }
        }
        // A few games change little.
        for i in 0..3 {
            curvature[i][i] += RECALIBRATION_RIDGE;
            slope[i] += RECALIBRATION_RIDGE * (weights[i] - if i == 0 { 1.0 } else { 0.0 });
        }
        let Some(step) = solve(curvature.map(|row| row.to_vec()).to_vec(), slope.to_vec()) else { break };
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight -= step);
        progress(epoch + 1, loss / scenes.len().max(1) as f64);
    }
    let [factor, constant, by_rating] = weights.map(|weight| weight as f32);
    let mut model = start.clone();
    model.weights.iter_mut().flatten().for_each(|weight| *weight *= factor);
    model.weights[holds][0] += constant;
    model.weights[holds][1] += by_rating;
    model
}

/// The penalty on the squares of the changes of a recalibration.
const RECALIBRATION_RIDGE: f64 = 10.0;

/// Fits all weights.
fn fit_all(scenes: &[Scene], options: &FitOptions, progress: &mut dyn FnMut(usize, f64)) -> HumanModel {
    let size = ROWS * PARTS;
    let mut weights = vec![[0.0_f32; PARTS]; ROWS];
    let (mut first, mut second) = (vec![0.0_f64; size], vec![0.0_f64; size]);
    let mut order: Vec<usize> = (0..scenes.len()).collect();
    let mut random = Random(1);
    let steps: usize = options.epochs * scenes.len().div_ceil(options.batch.max(1));
    let mut step = 0_i32;
    for epoch in 0..options.epochs {
        random.shuffle(&mut order);
        let mut loss = 0.0;
        for batch in order.chunks(options.batch.max(1)) {
            let mut gradient = vec![0.0_f64; size];
            for scene in batch {
                loss += push(&scenes[*scene], &weights, &mut gradient);
            }
            step += 1;
            let rate =
                options.rate * 0.5 * (1.0 + (std::f64::consts::PI * f64::from(step) / steps as f64).cos());
            let powers = [0.9_f64, 0.999].map(|power| 1.0 - power.powi(step));
            for (row, weights) in weights.iter_mut().enumerate() {
                let is_table = row >= FEATURES.len();
                let (parts, ridge) =
                    if is_table { (TABLE_PARTS, options.table_ridge) } else { (PARTS, options.ridge) };
                for (part, weight) in weights.iter_mut().enumerate().take(parts) {
                    let at = row * PARTS + part;
                    let slope = gradient[at] / batch.len() as f64 + ridge * f64::from(*weight);
                    first[at] = 0.9 * first[at] + 0.1 * slope;
                    second[at] = 0.999 * second[at] + 0.001 * slope * slope;
                    let (mean, spread) = (first[at] / powers[0], second[at] / powers[1]);
                    *weight -= (rate * mean / (spread.sqrt() + 1e-8)) as f32;
                }
            }
        }
        progress(epoch + 1, loss / scenes.len().max(1) as f64);
    }
    HumanModel { weights, doubts: [0.0; DOUBTS.len()], sums: SumWeights::default() }
}

/// Fits how likely it is that a move that was played is an error, to the moves of these scenes. The scenes
/// should be judged with different numbers of nodes, since verdicts are the surer the deeper they are.
///
/// # Errors
/// If there are not both errors and other moves.
pub fn fit_doubts(model: &mut HumanModel, scenes: &[&Scene]) -> Result<(), PredictionError> {
    let others = scenes.iter().filter(|scene| scene.found.played != scene.found.best);
    let observation = |scene: &&Scene| {
        let (inputs, rating) = (&scene.doubts[scene.found.played], scene.player.known()[1]);
        let by_rating = DOUBTS.iter().position(|name| *name == "error: rating").expect("a name");
        let value =
            |(index, input): (usize, &f32)| f64::from(*input) * if index < by_rating { 1.0 } else { rating };
        // The constant is that of the fit.
        let features = inputs.iter().enumerate().skip(1).map(value).collect();
        Observation { features, error: scene.is_error(), group: scene.game }
    };
    let observations: Vec<Observation> = others.map(observation).collect();
    let fitted = Logistic::fit(&observations, RIDGE)?;
    let weights = std::iter::once(fitted.intercept).chain(fitted.coefficients);
    model.doubts.iter_mut().zip(weights).for_each(|(weight, fitted)| *weight = fitted as f32);
    Ok(())
}

/// Fits how the sum over the moves becomes the chance of an error.
///
/// # Errors
/// If there are not both errors and other moves.
pub fn fit_sums(model: &mut HumanModel, scenes: &[&Scene]) -> Result<(), PredictionError> {
    let observation = |scene: &&Scene| {
        let sums = scene.sums(model, &scene.shares(model));
        // The constant is that of the fit.
        let features = sums.inputs(&scene.player)[1..].to_vec();
        Observation { features, error: scene.is_error(), group: scene.game }
    };
    let observations: Vec<Observation> = scenes.iter().map(observation).collect();
    let fitted = Logistic::fit(&observations, RIDGE)?;
    let weights = std::iter::once(fitted.intercept).chain(fitted.coefficients);
    model.sums.0.iter_mut().zip(weights).for_each(|(weight, fitted)| *weight = fitted as f32);
    Ok(())
}

/// Adds the slope of the loss of a scene to `gradient`, and returns the loss.
fn push(scene: &Scene, weights: &[[f32; PARTS]], gradient: &mut [f64]) -> f64 {
    let known = scene.player.known();
    let weight = |row: usize| -> f64 {
        weights[row].iter().zip(known).map(|(part, known)| f64::from(*part) * known).sum()
    };
    let dense: Vec<f64> = (0..FEATURES.len()).map(weight).collect();
    let of = |row: usize| if row < dense.len() { dense[row] } else { weight(row) };
    let utility =
        |features: &Features| -> f64 { features.rows().map(|(row, value)| of(row) * f64::from(value)).sum() };
    let utilities: Vec<f64> = scene.moves.iter().map(utility).collect();
    let most = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = utilities.iter().map(|utility| (utility - most).exp()).sum();
    for (index, features) in scene.moves.iter().enumerate() {
        let share = (utilities[index] - most).exp() / sum;
        let excess = share - f64::from(u8::from(index == scene.found.played));
        for (row, value) in features.rows() {
            for (part, known) in known.iter().enumerate() {
                gradient[row * PARTS + part] += excess * f64::from(value) * known;
            }
        }
    }
    sum.ln() - (utilities[scene.found.played] - most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// Returns scenes of ten moves with two features each, and players who choose by the given model.
    fn planted(model: &HumanModel, count: usize) -> Vec<Scene> {
        let mut random = Random(7);
        let mut uniform = || random.below(1 << 20) as f64 / f64::from(1 << 20);
        let scene = |game| {
            let mut moves = Vec::new();
            for _ in 0..10 {
                let mut dense = [0.0; FEATURES.len()];
                dense[16] = f32::from(u8::from(uniform() < 0.3)); // holds
                dense[23] = f32::from(u8::from(uniform() < 0.2)); // recapture
                moves.push(Features { dense, places: [(uniform() * 5.0) as u16, 3] });
            }
            let player = Player::from(1100.0 + 800.0 * uniform());
            let holds = moves.iter().map(|of| if of.dense[16] > 0.0 { '+' } else { '-' }).collect();
            let found = Found {
                ply: 20,
                chance: 0.5,
                loss: 0.0,
                earlier: 0.1,
                best: 0,
                played: 0,
                holds,
                verified: vec![7; 10],
                looks: Vec::new(),
            };
            let doubts = vec![[0.0; DOUBTS.len()]; moves.len()];
            let mut scene = Scene { game, player, held_out: false, moves, doubts, found };
            let mut drawn = uniform();
            for (index, share) in scene.shares(model).into_iter().enumerate() {
                drawn -= share;
                scene.found.played = index;
                if drawn < 0.0 {
                    break;
                }
            }
            scene
        };
        (0..count).map(scene).collect()
    }

    fn model(weights: &[(usize, [f32; 2])]) -> HumanModel {
        let mut model = HumanModel {
            weights: vec![[0.0; PARTS]; ROWS],
            doubts: [0.0; DOUBTS.len()],
            sums: SumWeights::default(),
        };
        for (row, [constant, by_rating]) in weights {
            (model.weights[*row][0], model.weights[*row][1]) = (*constant, *by_rating);
        }
        model
    }

    /// The weights by which players choose are found again, within a few standard errors.
    #[test]
    fn planted_weights_are_found() {
        let planted_model = model(&[(16, [1.0, 0.5]), (23, [-0.8, 0.0]), (FEATURES.len() + 2, [0.7, 0.0])]);
        let scenes = planted(&planted_model, 6000);
        let mut losses = Vec::new();
        let found = fit(&scenes, None, &FitOptions::default(), &mut |_, loss| losses.push(loss));
        assert!(losses.is_sorted_by(|one, other| *one >= other - 0.01), "{losses:?}");
        for (row, part, planted) in [(16, 0, 1.0), (16, 1, 0.5), (23, 0, -0.8), (23, 1, 0.0)] {
            let weight = found.weights[row][part];
            assert!((weight - planted).abs() < 0.15, "{row} {part}: {weight}");
        }
        // Fixed effects of the tables count relative to each other.
        let table = |place: usize| found.weights[FEATURES.len() + place][0];
        assert!((table(2) - table(1) - 0.7).abs() < 0.15);
        let again = || fit(&scenes[..300], None, &FitOptions::default(), &mut |_, _| ());
        assert_eq!(again(), again());
    }

    /// Players who are less sure than the model, and err more, are matched by three numbers.
    #[test]
    fn a_recalibration_finds_the_factor() {
        let start = model(&[(16, [1.0, 0.5]), (23, [-0.8, 0.0])]);
        let players = model(&[(16, [0.4, 0.3]), (23, [-0.48, 0.0])]);
        let found = fit(&planted(&players, 6000), Some(&start), &FitOptions::default(), &mut |_, _| ());
        for (row, part) in [(16, 0), (16, 1), (23, 0)] {
            let (weight, planted) = (found.weights[row][part], players.weights[row][part]);
            assert!((weight - planted).abs() < 0.12, "{row} {part}: {weight}, not {planted}");
        }
        // Few games change little.
        let few = planted(&players, 5);
        let mut little = fit(&few, Some(&start), &FitOptions::default(), &mut |_, _| ());
        assert!((little.weights[16][0] - 1.0).abs() < 0.5 && little.weights[23][0] < 0.0);
        let constant = little.sums.0[0];
        recalibrate_sums(&mut little, &few);
        assert!((little.sums.0[0] - constant).abs() < 0.5, "{constant} {}", little.sums.0[0]);
    }

    /// Players without a name are not one player, who has too many games and is held out or not.
    #[test]
    fn games_without_names_are_not_of_one_player() {
        let game = |number: usize, white: &str| {
            format!("{white}[Round \"{number}\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1400\"]\n\n1. e4 *\n\n")
        };
        let all = |white: &str| {
            let text: String = (0..MOST_GAMES + 20).map(|number| game(number, white)).collect();
            let games = cassius_chess::pgn::Games::new(text.as_bytes())
                .map(|game| RatedGame { game: game.expect("a game"), elo: [1500.0, 1400.0] });
            let mut played = BTreeMap::new();
            games.map(|game| counts(&game, "White", &mut played)).collect::<Vec<_>>()
        };
        for unnamed in ["", "[White \"?\"]\n", "[White \"NN\"]\n"] {
            let all = all(unnamed);
            assert!(
                all.contains(&Some(true)) && all.contains(&Some(false)) && !all.contains(&None),
                "{all:?}"
            );
        }
        let named = all("[White \"Anna\"]\n");
        assert_eq!(named[..MOST_GAMES], [Some(fnv("anna".bytes()).is_multiple_of(3)); MOST_GAMES]);
        assert_eq!(named[MOST_GAMES..], [None; 20]);
    }

    /// What is kept gives the same scenes as what is judged, and players who do not count are left out.
    #[test]
    fn games_become_scenes() {
        let text = "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1400\"]\n\
            [BlackRatingDiff \"-120\"]\n[TimeControl \"180+2\"]\n[UTCDate \"2022.01.01\"]\n\n\
            1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 d6 6. c3 { [%clk 0:02:00] } a6 \
            { [%clk 0:01:00] } 7. Re1 Ba7 8. h3 O-O *";
        let (games, broken) = crate::rated::read("x.pgn", text.as_bytes());
        assert!(broken.is_empty(), "{broken:?}");
        let path: PathBuf = std::env::temp_dir().join(format!("cassius-human-{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let stop = AtomicBool::new(false);
        let all = |kept_only| {
            let kept = Kept::open(&path).expect("a file");
            let kept = Some(&kept);
            let settings = Settings { nodes: 1_000, jobs: 2, judge: None, kept, kept_only, stop: &stop };
            scenes(&games, &settings, &|_, _| ()).expect("scenes")
        };
        assert!(all(true).is_empty());
        let first = all(false);
        // White's moves 6 to 8; the rating of Black is not settled.
        assert_eq!(first.iter().map(|scene| scene.found.ply).collect::<Vec<_>>(), [10, 12, 14]);
        assert_eq!(first[1].player.clock, Some(120.0));
        assert_eq!((first[0].player.seconds, first[0].player.year), (Some(260.0), Some(2022.0)));
        let second = all(true);
        let told = |scenes: &[Scene]| {
            scenes.iter().map(|scene| (scene.found.clone(), scene.moves.clone())).collect::<Vec<_>>()
        };
        assert_eq!(told(&second), told(&first));
        std::fs::remove_file(path).expect("a file");
    }
}
