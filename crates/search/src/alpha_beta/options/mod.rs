//! Ways to count the options of a plan, for a depth rule that needs them
//! ([`Abc`](crate::alpha_beta::horizon::Abc)).
//!
//! Without any of them the rule values every sibling by the static evaluation, as in McAllester & Yuret
//! 1993, §7. The components here either cost more and are more accurate, or cost less. Each has a file.
//! A tuple of them asks one after another.

mod failed_pass;
mod free_searches;
mod learned;
mod legal_moves;
mod ordered;
mod random;
mod recorder;
mod reduced_searches;
mod remembered;
mod sibling_quiescence;
mod static_estimator;
mod static_margin;

pub use failed_pass::FailedPass;
pub use free_searches::{FreeSearches, Oracle};
pub use learned::{Clues, LearnedOptions, NotANetwork, OptionNetwork};
pub use legal_moves::LegalMoves;
pub use ordered::OrderedOptions;
pub use random::RandomOptions;
pub use recorder::{OptionRecorder, RootOptions};
pub use reduced_searches::ReducedSearches;
pub use remembered::RememberedOptions;
pub use sibling_quiescence::SiblingQuiescence;
pub use static_estimator::StaticEstimator;
pub use static_margin::StaticMargin;

use super::node::Node;
use super::recipe::CountOf;
use super::recipe::Recipe;
use super::worker::Worker;
use crate::component::{Component, Off, Spare, Switch};
use crate::depth::Depth;
use crate::game::Game;
use crate::limits::Stopped;

/// Values the moves of a node for a depth rule that counts options
/// ([`Horizon::counts_options`](crate::alpha_beta::horizon::Horizon::counts_options)).
pub trait Options<G: Game>: Component + Default + Clone {
    /// Whether the static value of interior nodes is used.
    const USES_STATIC_EVAL: bool = false;

    /// Appends values for the side to move at `node` to [`Worker::options`]. [`Worker::listed`] returns
    /// the node's moves from `first` on, and `count` is the depth counted so far by the depth rule.
    ///
    /// Returns what the values belong to, or `None` if this component gives no answer. The next
    /// component is then asked, and after the last one the depth rule values every move statically.
    /// Values need to be exact only within
    /// [`Horizon::option_window`](crate::alpha_beta::horizon::Horizon::option_window).
    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        count: &CountOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped>;

    /// Forgets what the component has learned: a new game begins.
    fn forget(&mut self) {}
}

/// What the values in a list of options belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// One value for each move, in the order of the moves. The chosen move is not counted among its
    /// options.
    Moves,
    /// An estimate of the number of options, not tied to moves. The same number counts whichever move is
    /// chosen.
    Guess,
}

impl<G: Game> Options<G> for Off {
    #[inline]
    fn list<R: Recipe<G>>(
        &self,
        _: &mut Worker<'_, G, R>,
        _: &Node<'_, G>,
        _: &CountOf<G, R>,
        _: usize,
    ) -> Result<Option<Listing>, Stopped> {
        Ok(None)
    }
}

impl<G: Game, C: Options<G>, const ON: bool> Options<G> for Switch<C, ON> {
    const USES_STATIC_EVAL: bool = C::USES_STATIC_EVAL;

    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        count: &CountOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if self.is_on() { self.component.list(worker, node, count, first) } else { Ok(None) }
    }

    fn forget(&mut self) {
        self.component.forget();
    }
}

macro_rules! tuple_options {
    ($($name:ident.$index:tt)+) => {
        /// Uses the first component that gives an answer.
        impl<G: Game, $($name: Options<G>),+> Options<G> for ($($name,)+) {
            const USES_STATIC_EVAL: bool = $($name::USES_STATIC_EVAL)||+;

            fn list<R: Recipe<G>>(
                &self,
                worker: &mut Worker<'_, G, R>,
                node: &Node<'_, G>,
                count: &CountOf<G, R>,
                first: usize,
            ) -> Result<Option<Listing>, Stopped> {
                $(
                    let listing = self.$index.list(worker, node, count, first)?;
                    if listing.is_some() {
                        return Ok(listing);
                    }
                )+
                Ok(None)
            }

            fn forget(&mut self) {
                $(self.$index.forget();)+
            }
        }
    };
}
tuple_options!(A.0 B.1);
tuple_options!(A.0 B.1 C.2);
tuple_options!(A.0 B.1 C.2 D.3);
tuple_options!(A.0 B.1 C.2 D.3 E.4);
tuple_options!(A.0 B.1 C.2 D.3 E.4 F.5);
tuple_options!(A.0 B.1 C.2 D.3 E.4 F.5 H.6);
tuple_options!(A.0 B.1 C.2 D.3 E.4 F.5 H.6 I.7);
tuple_options!(A.0 B.1 C.2 D.3 E.4 F.5 H.6 I.7 J.8);
tuple_options!(A.0 B.1 C.2 D.3 E.4 F.5 H.6 I.7 J.8 K.9);

/// Every way to count options, each behind a switch that is off by default. The first that gives an
/// answer is used. The static estimator can therefore serve near the leaves and another way above them
/// (McAllester & Yuret 1993, §10.3).
pub type OptionSources = (
    Spare<FailedPass>,
    Spare<StaticEstimator>,
    Spare<StaticMargin>,
    Spare<RememberedOptions>,
    Spare<OrderedOptions>,
    Spare<ReducedSearches>,
    Spare<SiblingQuiescence>,
    Spare<LearnedOptions>,
    Spare<RandomOptions>,
    Spare<LegalMoves>,
);

/// Returns the greater remaining depth of a node's two claims.
fn remaining<G: Game>(node: &Node<'_, G>) -> Depth {
    node.fail_high_depth.max(node.fail_low_depth)
}

/// Converts a parameter from hundredths of a ply.
fn hundredths(of_a_ply: i32) -> Depth {
    Depth(of_a_ply * Depth::PLY.0 / 100)
}
