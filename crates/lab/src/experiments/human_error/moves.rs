//! The measurements: every move of a game, with the features of the position before it.
//!
//! Every position is judged independently, without knowledge of the moves that were played or of their
//! results. The move played only determines the loss, by the value of the position after it.

use crate::experiment::{Context, Unfinished, analyst, name_of};
use crate::parallel;
use crate::prediction::earlier::Features;
use crate::random::Random;
use crate::rated::RatedGame;
use cassius_chess::{Move, Position};
use cassius_insight::{Analyst, Effort, JudgeError, REVISION, Verdict, chance, over};
use cassius_search::fnv;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Opening plies, which are known by heart and left out.
pub const BOOK: usize = 10;
/// If the win probability differs from one half by more than this, the game is decided, and its moves
/// are left out.
pub const UNDECIDED: f64 = 0.45;
/// A move is an error if it loses more win probability than this.
pub const ERROR: f64 = 0.10;
/// One position in this many is searched longer, and its plans are measured.
const DRAWN: u64 = 10;
/// The factor of nodes of the longer search, all of which are used for a value.
pub const LONGER: u64 = 5;
/// The size of the table of each job, in MiB.
const MIB: usize = 4;

/// A move that was played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub struct Moved {
    /// The number of plies played before.
    pub ply: usize,
    /// The rating of the player who moved.
    pub elo: f64,
    /// By how much the move lowered the win probability.
    pub loss: f64,
    /// The features of the position before the move.
    pub features: Features,
    /// The number of moves that hold.
    pub holding: usize,
    /// The number of moves that look right and do not hold, at most three.
    pub traps: usize,
    /// Whether only one move held, and had to be found.
    pub only: bool,
}

/// The stored form of a move: ply, rating, loss, win probability, legal moves, moves that hold,
/// temptation, traps; and 1 for a recapture + 2 in check + 4 for an only move.
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

/// The measurements of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The moves that count.
    pub moves: Vec<Moved>,
    /// The numbers of moves left out: opening moves, moves without an alternative, and moves of decided
    /// games.
    pub left_out: [usize; 3],
}

impl Played {
    /// Measures a game; returns `None` if it was stopped.
    fn measure(
        analyst: &mut Analyst,
        game: &RatedGame,
        stop: &AtomicBool,
    ) -> Result<Option<Played>, JudgeError> {
        let moves = &game.game.moves;
        let mut played = Played { left_out: [moves.len().min(BOOK), 0, 0], ..Played::default() };
        let positions: Vec<_> = game.game.positions().collect();
        let mut judge = |ply: usize| {
            analyst.forget();
            analyst.judge(&positions[ply], &positions[..ply], None)
        };
        let mut next = if BOOK < moves.len() { judge(BOOK)? } else { None };
        for (ply, mv) in moves.iter().enumerate().skip(BOOK) {
            let Some(judged) = next.take() else { break };
            let position = &positions[ply];
            let after = &positions[ply + 1];
            // Where the game went on, no draw had been claimed.
            let end = (ply + 1 == moves.len()).then(|| over(after, &positions[..=ply])).flatten();
            next = if end.is_none() { judge(ply + 1)? } else { None };
            let worth = end.map(chance).or(next.as_ref().map(|next| next.value.chance)).unwrap_or(0.5);
            if stop.load(Relaxed) {
                return Ok(None);
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
                    temptation: rounded(judged.room.temptation),
                    ..Features::of(&judged, position, ply.checked_sub(1).map(|last| &positions[last]))
                },
                holding: judged.room.holding,
                traps: judged.traps.len(),
                only: judged.verdict == Verdict::Only,
            });
        }
        Ok(Some(played))
    }
}

/// Rounds to four places. More places have no meaning and take space in the file.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4 + 0.0 // turns −0 into 0
}

/// A ply, and the depths of the plans of the side to move and of the other side.
pub type Planned = (usize, f64, f64);

/// The result of a longer search at a ply: the win probability, the difference between the best move and
/// the next one, and the loss of the move that was played.
pub type Checked = (usize, f64, f64, f64);

/// A measured game.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The index of the game.
    pub game: usize,
    /// Its moves.
    pub played: Played,
    /// The plans at some of its moves.
    pub planned: Vec<Planned>,
    /// The longer searches at the same moves.
    pub checked: Vec<Checked>,
}

/// What is known about a game so far.
type Found = (Option<Played>, Option<Vec<Planned>>, Option<Vec<Checked>>);

/// What is known about a game in the end.
type Whole = (Played, Vec<Planned>, Vec<Checked>);

/// Measures what is not known yet about a game. Returns `None` if it was stopped.
fn look(
    analyst: &mut Analyst,
    game: &RatedGame,
    effort: Effort,
    (played, planned, checked): &Found,
    stop: &AtomicBool,
) -> Result<Option<Whole>, JudgeError> {
    analyst.set_effort(Effort { plan_nodes: 0, ..effort });
    let played = match played {
        Some(played) => Some(played.clone()),
        None => Played::measure(analyst, game, stop)?,
    };
    analyst.set_effort(effort);
    let Some(played) = played else { return Ok(None) };
    let planned = match planned {
        Some(planned) => Some(planned.clone()),
        None => plan(analyst, game, &played, stop),
    };
    let checked = match checked {
        Some(checked) => Some(checked.clone()),
        None => check(analyst, game, &played, stop)?,
    };
    Ok(planned.zip(checked).map(|(planned, checked)| (played, planned, checked)))
}

