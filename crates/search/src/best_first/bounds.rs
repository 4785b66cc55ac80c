//! Bounds sequences: how far a given number of conspirators can move the value of a node.
//!
//! *Reference:* McAllester 1988, §3 (V_max, V_min), §4 (bounds sequences, the Bounds Multiset Theorem).
//! *Deviations:* the paper stores a sequence as far as it is finite. Here a sequence has a fixed number
//! of elements, the first ones of the infinite sequence, so that a node has a fixed size and no list is
//! allocated. A node at which the game is over repeats its value for ever; the paper's games are
//! endless. Only +∞ ends an upper sequence: a lost position keeps its −∞. Values are from the point of
//! view of the side to move, and a lower sequence is the upper sequence of the other side. Therefore one
//! rule serves both kinds of node and both kinds of sequence.
//! *Soundness:* exact for up to one conspirator less than there are elements.
//! *Worth:* Measured in chess, a node takes 52 bytes with 8 conspirators, 148 with 32 and 420 with 100.
//! The last of a million expansions costs no more than the first (results/growth-scale.md).

use super::Payload;
use crate::score::Score;

/// The greatest values that 0, 1, 2, … `N` − 1 conspirators can give a node, for one of the sides. The
/// elements are nondecreasing.
///
/// ```
/// use cassius_search::{Score, best_first::Sequence};
///
/// let leaf = Sequence::<4>::leaf(Score(3));
/// assert_eq!(leaf.at(0), Score(3));
/// assert_eq!(leaf.at(1), Score::INFINITE); // who may change the leaf may give it any value
/// assert_eq!(leaf.needed(Score(7)), 1);
/// assert_eq!(leaf.needed(Score(3)), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sequence<const N: usize>([i16; N]);

const INFINITE: i16 = Score::INFINITE.0 as i16;

impl<const N: usize> Sequence<N> {
    /// The neutral element of [`join`](Self::join): nothing has been joined to it.
    const ALL_OF_NONE: Self = Sequence([INFINITE; N]);
    /// The neutral element of [`rise`](Self::rise).
    const ANY_OF_NONE: Self = Sequence([-INFINITE; N]);

    /// Returns the sequence of a leaf: its static value, then +∞, since a single conspirator can raise
    /// it without bound.
    pub const fn leaf(value: Score) -> Self {
        let mut sequence = [INFINITE; N];
        sequence[0] = value.0 as i16;
        Sequence(sequence)
    }

    /// Returns the sequence of a node at which the game is over. No conspirator can change it.
    pub const fn over(value: Score) -> Self {
        Sequence([value.0 as i16; N])
    }

    /// Returns a sequence of these values, sorted, filled up with +∞, and truncated to the number of
    /// elements.
    pub fn of(values: &[Score]) -> Self {
        let mut sequence = Self::ALL_OF_NONE;
        values.iter().for_each(|value| sequence.insert(value.0 as i16));
        sequence
    }

    /// V_max: returns the greatest value that this many conspirators can give the node. It is infinite
    /// if the sequence is too short for this number.
    pub fn at(&self, conspirators: usize) -> Score {
        Score(i32::from(self.0.get(conspirators).copied().unwrap_or(INFINITE)))
    }

    /// ↑needed: returns how many conspirators it takes to raise the node to `value`. This is the number
    /// of elements below `value` (Bounds Lemma). `N` means `N` or more, or that no number suffices.
    #[inline]
    pub fn needed(&self, value: Score) -> usize {
        self.0.iter().map(|&bound| usize::from(i32::from(bound) < value.0)).sum()
    }

    /// Returns the greatest finite value that any number of conspirators can give the node.
    pub(super) fn furthest(&self) -> Score {
        let finite = self.0.iter().rev().find(|&&bound| bound < INFINITE);
        finite.map_or(Score::INFINITE, |&bound| Score(i32::from(bound)))
    }

    /// Combines with a child where one child is enough: takes the greater value at every index.
    #[inline]
    fn rise(&mut self, child: &Self) {
        self.0.iter_mut().zip(&child.0).for_each(|(bound, &of_child)| *bound = (*bound).max(of_child));
    }

    /// Combines with a child where every child is needed: takes the multiset union.
    #[inline]
    fn join(&mut self, child: &Self) {
        for &value in &child.0 {
            if value >= self.0[N - 1] {
                break;
            }
            self.insert(value);
        }
    }

    #[inline]
    fn insert(&mut self, value: i16) {
        let mut place = N;
        while place > 0 && value < self.0[place - 1] {
            if place < N {
                self.0[place] = self.0[place - 1];
            }
            place -= 1;
        }
        if place < N {
            self.0[place] = value;
        }
    }
}

/// The two sequences of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds<const N: usize> {
    /// ↑bounds of the side to move.
    pub mover: Sequence<N>,
    /// The same for the other side, whose values have the opposite sign: −↓bounds of the side to move.
    pub other: Sequence<N>,
}

impl<const N: usize> Bounds<N> {
    /// Returns the bounds of a leaf with this static value.
    pub fn leaf(value: Score) -> Self {
        Bounds { mover: Sequence::leaf(value), other: Sequence::leaf(-value) }
    }

    /// Returns the sequence of one of the sides.
    #[inline]
    pub fn of(&self, side: Whose) -> &Sequence<N> {
        match side {
            Whose::Mover => &self.mover,
            Whose::Other => &self.other,
        }
    }
}

impl<const N: usize> Payload for Bounds<N> {
    const MOST: usize = N - 1;

    fn over(value: Score) -> Self {
        Bounds { mover: Sequence::over(value), other: Sequence::over(-value) }
    }

    fn back_up<'a>(children: impl Iterator<Item = &'a Self>) -> Self {
        let mut bounds = Bounds { mover: Sequence::ANY_OF_NONE, other: Sequence::ALL_OF_NONE };
        for child in children {
            bounds.mover.rise(&child.other);
            bounds.other.join(&child.mover);
        }
        bounds
    }

    fn value(&self) -> Score {
        self.mover.at(0)
    }

    /// Returns V_min and V_max (§3).
    fn range(&self, conspirators: usize) -> (Score, Score) {
        (-self.other.at(conspirators), self.mover.at(conspirators))
    }

    /// Returns ↑needed or ↓needed.
    fn needed(&self, side: Whose, value: Score) -> Option<usize> {
        Some(self.of(side).needed(value)).filter(|&needed| needed <= Self::MOST)
    }
}

/// One of the two sides, relative to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// The side to move at the node.
    Mover,
    /// The side that is not to move.
    Other,
}

impl Whose {
    /// Returns the same side relative to a child.
    #[inline]
    pub fn below(self) -> Whose {
        match self {
            Whose::Mover => Whose::Other,
            Whose::Other => Whose::Mover,
        }
    }
}
