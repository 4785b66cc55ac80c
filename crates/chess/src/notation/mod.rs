//! Chess as text: positions in FEN, test positions in EPD, moves in UCI and
//! standard algebraic notation. Games are in [`crate::pgn`].
//!
//! Every error is one line that says where and what; no text makes a reader panic.

mod epd;
mod fen;
mod san;
mod uci;

pub use epd::{Epd, EpdError, EpdLineError, EpdLines, Operation};
pub use fen::{FenError, Field};
pub(crate) use san::without_number;

use thiserror::Error;

/// Why a text is not a move in a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// It does not look like a move at all.
    #[error("'{0}' is not a move")]
    Syntax(String),
    /// It is a move, but not one of this position.
    #[error("'{0}' is not legal here")]
    Illegal(String),
    /// Several legal moves are written so.
    #[error("'{text}' is ambiguous: {candidates}")]
    Ambiguous {
        /// What was read.
        text: String,
        /// The moves it could be.
        candidates: String,
    },
}

/// What an error shows of a text: not all of it, if it is long.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
