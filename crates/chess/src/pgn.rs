//! Games in Portable Game Notation.
//!
//! Reading is streaming, one game in memory at a time. A game that cannot be
//! read to its end yields an error that says which game, line and move, and
//! carries what was read of it; the reader goes on with the next game.
//!
//! The reader takes the text apart itself: a ready-made one that skips what it
//! does not understand could not say which move was wrong.

use crate::moves::Move;
use crate::notation::{FenError, MoveError, excerpt, without_number};
use crate::position::Position;
use cassius_search::Game as _;
use shakmaty::{CastlingMode, Color};
use std::fmt;
use std::io::{self, BufRead};
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

/// A game: its tags, its main line, and what was written about it.
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
    /// Tags in their order, without `Result`, `FEN` and `SetUp`, which follow from the rest.
    pub tags: Vec<(String, String)>,
    /// Where the game starts.
    pub start: Position,
    /// The moves played.
    pub moves: Vec<Move>,
    /// Comments, each with the number of moves played before it, in order.
    pub comments: Vec<(usize, String)>,
    /// Variations as they were written, without their brackets, each with the number of moves up to the one it is an alternative to. Nobody has
    /// looked whether they can be played.
    pub variations: Vec<(usize, String)>,
    /// Numeric annotation glyphs, each with the number of moves up to the one it judges; 0 before the first move.
    pub glyphs: Vec<(usize, u32)>,
    /// How it ended.
    pub result: GameResult,
}

impl Game {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in place if it is there.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some(tag) => tag.1 = value,
            None => self.tags.push((name.into(), value)),
        }
    }

    /// The position at the start and after each move.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.start.clone();
        std::iter::once(self.start.clone()).chain(self.moves.iter().map(move |mv| {
            position.play(*mv);
            position.clone()
        }))
    }

    /// The position after the last move.
    pub fn last_position(&self) -> Position {
        self.positions().last().unwrap_or_else(|| self.start.clone())
    }
}

impl FromStr for Game {
    type Err = PgnError;

    /// Reads the first game of a text; an empty text is a game without moves.
    fn from_str(text: &str) -> Result<Game, PgnError> {
        Games::new(text.as_bytes()).next().unwrap_or_else(|| Ok(Game::default()))
    }
}

impl fmt::Display for Game {
    /// Writes the game with the seven tags of the roster first, its moves wrapped at 80 columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ROSTER: [(&str, &str); 7] = [
            ("Event", "?"),
            ("Site", "?"),
            ("Date", "????.??.??"),
            ("Round", "?"),
            ("White", "?"),
            ("Black", "?"),
            ("Result", ""),
        ];
        for (name, unknown) in ROSTER {
            let result = self.result.to_string();
            let value = if name == "Result" { &result } else { self.tag(name).unwrap_or(unknown) };
            write_tag(f, name, value)?;
        }
        for (name, value) in &self.tags {
            if !ROSTER.iter().any(|(roster, _)| roster == name) && !is_implied(name) {
                write_tag(f, name, value)?;
            }
        }
        if self.start.castling_mode() == CastlingMode::Chess960 && self.tag("Variant").is_none() {
            write_tag(f, "Variant", "Chess960")?;
        }
        let fen = self.start.to_string();
        if fen != Position::default().to_string() {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &fen)?;
        }
        f.write_str("\n")?;
        self.write_moves(f)
    }
}

