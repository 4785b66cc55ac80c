//! Records the plans that a search finds, and answers with them if a position occurs again.
//!
//! *Reference:* McAllester & Yuret 1993, §4 (strategies) and §7, Theorem 1: the tree that was searched
//! contains the plans of both sides. A node that failed high is held by one move of the side to move. A
//! node that failed low is held by the replies to all moves. A node in between is held by both. What is
//! not needed is dropped when its node is left, so that memory contains only the plans, not the tree.
//! *Deviations:* a move that is searched again counts as it was searched last. A node may be answered by
//! a plan that was found for the same position elsewhere ([`PlanMemory`]); the paper's procedure does
//! not have this.
//! *Soundness:* the depth of a plan for at least w, counted from its position, does not depend on the
//! moves before it, because the options of its owner depend only on the positions and on w. The plan can
//! therefore take the place of a leaf with the static value w. Such a leaf ends a search with β ≤ w if
//! the options above it and those of the plan add up to the required depth. The proof of the theorem
//! measures the depth of such a leaf against β. The value of the root is at most β, and measured against
//! a lower value a plan is no shallower. The exception is the history of the game: a position that
//! occurred before is a draw. A plan with such a draw is not used again. A plan is not used either if it
//! contains a position of the line on which it would be used.

use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::memory::{Found, Hit, Memory, Table};
use crate::alpha_beta::observe::Observe;
use crate::component::{Component, Off, Visitor};
use crate::depth::{Depth, Depths};
use crate::game::{Game, Keyed};
use crate::score::Score;
use crate::window::{Bound, Window};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A plan from a position on. A part that several lines share is stored once.
#[derive(Debug)]
pub(super) struct Kept<M> {
    pub place: Place,
    pub goes_on: GoesOn<M>,
}

/// The data that identify a repetition.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub key: u64,
    /// The number of plies back to the last irreversible move, up to which a repetition is possible.
    pub back: usize,
    /// Whether the plan depends on a draw by repetition.
    pub leans: bool,
}

/// How a plan continues.
#[derive(Debug)]
pub(super) enum GoesOn<M> {
    /// The owner plays this move.
    Own(M, Arc<Kept<M>>),
    /// The moves of the other side, with the plan after each.
    Other(Vec<(M, Arc<Kept<M>>)>),
    /// The line ends.
    End,
}

impl<M> Kept<M> {
    /// Whether the plan, used after the positions of `line`, would repeat one of them. Also returns true
    /// if there are too many positions to look at.
    pub fn repeats(&self, line: &[Place]) -> bool {
        let reach = self.place.back.min(line.len());
        let before = &line[line.len() - reach..];
        if before.is_empty() {
            return false;
        }
        let mut left = MOST_LOOKED_AT;
        let mut ahead = vec![(self, 0)];
        while let Some((kept, after)) = ahead.pop() {
            // From here on no ply back to the line is reversible, so no position of the line can recur.
            if kept.place.back <= after && after > 0 {
                continue;
            }
            if left == 0 || after > 0 && before.iter().any(|place| place.key == kept.place.key) {
                return true;
            }
            left -= 1;
            match &kept.goes_on {
                GoesOn::Own(_, next) => ahead.push((next, after + 1)),
                GoesOn::Other(replies) => ahead.extend(replies.iter().map(|(_, next)| (&**next, after + 1))),
                GoesOn::End => {}
            }
        }
        false
    }
}

/// The greatest number of positions of a plan that are examined before it is used again.
const MOST_LOOKED_AT: usize = 5_000;

/// The plans for a node: that of the side to move for at least the value, and that of the other side for
/// at most the value.
#[derive(Clone, Debug)]
pub(super) struct Plans<M> {
    pub at_least: Option<Arc<Kept<M>>>,
    pub at_most: Option<Arc<Kept<M>>>,
}

/// Keeps the plans of the last finished search of the root. It can be used with [`Exact`](super::Exact)
/// only: a search that prunes moves, uses null moves, or reduces has no plans to keep.
#[derive(Debug)]
pub struct PlanRecorder<M, D> {
    open: Vec<Node<M>>,
    root: Option<(Score, Plans<M>)>,
    shared: Arc<Mutex<Shared<M>>>,
    draws: PhantomData<fn() -> D>,
}

/// The data that the recorder and the memory share.
#[derive(Debug)]
struct Shared<M> {
    /// The positions from the root to the present one.
    line: Vec<Place>,
    /// The plans with which the memory has answered at the present node, if it has.
    offered: Option<Plans<M>>,
    /// The result to store when the present node is left.
    pending: Option<Pending>,
    known: HashMap<Key, Known<M>>,
    /// The number of moves in the plans that are known.
    size: usize,
}

/// The identity of a position: its key, the plies from the root, and how many of these plies are
/// reversible, which decides about draws in some games.
pub(super) type Key = (u64, usize, usize);

