//! Conspirators: counts how many leaves must be wrong for the root to be wrong.
//!
//! *Reference:* McAllester & Yuret 1993, §2. The recursion is that of the proof in §3.
//! *Deviations:* "bring down to" is understood as "to that value or below". The definition of C> says
//! that a *leaf* is brought up; the root is meant. Terminal leaves do not conspire.
//! *Soundness:* exact.

use super::{SearchTree, Side, fold, minimax_value};
use crate::score::Score;
use std::ops::Add;

/// The number of leaves that must change. Every number of leaves is less than `Never`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Conspirators {
    /// This many leaves suffice, and no fewer.
    Leaves(usize),
    /// No set of leaves suffices, because terminal leaves hold the value.
    Never,
}

/// The number of leaves if both changes are needed.
impl Add for Conspirators {
    type Output = Conspirators;

    fn add(self, other: Conspirators) -> Conspirators {
        match (self, other) {
            (Conspirators::Leaves(a), Conspirators::Leaves(b)) => Conspirators::Leaves(a + b),
            _ => Conspirators::Never,
        }
    }
}

/// Returns the fewest leaves that must change for the root to be at most `limit` (against MAX's plan),
/// or at least `limit` (against MIN's plan).
pub fn conspirators<T: SearchTree>(tree: &T, against: Side, limit: Score) -> Conspirators {
    fold(tree, |node, children: Vec<Conspirators>| {
        if children.is_empty() {
            match against.fails(tree.static_value(node), limit) {
                true => Conspirators::Leaves(0),
                false if tree.is_terminal(node) => Conspirators::Never,
                false => Conspirators::Leaves(1),
            }
        } else if tree.mover(node) == against {
            children.into_iter().fold(Conspirators::Leaves(0), Conspirators::add)
        } else {
            children.into_iter().min().unwrap_or(Conspirators::Never)
        }
    })
}

/// C<\[T\]: returns the fewest leaves that must change for the root to be at most V\[T\] − δ.
pub fn lower_conspiracy_number<T: SearchTree>(tree: &T, margin: Score) -> Conspirators {
    conspirators(tree, Side::Max, Side::Max.limit(minimax_value(tree), margin))
}

/// C>\[T\]: returns the fewest leaves that must change for the root to be at least V\[T\] + δ.
pub fn upper_conspiracy_number<T: SearchTree>(tree: &T, margin: Score) -> Conspirators {
    conspirators(tree, Side::Min, Side::Min.limit(minimax_value(tree), margin))
}

/// Returns a smallest set of leaves that bring the root to `limit` if each of them changes enough, the
/// leftmost of equals. `None` if no set suffices.
pub fn smallest_conspiracy<T: SearchTree>(tree: &T, against: Side, limit: Score) -> Option<Vec<T::Node>> {
    fold(tree, |node, children: Vec<Option<Vec<T::Node>>>| {
        if children.is_empty() {
            match against.fails(tree.static_value(node), limit) {
                true => Some(Vec::new()),
                false if tree.is_terminal(node) => None,
                false => Some(vec![node]),
            }
        } else if tree.mover(node) == against {
            let all: Option<Vec<_>> = children.into_iter().collect();
            all.map(|sets| sets.concat())
        } else {
            children.into_iter().flatten().min_by_key(Vec::len)
        }
    })
}
