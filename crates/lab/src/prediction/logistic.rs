//! Logistic regression: the chance of an error is 1/(1 + e⁻ᶻ), z = intercept + Σ coefficient · feature.
//!
//! The model is the minimum of the following loss. It is found by Newton's method, which is here the
//! same as iteratively reweighted least squares:
//!
//! −Σ ln(chance of the outcome) + ½ ridge Σ (coefficient · deviation of its feature)².
//!
//! The penalty thus does not depend on the units of the features. The intercept has no penalty, so on
//! the observations of the fit the mean chance is exactly the share of errors. The penalty makes the
//! minimum unique, even if features separate all errors or depend on each other.
//!
//! *Reference:* S. le Cessie and J. C. van Houwelingen, "Ridge estimators in logistic regression", 1992.

use super::{Observation, PredictionError, check_classes};
use serde::{Deserialize, Serialize};

/// The usual penalty. It has the same weight for a feature's coefficient as four observations of chance
/// ½ that lie one deviation from the mean. With a thousand observations it has almost no effect, with
/// thirty it keeps coefficients reasonable.
pub const RIDGE: f64 = 1.0;

/// A model of the chance of an error.
///
/// ```
/// use cassius_lab::prediction::{Logistic, Observation, RIDGE};
/// let errors = [false, false, true, false, true, true];
/// let observation = |(x, error)| Observation { features: vec![x as f64], error, group: x };
/// let observations: Vec<_> = errors.into_iter().enumerate().map(observation).collect();
/// let model = Logistic::fit(&observations, RIDGE)?;
/// assert!(model.chance(&[0.0]) < 0.3 && model.chance(&[5.0]) > 0.7);
/// # Ok::<(), cassius_lab::prediction::PredictionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Logistic {
    /// The logit where every feature is 0.
    pub intercept: f64,
    /// By how much the logit grows with one unit of each feature; 0 for a feature that never varied.
    pub coefficients: Vec<f64>,
}

/// Returns 1/(1 + e⁻ᶻ).
pub(super) fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

impl Logistic {
    /// Returns the model that fits best, with a penalty of `ridge` (usually [`RIDGE`]).
    ///
    /// # Errors
    /// If there are not both errors and other moves, features are missing or not finite, or the ridge is
    /// not positive.
    pub fn fit<'a>(
        observations: impl IntoIterator<Item = &'a Observation>,
        ridge: f64,
    ) -> Result<Logistic, PredictionError> {
        let observations: Vec<&Observation> = observations.into_iter().collect();
        if !(ridge > 0.0 && ridge.is_finite()) {
            return Err(PredictionError::Ridge(ridge));
        }
        check_classes(observations.iter().map(|observation| observation.error))?;
        let standard = Standard::of(&observations)?;
        let rows: Vec<Vec<f64>> = observations.iter().map(|one| standard.row(&one.features)).collect();
        if let Some(index) = rows.iter().position(|row| row.iter().any(|value| !value.is_finite())) {
            return Err(PredictionError::NotFinite(index));
        }
        let errors: Vec<f64> = observations.iter().map(|one| f64::from(u8::from(one.error))).collect();
        Ok(standard.own_units(&Problem { rows, errors, ridge }.minimum()?))
    }

    /// Returns the chance of an error, 0 to 1. Missing features count as 0, surplus features are
    /// ignored.
    pub fn chance(&self, features: &[f64]) -> f64 {
        logistic(self.intercept + dot(&self.coefficients, features))
    }
}

/// The means and deviations of the features. The deviation of a feature that never varies is set to
/// infinity.
struct Standard {
    means: Vec<f64>,
    deviations: Vec<f64>,
}

