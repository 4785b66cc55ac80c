//! Trains networks with sparse inputs: an evaluation of positions that learns from judged positions.
//!
//! The network has a hidden layer for each side. Both have the same weights; each sees the position from
//! its side's view, as a list of few active inputs out of many. The output is a sum over both layers after
//! a squared clipped ReLU, with a set of weights for each *bucket* of positions. The expected result is the
//! logistic function of the output, to which a value that is known otherwise may be added. The loss is its
//! squared distance from the target.
//!
//! The crate knows no game. Whoever trains implements [`Examples`], which turns numbers into positions.
//! Training is deterministic: the same examples, order and settings give the same weights, whatever the
//! number of threads.
//!
//! ```
//! use cassius_train::{Example, Examples, Shape, Trainer};
//!
//! /// Positions with one piece on one of 16 squares; the upper half is won.
//! struct Squares;
//! impl Examples for Squares {
//!     fn example(&self, index: u32, example: &mut Example) {
//!         example.count = 1;
//!         (example.us[0], example.them[0]) = (index as u16 % 16, 15 - index as u16 % 16);
//!         example.target = if index % 16 < 8 { 0.0 } else { 1.0 };
//!     }
//! }
//!
//! let mut trainer = Trainer::new(Shape { inputs: 16, width: 16, buckets: 1 }, 1);
//! let order: Vec<u32> = (0..64).collect();
//! let first = trainer.step(&Squares, &order, 0.01, 2);
//! let last = (0..100).map(|_| trainer.step(&Squares, &order, 0.01, 2)).last().unwrap();
//! assert!(last < first / 10.0, "{first} {last}");
//! ```
//!
//! *References*: Yu Nasu 2018 (the form of the network); Kingma and Ba 2015, and Loshchilov and Hutter 2019
//! (Adam, with weight decay apart from the gradient).

mod kernel;
mod saved;

pub use saved::SavedError;

use kernel::{LANES, Scratch};
use std::sync::{Mutex, PoisonError};

/// The most inputs that are active in one view.
pub const MOST_ACTIVE: usize = 32;

/// The size of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of inputs of each view.
    pub inputs: usize,
    /// The width of each hidden layer, a multiple of 16 above 0.
    pub width: usize,
    /// The number of sets of output weights.
    pub buckets: usize,
}

impl Shape {
    /// The number of weights.
    pub const fn weights(&self) -> usize {
        self.output_bias() + self.buckets
    }

    const fn bias(&self) -> usize {
        self.inputs * self.width
    }

    const fn output(&self) -> usize {
        self.bias() + self.width
    }

    const fn output_bias(&self) -> usize {
        self.output() + 2 * self.width * self.buckets
    }
}

/// A position with what it is worth.
#[derive(Clone, Debug)]
pub struct Example {
    /// The active inputs in the view of the side to move.
    pub us: [u16; MOST_ACTIVE],
    /// The active inputs in the view of the other side.
    pub them: [u16; MOST_ACTIVE],
    /// The number of active inputs in each view.
    pub count: usize,
    /// The bucket.
    pub bucket: usize,
    /// What is known of the value already: the output is added to it. 0 if nothing is known.
    pub known: f32,
    /// The expected result of the side to move, 0 to 1.
    pub target: f32,
}

impl Default for Example {
    fn default() -> Example {
        Example { us: [0; MOST_ACTIVE], them: [0; MOST_ACTIVE], count: 0, bucket: 0, known: 0.0, target: 0.5 }
    }
}

/// A set of positions that can be asked for by number.
pub trait Examples: Sync {
    /// Writes the position with this number into `example`. Every input and bucket must be within the
    /// [`Shape`] of the trainer.
    fn example(&self, index: u32, example: &mut Example);
}

/// The weights of a network, all in one list.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    shape: Shape,
    weights: Vec<f32>,
}

impl Network {
    /// Creates a network with these weights: of the inputs, the hidden layer of no active input, the output
    /// weights and what is added to the output, each as the function of that name returns them.
    ///
    /// ```
    /// use cassius_train::{Network, Shape, Trainer};
    /// let shape = Shape { inputs: 4, width: 16, buckets: 2 };
    /// let begun = Trainer::new(shape, 7);
    /// let network = begun.network();
    /// let parts = [network.input(), network.bias(), network.output(), network.output_bias()];
    /// assert_eq!(Network::new(shape, parts), *network);
    /// ```
    ///
    /// # Panics
    /// If the lengths are not those of the shape.
    pub fn new(shape: Shape, weights: [&[f32]; 4]) -> Network {
        let network = Network { shape, weights: weights.concat() };
        let parts = [shape.bias(), shape.width, shape.output_bias() - shape.output(), shape.buckets];
        assert_eq!(weights.map(<[f32]>::len), parts, "the weights must have the lengths of the shape");
        network
    }

