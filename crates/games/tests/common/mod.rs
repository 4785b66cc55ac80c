//! Recipes and games that the tests share.
#![allow(dead_code)] // every test file uses its own part

pub mod abc;

use cassius_games::random_game::{Rules, Shape};
use cassius_games::{RandomGame, Static, Statics};
use cassius_search::{
    Aspire, Bound, Captures, Checks, ChecksFirst, Component, Continuation, CounterKillers, Countermove,
    Defuse, Depth, Depths, DistantKillers, Draws, Evaluate, ExchangePruning, Expanded, Failure, Futility,
    Game, History, Horizon, InternalReduction, Keyed, Killers, LateMovePruning, LateMoveReduction, Memory,
    MoveAndRefutation, Noisy, NoisyFirst, NullMove, Observe, Off, OptionSources, Pass, Quiescence, Razoring,
    Recipe, Reorder, Repeats, Report, Request, ReverseFutility, Score, Singular, Slots, Spare, Step, Switch,
    Unlimited, Visitor, Window, Windows, search,
};
use proptest::prelude::*;
use std::marker::PhantomData;

/// A game with every capability that an order, a table or a selective component looks at.
pub trait Every: Static + Keyed + Defuse + Noisy + Checks + Pass {}
impl<G: Static + Keyed + Defuse + Noisy + Checks + Pass> Every for G {}

/// Every order there is, switchable.
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
);

/// How many they are.
pub const ORDERS: u32 = 9;

/// Settings of their switches, one bit each, such that any three switches are seen in all eight ways.
pub fn orders() -> impl Iterator<Item = u16> {
    let parity = |bits: u16| bits.count_ones() as u16 & 1;
    // The last three are parities of three of the first six: no three of the nine depend on each other.
    (0..64).map(move |bits| bits | parity(bits & 7) << 6 | parity(bits & 28) << 7 | parity(bits & 49) << 8)
}

/// Sets the switches of an order: one bit each.
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

/// Implements [`Recipe`] with the slots that vary as type parameters.
macro_rules! recipe {
    ($(#[$meta:meta])* $name:ident for $games:path { $($slot:ident = $type:ty,)* }) => {
        $(#[$meta])*
        #[allow(clippy::type_complexity)]
        pub struct $name<H, W, M = Off, A = Off, Q = Off, D = Off, V = Off, E = Statics>(
            PhantomData<(H, W, M, A, Q, D, V, E)>,
        );

        impl<G, H, W, M, A, Q, D, V, E> Recipe<G> for $name<H, W, M, A, Q, D, V, E>
        where
            G: $games,
            H: Horizon<G>,
            W: Windows,
            M: Memory<G>,
            A: Aspire,
            Q: Quiescence<G>,
            D: Draws<G>,
            V: Observe<G>,
            E: Evaluate<G>,
        {
            type Evaluate = E;
            type Observe = V;
            type Draws = D;
            type Horizon = H;
            type Quiescence = Q;
            type Memory = M;
            type Knowledge = Off;
            type Windows = W;
            type Aspiration = A;
            type Deepening = Spare<MoveAndRefutation>;
            $(type $slot = $type;)*
        }
    };
}

recipe! {
    /// Alpha-beta and nothing else; the optional slots are empty.
    Plain for Game {
        Options = Off,
        InternalReduction = Off,
        ReverseFutility = Off,
        Razoring = Off,
        NullMove = Off,
        Order = Off,
        LateMovePruning = Off,
        Futility = Off,
        ExchangePruning = Off,
        Extend = Off,
        LateMoveReduction = Off,
    }
}

recipe! {
    /// The optional slots are empty, but moves are ordered.
    Ordered for Every {
        Options = Off,
        InternalReduction = Off,
        ReverseFutility = Off,
        Razoring = Off,
        NullMove = Off,
        Order = Orders,
        LateMovePruning = Off,
        Futility = Off,
        ExchangePruning = Off,
        Extend = Off,
        LateMoveReduction = Off,
    }
}

recipe! {
    /// The optional slots are empty, but moves are ordered, and options counted.
    Counting for Every {
        Options = OptionSources,
        InternalReduction = Off,
        ReverseFutility = Off,
        Razoring = Off,
        NullMove = Off,
        Order = Orders,
        LateMovePruning = Off,
        Futility = Off,
        ExchangePruning = Off,
        Extend = Off,
        LateMoveReduction = Off,
    }
}

recipe! {
    /// Every component there is, switchable.
    Laboratory for Every {
        Options = OptionSources,
        InternalReduction = Switch<InternalReduction>,
        ReverseFutility = Switch<ReverseFutility>,
        Razoring = Switch<Razoring>,
        NullMove = Switch<NullMove>,
        Order = Orders,
        LateMovePruning = Switch<LateMovePruning>,
        Futility = Switch<Futility>,
        ExchangePruning = Switch<ExchangePruning>,
        Extend = Switch<Singular>,
        LateMoveReduction = Switch<LateMoveReduction>,
    }
}

/// A depth rule whose every iteration asks for the same depths.
pub struct Always<H> {
    pub rule: H,
    pub depths: Depths,
}

impl<H: Default> Default for Always<H> {
    fn default() -> Self {
        Always { rule: H::default(), depths: Depths::both(Depth::PLY) }
    }
}

impl<H: Component> Component for Always<H> {
    const NAME: &'static str = H::NAME;
    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.rule.visit(visitor);
    }
}

impl<G: Game, H: Horizon<G>> Horizon<G> for Always<H> {
    type Line = H::Line;
    const LOOKS_FURTHER: bool = H::LOOKS_FURTHER;
    fn further(
        &mut self,
        line: &H::Line,
        position: &G,
        window: Window,
        evaluate: &mut impl Evaluate<G>,
    ) -> H::Line {
        self.rule.further(line, position, window, evaluate)
    }
    fn fails_soft(&self) -> bool {
        self.rule.fails_soft()
    }

    fn iteration(&self, _: usize) -> Depths {
        self.depths
    }
    fn root(&mut self, depths: Depths, window: Window) -> H::Line {
        self.rule.root(depths, window)
    }
    fn owed(&self, line: &H::Line, window: Window) -> Depths {
        self.rule.owed(line, window)
    }
    fn owed_inside(&self, line: &H::Line, window: Window, value: Score) -> Depths {
        self.rule.owed_inside(line, window, value)
    }
    fn may_stop(&self, line: &H::Line, window: Window) -> bool {
        self.rule.may_stop(line, window)
    }
    const COUNTS_OPTIONS: bool = H::COUNTS_OPTIONS;

    fn option_window(&self, window: Window) -> Window {
        self.rule.option_window(window)
    }

    fn expand(&mut self, expanded: &Expanded<'_, G>, evaluate: &mut impl Evaluate<G>) {
        self.rule.expand(expanded, evaluate);
    }
    fn retract(&mut self) {
        self.rule.retract();
    }
    fn child(&mut self, line: &H::Line, step: &Step<'_, G>) -> H::Line {
        self.rule.child(line, step)
    }
    fn pass(&self, line: &H::Line) -> H::Line {
        self.rule.pass(line)
    }
    fn lengthen(&self, line: &H::Line, more: Depth) -> H::Line {
        self.rule.lengthen(line, more)
    }
    fn lengthen_own(&self, line: &H::Line, more: Depth) -> H::Line {
        self.rule.lengthen_own(line, more)
    }
}

/// Opens every iteration but the first with one window; if it fails, the next is full.
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

/// What a search has said.
pub struct Said<M> {
    pub answer: cassius_search::Answer<M>,
    /// Every report, in order.
    pub reports: Vec<Report<M>>,
}

impl<M: Copy> Said<M> {
    /// The finished lines of an iteration, best first.
    pub fn lines(&self, iteration: usize) -> Vec<&Report<M>> {
        self.reports.iter().filter(|r| r.iteration == iteration && r.bound == Bound::Exact).collect()
    }

    pub fn score(&self) -> Score {
        self.answer.score().expect("a line")
    }
}

/// Searches as `request` says and keeps every report.
pub fn run<G: Game, R: Recipe<G>>(slots: &mut Slots<G, R>, request: &Request<'_, G>) -> Said<G::Move> {
    let mut reports = Vec::new();
    let answer = search(slots, request, &mut |report| reports.push(report.clone()));
    Said { answer, reports }
}

/// Searches to an iteration without other limits.
pub fn run_to<G: Game, R: Recipe<G>>(
    slots: &mut Slots<G, R>,
    position: &G,
    iterations: usize,
) -> Said<G::Move> {
    run(slots, &Request::new(position, &Unlimited).to_iteration(iterations))
}

/// Legal moves.
pub fn moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

/// The position after a move.
pub fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut child = position.clone();
    child.play(mv);
    child
}

