//! The engines that judge the leaves of a study, each in a process of its own.
//!
//! Every worker has one engine. An engine that dies, falls silent or answers nonsense is named, and started
//! again. If it fails at one leaf several times, the leaf goes back, and if it fails at leaf after leaf, the
//! worker gives up. A judgement is only passed on if its best move is legal and among those asked for.

use super::proofs::Proofs;
use crate::peer::info::{Info, Told};
use crate::peer::{CommandLine, Launch, Peer, Question};
use crate::terminal;
use cassius_chess::{Move, Position};
use cassius_search::game::Game as _;
use cassius_search::study::Asked;
use cassius_study::{Found, Judge};
use shakmaty::CastlingMode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, OnceLock};

/// What a worker reports.
pub enum Report {
    /// A leaf was judged.
    Judged(Box<Asked<Position>>, Judge, Found),
    /// A leaf could not be judged, and why.
    Failed(Box<Asked<Position>>, String),
    /// A worker gives up, with the leaf that it was given.
    GivenUp(Box<Asked<Position>>, String),
    /// Something that the user should know.
    Note(String),
}

/// The number of times that an engine is started again for one leaf.
const RESTARTS: usize = 2;

/// A worker gives up after failing at so many leaves in a row.
const FAILURES: usize = 3;

/// An engine, and how it is started again.
pub struct Worker {
    launch: Launch,
    identity: OnceLock<String>,
    proofs: Option<Proofs>,
    judge: Judge,
    peer: Option<Peer>,
    failures: usize,
    /// Whether the engine keeps what it has found when it goes on to another leaf.
    remembers: bool,
    /// Whether it is to forget that before the next leaf.
    forgets: bool,
    /// Once this is set, an engine that dies is not started again.
    ends: Arc<AtomicBool>,
    /// Tells the user something.
    say: Box<dyn Fn(String) + Send>,
}

impl Worker {
    /// Takes an engine that was started.
    pub fn new(launch: Launch, peer: Peer, proofs: Option<Proofs>) -> Worker {
        // An answer depends on the size of the table, too.
        let hash = ("Hash".to_string(), launch.hash.to_string());
        let is_set = launch.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Hash"));
        let options = (!is_set).then_some(&hash).into_iter().chain(&launch.options);
        let options: Vec<String> = options.map(|(name, value)| format!("{name}={value}")).collect();
        let judge = Judge { name: peer.name().to_string(), options: options.join(", ") };
        let peer = Some(peer);
        Worker {
            launch,
            identity: OnceLock::new(),
            proofs,
            judge,
            peer,
            failures: 0,
            remembers: false,
            forgets: true,
            ends: Arc::default(),
            say: Box::new(|text| terminal::note(format_args!("{text}"))),
        }
    }

    /// Does not start an engine again once this flag is set.
    pub fn end_with(&mut self, flag: Arc<AtomicBool>) {
        self.ends = flag;
    }

    /// Tells the user something by a report.
    pub fn say_by(&mut self, reports: Sender<Report>) {
        // If nobody receives reports any more, it is too late to say something.
        self.say = Box::new(move |text| drop(reports.send(Report::Note(text))));
    }

    /// Lets the engine keep what it has found when it goes on to another leaf, or not. What it finds about a
    /// leaf then depends on what it was asked before, and is worth more.
    pub fn remember(&mut self, remembers: bool) {
        self.remembers = remembers;
    }

    /// Lets the engine forget what it has found.
    pub fn forget(&mut self) {
        self.forgets = true;
    }

    /// Judges leaves of a study of `root` until there are no more, or until the engine fails too often.
    pub fn work(
        mut self,
        root: &Position,
        leaves: &Mutex<Receiver<Asked<Position>>>,
        reports: &Sender<Report>,
    ) {
        loop {
            let next = leaves.lock().map(|leaves| leaves.recv());
            let Ok(Ok(asked)) = next else { return };
            let asked = Box::new(asked);
            if let Some((judge, found)) = self.proofs.as_ref().and_then(|proofs| proofs.of(&asked)) {
                match reports.send(Report::Judged(asked, judge, found)) {
                    Ok(()) => continue,
                    Err(_) => return,
                }
            }
            let report = match self.judge(root, &asked) {
                Ok(found) => {
                    self.failures = 0;
                    Report::Judged(asked, self.judge.clone(), found)
                }
                Err(why) => {
                    self.failures += 1;
                    match self.failures >= FAILURES {
                        true => Report::GivenUp(asked, why),
                        false => Report::Failed(asked, why),
                    }
                }
            };
            let gives_up = matches!(report, Report::GivenUp(..));
            if reports.send(report).is_err() || gives_up {
                return;
            }
        }
    }

