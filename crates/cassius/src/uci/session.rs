//! The protocol as a state machine: takes lines and events, returns effects.
//!
//! It guarantees the following for any input: exactly one `bestmove` for every search; no output of a
//! search after its `bestmove`; no `bestmove` of an infinite or pondering search before `stop` or
//! `ponderhit`; an answer to every `uci` and `isready`; no panic.

use super::command::{Command, Go, excerpt, read};
use super::info;
use super::options::{self, Options, Setting};
use crate::clock::{Allowance, Time};
use crate::setup::WITHOUT_DEPTH;
use cassius_chess::{Move, Position};
use cassius_search::{Game as _, MAX_PLY};
use shakmaty::CastlingMode;
use std::collections::VecDeque;
use std::mem;
use std::time::Duration;

/// An action that the loop has to carry out now.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Write a line.
    Say(String),
    /// Write the static value of a position.
    Evaluate(Box<Position>),
    /// Change the engine. If that fails, report why and go on.
    Set(Setting),
    /// Start a search. [`Session::finished`] must be called when it ends.
    Search(Box<Order>),
    /// Stop the running search.
    Stop,
    /// Tell the running search that the expected move was played.
    PonderHit,
    /// End the program as soon as no search is running.
    Quit,
}

/// The description of a search to start.
#[derive(Clone, Debug)]
pub struct Order {
    /// The root position.
    pub position: Position,
    /// The positions of the game before the root.
    pub before: Vec<Position>,
    /// The root moves to search; empty for all.
    pub moves: Vec<Move>,
    /// The number of lines to find.
    pub lines: usize,
    /// The number of the last iteration.
    pub iterations: usize,
    /// The limits on nodes, time and mate.
    pub allowance: Allowance,
    /// Whether the search starts on the opponent's time.
    pub ponder: bool,
    /// Whether it goes on until `stop` or `ponderhit`.
    pub open: bool,
    /// Whether to show the chances of win, draw and loss.
    pub wdl: bool,
}

impl Order {
    /// Whether only `stop` ends the search.
    pub fn is_infinite(&self) -> bool {
        self.open && !self.ponder
    }
}

/// The state of a session with a user interface.
#[derive(Debug, Default)]
pub struct Session {
    options: Options,
    position: Position,
    before: Vec<Position>,
    debug: bool,
    /// The input has ended: no `stop` can arrive any more.
    ending: bool,
    state: State,
    /// The search has no limit that could end it.
    endless: bool,
    /// Whether nodes or time limit the running search.
    bounded: bool,
    /// Commands that arrived during a search and wait for its end.
    waiting: VecDeque<Command>,
    /// The number of searches among the waiting commands.
    searches: usize,
    /// More commands arrived than can wait, and this was reported.
    overrun: bool,
}

/// The number of commands that may wait for the end of a search.
const MOST_WAITING: usize = 10_000;

/// The state of a search, as the session sees it.
#[derive(Debug, Default)]
enum State {
    #[default]
    Idle,
    /// A search is running. `open` until `stop` or `ponderhit`: until then it may not answer by itself.
    Searching { open: bool },
    /// The search has ended. Its answer is held back until `stop` or `ponderhit`.
    Holding(String),
}

impl Session {
    /// Handles a line of input.
    pub fn line(&mut self, line: &str) -> Vec<Effect> {
        let (command, complaints) = read(line);
        let mut effects: Vec<Effect> = complaints.iter().map(|complaint| note(complaint)).collect();
        if let Some(command) = command {
            self.command(command, &mut effects);
            self.go_on(&mut effects);
        }
        effects
    }

