//! The per-thread state of a search: counters, buffers and the root moves.

use super::correction::Correct;
use super::deepening::Deepen;
use super::draws::Draws;
use super::horizon::{Entered, Horizon};
use super::memory::{Found, Hit, Memory};
use super::node::{Node, NodeKind};
use super::observe::Observe;
use super::options::{Listing, Options};
use super::order::Order;
use super::picker::{MoveStack, Moves};
use super::recipe::{CountOf, EvaluateOf, Recipe, Slots};
use super::sharing::Sharing;
use crate::depth::{Depth, Depths};
use crate::game::{Evaluate, Game};
use crate::limits::{Limits, Patience, Stopped};
use crate::score::Score;
use crate::window::{Bound, Window};
use std::ops::Range;

/// The maximum length of a line, in plies from the root.
pub const MAX_PLY: usize = 200;

/// The state kept for every node on the current line.
#[derive(Clone, Copy, Default)]
pub(crate) struct Frame {
    /// The static value as returned by the evaluation, or `None` if it is not meaningful here.
    pub raw: Option<Score>,
    /// The same, corrected, or else the value of the same side's previous node.
    pub level: Score,
    /// Whether the node is on the principal variation, or was, as far as the memory knows.
    pub was_pv: bool,
    /// Index of the move being searched ([`MoveIndexed`](crate::game::MoveIndexed)).
    pub index: Option<usize>,
    /// Whether the node was reached by a pass.
    pub passed: bool,
    /// Code of a move to leave out. The node is then searched to find out what the other moves are
    /// worth.
    pub excluded: Option<u16>,
    /// Number of nodes of this ply that have failed high since the parent node was entered.
    pub cutoffs: u32,
}

/// One thread of a search.
pub struct Worker<'a, G: Game, R: Recipe<G>> {
    /// The components.
    pub slots: &'a mut Slots<G, R>,
    /// Counts this thread's nodes and polls the limits.
    pub patience: Patience<'a>,
    /// The node count after which the current quiescence search stands pat at every node.
    pub(crate) quiet_until: u64,
    /// Greatest ply reached.
    pub max_ply: usize,
    pub(crate) frames: Vec<Frame>,
    /// The moves of every node on the current line.
    pub(crate) stack: MoveStack<G::Move>,
    /// Values of the moves of nodes whose options are being counted.
    /// [`Options`](crate::alpha_beta::options::Options) are listed here.
    pub options: Vec<Score>,
    /// Nodes searched in order to count options.
    pub(crate) option_nodes: u64,
    /// How often a line was cut off because it had reached [`MAX_PLY`].
    pub(crate) cut_off: u64,
    pub(crate) pv: Variations<G::Move>,
    pub(crate) root: Vec<RootMove<G::Move>>,
    /// The range of root moves that is searched. It excludes the lines already found.
    pub(crate) root_part: Range<usize>,
    /// The best known reply to the current root move, if pairs of moves are searched
    /// ([`Deepen::PAIRS`]).
    pub(crate) reply: Option<G::Move>,
    /// Whether the caller restricted the root moves.
    pub(crate) some_moves: bool,
}

/// A root move and the results of its search.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Its value in this iteration, or `-INFINITE` while it is only known not to be the best.
    pub score: Score,
    /// Whether `score` is exact or a bound.
    pub bound: Bound,
    /// Its value in the previous iteration.
    pub previous: Score,
    /// Its principal variation, including the move.
    pub pv: Vec<M>,
    /// The best reply to it, if pairs of moves are searched ([`Deepen::PAIRS`]).
    pub reply: Option<M>,
    /// Nodes spent on this move.
    pub nodes: u64,
}

