//! Matches: two players, the same openings with either colour, and what the results show.
//!
//! The unit is the *pair*: one opening, played twice with colours exchanged. Which opening a pair has depends
//! on the seed and its number alone, and every game begins with empty tables, so that with one thread and
//! without clocks a pair is the same whenever and wherever it is played. A match can therefore be interrupted
//! and resumed: [`ledger`] keeps the finished pairs, and [`play`] plays the others.

pub mod game;
pub mod ledger;
mod openings;

use crate::parallel;
use crate::statistics::{Pentanomial, Sprt};
use crate::{Budget, Clock, Player};
use cassius_chess::openings::Opening;
use cassius_chess::{Engine, EngineError, pgn};
use cassius_search::Limits;
use game::{Ending, PlayedGame, Rules};
use openings::opening_of_pair;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// How long the players may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The same for every move.
    PerMove(Budget),
    /// A clock for each player.
    Clock {
        /// At the start.
        base: Duration,
        /// Added after every move.
        increment: Duration,
        /// How far a clock may be overdrawn before the game is lost.
        margin: Duration,
    },
}

impl Pace {
    /// Whether one thread plays the same game every time.
    pub fn is_deterministic(&self) -> bool {
        matches!(self, Pace::PerMove(budget) if budget.is_deterministic())
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::PerMove(budget) => write!(f, "{budget} a move"),
            Pace::Clock { base, increment, margin } => {
                write!(f, "{}+{}", base.as_secs_f64(), increment.as_secs_f64())?;
                if margin.is_zero() { Ok(()) } else { write!(f, " (margin {} ms)", margin.as_millis()) }
            }
        }
    }
}

/// Shares out the time on a clock; given by the program, for games with clocks.
pub trait TimeManager: Sync {
    /// Limits for a move that begins now, with this much on the clock and that much added after it;
    /// `choices` is the number of legal moves.
    fn limits<'a>(&'a self, remaining: Duration, increment: Duration, choices: usize)
    -> Box<dyn Limits + 'a>;
}

/// A match.
pub struct Match<'a> {
    /// The players; results are counted for the first.
    pub players: [Player; 2],
    /// How long they may think.
    pub pace: Pace,
    /// The openings to choose from, at least one.
    pub openings: &'a [Opening],
    /// Chooses their order.
    pub seed: u64,
    /// How many pairs of games.
    pub pairs: u64,
    /// When games are cut short.
    pub rules: Rules,
    /// Size of each player's table, in MiB.
    pub hash: usize,
    /// Threads of each player.
    pub threads: usize,
    /// A sequential test that ends the match once it is decided.
    pub sprt: Option<Sprt>,
}

/// One of the two games of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Half points of the first player: 0, 1 or 2.
    pub half_points: u8,
    /// Why it ended.
    pub ending: Ending,
    /// Plies played, those of the opening not counted.
    pub plies: usize,
    /// The game.
    pub pgn: String,
}

/// A finished pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairRecord {
    /// Its number, from 0.
    pub pair: u64,
    /// The name of its opening.
    pub opening: String,
    /// The game in which the first player has white, and the other.
    pub games: [GameRecord; 2],
}

impl PairRecord {
    /// Half points of the first player, 0 to 4.
    pub fn half_points(&self) -> usize {
        self.games.iter().map(|game| usize::from(game.half_points)).sum()
    }
}

/// Results so far, for the first player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pairs by their points.
    pub pairs: Pentanomial,
    /// Games won, drawn and lost.
    pub games: [u64; 3],
    /// Games lost on time, by the first and by the second player.
    pub time_losses: [u64; 2],
}

impl Tally {
    /// Of some pairs.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a PairRecord>) -> Tally {
        let mut tally = Tally::default();
        records.into_iter().for_each(|record| tally.add(record));
        tally
    }

    /// Adds a pair.
    pub fn add(&mut self, record: &PairRecord) {
        self.pairs.add(record.half_points());
        for game in &record.games {
            self.games[2 - usize::from(game.half_points.min(2))] += 1;
            if game.ending == Ending::Time {
                self.time_losses[usize::from(game.half_points > 0)] += 1;
            }
        }
    }

    /// Whether the test, if there is one, is decided.
    pub fn decides(&self, sprt: Option<&Sprt>) -> bool {
        sprt.is_some_and(|test| test.verdict(self.pairs.llr(test)).is_some())
    }
}

