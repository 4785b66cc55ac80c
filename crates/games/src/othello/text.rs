//! Parses and prints moves, games and boards of Othello.

use super::{Move, Othello, SQUARES};
use cassius_search::Game;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::PASS => f.write_str("pass"),
            Move(square) => write!(f, "{}{}", char::from(b'a' + square % 8), square / 8 + 1),
        }
    }
}

impl Move {
    /// Parses the move at the start of a text, and returns it with the remaining text.
    fn read(text: &str) -> Option<(Move, &str)> {
        if let Some((word, rest)) = text.split_at_checked(4)
            && word.eq_ignore_ascii_case("pass")
        {
            return Some((Move::PASS, rest));
        }
        let mut characters = text.chars();
        let file = "abcdefgh".find(characters.next()?.to_ascii_lowercase())?;
        let row = characters.next()?.to_digit(10)?;
        Some((Move::square(file as u8 + 1, row as u8)?, characters.as_str()))
    }
}

impl fmt::Display for Othello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, o) = if self.o_to_move { (self.theirs, self.mine) } else { (self.mine, self.theirs) };
        for square in 0..SQUARES {
            let disc = match () {
                _ if x >> square & 1 != 0 => 'X',
                _ if o >> square & 1 != 0 => 'O',
                _ => '-',
            };
            write!(f, "{disc}{}", if square % 8 == 7 { "\n" } else { "" })?;
        }
        f.write_str(if self.o_to_move { "O" } else { "X" })
    }
}

/// The reason why a text is not a position of Othello.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseError {
    /// Neither a square nor a pass.
    #[error("move {at}: `{found}` is neither a square (a1 to h8) nor pass")]
    BadMove {
        /// The number of the move, counted from 1.
        at: usize,
        /// The text found, at most two characters.
        found: String,
    },
    /// An illegal move.
    #[error("move {at}: {mv} is not legal")]
    Illegal {
        /// The number of the move, counted from 1.
        at: usize,
        /// The move.
        mv: Move,
    },
    /// A move after the end of the game.
    #[error("move {at}: the game is over")]
    GameOver {
        /// The number of the move, counted from 1.
        at: usize,
    },
    /// A character on a board that is not a square.
    #[error("`{found}` (character {at}) is not X, O, - or .")]
    BadCharacter {
        /// Its position in the text, counted from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// A board of the wrong size, or without the side to move.
    #[error("a board must have 65 characters, 64 squares and the side to move (X or O), not {found}")]
    BadSize {
        /// The number of characters, without white space.
        found: usize,
    },
    /// The text after a board does not name a side to move.
    #[error("the side to move, after the 64 squares, must be X or O, not `{found}`")]
    BadSide {
        /// The character found.
        found: char,
    },
}

impl FromStr for Othello {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Othello, ParseError> {
        if text.contains(['X', 'O', '-', '.']) {
            Othello::from_board(text)
        } else {
            Othello::from_moves(text)
        }
    }
}

impl Othello {
    fn from_moves(text: &str) -> Result<Othello, ParseError> {
        let (mut position, mut rest) = (Othello::default(), text.trim());
        let mut at = 0;
        while !rest.is_empty() {
            at += 1;
            let found = || rest.chars().take(2).collect();
            let (mv, left) = Move::read(rest).ok_or_else(|| ParseError::BadMove { at, found: found() })?;
            if position.is_over() {
                return Err(ParseError::GameOver { at });
            }
            if position.must_pass() && mv != Move::PASS {
                position.play(Move::PASS);
            }
            if !position.is_legal(mv) {
                return Err(ParseError::Illegal { at, mv });
            }
            position.play(mv);
            rest = left.trim_start();
        }
        Ok(position)
    }

    fn from_board(text: &str) -> Result<Othello, ParseError> {
        let (mut x, mut o, mut found, mut side) = (0, 0, 0, '-');
        for (at, character) in (1..).zip(text.chars()).filter(|(_, c)| !c.is_whitespace()) {
            let square = if found < 64 { 1 << found } else { 0 }; // superfluous characters are detected below
            match character {
                'X' => x |= square,
                'O' => o |= square,
                '-' | '.' => {}
                _ => return Err(ParseError::BadCharacter { at, found: character }),
            }
            (found, side) = (found + 1, character);
        }
        match side {
            _ if found != 65 => Err(ParseError::BadSize { found }),
            'X' => Ok(Othello { mine: x, theirs: o, o_to_move: false }),
            'O' => Ok(Othello { mine: o, theirs: x, o_to_move: true }),
            _ => Err(ParseError::BadSide { found: side }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A transcript may omit forced passes.
    #[test]
    fn passes_are_read_and_implied() {
        let before = "d3c3b3b2f5a3a1c1"; // the shortest game that leaves a side without a move
        let mut position: Othello = before.parse().unwrap();
        assert!(position.must_pass());
        let read = |text: &str| format!("{before}{text}").parse();
        position.play(Move::PASS);
        assert_eq!(read(" PASS"), Ok(position));
        position.play(Move::square(5, 3).unwrap());
        assert_eq!((read("passe3"), read("E3")), (Ok(position), Ok(position)));
    }

    #[test]
    fn errors_are_told() {
        let error = |text: &str| text.parse::<Othello>().unwrap_err().to_string();
        let board = "-".repeat(64);
        for (text, complaint) in [
            ("f5d6c9", "move 3: `c9` is neither a square (a1 to h8) nor pass"),
            ("f5d6c", "move 3: `c` is neither a square (a1 to h8) nor pass"),
            ("f5 f5", "move 2: f5 is not legal"),
            ("f5pass", "move 2: pass is not legal"),
            ("f5d6c3é", "move 4: `é` is neither a square (a1 to h8) nor pass"),
            ("e6f4e3f6g5d6e7f5c5a1", "move 10: the game is over"),
            ("XO?", "`?` (character 3) is not X, O, - or ."),
            ("X", "a board must have 65 characters, 64 squares and the side to move (X or O), not 1"),
            (&board, "a board must have 65 characters, 64 squares and the side to move (X or O), not 64"),
            (&format!("{board} ."), "the side to move, after the 64 squares, must be X or O, not `.`"),
            (
                &format!("{board}XX"),
                "a board must have 65 characters, 64 squares and the side to move (X or O), not 66",
            ),
        ] {
            assert_eq!(error(text), complaint, "{text}");
        }
    }
}
