//! The static-error model: every leaf may be completely wrong, in either direction, with a small
//! probability.
//!
//! A leaf's true value is +∞ with probability ε, −∞ with probability ε, and its static value otherwise,
//! independently of all other leaves. A plan *fails* if the root's true value reaches a limit that is
//! bad for the plan's owner.
//!
//! *Reference:* McAllester & Yuret 1993, §3. By its theorem, the probability of failure is a polynomial
//! in ε whose order is the number of conspirators.
//! *Deviations:* terminal leaves do not err.
//! *Soundness:* exact, except for the estimate, which is given with its standard error.

use super::{Polynomial, SearchTree, Side, TooLarge, fold};
use crate::game::split_mix;
use crate::score::Score;
use std::collections::BTreeMap;

/// Pr\[F | T\]: returns the probability that the root's true value is at most `limit` (MAX's plan fails)
/// or at least `limit` (MIN's plan fails), as a polynomial in ε.
///
/// # Errors
/// If a coefficient is too large. This takes about a hundred leaves.
pub fn failure<T: SearchTree>(tree: &T, of: Side, limit: Score) -> Result<Polynomial, TooLarge> {
    fold(tree, |node, children: Vec<Result<Polynomial, TooLarge>>| {
        if children.is_empty() {
            return Ok(match (of.fails(tree.static_value(node), limit), tree.is_terminal(node)) {
                (true, false) => Polynomial::new([1, -1]), // unless it is infinitely good
                (false, false) => Polynomial::new([0, 1]), // only if it is infinitely bad
                (true, true) => Polynomial::new([1]),
                (false, true) => Polynomial::new([]),
            });
        }
        if tree.mover(node) == of {
            // The node fails if all children fail.
            product(children)
        } else {
            // The node fails unless all children hold.
            product(children.into_iter().map(|child| child?.complement()))?.complement()
        }
    })
}

/// Returns the same probability for one ε. Unlike the polynomial of a large tree, whose coefficients cancel,
/// it is right to the last digits.
///
/// ```
/// use cassius_search::Score;
/// use cassius_search::plans::strategy::{SearchTree, Side, failure, failure_at};
/// # struct Leaf;
/// # impl SearchTree for Leaf {
/// #     type Node = ();
/// #     fn root(&self) {}
/// #     fn children(&self, _: ()) -> impl Iterator<Item = ()> { std::iter::empty() }
/// #     fn static_value(&self, _: ()) -> Score { Score(7) }
/// #     fn mover(&self, _: ()) -> Side { Side::Max }
/// #     fn is_terminal(&self, _: ()) -> bool { false }
/// # }
/// // A tree of one leaf, worth 7, fails to be worth more than 6 with probability ε.
/// assert_eq!(failure_at(&Leaf, Side::Max, Score(6), 0.25), 0.25);
/// assert_eq!(failure(&Leaf, Side::Max, Score(6)).expect("a small tree").at(0.25), 0.25);
/// ```
pub fn failure_at<T: SearchTree>(tree: &T, of: Side, limit: Score, epsilon: f64) -> f64 {
    fold(tree, |node, children: Vec<f64>| match children.is_empty() {
        true => match (of.fails(tree.static_value(node), limit), tree.is_terminal(node)) {
            (true, false) => 1.0 - epsilon,
            (false, false) => epsilon,
            (fails, true) => f64::from(u8::from(fails)),
        },
        false if tree.mover(node) == of => children.into_iter().product(),
        // 1 − ∏ (1 − p), without cancellation.
        false => -children.into_iter().map(|p| (-p).ln_1p()).sum::<f64>().exp_m1(),
    })
}

fn product(factors: impl IntoIterator<Item = Result<Polynomial, TooLarge>>) -> Result<Polynomial, TooLarge> {
    factors.into_iter().try_fold(Polynomial::new([1]), |product, factor| product.times(&factor?))
}

