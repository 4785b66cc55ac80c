//! Generates and assesses the children of a leaf. This is most of the work of growing a tree, and the
//! part that several threads can share.

use super::transpositions::Known;
use super::{Asked, Assess, Child, Choice, Leaf, Line, NodeId, Payload, Tree};
use crate::alpha_beta::draws::Draws;
use crate::game::Game;
use crate::limits::{Limits, Patience};
use crate::score::Score;

/// The children of a leaf, generated and assessed.
#[derive(Debug)]
pub(super) struct Expansion<M, P> {
    /// The children, best first; empty if the game is over.
    pub children: Vec<Child<M, P>>,
    /// The number of moves between the root and the children.
    pub ply: usize,
    /// The value of the leaf if it has no children.
    pub over: Score,
    /// The new payload of the leaf, if it has children and keeps something of its own.
    pub own: Option<P>,
    /// The name of the leaf's position in the transposition table, if transpositions are used.
    pub name: Option<(u64, usize)>,
    /// Whether a limit was reached before all children were assessed.
    pub stopped: bool,
}

impl<M, P> Default for Expansion<M, P> {
    fn default() -> Self {
        Expansion { children: Vec::new(), ply: 0, over: Score::DRAW, own: None, name: None, stopped: false }
    }
}

/// What all workers share while they expand leaves.
pub(super) struct Site<'a, G: Game, P> {
    pub tree: &'a Tree<G::Move, P>,
    /// The moves allowed at the root; empty if all moves are allowed.
    pub root_moves: &'a [G::Move],
    pub known: Option<&'a Known<G>>,
    /// Whether there is room for leaves that share the children of other nodes.
    pub shares: bool,
    /// The time limits. The root's children always get at least a quick estimate.
    pub limits: &'a dyn Limits,
}

/// Expands leaves. Each worker has its own line and its own assessor.
pub(super) struct Worker<G: Game, A, D> {
    pub assess: A,
    line: Option<Line<G, D>>,
    path: Vec<NodeId>,
    moves: Vec<G::Move>,
}

impl<G: Game, A, D: Draws<G>> Worker<G, A, D> {
    pub fn new(assess: A) -> Self {
        Worker { assess, line: None, path: Vec::new(), moves: Vec::new() }
    }

    /// Prepares for a new tree.
    pub fn begin<P>(&mut self, position: &G, before: &[G])
    where
        A: Assess<G, P>,
    {
        self.assess.begin();
        self.line = Some(Line::new(position, before));
    }

    /// Generates and assesses the children of a leaf, unless it can share the children of a node with
    /// the same position.
    pub fn expand<P: Payload>(
        &mut self,
        site: &Site<'_, G, P>,
        choice: Choice,
        expansion: &mut Expansion<G::Move, P>,
    ) where
        A: Assess<G, P>,
    {
        let line = self.line.as_mut().expect("a tree has been planted");
        let patience = Patience::new(site.limits);
        expansion.stopped = choice.leaf != NodeId::ROOT && site.limits.ends_now();
        if expansion.stopped {
            return;
        }
        site.tree.line_to(choice.leaf, &mut self.path);
        line.follow(site.tree, &self.path);
        expansion.over = Score::DRAW;
        expansion.children.clear();
        expansion.own = None;
        expansion.ply = line.ply() + 1;
        expansion.name = site.known.and_then(|known| known.name(line.position(), line.ply()));
        let twin = site.known.zip(expansion.name).and_then(|(known, name)| known.get(name));
        if twin.is_some() && site.shares {
            return;
        }
        self.moves.clear();
        line.position().moves(&mut self.moves);
        if self.moves.is_empty() {
            expansion.over = line.position().outcome().score(line.ply());
        }
        if line.ply() == 0 && !site.root_moves.is_empty() {
            self.moves.retain(|mv| site.root_moves.contains(mv));
        }
        let asked = Asked { ply: expansion.ply, window: choice.window.flip(), patience: Some(&patience) };
        for &mv in &self.moves {
            let mut child = line.position().clone();
            child.play(mv);
            let leaf = match line.ends_in_draw(&child) {
                true => Leaf::Over(Score::DRAW),
                false => self.assess.assess_as(&child, &asked),
            };
            expansion.children.push(match leaf {
                Leaf::Open(payload) => Child { mv, payload, over: false },
                Leaf::Over(value) => Child { mv, payload: P::over(value), over: true },
            });
            expansion.stopped = patience.judge(1).is_err() && choice.leaf != NodeId::ROOT;
            if expansion.stopped {
                return;
            }
        }
        let asked = Asked { ply: line.ply(), window: choice.window, patience: Some(&patience) };
        let leaf = site.tree.payload(choice.leaf);
        expansion.own = self.assess.expanded(line.position(), leaf, &mut expansion.children, &asked);
        sort_by_value(&mut expansion.children);
    }
}

/// Sorts new children by value. This is a separate function because sorting compiles to much code.
fn sort_by_value<M, P: Payload>(children: &mut [Child<M, P>]) {
    children.sort_by_key(|child| child.payload.value());
}
