//! Measures how well properties of a position predict whether its player errs.
//!
//! | module | question |
//! |---|---|
//! | [`auc`](mod@auc) | how often does an error score higher than another move, and is one score better? |
//! | [`logistic`] | which weighted sum of the measures predicts errors best? |
//! | [`folds`] | how good is that sum on games that it was not fitted to? |
//! | [`calibration`](mod@calibration) | of moves with a predicted chance of 30 %, are 30 % errors? |
//! | [`earlier`] | which model was used before? |
//! | [`figures`] | the plots of these results |
//!
//! The positions of one game are alike: they have the same players, and often the same plans. Therefore
//! games, not positions, are resampled for an interval. For the same reason, a split puts all positions
//! of a game on the same side.
//!
//! Scores of observations are slices with the length and order of the observations. They hold one
//! measure ([`column()`]) or the chances of a model ([`folds::out_of_fold`]).
//!
//! No suitable library was found. The few candidates contain only the regression, which is a hundred
//! lines here, and have many dependencies: linfa-logistic 0.8 brings some 40 crates, among them ndarray
//! and argmin, and smartcore 0.7 a dozen. The code that keeps games together would have to be written in
//! any case.

pub mod auc;
mod bootstrap;
pub mod calibration;
pub mod earlier;
pub mod figures;
pub mod folds;
pub mod logistic;

pub use auc::{auc, auc_difference, auc_interval};
pub use bootstrap::Bootstrap;
pub use calibration::{Bin, brier, calibration, log_loss};
pub use logistic::{Logistic, RIDGE};

use thiserror::Error;

/// A position in which a player moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The measures, in their own units; the same measures in the same order in every observation.
    pub features: Vec<f64>,
    /// Whether the move was an error.
    pub error: bool,
    /// The number of the game. Numbers need not be consecutive.
    pub group: usize,
}

/// Why there is no result. Observations are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum PredictionError {
    /// There are no observations.
    #[error("no observations")]
    Empty,
    /// All moves are errors, or none is, so nothing can distinguish the two classes.
    #[error("{}", if *.errors { "every observation is an error" } else { "no observation is an error" })]
    OneClass {
        /// Whether all moves were errors.
        errors: bool,
    },
    /// The number of scores differs from the number of observations, or the number of features differs
    /// from that of the first observation.
    #[error("{expected} values are needed, not {found}")]
    Unequal {
        /// The actual number.
        found: usize,
        /// The expected number.
        expected: usize,
    },
    /// A feature or a score is infinite, is not a number, or is too large to be squared.
    #[error("observation {0} has a value that is not finite, or too large to compute with")]
    NotFinite(usize),
    /// A chance is below 0 or above 1.
    #[error("observation {0} has a chance that is not from 0 to 1")]
    NotAChance(usize),
    /// There are not enough games for resampling, or for the folds.
    #[error("{needed} games are needed, not {found}")]
    TooFewGroups {
        /// The number of games.
        found: usize,
        /// The minimum number of games.
        needed: usize,
    },
    /// The penalty is not a positive number.
    #[error("the ridge must be a positive number, not {0}")]
    Ridge(f64),
    /// Newton's method did not converge. With finite features of reasonable size it does.
    #[error("the regression did not converge")]
    NotConverged,
}

/// Returns one feature of all observations.
///
/// # Errors
/// If an observation does not have this feature.
pub fn column(observations: &[Observation], feature: usize) -> Result<Vec<f64>, PredictionError> {
    let of = |observation: &Observation| {
        let found = observation.features.len();
        let missing = PredictionError::Unequal { found, expected: feature.saturating_add(1) };
        observation.features.get(feature).copied().ok_or(missing)
    };
    observations.iter().map(of).collect()
}

/// Checks that there is one finite score for each observation, and at least one observation.
fn check_scores(observations: &[Observation], scores: &[f64]) -> Result<(), PredictionError> {
    if observations.is_empty() {
        return Err(PredictionError::Empty);
    }
    if observations.len() != scores.len() {
        return Err(PredictionError::Unequal { found: scores.len(), expected: observations.len() });
    }
    match scores.iter().position(|score| !score.is_finite()) {
        Some(index) => Err(PredictionError::NotFinite(index)),
        None => Ok(()),
    }
}

/// Checks that there are errors and other moves, at least one of each.
fn check_classes(mut errors: impl Iterator<Item = bool>) -> Result<(), PredictionError> {
    let first = errors.next().ok_or(PredictionError::Empty)?;
    if errors.any(|error| error != first) { Ok(()) } else { Err(PredictionError::OneClass { errors: first }) }
}

/// Numbers the games from 0, in the order of their own numbers. Returns the new number of each
/// observation's game, and the number of games.
fn numbered_groups(observations: &[Observation]) -> (Vec<usize>, usize) {
    let mut groups: Vec<usize> = observations.iter().map(|observation| observation.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let number = |observation: &Observation| groups.partition_point(|group| *group < observation.group);
    (observations.iter().map(number).collect(), groups.len())
}

#[cfg(test)]
pub(crate) mod generated;
