//! Games in Portable Game Notation.
//!
//! The reader streams, with one game in memory at a time. A game that cannot be read to its end yields
//! an error with the game, line and move, and with the part that was read. The reader continues with the
//! next game.
//!
//! A game ends with its result, and with the comments that follow it. A truncated game is reported, wherever
//! it was truncated.
//!
//! The parser is written for this crate, because an existing one that skips what it does not understand
//! could not report which move is invalid.

mod read;
mod write;

pub use read::Games;

use crate::moves::Move;
use crate::notation::{FenError, MoveError};
use crate::position::Position;
use cassius_search::Game as _;
use shakmaty::Color;
use std::fmt;
use std::io;
use std::str::FromStr;
use thiserror::Error;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    #[default]
    Unfinished,
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unfinished => "*",
        })
    }
}

impl GameResult {
    fn read(token: &str) -> Option<GameResult> {
        match token {
            "1-0" => Some(GameResult::WhiteWins),
            "0-1" => Some(GameResult::BlackWins),
            "1/2-1/2" | "½-½" | "1/2" => Some(GameResult::Draw),
            "*" => Some(GameResult::Unfinished),
            _ => None,
        }
    }
}

/// A game: its tags, its main line, and its comments and other annotations.
///
/// ```
/// use cassius_chess::pgn::{Game, GameResult};
///
/// let mut game: Game = "[White \"Cassius\"]\n\n1. f3 e5 2. g4 {Careless.} Qh4# 0-1".parse()?;
/// assert_eq!(game.tag("White"), Some("Cassius"));
/// assert_eq!(game.result, GameResult::BlackWins);
/// assert!(game.last_position().is_checkmate());
/// assert_eq!(game.comments, [(3, "Careless.".to_string())]);
///
/// game.set_tag("Black", "Brutus");
/// assert!(game.to_string().ends_with("1. f3 e5 2. g4 { Careless. } 2... Qh4# 0-1\n"));
/// # Ok::<(), cassius_chess::pgn::PgnError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Tags in order, without `Result`, `FEN` and `SetUp`, which follow from the other fields.
    pub tags: Vec<(String, String)>,
    /// The starting position.
    pub start: Position,
    /// The moves played.
    pub moves: Vec<Move>,
    /// Comments, each with the number of moves played before it, in order. Those behind a variation are
    /// [there](Variation::behind).
    pub comments: Vec<(usize, String)>,
    /// Variations, in order.
    pub variations: Vec<Variation>,
    /// Numeric annotation glyphs, each with the number of moves up to the one it annotates; 0 before the
    /// first move.
    pub glyphs: Vec<(usize, u32)>,
    /// The result: that after the moves, or that of the tag `Result` if the moves have none or `*`.
    pub result: GameResult,
    /// The result of the tag `Result`, if the moves have another.
    pub tagged: Option<GameResult>,
}

/// A variation of a game. Its moves have not been checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The number of moves up to the one it is an alternative to.
    pub up_to: usize,
    /// Its text as it was written, without brackets.
    pub text: String,
    /// The comments that stand behind it, before the next variation or move.
    pub behind: Vec<String>,
}

