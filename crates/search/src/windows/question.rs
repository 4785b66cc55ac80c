//! One question in the place of a value: is it at least so much?
//!
//! Every iteration is one search with a minimal window; its answer is a bound, which says yes or no. Whoever wants to know whether a
//! move holds a value needs no more, and a no is cheap.
//!
//! *Reference:* Marsland & Campbell 1981, §III: a minimal window proves a subtree inferior; McAllester & Yuret 1993, §7: under one, each
//! side's plan is measured against one value.
//! *Deviations:* none.
//! *Soundness:* the answer is that of the whole window, wherever the search is that of minimax.

use crate::{Aspire, Component, Failure, Score, Visitor, Window};

/// The windows of `A`, or, where a value is set, the question whether the root is worth as much.
///
/// ```
/// use cassius_search::{Aspire, Off, Question, Score, Window};
/// let mut question: Question<Off> = Question::default();
/// assert_eq!(question.window(None, 1), Window::FULL);
/// question.at_least = Some(Score(50));
/// assert_eq!(question.window(None, 1), Window::new(Score(49), Score(50)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Question<A> {
    /// The value that is asked for, for the side to move.
    pub at_least: Option<Score>,
    /// What opens the iterations where nothing is asked.
    pub otherwise: A,
}

impl<A: Component> Component for Question<A> {
    const NAME: &'static str = A::NAME;

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.otherwise.visit(visitor);
    }
}

impl<A: Aspire> Aspire for Question<A> {
    const TESTS: bool = true;

    fn window(&self, previous: Option<Score>, iteration: usize) -> Window {
        match self.at_least {
            Some(value) => Window::above(value - Score(1)),
            None => self.otherwise.window(previous, iteration),
        }
    }

    fn widen(&self, failure: &Failure) -> Window {
        self.otherwise.widen(failure)
    }

    fn takes_a_bound(&self) -> bool {
        self.at_least.is_some() || self.otherwise.takes_a_bound()
    }
}
