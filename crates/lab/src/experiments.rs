//! The experiments, one file each, and what several of them use.

mod alpha_beta_leaves;
mod leaves;
mod random_trees;

pub use alpha_beta_leaves::ALPHA_BETA_LEAVES;
pub use random_trees::RANDOM_TREES;
