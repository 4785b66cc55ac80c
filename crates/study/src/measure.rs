//! How far an engine's judgements are from what much more effort finds.
//!
//! Each position is judged with more and more effort. The last judgement takes the place of the truth. It has
//! errors of its own, and shares some with the others; so the errors that are measured are rather too small.

use crate::unrest::by_pieces;
use cassius_search::Score;
use cassius_search::study::{Errors, Scale};

/// What was found about one position. All values are for its side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The number of pieces, pawns and kings included.
    pub pieces: usize,
    /// The values found with the efforts of the [`Ladder`], in order.
    pub values: Vec<Score>,
    /// The value of the position after the best move of the first judgement, with the greatest effort.
    pub after: Score,
    /// The value of the other moves with the greatest effort; `None` if there are none.
    pub others: Option<Score>,
    /// The values after the best move and of the other moves with the first effort.
    pub followed: (Score, Option<Score>),
}

/// The efforts: the first one, and the factor from each to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ladder {
    /// The first effort.
    pub first: u64,
    /// The factor.
    pub times: u64,
    /// The number of efforts.
    pub steps: u32,
}

impl Ladder {
    /// Returns the efforts.
    pub fn efforts(self) -> impl Iterator<Item = u64> {
        (0..self.steps).map(move |step| self.first.saturating_mul(self.times.saturating_pow(step)))
    }

    /// Returns the greatest effort.
    pub fn last(self) -> u64 {
        self.efforts().last().unwrap_or(self.first)
    }
}

/// The error of one kind of judgement: the middle and the width of a logistic distribution on [`Scale`], by
/// the median and the median deviation from it, and the mean deviation, which far errors make greater.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The number of positions.
    pub count: usize,
    /// The median.
    pub middle: f32,
    /// The width.
    pub width: f32,
    /// The mean deviation from the median, divided by that of a logistic distribution of width 1.
    pub by_mean: f32,
}

impl Spread {
    /// Returns the spread of values; `None` if there are none.
    ///
    /// ```
    /// use cassius_study::measure::Spread;
    /// let spread = Spread::of(vec![-1.0, 0.0, 1.0]).unwrap();
    /// assert_eq!((spread.count, spread.middle), (3, 0.0));
    /// assert!((spread.width - 1.0 / 3.0_f32.ln()).abs() < 1e-6);
    /// assert!(Spread::of(vec![]).is_none());
    /// ```
    pub fn of(values: Vec<f32>) -> Option<Spread> {
        Spread::without_unrest(values.into_iter().map(|value| (value, 1.0)).collect())
    }

    /// Returns the spread of values, each of which has a width of its own times a common one.
    fn without_unrest(values: Vec<(f32, f32)>) -> Option<Spread> {
        let middle = median(&mut values.iter().map(|(value, _)| *value).collect::<Vec<_>>())?;
        let mut off: Vec<f32> =
            values.iter().map(|(value, unrest)| (value - middle).abs() / unrest).collect();
        let mean = off.iter().sum::<f32>() / off.len() as f32;
        // Half of a logistic distribution of width 1 lies within ln 3; the mean deviation is 2 ln 2.
        let width = median(&mut off)? / 3.0_f32.ln();
        Some(Spread { count: values.len(), middle, width, by_mean: mean / (2.0 * 2.0_f32.ln()) })
    }
}

fn median(values: &mut [f32]) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    let (low, high) = (values.get(values.len().checked_sub(1)? / 2)?, values.get(values.len() / 2)?);
    Some((low + high) / 2.0)
}

