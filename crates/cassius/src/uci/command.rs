//! Parses one line of the protocol.

use std::time::Duration;

/// A command of the user interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `debug on` or `off`
    Debug(bool),
    /// `setoption name … value …`
    SetOption {
        /// The name, as written.
        name: String,
        /// The value, empty if none is given.
        value: String,
    },
    /// `position`
    Position {
        /// A FEN; `None` for the starting position.
        fen: Option<String>,
        /// The moves played from that position.
        moves: Vec<String>,
    },
    /// `go`
    Go(Go),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// `register`: recognised, without effect.
    Register,
    /// `d`: shows the position. Not part of the protocol, but many engines have it.
    Show,
    /// `eval`: shows the static value of the position. Not part of the protocol either.
    Evaluate,
}

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// `searchmoves`: the root moves to search; empty for all.
    pub moves: Vec<String>,
    /// `ponder`: search on the opponent's time.
    pub ponder: bool,
    /// `infinite`: search until `stop`.
    pub infinite: bool,
    /// `wtime` and `btime`: the time on the clocks of White and Black.
    pub time: [Option<Duration>; 2],
    /// `winc` and `binc`: the increments of White and Black for each move.
    pub increment: [Duration; 2],
    /// `movestogo`: the number of moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// `depth`: the number of iterations.
    pub depth: Option<usize>,
    /// `nodes`: the node limit.
    pub nodes: Option<u64>,
    /// `mate`: search for a mate in this number of moves.
    pub mate: Option<u32>,
    /// `movetime`: the exact time for this move.
    pub move_time: Option<Duration>,
}

/// The result of parsing a line: the command, and a message for each part that was ignored.
pub type Reading = (Option<Command>, Vec<String>);

/// Parses a line. A part that cannot be understood is ignored, with a message that names it.
///
/// Unknown words before a command are skipped, as the protocol requires.
///
/// ```
/// use cassius::uci::command::{Command, read};
/// assert_eq!(read("debug on"), (Some(Command::Debug(true)), vec![]));
/// let (command, complaints) = read("please isready");
/// assert_eq!(command, Some(Command::IsReady));
/// assert_eq!(complaints, ["unknown command 'please'"]);
/// ```
pub fn read(line: &str) -> Reading {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut complaints = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let rest = &words[index + 1..];
        let command = match *word {
            "uci" => Some(Command::Uci),
            "isready" => Some(Command::IsReady),
            "ucinewgame" => Some(Command::NewGame),
            "stop" => Some(Command::Stop),
            "ponderhit" => Some(Command::PonderHit),
            "quit" => Some(Command::Quit),
            "register" => Some(Command::Register),
            "d" => Some(Command::Show),
            "eval" => Some(Command::Evaluate),
            "debug" => match rest.first() {
                Some(&"on") => Some(Command::Debug(true)),
                Some(&"off") => Some(Command::Debug(false)),
                _ => {
                    complaints.push("debug: 'on' or 'off' expected".into());
                    return (None, complaints);
                }
            },
            "setoption" => set_option(rest, &mut complaints),
            "position" => position(rest, &mut complaints),
            "go" => Some(Command::Go(go(rest, &mut complaints))),
            unknown => {
                if index == 0 {
                    complaints.push(format!("unknown command '{}'", excerpt(unknown)));
                }
                continue;
            }
        };
        return (command, complaints);
    }
    (None, complaints)
}

/// Shortens a long word for a message, and removes characters that could break the line.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

fn set_option(words: &[&str], complaints: &mut Vec<String>) -> Option<Command> {
    let Some(("name", words)) = words.split_first().map(|(first, rest)| (*first, rest)) else {
        complaints.push("setoption: 'name' expected".into());
        return None;
    };
    let value = words.iter().position(|word| *word == "value").unwrap_or(words.len());
    let name = words[..value].join(" ");
    if name.is_empty() {
        complaints.push("setoption: name of an option expected".into());
        return None;
    }
    let value = words.get(value + 1..).unwrap_or_default().join(" ");
    Some(Command::SetOption { name, value })
}

