//! Discounts: modify a depth rule so that some moves cost less, so that it searches further where it
//! would stop, or so that it clips its values.
//!
//! Most extensions in the literature are discounts: on top of plies, or of any other rule, moves of a
//! certain sort cost less. Each is a [`Discount`]; [`Discounted`] puts one, or a tuple of them, around a
//! rule.

use super::{Entered, Horizon, Step};
use crate::component::{Component, Off, Switch, Visitor};
use crate::depth::{Depth, Depths};
use crate::game::{Evaluate, Game};
use crate::score::Score;
use crate::window::Window;

/// Makes some moves cost less depth.
pub trait Discount<G: Game>: Component + Default {
    /// A note carried along a line.
    type Note: Copy + Default;

    /// Whether [`Discount::further`] is called.
    const LOOKS_FURTHER: bool = false;

    /// Called when a search begins.
    fn start(&mut self) {}

    /// Whether values are clipped to the window even if the inner rule does not clip them.
    fn clips(&self) -> bool {
        false
    }

    /// Called when a node is entered.
    fn enter(&mut self, position: &G, evaluate: &mut impl Evaluate<G>) {
        let _ = (position, evaluate);
    }

    /// Called when a node is left.
    fn leave(&mut self) {}

    /// Returns how much less a move costs than under the inner rule, and the note after the move.
    fn discount(&mut self, note: Self::Note, step: &Step<'_, G>) -> (Depth, Self::Note);

    /// At the horizon, returns how much further to search, and the note after that.
    fn further(
        &mut self,
        note: Self::Note,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> (Depth, Self::Note) {
        let _ = (position, window, evaluate);
        (Depth::ZERO, note)
    }
}

impl<G: Game> Discount<G> for Off {
    type Note = ();

    #[inline]
    fn discount(&mut self, _: (), _: &Step<'_, G>) -> (Depth, ()) {
        (Depth::ZERO, ())
    }
}

impl<G: Game, D: Discount<G>, const ON: bool> Discount<G> for Switch<D, ON> {
    type Note = D::Note;

    const LOOKS_FURTHER: bool = D::LOOKS_FURTHER;

    fn start(&mut self) {
        self.component.start();
    }

    fn clips(&self) -> bool {
        self.is_on() && self.component.clips()
    }

    fn enter(&mut self, position: &G, evaluate: &mut impl Evaluate<G>) {
        if self.is_on() {
            self.component.enter(position, evaluate);
        }
    }

    fn leave(&mut self) {
        if self.is_on() {
            self.component.leave();
        }
    }

    #[inline]
    fn discount(&mut self, note: D::Note, step: &Step<'_, G>) -> (Depth, D::Note) {
        if self.is_on() { self.component.discount(note, step) } else { (Depth::ZERO, note) }
    }

    fn further(
        &mut self,
        note: D::Note,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> (Depth, D::Note) {
        match self.is_on() {
            true => self.component.further(note, position, window, evaluate),
            false => (Depth::ZERO, note),
        }
    }
}

macro_rules! tuple_discount {
    ($($name:ident.$index:tt)+) => {
        /// Adds up the discounts of all components.
        impl<G: Game, $($name: Discount<G>),+> Discount<G> for ($($name,)+) {
            type Note = ($($name::Note,)+);

            const LOOKS_FURTHER: bool = $($name::LOOKS_FURTHER)||+;

            fn start(&mut self) {
                $(self.$index.start();)+
            }

            fn clips(&self) -> bool {
                $(self.$index.clips())||+
            }

            fn enter(&mut self, position: &G, evaluate: &mut impl Evaluate<G>) {
                $(self.$index.enter(position, evaluate);)+
            }

            fn leave(&mut self) {
                $(self.$index.leave();)+
            }

            #[inline]
            fn discount(&mut self, mut note: Self::Note, step: &Step<'_, G>) -> (Depth, Self::Note) {
                let mut all = Depth::ZERO;
                $({
                    let (discount, after) = self.$index.discount(note.$index, step);
                    note.$index = after;
                    all += discount;
                })+
                (all, note)
            }

            fn further(
                &mut self,
                mut note: Self::Note,
                position: &G,
                window: Window,
                evaluate: &mut impl Evaluate<G>,
            ) -> (Depth, Self::Note) {
                let mut all = Depth::ZERO;
                $({
                    let (more, after) = self.$index.further(note.$index, position, window, evaluate);
                    note.$index = after;
                    all += more;
                })+
                (all, note)
            }
        }
    };
}
tuple_discount!(A.0 B.1);
tuple_discount!(A.0 B.1 C.2);
tuple_discount!(A.0 B.1 C.2 D.3);
tuple_discount!(A.0 B.1 C.2 D.3 E.4);
tuple_discount!(A.0 B.1 C.2 D.3 E.4 F.5);
tuple_discount!(A.0 B.1 C.2 D.3 E.4 F.5 I.6);
tuple_discount!(A.0 B.1 C.2 D.3 E.4 F.5 I.6 J.7);

/// The depth rule `H` with some moves made cheaper, by at most what they cost the plan that they cost more.
/// Under a rule with two depths the other plan may gain depth by such a move. The maximum length of a line is
/// documented at each discount, for an inner rule in which every move costs a ply. If the inner rule itself
/// has low costs, forced lines may cost nothing at all; only the maximum ply ends them then.
#[derive(Clone, Debug, Default)]
pub struct Discounted<D, H> {
    /// What makes the moves cheaper.
    pub discount: D,
    /// The inner rule.
    pub inner: H,
}

/// The count of [`Discounted`] on a line.
#[derive(Clone, Copy, Debug)]
pub struct Noted<L, N> {
    inner: L,
    note: N,
}

impl<D: Component, H: Component> Component for Discounted<D, H> {
    const NAME: &'static str = H::NAME;

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.discount.visit(visitor);
        self.inner.visit(visitor);
    }
}

impl<G: Game, D: Discount<G>, H: Horizon<G>> Horizon<G> for Discounted<D, H> {
    type Count = Noted<H::Count, D::Note>;

    const LOOKS_FURTHER: bool = D::LOOKS_FURTHER || H::LOOKS_FURTHER;

    fn fails_soft(&self) -> bool {
        self.inner.fails_soft() && !self.discount.clips()
    }

    fn iteration(&self, n: usize) -> Depths {
        self.inner.iteration(n)
    }

    fn root(&mut self, depths: Depths, window: Window) -> Self::Count {
        self.discount.start();
        Noted { inner: self.inner.root(depths, window), note: D::Note::default() }
    }

    #[inline]
    fn remaining(&self, count: &Self::Count, window: Window) -> Depths {
        self.inner.remaining(&count.inner, window)
    }

    #[inline]
    fn remaining_inside(&self, count: &Self::Count, window: Window, value: Score) -> Depths {
        self.inner.remaining_inside(&count.inner, window, value)
    }

    #[inline]
    fn may_stop(&self, count: &Self::Count, window: Window) -> bool {
        self.inner.may_stop(&count.inner, window)
    }

    fn further(
        &mut self,
        count: &Self::Count,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> Self::Count {
        let inner = self.inner.further(&count.inner, position, window, evaluate);
        if !self.inner.may_stop(&inner, window) {
            return Noted { inner, note: count.note };
        }
        let (more, note) = self.discount.further(count.note, position, window, evaluate);
        Noted { inner: self.inner.lengthen(&inner, more), note }
    }

    #[inline]
    fn counts_options(&self) -> bool {
        self.inner.counts_options()
    }

    fn option_window(&self, window: Window) -> Window {
        self.inner.option_window(window)
    }

    fn enter(&mut self, entered: &Entered<'_, G>, evaluate: &mut impl Evaluate<G>) {
        self.discount.enter(entered.position, evaluate);
        self.inner.enter(entered, evaluate);
    }

    fn leave(&mut self) {
        self.discount.leave();
        self.inner.leave();
    }

    #[inline]
    fn child(&mut self, count: &Self::Count, step: &Step<'_, G>) -> Self::Count {
        let child = self.inner.child(&count.inner, step);
        let (discount, note) = self.discount.discount(count.note, step);
        if discount <= Depth::ZERO {
            return Noted { inner: child, note };
        }
        let before = self.inner.remaining(&count.inner, step.window);
        let after = self.inner.remaining(&child, step.window.flip()).flip();
        let cost = (before.lower - after.lower).max(before.upper - after.upper).max(Depth::ZERO);
        Noted { inner: self.inner.lengthen(&child, discount.min(cost)), note }
    }

    #[inline]
    fn pass(&self, count: &Self::Count) -> Self::Count {
        Noted { inner: self.inner.pass(&count.inner), note: count.note }
    }

    #[inline]
    fn lengthen(&self, count: &Self::Count, more: Depth) -> Self::Count {
        Noted { inner: self.inner.lengthen(&count.inner, more), note: count.note }
    }

    #[inline]
    fn lengthen_own(&self, count: &Self::Count, more: Depth) -> Self::Count {
        Noted { inner: self.inner.lengthen_own(&count.inner, more), note: count.note }
    }
}
