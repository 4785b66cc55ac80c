//! Plain minimax: the oracle that every value-preserving search is tested against.

use crate::{Evaluate, Game, Score};

/// The minimax value of `position` searched to `depth` plies, for the side to move.
///
/// *Reference:* Marsland & Campbell 1981, §I. No window, no memory, no order:
/// its cost is W^D, and there is nothing in it to get wrong.
pub fn minimax<G: Game>(position: &G, evaluate: &mut impl Evaluate<G>, depth: usize) -> Score {
    fn value<G: Game>(position: &G, evaluate: &mut impl Evaluate<G>, depth: usize, ply: usize) -> Score {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        if moves.is_empty() {
            return position.outcome().score(ply);
        }
        if depth == 0 {
            return evaluate.evaluate(position);
        }
        let child = |mv| {
            let mut child = position.clone();
            child.play(mv);
            -value(&child, evaluate, depth - 1, ply + 1)
        };
        moves.into_iter().map(child).max().expect("a position with moves")
    }
    value(position, evaluate, depth, 0)
}
