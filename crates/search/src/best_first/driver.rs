//! Grows a tree: follows the line to the chosen leaf, generates and assesses its children, and backs up
//! the result along the line.
//!
//! Children are sorted when they are new, best first by their first payloads (McAllester 1988, §6).
//! *Leftmost* therefore means best-looking. Node counts are numbers of nodes in the tree. A node limit
//! is never exceeded, except that the root is always expanded, if there is room.

use super::expand::{Expansion, Site, Worker};
use super::stars::unknown;
use super::transpositions::Known;
use super::{Asked, Assess, Full, Growth, Leaf, NodeId, OutOfMemory, Payload, Tree};
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::{Answer, Report, Request};
use crate::component::{Component as _, Visitor};
use crate::depth::{Depth, Depths};
use crate::game::{Game, Keyed, Threaded};
use crate::limits::{Limits, Patience, Progress, Unlimited};
use crate::score::Score;
use crate::window::{Bound, Window};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// A leaf that is to be expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The leaf.
    pub leaf: NodeId,
    /// The window in which values must be exact there, for the side to move at the leaf
    /// ([`Asked`](super::Asked)).
    pub window: Window,
}

impl Choice {
    /// Chooses a leaf with a full window.
    pub fn new(leaf: NodeId) -> Choice {
        Choice { leaf, window: Window::FULL }
    }
}

/// What the growth knows about the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outlook {
    /// The number of conspirators that are being ruled out; 0 if leaves are not counted. In that case a
    /// [range](Payload::range) holds for certain, and [reports](Report::score) give bounds.
    pub conspirators: usize,
    /// The child to play, once the root has been expanded.
    pub best: Option<NodeId>,
}

/// Why a tree stopped growing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The growth has nothing left to do.
    Done,
    /// A limit was reached.
    Stopped,
    /// The tree has no room for more nodes.
    Full,
}

/// A best-first search: a tree, a growth that chooses leaves, assessors for new leaves, and a rule for
/// draws.
///
/// ```
/// use cassius_search::best_first::{Bounds, ConspiracyNumbers, Grower, NodeId, Payload, Static};
/// use cassius_search::{Game, Nodes, Off, Outcome, Request, Score};
///
/// /// Take one or two stones; who takes the last one wins.
/// #[derive(Clone)]
/// struct Stones(u8);
/// impl Game for Stones {
///     type Move = u8;
///     fn moves(&self, moves: &mut Vec<u8>) {
///         moves.extend((1..=2).filter(|taken| *taken <= self.0));
///     }
///     fn play(&mut self, taken: u8) {
///         self.0 -= taken;
///     }
///     fn outcome(&self) -> Outcome {
///         Outcome::Loss
///     }
/// }
///
/// let assess = Static(|_: &Stones| Score::DRAW);
/// let growth = ConspiracyNumbers::default();
/// // 1 MiB, up to 7 conspirators
/// let mut grower = Grower::<Stones, Bounds<8>, _, _, Off>::new(1, growth, assess)?;
/// let answer = grower.search(&Request::new(&Stones(4), &Nodes(1_000)), &mut |_| {});
/// assert_eq!(answer.best(), Some(1)); // leaves three
/// assert_eq!(grower.tree.payload(NodeId::ROOT).range(7), (Score::win_in(3), Score::win_in(3)));
/// # Ok::<(), cassius_search::best_first::OutOfMemory>(())
/// ```
pub struct Grower<G: Game, P, R, A, D> {
    /// The tree of the last search.
    pub tree: Tree<G::Move, P>,
    /// Chooses the leaf to expand next.
    pub growth: R,
    workers: Vec<Worker<G, A, D>>,
    /// The greatest number of workers that are used.
    working: usize,
    /// The table of positions that have been expanded already.
    known: Option<Known<G>>,
    /// The moves allowed at the root; empty if all moves are allowed.
    root_moves: Vec<G::Move>,
    /// The leaves that have been chosen for expansion.
    choices: Vec<Choice>,
    /// The number of choices whose expansions have been added to the tree.
    done: usize,
    /// The number of choices whose children have been generated and assessed. `expansions` holds them in
    /// the same order.
    ready: usize,
    expansions: Vec<Mutex<Expansion<G::Move, P>>>,
    /// Whether leaves may share the children of other nodes: there is room for all choices.
    shares: bool,
    max_ply: usize,
}

