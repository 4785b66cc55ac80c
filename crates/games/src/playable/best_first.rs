//! How the best-first family is played: searches that keep a tree, a list, or a table of proofs.

use super::{Settings, Ways};
use crate::{Playable, Statics};
use cassius_search::best_first::{
    self, Assess, BStar, BestSuccessor, Bounds, ConspiracyNumbers, ControlledConspiracy, FirstNumbers,
    Grower, Growth, Interval, Margin, Optimist, Payload, ProofNumberSearch, Proofs, Spread, Star, Threat,
    stars,
};
use cassius_search::proof::{self, Mobility, ProofTable};
use cassius_search::{Keyed, LastMoveWins, Pass};
use std::iter::successors;
use std::marker::PhantomData;

/// Up to eight conspirators are told apart.
type GameBounds = Bounds<9>;
/// The values of leaves, and there may be a margin.
type Values = Margin<best_first::Static<Statics>>;
/// Where passing can be tried, a threat too.
type ValuesAndThreats = Threat<Values>;

/// What any game can play.
#[doc(hidden)]
pub trait AnyGame<G: Playable> {
    const CNS: Option<Ways<G>> = Some(grows::<G, GameBounds, BestSuccessor, Values>());
    const CCNS: Option<Ways<G>> = Some(grows::<G, GameBounds, ControlledConspiracy, Values>());
    const CNS_VALUE: Option<Ways<G>> = Some(grows::<G, GameBounds, ConspiracyNumbers, Values>());
    const PNS: Option<Ways<G>> = Some(grows::<G, Proofs, ProofNumberSearch, FirstNumbers>());
    const KEY: Option<fn(&G) -> u64> = None;
    const DF_PN: Option<Ways<G>> = None;
    const B_STAR: Option<Ways<G>> = Some(grows::<G, Interval, BStar, Spread<Statics>>());
    const SSS_STAR: Option<Ways<G>> = Some(Ways {
        search: |memory, _, request, report| {
            stars::<G, G::Draws>(request, &mut Statics, Star::Sss, memory.mib, report)
        },
        visit: |_, _, _| {},
        keeps_a_table: false,
    });
    const DUAL_STAR: Option<Ways<G>> = Some(Ways {
        search: |memory, _, request, report| {
            stars::<G, G::Draws>(request, &mut Statics, Star::Dual, memory.mib, report)
        },
        visit: |_, _, _| {},
        keeps_a_table: false,
    });
}

/// Asks the compiler what the game `G` can play, and with what, as [`Plays`](super::Plays) does.
#[doc(hidden)]
#[derive(Debug)]
pub struct BestFirst<G>(PhantomData<G>);

impl<G: Playable> AnyGame<G> for BestFirst<G> {}

#[doc(hidden)]
impl<G: Playable + Pass> BestFirst<G> {
    pub const CNS: Option<Ways<G>> = Some(grows::<G, GameBounds, BestSuccessor, ValuesAndThreats>());
    pub const CCNS: Option<Ways<G>> = Some(grows::<G, GameBounds, ControlledConspiracy, ValuesAndThreats>());
    pub const CNS_VALUE: Option<Ways<G>> =
        Some(grows::<G, GameBounds, ConspiracyNumbers, ValuesAndThreats>());
    pub const B_STAR: Option<Ways<G>> = Some(grows::<G, Interval, BStar, Optimist<Statics>>());
}

#[doc(hidden)]
impl<G: Playable + Keyed> BestFirst<G> {
    pub const KEY: Option<fn(&G) -> u64> = Some(<G as Keyed>::key);
}

#[doc(hidden)]
impl<G: Playable + Keyed + LastMoveWins> BestFirst<G> {
    pub const DF_PN: Option<Ways<G>> = Some(Ways {
        search: |memory, _, request, report| {
            let proofs = as_much_as_there_is(memory.mib, |mib| ProofTable::new(mib).ok());
            proof::search(Mobility, proofs, request, report)
        },
        visit: |_, _, _| {},
        keeps_a_table: false,
    });
}

/// A tree that takes as much memory as a table would; with transpositions, where positions have keys.
const fn grows<G, P, R, A>() -> Ways<G>
where
    G: Playable,
    P: Payload,
    R: Growth<P> + Default,
    A: Assess<G, P> + Default,
{
    fn grower<G, P, R, A>(mib: usize, settings: Settings<'_>) -> Grower<G, P, R, A, G::Draws>
    where
        G: Playable,
        P: Payload,
        R: Growth<P> + Default,
        A: Assess<G, P> + Default,
    {
        let mut grower = as_much_as_there_is(mib, |mib| Grower::new(mib, R::default(), A::default()).ok());
        if let Some(key) = G::hash_key() {
            grower = grower.with_transpositions_by(key);
        }
        grower.visit(&mut |parameter, value| super::set(settings, parameter, value));
        grower
    }
    Ways {
        search: |memory, settings, request, report| {
            grower::<G, P, R, A>(memory.mib, settings).search(request, report)
        },
        visit: |_, settings, visitor| grower::<G, P, R, A>(1, settings).visit(visitor),
        keeps_a_table: false,
    }
}

/// What can be had with so many MiB, or with half of them, and so on.
fn as_much_as_there_is<T>(mib: usize, take: impl FnMut(usize) -> Option<T>) -> T {
    let less = successors(Some(mib), |mib| (*mib > 0).then_some(mib / 2));
    less.into_iter().find_map(take).expect("there is a little memory")
}