/// Tags that follow from the other fields of a [`Game`].
fn is_implied(name: &str) -> bool {
    matches!(name, "Result" | "FEN" | "SetUp")
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

impl Game {
    fn write_moves(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line { f, column: 0 };
        let mut position = self.start.clone();
        let mut numbered = false;
        for played in 0..=self.moves.len() {
            for (_, glyph) in self.glyphs.iter().filter(|(at, _)| *at == played) {
                line.word(&format!("${glyph}"))?;
            }
            for (_, comment) in self.comments.iter().filter(|(at, _)| *at == played) {
                // A brace cannot be escaped in a comment.
                let comment = format!("{{ {} }}", comment.replace('}', ")"));
                line.words(&comment)?;
                numbered = false;
            }
            for (_, variation) in self.variations.iter().filter(|(at, _)| *at == played) {
                line.words(&format!("({} )", variation.trim()))?;
                numbered = false;
            }
            if let Some(mv) = self.moves.get(played) {
                match position.turn() {
                    Color::White => line.word(&format!("{}.", position.fullmoves()))?,
                    Color::Black if !numbered => line.word(&format!("{}...", position.fullmoves()))?,
                    Color::Black => (),
                }
                numbered = true;
                line.word(&position.san(*mv))?;
                position.play(*mv);
            }
        }
        line.word(&self.result.to_string())?;
        line.f.write_str("\n")
    }
}

/// Words in lines of at most 80 characters, where no piece that must stay together is longer.
struct Line<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    column: usize,
}

impl Line<'_, '_> {
    /// The words of a comment or a variation. A command, such as `[%clk 0:05:00]`, is not broken: not every reader would know it again. Nor does
    /// one begin a line, where `%` is an escape and `[` may be taken for a tag, unless there are many in a row.
    fn words(&mut self, text: &str) -> fmt::Result {
        const MANY: usize = 40;
        let mut piece = String::new();
        for word in text.split_whitespace() {
            let command = piece.rfind("[%").is_some_and(|start| !piece[start..].contains(']'));
            let special = word.starts_with('%') || (word.starts_with('[') && piece.chars().count() < MANY);
            if !piece.is_empty() && !command && !special {
                self.word(&std::mem::take(&mut piece))?;
            }
            if !piece.is_empty() {
                piece.push(' ');
            }
            piece += word;
        }
        self.word(&piece)
    }

    fn word(&mut self, word: &str) -> fmt::Result {
        let length = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + length <= 80;
            self.f.write_str(if fits { " " } else { "\n" })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.column += length;
        self.f.write_str(word)
    }
}

/// A game that could not be read to its end.
#[derive(Debug, Error)]
#[error("game {game}, line {line}: {kind}")]
pub struct PgnError {
    /// Which game of the file, from 1.
    pub game: usize,
    /// The line at which reading failed, from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: PgnErrorKind,
    /// The game up to there.
    pub partial: Box<Game>,
}

/// What is wrong with a game.
#[derive(Debug, Error)]
pub enum PgnErrorKind {
    /// A move cannot be played.
    #[error("move {number}{}: {error}", if *.color == Color::White { "." } else { "..." })]
    Move {
        /// The number of the move.
        number: u32,
        /// Whose move it is.
        color: Color,
        /// What is wrong with it.
        error: MoveError,
    },
    /// The starting position cannot be read.
    #[error("tag FEN: {0}")]
    Fen(FenError),
    /// The game follows other rules.
    #[error("tag Variant: '{0}' is neither chess nor Chess960")]
    Variant(String),
    /// A line that starts with `[` is no tag.
    #[error("broken tag: {0}")]
    Tag(String),
    /// The text, or the game, ends inside a comment or a variation.
    #[error("the text ends within a {0}")]
    Truncated(&'static str),
    /// The file cannot be read further.
    #[error("cannot be read: {0}")]
    Read(io::Error),
}

/// One piece of a game's text and the line it stands on.
type Token = (usize, Piece);

enum Piece {
    Tag(String, String),
    BrokenTag(String),
    /// A word of the main line.
    Word(String),
    Comment(String),
    /// What stands between two brackets.
    Variation(String),
    Glyph(u32),
    Result(GameResult),
    Truncated(&'static str),
    Unreadable(io::Error),
}

/// Reads the games of a PGN file one after the other.
///
/// ```
/// use cassius_chess::pgn::Games;
///
/// let file = "1. e4 e5 2. Ke3 Nc6 *\n\n[White \"B\"]\n\n1. d4 d5 1/2-1/2\n";
/// let games: Vec<_> = Games::new(file.as_bytes()).collect();
/// let error = games[0].as_ref().unwrap_err();
/// assert_eq!(error.to_string(), "game 1, line 1: move 2.: 'Ke3' is not legal here");
/// assert_eq!(error.partial.moves.len(), 2);
/// assert_eq!(games[1].as_ref().unwrap().moves.len(), 2);
/// ```
#[derive(Debug)]
pub struct Games<R> {
    reader: R,
    /// The current line, decoded, and how much of it has been used.
    text: String,
    used: usize,
    line: usize,
    game: usize,
    ended: bool,
}

impl<R: BufRead> Games<R> {
    /// Reads from here.
    pub fn new(reader: R) -> Games<R> {
        Games { reader, text: String::new(), used: 0, line: 0, game: 0, ended: false }
    }