/// Measures the games in a random order, so that the finished games are a random sample whenever the run
/// ends. Returns them in the order of the file.
pub fn measure(
    context: &Context<'_>,
    games: &[RatedGame],
    effort: Effort,
) -> Result<Vec<Measured>, Unfinished> {
    let judge = name_of(context.judge, MIB);
    let key = |game: &RatedGame| {
        let Effort { nodes, shallow, delta, .. } = effort;
        let text = fnv(game.game.to_string().bytes());
        let asked = format!("{nodes} nodes, {shallow} shallow, within {delta}, {judge}");
        format!("moves, revision {REVISION}: {asked}: {text:016x}")
    };
    let plans = |game: &RatedGame| format!("plans: {} nodes; {}", effort.plan_nodes, key(game));
    let checks = |game: &RatedGame| format!("checked: {LONGER} times the nodes; {}", key(game));
    let known = |game: &RatedGame| -> Found {
        let Some(kept) = context.kept else { return (None, None, None) };
        let any = context.kept_only;
        (kept.known(&key(game), any), kept.known(&plans(game), any), kept.known(&checks(game), any))
    };
    let mut found: Vec<_> = games.iter().map(known).collect();
    let mut todo: Vec<usize> = (0..games.len()).collect();
    Random(1).shuffle(&mut todo);
    let is_whole = |found: &Found| found.0.is_some() && found.1.is_some() && found.2.is_some();
    todo.retain(|game| !is_whole(&found[*game]));
    if context.kept_only {
        todo.clear();
    }
    let (of, mut done) = (todo.len(), 0);
    context.step(0, of)?;
    let (before, stop, judge) = (found.clone(), context.stop, context.judge);
    let work = || -> Result<_, Unfinished> {
        let mut analyst = analyst(judge, effort, MIB)?;
        let before = &before;
        Ok(move |index: &usize| {
            let whole = look(&mut analyst, &games[*index], effort, &before[*index], stop);
            whole.transpose().map(|whole| whole.map(|whole| (*index, whole)))
        })
    };
    let (enough, mut failed) = (AtomicBool::new(false), None);
    parallel::run(&todo, context.jobs, work, &enough, &mut |done_or_failed: Result<_, JudgeError>| {
        let (index, (played, planned, checked)) = match done_or_failed {
            Ok(measured) => measured,
            Err(error) => {
                failed = Some(error);
                return false;
            }
        };
        let (game, before) = (&games[index], &found[index]);
        if before.0.is_none() {
            context.keep(&key(game), &played);
        }
        if before.1.is_none() {
            context.keep(&plans(game), &planned);
        }
        if before.2.is_none() {
            context.keep(&checks(game), &checked);
        }
        found[index] = (Some(played), Some(planned), Some(checked));
        done += 1;
        context.step(done, of).is_ok()
    })?;
    if let Some(error) = failed {
        return Err(error.into());
    }
    context.go_on()?;
    let measured = found.into_iter().enumerate().filter_map(|(game, (played, planned, checked))| {
        let (planned, checked) = (planned.unwrap_or_default(), checked.unwrap_or_default());
        Some(Measured { game, played: played?, planned, checked })
    });
    Ok(measured.collect())
}

/// Returns the moves at randomly chosen positions.
fn drawn<'a>(game: &RatedGame, played: &'a Played) -> impl Iterator<Item = &'a Moved> {
    let text = game.game.to_string();
    let drawn = move |ply: usize| fnv(format!("{ply} {text}").bytes()).is_multiple_of(DRAWN);
    played.moves.iter().filter(move |moved| drawn(moved.ply))
}

/// Measures the plans at randomly chosen positions.
fn plan(analyst: &mut Analyst, game: &RatedGame, played: &Played, stop: &AtomicBool) -> Option<Vec<Planned>> {
    let positions: Vec<_> = game.game.positions().collect();
    let mut planned = Vec::new();
    for moved in drawn(game, played) {
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

/// Searches the same positions longer: the position, the position without its best move, and the
/// position after the move that was played. The searches are independent.
fn check(
    analyst: &mut Analyst,
    game: &RatedGame,
    played: &Played,
    stop: &AtomicBool,
) -> Result<Option<Vec<Checked>>, JudgeError> {
    let nodes = LONGER * analyst.effort().nodes;
    let positions: Vec<_> = game.game.positions().collect();
    let mut checked = Vec::new();
    for moved in drawn(game, played) {
        let (position, before) = (&positions[moved.ply], &positions[..moved.ply]);
        let mut value = |position: &Position, before: &[Position], moves: &[Move]| {
            analyst.forget();
            analyst.value(position, before, moves, nodes)
        };
        let Some((best, found)) = value(position, before, &[])? else { continue };
        let mut others = position.legal_moves();
        others.retain(|mv| *mv != best);
        let Some((_, second)) = value(position, before, &others)? else { continue };
        let after = &positions[moved.ply + 1];
        let before = &positions[..=moved.ply];
        // Where the game went on, no draw had been claimed.
        let end = (moved.ply + 1 == game.game.moves.len()).then(|| over(after, before)).flatten();
        let worth = match end {
            _ if game.game.moves[moved.ply] == best => 1.0 - found.chance,
            Some(end) => chance(end),
            None => value(after, before, &[])?.map_or(0.5, |(_, value)| value.chance),
        };
        let (gap, loss) = (found.chance - second.chance, found.chance - (1.0 - worth));
        checked.push((moved.ply, rounded(found.chance), rounded(gap.max(0.0)), rounded(loss.max(0.0))));
        if stop.load(Relaxed) {
            return Ok(None);
        }
    }
    Ok(Some(checked))
}
