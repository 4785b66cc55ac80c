//! Statistics of a match: Elo with error bars, likelihood of superiority, normalized Elo, and a
//! sequential test.
//!
//! Games come in pairs that share an opening, with colours exchanged. The independent trial is therefore
//! the pair and not the game. A pair has five outcomes: 0, ¼, ½, ¾ and 1 of its points. With their
//! frequencies p, mean μ = Σ p x, variance σ² = Σ p (x − μ)² and N pairs:
//!
//! * Elo = −400 log₁₀(1/μ − 1); the ends of its 95 % interval are the Elo of μ ± 1.96 σ/√N;
//! * LOS = Φ((μ − ½) √N / σ), the chance that the true mean is above ½;
//! * normalized Elo = (μ − ½) / (√2 σ) · 800/ln 10, where √2 σ is the deviation of one game;
//! * LLR = N Σ p ln(q₁/q₀), where q₀ and q₁ are the likeliest distributions under the two hypotheses:
//!   expectation s₀ or s₁ (logistic), or (μ − ½)/σ equal to t₀ or t₁ (normalized).
//!
//! *Reference:* M. Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio
//! of a multinomial distribution", Proposition 1.1, and "Comments on normalized Elo", §4.1
//! (cantate.be/Fishtest); conventions, regularisation of empty outcomes and test values as in the match
//! runner fastchess.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The results of pairs, for the first player: the numbers of pairs that scored 0, ½, 1, 1½ and 2
/// points.
///
/// ```
/// use cassius_lab::statistics::Pentanomial;
/// let pairs = Pentanomial([75, 64, 63, 54, 34]);
/// let elo = pairs.elo();
/// assert_eq!(format!("{:.1} ± {:.1}", elo.value, elo.error()), "-55.6 ± 27.7");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

/// A value and the ends of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Returns half the length of the interval.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Returns the mean of numbers in groups, with an interval that keeps groups together: the numbers of
    /// one group need not be independent. The variance of the mean is that of the groups' sums of deviations
    /// (Liang and Zeger 1986, "Longitudinal data analysis using generalized linear models"), the quantile
    /// that of Student's distribution for the number of groups. Without numbers the value is NaN, with fewer
    /// than two groups the interval.
    ///
    /// ```
    /// use cassius_lab::statistics::Estimate;
    /// // Pairs of equal numbers say less than they seem to.
    /// let numbers = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0];
    /// let apart = Estimate::of_mean(numbers.iter().copied().enumerate());
    /// let together = Estimate::of_mean(numbers.iter().copied().enumerate().map(|(n, x)| (n / 2, x)));
    /// assert_eq!(format!("{:.2} {:.3}", apart.value, apart.error()), "0.50 0.447");
    /// assert_eq!(format!("{:.2} {:.3}", together.value, together.error()), "0.50 0.912");
    /// ```
    pub fn of_mean<G: Ord>(numbers: impl IntoIterator<Item = (G, f64)>) -> Estimate {
        let mut groups: BTreeMap<G, (f64, f64)> = BTreeMap::new();
        for (group, number) in numbers {
            let (sum, count) = groups.entry(group).or_default();
            *sum += number;
            *count += 1.0;
        }
        let total = |of: fn(&(f64, f64)) -> f64| groups.values().map(of).sum::<f64>();
        let (sum, count, freedom) =
            (total(|group| group.0), total(|group| group.1), groups.len() as f64 - 1.0);
        let value = sum / count;
        let squares: f64 = groups.values().map(|(sum, count)| (sum - count * value).powi(2)).sum();
        let error = student(freedom) * (squares * (freedom + 1.0) / freedom).sqrt() / count;
        Estimate { value, low: value - error, high: value + error }
    }

    /// Returns the estimate of an increasing function of it.
    #[must_use]
    pub fn map(self, of: impl Fn(f64) -> f64) -> Estimate {
        Estimate { value: of(self.value), low: of(self.low), high: of(self.high) }
    }

    /// Returns the share of trials that succeeded, with Wilson's score interval (Wilson 1927, "Probable
    /// inference, the law of succession, and statistical inference"). The trials are assumed to be
    /// independent. Without any trials, the value is NaN and the interval is the whole range.
    ///
    /// ```
    /// use cassius_lab::statistics::Estimate;
    /// let share = Estimate::of_share(0, 10);
    /// assert_eq!(format!("{:.3} {:.3} {:.3}", share.low, share.value, share.high), "0.000 0.000 0.278");
    /// ```
    pub fn of_share(successes: usize, trials: usize) -> Estimate {
        if trials == 0 {
            return Estimate { value: f64::NAN, low: 0.0, high: 1.0 };
        }
        let (n, share) = (trials as f64, successes.min(trials) as f64 / trials as f64);
        let z2 = QUANTILE * QUANTILE;
        let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let reach = QUANTILE * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
        // If no trial or every trial succeeded, the interval ends at the share itself, apart from
        // rounding.
        Estimate {
            value: share,
            low: (middle - reach).max(0.0).min(share),
            high: (middle + reach).min(1.0).max(share),
        }
    }
}

