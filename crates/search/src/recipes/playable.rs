//! The named recipes for one game: which of them it can play, and which capabilities it lacks for the
//! others.

use super::Capability;
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::memory::{SingleBound, Table, TableError};
use crate::alpha_beta::recipes::presets::Preset;
use crate::alpha_beta::{Answer, Recipe, Report, Request, Setting, Slots, search};
use crate::component::{Off, Parameter, Visitor};
use crate::game::{Game, Static, Statics, Threaded};
use std::fmt;
use std::marker::PhantomData;

/// A game with named recipes. Implemented by [`playable!`](crate::playable!).
pub trait Playable: Static + Threaded {
    /// The name of the game as used within a sentence.
    const NAME: &'static str;

    /// Draws by repetition and by rule, or [`Off`] where there are none.
    type Draws: Draws<Self>;

    /// Returns the function that computes a position's key, if positions have keys. Trees in memory use
    /// it to detect transpositions.
    fn hash_key() -> Option<fn(&Self) -> u64> {
        None
    }

    /// Returns the capabilities of the game.
    fn capabilities() -> Vec<Capability>;

    /// Returns every recipe, including those that the game cannot play.
    fn recipes() -> Vec<NamedRecipe<Self>>;
}

/// A named recipe, as it applies to the game `G`.
pub struct NamedRecipe<G: Playable> {
    /// The name of the recipe.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The capabilities a game needs for it.
    pub needs: &'static [Capability],
    /// The functions that run it, if it compiles for the game.
    #[doc(hidden)]
    pub ways: Option<Ways<G>>,
}

impl<G: Playable> NamedRecipe<G> {
    /// Whether the game can play the recipe, that is, whether the recipe compiles for the game.
    pub fn can_be_played(&self) -> bool {
        self.ways.is_some()
    }

    /// Returns the capabilities that the recipe needs and the game lacks.
    pub fn lacking(&self) -> Vec<Capability> {
        let has = G::capabilities();
        self.needs.iter().copied().filter(|need| !has.contains(need)).collect()
    }
}

impl<G: Playable> fmt::Debug for NamedRecipe<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamedRecipe").field("name", &self.name).finish_non_exhaustive()
    }
}

type Tell<'a, G> = &'a mut dyn FnMut(&Report<<G as Game>::Move>);
type Search<G> = fn(&Memory, Settings<'_>, &Request<'_, G>, Tell<'_, G>) -> Answer<<G as Game>::Move>;

/// Parameters to set, as `Component.name` and a value within its range. No name occurs twice.
pub(super) type Settings<'a> = &'a [(String, i32)];

/// Sets `value` if a setting names this parameter.
pub(super) fn set(settings: Settings<'_>, parameter: &Parameter, value: &mut i32) {
    let full_name = parameter.full_name();
    if let Some((_, set)) = settings.iter().find(|(name, _)| *name == full_name) {
        *value = *set;
    }
}

/// The memory of a recipe: a table that is kept between searches, or the same amount for a tree or list
/// that each search creates.
#[doc(hidden)]
pub struct Memory {
    pub(super) mib: usize,
    kept: Kept,
}

enum Kept {
    TwoBounds(Table),
    OneBound(SingleBound),
    Nothing,
}

/// What is kept between searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keeps {
    /// A table with two bounds for each position.
    TwoBounds,
    /// The table of the survey, with one bound for each position.
    OneBound,
    /// Nothing.
    Nothing,
}

impl Memory {
    /// Allocates `mib` MiB for what is kept.
    pub(super) fn new(mib: usize, keeps: Keeps) -> Result<Memory, TableError> {
        let kept = match keeps {
            Keeps::TwoBounds => Kept::TwoBounds(Table::new(mib)?),
            Keeps::OneBound => Kept::OneBound(SingleBound::new(mib)?),
            // A trial allocation reports now whether the memory is available.
            Keeps::Nothing => Table::new(mib).map(|_| Kept::Nothing)?,
        };
        Ok(Memory { mib, kept })
    }

    /// Clears the table, if there is one.
    pub(super) fn clear(&self) {
        match &self.kept {
            Kept::TwoBounds(table) => table.clear(),
            Kept::OneBound(table) => table.clear(),
            Kept::Nothing => {}
        }
    }
}

/// The operations of a recipe that is known only by name. The types are resolved here, once per search.
#[doc(hidden)]
pub struct Ways<G: Playable> {
    pub(super) search: Search<G>,
    pub(super) visit: fn(&Memory, Settings<'_>, &mut Visitor<'_>),
    pub(super) keeps: Keeps,
    /// The parameters that the recipe sets unless a setting overrides them.
    pub(super) presets: &'static [Preset],
}

