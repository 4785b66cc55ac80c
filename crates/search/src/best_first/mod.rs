//! Best-first search: one tree in memory, grown where it matters.
//!
//! An algorithm is two things. A [`Payload`] says what it keeps of a node and how a node has it by its children. A [`Growth`] says which leaf to
//! expand next. What a new leaf is given is said by an [`Assess`]. A [`Grower`] does the rest, the same for all: it follows
//! the line to the leaf, lists and assesses its children, and brings the line up to date.
//!
//! | payload | growth | reference |
//! |---|---|---|
//! | [`Bounds`] | [`ConspiracyNumbers`] | McAllester 1988, §5, §8 |
//! | [`Bounds`] | [`BestSuccessor`] | McAllester 1988, §9 |
//! | [`Bounds`] | [`ControlledConspiracy`] | Lorenz 2000, in its spirit |
//! | [`Proofs`] | [`ProofNumberSearch`] | Allis, van der Meulen & van den Herik 1994 |
//! | [`Interval`] | [`BStar`] | Berliner 1979 |
//!
//! Values are seen by the side to move.
//!
//! A relative with a list instead of a tree: [`sss_star()`], minimax to a fixed depth (Stockman 1979; Marsland, Reinefeld & Schaeffer 1987);
//! and [`stars()`], with an answer after every ply.

mod assess;
mod b_star;
mod best_successor;
mod bounds;
mod conspiracy;
mod controlled;
mod driver;
mod expand;
mod intervals;
mod lengths;
mod line;
mod proof_numbers;
mod searched;
mod sss_star;
mod stars;
mod transpositions;
mod tree;

pub use assess::{Asked, Assess, Leaf, LeafMargin, LeafThreat, Margin, Static, Threat};
pub use b_star::{BStar, Interval};
pub use best_successor::BestSuccessor;
pub use bounds::{Bounds, Sequence, Whose};
pub use conspiracy::{ConspiracyNumbers, conspirator_leaf};
pub use controlled::ControlledConspiracy;
pub use driver::{Choice, Ended, Grower, Outlook};
pub use intervals::{Between, Furthest, Optimism, Optimist, Passed, Shown, Spread};
pub use lengths::{AnyLength, Conspiracy, Length};
pub use line::Line;
pub use proof_numbers::{FirstNumbers, ProofNumberSearch, ProofNumbers, Proofs};
pub use searched::{LeafSearch, Searched};
pub use sss_star::{ListFull, Solution, Star, sss_star};
pub use stars::stars;
pub use transpositions::Transpositions;
pub use tree::{Child, Full, Grown, NodeId, OutOfMemory, Tree};

use crate::{Component, Score};

/// What an algorithm keeps of a node.
pub trait Payload: Copy + PartialEq + Send + Sync {
    /// The most leaves that are counted in [`needed`](Self::needed); 0 if none are.
    const MOST: usize = 0;

    /// Of a node at which the game is over, with its value for the side to move.
    fn over(value: Score) -> Self;

    /// Of a node that has been expanded, by what its children have.
    fn back_up<'a>(children: impl Iterator<Item = &'a Self>) -> Self
    where
        Self: 'a;

    /// The value of the node for the side to move.
    fn value(&self) -> Score;

    /// The least and greatest value that so many leaves could give the node, for the side to move, if they changed. Where
    /// leaves are not counted, what the node can be worth anyway.
    fn range(&self, conspirators: usize) -> (Score, Score) {
        let _ = conspirators;
        (self.value(), self.value())
    }

    /// How many leaves must change to raise the node to `value` for `side`, seen by that side. `None` if it takes more than are counted, or cannot be
    /// done.
    fn needed(&self, side: Whose, value: Score) -> Option<usize> {
        let _ = (side, value);
        None
    }
}

/// Which leaf to expand next.
pub trait Growth<P: Payload>: Component {
    /// Whether it may name several leaves at once, so that there is something to do for several threads.
    const SEVERAL: bool = false;

    /// Adds the leaf that is to be expanded next, or several that are whatever is found meanwhile; none if nothing is left to do. The root
    /// has been expanded.
    fn choose<M: Copy>(&self, tree: &Tree<M, P>, choices: &mut Vec<Choice>);

    /// What is known by now.
    fn outlook<M: Copy>(&self, tree: &Tree<M, P>) -> Outlook;
}
