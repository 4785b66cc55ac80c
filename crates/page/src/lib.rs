//! What the page of Cassius asks, and the answers.
//!
//! The page is the same in a browser, where this crate is compiled to WebAssembly, and from a program that
//! serves it. Questions and answers are JSON. The rules of chess are asked in passing and answered at once:
//! [`read`], [`place`], [`written`], [`extended`]. A [`Question`] takes a search, which a [`Desk`] does.
//!
//! | question | answers |
//! |---|---|
//! | explain a position | [`Answer::Explained`], or [`Answer::Over`] |
//! | annotate a game | [`Answer::Move`] for each move, the last first; [`Answer::Left`]; [`Answer::Game`] |

#[cfg(target_family = "wasm")]
mod browser;
mod desk;
mod rules;

pub use desk::{Answer, Desk, Question};
pub use rules::{extended, place, read, written};
