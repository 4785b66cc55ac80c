//! Recipes and games that the tests share.
#![allow(dead_code)] // every test file uses a part of it

pub mod abc;

use cassius_games::RandomGame;
use cassius_games::random_game::{Rules, Shape};
use cassius_search::alpha_beta::aspiration::{Aspire, Failure};
use cassius_search::alpha_beta::correction::CorrectionHistory;
use cassius_search::alpha_beta::deepening::MoveAndRefutation;
use cassius_search::alpha_beta::draws::Draws;
use cassius_search::alpha_beta::horizon::{Alter, Altered, Horizon, Plies};
use cassius_search::alpha_beta::memory::Memory;
use cassius_search::alpha_beta::observe::Observe;
use cassius_search::alpha_beta::options::{OptionSources, Oracle};
use cassius_search::alpha_beta::order::{
    CaptureHistory, ChecksFirst, Continuation, CounterKillers, Countermove, DistantKillers, ExposureHistory,
    History, Killers, NoisyFirst, Reorder,
};
use cassius_search::alpha_beta::quiescence::{Captures, Quiescence};
use cassius_search::alpha_beta::selectivity::{
    ExchangePruning, Futility, HistoryPruning, InternalReduction, LateMovePruning, LateMoveReduction,
    NullMove, ProbCut, Razoring, ReverseFutility, Selectivity, Singular,
};
use cassius_search::alpha_beta::windows::{MinimalWindow, Windows};
use cassius_search::game::{Defuse, Repeats, Structured};
use cassius_search::{
    Bound, Checks, Component, Depth, Depths, Evaluate, Game, Keyed, Noisy, Off, Pass, Recipe, Report,
    Request, Score, Slots, Spare, Static, Statics, Switch, Unlimited, Window, search,
};
use proptest::prelude::*;
use std::marker::PhantomData;

/// A game with every capability that an order, a table or a selective component uses.
pub trait Every: Static + Keyed + Defuse + Noisy + Checks + Pass + Structured {}
impl<G: Static + Keyed + Defuse + Noisy + Checks + Pass + Structured> Every for G {}

/// All orders, each behind a switch.
pub type Orders = (
    Switch<NoisyFirst>,
    Switch<Killers>,
    Switch<Countermove>,
    Switch<History>,
    Switch<Continuation>,
    Switch<ChecksFirst>,
    Switch<DistantKillers>,
    Switch<CounterKillers>,
    Switch<Reorder>,
    Switch<CaptureHistory>,
    Switch<ExposureHistory>,
);

/// The number of orders.
pub const ORDERS: u32 = 11;

/// Returns settings of their switches, one bit each, such that any three switches occur in all eight
/// combinations.
pub fn orders() -> impl Iterator<Item = u16> {
    let parity = |bits: u16| bits.count_ones() as u16 & 1;
    // The last five are parities of three of the first six: no three of all depend on each other.
    let parities = [7, 28, 49, 42, 21].into_iter().zip(6..);
    (0..64).map(move |bits| parities.clone().fold(bits, |all, (of, at)| all | parity(bits & of) << at))
}

/// Sets the switches of an order, one bit each.
pub fn set_order(order: &mut Orders, bits: u16) {
    let mut bit = 0;
    order.visit(&mut |parameter, value| {
        if parameter.name == "on" {
            *value = i32::from(bits >> bit & 1 != 0);
            bit += 1;
        }
    });
    assert_eq!(bit, ORDERS);
}

