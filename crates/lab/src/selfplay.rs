//! Games of an engine against itself, as training data for an evaluation.
//!
//! Game `n` of a seed depends on nothing but the [`Settings`]: the table is cleared before each game,
//! and no clock is read. Games are reported in the order of their numbers, whatever the number of
//! threads. A file of games can therefore be continued from the number of games that it contains.

use crate::data::DataGame;
use crate::matches::game::{Rules, end_of_game};
use crate::random::Random;
use crate::{Player, budget, parallel};
use cassius_chess::{Engine, EngineError, Position};
use cassius_search::{Game as _, Limits, Progress, Request};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The settings on which the games depend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The player of both sides.
    pub player: Player,
    /// No further iteration is started after this many nodes.
    pub soft_nodes: u64,
    /// A search ends at once after this many nodes.
    pub hard_nodes: u64,
    /// The smallest and the largest number of random plies at the beginning.
    pub random_plies: [u64; 2],
    /// A game is discarded if its first value exceeds this many centipawns for either side.
    pub imbalance: i32,
    /// The rules that cut games short.
    pub rules: Rules,
    /// The size of the table in MiB.
    pub hash: usize,
    /// The seed that determines the games.
    pub seed: u64,
}

impl Settings {
    /// Returns the settings in the form that is stored with the games. Other settings would give other
    /// games.
    ///
    /// ```
    /// let settings = cassius_lab::selfplay::Settings::default();
    /// assert_eq!(settings.to_json()["soft_nodes"], 1000);
    /// ```
    pub fn to_json(&self) -> Value {
        json!({
            "cassius_selfplay": 1,
            "player": self.player.identity(),
            "soft_nodes": self.soft_nodes,
            "hard_nodes": self.hard_nodes,
            "random_plies": self.random_plies,
            "imbalance": self.imbalance,
            "rules": self.rules.to_string(),
            "hash": self.hash,
            "seed": self.seed,
        })
    }
}

impl Default for Settings {
    /// Returns the default recipe at 1,000 nodes a move, after 8 to 12 random plies.
    fn default() -> Settings {
        let resign = crate::matches::game::Resign { moves: 2, score: 2_000 };
        let draw = crate::matches::game::DrawRule { from_move: 40, moves: 6, score: 5 };
        Settings {
            player: Player::default(),
            soft_nodes: 1_000,
            hard_nodes: 8_000,
            random_plies: [8, 12],
            imbalance: 400,
            rules: Rules { resign: Some(resign), draw: Some(draw), max_moves: 250 },
            hash: 2,
            seed: 1,
        }
    }
}

/// The environment of the generation.
pub struct World<'a> {
    /// The number of games played at the same time.
    pub jobs: usize,
    /// Ends everything when set; running games are abandoned.
    pub stop: &'a AtomicBool,
    /// Called before every game. It may block.
    pub before_game: &'a (dyn Fn() + Sync),
}

