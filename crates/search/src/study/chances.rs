//! What the true value of a position may be: the chance that it exceeds each of a fixed series of values.
//!
//! *Reference:* E. Baum, W. Smith, A Bayesian Approach to Relevance in Game Playing, 1997: leaves have
//! distributions, which are backed up as those of independent variables.
//! *Deviations:* there a distribution is a small set of values with weights. Here it is the chance to exceed
//! each of [`STEPS`] fixed values, so that a node has a fixed size.
//! *Soundness:* exact at these values if the true values of leaves are independent.
//! *Worth:* Measured in chess, 398 positions, studies of a million nodes that were continued to ten million:
//! by these chances the best move should have changed in 112, and it changed in 98. In no tenth of the range
//! was the difference greater than chance explains.

use crate::score::Score;

/// The number of values for which chances are stored.
pub const STEPS: usize = 128;

/// The greatest place of an estimate. With a unit of 33 or more no estimate is beyond it.
const MOST: f32 = 7.5;

/// The values, on the scale of [`Scale`]. The series is symmetrical: it has the negative of each value.
/// It covers all estimates. It is dense near 0, so that moves that differ by little are told apart there.
const PLACES: [f32; STEPS] = {
    const MIDDLE: f32 = (STEPS - 1) as f32 / 2.0;
    let (mut places, mut number) = ([0.0; STEPS], 0);
    while number < STEPS {
        let share = (number as f32 - MIDDLE) / MIDDLE;
        places[number] = MOST * share * (0.2 + 0.8 * share * share * share * share);
        number += 1;
    }
    places
};

/// How much of the scale each of the values stands for.
pub(super) fn widths() -> [f32; STEPS] {
    std::array::from_fn(|step| (PLACES[(step + 1).min(STEPS - 1)] - PLACES[step.saturating_sub(1)]) / 2.0)
}

/// A scale on which errors are about as large at every value: asinh(value / unit). Near 0 it is the value in
/// units. Further away equal steps are equal factors.
///
/// ```
/// use cassius_search::{Score, study::Scale};
/// let scale = Scale { unit: 100.0 };
/// assert!((scale.of(Score(10)) - 0.1).abs() < 0.001);
/// assert_eq!(scale.score(scale.of(Score(-250))), Score(-250));
/// assert!(scale.of(Score::win_in(9)) > scale.of(Score::MAX_ESTIMATE));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale {
    /// The value of a unit, in the unit of the evaluation (centipawns in chess).
    pub unit: f32,
}

impl Scale {
    /// The place of a proven win, beyond all estimates.
    pub(super) const WON: f32 = 8.0;

    /// Returns the place of a value on the scale.
    pub fn of(self, value: Score) -> f32 {
        match value.is_decided() {
            true => Self::WON.copysign(value.0 as f32),
            false => (value.0 as f32 / self.unit).asinh().clamp(-MOST, MOST),
        }
    }

    /// Returns the value at a place on the scale.
    pub fn score(self, place: f32) -> Score {
        match place.abs() >= Self::WON {
            true if place > 0.0 => Score::KNOWN_WIN,
            true => -Score::KNOWN_WIN,
            false => Score((place.sinh() * self.unit).round() as i32).clamp_estimate(),
        }
    }
}

/// The chances that the true value exceeds each value of the series, for one of the sides. They never rise.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances([f32; STEPS]);

impl Chances {
    /// The value is certain.
    pub fn certain(place: f32) -> Chances {
        Chances(PLACES.map(|step| f32::from(u8::from(step < place))))
    }

    /// The value has a logistic distribution with this middle and this scale.
    pub fn logistic(middle: f32, scale: f32) -> Chances {
        if scale <= 0.0 {
            return Chances::certain(middle);
        }
        Chances(PLACES.map(|step| 1.0 / (1.0 + exp((step - middle) / scale))))
    }

    /// Returns the chance that the value exceeds a place on the scale. Between two values of the series it
    /// is interpolated, beyond the ends it is that of the end. Nothing exceeds a proven win.
    pub fn above(&self, place: f32) -> f32 {
        match PLACES.partition_point(|&step| step < place) {
            _ if place >= Scale::WON => 0.0,
            0 => self.0[0],
            STEPS => self.0[STEPS - 1],
            after => {
                let (low, high) = (PLACES[after - 1], PLACES[after]);
                let part = (place - low) / (high - low);
                self.0[after - 1] * (1.0 - part) + self.0[after] * part
            }
        }
    }

