//! Tests the depth rules: that each coincides with another where it should, that the length of its lines
//! is bounded, and that the search finds the value of the tree that the rule describes.

use crate::common::*;
use cassius_games::RandomGame;
use cassius_games::random_game::{Rules, Shape};
use cassius_search::alpha_beta::horizon::{
    Abc, AnyRule, CheckReplies, Complicated, Coupled, Discounted, DualCredit, Entered, EvaluatorAsks,
    ExtendHorizon, FailHard, Horizon, Interest, Likelihood, NearPv, Plies, Sex, Sort, Step, UncountedChecks,
};
use cassius_search::alpha_beta::observe::{Counters, TreeRecorder};
use cassius_search::alpha_beta::windows::{MinimalWindow, WholeWindow};
use cassius_search::{
    Checks, Component, Depth, Depths, Evaluate, Game, Noisy, Off, Score, Slots, Static, Statics, Window,
    minimax,
};
use proptest::prelude::*;

/// Rules for games with many checks and noisy moves.
fn lively_rules(seed: u64) -> Rules {
    Rules {
        seed,
        shape: Shape::Tree,
        branching: 4,
        ends: 3,
        noisy: 40,
        checks: 50,
        pieces: 20,
        ..Rules::default()
    }
}

fn lively_games(count: u64) -> impl Iterator<Item = RandomGame> {
    (0..count).map(|seed| lively_rules(seed).root()).filter(|game| !game.is_over())
}

/// Returns the number of nodes at every ply, and the value.
fn searched<H: Horizon<RandomGame>>(
    root: &RandomGame,
    iteration: usize,
    set: impl Fn(&mut H),
) -> (Vec<u64>, Score) {
    type Counted<H> = Plain<H, WholeWindow, Off, Off, Off, Off, Counters>;
    let mut slots: Slots<RandomGame, Counted<H>> = Slots::new(Statics, Off, Off);
    set(&mut slots.horizon);
    let score = run_to(&mut slots, root, iteration).score();
    (slots.observe.nodes, score)
}

/// Sets every parameter of a component.
fn all(component: &mut impl Component, value: i32) {
    component.visit(&mut |_, parameter| *parameter = value);
}

/// With equal prices every rule counts plies, node for node.
#[test]
fn without_differences_every_rule_counts_plies() {
    for root in lively_games(25) {
        for n in 1..=5 {
            let plies = searched::<Plies>(&root, n, |_| {});
            assert_eq!(searched::<Sex>(&root, n, |rule| all(rule, 100)), plies);
            assert_eq!(searched::<DualCredit>(&root, n, |rule| all(rule, 0)), plies);
            assert_eq!(searched::<Likelihood>(&root, n, |rule| all(rule, 30)), plies);
            let nothing = |rule: &mut Discounted<Interest, Plies>| all(&mut rule.discount, 0);
            assert_eq!(searched(&root, n, nothing), plies);
            let none = |rule: &mut Discounted<ExtendHorizon, Plies>| rule.discount.most = 0;
            assert_eq!(searched(&root, n, none), plies);
            let none = |rule: &mut Discounted<Complicated, Plies>| rule.discount.floor = 0;
            assert_eq!(searched(&root, n, none), plies);
            let none = |rule: &mut Discounted<UncountedChecks, Plies>| rule.discount.most = 0;
            assert_eq!(searched(&root, n, none), plies);
            let none = |rule: &mut Discounted<NearPv, Plies>| rule.discount.extension = 0;
            assert_eq!(searched(&root, n, none), plies);
            let none = |rule: &mut Discounted<EvaluatorAsks, Plies>| rule.discount.floor = 0;
            assert_eq!(searched(&root, n, none), plies);
            assert_eq!(searched::<Discounted<FailHard, Plies>>(&root, n, |_| {}), plies);
        }
    }
}

/// A rule that is chosen at run time searches what it searches alone, node for node.
#[test]
fn a_chosen_rule_is_that_rule() {
    let chosen = |root: &RandomGame, n, switch: &str| {
        searched::<AnyRule>(root, n, |rule| {
            rule.visit(&mut |parameter, value| {
                if parameter.full_name() == switch {
                    *value = 1;
                }
            });
        })
    };
    for root in lively_games(25) {
        for n in 1..=4 {
            assert_eq!(chosen(&root, n, "none"), searched::<Plies>(&root, n, |_| {}));
            assert_eq!(chosen(&root, n, "Coupled.on"), searched::<Coupled>(&root, n, |_| {}));
            assert_eq!(chosen(&root, n, "Abc.on"), searched::<Abc>(&root, n, |_| {}));
            assert_eq!(chosen(&root, n, "Sex.on"), searched::<Sex>(&root, n, |_| {}));
            assert_eq!(chosen(&root, n, "DualCredit.on"), searched::<DualCredit>(&root, n, |_| {}));
            assert_eq!(chosen(&root, n, "Likelihood.on"), searched::<Likelihood>(&root, n, |_| {}));
        }
    }
}

