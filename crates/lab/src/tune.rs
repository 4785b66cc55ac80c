//! Fits the weights of the chess evaluation to judged positions.
//!
//! Each line of the data is `FEN;score;result`, both for White: a teacher's score in centipawns and the
//! result of the game, 0, 0.5 or 1. The fit minimises the cross-entropy between two expected results.
//! The first is the prediction of the evaluation, `1 / (1 + exp(-value / slope))`. The second is a
//! mixture of the prediction of the teacher's score and the real result.
//!
//! The evaluation itself reports how often each weight counted
//! ([`cassius_chess::evaluation::classical::trace`]). The tuner only repeats the last steps, which are the
//! danger penalty, the complexity and the mixing of phases. It computes them in floating point and
//! differentiates them. [`Data::discrepancy`] measures the difference between the two computations.
//!
//! *Reference*: "Texel's tuning method" (Peter Österlund, Chess Programming Wiki), with gradients as in
//! "Evaluation & Tuning in Chess Engines" (Andrew Grant, 2020), and Adam (Kingma and Ba, 2015).

use cassius_chess::Position;
use cassius_chess::evaluation::classical::trace::{Account, Trace};
use cassius_chess::evaluation::classical::weights::{COUNT, TERMS};
use cassius_chess::evaluation::classical::{FULL_PHASE, FULL_SCALE, Parts, explain, king};
use std::fmt::Write;

/// The middlegame and endgame values of all weights, in the order of their numbers.
pub type Weights = Vec<[f64; 2]>;

/// Returns the weights that the engine plays with.
pub fn current_weights() -> Weights {
    TERMS
        .iter()
        .flat_map(|term| term.values)
        .map(|value| [f64::from(value.mg()), f64::from(value.eg())])
        .collect()
}

/// The options of a fit.
#[derive(Clone, Debug)]
pub struct Options {
    /// The share of the real result in the target, 0 to 1. The rest is the teacher's score.
    pub result_share: f64,
    /// The number of passes over the data.
    pub epochs: usize,
    /// The number of positions for each step.
    pub batch: usize,
    /// The first step size of Adam, in centipawns. It falls to a hundredth by the last epoch.
    pub rate: f64,
    /// The pull of each weight towards its first value, for weights that occur seldom.
    pub anchor: f64,
    /// One position in this many, counted at the end of the data, is held out of the fit.
    pub held_out: usize,
    /// The centipawns at which the expected result is `e / (1 + e)`, 73 %. If absent, it is fitted to
    /// the scores and results of the data.
    pub slope: Option<f64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            result_share: 0.3,
            epochs: 60,
            batch: 8192,
            rate: 2.0,
            anchor: 1e-9,
            held_out: 10,
            slope: None,
        }
    }
}

/// The mean losses, over the fitted and over the held-out positions.
#[derive(Clone, Copy, Debug)]
pub struct Losses {
    /// The mean loss over the positions that are fitted.
    pub training: f64,
    /// The mean loss over the positions that the fit never sees.
    pub held_out: Option<f64>,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The new weights.
    pub weights: Weights,
    /// The slope that was used.
    pub slope: f64,
    /// The losses with the old weights.
    pub before: Losses,
    /// The losses with the new weights.
    pub after: Losses,
}

/// A line that is not `FEN;score;result`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl std::fmt::Display for BadLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for BadLine {}

#[derive(Clone, Copy)]
struct Counted {
    weight: u16,
    count: i16,
}

/// One position: where its counts end in the common list, and its non-linear parts.
struct Sample {
    /// The ends of the linear part, White's danger, Black's danger, and complexity.
    ends: [u32; 4],
    /// The share of the middlegame. The rest is the share of the endgame.
    mg: f32,
    /// For an endgame advantage of Black and of White: the factor of the advantage, and the addend.
    scales: [f32; 2],
    extras: [f32; 2],
    score: f32,
    result: f32,
}

/// Judged positions, as counts of weights.
pub struct Data {
    counts: Vec<Counted>,
    samples: Vec<Sample>,
    discrepancy: f64,
}

