//! Trains the network evaluation on games of an engine against itself.
//!
//! [`Positions`] are read from games and kept in memory. A [`Training`] goes over them several times and
//! returns a network with its card. It can be stopped after any pass and continued.
//!
//! By default the network learns what to add to the classical evaluation. Then few positions suffice: most
//! of what a static value has to know need not be learned again.
//!
//! The target of a position is a mixture of the result of its game and the expected result that the value
//! of its search stands for. That is the logistic function of the value over a *slope*, which is fitted to
//! the values and results of the games themselves.

mod positions;

pub use positions::{Packed, Positions};

use crate::plot::{Plot, Scale, Series};
use crate::random::Random;
use cassius_chess::evaluation::network::{self, BUCKETS, Base, INPUTS, Network, NetworkError, Weights};
use cassius_chess::{Evaluation, Evaluator};
use cassius_train::{Example, Examples, SavedError, Shape, Trainer};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// The settings on which the network depends, besides the games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// The width of the hidden layer of each side.
    pub width: usize,
    /// The number of passes over the positions.
    pub passes: usize,
    /// Whether the network learns the whole value. Otherwise it learns what to add to the classical
    /// evaluation.
    pub alone: bool,
    /// The number of positions for each step.
    pub batch: usize,
    /// The step size of Adam at the beginning. It falls to a hundredth.
    pub rate: f32,
    /// The share of the result of the game in the target, 0 to 1. The rest is the value of the search.
    pub result_share: f64,
    /// The random seed, for the first weights and the order of the positions.
    pub seed: u64,
    /// The network whose weights are the first ones. Without it they are random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
}

/// A network from which a training starts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The number of the evaluation ([`Evaluation::number`]), in hexadecimal.
    pub evaluation: String,
    /// How it was made.
    pub card: Value,
}

impl Options {
    /// Returns these settings for a training that starts from a network
    /// ([`begin_from`](Training::begin_from)). Its width remains, and whether it gives the whole value.
    #[must_use]
    pub fn starting_from(self, network: &Arc<Network>) -> Options {
        let number = Evaluation::Network(Arc::clone(network)).number();
        let start = Start { evaluation: format!("{number:016x}"), card: network.card().clone() };
        let alone = network.base() == Base::Nothing;
        Options { width: network.width(), alone, start: Some(start), ..self }
    }

    fn base(&self) -> Base {
        if self.alone { Base::Nothing } else { Base::Classical }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            width: 64,
            passes: 10,
            alone: false,
            batch: 16_384,
            rate: 0.001,
            result_share: 0.1,
            seed: 1,
            start: None,
        }
    }
}

/// The mean squared errors of the expected result after a pass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// Over the positions of the pass, each before its step.
    pub trained: f64,
    /// Over positions of games that are never trained on.
    pub held_out: f64,
}

/// A training, between two passes.
#[derive(Clone, Debug)]
pub struct Training {
    options: Options,
    slope: f64,
    trainer: Trainer,
    losses: Vec<Losses>,
}

/// Positions as the trainer asks for them.
struct Judged<'a> {
    positions: &'a [Packed],
    slope: f64,
    result_share: f64,
}

impl Examples for Judged<'_> {
    fn example(&self, index: u32, example: &mut Example) {
        let packed = &self.positions[index as usize];
        example.count = packed.inputs(&mut example.us, &mut example.them);
        example.bucket = network::bucket(example.count);
        example.known = f32::from(packed.known) / self.slope as f32;
        example.target = packed.target(self.slope, self.result_share) as f32;
    }
}

/// Why a saved training cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// It is not one, or cut off.
    #[error(transparent)]
    Saved(#[from] SavedError),
    /// Its first line cannot be read.
    #[error("not a saved training: {0}")]
    Head(String),
    /// It was begun with other settings or other games.
    #[error("it was begun with other settings or data: remove it to begin again")]
    Other,
}

/// How much of its files a training has read. The files may have grown since.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// The number of games of each file, in the order of the files.
    pub games: Vec<u64>,
    /// How many games of each file were to be read at most.
    pub most: Option<u64>,
}

/// The first line of a saved training.
#[derive(Serialize, Deserialize, PartialEq)]
struct Head {
    options: Options,
    slope: f64,
    positions: usize,
    digest: u64,
    losses: Vec<Losses>,
    /// Empty if an earlier version has written it.
    #[serde(default)]
    extent: Extent,
}

