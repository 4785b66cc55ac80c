//! A game tree in memory.
//!
//! Nodes lie in one block of memory, whose size is stated before the search and never exceeded; they name each other by number. The
//! children of a node lie side by side. A node has all of its children or none ("well-formed", McAllester 1988, §2).
//! Nodes hold no positions: who follows a line plays its moves ([`Line`](super::Line)).
//!
//! Two nodes as far from the root may [share](Tree::share) their children. Then the tree is none any more, but every node has one
//! parent under which it was added, and so one line.

use super::{Payload, Whose};
use crate::Score;
use std::collections::HashMap;
use std::fmt;
use std::iter::successors;
use std::mem::{size_of, take};

/// A node's place in its [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// Nodes are numbered from 0 in the order of their addition.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node: the move that leads to it, where its children are, and what the algorithm at work keeps of it.
#[derive(Clone, Copy, Debug)]
struct Node<M, P> {
    mv: Option<M>,
    /// The first child, or [`LEAF`], or [`OVER`].
    first: u32,
    /// Under which it was added; the root is its own.
    parent: NodeId,
    count: u16,
    payload: P,
}

/// Of so many nodes one may share its children.
const TWINS: usize = 8;

/// No child comes before the root.
const LEAF: u32 = 0;
const OVER: u32 = u32::MAX;

/// A partial game tree, grown leaf by leaf, with a payload at every node.
#[derive(Clone, Debug)]
pub struct Tree<M, P> {
    nodes: Vec<Node<M, P>>,
    /// How many it has room for, and may have.
    room: usize,
    most: usize,
    /// Of nodes that share their children, the next in the round.
    twins: HashMap<NodeId, NodeId>,
    /// Nodes to be brought up to date.
    stale: Vec<NodeId>,
}

/// A child to be added: the move that leads to it, its payload, and whether the game is over there.
#[derive(Clone, Copy, Debug)]
pub struct Child<M, P> {
    /// The move that leads to it.
    pub mv: M,
    /// What the algorithm at work keeps of it.
    pub payload: P,
    /// Whether the game is over there, so that it will never be expanded.
    pub over: bool,
}

/// The tree has no room for the children of another node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tree has no room for more nodes")
    }
}

impl std::error::Error for Full {}

/// The memory for a tree of so many MiB cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory(pub usize);

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a tree of {} MiB does not fit into memory", self.0)
    }
}

impl std::error::Error for OutOfMemory {}

impl<M: Copy, P: Payload> Tree<M, P> {
    /// What a node takes, in bytes.
    pub const NODE_BYTES: usize = size_of::<Node<M, P>>();

    /// An empty tree that will never take more than so many MiB.
    ///
    /// # Errors
    /// If they cannot be had.
    pub fn new(mib: usize) -> Result<Tree<M, P>, OutOfMemory> {
        let most = (mib.saturating_mul(1 << 20) / Self::NODE_BYTES).clamp(1, OVER as usize);
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(most).map_err(|_| OutOfMemory(mib))?;
        Ok(Tree { nodes, room: most, most, twins: HashMap::new(), stale: Vec::new() })
    }

    /// Begins again with a tree that is only a root.
    pub fn plant(&mut self, payload: P, over: bool) {
        self.nodes.clear();
        self.twins.clear();
        let first = if over { OVER } else { LEAF };
        self.nodes.push(Node { mv: None, first, parent: NodeId::ROOT, count: 0, payload });
    }

    /// How many nodes it has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing has been [planted](Self::plant).
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many nodes would fit into its memory.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Gives up room for so many nodes, for what others keep of the tree.
    pub(super) fn set_aside(&mut self, nodes: usize) {
        self.most = (self.room - nodes).max(1);
        if nodes == 0 {
            self.twins = HashMap::new(); // nothing is to be shared
        }
    }

    /// How many nodes there is room for.
    pub fn capacity(&self) -> usize {
        self.most
    }

    /// The nodes, in the order of their addition: parents before their children.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<M, P> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The move that leads to a node; the root has none.
    pub fn mv(&self, node: NodeId) -> Option<M> {
        self.nodes[node.index()].mv
    }

