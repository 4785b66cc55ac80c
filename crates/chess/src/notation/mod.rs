//! Chess as text: FEN, EPD, moves in UCI and standard algebraic notation.

mod fen;

pub use fen::{FenError, Field};