impl Standard {
    fn of(observations: &[&Observation]) -> Result<Standard, PredictionError> {
        let expected = observations[0].features.len();
        for (index, observation) in observations.iter().enumerate() {
            let found = observation.features.len();
            if found != expected {
                return Err(PredictionError::Unequal { found, expected });
            }
            if observation.features.iter().any(|value| !value.is_finite()) {
                return Err(PredictionError::NotFinite(index));
            }
        }
        let count = observations.len() as f64;
        let (mut means, mut deviations) = (vec![], vec![]);
        for feature in 0..expected {
            let values = || observations.iter().map(|observation| observation.features[feature]);
            let mean = values().sum::<f64>() / count;
            let varies = values().any(|value| value != observations[0].features[feature]);
            let deviation = (values().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
            if !deviation.is_finite() {
                return Err(PredictionError::NotFinite(0));
            }
            means.push(mean);
            deviations.push(if varies { deviation } else { f64::INFINITY });
        }
        Ok(Standard { means, deviations })
    }

    /// Returns 1 for the intercept, followed by the standardised features.
    fn row(&self, features: &[f64]) -> Vec<f64> {
        let scaled = features.iter().zip(&self.means).zip(&self.deviations);
        std::iter::once(1.0)
            .chain(scaled.map(|((value, mean), deviation)| (value - mean) / deviation))
            .collect()
    }

    fn own_units(&self, weights: &[f64]) -> Logistic {
        let coefficients: Vec<f64> = weights[1..].iter().zip(&self.deviations).map(|(w, d)| w / d).collect();
        Logistic { intercept: weights[0] - dot(&coefficients, &self.means), coefficients }
    }
}

/// The problem in standardised units, with the intercept's weight first.
struct Problem {
    rows: Vec<Vec<f64>>,
    /// 1 for an error, 0 for another move.
    errors: Vec<f64>,
    ridge: f64,
}

impl Problem {
    fn minimum(&self) -> Result<Vec<f64>, PredictionError> {
        let mut weights = vec![0.0; self.rows[0].len()];
        let mut loss = self.loss(&weights);
        for _ in 0..200 {
            let (gradient, curvature) = self.derivatives(&weights);
            let step = solve(curvature, gradient.clone()).ok_or(PredictionError::NotConverged)?;
            // Twice the decrease of the loss if it were a parabola. Newton's method converges
            // quadratically, so this step is the last. A smaller decrease is lost as the loss is rounded.
            let fall = dot(&gradient, &step);
            let done = fall <= 1e-12 * loss.max(1.0);
            let mut length = 1.0;
            loop {
                let next: Vec<f64> = weights.iter().zip(&step).map(|(w, s)| w - length * s).collect();
                let next_loss = self.loss(&next);
                if done || next_loss <= loss - 1e-4 * length * fall {
                    (weights, loss) = (next, next_loss);
                    break;
                }
                length /= 2.0;
                if length < 1e-10 {
                    return Err(PredictionError::NotConverged);
                }
            }
            if done {
                return Ok(weights);
            }
        }
        Err(PredictionError::NotConverged)
    }

    fn loss(&self, weights: &[f64]) -> f64 {
        let unlikely = |(row, error): (&Vec<f64>, &f64)| {
            let z = dot(row, weights);
            // −ln of the chance of the outcome, ln(1 + e^∓z), without overflow.
            let against = if *error > 0.5 { -z } else { z };
            against.max(0.0) + (-against.abs()).exp().ln_1p()
        };
        let penalty: f64 = weights[1..].iter().map(|weight| weight * weight).sum();
        self.rows.iter().zip(&self.errors).map(unlikely).sum::<f64>() + 0.5 * self.ridge * penalty
    }

