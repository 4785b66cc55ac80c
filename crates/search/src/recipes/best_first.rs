//! How the best-first recipes are run: searches that keep a tree, a list, or a table of proofs.

use super::Playable;
use super::playable::{Keeps, Settings, Ways, set};
use crate::best_first::{
    self, AnyLength, Assess, BStar, BestSuccessor, Bounds, Conspiracy, ConspiracyNumbers,
    ControlledConspiracy, Evaluated, FirstNumbers, Grower, Growth, Interval, Length, Margin, MonteCarlo,
    Payload, ProofNumberSearch, Proofs, RandomGames, Shown, Simulated, Star, Threat, Tree, Visits, stars,
};
use crate::game::{Bounded, Keyed, LastMoveWins, Pass, Statics};
use crate::proof::{self, Mobility, ProofTable};
use std::iter::successors;
use std::marker::PhantomData;

/// Evaluates leaves by their static values, optionally with a margin.
type Values = Margin<best_first::Static<Statics>>;
/// [`Values`], with an optional threat for games where passing can be tried.
type ValuesAndThreats = Threat<Values>;

/// The best-first recipes that any game can play.
#[doc(hidden)]
pub trait AnyGame<G: Playable> {
    const CNS: Option<Ways<G>> = Some(conspires::<G, BestSuccessor, Values, 8>());
    const CCNS: Option<Ways<G>> = Some(conspires::<G, ControlledConspiracy, Values, 8>());
    const CNS_VALUE: Option<Ways<G>> = Some(conspires::<G, ConspiracyNumbers, Values, 32>());
    const PNS: Option<Ways<G>> = Some(grows::<G, Proofs, ProofNumberSearch, FirstNumbers>());
    const KEY: Option<fn(&G) -> u64> = None;
    const DF_PN: Option<Ways<G>> = None;
    const B_STAR: Option<Ways<G>> = None;
    const UCT: Option<Ways<G>> = Some(grows::<G, Visits, MonteCarlo, Simulated<RandomGames<G::Move>>>());
    const PUCT: Option<Ways<G>> = Some(grows::<G, Visits, MonteCarlo, Simulated<Evaluated<Statics>>>());
    const SSS_STAR: Option<Ways<G>> = Some(Ways {
        search: |memory, _, request, report| {
            stars::<G, G::Draws>(request, &mut Statics, Star::Sss, memory.mib, report)
        },
        visit: |_, _, _| {},
        keeps: Keeps::Nothing,
        presets: &[],
    });
    const DUAL_STAR: Option<Ways<G>> = Some(Ways {
        search: |memory, _, request, report| {
            stars::<G, G::Draws>(request, &mut Statics, Star::Dual, memory.mib, report)
        },
        visit: |_, _, _| {},
        keeps: Keeps::Nothing,
        presets: &[],
    });
}

/// Asks the compiler which best-first recipes the game `G` can play, and with which components, as
/// [`Plays`](super::playable::Plays) does.
#[doc(hidden)]
#[derive(Debug)]
pub struct BestFirst<G>(PhantomData<G>);

impl<G: Playable> AnyGame<G> for BestFirst<G> {}

#[doc(hidden)]
impl<G: Playable + Pass> BestFirst<G> {
    pub const CNS: Option<Ways<G>> = Some(conspires::<G, BestSuccessor, ValuesAndThreats, 8>());
    pub const CCNS: Option<Ways<G>> = Some(conspires::<G, ControlledConspiracy, ValuesAndThreats, 8>());
    pub const CNS_VALUE: Option<Ways<G>> = Some(conspires::<G, ConspiracyNumbers, ValuesAndThreats, 32>());
}

#[doc(hidden)]
impl<G: Playable + Bounded> BestFirst<G> {
    pub const B_STAR: Option<Ways<G>> = Some(grows::<G, Interval, BStar, Shown>());
}