impl<G: Playable> Ways<G> {
    /// Returns the parameters that the recipe sets.
    pub(super) fn settings(&self) -> Vec<(String, i32)> {
        self.presets.iter().copied().flatten().map(|(name, value)| ((*name).into(), *value)).collect()
    }
}

/// Returns the same operations with these presets, which apply where no setting overrides them.
#[doc(hidden)]
pub fn preset<G: Playable>(ways: Option<Ways<G>>, presets: &'static [Preset]) -> Option<Ways<G>> {
    ways.map(|ways| Ways { presets, ..ways })
}

impl<G: Playable> Clone for Ways<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Playable> Copy for Ways<G> {}

impl<G: Playable> fmt::Debug for Ways<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ways")
    }
}

/// Asks the compiler whether the concrete game type `G` can play the recipe `R`. An inherent constant
/// takes precedence over the constant of [`Unplayable`] if its bounds hold.
#[doc(hidden)]
#[derive(Debug)]
pub struct Plays<G, R>(PhantomData<(G, R)>);

#[doc(hidden)]
pub trait Unplayable<G: Playable> {
    const WAYS: Option<Ways<G>> = None;
}
impl<G: Playable, R> Unplayable<G> for Plays<G, R> {}

/// The memory type of a recipe.
#[doc(hidden)]
pub trait Remembers: Sized {
    #[doc(hidden)]
    const KEEPS: Keeping;
    /// Returns the memory of an engine, or a small one that serves only to inspect parameters.
    fn of(memory: &Memory) -> Self;
}

/// A wrapper of [`Keeps`] that is visible outside the crate by name only.
#[doc(hidden)]
#[derive(Debug)]
pub struct Keeping(Keeps);

const SMALL: &str = "there is a little memory";

impl Remembers for Off {
    const KEEPS: Keeping = Keeping(Keeps::Nothing);
    fn of(_: &Memory) -> Off {
        Off
    }
}
impl Remembers for Table {
    const KEEPS: Keeping = Keeping(Keeps::TwoBounds);
    fn of(memory: &Memory) -> Table {
        match &memory.kept {
            Kept::TwoBounds(table) => table.clone(),
            _ => Table::new(0).expect(SMALL),
        }
    }
}
impl Remembers for SingleBound {
    const KEEPS: Keeping = Keeping(Keeps::OneBound);
    fn of(memory: &Memory) -> SingleBound {
        match &memory.kept {
            Kept::OneBound(table) => table.clone(),
            _ => SingleBound::new(1).expect(SMALL),
        }
    }
}

#[doc(hidden)]
impl<G: Playable, R> Plays<G, R>
where
    R: Recipe<G, Setting: Setting<G, Evaluate = Statics, Knowledge = Off>>,
    R::Memory: Remembers,
{
    pub const WAYS: Option<Ways<G>> =
        Some(Ways { search: Self::search, visit: Self::visit, keeps: R::Memory::KEEPS.0, presets: &[] });

    fn slots(memory: &Memory, settings: Settings<'_>) -> Slots<G, R> {
        let mut slots = Slots::new(Statics, R::Memory::of(memory), Off);
        slots.visit(&mut |parameter, value| set(settings, parameter, value));
        slots
    }

    fn search(
        memory: &Memory,
        settings: Settings<'_>,
        request: &Request<'_, G>,
        report: Tell<'_, G>,
    ) -> Answer<G::Move> {
        search(&mut Self::slots(memory, settings), request, report)
    }

    fn visit(memory: &Memory, settings: Settings<'_>, visitor: &mut Visitor<'_>) {
        Self::slots(memory, settings).visit(visitor);
    }
}

#[doc(hidden)]
pub mod types {
    use super::super::Board;
    pub use super::super::{Bare, Laboratory, Plain, Remembering};
    pub use crate::alpha_beta::horizon::{Abc, AnyRule, Instead, Plies};
    pub use crate::alpha_beta::memory::SingleBound;
    pub use crate::alpha_beta::quiescence::WideQuiescence;
    pub use crate::alpha_beta::recipes::presets::*;
    use crate::component::Off;
    pub use crate::component::Switch;

    /// The recipe as printed in the paper. Without noisy moves, a leaf has its static value.
    pub type AbcPaper = crate::alpha_beta::recipes::AbcPaper<Board>;
    pub type AbcPaperStatic = crate::alpha_beta::recipes::AbcPaper<Board, Off, Off>;

    /// Depths in plies, or those of alpha-beta-conspiracy search instead, for any game with keys.
    pub type PliesOrAbc = Instead<Abc, Plies>;

