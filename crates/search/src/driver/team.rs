//! What the threads of one search tell each other.

use super::sync::{AtomicBool, AtomicU64, AtomicUsize, Mutex, Relaxed};
use crate::worker::RootMove;
use crate::{Limits, Progress};
use std::sync::PoisonError;

/// What the threads of one search tell each other.
pub(super) struct Team<'a, M> {
    limits: &'a dyn Limits,
    pub stop: AtomicBool,
    /// Nodes of every member, as of its last poll.
    nodes: Vec<AtomicU64>,
    /// The last iteration that a member has finished …
    finished: AtomicUsize,
    /// … and what it found.
    root: Mutex<Vec<RootMove<M>>>,
}

/// One thread of a search by several.
pub(super) struct Member<'a, M> {
    team: &'a Team<'a, M>,
    /// 0 leads: it alone asks the limits.
    index: usize,
    /// The iteration it is in.
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

    /// This member has begun an iteration.
    pub fn begin(&self, iteration: usize) {
        self.iteration.store(iteration, Relaxed);
    }
}

impl<M: Clone> Member<'_, M> {
    /// Nodes of all members, `own` of this one.
    pub fn total(&self, own: u64) -> u64 {
        let others = self.team.nodes.iter().enumerate().filter(|&(index, _)| index != self.index);
        own + others.map(|(_, nodes)| nodes.load(Relaxed)).sum::<u64>()
    }

    /// This member has finished its iteration.
    pub fn finish(&self, iteration: usize, root: &[RootMove<M>]) {
        let mut shared = self.team.root.lock().unwrap_or_else(PoisonError::into_inner);
        if iteration > self.team.finished.load(Relaxed) {
            shared.clear();
            shared.extend_from_slice(root);
            self.team.finished.store(iteration, Relaxed);
        }
    }

    /// If another member has finished this iteration or a later one: which, and what it found.
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
        if self.index > 0 {
            return Some(nodes + OFTEN);
        }
        let total = self.team.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum();
        let next = self.team.limits.poll(total)?;
        Some(nodes + (next - total).min(OFTEN))
    }

    fn ends_now(&self) -> bool {
        self.team.stop.load(Relaxed) || self.index == 0 && self.team.limits.ends_now()
    }

    fn go_on(&self, progress: &Progress) -> bool {
        self.index > 0 || self.team.limits.go_on(progress)
    }
}

/// Ends the helpers when the leader is done, in whatever way.
pub(super) struct SetWhenDropped<'a>(pub &'a AtomicBool);

impl Drop for SetWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
