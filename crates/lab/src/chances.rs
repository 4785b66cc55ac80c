//! What values mean in games between people: fits the slope of the [win probability](cassius_insight::chance)
//! to the results of rated games.
//!
//! A position with a value of c hundredths of a pawn is won with the probability 1/(1 + e^(−s·c)), where a
//! draw is half a win. The slope s maximises the likelihood. Positions of one game have one result, so the
//! interval of s is that of a sum over games.
//!
//! *Reference:* for the interval, the estimate of H. White, "Maximum likelihood estimation of misspecified
//! models", Econometrica 50, 1982, with a game as the unit; its length for few games as that of
//! [`Estimate::of_mean`].

use crate::human::Scene;
use crate::rated::RatedGame;
use crate::statistics::{Estimate, student};
use cassius_chess::pgn::GameResult;
use cassius_insight::score_of;
use shakmaty::Color;

/// Players whose ratings differ by more than this are left out: the better one wins more often than the value
/// says.
pub const EQUALS: f64 = 100.0;

/// Of fewer games no slope is told.
const LEAST: usize = 10;

/// A position of a game, seen by one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The value in hundredths of a pawn.
    pub value: f64,
    /// What the game gave this side: 0, ½ or 1.
    pub points: f64,
    /// The number of the game. Positions of one game stand together.
    pub game: usize,
}

/// Returns the positions of finished games between equals with a mean rating in this range.
pub fn seen(scenes: &[&Scene], games: &[RatedGame], ratings: std::ops::Range<f64>) -> Vec<Seen> {
    let of = |scene: &&Scene| {
        let RatedGame { game, elo: [white, black] } = &games[scene.game];
        let whites = match game.result {
            GameResult::WhiteWins => 1.0,
            GameResult::Draw => 0.5,
            GameResult::BlackWins => 0.0,
            GameResult::Unfinished => return None,
        };
        if (white - black).abs() > EQUALS || !ratings.contains(&white.midpoint(*black)) {
            return None;
        }
        let turn = if scene.found.ply.is_multiple_of(2) { game.start.turn() } else { !game.start.turn() };
        let points = if turn == Color::White { whites } else { 1.0 - whites };
        Some(Seen { value: f64::from(score_of(scene.found.chance).0), points, game: scene.game })
    };
    let mut seen: Vec<Seen> = scenes.iter().filter_map(of).collect();
    seen.sort_by_key(|it| it.game);
    seen
}

/// Returns the slope with its 95 % interval; `None` if the positions have no slope, since the greater value
/// always did better, or never, or if there are fewer than ten games with a value other than 0.
///
/// ```
/// use cassius_lab::chances::{Seen, slope};
/// // A pawn ahead, three games of four are won.
/// let seen = (0..400).map(|game| Seen { value: 100.0, points: f64::from(u8::from(game % 4 > 0)), game });
/// let slope = slope(&seen.collect::<Vec<_>>()).expect("a slope");
/// assert!((slope.value - 3f64.ln() / 100.0).abs() < 1e-6);
/// assert!(slope.low > 0.008 && slope.high < 0.015);
/// ```
pub fn slope(seen: &[Seen]) -> Option<Estimate> {
    let chance = |slope: f64, it: &Seen| 1.0 / (1.0 + (-slope * it.value).exp());
    let curvature = |slope: f64| -> f64 {
        let of = |it: &Seen| it.value * it.value * chance(slope, it) * (1.0 - chance(slope, it));
        seen.iter().map(of).sum()
    };
    let gradient = |slope: f64, it: &Seen| it.value * (it.points - chance(slope, it));
    let (mut slope, mut converged) = (0.0, false);
    for _ in 0..100 {
        let step = seen.iter().map(|it| gradient(slope, it)).sum::<f64>() / curvature(slope);
        if !step.is_finite() {
            return None;
        }
        slope += step.clamp(-0.002, 0.002);
        converged = step.abs() < 1e-12;
        if converged {
            break;
        }
    }
    let says = |game: &&[Seen]| game.iter().any(|it| it.value != 0.0);
    let sums: Vec<f64> = { seen.chunk_by(|a, b| a.game == b.game).filter(says) }
        .map(|game| game.iter().map(|it| gradient(slope, it)).sum())
        .collect();
    if !converged || slope <= 0.0 || sums.len() < LEAST {
        return None;
    }
    let (squares, freedom) = (sums.iter().map(|sum| sum * sum).sum::<f64>(), sums.len() as f64 - 1.0);
    let error = student(freedom) * (squares * (freedom + 1.0) / freedom).sqrt() / curvature(slope);
    error.is_finite().then_some(Estimate { value: slope, low: slope - error, high: slope + error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Games of many positions whose values wander; the last one decides the result.
    fn games(slope: f64, count: usize, random: &mut Random) -> Vec<Seen> {
        let mut all = Vec::new();
        for game in 0..count {
            let value = random.below(400) as f64 - 200.0;
            let chance = 1.0 / (1.0 + (-slope * value).exp());
            let won = (random.below(1_000_000) as f64) < 1e6 * chance;
            let seen = Seen { value, points: f64::from(u8::from(won)), game };
            all.extend(vec![seen; 1 + random.below(20) as usize]);
        }
        all
    }

    #[test]
    fn the_slope_that_made_the_results_lies_in_its_interval() {
        let mut random = Random(5);
        let inside = (0..60).filter(|_| {
            let slope = slope(&games(0.004, 500, &mut random)).expect("a slope");
            (slope.low..=slope.high).contains(&0.004)
        });
        let inside = inside.count();
        assert!((50..=60).contains(&inside), "{inside} of 60");
    }

    #[test]
    fn few_games_have_a_slope_that_lies_in_its_interval() {
        let mut random = Random(6);
        let slopes = (0..300).filter_map(|_| slope(&games(0.004, 20, &mut random)));
        let slopes: Vec<Estimate> = slopes.collect();
        let inside = slopes.iter().filter(|slope| (slope.low..=slope.high).contains(&0.004)).count();
        let share = inside as f64 / slopes.len() as f64;
        assert!(slopes.len() > 200 && share > 0.85, "{share} of {}", slopes.len());
    }

    #[test]
    fn what_says_nothing_has_no_slope() {
        assert_eq!(slope(&[]), None);
        let seen = |value, points| Seen { value, points, game: 0 };
        assert_eq!(slope(&[seen(0.0, 1.0)]), None);
        assert_eq!(slope(&[seen(100.0, 0.0), seen(50.0, 0.0), seen(-20.0, 1.0)]), None);
        // Who is ahead always wins: no slope is too great.
        let ahead = |game| Seen { value: 100.0, points: 1.0, game };
        assert_eq!(slope(&[ahead(0)]), None);
        assert_eq!(slope(&(0..50).map(ahead).collect::<Vec<_>>()), None);
        // Three of four are won, in too few games that say something.
        let won = |game: usize| Seen { points: f64::from(u8::from(!game.is_multiple_of(4))), ..ahead(game) };
        let nine: Vec<Seen> = (0..9).map(won).collect();
        assert_eq!(slope(&nine), None);
        let even = |game| Seen { value: 0.0, points: 1.0, game };
        assert_eq!(slope(&[nine.clone(), (9..20).map(even).collect()].concat()), None);
        assert!(slope(&(0..10).map(won).collect::<Vec<_>>()).is_some());
    }
}
