//! What the engine's levels of limited strength are worth: fits [`Levels`] to games against another engine
//! whose levels have ratings.
//!
//! A *meeting* is a match between the engine with a number of nodes a move and the other engine at a rating.
//! The expected score is that of Elo's formula, with the rating that [`Levels`] gives the number of nodes.

use crate::prediction::logistic::solve;
use crate::statistics::score_of_elo;
use cassius_chess::levels::Levels;
use serde::{Deserialize, Serialize};

/// The games of the engine with a number of nodes a move against the other engine at a rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meeting {
    /// The number of nodes a move of the engine.
    pub nodes: u64,
    /// The rating of the other engine.
    pub rating: f64,
    /// The numbers of games that the engine won, drew and lost.
    pub games: [u64; 3],
}

impl Meeting {
    fn played(&self) -> f64 {
        self.games.iter().sum::<u64>() as f64
    }

    fn points(&self) -> f64 {
        self.games[0] as f64 + 0.5 * self.games[1] as f64
    }

    /// Returns the score of the engine, from 0 to 1.
    pub fn score(&self) -> f64 {
        self.points() / self.played()
    }
}

/// Why nothing was fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelsError {
    /// Three weights need meetings with three numbers of nodes.
    #[error("meetings with at least three numbers of nodes are needed")]
    TooFew,
    /// The games do not say how strong the levels are.
    #[error("more nodes do not mean a higher rating in these games")]
    Unsound,
}

/// Fits the levels by maximum likelihood; a draw counts as half a win and half a loss.
///
/// ```
/// use cassius_lab::levels::{Meeting, fit};
/// let meeting = |nodes, rating, wins, losses| Meeting { nodes, rating, games: [wins, 10, losses] };
/// let meetings = [
///     meeting(100, 1500.0, 30, 30),
///     meeting(1000, 1900.0, 40, 20),
///     meeting(10_000, 2300.0, 35, 25),
/// ];
/// let levels = fit(&meetings)?;
/// assert!((levels.rating(100) - 1500.0).abs() < 20.0);
/// # Ok::<(), cassius_lab::levels::LevelsError>(())
/// ```
///
/// # Errors
/// If there are too few meetings, or if more nodes did not give more points.
pub fn fit(meetings: &[Meeting]) -> Result<Levels, LevelsError> {
    let meetings: Vec<&Meeting> = meetings.iter().filter(|it| it.played() > 0.0).collect();
    let mut nodes: Vec<u64> = meetings.iter().map(|it| it.nodes.max(1)).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let [least, .., most] = nodes[..] else { return Err(LevelsError::TooFew) };
    if nodes.len() < 3 {
        return Err(LevelsError::TooFew);
    }
    // Powers of x around its middle: the steps are then of one size.
    let middle = (least as f64).log2().midpoint((most as f64).log2());
    let powers = |nodes: u64| {
        let x = (nodes.max(1) as f64).log2() - middle;
        [1.0, x, x * x]
    };
    let mean = meetings.iter().map(|it| it.rating).sum::<f64>() / meetings.len() as f64;
    let mut weights = [mean, 100.0, 0.0];
    for _ in 0..STEPS {
        // One step of Newton's method. A weak prior keeps it finite where every game was won or lost.
        let (mut gradient, mut curvature) = (vec![0.0; 3], vec![vec![0.0; 3]; 3]);
        for (at, (prior, deviation)) in PRIOR.into_iter().enumerate() {
            let prior = if at == 0 { mean } else { prior };
            gradient[at] += (prior - weights[at]) / (deviation * deviation);
            curvature[at][at] += 1.0 / (deviation * deviation);
        }
        for it in &meetings {
            let powers = powers(it.nodes);
            let rating: f64 = powers.iter().zip(weights).map(|(power, weight)| power * weight).sum();
            let expected = score_of_elo(rating - it.rating);
            for at in 0..3 {
                gradient[at] += SCALE * (it.points() - it.played() * expected) * powers[at];
                for other in 0..3 {
                    let weight = SCALE * SCALE * it.played() * expected * (1.0 - expected);
                    curvature[at][other] += weight * powers[at] * powers[other];
                }
            }
        }
        let change = solve(curvature, gradient).ok_or(LevelsError::Unsound)?;
        let longest = change.iter().zip(LONGEST).map(|(step, most)| step.abs() / most).fold(1.0, f64::max);
        weights.iter_mut().zip(change).for_each(|(weight, step)| *weight += step / longest);
    }
    let [a, b, c] = weights;
    let weights = [a - middle * (b - middle * c), b - 2.0 * middle * c, c];
    Levels::parse(&Levels { weights, nodes: [least, most] }.to_text("")).ok_or(LevelsError::Unsound)
}

/// Natural logarithms of odds per point of rating.
const SCALE: f64 = std::f64::consts::LN_10 / 400.0;
/// More than enough for convergence.
const STEPS: usize = 200;
/// Expected weights and their deviations: around the mean of the ratings, 100 points for twice the nodes.
const PRIOR: [(f64, f64); 3] = [(0.0, 1000.0), (100.0, 100.0), (0.0, 5.0)];
/// The longest steps of the three weights.
const LONGEST: [f64; 3] = [100.0, 20.0, 2.0];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn the_levels_of_simulated_games_are_found() {
        let truth = Levels { weights: [700.0, 90.0, 1.0], nodes: [32, 65_536] };
        let mut random = Random(3);
        let mut meetings = Vec::new();
        for rating in [1400.0, 1700.0, 2000.0, 2300.0] {
            for factor in [0.5, 1.0, 2.0] {
                let nodes = (truth.nodes(rating) as f64 * factor) as u64;
                let expected = score_of_elo(truth.rating(nodes) - rating);
                let wins =
                    (0..400).filter(|_| (random.below(1_000_000) as f64) < 1e6 * expected).count() as u64;
                meetings.push(Meeting { nodes, rating, games: [wins, 0, 400 - wins] });
            }
        }
        let levels = fit(&meetings).expect("levels");
        for rating in [1500.0, 1900.0, 2200.0] {
            assert!((levels.rating(truth.nodes(rating)) - rating).abs() < 30.0, "{levels:?}");
        }
    }

    #[test]
    fn won_and_lost_meetings_give_finite_levels() {
        let meeting = |nodes, rating, games| Meeting { nodes, rating, games };
        let levels = fit(&[
            meeting(50, 1400.0, [0, 0, 40]),
            meeting(500, 1400.0, [20, 0, 20]),
            meeting(5000, 1400.0, [40, 0, 0]),
        ]);
        assert!(levels.is_ok_and(|levels| (levels.rating(500) - 1400.0).abs() < 50.0));
    }

    #[test]
    fn what_says_nothing_is_refused() {
        assert_eq!(fit(&[]), Err(LevelsError::TooFew));
        let meeting = |nodes, games| Meeting { nodes, rating: 2000.0, games };
        let worse = [meeting(50, [40, 0, 0]), meeting(500, [20, 0, 20]), meeting(5000, [0, 0, 40])];
        assert_eq!(fit(&worse), Err(LevelsError::Unsound));
    }
}
