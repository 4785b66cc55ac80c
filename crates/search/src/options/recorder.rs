//! What the ways to count options say at the root, written down: for tests and for the laboratory.

use crate::horizon::{Expanded, Horizon, Step};
use crate::{Component, Depth, Depths, Evaluate, Game, Listing, Score, Visitor, Window};

/// The depth rule `H`, which need not count options itself. They are counted at every node and kept for the root.
#[derive(Clone, Debug)]
pub struct OptionRecorder<H, M> {
    /// The rule by which depth is counted.
    pub rule: H,
    /// δ: an option may be worth less than this below the value.
    pub margin: Score,
    /// What was said whenever the root was expanded.
    pub said: Vec<RootOptions<M>>,
}

/// What was said when the root was expanded.
#[derive(Clone, Debug)]
pub struct RootOptions<M> {
    /// The root's moves, in the order in which they were valued.
    pub moves: Vec<M>,
    /// The window of the search.
    pub window: Window,
    /// What the values are values of; nothing if no component had a say, and they are static ones.
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
    type Line = H::Line;

    const COUNTS_OPTIONS: bool = true;

    fn fails_soft(&self) -> bool {
        self.rule.fails_soft()
    }

    fn iteration(&self, n: usize) -> Depths {
        self.rule.iteration(n)
    }

    fn root(&mut self, depths: Depths, window: Window) -> H::Line {
        self.rule.root(depths, window)
    }

    fn owed(&self, line: &H::Line, window: Window) -> Depths {
        self.rule.owed(line, window)
    }

    fn owed_inside(&self, line: &H::Line, window: Window, value: Score) -> Depths {
        self.rule.owed_inside(line, window, value)
    }

    fn may_stop(&self, line: &H::Line, window: Window) -> bool {
        self.rule.may_stop(line, window)
    }

    fn option_window(&self, window: Window) -> Window {
        match window.is_minimal() {
            true => Window::above(window.beta - self.margin),
            false => Window::FULL,
        }
    }

    fn expand(&mut self, expanded: &Expanded<'_, G>, evaluate: &mut impl Evaluate<G>) {
        if expanded.ply == 0 {
            let mut values = Vec::new();
            match expanded.options {
                Some((_, said)) => values.extend_from_slice(said),
                None => expanded.value_moves(Window::FULL, evaluate, &mut values),
            }
            let listing = expanded.options.map(|(listing, _)| listing);
            let (moves, window) = (expanded.moves.to_vec(), expanded.window);
            self.said.push(RootOptions { moves, window, listing, values });
        }
        self.rule.expand(expanded, evaluate);
    }

    fn retract(&mut self) {
        self.rule.retract();
    }

    fn child(&mut self, line: &H::Line, step: &Step<'_, G>) -> H::Line {
        self.rule.child(line, step)
    }

    fn pass(&self, line: &H::Line) -> H::Line {
        self.rule.pass(line)
    }

    fn lengthen(&self, line: &H::Line, more: Depth) -> H::Line {
        self.rule.lengthen(line, more)
    }

    fn lengthen_own(&self, line: &H::Line, more: Depth) -> H::Line {
        self.rule.lengthen_own(line, more)
    }
}
