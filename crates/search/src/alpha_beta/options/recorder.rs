//! Records the option values at the root, for tests and for the laboratory.

use crate::alpha_beta::horizon::{Alter, Entered};
use crate::alpha_beta::options::Listing;
use crate::component::Component;
use crate::game::{Evaluate, Game};
use crate::score::Score;
use crate::window::Window;

/// Has options counted at every node, whether or not the depth rule counts them, and records those of the
/// root.
#[derive(Clone, Debug)]
pub struct OptionRecorder<M> {
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

impl<M> Default for OptionRecorder<M> {
    fn default() -> Self {
        OptionRecorder { margin: Score(1), said: Vec::new() }
    }
}

impl<M> Component for OptionRecorder<M> {
    const NAME: &'static str = "OptionRecorder";
}

impl<G: Game> Alter<G> for OptionRecorder<G::Move> {
    fn counts_options(&self) -> bool {
        true
    }

    fn option_window(&self, window: Window, _: Window) -> Window {
        match window.is_minimal() {
            true => Window::above(window.beta - self.margin),
            false => Window::FULL,
        }
    }

    fn enter(&mut self, entered: &Entered<'_, G>, evaluate: &mut impl Evaluate<G>) {
        if entered.ply > 0 {
            return;
        }
        let mut values = Vec::new();
        match entered.options {
            Some((_, said)) => values.extend_from_slice(said),
            None => entered.value_moves(Window::FULL, evaluate, &mut values),
        }
        let listing = entered.options.map(|(listing, _)| listing);
        let (moves, window) = (entered.moves.to_vec(), entered.window);
        self.said.push(RootOptions { moves, window, listing, values });
    }
}