/// The 97.5 % quantile of the normal distribution.
const QUANTILE: f64 = 1.959_963_984_540_054;
/// Normalized Elo in units of (μ − ½)/σ of one game.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// Returns the 97.5 % quantile of Student's distribution, from that of the normal distribution (Abramowitz
/// and Stegun 1964, 26.7.5), right within 1 % from three degrees of freedom on, and for one or two from a
/// table.
pub(crate) fn student(freedom: f64) -> f64 {
    match freedom {
        1.0 => return 12.706_204_736,
        2.0 => return 4.302_652_730,
        _ => {}
    }
    let z = QUANTILE;
    let [z3, z5, z7] = [3, 5, 7].map(|power| z.powi(power));
    z + (z3 + z) / (4.0 * freedom)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * freedom.powi(3))
}

impl Pentanomial {
    /// Adds a pair.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Adds pairs that were counted elsewhere.
    pub fn add_all(&mut self, others: Pentanomial) {
        self.0.iter_mut().zip(others.0).for_each(|(sum, new)| *sum += new);
    }

    /// Returns the share of the points of each pair, in the order of the shares.
    pub fn shares(&self) -> impl Iterator<Item = f64> {
        self.0.into_iter().zip(SHARES).flat_map(|(count, share)| std::iter::repeat_n(share, count as usize))
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the mean share of the points, 0 to 1; ½ if there are no pairs.
    pub fn score(&self) -> f64 {
        let points: f64 = self.0.iter().zip(SHARES).map(|(count, share)| *count as f64 * share).sum();
        if self.pairs() == 0 { 0.5 } else { points / self.pairs() as f64 }
    }

    /// Returns the variance of the share of points of a pair.
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        let squares = self.0.iter().zip(SHARES).map(|(count, share)| *count as f64 * (share - mean).powi(2));
        squares.sum::<f64>() / self.pairs().max(1) as f64
    }

    fn deviation_of_mean(&self) -> f64 {
        (self.variance() / self.pairs().max(1) as f64).sqrt()
    }

    /// Returns the difference in Elo. It is infinite if one side scored all points.
    pub fn elo(&self) -> Estimate {
        self.estimate(elo_of_score)
    }

