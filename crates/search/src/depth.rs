//! Depth in fixed point, and the pair of depths that belongs to a value.

use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A depth, in 240ths of a ply. Halves, quarters, tenths and the 24ths of Eppstein 1999 are exact.
///
/// ```
/// use cassius_search::Depth;
/// assert_eq!(Depth::plies(2) - Depth::PLY, Depth::plies(1));
/// assert_eq!(Depth::from_f64(1.5).to_f64(), 1.5);
/// assert_eq!(Depth::from_f64(2.9).whole_plies(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Depth(pub i32);

impl Depth {
    /// Zero depth.
    pub const ZERO: Depth = Depth(0);
    /// One ply.
    pub const PLY: Depth = Depth(240);
    /// The depth of a value that is known for certain: more than any search reaches.
    pub const CERTAIN: Depth = Depth(1_000_000);

    /// Returns the depth of a whole number of plies.
    pub const fn plies(plies: i32) -> Depth {
        Depth(plies * Self::PLY.0)
    }

    /// Returns the depth nearest to a number of plies.
    pub fn from_f64(plies: f64) -> Depth {
        Depth((plies * f64::from(Self::PLY.0)).round() as i32)
    }

    /// Returns the depth in plies.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::PLY.0)
    }

    /// Returns the number of complete plies, rounded down and never below 0.
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

/// The depths of the two bounds of a value.
///
/// A value is a lower bound, established by a plan of the side to move, and an upper bound, established
/// by a plan of the other side. Each bound has a separate depth (McAllester & Yuret 1993, §7): either
/// the depth that it still requires or the depth to which it was searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Depths {
    /// Depth of the lower bound, that is, of the plan of the side to move.
    pub lower: Depth,
    /// Depth of the upper bound, that is, of the plan of the other side.
    pub upper: Depth,
}

impl Depths {
    /// Returns the same depth for both bounds.
    pub const fn both(depth: Depth) -> Depths {
        Depths { lower: depth, upper: depth }
    }

    /// Returns both depths increased by `more`.
    pub fn plus(self, more: Depth) -> Depths {
        Depths { lower: self.lower + more, upper: self.upper + more }
    }

    /// Returns the depths from the other side's point of view.
    pub const fn flip(self) -> Depths {
        Depths { lower: self.upper, upper: self.lower }
    }
}
