//! The sources of positions: the command line, files, standard input.

use crate::Error;
use anyhow::bail;
use cassius_chess::notation::read_line;
use cassius_chess::notation::{EpdLineError, EpdLines, FenError};
use cassius_chess::pgn::{Game, GameResult, Games};
use cassius_chess::{Move, Position};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A position to analyse.
#[derive(Clone, Debug)]
pub struct Item {
    /// The position.
    pub position: Position,
    /// The positions of the game before it.
    pub before: Vec<Position>,
    /// The place in the input: file and line, or game and move.
    pub place: String,
    /// The name: an `id`, or the players of a game.
    pub name: Option<String>,
    /// The move just played, if the position is from a game.
    pub played: Option<Move>,
    /// Whether a game was drawn in this position.
    pub drawn: bool,
    /// Whether the position is unrelated to the previous one.
    pub fresh: bool,
    /// The mate that an EPD states: its number of moves, negative if the side to move is mated.
    pub mate: Option<i32>,
}

/// The positions of a game to analyse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ply {
    /// All positions.
    All,
    /// The final position.
    Last,
    /// The position after this many plies.
    At(usize),
}

impl FromStr for Ply {
    type Err = String;

    fn from_str(text: &str) -> Result<Ply, String> {
        match text {
            "all" => Ok(Ply::All),
            "last" => Ok(Ply::Last),
            number => number.parse().map(Ply::At).map_err(|_| "expected `all`, `last` or a number".into()),
        }
    }
}

impl Ply {
    /// Returns a position that is not part of a game, if it is among the requested ones. It counts as
    /// the last, and has no plies before it.
    fn alone(self, place: &str, item: Item) -> Result<Item, String> {
        match self {
            Ply::At(ply) if ply > 0 => {
                Err(format!("{place}: --ply {ply} needs a game, but this is a single position"))
            }
            _ => Ok(item),
        }
    }
}

/// One input of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A FEN or `startpos`.
    Fen(String),
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// Classifies the arguments. A FEN may be quoted, or given as four to six arguments.
pub fn sources(arguments: &[OsString]) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut arguments = arguments.iter().peekable();
    while let Some(argument) = arguments.next() {
        // An argument that is not text can only be the name of a file.
        let Some(argument) = argument.to_str() else {
            sources.push(Source::File(argument.into()));
            continue;
        };
        let board = argument.split_whitespace().next().unwrap_or_default();
        let is_square = |c: char| "pnbrqkPNBRQK12345678/".contains(c);
        let is_board = !board.starts_with('/')
            && (board.matches('/').count() == 7
                || board.contains('/')
                    && argument.contains(char::is_whitespace)
                    && board.chars().all(is_square));
        if argument == "-" {
            sources.push(Source::Stdin);
        } else if argument == "startpos" || (is_board && !Path::new(argument).exists()) {
            let mut fen = argument.to_string();
            if argument.matches('/').count() == 7
                && let Some(turn) = arguments.next_if(|next| *next == "w" || *next == "b")
            {
                fen = format!("{fen} {}", turn.display());
                for is_field in [is_castling, is_en_passant, is_number, is_number] {
                    let is_field = |next: &&OsString| next.to_str().is_some_and(is_field);
                    let Some(field) = arguments.next_if(is_field) else { break };
                    fen = format!("{fen} {}", field.display());
                }
            }
            sources.push(Source::Fen(fen));
        } else {
            sources.push(Source::File(argument.into()));
        }
    }
    sources
}

fn is_castling(text: &str) -> bool {
    text == "-" || (text.len() <= 4 && text.chars().all(|c| c.is_ascii_alphabetic()))
}

fn is_en_passant(text: &str) -> bool {
    text == "-" || text.len() == 2
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}

