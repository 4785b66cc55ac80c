//! Counts options by an estimate that was learned from searches.
//!
//! *Reference:* McAllester & Yuret 1993, §10.3, the static option estimator: the value of the position and
//! that of a pass tell how many options there are. Here both are static values, there are more clues, and
//! what they mean is learned.
//! *Deviations:* says how many options there are, not which. The evaluation makes the estimate
//! ([`Evaluate::options`](crate::game::Evaluate::options)), since it depends on what its values mean. An
//! evaluation that has learned none gives no answer, and there is none where the window is open.
//! *Soundness:* an estimate: a plan may be less safe than its depth says. A certificate never relies on it.
//! *Worth:* Measured in chess, at nodes that owe two plies or more, in searches of 5,000 nodes from which
//! nothing was learned: the correlation of S with S of the number that searches count is 0.82; of the nodes
//! without an option 75 % are found, and 84 % of those said to have none have none. At nodes where a move
//! holds it is 0.77, 57 % and 64 %: results/option-signals.md, beside the other ways. With S = 1, where it
//! changes nothing, a search takes 1 to 2 % longer; 3 to 4 % with `farness` 700, 18 % with 300. In play S ½
//! without an option is worth nothing that 400 games at 10,000 nodes could see: +1 ± 24 Elo.

use super::{hundredths, remaining};
use crate::alpha_beta::horizon::Horizon;
use crate::alpha_beta::memory::Memory;
use crate::alpha_beta::options::{Listing, Options};
use crate::alpha_beta::{CountOf, Worker};
use crate::alpha_beta::{Node, Recipe};
use crate::depth::Depth;
use crate::game::{Checks, Evaluate, Noisy, Pass};
use crate::limits::Stopped;
use crate::score::Score;
use std::fmt;
use std::iter::repeat_n;
use std::str::FromStr;

crate::component! {
    /// Counts options by an estimate that was learned from searches.
    #[derive(Copy)]
    pub struct LearnedOptions {
        /// Only nodes that owe this much at least are judged so: far from the leaves.
        farness: 900 in 0..=40000 "hundredths of a ply",
    }
}

impl<G: Checks + Noisy + Pass> Options<G> for LearnedOptions {
    const USES_STATIC_EVAL: bool = true;

    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        _: &CountOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if remaining(node) < hundredths(self.farness) || !node.window.is_minimal() {
            return Ok(None);
        }
        let clues = Clues::of(worker, node, first)?;
        let Some(options) = worker.slots.evaluate.options(&clues) else { return Ok(None) };
        worker.options.extend(repeat_n(Score::INFINITE, options));
        Ok(Some(Listing::Guess))
    }
}

/// What is known of a node without a search. Values are relative to the least value that an option may have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clues(pub [f32; Clues::COUNT]);

impl Clues {
    /// The number of clues.
    pub const COUNT: usize = 28;

    /// Collects them. The window of the node must be minimal.
    ///
    /// # Errors
    /// Returns [`Stopped`] if a limit is reached.
    pub fn of<G: Checks + Noisy + Pass, R: Recipe<G>>(
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        first: usize,
    ) -> Result<Clues, Stopped> {
        let position = node.position;
        let bar = worker.slots.horizon.option_window(node.window).alpha;
        let above = |value: Score, width: i32| ((value.0 - bar.0) as f32 / width as f32).clamp(-2.0, 2.0);
        let flag = |is_so: bool| if is_so { 1.0 } else { 0.0 };
        worker.listed(first).iter().for_each(|mv| worker.slots.memory.prefetch(position, *mv));
        let in_check = position.in_check();
        let (mut pass, mut threats) = (-Score::INFINITE, Exchanges::default());
        if !in_check {
            let mut passed = position.clone();
            passed.pass();
            pass = -worker.evaluate(&passed)?;
            let end = worker.stack.moves.len();
            passed.noisy_moves(&mut worker.stack.moves);
            threats = Exchanges::of(&passed, worker.stack.moves.drain(end..));
        }
        let moves = worker.listed(first);
        let noisy = moves.iter().copied().filter(|mv| position.is_noisy(*mv));
        let chances = Exchanges::of(position, noisy);
        // The greatest bounds of moves, and how many moves they let reach the bar.
        let (mut lower, mut upper) = ([-Score::INFINITE; 3], [-Score::INFINITE; 3]);
        let (mut reach, mut unknown, mut fail) = (0, 0, 0);
        for mv in moves {
            let known = worker.slots.memory.probe_after(position, *mv, node.ply + 1);
            let (least, most) = (-known.upper, -known.lower);
            insert(&mut lower, least);
            insert(&mut upper, if most == Score::INFINITE { Score(bar.0 + UNKNOWN) } else { most });
            reach += usize::from(least > bar);
            unknown += usize::from(most == Score::INFINITE);
            fail += usize::from(most <= bar);
        }
        let known = worker.slots.memory.probe(position, node.ply);
        Ok(Clues([
            above(node.static_eval, 100),
            above(node.static_eval, 500),
            above(pass, 100),
            above(pass, 500),
            flag(in_check),
            moves.len() as f32 / 32.0,
            flag(in_check) * moves.len() as f32 / 8.0,
            chances.sound as f32 / 4.0,
            chances.all as f32 / 8.0,
            chances.winning as f32 / 4.0,
            above(node.static_eval + Score(chances.gain), 100),
            threats.sound as f32 / 4.0,
            threats.winning as f32 / 4.0,
            above(pass - Score(threats.gain), 100),
            above(known.lower, 100),
            above(known.upper, 100),
            (remaining(node).0 as f32 / Depth::PLY.0 as f32).min(8.0) / 4.0,
            flag(node.has_hash_move),
            flag(node.cut),
            above(lower[0], 100),
            above(lower[1], 100),
            above(lower[2], 100),
            above(upper[1], 100),
            above(upper[2], 100),
            reach as f32 / 4.0,
            unknown as f32 / 8.0,
            (moves.len() - unknown - fail) as f32 / 8.0,
            fail as f32 / moves.len().max(1) as f32,
        ]))
    }
}

