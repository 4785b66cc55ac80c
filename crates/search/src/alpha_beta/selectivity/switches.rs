//! Selectivity behind run-time switches, and combinations of two components in one slot.

use super::{Confirm, Confirmation, Extend, Passing, Prune, Reduce, ReduceNode, Singularity, Skip, Skipped};
use crate::alpha_beta::memory::Hit;
use crate::alpha_beta::node::{Candidate, Node};
use crate::component::Switch;
use crate::depth::Depth;
use crate::game::{Evaluate, Game};
use crate::score::Score;

impl<G: Game, C: ReduceNode<G>, const ON: bool> ReduceNode<G> for Switch<C, ON> {
    const USES_STATIC_EVAL: bool = C::USES_STATIC_EVAL;

    #[inline]
    fn reduction(&self, node: &Node<'_, G>) -> Depth {
        if self.is_on() { self.component.reduction(node) } else { Depth::ZERO }
    }
}

impl<G: Game, C: Prune<G>, const ON: bool> Prune<G> for Switch<C, ON> {
    const USES_STATIC_EVAL: bool = C::USES_STATIC_EVAL;

    #[inline]
    fn prune(&self, node: &Node<'_, G>) -> Option<Score> {
        if self.is_on() { self.component.prune(node) } else { None }
    }
}

impl<G: Game, C: Passing<G>, const ON: bool> Passing<G> for Switch<C, ON> {
    const USES_STATIC_EVAL: bool = C::USES_STATIC_EVAL;

    #[inline]
    fn pass(&self, node: &Node<'_, G>) -> Option<(G, Depth)> {
        if self.is_on() { self.component.pass(node) } else { None }
    }

    #[inline]
    fn verifies(&self, node: &Node<'_, G>) -> bool {
        self.is_on() && self.component.verifies(node)
    }
}

impl<G: Game, C: Confirm<G>, const ON: bool> Confirm<G> for Switch<C, ON> {
    const USES_STATIC_EVAL: bool = C::USES_STATIC_EVAL;

    #[inline]
    fn confirmation(&self, node: &Node<'_, G>, hit: &Hit) -> Option<Confirmation> {
        if self.is_on() { self.component.confirmation(node, hit) } else { None }
    }

    fn list(&self, node: &Node<'_, G>, target: Score, moves: &mut Vec<G::Move>) {
        self.component.list(node, target, moves);
    }
}

impl<G: Game, C: Skip<G>, const ON: bool> Skip<G> for Switch<C, ON> {
    const USES_STATIC_EVAL: bool = C::USES_STATIC_EVAL;

    #[inline]
    fn select(
        &self,
        node: &Node<'_, G>,
        moves: &mut Vec<G::Move>,
        first: usize,
        evaluate: &mut impl Evaluate<G>,
    ) -> bool {
        self.is_on() && self.component.select(node, moves, first, evaluate)
    }

    #[inline]
    fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        if self.is_on() { self.component.skip(node, candidate, noisy) } else { Skipped::No }
    }
}

/// Prunes a move if either component prunes it.
impl<G: Game, A: Skip<G>, B: Skip<G>> Skip<G> for (A, B) {
    const USES_STATIC_EVAL: bool = A::USES_STATIC_EVAL || B::USES_STATIC_EVAL;

    #[inline]
    fn select(
        &self,
        node: &Node<'_, G>,
        moves: &mut Vec<G::Move>,
        first: usize,
        evaluate: &mut impl Evaluate<G>,
    ) -> bool {
        self.0.select(node, moves, first, evaluate) | self.1.select(node, moves, first, evaluate)
    }

    #[inline]
    fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        match self.0.skip(node, candidate, noisy) {
            Skipped::No => self.1.skip(node, candidate, noisy),
            skipped => skipped,
        }
    }
}

impl<G: Game, C: Extend<G>, const ON: bool> Extend<G> for Switch<C, ON> {
    const VERIFIES: bool = C::VERIFIES;

    #[inline]
    fn test(&self, node: &Node<'_, G>, hit: &Hit) -> Option<Singularity> {
        if self.is_on() { self.component.test(node, hit) } else { None }
    }

    #[inline]
    fn verify(&self, node: &Node<'_, G>, value: Score) -> Option<Singularity> {
        if self.is_on() { self.component.verify(node, value) } else { None }
    }
}

/// Uses the first component that requests a test.
impl<G: Game, A: Extend<G>, B: Extend<G>> Extend<G> for (A, B) {
    const VERIFIES: bool = A::VERIFIES || B::VERIFIES;

    #[inline]
    fn test(&self, node: &Node<'_, G>, hit: &Hit) -> Option<Singularity> {
        self.0.test(node, hit).or_else(|| self.1.test(node, hit))
    }

    #[inline]
    fn verify(&self, node: &Node<'_, G>, value: Score) -> Option<Singularity> {
        self.0.verify(node, value).or_else(|| self.1.verify(node, value))
    }
}

impl<G: Game, C: Reduce<G>, const ON: bool> Reduce<G> for Switch<C, ON> {
    const USES_STATIC_EVAL: bool = C::USES_STATIC_EVAL;

    fn start(&mut self) {
        self.component.start();
    }

    #[inline]
    fn reduction(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool, child: &G) -> Depth {
        if self.is_on() { self.component.reduction(node, candidate, noisy, child) } else { Depth::ZERO }
    }

    #[inline]
    fn again(&self, reduction: Depth, value: Score, alpha: Score) -> Depth {
        if self.is_on() { self.component.again(reduction, value, alpha) } else { Depth::ZERO }
    }
}
