//! Who plays in a match, and what is asked of a player: one move at a time.
//!
//! A [`Contestant`] is a recipe of our own, which may be limited, or a [`Guest`]: another engine, which the
//! program runs. Whoever plays takes a [`Seat`] for each game that is played at the same time.

use super::game::Ending;
use super::{MatchError, Pace, World};
use crate::{Budget, Player};
use cassius_chess::{Engine, Move, Position};
use cassius_search::{Limits, Progress, Request, Score};
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// One of the two players of a match. As text it is everything that tells it from another player: a match is
/// only resumed with the same one.
#[derive(Clone)]
pub enum Contestant<'a> {
    /// A recipe of our own.
    Own(Player),
    /// A recipe of our own with a number of nodes a move, whatever the pace of the match.
    Limited(Player, u64),
    /// Another engine.
    Guest(&'a dyn Guest),
}

/// Another engine. This library has no processes: the program runs it.
pub trait Guest: Sync {
    /// Returns its name in the games.
    fn name(&self) -> &str;

    /// Returns everything that tells it from another player, such as its name, command and options.
    fn identity(&self) -> String;

    /// Returns a number that changes when the program does, if it is known. A match is not continued with
    /// another program.
    fn program(&self) -> Option<u64> {
        None
    }

    /// Returns a player of one game after another. It is called once for each game played at the same time.
    ///
    /// # Errors
    /// If the engine cannot be started. The text says why.
    fn seat(&self) -> Result<Box<dyn Seat + '_>, MatchError>;
}

/// A player at a board, who plays one game after another.
pub trait Seat {
    /// Begins a game from this position, in which nothing of earlier games is known.
    ///
    /// # Errors
    /// If the player cannot play. The match then ends.
    fn begin(&mut self, start: &Position) -> Result<(), MatchError>;

    /// Chooses a move.
    ///
    /// # Errors
    /// If there is none. The game is then lost, or given up.
    fn choose(&mut self, asked: &Asked<'_>) -> Result<Choice, Failure>;
}

/// What a player is asked: the game so far, and the time that is left.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// All moves from the beginning of the opening.
    pub moves: &'a [Move],
    /// The positions before each of them.
    pub before: &'a [Position],
    /// The position in which to choose.
    pub position: &'a Position,
    /// How long the player may think.
    pub pace: &'a Pace,
    /// The clocks of White and of Black, if there are any.
    pub clocks: [Duration; 2],
    /// Whether the game is given up. Then the player returns soon, with whatever it has.
    pub given_up: &'a (dyn Fn() -> bool + Sync),
}

impl Asked<'_> {
    /// Returns the clock of the player that is asked.
    pub fn clock(&self) -> Duration {
        self.clocks[usize::from(self.position.turn().is_black())]
    }
}

/// A player's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move, which is legal.
    pub mv: Move,
    /// Its value for the player, if the player tells one.
    pub value: Option<Score>,
    /// The iteration in which it was found.
    pub depth: usize,
    /// The time that it took.
    pub elapsed: Duration,
}

/// Why a player has no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// It exceeded its time, and had to be ended.
    #[error("{0}")]
    Time(String),
    /// It ended by itself, or did not answer.
    #[error("{0}")]
    Crash(String),
    /// What it said is not a legal move.
    #[error("{0}")]
    IllegalMove(String),
    /// The game is given up.
    #[error("the game was given up")]
    GivenUp,
}

impl Failure {
    /// Returns how it ends the game; `None` if the game is given up.
    pub fn ending(&self) -> Option<Ending> {
        match self {
            Failure::Time(_) => Some(Ending::Time),
            Failure::Crash(_) => Some(Ending::Crash),
            Failure::IllegalMove(_) => Some(Ending::IllegalMove),
            Failure::GivenUp => None,
        }
    }
}

