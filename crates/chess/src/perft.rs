//! Counts the leaves of the move tree by first move, as a test of the move generator.

use crate::moves::Move;
use crate::position::Position;
use cassius_search::{Game as _, perft};

/// Computes [`perft`] by first move, for finding where two generators disagree. Empty at depth 0.
///
/// ```
/// use cassius_chess::{Position, divide};
/// let counts = divide(&Position::default(), 2);
/// assert_eq!(counts.len(), 20);
/// assert!(counts.iter().all(|(_, leaves)| *leaves == 20));
/// ```
pub fn divide(position: &Position, depth: usize) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut next = position.clone();
            next.play(mv);
            (mv, perft(&next, rest))
        })
        .collect()
}
