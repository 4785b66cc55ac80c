//! Aspiration: the windows with which an iteration searches the root.
//!
//! [`Off`] searches with the whole window.

mod aspiration_window;
mod mtd;
mod question;

pub use aspiration_window::Aspiration;
pub use mtd::Mtd;
pub use question::Question;

use crate::component::{Component, Off, Spare, Switch};
use crate::score::Score;
use crate::window::Window;

/// Every choice of root windows, each behind a switch.
pub type AspirationSwitches = (Switch<Aspiration>, Spare<Mtd>);

/// The slot for the windows at the root, chosen from the value of the last iteration.
pub trait Aspire: Component + Default {
    /// Whether windows at the root may be minimal.
    const MINIMAL: bool = false;

    /// The first window of an iteration; `previous` is the value of the last one, if there was one.
    fn window(&self, previous: Option<Score>, iteration: usize) -> Window {
        let _ = (previous, iteration);
        Window::FULL
    }

    /// The window after a failure. The last one must be [`Window::FULL`].
    fn widen(&self, failure: &Failure) -> Window {
        let _ = failure;
        Window::FULL
    }

    /// Whether a value outside its window ends the iteration: a bound is all that was asked for.
    fn accepts_bound(&self) -> bool {
        false
    }
}

/// A search of the root whose value is outside its window.
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    /// The window …
    pub window: Window,
    /// … and the value, which is a bound of the true one.
    pub value: Score,
    /// How many searches of this iteration have failed, this one included.
    pub count: u32,
    /// The greatest lower bound that this iteration has found …
    pub lower: Score,
    /// … and the least upper bound. It is less than `lower` if two searches contradict each other, as
    /// selective searches may.
    pub upper: Score,
}

impl Aspire for Off {}

impl<C: Aspire, const ON: bool> Aspire for Switch<C, ON> {
    const MINIMAL: bool = C::MINIMAL;

    fn window(&self, previous: Option<Score>, iteration: usize) -> Window {
        if self.is_on() { self.component.window(previous, iteration) } else { Window::FULL }
    }

    fn widen(&self, failure: &Failure) -> Window {
        if self.is_on() { self.component.widen(failure) } else { Window::FULL }
    }

    fn accepts_bound(&self) -> bool {
        self.is_on() && self.component.accepts_bound()
    }
}

/// The second if it is switched on, else the first.
impl<A: Aspire, B: Aspire> Aspire for (A, Spare<B>) {
    const MINIMAL: bool = A::MINIMAL || B::MINIMAL;

    fn window(&self, previous: Option<Score>, iteration: usize) -> Window {
        match self.1.is_on() {
            true => self.1.window(previous, iteration),
            false => self.0.window(previous, iteration),
        }
    }

    fn widen(&self, failure: &Failure) -> Window {
        if self.1.is_on() { self.1.widen(failure) } else { self.0.widen(failure) }
    }

    fn accepts_bound(&self) -> bool {
        if self.1.is_on() { self.1.accepts_bound() } else { self.0.accepts_bound() }
    }
}
