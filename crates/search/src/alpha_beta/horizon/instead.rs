//! A choice between two depth rules at run time.
//!
//! Recipes that differ only by their depth rule share one compiled search this way. The laboratory
//! recipes use it; the playing recipes name their rule in the type.
//!
//! *Reference:* none; every question is passed on to the chosen rule.
//! *Soundness:* that of the chosen rule.
//! *Worth:* does not apply.

use super::{Abc, Coupled, DualCredit, Entered, Horizon, Likelihood, Plies, Sex, Step};
use crate::component::{Component, Spare, Visitor};
use crate::depth::{Depth, Depths};
use crate::game::{Evaluate, Game};
use crate::score::Score;
use crate::window::Window;

/// The depth rule `A` if its switch is on, else the depth rule `B`. The switch is off by default.
///
/// ```
/// use cassius_search::Depths;
/// use cassius_search::alpha_beta::horizon::{Coupled, Horizon, Instead, Plies};
/// use cassius_search::{Component, Game, Window};
///
/// let mut rule: Instead<Coupled, Plies> = Instead::default();
/// assert!(!rule.is_chosen());
/// rule.visit(&mut |parameter, value| {
///     if parameter.full_name() == "Coupled.on" {
///         *value = 1;
///     }
/// });
/// assert!(rule.is_chosen());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Instead<A, B> {
    /// The rule that counts if it is on.
    pub rule: Spare<A>,
    /// The rule that counts otherwise.
    pub other: B,
}

/// [`Plies`], or another depth rule instead. If several are on, the first in this list counts.
pub type AnyRule =
    Instead<Coupled, Instead<Abc, Instead<Sex, Instead<DualCredit, Instead<Likelihood, Plies>>>>>;

impl<A, B> Instead<A, B> {
    /// Whether the rule `A` counts.
    #[inline]
    pub fn is_chosen(&self) -> bool {
        self.rule.is_on()
    }
}

impl<A: Component, B: Component> Component for Instead<A, B> {
    const NAME: &'static str = B::NAME;

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.rule.visit(visitor);
        self.other.visit(visitor);
    }
}

/// The count of the chosen rule on a line.
#[derive(Clone, Copy, Debug)]
pub enum Chosen<A, B> {
    /// The count of the rule that is on.
    Rule(A),
    /// The count of the other rule.
    Other(B),
}

/// Asks the rule that is chosen.
macro_rules! ask {
    ($self:ident, $rule:ident => $answer:expr) => {
        if $self.rule.is_on() {
            let $rule = &$self.rule.component;
            $answer
        } else {
            let $rule = &$self.other;
            $answer
        }
    };
    (mut $self:ident, $rule:ident => $answer:expr) => {
        if $self.rule.is_on() {
            let $rule = &mut $self.rule.component;
            $answer
        } else {
            let $rule = &mut $self.other;
            $answer
        }
    };
}

/// Asks the rule that has counted a line.
macro_rules! ask_about {
    ($count:ident, $self:ident, $rule:ident => $answer:expr) => {
        match $count {
            Chosen::Rule($count) => {
                let $rule = &$self.rule.component;
                $answer
            }
            Chosen::Other($count) => {
                let $rule = &$self.other;
                $answer
            }
        }
    };
}

impl<G: Game, A: Horizon<G>, B: Horizon<G>> Horizon<G> for Instead<A, B> {
    type Count = Chosen<A::Count, B::Count>;

    const LOOKS_FURTHER: bool = A::LOOKS_FURTHER || B::LOOKS_FURTHER;

    fn fails_soft(&self) -> bool {
        ask!(self, rule => rule.fails_soft())
    }

    fn iteration(&self, n: usize) -> Depths {
        ask!(self, rule => rule.iteration(n))
    }

    fn root(&mut self, depths: Depths, window: Window) -> Self::Count {
        match self.is_chosen() {
            true => Chosen::Rule(self.rule.component.root(depths, window)),
            false => Chosen::Other(self.other.root(depths, window)),
        }
    }

    #[inline]
    fn remaining(&self, count: &Self::Count, window: Window) -> Depths {
        ask_about!(count, self, rule => rule.remaining(count, window))
    }

    #[inline]
    fn remaining_inside(&self, count: &Self::Count, window: Window, value: Score) -> Depths {
        ask_about!(count, self, rule => rule.remaining_inside(count, window, value))
    }

    #[inline]
    fn may_stop(&self, count: &Self::Count, window: Window) -> bool {
        ask_about!(count, self, rule => rule.may_stop(count, window))
    }

    fn further(
        &mut self,
        count: &Self::Count,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> Self::Count {
        match count {
            Chosen::Rule(count) => {
                Chosen::Rule(self.rule.component.further(count, position, window, evaluate))
            }
            Chosen::Other(count) => Chosen::Other(self.other.further(count, position, window, evaluate)),
        }
    }

    #[inline]
    fn counts_options(&self) -> bool {
        ask!(self, rule => rule.counts_options())
    }

    fn option_window(&self, window: Window) -> Window {
        ask!(self, rule => rule.option_window(window))
    }

    fn enter(&mut self, entered: &Entered<'_, G>, evaluate: &mut impl Evaluate<G>) {
        ask!(mut self, rule => rule.enter(entered, evaluate));
    }

    fn leave(&mut self) {
        ask!(mut self, rule => rule.leave());
    }

    #[inline]
    fn child(&mut self, count: &Self::Count, step: &Step<'_, G>) -> Self::Count {
        match count {
            Chosen::Rule(count) => Chosen::Rule(self.rule.component.child(count, step)),
            Chosen::Other(count) => Chosen::Other(self.other.child(count, step)),
        }
    }

    #[inline]
    fn pass(&self, count: &Self::Count) -> Self::Count {
        match count {
            Chosen::Rule(count) => Chosen::Rule(self.rule.component.pass(count)),
            Chosen::Other(count) => Chosen::Other(self.other.pass(count)),
        }
    }

    #[inline]
    fn lengthen(&self, count: &Self::Count, more: Depth) -> Self::Count {
        match count {
            Chosen::Rule(count) => Chosen::Rule(self.rule.component.lengthen(count, more)),
            Chosen::Other(count) => Chosen::Other(self.other.lengthen(count, more)),
        }
    }

    #[inline]
    fn lengthen_own(&self, count: &Self::Count, more: Depth) -> Self::Count {
        match count {
            Chosen::Rule(count) => Chosen::Rule(self.rule.component.lengthen_own(count, more)),
            Chosen::Other(count) => Chosen::Other(self.other.lengthen_own(count, more)),
        }
    }
}
