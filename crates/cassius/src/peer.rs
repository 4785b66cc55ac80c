//! Another UCI engine, run as a process that is asked for mates, for values, or for the moves of a game.
//!
//! The engine may be slow, silent or dead. The program waits for each answer until its limit is reached,
//! plus a grace period. The engine's standard error is not shown. Its process is killed when the
//! [`Peer`] is dropped. Processes that it has started itself (if it is a script, for example) are not
//! killed and have to end by themselves.

pub mod info;
pub mod judge;
pub mod player;

use crate::Error;
use crate::setup::LimitArgs;
use anyhow::{Context as _, anyhow, bail, ensure};
use cassius_chess::{Position, mate::Winner};
use cassius_search::fnv;
use info::{Info, Lines};
use shakmaty::CastlingMode;
use std::fmt;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::str::FromStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine(Vec<String>);

impl FromStr for CommandLine {
    type Err = String;

    /// Splits the text into words as a shell does: quotes keep a word together. A backslash has no
    /// special meaning.
    fn from_str(text: &str) -> Result<CommandLine, String> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut open = None;
        for c in text.chars() {
            match open {
                Some(quote) if c == quote => open = None,
                Some(_) => word.get_or_insert_default().push(c),
                None if c == '\'' || c == '"' => {
                    open = Some(c);
                    word.get_or_insert_default();
                }
                None if c.is_whitespace() => words.extend(word.take()),
                None => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        match open {
            Some(quote) => Err(format!("the quote {quote} is not closed")),
            None if words.is_empty() => Err("expected a program, with its arguments if it needs any".into()),
            None => Ok(CommandLine(words)),
        }
    }
}

impl CommandLine {
    /// Returns the command that starts this program as an engine.
    ///
    /// # Errors
    /// If the system does not know where the program is.
    pub fn this_program() -> Result<CommandLine, Error> {
        let program = std::env::current_exe().context("where is this program?")?;
        Ok(CommandLine(vec![program.display().to_string(), "uci".into()]))
    }

    /// Returns a hash of the program's file; `None` if it is not found or cannot be read.
    pub fn program(&self) -> Option<u64> {
        let name = Path::new(&self.0[0]);
        // Windows starts `engine.exe` if `engine` is named.
        let found = |path: PathBuf| {
            let mut longer = path.clone().into_os_string();
            longer.push(std::env::consts::EXE_SUFFIX);
            [PathBuf::from(longer), path].into_iter().find(|file| file.is_file())
        };
        let file = match name.components().nth(1) {
            Some(_) => found(name.to_path_buf())?,
            None => {
                let folders = std::env::var_os("PATH")?;
                std::env::split_paths(&folders).find_map(|folder| found(folder.join(name)))?
            }
        };
        let bytes = std::fs::read(file).ok()?;
        let (words, rest) = bytes.as_chunks();
        let words = words.iter().map(|word| u64::from_le_bytes(*word));
        Some(fnv(words.chain(rest.iter().map(|byte| u64::from(*byte)))))
    }
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// How an engine is started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The command that starts it.
    pub command: CommandLine,
    /// The size of its table in MiB, where it has the option `Hash`.
    pub hash: u32,
    /// The number of its threads. More than one needs the option `Threads`.
    pub threads: u16,
    /// Its options. `Hash` and `Threads` among them take the place of the above.
    pub options: Vec<(String, String)>,
    /// How long it may take to get ready, or exceed its limit, before it is ended.
    pub patience: Duration,
    /// Whether Ctrl-C on a terminal is kept from it: this program still wants the answer.
    pub apart: bool,
}

/// Why an engine gives no answer. It cannot be asked anything afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Silence {
    /// It did not answer in time.
    Late(String),
    /// Its process ended, or closed its output.
    Ended(String),
    /// Nobody waits for the answer any longer.
    GivenUp,
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Silence::Late(why) | Silence::Ended(why) => f.write_str(why),
            Silence::GivenUp => f.write_str("nobody waits for the answer"),
        }
    }
}

impl std::error::Error for Silence {}

/// An engine's answer to `go mate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The length of the claimed mate, in moves.
    pub mate_in: Option<usize>,
    /// The time from `go` to `bestmove`.
    pub elapsed: Duration,
}