    /// Fetches the next line; `false` at the end.
    fn next_line(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        let mut bytes = Vec::new();
        if self.reader.read_until(b'\n', &mut bytes)? == 0 {
            self.ended = true;
            self.text.clear();
            self.used = 0;
            return Ok(false);
        }
        self.line += 1;
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
        // What is not UTF-8 is Latin-1, which the standard of 1994 asks for.
        self.text = std::str::from_utf8(bytes)
            .map_or_else(|_| bytes.iter().map(|byte| char::from(*byte)).collect(), str::to_string);
        self.used = if self.text.starts_with('%') { self.text.len() } else { 0 };
        Ok(true)
    }

    /// The text of the next game in pieces; empty at the end of the file.
    fn pieces(&mut self) -> Vec<Token> {
        let mut pieces = Vec::new();
        if let Err(error) = self.fill(&mut pieces) {
            self.ended = true;
            self.used = self.text.len();
            pieces.push((self.line + 1, Piece::Unreadable(error)));
        }
        pieces
    }

    fn fill(&mut self, pieces: &mut Vec<Token>) -> io::Result<()> {
        let mut variations = 0usize;
        let mut variation = String::new();
        let mut moves_seen = false;
        loop {
            let rest = &self.text[self.used..];
            // Files that were joined have marks of byte order within.
            let Some(start) = rest.find(|c: char| !c.is_whitespace() && c != '\u{feff}') else {
                if !self.next_line()? {
                    if variations > 0 {
                        pieces.push((self.line, Piece::Truncated("variation")));
                    }
                    return Ok(());
                }
                continue;
            };
            let at_line_start =
                self.text[..self.used + start].trim_start_matches('\u{feff}').trim().is_empty();
            let rest = &rest[start..];
            let line = self.line;
            if rest.starts_with('[') && (variations == 0 || at_line_start) {
                if moves_seen && at_line_start {
                    if variations > 0 {
                        pieces.push((line, Piece::Truncated("variation")));
                    }
                    return Ok(()); // the next game
                }
                if !moves_seen {
                    self.used += start;
                    let tag = self.tag();
                    pieces.push((line, tag));
                    continue;
                }
            }
            self.used += start;
            let rest = &self.text[self.used..];
            match rest.chars().next() {
                Some('{') => {
                    self.used += 1;
                    match self.comment()? {
                        Some(text) if variations == 0 => pieces.push((line, Piece::Comment(text))),
                        Some(text) => variation += &format!("{{ {text} }} "),
                        None => {
                            pieces.push((line, Piece::Truncated("comment")));
                            return Ok(());
                        }
                    }
                }
                Some(';') => {
                    let text = rest[1..].trim();
                    match variations {
                        0 => pieces.push((line, Piece::Comment(text.to_string()))),
                        _ => variation += &format!("{{ {} }} ", text.replace('}', ")")),
                    }
                    self.used = self.text.len();
                }
                Some('(') => {
                    self.used += 1;
                    variation += if variations > 0 { "( " } else { "" };
                    variations += 1;
                    moves_seen = true;
                }
                Some(')') => {
                    self.used += 1;
                    match variations {
                        0 => {}
                        1 => {
                            let text = std::mem::take(&mut variation);
                            pieces.push((line, Piece::Variation(text.trim_end().to_string())));
                        }
                        _ => variation += ") ",
                    }
                    variations = variations.saturating_sub(1);
                }
                Some(c @ ('}' | ']')) => {
                    self.used += c.len_utf8();
                }
                _ => {
                    let end =
                        rest.find(|c: char| c.is_whitespace() || "(){};[]".contains(c)).unwrap_or(rest.len());
                    let word = rest[..end].to_string();
                    // An unexpected bracket is a word of its own.
                    self.used += end.max(1);
                    moves_seen = true;
                    if variations > 0 {
                        variation += &word;
                        variation.push(' ');
                        continue;
                    }
                    if let Some(result) = GameResult::read(&word) {
                        pieces.push((line, Piece::Result(result)));
                        return self.last_words(pieces);
                    }
                    split_word(line, if word.is_empty() { "[" } else { &word }, pieces);
                }
            }
        }
    }

