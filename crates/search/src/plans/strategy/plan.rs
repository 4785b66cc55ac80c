//! Strategies: plans of one side against every reply of the other side.
//!
//! *Reference:* McAllester & Yuret 1993, §4. The best strategy is T_max, or T_min, of the appendix.
//! *Deviations:* none.
//! *Soundness:* exact.

use super::{Conspirators, SearchTree, Side, Subtree, conspirators, fold, minimax_value};
use crate::score::Score;
use std::collections::BTreeMap;

/// A strategy: one child, the planned move, at every internal node of the owner, and all children at
/// every internal node of the other side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy<N> {
    owner: Side,
    /// The nodes, parents before children and left before right.
    pub(super) places: Vec<Place<N>>,
}

/// A node of a strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place<N> {
    pub node: N,
    /// The index of the parent's place.
    pub parent: Option<usize>,
    pub leaf: bool,
}

impl<N: Copy + Ord> Strategy<N> {
    /// Creates a strategy of `owner`. At each of the owner's nodes, `plan` chooses one of the children
    /// that it is given. If it chooses none of them, the plan ends there.
    pub fn new<T: SearchTree<Node = N>>(
        tree: &T,
        owner: Side,
        mut plan: impl FnMut(N, &[N]) -> Option<N>,
    ) -> Strategy<N> {
        let mut places = Vec::new();
        let mut open = vec![(tree.root(), None)];
        while let Some((node, parent)) = open.pop() {
            let mut children: Vec<N> = tree.children(node).collect();
            if tree.mover(node) == owner && !children.is_empty() {
                let planned = plan(node, &children);
                children.retain(|child| Some(*child) == planned);
            }
            open.extend(children.iter().rev().map(|child| (*child, Some(places.len()))));
            places.push(Place { node, parent, leaf: children.is_empty() });
        }
        Strategy { owner, places }
    }

    /// Returns the side whose plan it is.
    pub fn owner(&self) -> Side {
        self.owner
    }

    /// Returns the nodes of the strategy, parents before children and left before right.
    pub fn nodes(&self) -> impl Iterator<Item = N> {
        self.places.iter().map(|place| place.node)
    }

    /// Returns the leaves of the strategy from left to right.
    pub fn leaves(&self) -> impl Iterator<Item = N> {
        self.places.iter().filter(|place| place.leaf).map(|place| place.node)
    }

    /// Returns the value of the strategy if the other side plays best against it: the worst of its
    /// leaves for the owner.
    pub fn value<T: SearchTree<Node = N>>(&self, tree: &T) -> Score {
        self.owner.other().best(self.leaves().map(|leaf| tree.static_value(leaf)))
    }

    /// Returns the strategy as a tree. The tree has the strategy's value.
    pub fn subtree<'t, T: SearchTree<Node = N>>(&self, tree: &'t T) -> Subtree<'t, T> {
        Subtree::new(tree, self.nodes())
    }

    /// A\[T\]: returns the strategy with all children of the owner's internal nodes. Children that are
    /// not planned are leaves.
    pub fn augmentation<'t, T: SearchTree<Node = N>>(&self, tree: &'t T) -> Subtree<'t, T> {
        let internal = self.places.iter().filter(|place| !place.leaf);
        Subtree::new(tree, internal.flat_map(|place| tree.children(place.node)))
    }

    /// C_max\[T\] or C_min\[T\]: returns the fewest leaves of the augmentation that must change to bring
    /// its value down to the value of the *strategy* minus δ (for MIN: up to its value plus δ).
    pub fn conspiracy_number<T: SearchTree<Node = N>>(&self, tree: &T, margin: Score) -> Conspirators {
        let limit = self.owner.limit(self.value(tree), margin);
        conspirators(&self.augmentation(tree), self.owner, limit)
    }

    /// Whether `tree` contains this strategy: all of its nodes, and each of its leaves as a leaf (§7). A
    /// tree *establishes* v if it contains a strategy of each side, both with the value v.
    pub fn is_contained_in<T: SearchTree<Node = N>>(&self, tree: &Subtree<'_, T>) -> bool {
        let leaf = |node| tree.children(node).next().is_none();
        self.places
            .iter()
            .all(|place| tree.nodes().contains(&place.node) && (!place.leaf || leaf(place.node)))
    }
}

/// Returns the strategy of a tree that is worth most to its owner, V\[T\]. At each of the owner's nodes
/// it plans the child of the best minimax value, the first of equals (appendix).
pub fn best_strategy<T: SearchTree>(tree: &T, owner: Side) -> Strategy<T::Node> {
    let mut best = BTreeMap::new();
    fold(tree, |node, children: Vec<(T::Node, Score)>| {
        let value = tree.mover(node).best(children.iter().map(|(_, value)| *value));
        match children.iter().find(|(_, found)| *found == value) {
            Some((child, _)) => {
                best.insert(node, *child);
                (node, value)
            }
            None => (node, tree.static_value(node)),
        }
    });
    let strategy = Strategy::new(tree, owner, |node, _| best.get(&node).copied());
    debug_assert_eq!(strategy.value(tree), minimax_value(tree));
    strategy
}