impl Head {
    /// Returns the first line, and what follows it.
    fn read(bytes: &[u8]) -> Result<(Head, &[u8]), ResumeError> {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let end = end.ok_or_else(|| ResumeError::Head("it has no first line".into()))?;
        let head = serde_json::from_slice(&bytes[..end]);
        let head = head.map_err(|error| ResumeError::Head(error.to_string()))?;
        Ok((head, &bytes[end + 1..]))
    }
}

/// Returns the size of the network.
fn shape(options: &Options) -> Shape {
    Shape { inputs: INPUTS, width: options.width, buckets: BUCKETS }
}

impl Training {
    /// Begins a training with random weights, whatever `options` says of a network to start from.
    pub fn begin(options: &Options, positions: &Positions) -> Training {
        let shape = shape(options);
        Training {
            options: Options { start: None, ..options.clone() },
            slope: positions.slope(),
            trainer: Trainer::new(shape, options.seed),
            losses: Vec::new(),
        }
    }

    /// Begins a training with the weights of a network. The settings are those that
    /// [`starting_from`](Options::starting_from) returns for it, whatever `options` says of them.
    pub fn begin_from(network: &Arc<Network>, options: &Options, positions: &Positions) -> Training {
        let options = options.clone().starting_from(network);
        let (weights, slope) = (network.weights(), positions.slope());
        // An output of 1.0 is worth as many centipawns as the slope has.
        let worth = f64::from(weights.scale) / slope.round();
        let floats = |weights: &[i16], unit: f64| -> Vec<f32> {
            weights.iter().map(|weight| (f64::from(*weight) / unit) as f32).collect()
        };
        let [hidden, output] = [network::HIDDEN_UNIT, network::OUTPUT_UNIT].map(f64::from);
        let added =
            weights.output_bias.iter().map(|bias| (f64::from(*bias) / hidden / output * worth) as f32);
        let parts = [
            floats(&weights.input, hidden),
            floats(&weights.bias, hidden),
            floats(&weights.output, output / worth),
            added.collect(),
        ];
        let network = cassius_train::Network::new(shape(&options), parts.each_ref().map(Vec::as_slice));
        Training { options, slope, trainer: Trainer::of(network), losses: Vec::new() }
    }

    /// Returns the losses of the passes made.
    pub fn losses(&self) -> &[Losses] {
        &self.losses
    }

    /// Whether all passes are made.
    pub fn is_complete(&self) -> bool {
        self.losses.len() >= self.options.passes
    }

    /// Makes one pass over the positions. `tell` is called after every step with the share of the pass
    /// that is done and the loss of the step; it returns whether to go on.
    ///
    /// Returns `None` if it was told to stop. The training is then to be discarded.
    pub fn pass(
        &mut self,
        positions: &Positions,
        threads: usize,
        tell: &mut dyn FnMut(f64, f64) -> bool,
    ) -> Option<Losses> {
        let Options { batch, rate, result_share, seed, passes, .. } = self.options;
        let number = self.losses.len();
        let (trained, held_out) = positions.split();
        let examples = Judged { positions: trained, slope: self.slope, result_share };
        let mut order: Vec<u32> = (0..trained.len() as u32).collect();
        Random(seed.wrapping_add(number as u64 + 1)).shuffle(&mut order);
        let (mut sum, mut done) = (0.0, 0);
        for part in batches(&order, batch.max(1)) {
            let share = (number as f64 + done as f64 / order.len() as f64) / passes as f64;
            let loss = self.trainer.step(&examples, part, rate * falling(share) as f32, threads);
            sum += loss * part.len() as f64;
            done += part.len();
            if !tell(done as f64 / order.len() as f64, loss) {
                return None;
            }
        }
        let others = Judged { positions: held_out, ..examples };
        let all: Vec<u32> = (0..held_out.len() as u32).collect();
        let held_out = self.trainer.network().loss(&others, &all, threads);
        let losses = Losses { trained: sum / order.len().max(1) as f64, held_out };
        self.losses.push(losses);
        Some(losses)
    }

    /// Returns what is needed to continue later. `extent` says what was read for the positions.
    pub fn to_bytes(&self, positions: &Positions, extent: &Extent) -> Vec<u8> {
        let head = Head {
            options: self.options.clone(),
            slope: self.slope,
            positions: positions.len(),
            digest: positions.digest(),
            losses: self.losses.clone(),
            extent: extent.clone(),
        };
        let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend(self.trainer.to_bytes());
        bytes
    }

