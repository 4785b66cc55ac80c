//! The laboratory: test suites, matches, experiments, tuning.
//!
//! | module | question |
//! |---|---|
//! | [`suite`] | how many positions with a known answer does an engine solve? |
//! | [`mod@matches`] | which of two engines wins, and by how much? |
//! | [`statistics`] | what do the results of a match show? |
//! | [`selfplay`] | which games does an engine play with itself, for an evaluation to learn from? |
//! | [`data`] | what do files of such games hold? |
//! | [`rated`] | which games are of players whose ratings are known? |
//! | [`prediction`] | how well do measures of a position foretell errors? |
//! | [`experiment`] | does what the papers claim hold here? |
//! | [`tune`] | which weights of the evaluation fit judged positions best? |
//!
//! Nothing here prints or reads a clock: results go to callbacks, and time comes from a [`Clock`]
//! that the program gives.

mod budget;
pub mod data;
pub mod experiment;
mod experiments;
pub mod kept;
mod lines;
pub mod matches;
pub mod parallel;
mod player;
pub mod plot;
pub mod prediction;
mod random;
pub mod rated;
pub mod selfplay;
pub mod statistics;
pub mod suite;
pub mod tune;

pub use budget::{Budget, BudgetLimits, Clock};
pub use player::{Player, PlayerError};
