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

use super::{Assess, Growth, Leaf, NodeId, Outlook, Payload, Tree};
use crate::{Evaluate, Game, Pass, Score};

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
    fn choose<M: Copy>(&mut self, tree: &Tree<M, Interval>, line: &mut Vec<NodeId>) -> bool {
        let Some(mut node) = self.target(tree) else { return false };
        line.clear();
        line.extend([NodeId::ROOT, node]);
        while let Some(next) = best_of(tree, tree.children(node)) {
            line.push(next);
            node = next;
        }
        debug_assert!(tree.is_leaf(node), "what is over is a point");
        true
    }

    fn outlook<M: Copy>(&self, tree: &Tree<M, Interval>) -> Outlook {
        Outlook { conspirators: 0, best: best_of(tree, tree.children(NodeId::ROOT)) }
    }
}

/// From one evaluation to another: the interval is right where the first is never too high and the second never too low.
///
/// The upper bound is the delicate one. What a side has it keeps, more or less, if it does nothing ([`Passed`]); what it may get
/// takes a judge of all that it threatens.
///
/// ```
/// use cassius_search::best_first::{BStar, Between, Grower, Interval, NodeId};
/// use cassius_search::{Game, Nodes, Off, Outcome, Request, Score};
///
/// /// Take one or two coins from the left end of the row, and then the other side does.
/// #[derive(Clone)]
/// struct Row {
///     coins: &'static [i32],
///     ahead: i32,
/// }
/// impl Game for Row {
///     type Move = usize;
///     fn moves(&self, moves: &mut Vec<usize>) {
///         moves.extend((1..=2).filter(|taken| *taken <= self.coins.len()));
///     }
///     fn play(&mut self, taken: usize) {
///         let (coins, rest) = self.coins.split_at(taken);
///         *self = Row { coins: rest, ahead: -self.ahead - coins.iter().sum::<i32>() };
///     }
///     fn outcome(&self) -> Outcome {
///         Outcome::Points(Score(self.ahead))
///     }
/// }
///
/// // One side gets all that is left, or the other does.
/// let least = |row: &Row| Score(row.ahead - row.coins.iter().sum::<i32>());
/// let most = |row: &Row| Score(row.ahead + row.coins.iter().sum::<i32>());
/// let assess = Between { pessimistic: least, optimistic: most };
/// let mut grower = Grower::<Row, Interval, _, _, Off>::new(1, BStar::default(), assess)?; // 1 MiB
/// let row = Row { coins: &[1, 9, 2, 3], ahead: 0 };
/// let answer = grower.search(&Request::new(&row, &Nodes(1_000)), &mut |_| {});
/// assert_eq!(answer.best(), Some(2)); // takes 10, and may lose the other 5
/// assert_eq!(grower.tree.payload(NodeId::ROOT), &Interval::new(Score(5), Score(15)));
/// assert_eq!(answer.nodes, 5); // the other move's replies show that it cannot have more
/// # Ok::<(), cassius_search::best_first::OutOfMemory>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Between<L, U> {
    /// Gives the pessimistic value.
    pub pessimistic: L,
    /// Gives the optimistic value.
    pub optimistic: U,
}

impl<G: Game, L: Evaluate<G>, U: Evaluate<G>> Assess<G, Interval> for Between<L, U> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Interval> {
        if position.is_over() {
            return Leaf::Over(position.outcome().score(ply));
        }
        let pessimistic = self.pessimistic.evaluate(position).clamp_estimate();
        let optimistic = self.optimistic.evaluate(position).clamp_estimate();
        Leaf::Open(Interval::new(pessimistic, optimistic))
    }
}

/// What a position is worth if the side to move does nothing, but no more than its own value: a pessimistic value, where a pass is not the
/// best move. Where it must do something, its own value. (McAllester 1988, §10.)
#[derive(Clone, Copy, Debug, Default)]
pub struct Passed<E>(pub E);

impl<G: Pass, E: Evaluate<G>> Evaluate<G> for Passed<E> {
    fn evaluate(&mut self, position: &G) -> Score {
        let value = self.0.evaluate(position);
        if position.is_over() || !position.may_pass() {
            return value;
        }
        let mut passed = position.clone();
        passed.pass();
        value.min(-self.0.evaluate(&passed))
    }
}