impl<'a, G: Game, R: Recipe<G>> Worker<'a, G, R> {
    pub(crate) fn new(slots: &'a mut Slots<G, R>, limits: &'a dyn Limits) -> Self {
        Worker {
            slots,
            patience: Patience::new(limits),
            quiet_until: u64::MAX,
            max_ply: 0,
            frames: vec![Frame::default(); MAX_PLY + 3],
            stack: MoveStack::new(),
            options: Vec::new(),
            option_nodes: 0,
            cut_off: 0,
            pv: Variations(vec![Vec::new(); MAX_PLY + 3]),
            root: Vec::new(),
            root_part: 0..0,
            reply: None,
            some_moves: false,
        }
    }

    /// Returns the number of nodes searched by this thread.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.patience.nodes()
    }

    /// Counts a node. Stops the search if a limit has been reached.
    #[inline]
    pub fn count(&mut self, ply: usize) -> Result<(), Stopped> {
        self.patience.count()?;
        self.max_ply = self.max_ply.max(ply);
        Ok(())
    }

    /// Resets the state to that of the root after a search was stopped partway.
    pub(crate) fn abandon(&mut self, before: &[G]) {
        self.patience.resume();
        self.slots.memory.sharing().abandon();
        self.slots.draws.start(before);
        self.frames.fill(Frame::default());
        self.options.clear();
    }

    /// Returns the moves of a node whose list begins at `first`.
    #[inline]
    pub fn listed(&self, first: usize) -> &[G::Move] {
        &self.stack.moves[first..]
    }

    /// Counts the options of a node before its moves are tried, if the depth rule needs the count, and
    /// passes them to the depth rule.
    #[inline]
    pub(crate) fn count_options(
        &mut self,
        node: &Node<'_, G>,
        count: &CountOf<G, R>,
        first: usize,
    ) -> Result<(), Stopped> {
        let start = self.options.len();
        let mut listing = None;
        if self.slots.horizon.counts_options() {
            let (options, before) = (self.slots.options.clone(), self.nodes() - self.option_nodes);
            let listed = options.list(self, node, count, first);
            self.option_nodes = self.nodes() - before; // includes the nodes that counted options below
            listing = listed?;
        }
        let entered = self.enter(node, first, listing, start);
        self.options.truncate(start);
        entered
    }

    /// Tells the depth rule that a node is entered. If there is a listing, the values of its options are
    /// those stored from `start` on.
    #[inline]
    pub(crate) fn enter(
        &mut self,
        node: &Node<'_, G>,
        first: usize,
        listing: Option<Listing>,
        start: usize,
    ) -> Result<(), Stopped> {
        let &Node { position, window, ply, cut, .. } = node;
        let options = listing.map(|listing| (listing, &self.options[start..]));
        let entered = Entered { position, moves: &self.stack.moves[first..], window, ply, cut, options };
        let evaluate = &mut Patient { evaluate: &mut self.slots.evaluate, patience: &self.patience };
        self.slots.horizon.enter(&entered, evaluate);
        self.go_on()
    }

    /// Starts a quiescence search of at most `nodes` nodes.
    #[inline]
    pub(crate) fn settle_within(&mut self, nodes: u64) {
        self.quiet_until = self.nodes() + nodes;
    }

    /// Whether the current quiescence search has used up its node budget.
    #[inline]
    pub(crate) fn is_unsettled(&self) -> bool {
        self.nodes() >= self.quiet_until
    }

    /// Returns the static value of a position.
    #[inline]
    pub fn evaluate(&mut self, position: &G) -> Result<Score, Stopped> {
        self.evaluate_within(position, Window::FULL)
    }

    /// Returns the static value of a position as far as `window` requires it.
    #[inline]
    pub fn evaluate_within(&mut self, position: &G, window: Window) -> Result<Score, Stopped> {
        let evaluate = &mut self.slots.evaluate;
        match window == Window::FULL && !EvaluateOf::<G, R>::LONG {
            true => Ok(evaluate.evaluate(position)),
            false => evaluate.evaluate_patiently(position, window, &self.patience),
        }
    }

    /// Returns an error if an evaluation that has just run was stopped by the limits.
    #[inline]
    fn go_on(&self) -> Result<(), Stopped> {
        if EvaluateOf::<G, R>::LONG && self.patience.is_out() { Err(Stopped) } else { Ok(()) }
    }

    /// Returns the remaining depths of the claim that the node has the value `value`.
    #[inline]
    pub(crate) fn remaining(&self, count: &CountOf<G, R>, window: Window, value: Score) -> Depths {
        let horizon = &self.slots.horizon;
        match window.contains(value) {
            true => horizon.remaining_inside(count, window, value),
            false => horizon.remaining(count, window),
        }
    }

    /// Whether a static value could end the search of a node. If the depth rule decides to search
    /// further, this increases the remaining depth.
    #[inline]
    pub(crate) fn may_stop(
        &mut self,
        position: &G,
        count: &mut CountOf<G, R>,
        window: Window,
    ) -> Result<bool, Stopped> {
        let slots = &mut *self.slots;
        let may_stop = slots.horizon.may_stop(count, window);
        if R::Horizon::LOOKS_FURTHER && may_stop {
            let remaining = slots.horizon.remaining(count, window);
            if remaining.lower <= Depth::ZERO && remaining.upper <= Depth::ZERO {
                let evaluate = &mut Patient { evaluate: &mut slots.evaluate, patience: &self.patience };
                *count = slots.horizon.further(count, position, window, evaluate);
                let may_stop = slots.horizon.may_stop(count, window);
                return self.go_on().map(|()| may_stop);
            }
        }
        Ok(may_stop)
    }

    /// Returns the static value of a node, improved by the bounds found in the transposition table. It
    /// is computed only if some component uses it and if it is meaningful here.
    #[inline]
    pub(crate) fn static_eval(&mut self, position: &G, hit: &Hit, ply: usize) -> Result<Score, Stopped> {
        if !Slots::<G, R>::USES_STATIC_EVAL {
            return Ok(Score::DRAW);
        }
        let raw = match hit.static_eval {
            Some(value) => Some(value),
            None if self.slots.evaluate.judges(position) => Some(self.evaluate(position)?),
            None => None,
        };
        let before = if ply >= 2 { self.frames[ply - 2].level } else { Score::DRAW };
        let level = raw.map_or(before, |raw| self.corrected(position, raw, ply));
        self.frames[ply].raw = raw;
        self.frames[ply].level = level;
        Ok(hit.improve(level))
    }

    /// Returns the static value `raw` of a position, corrected by what searches have found.
    #[inline]
    pub(crate) fn corrected(&self, position: &G, raw: Score, ply: usize) -> Score {
        match R::Correction::CORRECTS {
            true => (raw + self.slots.correction.correction(position, self.previous(ply))).clamp_estimate(),
            false => raw,
        }
    }

    #[inline]
    pub(crate) fn is_improving(&self, ply: usize) -> bool {
        ply >= 2 && self.frames[ply].level > self.frames[ply - 2].level
    }

    /// Lists the moves of a node on the stack and returns the index of the first one.
    pub(crate) fn list<N: NodeKind>(&mut self, position: &G) -> usize {
        let first = self.stack.moves.len();
        if N::ROOT {
            self.stack.moves.extend(self.root[self.root_part.clone()].iter().map(|root| root.mv));
        } else {
            position.moves(&mut self.stack.moves);
        }
        first
    }

    /// Returns the place of the hash move in the list that begins at `first`.
    pub(crate) fn hash_move(&self, position: &G, hit: &Hit, first: usize) -> Option<usize> {
        let named = |mv: &G::Move| self.slots.memory.names(hit.mv, position, *mv);
        if hit.mv == 0 { None } else { self.stack.moves[first..].iter().position(named) }
    }

    /// Returns the place of the known reply to the root move in the list that begins at `first`.
    #[inline]
    pub(crate) fn known_reply(&self, ply: usize, first: usize) -> Option<usize> {
        let reply = if R::Deepening::PAIRS && ply == 1 { self.reply } else { None };
        reply.and_then(|reply| self.stack.moves[first..].iter().position(|mv| *mv == reply))
    }

    /// Records the best move of a node. If the node is one ply below the root, the move is the reply to
    /// the root move.
    #[inline]
    pub(crate) fn note_reply(&mut self, ply: usize, best: Option<G::Move>) {
        if R::Deepening::PAIRS && ply == 1 && self.slots.deepening.pairs() {
            self.reply = best.or(self.reply);
        }
    }

    /// Removes the moves that selectivity prunes before ranking from the list that begins at `first`. Returns
    /// whether one of them might not lose.
    #[inline]
    pub(crate) fn select(&mut self, node: &Node<'_, G>, first: usize) -> Result<bool, Stopped> {
        let Slots { evaluate, selectivity, .. } = &mut *self.slots;
        let evaluate = &mut Patient { evaluate, patience: &self.patience };
        let prunes = selectivity.select(node, &mut self.stack.moves, first, evaluate);
        self.go_on().map(|()| prunes)
    }

    /// Returns the result of searching a node with the window `entry`, in the form in which it is
    /// stored.
    #[inline]
    pub(crate) fn found(
        &self,
        count: &CountOf<G, R>,
        entry: Window,
        value: Score,
        best: Option<G::Move>,
        ply: usize,
    ) -> Found<G::Move> {
        let (bound, at_edge) = (entry.bound(value), entry.clip(value));
        let Frame { raw: static_eval, was_pv, .. } = self.frames[ply];
        let depths = self.remaining(count, entry, value);
        Found { value, at_edge, bound, depths, best, static_eval, was_pv }
    }

    /// Looks up whether the table now has a value above `alpha` for this node, and returns that value
    /// and its move. Usually another thread has found it. Moves that this thread has already tried are
    /// ignored, because their values depend on the line that led here.
    pub(crate) fn found_elsewhere(
        &self,
        node: &Node<'_, G>,
        moves: &Moves,
        alpha: Score,
    ) -> Option<(Score, G::Move)> {
        let &Node { position, ply, .. } = node;
        let hit = self.slots.memory.probe(position, ply);
        if hit.lower <= alpha || hit.depths.lower < node.fail_high_depth {
            return None;
        }
        let mv = self.stack.moves[moves.first + self.hash_move(position, &hit, moves.first)?];
        let mut child = position.clone();
        child.play(mv);
        let counts = !self.stack.tried(moves).contains(&mv) && !self.slots.draws.is_draw(&child, ply + 1);
        counts.then_some((hit.lower, mv))
    }

    /// Extends the principal variation of a root line from the table, up to `plies` plies. If another
    /// worker found the value, this one knows only the first move of the variation.
    pub(crate) fn complete_pv(&mut self, position: &G, line: usize, plies: usize) {
        let Some(root) = self.root[line..].iter().max_by_key(|root| root.score) else { return };
        let (mv, mut pv) = (root.mv, root.pv.clone());
        let plies = root.score.plies_to_end().map_or(plies, |end| plies.min(end));
        let mut end = position.clone();
        let mut moves = Vec::new();
        for ply in 0.. {
            if ply >= pv.len() {
                moves.clear();
                end.moves(&mut moves);
                let hit = self.slots.memory.probe(&end, ply);
                let named = |mv: &&G::Move| self.slots.memory.names(hit.mv, &end, **mv);
                match moves.iter().find(named) {
                    Some(&mv) if hit.mv != 0 && ply < plies && !self.slots.draws.is_draw(&end, ply) => {
                        pv.push(mv)
                    }
                    _ => break,
                }
            }
            self.slots.draws.push(&end);
            end.play(pv[ply]);
        }
        pv.iter().for_each(|_| self.slots.draws.pop());
        self.root.iter_mut().filter(|root| root.mv == mv).for_each(|root| root.pv = pv.clone());
    }

    /// Updates the per-ply state before `mv` is searched.
    #[inline]
    pub(crate) fn descend<N: NodeKind>(&mut self, position: &G, mv: G::Move, child: &G, ply: usize) {
        if N::ROOT && R::Deepening::PAIRS {
            self.reply = self.root.iter().find(|root| root.mv == mv).and_then(|root| root.reply);
        }
        self.slots.evaluate.prefetch(child);
        self.slots.observe.play(mv, ply);
        self.frames[ply].index = self.slots.order.facts(position, mv).index;
        self.frames[ply + 1].passed = false;
    }

    #[inline]
    pub(crate) fn descend_by_pass(&mut self, position: &G, child: &G, ply: usize) {
        self.slots.evaluate.prefetch(child);
        self.frames[ply].index = None;
        self.frames[ply + 1].passed = true;
        self.slots.draws.push(position);
    }

    /// Returns the indices of the last two moves that led to a ply, most recent first.
    #[inline]
    pub(crate) fn previous(&self, ply: usize) -> [Option<usize>; 2] {
        [1, 2].map(|back| if ply >= back { self.frames[ply - back].index } else { None })
    }

    /// Whether the root is searched without some of its moves.
    pub(crate) fn is_root_restricted(&self) -> bool {
        self.some_moves || self.root_part.len() < self.root.len()
    }

    /// Records the value of a root move.
    pub(crate) fn record(&mut self, mv: G::Move, value: Score, window: Window, nodes: u64, tried: usize) {
        let pv = &self.pv.0[1];
        let moves = &mut self.root[self.root_part.clone()];
        let root = moves.iter_mut().find(|root| root.mv == mv).expect("a root move");
        root.nodes += nodes;
        root.reply = self.reply;
        if tried == 1 || value > window.alpha {
            root.score = value;
            root.bound = window.bound(value);
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend_from_slice(pv);
        } else {
            root.score = -Score::INFINITE;
        }
    }

    /// Records that a search of the root has failed low: no move is worth more than this. The first move
    /// stands for all of them.
    pub(crate) fn bound_root(&mut self, value: Score) {
        let mut moves = self.root[self.root_part.clone()].iter_mut();
        if let Some(first) = moves.find(|root| root.score > -Score::INFINITE) {
            first.score = value;
        }
    }
}

