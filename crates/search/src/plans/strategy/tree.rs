//! Trees with a static value at every node.

use super::Side;
use crate::score::Score;

/// A partially expanded game tree. Values are from MAX's point of view. MAX usually moves at the root,
/// but not necessarily.
///
/// A node without children is a leaf. If it is not terminal, the game goes on there and its value is an
/// estimate.
pub trait SearchTree {
    /// The identifier of a node. It must be unique.
    type Node: Copy + Ord;

    /// Returns the root.
    fn root(&self) -> Self::Node;

    /// Returns the children from left to right. The tree must have finitely many nodes.
    fn children(&self, node: Self::Node) -> impl Iterator<Item = Self::Node>;

    /// Returns the static value s of a node.
    fn static_value(&self, node: Self::Node) -> Score;

    /// Returns the side to move at a node.
    fn mover(&self, node: Self::Node) -> Side;

    /// Whether the game is over at a node, so that its value is exact. Such a node has no children.
    fn is_terminal(&self, node: Self::Node) -> bool;
}

/// Computes a quantity of the root. `quantity` computes that of each node from those of its children,
/// from left to right. For a leaf the list is empty.
///
/// The function uses an explicit stack, so that a tree may be as deep as memory allows.
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

/// V\[T\]: returns the minimax value. This is the static value of a leaf, the greatest value of the
/// children of a max node, and the least value of the children of a min node (§2).
pub fn minimax_value<T: SearchTree>(tree: &T) -> Score {
    fold(tree, |node, children: Vec<Score>| match children.is_empty() {
        true => tree.static_value(node),
        false => tree.mover(node).best(children),
    })
}
