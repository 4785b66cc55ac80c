//! Another UCI engine as the judge of positions.
//!
//! | question | what the engine is asked |
//! |---|---|
//! | how good is the best of these moves? | `go nodes N searchmoves …` |
//! | is each of these moves worth this much? | the same with `MultiPV` 3, then with all that are left |
//!
//! Each question is put to a fresh engine (`ucinewgame`), so that the answer depends on nothing but the
//! question: not on earlier questions, nor on whether the engine had to be started again. With a node limit
//! the same question therefore has the same answer, and answers can be kept in a file.

use super::info::{Info, Told};
use super::{Launch, Peer, Question};
use crate::terminal;
use cassius_chess::{Move, Position};
use cassius_insight::{Asked, Found, Held, Judge, JudgeError};
use cassius_lab::kept::Kept;
use cassius_search::game::Repeats as _;
use cassius_search::{Bound, Game as _, Score};
use serde::{Deserialize, Serialize};
use shakmaty::CastlingMode;
use std::sync::Arc;
use std::time::Duration;

/// Which engine, and how it is asked.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How it is started.
    pub launch: Launch,
    /// A time for each position instead of nodes: this duration takes the place of so many nodes.
    pub time: Option<(Duration, u64)>,
    /// The file in which answers are kept.
    pub kept: Option<Arc<Kept>>,
}

/// An engine that judges. If it dies or falls silent, it is started again.
pub struct EngineJudge {
    setup: Setup,
    name: String,
    /// The beginning of the keys of kept answers. It names the program as well: an engine that was built anew
    /// may answer otherwise.
    key: String,
    peer: Option<Peer>,
}

/// How often an engine is started again for one question.
const RESTARTS: usize = 2;

/// The number of moves of which it is first asked whether they hold. In positions that matter, few do.
const FIRST: usize = 3;

/// A line as it is kept: score, bound, depth, wins and draws and losses, moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    score: Told,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_least: Option<bool>,
    depth: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wdl: Option<[u32; 3]>,
    moves: Vec<String>,
}

impl From<Info> for Line {
    fn from(info: Info) -> Line {
        let at_least = match info.bound {
            Bound::Exact => None,
            Bound::Lower => Some(true),
            Bound::Upper => Some(false),
        };
        Line { score: info.score, at_least, depth: info.depth, wdl: info.wdl, moves: info.pv }
    }
}

/// An answer as it is kept: the lines, best first, and the number of nodes.
type Answer = (Vec<Line>, u64);

impl EngineJudge {
    /// Starts the engine.
    ///
    /// # Errors
    /// If it cannot be started, does not speak UCI, or lacks an option that is to be set.
    pub fn start(setup: Setup) -> Result<EngineJudge, JudgeError> {
        let peer = setup.start()?;
        let name = peer.name().to_string();
        let program = setup.kept.as_ref().and_then(|_| setup.launch.command.program());
        let key = format!("{:016x} {}", program.unwrap_or_default(), setup.key(&name));
        Ok(EngineJudge { setup, name, key, peer: Some(peer) })
    }

    /// Asks a question, or finds its answer in the file.
    fn ask(
        &mut self,
        asked: Asked<'_>,
        among: &[Move],
        lines: usize,
        nodes: u64,
    ) -> Result<Answer, JudgeError> {
        let share = |(time, whole): (Duration, u64)| {
            let seconds = time.as_secs_f64() * nodes as f64 / whole as f64;
            Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
        };
        let time = self.setup.time.map(share);
        let (start, moves) = history(asked);
        let question = Question {
            start: start.to_string(),
            moves,
            chess960: asked.position.castling_mode() == CastlingMode::Chess960,
            among: among.iter().map(|mv| asked.position.uci(*mv)).collect(),
            lines,
            nodes: if time.is_some() { None } else { Some(nodes.max(1)) },
            time,
        };
        let key = format!("{} {:?}", self.key, question);
        let names_a_move = |(lines, _): &Answer| {
            let is_answer =
                |line: &Line| line.score != Told::Mate(0) && !read(asked.position, &line.moves).is_empty();
            lines.first().is_some_and(is_answer)
        };
        if let Some(known) = self.setup.kept.as_ref().and_then(|kept| kept.get(&key)).filter(names_a_move) {
            return Ok(known);
        }
        if self.peer.as_ref().is_some_and(|peer| !peer.knows(asked.position)) {
            let command = &self.setup.launch.command;
            let why = "this position needs Chess960, and the engine has no UCI_Chess960";
            return Err(JudgeError(format!("'{command}' cannot be asked: {why}")));
        }
        let mut tries = 0;
        let (infos, nodes) = loop {
            let peer = match self.peer.take() {
                Some(peer) => Ok(peer),
                None => self.setup.start(),
            };
            let error = match peer.map(|mut peer| (peer.ask(&question), peer)) {
                Ok((Ok(answer), peer)) => {
                    self.peer = Some(peer);
                    break answer;
                }
                Ok((Err(error), _)) => JudgeError(format!("{error:#}")),
                Err(error) => error,
            };
            if tries == RESTARTS {
                return Err(JudgeError(format!("{error}; it was started again {RESTARTS} times")));
            }
            tries += 1;
            terminal::note(format_args!("{error}; it is started again"));
        };
        let answer: Answer = (infos.into_iter().map(Line::from).collect(), nodes);
        if let Some(kept) = self.setup.kept.as_ref().filter(|_| names_a_move(&answer))
            && !kept.put(&key, &answer)
        {
            return Err(JudgeError("the file of the engine's answers cannot be written".into()));
        }
        Ok(answer)
    }
}

