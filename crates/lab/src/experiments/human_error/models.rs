//! What an error is foretold by: measures alone, and sums of them.

use super::moves::Moved;
use crate::prediction::{Logistic, Observation};

/// A measure: its name, and a number that is said to be the larger, the likelier an error is.
pub type Measure = (&'static str, fn(&Moved) -> f64);

/// The measures, each in the direction in which it is expected to foretell errors.
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

/// The intercept and the coefficients of the first study, which had no temptation.
const FIRST_STUDY: (f64, [f64; FIRST]) = (0.05, [-2.74, -1.46, 0.88, -2.28, -0.04, -0.22]);

/// The names of what the coefficients are for, temptation last.
pub const NAMES: [&str; 7] = [
    "share that holds",
    "recapture",
    "in check",
    "|v − ½|",
    "ln(1 + legal moves)",
    "(Elo − 1081)/200",
    "temptation",
];

/// How many of them the first study had.
pub const FIRST: usize = 6;

/// The numbers that the coefficients are for.
pub fn numbers(moved: &Moved) -> Vec<f64> {
    moved.features.numbers(moved.elo).to_vec()
}

/// The first study's model.
pub fn first_study() -> Logistic {
    Logistic { intercept: FIRST_STUDY.0, coefficients: FIRST_STUDY.1.to_vec() }
}

/// A move of a game, with the first `features` of its numbers.
pub fn observation(game: usize, moved: &Moved, features: usize) -> Observation {
    let mut numbers = numbers(moved);
    numbers.truncate(features);
    Observation { features: numbers, error: moved.is_error(), group: game }
}