    /// Whether the engine can judge positions of this kind.
    pub fn knows(&self, root: &Position) -> bool {
        self.peer.as_ref().is_none_or(|peer| peer.knows(root))
    }

    /// Returns who judges.
    pub fn name(&self) -> &Judge {
        &self.judge
    }

    /// Returns what its answers depend on: the name and the options of an engine; of this program also its
    /// file.
    pub fn identity(&self) -> &str {
        /// A hash of this program: what it answers depends on its search, which its name does not tell.
        static OWN: OnceLock<Option<u64>> = OnceLock::new();
        self.identity.get_or_init(|| {
            let own = CommandLine::this_program().ok().filter(|own| *own == self.launch.command);
            let number = own.and_then(|own| *OWN.get_or_init(|| own.program()));
            let number = number.map_or(String::new(), |number| format!("{number:016x}, "));
            format!("{} ({number}{})", self.judge.name, self.judge.options)
        })
    }

    /// Judges a leaf of a study of `root`; starts the engine again if it fails.
    pub fn judge(&mut self, root: &Position, asked: &Asked<Position>) -> Result<Found, String> {
        let mut tries = 0;
        loop {
            let why = match self.attempt(root, asked) {
                Ok(found) => return Ok(found),
                Err(why) => why,
            };
            self.peer = None;
            if self.ends.load(Relaxed) {
                return Err(why);
            }
            if tries == RESTARTS {
                return Err(format!("{why}; it was started again {RESTARTS} times"));
            }
            tries += 1;
            (self.say)(format!("{why}; it is started again"));
        }
    }

    fn attempt(&mut self, root: &Position, asked: &Asked<Position>) -> Result<Found, String> {
        let peer = match &mut self.peer {
            Some(peer) => peer,
            None => {
                let peer = Peer::start(&self.launch).map_err(|error| format!("{error:#}"))?;
                self.peer.insert(peer)
            }
        };
        let chess960 = asked.position.castling_mode() == CastlingMode::Chess960;
        let allowed = |mv: &Move| !asked.without.contains(mv);
        let among = match asked.without.is_empty() {
            true => Vec::new(),
            false => {
                let moves = asked.position.legal_moves().into_iter().filter(allowed);
                moves.map(|mv| asked.position.uci(mv)).collect()
            }
        };
        let question = Question {
            start: root.to_string(),
            moves: line(root, &asked.line),
            chess960,
            among,
            lines: 1,
            nodes: Some(asked.effort),
            time: None,
        };
        let forgets = std::mem::replace(&mut self.forgets, !self.remembers);
        let answer = if forgets { peer.ask(&question) } else { peer.ask_on(&question) };
        let (infos, nodes) = answer.map_err(|error| format!("{error:#}"))?;
        let command = &self.launch.command;
        let Some(info) = infos.into_iter().next() else {
            return Err(format!("'{command}' gave no value for {}", asked.position));
        };
        found(asked, &info, nodes).map_err(|why| format!("'{command}' {why} in {}", asked.position))
    }
}

/// Checks an answer. The line ends where it is not legal.
fn found(asked: &Asked<Position>, info: &Info, nodes: u64) -> Result<Found, String> {
    let (mut position, mut line) = (asked.position.clone(), Vec::new());
    for word in &info.pv {
        let Ok(mv) = position.parse_uci(word) else { break };
        line.push(mv);
        position.play(mv);
    }
    match (line.first(), info.pv.first()) {
        (Some(mv), _) if asked.without.contains(mv) => {
            return Err(format!("chose {}, which it was told to leave out,", info.pv[0]));
        }
        (Some(_), _) => (),
        (None, Some(word)) => return Err(format!("chose the illegal move '{word}'")),
        (None, None) => return Err("named no move".into()),
    }
    if info.score == Told::Mate(0) {
        return Err("claims that the side to move is mated".into());
    }
    Ok(Found {
        value: info.score.score(),
        line,
        effort: asked.effort,
        // An engine that tells none has searched some.
        nodes: if nodes == 0 { asked.effort } else { nodes },
        depth: info.depth,
        wdl: info.wdl,
        proven: false,
    })
}

/// Returns a line in UCI notation.
pub fn line(root: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = root.clone();
    let word = |mv: &Move| {
        let word = position.uci(*mv);
        position.play(*mv);
        word
    };
    moves.iter().map(word).collect()
}

/// The end of a queue from which several workers take leaves.
pub type Leaves = Arc<Mutex<Receiver<Asked<Position>>>>;