/// A question about a position: the best lines within a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// A position, in FEN.
    pub start: String,
    /// The moves that lead from there to the position in question, in UCI notation.
    pub moves: Vec<String>,
    /// Whether the notation is that of Chess960.
    pub chess960: bool,
    /// The moves to choose from; all if empty.
    pub among: Vec<String>,
    /// The number of best moves to list, each with its line.
    pub lines: usize,
    /// The node limit.
    pub nodes: Option<u64>,
    /// The time limit.
    pub time: Option<Duration>,
}

impl Question {
    fn limits(&self) -> LimitArgs {
        LimitArgs { nodes: self.nodes, time: self.time, depth: None }
    }

    fn position(&self) -> String {
        position(&format!("fen {}", self.start), &self.moves)
    }

    fn go(&self) -> String {
        let among = if self.among.is_empty() {
            String::new()
        } else {
            " searchmoves ".to_string() + &self.among.join(" ")
        };
        format!("go{}{among}", limits(&self.limits()))
    }
}

/// A move that is to be chosen in a game.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The beginning of the game: `startpos`, or `fen` and a position.
    pub start: String,
    /// The moves since then, in UCI notation.
    pub moves: Vec<String>,
    /// How long the engine may think.
    pub thinking: Thinking,
}

/// How long an engine may think about a move of a game.
#[derive(Clone, Debug)]
pub enum Thinking {
    /// Within fixed limits.
    Limits(LimitArgs),
    /// As it likes, with the clocks of a game.
    Clocks {
        /// The clocks of White and of Black.
        clocks: [Duration; 2],
        /// The time added after each move.
        increment: Duration,
        /// The time after which it has lost, and is told to stop.
        most: Duration,
    },
}

impl Thinking {
    fn go(&self) -> String {
        match self {
            Thinking::Limits(limits) => format!("go{}", self::limits(limits)),
            Thinking::Clocks { clocks, increment, .. } => {
                let [white, black] = clocks.map(|clock| clock.as_millis().max(1));
                let increment = increment.as_millis();
                format!("go wtime {white} btime {black} winc {increment} binc {increment}")
            }
        }
    }

    /// Returns the time after which the engine is told to stop, if its time is limited.
    fn time(&self) -> Option<Duration> {
        match self {
            Thinking::Limits(limits) => limits.time,
            Thinking::Clocks { most, .. } => Some(*most),
        }
    }

    /// Returns the time after which the patience with the engine begins to run out. An engine may take long
    /// to reach a depth or a number of nodes, but not for ever.
    fn most(&self) -> Duration {
        const UNTIMED: Duration = Duration::from_secs(600);
        match self {
            Thinking::Limits(limits) => limits.time.unwrap_or_else(|| longest(limits).min(UNTIMED)),
            Thinking::Clocks { most, .. } => *most,
        }
    }
}

/// An engine's move in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The word after `bestmove`, which may be no legal move, or nothing.
    pub mv: String,
    /// The last line with a score of its best move, if it told any.
    pub info: Option<Info>,
    /// The time from `go` to `bestmove`.
    pub elapsed: Duration,
}

/// A running engine.
pub struct Peer {
    command: CommandLine,
    name: String,
    /// The declarations of its options: name, `type` and so on.
    options: Vec<String>,
    patience: Duration,
    /// The time for a node of its slowest answer.
    slowest: Duration,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<Heard>,
}

/// A line, and when it was written.
type Heard = (Instant, String);

