//! B*: grows a tree until one move is proven best.
//!
//! Every node has a pessimistic and an optimistic value, and its true value lies between them. A move is
//! best if its pessimistic value is at least the optimistic value of every other move. There are two
//! strategies to reach this. One proves the best move by raising its pessimistic value; the other
//! disproves the rest by lowering their optimistic values.
//!
//! *Reference:* Berliner 1979. Within a subtree the move with the best optimistic value is followed.
//! *Deviations:* Berliner chooses between the strategies by the depths at which bounds were found.
//! Depths are not stored here: the rest is disproven if it is a single move whose bound can be lowered;
//! otherwise the best move is proven. The parameter `strategy` can force one of the two throughout. The
//! best move is the one with the best optimistic value; ties are broken by the greater pessimistic
//! value, then by the leftmost move. The rival is chosen among the others in the same way. Bounds are
//! backed up from the children as they are: a node does not keep a narrower interval that it had as a
//! leaf.
//! *Soundness:* the move is best if every interval contains the true value; otherwise the result is as
//! good as the intervals.
//! *Worth:* not measured in play.

use super::{Choice, Growth, NodeId, Outlook, Payload, Tree};
use crate::score::Score;

/// The interval of values that a node may have for the side to move.
///
/// ```
/// use cassius_search::Score;
/// use cassius_search::best_first::{Interval, Payload};
///
/// let interval = |pessimistic, optimistic| Interval::new(Score(pessimistic), Score(optimistic));
/// let node = Interval::back_up([interval(-5, -2), interval(-9, 1)].iter());
/// assert_eq!(node, interval(2, 9));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The lower bound of the value.
    pub pessimistic: Score,
    /// The upper bound of the value.
    pub optimistic: Score,
}

impl Interval {
    /// Creates an interval from a lower and an upper bound. If they are in the wrong order, both become
    /// the upper bound.
    pub fn new(pessimistic: Score, optimistic: Score) -> Interval {
        Interval { pessimistic: pessimistic.min(optimistic), optimistic }
    }

    /// Returns the interval from the other side's point of view.
    fn flip(&self) -> Interval {
        Interval { pessimistic: -self.optimistic, optimistic: -self.pessimistic }
    }

    /// Whether the value is known exactly.
    fn is_point(&self) -> bool {
        self.pessimistic >= self.optimistic
    }
}

impl Payload for Interval {
    fn over(value: Score) -> Self {
        Interval { pessimistic: value, optimistic: value }
    }

    fn back_up<'a>(children: impl Iterator<Item = &'a Self>) -> Self {
        let worst = Interval { pessimistic: -Score::INFINITE, optimistic: -Score::INFINITE };
        children.map(Interval::flip).fold(worst, |node, child| Interval {
            pessimistic: node.pessimistic.max(child.pessimistic),
            optimistic: node.optimistic.max(child.optimistic),
        })
    }

    /// Returns the middle of the interval.
    fn value(&self) -> Score {
        Score((self.pessimistic + self.optimistic).0 / 2)
    }

    /// Returns the interval. It does not depend on the number of leaves.
    fn range(&self, _: usize) -> (Score, Score) {
        (self.pessimistic, self.optimistic)
    }
}

crate::component! {
    /// Proves the best move best, or disproves the rest.
    pub struct BStar {
        /// What is preferred: 0 to disprove a single rival and else to prove, 1 to prove, 2 to disprove.
        strategy: 0 in 0..=2 "0, 1 or 2",
    }
}

/// Returns the interval of a child for the side to move at its parent.
fn seen<M: Copy>(tree: &Tree<M, Interval>, child: NodeId) -> Interval {
    tree.payload(child).flip()
}

/// Returns the child with the best optimistic value. Ties are broken by the best pessimistic value, then
/// by the leftmost child.
fn best_of<M: Copy>(
    tree: &Tree<M, Interval>,
    children: impl DoubleEndedIterator<Item = NodeId>,
) -> Option<NodeId> {
    // `max_by_key` returns the last of several maxima.
    children.rev().max_by_key(|&child| {
        let Interval { pessimistic, optimistic } = seen(tree, child);
        (optimistic, pessimistic)
    })
}

impl BStar {
    /// Returns the move of the root below which the tree is to grow. `None` if one move is proven best.
    fn target<M: Copy>(&self, tree: &Tree<M, Interval>) -> Option<NodeId> {
        let best = best_of(tree, tree.children(NodeId::ROOT))?;
        let at_least = seen(tree, best).pessimistic;
        let rest = tree.children(NodeId::ROOT).filter(|&child| child != best);
        let rivals = rest.filter(|&rival| seen(tree, rival).optimistic > at_least);
        let rival = best_of(tree, rivals.clone())?;
        let can_be_disproven = !tree.payload(rival).is_point();
        let disproves = match self.strategy {
            1 => false,
            2 => true,
            _ => rivals.count() == 1,
        };
        Some(if disproves && can_be_disproven { rival } else { best })
    }
}

impl Growth<Interval> for BStar {
    /// Descends from the target to a leaf. There is always a leaf to expand. If the pessimistic value of
    /// the best move is below a rival's optimistic value, it is also below its own optimistic value,
    /// which is the greatest. And if a node's value is not known exactly, neither is that of its child
    /// with the best optimistic value.
    fn choose<M: Copy>(&self, tree: &Tree<M, Interval>, choices: &mut Vec<Choice>) {
        let Some(mut node) = self.target(tree) else { return };
        while let Some(next) = best_of(tree, tree.children(node)) {
            node = next;
        }
        debug_assert!(tree.is_leaf(node), "what is over is a point");
        choices.push(Choice::new(node));
    }

    fn outlook<M: Copy>(&self, tree: &Tree<M, Interval>) -> Outlook {
        Outlook { conspirators: 0, best: best_of(tree, tree.children(NodeId::ROOT)) }
    }
}
