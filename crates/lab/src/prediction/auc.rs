//! The area under the receiver operating characteristic: the chance that an error scores higher than a
//! move that was none, where equal scores count one half. A score with area ½ has no information, a
//! score with area 1 separates all errors from other moves. Below ½, the negated score predicts errors.
//!
//! *Reference:* J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver
//! operating characteristic (ROC) curve", 1982: the area is the statistic of Mann and Whitney 1947,
//! divided by the number of pairs.

use super::{Bootstrap, Observation, PredictionError, check_classes, check_scores, numbered_groups};
use crate::statistics::Estimate;

/// Returns the area, 0 to 1, of a score for each observation.
///
/// ```
/// use cassius_lab::prediction::{Observation, auc};
/// let moved = |error| Observation { features: vec![], error, group: 0 };
/// let observations = [moved(true), moved(false), moved(true), moved(false)];
/// assert_eq!(auc(&observations, &[0.9, 0.1, 0.4, 0.4]), Ok(0.875));
/// ```
///
/// # Errors
/// If there is not one finite score for each observation, or there are only errors or none.
pub fn auc(observations: &[Observation], scores: &[f64]) -> Result<f64, PredictionError> {
    check(observations, scores)?;
    let alone = vec![0; observations.len()];
    let area = Ranking::new(observations, &alone, scores).area(&[1]);
    Ok(area.unwrap_or(0.5)) // both classes occur, as checked above
}

/// Returns the area, with an interval from resampled games.
///
/// # Errors
/// Those of [`auc`], and if there are fewer than two games.
pub fn auc_interval(
    observations: &[Observation],
    scores: &[f64],
    bootstrap: &Bootstrap,
) -> Result<Estimate, PredictionError> {
    let value = auc(observations, scores)?;
    let (groups, count) = numbered_groups(observations);
    let ranking = Ranking::new(observations, &groups, scores);
    bootstrap.interval(value, count, |drawn| ranking.area(drawn))
}

/// Returns by how much the area of the first score is larger, with an interval of the difference. Both
/// areas are computed on the same resampled games, so a game that is hard for both scores does not widen
/// the interval.
///
/// # Errors
/// Those of [`auc_interval`].
pub fn auc_difference(
    observations: &[Observation],
    first: &[f64],
    second: &[f64],
    bootstrap: &Bootstrap,
) -> Result<Estimate, PredictionError> {
    let value = auc(observations, first)? - auc(observations, second)?;
    let (groups, count) = numbered_groups(observations);
    let [first, second] = [first, second].map(|scores| Ranking::new(observations, &groups, scores));
    bootstrap.interval(value, count, |drawn| Some(first.area(drawn)? - second.area(drawn)?))
}

fn check(observations: &[Observation], scores: &[f64]) -> Result<(), PredictionError> {
    check_scores(observations, scores)?;
    check_classes(observations.iter().map(|observation| observation.error))
}

/// The observations in the order of their scores, sorted once for all resamples.
struct Ranking(Vec<Ranked>);

struct Ranked {
    group: usize,
    error: bool,
    /// Whether the next observation has the same score.
    tied: bool,
}

impl Ranking {
    fn new(observations: &[Observation], groups: &[usize], scores: &[f64]) -> Ranking {
        let mut order: Vec<usize> = (0..observations.len()).collect();
        order.sort_by(|a, b| scores[*a].total_cmp(&scores[*b]));
        let ranked = order.iter().enumerate().map(|(place, index)| Ranked {
            group: groups[*index],
            error: observations[*index].error,
            // 0 and −0 are equal, and adjacent in this order.
            tied: order.get(place + 1).is_some_and(|next| scores[*next] == scores[*index]),
        });
        Ranking(ranked.collect())
    }

