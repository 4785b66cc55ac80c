//! Asks whether the value is at least a given bound, instead of searching for the value.
//!
//! Every iteration is one search with a null window. Its answer is a bound, which means yes or no. This
//! is enough to find out whether a move holds a value, and a no is cheap.
//!
//! *Reference:* Marsland & Campbell 1981, §III: a minimal window proves a subtree inferior; McAllester &
//! Yuret 1993, §7: under one, each side's plan is measured against one value.
//! *Deviations:* none.
//! *Soundness:* the answer agrees with that of the whole window wherever the search is value-preserving.

use crate::alpha_beta::aspiration::{Aspire, Failure};
use crate::component::{Component, Visitor};
use crate::score::Score;
use crate::window::Window;

/// The windows of `A`, or, if a value is set, a null window that tests whether the root is worth at
/// least this value.
///
/// ```
/// use cassius_search::{Off, Score, Window};
/// use cassius_search::alpha_beta::aspiration::{Aspire, Question};
/// let mut question: Question<Off> = Question::default();
/// assert_eq!(question.window(None, 1), Window::FULL);
/// question.at_least = Some(Score(50));
/// assert_eq!(question.window(None, 1), Window::new(Score(49), Score(50)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Question<A> {
    /// The value to test for, from the point of view of the side to move.
    pub at_least: Option<Score>,
    /// The slot that chooses the windows if no value is set.
    pub otherwise: A,
}

impl<A: Component> Component for Question<A> {
    const NAME: &'static str = A::NAME;

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.otherwise.visit(visitor);
    }
}

impl<A: Aspire> Aspire for Question<A> {
    const MINIMAL: bool = true;

    fn window(&self, previous: Option<Score>, iteration: usize) -> Window {
        match self.at_least {
            Some(value) => Window::above(value - Score(1)),
            None => self.otherwise.window(previous, iteration),
        }
    }

    fn widen(&self, failure: &Failure) -> Window {
        self.otherwise.widen(failure)
    }

    fn accepts_bound(&self) -> bool {
        self.at_least.is_some() || self.otherwise.accepts_bound()
    }
}