/// Computes plain minimax over the tree that a rule describes, if its lines do not depend on the window.
fn minimax_under<H: Horizon<RandomGame>>(
    rule: &mut H,
    position: &RandomGame,
    line: H::Count,
    ply: usize,
) -> Score {
    if position.is_over() {
        return position.outcome().score(ply);
    }
    let mut line = line;
    if ply > 0 && rule.may_stop(&line, Window::FULL) {
        line = rule.further(&line, position, Window::FULL, &mut Statics);
        if rule.may_stop(&line, Window::FULL) {
            return position.static_value();
        }
    }
    let all = moves(position);
    let entered = Entered { position, moves: &all, window: Window::FULL, ply, cut: false, options: None };
    rule.enter(&entered, &mut Statics);
    let mut best = -Score::INFINITE;
    for (index, &mv) in all.iter().enumerate() {
        let child = after(position, mv);
        let step = Step { position, child: &child, mv, index, moves: all.len(), window: Window::FULL, ply };
        let below = rule.child(&line, &step);
        best = best.max(-minimax_under(rule, &child, below, ply + 1));
    }
    rule.leave();
    best
}

fn agrees<H: Horizon<RandomGame>>(root: &RandomGame, n: usize, set: &dyn Fn(&mut H)) {
    let mut rule = H::default();
    set(&mut rule);
    let line = rule.root(rule.iteration(n), Window::FULL);
    let value = minimax_under(&mut rule, root, line, 0);
    let mut whole: Slots<RandomGame, Plain<H, WholeWindow>> = Slots::new(Statics, Off, Off);
    set(&mut whole.horizon);
    assert_eq!(run_to(&mut whole, root, n).score(), value, "{} {root:?}", H::NAME);
    let mut minimal: Slots<RandomGame, Ordered<H, MinimalWindow>> = Slots::new(Statics, Off, Off);
    set(&mut minimal.horizon);
    assert_eq!(run_to(&mut minimal, root, n).score(), value, "{} {root:?}", H::NAME);
}

/// The search finds the value of the tree that the rule describes. Rules with two depths are not
/// included: the tree they search depends on the window.
#[test]
fn every_rule_finds_the_value_of_its_tree() {
    let quieter = |seed| Rules { checks: 20, ..lively_rules(seed) }.root();
    for root in (0..25).map(quieter).filter(|root| !root.is_over()) {
        for n in 1..=3 {
            agrees::<Sex>(&root, n, &|_| {});
            agrees::<DualCredit>(&root, n, &|rule| rule.limit = 100);
            agrees::<Likelihood>(&root, n, &|_| {});
            agrees::<Discounted<(CheckReplies, UncountedChecks, Interest, Complicated), Plies>>(
                &root,
                n,
                &|_| {},
            );
        }
    }
}

/// Returns the depth that a search of `n` plies reaches if every move of the game is a check.
fn longest<H: Horizon<RandomGame>>(n: usize, checks: u8, set: impl Fn(&mut H)) -> usize {
    let rules = Rules { shape: Shape::Tree, branching: 2, ends: 0, checks, noisy: 0, ..Rules::default() };
    let depth = |seed| searched::<H>(&Rules { seed, ..rules }.root(), n, &set).0.len() - 1;
    (0..8).map(depth).max().expect("a game")
}

proptest! {
    #![proptest_config(cases(30))]

    /// With at most e 24ths a move no line of L plies is longer than ⌈24 L / (24 − e)⌉, and a line in
    /// which every move is interesting has exactly this length.
    #[test]
    fn fractional_plies_are_bounded(plies in 1usize..4, most in 0i32..17) {
        let set = |rule: &mut Discounted<Interest, Plies>| {
            all(&mut rule.discount, 24);
            rule.discount.most = most;
        };
        let bound = (24 * plies).div_ceil(24 - most as usize);
        prop_assert_eq!(longest(plies, 100, set), bound);
        for checks in [20, 60] {
            let length = longest(plies, checks, set);
            prop_assert!((plies..=bound).contains(&length));
        }
    }

    /// A line ends when the product of its likelihoods falls below the threshold, that is, when the sum
    /// of their logarithms does.
    #[test]
    fn sums_of_logarithms_are_products(likelihoods in prop::collection::vec(1i32..=80, 1..12), n in 1i32..6) {
        let rule = Likelihood::default();
        let product: f64 = likelihoods.iter().map(|percent| f64::from(*percent) / 100.0).product();
        let threshold = (f64::from(rule.ordinary) / 100.0).powi(n);
        let spent = likelihoods.iter().fold(Depth::ZERO, |sum, percent| sum + rule.cost(*percent));
        let left = Depth::plies(n) - spent;
        // Depths are whole 240ths of a ply, so a line this near to the threshold may fall on either
        // side.
        let rounding = likelihoods.len() as i32;
        prop_assume!(left.0.abs() > rounding);
        prop_assert_eq!(left <= Depth::ZERO, product <= threshold);
    }

    /// A ply more or less has the same effect on SEX as on plies.
    #[test]
    fn sex_is_lengthened_by_plies(n in 1i32..12, more in -6i32..7) {
        let line = Depths { lower: Depth::plies((n + 1) / 2), upper: Depth::plies(n / 2) };
        let rule = Sex::default();
        let remaining = |line: &Depths| Horizon::<RandomGame>::remaining(&rule, line, Window::FULL).lower;
        prop_assert_eq!(remaining(&line), Depth::plies(n));
        let lengthened = Horizon::<RandomGame>::lengthen(&rule, &line, Depth::plies(more));
        prop_assert_eq!(remaining(&lengthened).max(Depth::ZERO), Depth::plies((n + more).max(0)));
    }
}