/// A result whose plans are not known yet.
#[derive(Clone, Copy, Debug)]
struct Pending {
    key: Key,
    value: Score,
    bound: Bound,
    depths: Depths,
}

/// The plans for a position at a number of plies from the root: the value, the depth and the plan of
/// each side.
#[derive(Debug)]
struct Known<M> {
    lower: Option<(Score, Depth, Arc<Kept<M>>)>,
    upper: Option<(Score, Depth, Arc<Kept<M>>)>,
}

/// A node that is being searched.
#[derive(Clone, Debug)]
struct Node<M> {
    window: Window,
    /// The move that was played last.
    mv: Option<M>,
    searched: Vec<Searched<M>>,
}

/// A move that has been searched, its value for the side that played it, and the plans after it. The
/// plans are named from the point of view of the side to move after it.
#[derive(Clone, Debug)]
struct Searched<M> {
    mv: M,
    value: Score,
    plans: Plans<M>,
}

fn lock<M>(shared: &Mutex<Shared<M>>) -> MutexGuard<'_, Shared<M>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<M, D> Default for PlanRecorder<M, D> {
    fn default() -> Self {
        let shared =
            Shared { line: Vec::new(), offered: None, pending: None, known: HashMap::new(), size: 0 };
        PlanRecorder {
            open: Vec::new(),
            root: None,
            shared: Arc::new(Mutex::new(shared)),
            draws: PhantomData,
        }
    }
}

impl<M, D> PlanRecorder<M, D> {
    /// Returns the value and the plans of the root after a search.
    pub(super) fn take(&mut self) -> Option<(Score, Plans<M>)> {
        self.root.take()
    }
}

impl<M: Copy + PartialEq> Node<M> {
    fn plans(self, value: Score, place: Place) -> Plans<M> {
        let Window { alpha, beta } = self.window;
        let kept = |goes_on: GoesOn<M>, below: bool| {
            let place = Place { leans: place.leans || below, ..place };
            Some(Arc::new(Kept { place, goes_on }))
        };
        if self.searched.is_empty() {
            let end = kept(GoesOn::End, false);
            return Plans {
                at_most: end.clone().filter(|_| value < beta),
                at_least: end.filter(|_| value > alpha),
            };
        }
        let at_most = if value < beta {
            let reply = |searched: &Searched<M>| {
                let plan = searched.plans.at_least.clone();
                (searched.mv, plan.expect("a move no better than the value is refuted"))
            };
            let replies: Vec<_> = self.searched.iter().map(reply).collect();
            let leans = replies.iter().any(|(_, next)| next.place.leans);
            kept(GoesOn::Other(replies), leans)
        } else {
            None
        };
        let at_least = if value > alpha {
            let best = self.searched.into_iter().rev().max_by_key(|searched| searched.value);
            let best = best.expect("a node with moves has a best one");
            let next = best.plans.at_most.expect("a move that raises the value holds it");
            let leans = next.place.leans;
            kept(GoesOn::Own(best.mv, next), leans)
        } else {
            None
        };
        Plans { at_least, at_most }
    }
}

impl<M> Shared<M> {
    /// Stores a pending result if it has plans that can be used elsewhere.
    fn store(&mut self, pending: &Pending, plans: &Plans<M>, most: usize) {
        let Pending { key, value, bound, depths } = *pending;
        let usable = |plan: &Option<Arc<Kept<M>>>| plan.clone().filter(|plan| !plan.place.leans);
        let lower = usable(&plans.at_least).filter(|_| bound != Bound::Upper);
        let upper = usable(&plans.at_most).filter(|_| bound != Bound::Lower);
        for plan in lower.iter().chain(&upper) {
            self.size += match &plan.goes_on {
                GoesOn::Other(replies) => 1 + replies.len(),
                _ => 1,
            };
        }
        if self.size > most {
            self.known.clear();
            self.size = 0;
        }
        let known = self.known.entry(key).or_insert(Known { lower: None, upper: None });
        let deeper =
            |old: &Option<(Score, Depth, _)>, new: Depth| old.as_ref().is_none_or(|old| new >= old.1);
        if let Some(plan) = lower
            && deeper(&known.lower, depths.lower)
        {
            known.lower = Some((value, depths.lower, plan));
        }
        if let Some(plan) = upper
            && deeper(&known.upper, depths.upper)
        {
            known.upper = Some((value, depths.upper, plan));
        }
    }
}

impl<G: Game, D: Draws<G>> Observe<G> for PlanRecorder<G::Move, D> {
    fn enter(&mut self, position: &G, window: Window, ply: usize) {
        let mut shared = lock(&self.shared);
        if ply == 0 {
            self.open.clear(); // the previous search may have been stopped
            shared.line.clear();
        }
        let (key, back) = D::repetition(position).unwrap_or_default();
        let reach = back.min(shared.line.len());
        let leans =
            reach > 3 && shared.line[shared.line.len() - reach..].iter().any(|place| place.key == key);
        shared.line.push(Place { key, back, leans });
        (shared.offered, shared.pending) = (None, None);
        self.open.push(Node { window, mv: None, searched: Vec::new() });
    }

