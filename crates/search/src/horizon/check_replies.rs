//! Replies to checks cost less depth than other moves, or none.
//!
//! *Reference:* Kaindl 1983: replies to checks are not counted, since they are forced.
//! *Deviations:* without the optimistic condition of the paper; a reply may also cost a fraction of a ply.
//! *Soundness:* a depth rule. A check costs its ply, so that a line is at most twice as long as
//! without it; with `cost` = 100 it is the inner rule.

use super::{Horizon, Step};
use crate::{Checks, Component, Depth, Depths, Evaluate, Parameter, Score, Visitor, Window};

/// The depth rule `H`, with cheaper replies to checks.
#[derive(Clone, Debug)]
pub struct CheckReplies<H> {
    /// What a reply costs.
    ///
    /// Default 0, range 0 to 100, in hundredths of a ply.
    pub cost: i32,
    /// The rule for all that is not a reply to a check.
    pub inner: H,
}

impl<H: Default> Default for CheckReplies<H> {
    fn default() -> Self {
        CheckReplies { cost: 0, inner: H::default() }
    }
}

impl<H: Component> Component for CheckReplies<H> {
    const NAME: &'static str = "CheckReplies";

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        let parameter = Parameter {
            component: "CheckReplies",
            name: "cost",
            doc: "What a reply to a check costs",
            unit: "hundredths of a ply",
            default: 0,
            min: 0,
            max: 100,
        };
        visitor(&parameter, &mut self.cost);
        self.inner.visit(visitor);
    }
}

impl<G: Checks, H: Horizon<G>> Horizon<G> for CheckReplies<H> {
    type Line = H::Line;

    const FAIL_SOFT: bool = H::FAIL_SOFT;

    fn iteration(&self, n: usize) -> Depths {
        self.inner.iteration(n)
    }

    fn root(&mut self, depths: Depths, window: Window) -> H::Line {
        self.inner.root(depths, window)
    }

    #[inline]
    fn owed(&self, line: &H::Line, window: Window) -> Depths {
        self.inner.owed(line, window)
    }

    #[inline]
    fn owed_inside(&self, line: &H::Line, window: Window, value: Score) -> Depths {
        self.inner.owed_inside(line, window, value)
    }

    #[inline]
    fn may_stop(&self, line: &H::Line, window: Window) -> bool {
        self.inner.may_stop(line, window)
    }

    fn expand(&mut self, position: &G, moves: &[G::Move], evaluate: &mut impl Evaluate<G>, ply: usize) {
        self.inner.expand(position, moves, evaluate, ply);
    }

    fn retract(&mut self) {
        self.inner.retract();
    }

    #[inline]
    fn child(&mut self, line: &H::Line, step: &Step<'_, G>) -> H::Line {
        let child = self.inner.child(line, step);
        match step.position.in_check() {
            true => self.inner.lengthen(&child, Depth((100 - self.cost) * Depth::PLY.0 / 100)),
            false => child,
        }
    }

    #[inline]
    fn pass(&self, line: &H::Line) -> H::Line {
        self.inner.pass(line)
    }

    #[inline]
    fn lengthen(&self, line: &H::Line, more: Depth) -> H::Line {
        self.inner.lengthen(line, more)
    }

    #[inline]
    fn lengthen_own(&self, line: &H::Line, more: Depth) -> H::Line {
        self.inner.lengthen_own(line, more)
    }
}
