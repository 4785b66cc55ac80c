//! Controlled conspiracy number search: targets are set at the root, pushed down and split, and all leaves that a target needs are expanded.
//!
//! The root asks for two things: that the best move is worth at least a bar x, and every other move at most x, each so safely that it takes
//! more than N conspirators to change it. A target at a node that has not met it passes to its children. Where those who would break it have the
//! move, every child must hold against so many conspirators; where the others have it, the children's conspirators add up, and what is
//! lacking is asked of the child that looks best. So a target names all the leaves that must be expanded before it can be met, and they are
//! expanded one after the other, not one for each descent from the root.
//!
//! *Reference:* U. Lorenz, "Controlled conspiracy-2 search", 2000, and his P.ConNerS; the numbers are McAllester's (1988).
//! *Deviations:* in the spirit of, not as printed: targets are met by bounds sequences, so that no number has to be counted again
//! when the bar moves; the split asks one child for all that is lacking. The bar lies between the best move and the next.
//! *Soundness:* as conspiracy numbers: the best successor under N conspirators, where it ends.

use super::best_successor::Contest;
use super::{Bounds, Growth, NodeId, Outlook, Payload, Tree, Whose};
use crate::Score;

crate::component! {
    /// Sets targets for the best move and for the others, and expands all leaves that one of them needs.
    pub struct ControlledConspiracy {
        /// By how much another move may be better.
        margin: 0 in 0..=1000 "evaluation units",
        /// N_t: conspiracies of more leaves are not thought likely.
        threshold: 100 in 1..=100 "leaves",
        /// Where the bar lies: 0 at the value of the second best move, 100 at that of the best.
        bar: 50 in 0..=100 "percent",
        /// The most leaves that are expanded before targets are set anew.
        leaves: 16 in 1..=1000 "leaves",
    } state {
        /// Lines to leaves that are still to be expanded, the next last.
        waiting: Vec<Vec<NodeId>> = Vec::new(),
    }
}

/// It must take at least `count` conspirators to raise the node to `bar` for `side`.
#[derive(Clone, Copy, Debug)]
struct Target {
    side: Whose,
    bar: Score,
    count: usize,
}

impl ControlledConspiracy {
    /// Sets the targets at the root, and lists what they need. `false` if all are met.
    fn set_targets<M: Copy, const N: usize>(&mut self, tree: &Tree<M, Bounds<N>>) -> bool {
        let contest = Contest::new(self.margin, self.threshold);
        let Some((conspirators, best)) = contest.open(tree) else { return false };
        let value = |child: NodeId| -tree.payload(child).value();
        let rest = tree.children(NodeId::ROOT).filter(|&child| child != best);
        let second = rest.clone().map(value).max().unwrap_or(value(best));
        let bar = second + Score((value(best) - second).0 * self.bar / 100);
        let count = conspirators + 1;
        let (above, below) = (bar + Score(1 + self.margin), bar - Score(1));
        let mut line = vec![NodeId::ROOT];
        self.pursue(tree, &mut line, best, Target { side: Whose::Mover, bar: -below, count });
        for rival in rest {
            self.pursue(tree, &mut line, rival, Target { side: Whose::Other, bar: above, count });
        }
        self.waiting.reverse();
        !self.waiting.is_empty()
    }

    /// Lists the leaves below `node`, which comes after `line`, that must be expanded before the target can be met.
    fn pursue<M: Copy, const N: usize>(
        &mut self,
        tree: &Tree<M, Bounds<N>>,
        line: &mut Vec<NodeId>,
        node: NodeId,
        target: Target,
    ) {
        let Target { side, bar, count } = target;
        if self.waiting.len() >= self.leaves as usize || tree.payload(node).of(side).needed(bar) >= count {
            return;
        }
        line.push(node);
        let below = side.below();
        let needed = |child: NodeId| tree.payload(child).of(below).needed(bar);
        match side {
            _ if tree.is_leaf(node) => self.waiting.push(line.clone()),
            // One child is enough for them: each must hold.
            Whose::Mover => {
                for child in tree.children(node) {
                    self.pursue(tree, line, child, Target { side: below, bar, count });
                }
            }
            // They need every child: the numbers add up, and the best that holds makes up for what is lacking.
            Whose::Other => {
                let total: usize = tree.children(node).map(needed).sum();
                let holding = tree.children(node).filter(|&child| needed(child) > 0);
                if let Some(child) = holding.min_by_key(|&child| tree.payload(child).value()) {
                    let count = needed(child) + (count - total);
                    self.pursue(tree, line, child, Target { side: below, bar, count });
                }
            }
        }
        line.pop();
    }
}

impl<const N: usize> Growth<Bounds<N>> for ControlledConspiracy {
    fn begin(&mut self) {
        self.waiting.clear();
    }

    fn choose<M: Copy>(&mut self, tree: &Tree<M, Bounds<N>>, line: &mut Vec<NodeId>) -> bool {
        if self.waiting.is_empty() && !self.set_targets(tree) {
            return false;
        }
        let Some(next) = self.waiting.pop() else { return false };
        line.clone_from(&next);
        true
    }

    fn outlook<M: Copy>(&self, tree: &Tree<M, Bounds<N>>) -> Outlook {
        Contest::new(self.margin, self.threshold).outlook(tree)
    }
}
