//! Values options by searches of their own that the search does not pay for: an oracle.
//!
//! *Reference:* McAllester & Yuret 1993, §9.3 and §12, leave open whether options that are counted by
//! searches, and not by static values, are worth their cost. Here they cost nothing, so that their worth
//! can be seen alone.
//! *Deviations:* the searches count plies, whatever the depth rule of the search. They know the moves that
//! led to the node only as far as a move that repeats a position of the game is a draw. Of each move they
//! find only whether it is worth more than the value to be held less δ. Where the window is open that value
//! is what the node is worth. There, unless `values` says otherwise, a claim above it has no option, a claim
//! below it has all moves for options, and only for that value itself does the number of moves that hold
//! count.
//! *Soundness:* none of their own. The search is untouched: its nodes, its memory and its histories are what
//! they would be without them. The processor pays.
//! *Worth:* nothing in play, where nothing is free. Measured in chess, at 5,000 nodes, with S ½ where there
//! is no option: between −17 and +16 Elo, each ± 18, for three margins; +57 ± 27 if every move is searched to
//! one ply less than the node owes, which takes some twelve times the time of the search; +33 ± 25 if that is
//! done on the principal variation only. Done wherever no fail low is expected, it makes two depths +60 ± 28
//! against one with the same S (results/oracle.md).

use super::{Listing, Options, hundredths, remaining};
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::horizon::Horizon;
use crate::alpha_beta::memory::Memory;
use crate::alpha_beta::node::Pv;
use crate::alpha_beta::{CountOf, Node, Recipe, Scout, Slots, Worker};
use crate::component::{Component, Visitor};
use crate::depth::{Depth, Depths};
use crate::game::{Evaluate, Game};
use crate::limits::{Limits, Stopped};
use crate::score::Score;
use crate::window::Window;
use std::sync::{Arc, Mutex, PoisonError};

crate::component! {
    /// How free searches count the options of a node.
    #[derive(Copy)]
    pub struct FreeSearches {
        /// By how much less than the node owes, besides the ply of the move itself, every move is searched.
        reduction: 200 in 0..=2000 "hundredths of a ply",
        /// Only nodes that owe this much at least are judged so: far from the leaves.
        farness: 200 in 100..=40000 "hundredths of a ply",
        /// So many options are enough: no more are looked for.
        enough: 6 in 1..=256 "moves",
        /// 1: only nodes whose window is open are judged so, which are those of the principal variation; 2:
        /// only the others.
        open: 0 in 0..=2 "0, 1 or 2",
        /// 1: nodes that are expected to fail low are not judged.
        cut_only: 0 in 0..=1 "0 or 1",
        /// Where the window is open, what the node is worth is to be held. 0: of each move whether it holds
        /// that; 1: the values of the moves, down to 2 δ below that, whatever `enough` is; 2: the node's
        /// value alone: all moves hold what is not above it, and none holds more; 3: the number alone: if
        /// exactly one move holds what the node is worth, only that one holds anything, and otherwise all
        /// hold everything. This needs `enough` of 2 or more.
        values: 0 in 0..=3 "0, 1, 2 or 3",
        /// 1: S is 1 unless exactly one move holds; 2: S is 1 if any move holds. Where the window is open and
        /// two moves or more hold, this is so only for claims that are not above what the node is worth. It
        /// needs `enough` of 2 or more, and has no effect there with `values` of 2 or 3.
        holding: 0 in 0..=2 "0, 1 or 2",
        /// What a node may cost. After that, moves not yet searched count as options.
        most: 100 in 1..=1000000 "thousand nodes",
    }
}

/// Counts options by searches with the recipe `R`, which has a memory and histories of its own. Without a
/// search it gives no answer.
pub struct Oracle<G: Game, R: Recipe<G>> {
    /// How it counts.
    pub rules: FreeSearches,
    search: Option<Arc<Mutex<Slots<G, R>>>>,
    clear: fn(&R::Memory),
}

impl<G: Game, R: Recipe<G>> Oracle<G, R> {
    /// Creates the component with the search that it asks, and what clears the memory of that search.
    pub fn new(search: Slots<G, R>, clear: fn(&R::Memory)) -> Self {
        Oracle { search: Some(Arc::new(Mutex::new(search))), clear, ..Oracle::default() }
    }
}

impl<G: Game, R: Recipe<G>> Default for Oracle<G, R> {
    fn default() -> Self {
        Oracle { rules: FreeSearches::default(), search: None, clear: |_| {} }
    }
}

impl<G: Game, R: Recipe<G>> Clone for Oracle<G, R> {
    fn clone(&self) -> Self {
        Oracle { rules: self.rules, search: self.search.clone(), clear: self.clear }
    }
}

impl<G: Game, R: Recipe<G>> Component for Oracle<G, R> {
    const NAME: &'static str = FreeSearches::NAME;

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.rules.visit(visitor);
    }
}

