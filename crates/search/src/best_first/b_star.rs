//! B*: growing a tree until one move is proven best.
//!
//! Every node has two values, a pessimistic and an optimistic one, between which its true value lies. A move is best if its pessimistic
//! value is at least every other's optimistic value. To get there one can prove the best, by raising its pessimistic value, or disprove the
//! rest, by lowering their optimistic ones.
//!
//! *Reference:* Berliner 1979. Within a subtree the side to move follows its best optimistic value.
//! *Deviations:* Berliner chooses between the strategies by the depths at which bounds were found. Depths are not kept here: the rest is
//! disproven if it is one move, whose bound can be lowered, else the best is proven; `strategy` prefers one of them throughout. Of several
//! best the one with the greater pessimistic value, then the leftmost; the rival is the one with the best optimistic value, the leftmost of
//! equals. Bounds are backed up from the children as they are: a node does not keep a narrower interval that it had as a leaf.
//! *Soundness:* the move is best if every interval holds the true value; else it is as good as they are.
//! *Worth:* not measured in play.

use super::{Choice, Growth, NodeId, Outlook, Payload, Tree};
use crate::Score;

/// What a node is worth to the side to move: at least this, at most that.
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
    /// The least that it can be worth.
    pub pessimistic: Score,
    /// The most.
    pub optimistic: Score,
}

impl Interval {
    /// From a lower to an upper bound; if they are the wrong way round, the upper.
    pub fn new(pessimistic: Score, optimistic: Score) -> Interval {
        Interval { pessimistic: pessimistic.min(optimistic), optimistic }
    }

    /// The same seen by the other side.
    fn flip(&self) -> Interval {
        Interval { pessimistic: -self.optimistic, optimistic: -self.pessimistic }
    }

    /// Whether the value is known.
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

    /// The middle of the interval.
    fn value(&self) -> Score {
        Score((self.pessimistic + self.optimistic).0 / 2)
    }

    /// The interval, however many leaves change.
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

/// A child, seen by the side to move above it.
fn seen<M: Copy>(tree: &Tree<M, Interval>, child: NodeId) -> Interval {
    tree.payload(child).flip()
}

/// The child with the best optimistic value, of several the one with the best pessimistic value, of these the leftmost.
fn best_of<M: Copy>(
    tree: &Tree<M, Interval>,
    children: impl DoubleEndedIterator<Item = NodeId>,
) -> Option<NodeId> {
    // `max_by_key` takes the last of several.
    children.rev().max_by_key(|&child| {
        let Interval { pessimistic, optimistic } = seen(tree, child);
        (optimistic, pessimistic)
    })
}

impl BStar {
    /// Below which move of the root the tree is to grow. `None` if one move is proven best.
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
    /// Where the best's pessimistic value is below a rival's optimistic one, it is below its own too, which is the greatest: there is
    /// always something to prove. And where a node's value is not known, that of its child with the best optimistic value is not known either.
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
