//! What is measured: every move of a game, with how the position stood before it.
//!
//! Every position is judged for itself, by somebody who has seen nothing else: neither the moves that were played nor what came of them. What
//! was played says only how much it lost, by the value of the position after it.

use crate::experiment::{Context, Unfinished};
use crate::kept::fnv;
use crate::parallel;
use crate::random::Random;
use crate::rated::RatedGame;
use cassius_insight::{Analyst, Effort, Features, REVISION, Verdict, chance, over};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Plies that are known by heart, and left out.
pub const BOOK: usize = 10;
/// Where the win probability is farther than this from one half, the game is decided, and its moves are left out.
pub const UNDECIDED: f64 = 0.45;
/// A move is an error if it loses more win probability than this.
pub const ERROR: f64 = 0.10;
/// Of so many positions the plans of one are measured.
const PLANNED: u64 = 10;
/// Size of the table of each job, in MiB.
const MIB: usize = 4;

/// A move that was played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub struct Moved {
    /// Plies played before.
    pub ply: usize,
    /// The rating of who moved.
    pub elo: f64,
    /// By how much the move lowered the win probability.
    pub loss: f64,
    /// How the position stood.
    pub features: Features,
    /// Moves that hold.
    pub holding: usize,
    /// Moves that look right and do not hold, at most three.
    pub traps: usize,
    /// Whether one move held, and had to be found.
    pub only: bool,
}

/// A move as it is kept: ply, rating, loss, win probability, legal moves, moves that hold, temptation, traps; and 1 for a recapture + 2 in
/// check + 4 for an only move.
type Kept = (usize, f64, f64, f64, usize, usize, f64, usize, u8);

impl From<Kept> for Moved {
    fn from((ply, elo, loss, chance, legal, holding, temptation, traps, flags): Kept) -> Moved {
        let share = holding as f64 / legal as f64;
        let [recapture, in_check, only] = [1, 2, 4].map(|flag| flags & flag != 0);
        let features = Features { share, recapture, in_check, chance, legal, temptation };
        Moved { ply, elo, loss, features, holding, traps, only }
    }
}

impl From<Moved> for Kept {
    fn from(moved: Moved) -> Kept {
        let Features { recapture, in_check, chance, legal, temptation, .. } = moved.features;
        let Moved { ply, elo, loss, holding, traps, only, .. } = moved;
        let flags = u8::from(recapture) + 2 * u8::from(in_check) + 4 * u8::from(only);
        (ply, elo, loss, chance, legal, holding, temptation, traps, flags)
    }
}

impl Moved {
    /// Whether the move was an error.
    pub fn is_error(&self) -> bool {
        self.loss > ERROR
    }
}

/// What a game gives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The moves that count.
    pub moves: Vec<Moved>,
    /// Moves of the book, without an alternative, and of games that are decided.
    pub left_out: [usize; 3],
}

impl Played {
    /// None if it was stopped.
    fn measure(analyst: &mut Analyst, game: &RatedGame, stop: &AtomicBool) -> Option<Played> {
        let moves = &game.game.moves;
        let mut played = Played { left_out: [moves.len().min(BOOK), 0, 0], ..Played::default() };
        let positions: Vec<_> = game.game.positions().collect();
        let mut judge = |ply: usize| {
            analyst.forget();
            analyst.judge(&positions[ply], &positions[..ply], None)
        };
        let mut next = (BOOK < moves.len()).then(|| judge(BOOK)).flatten();
        for (ply, mv) in moves.iter().enumerate().skip(BOOK) {
            let Some(judged) = next.take() else { break };
            let position = &positions[ply];
            let after = &positions[ply + 1];
            // Where the game went on, nobody had claimed a draw.
            let end = (ply + 1 == moves.len()).then(|| over(after, &positions[..=ply])).flatten();
            next = if end.is_none() { judge(ply + 1) } else { None };
            let worth = end.map(chance).or(next.as_ref().map(|next| next.value.chance)).unwrap_or(0.5);
            if stop.load(Relaxed) {
                return None;
            }
            let why = [judged.room.legal == 1, (judged.value.chance - 0.5).abs() > UNDECIDED];
            if let Some(why) = why.iter().position(|why| *why) {
                played.left_out[1 + why] += 1;
                continue;
            }
            let best = judged.best().uci == position.uci(*mv);
            let loss = if best { 0.0 } else { (judged.value.chance - (1.0 - worth)).max(0.0) };
            let white = position.turn().is_white();
            played.moves.push(Moved {
                ply,
                elo: game.elo[usize::from(!white)],
                loss: rounded(loss),
                features: Features {
                    chance: rounded(judged.value.chance),
                    temptation: rounded(judged.features.temptation),
                    ..judged.features
                },
                holding: judged.room.holding,
                traps: judged.traps.len(),
                only: judged.verdict == Verdict::Only,
            });
        }
        Some(played)
    }
}

