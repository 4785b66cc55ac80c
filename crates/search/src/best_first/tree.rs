//! A game tree in memory.
//!
//! The nodes are stored in one block of memory. Its size is fixed before the search and never exceeded.
//! Nodes refer to each other by index. The children of a node are stored next to each other. A node has
//! either all of its children or none ("well-formed", McAllester 1988, §2). Nodes do not store
//! positions: to follow a line, a [`Line`](super::Line) plays its moves.
//!
//! Two nodes at the same distance from the root may [share](Tree::share) their children. Then the
//! structure is no longer a tree. Every node still has exactly one parent, the one under which it was
//! added, and therefore exactly one line.

use super::{Payload, Whose};
use crate::score::Score;
use std::collections::HashMap;
use std::fmt;
use std::iter::successors;
use std::mem::{size_of, take};

/// The index of a node in its [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// Returns the index. Nodes are numbered from 0 in the order in which they were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node: the move that leads to it, the place of its children, and the payload of the algorithm.
#[derive(Clone, Copy, Debug)]
struct Node<M, P> {
    mv: Option<M>,
    /// The index of the first child, or [`LEAF`], or [`OVER`].
    first: u32,
    /// The node under which this node was added. The root is its own parent.
    parent: NodeId,
    count: u16,
    payload: P,
}

/// One node of this many may share its children.
const TWINS: usize = 8;

/// The value of `first` for a leaf. 0 is free for this, because the root is nobody's child.
const LEAF: u32 = 0;
const OVER: u32 = u32::MAX;

/// A partial game tree, grown leaf by leaf, with a payload at every node.
#[derive(Clone, Debug)]
pub struct Tree<M, P> {
    nodes: Vec<Node<M, P>>,
    /// The number of nodes that fit into the memory, and the number that the tree may have.
    room: usize,
    most: usize,
    /// Links the nodes that share their children in a ring: maps each one to the next.
    twins: HashMap<NodeId, NodeId>,
    /// The nodes whose payloads have to be recomputed.
    stale: Vec<NodeId>,
}

/// A child to add: the move that leads to it, its payload, and whether the game is over there.
#[derive(Clone, Copy, Debug)]
pub struct Child<M, P> {
    /// The move that leads to it.
    pub mv: M,
    /// The payload of the algorithm.
    pub payload: P,
    /// Whether the game is over there. Such a node is never expanded.
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

/// A tree of this many MiB could not be allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory(pub usize);

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a tree of {} MiB does not fit into memory", self.0)
    }
}

impl std::error::Error for OutOfMemory {}

impl<M: Copy, P: Payload> Tree<M, P> {
    /// The size of a node in bytes.
    pub const NODE_BYTES: usize = size_of::<Node<M, P>>();