    /// Returns the area if each group occurs the given number of times; `None` if only errors remain, or
    /// none.
    fn area(&self, drawn: &[u32]) -> Option<f64> {
        let mut below = 0; // number of other moves that score lower
        let (mut errors, mut others) = (0, 0); // numbers with the current score
        let (mut all_errors, mut twice_won) = (0, 0u64);
        for ranked in &self.0 {
            let times = u64::from(drawn[ranked.group]);
            if ranked.error {
                errors += times
            } else {
                others += times
            }
            if !ranked.tied {
                twice_won += errors * (2 * below + others);
                below += others;
                all_errors += errors;
                (errors, others) = (0, 0);
            }
        }
        let pairs = all_errors * below;
        (pairs > 0).then(|| twice_won as f64 / (2 * pairs) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::generated::observations;
    use super::*;
    use proptest::prelude::*;

    /// Computes the area by its definition, over all pairs.
    fn by_pairs(observations: &[Observation], scores: &[f64]) -> f64 {
        let (mut won, mut pairs) = (0.0, 0.0);
        for (error, high) in observations.iter().zip(scores).filter(|(observation, _)| observation.error) {
            for (other, low) in observations.iter().zip(scores).filter(|(observation, _)| !observation.error)
            {
                assert!(error.error && !other.error);
                pairs += 1.0;
                won += if high > low {
                    1.0
                } else if high == low {
                    0.5
                } else {
                    0.0
                };
            }
        }
        won / pairs
    }

    /// Generates observations of both classes, from a few games, with scores that are often equal.
    fn scored() -> impl Strategy<Value = (Vec<Observation>, Vec<f64>)> {
        prop::collection::vec((any::<bool>(), 0usize..6, -4i8..5), 2..60)
            .prop_filter("errors and other moves", |all| check_classes(all.iter().map(|one| one.0)).is_ok())
            .prop_map(|all| {
                let observed = |one: &(bool, usize, i8)| Observation {
                    features: vec![],
                    error: one.0,
                    group: one.1 * 7,
                };
                (all.iter().map(observed).collect(), all.iter().map(|one| f64::from(one.2) / 2.0).collect())
            })
    }

    proptest! {
        #[test]
        fn is_the_definition((observations, scores) in scored()) {
            let area = auc(&observations, &scores).unwrap();
            prop_assert!((area - by_pairs(&observations, &scores)).abs() < 1e-12);
        }

        #[test]
        fn only_the_order_counts((observations, scores) in scored()) {
            let area = auc(&observations, &scores).unwrap();
            let stretched: Vec<f64> = scores.iter().map(|score| score.exp() * 3.0 - 1.0).collect();
            prop_assert_eq!(auc(&observations, &stretched).unwrap(), area);
            let reversed: Vec<f64> = scores.iter().map(|score| -score).collect();
            prop_assert!((auc(&observations, &reversed).unwrap() - (1.0 - area)).abs() < 1e-12);
        }

        #[test]
        fn a_constant_says_nothing((observations, scores) in scored(), constant in -1e9..1e9) {
            prop_assert_eq!(auc(&observations, &vec![constant; scores.len()]).unwrap(), 0.5);
        }

        /// A game that is drawn twice counts as two copies of the game.
        #[test]
        fn a_draw_is_a_sample(
            (observations, scores) in scored(), times in prop::collection::vec(0u32..4, 6),
        ) {
            let (groups, count) = numbered_groups(&observations);
            let ranking = Ranking::new(&observations, &groups, &scores);
            let (mut again, mut again_scores) = (vec![], vec![]);
            for ((observation, score), group) in observations.iter().zip(&scores).zip(&groups) {
                for _ in 0..times[*group] {
                    again.push(observation.clone());
                    again_scores.push(*score);
                }
            }
            let expected = auc(&again, &again_scores).ok();
            prop_assert_eq!(ranking.area(&times[..count]), expected);
        }

        #[test]
        fn the_interval_is_the_same_again((observations, scores) in scored(), seed in any::<u64>()) {
            let bootstrap = Bootstrap { resamples: 50, seed };
            let once = auc_interval(&observations, &scores, &bootstrap);
            let again = auc_interval(&observations, &scores, &bootstrap);
            prop_assert_eq!(format!("{once:?}"), format!("{again:?}"));
        }

        #[test]
        fn a_score_is_as_good_as_itself((observations, scores) in scored()) {
            let stretched: Vec<f64> = scores.iter().map(|score| score * 2.0 + 1.0).collect();
            if let Ok(none) =
                auc_difference(&observations, &scores, &stretched, &Bootstrap { resamples: 50, seed: 1 })
            {
                prop_assert_eq!(none.value, 0.0);
                prop_assert!(none.low.is_nan() || (none.low, none.high) == (0.0, 0.0));
            }
        }
    }

    /// The interval agrees with that of Hanley and McNeil for independent observations, whose deviation
    /// of the area has a formula.
    #[test]
    fn with_a_game_for_each_position_it_is_hanley_and_mcneils() {
        let observations = observations(2000, 1, &[1.0], -1.0, 11);
        let scores = super::super::column(&observations, 0).unwrap();
        let interval = auc_interval(&observations, &scores, &Bootstrap::default()).unwrap();
        let area = interval.value;
        let errors = observations.iter().filter(|observation| observation.error).count() as f64;
        let others = observations.len() as f64 - errors;
        let (q1, q2) = (area / (2.0 - area), 2.0 * area * area / (1.0 + area));
        let variance =
            (area * (1.0 - area) + (errors - 1.0) * (q1 - area * area) + (others - 1.0) * (q2 - area * area))
                / (errors * others);
        let expected = 1.96 * variance.sqrt();
        assert!((interval.error() / expected - 1.0).abs() < 0.1, "{interval:?} but ± {expected}");
    }

    /// Every position occurs five times in its game: there are five times as many observations, but no
    /// more information.
    #[test]
    fn repeated_positions_are_no_evidence() {
        let once = observations(400, 4, &[1.0], -1.0, 5);
        let often: Vec<Observation> = once.iter().flat_map(|one| vec![one.clone(); 5]).collect();
        let interval = |observations: &[Observation]| {
            auc_interval(observations, &super::super::column(observations, 0).unwrap(), &Bootstrap::default())
                .unwrap()
        };
        let (once, often) = (interval(&once), interval(&often));
        assert_eq!(once, often);
    }

    /// On the same games, a better score is recognised as better although the two separate intervals
    /// overlap.
    #[test]
    fn a_paired_difference_is_sharper() {
        let observations = observations(1500, 5, &[1.0, 0.35], -1.0, 8);
        let bootstrap = Bootstrap { resamples: 1000, seed: 2 };
        let [first, second] = [0, 1].map(|feature| super::super::column(&observations, feature).unwrap());
        let both: Vec<f64> = first.iter().zip(&second).map(|(a, b)| a + 0.35 * b).collect();
        let difference = auc_difference(&observations, &both, &first, &bootstrap).unwrap();
        assert!(difference.low > 0.0, "{difference:?}");
        let [one, two] =
            [&both, &first].map(|scores| auc_interval(&observations, scores, &bootstrap).unwrap());
        assert!(two.high > one.low && difference.error() < one.error(), "{one:?} {two:?} {difference:?}");
        let opposite = auc_difference(&observations, &first, &both, &bootstrap).unwrap();
        assert!(
            (opposite.value + difference.value).abs() < 1e-12
                && (opposite.low + difference.high).abs() < 1e-12
        );
    }

    #[test]
    fn what_cannot_be_ranked_is_refused() {
        let moved = |error| Observation { features: vec![], error, group: 0 };
        let two = [moved(true), moved(false)];
        assert_eq!(auc(&[], &[]), Err(PredictionError::Empty));
        assert_eq!(auc(&two, &[1.0]), Err(PredictionError::Unequal { found: 1, expected: 2 }));
        assert_eq!(auc(&two, &[1.0, f64::NAN]), Err(PredictionError::NotFinite(1)));
        assert_eq!(
            auc(&[moved(true), moved(true)], &[1.0, 2.0]),
            Err(PredictionError::OneClass { errors: true })
        );
        assert_eq!(auc(&[moved(false)], &[1.0]), Err(PredictionError::OneClass { errors: false }));
        let refused = auc_interval(&two, &[1.0, 2.0], &Bootstrap::default());
        assert_eq!(refused, Err(PredictionError::TooFewGroups { found: 1, needed: 2 }));
    }
}
