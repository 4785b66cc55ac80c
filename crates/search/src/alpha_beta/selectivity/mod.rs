//! Selectivity: searching less, or more, than the depth rule says.
//!
//! None of these preserves the minimax value. Each is a bet, with its worth measured by ablation. They are
//! one group of slots ([`Selectivity`]), so that a recipe without any says so once.

mod exchange_pruning;
mod fail_high_singular;
mod futility;
mod history_pruning;
mod internal_reduction;
mod k_best;
mod late_move_pruning;
mod late_move_reduction;
mod noisy_only;
mod null_move;
mod prob_cut;
mod razoring;
mod reverse_futility;
mod singular;
mod switches;

pub use exchange_pruning::ExchangePruning;
pub use fail_high_singular::FailHighSingular;
pub use futility::Futility;
pub use history_pruning::HistoryPruning;
pub use internal_reduction::InternalReduction;
pub use k_best::KBest;
pub use late_move_pruning::LateMovePruning;
pub use late_move_reduction::LateMoveReduction;
pub use noisy_only::NoisyOnly;
pub use null_move::NullMove;
pub use prob_cut::ProbCut;
pub use razoring::Razoring;
pub use reverse_futility::ReverseFutility;
pub use singular::Singular;

use super::memory::Hit;
use super::node::{Candidate, Node};
use crate::component::{Component, Off, Visitor};
use crate::depth::Depth;
use crate::game::{Evaluate, Game};
use crate::score::Score;

/// Names a type for every slot of selectivity, in the order in which a node visits them.
pub trait Selectivity<G: Game> {
    /// A shallower search of nodes for which the memory names no move.
    type InternalReduction: ReduceNode<G>;
    /// A fail-high at once where the static value is far above β.
    type ReverseFutility: Prune<G>;
    /// A drop into quiescence where the static value is far below α.
    type Razoring: Prune<G>;
    /// The null move.
    type NullMove: Passing<G>;
    /// A fail-high by a few moves that beat β clearly in a shallower search.
    type ProbCut: Confirm<G>;
    /// Leaves out moves that come late.
    type LateMovePruning: Skip<G>;
    /// Leaves out quiet moves where the static value is far below α.
    type Futility: Skip<G>;
    /// Leaves out moves that lose an exchange.
    type ExchangePruning: Skip<G>;
    /// Extends a move that is much better than the others.
    type Extend: Extend<G>;
    /// Searches late moves to a smaller depth first.
    type LateMoveReduction: Reduce<G>;
}

/// Nothing selective.
impl<G: Game> Selectivity<G> for Off {
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type ProbCut = Off;
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
}

/// Searches a node to less depth.
pub trait ReduceNode<G: Game>: Component + Default {
    /// Whether [`Node::static_eval`] and [`Node::improving`] are used.
    const USES_STATIC_EVAL: bool = false;

    /// By how much.
    #[inline]
    fn reduction(&self, node: &Node<'_, G>) -> Depth {
        let _ = node;
        Depth::ZERO
    }
}

/// Ends a node by its static value, or doubts it.
pub trait Prune<G: Game>: Component + Default {
    /// Whether [`Node::static_eval`] and [`Node::improving`] are used.
    const USES_STATIC_EVAL: bool = true;

    /// The value, if the node can be pruned.
    #[inline]
    fn prune(&self, node: &Node<'_, G>) -> Option<Score> {
        let _ = node;
        None
    }
}

/// Tries to fail high by passing.
pub trait Passing<G: Game>: Component + Default {
    /// Whether [`Node::static_eval`] and [`Node::improving`] are used.
    const USES_STATIC_EVAL: bool = true;

    /// The position after the pass and the reduction besides the pass's own ply, if a pass is worth trying.
    #[inline]
    fn pass(&self, node: &Node<'_, G>) -> Option<(G, Depth)> {
        let _ = node;
        None
    }

    /// Whether a pass that failed high counts only if a search without it, reduced alike, fails high too.
    #[inline]
    fn verifies(&self, node: &Node<'_, G>) -> bool {
        let _ = node;
        false
    }
}

/// Tries to fail high by a few moves that are searched to less depth and must beat β by a margin.
pub trait Confirm<G: Game>: Component + Default {
    /// Whether [`Node::static_eval`] and [`Node::improving`] are used.
    const USES_STATIC_EVAL: bool = true;

