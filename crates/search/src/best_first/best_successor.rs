//! The best successor: growing a tree until few leaves cannot change which move is best.
//!
//! *Reference:* McAllester 1988, §9; the two strategies are those of Berliner's B*.
//! *Deviations:* the paper leaves open when to stop, which strategy to choose and which rival to disprove. Here: stop when
//! no N up to N_t is left, or there is one move; of several best successors the leftmost; disprove if there is one rival
//! only, or nothing can raise the best; else prove; the rival is the one that may be worth most, the leftmost of equals. One of the
//! two can always be done. With a margin, a successor is best if no other may be better by more.
//! *Soundness:* as conspiracy numbers.

use super::{Bounds, Growth, NodeId, Outlook, Tree, Whose, conspirator_leaf};
use crate::Score;

crate::component! {
    /// Proves the best move best, or disproves the rest.
    pub struct BestSuccessor {
        /// By how much another move may be better.
        margin: 0 in 0..=1000 "evaluation units",
        /// N_t: conspiracies of more leaves are not thought likely.
        threshold: 100 in 1..=100 "leaves",
    }
}

/// What is to be done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Strategy {
    ProveBest,
    DisproveRest(NodeId),
}

impl BestSuccessor {
    /// V_min of a successor, seen from the root.
    fn least<M: Copy, const N: usize>(tree: &Tree<M, Bounds<N>>, node: NodeId, conspirators: usize) -> Score {
        -tree.payload(node).mover.at(conspirators)
    }

    /// V_max of a successor, seen from the root.
    fn greatest<M: Copy, const N: usize>(
        tree: &Tree<M, Bounds<N>>,
        node: NodeId,
        conspirators: usize,
    ) -> Score {
        tree.payload(node).other.at(conspirators)
    }

    /// The best successor under conspiracies of so many leaves, if there is one.
    fn best<M: Copy, const N: usize>(
        &self,
        tree: &Tree<M, Bounds<N>>,
        conspirators: usize,
    ) -> Option<NodeId> {
        let root = tree.children(NodeId::ROOT);
        root.clone().find(|&best| {
            let least = Self::least(tree, best, conspirators);
            let rest = root.clone().filter(|&other| other != best);
            rest.into_iter().all(|rival| !self.rivals(least, Self::greatest(tree, rival, conspirators)))
        })
    }

    /// Whether a move that may be worth `greatest` rivals one that is worth at least `least`.
    fn rivals(&self, least: Score, greatest: Score) -> bool {
        (greatest - least).0 > self.margin
    }

    /// The least N without a best successor, and the best successor for one less. `None` if there is none up to N_t.
    fn open<M: Copy, const N: usize>(&self, tree: &Tree<M, Bounds<N>>) -> Option<(usize, NodeId)> {
        let mut best = self.best(tree, 0)?;
        for conspirators in 1..=(self.threshold as usize).min(Bounds::<N>::MOST) {
            match self.best(tree, conspirators) {
                Some(still) => best = still,
                None => return Some((conspirators, best)),
            }
        }
        None
    }

    fn strategy<M: Copy, const N: usize>(
        &self,
        tree: &Tree<M, Bounds<N>>,
        conspirators: usize,
        best: NodeId,
    ) -> Strategy {
        let least = Self::least(tree, best, conspirators);
        let can_be_raised = least < Self::least(tree, best, 0);
        let greatest = |node: NodeId| Self::greatest(tree, node, conspirators);
        let rest = tree.children(NodeId::ROOT).filter(|&other| other != best);
        let rivals = rest.filter(|&rival| self.rivals(least, greatest(rival)));
        let can_be_lowered = |rival: &NodeId| greatest(*rival) > Self::greatest(tree, *rival, 0);
        // The leftmost of several: `max_by_key` takes the last.
        let rival = rivals.clone().filter(can_be_lowered).rev().max_by_key(|&rival| greatest(rival));
        match rival {
            Some(rival) if !can_be_raised || rivals.count() == 1 => Strategy::DisproveRest(rival),
            _ => Strategy::ProveBest,
        }
    }
}

impl<const N: usize> Growth<Bounds<N>> for BestSuccessor {
    fn choose<M: Copy>(&self, tree: &Tree<M, Bounds<N>>, line: &mut Vec<NodeId>) -> bool {
        let Some((conspirators, best)) = self.open(tree) else { return false };
        let (node, side) = match self.strategy(tree, conspirators, best) {
            Strategy::ProveBest => (best, Whose::Mover),
            Strategy::DisproveRest(rival) => (rival, Whose::Other),
        };
        line.clear();
        line.extend([NodeId::ROOT, node]);
        conspirator_leaf(tree, line, side, tree.payload(node).of(side).at(conspirators));
        true
    }

    fn outlook<M: Copy>(&self, tree: &Tree<M, Bounds<N>>) -> Outlook {
        let most = (self.threshold as usize).min(Bounds::<N>::MOST);
        let (conspirators, best) = match self.open(tree) {
            Some((conspirators, best)) => (conspirators, Some(best)),
            None => (most, self.best(tree, most)),
        };
        let best = best.or_else(|| tree.best_child(NodeId::ROOT));
        Outlook { conspirators, best }
    }
}
