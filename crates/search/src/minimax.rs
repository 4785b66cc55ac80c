//! Plain minimax: the reference against which every value-preserving search is tested.

use crate::game::{Evaluate, Game};
use crate::score::Score;

/// Returns the minimax value of `position` searched to `depth` plies, for the side to move.
///
/// *Reference:* Marsland & Campbell 1981, §I. It uses no window, no memory and no move ordering. Its
/// cost is W^D, and it is simple enough to be obviously correct.
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
