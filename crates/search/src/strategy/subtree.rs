//! A part of a tree: some of its nodes.

use super::{SearchTree, Side};
use crate::Score;
use std::collections::BTreeSet;

/// The nodes of a tree that belong to a set, which leads to them from the root without gaps: a strategy, its augmentation, or
/// what a search has visited.
///
/// A node none of whose children belongs to it is a leaf.
#[derive(Clone, Debug)]
pub struct Subtree<'t, T: SearchTree> {
    tree: &'t T,
    nodes: BTreeSet<T::Node>,
}

impl<'t, T: SearchTree> Subtree<'t, T> {
    /// These nodes of `tree`. The root is always one of them; a node whose parent is not among them is out of reach.
    pub fn new(tree: &'t T, nodes: impl IntoIterator<Item = T::Node>) -> Subtree<'t, T> {
        Subtree { tree, nodes: nodes.into_iter().chain([tree.root()]).collect() }
    }

    /// The nodes.
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