impl Setup {
    fn start(&self) -> Result<Peer, JudgeError> {
        Peer::start(&self.launch).map_err(|error| JudgeError(format!("{error:#}")))
    }

    /// Returns everything on which the answers depend, but for the question.
    pub fn key(&self, name: &str) -> String {
        let Setup { launch: Launch { command, hash, options, .. }, time, .. } = self;
        format!("{name} ({command}), {hash} MiB, {options:?}, {time:?}")
    }
}

/// Returns the last position before `position` from which moves can be repeated, and the moves that lead from
/// there, in UCI notation.
fn history(asked: Asked<'_>) -> (Position, Vec<String>) {
    let Asked { position, before } = asked;
    let line: Vec<&Position> = before.iter().chain([position]).collect();
    // A move leads from each position to the next, unless the positions come from elsewhere.
    let played = |pair: &[&Position]| {
        let [from, to] = pair else { return None };
        let leads = |mv: &Move| {
            let mut after = (*from).clone();
            after.play(*mv);
            after == **to && after.fullmoves() == to.fullmoves()
        };
        from.legal_moves().into_iter().find(leads).map(|mv| from.uci(mv))
    };
    let most = position.reversible_plies().min(before.len());
    let mut moves: Vec<String> = line[line.len() - 1 - most..].windows(2).rev().map_while(played).collect();
    moves.reverse();
    (line[line.len() - 1 - moves.len()].clone(), moves)
}

/// Reads a line of moves up to the first that is not legal.
fn read(position: &Position, names: &[String]) -> Vec<Move> {
    let mut position = position.clone();
    let mut moves = Vec::with_capacity(names.len());
    for name in names {
        let Ok(mv) = position.parse_uci(name) else { break };
        moves.push(mv);
        position.play(mv);
    }
    moves
}

impl Judge for EngineJudge {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn value(
        &mut self,
        asked: Asked<'_>,
        moves: &[Move],
        _: usize,
        nodes: u64,
    ) -> Result<Option<Found>, JudgeError> {
        if asked.position.is_over() {
            return Ok(None);
        }
        let (lines, nodes) = self.ask(asked, moves, 1, nodes)?;
        let command = &self.setup.launch.command;
        let Some(best) = lines.into_iter().next() else {
            return Err(JudgeError(format!("'{command}' tells no score")));
        };
        let line = read(asked.position, &best.moves);
        if line.is_empty() {
            return Err(JudgeError(format!("'{command}' names no legal move")));
        }
        if best.score == Told::Mate(0) {
            return Err(JudgeError(format!("'{command}' claims that the side to move is mated")));
        }
        let bound = match best.at_least {
            None => Bound::Exact,
            Some(true) => Bound::Lower,
            Some(false) => Bound::Upper,
        };
        let (score, iteration) = (best.score.score(), best.depth.max(1));
        Ok(Some(Found { score, bound, line, wdl: best.wdl, iteration, nodes }))
    }

    fn hold(
        &mut self,
        asked: Asked<'_>,
        moves: &[Move],
        least: Score,
        _: usize,
        nodes: u64,
    ) -> Result<(Vec<Held>, u64), JudgeError> {
        let mut held = vec![Held { holds: false, iteration: 0 }; moves.len()];
        let (mut left, mut spent): (Vec<usize>, u64) = ((0..moves.len()).collect(), 0);
        let has_rest = moves.len() > FIRST;
        for (count, budget) in [(FIRST, if has_rest { nodes / 2 } else { nodes }), (moves.len(), nodes / 2)] {
            let among: Vec<Move> = left.iter().map(|index| moves[*index]).collect();
            let (lines, nodes) = self.ask(asked, &among, count.min(among.len()), budget)?;
            spent += nodes;
            let mut all_hold = true;
            for line in &lines {
                let first = line.moves.first().and_then(|name| asked.position.parse_uci(name).ok());
                let Some(index) = moves.iter().position(|mv| Some(*mv) == first) else { continue };
                let holds = line.score.score() >= least;
                held[index] = Held { holds, iteration: line.depth.max(1) };
                left.retain(|other| *other != index);
                all_hold &= holds;
            }
            // What was not listed is no better than the last that was.
            if !all_hold || left.is_empty() {
                let depth = lines.iter().map(|line| line.depth).min().unwrap_or(0).max(1);
                for index in left.drain(..) {
                    held[index] = Held { holds: false, iteration: depth };
                }
                break;
            }
        }
        Ok((held, spent))
    }

    fn forget(&mut self) {} // each question is put to a fresh engine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_goes_back_to_the_last_irreversible_move() {
        let mut position = Position::default();
        let mut before = Vec::new();
        for name in ["e2e4", "e7e5", "g1f3", "b8c6", "f3g1"] {
            before.push(position.clone());
            let mv = position.parse_uci(name).expect("legal");
            position.play(mv);
        }
        let (start, moves) = history(Asked { position: &position, before: &before });
        assert_eq!(moves, ["g1f3", "b8c6", "f3g1"]);
        assert_eq!(start, before[2]);
        // Positions that do not belong together are no history.
        let (start, moves) = history(Asked { position: &position, before: &before[..3] });
        assert!(moves.is_empty() && start == position);
    }
}
