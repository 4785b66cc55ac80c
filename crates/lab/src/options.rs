//! Learns how many options a position has from searches that count them.
//!
//! Positions of games are searched. At some of the nodes, the moves that hold the value are counted by
//! searches ([`Oracle`]), and the count is kept with what is known there without a search ([`Clues`]). From
//! these examples a small network learns to estimate the count.
//!
//! *Reference:* McAllester & Yuret 1993, §10.3 and §12, which ask for cheap ways to count. Training: Adam
//! (D. P. Kingma and J. Ba, 2015) from a fixed seed; the loss is the cross entropy of the class of the count.

use crate::experiments::RootWindow;
use crate::random::Random;
use cassius_chess::recipes::{Chess, Full, Playing};
use cassius_chess::tablebase::Endgames;
use cassius_chess::{Evaluation, Evaluator, Move, Position};
use cassius_search::alpha_beta::correction::CorrectionHistory;
use cassius_search::alpha_beta::horizon::{Altered, Horizon as _, Plies, Safety};
use cassius_search::alpha_beta::memory::TableError;
use cassius_search::alpha_beta::options::{
    Clues, Listing, OptionNetwork, OptionRecorder, OptionSources, Options, Oracle,
};
use cassius_search::alpha_beta::order::{
    ChecksFirst, Continuation, Countermove, History, Killers, NoisyFirst,
};
use cassius_search::alpha_beta::quiescence::Captures;
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::alpha_beta::{CountOf, Node, Worker};
use cassius_search::{
    Component, Depth, Game as _, Nodes, Recipe, Request, Score, Slots, Stopped, Table, Visitor, Window,
    search,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// What is known at a node, and how many options it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// What is known without a search.
    pub clues: Clues,
    /// The number of moves that hold the value; after [`MOST`] options no more are looked for.
    pub holding: usize,
    /// The number of options according to the way to count that was [asked](Collector::ask).
    pub said: Option<usize>,
}

impl Example {
    /// The number of options: of moves that hold the value besides the one that is played.
    pub fn options(&self) -> usize {
        self.holding.saturating_sub(1)
    }
}

/// The most options that are counted.
pub const MOST: usize = OptionNetwork::LEAST[OptionNetwork::CLASSES - 1];

/// How much less than the value an option may be worth.
const MARGINS: [Score; 3] = [Score(25), Score(50), Score(100)];

/// The playing recipe, with a teacher. It searches the root with the window that it is given.
struct Taught;

cassius_search::recipe! {
    impl [] Taught, game Position {
        Setting = Chess;
        Horizon = Altered<OptionRecorder<Move>, Plies>;
        Options = Teacher;
        Correction = CorrectionHistory;
        Quiescence = Captures;
        Memory = Table;
        Selectivity = Playing;
        Order = (NoisyFirst, ChecksFirst, Killers, Countermove, History, Continuation);
        Windows = MinimalWindow;
        Aspiration = RootWindow;
    }
}

/// Searches positions and collects examples.
pub struct Collector {
    slots: Slots<Position, Taught>,
    examples: Arc<Mutex<Vec<Example>>>,
    random: Random,
    nodes: u64,
}

impl Collector {
    /// Creates a collector. Each position is searched with so many nodes.
    ///
    /// # Errors
    /// If there is no memory for the tables.
    pub fn new(nodes: u64, seed: u64) -> Result<Collector, TableError> {
        let evaluator = || Evaluator::of(&Evaluation::default());
        let [own, table] = [Table::new(1)?, Table::new(1)?];
        let mut slots: Slots<Position, Taught> = Slots::new(evaluator(), table, Endgames::default());
        let examples = Arc::<Mutex<Vec<Example>>>::default();
        let mut oracle = Oracle::new(Slots::new(evaluator(), own, Endgames::default()), Table::clear);
        oracle.rules.enough = MOST as i32 + 1;
        oracle.rules.reduction = 0;
        let random = Arc::new(AtomicU64::new(seed));
        let counting = Arc::default();
        slots.options = Teacher { oracle, examples: Arc::clone(&examples), random, ways: None, counting };
        Ok(Collector { slots, examples, random: Random(seed), nodes })
    }

    /// From now on, ways to count options are asked at the same nodes. Where they give no answer, static
    /// values of the moves are counted. Their searches fill the memory and use up nodes, as they do in play.
    pub fn ask(&mut self, ways: OptionSources) {
        self.slots.options.ways = Some(ways);
    }

