//! Depth rules: how depth is counted, and when a value is deep enough to stop.
//!
//! Every line that a search follows carries a [`Horizon::Count`]: the depth counted so far, or the depth
//! that is left. The skeleton asks the depth rule five questions:
//!
//! * What is the [remaining](Horizon::remaining) depth of a claim about the value?
//! * What is the count after a [move](Horizon::child)?
//! * What is the count after a [reduction or extension](Horizon::lengthen) by some plies?
//! * What is the count after a [pass](Horizon::pass)?
//! * If no depth remains, should the search nevertheless go [further](Horizon::further)?
//!
//! The answer to the first question is always a pair ([`Depths`]): the remaining depth of the side to
//! move's plan for a lower bound, and that of the other side's plan for an upper bound. A rule with a
//! single depth gives the same answer for both. The pair decides when to stop ([`suffices`]), how deep a
//! stored bound must be to count, and with what depth a result is stored.

mod abc;
mod altered;
mod check_replies;
mod complicated;
mod coupled;
mod discount;
mod dual_credit;
mod evaluator_asks;
mod extend_horizon;
mod fail_hard;
mod instead;
mod interest;
mod likelihood;
mod near_pv;
mod plies;
mod safety_text;
mod sex;
mod uncounted_checks;

pub use abc::{Abc, Safety};
pub use altered::{Alter, Altered};
pub use check_replies::CheckReplies;
pub use complicated::Complicated;
pub use coupled::Coupled;
pub use discount::{Discount, Discounted};
pub use dual_credit::DualCredit;
pub use evaluator_asks::EvaluatorAsks;
pub use extend_horizon::ExtendHorizon;
pub use fail_hard::FailHard;
pub use instead::{AnyRule, Chosen, Instead};
pub use interest::Interest;
pub use likelihood::Likelihood;
pub use near_pv::NearPv;
pub use plies::Plies;
pub use safety_text::{SAFETY_NAMES, SafetyError};
pub use sex::Sex;
pub use uncounted_checks::UncountedChecks;

use crate::alpha_beta::options::Listing;
use crate::component::{Component, Spare};
use crate::depth::{Depth, Depths};
use crate::game::{Checks, Evaluate, Game, Noisy};
use crate::score::Score;
use crate::window::{Bound, Window};