    fn play(&mut self, mv: G::Move, _: usize) {
        if let Some(node) = self.open.last_mut() {
            node.mv = Some(mv);
        }
    }

    fn leave(&mut self, value: Score, _: usize) {
        let Some(node) = self.open.pop() else { return };
        let mut shared = lock(&self.shared);
        let place = shared.line.pop().unwrap_or_default();
        let plans = match shared.offered.take() {
            // No move was searched although the position is not over, so the memory has answered.
            Some(offered) if node.searched.is_empty() => Plans {
                at_least: offered.at_least.filter(|_| value > node.window.alpha),
                at_most: offered.at_most.filter(|_| value < node.window.beta),
            },
            _ => node.plans(value, place),
        };
        if let Some(pending) = shared.pending.take() {
            shared.store(&pending, &plans, MOST_REMEMBERED);
        }
        let Some(above) = self.open.last_mut() else {
            self.root = Some((value, plans));
            return;
        };
        let Some(mv) = above.mv else { return };
        above.searched.retain(|searched| searched.mv != mv);
        above.searched.push(Searched { mv, value: -value, plans });
    }
}

/// The greatest number of moves of plans that are remembered, at about ninety bytes each. When it is
/// exceeded, everything is forgotten and the search goes on.
const MOST_REMEMBERED: usize = 4_000_000;

/// A memory that returns hash moves. If it shares with a recorder, it also answers with the plans that
/// were found for the same position after the same number of plies.
pub struct PlanMemory<M> {
    table: Table,
    shared: Option<Arc<Mutex<Shared<M>>>>,
}

impl<M> PlanMemory<M> {
    /// Creates a memory that only returns hash moves.
    pub(super) fn new(table: Table) -> Self {
        PlanMemory { table, shared: None }
    }

    /// Makes the memory answer with the plans of this recorder.
    pub(super) fn share<D>(&mut self, recorder: &PlanRecorder<M, D>) {
        self.shared = Some(recorder.shared.clone());
    }
}

impl<M> Component for PlanMemory<M> {
    const NAME: &'static str = "PlanMemory";

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.table.visit(visitor);
    }
}

impl<G: Keyed> Memory<G> for PlanMemory<G::Move> {
    type Sharing = Off;

    fn sharing(&self) -> &Off {
        &Off
    }

    fn serves(&self, remaining: Depths) -> bool {
        self.shared.is_some() || Memory::<G>::serves(&self.table, remaining)
    }

    fn answers_pv(&self) -> bool {
        false
    }

    fn probe(&self, position: &G, ply: usize) -> Hit {
        let named = Hit { mv: self.table.probe(position, ply).mv, ..Hit::NONE };
        let Some(shared) = &self.shared else { return named };
        let mut shared = lock(shared);
        let Shared { line, offered, known, .. } = &mut *shared;
        let back = line.get(ply).map_or(0, |place| place.back);
        let Some(known) = known.get(&(position.exact_key(), ply, back)) else { return named };
        let before = &line[..ply.min(line.len())];
        let usable = |plan: &&(Score, Depth, Arc<Kept<G::Move>>)| !plan.2.repeats(before);
        let (lower, upper) = (known.lower.as_ref().filter(usable), known.upper.as_ref().filter(usable));
        *offered = Some(Plans {
            at_least: lower.map(|known| known.2.clone()),
            at_most: upper.map(|known| known.2.clone()),
        });
        Hit {
            lower: lower.map_or(named.lower, |known| known.0),
            upper: upper.map_or(named.upper, |known| known.0),
            depths: Depths {
                lower: lower.map_or(named.depths.lower, |known| known.1),
                upper: upper.map_or(named.depths.upper, |known| known.1),
            },
            ..named
        }
    }

    fn names(&self, code: u16, position: &G, mv: G::Move) -> bool {
        self.table.names(code, position, mv)
    }

    fn store(&self, position: &G, ply: usize, found: &Found<G::Move>) {
        self.table.store(position, ply, found);
        if let Some(shared) = &self.shared {
            let Found { at_edge, bound, depths, .. } = *found;
            let mut shared = lock(shared);
            let back = shared.line.get(ply).map_or(0, |place| place.back);
            shared.pending =
                Some(Pending { key: (position.exact_key(), ply, back), value: at_edge, bound, depths });
        }
    }

    fn prefetch(&self, position: &G, mv: G::Move) {
        self.table.prefetch(position, mv);
    }

    fn begin_search(&self) {
        Memory::<G>::begin_search(&self.table);
    }
}
