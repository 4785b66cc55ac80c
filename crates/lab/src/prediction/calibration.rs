//! Tests whether predicted chances agree with observed shares: a table of bins, and two proper scores.
//!
//! *Reference:* G. W. Brier, "Verification of forecasts expressed in terms of probability", 1950; I. J.
//! Good, "Rational decisions", 1952 (the logarithm); A. P. Dawid, "The well-calibrated Bayesian", 1982.

use super::{Observation, PredictionError, check_scores};
use crate::statistics::Estimate;
use serde::Serialize;

/// A group of observations with similar chances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// The smallest and the largest chance, 0 to 1.
    pub range: [f64; 2],
    /// The mean chance.
    pub predicted: f64,
    /// The share of errors. [`calibration`](calibration()) returns Wilson's interval, which treats positions
    /// as independent. It is too short if the positions of a game are alike.
    pub observed: Estimate,
    /// The number of observations.
    pub count: usize,
}

/// Sorts the observations by their chance into `bins` bins of about the same size: 10 make deciles.
/// Observations with equal chances are in the same bin, so there may be fewer bins, of unequal sizes. A
/// `bins` of 0 counts as 1.
///
/// # Errors
/// If there is not one chance for each observation, or no observation.
pub fn calibration(
    observations: &[Observation],
    chances: &[f64],
    bins: usize,
) -> Result<Vec<Bin>, PredictionError> {
    check_chances(observations, chances)?;
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|a, b| chances[*a].total_cmp(&chances[*b]));
    let bins = bins.clamp(1, order.len());
    // A group of equal chances is put into the bin of its middle.
    let equals = order.chunk_by(|a, b| chances[*a] == chances[*b]).scan(0, |before, equal| {
        let middle = 2 * *before + equal.len();
        *before += equal.len();
        Some((middle * bins / (2 * order.len()), equal))
    });
    let mut members: Vec<Vec<usize>> = vec![vec![]; bins];
    equals.for_each(|(bin, equal)| members[bin.min(bins - 1)].extend(equal));
    let bin = |members: &Vec<usize>| {
        let (first, last) = (*members.first()?, *members.last()?);
        let errors = members.iter().filter(|index| observations[**index].error).count();
        Some(Bin {
            range: [chances[first], chances[last]],
            predicted: mean(members.iter().map(|index| chances[*index])),
            observed: Estimate::of_share(errors, members.len()),
            count: members.len(),
        })
    };
    Ok(members.iter().filter_map(bin).collect())
}

/// Returns the mean square of chance − outcome, where an error is 1 and another move 0. A perfect
/// prediction has 0, a chance of ½ everywhere has ¼.
///
/// # Errors
/// Those of [`calibration`](calibration()).
pub fn brier(observations: &[Observation], chances: &[f64]) -> Result<f64, PredictionError> {
    check_chances(observations, chances)?;
    let square = |(one, chance): (&Observation, &f64)| (chance - f64::from(u8::from(one.error))).powi(2);
    Ok(mean(observations.iter().zip(chances).map(square)))
}

/// Returns the mean of −ln(chance of the outcome), in nats. A perfect prediction has 0, a chance of ½
/// everywhere has ln 2. The mean is infinite if an outcome occurred whose chance was 0.
///
/// # Errors
/// Those of [`calibration`](calibration()).
pub fn log_loss(observations: &[Observation], chances: &[f64]) -> Result<f64, PredictionError> {
    check_chances(observations, chances)?;
    let surprise =
        |(one, chance): (&Observation, &f64)| -if one.error { chance.ln() } else { (-chance).ln_1p() };
    Ok(mean(observations.iter().zip(chances).map(surprise)))
}