    /// Returns what was read for a training that [`to_bytes`](Training::to_bytes) has written. The same must
    /// be read again to continue. It is empty if an earlier version has written the training.
    ///
    /// # Errors
    /// If it is something else.
    pub fn extent(bytes: &[u8]) -> Result<Extent, ResumeError> {
        Ok(Head::read(bytes)?.0.extent)
    }

    /// Continues what [`to_bytes`](Training::to_bytes) has written.
    ///
    /// # Errors
    /// If it is something else, or was begun with other settings or games.
    pub fn resume(bytes: &[u8], options: &Options, positions: &Positions) -> Result<Training, ResumeError> {
        let (head, rest) = Head::read(bytes)?;
        let now = Head {
            options: options.clone(),
            slope: positions.slope(),
            positions: positions.len(),
            digest: positions.digest(),
            losses: head.losses.clone(),
            extent: head.extent.clone(),
        };
        if head != now {
            return Err(ResumeError::Other);
        }
        let trainer = Trainer::from_bytes(rest)?;
        if trainer.network().shape() != shape(&now.options) {
            return Err(ResumeError::Other);
        }
        Ok(Training { options: head.options, slope: head.slope, trainer, losses: head.losses })
    }

    /// Returns the network in whole numbers, with its card: the settings, the losses, and what `about`
    /// says of the games.
    ///
    /// # Errors
    /// If the weights do not fit, which the trainer prevents.
    pub fn network(&self, positions: &Positions, about: &Value) -> Result<Network, NetworkError> {
        let weights = quantised(self.trainer.network(), self.slope);
        let difference =
            self.difference(&Network::new(&weights, self.options.base(), Value::Null)?, positions);
        let card = json!({
            "data": about,
            "positions": positions.split().0.len(),
            "held_out": positions.split().1.len(),
            "options": self.options,
            "slope": self.slope,
            "losses": self.losses,
            "rounding": { "positions": difference.0, "mean_cp": difference.1, "most_cp": difference.2 },
        });
        Network::new(&weights, self.options.base(), card)
    }

    /// Compares the values in whole numbers with those in floating point, over some held-out positions:
    /// their number, and the mean and the largest difference in centipawns.
    fn difference(&self, network: &Network, positions: &Positions) -> (usize, f64, f64) {
        let mut evaluator = network.evaluator();
        let sample = &positions.split().1;
        let sample = &sample[..sample.len().min(10_000)];
        let (mut sum, mut most, mut example) = (0.0, 0.0f64, Example::default());
        for packed in sample {
            example.count = packed.inputs(&mut example.us, &mut example.them);
            example.bucket = network::bucket(example.count);
            let exact = f64::from(self.trainer.network().value(&example)) * self.slope.round();
            let exact = exact + f64::from(packed.known);
            let (board, turn) = packed.board();
            let rounded = f64::from(evaluator.evaluate(&board, turn, 0));
            sum += (exact - rounded).abs();
            most = most.max((exact - rounded).abs());
        }
        (sample.len(), sum / sample.len().max(1) as f64, most)
    }
}

/// Returns the losses of a training as a plot.
pub fn plot(losses: &[Losses]) -> Plot {
    let line = |name: &str, loss: fn(&Losses) -> f64| {
        Series::new(name, losses.iter().enumerate().map(|(pass, losses)| (pass as f64 + 1.0, loss(losses))))
    };
    Plot {
        name: "losses".into(),
        title: "Loss after each pass".into(),
        x: "pass".into(),
        y: "mean squared error of the expected result".into(),
        scale: Scale::Linear,
        series: vec![line("trained", |it| it.trained), line("held out", |it| it.held_out)],
    }
}

/// Returns the mean squared error of an evaluation over some positions, as [`Losses`] has it for a network.
pub fn loss_of(evaluator: &mut Evaluator, positions: &[Packed], slope: f64, result_share: f64) -> f64 {
    let error = |packed: &Packed| {
        let (board, turn) = packed.board();
        let value = f64::from(evaluator.evaluate(&board, turn, 0));
        let expected = 1.0 / (1.0 + (-value / slope).exp());
        (expected - packed.target(slope, result_share)).powi(2)
    };
    positions.iter().map(error).sum::<f64>() / positions.len().max(1) as f64
}

