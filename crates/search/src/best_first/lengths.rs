//! Bounds sequences of the length that a search needs, so that a node takes no more memory than its
//! conspirators require.
//!
//! Sequences have a fixed length, so that nodes have a fixed size. There are three lengths, or two
//! where compiling a third takes too long. A search uses the shortest one that can distinguish its N_t
//! conspirators ([`Conspiracy::threshold`]). Up to N_t, a longer sequence gives the same results.
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
use crate::game::Game;

/// The length of sequences.
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
    /// The number of elements for up to 8 conspirators.
    pub const SHORT: usize = 9;
    /// The number of elements for up to 32 conspirators.
    pub const MIDDLE: usize = 33;
    /// The number of elements for up to 100 conspirators.
    pub const LONG: usize = 101;

    /// Returns the shortest length that distinguishes this many conspirators, or the longest if none
    /// does.
    pub fn of(conspirators: usize) -> Length {
        match conspirators {
            0..Self::SHORT => Length::Short,
            Self::SHORT..Self::MIDDLE => Length::Middle,
            _ => Length::Long,
        }
    }
}

/// A growth by conspirators that works with sequences of every [`Length`].
pub trait Conspiracy:
    Sized
    + Growth<Bounds<{ Length::SHORT }>>
    + Growth<Bounds<{ Length::MIDDLE }>>
    + Growth<Bounds<{ Length::LONG }>>
{
    /// Returns N_t, the number of conspirators that must be distinguished.
    fn threshold(&self) -> usize;

    /// Returns the same growth with another N_t.
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

/// An assessor that works with sequences of every [`Length`].
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