fn check_chances(observations: &[Observation], chances: &[f64]) -> Result<(), PredictionError> {
    check_scores(observations, chances)?;
    match chances.iter().position(|chance| !(0.0..=1.0).contains(chance)) {
        Some(index) => Err(PredictionError::NotAChance(index)),
        None => Ok(()),
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::super::generated::{observations, uniform};
    use super::super::{Logistic, RIDGE};
    use super::*;
    use crate::random::Random;
    use proptest::prelude::*;

    fn moved(error: bool) -> Observation {
        Observation { features: vec![], error, group: 0 }
    }

    /// True chances lie in nearly all of the 95 % intervals: of 400 bins about 20 are missed.
    #[test]
    fn true_chances_are_well_calibrated() {
        let (mut missed, mut bins) = (0, 0);
        for seed in 0..40 {
            let mut random = Random(seed);
            let chances: Vec<f64> = (0..3000).map(|_| uniform(&mut random)).collect();
            let observations: Vec<Observation> =
                chances.iter().map(|chance| moved(uniform(&mut random) < *chance)).collect();
            let table = calibration(&observations, &chances, 10).unwrap();
            assert!(table.iter().all(|bin| bin.count == 300));
            bins += table.len();
            missed += table
                .iter()
                .filter(|bin| !(bin.observed.low..=bin.observed.high).contains(&bin.predicted))
                .count();
        }
        assert_eq!(bins, 400);
        assert!((5..=40).contains(&missed), "{missed}");
    }

    /// Overconfident chances are detected, at both ends in the right direction.
    #[test]
    fn boldness_is_seen() {
        let observations = observations(20_000, 10, &[1.0], 0.0, 1);
        let bold = Logistic { intercept: 0.0, coefficients: vec![2.0] };
        let honest = Logistic::fit(&observations, RIDGE).unwrap();
        let [bold, honest] = [bold, honest]
            .map(|model| observations.iter().map(|one| model.chance(&one.features)).collect::<Vec<_>>());
        let table = calibration(&observations, &bold, 10).unwrap();
        assert!(
            table[0].observed.low > table[0].predicted && table[9].observed.high < table[9].predicted,
            "{table:?}"
        );
        assert!(brier(&observations, &honest).unwrap() < brier(&observations, &bold).unwrap());
        assert!(log_loss(&observations, &honest).unwrap() < log_loss(&observations, &bold).unwrap());
    }

    proptest! {
        #[test]
        fn bins_are_all_observations_once(
            data in prop::collection::vec((any::<bool>(), 0u8..=20), 1..80), bins in 0usize..15,
        ) {
            let observations: Vec<Observation> = data.iter().map(|one| moved(one.0)).collect();
            let chances: Vec<f64> = data.iter().map(|one| f64::from(one.1) / 20.0).collect();
            let table = calibration(&observations, &chances, bins).unwrap();
            prop_assert!(table.len() <= bins.max(1));
            prop_assert_eq!(table.iter().map(|bin| bin.count).sum::<usize>(), data.len());
            let errors = table.iter().map(|bin| bin.observed.value * bin.count as f64).sum::<f64>();
            prop_assert!((errors - data.iter().filter(|one| one.0).count() as f64).abs() < 1e-9);
            prop_assert!(table.windows(2).all(|two| two[0].range[1] < two[1].range[0]), "{table:?}");
            for bin in &table {
                prop_assert!(bin.range[0] <= bin.predicted + 1e-12, "{bin:?}");
                prop_assert!(bin.predicted <= bin.range[1] + 1e-12, "{bin:?}");
            }
        }

        /// For every true chance, no other chance has a smaller expected score.
        #[test]
        fn honesty_is_rewarded(truth in 1usize..20, said in 0.001..0.999) {
            let observations: Vec<Observation> = (0..20).map(|index| moved(index < truth)).collect();
            let (honest, other) = (vec![truth as f64 / 20.0; 20], vec![said; 20]);
            prop_assert!(
                brier(&observations, &honest).unwrap() <= brier(&observations, &other).unwrap() + 1e-12
            );
            prop_assert!(
                log_loss(&observations, &honest).unwrap() <= log_loss(&observations, &other).unwrap() + 1e-12
            );
        }
    }

    #[test]
    fn by_hand() {
        let observations = [moved(true), moved(false), moved(false), moved(true)];
        let chances = [0.8, 0.2, 0.6, 0.6];
        assert!((brier(&observations, &chances).unwrap() - (0.04 + 0.04 + 0.36 + 0.16) / 4.0).abs() < 1e-12);
        let expected = -(0.8f64.ln() + 0.8f64.ln() + 0.4f64.ln() + 0.6f64.ln()) / 4.0;
        assert!((log_loss(&observations, &chances).unwrap() - expected).abs() < 1e-12);
        let table = calibration(&observations, &chances, 2).unwrap();
        assert_eq!(table.len(), 2);
        assert_eq!((table[0].count, table[0].observed.value, table[0].range), (1, 0.0, [0.2, 0.2]));
        assert_eq!((table[1].count, table[1].range), (3, [0.6, 0.8]));
        assert!(
            (table[1].predicted - 2.0 / 3.0).abs() < 1e-12
                && (table[1].observed.value - 2.0 / 3.0).abs() < 1e-12
        );
    }

    #[test]
    fn certainty_that_is_wrong_costs_everything() {
        assert_eq!(log_loss(&[moved(true)], &[0.0]), Ok(f64::INFINITY));
        assert_eq!(log_loss(&[moved(true), moved(false)], &[1.0, 0.0]), Ok(0.0));
    }

    #[test]
    fn what_is_no_chance_is_refused() {
        assert_eq!(brier(&[], &[]), Err(PredictionError::Empty));
        assert_eq!(brier(&[moved(true)], &[1.5]), Err(PredictionError::NotAChance(0)));
        assert_eq!(calibration(&[moved(true)], &[f64::NAN], 10), Err(PredictionError::NotFinite(0)));
        assert_eq!(log_loss(&[moved(true)], &[]), Err(PredictionError::Unequal { found: 0, expected: 1 }));
    }
}
