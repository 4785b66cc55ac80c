//! A subtree: some of the nodes of a tree.

use super::{SearchTree, Side};
use crate::score::Score;
use std::collections::BTreeSet;

/// The nodes of a tree that belong to a set. The set must reach its nodes from the root without gaps:
/// for example a strategy, its augmentation, or what a search has visited.
///
/// A node is a leaf if none of its children belongs to the set.
#[derive(Clone, Debug)]
pub struct Subtree<'t, T: SearchTree> {
    tree: &'t T,
    nodes: BTreeSet<T::Node>,
}

impl<'t, T: SearchTree> Subtree<'t, T> {
    /// Creates the subtree of these nodes of `tree`. The root always belongs to it. A node whose parent
    /// does not belong to it cannot be reached.
    pub fn new(tree: &'t T, nodes: impl IntoIterator<Item = T::Node>) -> Subtree<'t, T> {
        Subtree { tree, nodes: nodes.into_iter().chain([tree.root()]).collect() }
    }

    /// Returns the nodes.
    pub fn nodes(&self) -> &BTreeSet<T::Node> {
        &self.nodes
    }
}

impl<T: SearchTree> SearchTree for Subtree<'_, T> {
    type Node = T::Node;

    fn root(&self) -> T::Node {
        self.tree.root()
    }

    fn children(&self, node: T::Node) -> impl Iterator<Item = T::Node> {
        self.tree.children(node).filter(|child| self.nodes.contains(child))
    }

    fn static_value(&self, node: T::Node) -> Score {
        self.tree.static_value(node)
    }

    fn mover(&self, node: T::Node) -> Side {
        self.tree.mover(node)
    }

    fn is_terminal(&self, node: T::Node) -> bool {
        self.tree.is_terminal(node)
    }
}
