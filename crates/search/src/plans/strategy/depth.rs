//! The depths of a strategy: counts the options of its owner along each line.
//!
//! *Reference:* McAllester & Yuret 1993, §5 (options, conspiracy depth) and §6 (adjusted conspiracy depth).
//! *Deviations:* the planned child is excluded from its own options by its place, so that siblings of equal
//! value count. Terminal leaves are exact and therefore infinitely deep, as in the search. A terminal option
//! counts like any other, though it makes the plan safe there for certain. S is rounded to a [`Depth`] for
//! every move, as in the search.
//! *Soundness:* exact.

use super::{SearchTree, Strategy};
use crate::alpha_beta::horizon::Safety;
use crate::depth::Depth;
use crate::score::Score;

/// The leaf where a strategy is most easily defeated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weakest<N, D> {
    /// The depth of the shallowest leaf.
    pub depth: D,
    /// The line from the root to the leaf, the leftmost of equals.
    pub line: Vec<N>,
}

impl<N: Copy + Ord> Strategy<N> {
    /// O\[n, T\]: returns the options of every node n, in the order of [`Strategy::nodes`]. These are
    /// the owner's children of n that are not planned but would hold the strategy's value v, because
    /// they are worth more than v − δ (less than v + δ, for MIN). Leaves and nodes of the other side
    /// have no options.
    pub fn option_nodes<T: SearchTree<Node = N>>(&self, tree: &T, margin: Score) -> Vec<Vec<N>> {
        let limit = self.owner().limit(self.value(tree), margin);
        let mut options = vec![Vec::new(); self.places.len()];
        for place in &self.places {
            let Some(parent) = place.parent.filter(|at| tree.mover(self.places[*at].node) == self.owner())
            else {
                continue;
            };
            let holds =
                |child: &N| *child != place.node && !self.owner().fails(tree.static_value(*child), limit);
            options[parent] = tree.children(self.places[parent].node).filter(holds).collect();
        }
        options
    }

    /// |O\[n, T\]|: returns the number of options of every node n, in the order of [`Strategy::nodes`].
    pub fn options<T: SearchTree<Node = N>>(&self, tree: &T, margin: Score) -> Vec<usize> {
        self.option_nodes(tree, margin).iter().map(Vec::len).collect()
    }

    /// d\[m, T\]: returns for every node m how many options the owner has at his nodes above m.
    pub fn conspiracy_depths<T: SearchTree<Node = N>>(&self, tree: &T, margin: Score) -> Vec<usize> {
        self.depths(tree, margin, 0, |depth, options| depth + options)
    }

    /// D\[m, T\]: returns for every node m the sum of S of the number of options, over the owner's nodes
    /// above m.
    pub fn adjusted_depths<T: SearchTree<Node = N>>(
        &self,
        tree: &T,
        margin: Score,
        safety: &Safety,
    ) -> Vec<Depth> {
        let add =
            |depth: Depth, options| Depth(depth.0.saturating_add(Depth::from_f64(safety.of(options)).0));
        self.depths(tree, margin, Depth::ZERO, add)
    }

    /// Returns the leaf of least d; `None` if all leaves are terminal, so that nothing can defeat the
    /// strategy.
    pub fn shallowest<T: SearchTree<Node = N>>(&self, tree: &T, margin: Score) -> Option<Weakest<N, usize>> {
        self.least(tree, &self.conspiracy_depths(tree, margin))
    }

    /// Returns the leaf of least D, whose depth is D\[T\]; `None` if all leaves are terminal, so that
    /// nothing can defeat the strategy.
    pub fn weakest<T: SearchTree<Node = N>>(
        &self,
        tree: &T,
        margin: Score,
        safety: &Safety,
    ) -> Option<Weakest<N, Depth>> {
        self.least(tree, &self.adjusted_depths(tree, margin, safety))
    }

    /// Computes the depth of every node. `add` combines the depth of an owner's node with the number of
    /// its options. Nodes of the other side add nothing.
    fn depths<T: SearchTree<Node = N>, D: Copy>(
        &self,
        tree: &T,
        margin: Score,
        root: D,
        add: impl Fn(D, usize) -> D,
    ) -> Vec<D> {
        let options = self.options(tree, margin);
        let mut depths: Vec<D> = Vec::with_capacity(self.places.len());
        for place in &self.places {
            depths.push(match place.parent {
                None => root,
                Some(parent) if tree.mover(self.places[parent].node) == self.owner() => {
                    add(depths[parent], options[parent])
                }
                Some(parent) => depths[parent],
            });
        }
        depths
    }

    fn least<T: SearchTree<Node = N>, D: Copy + Ord>(&self, tree: &T, depths: &[D]) -> Option<Weakest<N, D>> {
        let leaves = (0..self.places.len()).filter(|at| self.places[*at].leaf);
        let leaf =
            leaves.filter(|at| !tree.is_terminal(self.places[*at].node)).min_by_key(|at| depths[*at])?;
        let line = std::iter::successors(Some(leaf), |at| self.places[*at].parent);
        let mut line: Vec<N> = line.map(|at| self.places[at].node).collect();
        line.reverse();
        Some(Weakest { depth: depths[leaf], line })
    }
}
