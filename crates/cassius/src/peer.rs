//! Another UCI engine, run as a process that is asked for mates or for values.
//!
//! The engine may be slow, silent or dead. The program waits for each answer until its limit is reached,
//! plus a grace period. The engine's standard error is not shown. Its process is killed when the
//! [`Peer`] is dropped. Processes that it has started itself (if it is a script, for example) are not
//! killed and have to end by themselves.

pub mod info;
pub mod judge;

use crate::Error;
use crate::setup::LimitArgs;
use anyhow::{Context as _, anyhow, bail, ensure};
use cassius_chess::{Position, mate::Winner};
use info::Info;
use shakmaty::CastlingMode;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
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

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

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
        let moves =
            if self.moves.is_empty() { String::new() } else { " moves ".to_string() + &self.moves.join(" ") };
        format!("position fen {}{moves}", self.start)
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

/// A running engine.
pub struct Peer {
    command: CommandLine,
    name: String,
    /// The declarations of its options: name, `type` and so on.
    options: Vec<String>,
    patience: Duration,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Peer {
    /// Starts an engine with one thread, a table of the given size in MiB if it has one, and further
    /// options.
    ///
    /// # Errors
    /// If the engine cannot be started, does not speak UCI, or does not have an option that is to be
    /// set.
    pub fn start(
        command: &CommandLine,
        hash: u32,
        settings: &[(String, String)],
        patience: Duration,
    ) -> Result<Peer, Error> {
        let mut process = Command::new(&command.0[0]);
        process.args(&command.0[1..]);
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = process.spawn().with_context(|| format!("'{command}' cannot be started"))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| anyhow!("'{command}' has no standard input and output"))?;
        let lines = listen(stdout);
        let name = command.to_string();
        let command = command.clone();
        let mut peer = Peer { command, name, options: Vec::new(), patience, child, stdin, lines };

        let (mut name, mut options) = (None, Vec::new());
        peer.send("uci");
        peer.wait("uciok", Duration::ZERO, &mut |line| {
            name = name.take().or(line.strip_prefix("id name ").map(|name| name.trim().to_string()));
            options.extend(line.strip_prefix("option name ").map(str::to_string));
        })?;
        (peer.name, peer.options) = (name.unwrap_or(peer.name.clone()), options);
        if let Some(most) = peer.option("Hash").and_then(greatest) {
            ensure!(
                i64::from(hash) <= most,
                "'{}' allows a table of at most {most} MiB: lower --hash",
                peer.command
            );
        }
        for (name, value) in [("Hash", hash.to_string()), ("Threads", "1".into())] {
            peer.set_if_there(name, &value);
        }
        for (name, value) in settings {
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

    /// Asks a question as if it were the first of a new game. Returns the last line that the engine told of
    /// each rank, best first, and the number of nodes that it says it has searched.
    ///
    /// # Errors
    /// If the engine has no `MultiPV` where several lines are asked for, dies, or does not answer in time. It
    /// cannot be asked anything afterwards.
    pub fn ask(&mut self, question: &Question) -> Result<(Vec<Info>, u64), Error> {
        self.set_if_there("UCI_Chess960", if question.chess960 { "true" } else { "false" });
        self.set_if_there("UCI_ShowWDL", "true");
        let several = self.set_if_there("MultiPV", &question.lines.to_string());
        ensure!(several || question.lines == 1, "'{}' cannot list several moves: no MultiPV", self.command);
        self.send("ucinewgame");
        self.send(&question.position());
        self.be_ready()?;
        let go = question.go();
        let (mut lines, mut nodes) = (BTreeMap::new(), 0);
        self.send(&go);
        self.wait("bestmove", longest(&question.limits()), &mut |line| {
            let Some(info) = Info::parse(line).filter(|info| info.multipv <= question.lines) else { return };
            nodes = nodes.max(info.nodes);
            // A bound, or a line without moves, does not replace a whole answer.
            let whole = |info: &Info| info.bound == cassius_search::Bound::Exact && !info.pv.is_empty();
            if whole(&info) || lines.get(&info.multipv).is_none_or(|known| !whole(known)) {
                lines.insert(info.multipv, info);
            }
        })
        .with_context(|| format!("{}, {go}", question.position()))?;
        Ok((lines.into_values().collect(), nodes))
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

    fn be_ready(&mut self) -> Result<(), Error> {
        self.send("isready");
        self.wait("readyok", Duration::ZERO, &mut |_| ())
    }

    /// Sends a line. A failure to write is not reported here: it shows when the answer is awaited.
    fn send(&mut self, line: &str) {
        let _ = self.stdin.write_all(format!("{line}\n").as_bytes());
    }

    /// Waits for a line that begins with `word`, for at most `limit` plus the grace period. Passes the
    /// lines before it to `each`.
    fn wait(&mut self, word: &str, limit: Duration, each: &mut dyn FnMut(&str)) -> Result<(), Error> {
        let (start, limit) = (Instant::now(), limit.saturating_add(self.patience));
        loop {
            let left = limit.saturating_sub(start.elapsed());
            match self.lines.recv_timeout(left) {
                Ok(line) if line.split_whitespace().next() == Some(word) => return Ok(()),
                // An engine that never stops writing runs into the same limit.
                Ok(_) | Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let seconds = limit.as_secs_f64();
                    bail!("'{}' did not answer '{word}' within {seconds} s and was ended", self.command)
                }
                Ok(line) => each(&line),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => {
                    let how = self.how_it_ended();
                    bail!("'{}' ended{how} before it answered '{word}'", self.command)
                }
            }
        }
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

/// Returns the limits as words after `go`.
fn limits(limits: &LimitArgs) -> String {
    let time = limits.time.map_or_else(String::new, |time| format!(" movetime {}", time.as_millis().max(1)));
    time + &limits.nodes.map_or_else(String::new, |nodes| format!(" nodes {nodes}"))
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
fn listen(stdout: ChildStdout) -> Receiver<String> {
    let (sender, lines) = sync_channel(WAITING);
    thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        let mut bytes = Vec::new();
        while let Ok(1..) = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() {
                break;
            }
            bytes.clear();
        }
    });
    lines
}

/// Returns the greatest value that the declaration of an option allows.
fn greatest(declaration: &str) -> Option<i64> {
    let mut words = declaration.split_whitespace();
    words.find(|word| *word == "max")?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_line_panics(line in "\\PC{0,80}") {
            let _ = greatest(&line);
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
    fn limits_are_waited_for() {
        let (time, nodes) = (Some(Duration::from_secs(2)), Some(500));
        let limits = |time, nodes| longest(&LimitArgs { nodes, time, depth: None });
        assert_eq!(limits(time, None), Duration::from_secs(2));
        assert_eq!(limits(time, nodes), Duration::from_millis(500));
        assert_eq!(limits(None, Some(u64::MAX)), Duration::from_millis(u64::MAX));
    }
}
