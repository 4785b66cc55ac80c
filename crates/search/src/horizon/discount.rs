//! Rules that make some moves cheaper than another rule does, ask for more where it would stop, or clip its
//! values.
//!
//! Most extensions that have been proposed are of this kind: on top of plies, or of any rule, a move of a certain
//! sort costs less. Each is a [`Discount`]; [`Discounted`] puts one, or a tuple of them, around a rule.

use super::{Expanded, Horizon, Step};
use crate::{Component, Depth, Depths, Evaluate, Game, Off, Score, Switch, Visitor, Window};

/// Makes some moves cheaper.
pub trait Discount<G: Game>: Component + Default {
    /// What is noted along a line.
    type Note: Copy + Default;

    /// Whether [`Discount::further`] is asked.
    const LOOKS_FURTHER: bool = false;

    /// A search begins.
    fn start(&mut self) {}

    /// Whether values are clipped to the window, whatever the rule does around which this one is put.
    fn clips(&self) -> bool {
        false
    }

    /// A node is expanded …
    fn expand(&mut self, position: &G, evaluate: &mut impl Evaluate<G>) {
        let _ = (position, evaluate);
    }

    /// … and left.
    fn retract(&mut self) {}

    /// What a move costs less than under the rule around which this one is put, and the note after it.
    fn discount(&mut self, note: Self::Note, step: &Step<'_, G>) -> (Depth, Self::Note);

    /// At the horizon: how much further to search, and the note then.
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

    fn expand(&mut self, position: &G, evaluate: &mut impl Evaluate<G>) {
        if self.is_on() {
            self.component.expand(position, evaluate);
        }
    }

    fn retract(&mut self) {
        if self.is_on() {
            self.component.retract();
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
        /// What several give together.
        impl<G: Game, $($name: Discount<G>),+> Discount<G> for ($($name,)+) {
            type Note = ($($name::Note,)+);

            const LOOKS_FURTHER: bool = $($name::LOOKS_FURTHER)||+;

            fn start(&mut self) {
                $(self.$index.start();)+
            }

            fn clips(&self) -> bool {
                $(self.$index.clips())||+
            }

            fn expand(&mut self, position: &G, evaluate: &mut impl Evaluate<G>) {
                $(self.$index.expand(position, evaluate);)+
            }

            fn retract(&mut self) {
                $(self.$index.retract();)+
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

/// The depth rule `H`, in which some moves are cheaper. None costs less than nothing. How long a line may become is said at
/// each discount for a rule in which every move costs a ply; around one with low prices of its own forced lines may
/// cost nothing at all, and only the greatest ply ends them.
#[derive(Clone, Debug, Default)]
pub struct Discounted<D, H> {
    /// What makes them cheaper.
    pub discount: D,
    /// The rule for all else.
    pub inner: H,
}

/// A line of [`Discounted`].
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
    type Line = Noted<H::Line, D::Note>;

    const LOOKS_FURTHER: bool = D::LOOKS_FURTHER || H::LOOKS_FURTHER;

    fn fails_soft(&self) -> bool {
        self.inner.fails_soft() && !self.discount.clips()
    }

    fn iteration(&self, n: usize) -> Depths {
        self.inner.iteration(n)
    }

    fn root(&mut self, depths: Depths, window: Window) -> Self::Line {
        self.discount.start();
        Noted { inner: self.inner.root(depths, window), note: D::Note::default() }
    }

    #[inline]
    fn owed(&self, line: &Self::Line, window: Window) -> Depths {
        self.inner.owed(&line.inner, window)
    }

    #[inline]
    fn owed_inside(&self, line: &Self::Line, window: Window, value: Score) -> Depths {
        self.inner.owed_inside(&line.inner, window, value)
    }

    #[inline]
    fn may_stop(&self, line: &Self::Line, window: Window) -> bool {
        self.inner.may_stop(&line.inner, window)
    }

    fn further(
        &mut self,
        line: &Self::Line,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> Self::Line {
        let inner = self.inner.further(&line.inner, position, window, evaluate);
        if !self.inner.may_stop(&inner, window) {
            return Noted { inner, note: line.note };
        }
        let (more, note) = self.discount.further(line.note, position, window, evaluate);
        Noted { inner: self.inner.lengthen(&inner, more), note }
    }

    const COUNTS_OPTIONS: bool = H::COUNTS_OPTIONS;

    fn option_window(&self, window: Window) -> Window {
        self.inner.option_window(window)
    }

    fn expand(&mut self, expanded: &Expanded<'_, G>, evaluate: &mut impl Evaluate<G>) {
        self.discount.expand(expanded.position, evaluate);
        self.inner.expand(expanded, evaluate);
    }

    fn retract(&mut self) {
        self.discount.retract();
        self.inner.retract();
    }

    #[inline]
    fn child(&mut self, line: &Self::Line, step: &Step<'_, G>) -> Self::Line {
        let child = self.inner.child(&line.inner, step);
        let (discount, note) = self.discount.discount(line.note, step);
        if discount <= Depth::ZERO {
            return Noted { inner: child, note };
        }
        let before = self.inner.owed(&line.inner, step.window);
        let after = self.inner.owed(&child, step.window.flip()).flip();
        let cost = (before.lower - after.lower).max(before.upper - after.upper).max(Depth::ZERO);
        Noted { inner: self.inner.lengthen(&child, discount.min(cost)), note }
    }

    #[inline]
    fn pass(&self, line: &Self::Line) -> Self::Line {
        Noted { inner: self.inner.pass(&line.inner), note: line.note }
    }

    #[inline]
    fn lengthen(&self, line: &Self::Line, more: Depth) -> Self::Line {
        Noted { inner: self.inner.lengthen(&line.inner, more), note: line.note }
    }

    #[inline]
    fn lengthen_own(&self, line: &Self::Line, more: Depth) -> Self::Line {
        Noted { inner: self.inner.lengthen_own(&line.inner, more), note: line.note }
    }
}