const LINEAR: usize = 0;
const WHITE_DANGER: usize = 1;
const BLACK_DANGER: usize = 2;
const COMPLEXITY: usize = 3;

/// Collects the counts of one position, with one sum for each account and weight.
struct Collector {
    sums: [Vec<i16>; 4],
    seen: [Vec<u16>; 4],
}

impl Collector {
    fn new() -> Collector {
        Collector { sums: std::array::from_fn(|_| vec![0; COUNT]), seen: Default::default() }
    }

    /// Appends the counts of an account and clears them.
    fn drain(&mut self, account: usize, counts: &mut Vec<Counted>) {
        for weight in self.seen[account].drain(..) {
            let count = std::mem::take(&mut self.sums[account][usize::from(weight)]);
            if count != 0 {
                counts.push(Counted { weight, count });
            }
        }
    }
}

impl Trace for Collector {
    fn record(&mut self, account: Account, weight: usize, count: i32) {
        let sign = match account {
            Account::Side(color) if color.is_black() => -1,
            _ => 1,
        };
        let account = number(account);
        if !self.seen[account].contains(&(weight as u16)) {
            self.seen[account].push(weight as u16);
        }
        self.sums[account][weight] += sign * count as i16;
    }

    fn discard(&mut self, account: Account) {
        self.drain(number(account), &mut Vec::new());
    }
}

fn number(account: Account) -> usize {
    match account {
        Account::Side(_) => LINEAR,
        Account::Danger(color) if color.is_white() => WHITE_DANGER,
        Account::Danger(_) => BLACK_DANGER,
        Account::Complexity => COMPLEXITY,
    }
}

/// The value of a sample and its derivatives by the sums of its accounts.
struct Value {
    value: f64,
    /// For each account, the derivatives by its middlegame and its endgame sum.
    slopes: [[f64; 2]; 4],
}

impl Data {
    /// Parses the lines, and traces the evaluation of each position.
    pub fn parse(text: &str) -> Result<Data, BadLine> {
        let mut data = Data { counts: Vec::new(), samples: Vec::new(), discrepancy: 0.0 };
        let mut collector = Collector::new();
        let weights = current_weights();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let bad = |reason| BadLine { line: index + 1, reason };
            let mut fields = line.split(';');
            let mut field = || fields.next().map(str::trim).ok_or(bad("too few fields"));
            let position: Position = field()?.parse().map_err(|_| bad("not a legal position"))?;
            let score: f32 = field()?.parse().map_err(|_| bad("the score is not a number"))?;
            let result: f32 = field()?.parse().map_err(|_| bad("the result is not a number"))?;
            if !(0.0..=1.0).contains(&result) || !score.is_finite() {
                return Err(bad("score or result out of range"));
            }
            let parts = explain(position.board(), position.turn(), &mut collector);
            let ends = std::array::from_fn(|account| {
                collector.drain(account, &mut data.counts);
                data.counts.len() as u32
            });
            data.samples.push(Sample::new(ends, &parts, score, result));
            let value = data.value(data.samples.len() - 1, &weights).value;
            data.discrepancy = data.discrepancy.max((value - f64::from(parts.mix())).abs());
        }
        Ok(data)
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Returns the greatest difference over all positions, in centipawns, between the engine's value and
    /// the tuner's. Rounding causes a few centipawns.
    pub fn discrepancy(&self) -> f64 {
        self.discrepancy
    }

    fn counts(&self, sample: usize, account: usize) -> &[Counted] {
        let ends = &self.samples[sample].ends;
        let start = match account {
            0 if sample == 0 => 0,
            0 => self.samples[sample - 1].ends[3],
            _ => ends[account - 1],
        };
        &self.counts[start as usize..ends[account] as usize]
    }

