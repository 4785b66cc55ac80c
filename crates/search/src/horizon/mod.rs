//! Depth rules: how depth is counted, and when it is enough.
//!
//! Every line that a search follows carries a [`Horizon::Line`]: what has been
//! spent, or what is left. The skeleton asks five questions of it: what does a
//! claim about the value still [owe](Horizon::owed); what does a
//! [move](Horizon::child) cost; what is a line after a
//! [reduction or extension](Horizon::lengthen) of some plies; what is it
//! after a [pass](Horizon::pass); and, where nothing is owed any more, whether the rule wants to see
//! [further](Horizon::further).
//!
//! The answer to the first is always a pair ([`Depths`]): what the plan of the
//! side to move still owes for a lower bound, and what the plan of the other
//! side still owes for an upper bound. A rule with one depth answers the same
//! for both. That pair decides when to stop ([`suffices`]), what a stored bound
//! must have been searched to, and with what depth a result is stored.

mod abc;
mod check_replies;
mod complicated;
mod coupled;
mod discount;
mod dual_credit;
mod evaluator_asks;
mod extend_horizon;
mod fail_hard;
mod interest;
mod likelihood;
mod near_pv;
mod plies;
mod safety_text;
mod sex;
mod uncounted_checks;

pub use abc::{Abc, Safety};
pub use check_replies::CheckReplies;
pub use complicated::Complicated;
pub use coupled::Coupled;
pub use discount::{Discount, Discounted};
pub use dual_credit::DualCredit;
pub use evaluator_asks::EvaluatorAsks;
pub use extend_horizon::ExtendHorizon;
pub use fail_hard::FailHard;
pub use interest::Interest;
pub use likelihood::Likelihood;
pub use near_pv::NearPv;
pub use plies::Plies;
pub use safety_text::{SAFETY_NAMES, SafetyError};
pub use sex::Sex;
pub use uncounted_checks::UncountedChecks;

use crate::{Bound, Checks, Component, Depth, Depths, Evaluate, Game, Listing, Noisy, Score, Spare, Window};

/// Every discount, to be put around a depth rule and switched on.
pub type Discounts = (
    Spare<CheckReplies>,
    Spare<UncountedChecks>,
    Spare<Interest>,
    Spare<ExtendHorizon>,
    Spare<Complicated>,
    Spare<EvaluatorAsks>,
    Spare<NearPv>,
    Spare<FailHard>,
);

/// The slot for the depth rule.
pub trait Horizon<G: Game>: Component + Default {
    /// What a line carries from parent to child.
    type Line: Copy;

    /// Whether values outside the window are returned as they are (fail-soft) or
    /// clipped to it (fail-hard). A rule whose depths are relative to the window
    /// must clip to be sound: nothing is known about how safe the excess is.
    #[inline]
    fn fails_soft(&self) -> bool {
        true
    }

    /// The depths of iteration `n` = 1, 2, … of iterative deepening.
    fn iteration(&self, n: usize) -> Depths {
        Depths::both(Depth::plies(n as i32))
    }

    /// The line at the root of a search that asks for `depths`.
    fn root(&mut self, depths: Depths, window: Window) -> Self::Line;

    /// What the claims "at least β" and "at most α" still owe.
    fn owed(&self, line: &Self::Line, window: Window) -> Depths;

    /// What the claim "exactly `value`" still owes, for α < `value` < β.
    fn owed_inside(&self, line: &Self::Line, window: Window, value: Score) -> Depths {
        let _ = value;
        self.owed(line, window)
    }

    /// Whether a static value could end the search here; if it says no, none is computed.
    fn may_stop(&self, line: &Self::Line, window: Window) -> bool {
        let owed = self.owed(line, window);
        owed.lower <= Depth::ZERO || owed.upper <= Depth::ZERO
    }

    /// Whether [`Horizon::further`] is asked.
    const LOOKS_FURTHER: bool = false;

