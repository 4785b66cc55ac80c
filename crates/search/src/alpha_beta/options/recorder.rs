//! Records the option values at the root, for tests and for the laboratory.

use crate::alpha_beta::horizon::{Entered, Horizon, Step};
use crate::alpha_beta::options::Listing;
use crate::component::{Component, Visitor};
use crate::depth::{Depth, Depths};
use crate::game::{Evaluate, Game};
use crate::score::Score;
use crate::window::Window;

/// The depth rule `H`, which need not count options itself. Options are counted at every node and
/// recorded at the root.
#[derive(Clone, Debug)]
pub struct OptionRecorder<H, M> {
    /// The depth rule.
    pub rule: H,
    /// The margin δ: an option may be worth less than this below the value.
    pub margin: Score,
    /// The options recorded each time the root was entered.
    pub said: Vec<RootOptions<M>>,
}

/// The options recorded when the root was entered.
#[derive(Clone, Debug)]
pub struct RootOptions<M> {
    /// The root moves, in the order in which they were valued.
    pub moves: Vec<M>,
    /// The window of the search.
    pub window: Window,
    /// What the values belong to. `None` if no component gave an answer and the values are static ones.
    pub listing: Option<Listing>,
    /// Values for the side to move.
    pub values: Vec<Score>,
}

impl<H: Default, M> Default for OptionRecorder<H, M> {
    fn default() -> Self {
        OptionRecorder { rule: H::default(), margin: Score(1), said: Vec::new() }
    }
}

impl<H: Component, M> Component for OptionRecorder<H, M> {
    const NAME: &'static str = H::NAME;

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.rule.visit(visitor);
    }
}

impl<G: Game, H: Horizon<G>> Horizon<G> for OptionRecorder<H, G::Move> {
    type Count = H::Count;

    fn counts_options(&self) -> bool {
        true
    }

    fn fails_soft(&self) -> bool {
        self.rule.fails_soft()
    }

    fn iteration(&self, n: usize) -> Depths {
        self.rule.iteration(n)
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

    fn option_window(&self, window: Window) -> Window {
        match window.is_minimal() {
            true => Window::above(window.beta - self.margin),
            false => Window::FULL,
        }
    }

    fn enter(&mut self, entered: &Entered<'_, G>, evaluate: &mut impl Evaluate<G>) {
        if entered.ply == 0 {
            let mut values = Vec::new();
            match entered.options {
                Some((_, said)) => values.extend_from_slice(said),
                None => entered.value_moves(Window::FULL, evaluate, &mut values),
            }
            let listing = entered.options.map(|(listing, _)| listing);
            let (moves, window) = (entered.moves.to_vec(), entered.window);
            self.said.push(RootOptions { moves, window, listing, values });
        }
        self.rule.enter(entered, evaluate);
    }

    fn leave(&mut self) {
        self.rule.leave();
    }

    fn child(&mut self, count: &H::Count, step: &Step<'_, G>) -> H::Count {
        self.rule.child(count, step)
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
