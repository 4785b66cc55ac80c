//! Tokenizes the text of games, and plays their moves.

use super::{Game, GameResult, PgnError, PgnErrorKind, Variation};
use crate::notation::read_line;
use crate::notation::{excerpt, without_number};
use crate::position::Position;
use cassius_search::Game as _;
use shakmaty::CastlingMode;
use std::io::{self, BufRead};

/// A piece of a game's text with its line number.
type Token = (usize, Piece);

enum Piece {
    Tag(String, String),
    /// The number before a move.
    Number(u32),
    /// A word of the main line.
    Word(String),
    Comment(String),
    /// The text between two brackets.
    Variation(String),
    Glyph(u32),
    Result(GameResult),
    /// An error after which the moves may still be valid: reading continues.
    Flaw(PgnErrorKind),
    /// An error after which nothing more can be read.
    End(PgnErrorKind),
}

/// The progress of reading a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Tags,
    Moves,
    /// After the result: comments and variations may follow.
    Behind,
    /// After the result there was unexpected text, which is skipped.
    Passing,
}

/// Reads the games of a PGN file one after another.
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
    /// The current line, decoded, and the length of the part already consumed.
    text: String,
    used: usize,
    line: usize,
    game: usize,
    ended: bool,
}

impl<R: BufRead> Games<R> {
    /// Creates an iterator that reads from `reader`.
    pub fn new(reader: R) -> Games<R> {
        Games { reader, text: String::new(), used: 0, line: 0, game: 0, ended: false }
    }

    /// Reads the next line. Returns `false` at the end.
    fn next_line(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        let mut bytes = Vec::new();
        if read_line(&mut self.reader, &mut bytes)? == 0 {
            self.ended = true;
            self.text.clear();
            self.used = 0;
            return Ok(false);
        }
        self.line += 1;
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
        // Text that is not UTF-8 is taken as Latin-1, which the standard of 1994 prescribes. Bytes that are
        // control characters there are read as Windows-1252.
        self.text = std::str::from_utf8(bytes)
            .map_or_else(|_| bytes.iter().map(|byte| from_windows(*byte)).collect(), str::to_string);
        self.used = if self.text.starts_with('%') { self.text.len() } else { 0 };
        Ok(true)
    }

    /// Returns the pieces of the next game. Empty at the end of the file.
    fn pieces(&mut self) -> Vec<Token> {
        let mut pieces = Vec::new();
        if let Err(error) = self.fill(&mut pieces) {
            self.ended = true;
            self.used = self.text.len();
            pieces.push((self.line + 1, Piece::End(PgnErrorKind::Read(error))));
        }
        pieces
    }

