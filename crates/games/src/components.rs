//! What each component of the search needs of a game, for those who name one in vain.

use crate::Capability::{self, *};

/// The components that need a capability, with all they need.
const NEEDS: &[(&str, &[Capability])] = &[
    ("NullMove", &[Pass]),
    ("ReverseFutility", &[Checks]),
    ("Razoring", &[Checks]),
    ("LateMoveReduction", &[Checks]),
    ("LateMovePruning", &[Checks]),
    ("Futility", &[Checks]),
    ("ExchangePruning", &[Noisy]),
    ("NoisyOnly", &[Noisy, Checks]),
    ("NoisyFirst", &[Noisy]),
    ("ChecksFirst", &[Noisy, Checks]),
    ("Killers", &[Slotted, Noisy]),
    ("Countermove", &[Slotted, Noisy]),
    ("History", &[Slotted, Noisy]),
    ("Continuation", &[Slotted, Noisy]),
    ("DistantKillers", &[Slotted, Noisy]),
    ("Reorder", &[Slotted, Noisy]),
    ("CounterKillers", &[Slotted, Noisy, Defuse]),
    ("Captures", &[Noisy, Checks]),
    ("QuietChecks", &[Noisy, Checks]),
    ("ForcingChecks", &[Noisy, Checks]),
    ("HungMoves", &[Noisy, Hung]),
    ("KillerMoves", &[Slotted, Noisy]),
    ("MateThreat", &[Noisy, Checks, Pass, Threats]),
    ("PromotionThreat", &[Noisy, Checks, Pass, Threats]),
    ("PassWhenHung", &[Noisy, Checks, Pass, Hung]),
    ("CheckReplies", &[Checks]),
    ("UncountedChecks", &[Noisy, Checks]),
    ("Interest", &[Noisy, Checks]),
    ("ExtendHorizon", &[Noisy, Checks]),
    ("Complicated", &[Noisy, Checks]),
    ("LeafThreat", &[Pass]),
    ("Transpositions", &[Keyed]),
];

/// The name of a component as it is spelt, and what it needs of a game, if it needs anything. Upper and lower case are the
/// same.
///
/// ```
/// use cassius_games::{Capability, component_needs};
/// assert_eq!(component_needs("nullmove"), Some(("NullMove", &[Capability::Pass][..])));
/// ```
pub fn component_needs(name: &str) -> Option<(&'static str, &'static [Capability])> {
    NEEDS.iter().copied().find(|(component, _)| component.eq_ignore_ascii_case(name))
}
