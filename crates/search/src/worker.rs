//! What one thread of a search needs besides the skeleton: counters, buffers, the moves at the root.

use crate::move_stack::{MoveStack, Picked};
use crate::slot::{Found, Memory, Order, Skip, Skipped};
use crate::{
    Bound, Candidate, Deepen, Depth, Depths, Draws, Evaluate, Expanded, Game, Hit, Horizon, Limits, Listing,
    Node, NodeKind, Observe, Options, Patience, Recipe, Score, Slots, Stopped, Window,
};
use std::ops::Range;

/// The longest line that is followed, in plies from the root.
pub const MAX_PLY: usize = 200;

/// What is kept of every node on the present line.
#[derive(Clone, Copy, Default)]
pub(crate) struct Frame {
    /// Static value, as the evaluation gave it, if it means anything.
    pub raw: Option<Score>,
    /// The same, or else that of the same side's last node.
    pub level: Score,
    /// Slot of the move being searched.
    pub slot: Option<usize>,
    /// Whether the node was reached by a pass.
    pub passed: bool,
    /// Code of a move to leave out: the node is searched to see what the others are worth.
    pub excluded: Option<u16>,
    /// How many nodes of this ply have failed high since the node above was entered.
    pub cutoffs: u32,
}

/// One thread of a search.
pub struct Worker<'a, G: Game, R: Recipe<G>> {
    /// The components.
    pub slots: &'a mut Slots<G, R>,
    /// Counts its nodes, and asks the limits.
    pub patience: Patience<'a>,
    /// The node count beyond which the quiescence search at work stands pat everywhere.
    pub(crate) quiet_until: u64,
    /// Greatest ply reached.
    pub max_ply: usize,
    pub(crate) frames: Vec<Frame>,
    /// The moves of every node on the line.
    pub(crate) stack: MoveStack<G::Move>,
    /// Values of the moves of nodes whose options are being counted: where [`Options`](crate::Options) are listed.
    pub options: Vec<Score>,
    /// Nodes searched in order to count options.
    pub(crate) option_nodes: u64,
    /// How often a line was ended because it had reached [`MAX_PLY`].
    pub(crate) cut_off: u64,
    pub(crate) pv: Variations<G::Move>,
    pub(crate) root: Vec<RootMove<G::Move>>,
    /// Which of them are searched: not the lines already found.
    pub(crate) root_part: Range<usize>,
    /// The best reply known to the root's move, once pairs are looked for ([`Deepen::PAIRS`]).
    pub(crate) reply: Option<G::Move>,
    /// Whether the caller allows only some of the root's moves.
    pub(crate) some_moves: bool,
}