    fn fill(&mut self, pieces: &mut Vec<Token>) -> io::Result<()> {
        let (mut variations, mut variation) = (0usize, String::new());
        let mut stage = Stage::Tags;
        // Whether a blank line has just been passed, and the line of the last piece of this game.
        let (mut blank, mut last) = (false, None);
        loop {
            let ends = |line| {
                let ended = matches!(stage, Stage::Behind | Stage::Passing);
                match last {
                    _ if variations > 0 => Some((line, Piece::End(PgnErrorKind::Truncated("variation")))),
                    Some(last) if !ended => Some((last, Piece::Flaw(PgnErrorKind::NoResult))),
                    _ => None,
                }
            };
            let rest = &self.text[self.used..];
            // Concatenated files contain byte order marks in the middle.
            let Some(start) = rest.find(|c: char| !c.is_whitespace() && c != '\u{feff}') else {
                if !self.next_line()? {
                    pieces.extend(ends(self.line));
                    return Ok(());
                }
                blank |= self.text.trim().is_empty();
                continue;
            };
            let at_line_start =
                self.text[..self.used + start].trim_start_matches('\u{feff}').trim().is_empty();
            let has_ended = variations == 0 && matches!(stage, Stage::Behind | Stage::Passing);
            let after_blank = blank;
            blank &= has_ended;
            let rest = &rest[start..];
            let line = self.line;
            if has_ended && after_blank && !rest.starts_with(['{', ';']) {
                return Ok(()); // only comments still belong to this game
            }
            if rest.starts_with('[') && (variations == 0 || at_line_start) {
                let is_next = match stage {
                    Stage::Tags => after_blank && begins_anew(rest, pieces),
                    Stage::Moves | Stage::Passing => at_line_start,
                    Stage::Behind => true,
                };
                if is_next {
                    pieces.extend(ends(line));
                    return Ok(());
                }
                if stage == Stage::Tags {
                    self.used += start;
                    last = Some(line);
                    let tag = self.tag();
                    pieces.push((line, tag));
                    continue;
                }
            }
            let word = word(rest);
            let begins = variations == 0
                && match stage {
                    Stage::Tags => false,
                    // Move numbers do not restart within a game.
                    Stage::Moves => after_blank && is_first(word) && several_moves(pieces),
                    Stage::Behind => {
                        is_first(word) || (at_line_start && word.starts_with(char::is_alphabetic))
                    }
                    Stage::Passing => is_first(word),
                };
            if begins {
                pieces.extend(ends(line));
                return Ok(());
            }
            last = Some(line);
            self.used += start;
            let rest = &self.text[self.used..];
            match rest.chars().next() {
                Some('{') => {
                    self.used += 1;
                    match self.comment()? {
                        Some(text) if variations == 0 => pieces.push((line, Piece::Comment(text))),
                        Some(text) => variation += &format!("{{ {text} }} "),
                        None => {
                            pieces.push((line, Piece::End(PgnErrorKind::Truncated("comment"))));
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
                    if stage == Stage::Tags {
                        stage = Stage::Moves;
                    }
                }
                Some(')') if variations > 0 => {
                    self.used += 1;
                    variations -= 1;
                    match variations {
                        0 => {
                            let text = std::mem::take(&mut variation);
                            pieces.push((line, Piece::Variation(text.trim_end().to_string())));
                        }
                        _ => variation += ") ",
                    }
                }
                Some(c @ (')' | '}' | ']')) => {
                    self.used += 1;
                    match variations {
                        0 => pieces.push((line, Piece::Flaw(PgnErrorKind::Bracket(c)))),
                        _ => variation.extend([c, ' ']),
                    }
                }
                _ => {
                    let word = word.to_string();
                    self.used += word.len();
                    if variations > 0 {
                        variation += &word;
                        variation.push(' ');
                        continue;
                    }
                    // The first half of `1/2-1/2`, where the text is truncated.
                    let is_half = word == "1/2" && self.used == self.text.len();
                    let result = GameResult::read(&word).filter(|_| !is_half);
                    match stage {
                        Stage::Tags | Stage::Moves if result.is_none() => {
                            split_word(line, &word, pieces);
                            stage = Stage::Moves;
                        }
                        Stage::Tags | Stage::Moves => {
                            pieces.extend(result.map(|result| (line, Piece::Result(result))));
                            stage = Stage::Behind;
                        }
                        Stage::Behind => {
                            let stray = PgnErrorKind::AfterResult(excerpt(&word));
                            pieces.push((line, Piece::Flaw(stray)));
                            stage = if result.is_some() { Stage::Behind } else { Stage::Passing };
                        }
                        Stage::Passing if result.is_some() => stage = Stage::Behind,
                        Stage::Passing => {}
                    }
                }
            }
        }
    }

    /// Parses a tag that starts here.
    fn tag(&mut self) -> Piece {
        let rest = &self.text[self.used..];
        let broken = |text: &str| Piece::Flaw(PgnErrorKind::Tag(excerpt(text.trim_end())));
        let Some((name, value)) = rest[1..].split_once('"') else {
            let tag = broken(rest);
            self.used = self.text.len();
            return tag;
        };
        let mut text = String::new();
        let mut chars = value.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                    Some((_, other)) => text.extend(['\\', other]),
                    None => {}
                },
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

    /// Reads a comment to its closing brace. Returns `None` if there is no closing brace before the end
    /// or the next game, where reading then continues.
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
            // A missing brace must not swallow the games after it.
            if !self.next_line()? || (blank && begins_tag(&self.text)) {
                return Ok(None);
            }
            self.used = 0; // a `%` at the beginning is no escape here
        }
    }
}

/// Returns the word of the move text at the beginning of `rest`. An unexpected bracket is a word by
/// itself.
fn word(rest: &str) -> &str {
    match rest.find(|c: char| c.is_whitespace() || "(){};[]".contains(c)) {
        Some(0) => &rest[..1],
        end => &rest[..end.unwrap_or(rest.len())],
    }
}

/// Whether a word is the number of a game's first move, or begins with it.
fn is_first(word: &str) -> bool {
    word.strip_prefix('1')
        .is_some_and(|rest| rest.is_empty() || (rest.starts_with('.') && !rest.starts_with("..")))
}

fn several_moves(pieces: &[Token]) -> bool {
    pieces.iter().filter(|(_, piece)| matches!(piece, Piece::Word(_))).nth(1).is_some()
}

