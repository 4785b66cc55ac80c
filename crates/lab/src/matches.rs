//! Matches between two players, with each opening played with both colours, and the statistics of their
//! results.
//!
//! The unit is the *pair*: one opening, played twice with colours exchanged. The opening of a pair
//! depends only on the seed and the number of the pair, and every game begins with empty tables. With
//! one thread and without clocks, a pair is therefore the same whenever and wherever it is played. A
//! match can be interrupted and resumed: [`ledger`] keeps the finished pairs, and [`play`] plays the
//! others. Once all openings have been played, they are continued by random moves: otherwise games would be
//! repeated, or be alike.

pub mod contestant;
pub mod game;
pub mod ledger;
mod openings;

use crate::budget::milliseconds;
use crate::parallel;
use crate::statistics::{Pentanomial, Sprt};
use crate::{Budget, Clock};
use cassius_chess::openings::Opening;
use cassius_chess::{EngineError, pgn};
use cassius_search::Limits;
use contestant::{Contestant, Seat};
use game::{Ending, PlayedGame, Rules};
use openings::opening_of_pair;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use thiserror::Error;

/// How long the players may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// The same budget for every move.
    PerMove(Budget),
    /// A clock for each player.
    Clock {
        /// The time at the start.
        base: Duration,
        /// The time added after every move.
        increment: Duration,
        /// How far a clock may be overdrawn before the game is lost.
        margin: Duration,
    },
}

impl Pace {
    /// Whether a player with one thread plays the same game every time.
    pub fn is_deterministic(&self) -> bool {
        matches!(self, Pace::PerMove(budget) if budget.is_deterministic())
    }
}

impl Pace {
    /// Returns the value of the PGN tag TimeControl: base and increment in seconds, or `-` without a clock.
    fn time_control(&self) -> String {
        match self {
            Pace::PerMove(_) => "-".into(),
            Pace::Clock { base, increment, .. } => {
                format!("{}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::PerMove(budget) => write!(f, "{budget} a move"),
            Pace::Clock { base, increment, margin } => {
                write!(f, "{}+{}", base.as_secs_f64(), increment.as_secs_f64())?;
                if margin.is_zero() { Ok(()) } else { write!(f, " (margin {} ms)", milliseconds(*margin)) }
            }
        }
    }
}

/// Allocates the time on a clock. The program supplies it for games with clocks.
pub trait TimeManager: Sync {
    /// Returns the limits for a move that begins now, with the time remaining on the clock and the
    /// increment added after the move; `choices` is the number of legal moves.
    fn limits<'a>(&'a self, remaining: Duration, increment: Duration, choices: usize)
    -> Box<dyn Limits + 'a>;
}

/// A match.
pub struct Match<'a> {
    /// The players. Results are counted for the first.
    pub players: [Contestant<'a>; 2],
    /// How long they may think.
    pub pace: Pace,
    /// The openings, at least one.
    pub openings: &'a [Opening],
    /// The seed of their order.
    pub seed: u64,
    /// The number of pairs of games.
    pub pairs: u64,
    /// The rules that cut games short.
    pub rules: Rules,
    /// The size of the table of each player of our own, in MiB.
    pub hash: usize,
    /// The number of threads of each player of our own.
    pub threads: usize,
    /// A sequential test that ends the match once it is decided.
    pub sprt: Option<Sprt>,
}

impl Match<'_> {
    /// Returns the names of the players. Two of one name are told apart.
    pub fn names(&self) -> [String; 2] {
        let [first, second] = self.players.each_ref().map(Contestant::name);
        match first == second {
            true => [format!("{first} (first)"), format!("{second} (second)")],
            false => [first.to_string(), second.to_string()],
        }
    }
}

/// One of the two games of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The half points of the first player: 0, 1 or 2.
    pub half_points: u8,
    /// Why it ended.
    pub ending: Ending,
    /// The number of plies played, without those of the opening.
    pub plies: usize,
    /// What the engine that lost did wrong, if it ended, was silent, or named no legal move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The game in PGN.
    pub pgn: String,
}

/// A finished pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairRecord {
    /// The number of the pair, from 0.
    pub pair: u64,
    /// The name of the opening.
    pub opening: String,
    /// The game in which the first player has White, followed by the other.
    pub games: [GameRecord; 2],
}

impl PairRecord {
    /// Returns the half points of the first player, 0 to 4.
    pub fn half_points(&self) -> usize {
        self.games.iter().map(|game| usize::from(game.half_points)).sum()
    }
}

/// The results so far, for the first player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The numbers of pairs by their points.
    pub pairs: Pentanomial,
    /// The numbers of games won, drawn and lost.
    pub games: [u64; 3],
    /// The numbers of games lost on time, by the first and by the second player.
    pub time_losses: [u64; 2],
    /// The numbers of games lost because an engine ended or did not answer.
    pub crashes: [u64; 2],
    /// The numbers of games lost by an illegal move.
    pub illegal_moves: [u64; 2],
}

impl Tally {
    /// Counts the results of pairs.
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
            let loser = usize::from(game.half_points > 0);
            match game.ending {
                Ending::Time => self.time_losses[loser] += 1,
                Ending::Crash => self.crashes[loser] += 1,
                Ending::IllegalMove => self.illegal_moves[loser] += 1,
                _ => (),
            }
        }
    }

    /// Whether the sequential test, if there is one, is decided.
    pub fn decides(&self, sprt: Option<&Sprt>) -> bool {
        sprt.is_some_and(|test| test.verdict(self.pairs.llr(test)).is_some())
    }
}

