//! Chess and Chess960 as a game for [`cassius_search`]: the rules are
//! [`shakmaty`]'s, here is what chess knows beyond them.

mod best_first;
pub mod certificate;
mod checks;
mod defuse;
mod engine;
pub mod evaluation;
mod exchange;
pub mod figures;
mod hash_table;
pub mod mate;
mod moves;
mod noisy;
pub mod notation;
pub mod openings;
mod perft;
pub mod pgn;
mod position;
pub mod recipes;
pub mod tablebase;
mod threats;
mod zobrist;

pub use best_first::QuietLeaves;
pub use engine::{Engine, EngineError, RECIPES, RecipeInfo};
pub use evaluation::Evaluator;
pub use exchange::{EXCHANGE_VALUES, exchange_at_least, exchange_value};
pub use hash_table::HashTable;
pub use moves::Move;
pub use perft::{divide, perft};
pub use position::Position;
