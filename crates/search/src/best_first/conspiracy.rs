//! Conspiracy numbers: grows a tree until few leaves cannot change its value.
//!
//! *Reference:* McAllester 1988, §5 (the basic tree-growth procedure, MIN-STRATEGY-LEAF), §8
//! (iteratively deepened).
//! *Deviations:* these concern points that the paper leaves open. An infinite bound counts as further
//! away than any finite one. Two infinite bounds are equally far, so V_min is ruled out first, as in
//! every tie. A range between equal infinities has width 0. The iteratively deepened procedure ends at
//! N_t, and N_t is limited by the length of the sequences.
//! *Soundness:* the range is heuristic. It is the exact value of the root if every leaf that could
//! conspire has been expanded to the end of the game.
//! *Worth:* Measured in chess, as `cns-value` at 10, 100 and 400 ms: it solves 163, 204 and 206 of 300
//! exercises, where alpha-beta solves 211, 259 and 281. It lost nearly all of 200 games at 10 ms a move
//! (results/best-first.md).

use super::{Bounds, Choice, Growth, NodeId, Outlook, Payload, Tree, Whose};
use crate::score::Score;

crate::component! {
    /// Rules out the likely value that is furthest from the root's value, until the range of likely
    /// values is narrow.
    pub struct ConspiracyNumbers {
        /// Δ: the range is narrow if it is not wider than this.
        width: 0 in 0..=1000 "evaluation units",
        /// N_t: conspiracies of more leaves are not thought likely. A node takes 52 bytes for up to 8,
        /// at most 420 for more.
        threshold: 100 in 1..=100 "leaves",
        /// Whether conspiracies of 1, 2, … leaves are ruled out in turn (§8): 1 yes, 0 those of N_t at
        /// once (§5).
        deepened: 1 in 0..=1 "0 or 1",
    }
}

impl ConspiracyNumbers {
    /// Returns how many conspirators can still change much: the fewest, or N_t. `None` if not even N_t can.
    fn conspirators<const N: usize>(&self, root: &Bounds<N>, fewest: bool) -> Option<usize> {
        let threshold = (self.threshold as usize).min(Bounds::<N>::MOST);
        let first = if fewest { 1 } else { threshold };
        (first..=threshold).find(|&conspirators| {
            let (least, greatest) = root.range(conspirators);
            (greatest - least).0 > self.width
        })
    }
}

impl<const N: usize> Growth<Bounds<N>> for ConspiracyNumbers {
    fn choose<M: Copy>(&self, tree: &Tree<M, Bounds<N>>, choices: &mut Vec<Choice>) {
        let root = tree.payload(NodeId::ROOT);
        let Some(conspirators) = self.conspirators(root, self.deepened != 0) else { return };
        let far = |side: Whose| match root.of(side).at(conspirators) {
            Score::INFINITE => i32::MAX,
            bound => (bound - root.of(side).at(0)).0,
        };
        let side = if far(Whose::Mover) > far(Whose::Other) { Whose::Mover } else { Whose::Other };
        let value = root.of(side).at(conspirators);
        choices.push(Choice::new(conspirator_leaf(tree, NodeId::ROOT, side, value)));
    }

    fn outlook<M: Copy>(&self, tree: &Tree<M, Bounds<N>>) -> Outlook {
        let root = tree.payload(NodeId::ROOT);
        let conspirators =
            self.conspirators(root, true).unwrap_or((self.threshold as usize).min(Bounds::<N>::MOST));
        Outlook { conspirators, best: tree.best_child(NodeId::ROOT) }
    }
}

/// Returns a leaf of a smallest conspiracy that raises `node` to `value` for one of the sides, the
/// leftmost such leaf. This is MIN-STRATEGY-LEAF if that side is MAX, and MAX-STRATEGY-LEAF if it is
/// MIN.
///
/// `value` must be greater than the node's value for that side. It must be within reach of fewer
/// conspirators than a sequence has elements.
pub fn conspirator_leaf<M: Copy, const N: usize>(
    tree: &Tree<M, Bounds<N>>,
    mut node: NodeId,
    mut side: Whose,
    value: Score,
) -> NodeId {
    loop {
        let below = side.below();
        let sequence = |child: NodeId| tree.payload(child).of(below);
        let next = match side {
            // One child is enough: choose the one that needs the fewest conspirators.
            Whose::Mover => tree.children(node).min_by_key(|&child| sequence(child).needed(value)),
            // Every child below `value` has to be raised: choose the first one.
            Whose::Other => tree.children(node).find(|&child| sequence(child).at(0) < value),
        };
        let Some(next) = next else { break };
        (node, side) = (next, below);
    }
    debug_assert!(tree.is_leaf(node), "no conspirator");
    node
}
