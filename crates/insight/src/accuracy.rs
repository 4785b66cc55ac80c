//! Accuracy of the players of a game, in percent, as players know it.
//!
//! *Reference:* lichess.org/page/accuracy for the accuracy of a move; `AccuracyPercent` of its source
//! (lila) for that of a game: the mean of the harmonic mean and of a mean that weights each move by how
//! much the win probability changes around it.
//! *Deviations:* the win probabilities are those of Cassius.

/// Returns the accuracy of a move, from 0 to 100, that changes the win probability of its side, in
/// percent.
///
/// ```
/// use cassius_insight::move_accuracy;
/// assert_eq!(move_accuracy(50.0, 55.0), 100.0);
/// assert!((move_accuracy(50.0, 40.0) - 64.6).abs() < 0.1);
/// assert_eq!(move_accuracy(100.0, 0.0), 0.0);
/// ```
pub fn move_accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    // One percent is added because a value is uncertain.
    let raw =
        103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * (before - after)).exp() - 3.166_924_740_191_411;
    (raw + 1.0).clamp(0.0, 100.0)
}

/// Returns the accuracies of White and Black in a game, from 0 to 100. `chances` are the win
/// probabilities of White, from 0 to 1, at the start and after each move. A side without a move has none.
pub(crate) fn game_accuracy(chances: &[f64], white_begins: bool) -> [Option<f64>; 2] {
    let percents: Vec<f64> = chances.iter().map(|chance| 100.0 * chance).collect();
    let moves = percents.len().saturating_sub(1);
    let width = (moves / 10).clamp(2, 8);
    // One window for each move: the first ones are those of the start.
    let weight = |index: usize| {
        let from = (index + 2).saturating_sub(width);
        let window = &percents[from..(from + width).min(percents.len())];
        deviation(window).clamp(0.5, 12.0)
    };
    [true, false].map(|white| {
        let own = (0..moves).filter(|index| (index % 2 == 0) == (white == white_begins));
        let accuracies: Vec<(f64, f64)> = own
            .map(|index| {
                let (before, after) = (percents[index], percents[index + 1]);
                let accuracy = match white {
                    true => move_accuracy(before, after),
                    false => move_accuracy(100.0 - before, 100.0 - after),
                };
                (accuracy, weight(index))
            })
            .collect();
        let weights: f64 = accuracies.iter().map(|(_, weight)| weight).sum();
        let weighted = accuracies.iter().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / weights;
        let inverse: f64 = accuracies.iter().map(|(accuracy, _)| 1.0 / accuracy.max(1.0)).sum();
        let harmonic = accuracies.len() as f64 / inverse;
        (!accuracies.is_empty()).then_some((weighted + harmonic) / 2.0)
    })
}

/// Returns the standard deviation of these numbers.
fn deviation(numbers: &[f64]) -> f64 {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_loses_nothing_has_a_hundred() {
        let chances = [0.5, 0.5, 0.6, 0.6, 0.7];
        let [white, black] = game_accuracy(&chances, true);
        assert_eq!(white, Some(100.0));
        assert!(black.unwrap() < 75.0, "{black:?}");
    }

    #[test]
    fn colours_are_told_apart() {
        let chances = [0.5, 0.2, 0.2];
        let [white, black] = game_accuracy(&chances, true);
        assert!(white.unwrap() < 30.0 && black == Some(100.0), "{white:?} {black:?}");
        let [white, black] = game_accuracy(&chances, false);
        assert!(white == Some(100.0) && black == Some(100.0), "Black's move raised Black's chances");
        assert_eq!(game_accuracy(&[0.5], true), [None, None]);
        assert_eq!(game_accuracy(&[0.5, 0.4], true)[1], None);
    }

    /// Where all moves are alike, weights do not matter: both means are the accuracy of the move.
    #[test]
    fn equal_moves_have_their_own_accuracy() {
        let chances = [0.9, 0.8, 0.8, 0.7, 0.7, 0.6, 0.6];
        let [white, _] = game_accuracy(&chances, true);
        assert!((white.unwrap() - move_accuracy(90.0, 80.0)).abs() < 1e-9, "{white:?}");
    }
}
