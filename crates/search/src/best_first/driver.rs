//! Grows a tree: follows the line to the chosen leaf, lists and assesses its children, brings the line up to date.
//!
//! Children are put in order, best first by what they are given when they are new (McAllester 1988, §6): *leftmost* means best-looking. Nodes are those
//! of the tree, and a limit of nodes is never exceeded, but that the root is always expanded.

use super::{Assess, Child, Full, Growth, Leaf, Line, NodeId, OutOfMemory, Payload, Tree};
use crate::{Answer, Bound, Depth, Depths, Draws, Game, Progress, Report, Request, Score, Visitor};

/// What is known of the root, in the words of the growth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outlook {
    /// How many conspirators are being ruled out; 0 where leaves are not counted.
    pub conspirators: usize,
    /// The child to play, once the root has been expanded.
    pub best: Option<NodeId>,
}

/// Why a tree grew no further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The growth has nothing left to do.
    Done,
    /// The limits were reached.
    Stopped,
    /// The tree has no room for more.
    Full,
}

/// A best-first search: a tree, what grows it, what judges its leaves, and how the game is drawn.
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
/// let mut grower = Grower::<Stones, Bounds<8>, _, _, Off>::new(1, growth, assess)?; // 1 MiB, up to 7 conspirators
/// let answer = grower.search(&Request::new(&Stones(4), &Nodes(1_000)), &mut |_| {});
/// assert_eq!(answer.best(), Some(1)); // leaves three
/// assert_eq!(grower.tree.payload(NodeId::ROOT).range(7), (Score::win_in(3), Score::win_in(3)));
/// # Ok::<(), cassius_search::best_first::OutOfMemory>(())
/// ```
pub struct Grower<G: Game, P, R, A, D> {
    /// The tree of the last search.
    pub tree: Tree<G::Move, P>,
    /// Which leaf to expand next.
    pub growth: R,
    /// What a new leaf is given.
    pub assess: A,
    line: Option<Line<G, D>>,
    path: Vec<NodeId>,
    /// The moves allowed at the root; empty for all.
    root_moves: Vec<G::Move>,
    moves: Vec<G::Move>,
    children: Vec<Child<G::Move, P>>,
    max_ply: usize,
}

