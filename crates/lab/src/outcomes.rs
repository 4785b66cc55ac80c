//! How games end from positions with a given value: fits [`Odds`] to games of the engine with itself.

use crate::data::DataGame;
use crate::prediction::{Bin, Logistic, Observation, PredictionError, RIDGE, calibration};
use crate::statistics::Estimate;
use cassius_chess::odds::Odds;
use cassius_chess::pgn::GameResult;
use cassius_search::Score;
use shakmaty::Color;
use std::collections::BTreeSet;

/// Positions with their values and results, seen from each side.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    seen: Vec<Seen>,
    games: usize,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    /// For the side that it is seen from.
    value: i16,
    pieces: u8,
    won: bool,
    /// Whether this is the side to move.
    moves: bool,
    game: usize,
}

/// Weights with how well they predict.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The weights.
    pub odds: Odds,
    /// Chances of a win predicted and wins, for positions of every fifth game, to which nothing was fitted.
    /// Each is seen from the side to move only. The intervals keep the positions of a game together.
    pub bins: Vec<Bin>,
}

impl Outcomes {
    /// One game in this many is held out.
    const HELD_OUT: usize = 5;
    /// One position in this many is used. Those beside it have nearly the same value and the same result.
    const STRIDE: usize = 8;
    /// Larger values are not used: their games are decided.
    const MOST: u16 = 1_500;

    /// Adds positions of a game, unless it is unfinished.
    pub fn add(&mut self, game: &DataGame) {
        let white = match game.result {
            GameResult::WhiteWins => [true, false],
            GameResult::BlackWins => [false, true],
            GameResult::Draw => [false, false],
            GameResult::Unfinished => return,
        };
        let first = self.games % Self::STRIDE;
        for (position, _, value) in game.positions().skip(first).step_by(Self::STRIDE) {
            if value.unsigned_abs() <= Self::MOST {
                let pieces = position.board().occupied().count() as u8;
                let of_white = [true, false].map(|of_white| of_white == (position.turn() == Color::White));
                for ((value, won), moves) in [value, -value].into_iter().zip(white).zip(of_white) {
                    self.seen.push(Seen { value, pieces, won, moves, game: self.games });
                }
            }
        }
        self.games += 1;
    }

    /// Returns the numbers of games and of positions used.
    pub fn counts(&self) -> (usize, usize) {
        (self.games, self.seen.len() / 2)
    }

    /// Fits the weights.
    ///
    /// # Errors
    /// If there are too few games, or no sound weights fit: a greater value must mean a greater chance.
    pub fn fit(&self) -> Result<Fitted, OutcomesError> {
        let observation = |seen: &Seen| {
            let [value, pieces] = [f64::from(seen.value), f64::from(seen.pieces) / 32.0];
            let powers = [1.0, pieces, pieces * pieces];
            let features = powers.iter().map(|power| value * power).chain(powers[1..].iter().copied());
            Observation { features: features.collect(), error: seen.won, group: seen.game }
        };
        let (mut held_out, fitted): (Vec<Seen>, Vec<Seen>) =
            self.seen.iter().partition(|seen| seen.game.is_multiple_of(Self::HELD_OUT));
        held_out.retain(|seen| seen.moves);
        let observations: Vec<Observation> = fitted.iter().map(observation).collect();
        let Logistic { intercept, coefficients } = Logistic::fit(&observations, RIDGE)?;
        let [a, b, c, d, e] = coefficients[..] else { return Err(OutcomesError::Unsound) };
        let odds = Odds { slope: [a, b, c], distance: [-intercept, -d, -e] };
        let odds = Odds::parse(&odds.to_text("")).ok_or(OutcomesError::Unsound)?;
        let chance =
            |seen: &Seen| f64::from(odds.of(Score(seen.value.into()), seen.pieces.into())[0]) / 1000.0;
        let chances: Vec<f64> = held_out.iter().map(chance).collect();
        let observations: Vec<Observation> = held_out.iter().map(observation).collect();
        let mut bins = calibration(&observations, &chances, 10)?;
        for bin in &mut bins {
            let [least, most] = bin.range;
            let within = held_out.iter().zip(&chances).filter(|(_, chance)| (least..=most).contains(*chance));
            bin.observed = share_won(within.map(|(seen, _)| seen));
        }
        Ok(Fitted { odds, bins })
    }
}

/// Returns the share of positions that were won, with an interval that keeps games together. It contains that
/// of independent positions, which near 0 and 1 is longer to one side. If all were won, or none, the interval
/// is that of so many games.
fn share_won<'a>(seen: impl Iterator<Item = &'a Seen> + Clone) -> Estimate {
    let games = seen.clone().map(|seen| seen.game).collect::<BTreeSet<_>>().len();
    let (won, all) = (seen.clone().filter(|seen| seen.won).count(), seen.clone().count());
    if won == 0 || won == all {
        return Estimate::of_share(if won == 0 { 0 } else { games }, games);
    }
    let points = seen.map(|seen| (seen.game, f64::from(u8::from(seen.won))));
    let (together, apart) = (Estimate::of_mean(points), Estimate::of_share(won, all));
    let (low, high) = (together.low.max(0.0).min(apart.low), together.high.min(1.0).max(apart.high));
    Estimate { value: apart.value, low, high }
}

