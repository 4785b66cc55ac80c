//! What a new leaf is given: evaluators that return bounds sequences.
//!
//! *Reference:* McAllester 1988, §4 (a single static value), §10 (a margin; a threat).
//! *Deviations:* the paper names the margin Δ, which is its name for the width of the range too. A threat that is better than the value –
//! a pass would be the best move – counts as the value, so that the sequence stays in order (the paper calls it a good lower bound).
//! *Soundness:* a game that is over is exact. The rest is as good as the evaluation.
//! *Worth:* Measured in chess, exercises solved of 300 with 30,000 nodes in the tree, where `cns`, `cns-value` and `ccns` without searches of leaves solve 171, 199 and 152: with
//! `LeafThreat` 207, 205 and 184, in twice the time; at equal times (100 ms) `cns` solves 189 with it and 179 without. With `LeafMargin.margin` 20: 126, 96 and 143.
//! On other positions, of 300 from the Strategic Test Suite and of Arasan's 200, 30,000 nodes: `cns` 127 and 13 without `LeafThreat`, 138 and 11 with it, `cns-value` 130 and 12, 138 and 12,
//! `ccns` without searches of leaves 124 and 14, 129 and 12; with 80,000 nodes, which take about as long, `cns` 131 and 18 without it, `cns-value` 141 and 11. So it is off unless it is switched on.

use super::{Bounds, Payload as _, Sequence};
use crate::{Component as _, Evaluate, Game, Pass, Patience, Score, Visitor, Window};

/// A new leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf<P> {
    /// The game goes on.
    Open(P),
    /// The game is over, with this value for the side to move.
    Over(Score),
}

/// What is asked of a new leaf.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// How many moves below the root it is.
    pub ply: usize,
    /// Values outside this window need not be told apart, for its side to move.
    pub window: Window,
    /// How long it may take; without it as long as it takes. When it is out a glance is enough: that leaf is not kept, unless it is a move
    /// of the root.
    pub patience: Option<&'a Patience<'a>>,
}

impl Asked<'_> {
    /// The value as it is, whatever time it takes.
    pub fn anything(ply: usize) -> Self {
        Asked { ply, window: Window::FULL, patience: None }
    }

    /// What an evaluation says of a leaf, as far as that is asked.
    pub fn value<G>(&self, evaluate: &mut impl Evaluate<G>, position: &G) -> Score {
        let value = match self.patience {
            None => evaluate.evaluate_within(position, self.window),
            Some(patience) => evaluate
                .evaluate_patiently(position, self.window, patience)
                .unwrap_or_else(|_| evaluate.evaluate_at_a_glance(position)),
        };
        self.window.clip(value)
    }

    /// The same whatever the window.
    pub fn whole_value<G>(&self, evaluate: &mut impl Evaluate<G>, position: &G) -> Score {
        Asked { window: Window::FULL, ..*self }.value(evaluate, position)
    }
}

/// Judges new leaves.
pub trait Assess<G: Game, P>: Send {
    /// What a leaf is given, `ply` moves below the root.
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<P>;

    /// The same where that is all that is asked: it may take less time. A value outside the window is the nearest end of it, so that
    /// nothing depends on what was assessed before.
    fn assess_as(&mut self, position: &G, asked: &Asked<'_>) -> Leaf<P> {
        self.assess(position, asked.ply)
    }

    /// A new search begins. What was remembered, and a value may depend on, is forgotten.
    fn begin(&mut self) {}

    /// Shows every parameter to `visitor`.
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        let _ = visitor;
    }
}

impl<G: Game, P, F: FnMut(&G, usize) -> Leaf<P> + Send> Assess<G, P> for F {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<P> {
        self(position, ply)
    }
}

/// The static value `V`: ↑⟨V⟩, ↓⟨V⟩.
#[derive(Clone, Copy, Debug, Default)]
pub struct Static<E>(pub E);

impl<G: Game, E: Evaluate<G> + Send, const N: usize> Assess<G, Bounds<N>> for Static<E> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Bounds<N>> {
        self.assess_as(position, &Asked::anything(ply))
    }

    fn assess_as(&mut self, position: &G, asked: &Asked<'_>) -> Leaf<Bounds<N>> {
        match position.is_over() {
            true => Leaf::Over(position.outcome().score(asked.ply)),
            false => {
                let value = asked.value(&mut self.0, position);
                Leaf::Open(Bounds::leaf(value.clamp_estimate()))
            }
        }
    }
}