impl<G: Game, R: Recipe<G>> Options<G> for Oracle<G, R> {
    fn list<S: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, S>,
        node: &Node<'_, G>,
        _: &CountOf<G, S>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if node.ply == 0
            && let Some(search) = &self.search
        {
            let mut slots = search.lock().unwrap_or_else(PoisonError::into_inner);
            slots.start(&[]);
            slots.memory.begin_search();
        }
        let FreeSearches { farness, open, cut_only, .. } = self.rules;
        let is_near = remaining(node) < hundredths(farness);
        let is_left_out = match node.window.is_minimal() {
            true => open == 1 || cut_only == 1 && !node.cut,
            false => open == 2,
        };
        if is_near || is_left_out {
            return Ok(None);
        }
        let Some(search) = &self.search else { return Ok(None) };
        let mut slots = search.lock().unwrap_or_else(PoisonError::into_inner);
        let limits = Aside { search: worker.patience.limits(), nodes: self.rules.most as u64 * 1000 };
        let mut aside = Worker::new(&mut slots, &limits);
        let start = worker.options.len();
        worker.slots.draws.push(node.position);
        let counted = self.count(worker, &mut aside, node, first);
        worker.slots.draws.pop();
        if counted.is_err() {
            aside.abandon(&[]);
            if limits.search.ends_now() {
                worker.patience.give_up();
                return Err(Stopped);
            }
            worker.options[start..].iter_mut().filter(|value| **value == UNKNOWN).for_each(|value| {
                *value = Score::INFINITE;
            });
        }
        Ok(Some(Listing::Moves))
    }

    fn forget(&mut self) {
        if let Some(search) = &self.search {
            let mut slots = search.lock().unwrap_or_else(PoisonError::into_inner);
            slots.forget();
            (self.clear)(&slots.memory);
        }
    }
}

/// The value of a move that has not been searched.
const UNKNOWN: Score = Score(-Score::INFINITE.0);

impl<G: Game, R: Recipe<G>> Oracle<G, R> {
    /// Appends values of the moves of a node to [`Worker::options`].
    fn count<S: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, S>,
        aside: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        first: usize,
    ) -> Result<(), Stopped> {
        let start = worker.options.len();
        let listed = worker.listed(first).len();
        worker.options.resize(start + listed, UNKNOWN);

        // The moves that look best are asked first: most options are among them.
        let mut children = Vec::new();
        for (index, mv) in worker.listed(first).iter().enumerate() {
            let mut child = node.position.clone();
            child.play(*mv);
            let value = match aside.slots.evaluate.judges(&child) {
                true => -aside.evaluate(&child)?,
                false => Score::DRAW,
            };
            children.push((value, index, child));
        }
        children.sort_by_key(|(value, index, _)| (-*value, *index));

        // What is to be held? β, or where the window is open, what the node is worth.
        let depth = remaining(node) - hundredths(self.rules.reduction);
        let is_open = !node.window.is_minimal();
        let held = match is_open {
            true => {
                let count = aside.slots.horizon.root(Depths::both(depth), Window::FULL);
                aside.search::<Pv>(node.position, Window::FULL, count, 0, false)?.at_root(node.ply)
            }
            false => node.window.beta,
        };
        let edge = worker.slots.horizon.option_window(Window::above(held - Score(1)));
        let values = if is_open { self.rules.values } else { 0 };
        if values == 2 {
            worker.options[start..].fill(edge.beta);
            return Ok(());
        }

        let delta = held - edge.alpha;
        let exactly = (values == 1).then(|| Window::new((edge.alpha - delta).max(UNKNOWN), Score::INFINITE));
        let mut options = 0;
        for (_, index, child) in &children {
            let mut search = |window: Window| {
                let (below, depth) = (window.flip(), Depths::both(depth - Depth::PLY));
                let count = aside.slots.horizon.root(depth, below);
                let value = match below.is_minimal() {
                    true => aside.search::<Scout>(child, below, count, 0, true)?,
                    false => aside.search::<Pv>(child, below, count, 0, false)?,
                };
                Ok((-value).at_root(node.ply + 1))
            };
            let value = match (worker.slots.draws.is_draw(child, node.ply + 1), exactly) {
                (true, _) => Score::DRAW,
                (false, None) => search(edge)?,
                (false, Some(window)) => match search(Window::above(window.alpha))? {
                    value if value > window.alpha => search(window)?,
                    _ => window.alpha,
                },
            };
            // Whether it is worth more than the edge is all that was asked, unless its value was.
            worker.options[start + index] = exactly.unwrap_or(edge).clip(value);
            options += i32::from(value > edge.alpha);
            if options >= self.rules.enough && exactly.is_none() {
                break;
            }
        }
        let counted = &mut worker.options[start..];
        if values == 3 {
            for value in counted {
                let is_out = options == 1 && *value <= edge.alpha;
                *value = if is_out { UNKNOWN } else { Score::INFINITE };
            }
        } else if let (1, 0) | (2, 1) = (self.rules.holding, options) {
            counted.fill(Score::INFINITE);
        }
        Ok(())
    }
}

/// The limits of a search beside another: it ends when the other has to, and after so many nodes.
struct Aside<'a> {
    search: &'a dyn Limits,
    nodes: u64,
}

impl Limits for Aside<'_> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        (nodes < self.nodes && !self.search.ends_now()).then_some((nodes + 1024).min(self.nodes))
    }
}
