//! Counts the leaves of the move tree, as a test of the move generator.

use crate::moves::Move;
use crate::position::Position;
use cassius_search::Game;

/// Returns the number of move sequences of `depth` plies. The last ply is counted, not played.
///
/// ```
/// use cassius_chess::{Position, perft};
/// assert_eq!(perft(&Position::default(), 4), 197_281);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    // One list serves the whole descent: each level appends its moves and removes them again.
    let mut moves = Vec::with_capacity(64 * depth as usize + 256);
    count(position, depth, &mut moves)
}

fn count(position: &Position, depth: u32, moves: &mut Vec<Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    let start = moves.len();
    position.moves(moves);
    let end = moves.len();
    let mut leaves = (end - start) as u64;
    if depth > 1 {
        leaves = 0;
        for at in start..end {
            let mut next = position.clone();
            next.play(moves[at]);
            leaves += count(&next, depth - 1, moves);
        }
    }
    moves.truncate(start);
    leaves
}

/// Computes [`perft`] by first move, for finding where two generators disagree. Empty at depth 0.
///
/// ```
/// use cassius_chess::{Position, divide};
/// let counts = divide(&Position::default(), 2);
/// assert_eq!(counts.len(), 20);
/// assert!(counts.iter().all(|(_, leaves)| *leaves == 20));
/// ```
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
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