impl Contestant<'_> {
    /// Returns the name in the games.
    pub fn name(&self) -> String {
        match self {
            Contestant::Own(player) => player.to_string(),
            Contestant::Limited(player, nodes) => format!("{player}, {nodes} nodes"),
            Contestant::Guest(guest) => guest.name().into(),
        }
    }

    /// Returns everything that tells it from another player.
    pub fn identity(&self) -> String {
        match self {
            Contestant::Own(player) => player.identity(),
            Contestant::Limited(player, nodes) => format!("{}, {nodes} nodes", player.identity()),
            Contestant::Guest(guest) => guest.identity(),
        }
    }

    /// Returns a number that changes with its search, for another engine with its program; `None` if it is
    /// not known.
    pub fn search(&self) -> Option<String> {
        let number = match self {
            Contestant::Own(player) | Contestant::Limited(player, _) => player.trees().ok(),
            Contestant::Guest(guest) => guest.program(),
        };
        number.map(|number| format!("{number:016x}"))
    }

    /// Whether this is another engine.
    pub fn is_guest(&self) -> bool {
        matches!(self, Contestant::Guest(_))
    }

    pub(super) fn seat<'a>(
        &'a self,
        mib: usize,
        threads: usize,
        world: &'a World<'a>,
    ) -> Result<Box<dyn Seat + 'a>, MatchError> {
        match self {
            Contestant::Own(player) => {
                Ok(Box::new(Own { engine: player.engine(mib, threads)?, nodes: None, world }))
            }
            Contestant::Limited(player, nodes) => {
                Ok(Box::new(Own { engine: player.engine(mib, 1)?, nodes: Some(*nodes), world }))
            }
            Contestant::Guest(guest) => guest.seat(),
        }
    }
}

impl From<Player> for Contestant<'_> {
    fn from(player: Player) -> Self {
        Contestant::Own(player)
    }
}

/// Names the player in a report: an engine with its command and options.
impl fmt::Display for Contestant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Guest(guest) => f.write_str(&guest.identity()),
            own => f.write_str(&own.name()),
        }
    }
}

/// An engine of our own.
struct Own<'a> {
    engine: Engine,
    /// The nodes of a move, if they do not follow from the pace.
    nodes: Option<u64>,
    world: &'a World<'a>,
}

impl Seat for Own<'_> {
    fn begin(&mut self, _: &Position) -> Result<(), MatchError> {
        self.engine.forget();
        Ok(())
    }

    fn choose(&mut self, asked: &Asked<'_>) -> Result<Choice, Failure> {
        let Asked { before, position, pace, given_up, .. } = *asked;
        let world = self.world;
        let begin = world.clock.now();
        let own_pace = Pace::PerMove(Budget { nodes: self.nodes, ..Budget::default() });
        let pace = if self.nodes.is_some() { &own_pace } else { pace };
        let inner: Box<dyn Limits + '_> = match pace {
            Pace::PerMove(budget) => Box::new(budget.limits(world.clock, world.stop)),
            Pace::Clock { increment, .. } => {
                world.manager.limits(asked.clock(), *increment, position.legal_moves().len())
            }
        };
        let iterations = match pace {
            Pace::PerMove(budget) => budget.iterations(),
            Pace::Clock { .. } => cassius_search::MAX_PLY,
        };
        let limits = UntilGivenUp { inner, given_up };
        let request = Request { before, ..Request::new(position, &limits).to_iteration(iterations) };
        let answer = self.engine.search(&request, &mut |_| {});
        let elapsed = world.clock.now() - begin;
        let mv = answer.best().ok_or(Failure::GivenUp)?;
        let depth = answer.lines.first().map_or(0, |line| line.iteration);
        Ok(Choice { mv, value: answer.score(), depth, elapsed })
    }
}

/// Limits that also end the search when the game is abandoned.
struct UntilGivenUp<'a> {
    inner: Box<dyn Limits + 'a>,
    given_up: &'a (dyn Fn() -> bool + Sync),
}

impl Limits for UntilGivenUp<'_> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        if (self.given_up)() { None } else { self.inner.poll(nodes) }
    }

    fn ends_now(&self) -> bool {
        (self.given_up)() || self.inner.ends_now()
    }

    fn go_on(&self, progress: &Progress) -> bool {
        self.inner.go_on(progress)
    }
}