    /// Returns the size.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the input weights: for each input, what it adds to the hidden layer.
    pub fn input(&self) -> &[f32] {
        &self.weights[..self.shape.bias()]
    }

    /// Returns the hidden layer of no active input.
    pub fn bias(&self) -> &[f32] {
        &self.weights[self.shape.bias()..self.shape.output()]
    }

    /// Returns the output weights: for each bucket those of the side to move, then those of the other side.
    pub fn output(&self) -> &[f32] {
        &self.weights[self.shape.output()..self.shape.output_bias()]
    }

    /// Returns what is added to the output, for each bucket.
    pub fn output_bias(&self) -> &[f32] {
        &self.weights[self.shape.output_bias()..]
    }

    /// Returns the output for a position. The expected result is the logistic function of the output plus
    /// what is known ([`Example::known`]).
    pub fn value(&self, example: &Example) -> f32 {
        Scratch::new(self.shape).forward(self.shape, &self.weights, example)
    }

    /// Returns the mean loss over some examples.
    pub fn loss(&self, examples: &impl Examples, order: &[u32], threads: usize) -> f64 {
        let sum = |part: &[u32]| {
            let (mut scratch, mut example) = (Scratch::new(self.shape), Example::default());
            let losses = part.iter().map(|&index| {
                examples.example(index, &mut example);
                let output = scratch.forward(self.shape, &self.weights, &example);
                f64::from(kernel::sigmoid(example.known + output) - example.target).powi(2)
            });
            losses.sum::<f64>()
        };
        // The parts do not depend on the number of threads, so that the sum does not either.
        let parts: Vec<&[u32]> = order.chunks(order.len().div_ceil(SHARDS).max(1)).collect();
        let sums = in_parallel(&parts, threads, |part| sum(part));
        sums.iter().sum::<f64>() / order.len().max(1) as f64
    }
}

/// The parts into which a batch is divided, each with gradients of its own. More threads than parts have
/// nothing to do.
const SHARDS: usize = 8;

/// Trains a network, batch by batch.
#[derive(Clone, Debug)]
pub struct Trainer {
    network: Network,
    /// Means of the gradients, and of their squares.
    moments: [Vec<f32>; 2],
    steps: u64,
    /// Gradients of the parts of a batch; not part of the state.
    gradients: Vec<Vec<f32>>,
}

/// What a weight may be: so that the sums of whole numbers made of them fit.
const MOST: f32 = 1.98;

/// The constants of Adam.
const BETAS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;
/// The share of a weight that is taken away at each step, times the rate.
const DECAY: f32 = 0.01;

impl Trainer {
    /// Begins with small random weights.
    ///
    /// # Panics
    /// If the width is not a multiple of 16, or is 0.
    pub fn new(shape: Shape, seed: u64) -> Trainer {
        let mut random = Random(seed);
        let output = 1.0 / (2.0 * shape.width as f32).sqrt();
        let mut weights = vec![0.0; shape.weights()];
        for (index, weight) in weights.iter_mut().enumerate() {
            let most = match index {
                _ if index < shape.bias() => 0.1,
                _ if index < shape.output() => 0.1,
                _ if index < shape.output_bias() => output,
                _ => 0.0,
            };
            *weight = most * random.symmetric();
        }
        Trainer::of(Network { shape, weights })
    }

    /// Begins with the weights of a network.
    ///
    /// # Panics
    /// If the width is not a multiple of 16, or is 0.
    pub fn of(network: Network) -> Trainer {
        let width = network.shape.width;
        assert!(width > 0 && width.is_multiple_of(LANES), "the width must be a multiple of {LANES}, above 0");
        let none = vec![0.0; network.weights.len()];
        let gradients = vec![none.clone(); SHARDS];
        Trainer { network, moments: [none.clone(), none], steps: 0, gradients }
    }

