//! Counts the leaves of the tree of moves, as a check of the rules.

use crate::game::Game;

/// Returns the number of move sequences of exactly `depth` plies. The last ply is counted, not played.
///
/// ```
/// use cassius_games::{Connect4, Othello, TicTacToe};
/// use cassius_search::perft;
/// assert_eq!(perft(&TicTacToe::default(), 5), 15_120);
/// assert_eq!(perft(&Connect4::default(), 5), 16_807);
/// assert_eq!(perft(&Othello::default(), 5), 1_396);
/// ```
pub fn perft<G: Game>(position: &G, depth: usize) -> u64 {
    /// Counts with `moves` as one stack for the moves of all nodes of the line.
    fn count<G: Game>(position: &G, depth: usize, moves: &mut Vec<G::Move>) -> u64 {
        let first = moves.len();
        position.moves(moves);
        let mut leaves = (moves.len() - first) as u64;
        if depth > 1 {
            leaves = 0;
            for index in first..moves.len() {
                let mut child = position.clone();
                child.play(moves[index]);
                leaves += count(&child, depth - 1, moves);
            }
        }
        moves.truncate(first);
        leaves
    }
    if depth == 0 { 1 } else { count(position, depth, &mut Vec::new()) }
}