    /// Handles the end of the search; `best` is the line with its `bestmove`.
    pub fn finished(&mut self, best: String) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.found(best, &mut effects);
        self.go_on(&mut effects);
        effects
    }

    /// Writes the answer, or holds it back.
    fn found(&mut self, best: String, effects: &mut Vec<Effect>) {
        match self.state {
            State::Searching { open: true } => self.state = State::Holding(best),
            State::Searching { open: false } => self.answer(best, effects),
            State::Idle | State::Holding(_) => (),
        }
    }

    /// Whether a search is running, or has ended and its answer is held back.
    pub fn is_searching(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    /// Whether a search is running that neither nodes nor time will end, but only a depth or a mate.
    pub fn may_take_long(&self) -> bool {
        self.is_searching() && !self.bounded
    }

    /// Handles the end of the input: searches that end by themselves may do so, then the program ends.
    pub fn end(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.ending = true;
        let is_open = matches!(self.state, State::Searching { open: true } | State::Holding(_));
        if is_open || self.is_searching() && self.endless {
            self.command(Command::Stop, &mut effects);
        }
        self.go_on(&mut effects);
        if !matches!(effects.last(), Some(Effect::Quit)) {
            self.take_or_keep(Command::Quit, &mut effects);
        }
        effects
    }

    fn command(&mut self, command: Command, effects: &mut Vec<Effect>) {
        match command {
            Command::Uci => self.identify(effects),
            Command::IsReady => effects.push(Effect::Say("readyok".into())),
            Command::Debug(on) => self.debug = on,
            Command::Register => (),
            Command::Show => effects.push(Effect::Say(format!("info string {}", self.position))),
            Command::Stop | Command::PonderHit => match self.searches {
                0 => self.release(&command, effects),
                _ => self.keep(command, effects), // it refers to the search that is still waiting
            },
            Command::Quit => {
                (self.waiting, self.searches) = (VecDeque::from([Command::Quit]), 0);
                self.release(&Command::Stop, effects);
            }
            Command::Go(_) | Command::NewGame if self.is_searching() => {
                self.keep(command, effects);
                self.release(&Command::Stop, effects);
            }
            command => self.take_or_keep(command, effects),
        }
    }

    /// Executes a command that needs the engine, or queues it until the search has ended.
    fn take_or_keep(&mut self, command: Command, effects: &mut Vec<Effect>) {
        if self.is_searching() {
            self.keep(command, effects);
            return;
        }
        match command {
            Command::SetOption { name, value } => self.set_option(&name, &value, effects),
            Command::NewGame => effects.push(Effect::Set(Setting::Clear)),
            Command::Position { fen, moves } => {
                if let Err(complaint) = self.set_position(fen.as_deref(), &moves) {
                    effects.push(note(&format!("{complaint}; the position is unchanged")));
                }
            }
            Command::Go(go) => self.go(go, effects),
            Command::Evaluate => effects.push(Effect::Evaluate(Box::new(self.position.clone()))),
            Command::Quit => effects.push(Effect::Quit),
            _ => (),
        }
    }

    /// Queues a command until the search has ended, if there is room.
    fn keep(&mut self, command: Command, effects: &mut Vec<Effect>) {
        if self.waiting.len() >= MOST_WAITING && command != Command::Quit {
            if !mem::replace(&mut self.overrun, true) {
                let more = format!(
                    "{MOST_WAITING} commands wait for the end of the search; further ones are ignored"
                );
                effects.push(note(&more));
            }
            return;
        }
        self.searches += usize::from(is_go(&command));
        self.waiting.push_back(command);
    }

    /// Handles `stop` or `ponderhit`.
    fn release(&mut self, command: &Command, effects: &mut Vec<Effect>) {
        match &mut self.state {
            State::Idle => (),
            State::Searching { open } => {
                *open = false;
                let stop = *command == Command::Stop;
                effects.push(if stop { Effect::Stop } else { Effect::PonderHit });
            }
            State::Holding(best) => {
                let best = mem::take(best);
                self.answer(best, effects);
            }
        }
    }

    fn answer(&mut self, best: String, effects: &mut Vec<Effect>) {
        self.state = State::Idle;
        effects.push(Effect::Say(best));
    }

    /// Executes the waiting commands, up to and including the next search that does not end at once.
    fn go_on(&mut self, effects: &mut Vec<Effect>) {
        while !self.is_searching() {
            let Some(command) = self.waiting.pop_front() else { break };
            self.searches -= usize::from(is_go(&command));
            if command == Command::Quit {
                (self.waiting, self.searches) = (VecDeque::new(), 0); // no command is executed after `quit`
            }
            self.take_or_keep(command, effects);
            if self.is_searching() {
                self.reach(effects);
            }
        }
        self.overrun &= !self.waiting.is_empty();
    }

    /// Applies the waiting commands that refer to the search that has just started: each `stop` and
    /// `ponderhit` up to the next `go` or `ucinewgame`, which stops it as well.
    fn reach(&mut self, effects: &mut Vec<Effect>) {
        let mut said = Vec::new();
        for command in &self.waiting {
            match command {
                Command::Stop => said.push(Command::Stop),
                Command::PonderHit => said.push(Command::PonderHit),
                Command::Go(_) | Command::NewGame => {
                    said.push(Command::Stop);
                    break;
                }
                _ => (),
            }
        }
        said.iter().for_each(|command| self.release(command, effects));
    }

    fn identify(&self, effects: &mut Vec<Effect>) {
        let mut say = |line: String| effects.push(Effect::Say(line));
        say(format!("id name Cassius {}", env!("CARGO_PKG_VERSION")));
        say(format!("id author {}", env!("CARGO_PKG_AUTHORS")));
        for option in options::declarations() {
            say(format!("option name {option}"));
        }
        say("uciok".into());
    }

    fn set_option(&mut self, name: &str, value: &str, effects: &mut Vec<Effect>) {
        match options::set(&mut self.options, name, value) {
            Ok(settings) => effects.extend(settings.into_iter().map(Effect::Set)),
            Err(complaint) => effects.push(note(&complaint)),
        }
    }

    /// Sets the position and the game before it. On an error nothing changes.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), String> {
        let mut position = match fen {
            None => Position::default(),
            Some(fen) => fen.parse::<Position>().map_err(|error| error.to_string())?,
        };
        if self.options.chess960 {
            position = position.with_castling_mode(CastlingMode::Chess960);
        }
        let mut before = Vec::with_capacity(moves.len());
        for (index, text) in moves.iter().enumerate() {
            let mv = position.parse_uci(text).map_err(|_| {
                format!("illegal move '{}' (number {} in the list)", excerpt(text), index + 1)
            })?;
            before.push(position.clone());
            position.play(mv);
        }
        (self.position, self.before) = (position, before);
        Ok(())
    }

    fn go(&mut self, go: Go, effects: &mut Vec<Effect>) {
        let position = self.position.clone();
        let mut moves = Vec::new();
        for text in &go.moves {
            match position.parse_uci(text) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(_) => effects.push(note(&format!("go searchmoves: illegal move '{}'", excerpt(text)))),
            }
        }
        if moves.is_empty() && !go.moves.is_empty() {
            effects.push(note("go searchmoves: none of them is legal, so all moves are searched"));
        }
        let open = go.infinite || go.ponder;
        self.state = State::Searching { open };
        if position.legal_moves().is_empty() {
            effects.push(Effect::Say(info::game_over(&position)));
            self.found("bestmove 0000".into(), effects);
            if self.is_searching() && self.ending {
                self.release(&Command::Stop, effects);
            }
            return;
        }
        if self.debug {
            effects.push(note(&format!("searching {position}")));
        }
        let allowance = self.allowance(&go);
        self.bounded = allowance.nodes.is_some() || allowance.time != Time::Unlimited;
        let depth = go.depth.filter(|_| !WITHOUT_DEPTH.contains(&self.options.recipe));
        if depth != go.depth {
            effects.push(note(&format!("go depth: recipe {} has no depth limit", self.options.recipe)));
        }
        self.endless = !self.bounded && depth.is_none() && allowance.mate.is_none();
        let order = Order {
            position,
            before: self.before.clone(),
            moves,
            lines: self.options.lines,
            iterations: depth.unwrap_or(MAX_PLY),
            allowance,
            ponder: go.ponder,
            open,
            wdl: self.options.show_wdl,
        };
        effects.push(Effect::Search(Box::new(order)));
        if (open || self.endless) && self.ending {
            self.release(&Command::Stop, effects);
        }
    }

    /// Returns a time less the overhead of communication, but at least half of it.
    fn less_overhead(&self, time: Duration) -> Duration {
        time.saturating_sub(self.options.overhead).max(time / 2)
    }

    fn allowance(&self, go: &Go) -> Allowance {
        // Whoever tells only the other side's clock is taken to mean that both have the same.
        let side = usize::from(self.position.turn().is_black());
        let side = if go.time[side].is_none() && go.time[1 - side].is_some() { 1 - side } else { side };
        let time = match (go.infinite, go.move_time, go.time[side]) {
            (true, ..) => Time::Unlimited,
            (_, Some(time), _) => Time::Exact(self.less_overhead(time)),
            (_, _, Some(remaining)) => Time::Game {
                remaining,
                increment: go.increment[side],
                moves: go.moves_to_go,
                overhead: self.options.overhead,
            },
            // Only an increment is given: it is the time that may be spent.
            _ if !go.increment[side].is_zero() => Time::Exact(self.less_overhead(go.increment[side])),
            _ => Time::Unlimited,
        };
        let nodes = match (go.nodes, self.options.node_limit()) {
            (Some(asked), Some(limit)) => Some(asked.min(limit)),
            (asked, limit) => asked.or(limit),
        };
        Allowance { nodes, mate: go.mate, settled: false, time }
    }
}

fn note(text: &str) -> Effect {
    Effect::Say(format!("info string {text}"))
}

fn is_go(command: &Command) -> bool {
    matches!(command, Command::Go(_))
}