/// An estimate of a probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The fraction of samples in which the event happened.
    pub mean: f64,
    /// The standard error of the mean. The true probability is rarely further away than three standard
    /// errors.
    pub standard_error: f64,
}

impl Estimate {
    /// Returns the estimate for an event that happened `times` times in `samples` samples, at least one.
    pub fn of(times: u32, samples: u32) -> Estimate {
        let samples = f64::from(samples.max(1));
        let mean = f64::from(times) / samples;
        Estimate { mean, standard_error: (mean * (1.0 - mean) / samples).sqrt() }
    }
}

/// Estimates the same probability for one ε by drawing the true values `samples` times. The same `seed`
/// gives the same samples. `None` if `epsilon` is not between 0 and ½ or if `samples` is 0.
pub fn estimate_failure<T: SearchTree>(
    tree: &T,
    of: Side,
    limit: Score,
    epsilon: f64,
    samples: u32,
    seed: u64,
) -> Option<Estimate> {
    let values = true_values(tree, epsilon, samples, seed)?;
    let failed = values.filter(|value| of.fails(*value, limit)).count();
    Some(Estimate::of(failed as u32, samples))
}

/// Counts how often each value of the root occurs if the leaves' true values are drawn `samples` times.
/// The values are in ascending order. The same `seed` gives the same samples. `None` if `epsilon` is not
/// between 0 and ½ or if `samples` is 0.
///
/// ```
/// use cassius_search::Score;
/// use cassius_search::plans::strategy::{SearchTree, Side, draw_values};
///
/// struct Leaf;
/// # impl SearchTree for Leaf {
/// #     type Node = ();
/// #     fn root(&self) {}
/// #     fn children(&self, _: ()) -> impl Iterator<Item = ()> { std::iter::empty() }
/// #     fn static_value(&self, _: ()) -> Score { Score(7) }
/// #     fn mover(&self, _: ()) -> Side { Side::Max }
/// #     fn is_terminal(&self, _: ()) -> bool { false }
/// # }
/// let drawn = draw_values(&Leaf, 0.25, 1000, 1).expect("ε is a probability"); // a tree of one leaf, worth 7
/// let values: Vec<Score> = drawn.iter().map(|(value, _)| *value).collect();
/// assert_eq!(values, [-Score::INFINITE, Score(7), Score::INFINITE]);
/// assert_eq!(drawn.iter().map(|(_, times)| times).sum::<u32>(), 1000);
/// ```
pub fn draw_values<T: SearchTree>(
    tree: &T,
    epsilon: f64,
    samples: u32,
    seed: u64,
) -> Option<Vec<(Score, u32)>> {
    let mut drawn = BTreeMap::new();
    true_values(tree, epsilon, samples, seed)?.for_each(|value| *drawn.entry(value).or_default() += 1);
    Some(drawn.into_iter().collect())
}

/// Returns the root's values, with the leaves' true values drawn anew for each.
fn true_values<T: SearchTree>(
    tree: &T,
    epsilon: f64,
    samples: u32,
    seed: u64,
) -> Option<impl Iterator<Item = Score>> {
    if !(0.0..=0.5).contains(&epsilon) || samples == 0 {
        return None;
    }
    let mut random = Random(seed);
    let mut draw = move |node| match random.unit() {
        _ if tree.is_terminal(node) => tree.static_value(node),
        at if at < epsilon => Score::INFINITE,
        at if at < 2.0 * epsilon => -Score::INFINITE,
        _ => tree.static_value(node),
    };
    Some((0..samples).map(move |_| {
        fold(tree, |node, children: Vec<Score>| match children.is_empty() {
            true => draw(node),
            false => tree.mover(node).best(children),
        })
    }))
}

/// The random number generator SplitMix64.
struct Random(u64);

impl Random {
    /// Returns a uniform number between 0 and 1, excluding 1.
    fn unit(&mut self) -> f64 {
        (split_mix(&mut self.0) >> 11) as f64 / (1u64 << 53) as f64
    }
}