crate::component! {
    /// What a leaf may be worth beside its value.
    pub struct LeafMargin {
        /// By how much the first conspirator can move it, and how far: up at once, down only with a second; 0: a leaf is one conspirator.
        margin: 0 in 0..=1000 "evaluation units",
    }
}

/// Leaves with the value V and a margin m, for the side to move: ↑⟨V, V + m⟩, ↓⟨V, V, V − m⟩. The value is more likely to rise than
/// to fall when the node is expanded, since that side chooses the move. Without a margin as the judge within says.
#[derive(Clone, Debug, Default)]
pub struct Margin<A> {
    /// Gives the value.
    pub value: A,
    /// m.
    pub parameters: LeafMargin,
}

impl<A> Margin<A> {
    /// With the margin that is the default.
    pub fn new(value: A) -> Self {
        Margin { value, parameters: LeafMargin::default() }
    }
}

impl<G: Game, A: Assess<G, Bounds<N>>, const N: usize> Assess<G, Bounds<N>> for Margin<A> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Bounds<N>> {
        self.assess_as(position, &Asked::anything(ply))
    }

    fn assess_as(&mut self, position: &G, asked: &Asked<'_>) -> Leaf<Bounds<N>> {
        let leaf = self.value.assess_as(position, asked);
        match leaf {
            Leaf::Open(bounds) if self.parameters.margin > 0 && !bounds.value().is_decided() => {
                let (value, margin) = (bounds.value(), Score(self.parameters.margin));
                let (above, below) = ((value + margin).clamp_estimate(), (value - margin).clamp_estimate());
                Leaf::Open(Bounds {
                    mover: Sequence::of(&[value, above]),
                    other: Sequence::of(&[-value, -value, -below]),
                })
            }
            leaf => leaf,
        }
    }

    fn begin(&mut self) {
        self.value.begin();
    }

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.parameters.visit(visitor);
        self.value.visit(visitor);
    }
}

crate::component! {
    /// What a leaf would be worth if its side to move did nothing.
    pub struct LeafThreat {
        /// Whether that is the most that one conspirator can take from it: 1 yes, 0 no.
        on: 0 in 0..=1 "0 or 1",
    }
}

/// Leaves with the value V and the value V_threat if the side to move did nothing: ↑⟨V, …⟩, ↓⟨V, V_threat⟩. Where it must do something, and
/// without threats, as the judge within says.
#[derive(Clone, Debug, Default)]
pub struct Threat<A> {
    /// Gives both values.
    pub value: A,
    /// Whether it does so.
    pub parameters: LeafThreat,
}

impl<A> Threat<A> {
    /// Switched as it is by default.
    pub fn new(value: A) -> Self {
        Threat { value, parameters: LeafThreat::default() }
    }
}

impl<G: Pass, A: Assess<G, Bounds<N>>, const N: usize> Assess<G, Bounds<N>> for Threat<A> {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Bounds<N>> {
        self.assess_as(position, &Asked::anything(ply))
    }

    fn assess_as(&mut self, position: &G, asked: &Asked<'_>) -> Leaf<Bounds<N>> {
        let leaf = self.value.assess_as(position, asked);
        let Leaf::Open(bounds) = leaf else { return leaf };
        let value = bounds.value();
        if self.parameters.on == 0 || value.is_decided() || !position.may_pass() {
            return leaf;
        }
        let mut passed = position.clone();
        passed.pass();
        let asked = Asked { ply: asked.ply + 1, window: asked.window.flip(), ..*asked };
        let passed = match self.value.assess_as(&passed, &asked) {
            Leaf::Open(bounds) => bounds.value(),
            Leaf::Over(value) => value,
        };
        let threat = (-passed).clamp_estimate().min(value);
        Leaf::Open(Bounds { mover: bounds.mover, other: Sequence::of(&[-value, -threat]) })
    }

    fn begin(&mut self) {
        self.value.begin();
    }

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.parameters.visit(visitor);
        self.value.visit(visitor);
    }
}