/// Limits on a line are kept.
#[test]
fn lines_are_no_longer_than_allowed() {
    for checks in [30, 60, 100] {
        for n in 1..=3 {
            for most in 0..=3 {
                let forcing = |rule: &mut Discounted<UncountedChecks, Plies>| rule.discount.most = most;
                assert!(longest(n, checks, forcing) <= n + most as usize);
                let extend = |rule: &mut Discounted<ExtendHorizon, Plies>| rule.discount.most = most;
                assert!(longest(n, checks, extend) <= n + most as usize);
                let floor = |rule: &mut Discounted<Complicated, Plies>| {
                    (rule.discount.floor, rule.discount.threats) = (most, 1);
                };
                assert!(longest(n, checks, floor) <= n + most as usize);
            }
            let replies = longest::<Discounted<CheckReplies, Plies>>(n, checks, |_| {});
            assert!(replies <= 2 * n);
        }
    }
    let most = |rule: &mut Discounted<UncountedChecks, Plies>| rule.discount.most = 3;
    assert_eq!(longest(2, 100, most), 5);
    let floor = |rule: &mut Discounted<Complicated, Plies>| rule.discount.threats = 1;
    assert_eq!(longest(2, 100, floor), 6);
    assert_eq!(longest::<Discounted<ExtendHorizon, Plies>>(3, 100, |_| {}), 7);
}

/// An evaluator that cannot judge some positions down to `from` plies below the horizon: those in check
/// and those of even value.
#[derive(Clone, Copy, Default)]
struct Unsure {
    from: i32,
}

impl Unsure {
    fn asks(self, position: &RandomGame, left: Depth) -> bool {
        left > Depth::plies(-self.from) && (position.in_check() || position.static_value().0 % 2 == 0)
    }
}

impl Evaluate<RandomGame> for Unsure {
    fn evaluate(&mut self, position: &RandomGame) -> Score {
        position.static_value()
    }
    fn judge(&mut self, position: &RandomGame, left: Depth) -> Option<Score> {
        (!self.asks(position, left)).then(|| position.static_value())
    }
}

/// Computes minimax to a depth, extended by a ply, up to a number of times, where the evaluator requests
/// it.
fn minimax_asked(
    position: &RandomGame,
    depth: usize,
    extended: i32,
    floor: i32,
    unsure: Unsure,
    ply: usize,
) -> Score {
    if position.is_over() {
        return position.outcome().score(ply);
    }
    let (mut depth, mut extended) = (depth, extended);
    if depth == 0 {
        if extended >= floor || !unsure.asks(position, Depth::plies(-extended)) {
            return position.static_value();
        }
        (depth, extended) = (1, extended + 1);
    }
    let value = |mv| -minimax_asked(&after(position, mv), depth - 1, extended, floor, unsure, ply + 1);
    moves(position).into_iter().map(value).max().expect("a move")
}

/// The evaluator gets the extensions it requests, down to the floor, and no more. It is told how far the
/// line was extended.
#[test]
fn the_evaluator_gets_what_it_asks_for() {
    let mut deeper = 0;
    for root in lively_games(40) {
        for (n, floor, from) in [(1, 0, 9), (1, 3, 9), (2, 2, 9), (3, 4, 9), (2, 4, 0), (2, 4, 1), (2, 4, 2)]
        {
            let unsure = Unsure { from };
            type Asked<W, O> = Ordered<Discounted<EvaluatorAsks, Plies>, W, Off, Off, Off, Off, O, Unsure>;
            let mut whole = Slots::<RandomGame, Asked<WholeWindow, Off>>::new(unsure, Off, Off);
            let mut minimal = Slots::<RandomGame, Asked<MinimalWindow, Counters>>::new(unsure, Off, Off);
            whole.horizon.discount.floor = floor;
            minimal.horizon.discount.floor = floor;
            let expected = minimax_asked(&root, n, 0, floor, unsure, 0);
            assert_eq!(run_to(&mut whole, &root, n).score(), expected, "{root:?} {n} {floor} {from}");
            assert_eq!(run_to(&mut minimal, &root, n).score(), expected, "{root:?} {n} {floor} {from}");
            let longest = minimal.observe.nodes.len() - 1;
            assert!(longest <= n + floor.min(from) as usize);
            deeper += usize::from(longest > n);
        }
    }
    assert!(deeper > 100, "{deeper}");
}