fn position(words: &[&str], complaints: &mut Vec<String>) -> Option<Command> {
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let moves = words.get(end + 1..).unwrap_or_default().iter().map(ToString::to_string).collect();
    match words[..end].split_first() {
        Some((&"startpos", [])) => Some(Command::Position { fen: None, moves }),
        Some((&"startpos", [extra, ..])) => {
            complaints.push(format!("position startpos: 'moves' expected, not '{}'", excerpt(extra)));
            None
        }
        Some((&"fen", fen)) => Some(Command::Position { fen: Some(fen.join(" ")), moves }),
        _ => {
            complaints.push("position: 'startpos' or 'fen' expected".into());
            None
        }
    }
}

/// Keywords that begin an argument of a `go` command.
const GO_WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

fn go(words: &[&str], complaints: &mut Vec<String>) -> Go {
    let mut go = Go::default();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    go.moves.push(mv.to_string());
                }
            }
            name if GO_WORDS.contains(&name) => {
                let text = words.next_if(|word| !GO_WORDS.contains(word));
                // A clock may have run out: a negative time counts as no time left.
                let Some(value) = text.and_then(number) else {
                    let found = text.map_or("nothing".into(), |text| format!("'{}'", excerpt(text)));
                    complaints.push(format!("go {name}: number expected, {found} found"));
                    continue;
                };
                if value < 1 && ["depth", "nodes", "mate"].contains(&name) {
                    complaints.push(format!("go {name}: {value} is treated as 1"));
                }
                let amount = value.max(0) as u64;
                let time = Duration::from_millis(amount);
                let small = amount.min(u64::from(u32::MAX)) as u32;
                match name {
                    "wtime" => go.time[0] = Some(time),
                    "btime" => go.time[1] = Some(time),
                    "winc" => go.increment[0] = time,
                    "binc" => go.increment[1] = time,
                    "movestogo" => go.moves_to_go = Some(small).filter(|moves| *moves > 0),
                    "depth" => go.depth = Some(small.max(1) as usize),
                    "nodes" => go.nodes = Some(amount.max(1)),
                    "mate" => go.mate = Some(small.max(1)),
                    _ => go.move_time = Some(time),
                }
            }
            unknown => complaints.push(format!("go: unknown '{}'", excerpt(unknown))),
        }
    }
    go
}

/// Parses a number. A number beyond the range of 64 bits becomes the end of that range.
pub(super) fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go_of(line: &str) -> Go {
        match read(line) {
            (Some(Command::Go(go)), _) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn go_takes_its_words_in_any_order_and_alone() {
        let go = go_of("go binc 20 wtime 1000 searchmoves e2e4 d2d4 depth 7 btime -3 winc 10 ponder");
        assert_eq!(go.moves, ["e2e4", "d2d4"]);
        assert_eq!(go.time, [Some(Duration::from_secs(1)), Some(Duration::ZERO)]);
        assert_eq!(go.increment, [Duration::from_millis(10), Duration::from_millis(20)]);
        assert_eq!((go.depth, go.ponder, go.infinite), (Some(7), true, false));
        assert_eq!(go_of("go"), Go::default());
        assert_eq!(go_of("go nodes 99999999999999999999999").nodes, Some(i64::MAX as u64));
    }

    #[test]
    fn what_is_wrong_is_named_and_the_rest_is_read() {
        let (command, complaints) = read("go depth movetime 50 fast wtime x");
        assert_eq!(
            command,
            Some(Command::Go(Go { move_time: Some(Duration::from_millis(50)), ..Go::default() }))
        );
        assert_eq!(
            complaints,
            [
                "go depth: number expected, nothing found",
                "go: unknown 'fast'",
                "go wtime: number expected, 'x' found"
            ]
        );
    }

    #[test]
    fn options_may_have_spaces_in_names_and_values() {
        let (command, _) = read("setoption name Move Overhead value 30");
        assert_eq!(command, Some(Command::SetOption { name: "Move Overhead".into(), value: "30".into() }));
        let (command, _) = read("setoption name SyzygyPath value /a b/c");
        assert_eq!(command, Some(Command::SetOption { name: "SyzygyPath".into(), value: "/a b/c".into() }));
        let (command, _) = read("setoption name Clear Hash");
        assert_eq!(command, Some(Command::SetOption { name: "Clear Hash".into(), value: String::new() }));
    }
}