/// Evaluates for slots that cannot stop a search. Once a limit is reached, every value is that of a
/// draw, and the worker stops as soon as the slot returns.
struct Patient<'a, 'b, E> {
    evaluate: &'a mut E,
    patience: &'a Patience<'b>,
}

impl<G, E: Evaluate<G>> Evaluate<G> for Patient<'_, '_, E> {
    const LONG: bool = E::LONG;

    #[inline]
    fn evaluate(&mut self, position: &G) -> Score {
        match E::LONG {
            true => self.evaluate_within(position, Window::FULL),
            false => self.evaluate.evaluate(position),
        }
    }

    #[inline]
    fn evaluate_within(&mut self, position: &G, window: Window) -> Score {
        self.evaluate.evaluate_patiently(position, window, self.patience).unwrap_or(Score::DRAW)
    }

    fn judge(&mut self, position: &G, left: Depth) -> Option<Score> {
        self.evaluate.judge(position, left)
    }

    #[inline]
    fn judges(&self, position: &G) -> bool {
        self.evaluate.judges(position)
    }

    #[inline]
    fn prefetch(&self, position: &G) {
        self.evaluate.prefetch(position);
    }
}

/// The principal variation of every ply.
pub(crate) struct Variations<M>(pub Vec<Vec<M>>);

impl<M: Copy> Variations<M> {
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the variation of `ply` to `mv` alone.
    pub fn begin_with(&mut self, ply: usize, mv: M) {
        self.clear(ply);
        self.0[ply].push(mv);
    }

    /// Sets the variation of `ply` to `mv` followed by the variation of the next ply.
    pub fn prepend(&mut self, ply: usize, mv: M) {
        let (above, below) = self.0.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }
}
