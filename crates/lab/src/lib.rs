//! The laboratory: test suites, matches, experiments, tuning.
//!
//! | module | question |
//! |---|---|
//! | [`suite`] | how many positions with a known answer does an engine solve? |
//! | [`mod@matches`] | which of two engines wins, and by how much? |
//! | [`spsa`] | which parameters win more games? |
//! | [`statistics`] | what do the results of a match show? |
//! | [`selfplay`] | which games does an engine play against itself, as training data for an evaluation? |
//! | [`data`] | what do files of such games contain? |
//! | [`training`] | which network evaluation fits such games best? |
//! | [`outcomes`] | how do such games end from positions with a given value? |
//! | [`rated`] | which games have players with known ratings? |
//! | [`human`] | what would people play, and how often do they err? |
//! | [`prediction`] | how well do measures of a position predict errors? |
//! | [`experiment`] | does what the papers claim hold here? |
//! | [`tune`] | which weights of the evaluation fit judged positions best? |
//!
//! Nothing here prints or reads a clock: results are passed to callbacks, and the program supplies a
//! [`Clock`].

mod budget;
pub mod chances;
pub mod data;
pub mod experiment;
pub mod experiments;
pub mod human;
pub mod kept;
pub mod levels;
mod lines;
pub mod matches;
pub mod options;
pub mod outcomes;
pub mod parallel;
mod player;
pub mod plot;
pub mod prediction;
mod random;
pub mod rated;
pub mod selfplay;
pub mod spsa;
pub mod statistics;
pub mod suite;
pub mod training;
pub mod tune;

pub use budget::{Budget, BudgetLimits, Clock};
pub use player::{EvalFile, Player, PlayerError};