impl Peer {
    /// Starts an engine.
    ///
    /// # Errors
    /// If the engine cannot be started, does not speak UCI, or does not have an option that is to be
    /// set.
    pub fn start(launch: &Launch) -> Result<Peer, Error> {
        let Launch { command, hash, threads, options: settings, patience, apart } = launch;
        let mut process = Command::new(&command.0[0]);
        process.args(&command.0[1..]);
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(not(unix))]
        let _ = apart;
        #[cfg(unix)]
        if *apart {
            std::os::unix::process::CommandExt::process_group(&mut process, 0);
        }
        let mut child = process.spawn().with_context(|| format!("'{command}' cannot be started"))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| anyhow!("'{command}' has no standard input and output"))?;
        let lines = listen(stdout);
        let name = command.to_string();
        let command = command.clone();
        let (options, patience, slowest) = (Vec::new(), *patience, Duration::ZERO);
        let mut peer = Peer { command, name, options, patience, slowest, child, stdin, lines };

        let (mut name, mut options) = (None, Vec::new());
        peer.send("uci");
        peer.wait("uciok", Duration::ZERO, &mut |line| {
            name = name.take().or(line.strip_prefix("id name ").map(|name| name.trim().to_string()));
            options.extend(line.strip_prefix("option name ").map(str::to_string));
        })?;
        (peer.name, peer.options) = (name.unwrap_or(peer.name.clone()), options);
        let is_set = |name: &str| settings.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
        if let Some(most) = peer.option("Hash").and_then(greatest).filter(|_| !is_set("Hash")) {
            ensure!(
                i64::from(*hash) <= most,
                "'{}' allows a table of at most {most} MiB: lower --hash",
                peer.command
            );
        }
        if *threads > 1 && !is_set("Threads") {
            let Some(declared) = peer.option("Threads") else {
                bail!("'{}' has no option Threads: leave out --threads", peer.command);
            };
            let most = greatest(declared).unwrap_or(i64::MAX);
            ensure!(
                i64::from(*threads) <= most,
                "'{}' allows at most {most} threads: lower --threads",
                peer.command
            );
        }
        for (name, value) in [("Hash", hash.to_string()), ("Threads", threads.to_string())] {
            if !is_set(name) {
                peer.set_if_there(name, &value);
            }
        }
        for (name, value) in settings {
            if let Some(allowed) = peer.option(name).and_then(|declared| refuses(declared, value)) {
                bail!("'{}' takes {allowed} as its option '{name}', not '{value}'", peer.command);
            }
            ensure!(peer.set_if_there(name, value), "'{}' has no option '{name}'", peer.command);
        }
        peer.be_ready()?;
        Ok(peer)
    }

    /// Returns the name that the engine gives itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the engine can be asked about a position. A Chess960 position needs an engine that
    /// supports Chess960.
    pub fn knows(&self, position: &Position) -> bool {
        position.castling_mode() != CastlingMode::Chess960 || self.option("UCI_Chess960").is_some()
    }

    /// Asks for a mate in the given number of moves by `winner`. The claim is the last exact mate score
    /// for that side of at most this number of moves. The claim is not verified here.
    ///
    /// # Errors
    /// If the engine dies or does not answer in time. It cannot be asked anything afterwards.
    pub fn mate(
        &mut self,
        position: &Position,
        winner: Winner,
        moves: usize,
        limits: &LimitArgs,
    ) -> Result<Claim, Error> {
        let go = format!("go mate {moves}{}", self::limits(limits));
        let chess960 = position.castling_mode() == CastlingMode::Chess960;
        self.set_if_there("UCI_Chess960", if chess960 { "true" } else { "false" });
        self.send("ucinewgame");
        self.send(&format!("position fen {position}"));
        self.be_ready()?;

        let start = Instant::now();
        let mut mate_in = None;
        self.send(&go);
        self.wait("bestmove", longest(limits), &mut |line| {
            let mate = Info::parse(line).and_then(|info| info.exact_mate()).and_then(|mate| match winner {
                Winner::Mover => usize::try_from(mate).ok(),
                Winner::Other => usize::try_from(-i64::from(mate)).ok(),
            });
            mate_in = mate.filter(|mate| (1..=moves).contains(mate)).or(mate_in);
        })
        .with_context(|| format!("{position}, {go}"))?;
        Ok(Claim { mate_in, elapsed: start.elapsed() })
    }

    /// Asks a question as if it were the first of a new game. Returns the [lines](Lines::best_first), and the
    /// number of nodes that the engine says it has searched.
    ///
    /// # Errors
    /// If the engine has no `MultiPV` where several lines are asked for, dies, or does not answer in time. It
    /// cannot be asked anything afterwards.
    pub fn ask(&mut self, question: &Question) -> Result<(Vec<Info>, u64), Error> {
        self.answer(question, true)
    }

    /// Asks a question, as [`Peer::ask`] does, of an engine that may use what it has found before.
    ///
    /// # Errors
    /// As those of [`Peer::ask`].
    pub fn ask_on(&mut self, question: &Question) -> Result<(Vec<Info>, u64), Error> {
        self.answer(question, false)
    }

    fn answer(&mut self, question: &Question, fresh: bool) -> Result<(Vec<Info>, u64), Error> {
        self.set_if_there("UCI_Chess960", if question.chess960 { "true" } else { "false" });
        self.set_if_there("UCI_ShowWDL", "true");
        let several = self.set_if_there("MultiPV", &question.lines.to_string());
        ensure!(several || question.lines == 1, "'{}' cannot list several moves: no MultiPV", self.command);
        if fresh {
            self.send("ucinewgame");
        }
        self.send(&question.position());
        self.be_in_step()?;
        let go = question.go();
        let (mut told, mut nodes) = (Lines::default(), 0);
        let (limit, start) = (self.longest(&question.limits()), Instant::now());
        self.send(&go);
        let each = &mut |line: &str| {
            let Some(info) = Info::parse(line).filter(|info| info.multipv <= question.lines) else { return };
            nodes = nodes.max(info.nodes);
            told.add(info);
        };
        let best = self.wait("bestmove", limit, each);
        let best = best.with_context(|| format!("{}, {go}", question.position()))?;
        let best = best.split_whitespace().nth(1).unwrap_or_default();
        if nodes >= Self::ENOUGH {
            self.slowest = self.slowest.max(start.elapsed().div_f64(nodes as f64));
        }
        self.be_in_step().with_context(|| format!("{}, {go}", question.position()))?;
        Ok((told.best_first(best), nodes))
    }

    /// So many nodes tell how fast an engine is.
    const ENOUGH: u64 = 1_000;

    /// Returns how long a search may take within its limits: for each node a millisecond, or twenty times as
    /// long as the slowest answer so far has taken, if that is less.
    fn longest(&self, limits: &LimitArgs) -> Duration {
        let known = limits.nodes.filter(|_| !self.slowest.is_zero());
        let by_nodes = known.and_then(|nodes| {
            Duration::try_from_secs_f64(self.slowest.as_secs_f64() * 20.0 * nodes as f64).ok()
        });
        by_nodes.into_iter().chain([longest(limits)]).min().unwrap_or(Duration::MAX)
    }

    /// Begins a game, in the notation of Chess960 or not.
    ///
    /// # Errors
    /// If the engine dies or does not answer in time.
    pub fn new_game(&mut self, chess960: bool) -> Result<(), Silence> {
        self.set_if_there("UCI_Chess960", if chess960 { "true" } else { "false" });
        self.send("ucinewgame");
        self.be_ready()
    }

    /// Asks for a move of a game. An engine that exceeds its time is told to stop. The answer is awaited for
    /// as long as the patience lasts, unless `given_up` says that nobody waits for it.
    ///
    /// # Errors
    /// If the engine dies or does not answer in time, or the game is given up.
    pub fn play(&mut self, turn: &Turn, given_up: &dyn Fn() -> bool) -> Result<Reply, Silence> {
        self.send(&position(&turn.start, &turn.moves));
        // Its clock does not run yet.
        self.be_ready().map_err(|silence| match silence {
            Silence::Late(why) => Silence::Ended(why),
            other => other,
        })?;
        let (go, most, patience) = (turn.thinking.go(), turn.thinking.most(), self.patience);
        let mut info = None;
        let mut each = |line: &str| {
            info = Info::parse(line).filter(|info| info.multipv == 1).or(info.take());
        };
        let start = Instant::now();
        self.send(&go);
        let answer = match self.hear("bestmove", most, given_up, &mut each) {
            Err(Silence::Late(_)) => {
                // A slow engine is not kept from searching its nodes.
                if turn.thinking.time().is_some() {
                    self.send("stop");
                }
                self.hear("bestmove", patience, given_up, &mut each)
            }
            answer => answer,
        };
        let (at, line) = answer.map_err(|silence| match silence {
            Silence::Late(_) => self.late("bestmove", most.saturating_add(patience)),
            silence => silence,
        })?;
        let mv = line.split_whitespace().nth(1).unwrap_or_default().to_string();
        Ok(Reply { mv, info, elapsed: at.saturating_duration_since(start) })
    }

    /// Returns the declaration of an option, without its name. Names are compared without regard to
    /// case.
    fn option(&self, name: &str) -> Option<&str> {
        let declared = self.options.iter().filter_map(|option| option.split_once(" type "));
        declared.into_iter().find(|(other, _)| other.trim().eq_ignore_ascii_case(name)).map(|(_, rest)| rest)
    }

    fn set_if_there(&mut self, name: &str, value: &str) -> bool {
        let there = self.option(name).is_some();
        if there {
            self.send(&format!("setoption name {name} value {value}"));
        }
        there
    }

    /// Waits until the engine is ready for a question, or has answered one. A further answer that comes
    /// meanwhile belongs to an earlier question, and so may the last one.
    fn be_in_step(&mut self) -> Result<(), Error> {
        let mut strays = 0;
        self.send("isready");
        self.wait("readyok", Duration::ZERO, &mut |line| {
            strays += usize::from(line.split_whitespace().next() == Some("bestmove"));
        })?;
        ensure!(strays == 0, "'{}' answered twice, or answered an earlier question", self.command);
        Ok(())
    }

    fn be_ready(&mut self) -> Result<(), Silence> {
        self.send("isready");
        self.wait("readyok", Duration::ZERO, &mut |_| ()).map(|_| ())
    }

    /// Sends a line. A failure to write is not reported here: it shows when the answer is awaited.
    fn send(&mut self, line: &str) {
        let _ = self.stdin.write_all(format!("{line}\n").as_bytes());
    }

    /// Waits for a line that begins with `word`, for at most `limit` plus the grace period, and returns it.
    /// Passes the lines before it to `each`.
    fn wait(&mut self, word: &str, limit: Duration, each: &mut dyn FnMut(&str)) -> Result<String, Silence> {
        self.hear(word, limit.saturating_add(self.patience), &|| false, each).map(|(_, line)| line)
    }

    /// Waits for a line that begins with `word`, for at most `limit`, and returns it. Passes the lines before
    /// it to `each`.
    fn hear(
        &mut self,
        word: &str,
        limit: Duration,
        given_up: &dyn Fn() -> bool,
        each: &mut dyn FnMut(&str),
    ) -> Result<Heard, Silence> {
        /// The time between two looks whether the answer is still of interest.
        const LOOK: Duration = Duration::from_millis(50);
        let start = Instant::now();
        loop {
            if given_up() {
                return Err(Silence::GivenUp);
            }
            let left = limit.saturating_sub(start.elapsed());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(heard) if heard.1.split_whitespace().next() == Some(word) => return Ok(heard),
                // An engine that never stops writing runs into the same limit.
                Ok(_) | Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(self.late(word, limit));
                }
                Ok((_, line)) => each(&line),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => {
                    let how = self.how_it_ended();
                    let why = format!("'{}' ended{how} before it answered '{word}'", self.command);
                    return Err(Silence::Ended(why));
                }
            }
        }
    }

    fn late(&self, word: &str, limit: Duration) -> Silence {
        let seconds = limit.as_millis() as f64 / 1000.0;
        Silence::Late(format!("'{}' did not answer '{word}' within {seconds} s and was ended", self.command))
    }

    /// Returns the exit status in the form ` (exit status: 1)`, or an empty text if it is not known. The
    /// process may outlive its output for a short time or for ever.
    fn how_it_ended(&mut self) -> String {
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return format!(" ({status})");
            }
            thread::sleep(Duration::from_millis(5));
        }
        String::new()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill(); // the process may already have ended
        let _ = self.child.wait();
    }
}