    /// The line of a node for which nothing is owed any more, before its value is looked at: longer, if the rule wants to
    /// see more.
    fn further(
        &mut self,
        line: &Self::Line,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> Self::Line {
        let _ = (position, window, evaluate);
        *line
    }

    /// Whether the rule counts options: then the slot for [`Options`](crate::Options) is asked before a node is expanded.
    const COUNTS_OPTIONS: bool = false;

    /// Within which values of options matter at a node that is searched with `window`, for the side to move.
    fn option_window(&self, window: Window) -> Window {
        let _ = window;
        Window::FULL
    }

    /// Called when a node is expanded, before the first [`Horizon::child`]; and [`Horizon::retract`] when it is left.
    fn expand(&mut self, expanded: &Expanded<'_, G>, evaluate: &mut impl Evaluate<G>) {
        let _ = (expanded, evaluate);
    }

    /// See [`Horizon::expand`].
    fn retract(&mut self) {}

    /// The line after a move.
    fn child(&mut self, line: &Self::Line, step: &Step<'_, G>) -> Self::Line;

    /// The line after a pass: with a ply less to go for both, though nobody's plan has become safer by it.
    fn pass(&self, line: &Self::Line) -> Self::Line;

    /// The same line with `more` depth to go for both sides; less if negative.
    fn lengthen(&self, line: &Self::Line, more: Depth) -> Self::Line;

    /// The same line with `more` depth to go for the plan of the side to move, and for the other side's as far as
    /// its plan counts the mover's moves. A rule with one depth gives it to both.
    fn lengthen_own(&self, line: &Self::Line, more: Depth) -> Self::Line {
        self.lengthen(line, more)
    }
}

/// A node that is expanded, as a depth rule sees it.
pub struct Expanded<'a, G: Game> {
    /// The node.
    pub position: &'a G,
    /// Its moves.
    pub moves: &'a [G::Move],
    /// The window, for the side to move.
    pub window: Window,
    /// Plies from the root.
    pub ply: usize,
    /// What its moves are worth, if the slot for [`Options`](crate::Options) has a say.
    pub options: Option<(Listing, &'a [Score])>,
}

impl<G: Game> Expanded<'_, G> {
    /// Appends the static value of every move, or what it is worth if the game is over, for the side to move.
    pub fn value_moves(&self, within: Window, evaluate: &mut impl Evaluate<G>, values: &mut Vec<Score>) {
        values.extend(self.moves.iter().map(|&mv| {
            let mut child = self.position.clone();
            child.play(mv);
            -match child.is_over() {
                true => child.outcome().score(self.ply + 1),
                false => evaluate.evaluate_within(&child, within.flip()),
            }
        }));
    }
}

/// A move from a node to its child, as a depth rule sees it.
pub struct Step<'a, G: Game> {
    /// The node.
    pub position: &'a G,
    /// The node after the move.
    pub child: &'a G,
    /// The move.
    pub mv: G::Move,
    /// Which of the node's moves it is, in the order given to [`Horizon::expand`].
    pub index: usize,
    /// How many legal moves the node has, searched or not.
    pub moves: usize,
    /// The window with which the child will be searched, seen from the node.
    pub window: Window,
    /// Plies from the root to the node.
    pub ply: usize,
}

/// Sorts of moves, by how much of a choice there was: what rules with prices for moves tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// The only legal move.
    Only,
    /// A reply to a check.
    Reply,
    /// A move that gives check.
    Check,
    /// A noisy move.
    Noisy,
    /// None of these.
    Ordinary,
}

impl Sort {
    /// How many there are.
    pub const COUNT: usize = 5;
}

impl<G: Checks + Noisy> Step<'_, G> {
    /// The first sort that the move is of.
    #[inline]
    pub fn sort(&self) -> Sort {
        if self.moves == 1 {
            Sort::Only
        } else if self.position.in_check() {
            Sort::Reply
        } else if self.child.in_check() {
            Sort::Check
        } else if self.position.is_noisy(self.mv) {
            Sort::Noisy
        } else {
            Sort::Ordinary
        }
    }
}

/// Whether a value that still owes `owed` ends the search.
///
/// *Reference:* terminate? of McAllester & Yuret 1993, Fig. 7, cases 2 to 5. A
/// value ≥ β needs only the mover's plan to be deep enough, a value ≤ α only
/// the other side's, a value between needs both.
#[inline]
pub fn suffices(window: Window, value: Score, owed: Depths) -> bool {
    match window.bound(value) {
        Bound::Lower => owed.lower <= Depth::ZERO,
        Bound::Upper => owed.upper <= Depth::ZERO,
        Bound::Exact => owed.lower <= Depth::ZERO && owed.upper <= Depth::ZERO,
    }
}
