//! Game-tree search for any two-player game.
//!
//! Two families. Depth-first ([`alpha_beta`]): one alpha-beta skeleton, whose every step is a typed slot of a
//! [`Recipe`], under any depth rule ([`alpha_beta::horizon`]), driven by [`search`]. Best-first
//! ([`best_first`]): one tree in memory, grown by conspiracy numbers and their relatives. [`Game`] is what a
//! game must offer; the rest of [`game`] are capabilities that it may offer. Plans behind values, and their
//! certificates, belong to both families ([`plans`]), and [`proof`] searches for forced wins. A [`study`]
//! grows a tree whose leaves are judged by somebody else.
//!
//! [`prelude`] has what nearly every program needs.

pub mod alpha_beta;
pub mod best_first;
pub mod component;
mod depth;
pub mod game;
mod hardware;
pub mod limits;
mod minimax;
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
    Answer, MAX_PLY, Recipe, Report, Request, Setting, Slots, Worker, search, search_parallel,
};
pub use component::{Component, Off, Parameter, Spare, Switch, Visitor};
pub use depth::{Depth, Depths};
pub use game::{Checks, Evaluate, Game, Keyed, Noisy, Outcome, Pass, Static, Statics};
pub use hardware::prefetch;
pub use limits::{Limits, Nodes, Patience, Progress, StopFlag, Stopped, Unlimited};
pub use minimax::minimax;
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
    pub use crate::game::{Checks, Evaluate, Game, Keyed, Noisy, Outcome, Pass};
    pub use crate::limits::{Nodes, Unlimited};
    pub use crate::score::Score;
    pub use crate::window::Window;
}

/// The examples of the crate's README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