/// Implements [`Recipe`] with the varying slots as type parameters.
macro_rules! recipe {
    ($(#[$meta:meta])* $name:ident for $games:path { $($slot:ident = $type:ty,)* }) => {
        $(#[$meta])*
        #[allow(clippy::type_complexity)]
        pub struct $name<H, W, M = Off, A = Off, Q = Off, D = Off, V = Off, E = Statics>(
            PhantomData<(H, W, M, A, Q, D, V, E)>,
        );

        cassius_search::recipe! {
            impl [
                G: $games, H: Horizon<G>, W: Windows, M: Memory<G>, A: Aspire, Q: Quiescence<G>, D: Draws<G>,
                V: Observe<G>, E: Evaluate<G>
            ] $name<H, W, M, A, Q, D, V, E>, game G {
                Setting = (E, D);
                Observe = V;
                Horizon = H;
                Quiescence = Q;
                Memory = M;
                Windows = W;
                Aspiration = A;
                Deepening = Spare<MoveAndRefutation>;
                $($slot = $type;)*
            }
        }
    };
}

recipe! {
    /// Alpha-beta without further components.
    Plain for Game {}
}

recipe! {
    /// Alpha-beta with move ordering only.
    Ordered for Every {
        Order = Orders,
    }
}

recipe! {
    /// Alpha-beta with move ordering and counted options.
    Counting for Every {
        Options = OptionSources,
        Order = Orders,
    }
}

recipe! {
    /// Alpha-beta whose options are counted by alpha-beta.
    Asking for Every {
        Options = Oracle<G, Inquired>,
    }
}

/// The search that counts options.
pub type Inquired = Plain<Plies, MinimalWindow>;

recipe! {
    /// All components, each behind a switch.
    Laboratory for Every {
        Options = OptionSources,
        Correction = Switch<CorrectionHistory>,
        Selectivity = Switches,
        Order = Orders,
    }
}

/// All selective components, each behind a switch.
pub enum Switches {}

impl<G: Every> Selectivity<G> for Switches {
    type InternalReduction = Switch<InternalReduction>;
    type ReverseFutility = Switch<ReverseFutility>;
    type Razoring = Switch<Razoring>;
    type NullMove = Switch<NullMove>;
    type ProbCut = Switch<ProbCut>;
    type LateMovePruning = Switch<LateMovePruning>;
    type Futility = (Switch<Futility>, Switch<HistoryPruning>);
    type ExchangePruning = Switch<ExchangePruning>;
    type Extend = Switch<Singular>;
    type LateMoveReduction = Switch<LateMoveReduction>;
}

/// A depth rule in which every iteration requires the same depths.
pub type Always<H> = Altered<Required, H>;

/// The depths that every iteration requires: a ply, unless it is said otherwise.
pub struct Required(Depths);

impl Default for Required {
    fn default() -> Self {
        Required(Depths::both(Depth::PLY))
    }
}

impl Component for Required {
    const NAME: &'static str = "Required";
}

impl<G: Game> Alter<G> for Required {
    fn iteration(&self, _: usize, _: Depths) -> Depths {
        self.0
    }
}

/// Returns `rule` with `depths` required in every iteration.
pub fn always<H>(rule: H, depths: Depths) -> Always<H> {
    Altered { change: Required(depths), rule }
}

/// Opens every iteration except the first with one window. If it fails, the next window is full.
pub struct Through(pub Window);

impl Default for Through {
    fn default() -> Self {
        Through(Window::FULL)
    }
}

impl Component for Through {
    const NAME: &'static str = "Through";
}

impl Aspire for Through {
    fn window(&self, previous: Option<Score>, _: usize) -> Window {
        previous.map_or(Window::FULL, |_| self.0)
    }
    fn widen(&self, _: &Failure) -> Window {
        Window::FULL
    }
}

/// The output of a search.
pub struct Said<M> {
    pub answer: cassius_search::Answer<M>,
    /// All reports, in order.
    pub reports: Vec<Report<M>>,
}

impl<M: Copy> Said<M> {
    /// Returns the finished lines of an iteration, best first.
    pub fn lines(&self, iteration: usize) -> Vec<&Report<M>> {
        self.reports.iter().filter(|r| r.iteration == iteration && r.bound == Some(Bound::Exact)).collect()
    }

    pub fn score(&self) -> Score {
        self.answer.score().expect("a line")
    }
}

/// Searches according to `request` and keeps every report.
pub fn run<G: Game, R: Recipe<G>>(slots: &mut Slots<G, R>, request: &Request<'_, G>) -> Said<G::Move> {
    let mut reports = Vec::new();
    let answer = search(slots, request, &mut |report| reports.push(report.clone()));
    Said { answer, reports }
}

/// Searches up to an iteration without other limits.
pub fn run_to<G: Game, R: Recipe<G>>(
    slots: &mut Slots<G, R>,
    position: &G,
    iterations: usize,
) -> Said<G::Move> {
    run(slots, &Request::new(position, &Unlimited).to_iteration(iterations))
}

/// Returns the legal moves.
pub fn moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

/// Returns the position after a move.
pub fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut child = position.clone();
    child.play(mv);
    child
}

/// Converts the value of a child, for the other side, to the value of the position for the side to move.
/// Both count wins and losses from themselves.
pub fn up(child: Score) -> Score {
    -child.at_root(1)
}

/// Random games in which a position occurs at one ply only, so that it always has the same remaining
/// depth.
pub fn layered() -> impl Strategy<Value = Rules> {
    let shape = prop_oneof![Just(Shape::Tree), (1u32..9).prop_map(Shape::Layers)];
    (any::<u64>(), shape, 1u8..5, 0u8..25, (0u8..60, 0u8..5), 0u8..40, 0u16..30).prop_map(
        |(seed, shape, branching, ends, (noisy, pieces), checks, spread)| Rules {
            seed,
            shape,
            branching,
            ends,
            noisy,
            pieces,
            checks,
            spread,
            patience: u16::MAX,
        },
    )
}

/// Returns fixed games, for counts that must be the same on every run.
pub fn games(shape: Shape, count: u64) -> impl Iterator<Item = RandomGame> {
    (0..count)
        .map(move |seed| Rules { seed, shape, branching: 6, spread: 200, checks: 10, ..Rules::default() })
        .map(Rules::root)
        .filter(|game| !game.is_over())
}

/// Quiescence without margins, for comparison with a definition.
pub fn plain_captures() -> Captures {
    Captures { margin: 10_000, exchange: 0, evasions: 1 }
}

/// Returns a configuration with this number of cases, the same on every run.
pub fn cases(cases: u32) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(1993);
    ProptestConfig {
        cases,
        rng_seed,
        failure_persistence: None,
        max_global_rejects: 100_000,
        ..ProptestConfig::default()
    }
}

