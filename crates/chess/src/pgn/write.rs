//! Writes a game.

use super::Game;
use crate::position::Position;
use cassius_search::Game as _;
use shakmaty::{CastlingMode, Color};
use std::fmt;

impl fmt::Display for Game {
    /// Writes the game with the seven tags of the roster first, and its moves wrapped at 80 columns.
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

/// Whether a tag follows from the other fields of a [`Game`].
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
                line.comment(comment)?;
                numbered = false;
            }
            for variation in self.variations.iter().filter(|variation| variation.up_to == played) {
                line.words(&format!("({} )", variation.text.trim()))?;
                variation.behind.iter().try_for_each(|comment| line.comment(comment))?;
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

/// Writes words in lines of at most 80 characters, unless an unbreakable piece is longer.
struct Line<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    column: usize,
}

impl Line<'_, '_> {
    fn comment(&mut self, text: &str) -> fmt::Result {
        // A brace cannot be escaped in a comment.
        self.words(&format!("{{ {} }}", text.replace('}', ")")))
    }

    /// Writes the words of a comment or a variation. A command, such as `[%clk 0:05:00]`, is not broken,
    /// because not every reader would recognise it across lines. A command does not begin a line either,
    /// where `%` is an escape and `[` may be taken for a tag, unless there are many in a row.
    fn words(&mut self, text: &str) -> fmt::Result {
        const MANY: usize = 40;
        let (mut piece, mut is_open, mut length) = (String::new(), false, 0);
        for word in text.split_whitespace() {
            let special = word.starts_with('%') || (word.starts_with('[') && length < MANY);
            if !piece.is_empty() && !is_open && !special {
                self.word(&std::mem::take(&mut piece))?;
                length = 0;
            }
            if !piece.is_empty() {
                piece.push(' ');
                length += 1;
            }
            piece += word;
            length += word.chars().count();
            is_open = match word.rfind("[%") {
                Some(start) => !word[start..].contains(']'),
                None => is_open && !word.contains(']'),
            };
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