/// Returns an error after all inputs were read, if some could not be read or if there were no positions.
/// `-` stands for standard input.
pub fn summary(inputs: &[OsString], positions: usize, broken: usize) -> Result<(), Error> {
    let name = |input: &OsString| match input == "-" {
        true => "standard input".into(),
        false => input.to_string_lossy().into_owned(),
    };
    match broken {
        0 if positions == 0 => {
            bail!("no position in {}", inputs.iter().map(name).collect::<Vec<String>>().join(", "))
        }
        0 => Ok(()),
        1 => bail!("1 input could not be read; the rest was processed"),
        _ => bail!("{broken} inputs could not be read; the rest was processed"),
    }
}

/// Returns the number of positions, if it can be known in advance.
pub fn count(sources: &[Source], ply: Ply) -> Option<u64> {
    let count = |source: &Source| match source {
        Source::Stdin => None,
        // Input from a pipe can be read only once.
        Source::File(path) if !path.is_file() => None,
        source => Some(source.items(ply).filter(Result::is_ok).count() as u64),
    };
    sources.iter().map(count).sum()
}

type Items = Box<dyn Iterator<Item = Result<Item, String>>>;

impl Source {
    /// Returns the positions in order, and an error for each that could not be read.
    pub fn items(&self, ply: Ply) -> Items {
        match self {
            Source::Fen(fen) => {
                let item = |position| Item {
                    position,
                    before: Vec::new(),
                    place: String::new(),
                    name: None,
                    played: None,
                    drawn: false,
                    fresh: true,
                    mate: None,
                };
                let named = |error: FenError| format!("'{fen}': {error}");
                let found = fen
                    .parse()
                    .map_err(named)
                    .and_then(|position| ply.alone(&format!("'{fen}'"), item(position)));
                Box::new(std::iter::once(found))
            }
            Source::File(path) => match File::open(path) {
                Ok(file) => read(path.display().to_string(), BufReader::new(file), ply),
                Err(error) => Box::new(std::iter::once(Err(format!("{}: {error}", path.display())))),
            },
            Source::Stdin => read("standard input".into(), BufReader::new(io::stdin()), ply),
        }
    }
}

fn read(name: String, mut reader: impl BufRead + 'static, ply: Ply) -> Items {
    let mut head = Vec::new();
    let games = looks_like_games(&mut reader, &mut head);
    let reader = io::Cursor::new(head).chain(reader);
    match games {
        Err(error) => Box::new(std::iter::once(Err(format!("{name}: {error}")))),
        Ok(true) => Box::new(Games::new(reader).enumerate().flat_map(move |(index, game)| match game {
            Ok(game) => game_items(&name, index + 1, game, ply, None),
            // The readable part of a broken game is analysed, if there is any.
            Err(error) => {
                let complaint = format!("{name}: {error}");
                if error.partial.moves.is_empty() && error.partial.start == Position::default() {
                    return Box::new(std::iter::once(Err(complaint))) as Items;
                }
                game_items(&name, error.game, *error.partial, ply, Some(complaint))
            }
        })),
        Ok(false) => Box::new(EpdLines::new(reader).map(move |line| match line {
            Ok((line, epd)) => {
                let place = format!("{name}:{line}");
                let item = Item {
                    position: epd.position.clone(),
                    before: Vec::new(),
                    place: place.clone(),
                    name: epd.id().map(str::to_string),
                    played: None,
                    drawn: false,
                    fresh: true,
                    mate: epd.mate,
                };
                ply.alone(&place, item)
            }
            Err(EpdLineError::Line { line, error }) => Err(format!("{name}:{line}: {error}")),
            Err(error) => Err(format!("{name}: {error}")),
        })),
    }
}

/// Whether a text contains games: its first word is not the board of a FEN. What was read of it is added to
/// `head`.
fn looks_like_games(reader: &mut impl BufRead, head: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        let start = head.len();
        if read_line(reader, head)? == 0 {
            return Ok(false);
        }
        let line = String::from_utf8_lossy(&head[start..]);
        match line.trim_start_matches('\u{feff}').split_whitespace().next() {
            None => (),
            Some(word) if word.starts_with('#') => (),
            Some(word) => return Ok(!word.contains('/') && word != "startpos"),
        }
    }
}

