//! The predictors of errors: single measures, and weighted sums of them.

use super::moves::Moved;
use crate::prediction::{Logistic, Observation};

/// A measure: its name, and a number that is expected to be larger for likelier errors.
pub type Measure = (&'static str, fn(&Moved) -> f64);

/// The measures, each in the direction in which it is expected to predict errors.
pub const MEASURES: [Measure; 10] = [
    ("more legal moves", |moved| moved.features.legal as f64),
    ("closer to equality", |moved| -(moved.features.chance - 0.5).abs()),
    ("fewer moves hold", |moved| -(moved.holding as f64)),
    ("a smaller share holds", |moved| -moved.features.share),
    ("only move", |moved| f64::from(u8::from(moved.only))),
    ("more temptation", |moved| moved.features.temptation),
    ("more traps", |moved| moved.traps as f64),
    ("no recapture", |moved| -f64::from(u8::from(moved.features.recapture))),
    ("in check", |moved| f64::from(u8::from(moved.features.in_check))),
    ("lower rating", |moved| -moved.elo),
];

/// The intercept and the coefficients of the first study, which did not include temptation.
const FIRST_STUDY: (f64, [f64; FIRST]) = (0.05, [-2.74, -1.46, 0.88, -2.28, -0.04, -0.22]);

/// The names of the features, temptation last.
pub const NAMES: [&str; 7] = [
    "share that holds",
    "recapture",
    "in check",
    "|v − ½|",
    "ln(1 + legal moves)",
    "(Elo − 1081)/200",
    "temptation",
];

/// The number of features in the first study.
pub const FIRST: usize = 6;

/// Returns the features of the model.
pub fn numbers(moved: &Moved) -> Vec<f64> {
    moved.features.numbers(moved.elo).to_vec()
}

/// Returns the first study's model.
pub fn first_study() -> Logistic {
    Logistic { intercept: FIRST_STUDY.0, coefficients: FIRST_STUDY.1.to_vec() }
}

/// Returns the observation of a move of a game, with its first `features` features.
pub fn observation(game: usize, moved: &Moved, features: usize) -> Observation {
    let mut numbers = numbers(moved);
    numbers.truncate(features);
    Observation { features: numbers, error: moved.is_error(), group: game }
}
