//! Enumerates all strategies of a tree.
//!
//! *Reference:* McAllester & Yuret 1993, §4. *Deviations:* none. *Soundness:* exact.

use super::{SearchTree, Side, Strategy, fold};

/// Returns the strategies of `owner` all of whose leaves are leaves of `tree`, each once. There are very
/// many unless the tree is small: the number is the product over the other side's moves, and the sum
/// over the owner's moves.
pub fn strategies<T: SearchTree>(tree: &T, owner: Side) -> Strategies<'_, T> {
    Strategies { tree, owner, next: Some(Vec::new()) }
}

/// Returns the number of [`strategies`] without listing them; `None` if it is 2¹²⁸ or more.
pub fn number_of_strategies<T: SearchTree>(tree: &T, owner: Side) -> Option<u128> {
    fold(tree, |node, children: Vec<Option<u128>>| {
        let mut children = children.into_iter();
        match tree.mover(node) == owner && children.len() > 0 {
            true => children.try_fold(0u128, |sum, below| sum.checked_add(below?)),
            false => children.try_fold(1u128, |product, below| product.checked_mul(below?)),
        }
    })
}

/// The iterator that [`strategies`] returns.
#[derive(Clone, Debug)]
pub struct Strategies<'t, T> {
    tree: &'t T,
    owner: Side,
    /// The indices of the first planned moves of the next strategy, in the order in which its nodes are
    /// visited. All later planned moves are the leftmost.
    next: Option<Vec<usize>>,
}

impl<T: SearchTree> Iterator for Strategies<'_, T> {
    type Item = Strategy<T::Node>;

    fn next(&mut self) -> Option<Strategy<T::Node>> {
        let first = self.next.take()?;
        // The index of each planned move and the number of children it was chosen from.
        let mut planned: Vec<(usize, usize)> = Vec::new();
        let strategy = Strategy::new(self.tree, self.owner, |_, children| {
            let mv = first.get(planned.len()).copied().unwrap_or(0);
            planned.push((mv, children.len()));
            children.get(mv).copied()
        });
        // The last move that has a right neighbour advances to it. The nodes that are visited after it
        // then change.
        let last = planned.iter().rposition(|(mv, children)| mv + 1 < *children);
        self.next = last.map(|last| {
            let moves = planned[..=last].iter().map(|(mv, _)| *mv);
            let mut moves: Vec<usize> = moves.collect();
            moves[last] += 1;
            moves
        });
        Some(strategy)
    }
}
