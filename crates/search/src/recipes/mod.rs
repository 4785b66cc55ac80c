//! Recipes by name, for any game: both families of search, from plain alpha-beta to Monte Carlo.
//!
//! [`playable!`](crate::playable!) asks the compiler which recipes a game can play. An [`Engine`] searches
//! with one of them, or reports in words which capabilities the game lacks for it. [`Playable::recipes`]
//! lists all:
//!
//! - **Alpha-beta** finds the value to a depth in plies: `alphabeta`, `palphabeta`, `scout`, `pvs`,
//!   `appendix`, `bare`, `lab`, `kaindl`.
//! - **Other depth rules** search until the plans are safe: `abc`, `abc-paper`, `bare-coupled`,
//!   `lab-coupled`, `sex`, `dual-credit`, `likelihood`.
//! - **Conspiracy numbers** find a best move, or a value, that few leaves can change: `cns`, `ccns`,
//!   `cns-value`.
//! - **Proof numbers** find out who wins: `pns`, `df-pn`.
//! - **Intervals** find a move that is best whatever the values are within their bounds: `b-star`.
//! - **Monte Carlo** finds the move that does best: `uct`, `puct`.
//! - **State space search** finds the value to a depth in plies: `sss-star`, `dual-star`.
//!
//! ```
//! use cassius_search::{Engine, Game, Nodes, Off, Outcome, Playable, Request, Score, Static, playable};
//!
//! /// Take one, two or three stones; who takes the last one wins.
//! #[derive(Clone)]
//! struct Stones(u8);
//!
//! impl Game for Stones {
//!     type Move = u8;
//!     fn moves(&self, moves: &mut Vec<u8>) {
//!         moves.extend(1..=self.0.min(3));
//!     }
//!     fn play(&mut self, taken: u8) {
//!         self.0 -= taken;
//!     }
//!     fn outcome(&self) -> Outcome {
//!         Outcome::Loss
//!     }
//! }
//!
//! impl Static for Stones {} // nothing is known of a position before the end
//! playable!(Stones, "a heap of stones", draws: Off);
//!
//! for name in ["alphabeta", "cns", "pns", "uct"] {
//!     let engine = Engine::<Stones>::new(name, 1)?; // recipe, memory in MiB
//!     let answer = engine.search(&Request::new(&Stones(7), &Nodes(100_000)), &mut |_| {});
//!     assert_eq!(answer.best(), Some(3), "{name}");
//! }
//! let error = Engine::<Stones>::new("pvs", 1).unwrap_err().to_string();
//! assert!(error.starts_with("recipe `pvs` needs hash keys, which a heap of stones does not have;"));
//! # Ok::<(), cassius_search::recipes::EngineError>(())
//! ```
//!
//! # Recipes as types
//!
//! The recipes of the alpha-beta family are types whose bounds state which capabilities a game must have.
//! For a game that lacks one, the recipe does not compile:
//!
//! ```compile_fail,E0277
//! use cassius_games::RandomTree;
//! use cassius_search::alpha_beta::horizon::Plies;
//! use cassius_search::recipes::Laboratory;
//! use cassius_search::{Off, Slots, Statics, Table};
//!
//! // Null move and captures, in a tree without passes and noisy moves.
//! Slots::<RandomTree, Laboratory<Plies>>::new(Statics, Table::new(1).unwrap(), Off);
//! ```
//!
//! A recipe that only needs keys compiles:
//!
//! ```
//! use cassius_games::RandomTree;
//! use cassius_search::alpha_beta::horizon::Plies;
//! use cassius_search::recipes::Remembering;
//! use cassius_search::{Off, Slots, Statics, Table};
//!
//! Slots::<RandomTree, Remembering<Plies>>::new(Statics, Table::new(1).unwrap(), Off);
//! ```
//!
//! Margins and windows have defaults that were tuned for a unit of a hundredth of the least valuable piece. A
//! game with another unit sets them.

mod best_first;
mod capability;
mod components;
mod depth_first;
mod engine;
mod playable;

pub use capability::Capability;
pub use components::component_needs;
pub use depth_first::{Around, Bare, Board, FewMoves, Laboratory, Plain, Remembering, WithKeys};
pub use engine::{Engine, EngineError};
pub use playable::{NamedRecipe, Playable};

/// What the macros of this module need.
#[doc(hidden)]
pub mod macros {
    pub use super::best_first::{AnyGame, BestFirst};
    pub use super::capability::{Capability, Has, Lacks};
    pub use super::playable::{Plays, Unplayable, preset, types};
}

use crate::alpha_beta::{Answer, Request};
use crate::best_first::{FirstNumbers, Grower, OutOfMemory, ProofNumberSearch, Proofs};
use crate::component::Off;
use crate::game::Threaded;
use crate::limits::Limits;

/// Finds out who wins, from the rules alone: proof-number search, with a tree of at most `mib` MiB.
///
/// The answer says whether the side to move is [proven](Answer::proof) to win, and its line begins with a
/// move that does. If the answer is complete, its [score](Answer::score) is a draw, or a win or loss of
/// unknown length ([`Score::KNOWN_WIN`](crate::Score::KNOWN_WIN)), never points. Before that it is a bound,
/// or `None`. If the game is over there is no line: [`Game::outcome`](crate::Game::outcome) says who has won.
/// No position of the game may repeat. Positions that come up in several orders are not recognised.
///
/// ```
/// use cassius_games::TicTacToe;
/// use cassius_search::alpha_beta::Proof;
/// use cassius_search::{Score, Unlimited, solve};
///
/// let answer = solve(&TicTacToe::default(), &Unlimited, 64)?;
/// assert!(answer.complete);
/// assert_eq!(answer.score(), Some(Score::DRAW));
///
/// let fork: TicTacToe = "X.. .O. ..X".parse()?;
/// assert_eq!(solve(&fork, &Unlimited, 1)?.proof(), Proof::Disproven);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the memory cannot be allocated.
pub fn solve<G: Threaded>(
    position: &G,
    limits: &dyn Limits,
    mib: usize,
) -> Result<Answer<G::Move>, OutOfMemory> {
    let (growth, assess) = (ProofNumberSearch::default(), FirstNumbers::default());
    let mut grower = Grower::<G, Proofs, _, _, Off>::new(mib, growth, assess)?;
    Ok(grower.search(&Request::new(position, limits), &mut |_| {}))
}
