//! Judges models on games that they were not fitted to.
//!
//! *Reference:* M. Stone, "Cross-validatory choice and assessment of statistical predictions", 1974.
//! *Deviation:* whole games are left out.

use super::{Logistic, Observation, PredictionError, numbered_groups};
use crate::random::Random;

/// Splits the games into two halves, one to develop a model on and one to report. Returns the indices of
/// the observations of each half, in order. With an odd number of games the first half has one more. The
/// same seed gives the same halves.
///
/// # Errors
/// If there are fewer than two games.
pub fn halves(observations: &[Observation], seed: u64) -> Result<[Vec<usize>; 2], PredictionError> {
    let half = folds(observations, 2, seed)?;
    Ok([0, 1].map(|which| (0..half.len()).filter(|index| half[*index] == which).collect()))
}

/// Returns the fold of each observation, 0 to `count` − 1. Games are assigned to the folds in turn, in
/// an order drawn from the seed, so the numbers of games in the folds differ by at most one.
///
/// # Errors
/// If there are fewer games than folds, or fewer than two folds.
pub fn folds(observations: &[Observation], count: usize, seed: u64) -> Result<Vec<usize>, PredictionError> {
    let (groups, found) = numbered_groups(observations);
    if found < count.max(2) || count < 2 {
        return Err(PredictionError::TooFewGroups { found, needed: count.max(2) });
    }
    let mut places: Vec<usize> = (0..found).collect();
    Random(seed).shuffle(&mut places);
    Ok(groups.iter().map(|group| places[*group] % count).collect())
}

/// Returns the chance of an error for each observation, by the model fitted to the games of the other
/// folds.
///
/// # Errors
/// Those of [`folds`], and those of [`Logistic::fit`] for the fit without any one of the folds.
pub fn out_of_fold(
    observations: &[Observation],
    count: usize,
    ridge: f64,
    seed: u64,
) -> Result<Vec<f64>, PredictionError> {
    let fold = folds(observations, count, seed)?;
    let others = |left_out| observations.iter().zip(&fold).filter(move |(_, fold)| **fold != left_out);
    let models: Result<Vec<Logistic>, PredictionError> =
        (0..count).map(|left_out| Logistic::fit(others(left_out).map(|(one, _)| one), ridge)).collect();
    let models = models?;
    Ok(observations.iter().zip(&fold).map(|(one, fold)| models[*fold].chance(&one.features)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::generated::observations;
    use super::super::{RIDGE, auc};
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn of_games(games: &[usize]) -> Vec<Observation> {
        games.iter().map(|group| Observation { features: vec![], error: false, group: *group }).collect()
    }

    proptest! {
        #[test]
        fn folds_never_split_a_game(
            games in prop::collection::vec(0usize..40, 1..120), count in 2usize..8, seed in any::<u64>(),
        ) {
            let observations = of_games(&games);
            let mut distinct = games.clone();
            distinct.sort_unstable();
            distinct.dedup();
            let Ok(fold) = folds(&observations, count, seed) else {
                prop_assert!(distinct.len() < count);
                return Ok(());
            };
            let mut of_game = BTreeMap::new();
            for (game, fold) in games.iter().zip(&fold) {
                prop_assert_eq!(*of_game.entry(game).or_insert(fold), fold);
            }
            let mut sizes = vec![0; count];
            of_game.values().for_each(|fold| sizes[**fold] += 1);
            prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
            prop_assert_eq!(&fold, &folds(&observations, count, seed).unwrap());
        }

        #[test]
        fn halves_are_all_and_share_no_game(
            games in prop::collection::vec(0usize..40, 2..120), seed in any::<u64>(),
        ) {
            let observations = of_games(&games);
            if let Ok([develop, report]) = halves(&observations, seed) {
                let mut all = [develop.clone(), report.clone()].concat();
                all.sort_unstable();
                prop_assert_eq!(all, (0..games.len()).collect::<Vec<_>>());
                prop_assert!(develop.iter().all(|a| report.iter().all(|b| games[*a] != games[*b])));
            }
        }
    }

    #[test]
    fn another_seed_makes_other_halves() {
        let observations = of_games(&(0..50).collect::<Vec<_>>());
        assert_ne!(halves(&observations, 1), halves(&observations, 2));
        assert_eq!(halves(&observations[..1], 1), Err(PredictionError::TooFewGroups { found: 1, needed: 2 }));
        assert_eq!(folds(&observations, 1, 1), Err(PredictionError::TooFewGroups { found: 50, needed: 2 }));
        assert_eq!(folds(&observations, 51, 1), Err(PredictionError::TooFewGroups { found: 50, needed: 51 }));
    }

    /// With few observations, features without information look good on the data of the fit, but not on
    /// other data.
    #[test]
    fn what_is_learnt_by_heart_is_not_known() {
        let observations = observations(120, 2, &[0.0; 12], 0.0, 4);
        let model = Logistic::fit(&observations, RIDGE).unwrap();
        let learnt: Vec<f64> = observations.iter().map(|one| model.chance(&one.features)).collect();
        let predicted = out_of_fold(&observations, 10, RIDGE, 1).unwrap();
        assert!(auc(&observations, &learnt).unwrap() > 0.65);
        assert!(auc(&observations, &predicted).unwrap() < 0.6);
    }

    /// Neither the outcome of an observation nor anything else of its game influences its chance.
    #[test]
    fn a_game_does_not_predict_itself() {
        let mut observations = observations(90, 3, &[1.0, -1.0], 0.0, 4);
        let before = out_of_fold(&observations, 5, RIDGE, 1).unwrap();
        let game = observations[30].group;
        observations.iter_mut().filter(|one| one.group == game).for_each(|one| one.error = !one.error);
        let after = out_of_fold(&observations, 5, RIDGE, 1).unwrap();
        for (index, one) in observations.iter().enumerate().filter(|(_, one)| one.group == game) {
            assert_eq!(before[index], after[index], "{one:?}");
        }
        assert_ne!(before, after);
    }
}