/// Returns the command for a position: `startpos` or `fen …`, and the moves from there.
fn position(start: &str, moves: &[String]) -> String {
    let moves = if moves.is_empty() { String::new() } else { " moves ".to_string() + &moves.join(" ") };
    format!("position {start}{moves}")
}

/// Returns the limits as words after `go`.
fn limits(limits: &LimitArgs) -> String {
    let word =
        |name: &str, value: Option<u128>| value.map_or_else(String::new, |value| format!(" {name} {value}"));
    word("movetime", limits.time.map(|time| time.as_millis().max(1)))
        + &word("nodes", limits.nodes.map(u128::from))
        + &word("depth", limits.depth.map(|depth| depth as u128))
}

/// Returns how long a search may take within its limits. A node is assumed to take at most a
/// millisecond.
fn longest(limits: &LimitArgs) -> Duration {
    let nodes = limits.nodes.map(Duration::from_millis);
    limits.time.into_iter().chain(nodes).min().unwrap_or(Duration::MAX)
}

/// Limits on unread output: the number of lines, and the bytes of one line. An engine that writes more
/// is blocked until they are read.
const WAITING: usize = 1024;
const LONGEST_LINE: u64 = 1 << 16;

/// Returns the lines that a process writes, until its output ends.
fn listen(stdout: ChildStdout) -> Receiver<Heard> {
    let (sender, lines) = sync_channel(WAITING);
    thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        let mut bytes = Vec::new();
        while let Ok(1..) = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            if sender.send((Instant::now(), String::from_utf8_lossy(&bytes).into_owned())).is_err() {
                break;
            }
            bytes.clear();
        }
    });
    lines
}

