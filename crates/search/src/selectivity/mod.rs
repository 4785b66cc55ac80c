//! Selectivity: searching less, or more, than the depth rule says.
//!
//! None of these preserves the minimax value. Each is a bet, with its worth measured by ablation.

mod exchange_pruning;
mod futility;
mod internal_reduction;
mod late_move_pruning;
mod late_move_reduction;
mod null_move;
mod razoring;
mod reverse_futility;
mod singular;

pub use exchange_pruning::ExchangePruning;
pub use futility::Futility;
pub use internal_reduction::InternalReduction;
pub use late_move_pruning::LateMovePruning;
pub use late_move_reduction::LateMoveReduction;
pub use null_move::NullMove;
pub use razoring::Razoring;
pub use reverse_futility::ReverseFutility;
pub use singular::Singular;

use crate::Depth;

/// Hundredths of a ply.
#[inline]
pub(crate) fn hundredths(hundredths: i32) -> Depth {
    Depth(hundredths * Depth::PLY.0 / 100)
}