impl<G, P, R, A, D> Grower<G, P, R, A, D>
where
    G: Game,
    P: Payload,
    R: Growth<P>,
    A: Assess<G, P>,
    D: Draws<G>,
{
    /// A search whose tree never takes more than so many MiB.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn new(mib: usize, growth: R, assess: A) -> Result<Self, OutOfMemory> {
        Ok(Grower {
            tree: Tree::new(mib)?,
            growth,
            assess,
            line: None,
            path: Vec::new(),
            root_moves: Vec::new(),
            moves: Vec::new(),
            children: Vec::new(),
            max_ply: 0,
        })
    }

    /// Shows every parameter to `visitor`.
    pub fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.growth.visit(visitor);
    }

    /// Grows a tree for the request, and tells `report` whenever another move is best, more conspirators are being
    /// ruled out, or the tree has grown by an eighth. The iterations of the request are numbers of conspirators: it ends when as many as the
    /// last cannot change much.
    pub fn search(
        &mut self,
        request: &Request<'_, G>,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Answer<G::Move> {
        self.begin(request.position, request.before, request.moves);
        let mut watch = Watch::new();
        let mut ask = 0; // the node count beyond which the limits want to be asked
        let mut allows = |nodes: u64, root: bool| {
            if !root && nodes > ask {
                match request.limits.poll(nodes - 1) {
                    Some(next) => ask = next,
                    None => return false,
                }
            }
            true
        };
        let ended = loop {
            if let Err(ended) = self.step(&mut allows) {
                break ended;
            }
            let outlook = self.growth.outlook(&self.tree);
            if outlook.conspirators > request.iterations {
                break Ended::Done;
            }
            if let Some(progress) = watch.look(&outlook, &self.tree) {
                self.lines(&outlook, request.lines).iter().for_each(&mut *report);
                if !request.limits.go_on(&progress) {
                    break Ended::Stopped;
                }
            }
        };
        let lines = self.lines(&self.growth.outlook(&self.tree), request.lines);
        let nodes = self.tree.len() as u64;
        Answer { lines, nodes, option_nodes: 0, complete: ended == Ended::Done, full: ended == Ended::Full }
    }

    /// Plants a tree. `before` are the positions of the game before the root, `moves` those to consider there, all if empty.
    pub fn begin(&mut self, position: &G, before: &[G], moves: &[G::Move]) {
        self.line = Some(Line::new(position, before));
        self.root_moves = moves.to_vec();
        self.max_ply = 0;
        self.growth.begin();
        match self.assess.assess(position, 0) {
            Leaf::Open(payload) => self.tree.plant(payload, false),
            Leaf::Over(value) => self.tree.plant(P::over(value), true),
        }
    }

    /// Expands one leaf, and says which. `allows` is asked whether the tree may have so many nodes, and told whether they are the root's
    /// children: without these there is no move to play.
    ///
    /// # Errors
    /// If there is nothing to expand, it is not allowed, or there is no room.
    pub fn step(&mut self, allows: &mut impl FnMut(u64, bool) -> bool) -> Result<NodeId, Ended> {
        if self.tree.is_leaf(NodeId::ROOT) {
            self.path.clear();
            self.path.push(NodeId::ROOT); // whatever the growth thinks of it: there is a move to be found
        } else if !self.growth.choose(&self.tree, &mut self.path) {
            return Err(Ended::Done);
        }
        let leaf = *self.path.last().ok_or(Ended::Done)?;
        let mut line = self.line.take().ok_or(Ended::Done)?;
        line.follow(&self.tree, &self.path);
        self.list(&mut line);
        let over = line.position().outcome().score(line.ply());
        self.line = Some(line);
        let nodes = (self.tree.len() + self.children.len()) as u64;
        if !allows(nodes, leaf == NodeId::ROOT) {
            return Err(Ended::Stopped);
        }
        self.tree.expand(leaf, &self.children, over).map_err(|Full| Ended::Full)?;
        self.tree.back_up(&self.path);
        self.max_ply = self.max_ply.max(self.path.len());
        Ok(leaf)
    }

    /// The deepest line that has been grown, in plies.
    pub fn max_ply(&self) -> usize {
        self.max_ply
    }

    /// Lists and assesses the children of the line's last position, best first.
    fn list(&mut self, line: &mut Line<G, D>) {
        self.moves.clear();
        self.children.clear();
        line.position().moves(&mut self.moves);
        if line.ply() == 0 && !self.root_moves.is_empty() {
            self.moves.retain(|mv| self.root_moves.contains(mv));
        }
        let ply = line.ply() + 1;
        for &mv in &self.moves {
            let mut child = line.position().clone();
            child.play(mv);
            let leaf = match line.ends_in_draw(&child) {
                true => Leaf::Over(Score::DRAW),
                false => self.assess.assess(&child, ply),
            };
            self.children.push(match leaf {
                Leaf::Open(payload) => Child { mv, payload, over: false },
                Leaf::Over(value) => Child { mv, payload: P::over(value), over: true },
            });
        }
        self.children.sort_by_key(|child| child.payload.value());
    }

    /// The range of a child of the root, for the side to move at the root.
    fn seen_from_root(&self, child: NodeId, conspirators: usize) -> (Score, Score) {
        let (least, greatest) = self.tree.payload(child).range(conspirators);
        (-greatest, -least)
    }

    /// The best lines, best first. The first has the range of the root.
    fn lines(&self, outlook: &Outlook, lines: usize) -> Vec<Report<G::Move>> {
        let mut children: Vec<NodeId> = self.tree.children(NodeId::ROOT).collect();
        children.sort_by_key(|&child| (Some(child) != outlook.best, self.tree.payload(child).value()));
        children.truncate(lines.max(1));
        let root = self.tree.payload(NodeId::ROOT).range(outlook.conspirators);
        let line = |(line, child): (usize, NodeId)| Report {
            iteration: outlook.conspirators,
            depths: Depths::both(Depth::ZERO),
            range: Some(if line == 0 { root } else { self.seen_from_root(child, outlook.conspirators) }),
            max_ply: self.max_ply,
            line,
            score: -self.tree.payload(child).value(),
            bound: Bound::Exact,
            nodes: self.tree.len() as u64,
            pv: self.tree.mv(child).into_iter().chain(self.tree.best_line(child)).collect(),
        };
        children.into_iter().enumerate().map(line).collect()
    }
}

/// When there is something to tell.
struct Watch {
    last: Option<(Outlook, Score)>,
    /// The node count at which the limits are asked anyway.
    next: usize,
    stable: u32,
}

impl Watch {
    fn new() -> Self {
        Watch { last: None, next: 0, stable: 0 }
    }

    /// What is new: another best move, more conspirators, or an eighth more nodes.
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