    /// What a move must reach, if it is worth trying. `hit` is what the memory knows of the node.
    #[inline]
    fn confirmation(&self, node: &Node<'_, G>, hit: &Hit) -> Option<Confirmation> {
        let _ = (node, hit);
        None
    }

    /// Appends the moves that are tried, in this order.
    fn list(&self, node: &Node<'_, G>, target: Score, moves: &mut Vec<G::Move>) {
        let _ = (node, target, moves);
    }
}

/// A question of [`Confirm`]: does a move reach `target` at the horizon, and then in a shallower search?
#[derive(Clone, Copy, Debug)]
pub struct Confirmation {
    /// The value to reach, at least β.
    pub target: Score,
    /// How much shallower.
    pub reduction: Depth,
}

/// Leaves out moves without searching them.
pub trait Skip<G: Game>: Component + Default {
    /// Whether [`Node::static_eval`] and [`Node::improving`] are used.
    const USES_STATIC_EVAL: bool = true;

    /// Removes from `moves`, from `first` on, what need not even be ranked. Called before any move of the
    /// node is tried, with all of them in view, and not at the root. At least one must remain. Returns
    /// whether it has removed a move that might not lose: then no loss of the node is proven.
    #[inline]
    fn select(
        &self,
        node: &Node<'_, G>,
        moves: &mut Vec<G::Move>,
        first: usize,
        evaluate: &mut impl Evaluate<G>,
    ) -> bool {
        let _ = (node, moves, first, evaluate);
        false
    }

    /// Whether to leave out this move, or this one and all quiet ones after it.
    #[inline]
    fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        let _ = (node, candidate, noisy);
        Skipped::No
    }
}

/// What [`Skip::skip`] answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skipped {
    /// Search it.
    No,
    /// Leave it out.
    This,
    /// Leave it out, and all quiet moves after it.
    Quiet,
}

/// Asks whether a move is much better than all others.
pub trait Extend<G: Game>: Component + Default {
    /// Whether [`Extend::verify`] is asked.
    const VERIFIES: bool = false;

    /// The test of the move that the memory names, before any move is tried, if one is worth making.
    #[inline]
    fn test(&self, node: &Node<'_, G>, hit: &Hit) -> Option<Singularity> {
        let _ = (node, hit);
        None
    }

    /// The test of a move that was searched and is worth more than α, if one is worth making. The others are
    /// then searched one by one.
    #[inline]
    fn verify(&self, node: &Node<'_, G>, value: Score) -> Option<Singularity> {
        let _ = (node, value);
        None
    }
}

/// A test of [`Extend`]: do all other moves stay below `target` in a shallower search?
#[derive(Clone, Copy, Debug)]
pub struct Singularity {
    /// The value that the others must not reach.
    pub target: Score,
    /// How much shallower.
    pub reduction: Depth,
    /// What the move gains in depth if it is singular …
    pub extension: Depth,
    /// … and by how much the others must miss the target for it to gain that twice.
    pub double_margin: Score,
    /// What the move that the memory names loses in depth if others reach the target.
    pub shortening: Depth,
}

/// Searches late moves to a smaller depth first.
pub trait Reduce<G: Game>: Component + Default {
    /// Whether [`Node::static_eval`] and [`Node::improving`] are used.
    const USES_STATIC_EVAL: bool = true;

    /// A search begins: prepares what depends on the parameters.
    fn start(&mut self) {}

    /// By how much.
    #[inline]
    fn reduction(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool, child: &G) -> Depth {
        let _ = (node, candidate, noisy, child);
        Depth::ZERO
    }

    /// By how much the full search of a move is deeper than usual, after its search with this reduction has
    /// had a `value` above `alpha`.
    #[inline]
    fn again(&self, reduction: Depth, value: Score, alpha: Score) -> Depth {
        let _ = (reduction, value, alpha);
        Depth::ZERO
    }
}

