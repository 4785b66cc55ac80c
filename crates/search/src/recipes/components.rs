//! What each component of the search requires of a game. Error messages use this for components that do
//! not compile for a game.

use super::Capability::{self, *};

/// The components that need at least one capability, each with all capabilities it needs.
const NEEDS: &[(&str, &[Capability])] = &[
    ("NullMove", &[Pass]),
    ("ProbCut", &[Noisy, Checks]),
    ("ReverseFutility", &[Checks]),
    ("Razoring", &[Checks]),
    ("LateMoveReduction", &[Checks]),
    ("LateMovePruning", &[Checks]),
    ("Futility", &[Checks]),
    ("ExchangePruning", &[Noisy]),
    ("HistoryPruning", &[Checks]),
    ("NoisyOnly", &[Noisy, Checks]),
    ("CorrectionHistory", &[Noisy, Checks, Structured]),
    ("NoisyFirst", &[Noisy]),
    ("ChecksFirst", &[Noisy, Checks]),
    ("Killers", &[MoveIndexed, Noisy]),
    ("Countermove", &[MoveIndexed, Noisy]),
    ("History", &[MoveIndexed, Noisy]),
    ("Continuation", &[MoveIndexed, Noisy]),
    ("CaptureHistory", &[MoveIndexed, Noisy]),
    ("ExposureHistory", &[MoveIndexed, Noisy]),
    ("DistantKillers", &[MoveIndexed, Noisy]),
    ("Reorder", &[MoveIndexed, Noisy]),
    ("CounterKillers", &[MoveIndexed, Noisy, Defuse]),
    ("Captures", &[Noisy, Checks]),
    ("QuietChecks", &[Noisy, Checks]),
    ("ForcingChecks", &[Noisy, Checks]),
    ("HungMoves", &[Noisy, Hung]),
    ("KillerMoves", &[MoveIndexed, Noisy]),
    ("MateThreat", &[Noisy, Checks, Pass, Threats]),
    ("PromotionThreat", &[Noisy, Checks, Pass, Threats]),
    ("PassWhenHung", &[Noisy, Checks, Pass, Hung]),
    ("CheckReplies", &[Checks]),
    ("UncountedChecks", &[Noisy, Checks]),
    ("Interest", &[Noisy, Checks]),
    ("ExtendHorizon", &[Noisy, Checks]),
    ("Complicated", &[Noisy, Checks]),
    ("Coupled", &[Checks]),
    ("Sex", &[Noisy, Checks]),
    ("DualCredit", &[Noisy, Checks]),
    ("Likelihood", &[Noisy, Checks]),
    ("LeafThreat", &[Pass]),
    ("Transpositions", &[Keyed]),
];

/// Returns the canonical spelling of a component's name and the capabilities it needs of a game, if it
/// needs any. The comparison ignores case.
///
/// ```
/// use cassius_search::recipes::{Capability, component_needs};
/// assert_eq!(component_needs("nullmove"), Some(("NullMove", &[Capability::Pass][..])));
/// ```
pub fn component_needs(name: &str) -> Option<(&'static str, &'static [Capability])> {
    NEEDS.iter().copied().find(|(component, _)| component.eq_ignore_ascii_case(name))
}
