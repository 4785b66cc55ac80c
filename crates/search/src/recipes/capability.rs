//! The capabilities of a game, derived at compile time from the traits it implements.

use crate::game::{
    Bounded, Checks, Defuse, Hung, Keyed, LastMoveWins, MoveIndexed, Noisy, Pass, Repeats, Structured,
    Threats,
};
use std::fmt;
use std::marker::PhantomData;

macro_rules! capabilities {
    ($($(#[$doc:meta])* $name:ident $flag:ident $words:literal,)*) => {
        /// A capability of a game: one of the traits that a game may implement in addition to
        /// [`Game`](crate::Game).
        /// Its `Display` form is a noun phrase that says what the game has.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Capability {
            $($(#[$doc])* $name,)*
        }

        impl Capability {
            /// All capabilities.
            pub const ALL: &[Capability] = &[$(Capability::$name,)*];
        }

        impl fmt::Display for Capability {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Capability::$name => $words,)*
                })
            }
        }

        /// Asks the compiler which traits the concrete type `G` implements. An inherent constant takes
        /// precedence over the constant of [`Lacks`] with the same name if its bound holds.
        #[doc(hidden)]
        #[derive(Debug)]
        pub struct Has<G>(PhantomData<G>);

        #[doc(hidden)]
        pub trait Lacks {
            $(const $flag: bool = false;)*
        }
        impl<G> Lacks for Has<G> {}

        $(impl<G: $name> Has<G> {
            #[doc(hidden)]
            pub const $flag: bool = true;
        })*
    };
}

capabilities! {
    /// [`Keyed`]
    Keyed KEYED "hash keys",
    /// [`MoveIndexed`]
    MoveIndexed SLOTTED "recurring moves",
    /// [`Repeats`]
    Repeats REPEATS "recurring positions",
    /// [`LastMoveWins`]
    LastMoveWins LAST_MOVE_WINS "wins by the last move",
    /// [`Noisy`]
    Noisy NOISY "noisy moves",
    /// [`Checks`]
    Checks CHECKS "checks",
    /// [`Pass`]
    Pass PASS "passes",
    /// [`Defuse`]
    Defuse DEFUSE "moves that prevent a threat",
    /// [`Structured`]
    Structured STRUCTURED "recurring parts",
    /// [`Hung`]
    Hung HUNG "hung pieces",
    /// [`Threats`]
    Threats THREATS "visible threats",
    /// [`Bounded`]
    Bounded BOUNDED "bounds on its values",
}

/// Returns the capabilities of a game. The game must be a concrete type: for a type parameter the
/// compiler knows only its bounds.
///
/// ```
/// use cassius_games::RandomTree;
/// use cassius_search::capabilities_of;
/// use cassius_search::recipes::Capability;
/// assert_eq!(
///     capabilities_of!(RandomTree),
///     [Capability::Keyed, Capability::MoveIndexed, Capability::Bounded]
/// );
/// ```
#[macro_export]
macro_rules! capabilities_of {
    ($game:ty) => {{
        #[allow(unused_imports)] // a game may implement none of the traits
        use $crate::recipes::macros::{Capability, Has, Lacks as _};
        let all = [
            (Capability::Keyed, Has::<$game>::KEYED),
            (Capability::MoveIndexed, Has::<$game>::SLOTTED),
            (Capability::Repeats, Has::<$game>::REPEATS),
            (Capability::LastMoveWins, Has::<$game>::LAST_MOVE_WINS),
            (Capability::Noisy, Has::<$game>::NOISY),
            (Capability::Checks, Has::<$game>::CHECKS),
            (Capability::Pass, Has::<$game>::PASS),
            (Capability::Defuse, Has::<$game>::DEFUSE),
            (Capability::Structured, Has::<$game>::STRUCTURED),
            (Capability::Hung, Has::<$game>::HUNG),
            (Capability::Threats, Has::<$game>::THREATS),
            (Capability::Bounded, Has::<$game>::BOUNDED),
        ];
        all.into_iter().filter_map(|(capability, has)| has.then_some(capability)).collect::<Vec<_>>()
    }};
}

/// Joins several things into an enumeration: `a, b and c`.
pub(super) fn and(things: &[impl fmt::Display]) -> String {
    match things {
        [] => "nothing".into(),
        [one] => one.to_string(),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(ToString::to_string).collect();
            format!("{} and {last}", first.join(", "))
        }
    }
}