#[doc(hidden)]
impl<G: Playable + Keyed> BestFirst<G> {
    pub const KEY: Option<fn(&G) -> u64> = Some(<G as Keyed>::exact_key);
}

#[doc(hidden)]
impl<G: Playable + Keyed + LastMoveWins> BestFirst<G> {
    pub const DF_PN: Option<Ways<G>> = Some(Ways {
        search: |memory, _, request, report| {
            let proofs = as_much_as_there_is(memory.mib, |mib| ProofTable::new(mib).ok());
            proof::search(Mobility, proofs, request, report)
        },
        visit: |_, _, _| {},
        keeps: Keeps::Nothing,
        presets: &[],
    });
}

/// Grows a tree that takes as much memory as a table would.
const fn grows<G, P, R, A>() -> Ways<G>
where
    G: Playable,
    P: Payload,
    R: Growth<P> + Default,
    A: Assess<G, P> + Default,
{
    Ways {
        search: |memory, settings, request, report| {
            grower::<G, P, R, A>(R::default(), memory.mib, settings).search(request, report)
        },
        visit: |_, settings, visitor| grower::<G, P, R, A>(R::default(), 1, settings).visit(visitor),
        keeps: Keeps::Nothing,
        presets: &[],
    }
}

/// Grows a tree by conspiracy numbers, up to `THRESHOLD` conspirators unless a setting overrides it. The
/// sequences are long enough to distinguish that many conspirators, and longer than necessary for 9 to 32.
const fn conspires<G, R, A, const THRESHOLD: i32>() -> Ways<G>
where
    G: Playable,
    R: Conspiracy + Default,
    A: AnyLength<G> + Default,
{
    const SHORT: usize = Length::SHORT;
    const LONG: usize = Length::LONG;
    fn growth<R: Conspiracy + Default>(threshold: i32, settings: Settings<'_>) -> R {
        let mut growth = R::default().with_threshold(threshold);
        growth.visit(&mut |parameter, value| set(settings, parameter, value));
        growth
    }
    Ways {
        search: |memory, settings, request, report| {
            let growth: R = growth(THRESHOLD, settings);
            let mib = memory.mib;
            match Length::of(growth.threshold()) {
                Length::Short => {
                    grower::<G, Bounds<SHORT>, R, A>(growth, mib, settings).search(request, report)
                }
                // Two lengths are enough here: each is a search of its own for every game.
                Length::Middle | Length::Long => {
                    grower::<G, Bounds<LONG>, R, A>(growth, mib, settings).search(request, report)
                }
            }
        },
        visit: |_, settings, visitor| {
            let growth: R = growth(THRESHOLD, settings);
            grower::<G, Bounds<SHORT>, R, A>(growth, 1, settings).visit(visitor);
        },
        keeps: Keeps::Nothing,
        presets: &[],
    }
}

/// Creates a grower whose tree takes at most `mib` MiB, less if that much memory is not available. It
/// detects transpositions if positions have keys.
fn grower<G, P, R, A>(growth: R, mib: usize, settings: Settings<'_>) -> Grower<G, P, R, A, G::Draws>
where
    G: Playable,
    P: Payload,
    R: Growth<P>,
    A: Assess<G, P> + Default,
{
    let tree = as_much_as_there_is(mib, |mib| Tree::new(mib).ok());
    let mut grower = Grower::with_tree(tree, growth, A::default());
    if let Some(key) = G::hash_key() {
        grower = grower.with_transpositions_by(key);
    }
    grower.visit(&mut |parameter, value| set(settings, parameter, value));
    grower
}

/// Calls `take` with `mib` MiB, and with half as much after each failure, until it succeeds.
fn as_much_as_there_is<T>(mib: usize, take: impl FnMut(usize) -> Option<T>) -> T {
    let less = successors(Some(mib), |mib| (*mib > 0).then_some(mib / 2));
    less.into_iter().find_map(take).expect("there is a little memory")
}
