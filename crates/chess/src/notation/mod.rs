//! Chess as text: positions in FEN, test positions in EPD, moves in UCI and standard algebraic notation.
//! Games are in [`crate::pgn`].
//!
//! Every error message is a single line with the location and the cause. No input makes a parser panic.

mod epd;
mod fen;
mod line;
mod san;
mod uci;
mod value;

pub use epd::{Epd, EpdError, EpdLineError, EpdLines, Operation};
pub use fen::{FenError, Field};
pub use line::read_line;
pub(crate) use san::without_number;
pub use value::{Pawns, moves_to_mate};

use thiserror::Error;

/// The reason why a text is not a move in a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The text does not have the form of a move.
    #[error("'{0}' is not a move")]
    Syntax(String),
    /// It is a move, but not a legal one in this position.
    #[error("'{0}' is not legal here")]
    Illegal(String),
    /// The text matches several legal moves.
    #[error("'{text}' is ambiguous: {candidates}")]
    Ambiguous {
        /// The text.
        text: String,
        /// The matching moves.
        candidates: String,
    },
}

/// Returns the excerpt of a text that an error message shows: long texts are shortened.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