/// The environment of a match.
pub struct World<'a> {
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Allocates the time in games with clocks.
    pub manager: &'a dyn TimeManager,
    /// Ends everything early when set; running games are abandoned.
    pub stop: &'a AtomicBool,
    /// The number of games played at the same time.
    pub jobs: usize,
}

/// Why a match ended before it was decided.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MatchError {
    /// A player of our own cannot be set up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Another engine cannot begin a game. The text says why.
    #[error("{0}")]
    Guest(String),
}

/// Plays the pairs of a match that are not among `done`, in the order of their numbers.
///
/// `each` is called with every pair as soon as it is finished and returns whether to go on. Once the
/// sequential test is decided, no more pairs are started and the running ones are abandoned.
///
/// # Errors
/// If an engine cannot be set up, or cannot begin a game.
pub fn play(
    game: &Match<'_>,
    done: &[PairRecord],
    world: &World<'_>,
    each: &mut dyn FnMut(&PairRecord) -> bool,
) -> Result<Tally, MatchError> {
    let mut tally = Tally::of(done);
    let sprt = game.sprt.as_ref();
    if tally.decides(sprt) {
        return Ok(tally);
    }
    let finished: BTreeSet<u64> = done.iter().map(|record| record.pair).collect();
    let todo: Vec<u64> = (0..game.pairs).filter(|pair| !finished.contains(pair)).collect();
    let enough = AtomicBool::new(false);
    let given_up = || enough.load(Relaxed) || world.stop.load(Relaxed);
    let work = || -> Result<_, MatchError> {
        let seat = |player: usize| game.players[player].seat(game.hash, game.threads, world);
        let mut seats = [seat(0)?, seat(1)?];
        let given_up = &given_up;
        Ok(move |pair: &u64| play_pair(game, *pair, &mut seats, given_up).transpose())
    };
    let (mut error, mut decided) = (None, false);
    parallel::run(
        &todo,
        world.jobs,
        work,
        &enough,
        &mut |record: Result<PairRecord, MatchError>| match record {
            // A pair that was finished meanwhile does not undo the decision.
            Ok(_) if decided => false,
            Ok(record) => {
                tally.add(&record);
                decided = tally.decides(sprt);
                each(&record) && !decided
            }
            Err(e) => {
                error.get_or_insert(e);
                false
            }
        },
    )?;
    error.map_or(Ok(tally), Err)
}

/// Plays single pairs, each of a match of its own, and returns them in the same order. Returns `None` if
/// they are abandoned.
///
/// # Errors
/// If an engine cannot be set up, or cannot begin a game.
pub fn play_pairs(
    games: &[(u64, Match<'_>)],
    world: &World<'_>,
) -> Result<Option<Vec<PairRecord>>, MatchError> {
    let given_up = || world.stop.load(Relaxed);
    let work = || -> Result<_, MatchError> {
        Ok(|(pair, game): &(u64, Match<'_>)| {
            let played = || -> Result<Option<PairRecord>, MatchError> {
                let seat = |player: usize| game.players[player].seat(game.hash, game.threads, world);
                play_pair(game, *pair, &mut [seat(0)?, seat(1)?], &given_up)
            };
            played().transpose()
        })
    };
    let mut done: Vec<Result<PairRecord, MatchError>> = Vec::new();
    parallel::run(games, world.jobs, work, &AtomicBool::new(false), &mut |record| {
        done.push(record);
        done.last().is_some_and(Result::is_ok)
    })?;
    let mut records = done.into_iter().collect::<Result<Vec<_>, _>>()?;
    records.sort_by_key(|record| record.pair);
    Ok((records.len() == games.len()).then_some(records))
}

/// Plays both games of a pair; returns `None` if they are abandoned.
fn play_pair(
    game: &Match<'_>,
    pair: u64,
    seats: &mut [Box<dyn Seat + '_>; 2],
    given_up: &(dyn Fn() -> bool + Sync),
) -> Result<Option<PairRecord>, MatchError> {
    let opening = &*opening_of_pair(game.openings, game.seed, pair);
    let mut records = Vec::with_capacity(2);
    for white in 0..2 {
        let played = game::play(opening, white, &game.pace, &game.rules, seats, given_up)?;
        let Some(played) = played else { return Ok(None) };
        records.push(record(game, pair, opening, white, played));
    }
    let games = records.try_into().ok();
    Ok(games.map(|games| PairRecord { pair, opening: opening.name.clone(), games }))
}

fn record(game: &Match<'_>, pair: u64, opening: &Opening, white: usize, played: PlayedGame) -> GameRecord {
    let white_half_points = match played.game.result {
        pgn::GameResult::WhiteWins => 2,
        pgn::GameResult::BlackWins => 0,
        pgn::GameResult::Draw | pgn::GameResult::Unfinished => 1,
    };
    let half_points = if white == 0 { white_half_points } else { 2 - white_half_points };
    let names = game.names();
    let PlayedGame { game: mut text, ending, plies, failure } = played;
    if let Some(failure) = &failure {
        let loser = if half_points == 0 { &names[0] } else { &names[1] };
        text.comments.push((text.moves.len(), format!("{loser}: {failure}")));
    }
    text.set_tag("Event", format!("{} – {}, {}", names[0], names[1], game.pace));
    text.set_tag("Round", format!("{}.{}", pair + 1, white + 1));
    text.set_tag("White", names[white].as_str());
    text.set_tag("Black", names[1 - white].as_str());
    text.set_tag("Opening", opening.name.as_str());
    text.set_tag("TimeControl", game.pace.time_control());
    text.set_tag("Termination", ending.to_string());
    GameRecord { half_points, ending, plies, failure, pgn: text.to_string() }
}
