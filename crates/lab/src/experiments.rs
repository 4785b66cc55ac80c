//! The experiments, one file each, and what several of them use.

mod alpha_beta_leaves;
mod leaves;

pub use alpha_beta_leaves::ALPHA_BETA_LEAVES;
