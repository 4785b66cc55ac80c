//! What a new leaf is given: evaluators that return bounds sequences.
//!
//! *Reference:* McAllester 1988, §4 (a single static value), §10 (a margin; a threat).
//! *Deviations:* the paper names the margin Δ, which is its name for the width of the range too. A threat that is better than the value –
//! a pass would be the best move – counts as the value, so that the sequence stays in order (the paper calls it a good lower bound).
//! *Soundness:* a game that is over is exact. The rest is as good as the evaluation.

use super::{Bounds, Sequence};
use crate::{Evaluate, Game, Pass, Score};

/// A new leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf<P> {
    /// The game goes on.
    Open(P),
    /// The game is over, with this value for the side to move.
    Over(Score),
}

/// Judges new leaves.
pub trait Assess<G: Game, P> {
    /// What a leaf is given, `ply` moves below the root.
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<P>;
}

impl<G: Game, P, F: FnMut(&G, usize) -> Leaf<P>> Assess<G, P> for F {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<P> {
        self(position, ply)
    }
}

/// The static value `V`: ↑⟨V⟩, ↓⟨V⟩.
#[derive(Clone, Copy, Debug, Default)]
pub struct Static<E>(pub E);

impl<G: Game, E: Evaluate<G>, const N: usize> Assess<G, Bounds<N>> for Static<E> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Bounds<N>> {
        match position.is_over() {
            true => Leaf::Over(position.outcome().score(ply)),
            false => Leaf::Open(Bounds::leaf(self.0.evaluate(position).clamp_estimate())),
        }
    }
}

/// The static value V and a margin m, for the side to move: ↑⟨V, V + m⟩, ↓⟨V, V, V − m⟩. Its value is more likely to rise than
/// to fall when the node is expanded, since it chooses the move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Margin<E> {
    /// Gives the static value.
    pub evaluate: E,
    /// m, at least 0, in evaluation units.
    pub margin: Score,
}

impl<G: Game, E: Evaluate<G>, const N: usize> Assess<G, Bounds<N>> for Margin<E> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Bounds<N>> {
        if position.is_over() {
            return Leaf::Over(position.outcome().score(ply));
        }
        let value = self.evaluate.evaluate(position).clamp_estimate();
        let (above, below) = (value + self.margin, value - self.margin);
        Leaf::Open(Bounds {
            mover: Sequence::of(&[value, above.clamp_estimate()]),
            other: Sequence::of(&[-value, -value, -below.clamp_estimate()]),
        })
    }
}

/// The value V and the value V_threat if the side to move did nothing: ↑⟨V⟩, ↓⟨V, V_threat⟩. Where it must do something, V alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threat<E>(pub E);

impl<G: Pass, E: Evaluate<G>, const N: usize> Assess<G, Bounds<N>> for Threat<E> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Bounds<N>> {
        if position.is_over() {
            return Leaf::Over(position.outcome().score(ply));
        }
        let value = self.0.evaluate(position).clamp_estimate();
        if !position.may_pass() {
            return Leaf::Open(Bounds::leaf(value));
        }
        let mut passed = position.clone();
        passed.pass();
        let threat = (-self.0.evaluate(&passed).clamp_estimate()).min(value);
        Leaf::Open(Bounds { mover: Sequence::leaf(value), other: Sequence::of(&[-value, -threat]) })
    }
}