    /// Returns the examples of a search of this position, or of one that is up to three random moves away:
    /// searches meet positions that games do not.
    pub fn examples(&mut self, position: &Position) -> Vec<Example> {
        let mut position = position.clone();
        for _ in 0..self.random.below(4) {
            let moves = position.legal_moves();
            position.play(moves[self.random.below(moves.len() as u64) as usize]);
            if position.is_over() {
                return Vec::new();
            }
        }
        let recorder = &mut self.slots.horizon.change;
        recorder.margin = MARGINS[self.random.below(MARGINS.len() as u64) as usize];
        recorder.said.clear();
        self.slots.aspiration = RootWindow::default();
        let limits = Nodes(self.nodes);
        let found = search(&mut self.slots, &Request::new(&position, &limits), &mut |_| {});
        // Once more, to ask at the root as well: does a move reach the value?
        if let Some(value) = found.score().filter(|value| !value.is_decided()) {
            self.slots.aspiration = RootWindow(Window::above(value - Score(1)));
            search(&mut self.slots, &Request::new(&position, &limits), &mut |_| {});
        }
        std::mem::take(&mut *self.examples.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Counts options at some nodes and keeps them. Its answer is always that there are options enough.
#[derive(Clone, Default)]
struct Teacher {
    oracle: Oracle<Position, Full<Plies>>,
    examples: Arc<Mutex<Vec<Example>>>,
    random: Arc<AtomicU64>,
    ways: Option<OptionSources>,
    /// Whether a way is counting: the nodes of its searches are not examples.
    counting: Arc<AtomicBool>,
}

impl Component for Teacher {
    const NAME: &'static str = "Teacher";

    fn visit(&mut self, _: &mut Visitor<'_>) {}
}

impl Options<Position> for Teacher {
    const USES_STATIC_EVAL: bool = true;

    fn list<R: Recipe<Position>>(
        &self,
        worker: &mut Worker<'_, Position, R>,
        node: &Node<'_, Position>,
        count: &CountOf<Position, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        let start = worker.options.len();
        if self.counting.load(Relaxed) {
            worker.options.push(Score::INFINITE);
            return Ok(Some(Listing::Guess));
        }
        let owed = node.fail_high_depth.max(node.fail_low_depth);
        // Nodes that owe a ply more are several times rarer. The oracle wants to see the root.
        let rarity = match owed.0 / Depth::PLY.0 {
            ..2 => u64::MAX,
            2 => 64,
            3 => 16,
            4 => 4,
            _ => 1,
        };
        let mut random = Random(self.random.load(Relaxed));
        let is_drawn = rarity < u64::MAX && random.below(rarity) == 0;
        self.random.store(random.0, Relaxed);
        if is_drawn && node.window.is_minimal() || node.ply == 0 {
            let clues = node.window.is_minimal().then(|| Clues::of(worker, node, first)).transpose()?;
            self.oracle.list(worker, node, count, first)?;
            let bar = worker.slots.horizon.option_window(node.window).alpha;
            let holding: Vec<bool> = worker.options.drain(start..).map(|value| value > bar).collect();
            if let Some(clues) = clues {
                let said = self.ways.as_ref().map(|ways| {
                    let played = holding.iter().position(|holds| *holds);
                    self.counting.store(true, Relaxed);
                    let said = say(ways, worker, node, count, first, played);
                    self.counting.store(false, Relaxed);
                    said
                });
                let holding = holding.into_iter().filter(|holds| *holds).count();
                let example = Example { clues, holding, said: said.transpose()? };
                self.examples.lock().unwrap_or_else(PoisonError::into_inner).push(example);
            }
        }
        worker.options.push(Score::INFINITE);
        Ok(Some(Listing::Guess))
    }
}

/// Returns the number of options that ways to count find besides the move that is played.
fn say<R: Recipe<Position>>(
    ways: &OptionSources,
    worker: &mut Worker<'_, Position, R>,
    node: &Node<'_, Position>,
    count: &CountOf<Position, R>,
    first: usize,
    played: Option<usize>,
) -> Result<usize, Stopped> {
    let start = worker.options.len();
    let listing = ways.list(worker, node, count, first)?;
    if listing.is_none() {
        value_moves(worker, node, first)?;
    }
    let bar = worker.slots.horizon.option_window(node.window).alpha;
    let is_played = |index| listing != Some(Listing::Guess) && played == Some(index);
    let values = worker.options.drain(start..).enumerate();
    Ok(values.filter(|(index, value)| *value > bar && !is_played(*index)).count())
}

/// Appends the static values of the moves.
fn value_moves<R: Recipe<Position>>(
    worker: &mut Worker<'_, Position, R>,
    node: &Node<'_, Position>,
    first: usize,
) -> Result<(), Stopped> {
    for index in 0..worker.listed(first).len() {
        let mut child = node.position.clone();
        child.play(worker.listed(first)[index]);
        let value = -worker.evaluate(&child)?;
        worker.options.push(value);
    }
    Ok(())
}

/// A way to spread examples over epochs and steps.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// How often each example is used.
    pub epochs: usize,
    /// The size of the first steps; it falls to 0.
    pub rate: f32,
    /// The seed of the first weights and of the order.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Training {
        Training { epochs: 25, rate: 0.004, seed: 1 }
    }
}

/// Examples for one step.
const BATCH: usize = 512;

/// Trains a network.
pub fn train(examples: &[Example], training: Training) -> OptionNetwork {
    let Training { epochs, rate, seed } = training;
    let (mut random, mut network) = (Random(seed), OptionNetwork::default());
    let (hidden, output) = network.weights.split_at_mut(OptionNetwork::HIDDEN);
    for (weights, inputs) in [(hidden, Clues::COUNT), (output, OptionNetwork::WIDTH)] {
        let spread = 1.0 / (inputs as f32).sqrt();
        let between = |number: u64| spread * (number as f32 / 500.0 - 1.0);
        weights.iter_mut().for_each(|weight| *weight = between(random.below(1001)));
    }
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let (mut mean, mut square) = ([0.0; OptionNetwork::WEIGHTS], [0.0; OptionNetwork::WEIGHTS]);
    let steps = epochs * examples.len().div_ceil(BATCH);
    let (mut step, mut fall) = (0, (1.0_f32, 1.0_f32));
    for _ in 0..epochs {
        random.shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            let mut gradient = [0.0; OptionNetwork::WEIGHTS];
            batch.iter().for_each(|&index| learn(&network, &examples[index], &mut gradient));
            fall = (fall.0 * 0.9, fall.1 * 0.999);
            let rate = rate * (1.0 - step as f32 / steps as f32);
            step += 1;
            let moments = mean.iter_mut().zip(&mut square);
            for ((weight, slope), (mean, square)) in network.weights.iter_mut().zip(gradient).zip(moments) {
                let slope = slope / batch.len() as f32;
                *mean += 0.1 * (slope - *mean);
                *square += 0.001 * (slope * slope - *square);
                *weight -= rate * (*mean / (1.0 - fall.0)) / ((*square / (1.0 - fall.1)).sqrt() + 1e-8);
            }
        }
    }
    network
}

/// Adds to `gradient` how the loss of an example changes with every weight.
fn learn(network: &OptionNetwork, example: &Example, gradient: &mut [f32; OptionNetwork::WEIGHTS]) {
    let layer = network.layer(&example.clues);
    let mut slopes = network.classes(&layer);
    slopes[OptionNetwork::class(example.options())] -= 1.0;
    let output = &network.weights[OptionNetwork::HIDDEN..];
    let (inner, outer) = gradient.split_at_mut(OptionNetwork::HIDDEN);
    for (sums, unit) in outer.chunks_mut(OptionNetwork::CLASSES).zip(layer.iter().chain(&[1.0])) {
        sums.iter_mut().zip(slopes).for_each(|(sum, slope)| *sum += slope * unit);
    }
    let mut below = [0.0; OptionNetwork::WIDTH];
    for ((below, weights), unit) in below.iter_mut().zip(output.chunks(OptionNetwork::CLASSES)).zip(layer) {
        if unit > 0.0 {
            *below = weights.iter().zip(slopes).map(|(weight, slope)| weight * slope).sum();
        }
    }
    for (sums, clue) in inner.chunks_mut(OptionNetwork::WIDTH).zip(example.clues.0.iter().chain(&[1.0])) {
        sums.iter_mut().zip(below).for_each(|(sum, below)| *sum += below * clue);
    }
}

/// How well numbers of options are estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// The correlation of S of the estimate with S of the true number.
    pub correlation: Option<f64>,
    /// Of the nodes without an option, the share in which none is estimated.
    pub found: Option<f64>,
    /// Of the nodes in which none is estimated, the share without one.
    pub right: Option<f64>,
}