/// What a match needs of the world.
pub struct World<'a> {
    /// The time.
    pub clock: &'a dyn Clock,
    /// Shares it out in games with clocks.
    pub manager: &'a dyn TimeManager,
    /// Ends everything early when set; games under way are given up.
    pub stop: &'a AtomicBool,
    /// Games played at the same time.
    pub jobs: usize,
}

/// Plays the pairs of a match that are not among `done`, in the order of their numbers.
///
/// `each` is told of every pair as soon as it is finished and answers whether to go on. Once the sequential test is
/// decided, no more pairs are begun and those under way are given up.
///
/// # Errors
/// If an engine cannot be set up.
pub fn play(
    game: &Match<'_>,
    done: &[PairRecord],
    world: &World<'_>,
    each: &mut dyn FnMut(&PairRecord) -> bool,
) -> Result<Tally, EngineError> {
    let mut tally = Tally::of(done);
    let sprt = game.sprt.as_ref();
    if tally.decides(sprt) {
        return Ok(tally);
    }
    let finished: BTreeSet<u64> = done.iter().map(|record| record.pair).collect();
    let todo: Vec<u64> = (0..game.pairs).filter(|pair| !finished.contains(pair)).collect();
    let enough = AtomicBool::new(false);
    let given_up = || enough.load(Relaxed) || world.stop.load(Relaxed);
    let work = || -> Result<_, EngineError> {
        let engine = |player: &Player| player.engine(game.hash, game.threads);
        let mut engines = [engine(&game.players[0])?, engine(&game.players[1])?];
        let given_up = &given_up;
        Ok(move |pair: &u64| play_pair(game, *pair, &mut engines, world, given_up))
    };
    parallel::run(&todo, world.jobs, work, &enough, &mut |record| {
        tally.add(&record);
        each(&record) && !tally.decides(sprt)
    })?;
    Ok(tally)
}

/// Both games of a pair; `None` if they are given up.
fn play_pair(
    game: &Match<'_>,
    pair: u64,
    engines: &mut [Engine; 2],
    world: &World<'_>,
    given_up: &(dyn Fn() -> bool + Sync),
) -> Option<PairRecord> {
    let opening = opening_of_pair(game.openings, game.seed, pair);
    let mut records = Vec::with_capacity(2);
    for white in 0..2 {
        let played = game::play(opening, white, &game.pace, &game.rules, engines, world, given_up)?;
        records.push(record(game, pair, opening, white, &played));
    }
    let games = records.try_into().ok()?;
    Some(PairRecord { pair, opening: opening.name.clone(), games })
}

fn record(game: &Match<'_>, pair: u64, opening: &Opening, white: usize, played: &PlayedGame) -> GameRecord {
    let white_half_points = match played.game.result {
        pgn::GameResult::WhiteWins => 2,
        pgn::GameResult::BlackWins => 0,
        pgn::GameResult::Draw | pgn::GameResult::Unfinished => 1,
    };
    let half_points = if white == 0 { white_half_points } else { 2 - white_half_points };
    let [first, second] = &game.players;
    let names = match first == second {
        true => [format!("{first} (first)"), format!("{second} (second)")],
        false => [first.to_string(), second.to_string()],
    };
    let mut text = played.game.clone();
    text.set_tag("Event", format!("{} – {}", names[0], names[1]));
    text.set_tag("Round", format!("{}.{}", pair + 1, white + 1));
    text.set_tag("White", names[white].as_str());
    text.set_tag("Black", names[1 - white].as_str());
    text.set_tag("Opening", opening.name.as_str());
    text.set_tag("TimeControl", game.pace.to_string());
    text.set_tag("Termination", played.ending.to_string());
    GameRecord { half_points, ending: played.ending, plies: played.plies, pgn: text.to_string() }
}
