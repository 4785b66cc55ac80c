//! Generates observations with known chances.

use super::Observation;
use super::logistic::logistic;
use crate::random::Random;

/// Returns a number from 0 to 1.
pub(crate) fn uniform(random: &mut Random) -> f64 {
    random.below(1 << 53) as f64 / (1u64 << 53) as f64
}

/// Returns `count` observations, with a given number in each game. The features are independent, from −2
/// to 2, and the errors have the chance of the logistic model.
pub(crate) fn observations(
    count: usize,
    a_game: usize,
    coefficients: &[f64],
    intercept: f64,
    seed: u64,
) -> Vec<Observation> {
    let mut random = Random(seed);
    let mut observe = |index: usize| {
        let features: Vec<f64> = coefficients.iter().map(|_| 4.0 * uniform(&mut random) - 2.0).collect();
        let logit = intercept + features.iter().zip(coefficients).map(|(x, b)| x * b).sum::<f64>();
        Observation { error: uniform(&mut random) < logistic(logit), features, group: index / a_game }
    };
    (0..count).map(&mut observe).collect()
}