/// What the side to move wins by exchanges.
#[derive(Clone, Copy, Default)]
struct Exchanges {
    /// The number of noisy moves.
    all: usize,
    /// The number of those that lose nothing.
    sound: usize,
    /// The number of those that win something.
    winning: usize,
    /// What the best of them wins at least.
    gain: i32,
}

impl Exchanges {
    /// The gains that are told apart, in evaluation units.
    const GAINS: [i32; 4] = [100, 300, 500, 900];

    fn of<G: Noisy>(position: &G, noisy: impl Iterator<Item = G::Move>) -> Exchanges {
        let mut found = Exchanges::default();
        for mv in noisy {
            found.all += 1;
            let most = position.gain(mv);
            let wins = |gain: &&i32| most.0 >= **gain && position.exchange_at_least(mv, Score(**gain));
            let gain = Exchanges::GAINS.iter().take_while(wins).last().copied().unwrap_or(0);
            found.sound += usize::from(gain > 0 || position.exchange_at_least(mv, Score::DRAW));
            found.winning += usize::from(gain > 0);
            found.gain = found.gain.max(gain);
        }
        found
    }
}

/// How far above the bar a move is taken to be of which no upper bound is known.
const UNKNOWN: i32 = 100;

/// Inserts a value into a list of the greatest ones, the greatest first.
fn insert(greatest: &mut [Score; 3], mut value: Score) {
    for other in greatest {
        if value > *other {
            std::mem::swap(&mut value, other);
        }
    }
}

/// A network of one hidden layer that says from the clues how likely each number of options is.
///
/// ```
/// use cassius_search::alpha_beta::options::{Clues, OptionNetwork};
/// let mut network = OptionNetwork::default();
/// let nothing = Clues([0.0; Clues::COUNT]);
/// assert_eq!(network.chances(&nothing), [1.0 / 7.0; 7]);
/// // The bias of the last class: certainly many.
/// *network.weights.last_mut().unwrap() = 50.0;
/// assert_eq!(network.options(&nothing), 18);
/// assert_eq!(network.to_string().parse(), Ok(network));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct OptionNetwork {
    /// For each clue, and last for the bias, a weight for every hidden unit. Then for each hidden unit, and
    /// last for the bias, a weight for every class.
    pub weights: [f32; OptionNetwork::WEIGHTS],
}

impl Default for OptionNetwork {
    /// All weights are 0.
    fn default() -> Self {
        OptionNetwork { weights: [0.0; OptionNetwork::WEIGHTS] }
    }
}

impl OptionNetwork {
    /// The number of hidden units.
    pub const WIDTH: usize = 32;
    /// The number of classes.
    pub const CLASSES: usize = 7;
    /// The least number of options of each class.
    pub const LEAST: [usize; OptionNetwork::CLASSES] = [0, 1, 2, 3, 5, 8, 13];
    /// The number of weights of the hidden layer.
    pub const HIDDEN: usize = (Clues::COUNT + 1) * OptionNetwork::WIDTH;
    /// The number of weights.
    pub const WEIGHTS: usize = OptionNetwork::HIDDEN + (OptionNetwork::WIDTH + 1) * OptionNetwork::CLASSES;