fn game_items(file: &str, number: usize, game: Game, ply: Ply, complaint: Option<String>) -> Items {
    let positions: Vec<Position> = game.positions().collect();
    let name = match (game.tag("White"), game.tag("Black")) {
        (None, None) => None,
        (white, black) => Some(format!("{} – {}", white.unwrap_or("?"), black.unwrap_or("?"))),
    };
    let chosen = match ply {
        Ply::All => 0..positions.len(),
        Ply::Last => positions.len() - 1..positions.len(),
        Ply::At(ply) if ply < positions.len() => ply..ply + 1,
        Ply::At(_) => 0..0,
    };
    let missing = match (ply, &complaint) {
        (Ply::At(ply), None) if chosen.is_empty() => {
            Some(format!("{file}: game {number} has no ply {ply}; its last ply is {}", game.moves.len()))
        }
        _ => None,
    };
    let (first, file) = (chosen.start, file.to_string());
    // The items are created one at a time, because the game before each takes memory.
    let items = chosen.map(move |at| {
        Ok(Item {
            position: positions[at].clone(),
            before: positions[..at].to_vec(),
            place: format!("{file}: game {number}, ply {at}"),
            name: name.clone(),
            played: at.checked_sub(1).map(|last| game.moves[last]),
            drawn: at == game.moves.len() && game.result == GameResult::Draw,
            fresh: at == first,
            mate: None,
        })
    });
    Box::new(missing.map(Err).into_iter().chain(items).chain(complaint.map(Err)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(line: &str) -> Vec<Source> {
        sources(&line.split('|').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_are_sorted() {
        let fen = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1";
        assert_eq!(sorted(fen), [Source::Fen(fen.into())]);
        let sources = sorted("8/8/8/8/8/4k3/4p3/4K3|w|-|-|0|1|-|startpos|games.pgn");
        let expected = [
            Source::Fen(fen.into()),
            Source::Stdin,
            Source::Fen("startpos".into()),
            Source::File("games.pgn".into()),
        ];
        assert_eq!(sources, expected);
        for file in ["games/my file.pgn", "/a/b/c/d/e/f/games.pgn"] {
            assert_eq!(sorted(file), [Source::File(file.into())]);
        }
    }

    #[test]
    fn positions_alone_have_no_moves() {
        let start = Source::Fen("startpos".into());
        let file = |ply| read("x.epd".into(), "8/8/8/8/8/4k3/4p3/4K3 w - -\n".as_bytes(), ply);
        for ply in [Ply::All, Ply::Last, Ply::At(0)] {
            assert!(start.items(ply).chain(file(ply)).all(|item| item.is_ok()));
        }
        let complaints: Vec<_> =
            start.items(Ply::At(3)).chain(file(Ply::At(3))).filter_map(Result::err).collect();
        let expected = ["'startpos'", "x.epd:1"]
            .map(|place| format!("{place}: --ply 3 needs a game, but this is a single position"));
        assert_eq!(complaints, expected);
    }

    #[test]
    fn kinds_of_files_are_told_apart() {
        let games = |text: &str| {
            // Not even a line is read at once.
            let mut reader = io::BufReader::with_capacity(5, text.as_bytes());
            let mut head = Vec::new();
            let games = looks_like_games(&mut reader, &mut head).unwrap();
            let mut all = String::new();
            io::Cursor::new(head).chain(reader).read_to_string(&mut all).unwrap();
            assert_eq!(all, text);
            games
        };
        assert!(games("[Event \"x\"]\n\n1. e4 *"));
        assert!(games("\n\n1. e4 e5 *"));
        assert!(!games("# suite\n8/8/8/8/8/4k3/4p3/4K3 w - - id \"x\";\n"));
        assert!(!games(""));
    }
}