    /// Returns an empty tree that never takes more than this many MiB.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn new(mib: usize) -> Result<Tree<M, P>, OutOfMemory> {
        let most = (mib.saturating_mul(1 << 20) / Self::NODE_BYTES).clamp(1, OVER as usize);
        let mut nodes = Vec::new();
        nodes.try_reserve_exact(most).map_err(|_| OutOfMemory(mib))?;
        Ok(Tree { nodes, room: most, most, twins: HashMap::new(), stale: Vec::new() })
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.twins.clear();
    }

    /// Resets the tree to a root without children.
    pub fn plant(&mut self, payload: P, over: bool) {
        self.clear();
        let first = if over { OVER } else { LEAF };
        self.nodes.push(Node { mv: None, first, parent: NodeId::ROOT, count: 0, payload });
    }

    /// Returns the number of nodes in the tree.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree has no root yet (see [`plant`](Self::plant)).
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the number of nodes that fit into the tree's memory.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Gives up the room of this many nodes, so that the memory can be used for other tables about the
    /// tree.
    pub(super) fn set_aside(&mut self, nodes: usize) {
        self.most = (self.room - nodes).max(1);
        if nodes == 0 {
            self.twins = HashMap::new(); // nothing will be shared
        }
    }

    /// Returns the greatest number of nodes that the tree may have.
    pub fn capacity(&self) -> usize {
        self.most
    }

    /// Returns the nodes in the order in which they were added. Parents come before their children.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<M, P> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Returns the move that leads to a node. The root has none.
    pub fn mv(&self, node: NodeId) -> Option<M> {
        self.nodes[node.index()].mv
    }

    /// Returns the payload of a node.
    #[inline]
    pub fn payload(&self, node: NodeId) -> &P {
        &self.nodes[node.index()].payload
    }

    /// Replaces the payload of a node.
    pub(super) fn set_payload(&mut self, node: NodeId, payload: P) {
        self.nodes[node.index()].payload = payload;
    }

    /// Whether the node has not been expanded and the game goes on there.
    #[inline]
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.nodes[node.index()].first == LEAF
    }

    /// Whether the game is over at the node.
    #[inline]
    pub fn is_over(&self, node: NodeId) -> bool {
        self.nodes[node.index()].first == OVER
    }

    /// Returns the children of a node from left to right. A leaf has none.
    #[inline]
    pub fn children(
        &self,
        node: NodeId,
    ) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + Clone + use<M, P> {
        let Node { first, count, .. } = self.nodes[node.index()];
        (first..first.wrapping_add(u32::from(count))).map(NodeId)
    }

    /// Expands a leaf. If there are no children, the game is over there, and `over` is its value for the
    /// side to move.
    ///
    /// # Errors
    /// If there is not enough room. The leaf stays a leaf.
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

    /// Gives a leaf the children of an expanded node. That node must be at the same distance from the
    /// root, and the game must continue in the same way from both.
    ///
    /// # Errors
    /// If there is no room to record the sharing: one node of eight may share its children. The leaf
    /// stays a leaf.
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

    /// Whether there is room to record this many more leaves that share children.
    pub fn may_share(&self, leaves: usize) -> bool {
        self.twins.len() + 2 * leaves <= self.room / TWINS
    }

    /// Returns the number of nodes that share their children with other nodes.
    pub fn shared(&self) -> usize {
        self.twins.len()
    }

    /// Writes the line from the root to a node into `line`, both ends included.
    pub fn line_to(&self, node: NodeId, line: &mut Vec<NodeId>) {
        line.clear();
        line.extend(successors(Some(node), |&node| {
            (node != NodeId::ROOT).then(|| self.nodes[node.index()].parent)
        }));
        line.reverse();
    }

    /// Recomputes all payloads that a change at `node` may affect: those on the line to `node` and, where
    /// children are shared, those on other lines. It stops where nothing changes any more, but not at
    /// `node`, which may have been changed before. Nodes further from the root are recomputed first.
    pub fn back_up(&mut self, node: NodeId) {
        let mut stale = take(&mut self.stale);
        stale.push(node);
        let mut next = 0;
        while let Some(&node) = stale.get(next) {
            next += 1;
            if node == NodeId::ROOT {
                self.refresh(node);
            } else if self.refresh(node) || next == 1 {
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

    /// Recomputes a node's payload from those of its children, if it has any. Returns whether the
    /// payload may have changed.
    fn refresh(&mut self, node: NodeId) -> bool {
        self.children(node).len() == 0 || self.update(node)
    }

    /// Recomputes a node's payload from those of its children. Returns whether the payload has changed.
    fn update(&mut self, node: NodeId) -> bool {
        let Node { first, count, .. } = self.nodes[node.index()];
        let children = &self.nodes[first as usize..][..usize::from(count)];
        let before = &self.nodes[node.index()].payload;
        let payload = before.renewed(children.iter().map(|child| &child.payload));
        let changed = payload != *before;
        self.nodes[node.index()].payload = payload;
        changed
    }

    /// Returns the range of values that the finished games in the tree leave to each node, whatever the
    /// open leaves are worth.
    pub(super) fn proven_ranges(&self) -> Vec<(Score, Score)> {
        let mut ranges = vec![(-Score::INFINITE, Score::INFINITE); self.nodes.len()];
        for node in self.nodes().filter(|&node| self.is_over(node)) {
            let value = self.payload(node).value();
            ranges[node.index()] = (value, value);
        }
        for node in self.deepest_first() {
            let children = self.children(node).map(|child| ranges[child.index()]);
            let worst = (-Score::INFINITE, -Score::INFINITE);
            ranges[node.index()] = children
                .fold(worst, |(least, greatest), child| (least.max(-child.1), greatest.max(-child.0)));
        }
        ranges
    }

    /// Returns the nodes that have children, those furthest from the root first.
    fn deepest_first(&self) -> Vec<NodeId> {
        let mut plies = vec![0; self.nodes.len()];
        for node in self.nodes().skip(1) {
            plies[node.index()] = 1 + plies[self.nodes[node.index()].parent.index()];
        }
        let mut nodes: Vec<NodeId> = self.nodes().filter(|&node| self.children(node).len() > 0).collect();
        nodes.sort_by_key(|node| std::cmp::Reverse(plies[node.index()]));
        nodes
    }

    /// Recomputes every payload from those of the leaves. After correct calls of
    /// [`back_up`](Self::back_up) this changes nothing. Returns whether anything has changed.
    pub fn recompute(&mut self) -> bool {
        let mut changed = false;
        for node in self.deepest_first() {
            changed |= self.update(node);
        }
        changed
    }

    /// Returns the best child ([`Payload::best`]).
    pub fn best_child(&self, node: NodeId) -> Option<NodeId> {
        let best = P::best(self.children(node).map(|child| self.payload(child)))?;
        self.children(node).nth(best)
    }

    /// Returns the line of best moves from a node.
    pub fn best_line(&self, mut node: NodeId) -> Vec<M> {
        let mut line = Vec::new();
        while let Some(child) = self.best_child(node) {
            line.extend(self.mv(child));
            node = child;
        }
        line
    }
}

/// A read-only view of a [`Tree`] with any payload. Values are from the point of view of the side to
/// move at the node.
pub trait Grown<M> {
    /// Returns the number of nodes in the tree.
    fn len(&self) -> usize;

    /// Whether the tree has no root yet.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the greatest number of nodes that the tree may have.
    fn capacity(&self) -> usize;

    /// Returns the size of a node in bytes.
    fn node_bytes(&self) -> usize;

    /// Returns the greatest number of leaves that are [counted](Self::needed); 0 if leaves are not
    /// counted.
    fn most(&self) -> usize;

    /// Returns the move that leads to a node. The root has none.
    fn mv(&self, node: NodeId) -> Option<M>;

    /// Whether the game is over at the node.
    fn is_over(&self, node: NodeId) -> bool;

    /// Returns the children of a node from left to right. A leaf has none.
    fn children(&self, node: NodeId) -> Vec<NodeId>;

    /// Returns the value of the node.
    fn value(&self, node: NodeId) -> Score;

    /// Returns the range of values that this many leaves could give the node ([`Payload::range`]).
    fn range(&self, node: NodeId, conspirators: usize) -> (Score, Score);

    /// Returns how many leaves must change to raise the node to a value for one of the sides
    /// ([`Payload::needed`]).
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
