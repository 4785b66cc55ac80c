//! Measures how safe a value is: conspirators, strategies and their depths, and the probability that
//! they fail, for trees in memory.
//!
//! A finished search leaves a tree, and a value that rests on two plans. A *max strategy* shows "at
//! least", and a *min strategy* shows "at most". This module computes how far these plans can be
//! trusted, by the definitions of the paper, for any tree that implements [`SearchTree`]:
//!
//! | question | answer | section |
//! |---|---|---|
//! | how many leaves must be wrong for the value to be wrong? | [`conspirators`] and related functions | §2 |
//! | how likely is that if leaves err? | as a polynomial: [`failure`]; at one ε: [`failure_at`] | §3 |
//! | the same, by drawing samples | [`estimate_failure`], [`draw_values`] | §3 |
//! | and if leaves have arbitrary distributions? | [`distribution`] | §3, after Baum & Smith |
//! | which plans exist, and how many? | [`strategies`], [`number_of_strategies`], [`best_strategy`] | §4 |
//! | how many leaves must be wrong for a plan to fail? | [`Strategy::conspiracy_number`] | §4 |
//! | how deep is a plan, and where is it weakest? | [`Strategy::weakest`] | §5, §6 |
//!
//! The related functions of §2 are [`lower_conspiracy_number`] and [`upper_conspiracy_number`]. The
//! module explains what [`Abc`](crate::alpha_beta::horizon::Abc) counts while it searches. Searches use
//! nothing of it except the names of the sides.
//!
//! *Reference:* McAllester & Yuret 1993, §2 to §6.
//! *Deviations:* a leaf may be *terminal*: its value is exact, so it neither conspires nor errs. A plan
//! that ends only in terminal leaves cannot be defeated, which is expressed by [`Conspirators::Never`].
//! Values are integers: the paper's margin δ = ½ is 1 here. Depths are sums of
//! [`Depth`](crate::depth::Depth)s, as in the search.
//! *Soundness:* nothing here changes a search. Every theorem of these sections is a property test; its
//! oracle is the definition itself, computed by brute force.
//!
//! An example is the uniform tree of §2, with two plies and all leaves 0. In either direction, as many
//! leaves must conspire as a node has moves:
//!
//! ```
//! use cassius_search::Score;
//! use cassius_search::plans::strategy::{Conspirators, SearchTree, Side};
//! use cassius_search::plans::strategy::{lower_conspiracy_number, upper_conspiracy_number};
//!
//! struct Uniform {
//!     moves: usize,
//! }
//!
//! impl SearchTree for Uniform {
//!     type Node = (usize, usize); // ply, and number within the ply
//!
//!     fn root(&self) -> (usize, usize) {
//!         (0, 0)
//!     }
//!
//!     fn children(&self, (ply, number): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
//!         let moves = if ply < 2 { self.moves } else { 0 };
//!         (0..moves).map(move |mv| (ply + 1, number * moves + mv))
//!     }
//!
//!     fn static_value(&self, _: (usize, usize)) -> Score {
//!         Score(0)
//!     }
//!
//!     fn mover(&self, (ply, _): (usize, usize)) -> Side {
//!         if ply % 2 == 0 { Side::Max } else { Side::Min }
//!     }
//!
//!     fn is_terminal(&self, _: (usize, usize)) -> bool {
//!         false
//!     }
//! }
//!
//! let tree = Uniform { moves: 30 };
//! assert_eq!(lower_conspiracy_number(&tree, Score(1)), Conspirators::Leaves(30));
//! assert_eq!(upper_conspiracy_number(&tree, Score(1)), Conspirators::Leaves(30));
//! ```

mod conspirators;
mod depth;
mod distribution;
mod enumeration;
mod plan;
mod polynomial;
mod static_error;
mod subtree;
mod tree;

pub use crate::side::Side;
pub use conspirators::{
    Conspirators, conspirators, lower_conspiracy_number, smallest_conspiracy, upper_conspiracy_number,
};
pub use depth::Weakest;
pub use distribution::{Distribution, DistributionError, distribution};
pub use enumeration::{Strategies, number_of_strategies, strategies};
pub use plan::{Strategy, best_strategy};
pub use polynomial::{Polynomial, TooLarge};
pub use static_error::{Estimate, draw_values, estimate_failure, failure, failure_at};
pub use subtree::Subtree;
pub use tree::{SearchTree, fold, minimax_value};