/// Returns the greatest value that the declaration of an option allows.
fn greatest(declaration: &str) -> Option<i64> {
    bound(declaration, "max")
}

fn bound(declaration: &str, which: &str) -> Option<i64> {
    let mut words = declaration.split_whitespace();
    words.find(|word| *word == which)?;
    words.next()?.parse().ok()
}

/// Returns what the declaration of an option allows, if the value is none of it. Many engines take no notice
/// of such a value, and what they do then is not what was asked for.
fn refuses(declaration: &str, value: &str) -> Option<String> {
    match declaration.split_whitespace().next()? {
        "spin" => {
            let least = bound(declaration, "min").unwrap_or(i64::MIN);
            let most = greatest(declaration).unwrap_or(i64::MAX);
            let is_allowed = value.parse().is_ok_and(|value: i64| (least..=most).contains(&value));
            (!is_allowed).then(|| format!("a whole number from {least} to {most}"))
        }
        "check" => (!["true", "false"].contains(&value)).then(|| "true or false".into()),
        "combo" => {
            let values: Vec<&str> = declaration.split(" var ").skip(1).map(str::trim).collect();
            let is_allowed = values.iter().any(|allowed| allowed.eq_ignore_ascii_case(value));
            (!is_allowed && !values.is_empty()).then(|| format!("one of {}", values.join(", ")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC{0,80}") {
            let _ = greatest(&line);
            let _ = refuses(&line, &line);
            let _ = line.parse::<CommandLine>();
        }

        #[test]
        fn words_are_kept_together_by_quotes(words in prop::collection::vec("[^']{0,8}", 1..5)) {
            let text: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
            prop_assert_eq!(text.join("  ").parse(), Ok(CommandLine(words)));
        }
    }

    #[test]
    fn commands_are_words() {
        let words = |text: &str| text.parse::<CommandLine>().map(|command| command.0);
        assert_eq!(words(" stockfish "), Ok(vec!["stockfish".into()]));
        assert_eq!(words(r#""C:\My Engines"\x.exe --a ''"#).unwrap(), [r"C:\My Engines\x.exe", "--a", ""]);
        assert!(words("  ").is_err() && words("'stockfish").is_err());
    }

    #[test]
    fn declarations_have_a_greatest_value() {
        assert_eq!(greatest("spin default 16 min 1 max 33554432"), Some(33_554_432));
        assert_eq!(greatest("spin default 16 max"), None);
        assert_eq!(greatest("string default <empty>"), None);
    }

    #[test]
    fn values_that_an_engine_would_ignore_are_refused() {
        let spin = "spin default 16 min 1 max 1024";
        assert_eq!(refuses(spin, "1024"), None);
        assert_eq!(refuses(spin, "0"), Some("a whole number from 1 to 1024".into()));
        assert!(refuses(spin, "much").is_some());
        assert_eq!(refuses("check default true", "false"), None);
        assert_eq!(refuses("check default true", "flase"), Some("true or false".into()));
        let combo = "combo default Off var Off var White and Black\n";
        assert_eq!(refuses(combo, "white and black"), None);
        assert_eq!(refuses(combo, "Black"), Some("one of Off, White and Black".into()));
        assert_eq!(refuses("string default <empty>", "anything"), None);
    }

    #[test]
    fn limits_are_waited_for() {
        let (time, nodes) = (Some(Duration::from_secs(2)), Some(500));
        let limits = |time, nodes| longest(&LimitArgs { nodes, time, depth: None });
        assert_eq!(limits(time, None), Duration::from_secs(2));
        assert_eq!(limits(time, nodes), Duration::from_millis(500));
        assert_eq!(limits(None, Some(u64::MAX)), Duration::from_millis(u64::MAX));
    }
}