    /// What the algorithm keeps of a node.
    #[inline]
    pub fn payload(&self, node: NodeId) -> &P {
        &self.nodes[node.index()].payload
    }

    /// Whether the node has not been expanded, and the game goes on there.
    #[inline]
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.nodes[node.index()].first == LEAF
    }

    /// Whether the game is over at the node.
    #[inline]
    pub fn is_over(&self, node: NodeId) -> bool {
        self.nodes[node.index()].first == OVER
    }

    /// The children of a node, from left to right; none of a leaf.
    #[inline]
    pub fn children(
        &self,
        node: NodeId,
    ) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + Clone + use<M, P> {
        let Node { first, count, .. } = self.nodes[node.index()];
        (first..first.wrapping_add(u32::from(count))).map(NodeId)
    }

    /// Expands a leaf. Without children the game is over there, and its value this one, for the side to move.
    ///
    /// # Errors
    /// If there is no room; the leaf stays a leaf.
    pub fn expand(&mut self, leaf: NodeId, children: &[Child<M, P>], over: Score) -> Result<(), Full> {
        debug_assert!(self.is_leaf(leaf), "it has children already");
        if children.is_empty() {
            let node = &mut self.nodes[leaf.index()];
            (node.first, node.payload) = (OVER, P::over(over));
            return Ok(());
        }
        let count = u16::try_from(children.len()).map_err(|_| Full)?;
        if self.most - self.nodes.len() < children.len() {
            return Err(Full);
        }
        let first = self.nodes.len() as u32;
        self.nodes.extend(children.iter().map(|&Child { mv, payload, over }| Node {
            mv: Some(mv),
            first: if over { OVER } else { LEAF },
            parent: leaf,
            count: 0,
            payload,
        }));
        let node = &mut self.nodes[leaf.index()];
        (node.first, node.count) = (first, count);
        Ok(())
    }

    /// Gives a leaf the children of a node that has been expanded, is as far from the root, and from which the game goes on in the same way.
    ///
    /// # Errors
    /// If there is no room to note it: one node of eight may share its children. The leaf stays a leaf.
    pub fn share(&mut self, leaf: NodeId, twin: NodeId) -> Result<(), Full> {
        debug_assert!(self.is_leaf(leaf) && self.children(twin).len() > 0);
        if !self.may_share(1) {
            return Err(Full);
        }
        let Node { first, count, .. } = self.nodes[twin.index()];
        let node = &mut self.nodes[leaf.index()];
        (node.first, node.count) = (first, count);
        let next = self.twins.insert(twin, leaf).unwrap_or(twin);
        self.twins.insert(leaf, next);
        Ok(())
    }

    /// Whether there is room to note so many more leaves that share children.
    pub fn may_share(&self, leaves: usize) -> bool {
        self.twins.len() + 2 * leaves <= self.room / TWINS
    }

    /// How many nodes share their children with others.
    pub fn shared(&self) -> usize {
        self.twins.len()
    }

    /// The line from the root to a node, both named. Written to `line`.
    pub fn line_to(&self, node: NodeId, line: &mut Vec<NodeId>) {
        line.clear();
        line.extend(successors(Some(node), |&node| {
            (node != NodeId::ROOT).then(|| self.nodes[node.index()].parent)
        }));
        line.reverse();
    }

    /// Brings everything up to date that a change at `node` may change: the line to it, and where children are shared other lines, as far as
    /// anything changes. What is further from the root comes first.
    pub fn back_up(&mut self, node: NodeId) {
        let mut stale = take(&mut self.stale);
        stale.push(node);
        let mut next = 0;
        while let Some(&node) = stale.get(next) {
            next += 1;
            if node == NodeId::ROOT {
                self.refresh(node);
            } else if self.refresh(node) {
                let parent = self.nodes[node.index()].parent;
                let mut twin = parent;
                loop {
                    if !stale[next..].contains(&twin) {
                        stale.push(twin);
                    }
                    twin = self.twins.get(&twin).copied().unwrap_or(parent);
                    if twin == parent {
                        break;
                    }
                }
            }
        }
        stale.clear();
        self.stale = stale;
    }

    /// Computes a node's payload from those of its children, if it has any. Says whether it may have changed.
    fn refresh(&mut self, node: NodeId) -> bool {
        self.children(node).len() == 0 || self.update(node)
    }

    /// Computes a node's payload from those of its children. Says whether it has changed.
    fn update(&mut self, node: NodeId) -> bool {
        let Node { first, count, .. } = self.nodes[node.index()];
        let children = &self.nodes[first as usize..][..usize::from(count)];
        let payload = P::back_up(children.iter().map(|child| &child.payload));
        let changed = payload != self.nodes[node.index()].payload;
        self.nodes[node.index()].payload = payload;
        changed
    }

    /// Computes every payload from those of the leaves: what [`back_up`](Self::back_up) must have done already. Says whether
    /// anything has changed.
    pub fn recompute(&mut self) -> bool {
        let mut plies = vec![0; self.nodes.len()];
        for node in self.nodes().skip(1) {
            plies[node.index()] = 1 + plies[self.nodes[node.index()].parent.index()];
        }
        let mut nodes: Vec<NodeId> = self.nodes().filter(|&node| self.children(node).len() > 0).collect();
        nodes.sort_by_key(|node| std::cmp::Reverse(plies[node.index()]));
        let mut changed = false;
        for node in nodes {
            changed |= self.update(node);
        }
        changed
    }

    /// The best child: that of the least value for the side to move there, the leftmost of several.
    pub fn best_child(&self, node: NodeId) -> Option<NodeId> {
        self.children(node).min_by_key(|&child| self.payload(child).value())
    }

    /// The line of best moves from a node.
    pub fn best_line(&self, mut node: NodeId) -> Vec<M> {
        let mut line = Vec::new();
        while let Some(child) = self.best_child(node) {
            line.extend(self.mv(child));
            node = child;
        }
        line
    }
}