/// A line continues exactly as long as the moves on and near the principal variation leave depth for it.
#[test]
fn near_the_principal_variation_moves_cost_less() {
    let rules = Rules { shape: Shape::Tree, branching: 3, ends: 0, ..Rules::default() };
    for root in (0..10).map(|seed| Rules { seed, ..rules }.root()) {
        for (n, extension, near) in [(2, 12, 0), (3, 12, 0), (2, 12, 1), (3, 6, 1), (3, 8, 2), (2, 12, 100)] {
            let mut slots = Slots::<
                RandomGame,
                Plain<Discounted<NearPv, Plies>, MinimalWindow, Off, Off, Off, Off, TreeRecorder<RandomGame>>,
            >::new(Statics, Off, Off);
            slots.horizon.discount = NearPv { extension, near };
            let said = run_to(&mut slots, &root, n);
            let nodes = &slots.observe.nodes;
            let last = nodes.iter().rposition(|node| node.ply == 0).expect("the last iteration");
            // The 24ths of a ply that a line has spent, and its distance in moves from the principal
            // variation.
            let mut spent = vec![(0, 0); nodes.len()];
            for (index, node) in nodes.iter().enumerate().skip(last + 1) {
                let (before, away) = spent[node.parent.expect("not the root")];
                let away = if node.window.is_minimal() { away + 1 } else { 0 };
                spent[index] = (before + if away <= near { 24 - extension } else { 24 }, away);
                assert_eq!(node.leaf, spent[index].0 >= 24 * n as i32, "{n} {extension} {near}");
            }
            if near == 100 {
                assert_eq!(said.score(), minimax(&root, &mut Statics, 2 * n), "half a ply each");
            }
        }
    }
}

/// Replies are cheap only where an optimistic estimate gives hope. With little hope, trees are smaller.
#[test]
fn hopeless_replies_are_counted() {
    let nodes = |root: &RandomGame, margin: i32| -> u64 {
        let set = |rule: &mut Discounted<CheckReplies, Plies>| rule.discount.margin = margin;
        searched(root, 4, set).0.iter().sum()
    };
    let mut saved = 0;
    for root in lively_games(30) {
        saved += usize::from(nodes(&root, 0) < nodes(&root, 30_000));
    }
    assert!(saved > 15, "{saved}");
}

/// Four checks of one side with quiet replies: the credit of two plies is used at the fourth.
#[test]
fn credit_is_cashed_above_the_limit() {
    let mut rule = DualCredit { check: 50, reply: 0, only: 0, noisy: 0, limit: 200 };
    let forever =
        Rules { shape: Shape::Tree, branching: 2, ends: 0, checks: 0, noisy: 0, ..Rules::default() };
    let quiet = forever.root();
    let checked = (0..).map(|seed| Rules { seed, checks: 100, ..forever }.root());
    let checked = checked.map(|root| after(&root, 0)).find(Checks::in_check).expect("a check");
    assert!(!quiet.in_check());
    let step =
        |position, child| Step { position, child, mv: 0, index: 0, moves: 2, window: Window::FULL, ply: 0 };
    assert_eq!(step(&quiet, &checked).sort(), Sort::Check);
    assert_eq!(step(&checked, &quiet).sort(), Sort::Reply);
    let mut line = Horizon::<RandomGame>::root(&mut rule, Depths::both(Depth::plies(10)), Window::FULL);
    let mut left = Vec::new();
    for _ in 0..5 {
        line = rule.child(&line, &step(&quiet, &checked));
        line = rule.child(&line, &step(&checked, &quiet));
        left.push(Horizon::<RandomGame>::remaining(&rule, &line, Window::FULL).lower.whole_plies());
    }
    assert_eq!(left, [8, 6, 4, 4, 2], "the fourth check buys two plies");
    // Credit used by one side is a debt of the other: two checks of its own only repay the debt.
    line = rule.child(&line, &step(&quiet, &quiet));
    for _ in 0..2 {
        line = rule.child(&line, &step(&quiet, &checked));
        line = rule.child(&line, &step(&checked, &quiet));
    }
    assert!(Horizon::<RandomGame>::remaining(&rule, &line, Window::FULL).lower <= Depth::ZERO);
    assert!(!quiet.is_noisy(0));
}