/// A move at the root, and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Its value in this iteration; `-INFINITE` while it is only known not to be the best.
    pub score: Score,
    /// What `score` bounds.
    pub bound: Bound,
    /// Its value in the last iteration.
    pub previous: Score,
    /// Its line, itself first.
    pub pv: Vec<M>,
    /// The best reply to it, if pairs are looked for ([`Deepen::PAIRS`]).
    pub reply: Option<M>,
    /// Nodes spent on it.
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

    /// Nodes searched.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.patience.nodes()
    }

    /// Counts a node, and stops the search if the limits say so.
    #[inline]
    pub fn count(&mut self, ply: usize) -> Result<(), Stopped> {
        self.patience.count()?;
        self.max_ply = self.max_ply.max(ply);
        Ok(())
    }

    /// Comes back to the root from the midst of a search that was stopped.
    pub(crate) fn abandon(&mut self, before: &[G]) {
        self.patience.resume();
        self.slots.memory.release();
        self.slots.draws.start(before);
        self.frames.fill(Frame::default());
        self.options.clear();
    }

    /// The moves of a node whose list begins at `first`.
    #[inline]
    pub fn listed(&self, first: usize) -> &[G::Move] {
        &self.stack.moves[first..]
    }

    /// Counts the options of a node whose moves are about to be tried, if the depth rule asks, and tells the rule.
    #[inline]
    pub(crate) fn widen(
        &mut self,
        node: &Node<'_, G>,
        line: &LineOf<G, R>,
        first: usize,
    ) -> Result<(), Stopped> {
        let start = self.options.len();
        let mut listing = None;
        if R::Horizon::COUNTS_OPTIONS {
            let (options, before) = (self.slots.options.clone(), self.nodes() - self.option_nodes);
            let listed = options.list(self, node, line, first);
            self.option_nodes = self.nodes() - before; // with those that counted options below
            listing = listed?;
        }
        let told = self.tell(node, first, listing, start);
        self.options.truncate(start);
        told
    }

    /// Tells the depth rule of a node, and what its moves are worth: the values listed from `start` on, if there is a listing.
    #[inline]
    pub(crate) fn tell(
        &mut self,
        node: &Node<'_, G>,
        first: usize,
        listing: Option<Listing>,
        start: usize,
    ) -> Result<(), Stopped> {
        let &Node { position, window, ply, .. } = node;
        let options = listing.map(|listing| (listing, &self.options[start..]));
        let expanded = Expanded { position, moves: &self.stack.moves[first..], window, ply, options };
        let evaluate = &mut Patient { evaluate: &mut self.slots.evaluate, patience: &self.patience };
        self.slots.horizon.expand(&expanded, evaluate);
        self.go_on()
    }

    /// A quiescence search begins: it may have so many nodes.
    #[inline]
    pub(crate) fn settle_within(&mut self, nodes: u64) {
        self.quiet_until = self.nodes() + nodes;
    }

    /// Whether the quiescence search at work has had its nodes.
    #[inline]
    pub(crate) fn is_unsettled(&self) -> bool {
        self.nodes() >= self.quiet_until
    }

    /// The static value of a position.
    #[inline]
    pub fn evaluate(&mut self, position: &G) -> Result<Score, Stopped> {
        self.evaluate_within(position, Window::FULL)
    }

    /// The same as far as `window` is concerned.
    #[inline]
    pub fn evaluate_within(&mut self, position: &G, window: Window) -> Result<Score, Stopped> {
        let evaluate = &mut self.slots.evaluate;
        match window == Window::FULL && !R::Evaluate::LONG {
            true => Ok(evaluate.evaluate(position)),
            false => evaluate.evaluate_patiently(position, window, &self.patience),
        }
    }

    /// After something that may have evaluated: whether it came to its end.
    #[inline]
    fn go_on(&self) -> Result<(), Stopped> {
        if R::Evaluate::LONG && self.patience.is_out() { Err(Stopped) } else { Ok(()) }
    }

    /// What a claim that the value is `value` still owes.
    pub(crate) fn owed(&self, line: &LineOf<G, R>, window: Window, value: Score) -> Depths {
        let horizon = &self.slots.horizon;
        if window.contains(value) {
            horizon.owed_inside(line, window, value)
        } else {
            horizon.owed(line, window)
        }
    }

    /// Whether a static value could end the search of a node; its line is made longer if the depth rule wants to see more.
    #[inline]
    pub(crate) fn may_stop(
        &mut self,
        position: &G,
        line: &mut LineOf<G, R>,
        window: Window,
    ) -> Result<bool, Stopped> {
        let slots = &mut *self.slots;
        let may_stop = slots.horizon.may_stop(line, window);
        if R::Horizon::LOOKS_FURTHER && may_stop {
            let owed = slots.horizon.owed(line, window);
            if owed.lower <= Depth::ZERO && owed.upper <= Depth::ZERO {
                let evaluate = &mut Patient { evaluate: &mut slots.evaluate, patience: &self.patience };
                *line = slots.horizon.further(line, position, window, evaluate);
                let may_stop = slots.horizon.may_stop(line, window);
                return self.go_on().map(|()| may_stop);
            }
        }
        Ok(may_stop)
    }

    /// The static value of a node if any slot wants it and it means anything, improved by what
    /// the memory knows.
    #[inline]
    pub(crate) fn standing(&mut self, position: &G, hit: &Hit, ply: usize) -> Result<Score, Stopped> {
        if !Slots::<G, R>::USES_STANDING {
            return Ok(Score::DRAW);
        }
        let raw = match hit.standing {
            Some(standing) => Some(standing),
            None if self.slots.evaluate.judges(position) => Some(self.evaluate(position)?),
            None => None,
        };
        let before = if ply >= 2 { self.frames[ply - 2].level } else { Score::DRAW };
        self.frames[ply].raw = raw;
        self.frames[ply].level = raw.unwrap_or(before);
        Ok(hit.improve(raw.unwrap_or(before)))
    }

    #[inline]
    pub(crate) fn is_improving(&self, ply: usize) -> bool {
        ply >= 2 && self.frames[ply].level > self.frames[ply - 2].level
    }

    /// Lists the moves of a node on the stack; returns where they begin.
    pub(crate) fn list<N: NodeKind>(&mut self, position: &G) -> usize {
        let first = self.stack.moves.len();
        if N::ROOT {
            self.stack.moves.extend(self.root[self.root_part.clone()].iter().map(|root| root.mv));
        } else {
            position.moves(&mut self.stack.moves);
        }
        first
    }

    /// The place, in the list that begins at `first`, of the move that the memory names.
    pub(crate) fn remembered(&self, position: &G, hit: &Hit, first: usize) -> Option<usize> {
        let named = |mv: &G::Move| self.slots.memory.names(hit.mv, position, *mv);
        if hit.mv == 0 { None } else { self.stack.moves[first..].iter().position(named) }
    }

    /// The root's move `mv` is about to be searched: its reply is known from the last time.
    pub(crate) fn recall_reply(&mut self, mv: G::Move) {
        self.reply = self.root.iter().find(|root| root.mv == mv).and_then(|root| root.reply);
    }

    /// The place, in the list that begins at `first`, of the known reply to the root's move.
    #[inline]
    pub(crate) fn known_reply(&self, ply: usize, first: usize) -> Option<usize> {
        let reply = if R::Deepening::PAIRS && ply == 1 { self.reply } else { None };
        reply.and_then(|reply| self.stack.moves[first..].iter().position(|mv| *mv == reply))
    }

    /// `best` is the best move found at a node: a reply, if the node is one below the root.
    #[inline]
    pub(crate) fn note_reply(&mut self, ply: usize, best: Option<G::Move>) {
        if R::Deepening::PAIRS && ply == 1 && self.slots.deepening.pairs() {
            self.reply = best.or(self.reply);
        }
    }

    /// Ranks the moves of the list that begins at `first`.
    pub(crate) fn rank<N: NodeKind>(&mut self, node: &Node<'_, G>, first: usize) {
        let order = &self.slots.order;
        self.stack.rank(first, |mv| match N::ROOT {
            true => 0, // the root's moves come in order
            false => order.rank(node, mv, order.facts(node.position, mv)),
        });
    }

    /// The untried move, in the ranked list that begins at `first`, that the order wants next whatever its rank.
    pub(crate) fn comes_next(&self, node: &Node<'_, G>, first: usize) -> Option<Picked<G::Move>> {
        let order = &self.slots.order;
        self.stack
            .in_turn(first)
            .find(|&Picked { mv, .. }| order.comes_next(node, mv, order.facts(node.position, mv)))
    }

    /// Takes out of the list that begins at `first` what the slots that leave out moves see no use in ranking.
    #[inline]
    pub(crate) fn select(&mut self, node: &Node<'_, G>, first: usize) -> Result<(), Stopped> {
        let Slots { evaluate, late_move_pruning, futility, exchange_pruning, .. } = &mut *self.slots;
        let moves = &mut self.stack.moves;
        let evaluate = &mut Patient { evaluate, patience: &self.patience };
        late_move_pruning.select(node, moves, first, evaluate);
        futility.select(node, moves, first, evaluate);
        exchange_pruning.select(node, moves, first, evaluate);
        self.go_on()
    }

    /// Brings near what the memory knows of the position after `mv`, unless that was done before, and, if
    /// the move after it is `likely` to be searched too, of the position after that one: memory then answers
    /// while `mv` is searched. Returns that next move.
    #[inline]
    pub(crate) fn look_ahead(
        &self,
        position: &G,
        mv: G::Move,
        first: usize,
        is_new: bool,
        likely: bool,
    ) -> Option<Picked<G::Move>> {
        if is_new {
            self.slots.memory.prefetch(position, mv);
        }
        let next = if likely { self.stack.peek(first) } else { None };
        if let Some(next) = next {
            self.slots.memory.prefetch(position, next.mv);
        }
        next
    }

    /// A move that was put off, if no other worker searches it any more.
    pub(crate) fn done_elsewhere(&self, position: &G, first: usize) -> Option<Picked<G::Move>> {
        self.stack.waiting(first).find(|picked| !self.slots.memory.is_busy(position, picked.mv))
    }

    /// What a search with the window `entry` has shown of a node, to be stored.
    #[inline]
    pub(crate) fn found(
        &self,
        line: &LineOf<G, R>,
        entry: Window,
        value: Score,
        best: Option<G::Move>,
        ply: usize,
    ) -> Found<G::Move> {
        let (bound, at_edge) = (entry.bound(value), entry.clip(value));
        let (depths, standing) = (self.owed(line, entry, value), self.frames[ply].raw);
        Found { value, at_edge, bound, depths, best, standing }
    }

    /// A value greater than `alpha` that the memory now knows this node to reach, and the move that
    /// reaches it: most often another worker's work. The moves of the node begin at `first`, those tried at
    /// `first_tried`: what this worker has found of them itself stands, for it knows the line that led here.
    pub(crate) fn found_elsewhere(
        &self,
        position: &G,
        owed: Depth,
        alpha: Score,
        first: usize,
        first_tried: usize,
        ply: usize,
    ) -> Option<(Score, G::Move)> {
        let hit = self.slots.memory.probe(position, ply);
        if hit.lower <= alpha || hit.depths.lower < owed {
            return None;
        }
        let mv = self.stack.moves[first + self.remembered(position, &hit, first)?];
        let mut child = position.clone();
        child.play(mv);
        let counts =
            !self.stack.tried[first_tried..].contains(&mv) && !self.slots.draws.is_draw(&child, ply + 1);
        counts.then_some((hit.lower, mv))
    }

    /// Fills up the variation of a line of the root, to so many plies, with what the memory holds: where
    /// another worker has found a value, this one knows only the first move of its variation.
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

    /// Whether any of the slots that leave out moves leaves out this one.
    #[inline]
    pub(crate) fn skips(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        match self.slots.late_move_pruning.skip(node, candidate, noisy) {
            Skipped::No => match self.slots.futility.skip(node, candidate, noisy) {
                Skipped::No => self.slots.exchange_pruning.skip(node, candidate, noisy),
                skipped => skipped,
            },
            skipped => skipped,
        }
    }

    #[inline]
    pub(crate) fn descend(&mut self, position: &G, mv: G::Move, child: &G, ply: usize) {
        self.slots.evaluate.prefetch(child);
        self.slots.observe.play(mv, ply);
        self.frames[ply].slot = self.slots.order.facts(position, mv).slot;
        self.frames[ply + 1].passed = false;
    }

    #[inline]
    pub(crate) fn descend_by_pass(&mut self, position: &G, child: &G, ply: usize) {
        self.slots.evaluate.prefetch(child);
        self.frames[ply].slot = None;
        self.frames[ply + 1].passed = true;
        self.slots.draws.push(position);
    }

    /// Slots of the moves that led to a ply, last first.
    #[inline]
    pub(crate) fn previous(&self, ply: usize) -> [Option<usize>; 2] {
        [1, 2].map(|back| if ply >= back { self.frames[ply - back].slot } else { None })
    }

    /// Whether the root is searched without some of its moves.
    pub(crate) fn is_root_restricted(&self) -> bool {
        self.some_moves || self.root_part.len() < self.root.len()
    }

    /// Notes the value of a move at the root.
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
}

/// Evaluates for slots that cannot stop a search: once the limits have come every value is a draw's, and the worker goes no further.
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

pub(crate) type LineOf<G, R> = <<R as Recipe<G>>::Horizon as Horizon<G>>::Line;

/// The principal variation of every ply.
pub(crate) struct Variations<M>(pub Vec<Vec<M>>);

impl<M: Copy> Variations<M> {
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The variation of `ply` becomes `mv` and then that of the ply below.
    pub fn prepend(&mut self, ply: usize, mv: M) {
        let (above, below) = self.0.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }
}
