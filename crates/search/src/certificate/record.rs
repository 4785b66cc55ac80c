//! Keeps the plans that a search finds, while it goes.
//!
//! *Reference:* McAllester & Yuret 1993, §4 (strategies) and §7, Theorem 1: the tree searched contains the plans of
//! both sides. A node that failed high is held by one move of the side to move; one that failed low, by every
//! move's reply; one in between, by both. What is not needed is dropped when its node is left, so that memory holds the
//! plans and not the tree.
//! *Deviations:* none. A move that is searched again counts as searched last.

use crate::{Game, Observe, Score, Window};

/// A plan in the order in which it is replayed, each position before what comes after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Note<M> {
    /// The owner plays this.
    Own(M),
    /// The other side has so many moves; each follows, with what comes then.
    Other(usize),
    /// One of them.
    Reply(M),
    /// The line ends.
    End,
}

/// The plans for a node: of the side to move for at least the value, of the other side for at most the value.
#[derive(Clone, Debug)]
pub(super) struct Plans<M> {
    pub at_least: Option<Vec<Note<M>>>,
    pub at_most: Option<Vec<Note<M>>>,
}

/// Keeps the plans of the root's last search that came to an end. For [`Exact`](super::Exact) only: what leaves moves out, passes, or
/// reduces has no plans to keep.
#[derive(Clone, Debug)]
pub struct PlanRecorder<M> {
    open: Vec<Node<M>>,
    root: Option<(Score, Plans<M>)>,
}

/// A node that is being searched.
#[derive(Clone, Debug)]
struct Node<M> {
    window: Window,
    /// The move played last.
    mv: Option<M>,
    searched: Vec<Searched<M>>,
}

/// A move that has been searched, its value for the side that played it, and the plans after it, of the side to move there.
#[derive(Clone, Debug)]
struct Searched<M> {
    mv: M,
    value: Score,
    plans: Plans<M>,
}

impl<M> Default for PlanRecorder<M> {
    fn default() -> Self {
        PlanRecorder { open: Vec::new(), root: None }
    }
}

impl<M> PlanRecorder<M> {
    /// Value and plans of the root, after a search.
    pub(super) fn take(&mut self) -> Option<(Score, Plans<M>)> {
        self.root.take()
    }
}

impl<M: Copy + PartialEq> Node<M> {
    fn plans(mut self, value: Score) -> Plans<M> {
        let Window { alpha, beta } = self.window;
        let ends = self.searched.is_empty();
        let at_most = (value < beta).then(|| {
            if ends {
                return vec![Note::End];
            }
            let mut notes = vec![Note::Other(self.searched.len())];
            for searched in &mut self.searched {
                notes.push(Note::Reply(searched.mv));
                notes.append(
                    searched.plans.at_least.as_mut().expect("a move no better than the value is refuted"),
                );
            }
            notes
        });
        let at_least = (value > alpha).then(|| {
            if ends {
                return vec![Note::End];
            }
            let best = self.searched.into_iter().rev().max_by_key(|searched| searched.value);
            let best = best.expect("a node with moves has a best one");
            let mut notes = vec![Note::Own(best.mv)];
            notes.extend(best.plans.at_most.expect("a move that raises the value holds it"));
            notes
        });
        Plans { at_least, at_most }
    }
}

impl<G: Game> Observe<G> for PlanRecorder<G::Move> {
    fn enter(&mut self, _: &G, window: Window, ply: usize) {
        if ply == 0 {
            self.open.clear(); // the search before this may have been stopped
        }
        self.open.push(Node { window, mv: None, searched: Vec::new() });
    }

    fn play(&mut self, mv: G::Move, _: usize) {
        if let Some(node) = self.open.last_mut() {
            node.mv = Some(mv);
        }
    }

    fn leave(&mut self, value: Score, _: usize) {
        let Some(node) = self.open.pop() else { return };
        let plans = node.plans(value);
        let Some(above) = self.open.last_mut() else {
            self.root = Some((value, plans));
            return;
        };
        let Some(mv) = above.mv else { return };
        above.searched.retain(|searched| searched.mv != mv);
        above.searched.push(Searched { mv, value: -value, plans });
    }
}
