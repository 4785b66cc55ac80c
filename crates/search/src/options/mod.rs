//! Ways to count the options of a plan, for a depth rule that asks ([`Abc`](crate::Abc)).
//!
//! Without any of them the rule values every sibling by the static evaluation, which is McAllester & Yuret 1993, §7. What is
//! here costs more and knows more, or costs less; each is one file. A tuple of them asks one after the other.

mod failed_pass;
mod legal_moves;
mod ordered;
mod recorder;
mod reduced_searches;
mod remembered;
mod sibling_quiescence;
mod static_estimator;
mod static_margin;

pub use failed_pass::FailedPass;
pub use legal_moves::LegalMoves;
pub use ordered::OrderedOptions;
pub use recorder::{OptionRecorder, RootOptions};
pub use reduced_searches::ReducedSearches;
pub use remembered::RememberedOptions;
pub use sibling_quiescence::SiblingQuiescence;
pub use static_estimator::StaticEstimator;
pub use static_margin::StaticMargin;

use crate::{Depth, Game, Node, Spare};

/// Every way to count options, to be switched on. The first that has something to say is heard, so that the static estimator
/// can speak near the leaves and another above them (McAllester & Yuret 1993, §10.3).
pub type OptionSources = (
    Spare<FailedPass>,
    Spare<StaticEstimator>,
    Spare<StaticMargin>,
    Spare<RememberedOptions>,
    Spare<OrderedOptions>,
    Spare<ReducedSearches>,
    Spare<SiblingQuiescence>,
    Spare<LegalMoves>,
);

/// What a node still owes at most, of both claims.
fn owed<G: Game>(node: &Node<'_, G>) -> Depth {
    node.high.max(node.low)
}

/// A parameter in hundredths of a ply.
fn hundredths(of_a_ply: i32) -> Depth {
    Depth(of_a_ply * Depth::PLY.0 / 100)
}
