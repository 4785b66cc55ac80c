//! Deepening: which iterations a search goes through, and what the first one prepares.
//!
//! [`Off`](crate::Off) is plain iterative deepening: 1, 2, 3, … plies, each iteration with the order of root moves that the last one
//! has left. The drivers take the steps; a component says which ([`Deepen`](crate::Deepen)).

mod move_and_refutation;

pub use move_and_refutation::MoveAndRefutation;