    /// Returns the difference in normalized Elo. It is NaN if all pairs have the same outcome.
    pub fn normalized_elo(&self) -> Estimate {
        let deviation = (2.0 * self.variance()).sqrt();
        if deviation == 0.0 {
            return Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };
        }
        self.estimate(|score| (score - 0.5) / deviation * NORMALIZED)
    }

    fn estimate(&self, of: impl Fn(f64) -> f64) -> Estimate {
        let (mean, error) = (self.score(), QUANTILE * self.deviation_of_mean());
        let (low, high) = if error > 0.0 {
            ((mean - error).max(0.0), (mean + error).min(1.0))
        } else {
            // All pairs have the same outcome. So many may have another one, by Wilson's score interval.
            let others = Estimate::of_share(0, self.pairs() as usize).high;
            (mean - others * mean, mean + others * (1.0 - mean))
        };
        Estimate { value: of(mean), low: of(low), high: of(high) }
    }

    /// Returns the likelihood of superiority, 0 to 1; ½ if the pairs show nothing.
    pub fn los(&self) -> f64 {
        let advantage = self.score() - 0.5;
        let deviation = self.deviation_of_mean();
        match advantage {
            0.0 => 0.5,
            // All pairs have the same outcome. Before the first one every share of such pairs was as likely.
            _ if deviation == 0.0 => {
                let chance = 0.5_f64.powf(self.pairs() as f64 + 1.0);
                if advantage > 0.0 { 1.0 - chance } else { chance }
            }
            _ => normal(advantage / deviation),
        }
    }

    /// Returns the log likelihood ratio of the hypotheses of `test`. A difference beyond [`Sprt::MOST_ELO`]
    /// counts as that one.
    pub fn llr(&self, test: &Sprt) -> f64 {
        if self.pairs() == 0 {
            return 0.0;
        }
        let counts = self.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let elos = [test.elo0, test.elo1].map(|elo| elo.clamp(-Sprt::MOST_ELO, Sprt::MOST_ELO));
        let [under0, under1] = elos.map(|elo| match test.model {
            Model::Logistic => likeliest_with_mean(&seen, score_of_elo(elo)),
            Model::Normalized => likeliest_with_ratio(&seen, std::f64::consts::SQRT_2 * elo / NORMALIZED),
        });
        let ratios = seen.iter().zip(under1.iter().zip(under0));
        total * ratios.map(|(seen, (p1, p0))| seen * (p1 / p0).ln()).sum::<f64>()
    }
}

/// The share of the points of a pair, by half points.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The meaning of Elo in a sequential test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// The usual meaning, by the expected score.
    #[default]
    Logistic,
    /// By the expected score in units of its deviation, so that the length of a test does not depend on
    /// the share of draws.
    Normalized,
}

/// A sequential probability ratio test: is the difference `elo1` rather than `elo0`?
///
/// ```
/// use cassius_lab::statistics::{Sprt, Verdict};
/// let test = Sprt { elo0: 0.0, elo1: 5.0, ..Sprt::default() };
/// assert_eq!(format!("{:.2} {:.2}", test.lower(), test.upper()), "-2.94 2.94");
/// assert_eq!(test.verdict(3.0), Some(Verdict::Accept1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference if the change has no effect.
    pub elo0: f64,
    /// The difference if the change is worth having.
    pub elo1: f64,
    /// The probability of accepting `elo1` although `elo0` is true.
    pub alpha: f64,
    /// The probability of accepting `elo0` although `elo1` is true.
    pub beta: f64,
    /// The kind of Elo.
    pub model: Model,
}

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Logistic }
    }
}

/// How a sequential test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `elo0` is accepted.
    Accept0,
    /// `elo1` is accepted.
    Accept1,
}

impl Sprt {
    /// The greatest difference of a hypothesis, of both kinds of Elo.
    pub const MOST_ELO: f64 = 2_000.0;

    /// Returns the LLR at which `elo0` is accepted.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// Returns the LLR at which `elo1` is accepted.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// Returns the verdict if the log likelihood ratio ends the test.
    pub fn verdict(&self, llr: f64) -> Option<Verdict> {
        match llr {
            llr if llr >= self.upper() => Some(Verdict::Accept1),
            llr if llr <= self.lower() => Some(Verdict::Accept0),
            _ => None,
        }
    }
}

/// Returns the expected score of a difference in Elo.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Returns the difference in Elo of an expected score from 0 to 1; infinite at the ends.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10() + 0.0 // turns −0 into 0
}

/// Returns the distribution with this mean under which `seen` is likeliest (Proposition 1.1).
fn likeliest_with_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    tilt(seen, &SHARES.map(|share| share - mean))
}