    fn value(&self, sample: usize, weights: &[[f64; 2]]) -> Value {
        let sums: [[f64; 2]; 4] = std::array::from_fn(|account| {
            self.counts(sample, account).iter().fold([0.0; 2], |sum, counted| {
                let (weight, count) = (weights[usize::from(counted.weight)], f64::from(counted.count));
                [sum[0] + weight[0] * count, sum[1] + weight[1] * count]
            })
        });
        let sample = &self.samples[sample];
        let (white, black) = (penalty(sums[WHITE_DANGER]), penalty(sums[BLACK_DANGER]));
        let mg = sums[LINEAR][0] - white.cost[0] + black.cost[0];
        let eg = sums[LINEAR][1] - white.cost[1] + black.cost[1];
        let complexity = sums[COMPLEXITY][1];
        // Complexity changes the advantage by at most the advantage itself.
        let (endgame, by_endgame, by_complexity) = if complexity <= -eg.abs() {
            (0.0, 0.0, 0.0)
        } else if complexity >= eg.abs() {
            (2.0 * eg, 2.0, 0.0)
        } else {
            (eg + eg.signum() * complexity, 1.0, eg.signum())
        };
        let better = usize::from(eg > 0.0);
        if sample.scales[better] == 0.0 {
            return Value { value: 0.0, slopes: [[0.0; 2]; 4] };
        }
        let by_mg = f64::from(sample.mg);
        let share = (1.0 - by_mg) * f64::from(sample.scales[better]);
        let by_eg = by_endgame * share;
        Value {
            value: mg * by_mg + endgame * share + f64::from(sample.extras[better]),
            slopes: [
                [by_mg, by_eg],
                [-by_mg * white.slope[0], -by_eg * white.slope[1]],
                [by_mg * black.slope[0], by_eg * black.slope[1]],
                [0.0, by_complexity * share],
            ],
        }
    }

    fn target(&self, sample: usize, options: &Options, slope: f64) -> f64 {
        let sample = &self.samples[sample];
        let by_score = expected(f64::from(sample.score), slope);
        by_score + (f64::from(sample.result) - by_score) * options.result_share
    }

    /// Returns the slope that makes the teacher's scores the best predictor of the results.
    pub fn fit_slope(&self) -> f64 {
        let loss = |slope: f64| -> f64 {
            let losses = self.samples.iter().step_by(1 + self.len() / 50_000).map(|sample| {
                cross_entropy(expected(f64::from(sample.score), slope), f64::from(sample.result))
            });
            losses.sum()
        };
        // The loss has one minimum: golden-section search.
        let (mut low, mut high) = (20.0, 1000.0);
        let ratio = (5f64.sqrt() - 1.0) / 2.0;
        while high - low > 0.5 {
            let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
            if loss(left) < loss(right) { high = right } else { low = left }
        }
        (low + high) / 2.0
    }

    fn mean_loss(
        &self,
        range: std::ops::Range<usize>,
        weights: &Weights,
        options: &Options,
        slope: f64,
    ) -> f64 {
        let count = range.len().max(1) as f64;
        let losses = range.map(|sample| {
            let value = self.value(sample, weights).value;
            cross_entropy(expected(value, slope), self.target(sample, options, slope))
        });
        losses.sum::<f64>() / count
    }

    /// Fits all weights. `progress` is called with the number of each epoch and the losses after it.
    ///
    /// The held-out positions are the last of the data, so that whole games are held out if the data is
    /// in the order of the games.
    pub fn fit(&self, options: &Options, mut progress: impl FnMut(usize, Losses)) -> Fit {
        let slope = options.slope.unwrap_or_else(|| self.fit_slope());
        let training = self.len() - self.len() / options.held_out.max(1);
        let losses = |weights: &Weights| Losses {
            training: self.mean_loss(0..training, weights, options, slope),
            held_out: (training < self.len())
                .then(|| self.mean_loss(training..self.len(), weights, options, slope)),
        };
        let first = current_weights();
        let mut weights = first.clone();
        let before = losses(&weights);
        let mut after = before;

        let mut order: Vec<u32> = (0..training as u32).collect();
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        let mut mean = vec![[0.0; 2]; COUNT];
        let mut square = vec![[0.0; 2]; COUNT];
        let (keep_mean, keep_square) = (0.9, 0.999);
        let mut step = 0;
        for epoch in 0..options.epochs {
            shuffle(&mut order, &mut random);
            let done = epoch as f64 / options.epochs.max(2).saturating_sub(1) as f64;
            let rate = options.rate * 0.01f64.powf(done);
            for batch in order.chunks(options.batch.max(1)) {
                step += 1;
                let gradient = self.gradient(batch, &weights, options, slope);
                let (unbias_mean, unbias_square) =
                    (1.0 - f64::powi(keep_mean, step), 1.0 - f64::powi(keep_square, step));
                for index in 0..COUNT {
                    for half in 0..2 {
                        let pull = options.anchor * (weights[index][half] - first[index][half]);
                        let slope = gradient[index][half] + pull;
                        let mean = &mut mean[index][half];
                        let square = &mut square[index][half];
                        *mean = keep_mean * *mean + (1.0 - keep_mean) * slope;
                        *square = keep_square * *square + (1.0 - keep_square) * slope * slope;
                        weights[index][half] -=
                            rate * (*mean / unbias_mean) / ((*square / unbias_square).sqrt() + 1e-9);
                    }
                }
            }
            after = losses(&weights);
            progress(epoch + 1, after);
        }
        Fit { weights, slope, before, after }
    }