/// Plays the games with these numbers. `each` is called with every game, in order, and returns whether
/// to go on.
///
/// ```
/// use cassius_lab::selfplay::{Settings, World, generate};
/// use std::sync::atomic::AtomicBool;
/// let settings = Settings { soft_nodes: 20, hard_nodes: 100, ..Settings::default() };
/// let world = World { jobs: 2, stop: &AtomicBool::new(false), before_game: &|| {} };
/// let mut games = Vec::new();
/// generate(&settings, 0..3, &world, &mut |game| {
///     games.push(game.clone());
///     true
/// })?;
/// assert_eq!(games.len(), 3);
/// # Ok::<(), cassius_lab::selfplay::Unvalued>(())
/// ```
///
/// # Errors
/// If the player cannot be set up, has no value for some position, or finds every opening decided.
pub fn generate(
    settings: &Settings,
    numbers: std::ops::Range<u64>,
    world: &World<'_>,
    each: &mut dyn FnMut(&DataGame) -> bool,
) -> Result<(), Unvalued> {
    /// Numbers are handed out in pieces, because a list of all of them could be endless.
    const PIECE: u64 = 10_000;
    let enough = AtomicBool::new(false);
    let (unvalued, unbalanced) = (AtomicBool::new(false), AtomicBool::new(false));
    let ended = || enough.load(Relaxed) || world.stop.load(Relaxed);
    let given_up = || ended() || unvalued.load(Relaxed) || unbalanced.load(Relaxed);
    let mut next = numbers.start;
    while next < numbers.end && !given_up() {
        let todo: Vec<u64> = (next..numbers.end.min(next + PIECE)).collect();
        let work = || -> Result<_, EngineError> {
            let mut engine = settings.player.engine(settings.hash, 1)?;
            let (given_up, unvalued, unbalanced) = (&given_up, &unvalued, &unbalanced);
            Ok(move |number: &u64| {
                if given_up() {
                    return None;
                }
                (world.before_game)();
                match play(settings, *number, &mut engine, given_up) {
                    Ok(None) if !given_up() => {
                        unvalued.store(true, Relaxed);
                        None
                    }
                    Ok(game) => game,
                    Err(Unbalanced) => {
                        unbalanced.store(true, Relaxed);
                        None
                    }
                }
            })
        };
        parallel::run_in_order(&todo, world.jobs, work, &enough, &mut |game: DataGame| each(&game))?;
        if unvalued.load(Relaxed) && !ended() {
            return Err(Unvalued::NoValue(settings.player.to_string()));
        }
        if unbalanced.load(Relaxed) && !ended() {
            return Err(Unvalued::Unbalanced(settings.player.to_string()));
        }
        next += PIECE;
    }
    Ok(())
}

/// Why positions have no values.
#[derive(Debug, thiserror::Error)]
pub enum Unvalued {
    /// The player cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The player's search has ended without a value.
    #[error("`{0}` has no value for some positions: allow more nodes, or take another player")]
    NoValue(String),
    /// The player thinks that every opening is decided.
    #[error("no balanced opening was found: by the values of `{0}` all of them are decided")]
    Unbalanced(String),
}

/// No balanced opening was found in [`MOST_REFUSED`] attempts.
struct Unbalanced;

/// Plays one game; returns `None` if it is abandoned.
fn play(
    settings: &Settings,
    number: u64,
    engine: &mut Engine,
    given_up: &(dyn Fn() -> bool + Sync),
) -> Result<Option<DataGame>, Unbalanced> {
    let mut random = Random(settings.seed);
    random.0 ^= number.wrapping_add(1).wrapping_mul(0xd134_2543_de82_ef95);
    for _ in 0..MOST_REFUSED {
        if given_up() {
            return Ok(None);
        }
        engine.forget();
        let Some(opening) = opening(settings, Position::default(), &mut random) else { continue };
        match play_from(settings, &opening, engine, given_up) {
            Played::Game(game) => return Ok(Some(*game)),
            Played::OneSided => {}
            Played::GivenUp => return Ok(None),
        }
    }
    Err(Unbalanced)
}

/// Makes random openings from these positions, drawn at random, or from the initial position if there are
/// none. None of them is one-sided. `each` is called with every opening, and returns whether to go on.
///
/// ```
/// use cassius_lab::selfplay::{Settings, openings};
/// let mut found = Vec::new();
/// let settings = Settings { soft_nodes: 100, hard_nodes: 500, ..Settings::default() };
/// openings(&settings, &[], &mut |opening| {
///     found.push(opening.to_string());
///     found.len() < 3
/// })?;
/// assert_eq!(found.len(), 3);
/// # Ok::<(), cassius_lab::selfplay::OpeningsError>(())
/// ```
///
/// # Errors
/// If the player cannot be set up, or no balanced opening is found in 10,000 attempts.
pub fn openings(
    settings: &Settings,
    starts: &[Position],
    each: &mut dyn FnMut(&Position) -> bool,
) -> Result<(), OpeningsError> {
    let mut engine = settings.player.engine(settings.hash, 1)?;
    let mut random = Random(settings.seed);
    let mut refused = 0;
    while refused < MOST_REFUSED {
        refused += 1;
        let start = match starts.len() as u64 {
            0 => Position::default(),
            several => starts[random.below(several) as usize].clone(),
        };
        let Some(positions) = opening(settings, start, &mut random) else { continue };
        let Some((last, before)) = positions.split_last() else { continue };
        engine.forget();
        let limits = SoftNodes { soft: settings.soft_nodes, hard: settings.hard_nodes, given_up: &|| false };
        let answer = engine.search(&Request { before, ..Request::new(last, &limits) }, &mut |_| {});
        let is_balanced = answer.score().is_some_and(|value| value.0.abs() <= settings.imbalance);
        if is_balanced {
            refused = 0;
            if !each(last) {
                return Ok(());
            }
        }
    }
    Err(OpeningsError::Unbalanced)
}

