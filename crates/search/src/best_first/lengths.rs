//! Bounds sequences as long as a search asks for: a node takes the memory that its conspirators need, and no more.
//!
//! Sequences have a fixed length, so that nodes have a fixed size. Three lengths are compiled, and a search takes the least that tells its
//! N_t conspirators apart ([`Conspiracy::threshold`]). Up to what is told apart a longer one changes nothing.
//!
//! ```
//! use cassius_search::best_first::{Bounds, Length, Payload, Tree};
//!
//! assert_eq!([1, 8, 9, 32, 33, 100].map(Length::of), [8, 8, 32, 32, 100, 100].map(Length::of));
//! assert_eq!([Bounds::<{ Length::SHORT }>::MOST, Bounds::<{ Length::LONG }>::MOST], [8, 100]);
//! assert_eq!(Tree::<u16, Bounds<{ Length::SHORT }>>::NODE_BYTES, 52);
//! assert_eq!(Tree::<u16, Bounds<{ Length::MIDDLE }>>::NODE_BYTES, 148);
//! assert_eq!(Tree::<u16, Bounds<{ Length::LONG }>>::NODE_BYTES, 420);
//! ```

use super::{Assess, BestSuccessor, Bounds, ConspiracyNumbers, ControlledConspiracy, Growth};
use crate::Game;

/// How long sequences are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// [`SHORT`](Self::SHORT)
    Short,
    /// [`MIDDLE`](Self::MIDDLE)
    Middle,
    /// [`LONG`](Self::LONG)
    Long,
}

impl Length {
    /// Elements for up to 8 conspirators.
    pub const SHORT: usize = 9;
    /// For up to 32.
    pub const MIDDLE: usize = 33;
    /// For up to 100.
    pub const LONG: usize = 101;

    /// The least length that tells so many conspirators apart, or the greatest.
    pub fn of(conspirators: usize) -> Length {
        match conspirators {
            0..Self::SHORT => Length::Short,
            Self::SHORT..Self::MIDDLE => Length::Middle,
            _ => Length::Long,
        }
    }
}

/// A growth by conspirators, with sequences of every [`Length`].
pub trait Conspiracy:
    Sized
    + Growth<Bounds<{ Length::SHORT }>>
    + Growth<Bounds<{ Length::MIDDLE }>>
    + Growth<Bounds<{ Length::LONG }>>
{
    /// N_t: how many conspirators must be told apart.
    fn threshold(&self) -> usize;

    /// The same with another N_t.
    #[must_use]
    fn with_threshold(self, threshold: i32) -> Self;
}

impl Conspiracy for ConspiracyNumbers {
    fn threshold(&self) -> usize {
        self.threshold as usize
    }

    fn with_threshold(self, threshold: i32) -> Self {
        ConspiracyNumbers { threshold, ..self }
    }
}

impl Conspiracy for BestSuccessor {
    fn threshold(&self) -> usize {
        self.threshold as usize
    }

    fn with_threshold(self, threshold: i32) -> Self {
        BestSuccessor { threshold, ..self }
    }
}

impl Conspiracy for ControlledConspiracy {
    fn threshold(&self) -> usize {
        self.threshold as usize
    }

    fn with_threshold(self, threshold: i32) -> Self {
        ControlledConspiracy { threshold, ..self }
    }
}

/// Judges leaves for sequences of every [`Length`].
pub trait AnyLength<G: Game>:
    Assess<G, Bounds<{ Length::SHORT }>>
    + Assess<G, Bounds<{ Length::MIDDLE }>>
    + Assess<G, Bounds<{ Length::LONG }>>
{
}

impl<G: Game, A> AnyLength<G> for A where
    A: Assess<G, Bounds<{ Length::SHORT }>>
        + Assess<G, Bounds<{ Length::MIDDLE }>>
        + Assess<G, Bounds<{ Length::LONG }>>
{
}