/// Whether the tag at the beginning of `rest`, after a blank line, belongs to another game: its name has
/// occurred before, or is the first tag of every game, or the tag before it was truncated.
fn begins_anew(rest: &str, pieces: &[Token]) -> bool {
    let name = rest[1..].split_once('"').map(|(name, _)| name.trim());
    pieces.iter().any(|(_, piece)| match piece {
        Piece::Tag(tag, _) => name == Some(&**tag) || name == Some("Event"),
        piece => matches!(piece, Piece::Flaw(PgnErrorKind::Tag(_))),
    })
}

/// Whether a line looks like a tag. Tag names begin with a capital letter, unlike `[%clk 0:05:00]` and
/// most bracketed text.
fn begins_tag(line: &str) -> bool {
    let name = line.strip_prefix('[').and_then(|rest| Some(rest.split_once('"')?.0.trim()));
    name.is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Symbols that old files have between their moves, and the equivalent glyphs.
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

/// Splits a word of the move text into number, move and glyphs.
fn split_word(line: usize, word: &str, pieces: &mut Vec<Token>) {
    let rest = without_number(word);
    let number = word[..word.len() - rest.len()].trim_end_matches('.');
    if !number.is_empty() {
        pieces.push((line, Piece::Number(number.parse().unwrap_or(u32::MAX))));
    }
    let word = rest;
    if word.is_empty() || word == "e.p." {
        return;
    }
    if let Some((_, number)) = INFORMANT.iter().find(|(sign, _)| *sign == word) {
        pieces.push((line, Piece::Glyph(*number)));
        return;
    }
    let (mv, glyphs) = word.split_at(word.find(['!', '?', '$']).unwrap_or(word.len()));
    if !mv.is_empty() {
        pieces.push((line, Piece::Word(mv.to_string())));
    }
    let (sign, numbers) = glyphs.split_at(glyphs.find('$').unwrap_or(glyphs.len()));
    let of_sign = match sign {
        "!" => Some(1),
        "?" => Some(2),
        "!!" => Some(3),
        "??" => Some(4),
        "!?" => Some(5),
        "?!" => Some(6),
        _ => None,
    };
    let glyph = |text: String, number: Option<u32>| {
        let unknown = || Piece::Flaw(PgnErrorKind::Glyph(excerpt(&text)));
        (line, number.map_or_else(unknown, Piece::Glyph))
    };
    if !sign.is_empty() {
        pieces.push(glyph(sign.to_string(), of_sign));
    }
    // `parse` would accept a sign too.
    let read = |number: &str| number.parse().ok().filter(|_| !number.starts_with('+'));
    pieces.extend(numbers.split('$').skip(1).map(|number| glyph(format!("${number}"), read(number))));
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
            Piece::Flaw(kind) => first_error = first_error.or(Some((line, kind))),
            // Without a starting position, this number is the game's first.
            Piece::Number(number) => {
                if position.is_none() && fen.is_none() && number != 1 {
                    return Err((line, PgnErrorKind::Begins(number)));
                }
            }
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
            Piece::Comment(text) => match game.variations.last_mut() {
                Some(variation) if variation.up_to == game.moves.len() => variation.behind.push(text),
                _ => game.comments.push((game.moves.len(), text)),
            },
            Piece::Variation(text) => {
                let behind = Vec::new();
                game.variations.push(Variation { up_to: game.moves.len(), text, behind });
            }
            Piece::Glyph(glyph) => game.glyphs.push((game.moves.len(), glyph)),
            // Moves that end with `*` do not say what the result is.
            Piece::Result(GameResult::Unfinished) => (),
            Piece::Result(result) => {
                game.tagged =
                    Some(game.result).filter(|tag| *tag != GameResult::Unfinished && *tag != result);
                game.result = result;
            }
            Piece::End(kind) => return Err((line, kind)),
        }
    }
    if position.is_none() {
        set_up(game, &fen, &variant)?;
    }
    first_error.map_or(Ok(()), Err)
}

/// The names that files use for the chess variant, in lower case.
const CHESS: [&str; 10] =
    ["standard", "chess", "classical", "normal", "regular", "orthodox", "from position", "?", "-", ""];

/// A line number, and the value of the tag on that line.
type TagAt = Option<(usize, String)>;

/// Sets up the starting position.
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

/// Returns the character of a byte in the code page Windows-1252.
fn from_windows(byte: u8) -> char {
    const CONTROLS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => CONTROLS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}
