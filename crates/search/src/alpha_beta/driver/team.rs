//! The state shared by the threads of one search.

use super::sync::{AtomicBool, AtomicU64, AtomicUsize, Mutex, Relaxed};
use crate::alpha_beta::RootMove;
use crate::limits::{Limits, Progress};
use std::sync::PoisonError;

/// The state shared by the threads of one search.
pub(super) struct Team<'a, M> {
    limits: &'a dyn Limits,
    pub stop: AtomicBool,
    /// Nodes of every member, as of its last poll.
    nodes: Vec<AtomicU64>,
    /// The last iteration that any member has finished.
    finished: AtomicUsize,
    /// The root moves after that iteration.
    root: Mutex<Vec<RootMove<M>>>,
}

/// One thread of a parallel search.
pub(super) struct Member<'a, M> {
    team: &'a Team<'a, M>,
    /// Index of the member. Member 0 is the leader, which alone decides whether to go on after an iteration.
    index: usize,
    /// The iteration that this member is searching.
    iteration: AtomicUsize,
}

impl<'a, M> Team<'a, M> {
    pub fn new(members: usize, limits: &'a dyn Limits) -> Self {
        Team {
            limits,
            stop: AtomicBool::new(false),
            nodes: (0..members).map(|_| AtomicU64::new(0)).collect(),
            finished: AtomicUsize::new(0),
            root: Mutex::new(Vec::new()),
        }
    }
}

impl<'a, M> Member<'a, M> {
    pub fn new(team: &'a Team<'a, M>, index: usize) -> Self {
        Member { team, index, iteration: AtomicUsize::new(1) }
    }

    /// Records that this member has begun an iteration.
    pub fn begin(&self, iteration: usize) {
        self.iteration.store(iteration, Relaxed);
    }
}

impl<M: Clone> Member<'_, M> {
    /// Returns the nodes of all members, where `own` counts those of this member.
    pub fn total(&self, own: u64) -> u64 {
        let others = self.team.nodes.iter().enumerate().filter(|&(index, _)| index != self.index);
        own + others.map(|(_, nodes)| nodes.load(Relaxed)).sum::<u64>()
    }

    /// Records that this member has finished an iteration, with its root moves.
    pub fn finish(&self, iteration: usize, root: &[RootMove<M>]) {
        let mut shared = self.team.root.lock().unwrap_or_else(PoisonError::into_inner);
        if iteration > self.team.finished.load(Relaxed) {
            shared.clear();
            shared.extend_from_slice(root);
            self.team.finished.store(iteration, Relaxed);
        }
    }

    /// If another member has finished this iteration or a later one, returns its number and its root
    /// moves.
    pub fn finished(&self, iteration: usize) -> Option<(usize, Vec<RootMove<M>>)> {
        let shared = self.team.root.lock().unwrap_or_else(PoisonError::into_inner);
        let finished = self.team.finished.load(Relaxed);
        (finished >= iteration).then(|| (finished, shared.clone()))
    }
}

impl<M: Send + Sync> Limits for Member<'_, M> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        const OFTEN: u64 = 256;
        self.team.nodes[self.index].store(nodes, Relaxed);
        let overtaken = self.team.finished.load(Relaxed) >= self.iteration.load(Relaxed);
        if overtaken || self.team.stop.load(Relaxed) {
            return None;
        }
        let total = self.team.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum();
        let Some(next) = self.team.limits.poll(total) else {
            self.team.stop.store(true, Relaxed);
            return None;
        };
        // The other members share what is left.
        let share = (next - total) / self.team.nodes.len() as u64;
        Some(nodes + share.clamp(1, OFTEN))
    }

    fn ends_now(&self) -> bool {
        self.team.stop.load(Relaxed) || self.index == 0 && self.team.limits.ends_now()
    }

    fn go_on(&self, progress: &Progress) -> bool {
        self.index > 0 || self.team.limits.go_on(progress)
    }
}

/// Sets the stop flag for the helpers when dropped, so that they end however the leader ends.
pub(super) struct SetWhenDropped<'a>(pub &'a AtomicBool);

impl Drop for SetWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