impl<G: Game> ReduceNode<G> for Off {}
impl<G: Game> Prune<G> for Off {
    const USES_STATIC_EVAL: bool = false;
}
impl<G: Game> Passing<G> for Off {
    const USES_STATIC_EVAL: bool = false;
}
impl<G: Game> Confirm<G> for Off {
    const USES_STATIC_EVAL: bool = false;
}
impl<G: Game> Skip<G> for Off {
    const USES_STATIC_EVAL: bool = false;
}
impl<G: Game> Extend<G> for Off {}
impl<G: Game> Reduce<G> for Off {
    const USES_STATIC_EVAL: bool = false;
}

/// The components of a [`Selectivity`], in its slots.
#[allow(missing_docs)] // each slot is documented at `Selectivity`
pub struct Selectors<G: Game, S: Selectivity<G>> {
    pub internal_reduction: S::InternalReduction,
    pub reverse_futility: S::ReverseFutility,
    pub razoring: S::Razoring,
    pub null_move: S::NullMove,
    pub prob_cut: S::ProbCut,
    pub late_move_pruning: S::LateMovePruning,
    pub futility: S::Futility,
    pub exchange_pruning: S::ExchangePruning,
    pub extend: S::Extend,
    pub late_move_reduction: S::LateMoveReduction,
}

impl<G: Game, S: Selectivity<G>> Default for Selectors<G, S> {
    fn default() -> Self {
        Selectors {
            internal_reduction: Default::default(),
            reverse_futility: Default::default(),
            razoring: Default::default(),
            null_move: Default::default(),
            prob_cut: Default::default(),
            late_move_pruning: Default::default(),
            futility: Default::default(),
            exchange_pruning: Default::default(),
            extend: Default::default(),
            late_move_reduction: Default::default(),
        }
    }
}

impl<G: Game, S: Selectivity<G>> Selectors<G, S> {
    /// Whether any component uses the static value of interior nodes.
    pub(crate) const USES_STATIC_EVAL: bool = S::InternalReduction::USES_STATIC_EVAL
        || S::ReverseFutility::USES_STATIC_EVAL
        || S::Razoring::USES_STATIC_EVAL
        || S::NullMove::USES_STATIC_EVAL
        || S::ProbCut::USES_STATIC_EVAL
        || S::LateMovePruning::USES_STATIC_EVAL
        || S::Futility::USES_STATIC_EVAL
        || S::ExchangePruning::USES_STATIC_EVAL
        || S::LateMoveReduction::USES_STATIC_EVAL;

    pub(crate) fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.internal_reduction.visit(visitor);
        self.reverse_futility.visit(visitor);
        self.razoring.visit(visitor);
        self.null_move.visit(visitor);
        self.prob_cut.visit(visitor);
        self.late_move_pruning.visit(visitor);
        self.futility.visit(visitor);
        self.exchange_pruning.visit(visitor);
        self.extend.visit(visitor);
        self.late_move_reduction.visit(visitor);
    }

    /// Removes what the components see no use in ranking from the moves of a node, from `first` on. Returns
    /// whether one of them might not lose.
    #[inline]
    pub(crate) fn select(
        &self,
        node: &Node<'_, G>,
        moves: &mut Vec<G::Move>,
        first: usize,
        evaluate: &mut impl Evaluate<G>,
    ) -> bool {
        self.late_move_pruning.select(node, moves, first, evaluate)
            | self.futility.select(node, moves, first, evaluate)
            | self.exchange_pruning.select(node, moves, first, evaluate)
    }

    /// Whether any of the components leaves out this move.
    #[inline]
    pub(crate) fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        match self.late_move_pruning.skip(node, candidate, noisy) {
            Skipped::No => {}
            skipped => return skipped,
        }
        match self.futility.skip(node, candidate, noisy) {
            Skipped::No => self.exchange_pruning.skip(node, candidate, noisy),
            skipped => skipped,
        }
    }
}

/// Hundredths of a ply.
#[inline]
pub(crate) fn hundredths(hundredths: i32) -> Depth {
    Depth(hundredths * Depth::PLY.0 / 100)
}

/// The static value of the position after `mv`, for the side to move at `node`; the exact one if the game is
/// then over.
pub(crate) fn static_value_after<G: Game>(
    node: &Node<'_, G>,
    mv: G::Move,
    evaluate: &mut impl Evaluate<G>,
) -> Score {
    let mut child = node.position.clone();
    child.play(mv);
    match child.is_over() {
        true => -child.outcome().score(node.ply + 1),
        false => -evaluate.evaluate(&child),
    }
}
