//! Strategies: plans of one side against every reply of the other.
//!
//! *Reference:* McAllester & Yuret 1993, §4. The best strategy is T_max, or T_min, of the appendix.
//! *Deviations:* none.
//! *Soundness:* exact.

use super::{Conspirators, SearchTree, Side, Subtree, conspirators, fold, minimax_value};
use crate::Score;
use std::collections::BTreeMap;

/// A strategy: at every internal node of its owner one child, the planned move; at every internal node of the
/// other side all children.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy<N> {
    owner: Side,
    /// Parents before children, left before right.
    pub(super) places: Vec<Place<N>>,
}

/// A node of a strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place<N> {
    pub node: N,
    /// Index of the place above.
    pub parent: Option<usize>,
    pub leaf: bool,
}

impl<N: Copy + Ord> Strategy<N> {
    /// The plan of `owner` in which he answers each node of his with one of the children that `plan` is shown; where it names
    /// none of them, the plan ends.
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

    /// Whose plan it is.
    pub fn owner(&self) -> Side {
        self.owner
    }

    /// Its nodes, parents before children and left before right.
    pub fn nodes(&self) -> impl Iterator<Item = N> {
        self.places.iter().map(|place| place.node)
    }

    /// Its leaves, from left to right.
    pub fn leaves(&self) -> impl Iterator<Item = N> {
        self.places.iter().filter(|place| place.leaf).map(|place| place.node)
    }

    /// What it is worth if the other side does its best against it: the worst of its leaves, for the owner.
    pub fn value<T: SearchTree<Node = N>>(&self, tree: &T) -> Score {
        self.owner.other().best(self.leaves().map(|leaf| tree.static_value(leaf)))
    }

    /// The strategy as a tree. It has the strategy's value.
    pub fn subtree<'t, T: SearchTree<Node = N>>(&self, tree: &'t T) -> Subtree<'t, T> {
        Subtree::new(tree, self.nodes())
    }

    /// A\[T\]: the strategy with all children of the owner's internal nodes. Those that are not planned are leaves.
    pub fn augmentation<'t, T: SearchTree<Node = N>>(&self, tree: &'t T) -> Subtree<'t, T> {
        let internal = self.places.iter().filter(|place| !place.leaf);
        Subtree::new(tree, internal.flat_map(|place| tree.children(place.node)))
    }

    /// C_max\[T\], or C_min\[T\]: the fewest leaves of the augmentation that must change to bring its value down to that of
    /// the *strategy* less δ (up to it and δ more, for MIN).
    pub fn conspiracy_number<T: SearchTree<Node = N>>(&self, tree: &T, margin: Score) -> Conspirators {
        let limit = self.owner.limit(self.value(tree), margin);
        conspirators(&self.augmentation(tree), self.owner, limit)
    }

    /// Whether `tree` contains this strategy: all its nodes, and each of its leaves as a leaf (§7). A tree *establishes* v if it
    /// contains a strategy of either side, both of value v.
    pub fn is_contained_in<T: SearchTree<Node = N>>(&self, tree: &Subtree<'_, T>) -> bool {
        let leaf = |node| tree.children(node).next().is_none();
        self.places
            .iter()
            .all(|place| tree.nodes().contains(&place.node) && (!place.leaf || leaf(place.node)))
    }
}

/// The strategy of a tree that is worth most to its owner, V\[T\]: at each of his nodes the child of the best minimax value, the
/// first of several (appendix).
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
