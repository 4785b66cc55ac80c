//! Another UCI engine as a player of matches.
//!
//! | in a match | what the engine is told |
//! |---|---|
//! | a game begins | `ucinewgame`, `UCI_Chess960` if it has it, `isready` |
//! | its turn | `position` with all moves, `isready`, `go` with clocks or limits |
//! | its time is over | `stop` |
//! | it is still silent when the patience with it is over | nothing: it is ended |
//!
//! Its time is that from `go` to `bestmove`. An engine that ends, is silent, or names a move that is not
//! legal loses the game, and is started again for the next one.

use super::{Launch, Peer, Silence, Thinking, Turn};
use crate::Error;
use crate::setup::LimitArgs;
use anyhow::ensure;
use cassius_chess::Position;
use cassius_lab::matches::contestant::{Asked, Choice, Failure, Guest, Seat};
use cassius_lab::matches::{MatchError, Pace};
use shakmaty::CastlingMode;

/// How often an engine that cannot begin a game is started again before the match ends.
const RESTARTS: usize = 2;

/// An engine that plays in a match.
#[derive(Clone, Debug)]
pub struct EnginePlayer {
    launch: Launch,
    name: String,
}

impl EnginePlayer {
    /// Starts the engine once, to learn its name and whether it can play. `chess960` says whether openings
    /// need the rules of Chess960.
    ///
    /// # Errors
    /// If it cannot be started, does not speak UCI, lacks an option that is to be set, or cannot play
    /// Chess960 where this is needed.
    pub fn new(launch: Launch, chess960: bool) -> Result<EnginePlayer, Error> {
        let peer = Peer::start(&launch)?;
        ensure!(
            !chess960 || peer.option("UCI_Chess960").is_some(),
            "'{}' does not play Chess960, which the openings need: no UCI_Chess960",
            launch.command
        );
        let name = peer.name().to_string();
        Ok(EnginePlayer { launch, name })
    }
}

impl Guest for EnginePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> String {
        let options = self.launch.options.iter().map(|(name, value)| format!(", {name}={value}"));
        format!("{} ({}{})", self.name, self.launch.command, options.collect::<String>())
    }

    fn program(&self) -> Option<u64> {
        self.launch.command.program()
    }

    fn seat(&self) -> Result<Box<dyn Seat + '_>, MatchError> {
        Ok(Box::new(AtBoard { launch: &self.launch, peer: None }))
    }
}

/// An engine at a board. Its process is started for the first game.
struct AtBoard<'a> {
    launch: &'a Launch,
    peer: Option<Peer>,
}

impl AtBoard<'_> {
    /// Returns the engine at the beginning of a game.
    fn ready(&mut self, start: &Position) -> Result<Peer, Error> {
        let mut peer = match self.peer.take() {
            Some(peer) => peer,
            None => Peer::start(self.launch)?,
        };
        peer.new_game(start.castling_mode() == CastlingMode::Chess960)?;
        Ok(peer)
    }
}

impl Seat for AtBoard<'_> {
    fn begin(&mut self, start: &Position) -> Result<(), MatchError> {
        let mut tries = 0;
        loop {
            match self.ready(start) {
                Ok(peer) => {
                    self.peer = Some(peer);
                    return Ok(());
                }
                Err(error) if tries == RESTARTS => {
                    let why = format!("{error:#}; it was started again {RESTARTS} times");
                    return Err(MatchError::Guest(why));
                }
                Err(_) => tries += 1,
            }
        }
    }

    fn choose(&mut self, asked: &Asked<'_>) -> Result<Choice, Failure> {
        let gone = || Failure::Crash(format!("'{}' has ended", self.launch.command));
        let mut peer = self.peer.take().ok_or_else(gone)?;
        let turn = turn(asked);
        let reply = peer.play(&turn, asked.given_up).map_err(|silence| match silence {
            Silence::Late(why) if turn.thinking.time().is_some() => Failure::Time(why),
            Silence::Late(why) | Silence::Ended(why) => Failure::Crash(why),
            Silence::GivenUp => Failure::GivenUp,
        })?;
        let mv = asked.position.parse_uci(&reply.mv).map_err(|error| {
            Failure::IllegalMove(match reply.mv.is_empty() {
                true => "its answer names no move".into(),
                false => error.to_string(),
            })
        })?;
        // Only an engine that has answered properly is asked again.
        self.peer = Some(peer);
        let value = reply.info.as_ref().map(|info| info.score.score());
        let depth = reply.info.map_or(0, |info| info.depth);
        Ok(Choice { mv, value, depth, elapsed: reply.elapsed })
    }
}

/// Returns what an engine is told of its turn.
fn turn(asked: &Asked<'_>) -> Turn {
    let start = asked.before.first().unwrap_or(asked.position);
    let start = match start.to_string() {
        fen if fen == Position::default().to_string() => "startpos".into(),
        fen => format!("fen {fen}"),
    };
    let moves = asked.before.iter().zip(asked.moves).map(|(position, mv)| position.uci(*mv)).collect();
    let thinking = match asked.pace {
        Pace::PerMove(budget) => {
            Thinking::Limits(LimitArgs { nodes: budget.nodes, time: budget.time, depth: budget.depth })
        }
        Pace::Clock { increment, margin, .. } => Thinking::Clocks {
            clocks: asked.clocks,
            increment: *increment,
            most: asked.clock().saturating_add(*margin),
        },
    };
    Turn { start, moves, thinking }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_lab::Budget;
    use std::time::Duration;

    fn told(start: &str, moves: &[&str], pace: &Pace, clocks: [Duration; 2]) -> Turn {
        let mut position: Position = start.parse().expect("a position");
        let (mut before, mut played) = (Vec::new(), Vec::new());
        for mv in moves {
            let mv = position.parse_uci(mv).expect("a move");
            before.push(position.clone());
            played.push(mv);
            cassius_search::Game::play(&mut position, mv);
        }
        let (moves, before, position) = (&played, &before, &position);
        turn(&Asked { moves, before, position, pace, clocks, given_up: &|| false })
    }

    #[test]
    fn a_turn_is_told_as_the_protocol_has_it() {
        let ms = Duration::from_millis;
        let pace = Pace::Clock { base: ms(1000), increment: ms(10), margin: ms(50) };
        let turn = told("startpos", &["e2e4"], &pace, [ms(900), Duration::ZERO]);
        assert_eq!(super::super::position(&turn.start, &turn.moves), "position startpos moves e2e4");
        assert_eq!(turn.thinking.go(), "go wtime 900 btime 1 winc 10 binc 10");
        assert_eq!(turn.thinking.most(), ms(50));
        let pace = Pace::PerMove(Budget { nodes: Some(5), time: Some(ms(20)), depth: Some(3) });
        let turn = told("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", &[], &pace, [Duration::MAX; 2]);
        let position = super::super::position(&turn.start, &turn.moves);
        assert_eq!(position, "position fen 6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
        assert_eq!(turn.thinking.go(), "go movetime 20 nodes 5 depth 3");
        assert_eq!(turn.thinking.most(), ms(20));
        let pace = Pace::PerMove(Budget { depth: Some(3), ..Budget::default() });
        let turn = told("1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1", &["c1f1"], &pace, [ms(1); 2]);
        assert_eq!((turn.moves, turn.thinking.most()), (vec!["c1f1".to_string()], ms(600_000)));
    }
}