    /// Returns the gradient of the mean loss over a batch.
    fn gradient(&self, batch: &[u32], weights: &Weights, options: &Options, slope: f64) -> Weights {
        let mut gradient = vec![[0.0; 2]; COUNT];
        for &sample in batch {
            let sample = sample as usize;
            let Value { value, slopes } = self.value(sample, weights);
            // The derivative of the cross-entropy through the logistic function is the plain error.
            let error = (expected(value, slope) - self.target(sample, options, slope)) / slope;
            let error = error / batch.len() as f64;
            for (account, by) in slopes.iter().enumerate() {
                let by = [by[0] * error, by[1] * error];
                for counted in self.counts(sample, account) {
                    let entry = &mut gradient[usize::from(counted.weight)];
                    let count = f64::from(counted.count);
                    entry[0] += by[0] * count;
                    entry[1] += by[1] * count;
                }
            }
        }
        gradient
    }
}

impl Sample {
    fn new(ends: [u32; 4], parts: &Parts, score: f32, result: f32) -> Sample {
        let phase = parts.phase as f32 / FULL_PHASE as f32;
        let scales = parts.scales.map(|scale| scale as f32 / FULL_SCALE as f32);
        Sample { ends, mg: phase, scales, extras: parts.extras.map(|extra| extra as f32), score, result }
    }
}

/// The cost of danger and its derivative, as [`king::penalty`] without rounding.
struct Penalty {
    cost: [f64; 2],
    slope: [f64; 2],
}

fn penalty(danger: [f64; 2]) -> Penalty {
    let [mg, eg] = danger.map(|half| half.max(0.0));
    let (square, linear) = (f64::from(king::SQUARE_DIVISOR), f64::from(king::LINEAR_DIVISOR));
    let cost = mg * mg / square;
    let capped = cost > f64::from(king::MAX_PENALTY);
    Penalty {
        cost: [cost.min(f64::from(king::MAX_PENALTY)), eg / linear],
        slope: [if capped { 0.0 } else { 2.0 * mg / square }, if eg > 0.0 { 1.0 / linear } else { 0.0 }],
    }
}

/// Returns the expected result at a value, 0 to 1.
fn expected(value: f64, slope: f64) -> f64 {
    1.0 / (1.0 + (-value / slope).exp())
}

fn cross_entropy(predicted: f64, target: f64) -> f64 {
    let predicted = predicted.clamp(1e-9, 1.0 - 1e-9);
    -(target * predicted.ln() + (1.0 - target) * (1.0 - predicted).ln())
}

/// Shuffles by Fisher and Yates, with a xorshift generator, so that the fit is the same on every
/// machine.
fn shuffle(order: &mut [u32], random: &mut u64) {
    for last in (1..order.len()).rev() {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        order.swap(last, (*random % (last as u64 + 1)) as usize);
    }
}

