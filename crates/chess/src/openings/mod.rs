//! Openings: a built-in collection of balanced lines and files in EPD or PGN, from which games start; and the
//! names of openings.

mod names;

pub use names::{Name, last_name, name};

use crate::notation::{EpdLineError, EpdLines};
use crate::pgn::{Games, PgnError};
use crate::position::Position;
use cassius_search::Game as _;
use cassius_search::Keyed as _;
use cassius_search::game::Repeats as _;
use std::collections::HashSet;
use std::io::{self, BufRead};
use thiserror::Error;

/// The built-in lines: code, name and moves, separated by tabs.
const BUILTIN: &str = include_str!("../../data/openings.txt");

/// The opening of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its name, which may be empty.
    pub name: String,
    /// The position from which its moves are played.
    pub start: Position,
    /// Its moves. Empty if the opening is only a position.
    pub moves: Vec<crate::Move>,
}

impl Opening {
    /// Returns the position after its moves.
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        for mv in &self.moves {
            position.play(*mv);
        }
        position
    }
}

/// Returns the built-in openings: main lines of six to ten plies, at most two for each code of the
/// Encyclopaedia of Chess Openings, all about even.
///
/// ```
/// let openings = cassius_chess::openings::builtin();
/// assert!(openings.len() >= 200);
/// assert!(openings.iter().all(|opening| (6..=10).contains(&opening.moves.len())));
/// ```
pub fn builtin() -> Vec<Opening> {
    // A line that cannot be parsed is skipped; the tests ensure that there is none.
    builtin_lines().filter_map(Result::ok).collect()
}

fn builtin_lines() -> impl Iterator<Item = Result<Opening, String>> {
    let lines = BUILTIN.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let mut fields = line.split('\t');
        let (Some(code), Some(name), Some(moves)) = (fields.next(), fields.next(), fields.next()) else {
            return Err(format!("{line}: three fields expected"));
        };
        let start = Position::default();
        let moves = start.parse_line(moves).map_err(|error| format!("{line}: {error}"))?;
        Ok(Opening { name: format!("{code} {name}"), start, moves })
    })
}

/// The reason why a file of openings cannot be used.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// A line of an EPD file is invalid.
    #[error("openings: {0}")]
    Epd(#[from] EpdLineError),
    /// A game of a PGN file is invalid.
    #[error("openings: {0}")]
    Pgn(#[from] PgnError),
    /// The file cannot be read.
    #[error("openings: cannot read the file: {0}")]
    Read(#[from] io::Error),
    /// In this opening the game is already over.
    #[error("openings: number {number}: the game is already over in '{fen}'")]
    Over {
        /// The number of the opening, counted from 1.
        number: usize,
        /// Its position.
        fen: String,
    },
    /// The file contains no opening.
    #[error("openings: none found")]
    Empty,
}

/// Reads openings from an EPD or PGN file, and detects the format from the text. Of a game only the
/// first `plies` plies are taken, or all if `plies` is `None`.
///
/// ```
/// use cassius_chess::openings::read;
///
/// let epd = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"king's pawn\";\n";
/// assert_eq!(read(epd.as_bytes(), None).unwrap()[0].name, "king's pawn");
///
/// let pgn = "[Opening \"Ruy Lopez\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n";
/// assert_eq!(read(pgn.as_bytes(), Some(5)).unwrap()[0].moves.len(), 5);
///
/// let error = read("8/8/8/8/8/8/8/8 w - -\n".as_bytes(), None).unwrap_err();
/// assert_eq!(error.to_string(), "openings: line 1: illegal position: white has no king");
/// ```
pub fn read(mut reader: impl BufRead, plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let mut text = Vec::new();
    reader.read_to_end(&mut text)?;
    let openings = if looks_like_pgn(&text) { read_pgn(&text, plies)? } else { read_epd(&text)? };
    if openings.is_empty() {
        return Err(OpeningsError::Empty);
    }
    for (number, opening) in (1..).zip(&openings) {
        let position = opening.position();
        if position.legal_moves().is_empty() || position.drawn_by_rule() {
            return Err(OpeningsError::Over { number, fen: position.to_string() });
        }
    }
    Ok(openings)
}

/// Leaves out openings that end in the position of an earlier one, and returns how many. Games from them
/// would be the same games, or be alike.
///
/// ```
/// use cassius_chess::openings::{leave_out_repeats, read};
///
/// let games = "1. e4 e5 2. Nf3 *\n\n1. e4 e5 2. Bc4 *\n\n1. d4 d5 *\n";
/// let mut openings = read(games.as_bytes(), Some(2)).unwrap();
/// assert_eq!((leave_out_repeats(&mut openings), openings.len()), (1, 2));
/// ```
pub fn leave_out_repeats(openings: &mut Vec<Opening>) -> usize {
    let before = openings.len();
    let mut seen = HashSet::new();
    openings.retain(|opening| seen.insert(opening.position().key()));
    before - openings.len()
}

/// Whether the text starts like a game: with a tag, a comment, or a move number and its point.
fn looks_like_pgn(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let line = text
        .split(|byte| *byte == b'\n')
        .map(|line| line.trim_ascii())
        .find(|line| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b"%"));
    line.is_some_and(|line| {
        let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
        line.starts_with(b"[") || line.starts_with(b"{") || (digits > 0 && line.get(digits) == Some(&b'.'))
    })
}

fn read_epd(text: &[u8]) -> Result<Vec<Opening>, OpeningsError> {
    EpdLines::new(text)
        .map(|line| {
            let (_, epd) = line?;
            let name = epd.id().unwrap_or_default().to_string();
            Ok(Opening { name, start: epd.position, moves: Vec::new() })
        })
        .collect()
}

fn read_pgn(text: &[u8], plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    Games::new(text)
        .map(|game| {
            let mut game = game?;
            game.moves.truncate(plies.unwrap_or(usize::MAX));
            let name = game.tag("Opening").or_else(|| game.tag("ECO")).unwrap_or_default().to_string();
            Ok(Opening { name, start: game.start, moves: game.moves })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_search::Checks as _;

    #[test]
    fn the_built_in_lines_are_sound() {
        let openings: Vec<Opening> = builtin_lines().collect::<Result<_, _>>().unwrap();
        assert!(openings.len() >= 200, "{}", openings.len());
        let keys: HashSet<String> = openings.iter().map(|opening| opening.position().to_string()).collect();
        assert_eq!(keys.len(), openings.len(), "two lines lead to one position");
        for opening in &openings {
            let position = opening.position();
            assert!((6..=10).contains(&opening.moves.len()), "{}", opening.name);
            assert!(!position.in_check() && !position.legal_moves().is_empty(), "{}", opening.name);
        }
    }

    #[test]
    fn files_are_recognised_and_errors_say_where() {
        let fens = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\n\
                    1nbqkbnr/rppppppp/8/p7/4P3/P7/1PPP1PPP/RNBQKBNR w KQk - 0 1\n";
        assert_eq!(read(fens.as_bytes(), None).unwrap().len(), 2);
        let says = |text: &str| read(text.as_bytes(), None).unwrap_err().to_string();
        assert_eq!(says(""), "openings: none found");
        assert_eq!(says(&format!("{fens}rnbqkbnr w - -")), "openings: line 4: FEN board: 1 ranks, not 8");
        assert_eq!(says("1. e4 e5 2. Ke3 *"), "openings: game 1, line 1: move 2.: 'Ke3' is not legal here");
        assert_eq!(
            says("1. f3 e5 2. g4 Qh4# 0-1"),
            "openings: number 1: the game is already over in \
             'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3'"
        );
    }
}
