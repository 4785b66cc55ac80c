//! Selectivity: searching less, or more, than the depth rule says.
//!
//! None of these preserves the minimax value. Each is a bet, with its worth measured by ablation.

mod exchange_pruning;
mod fail_high_singular;
mod futility;
mod internal_reduction;
mod k_best;
mod late_move_pruning;
mod late_move_reduction;
mod noisy_only;
mod null_move;
mod razoring;
mod reverse_futility;
mod singular;

pub use exchange_pruning::ExchangePruning;
pub use fail_high_singular::FailHighSingular;
pub use futility::Futility;
pub use internal_reduction::InternalReduction;
pub use k_best::KBest;
pub use late_move_pruning::LateMovePruning;
pub use late_move_reduction::LateMoveReduction;
pub use noisy_only::NoisyOnly;
pub use null_move::NullMove;
pub use razoring::Razoring;
pub use reverse_futility::ReverseFutility;
pub use singular::Singular;

use crate::{Depth, Evaluate, Game, Node, Score};

/// Hundredths of a ply.
#[inline]
pub(crate) fn hundredths(hundredths: i32) -> Depth {
    Depth(hundredths * Depth::PLY.0 / 100)
}

/// The static value, for the side to move at `node`, of the position after `mv`; the exact one if the game is then over.
pub(crate) fn static_value_after<G: Game>(
    node: &Node<'_, G>,
    mv: G::Move,
    evaluate: &mut impl Evaluate<G>,
) -> Score {
    let mut child = node.position.clone();
    child.play(mv);
    match child.is_over() {
        true => -child.outcome().score(node.ply + 1),
        false => -evaluate.evaluate(&child),
    }
}
