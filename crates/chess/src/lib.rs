//! Implements chess and Chess960 as a game for [`cassius_search`]. The rules come from [`shakmaty`];
//! this crate adds what the search needs beyond them.

pub mod certificate;
mod defuse;
mod engine;
pub mod evaluation;
pub mod figures;
mod hash_table;
pub mod levels;
pub mod mate;
mod moves;
pub mod notation;
pub mod odds;
pub mod openings;
mod perft;
pub mod pgn;
mod position;
pub mod recipes;
pub mod tablebase;
mod threats;
mod zobrist;

pub use cassius_search::perft;
pub use engine::{Engine, EngineError, QuietLeaves, RECIPES, RecipeInfo};
pub use evaluation::{Evaluation, Evaluator, prepare};
pub use hash_table::HashTable;
pub use moves::Move;
pub use perft::divide;
pub use position::{EXCHANGE_VALUES, Position, exchange_at_least, exchange_value};