    /// What each class adds to the depth of a plan, in plies: that of a number within it.
    const SAFETY: [f32; OptionNetwork::CLASSES] =
        [safety(0.0), safety(1.0), safety(2.0), safety(3.5), safety(6.0), safety(10.0), safety(18.0)];

    /// Returns the class of a number of options.
    ///
    /// ```
    /// use cassius_search::alpha_beta::options::OptionNetwork;
    /// assert_eq!([0, 4, 40].map(OptionNetwork::class), [0, 3, 6]);
    /// ```
    pub fn class(options: usize) -> usize {
        OptionNetwork::LEAST.iter().rposition(|least| options >= *least).unwrap_or(0)
    }

    /// Returns the hidden layer.
    pub fn layer(&self, clues: &Clues) -> [f32; OptionNetwork::WIDTH] {
        weighted(&self.weights[..OptionNetwork::HIDDEN], &clues.0).map(|unit: f32| unit.max(0.0))
    }

    /// Returns the chance of each class.
    pub fn chances(&self, clues: &Clues) -> [f32; OptionNetwork::CLASSES] {
        self.classes(&self.layer(clues))
    }

    /// Returns the chance of each class, by the hidden layer.
    pub fn classes(&self, layer: &[f32; OptionNetwork::WIDTH]) -> [f32; OptionNetwork::CLASSES] {
        let logits: [f32; OptionNetwork::CLASSES] = weighted(&self.weights[OptionNetwork::HIDDEN..], layer);
        let greatest = logits.iter().fold(f32::MIN, |greatest, logit| greatest.max(*logit));
        let parts = logits.map(|logit| exp(logit - greatest));
        let sum: f32 = parts.iter().sum();
        parts.map(|part| part / sum)
    }

    /// Returns 0 if that is likelier than not, else the number of options that is as safe as the estimate is
    /// on average, with γ = 5 and b = 30 of [`Safety`](crate::alpha_beta::horizon::Safety).
    pub fn options(&self, clues: &Clues) -> usize {
        let chances = self.chances(clues);
        if chances[0] > 0.5 {
            return 0;
        }
        let mean: f32 = chances.iter().zip(OptionNetwork::SAFETY).map(|(chance, safe)| chance * safe).sum();
        (1..30).find(|&k| 2.0 * mean < safety(k as f32) + safety(k as f32 + 1.0)).unwrap_or(30)
    }
}

/// S with γ = 5 and b = 30.
const fn safety(options: f32) -> f32 {
    let rest = (30.0 - options) / 30.0;
    1.0 - rest * rest * rest * rest * rest
}

/// Returns about e^x for x ≤ 0, the same on every processor.
fn exp(x: f32) -> f32 {
    (0..8).fold(1.0 + x.max(-128.0) / 256.0, |power, _| power * power)
}

/// Returns sums of numbers times weights. The weights of each number stand together; the last ones are added
/// as they are.
fn weighted<const N: usize>(weights: &[f32], numbers: &[f32]) -> [f32; N] {
    let mut sums = [0.0; N];
    for (weights, number) in weights.chunks_exact(N).zip(numbers.iter().chain(&[1.0])) {
        sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * number);
    }
    sums
}

impl fmt::Display for OptionNetwork {
    /// One line for each clue, hidden unit and bias.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hidden, output) = self.weights.split_at(OptionNetwork::HIDDEN);
        for row in hidden.chunks(OptionNetwork::WIDTH).chain(output.chunks(OptionNetwork::CLASSES)) {
            let row: Vec<String> = row.iter().map(f32::to_string).collect();
            writeln!(f, "{}", row.join(" "))?;
        }
        Ok(())
    }
}

impl FromStr for OptionNetwork {
    type Err = NotANetwork;

    /// Reads the weights. Lines that begin with `#` are skipped.
    fn from_str(text: &str) -> Result<OptionNetwork, NotANetwork> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let weights: Result<Vec<f32>, _> = lines.flat_map(str::split_whitespace).map(str::parse).collect();
        let weights = weights.ok().filter(|weights| weights.iter().all(|weight| weight.is_finite()));
        let weights = weights.and_then(|weights| weights.try_into().ok()).ok_or(NotANetwork)?;
        Ok(OptionNetwork { weights })
    }
}

/// The text is not an [`OptionNetwork`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotANetwork;

impl fmt::Display for NotANetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} finite numbers", OptionNetwork::WEIGHTS)
    }
}

impl std::error::Error for NotANetwork {}
