//! The experiments, one file each, and what several of them use.

mod ablation;
mod alpha_beta_leaves;
mod check_replies;
mod deepening_recurrence;
mod endless_checks;
mod fail_high_nodes;
mod fail_soft;
mod fractional_plies;
mod full_width;
mod horizon_example;
mod iterative_deepening;
mod kaindl_figures;
mod leaves;
mod likelihood;
mod null_move;
mod random_trees;
mod sss_star;
mod strongly_ordered_trees;
mod windows;

pub use ablation::ABLATION;
pub use alpha_beta_leaves::ALPHA_BETA_LEAVES;
pub use check_replies::CHECK_REPLIES;
pub use deepening_recurrence::DEEPENING_RECURRENCE;
pub use endless_checks::ENDLESS_CHECKS;
pub use fail_high_nodes::FAIL_HIGH_NODES;
pub use fail_soft::FAIL_SOFT;
pub use fractional_plies::FRACTIONAL_PLIES;
pub use horizon_example::HORIZON_EXAMPLE;
pub use iterative_deepening::ITERATIVE_DEEPENING;
pub use kaindl_figures::KAINDL_FIGURES;
pub use likelihood::LIKELIHOOD;
pub use null_move::NULL_MOVE;
pub use random_trees::RANDOM_TREES;
pub use sss_star::SSS_STAR;
pub use strongly_ordered_trees::STRONGLY_ORDERED_TREES;
pub use windows::WINDOWS;
