//! Trees with a static value at every node.

use super::Side;
use crate::Score;

/// A partially expanded game tree. Values are seen by MAX; usually, but not necessarily, he moves at the root.
///
/// A node without children is a leaf. If it is not terminal, the game goes on there, and its value is an estimate.
pub trait SearchTree {
    /// Names a node; no two nodes have the same name.
    type Node: Copy + Ord;

    /// Where the tree begins.
    fn root(&self) -> Self::Node;

    /// The children, from left to right. There are finitely many nodes.
    fn children(&self, node: Self::Node) -> impl Iterator<Item = Self::Node>;

    /// The static value s.
    fn static_value(&self, node: Self::Node) -> Score;

    /// The side to move.
    fn mover(&self, node: Self::Node) -> Side;

    /// Whether the game is over here, so that the value is exact. Such a node has no children.
    fn is_terminal(&self, node: Self::Node) -> bool;
}

/// A quantity of the root that every node has by those of its children, from left to right. A leaf is given none.
///
/// Nodes wait on a stack of their own, so that a tree may be as deep as memory allows.
pub fn fold<T: SearchTree, V>(tree: &T, mut quantity: impl FnMut(T::Node, Vec<V>) -> V) -> V {
    let enter = |node| (node, tree.children(node), Vec::new());
    let mut above = Vec::new();
    let (mut node, mut children, mut below) = enter(tree.root());
    loop {
        if let Some(child) = children.next() {
            above.push((node, children, below));
            (node, children, below) = enter(child);
            continue;
        }
        let found = quantity(node, below);
        match above.pop() {
            Some(parent) => (node, children, below) = parent,
            None => return found,
        }
        below.push(found);
    }
}

/// V\[T\]: the static value of a leaf; the greatest value of the children of a max node, the least of those of a min node
/// (§2).
pub fn minimax_value<T: SearchTree>(tree: &T) -> Score {
    fold(tree, |node, children: Vec<Score>| match children.is_empty() {
        true => tree.static_value(node),
        false => tree.mover(node).best(children),
    })
}