impl<G, P, R, A, D> Grower<G, P, R, A, D>
where
    G: Threaded,
    P: Payload,
    R: Growth<P>,
    A: Assess<G, P>,
    D: Draws<G>,
{
    /// Creates a search whose tree never takes more than this many MiB.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn new(mib: usize, growth: R, assess: A) -> Result<Self, OutOfMemory> {
        Ok(Grower::with_tree(Tree::new(mib)?, growth, assess))
    }

    /// Creates a search that uses the memory of this tree. The contents of the tree are discarded.
    pub fn with_tree(tree: Tree<G::Move, P>, growth: R, assess: A) -> Self {
        Grower {
            tree,
            growth,
            workers: vec![Worker::new(assess)],
            working: usize::MAX,
            known: None,
            root_moves: Vec::new(),
            choices: Vec::new(),
            done: 0,
            ready: 0,
            expansions: Vec::new(),
            shares: false,
            max_ply: 0,
        }
    }

    /// Adds the component [`Transpositions`](super::Transpositions), switched off. When it is switched
    /// on, it takes six bytes per node of the tree's memory. Positions with the same
    /// [exact key](Keyed::exact_key) are the same.
    #[must_use]
    pub fn with_transpositions(self) -> Self
    where
        G: Keyed,
    {
        self.with_transpositions_by(G::exact_key)
    }

    /// Adds the component like [`with_transpositions`](Self::with_transpositions), with this function as
    /// the key of a position. Positions with the same key must have the same moves. The component is left
    /// out if nodes must not share children ([`Payload::SHARES`]).
    #[must_use]
    pub fn with_transpositions_by(mut self, key: fn(&G) -> u64) -> Self {
        self.known = P::SHARES.then(|| Known::new(key));
        self
    }

    /// Sets the assessors, one for each thread that generates and assesses children. An empty list
    /// changes nothing. The threads share the work if the growth names several leaves at once
    /// ([`Growth::SEVERAL`]). The number of threads does not change the tree, unless an assessor's
    /// result depends on what others have found before. A tree that was begun is given up.
    pub fn employ(&mut self, assess: impl IntoIterator<Item = A>) {
        let workers: Vec<_> = assess.into_iter().map(Worker::new).collect();
        if !workers.is_empty() {
            self.workers = workers;
            self.tree.clear();
        }
    }

    /// Limits the number of threads that are used from now on.
    pub fn work_with(&mut self, threads: usize) {
        self.working = threads.max(1);
    }

    /// Returns the number of threads that generate and assess children.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Returns the assessors, one for each thread.
    pub fn assessors(&mut self) -> impl Iterator<Item = &mut A> {
        self.workers.iter_mut().map(|worker| &mut worker.assess)
    }

    /// Shows every parameter to `visitor`. Of the assessors it shows the parameters of one.
    pub fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.growth.visit(visitor);
        self.known.iter_mut().for_each(|known| known.parameters.visit(visitor));
        self.workers[0].assess.visit(visitor);
    }

    /// Grows a tree for the request. Calls `report` when the best move changes, when the number of
    /// conspirators to rule out increases, when the tree has grown by an eighth, and at the end. The
    /// iterations of the request are numbers of conspirators: the search ends when that many
    /// conspirators cannot change much. The answer is complete if the search ended in this way, or if
    /// what it looked for is proven.
    pub fn search(
        &mut self,
        request: &Request<'_, G>,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Answer<G::Move> {
        if request.iterations == 0 {
            return Answer::nothing();
        }
        self.plant(request);
        let mut watch = Watch::new();
        let mut told = false;
        let ended = loop {
            if let Err(ended) = self.step(request.limits) {
                break ended;
            }
            told = false;
            let outlook = self.growth.outlook(&self.tree);
            if outlook.conspirators > request.iterations {
                break Ended::Done;
            }
            if let Some(progress) = watch.look(&outlook, &self.tree) {
                told = true;
                self.lines(&outlook, request.lines).iter().for_each(&mut *report);
                if !request.limits.go_on(&progress) {
                    break Ended::Stopped;
                }
            }
        };
        let mut outlook = self.growth.outlook(&self.tree);
        let counted = outlook.conspirators;
        outlook.conspirators = counted.min(request.iterations.max(1));
        let nodes = self.tree.len() as u64;
        let mut lines = self.lines(&outlook, request.lines);
        if lines.is_empty() && ended == Ended::Full {
            // There was no room for the moves.
            let mut moves = Vec::new();
            request.position.moves(&mut moves);
            let first = moves.into_iter().find(|mv| request.moves.is_empty() || request.moves.contains(mv));
            lines.extend(first.map(|mv| unknown(mv, nodes)));
        }
        if !told {
            lines.iter().for_each(report);
        }
        // Where leaves are counted, the growth ends when many of them would have to be wrong. That many
        // were asked for, or what is claimed has to be proven.
        let settled = || counted == 0 || counted >= request.iterations || self.is_proven(outlook.best);
        Answer {
            lines,
            nodes,
            complete: ended == Ended::Done && settled(),
            full: ended == Ended::Full,
            ..Answer::nothing()
        }
    }

    /// Starts a new tree. `before` lists the positions of the game before the root. `moves` lists the
    /// moves to consider at the root; if it is empty, all are considered.
    pub fn begin(&mut self, position: &G, before: &[G], moves: &[G::Move]) {
        self.plant(&Request { before, moves, ..Request::new(position, &Unlimited) });
    }

    /// Starts a new tree for a search with limits.
    fn plant(&mut self, request: &Request<'_, G>) {
        let &Request { position, before, moves, limits, .. } = request;
        self.workers.iter_mut().for_each(|worker| worker.begin(position, before));
        self.root_moves = moves.to_vec();
        let aside = self
            .known
            .as_mut()
            .map_or(0, |known| known.begin(self.tree.room(), Tree::<G::Move, P>::NODE_BYTES));
        self.tree.set_aside(aside);
        self.choices.clear();
        (self.done, self.ready, self.max_ply) = (0, 0, 0);
        // If only the value of the root is known, for example from an endgame table, a move still has to
        // be found.
        let limits = Growing { limits, nodes: 0 };
        let asked = Asked { patience: Some(&Patience::new(&limits)), ..Asked::anything(0) };
        match self.workers[0].assess.assess_as(position, &asked) {
            Leaf::Open(payload) => self.tree.plant(payload, false),
            Leaf::Over(value) => self.tree.plant(P::over(value), position.is_over()),
        }
    }

    /// Expands one leaf and returns it. The limits apply to the nodes of the tree. The root's children
    /// are added regardless of the limits, if there is room for them, because without them there is no move
    /// to play.
    ///
    /// # Errors
    /// If there is nothing to expand, such as before [`begin`](Self::begin), if a limit is reached, or if
    /// there is no room.
    pub fn step(&mut self, limits: &dyn Limits) -> Result<NodeId, Ended> {
        if self.tree.is_empty() {
            return Err(Ended::Done);
        }
        let leaf = self.next()?.leaf;
        if self.done == self.ready {
            self.prepare(limits);
        }
        let expansion = self.expansions[self.done].get_mut().expect("no worker has died");
        if expansion.stopped || leaf != NodeId::ROOT && limits.ends_now() {
            // The expansion is prepared anew if the tree is to grow further.
            self.ready = self.done;
            return Err(Ended::Stopped);
        }
        let known = self.known.as_ref().zip(expansion.name).filter(|_| self.shares);
        let twin = known.and_then(|(known, name)| known.get(name));
        let added = if twin.is_some() { 0 } else { expansion.children.len() };
        let nodes = (self.tree.len() + added) as u64;
        if leaf != NodeId::ROOT && limits.poll(nodes - 1).is_none() {
            return Err(Ended::Stopped);
        }
        let Expansion { children, ply, over, own, name, .. } = expansion;
        if twin.is_some() || !children.is_empty() {
            self.max_ply = self.max_ply.max(*ply);
        }
        match twin {
            Some(twin) => self.tree.share(leaf, twin).map_err(|Full| Ended::Full)?,
            None => {
                self.tree.expand(leaf, children, *over).map_err(|Full| Ended::Full)?;
                if let Some(own) = own.take().filter(|_| !children.is_empty()) {
                    self.tree.set_payload(leaf, own);
                }
                if let Some((known, name)) = self.known.as_mut().zip(*name)
                    && !children.is_empty()
                {
                    known.remember(name, leaf);
                }
            }
        }
        self.done += 1;
        self.tree.back_up(leaf);
        Ok(leaf)
    }

    /// Returns the next leaf to expand.
    fn next(&mut self) -> Result<Choice, Ended> {
        loop {
            match self.choices.get(self.done) {
                Some(choice) if self.tree.is_leaf(choice.leaf) => return Ok(*choice),
                // The leaf has been expanded through another line in the meantime.
                Some(_) => {
                    self.done += 1;
                    self.ready = self.ready.max(self.done);
                }
                None => {
                    self.choices.clear();
                    (self.done, self.ready) = (0, 0);
                    match self.tree.is_leaf(NodeId::ROOT) {
                        // The root is expanded whatever the growth would choose, because a move has to
                        // be found.
                        true => self.choices.push(Choice::new(NodeId::ROOT)),
                        false if self.tree.is_over(NodeId::ROOT) => return Err(Ended::Done),
                        false => self.growth.choose(&self.tree, &mut self.choices),
                    }
                    if self.choices.is_empty() {
                        return Err(Ended::Done);
                    }
                    self.shares = self.tree.may_share(self.choices.len());
                }
            }
        }
    }

    /// Generates and assesses the children of the next leaf. With several workers it does so for all
    /// leaves that have been chosen.
    fn prepare(&mut self, limits: &dyn Limits) {
        let working = self.working.min(self.workers.len());
        let end = if working == 1 { self.done + 1 } else { self.choices.len() };
        if self.expansions.len() < end {
            self.expansions.resize_with(end, Mutex::default);
        }
        let Grower { tree, workers, known, root_moves, choices, expansions, .. } = self;
        let limits = &Growing { limits, nodes: tree.len() as u64 - 1 };
        let site = Site { tree, root_moves, known: known.as_ref(), shares: self.shares, limits };
        let next = AtomicUsize::new(self.done);
        let work = |worker: &mut Worker<G, A, D>| {
            loop {
                let place = next.fetch_add(1, Relaxed);
                let Some(choice) = choices[..end].get(place) else { break };
                let mut expansion = expansions[place].lock().expect("no worker has died");
                worker.expand(&site, *choice, &mut expansion);
            }
        };
        let (first, others) = workers[..working].split_first_mut().expect("there is one at least");
        if end - self.done == 1 {
            work(first);
        } else {
            thread::scope(|scope| {
                for worker in others {
                    scope.spawn(|| work(worker));
                }
                work(first);
            });
        }
        self.ready = end;
    }

    /// Whether the finished games in the tree prove the value of the root, or that this move is best,
    /// whatever the open leaves are worth.
    fn is_proven(&self, best: Option<NodeId>) -> bool {
        let proven = self.tree.proven_ranges();
        let (least, greatest) = proven[NodeId::ROOT.index()];
        let Some(best) = best.filter(|_| least < greatest) else { return least == greatest };
        let from_root = |child: NodeId| (-proven[child.index()].1, -proven[child.index()].0);
        let at_least = from_root(best).0;
        let mut others = self.tree.children(NodeId::ROOT).filter(|&other| other != best).peekable();
        // If there is only one move, only its value is open.
        others.peek().is_some() && (at_least.is_win() || others.all(|other| from_root(other).1 <= at_least))
    }

    /// Returns the depth of the deepest line in the tree, in plies.
    pub fn max_ply(&self) -> usize {
        self.max_ply
    }

    /// Returns the range of a child of the root, for the side to move at the root.
    fn seen_from_root(&self, child: NodeId, conspirators: usize) -> (Score, Score) {
        let (least, greatest) = self.tree.payload(child).range(conspirators);
        (-greatest, -least)
    }

    /// Returns the best lines, best first. The range of the first line holds for the root.
    fn lines(&self, outlook: &Outlook, lines: usize) -> Vec<Report<G::Move>> {
        let ranked = |child| (Some(child) != outlook.best, self.tree.payload(child).value(), child);
        let mut children: Vec<_> = self.tree.children(NodeId::ROOT).map(ranked).collect();
        sort_by_value(&mut children);
        children.truncate(lines.max(1));
        let root = self.tree.payload(NodeId::ROOT);
        let line = |(line, child): (usize, NodeId)| {
            let range = self.seen_from_root(child, outlook.conspirators);
            let (score, bound) = match outlook.conspirators {
                0 if !P::ESTIMATES => known(range),
                _ => (-self.tree.payload(child).value(), Some(Bound::Exact)),
            };
            Report {
                iteration: outlook.conspirators,
                depths: Depths::both(Depth::ZERO),
                // The chosen move may be worth less than the root: the root has at least what that move
                // has, and at most what any move has.
                range: Some(match (line, root.range(outlook.conspirators)) {
                    (0, whole) if -self.tree.payload(child).value() == root.value() => whole,
                    (0, (_, greatest)) => (range.0, greatest),
                    _ => range,
                }),
                max_ply: self.max_ply,
                line,
                score,
                bound,
                nodes: self.tree.len() as u64,
                pv: self.tree.mv(child).into_iter().chain(self.tree.best_line(child)).collect(),
            }
        };
        children.into_iter().map(|(_, _, child)| child).enumerate().map(line).collect()
    }
}