/// A [`Tree`] to be looked at, whatever is kept of its nodes. Values are seen by the side to move at the node.
pub trait Grown<M> {
    /// How many nodes it has.
    fn len(&self) -> usize;

    /// Whether nothing has been planted.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many nodes there is room for …
    fn capacity(&self) -> usize;

    /// … of so many bytes each.
    fn node_bytes(&self) -> usize;

    /// The most leaves that are [counted](Self::needed); 0 if none are.
    fn most(&self) -> usize;

    /// The move that leads to a node; the root has none.
    fn mv(&self, node: NodeId) -> Option<M>;

    /// Whether the game is over at the node.
    fn is_over(&self, node: NodeId) -> bool;

    /// The children of a node, from left to right; none of a leaf.
    fn children(&self, node: NodeId) -> Vec<NodeId>;

    /// The node's value.
    fn value(&self, node: NodeId) -> Score;

    /// What so many leaves could make of it ([`Payload::range`]).
    fn range(&self, node: NodeId, conspirators: usize) -> (Score, Score);

    /// How many leaves it takes to raise it to a value for one of the sides ([`Payload::needed`]).
    fn needed(&self, node: NodeId, side: Whose, value: Score) -> Option<usize>;
}

impl<M: Copy, P: Payload> Grown<M> for Tree<M, P> {
    fn len(&self) -> usize {
        self.len()
    }

    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn node_bytes(&self) -> usize {
        Self::NODE_BYTES
    }

    fn most(&self) -> usize {
        P::MOST
    }

    fn mv(&self, node: NodeId) -> Option<M> {
        self.mv(node)
    }

    fn is_over(&self, node: NodeId) -> bool {
        self.is_over(node)
    }

    fn children(&self, node: NodeId) -> Vec<NodeId> {
        self.children(node).collect()
    }

    fn value(&self, node: NodeId) -> Score {
        self.payload(node).value()
    }

    fn range(&self, node: NodeId, conspirators: usize) -> (Score, Score) {
        self.payload(node).range(conspirators)
    }

    fn needed(&self, node: NodeId, side: Whose, value: Score) -> Option<usize> {
        self.payload(node).needed(side, value)
    }
}
