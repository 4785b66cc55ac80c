//! Game-tree search for any two-player game.
//!
//! Two families. Depth-first ([`alpha_beta`]): one alpha-beta skeleton, whose every step is a typed slot of a
//! [`Recipe`], under any depth rule ([`alpha_beta::horizon`]), driven by [`search`]. Best-first
//! ([`best_first`]): one tree in memory, grown by conspiracy numbers and their relatives. [`Game`] is what a
//! game must offer; the rest of [`game`] are capabilities that it may offer. Plans behind values, and their
//! certificates, belong to both families ([`plans`]), and [`proof`] searches for forced wins. A [`study`]
//! grows a tree whose leaves are judged by somebody else.
//!
//! # A game, solved
//!
//! Three methods are a game. [`solve`] needs no more to find out who wins:
//!
//! ```
//! use cassius_search::alpha_beta::Proof;
//! use cassius_search::{Game, Outcome, Unlimited, solve};
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
//!         Outcome::Loss // the other side took the last one
//!     }
//! }
//!
//! let answer = solve(&Stones(7), &Unlimited, 1)?; // memory in MiB
//! assert_eq!((answer.proof(), answer.best()), (Proof::Proven, Some(3)));
//! # Ok::<(), cassius_search::best_first::OutOfMemory>(())
//! ```
//!
//! An [`Engine`] searches by any of the [`recipes`], which have names: alpha-beta, conspiracy numbers, proof
//! numbers, Monte Carlo and others. [`playable!`] says which of them a game can play, and
//! [`Engine::with_default`] takes a default for the game.
//!
//! [`prelude`] has what nearly every program needs.
//!
//! # Features
//!
//! `serde`, off by default: what a user keeps can be serialized. That is [`Score`], [`Bound`], [`Depths`],
//! [`Outcome`], [`Report`], [`Answer`], [`Nodes`], the answers of [`proof`], and the changes and verdicts of
//! a [`study`]. A [`Parameter`] can be written.
//!
//! `json`, off by default: [certificates](plans::certificate) can be written and read as JSON.

pub mod alpha_beta;
pub mod best_first;
pub mod component;
mod depth;
pub mod game;
mod hardware;
pub mod limits;
mod minimax;
mod perft;
pub mod plans;
pub mod proof;
pub mod recipes;
mod score;
mod side;
pub mod study;
mod window;
mod written;

pub use alpha_beta::memory::Table;
pub use alpha_beta::{
    Answer, MAX_PLY, Proof, Recipe, Report, Request, Setting, Slots, Worker, search, search_parallel,
};
pub use component::{Component, Off, Parameter, Spare, Switch, Visitor};
pub use depth::{Depth, Depths};
pub use game::{
    Checks, Evaluate, Game, Keyed, LastMoveWins, Noisy, Outcome, Pass, Static, Statics, fnv, mix, split_mix,
};
pub use hardware::prefetch;
pub use limits::{Limits, Nodes, Patience, Progress, StopFlag, Stopped, Unlimited, Until};
pub use minimax::minimax;
pub use perft::perft;
pub use recipes::{Engine, Playable, solve};
pub use score::Score;
pub use window::{Bound, Window};

/// What nearly every program needs: `use cassius_search::prelude::*;`.
pub mod prelude {
    pub use crate::alpha_beta::horizon::{Abc, Coupled, Plies};
    pub use crate::alpha_beta::memory::Table;
    pub use crate::alpha_beta::{Answer, Recipe, Report, Request, Setting, Slots, search, search_parallel};
    pub use crate::component::{Off, Switch};
    pub use crate::depth::{Depth, Depths};
    pub use crate::game::{Checks, Evaluate, Game, Keyed, Noisy, Outcome, Pass, Static, Statics};
    pub use crate::limits::{Nodes, Unlimited, Until};
    pub use crate::playable;
    pub use crate::recipes::{Engine, Playable, solve};
    pub use crate::score::Score;
    pub use crate::window::Window;
}

/// The examples of the crate's README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