impl Quality {
    /// Compares true numbers of options with estimates, in pairs. What is not defined for them is `None`.
    ///
    /// ```
    /// use cassius_lab::options::Quality;
    /// let quality = Quality::of(&[(0, 0), (0, 2), (5, 4)]);
    /// assert_eq!((quality.found, quality.right), (Some(0.5), Some(1.0)));
    /// assert_eq!(Quality::of(&[(3, 3)]), Quality { correlation: None, found: None, right: None });
    /// ```
    pub fn of(pairs: &[(usize, usize)]) -> Quality {
        let safeties: Vec<(f64, f64)> =
            pairs.iter().map(|&(truth, said)| (safety(truth), safety(said))).collect();
        let count =
            |is: &dyn Fn(&(usize, usize)) -> bool| pairs.iter().filter(|pair| is(pair)).count() as f64;
        let both = count(&|pair| *pair == (0, 0));
        let share = |all: f64| (all > 0.0).then(|| both / all);
        Quality {
            correlation: correlation(&safeties),
            found: share(count(&|pair| pair.0 == 0)),
            right: share(count(&|pair| pair.1 == 0)),
        }
    }
}

/// Returns how well a network estimates.
pub fn quality(network: &OptionNetwork, examples: impl IntoIterator<Item = Example>) -> Quality {
    let pair = |example: Example| (example.options(), network.options(&example.clues));
    Quality::of(&examples.into_iter().map(pair).collect::<Vec<_>>())
}

