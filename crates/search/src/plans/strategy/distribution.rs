//! Computes the distribution of the root's value if leaves have arbitrary distributions.
//!
//! If the values of leaves are random and independent, so are the values of siblings, and distributions
//! can be backed up the tree like values. The greatest of independent values is at most x if each of
//! them is, so distribution functions are multiplied. The least is at least x if each of them is, so
//! survival functions are multiplied.
//!
//! *Reference:* Baum & Smith 1993, as McAllester & Yuret 1993, §3, refer to it: conspiracy numbers are a
//! limiting case.
//! *Deviations:* only the propagation of values is implemented, not how Baum & Smith choose what to
//! expand.
//! *Soundness:* exact, except for the rounding of floating-point numbers.

use super::{SearchTree, Side, fold};
use crate::score::Score;
use std::fmt;

/// A discrete distribution of values.
///
/// ```
/// use cassius_search::Score;
/// use cassius_search::plans::strategy::Distribution;
///
/// let coin = Distribution::new([(Score(0), 0.5), (Score(1), 0.5)])?;
/// let best = Distribution::greatest(&[coin.clone(), coin.clone()]);
/// assert_eq!(best.at_most(Score(0)), 0.25); // both are 0
/// let worst = Distribution::least(&[coin.clone(), coin]);
/// assert_eq!(worst.at_least(Score(1)), 0.25); // both are 1
/// # Ok::<(), cassius_search::plans::strategy::DistributionError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    /// The values in ascending order, each with its probability, which is greater than 0.
    atoms: Vec<(Score, f64)>,
}

/// Why there is no such distribution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum DistributionError {
    /// A probability is negative or not a number.
    Negative(f64),
    /// The probabilities do not add up to 1. Their sum is given.
    Sum(f64),
}

impl fmt::Display for DistributionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DistributionError::Negative(found) => write!(f, "{found} is not a probability"),
            DistributionError::Sum(found) => write!(f, "the probabilities add up to {found}, not to 1"),
        }
    }
}

impl std::error::Error for DistributionError {}

impl Distribution {
    /// The greatest allowed difference between 1 and the sum of probabilities.
    const ROUNDING: f64 = 1e-9;

    /// Creates the distribution of these values with these probabilities. If a value occurs twice, its
    /// probabilities are added.
    ///
    /// # Errors
    /// If a probability is negative or not a number, or if the sum is not 1.
    pub fn new(atoms: impl IntoIterator<Item = (Score, f64)>) -> Result<Distribution, DistributionError> {
        let mut atoms: Vec<(Score, f64)> = atoms.into_iter().collect();
        if let Some((_, wrong)) =
            atoms.iter().find(|(_, probability)| probability.is_nan() || *probability < 0.0)
        {
            return Err(DistributionError::Negative(*wrong));
        }
        let sum: f64 = atoms.iter().map(|(_, probability)| probability).sum();
        if (sum - 1.0).abs() > Self::ROUNDING {
            return Err(DistributionError::Sum(sum));
        }
        atoms.retain(|(_, probability)| *probability > 0.0);
        atoms.sort_by_key(|(value, _)| *value);
        atoms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Ok(Distribution { atoms })
    }

    /// Returns the distribution of a value that is certain.
    pub fn certain(value: Score) -> Distribution {
        Distribution { atoms: vec![(value, 1.0)] }
    }

    /// Returns the distribution of the static-error model (§3): +∞ and −∞ with probability ε each,
    /// otherwise `value`.
    ///
    /// # Errors
    /// If ε is not between 0 and ½.
    pub fn static_error(value: Score, epsilon: f64) -> Result<Distribution, DistributionError> {
        Distribution::new([
            (-Score::INFINITE, epsilon),
            (value, 1.0 - 2.0 * epsilon),
            (Score::INFINITE, epsilon),
        ])
    }

    /// Returns the possible values in ascending order, each with its probability.
    pub fn atoms(&self) -> &[(Score, f64)] {
        &self.atoms
    }

    /// Returns the distribution function, P(V ≤ x).
    pub fn at_most(&self, x: Score) -> f64 {
        self.sum(|value| value <= x)
    }

    /// Returns the survival function, P(V ≥ x).
    pub fn at_least(&self, x: Score) -> f64 {
        self.sum(|value| value >= x)
    }

    /// Returns the expected value, in the unit of the scores. [`Score::INFINITE`] counts as the number
    /// that represents it.
    pub fn mean(&self) -> f64 {
        self.atoms.iter().map(|(value, probability)| f64::from(value.0) * probability).sum()
    }

    /// Returns the distribution of the greatest of independent values: distribution functions are
    /// multiplied. Without values it is −∞ for certain.
    pub fn greatest(of: &[Distribution]) -> Distribution {
        let at_most = |x| of.iter().map(|one| one.at_most(x)).product();
        Self::from_steps(Self::values(of), at_most).unwrap_or(Self::certain(-Score::INFINITE))
    }

    /// Returns the distribution of the least of independent values: survival functions are multiplied.
    /// Without values it is +∞ for certain.
    pub fn least(of: &[Distribution]) -> Distribution {
        let at_least = |x| of.iter().map(|one| one.at_least(x)).product();
        let mut values = Self::values(of);
        values.reverse();
        let mut least = Self::from_steps(values, at_least).unwrap_or(Self::certain(Score::INFINITE));
        least.atoms.reverse();
        least
    }

    fn sum(&self, which: impl Fn(Score) -> bool) -> f64 {
        // Starts from 0, because an empty sum of floating-point numbers is −0.
        self.atoms
            .iter()
            .filter(|(value, _)| which(*value))
            .fold(0.0, |sum, (_, probability)| sum + probability)
    }

    /// Returns all values that one of these distributions may have, in ascending order.
    fn values(of: &[Distribution]) -> Vec<Score> {
        let mut values: Vec<Score> =
            of.iter().flat_map(|one| one.atoms.iter().map(|(value, _)| *value)).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Returns the distribution whose cumulated probabilities, along these values, are those of
    /// `function`. `None` if there are no values.
    fn from_steps(values: Vec<Score>, function: impl Fn(Score) -> f64) -> Option<Distribution> {
        let mut before = 0.0;
        let mut atoms = Vec::with_capacity(values.len());
        for value in values {
            let so_far = function(value);
            if so_far > before {
                atoms.push((value, so_far - before));
                before = so_far;
            }
        }
        (!atoms.is_empty()).then_some(Distribution { atoms })
    }
}

/// Returns the distribution of the root's value if the leaves are independent and `leaf` returns the
/// distribution of each.
pub fn distribution<T: SearchTree>(tree: &T, mut leaf: impl FnMut(T::Node) -> Distribution) -> Distribution {
    fold(tree, |node, children: Vec<Distribution>| match (children.as_slice(), tree.mover(node)) {
        ([], _) => leaf(node),
        (children, Side::Max) => Distribution::greatest(children),
        (children, Side::Min) => Distribution::least(children),
    })
}