/// What the samples show.
#[derive(Clone, Debug)]
pub struct Measured {
    /// For each effort but the last, the error of a judged value.
    pub judged: Vec<(u64, Spread)>,
    /// The error of a value that is taken over from the position before.
    pub inherited: Option<Spread>,
    /// By how much the best of the other moves is worse than the judged value.
    pub others: Option<Spread>,
    /// The error after following the best move for the price of two judgements.
    pub followed: Option<Spread>,
    /// The error of a judged value with the first effort, by the value and by the number of pieces.
    pub parts: Vec<(&'static str, Spread)>,
    /// The parameters that follow.
    pub errors: Errors,
}

/// Measures errors. Widths are those of positions without [unrest](crate::unrest), by which a study
/// multiplies them, but for the parts. Positions that are decided count where both values say so, as no
/// error.
pub fn measure(samples: &[Sample], ladder: Ladder) -> Measured {
    let mut errors = Errors { effort: i32::try_from(ladder.first).unwrap_or(i32::MAX), ..Errors::default() };
    let scale = errors.scale();
    let truth = |sample: &Sample| sample.values.last().copied();
    let spread = |of: &dyn Fn(&Sample) -> Option<f32>| {
        let value = |sample: &Sample| Some((of(sample)?, by_pieces(sample.pieces)));
        Spread::without_unrest(samples.iter().filter_map(value).collect())
    };
    let off = |value: Score, truth: Score| distance(scale, value, truth);

    let efforts: Vec<u64> = ladder.efforts().collect();
    let judged: Vec<(u64, Spread)> = efforts[..efforts.len().saturating_sub(1)]
        .iter()
        .enumerate()
        .filter_map(|(step, &effort)| {
            let of = |sample: &Sample| off(*sample.values.get(step)?, truth(sample)?);
            Some((effort, spread(&of)?))
        })
        .collect();
    let inherited = spread(&|sample| off(sample.values[0], sample.after));
    let others = spread(&|sample| off(sample.values[0], sample.others?));
    let followed = spread(&|sample| {
        let (after, others) = sample.followed;
        off(others.map_or(after, |others| others.max(after)), truth(sample)?)
    });
    let first = |keep: &dyn Fn(&Sample) -> bool| {
        let of = |sample: &Sample| if keep(sample) { off(sample.values[0], truth(sample)?) } else { None };
        Spread::of(samples.iter().filter_map(of).collect())
    };
    let place = |sample: &Sample| truth(sample).map_or(0.0, |value| scale.of(value).abs());
    let [half, two] = [0.5_f32, 2.0].map(f32::asinh); // pawns
    let parts = [
        ("value within half a pawn", first(&|sample| place(sample) < half)),
        ("half a pawn to two pawns", first(&|sample| (half..two).contains(&place(sample)))),
        ("beyond two pawns", first(&|sample| place(sample) >= two)),
        ("more than 24 pieces", first(&|sample| sample.pieces > 24)),
        ("13 to 24 pieces", first(&|sample| (13..=24).contains(&sample.pieces))),
        ("up to 12 pieces", first(&|sample| sample.pieces <= 12)),
    ];

    let thousandths = |width: f32| ((width * 1000.0).round() as i32).clamp(1, 3_000);
    if let Some((exponent, width)) = power(&judged, ladder.first) {
        errors.exponent = ((-exponent * 100.0).round() as i32).clamp(0, 100);
        errors.judged = thousandths(width);
    }
    if let Some(spread) = inherited {
        errors.inherited = thousandths(spread.width);
    }
    if let Some(spread) = others {
        errors.gap = ((spread.middle * 1000.0).round() as i32).clamp(0, 3_000);
        errors.others = thousandths(spread.width);
    }
    let parts = parts.into_iter().filter_map(|(name, spread)| Some((name, spread?))).collect();
    Measured { judged, inherited, others, followed, parts, errors }
}

/// Returns how far a value is above the truth; `None` if either is decided and the other is not, since such a
/// distance has no measure.
fn distance(scale: Scale, value: Score, truth: Score) -> Option<f32> {
    (value.is_decided() == truth.is_decided()).then(|| scale.of(value) - scale.of(truth))
}

/// Fits width = w · (effort / first)^exponent by least squares of the logarithms. Returns the exponent and w.
fn power(spreads: &[(u64, Spread)], first: u64) -> Option<(f32, f32)> {
    let points: Vec<(f32, f32)> = spreads
        .iter()
        .filter(|(_, spread)| spread.width > 0.0)
        .map(|(effort, spread)| ((*effort as f32 / first as f32).ln(), spread.width.ln()))
        .collect();
    let count = points.len() as f32;
    let mean = |of: fn(&(f32, f32)) -> f32| points.iter().map(of).sum::<f32>() / count;
    if points.is_empty() {
        return None;
    }
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let across: f32 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let along: f32 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let exponent = if along > 0.0 { across / along } else { 0.0 };
    Some((exponent, (y - exponent * x).exp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors that are made by the model are found again.
    #[test]
    fn made_errors_are_found() {
        let ladder = Ladder { first: 1_000, times: 4, steps: 4 };
        let scale = Errors::default().scale();
        // Quantiles of a logistic distribution, in an order that mixes them.
        let draw = |number: usize, stride: usize| {
            let rank = ((number * stride) % 997 + 1) as f32 / 998.0;
            (rank / (1.0 - rank)).ln()
        };
        let samples: Vec<Sample> = (0..997)
            .map(|number| {
                let truth = 0.3;
                let pieces = [28, 20, 8][number % 3];
                let draw = |stride| by_pieces(pieces) * draw(number, stride);
                let at = |width: f32, stride| scale.score(truth + width * draw(stride));
                let values =
                    (0..3).map(|step| at(0.2 * 0.7_f32.powi(step), 7)).chain([scale.score(truth)]).collect();
                let others = Some(scale.score(truth + 0.2 * draw(7) - 0.6 - 0.3 * draw(11)));
                Sample {
                    pieces,
                    values,
                    after: scale.score(truth + 0.2 * draw(7) - 0.25 * draw(13)),
                    others,
                    followed: (at(0.1, 7), None),
                }
            })
            .collect();
        let Measured { errors, followed, .. } = measure(&samples, ladder);
        let near = |found: i32, expected: i32| assert!((found - expected).abs() <= 12, "{found} {expected}");
        near(errors.judged, 200);
        near(errors.inherited, 250);
        near(errors.gap, 600);
        near(errors.others, 300);
        near(errors.exponent, 26); // 4^-0.26 = 0.7
        near((1000.0 * followed.expect("samples").width) as i32, 100);
    }
}