    /// Returns the network as trained so far.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// Returns the number of steps made.
    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Makes one step with the examples of these numbers, and returns their mean loss before the step. At
    /// most 8 threads are used.
    pub fn step(&mut self, examples: &impl Examples, batch: &[u32], rate: f32, threads: usize) -> f64 {
        let shape = self.network.shape;
        let weights = &self.network.weights;
        let share = batch.len().div_ceil(SHARDS).max(1);
        let mut parts: Vec<(&[u32], &mut Vec<f32>)> = batch.chunks(share).zip(&mut self.gradients).collect();
        let used = parts.len();
        let losses = in_parallel_mut(&mut parts, threads, |(part, gradient)| {
            gradient.fill(0.0);
            let (mut scratch, mut example) = (Scratch::new(shape), Example::default());
            let mut loss = 0.0;
            for &index in *part {
                examples.example(index, &mut example);
                loss += f64::from(scratch.learn(shape, weights, gradient, &example));
            }
            loss
        });
        self.steps += 1;
        self.apply(used, batch.len().max(1) as f32, rate, threads);
        losses.iter().sum::<f64>() / batch.len().max(1) as f64
    }

    /// Changes the weights by the gradients of the parts.
    fn apply(&mut self, used: usize, count: f32, rate: f32, threads: usize) {
        let corrected = BETAS.map(|beta| 1.0 / (1.0 - beta.powi(self.steps.min(1 << 20) as i32)));
        let [means, squares] = &mut self.moments;
        let size = self.network.weights.len().div_ceil(SHARDS);
        let gradients = &self.gradients[..used];
        let mut pieces: Vec<_> = self
            .network
            .weights
            .chunks_mut(size)
            .zip(means.chunks_mut(size).zip(squares.chunks_mut(size)))
            .enumerate()
            .collect();
        in_parallel_mut(&mut pieces, threads, |(number, (weights, (means, squares)))| {
            let first = *number * size;
            let range = first..first + weights.len();
            let mut sums = vec![0.0f32; weights.len()];
            for gradient in gradients {
                for (sum, gradient) in sums.iter_mut().zip(&gradient[range.clone()]) {
                    *sum += gradient;
                }
            }
            let moments = means.iter_mut().zip(squares.iter_mut());
            for ((weight, (mean, square)), sum) in weights.iter_mut().zip(moments).zip(&sums) {
                let gradient = sum / count;
                *mean = BETAS[0] * *mean + (1.0 - BETAS[0]) * gradient;
                *square = BETAS[1] * *square + (1.0 - BETAS[1]) * gradient * gradient;
                let step = *mean * corrected[0] / ((*square * corrected[1]).sqrt() + EPSILON);
                *weight = (*weight - rate * (step + DECAY * *weight)).clamp(-MOST, MOST);
            }
        });
    }
}

/// Calls `work` for every item on some threads, and returns the results in the order of the items. A thread
/// that is free takes the next item.
fn in_parallel<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let mut items: Vec<&T> = items.iter().collect();
    in_parallel_mut(&mut items, threads, |item| work(item))
}

fn in_parallel_mut<T: Send, R: Send>(
    items: &mut [T],
    threads: usize,
    work: impl Fn(&mut T) -> R + Sync,
) -> Vec<R> {
    let threads = threads.clamp(1, items.len().max(1));
    if threads == 1 {
        return items.iter_mut().map(work).collect();
    }
    let waiting = Mutex::new(items.iter_mut().enumerate());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        let mut results = Vec::new();
        while let Some((place, item)) = next() {
            results.push((place, work(item)));
        }
        results
    };
    let mut results = std::thread::scope(|scope| {
        let running: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut results = run();
        for thread in running {
            results.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    });
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    /// Returns a number from -1 to 1.
    fn symmetric(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::time::Duration;

    /// An input is a `u16`, so there may be 65,536 of them. No hidden layer is empty.
    #[test]
    fn what_is_saved_can_be_read() {
        let trainer = Trainer::new(Shape { inputs: 1 << 16, width: 16, buckets: 1 }, 7);
        let again = Trainer::from_bytes(&trainer.to_bytes()).unwrap();
        assert!(again.network() == trainer.network());
        for width in [0, 8] {
            assert!(catch_unwind(|| Trainer::new(Shape { inputs: 4, width, buckets: 1 }, 7)).is_err());
        }
    }

    /// However many threads there are, each takes one of eight items before any takes a second.
    #[test]
    fn every_thread_works() {
        for threads in 1..=SHARDS {
            let begun = AtomicUsize::new(0);
            let mut items: Vec<usize> = (0..SHARDS).collect();
            let results = in_parallel_mut(&mut items, threads, |item| {
                begun.fetch_add(1, Relaxed);
                let all_there = || begun.load(Relaxed) >= threads;
                for _ in 0..5_000 {
                    if all_there() {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
                *item += 1;
                (*item, all_there())
            });
            let expected: Vec<(usize, bool)> = (1..=SHARDS).map(|item| (item, true)).collect();
            assert_eq!(results, expected, "{threads} threads");
        }
    }
}