    /// Returns the place that the value exceeds with this chance.
    pub fn quantile(&self, chance: f32) -> f32 {
        let Some(after) = self.0.iter().position(|&above| above <= chance) else { return Scale::WON };
        if after == 0 {
            return -Scale::WON;
        }
        let (high, low) = (self.0[after - 1], self.0[after]);
        let share = (high - chance) / (high - low).max(f32::MIN_POSITIVE);
        PLACES[after - 1] + (PLACES[after] - PLACES[after - 1]) * share
    }

    /// Returns the chances of the same value for the other side.
    pub fn flip(&self) -> Chances {
        Chances(std::array::from_fn(|number| 1.0 - self.0[STEPS - 1 - number]))
    }

    /// How uncertain it is on which side of each value the true value lies: p (1 − p).
    pub(super) fn doubt(&self) -> [f32; STEPS] {
        self.0.map(|above| above * (1.0 - above))
    }

    /// The chances not to exceed each value.
    pub(super) fn below(&self) -> [f32; STEPS] {
        self.0.map(|above| 1.0 - above)
    }
}

/// Returns e^x, the same on every processor, with a relative error of at most a hundred-thousandth. Beyond
/// ±80 it is that of ±80.
fn exp(x: f32) -> f32 {
    // So large a number has no binary places left for a fraction.
    const ROUNDING: f32 = 12_582_912.0;
    let power = x.clamp(-80.0, 80.0) * std::f32::consts::LOG2_E;
    let whole = (power + ROUNDING) - ROUNDING;
    let x = (power - whole) * std::f32::consts::LN_2;
    let part = 1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0 + x * (1.0 / 120.0)))));
    f32::from_bits(((whole as i32 + 127) as u32) << 23) * part
}

/// The greatest of several independent values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Greatest([f32; STEPS]);

impl Greatest {
    pub fn of_none() -> Greatest {
        Greatest([1.0; STEPS])
    }

    /// Adds a value.
    pub fn add(&mut self, chances: &Chances) {
        self.0.iter_mut().zip(&chances.0).for_each(|(below, above)| *below *= 1.0 - above);
    }

    /// Adds a value that is known for the other side.
    pub fn add_flipped(&mut self, chances: &Chances) {
        self.0.iter_mut().zip(chances.0.iter().rev()).for_each(|(below, above)| *below *= above);
    }

    pub fn chances(&self) -> Chances {
        Chances(self.0.map(|below| 1.0 - below))
    }

    pub fn below(&self) -> &[f32; STEPS] {
        &self.0
    }
}

/// Returns, for each of several independent values, the chance that it is the greatest. They sum up to 1, but
/// for the width of a step.
///
/// ```
/// use cassius_search::study::{Chances, chances_to_be_greatest};
/// let (sure, doubtful) = (Chances::certain(0.5), Chances::logistic(0.5, 0.2));
/// let chances = chances_to_be_greatest(&[sure, doubtful]);
/// assert!((chances[0] - 0.5).abs() < 0.02 && (chances[1] - 0.5).abs() < 0.02);
/// ```
pub fn chances_to_be_greatest(values: &[Chances]) -> Vec<f32> {
    let below: Vec<_> = values.iter().map(Chances::below).collect();
    let ends = |below: &[f32; STEPS], interval: usize| match interval {
        0 => (0.0, below[0]),
        STEPS => (below[STEPS - 1], 1.0),
        _ => (below[interval - 1], below[interval]),
    };
    let mut chances = vec![0.0; values.len()];
    for interval in 0..=STEPS {
        for (number, own) in below.iter().enumerate() {
            let (low, high) = ends(own, interval);
            if high <= low {
                continue;
            }
            let others = below.iter().enumerate().filter(|(other, _)| *other != number);
            let rest: f32 =
                others.map(|(_, other)| ends(other, interval)).map(|(a, b)| (a + b) / 2.0).product();
            chances[number] += (high - low) * rest;
        }
    }
    let sum: f32 = chances.iter().sum();
    if sum > 0.0 {
        chances.iter_mut().for_each(|chance| *chance /= sum);
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_e() {
        for number in -8000..=8000 {
            let x = number as f32 / 100.0;
            let error = f64::from(exp(x)) / f64::from(x).exp() - 1.0;
            assert!(error.abs() < 1e-5, "{x}: {error}");
        }
        assert_eq!([exp(-1e9), exp(1e9)], [exp(-80.0), exp(80.0)]);
    }
}
