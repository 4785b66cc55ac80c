//! New values for old games: every position is searched again, by a better player than made the game.

use super::DataGame;
use crate::selfplay::{SoftNodes, Unvalued};
use crate::{Player, parallel};
use cassius_chess::{Engine, EngineError};
use cassius_search::Request;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// How positions are valued.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The player that searches.
    pub player: Player,
    /// No further iteration is started after this many nodes.
    pub soft_nodes: u64,
    /// A search ends at once after this many nodes.
    pub hard_nodes: u64,
    /// The size of the table in MiB.
    pub hash: usize,
}

/// Values the positions of some games anew, with `jobs` games at the same time. `each` is called with every
/// game, in order, and returns whether to go on. The values of a game depend on nothing but the game and the
/// settings: the table is cleared before each.
///
/// ```
/// use cassius_chess::{Position, pgn::GameResult};
/// use cassius_lab::data::DataGame;
/// use cassius_lab::data::relabel::{Settings, relabel};
/// let start = Position::default();
/// let moves = vec![(start.parse_move("e4")?, 500)];
/// let games = [DataGame { start, result: GameResult::Draw, moves }];
/// let settings = Settings { player: "plies".parse()?, soft_nodes: 100, hard_nodes: 800, hash: 1 };
/// relabel(&games, &settings, 1, &mut |game| {
///     assert!(game.moves[0].1.abs() < 100);
///     true
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the player cannot be set up, or has no value for some position.
pub fn relabel(
    games: &[DataGame],
    settings: &Settings,
    jobs: usize,
    each: &mut dyn FnMut(&DataGame) -> bool,
) -> Result<(), Unvalued> {
    let (enough, unvalued) = (AtomicBool::new(false), AtomicBool::new(false));
    let work = || -> Result<_, EngineError> {
        let mut engine = settings.player.engine(settings.hash, 1)?;
        let (enough, unvalued) = (&enough, &unvalued);
        let given_up = move || enough.load(Relaxed) || unvalued.load(Relaxed);
        Ok(move |game: &DataGame| {
            let found = valued(game, settings, &mut engine, &given_up);
            if found.is_none() && !given_up() {
                unvalued.store(true, Relaxed);
            }
            found
        })
    };
    parallel::run_in_order(games, jobs, work, &enough, &mut |game| each(&game))?;
    match unvalued.load(Relaxed) && !enough.load(Relaxed) {
        true => Err(Unvalued::NoValue(settings.player.to_string())),
        false => Ok(()),
    }
}

/// Returns the game with new values, or `None` if it is given up.
fn valued(
    game: &DataGame,
    settings: &Settings,
    engine: &mut Engine,
    given_up: &(dyn Fn() -> bool + Sync),
) -> Option<DataGame> {
    engine.forget();
    let (mut before, mut moves) = (Vec::new(), Vec::with_capacity(game.moves.len()));
    for (position, mv, _) in game.positions() {
        let limits = SoftNodes { soft: settings.soft_nodes, hard: settings.hard_nodes, given_up };
        let answer =
            engine.search(&Request { before: &before, ..Request::new(&position, &limits) }, &mut |_| {});
        let value = answer.score().filter(|_| !given_up())?;
        moves.push((mv, DataGame::value_for_white(&position, value)));
        before.push(position);
    }
    Some(DataGame { start: game.start.clone(), result: game.result, moves })
}