/// To four places: more say nothing, and take room where they are kept.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4 + 0.0 // no −0
}

/// The depths of the plans of the side to move and of the other, for the ply that they were measured at.
pub type Planned = (usize, f64, f64);

/// A game that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Its place among the games.
    pub game: usize,
    /// Its moves.
    pub played: Played,
    /// The plans at some of them.
    pub planned: Vec<Planned>,
}

/// Measures the games, in an order drawn by chance, so that those that are done are a sample whenever it ends. In the order of the file.
pub fn measure(
    context: &Context<'_>,
    games: &[RatedGame],
    effort: Effort,
) -> Result<Vec<Measured>, Unfinished> {
    let key = |game: &RatedGame| {
        let Effort { nodes, shallow, delta, .. } = effort;
        let text = fnv(game.game.to_string().as_bytes());
        format!("moves, {REVISION}: {nodes} nodes, {shallow} shallow, within {delta}, {MIB} MiB: {text:016x}")
    };
    let plans = |game: &RatedGame| format!("plans: {} nodes; {}", effort.plan_nodes, key(game));
    let known = |game: &RatedGame| -> (Option<Played>, Option<Vec<Planned>>) {
        let Some(kept) = context.kept else { return (None, None) };
        (kept.get(&key(game)), kept.get(&plans(game)))
    };
    let mut found: Vec<_> = games.iter().map(known).collect();
    let mut todo: Vec<usize> = (0..games.len()).collect();
    Random(1).shuffle(&mut todo);
    todo.retain(|game| found[*game].0.is_none() || found[*game].1.is_none());
    if context.kept_only {
        todo.clear();
    }
    let (of, mut done) = (todo.len(), 0);
    context.step(0, of)?;
    let (before, stop) = (found.clone(), context.stop);
    let work = || -> Result<_, Unfinished> {
        let mut analyst = Analyst::new(effort, MIB)?;
        let before = &before;
        Ok(move |index: &usize| {
            let game = &games[*index];
            let (played, planned) = &before[*index];
            let played = match played {
                Some(played) => played.clone(),
                None => {
                    analyst.set_effort(Effort { plan_nodes: 0, ..effort });
                    Played::measure(&mut analyst, game, stop)?
                }
            };
            analyst.set_effort(effort);
            let planned = match planned {
                Some(planned) => planned.clone(),
                None => plan(&mut analyst, game, &played, stop)?,
            };
            Some((*index, played, planned))
        })
    };
    let enough = AtomicBool::new(false);
    parallel::run(&todo, context.jobs, work, &enough, &mut |(index, played, planned)| {
        if let Some(kept) = context.kept {
            if found[index].0.is_none() {
                kept.put(&key(&games[index]), &played);
            }
            kept.put(&plans(&games[index]), &planned);
        }
        found[index] = (Some(played), Some(planned));
        done += 1;
        context.step(done, of).is_ok()
    })?;
    context.go_on()?;
    let measured = found.into_iter().enumerate().filter_map(|(game, (played, planned))| {
        Some(Measured { game, played: played?, planned: planned.unwrap_or_default() })
    });
    Ok(measured.collect())
}

/// The plans at positions drawn by chance.
fn plan(analyst: &mut Analyst, game: &RatedGame, played: &Played, stop: &AtomicBool) -> Option<Vec<Planned>> {
    let text = game.game.to_string();
    let drawn = |ply: usize| fnv(format!("{ply} {text}").as_bytes()).is_multiple_of(PLANNED);
    let positions: Vec<_> = game.game.positions().collect();
    let mut planned = Vec::new();
    for moved in played.moves.iter().filter(|moved| drawn(moved.ply)) {
        let mut depth = |own| {
            let (plan, _) = analyst.plan(&positions[moved.ply], moved.features.chance, own);
            rounded(plan.depth.unwrap_or(0.0))
        };
        planned.push((moved.ply, depth(true), depth(false)));
        if stop.load(Relaxed) {
            return None;
        }
    }
    Some(planned)
}
