//! Games to search.
//!
//! | module | what it holds | good for |
//! |---|---|---|
//! | [`explicit`] | trees written out as text | examples small enough to check by hand |
//! | [`figures`] | the trees and lines drawn in the papers | reproducing what the papers say about them |
//! | [`random_tree`] | uniform trees grown from a seed, in the papers' orders | node counts, error curves |
//! | [`random_game`] | irregular games with nearly every capability | property tests against plain minimax |
//! | [`tictactoe`] | tic-tac-toe | a real game that can be searched to the end |
//! | [`connect4`] | Connect Four on bitboards | a real game that is fast |
//! | [`hex`] | Hex, up to 13 × 13 | a game with many moves, no draws and no good static value |
//! | [`othello`] | Othello on bitboards | a game for points, with forced passes and solvable endgames |
//!
//! [`Named`] finds a game by its name, parses its positions and names its moves.
//!
//! A game here implements the capability traits of `cassius-search` that are meaningful for it: a tree
//! has no checks, and a component that looks at checks does not compile for it. [`Uneventful`] adds
//! trivial implementations of nearly every missing one, so that a component can be tried on a game that
//! lacks what it needs. All games have [static values](cassius_search::Static) and can be played by the
//! [recipes](cassius_search::recipes).
//!
//! ```
//! use cassius_games::explicit::Tree;
//! use cassius_search::{minimax, Score, Statics};
//!
//! let tree: Tree = "A:0(B:1(E:0 F:1) C:0)".parse()?;
//! assert_eq!(minimax(&tree.root(), &mut Statics, 1), Score(1)); // B looks good,
//! assert_eq!(minimax(&tree.root(), &mut Statics, 2), Score(0)); // until E refutes it
//! # Ok::<(), cassius_games::explicit::ParseError>(())
//! ```

pub mod connect4;
pub mod explicit;
mod fields;
pub mod figures;
pub mod hex;
pub mod named;
pub mod othello;
pub mod random_game;
pub mod random_tree;
mod referee;
pub mod tictactoe;
mod uneventful;

pub use connect4::Connect4;
pub use explicit::{Tree, TreePosition};
pub use fields::FieldError;
pub use hex::Hex;
pub use named::Named;
pub use othello::Othello;
pub use random_game::RandomGame;
pub use random_tree::RandomTree;
pub use referee::Judge;
pub use tictactoe::TicTacToe;
pub use uneventful::Uneventful;

pub use cassius_search::{mix, perft};

/// Draws a number in `0..below` from `hash`. Each `stream` gives an independent number. Returns 0 if
/// `below` is 0.
const fn draw(hash: u64, stream: u64, below: u64) -> u64 {
    let bits = mix(hash.wrapping_add(stream.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    if below == 0 { 0 } else { bits % below }
}

/// The examples of the crate's README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