/// Whether no line of the game is longer than `plies`, and there are not too many lines.
pub fn ends_within<G: Game>(position: &G, plies: usize) -> bool {
    fn count<G: Game>(position: &G, plies: usize, left: &mut u32) -> bool {
        *left = left.saturating_sub(1);
        let all = moves(position);
        *left > 0
            && (all.is_empty()
                || plies > 0 && all.iter().all(|&mv| count(&after(position, mv), plies - 1, left)))
    }
    count(position, plies, &mut 5000)
}

/// Computes minimax where a position that occurred before on the line is a draw.
///
/// As in the component, a repetition after two plies is recognised only at the second occurrence.
pub fn with_repetitions(count: &mut Vec<RandomGame>, depth: usize) -> Score {
    let position = *count.last().unwrap();
    let ply = count.len() - 1;
    if ply > 0 {
        let reversible = position.reversible_plies();
        let back = (4..=reversible.min(ply)).step_by(2);
        let repeats =
            back.into_iter().any(|back| count[ply - back].repetition_key() == position.repetition_key());
        if repeats || position.drawn_by_rule() {
            return Score::DRAW;
        }
    }
    if position.is_over() {
        return position.outcome().score(ply);
    }
    if depth == 0 {
        return position.static_value();
    }
    let mut best = -Score::INFINITE;
    for mv in moves(&position) {
        count.push(after(&position, mv));
        best = best.max(-with_repetitions(count, depth - 1));
        count.pop();
    }
    best
}

/// Finite games without repetitions.
pub fn finite() -> impl Strategy<Value = RandomGame> {
    let shape = prop_oneof![Just(Shape::Tree), (2u32..9).prop_map(Shape::Layers)];
    (any::<u64>(), shape, 1u8..4, 20u8..50, 0u16..4)
        .prop_map(|(seed, shape, branching, ends, spread)| {
            Rules { seed, shape, branching, ends, spread, pieces: 2, ..Rules::default() }.root()
        })
        .prop_filter("over too soon or too late", |game| !game.is_over() && ends_within(game, 12))
}
