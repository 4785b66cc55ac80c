//! A depth rule with another's iterations, or observed while it searches.
//!
//! *Reference:* none; every question that [`Alter`] does not answer is passed on to the inner rule.
//! *Soundness:* that of the inner rule.
//! *Worth:* does not apply.

use super::{Entered, Horizon, Step};
use crate::component::{Component, Visitor};
use crate::depth::{Depth, Depths};
use crate::game::{Evaluate, Game};
use crate::score::Score;
use crate::window::Window;

/// What [`Altered`] changes of a depth rule, other than what moves cost: for that see
/// [`Discount`](super::Discount).
pub trait Alter<G: Game>: Component + Default {
    /// Returns the depths required by iteration `n`, which are `inner` without the change.
    fn iteration(&self, n: usize, inner: Depths) -> Depths {
        let _ = n;
        inner
    }

    /// Whether options are counted even if the inner rule does not count them.
    fn counts_options(&self) -> bool {
        false
    }

    /// Returns the window for the values of options, which is `inner` without the change.
    fn option_window(&self, window: Window, inner: Window) -> Window {
        let _ = window;
        inner
    }

    /// Called when a node is entered, before the inner rule is told.
    fn enter(&mut self, entered: &Entered<'_, G>, evaluate: &mut impl Evaluate<G>) {
        let _ = (entered, evaluate);
    }

    /// Called after a move, with what the node after it owes.
    fn child(&mut self, owed: impl FnOnce() -> Depths) {
        let _ = owed;
    }
}

/// The depth rule `H`, changed by `A`.
///
/// ```
/// use cassius_search::alpha_beta::horizon::{Alter, Altered, Horizon, Plies};
/// use cassius_search::{Component, Depth, Depths, Game};
///
/// /// Deepens by two plies an iteration.
/// #[derive(Default)]
/// struct ByTwo;
///
/// impl Component for ByTwo {
///     const NAME: &'static str = "ByTwo";
/// }
///
/// impl<G: Game> Alter<G> for ByTwo {
///     fn iteration(&self, n: usize, _: Depths) -> Depths {
///         Depths::both(Depth::plies(2 * n as i32))
///     }
/// }
///
/// fn third<G: Game>() -> Depths {
///     let rule: Altered<ByTwo, Plies> = Altered::default();
///     Horizon::<G>::iteration(&rule, 3)
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Altered<A, H> {
    /// What is changed.
    pub change: A,
    /// The inner rule.
    pub rule: H,
}

impl<A: Component, H: Component> Component for Altered<A, H> {
    const NAME: &'static str = H::NAME;

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.change.visit(visitor);
        self.rule.visit(visitor);
    }
}

impl<G: Game, A: Alter<G>, H: Horizon<G>> Horizon<G> for Altered<A, H> {
    type Count = H::Count;

    const LOOKS_FURTHER: bool = H::LOOKS_FURTHER;

    fn fails_soft(&self) -> bool {
        self.rule.fails_soft()
    }

    fn iteration(&self, n: usize) -> Depths {
        self.change.iteration(n, self.rule.iteration(n))
    }

    fn root(&mut self, depths: Depths, window: Window) -> H::Count {
        self.rule.root(depths, window)
    }

    fn remaining(&self, count: &H::Count, window: Window) -> Depths {
        self.rule.remaining(count, window)
    }

    fn remaining_inside(&self, count: &H::Count, window: Window, value: Score) -> Depths {
        self.rule.remaining_inside(count, window, value)
    }

    fn may_stop(&self, count: &H::Count, window: Window) -> bool {
        self.rule.may_stop(count, window)
    }

    fn further(
        &mut self,
        count: &H::Count,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> H::Count {
        self.rule.further(count, position, window, evaluate)
    }

    fn counts_options(&self) -> bool {
        self.change.counts_options() || self.rule.counts_options()
    }

    fn option_window(&self, window: Window) -> Window {
        self.change.option_window(window, self.rule.option_window(window))
    }

    fn enter(&mut self, entered: &Entered<'_, G>, evaluate: &mut impl Evaluate<G>) {
        self.change.enter(entered, evaluate);
        self.rule.enter(entered, evaluate);
    }

    fn leave(&mut self) {
        self.rule.leave();
    }

    fn child(&mut self, count: &H::Count, step: &Step<'_, G>) -> H::Count {
        let count = self.rule.child(count, step);
        self.change.child(|| self.rule.remaining(&count, step.window.flip()));
        count
    }

    fn pass(&self, count: &H::Count) -> H::Count {
        self.rule.pass(count)
    }

    fn lengthen(&self, count: &H::Count, more: Depth) -> H::Count {
        self.rule.lengthen(count, more)
    }

    fn lengthen_own(&self, count: &H::Count, more: Depth) -> H::Count {
        self.rule.lengthen_own(count, more)
    }
}