/// So many openings in a row are drawn at most before one is balanced.
const MOST_REFUSED: usize = 10_000;

/// Why no openings can be made.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The player cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The positions to start from are decided, or the game is over there.
    #[error("no balanced opening was found from these positions")]
    Unbalanced,
}

/// Returns the positions of a random opening, unless the game ends in it.
fn opening(settings: &Settings, start: Position, random: &mut Random) -> Option<Vec<Position>> {
    let [fewest, most] = settings.random_plies;
    let plies = fewest + random.below(most.saturating_sub(fewest) + 1);
    let mut positions = vec![start];
    for _ in 0..plies {
        let mut position = positions.last()?.clone();
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position.play(moves[random.below(moves.len() as u64) as usize]);
        positions.push(position);
    }
    let (last, before) = positions.split_last()?;
    end_of_game(last, before).is_none().then_some(positions)
}

enum Played {
    Game(Box<DataGame>),
    /// The opening is already decided.
    OneSided,
    GivenUp,
}

fn play_from(
    settings: &Settings,
    opening: &[Position],
    engine: &mut Engine,
    given_up: &(dyn Fn() -> bool + Sync),
) -> Played {
    let mut before = opening.to_vec();
    let Some(mut position) = before.pop() else { return Played::OneSided };
    let (start, mut moves, mut values) = (position.clone(), Vec::new(), Vec::new());
    loop {
        let end = end_of_game(&position, &before).or_else(|| settings.rules.judge(&position, &values));
        if let Some((result, _)) = end {
            return Played::Game(Box::new(DataGame { start, result, moves }));
        }
        let limits = SoftNodes { soft: settings.soft_nodes, hard: settings.hard_nodes, given_up };
        let answer =
            engine.search(&Request { before: &before, ..Request::new(&position, &limits) }, &mut |_| {});
        let (Some(mv), Some(value), false) = (answer.best(), answer.score(), given_up()) else {
            return Played::GivenUp;
        };
        if moves.is_empty() && value.0.abs() > settings.imbalance {
            return Played::OneSided;
        }
        moves.push((mv, DataGame::value_for_white(&position, value)));
        values.push(Some(value));
        before.push(position.clone());
        position.play(mv);
    }
}

/// Limits with one node limit between iterations, and another one within them.
pub(crate) struct SoftNodes<'a> {
    pub(crate) soft: u64,
    pub(crate) hard: u64,
    pub(crate) given_up: &'a (dyn Fn() -> bool + Sync),
}

impl Limits for SoftNodes<'_> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        (nodes < self.hard && !(self.given_up)()).then(|| self.hard.min(nodes + budget::POLL))
    }

    fn go_on(&self, progress: &Progress) -> bool {
        progress.nodes < self.soft
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_for_an_opening_ends() {
        let settings = Settings { imbalance: -1, soft_nodes: 1, hard_nodes: 1, ..Settings::default() };
        let world = World { jobs: 1, stop: &AtomicBool::new(false), before_game: &|| {} };
        let error = generate(&settings, 0..3, &world, &mut |_| true).unwrap_err();
        assert!(matches!(error, Unvalued::Unbalanced(_)), "{error}");
    }
}
