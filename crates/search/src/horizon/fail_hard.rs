//! Fail-hard alpha-beta: no value lies outside the window that it was searched with.
//!
//! *Reference:* Marsland & Campbell 1981, §I: alphabeta, which begins with m = α. What it is compared with,
//! falphabeta (§III), is what the other rules do by themselves.
//! *Deviations:* the printed procedure clips at α only; a leaf or a cutoff may exceed β.
//! *Soundness:* that of the inner rule. The same nodes are searched, as long as no table is told of the values.
//! *Worth:* none to play with; the laboratory measures fail-soft against it.

use super::{Expanded, Horizon, Step};
use crate::{Component, Depth, Depths, Evaluate, Game, Score, Visitor, Window};

/// The depth rule `H`, with values clipped to the window.
#[derive(Clone, Debug, Default)]
pub struct FailHard<H>(pub H);

impl<H: Component> Component for FailHard<H> {
    const NAME: &'static str = "FailHard";

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.0.visit(visitor);
    }
}

impl<G: Game, H: Horizon<G>> Horizon<G> for FailHard<H> {
    type Line = H::Line;

    const LOOKS_FURTHER: bool = H::LOOKS_FURTHER;

    fn further(
        &mut self,
        line: &H::Line,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> H::Line {
        self.0.further(line, position, window, evaluate)
    }

    fn fails_soft(&self) -> bool {
        false
    }

    fn iteration(&self, n: usize) -> Depths {
        self.0.iteration(n)
    }

    fn root(&mut self, depths: Depths, window: Window) -> H::Line {
        self.0.root(depths, window)
    }

    #[inline]
    fn owed(&self, line: &H::Line, window: Window) -> Depths {
        self.0.owed(line, window)
    }

    #[inline]
    fn owed_inside(&self, line: &H::Line, window: Window, value: Score) -> Depths {
        self.0.owed_inside(line, window, value)
    }

    #[inline]
    fn may_stop(&self, line: &H::Line, window: Window) -> bool {
        self.0.may_stop(line, window)
    }

    const COUNTS_OPTIONS: bool = H::COUNTS_OPTIONS;

    fn option_window(&self, window: Window) -> Window {
        self.0.option_window(window)
    }

    fn expand(&mut self, expanded: &Expanded<'_, G>, evaluate: &mut impl Evaluate<G>) {
        self.0.expand(expanded, evaluate);
    }

    fn retract(&mut self) {
        self.0.retract();
    }

    #[inline]
    fn child(&mut self, line: &H::Line, step: &Step<'_, G>) -> H::Line {
        self.0.child(line, step)
    }

    #[inline]
    fn pass(&self, line: &H::Line) -> H::Line {
        self.0.pass(line)
    }

    #[inline]
    fn lengthen(&self, line: &H::Line, more: Depth) -> H::Line {
        self.0.lengthen(line, more)
    }

    #[inline]
    fn lengthen_own(&self, line: &H::Line, more: Depth) -> H::Line {
        self.0.lengthen_own(line, more)
    }
}