    /// Returns the gradient and the matrix of second derivatives of the loss.
    fn derivatives(&self, weights: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = weights.len();
        let mut gradient: Vec<f64> = weights.iter().map(|weight| self.ridge * weight).collect();
        let mut curvature = vec![vec![0.0; size]; size];
        (0..size).for_each(|i| curvature[i][i] = self.ridge);
        (gradient[0], curvature[0][0]) = (0.0, 0.0); // the intercept has no penalty
        for (row, error) in self.rows.iter().zip(&self.errors) {
            let chance = logistic(dot(row, weights));
            let weight = chance * (1.0 - chance);
            for i in 0..size {
                gradient[i] += (chance - error) * row[i];
                for j in 0..=i {
                    curvature[i][j] += weight * row[i] * row[j];
                }
            }
        }
        (gradient, curvature)
    }
}

/// Solves a symmetric positive definite system by Cholesky's decomposition. Only the lower triangle of
/// the matrix is given. Returns `None` if the matrix is not positive definite.
pub(crate) fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for i in 0..size {
        for j in 0..=i {
            let rest = matrix[i][j] - dot(&matrix[i][..j], &matrix[j][..j]);
            if i > j {
                matrix[i][j] = rest / matrix[j][j];
            } else if rest > 0.0 && rest.is_finite() {
                matrix[i][i] = rest.sqrt();
            } else {
                return None;
            }
        }
    }
    for i in 0..size {
        right[i] = (right[i] - dot(&matrix[i][..i], &right[..i])) / matrix[i][i];
    }
    for i in (0..size).rev() {
        let known: f64 = (i + 1..size).map(|j| matrix[j][i] * right[j]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    Some(right)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::super::generated::observations;
    use super::*;
    use proptest::prelude::*;

    fn moved(features: &[f64], error: bool) -> Observation {
        Observation { features: features.to_vec(), error, group: 0 }
    }

    /// The coefficients are within four of their standard errors, √(1/(n · mean of p(1−p)x²)) for
    /// independent features.
    #[test]
    fn coefficients_are_recovered() {
        let (coefficients, intercept, count) = ([1.2, -0.7, 0.0], -0.9, 20_000);
        for seed in 0..5 {
            let observations = observations(count, 10, &coefficients, intercept, seed);
            let model = Logistic::fit(&observations, RIDGE).unwrap();
            let information = |x: &dyn Fn(&Observation) -> f64| -> f64 {
                let each = |one: &Observation| {
                    let chance = model.chance(&one.features);
                    chance * (1.0 - chance) * x(one).powi(2)
                };
                observations.iter().map(each).sum()
            };
            let error = 4.0 / information(&|_| 1.0).sqrt();
            assert!((model.intercept - intercept).abs() < error, "{model:?} ± {error}");
            for (feature, coefficient) in coefficients.iter().enumerate() {
                let error = 4.0 / information(&|one| one.features[feature]).sqrt();
                assert!((model.coefficients[feature] - coefficient).abs() < error, "{model:?} ± {error}");
            }
        }
    }

    /// With one feature of two values and almost no penalty, the chances are the shares of errors.
    #[test]
    fn two_values_are_a_table() {
        let mut observations = vec![];
        for (value, errors, others) in [(3.0, 12, 28), (10.0, 15, 5)] {
            observations.extend(vec![moved(&[value], true); errors]);
            observations.extend(vec![moved(&[value], false); others]);
        }
        let model = Logistic::fit(&observations, 1e-9).unwrap();
        assert!(
            (model.chance(&[3.0]) - 0.3).abs() < 1e-9 && (model.chance(&[10.0]) - 0.75).abs() < 1e-9,
            "{model:?}"
        );
        assert!((model.coefficients[0] - (3f64.ln() - (3.0f64 / 7.0).ln()) / 7.0).abs() < 1e-9);
    }

    /// scikit-learn 1.9.1, `LogisticRegression(C=1)` on the standardised features of the same
    /// observations.
    #[test]
    fn another_library_finds_the_same() {
        let observations = observations(3000, 40, &[1.0, 0.5, 0.2], -1.5, 1);
        let model = Logistic::fit(&observations, 1.0).unwrap();
        let found = [model.intercept, model.coefficients[0], model.coefficients[1], model.coefficients[2]];
        let theirs = [-1.521_072_189, 0.961_407_04, 0.507_981_29, 0.170_094_77];
        assert!(found.iter().zip(theirs).all(|(a, b)| (a - b).abs() < 1e-8), "{found:?}");
    }

    proptest! {
        /// The gradient of the loss in the head of this file, in the features' own units, is 0. This
        /// also holds with few observations, with features in unusual units, and if a feature separates
        /// the errors.
        #[test]
        fn the_minimum_is_one(
            data in prop::collection::vec((any::<bool>(), prop::collection::vec(-9i8..10, 3)), 3..40),
            units in prop::collection::vec(-4i32..5, 3),
            ridge in prop::sample::select(vec![0.01, 1.0, 30.0]),
        ) {
            let observed = |(error, values): &(bool, Vec<i8>)| {
                let scaled = values
                    .iter()
                    .zip(&units)
                    .map(|(value, unit)| f64::from(*value) * 10f64.powi(*unit) + 1.0);
                moved(&scaled.collect::<Vec<_>>(), *error)
            };
            let observations: Vec<Observation> = data.iter().map(observed).collect();
            let fitted = Logistic::fit(&observations, ridge);
            let errors = observations.iter().filter(|one| one.error).count();
            if errors == 0 || errors == observations.len() {
                prop_assert_eq!(fitted, Err(PredictionError::OneClass { errors: errors > 0 }));
                return Ok(());
            }
            let model = fitted.unwrap();
            let excess = |one: &Observation| model.chance(&one.features) - f64::from(u8::from(one.error));
            prop_assert!(observations.iter().map(excess).sum::<f64>().abs() < 1e-6, "{model:?}");
            let count = observations.len() as f64;
            for feature in 0..3 {
                let values = || observations.iter().map(|one| one.features[feature]);
                let mean = values().sum::<f64>() / count;
                let variance = values().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
                let gradient =
                    observations.iter().map(|one| excess(one) * (one.features[feature] - mean)).sum::<f64>()
                        + ridge * variance * model.coefficients[feature];
                prop_assert!(gradient.abs() <= 1e-6 * variance.sqrt(), "{gradient} {model:?}");
            }
        }

        /// Features in other units have other coefficients, but the chances are the same.
        #[test]
        fn units_do_not_matter(seed in any::<u64>(), factor in 1e-3..1e3, shift in -50.0..50.0) {
            let observations = observations(60, 3, &[0.8, -0.5], 0.0, seed);
            let changed: Vec<Observation> = observations
                .iter()
                .map(|one| moved(&[one.features[0] * factor + shift, one.features[1]], one.error))
                .collect();
            let models =
                [&observations, &changed].map(|observations| Logistic::fit(observations, RIDGE).unwrap());
            for (one, other) in observations.iter().zip(&changed) {
                let chances = (models[0].chance(&one.features), models[1].chance(&other.features));
                prop_assert!((chances.0 - chances.1).abs() < 1e-7, "{chances:?}");
            }
        }

        #[test]
        fn no_numbers_panic(
            data in prop::collection::vec((any::<bool>(), prop::collection::vec(any::<f64>(), 0..3)), 0..6),
            ridge in any::<f64>(),
        ) {
            let observations: Vec<Observation> =
                data.iter().map(|(error, values)| moved(values, *error)).collect();
            for ridge in [ridge, RIDGE] {
                if let Ok(model) = Logistic::fit(&observations, ridge) {
                    prop_assert!(
                        model.intercept.is_finite() && model.coefficients.iter().all(|c| c.is_finite()),
                        "{model:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_fitted_is_refused() {
        let good = [moved(&[1.0], true), moved(&[2.0], false)];
        let none: [Observation; 0] = [];
        assert_eq!(Logistic::fit(&none, RIDGE), Err(PredictionError::Empty));
        assert_eq!(Logistic::fit(&good[..1], RIDGE), Err(PredictionError::OneClass { errors: true }));
        assert_eq!(Logistic::fit(&good, 0.0), Err(PredictionError::Ridge(0.0)));
        let short = [good[0].clone(), moved(&[], false)];
        assert_eq!(Logistic::fit(&short, RIDGE), Err(PredictionError::Unequal { found: 0, expected: 1 }));
        let infinite = [good[0].clone(), moved(&[f64::INFINITY], false)];
        assert_eq!(Logistic::fit(&infinite, RIDGE), Err(PredictionError::NotFinite(1)));
        let too_large = [moved(&[1e300], true), moved(&[-1e300], false)];
        assert_eq!(Logistic::fit(&too_large, RIDGE), Err(PredictionError::NotFinite(0)));
        assert_eq!(
            PredictionError::NotFinite(3).to_string(),
            "observation 3 has a value that is not finite, or too large to compute with"
        );
    }

    #[test]
    fn a_feature_that_never_varies_says_nothing() {
        let observations = [moved(&[0.1, 1.0], true), moved(&[0.1, 2.0], false), moved(&[0.1, 1.5], true)];
        let model = Logistic::fit(&observations, RIDGE).unwrap();
        assert_eq!(model.coefficients[0], 0.0);
        assert!(model.coefficients[1] < 0.0);
    }
}
