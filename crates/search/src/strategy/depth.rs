//! The depths of a strategy: how many options its owner has along each line.
//!
//! *Reference:* McAllester & Yuret 1993, §5 (options, conspiracy depth) and §6 (adjusted conspiracy depth).
//! *Deviations:* the planned child is left out of its own options by its place, so that equal siblings count. Terminal
//! leaves are exact, hence infinitely deep, as in the search. S is rounded to a [`Depth`], move by move, as there.
//! *Soundness:* exact.

use super::{SearchTree, Strategy};
use crate::{Depth, Safety, Score};

/// Where a strategy is most easily defeated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weakest<N, D> {
    /// The depth of the shallowest leaf.
    pub depth: D,
    /// The line that leads to it: first the root, last the leaf; the leftmost of several.
    pub line: Vec<N>,
}

impl<N: Copy + Ord> Strategy<N> {
    /// O\[n, T\] for every node n, in the order of [`Strategy::nodes`]: the owner's children of n that are not planned and
    /// would hold the strategy's value v, being worth more than v − δ (less than v + δ, for MIN). None at leaves and at nodes
    /// of the other side.
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

    /// |O\[n, T\]| for every node n, in the order of [`Strategy::nodes`].
    pub fn options<T: SearchTree<Node = N>>(&self, tree: &T, margin: Score) -> Vec<usize> {
        self.option_nodes(tree, margin).iter().map(Vec::len).collect()
    }

    /// d\[m, T\] for every node m: how many options the owner has at his nodes above m.
    pub fn conspiracy_depths<T: SearchTree<Node = N>>(&self, tree: &T, margin: Score) -> Vec<usize> {
        self.depths(tree, margin, 0, |depth, options| depth + options)
    }

    /// D\[m, T\] for every node m: S of the number of options, summed over the owner's nodes above m.
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

    /// The leaf of least d; `None` if all leaves are terminal, so that nothing can defeat the strategy.
    pub fn shallowest<T: SearchTree<Node = N>>(&self, tree: &T, margin: Score) -> Option<Weakest<N, usize>> {
        self.least(tree, &self.conspiracy_depths(tree, margin))
    }

    /// The leaf of least D, whose depth is D\[T\]; `None` if all leaves are terminal, so that nothing can defeat the
    /// strategy.
    pub fn weakest<T: SearchTree<Node = N>>(
        &self,
        tree: &T,
        margin: Score,
        safety: &Safety,
    ) -> Option<Weakest<N, Depth>> {
        self.least(tree, &self.adjusted_depths(tree, margin, safety))
    }

    /// What `add` makes of the depth of the node above and the number of its options; those of the other side add nothing.
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