/// Divides what is passed over into batches. What is left at the end is a batch of its own if it is at least
/// half of one, and otherwise joined to the batch before it: a step on a few positions would be as large as
/// any other.
fn batches(order: &[u32], batch: usize) -> impl Iterator<Item = &[u32]> {
    let left = order.len() % batch;
    let joined = if left > 0 && 2 * left < batch && left < order.len() { batch + left } else { 0 };
    let (batches, last) = order.split_at(order.len() - joined);
    batches.chunks(batch).chain((joined > 0).then_some(last))
}

/// The step size as a share of the first one, after a share of the training: a cosine from 1 to 0.01.
fn falling(share: f64) -> f64 {
    0.01 + 0.99 * (0.5 + 0.5 * (std::f64::consts::PI * share).cos())
}

/// Rounds the weights to whole numbers.
fn quantised(network: &cassius_train::Network, slope: f64) -> Weights {
    let hidden = network::HIDDEN_UNIT as f32;
    let output = network::OUTPUT_UNIT as f32;
    let short = |weights: &[f32], unit: f32| {
        weights.iter().map(|weight| (weight * unit).round() as i16).collect::<Vec<i16>>()
    };
    Weights {
        input: short(network.input(), hidden),
        bias: short(network.bias(), hidden),
        output: short(network.output(), output),
        output_bias: network
            .output_bias()
            .iter()
            .map(|bias| (bias * hidden * output).round() as i32)
            .collect(),
        scale: slope.round() as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::{Settings, World, generate};
    use std::sync::atomic::AtomicBool;

    fn positions(games: u64, alone: bool) -> Positions {
        let settings = Settings { soft_nodes: 10, hard_nodes: 50, hash: 1, ..Settings::default() };
        let world = World { jobs: 2, stop: &AtomicBool::new(false), before_game: &|| {} };
        let (mut positions, mut base) = (Positions::default(), Evaluator::of(&Evaluation::Classical));
        generate(&settings, 0..games, &world, &mut |game| {
            positions.add(game, if alone { None } else { Some(&mut base) });
            true
        })
        .unwrap();
        positions.finish(1);
        positions
    }

    const SMALL: Options = Options {
        width: 32,
        passes: 3,
        alone: false,
        batch: 512,
        rate: 0.002,
        result_share: 0.1,
        seed: 1,
        start: None,
    };

    fn whole(options: &Options, positions: &Positions, threads: usize) -> Training {
        let mut training = Training::begin(options, positions);
        while !training.is_complete() {
            training.pass(positions, threads, &mut |_, _| true).expect("not stopped");
        }
        training
    }

    #[test]
    fn the_same_network_whatever_the_threads_and_interruptions() {
        let positions = positions(60, false);
        let once = whole(&SMALL, &positions, 1);
        assert!(once.losses()[2].trained < once.losses()[0].trained, "{:?}", once.losses());
        let network = once.network(&positions, &json!([])).unwrap();
        assert_eq!(whole(&SMALL, &positions, 3).network(&positions, &json!([])).unwrap(), network);

        let mut broken = Training::begin(&SMALL, &positions);
        broken.pass(&positions, 2, &mut |_, _| true);
        let extent = Extent { games: vec![60], most: None };
        let bytes = broken.to_bytes(&positions, &extent);
        assert_eq!(Training::extent(&bytes).unwrap(), extent);
        assert!(broken.pass(&positions, 2, &mut |share, _| share < 0.5).is_none());
        let mut resumed = Training::resume(&bytes, &SMALL, &positions).unwrap();
        while !resumed.is_complete() {
            resumed.pass(&positions, 2, &mut |_, _| true);
        }
        assert_eq!(resumed.network(&positions, &json!([])).unwrap(), network);

        // Earlier versions did not write what was read.
        let text = String::from_utf8_lossy(&bytes);
        let (head, _) = text.split_once('\n').unwrap();
        let (before, _) = head.split_once(",\"extent\"").unwrap();
        let older = [before.as_bytes(), b"}", &bytes[head.len()..]].concat();
        assert_eq!(Training::extent(&older).unwrap(), Extent::default());
        assert_eq!(Training::resume(&older, &SMALL, &positions).unwrap().losses().len(), 1);

        let other = Options { seed: 2, ..SMALL };
        assert!(matches!(Training::resume(&bytes, &other, &positions), Err(ResumeError::Other)));
        let mut others = positions.clone();
        others.finish(2);
        assert_eq!((others.len(), others.slope()), (positions.len(), positions.slope()));
        assert!(matches!(Training::resume(&bytes, &SMALL, &others), Err(ResumeError::Other)));
        assert!(matches!(Training::resume(&bytes[..900], &SMALL, &positions), Err(ResumeError::Saved(_))));
        for head in [Training::resume(b"{}\n", &SMALL, &positions).err(), Training::extent(b"{}").err()] {
            assert!(matches!(head, Some(ResumeError::Head(_))));
        }
    }

    #[test]
    fn no_step_is_made_on_a_few_positions() {
        let order: Vec<u32> = (0..40).collect();
        for (positions, expected) in [
            (0, &[][..]),
            (3, &[3]),
            (8, &[8]),
            (9, &[9]),
            (11, &[11]),
            (12, &[8, 4]),
            (16, &[8, 8]),
            (19, &[8, 11]),
            (23, &[8, 8, 7]),
            (33, &[8, 8, 8, 9]),
        ] {
            let order = &order[..positions];
            let parts: Vec<&[u32]> = batches(order, 8).collect();
            assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), expected, "{positions}");
            assert_eq!(parts.concat(), order);
        }
        assert_eq!(batches(&order, 1).count(), 40);
    }

    #[test]
    fn whole_numbers_are_close_to_the_weights_they_are_made_of() {
        for alone in [false, true] {
            let positions = positions(60, alone);
            let training = whole(&Options { alone, ..SMALL }, &positions, 2);
            let (count, mean, most) = {
                let network = training.network(&positions, &json!([])).unwrap();
                training.difference(&network, &positions)
            };
            assert!(count > 20 && mean < 5.0 && most < 40.0, "{count} {mean} {most}");
        }
    }

    #[test]
    fn what_is_learned_is_better_than_what_was_known() {
        let positions = positions(200, false);
        let training = whole(&Options { result_share: 0.0, ..SMALL }, &positions, 2);
        let network = training.network(&positions, &json!([])).unwrap();
        let loss =
            |mut evaluator: Evaluator| loss_of(&mut evaluator, positions.split().0, positions.slope(), 0.0);
        let (learned, known) = (loss(network.evaluator()), loss(Evaluator::of(&Evaluation::Classical)));
        assert!(learned < 0.95 * known, "{learned} {known}");
    }

    /// What was learned is not lost: the first value is that of the network, whatever the slope, and from
    /// there the loss falls.
    #[test]
    fn a_training_goes_on_from_a_network() {
        for alone in [false, true] {
            let first = positions(60, alone);
            let network = whole(&Options { alone, ..SMALL }, &first, 2).network(&first, &json!(["games"]));
            let network = Arc::new(network.unwrap());
            let more = positions(150, alone);
            assert!(more.slope() != first.slope());
            let mut training = Training::begin_from(&network, &SMALL, &more);
            let options = training.options.clone();
            assert_eq!((options.width, options.alone), (32, alone));
            let start = options.start.as_ref().unwrap();
            assert_eq!(start.evaluation, format!("{:016x}", Evaluation::Network(network.clone()).number()));
            assert_eq!(start.card["data"][0], "games");

            let same = training.network(&more, &json!([])).unwrap();
            let (mut before, mut after) = (network.evaluator(), same.evaluator());
            for packed in more.split().1 {
                let (board, turn) = packed.board();
                let values = [&mut before, &mut after].map(|it| it.evaluate(&board, turn, 0));
                assert!(values[0].abs_diff(values[1]) <= 4, "{values:?}");
            }
            let loss =
                |network: &Network| loss_of(&mut network.evaluator(), more.split().0, more.slope(), 0.1);
            while !training.is_complete() {
                training.pass(&more, 2, &mut |_, _| true).unwrap();
            }
            let trained = training.network(&more, &json!([])).unwrap();
            assert!(loss(&trained) < 0.99 * loss(&network), "{} {}", loss(&trained), loss(&network));
            assert_eq!(trained.card()["options"]["start"]["card"], *network.card());

            // Without the network the weights are random, and the card does not name one.
            assert_eq!(Training::begin(&options, &more).options.start, None);

            // It continues with the same network only.
            let bytes = training.to_bytes(&more, &Extent::default());
            assert!(Training::resume(&bytes, &options, &more).unwrap().is_complete());
            for other in [Options { alone, ..SMALL }, SMALL.clone().starting_from(&Arc::new(trained))] {
                assert!(matches!(Training::resume(&bytes, &other, &more), Err(ResumeError::Other)));
            }
        }
    }
}
