//! Best-first search: grows one tree in memory where it matters most.
//!
//! An algorithm consists of two parts. A [`Payload`] defines what the algorithm stores in a node, and
//! how a node's payload follows from its children's. A [`Growth`] chooses the leaf to expand next. An
//! [`Assess`] gives every new leaf its first payload. A [`Grower`] does the work that is common to all
//! algorithms: it follows the line to the chosen leaf, generates and assesses the leaf's children, and
//! backs up the result along the line.
//!
//! | payload | growth | reference |
//! |---|---|---|
//! | [`Bounds`] | [`ConspiracyNumbers`] | McAllester 1988, §5, §8 |
//! | [`Bounds`] | [`BestSuccessor`] | McAllester 1988, §9 |
//! | [`Bounds`] | [`ControlledConspiracy`] | Lorenz 2000, in its spirit |
//! | [`Proofs`] | [`ProofNumberSearch`] | Allis, van der Meulen & van den Herik 1994 |
//! | [`Interval`] | [`BStar`] | Berliner 1979 |
//! | [`Visits`] | [`MonteCarlo`] | Kocsis & Szepesvári 2006; Silver and others 2017 |
//!
//! All values are from the point of view of the side to move.
//!
//! The folder also has a related algorithm that keeps a list instead of a tree. [`sss_star()`] searches
//! minimax to a fixed depth (Stockman 1979; Marsland, Reinefeld & Schaeffer 1987). [`stars()`] runs it
//! with increasing depth and has an answer after every ply.

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
mod monte_carlo;
mod proof_numbers;
mod searched;
mod simulated;
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
pub use monte_carlo::{MonteCarlo, Selection, Visits};
pub use proof_numbers::{FirstNumbers, ProofNumberSearch, ProofNumbers, Proofs};
pub use searched::{LeafSearch, Searched};
pub use simulated::{Chance, Evaluated, Odds, Priors, RandomGames, RandomPlay, Simulated, Uniform};
pub use sss_star::{ListFull, Solution, Star, sss_star};
pub use stars::stars;
pub use transpositions::Transpositions;
pub use tree::{Child, Full, Grown, NodeId, OutOfMemory, Tree};

use crate::component::Component;
use crate::score::Score;

/// What an algorithm stores in a node.
pub trait Payload: Copy + PartialEq + Send + Sync {
    /// The greatest number of leaves that [`needed`](Self::needed) counts; 0 if leaves are not counted.
    const MOST: usize = 0;

    /// Whether the value is an estimate, which is reported as it is. Otherwise, where leaves are not
    /// counted, what is reported is what the [range](Self::range) says for certain.
    const ESTIMATES: bool = false;

    /// Whether nodes may share their children ([`Transpositions`]). A payload that counts something for
    /// each line would count it several times.
    const SHARES: bool = true;

    /// Returns the payload of a node at which the game is over, with this value for the side to move.
    fn over(value: Score) -> Self;

    /// Returns the payload of an expanded node, computed from its children's payloads.
    fn back_up<'a>(children: impl Iterator<Item = &'a Self>) -> Self
    where
        Self: 'a;

    /// Returns the new payload of an expanded node that has this one. It differs from
    /// [`back_up`](Self::back_up) if a node keeps something of its own.
    fn renewed<'a>(&self, children: impl Iterator<Item = &'a Self>) -> Self
    where
        Self: 'a,
    {
        Self::back_up(children)
    }

    /// Returns the index of the child whose move is the best one: the child with the least value for its
    /// own side to move, the leftmost of equals.
    fn best<'a>(children: impl Iterator<Item = &'a Self> + Clone) -> Option<usize>
    where
        Self: 'a,
    {
        children.enumerate().min_by_key(|(_, child)| child.value()).map(|(index, _)| index)
    }

    /// Returns the value of the node for the side to move.
    fn value(&self) -> Score;

    /// Returns the least and the greatest value that this many leaves could give the node if they
    /// changed, for the side to move. If leaves are not counted, it returns the range of values that the
    /// node can have in any case.
    fn range(&self, conspirators: usize) -> (Score, Score) {
        let _ = conspirators;
        (self.value(), self.value())
    }

    /// Returns how many leaves must change to raise the node to `value` for `side`, from that side's
    /// point of view. `None` if it takes more leaves than are counted, or if it is impossible.
    fn needed(&self, side: Whose, value: Score) -> Option<usize> {
        let _ = (side, value);
        None
    }
}

/// Chooses the leaf to expand next.
pub trait Growth<P: Payload>: Component {
    /// Whether `choose` may name several leaves at once, so that several threads have work.
    const SEVERAL: bool = false;

    /// Adds the leaf to expand next. Adds several leaves if all of them are to be expanded regardless of
    /// what is found in the meantime. Adds none if nothing is left to do. The root has been expanded
    /// before the call.
    fn choose<M: Copy>(&self, tree: &Tree<M, P>, choices: &mut Vec<Choice>);

    /// Returns what is known about the root at this point.
    fn outlook<M: Copy>(&self, tree: &Tree<M, P>) -> Outlook;
}