/// Every discount, each behind a switch that is off by default, to be put around a depth rule.
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
    /// The depth counted so far, which a line passes from parent to child.
    type Count: Copy;

    /// Whether values outside the window are returned unchanged (fail-soft) or clipped to it
    /// (fail-hard). A rule whose depths are relative to the window must clip to be sound: the depth of
    /// the part beyond the window is unknown.
    #[inline]
    fn fails_soft(&self) -> bool {
        true
    }

    /// Returns the depths required by iteration `n` = 1, 2, … of iterative deepening.
    fn iteration(&self, n: usize) -> Depths {
        Depths::both(Depth::plies(n as i32))
    }

    /// Returns the count at the root of a search that requires `depths`.
    fn root(&mut self, depths: Depths, window: Window) -> Self::Count;

    /// Returns the remaining depths of the claims "at least β" and "at most α".
    fn remaining(&self, count: &Self::Count, window: Window) -> Depths;

    /// Returns the remaining depths of the claim "exactly `value`", for α < `value` < β.
    fn remaining_inside(&self, count: &Self::Count, window: Window, value: Score) -> Depths {
        let _ = value;
        self.remaining(count, window)
    }

    /// Whether a static value could end the search here. If not, none is computed.
    fn may_stop(&self, count: &Self::Count, window: Window) -> bool {
        let remaining = self.remaining(count, window);
        remaining.lower <= Depth::ZERO || remaining.upper <= Depth::ZERO
    }

    /// Whether [`Horizon::further`] is called.
    const LOOKS_FURTHER: bool = false;

    /// Returns a new count for a node with no remaining depth, before its value is computed. The rule
    /// may increase the remaining depth here.
    fn further(
        &mut self,
        count: &Self::Count,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> Self::Count {
        let _ = (position, window, evaluate);
        *count
    }

    /// Whether the rule counts options. If so, the slot for
    /// [`Options`](crate::alpha_beta::options::Options) is called before a node is entered.
    #[inline]
    fn counts_options(&self) -> bool {
        false
    }

    /// Returns the window within which the values of options must be exact, for the side to move, at a
    /// node searched with `window`.
    fn option_window(&self, window: Window) -> Window {
        let _ = window;
        Window::FULL
    }

    /// Called when a node is entered, before the first [`Horizon::child`]. [`Horizon::leave`] is called
    /// when it is left.
    fn enter(&mut self, entered: &Entered<'_, G>, evaluate: &mut impl Evaluate<G>) {
        let _ = (entered, evaluate);
    }

    /// Called when a node is left. See [`Horizon::enter`].
    fn leave(&mut self) {}

    /// Returns the count after a move.
    fn child(&mut self, count: &Self::Count, step: &Step<'_, G>) -> Self::Count;

    /// Returns the count after a pass. The remaining depth of both plans falls by a ply, although
    /// neither plan has become safer.
    fn pass(&self, count: &Self::Count) -> Self::Count;

    /// Returns the count with the remaining depth of both plans increased by `more`, which may be
    /// negative.
    fn lengthen(&self, count: &Self::Count, more: Depth) -> Self::Count;

    /// Returns the count with the remaining depth of the side to move's plan increased by `more`, in the
    /// unit in which the rule counts it: a rule that counts only a side's own moves remains by twice as
    /// many plies. That of the other side's plan increases as far as it counts the mover's moves. A rule
    /// with a single depth increases it for both.
    fn lengthen_own(&self, count: &Self::Count, more: Depth) -> Self::Count {
        self.lengthen(count, more)
    }
}

/// A node that is being entered, as seen by a depth rule.
pub struct Entered<'a, G: Game> {
    /// The node.
    pub position: &'a G,
    /// Its moves.
    pub moves: &'a [G::Move],
    /// The window, for the side to move.
    pub window: Window,
    /// Plies from the root.
    pub ply: usize,
    /// Whether a fail high is expected.
    pub cut: bool,
    /// The values of its moves, if the slot for [`Options`](crate::alpha_beta::options::Options) has
    /// given any.
    pub options: Option<(Listing, &'a [Score])>,
}

impl<G: Game> Entered<'_, G> {
    /// Appends the static value of every move for the side to move, or its exact value if the game is
    /// then over.
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

/// A move from a node to its child, as seen by a depth rule.
pub struct Step<'a, G: Game> {
    /// The node.
    pub position: &'a G,
    /// The node after the move.
    pub child: &'a G,
    /// The move.
    pub mv: G::Move,
    /// The index of the move, in the order given to [`Horizon::enter`].
    pub index: usize,
    /// The number of legal moves of the node, searched or not.
    pub moves: usize,
    /// The window with which the child will be searched, from the node's point of view.
    pub window: Window,
    /// Plies from the root to the node.
    pub ply: usize,
}

/// Sorts of moves, by how free the choice was. Rules with different costs for moves distinguish them.
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
    /// The number of sorts.
    pub const COUNT: usize = 5;
}

impl<G: Checks + Noisy> Step<'_, G> {
    /// Returns the first sort in the list that applies to the move.
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

/// Whether a value with the given remaining depths ends the search.
///
/// *Reference:* terminate? of McAllester & Yuret 1993, Fig. 7, cases 2 to 5. A value ≥ β requires only
/// the mover's plan to be deep enough, a value ≤ α only the other side's plan, and a value in between
/// requires both.
#[inline]
pub fn suffices(window: Window, value: Score, remaining: Depths) -> bool {
    match window.bound(value) {
        Bound::Lower => remaining.lower <= Depth::ZERO,
        Bound::Upper => remaining.upper <= Depth::ZERO,
        Bound::Exact => remaining.lower <= Depth::ZERO && remaining.upper <= Depth::ZERO,
    }
}
