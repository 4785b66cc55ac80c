//! Intervals by resampling games with replacement (the cluster bootstrap).
//!
//! *Reference:* B. Efron and R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, §13.3
//! (percentile interval); C. A. Field and A. H. Welsh, "Bootstrapping clustered data", 2007 (whole
//! clusters).

use super::PredictionError;
use crate::random::Random;
use crate::statistics::Estimate;

/// The settings of the resampling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// The number of resamples. The ends of the interval are quantiles of this many values; 2000 give
    /// them to about a twentieth of its length.
    pub resamples: usize,
    /// The seed. The same seed draws the same games.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Bootstrap {
        Bootstrap { resamples: 2000, seed: 1 }
    }
}

impl Bootstrap {
    /// Returns the 95 % percentile interval around `value` of a statistic. The statistic is a function
    /// of how often each group was drawn. Resamples for which it has no value, because all errors or all
    /// other moves were left out, do not count.
    pub(crate) fn interval(
        &self,
        value: f64,
        groups: usize,
        statistic: impl Fn(&[u32]) -> Option<f64>,
    ) -> Result<Estimate, PredictionError> {
        if groups < 2 {
            return Err(PredictionError::TooFewGroups { found: groups, needed: 2 });
        }
        let mut random = Random(self.seed);
        let mut drawn = vec![0; groups];
        let mut values = Vec::with_capacity(self.resamples);
        for _ in 0..self.resamples {
            drawn.fill(0);
            for _ in 0..groups {
                drawn[random.below(groups as u64) as usize] += 1;
            }
            values.extend(statistic(&drawn));
        }
        values.sort_by(f64::total_cmp);
        Ok(Estimate { value, low: quantile(&values, 0.025), high: quantile(&values, 0.975) })
    }
}

/// Interpolates between the two nearest values; returns NaN if there are none.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let below = place.floor() as usize;
    let above = sorted[(below + 1).min(last)];
    sorted[below] + (place - below as f64) * (above - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 1.0), 4.0);
        assert_eq!(quantile(&[7.0], 0.975), 7.0);
        assert!(quantile(&[], 0.5).is_nan());
    }

    /// The mean of numbers of which half are 0 and half are 1 varies by 1.96 · ½/√n.
    #[test]
    fn the_interval_of_a_mean_is_that_of_the_textbook() {
        let groups = 400;
        let mean = |drawn: &[u32]| {
            Some(
                drawn
                    .iter()
                    .enumerate()
                    .map(|(group, times)| f64::from(*times) * (group % 2) as f64)
                    .sum::<f64>()
                    / 400.0,
            )
        };
        let interval = Bootstrap { resamples: 4000, seed: 3 }.interval(0.5, groups, mean).unwrap();
        assert!((interval.error() - 1.96 * 0.5 / 20.0).abs() < 0.003, "{interval:?}");
        assert!((interval.low + interval.high - 1.0).abs() < 0.006, "{interval:?}");
    }

    #[test]
    fn one_game_has_no_interval() {
        let refused = Bootstrap::default().interval(0.5, 1, |_| Some(0.5));
        assert_eq!(refused, Err(PredictionError::TooFewGroups { found: 1, needed: 2 }));
    }
}