/// The value of a position for the side to move, from that of its child for the other side:
/// both count wins and losses from themselves.
pub fn up(child: Score) -> Score {
    -child.from_root(1)
}

/// Random games in which a position is met at one ply only, so that it always has the same depth to go.
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

/// Fixed games for counts that must be the same on every run.
pub fn games(shape: Shape, count: u64) -> impl Iterator<Item = RandomGame> {
    (0..count)
        .map(move |seed| Rules { seed, shape, branching: 6, spread: 200, checks: 10, ..Rules::default() })
        .map(Rules::root)
        .filter(|game| !game.is_over())
}

/// Quiescence without any margin, for comparison with a definition.
pub fn plain_captures() -> Captures {
    Captures { margin: 10_000, exchange: 0, evasions: 1 }
}

/// So many cases, the same on every run.
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

/// Whether no line of the game is longer, and there are not too many.
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

/// Minimax in which a position that came before on the line is a draw.
///
/// As in the component, a return after two plies is only seen when it has happened twice.
pub fn with_repetitions(line: &mut Vec<RandomGame>, depth: usize) -> Score {
    let position = *line.last().unwrap();
    let ply = line.len() - 1;
    if ply > 0 {
        let reversible = position.reversible_plies();
        let back = (4..=reversible.min(ply)).step_by(2);
        let repeats =
            back.into_iter().any(|back| line[ply - back].repetition_key() == position.repetition_key());
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
        line.push(after(&position, mv));
        best = best.max(-with_repetitions(line, depth - 1));
        line.pop();
    }
    best
}

/// Games in which no position comes back, that end after some plies.
pub fn finite() -> impl Strategy<Value = RandomGame> {
    let shape = prop_oneof![Just(Shape::Tree), (2u32..9).prop_map(Shape::Layers)];
    (any::<u64>(), shape, 1u8..4, 20u8..50, 0u16..4)
        .prop_map(|(seed, shape, branching, ends, spread)| {
            Rules { seed, shape, branching, ends, spread, pieces: 2, ..Rules::default() }.root()
        })
        .prop_filter("over too soon or too late", |game| !game.is_over() && ends_within(game, 12))
}