impl Game {
    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag. An existing tag keeps its place.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some(tag) => tag.1 = value,
            None => self.tags.push((name.into(), value)),
        }
    }

    /// Says in what the result is contradictory: the tag names another than the moves, or the game ended
    /// on the board with another.
    ///
    /// ```
    /// use cassius_chess::pgn::Game;
    ///
    /// let game: Game = "[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 0-1".parse()?;
    /// assert_eq!(game.doubt().unwrap(), "the tag Result says 1-0, the moves end with 0-1");
    /// let game: Game = "1. f3 e5 2. g4 Qh4# 1-0".parse()?;
    /// assert_eq!(game.doubt().unwrap(), "the result is 1-0, but 2... mates: 0-1");
    /// # Ok::<(), cassius_chess::pgn::PgnError>(())
    /// ```
    pub fn doubt(&self) -> Option<String> {
        if let Some(tagged) = self.tagged {
            return Some(format!("the tag Result says {tagged}, the moves end with {}", self.result));
        }
        let last = self.last_position();
        let (result, is) = match () {
            () if last.is_checkmate() => {
                let number = last.fullmoves() - u32::from(last.turn().is_white());
                match last.turn().is_white() {
                    true => (GameResult::BlackWins, format!("{number}... mates")),
                    false => (GameResult::WhiteWins, format!("{number}. mates")),
                }
            }
            () if last.is_stalemate() => (GameResult::Draw, "it is stalemate".into()),
            () => return None,
        };
        (self.result != result).then(|| format!("the result is {}, but {is}: {result}", self.result))
    }

    /// Iterates over the position at the start and after each move.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.start.clone();
        std::iter::once(self.start.clone()).chain(self.moves.iter().map(move |mv| {
            position.play(*mv);
            position.clone()
        }))
    }

    /// Reads the variations, each as a game that begins where it branches off, with the number of moves
    /// played before it. Their own variations can be read in the same way.
    ///
    /// ```
    /// use cassius_chess::pgn::Game;
    ///
    /// let game: Game = "1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 *".parse()?;
    /// let (played, sicilian) = game.read_variations().next().unwrap();
    /// assert_eq!((played, sicilian?.moves.len()), (1, 2));
    /// # Ok::<(), cassius_chess::pgn::PgnError>(())
    /// ```
    ///
    /// # Errors
    /// If a move cannot be played. The numbers of game and line are 1.
    pub fn read_variations(&self) -> impl Iterator<Item = (usize, Result<Game, PgnError>)> + '_ {
        self.variations.iter().map(|Variation { up_to, text, .. }| {
            let played = up_to.saturating_sub(1);
            let start = self.positions().nth(played).unwrap_or_else(|| self.start.clone());
            let empty = Game { start, ..Game::default() }.to_string();
            let head = empty.trim_end().trim_end_matches('*');
            let read = match format!("{head}{text}\n").parse() {
                // A variation needs no result.
                Err(PgnError { kind: PgnErrorKind::NoResult, partial, .. }) => Ok(*partial),
                read => read.map_err(|error| PgnError { line: 1, ..error }),
            };
            (played, read)
        })
    }

    /// Returns the comments after `played` moves, those behind variations included.
    pub fn comments_at(&self, played: usize) -> impl Iterator<Item = &str> {
        let comments = self.comments.iter().filter(move |(at, _)| *at == played).map(|(_, text)| text);
        let variations = self.variations.iter().filter(move |variation| variation.up_to == played);
        comments.chain(variations.flat_map(|variation| &variation.behind)).map(String::as_str)
    }

    /// Returns the position after the last move.
    pub fn last_position(&self) -> Position {
        self.positions().last().unwrap_or_else(|| self.start.clone())
    }
}

impl FromStr for Game {
    type Err = PgnError;

    /// Parses the first game of a text. An empty text is a game without moves.
    fn from_str(text: &str) -> Result<Game, PgnError> {
        Games::new(text.as_bytes()).next().unwrap_or_else(|| Ok(Game::default()))
    }
}

/// A game that could not be read to its end.
#[derive(Debug, Error)]
#[error("game {game}, line {line}: {kind}")]
pub struct PgnError {
    /// The number of the game in the file, counted from 1.
    pub game: usize,
    /// The line at which reading failed, counted from 1.
    pub line: usize,
    /// The reason.
    pub kind: PgnErrorKind,
    /// The part of the game that was read.
    pub partial: Box<Game>,
}

/// The reason why a game could not be read.
#[derive(Debug, Error)]
pub enum PgnErrorKind {
    /// A move cannot be played.
    #[error("move {number}{}: {error}", if *.color == Color::White { "." } else { "..." })]
    Move {
        /// The number of the move.
        number: u32,
        /// The side to move.
        color: Color,
        /// The reason.
        error: MoveError,
    },
    /// The starting position cannot be read.
    #[error("tag FEN: {0}")]
    Fen(FenError),
    /// The game is of another variant.
    #[error("tag Variant: '{0}' is neither chess nor Chess960")]
    Variant(String),
    /// A line that starts with `[` is not a tag.
    #[error("broken tag: {0}")]
    Tag(String),
    /// The text, or the game, ends inside a comment or a variation.
    #[error("the text ends within a {0}")]
    Truncated(&'static str),
    /// The game ends without a result: it may be truncated.
    #[error("the game ends without a result (1-0, 0-1, 1/2-1/2 or *)")]
    NoResult,
    /// The text after the result is neither a comment on the game nor the beginning of another game.
    #[error("unexpected '{0}' after the result")]
    AfterResult(String),
    /// The first move has a number other than 1, and no starting position is given.
    #[error("the game begins with move {0}, but it has no FEN tag")]
    Begins(u32),
    /// An invalid numeric annotation glyph, or a sign without a corresponding glyph.
    #[error("'{0}' is not a glyph; expected $ and a number, or one of ! ? !! ?? !? ?!")]
    Glyph(String),
    /// A closing bracket without an opening one.
    #[error("unmatched '{0}'")]
    Bracket(char),
    /// Reading the file failed.
    #[error("cannot be read: {0}")]
    Read(io::Error),
}
