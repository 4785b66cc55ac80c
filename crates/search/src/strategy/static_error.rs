//! The static-error model: every leaf may be utterly wrong, either way, with a small probability.
//!
//! A leaf's true value is +∞ with probability ε, −∞ with probability ε, and its static value otherwise, independently of
//! all others. A plan *fails* if the root's true value is as bad as a limit.
//!
//! *Reference:* McAllester & Yuret 1993, §3. Its theorem: the probability is a polynomial in ε whose order is the number of
//! conspirators.
//! *Deviations:* terminal leaves do not err.
//! *Soundness:* exact, but for the estimate, which comes with its standard error.

use super::{Polynomial, SearchTree, Side, TooLarge, fold};
use crate::Score;
use std::collections::BTreeMap;

/// Pr\[F | T\]: the probability that the root's true value is at most `limit` (MAX's plan fails) or at least `limit` (MIN's),
/// as a polynomial in ε.
///
/// # Errors
/// If a coefficient is too large, which takes about a hundred leaves.
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
            // All children must fail.
            product(children)
        } else {
            // Not all children hold.
            product(children.into_iter().map(|child| child?.complement()))?.complement()
        }
    })
}

fn product(factors: impl IntoIterator<Item = Result<Polynomial, TooLarge>>) -> Result<Polynomial, TooLarge> {
    factors.into_iter().try_fold(Polynomial::new([1]), |product, factor| product.times(&factor?))
}

/// A probability, estimated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The share of samples in which it happened.
    pub mean: f64,
    /// The standard error of the mean: the true probability is rarely further off than three of these.
    pub standard_error: f64,
}

impl Estimate {
    /// What so many of `samples` say, of which there is at least one.
    pub fn of(times: u32, samples: u32) -> Estimate {
        let samples = f64::from(samples.max(1));
        let mean = f64::from(times) / samples;
        Estimate { mean, standard_error: (mean * (1.0 - mean) / samples).sqrt() }
    }
}

/// The same probability for one ε, by drawing true values `samples` times. The same `seed` draws the same.
/// `None` if `epsilon` is not between 0 and ½, or nothing is to be drawn.
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

/// How often each value of the root comes out if the leaves' true values are drawn `samples` times, rising. The same `seed` draws the
/// same. `None` if `epsilon` is not between 0 and ½, or nothing is to be drawn.
///
/// ```
/// use cassius_search::Score;
/// use cassius_search::strategy::{SearchTree, Side, draw_values};
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
/// assert_eq!(drawn.iter().map(|(value, _)| *value).collect::<Vec<_>>(), [-Score::INFINITE, Score(7), Score::INFINITE]);
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

/// The root's values, for true values of the leaves that are drawn anew each time.
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

/// SplitMix64.
struct Random(u64);

impl Random {
    /// Uniform between 0 and 1, 1 excluded.
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
