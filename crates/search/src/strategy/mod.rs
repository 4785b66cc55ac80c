//! How safe a value is: conspirators, strategies and their depths, and the odds that they fail, over trees in memory.
//!
//! A search that has ended leaves a tree, and a value that rests on two plans: a *max strategy* shows "at least", a
//! *min strategy* "at most". This module says how far to trust them, by the definitions of the paper, for any tree that
//! implements [`SearchTree`]:
//!
//! | question | answer | section |
//! |---|---|---|
//! | how many leaves must be wrong for the value to be wrong? | [`conspirators`], [`lower_conspiracy_number`], [`upper_conspiracy_number`] | §2 |
//! | how likely is it, if leaves err independently? | [`failure`], as a polynomial; [`estimate_failure`], [`draw_values`], by drawing | §3 |
//! | and if leaves have any distributions? | [`distribution`] | §3, after Baum & Smith |
//! | which plans are there, and how many? | [`strategies`], [`number_of_strategies`], [`best_strategy`] | §4 |
//! | how deep is a plan, and where is it weakest? | [`Strategy::conspiracy_number`], [`Strategy::weakest`] | §4 to §6 |
//!
//! It explains what [`Abc`](crate::Abc) counts while it searches; no search uses more of it than the names of the sides.
//!
//! *Reference:* McAllester & Yuret 1993, §2 to §6.
//! *Deviations:* a leaf may be *terminal*: its value is exact, so that it neither conspires nor errs, and a plan
//! that ends in terminal leaves only cannot be defeated, which [`Conspirators::Never`] says. Values are integers:
//! the paper's margin δ = ½ is 1 here. Depths are sums of [`Depth`](crate::Depth)s, as in the search.
//! *Soundness:* nothing here changes a search. Every theorem of these sections is a property test, with the
//! definitions themselves, carried out by brute force, as the oracle.
//!
//! The uniform tree of §2, two plies and all leaves 0, where as many leaves as there are moves must conspire either way:
//!
//! ```
//! use cassius_search::Score;
//! use cassius_search::strategy::{Conspirators, SearchTree, Side};
//! use cassius_search::strategy::{lower_conspiracy_number, upper_conspiracy_number};
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
mod side;
mod static_error;
mod subtree;
mod tree;

pub use conspirators::{
    Conspirators, conspirators, lower_conspiracy_number, smallest_conspiracy, upper_conspiracy_number,
};
pub use depth::Weakest;
pub use distribution::{Distribution, DistributionError, distribution};
pub use enumeration::{Strategies, number_of_strategies, strategies};
pub use plan::{Strategy, best_strategy};
pub use polynomial::{Polynomial, TooLarge};
pub use side::Side;
pub use static_error::{Estimate, draw_values, estimate_failure, failure};
pub use subtree::Subtree;
pub use tree::{SearchTree, fold, minimax_value};
