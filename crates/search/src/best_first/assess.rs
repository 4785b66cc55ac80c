//! Assessors of new leaves: evaluators that return bounds sequences.
//!
//! *Reference:* McAllester 1988, §4 (a single static value), §10 (a margin; a threat).
//! *Deviations:* the paper calls the margin Δ, which is also its name for the width of the range. If a
//! threat is better than the value, a pass would be the best move; such a threat is replaced by the
//! value, so that the sequence stays sorted (the paper calls the value of a threat a good lower bound).
//! *Soundness:* the value of a finished game is exact. All other values are as good as the evaluation.
//! *Worth:* Measured in chess, exercises solved of 300 with 30,000 nodes in the tree. `cns`, `cns-value`
//! and `ccns` without searches of leaves solve 171, 199 and 152. With `LeafThreat` they solve 207, 205
//! and 184, in twice the time; at equal times (100 ms) `cns` solves 189 with it and 179 without. With
//! `LeafMargin.margin` 20 they solve 126, 96 and 143. On other positions, 300 from the Strategic Test
//! Suite and Arasan's 200, with 30,000 nodes: `cns` solves 127 and 13 without `LeafThreat`, 138 and 11
//! with it; `cns-value` 130 and 12 without, 138 and 12 with it; `ccns` without searches of leaves 124
//! and 14 without, 129 and 12 with it. With 80,000 nodes, which take about as long, and without
//! `LeafThreat`, `cns` solves 131 and 18, and `cns-value` 141 and 11. `LeafThreat` is therefore off by
//! default.

use super::{Bounds, Child, Payload as _, Sequence};
use crate::component::{Component as _, Visitor};
use crate::game::{Evaluate, Game, Pass};
use crate::limits::Patience;
use crate::score::Score;
use crate::window::Window;

/// The result of assessing a new leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf<P> {
    /// The game goes on.
    Open(P),
    /// The game is over, with this value for the side to move.
    Over(Score),
}

/// What an assessor is asked about a new leaf.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The number of moves between the root and the leaf.
    pub ply: usize,
    /// The window in which the value must be exact, for the leaf's side to move.
    pub window: Window,
    /// The time limit; `None` if there is none. When the time is up, a quick estimate is enough: the
    /// leaf is then discarded, unless it is a child of the root.
    pub patience: Option<&'a Patience<'a>>,
}

impl Asked<'_> {
    /// Asks for the exact value, without a time limit.
    pub fn anything(ply: usize) -> Self {
        Asked { ply, window: Window::FULL, patience: None }
    }

    /// Evaluates a leaf within the window and the time limit.
    pub fn value<G>(&self, evaluate: &mut impl Evaluate<G>, position: &G) -> Score {
        let value = match self.patience {
            None => evaluate.evaluate_within(position, self.window),
            Some(patience) => evaluate
                .evaluate_patiently(position, self.window, patience)
                .unwrap_or_else(|_| evaluate.evaluate_at_a_glance(position)),
        };
        self.window.clip(value)
    }

    /// Evaluates a leaf within the time limit, with a full window.
    pub fn whole_value<G>(&self, evaluate: &mut impl Evaluate<G>, position: &G) -> Score {
        Asked { window: Window::FULL, ..*self }.value(evaluate, position)
    }
}

/// Assesses new leaves.
pub trait Assess<G: Game, P>: Send {
    /// Returns the payload of a leaf that is `ply` moves below the root.
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<P>;

    /// Returns the payload of a leaf as far as `asked` requires, which may take less time. A value
    /// outside the window is clipped to the nearer end of the window, so that the result does not depend
    /// on earlier assessments.
    fn assess_as(&mut self, position: &G, asked: &Asked<'_>) -> Leaf<P> {
        self.assess(position, asked.ply)
    }

    /// Completes the expansion of a leaf whose children have been assessed. It may change their payloads.
    /// Returns a new payload for the leaf itself, which is then [renewed](super::Payload::renewed) with
    /// the children. `None` keeps the payload.
    fn expanded(
        &mut self,
        position: &G,
        leaf: &P,
        children: &mut [Child<G::Move, P>],
        asked: &Asked<'_>,
    ) -> Option<P> {
        let _ = (position, leaf, children, asked);
        None
    }

    /// Starts a new search. Forgets everything remembered on which a value may depend, except what searches
    /// of leaves have learned, which they use again.
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

/// Gives a leaf its static value `V`: ↑⟨V⟩, ↓⟨V⟩.
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
    /// Gives every leaf a second value at a margin from its static value.
    pub struct LeafMargin {
        /// How far one conspirator can raise a leaf, or a second one lower it; 0: one conspirator can give
        /// it any value.
        margin: 0 in 0..=1000 "evaluation units",
    }
}

/// Gives leaves a value V and a margin m, for the side to move: ↑⟨V, V + m⟩, ↓⟨V, V, V − m⟩. When the
/// node is expanded, the value is more likely to rise than to fall, because that side chooses the move.
/// If the margin is 0, the inner assessor's result is unchanged.
#[derive(Clone, Debug, Default)]
pub struct Margin<A> {
    /// The assessor that gives the value.
    pub value: A,
    /// The margin m.
    pub parameters: LeafMargin,
}

impl<A> Margin<A> {
    /// Wraps an assessor, with the default margin.
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
    /// Gives every leaf a second value: what it would be worth if its side to move passed.
    pub struct LeafThreat {
        /// Whether that is the most that one conspirator can take from it: 1 yes, 0 no.
        on: 0 in 0..=1 "0 or 1",
    }
}

/// Gives leaves their value V and the value V_threat after a pass by the side to move: ↑⟨V, …⟩, ↓⟨V,
/// V_threat⟩. If a pass is not allowed, or if the component is off, the inner assessor's result is
/// unchanged.
#[derive(Clone, Debug, Default)]
pub struct Threat<A> {
    /// The assessor that gives both values.
    pub value: A,
    /// Whether threats are considered.
    pub parameters: LeafThreat,
}

impl<A> Threat<A> {
    /// Wraps an assessor, with the default setting.
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