/// Why nothing was fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OutcomesError {
    /// The games do not suffice.
    #[error("these games do not suffice: {0}")]
    Prediction(#[from] PredictionError),
    /// The weights make no sense.
    #[error("a greater value does not mean a greater chance to win in these games")]
    Unsound,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use cassius_chess::Position;
    use cassius_search::Game as _;

    /// Games of one position whose results follow known odds.
    fn outcomes(odds: &Odds, games: usize) -> Outcomes {
        let (mut random, mut outcomes) = (Random(1), Outcomes::default());
        let starts = ["4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", "startpos"];
        for number in 0..games {
            let start: Position = starts[number / Outcomes::STRIDE % 2].parse().expect("a position");
            let value = random.below(600) as i16 - 300;
            let pieces = start.board().occupied().count();
            let [win, draw, _] = odds.of(Score(value.into()), pieces);
            let result = match random.below(1000) as u32 {
                drawn if drawn < win => GameResult::WhiteWins,
                drawn if drawn < win + draw => GameResult::Draw,
                _ => GameResult::BlackWins,
            };
            let mv = start.legal_moves()[0];
            outcomes.add(&DataGame { start, result, moves: vec![(mv, value)] });
        }
        outcomes
    }

    #[test]
    fn what_made_the_results_is_found() {
        let odds = Odds { slope: [0.02, -0.01, 0.0], distance: [1.0, 1.6, 0.0] };
        // One game in eight has its first position used.
        let outcomes = outcomes(&odds, 40_000);
        let fitted = outcomes.fit().expect("weights");
        for pieces in [6, 32] {
            for value in [-200, 0, 150] {
                let [wanted, found] =
                    [&odds, &fitted.odds].map(|odds| odds.of(Score(value), pieces).map(f64::from));
                for (wanted, found) in wanted.iter().zip(found) {
                    assert!((wanted - found).abs() < 40.0, "{pieces} {value}: {wanted} {found}");
                }
            }
        }
        assert!(fitted.bins.iter().all(|bin| (bin.predicted - bin.observed.value).abs() < 0.1));
    }

    #[test]
    fn positions_count_once_and_games_stay_together() {
        let odds = Odds { slope: [0.02, -0.01, 0.0], distance: [1.0, 1.6, 0.0] };
        let (mut random, mut outcomes, mut held_out) = (Random(3), Outcomes::default(), 0);
        let starts = ["4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", "startpos"];
        for number in 0..2_000 {
            let start: Position = starts[number / Outcomes::STRIDE % 2].parse().expect("a position");
            let value = random.below(600) as i16 - 300;
            let [win, draw, _] = odds.of(Score(value.into()), start.board().occupied().count());
            let result = match random.below(1000) as u32 {
                drawn if drawn < win => GameResult::WhiteWins,
                drawn if drawn < win + draw => GameResult::Draw,
                _ => GameResult::BlackWins,
            };
            let (mut position, mut moves) = (start.clone(), Vec::new());
            while let (0..40, Some(mv)) = (moves.len(), position.legal_moves().first().copied()) {
                position.play(mv);
                moves.push((mv, value));
            }
            if number.is_multiple_of(Outcomes::HELD_OUT) {
                held_out += moves.len().saturating_sub(number % Outcomes::STRIDE).div_ceil(Outcomes::STRIDE);
            }
            outcomes.add(&DataGame { start, result, moves });
        }
        let bins = outcomes.fit().expect("weights").bins;
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<usize>(), held_out);
        let (mut together, mut apart) = (0.0, 0.0);
        for bin in bins {
            let won = (bin.observed.value * bin.count as f64).round() as usize;
            let independent = Estimate::of_share(won, bin.count);
            assert!(bin.observed.low <= independent.low && independent.high <= bin.observed.high, "{bin:?}");
            together += bin.observed.error();
            apart += independent.error();
        }
        // Some five positions of a game are as one.
        assert!(together > 1.6 * apart, "{together} {apart}");
    }

    #[test]
    fn a_share_has_the_interval_of_games() {
        let seen = |game: usize, won| Seen { value: 0, pieces: 32, won, moves: true, game };
        let none: Vec<Seen> = (0..30).map(|number| seen(number / 10, false)).collect();
        assert_eq!(share_won(none.iter()), Estimate::of_share(0, 3));
        let all: Vec<Seen> = none.iter().map(|it| Seen { won: true, ..*it }).collect();
        assert_eq!(share_won(all.iter()), Estimate::of_share(3, 3));
        let mixed: Vec<Seen> = (0..100).map(|number| seen(number / 10, number < 50)).collect();
        let share = share_won(mixed.iter());
        // The textbook: 2.262 · √(¼ / 9).
        assert!(share.value == 0.5 && (share.error() - 0.377).abs() < 0.003, "{share:?}");
    }

    #[test]
    fn too_few_games_are_refused() {
        assert!(matches!(Outcomes::default().fit(), Err(OutcomesError::Prediction(_))));
    }
}
