//! The best successor: grows a tree until few leaves cannot change which move is best.
//!
//! *Reference:* McAllester 1988, §9; the two strategies are those of Berliner's B*.
//! *Deviations:* the paper leaves open when to stop, which strategy to choose and which rival to
//! disprove. Here the search stops when every N up to N_t has a best successor. If there is only one
//! move, its value is determined as by conspiracy numbers. Of several best successors the leftmost
//! counts. The rest is disproven if there is only one rival, or if nothing can raise the best move;
//! otherwise the best move is proven. The rival to disprove is the one with the greatest possible value,
//! the leftmost of equals. One of the two strategies is always possible. With a margin, a successor is
//! best if no other can be better by more than the margin. A successor that wins is best even if another
//! might win sooner.
//! *Soundness:* the same as that of conspiracy numbers.
//! *Worth:* Measured in chess, as `cns` at 10, 100 and 400 ms: it solves 84, 166 and 213 of 300
//! exercises, where alpha-beta solves 211, 259 and 281. It lost nearly all of 200 games at 10 ms a move
//! (results/best-first.md).

use super::{
    Bounds, Choice, ConspiracyNumbers, Growth, NodeId, Outlook, Payload as _, Tree, Whose, conspirator_leaf,
};
use crate::score::Score;

crate::component! {
    /// Proves the best move best, or disproves the rest.
    pub struct BestSuccessor {
        /// By how much another move may be better.
        margin: 0 in 0..=1000 "evaluation units",
        /// N_t: conspiracies of more leaves are not thought likely. A node takes 52 bytes for up to 8,
        /// at most 420 for more.
        threshold: 100 in 1..=100 "leaves",
    }
}

/// The strategy for the next expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Strategy {
    ProveBest,
    DisproveRest(NodeId),
}

/// Finds the best successor of the root, and how many conspirators it withstands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contest {
    margin: i32,
    threshold: usize,
}

/// Returns V_min of a successor, from the root's point of view.
fn least<M: Copy, const N: usize>(tree: &Tree<M, Bounds<N>>, node: NodeId, conspirators: usize) -> Score {
    -tree.payload(node).mover.at(conspirators)
}

/// Returns V_max of a successor, from the root's point of view.
fn greatest<M: Copy, const N: usize>(tree: &Tree<M, Bounds<N>>, node: NodeId, conspirators: usize) -> Score {
    tree.payload(node).other.at(conspirators)
}

impl Contest {
    pub(super) fn new(margin: i32, threshold: i32) -> Contest {
        Contest { margin, threshold: threshold as usize }
    }

    /// Whether a move worth at most `greatest` rivals a move worth at least `least`. Nothing rivals a
    /// win.
    fn rivals(&self, least: Score, greatest: Score) -> bool {
        !least.is_win() && (greatest - least).0 > self.margin
    }

    /// Returns the best successor under conspiracies of this many leaves, if there is one.
    fn best<M: Copy, const N: usize>(
        &self,
        tree: &Tree<M, Bounds<N>>,
        conspirators: usize,
    ) -> Option<NodeId> {
        let root = tree.children(NodeId::ROOT);
        root.clone().find(|&best| {
            let least = least(tree, best, conspirators);
            let mut rest = root.clone().filter(|&other| other != best);
            rest.all(|rival| !self.rivals(least, greatest(tree, rival, conspirators)))
        })
    }

    /// Returns the least N without a best successor, and the best successor for N − 1. `None` if every N
    /// up to N_t has a best successor.
    pub(super) fn open<M: Copy, const N: usize>(&self, tree: &Tree<M, Bounds<N>>) -> Option<(usize, NodeId)> {
        let mut best = self.best(tree, 0)?;
        for conspirators in 1..=self.threshold.min(Bounds::<N>::MOST) {
            match self.best(tree, conspirators) {
                Some(still) => best = still,
                None => return Some((conspirators, best)),
            }
        }
        None
    }

    /// Returns the growth for a root with only one move. That move is best whatever its value, so only
    /// its value is open.
    pub(super) fn of_one<M: Copy, const N: usize>(
        &self,
        tree: &Tree<M, Bounds<N>>,
    ) -> Option<ConspiracyNumbers> {
        let of_one =
            ConspiracyNumbers { width: self.margin, threshold: self.threshold as i32, ..Default::default() };
        tree.children(NodeId::ROOT).nth(1).is_none().then_some(of_one)
    }

    pub(super) fn outlook<M: Copy, const N: usize>(&self, tree: &Tree<M, Bounds<N>>) -> Outlook {
        if let Some(of_one) = self.of_one(tree) {
            return of_one.outlook(tree);
        }
        let most = self.threshold.min(Bounds::<N>::MOST);
        let (conspirators, best) = match self.open(tree) {
            Some((conspirators, best)) => (conspirators, Some(best)),
            None => (most, self.best(tree, most)),
        };
        Outlook { conspirators, best: best.or_else(|| tree.best_child(NodeId::ROOT)) }
    }
}

impl BestSuccessor {
    fn contest(&self) -> Contest {
        Contest::new(self.margin, self.threshold)
    }

    fn strategy<M: Copy, const N: usize>(
        &self,
        tree: &Tree<M, Bounds<N>>,
        conspirators: usize,
        best: NodeId,
    ) -> Strategy {
        let at_least = least(tree, best, conspirators);
        let can_be_raised = at_least < least(tree, best, 0);
        let at_most = |rival: NodeId| greatest(tree, rival, conspirators);
        let rest = tree.children(NodeId::ROOT).filter(|&other| other != best);
        let rivals = rest.filter(|&rival| self.contest().rivals(at_least, at_most(rival)));
        let can_be_lowered = |rival: &NodeId| at_most(*rival) > greatest(tree, *rival, 0);
        // The leftmost of several maxima: `max_by_key` returns the last.
        let rival = rivals.clone().filter(can_be_lowered).rev().max_by_key(|&rival| at_most(rival));
        match rival {
            Some(rival) if !can_be_raised || rivals.count() == 1 => Strategy::DisproveRest(rival),
            _ => Strategy::ProveBest,
        }
    }
}

impl<const N: usize> Growth<Bounds<N>> for BestSuccessor {
    fn choose<M: Copy>(&self, tree: &Tree<M, Bounds<N>>, choices: &mut Vec<Choice>) {
        if let Some(of_one) = self.contest().of_one(tree) {
            return of_one.choose(tree, choices);
        }
        let Some((conspirators, best)) = self.contest().open(tree) else { return };
        let (node, side) = match self.strategy(tree, conspirators, best) {
            Strategy::ProveBest => (best, Whose::Mover),
            Strategy::DisproveRest(rival) => (rival, Whose::Other),
        };
        let value = tree.payload(node).of(side).at(conspirators);
        choices.push(Choice::new(conspirator_leaf(tree, node, side, value)));
    }

    fn outlook<M: Copy>(&self, tree: &Tree<M, Bounds<N>>) -> Outlook {
        self.contest().outlook(tree)
    }
}