/// Returns the distribution with (μ − ½)/σ = `ratio` under which `seen` is likeliest (§4.1), by
/// iteration. It starts with a distribution of this ratio, won and lost pairs only. With ratio > 0 the
/// function μ − ½ − ratio · σ is convex, hence at least 0 in every later step, too; so every constraint has
/// values of both signs. With ratio < 0 it is the other way round.
fn likeliest_with_ratio(seen: &[f64; 5], ratio: f64) -> [f64; 5] {
    let won = 0.5 * (1.0 + ratio / (1.0 + ratio * ratio).sqrt());
    let mut p = [1.0 - won, 0.0, 0.0, 0.0, won];
    for _ in 0..30 {
        let mean: f64 = SHARES.iter().zip(p).map(|(share, p)| p * share).sum();
        let variance: f64 = SHARES.iter().zip(p).map(|(share, p)| p * (share - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let constraint = SHARES.map(|share| {
            share - 0.5 - 0.5 * ratio * deviation * (1.0 + ((share - mean) / deviation).powi(2))
        });
        let next = tilt(seen, &constraint);
        let change = p.iter().zip(next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        p = next;
        if change < 1e-9 {
            break;
        }
    }
    p
}

/// Returns seen / (1 + θ constraint), with the θ for which Σ p constraint = 0. The constraint has values
/// of both signs.
fn tilt(seen: &[f64; 5], constraint: &[f64; 5]) -> [f64; 5] {
    let least = constraint.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = constraint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || greatest <= 0.0 {
        return *seen; // rounding: no distribution satisfies the constraint
    }
    // The sum falls from +∞ to −∞ between the poles.
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        let sum: f64 = seen.iter().zip(constraint).map(|(p, c)| p * c / (1.0 + middle * c)).sum();
        if sum > 0.0 { low = middle } else { high = middle }
    }
    let theta = (low + high) / 2.0;
    let mut p = *seen;
    p.iter_mut().zip(constraint).for_each(|(p, c)| *p /= 1.0 + theta * c);
    p
}

/// Returns the cumulative distribution function of the normal distribution, to about 10⁻¹².
///
/// It uses the series of erf near 0, and the continued fraction of erfc far from 0 (Abramowitz & Stegun
/// 7.1.6 and 7.1.14).
fn normal(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let upper_tail = if !x.is_finite() {
        0.0
    } else if x < 2.5 {
        let (mut term, mut sum) = (x, x);
        for n in 1..200 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
            if term < 1e-17 * sum {
                break;
            }
        }
        0.5 - sum * (-x * x).exp() / std::f64::consts::PI.sqrt()
    } else {
        let fraction = (1..=80).rev().fold(x, |below, n| x + f64::from(n) / 2.0 / below);
        0.5 * (-x * x).exp() / std::f64::consts::PI.sqrt() / fraction
    };
    if z < 0.0 { upper_tail } else { 1.0 - upper_tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts in the order of the published tests.
    fn pairs([ll, ld, wl, dd, wd, ww]: [u64; 6]) -> Pentanomial {
        Pentanomial([ll, ld, wl + dd, wd, ww])
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    #[test]
    fn normal_distribution() {
        let known = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-QUANTILE, 0.025),
            (3.5, 0.999_767_370_920_964),
            (4.0, 0.999_968_328_758_167),
        ];
        for (z, p) in known {
            near(normal(z), p, 1e-13);
        }
        assert_eq!(normal(f64::INFINITY), 1.0);
    }

    /// Values from the tests of fastchess, app/tests/elo_test.cpp.
    #[test]
    fn elo_as_published() {
        let known = [
            ([34, 54, 31, 32, 64, 75], [55.58, 27.65, 57.94, 28.28], 1.0),
            ([332, 433, 457, 41, 333, 334], [-8.64, 10.33, -9.17, 10.96], 0.0505),
            ([7895, 8757, 5485, 200, 568, 9999], [-21.04, 2.95, -19.01, 2.65], 0.0),
        ];
        for (counts, [elo, error, normalized, normalized_error], los) in known {
            let pairs = pairs(counts);
            near(pairs.elo().value, elo, 0.006);
            near(pairs.elo().error(), error, 0.006);
            near(pairs.normalized_elo().value, normalized, 0.006);
            near(pairs.normalized_elo().error(), normalized_error, 0.006);
            near(pairs.los(), los, 5e-5);
        }
    }

    /// Values from the tests of fastchess, app/tests/sprt_test.cpp, to 1 % as there.
    #[test]
    fn log_likelihood_ratio_as_published() {
        let known = [
            (Model::Normalized, 0.0, 2.0, [365, 16618, 36029, 200, 16974, 390], 2.25),
            (Model::Normalized, -1.75, 0.25, [127, 4883, 10311, 401, 5150, 104], 3.01),
            (Model::Normalized, 0.0, 5.0, [0, 0, 0, 0, 0, 5550], 111.82),
            (Model::Logistic, 0.5, 2.5, [223, 9863, 20279, 1000, 10037, 246], -3.07),
            (Model::Logistic, 0.0, 2.0, [871, 26175, 55003, 980, 26678, 821], -4.98),
        ];
        for (model, elo0, elo1, counts, llr) in known {
            let test = Sprt { elo0, elo1, model, ..Sprt::default() };
            near(pairs(counts).llr(&test), llr, 0.01 * (1.0 + llr.abs()));
        }
    }

    /// Whatever the hypotheses are, what was lost speaks against the greater difference, and what was won
    /// for it.
    #[test]
    fn large_differences_are_tested_too() {
        let bounds = [0.0, 100.0, 230.0, 235.0, 300.0, 500.0, 1_000.0, 2_000.0];
        for model in [Model::Logistic, Model::Normalized] {
            for counts in [[40, 30, 20, 8, 2], [50, 0, 0, 0, 0], [0, 50, 0, 0, 0]] {
                let (lost, mut won) = (Pentanomial(counts), Pentanomial(counts));
                won.0.reverse();
                for pair in bounds.windows(2) {
                    let test = Sprt { elo0: pair[0], elo1: pair[1], model, ..Sprt::default() };
                    let opposite = Sprt { elo0: -pair[1], elo1: -pair[0], ..test };
                    assert!(lost.llr(&test) < 0.0, "{counts:?} {test:?}: {}", lost.llr(&test));
                    near(won.llr(&opposite), -lost.llr(&test), 1e-6 * lost.llr(&test).abs());
                }
                let from = |elo1| Sprt { elo1, model, ..Sprt::default() };
                let [most, more] = [2_000.0, 1e9].map(|elo| lost.llr(&from(elo)));
                assert!(most < -3.0 && most == more, "{counts:?} {most} {more}");
            }
        }
    }

    /// The worked values of Newcombe 1998, "Two-sided confidence intervals for the single proportion",
    /// Table I, method 3.
    #[test]
    fn shares_as_published() {
        let known = [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ];
        for (successes, trials, low, high) in known {
            let share = Estimate::of_share(successes, trials);
            near(share.low, low, 5e-5);
            near(share.high, high, 5e-5);
            let opposite = Estimate::of_share(trials - successes, trials);
            near(opposite.low, 1.0 - high, 5e-5);
        }
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let (ours, theirs) = (Pentanomial([3, 8, 20, 11, 5]), Pentanomial([5, 11, 20, 8, 3]));
        near(ours.elo().value, -theirs.elo().value, 1e-9);
        near(ours.los(), 1.0 - theirs.los(), 1e-12);
        let test = Sprt { elo0: -3.0, elo1: 3.0, ..Sprt::default() };
        near(ours.llr(&test), -theirs.llr(&test), 1e-6);
    }

    #[test]
    fn nothing_seen_shows_nothing() {
        let none = Pentanomial::default();
        assert_eq!((none.score(), none.los(), none.llr(&Sprt::default())), (0.5, 0.5, 0.0));
        let only_wins = Pentanomial([0, 0, 0, 0, 7]);
        assert_eq!(only_wins.elo().value, f64::INFINITY);
        assert_eq!(only_wins.elo().high, f64::INFINITY);
        assert!(only_wins.elo().low.is_finite() && only_wins.normalized_elo().value.is_nan());
        let alike = Pentanomial([0, 0, 10, 0, 0]).elo();
        assert_eq!(format!("{:.0} ± {:.0}", alike.value.abs(), alike.error()), "0 ± 99");
        let unknown = Pentanomial::default().elo();
        assert_eq!((unknown.low, unknown.high), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(only_wins.los(), 1.0 - 0.5f64.powi(8));
        assert!(only_wins.llr(&Sprt::default()) > 0.0);
    }
}