    /// What is said behind the result, up to a blank line, is said of the game that it ends.
    fn last_words(&mut self, pieces: &mut Vec<Token>) -> io::Result<()> {
        loop {
            let rest = self.text[self.used..].trim_start();
            if let Some(comment) = rest.strip_prefix('{') {
                self.used = self.text.len() - comment.len();
                let line = self.line;
                let text = self.comment()?.map_or(Piece::Truncated("comment"), Piece::Comment);
                pieces.push((line, text));
            } else if let Some(comment) = rest.strip_prefix(';') {
                pieces.push((self.line, Piece::Comment(comment.trim().to_string())));
                self.used = self.text.len();
            } else if !rest.is_empty() || !self.next_line()? || self.text.trim().is_empty() {
                return Ok(());
            }
        }
    }

    /// Reads a tag that starts here.
    fn tag(&mut self) -> Piece {
        let rest = &self.text[self.used..];
        let broken = |text: &str| Piece::BrokenTag(excerpt(text.trim_end()));
        let Some((name, value)) = rest[1..].split_once('"') else {
            let tag = broken(rest);
            self.used = self.text.len();
            return tag;
        };
        let mut text = String::new();
        let mut chars = value.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
                '"' => {
                    let after = value[at + 1..].trim_start();
                    let Some(after) = after.strip_prefix(']') else { break };
                    let name = name.trim().to_string();
                    self.used = self.text.len() - after.len();
                    return Piece::Tag(name, text);
                }
                _ => text.push(c),
            }
        }
        let tag = broken(rest);
        self.used = self.text.len();
        tag
    }