/// Sorts children of the root: the best one first, then by value. This is a separate function because
/// sorting compiles to much code, and there are many growers.
fn sort_by_value(children: &mut [(bool, Score, NodeId)]) {
    children.sort_by_key(|&(is_not_best, value, _)| (is_not_best, value));
}

/// Converts a range that does not depend on leaves into a score: the exact value, or else a lower bound,
/// or else an upper bound, or else nothing.
fn known((least, greatest): (Score, Score)) -> (Score, Option<Bound>) {
    match (least > -Score::INFINITE, greatest < Score::INFINITE) {
        _ if least == greatest => (least, Some(Bound::Exact)),
        (true, _) => (least, Some(Bound::Lower)),
        (false, true) => (greatest, Some(Bound::Upper)),
        (false, false) => (Score::DRAW, None),
    }
}

/// The limits for work that is done between two expansions, while the tree has `nodes` + 1 nodes. Such
/// work adds no nodes, so it also checks `ends_now`, and it polls often.
struct Growing<'a> {
    limits: &'a dyn Limits,
    nodes: u64,
}

impl Limits for Growing<'_> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        if self.ends_now() { None } else { self.limits.poll(self.nodes).map(|_| nodes + 256) }
    }

    fn ends_now(&self) -> bool {
        self.limits.ends_now()
    }
}

/// Decides when there is something to report.
struct Watch {
    last: Option<(Outlook, Score)>,
    /// The number of nodes at which the limits are asked in any case.
    next: usize,
    stable: u32,
}

impl Watch {
    fn new() -> Self {
        Watch { last: None, next: 0, stable: 0 }
    }

    /// Returns the progress to report if something is new: another best move, more conspirators, or an
    /// eighth more nodes.
    fn look<M: Copy, P: Payload>(&mut self, now: &Outlook, tree: &Tree<M, P>) -> Option<Progress> {
        let score = tree.payload(NodeId::ROOT).value();
        let same = self.last.is_some_and(|(last, _)| last.best == now.best);
        let further = self.last.is_none_or(|(last, _)| now.conspirators > last.conspirators);
        if same && !further && tree.len() < self.next {
            return None;
        }
        self.next = tree.len() + tree.len() / 8;
        self.stable = if same { self.stable + 1 } else { 0 };
        let fall = self.last.map_or(0, |(_, before)| before.0 - score.0);
        self.last = Some((*now, score));
        Some(Progress {
            nodes: tree.len() as u64,
            iteration: now.conspirators,
            score,
            stable: self.stable,
            fall,
            effort: 0.5,
        })
    }
}