/// Returns the source of the weights file with all values replaced by the rounded new ones and
/// everything else unchanged. The result is ready to be compiled.
///
/// `None` if `source` lacks a group of weights.
pub fn rewrite(source: &str, weights: &[[f64; 2]]) -> Option<String> {
    let mut out = source.to_owned();
    for term in TERMS {
        let head = format!("    {}: {} = [", term.name, term.values.len());
        let start = out.find(&head)?;
        let length = out[start..].find("];")?;
        let values = &weights[term.first..term.first + term.values.len()];
        out.replace_range(start..start + length + 2, &format!("{head}{}];", table(values)));
    }
    Some(out)
}

/// Formats up to eight values on one line, and more in rows of eight.
fn table(values: &[[f64; 2]]) -> String {
    let pairs: Vec<String> = values
        .iter()
        .map(|[mg, eg]| format!("({mg:.0}, {eg:.0})").replace("-0,", "0,").replace(" -0)", " 0)"))
        .collect();
    if pairs.len() <= 8 {
        return pairs.join(", ");
    }
    let width = pairs.iter().map(String::len).max().unwrap_or(0) + 1;
    let mut out = String::new();
    for row in pairs.chunks(8) {
        out.push_str("\n       ");
        for pair in row {
            let _ = write!(out, " {:<width$}", format!("{pair},"));
        }
        out.truncate(out.trim_end().len());
    }
    out.push_str("\n    ");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;30;0.5
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1;-50;0
2kr3r/pp1q1ppp/5n2/1Nb5/2Pp1B2/7Q/P4PPP/1R3RK1 w - - 0 1;400;1
6k1/5pp1/8/3B4/8/5P2/2b3PP/6K1 w - - 0 1;40;0.5
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1;10;0.5
4k3/P6p/8/1b6/8/8/r6P/R3K3 b - - 0 1;600;1
8/8/4k3/8/8/3NK3/8/8 w - - 0 1;0;0.5";

    #[test]
    fn the_tuner_computes_what_the_engine_computes() {
        let data = Data::parse(LINES).expect("good lines");
        assert_eq!(data.len(), 7);
        assert!(data.discrepancy() < 4.0, "{}", data.discrepancy());
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let data = Data::parse(LINES).expect("good lines");
        let options = Options::default();
        let batch: Vec<u32> = (0..data.len() as u32).collect();
        let weights = current_weights();
        let gradient = data.gradient(&batch, &weights, &options, 150.0);
        let loss = |weights: &Weights| data.mean_loss(0..data.len(), weights, &options, 150.0);
        for index in 0..COUNT {
            for half in 0..2 {
                let (mut up, mut down) = (weights.clone(), weights.clone());
                up[index][half] += 0.01;
                down[index][half] -= 0.01;
                let slope = (loss(&up) - loss(&down)) / 0.02;
                assert!((slope - gradient[index][half]).abs() < 1e-7, "weight {index}");
            }
        }
    }

    #[test]
    fn fitting_lowers_the_loss() {
        let data = Data::parse(LINES).expect("good lines");
        let options = Options { epochs: 5, slope: Some(150.0), held_out: 100, ..Options::default() };
        let fit = data.fit(&options, |_, _| {});
        assert!(fit.after.training < fit.before.training);
        assert_eq!(fit.after.held_out, None, "fewer lines than a hundred: none is held out");
        let marked = Data::parse(&format!("\u{feff}{LINES}")).expect("a mark of the encoding is no line");
        assert_eq!(marked.len(), data.len());
    }

    #[test]
    fn rewriting_with_the_same_weights_changes_nothing() {
        let source = include_str!("../../chess/src/evaluation/classical/weights.rs");
        assert!(rewrite(source, &current_weights()).as_deref() == Some(source));
        assert_eq!(rewrite("fn main() {}", &current_weights()), None);
    }

    #[test]
    fn bad_lines_are_named() {
        for (line, reason) in [
            ("nonsense", "not a legal position"),
            ("8/8/4k3/8/8/3RK3/8/8 w - - 0 1;5", "too few fields"),
            ("8/8/4k3/8/8/3RK3/8/8 w - - 0 1;x;1", "the score is not a number"),
            ("8/8/4k3/8/8/3RK3/8/8 w - - 0 1;5;2", "score or result out of range"),
        ] {
            assert_eq!(Data::parse(line).err(), Some(BadLine { line: 1, reason }));
        }
    }
}
