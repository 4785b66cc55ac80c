//! Depth in fixed point, and the two depths that a value still owes.

use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A depth, in 240ths of a ply: exact for halves, quarters, tenths and the 24ths of
/// Eppstein 1999.
///
/// ```
/// use cassius_search::Depth;
/// assert_eq!(Depth::plies(2) - Depth::PLY, Depth::plies(1));
/// assert_eq!(Depth::from_f64(1.5).to_f64(), 1.5);
/// assert_eq!(Depth::from_f64(2.9).whole_plies(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Depth(pub i32);

impl Depth {
    /// No depth.
    pub const ZERO: Depth = Depth(0);
    /// One ply.
    pub const PLY: Depth = Depth(240);
    /// More than any search reaches: the depth of what is known for certain.
    pub const CERTAIN: Depth = Depth(1_000_000);

    /// A whole number of plies.
    pub const fn plies(plies: i32) -> Depth {
        Depth(plies * Self::PLY.0)
    }

    /// Nearest depth to a number of plies.
    pub fn from_f64(plies: f64) -> Depth {
        Depth((plies * f64::from(Self::PLY.0)).round() as i32)
    }

    /// In plies.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::PLY.0)
    }

    /// Complete plies, rounded down; never below 0.
    pub const fn whole_plies(self) -> i32 {
        if self.0 <= 0 { 0 } else { self.0 / Self::PLY.0 }
    }
}

impl Add for Depth {
    type Output = Depth;
    fn add(self, other: Depth) -> Depth {
        Depth(self.0 + other.0)
    }
}

impl Sub for Depth {
    type Output = Depth;
    fn sub(self, other: Depth) -> Depth {
        Depth(self.0 - other.0)
    }
}

impl AddAssign for Depth {
    fn add_assign(&mut self, other: Depth) {
        self.0 += other.0;
    }
}

impl SubAssign for Depth {
    fn sub_assign(&mut self, other: Depth) {
        self.0 -= other.0;
    }
}

impl Neg for Depth {
    type Output = Depth;
    fn neg(self) -> Depth {
        Depth(-self.0)
    }
}

/// The depths behind the two halves of a value.
///
/// A value is a lower bound, shown by a plan of the side to move, and an upper bound,
/// shown by a plan of the other side. Each half has a depth of its own
/// (McAllester & Yuret 1993, §7): what it must still have (a debt), or what it
/// was searched to (a credit).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Depths {
    /// Depth of the lower bound: of the plan of the side to move.
    pub lower: Depth,
    /// Depth of the upper bound: of the plan of the other side.
    pub upper: Depth,
}

impl Depths {
    /// The same depth for both halves.
    pub const fn both(depth: Depth) -> Depths {
        Depths { lower: depth, upper: depth }
    }

    /// Both depths changed by `more`.
    pub fn plus(self, more: Depth) -> Depths {
        Depths { lower: self.lower + more, upper: self.upper + more }
    }

    /// Seen from the other side.
    pub const fn flip(self) -> Depths {
        Depths { lower: self.upper, upper: self.lower }
    }
}
