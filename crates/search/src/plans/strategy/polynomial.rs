//! Polynomials with integer coefficients, with only the operations that failure probabilities need.

use std::fmt;

/// A polynomial in ε with integer coefficients.
///
/// ```
/// use cassius_search::plans::strategy::Polynomial;
///
/// let polynomial = Polynomial::new([0, 4, 6]);
/// assert_eq!(polynomial.to_string(), "4ε + 6ε^2");
/// assert_eq!(polynomial.order(), Some(1)); // the paper's example of order 1 …
/// assert_eq!(Polynomial::new([1, 0, -1]).order(), Some(0)); // … and 1 − ε², of order 0
/// assert_eq!(polynomial.at(0.5), 3.5);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Polynomial {
    /// The coefficients of ε⁰, ε¹, …; the last one is not 0.
    coefficients: Vec<i128>,
}

/// A coefficient exceeds 127 bits, because the tree has too many leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a coefficient of the polynomial exceeds 127 bits: the tree has too many leaves")
    }
}

impl std::error::Error for TooLarge {}

impl Polynomial {
    /// Creates the polynomial with these coefficients of ε⁰, ε¹, …
    pub fn new(coefficients: impl Into<Vec<i128>>) -> Polynomial {
        let mut coefficients = coefficients.into();
        while coefficients.last() == Some(&0) {
            coefficients.pop();
        }
        Polynomial { coefficients }
    }

    /// Returns the coefficients of ε⁰, ε¹, …; the list is empty for the polynomial 0.
    pub fn coefficients(&self) -> &[i128] {
        &self.coefficients
    }

    /// Returns the least exponent with a coefficient other than 0 (§3); `None` for the polynomial 0.
    pub fn order(&self) -> Option<usize> {
        self.coefficients.iter().position(|coefficient| *coefficient != 0)
    }

    /// Returns the value at `epsilon`. It loses accuracy if large coefficients of opposite signs cancel
    /// each other.
    pub fn at(&self, epsilon: f64) -> f64 {
        self.coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * epsilon + *coefficient as f64)
    }

    /// Returns the product.
    ///
    /// # Errors
    /// If a coefficient is too large.
    pub fn times(&self, other: &Polynomial) -> Result<Polynomial, TooLarge> {
        let mut product = vec![0i128; self.coefficients.len() + other.coefficients.len()];
        for (i, a) in self.coefficients.iter().enumerate() {
            for (j, b) in other.coefficients.iter().enumerate() {
                let term = a.checked_mul(*b).ok_or(TooLarge)?;
                product[i + j] = product[i + j].checked_add(term).ok_or(TooLarge)?;
            }
        }
        Ok(Polynomial::new(product))
    }

    /// Returns 1 − p, the probability of the opposite.
    ///
    /// # Errors
    /// If a coefficient is too large.
    pub fn complement(&self) -> Result<Polynomial, TooLarge> {
        let negated = self.coefficients.iter().map(|coefficient| coefficient.checked_neg().ok_or(TooLarge));
        let mut coefficients = negated.collect::<Result<Vec<_>, _>>()?;
        if coefficients.is_empty() {
            coefficients.push(0);
        }
        coefficients[0] = coefficients[0].checked_add(1).ok_or(TooLarge)?;
        Ok(Polynomial::new(coefficients))
    }
}

/// Writes the terms by ascending powers, like the paper.
impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = self.coefficients.iter().enumerate().filter(|(_, coefficient)| **coefficient != 0);
        for (place, (exponent, coefficient)) in terms.enumerate() {
            match (place, *coefficient < 0) {
                (0, true) => f.write_str("-")?,
                (0, false) => {}
                (_, true) => f.write_str(" - ")?,
                (_, false) => f.write_str(" + ")?,
            }
            match (exponent, coefficient.unsigned_abs()) {
                (0, size) => write!(f, "{size}")?,
                (_, 1) => {}
                (_, size) => write!(f, "{size}")?,
            }
            match exponent {
                0 => {}
                1 => f.write_str("ε")?,
                _ => write!(f, "ε^{exponent}")?,
            }
        }
        if self.coefficients.is_empty() { f.write_str("0") } else { Ok(()) }
    }
}
