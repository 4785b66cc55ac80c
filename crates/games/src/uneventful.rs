//! Capabilities of games in which nothing of that kind ever happens.

/// Implements [`Checks`], [`Noisy`], [`Hung`], [`Threats`], [`Repeats`] and [`Defuse`] for a [`Keyed`] game without
/// checks, noisy moves, threats and repetitions.
///
/// [`Checks`]: cassius_search::Checks
/// [`Defuse`]: cassius_search::Defuse
/// [`Noisy`]: cassius_search::Noisy
/// [`Hung`]: cassius_search::Hung
/// [`Threats`]: cassius_search::Threats
/// [`Repeats`]: cassius_search::Repeats
/// [`Keyed`]: cassius_search::Keyed
macro_rules! uneventful {
    ($game:ty) => {
        /// Never in check.
        impl cassius_search::Checks for $game {
            fn in_check(&self) -> bool {
                false
            }
        }

        /// No noisy moves.
        impl cassius_search::Noisy for $game {
            fn noisy_moves(&self, _: &mut Vec<Self::Move>) {}
            fn is_noisy(&self, _: Self::Move) -> bool {
                false
            }
            fn gain(&self, _: Self::Move) -> cassius_search::Score {
                cassius_search::Score(0)
            }
            fn noisy_rank(&self, _: Self::Move) -> i32 {
                0
            }
            fn exchange_at_least(&self, _: Self::Move, threshold: cassius_search::Score) -> bool {
                threshold <= cassius_search::Score(0)
            }
        }

        /// No threat can be met.
        impl cassius_search::Defuse for $game {
            fn defuses(&self, _: Self::Move, _: usize) -> bool {
                false
            }
        }

        never_threatens!($game);
        never_repeats!($game);
    };
}

/// Implements [`Repeats`](cassius_search::Repeats) for a `Keyed` game that only moves forward.
macro_rules! never_repeats {
    ($game:ty) => {
        /// No position comes back.
        impl cassius_search::Repeats for $game {
            fn repetition_key(&self) -> u64 {
                cassius_search::Keyed::key(self)
            }
            fn reversible_plies(&self) -> usize {
                0
            }
            fn drawn_by_rule(&self) -> bool {
                false
            }
        }
    };
}

/// Implements [`Hung`](cassius_search::Hung) and [`Threats`](cassius_search::Threats) for a game in which a look tells
/// of neither.
macro_rules! never_threatens {
    ($game:ty) => {
        /// Nothing is hung.
        impl cassius_search::Hung for $game {}
        /// Nothing threatens.
        impl cassius_search::Threats for $game {}
    };
}