    /// Reads a comment to its closing brace; `None` if there is none before the next game, which is where reading goes on, or the end.
    fn comment(&mut self) -> io::Result<Option<String>> {
        let mut comment = String::new();
        loop {
            let rest = &self.text[self.used..];
            if let Some(end) = rest.find('}') {
                comment += &rest[..end];
                self.used += end + 1;
                return Ok(Some(comment.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
            comment += rest;
            let blank = self.text.trim().is_empty();
            // A brace that was forgotten must not cost the games behind it.
            if !self.next_line()? || (blank && begins_tag(&self.text)) {
                return Ok(None);
            }
        }
    }
}

/// Whether a line looks like a tag. Names begin with a capital, which `[%clk 0:05:00]` and most of what is said in brackets do not.
fn begins_tag(line: &str) -> bool {
    let name = line.strip_prefix('[').and_then(|rest| Some(rest.split_once('"')?.0.trim()));
    name.is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Signs that old files have between their moves, and the glyphs that mean the same.
const INFORMANT: [(&str, u32); 14] = [
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("+=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("⩱", 15),
    ("+/-", 16),
    ("±", 16),
    ("-/+", 17),
    ("∓", 17),
    ("+-", 18),
    ("-+", 19),
    ("N", 146),
];

/// A word of the move text: number, move, glyphs.
fn split_word(line: usize, word: &str, pieces: &mut Vec<Token>) {
    let word = without_number(word);
    if word.is_empty() || word == "e.p." {
        return;
    }
    if let Some((_, number)) = INFORMANT.iter().find(|(sign, _)| *sign == word) {
        pieces.push((line, Piece::Glyph(*number)));
        return;
    }
    let (mv, glyph) = match word.find(['!', '?', '$']) {
        Some(at) => word.split_at(at),
        None => (word, ""),
    };
    if !mv.is_empty() {
        pieces.push((line, Piece::Word(mv.to_string())));
    }
    let (sign, numbers) = glyph.split_at(glyph.find('$').unwrap_or(glyph.len()));
    let of_sign = match sign {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    };
    let numbers = numbers.split('$').filter_map(|number| number.parse().ok());
    pieces.extend(of_sign.into_iter().chain(numbers).map(|number| (line, Piece::Glyph(number))));
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let pieces = self.pieces();
        if pieces.is_empty() {
            return None;
        }
        self.game += 1;
        let mut game = Game::default();
        Some(match build(&mut game, pieces) {
            Ok(()) => Ok(game),
            Err((line, kind)) => Err(PgnError { game: self.game, line, kind, partial: Box::new(game) }),
        })
    }
}

/// Plays the pieces of a game.
fn build(game: &mut Game, pieces: Vec<Token>) -> Result<(), (usize, PgnErrorKind)> {
    let (mut fen, mut variant) = (None, None);
    let mut position = None;
    let mut first_error = None;
    for (line, piece) in pieces {
        match piece {
            Piece::Tag(name, value) => match name.as_str() {
                "FEN" => fen = Some((line, value)),
                "Result" => game.result = GameResult::read(&value).unwrap_or_default(),
                "SetUp" => (),
                "Variant" => {
                    variant = Some((line, value.clone()));
                    game.tags.push((name, value));
                }
                _ => game.tags.push((name, value)),
            },
            // The moves may be fine: they are read first.
            Piece::BrokenTag(text) => first_error = first_error.or(Some((line, PgnErrorKind::Tag(text)))),
            Piece::Word(word) => {
                let position = match &mut position {
                    Some(position) => position,
                    None => position.insert(set_up(game, &fen, &variant)?),
                };
                let mv = position.parse_move(&word).map_err(|error| {
                    let (number, color) = (position.fullmoves(), position.turn());
                    (line, PgnErrorKind::Move { number, color, error })
                })?;
                game.moves.push(mv);
                position.play(mv);
            }
            Piece::Comment(text) => game.comments.push((game.moves.len(), text)),
            Piece::Variation(text) => game.variations.push((game.moves.len(), text)),
            Piece::Glyph(glyph) => game.glyphs.push((game.moves.len(), glyph)),
            Piece::Result(result) => game.result = result,
            Piece::Truncated(place) => return Err((line, PgnErrorKind::Truncated(place))),
            Piece::Unreadable(error) => return Err((line, PgnErrorKind::Read(error))),
        }
    }
    if position.is_none() {
        set_up(game, &fen, &variant)?;
    }
    first_error.map_or(Ok(()), Err)
}

/// What files call chess, in lower case.
const CHESS: [&str; 10] =
    ["standard", "chess", "classical", "normal", "regular", "orthodox", "from position", "?", "-", ""];

/// A line, and the value of the tag there.
type TagAt = Option<(usize, String)>;

/// The starting position.
fn set_up(game: &mut Game, fen: &TagAt, variant: &TagAt) -> Result<Position, (usize, PgnErrorKind)> {
    if let Some((line, fen)) = fen {
        game.start = fen.parse().map_err(|error| (*line, PgnErrorKind::Fen(error)))?;
    }
    if let Some((line, variant)) = variant {
        let name = variant.trim().to_ascii_lowercase();
        if name.contains("960") || name.contains("fischer") {
            game.start = game.start.clone().with_castling_mode(CastlingMode::Chess960);
        } else if !CHESS.contains(&&*name) {
            return Err((*line, PgnErrorKind::Variant(excerpt(variant))));
        }
    }
    Ok(game.start.clone())
}