    pub type WideLaboratory = Laboratory<AnyRule, Switch<WideQuiescence>>;

    /// Monte Carlo tree search selects moves by PUCT.
    pub const PUCT: Preset = &[("MonteCarlo.selection", 1)];

    /// Under every depth rule, a table hit claims no more depth than was searched.
    pub const STRICT: Preset = &[("Table.strict", 1), ("Table.answer_pv", 1)];
}

/// Implements [`Playable`](crate::Playable) for a game: `playable!(Nim, "Nim", draws: Off)`. The game
/// must be [`Static`](crate::game::Static); every further trait that it implements makes more recipes
/// available. Its draws are [`Repetition`](crate::alpha_beta::draws::Repetition) if positions
/// repeat, else [`Off`](crate::Off).
///
/// A game with a lifetime is given as `playable!(Position<'t>, "…", draws: Off, lifetime: 't)`.
#[macro_export]
macro_rules! playable {
    ($game:ty, $called:literal, draws: $draws:ty $(, lifetime: $life:lifetime)?) => {
        impl $(<$life>)? $crate::recipes::Playable for $game {
            const NAME: &'static str = $called;
            type Draws = $draws;

            fn hash_key() -> Option<fn(&Self) -> u64> {
                #[allow(unused_imports)] // the game may have no key
                use $crate::recipes::macros::{AnyGame as _, BestFirst};
                BestFirst::<$game>::KEY
            }

            fn capabilities() -> Vec<$crate::recipes::Capability> {
                $crate::capabilities_of!($game)
            }

            fn recipes() -> Vec<$crate::recipes::NamedRecipe<Self>> {
                use $crate::recipes::Capability::*;
                use $crate::recipes::macros::types::{self, Laboratory, Plain, Remembering};
                #[allow(unused_imports)] // a game may be able to play every recipe
                use $crate::recipes::macros::{AnyGame as _, BestFirst, Plays, Unplayable as _, preset};
                const TREE: &[$crate::recipes::Capability] = &[Keyed];
                const QUIET: &[$crate::recipes::Capability] = &[Keyed, MoveIndexed, Noisy, Checks];
                const EVERY: &[$crate::recipes::Capability] =
                    &[Keyed, MoveIndexed, Noisy, Checks, Pass, Defuse, Structured];
                const KAINDL: &[$crate::recipes::Capability] =
                    &[Keyed, MoveIndexed, Noisy, Checks, Pass, Defuse, Structured, Hung, Threats];
                let wide = || Plays::<$game, types::WideLaboratory>::WAYS;
                let laboratory = || wide().or(Plays::<$game, Laboratory<types::AnyRule>>::WAYS);
                vec![
                    $crate::recipes::NamedRecipe {
                        name: "pvs",
                        summary: "principal variation search to a depth in plies, with a table",
                        needs: TREE,
                        ways: Plays::<$game, Remembering<types::PliesOrAbc>>::WAYS,
                    },
                    $crate::recipes::NamedRecipe {
                        name: "alphabeta",
                        summary: "alpha-beta and nothing else; other windows and MTD(f) behind switches",
                        needs: &[],
                        ways: preset(Plays::<$game, Plain>::WAYS, &[types::WHOLE_WINDOW]),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "palphabeta",
                        summary: "as alphabeta; moves that beat alpha are searched again by plain alpha-beta",
                        needs: &[],
                        ways: preset(Plays::<$game, Plain>::WAYS, &[types::PALPHABETA]),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "scout",
                        summary: "as alphabeta; moves that beat alpha are evaluated again",
                        needs: &[],
                        ways: preset(Plays::<$game, Plain>::WAYS, &[types::SCOUT]),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "appendix",
                        summary: "alpha-beta with a table as in the survey's appendix: one bound per \
                            position, hits narrow the window",
                        needs: TREE,
                        ways: preset(
                            Plays::<$game, Remembering<types::Plies, types::SingleBound>>::WAYS,
                            &[types::APPENDIX],
                        ),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "abc",
                        summary: "alpha-beta-conspiracy search, with a table",
                        needs: TREE,
                        ways: preset(
                            Plays::<$game, Remembering<types::PliesOrAbc>>::WAYS,
                            &[types::ABC, types::STRICT],
                        ),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "abc-paper",
                        summary: "as abc, but as published: forced lines end only at the library's maximum \
                            ply; options by quiescence",
                        needs: TREE,
                        ways: preset(
                            Plays::<$game, types::AbcPaper>::WAYS
                                .or(Plays::<$game, types::AbcPaperStatic>::WAYS),
                            &[types::STRICT],
                        ),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "bare",
                        summary: "plies with table, move ordering and quiescence, nothing selective",
                        needs: QUIET,
                        ways: Plays::<$game, types::Bare<types::AnyRule>>::WAYS,
                    },
                    $crate::recipes::NamedRecipe {
                        name: "bare-coupled",
                        summary: "two coupled depths with table, move ordering and quiescence, nothing \
                            selective",
                        needs: QUIET,
                        ways: preset(Plays::<$game, types::Bare<types::AnyRule>>::WAYS, &[types::COUPLED]),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "lab",
                        summary: "plies with every component behind a switch",
                        needs: EVERY,
                        ways: laboratory(),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "lab-coupled",
                        summary: "two coupled depths with every component behind a switch",
                        needs: EVERY,
                        ways: preset(laboratory(), &[types::COUPLED]),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "sex",
                        summary: "a counter for each side (search extension scheme), with table, move \
                            ordering and quiescence",
                        needs: QUIET,
                        ways: preset(Plays::<$game, types::Bare<types::AnyRule>>::WAYS, &[types::SEX]),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "dual-credit",
                        summary: "plies and two credits for forced moves, with table, move ordering and \
                            quiescence",
                        needs: QUIET,
                        ways: preset(
                            Plays::<$game, types::Bare<types::AnyRule>>::WAYS,
                            &[types::DUAL_CREDIT],
                        ),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "likelihood",
                        summary: "lines end when they are unlikely (Floyd), with table, move ordering and \
                            quiescence",
                        needs: QUIET,
                        ways: preset(Plays::<$game, types::Bare<types::AnyRule>>::WAYS, &[types::LIKELIHOOD]),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "kaindl",
                        summary: "Kaindl's search: plies, nothing selective; forced lines are not counted; \
                            threats in quiescence",
                        needs: KAINDL,
                        ways: preset(wide(), &[types::NOTHING_SELECTIVE, types::KAINDL]),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "cns",
                        summary: "best-first: conspiracy numbers prove that the best move is best, or that \
                            the others are not",
                        needs: &[],
                        ways: BestFirst::<$game>::CNS,
                    },
                    $crate::recipes::NamedRecipe {
                        name: "ccns",
                        summary: "best-first: as cns, but targets are pushed down and split; several leaves \
                            at once",
                        needs: &[],
                        ways: BestFirst::<$game>::CCNS,
                    },
                    $crate::recipes::NamedRecipe {
                        name: "cns-value",
                        summary: "best-first: grows a tree by conspiracy numbers until its value is settled",
                        needs: &[],
                        ways: BestFirst::<$game>::CNS_VALUE,
                    },
                    $crate::recipes::NamedRecipe {
                        name: "pns",
                        summary: "best-first: proof numbers; the value is a win, draw or loss once it is \
                            proven, before that a bound or unknown",
                        needs: &[],
                        ways: BestFirst::<$game>::PNS,
                    },
                    $crate::recipes::NamedRecipe {
                        name: "df-pn",
                        summary: "depth-first proof numbers with a table: proven wins, losses and draws \
                            within a number of plies",
                        needs: &[Keyed, LastMoveWins],
                        ways: BestFirst::<$game>::DF_PN,
                    },
                    $crate::recipes::NamedRecipe {
                        name: "b-star",
                        summary: "best-first: B*, with the bounds that the game provides; proves that the \
                            best move is best",
                        needs: &[Bounded],
                        ways: BestFirst::<$game>::B_STAR,
                    },
                    $crate::recipes::NamedRecipe {
                        name: "uct",
                        summary: "best-first: Monte Carlo tree search by UCT; leaves are assessed by random \
                            games",
                        needs: &[],
                        ways: BestFirst::<$game>::UCT,
                    },
                    $crate::recipes::NamedRecipe {
                        name: "puct",
                        summary: "best-first: as uct, but moves are selected by PUCT with equal priors, and \
                            leaves are assessed by static values",
                        needs: &[],
                        ways: preset(BestFirst::<$game>::PUCT, &[types::PUCT]),
                    },
                    $crate::recipes::NamedRecipe {
                        name: "sss-star",
                        summary: "best-first: SSS* with a list, to a depth of 1, 2, … plies in turn",
                        needs: &[],
                        ways: BestFirst::<$game>::SSS_STAR,
                    },
                    $crate::recipes::NamedRecipe {
                        name: "dual-star",
                        summary: "best-first: DUAL*, which is SSS* for the other side",
                        needs: &[],
                        ways: BestFirst::<$game>::DUAL_STAR,
                    },
                ]
            }
        }
    };
}
