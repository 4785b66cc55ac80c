//! Win probability: the meaning of a value in games between people.
//!
//! *Reference:* the curve that lichess.org publishes on its page on accuracy, fitted to games of players
//! rated about 2300: a draw counts half, and W = 1 / (1 + e^(−0.00368208 c)) for c hundredths of a pawn.
//! *Deviations:* none. The curve was fitted to the values of another engine. The values here are in the
//! same unit; how well the curve fits them has not been examined.

use cassius_search::Score;

/// The logit of the win probability per hundredth of a pawn.
pub const SLOPE: f64 = 0.003_682_08;

/// Returns the win probability, from 0 to 1, of the side that `score` is relative to.
///
/// ```
/// use cassius_insight::{chance, score_of};
/// use cassius_search::Score;
/// assert_eq!(chance(Score(0)), 0.5);
/// assert!((chance(Score(100)) - 0.591).abs() < 0.001);
/// assert_eq!(chance(Score::win_in(5)), 1.0);
/// assert_eq!(score_of(chance(Score(-250))), Score(-250));
/// ```
pub fn chance(score: Score) -> f64 {
    if score.is_decided() {
        return if score > Score::DRAW { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-SLOPE * f64::from(score.0)).exp())
}

/// Returns the score with this win probability: the inverse of [`chance`], to the nearest hundredth of a
/// pawn. For 0 and 1 it returns the smallest and greatest estimate.
pub fn score_of(chance: f64) -> Score {
    if chance <= 0.0 {
        return -Score::MAX_ESTIMATE;
    }
    if chance >= 1.0 {
        return Score::MAX_ESTIMATE;
    }
    Score(((chance / (1.0 - chance)).ln() / SLOPE).round() as i32).clamp_estimate()
}