/// Returns the default S.
fn safety(options: usize) -> f64 {
    Safety::Power { gamma: 5.0, branching: 30 }.of(options)
}

/// Returns Pearson's correlation; `None` if one of the variables is constant.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let mean = |side: fn(&(f64, f64)) -> f64| pairs.iter().map(side).sum::<f64>() / count;
    let (first, second) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut both, mut one, mut other) = (0.0, 0.0, 0.0);
    for (x, y) in pairs {
        both += (x - first) * (y - second);
        one += (x - first).powi(2);
        other += (y - second).powi(2);
    }
    let varies = |side: fn(&(f64, f64)) -> f64| pairs.windows(2).any(|pair| side(&pair[0]) != side(&pair[1]));
    (varies(|pair| pair.0) && varies(|pair| pair.1)).then(|| both / (one * other).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of options depends on the first clue.
    fn made_up(count: u64) -> Vec<Example> {
        let mut random = Random(7);
        let mut example = || {
            let mut clues = Clues([0.0; Clues::COUNT]);
            clues.0.iter_mut().for_each(|clue| *clue = random.below(401) as f32 / 100.0 - 2.0);
            let options = ((clues.0[0] + 1.0).max(0.0) * 5.0) as usize;
            Example { clues, holding: options + 1, said: None }
        };
        (0..count).map(|_| example()).collect()
    }

    #[test]
    fn a_rule_is_learned() {
        let (examples, others) = (made_up(20_000), made_up(25_000).split_off(20_000));
        let network = train(&examples, Training { epochs: 10, ..Training::default() });
        let learned = quality(&network, others.iter().copied());
        assert!(learned.correlation > Some(0.98), "{learned:?}");
        assert!(learned.found > Some(0.99) && learned.right > Some(0.87), "{learned:?}");
        let again = || train(&examples[..500], Training { epochs: 10, ..Training::default() });
        assert_eq!(again(), again());
        let ignorant = quality(&OptionNetwork::default(), others);
        assert_eq!((ignorant.correlation, ignorant.right), (None, None), "it always says the same");
    }

    /// A small step against the gradient lowers the loss by the square of its length.
    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let network = train(&made_up(600), Training { epochs: 1, ..Training::default() });
        for example in made_up(20) {
            let loss = |network: &OptionNetwork| {
                -f64::from(network.chances(&example.clues)[OptionNetwork::class(example.options())]).ln()
            };
            let mut gradient = [0.0; OptionNetwork::WEIGHTS];
            learn(&network, &example, &mut gradient);
            let length = gradient.iter().map(|slope| f64::from(slope * slope)).sum::<f64>();
            let mut moved = network.clone();
            let step = 0.01 / length.max(1.0);
            moved.weights.iter_mut().zip(gradient).for_each(|(weight, slope)| *weight -= step as f32 * slope);
            let (fell, expected) = (loss(&network) - loss(&moved), step * length);
            assert!((fell - expected).abs() < 0.1 * expected + 1e-5, "{fell} {expected}");
        }
    }

    #[test]
    fn the_same_position_gives_the_same_examples() {
        let start = Position::default();
        let collect = || Collector::new(3000, 5).unwrap().examples(&start);
        let examples = collect();
        assert!(examples.len() > 10, "{}", examples.len());
        assert_eq!(examples, collect());
        assert!(examples.iter().all(|example| example.options() <= MOST));
    }

    #[test]
    fn correlations() {
        assert_eq!(correlation(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]), Some(1.0));
        assert_eq!(correlation(&[(1.0, 1.0), (2.0, 0.0), (3.0, 1.0)]), Some(0.0));
        assert_eq!(correlation(&[(1.0, 1.0), (2.0, 1.0)]), None);
    }
}
