//! Pairs of a middlegame and an endgame value that are added by one instruction.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value in centipawns, packed into one integer: the endgame value in the
/// upper half, the middlegame value in the lower half.
///
/// Adding, subtracting and multiplying by a count act on both halves at once, because a borrow out of
/// the lower half is undone when the upper half is read. Each half holds -32768 ..= 32767; values
/// outside this range wrap silently.
///
/// ```
/// use cassius_chess::evaluation::classical::Tapered;
/// let rook = Tapered::new(-20, 35);
/// assert_eq!((rook * 3 - Tapered::new(1, -1)).mg(), -61);
/// assert_eq!((rook * 3 - Tapered::new(1, -1)).eg(), 106);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tapered(i32);

impl Tapered {
    /// No difference in either phase.
    pub const ZERO: Tapered = Tapered(0);

    /// Creates the pair of these two values.
    #[inline]
    pub const fn new(mg: i32, eg: i32) -> Tapered {
        Tapered((eg << 16).wrapping_add(mg))
    }

    /// Returns the middlegame value.
    #[inline]
    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    /// Returns the endgame value.
    #[inline]
    pub const fn eg(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }
}

impl Add for Tapered {
    type Output = Tapered;
    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    #[inline]
    fn neg(self) -> Tapered {
        Tapered(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    #[inline]
    fn mul(self, count: i32) -> Tapered {
        Tapered(self.0.wrapping_mul(count))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}
