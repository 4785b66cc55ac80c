//! How well do measures of a position foretell whether its player errs?
//!
//! | module | question |
//! |---|---|
//! | [`auc`](mod@auc) | how often does an error score higher than a move that was none, and is one score better than another? |
//! | [`logistic`] | which weighted sum of the measures foretells errors best? |
//! | [`folds`] | what does that sum say of games that it was not fitted to? |
//! | [`calibration`](mod@calibration) | where an error is foretold with a chance of 30 %, are 30 % errors? |
//! | [`figures`] | the same, drawn |
//!
//! Positions of one game are alike: the same players, often the same plans. So the game and not the position is what is drawn
//! again for an interval, and what goes whole to one side of a split.
//!
//! Scores of observations are in slices of the observations' length and order, whether they are one measure ([`column()`]) or the
//! chances of a model ([`folds::out_of_fold`]).
//!
//! No library does this: of the little that there is, linfa-logistic 0.8 brings some 40 crates, among them ndarray and argmin, smartcore 0.7
//! a dozen, and both only the regression, which is a hundred lines here. Games that are kept together have to be written in any case.

pub mod auc;
mod bootstrap;
pub mod calibration;
pub mod figures;
pub mod folds;
pub mod logistic;

pub use auc::{auc, auc_difference, auc_interval};
pub use bootstrap::Bootstrap;
pub use calibration::{Bin, brier, calibration, log_loss};
pub use logistic::{Logistic, RIDGE};

use thiserror::Error;

/// A position in which somebody moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// What was measured, in the measures' own units; the same measures in the same order in every observation.
    pub features: Vec<f64>,
    /// Whether the move was an error.
    pub error: bool,
    /// The game. Numbers need not follow each other.
    pub group: usize,
}

/// Why nothing can be said. Observations are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum PredictionError {
    /// There is nothing to learn from.
    #[error("no observations")]
    Empty,
    /// Nothing tells errors apart from other moves where there are only the ones or the others.
    #[error("{}", if *.errors { "every observation is an error" } else { "no observation is an error" })]
    OneClass {
        /// Whether all were errors.
        errors: bool,
    },
    /// There are more or fewer scores than observations, or more or fewer features than in the first observation.
    #[error("{expected} values are needed, not {found}")]
    Unequal {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A feature or a score is infinite, is not a number, or is too large to be squared.
    #[error("observation {0} has a value that is not finite, or too large to compute with")]
    NotFinite(usize),
    /// A chance is below 0 or above 1.
    #[error("observation {0} has a chance that is not from 0 to 1")]
    NotAChance(usize),
    /// There are not enough games to be drawn again, or to be dealt out.
    #[error("{needed} games are needed, not {found}")]
    TooFewGroups {
        /// How many there are.
        found: usize,
        /// How many are needed at least.
        needed: usize,
    },
    /// The penalty is not a positive number.
    #[error("the ridge must be a positive number, not {0}")]
    Ridge(f64),
    /// Newton's method did not settle; with finite features of sensible size it does.
    #[error("the regression did not converge")]
    NotConverged,
}

/// One feature of all observations.
///
/// # Errors
/// If an observation has no such feature.
pub fn column(observations: &[Observation], feature: usize) -> Result<Vec<f64>, PredictionError> {
    let of = |observation: &Observation| {
        let found = observation.features.len();
        let missing = PredictionError::Unequal { found, expected: feature.saturating_add(1) };
        observation.features.get(feature).copied().ok_or(missing)
    };
    observations.iter().map(of).collect()
}

/// One finite score for each observation, and at least one observation.
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

/// Errors and other moves, at least one of each.
fn check_classes(mut errors: impl Iterator<Item = bool>) -> Result<(), PredictionError> {
    let first = errors.next().ok_or(PredictionError::Empty)?;
    if errors.any(|error| error != first) { Ok(()) } else { Err(PredictionError::OneClass { errors: first }) }
}

/// The games, numbered from 0 in the order of their own numbers: that of each observation, and how many there are.
fn numbered_groups(observations: &[Observation]) -> (Vec<usize>, usize) {
    let mut groups: Vec<usize> = observations.iter().map(|observation| observation.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let number = |observation: &Observation| groups.partition_point(|group| *group < observation.group);
    (observations.iter().map(number).collect(), groups.len())
}

#[cfg(test)]
pub(crate) mod generated;
