//! The depth-first family: one alpha-beta skeleton, with a typed slot for each of its steps.
//!
//! Each slot has a folder. The slot's trait is at the top of the folder's `mod.rs`, and each component
//! has a file. A [`Recipe`] names a type for every slot.

pub mod aspiration;
pub mod correction;
pub mod deepening;
pub mod draws;
mod driver;
pub mod horizon;
pub mod knowledge;
pub mod memory;
mod node;
pub mod observe;
pub mod options;
pub mod order;
mod picker;
pub mod quiescence;
mod recipe;
pub mod recipes;
pub mod selectivity;
pub mod sharing;
mod skeleton;
mod steps;
pub mod windows;
mod worker;

pub use driver::{Answer, Proof, Report, Request, search, search_parallel};
pub use node::{Candidate, Node, NodeKind, Pv, Root, RootScout, Scout, Whole};
pub use recipe::{CountOf, DrawsOf, EvaluateOf, KnowledgeOf, Recipe, Setting, Slots};
pub use worker::{MAX_PLY, RootMove, Worker};
