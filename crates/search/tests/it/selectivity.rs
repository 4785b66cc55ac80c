//! Tests quiescence and the selective components: their definition when fully on, that they have no
//! effect when off, and that every switch and parameter matters somewhere.

use crate::common::*;
use cassius_games::RandomGame;
use cassius_games::random_game::{Rules, Shape};
use cassius_search::alpha_beta::aspiration::Aspiration;
use cassius_search::alpha_beta::horizon::{
    Abc, CheckReplies, Complicated, Coupled, Discounted, DualCredit, ExtendHorizon, Interest, Likelihood,
    Plies, Sex, UncountedChecks,
};
use cassius_search::alpha_beta::observe::{Recorded, TreeRecorder};
use cassius_search::alpha_beta::quiescence::Captures;
use cassius_search::alpha_beta::windows::{MinimalWindow, WholeWindow};
use cassius_search::{
    Checks, Game, Keyed, Noisy, Off, Parameter, Recipe, Score, Slots, Static, Statics, Switch, Table, minimax,
};
use proptest::prelude::*;
use std::collections::HashSet;

/// Computes the complete stand-pat game: stand pat or play a noisy move; in check, any move.
fn noisy_minimax(position: &RandomGame, ply: usize) -> Score {
    if position.is_over() {
        return position.outcome().score(ply);
    }
    let best_of = |moves: Vec<u8>, least| {
        let children = moves.into_iter().map(|mv| -noisy_minimax(&after(position, mv), ply + 1));
        children.fold(least, Score::max)
    };
    if position.in_check() {
        return best_of(moves(position), -Score::INFINITE);
    }
    let mut noisy = Vec::new();
    position.noisy_moves(&mut noisy);
    best_of(noisy, position.static_value())
}

fn minimax_then_noisy(position: &RandomGame, depth: usize, ply: usize) -> Score {
    if depth == 0 || position.is_over() {
        return noisy_minimax(position, ply);
    }
    let value = |mv| -minimax_then_noisy(&after(position, mv), depth - 1, ply + 1);
    moves(position).into_iter().map(value).max().expect("a game that is not over")
}

fn noisy_games() -> impl Strategy<Value = Rules> {
    let shape = prop_oneof![Just(Shape::Tree), (1u32..9).prop_map(Shape::Layers)];
    (any::<u64>(), shape, 1u8..5, 10u8..90, 0u8..6, 0u16..60, 0u8..10, 0u8..20).prop_map(
        |(seed, shape, branching, noisy, pieces, spread, checks, ends)| Rules {
            seed,
            shape,
            branching,
            noisy,
            pieces,
            spread,
            ends,
            checks,
            ..Rules::default()
        },
    )
}

proptest! {
    #![proptest_config(cases(300))]

    /// With the greatest margin, without exchanges and with all evasions, quiescence is the stand-pat
    /// game.
    #[test]
    fn quiescence_is_the_stand_pat_game(
        rules in noisy_games(), depth in 1usize..5, order in 0u16..1 << ORDERS,
    ) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let expected = minimax_then_noisy(&root, depth, 0);
        let mut whole =
            Slots::<RandomGame, Plain<Plies, WholeWindow, Off, Off, Captures>>::new(Statics, Off, Off);
        whole.quiescence = plain_captures();
        prop_assert_eq!(run_to(&mut whole, &root, depth).score(), expected);
        let mut minimal =
            Slots::<RandomGame, Ordered<Plies, MinimalWindow, Off, Off, Captures>>::new(Statics, Off, Off);
        minimal.quiescence = plain_captures();
        set_order(&mut minimal.order, order);
        prop_assert_eq!(run_to(&mut minimal, &root, depth).score(), expected);
        // Where a position has only one depth, a table changes nothing.
        let table = || Table::new(1).unwrap().above(-1);
        for table in [table(), table().strict()] {
            let mut slots =
                Slots::<RandomGame, Ordered<Plies, MinimalWindow, Table, Aspiration, Captures>>::new(
                    Statics, table, Off,
                );
            slots.quiescence = plain_captures();
            slots.aspiration = Aspiration { from: 1, width: 2, growth: 150, ..Aspiration::default() };
            set_order(&mut slots.order, order);
            prop_assert_eq!(run_to(&mut slots, &root, depth).score(), expected);
        }
    }
}

/// In check, evasions are searched. The component determines how many.
#[test]
fn in_check_quiescence_searches_evasions() {
    let rules = |seed| Rules { seed, ends: 0, checks: 40, branching: 3, ..Rules::default() };
    let mut in_check = 0;
    for root in (0..300).map(|seed| rules(seed).root()) {
        let mut slots = Slots::<
            RandomGame,
            Plain<Plies, WholeWindow, Off, Off, Captures, Off, TreeRecorder<RandomGame>>,
        >::new(Statics, Off, Off);
        slots.quiescence = plain_captures();
        run_to(&mut slots, &root, 1);
        let nodes = &slots.observe.nodes;
        for node in nodes.iter().filter(|node| node.ply > 0) {
            if node.position.in_check() {
                in_check += 1;
                assert!(!node.leaf, "nobody stands pat in check");
            }
        }
    }
    assert!(in_check > 100);
}

/// The value, the node count, and every node with its value.
type Tracked = (Score, u64, Vec<(u64, usize, Option<Score>)>);

fn track<R: Recipe<RandomGame, Observe = TreeRecorder<RandomGame>>>(
    slots: &mut Slots<RandomGame, R>,
    root: &RandomGame,
    iterations: usize,
) -> Tracked {
    let said = run_to(slots, root, iterations);
    let node = |node: &Recorded<RandomGame>| (node.position.key(), node.ply, node.value);
    (said.score(), said.answer.nodes, slots.observe.nodes.iter().map(node).collect())
}

type Recorder = TreeRecorder<RandomGame>;

/// A switch that is off is equivalent to an empty slot, node for node.
#[test]
fn off_is_off() {
    for root in games(Shape::Layers(6), 60) {
        let table = || Table::new(1).unwrap();
        let mut empty = Slots::<RandomGame, Plain<Plies, MinimalWindow, Table, Off, Off, Off, Recorder>>::new(
            Statics,
            table(),
            Off,
        );
        let mut off = Slots::<
            RandomGame,
            Laboratory<Plies, MinimalWindow, Table, Off, Switch<Captures>, Off, Recorder>,
        >::new(Statics, table(), Off);
        off.visit(&mut |parameter, value| {
            if parameter.name == "on" {
                *value = 0;
            }
        });
        assert_eq!(track(&mut empty, &root, 6), track(&mut off, &root, 6));
        assert_eq!(run_to(&mut empty, &root, 6).score(), minimax(&root, &mut Statics, 6));
    }
}

/// With floor and coupling at a whole ply, two depths are one: the scores and nodes are the same.
#[test]
fn coupled_at_a_whole_ply_is_plies() {
    let mut different = 0;
    for shape in [Shape::Tree, Shape::Layers(5), Shape::Cycles(9)] {
        for root in games(shape, 40) {
            let mut plies = Slots::<
                RandomGame,
                Laboratory<Plies, MinimalWindow, Table, Aspiration, Captures, Off, Recorder>,
            >::new(Statics, Table::new(1).unwrap(), Off);
            let expected = track(&mut plies, &root, 6);
            let coupled = |rule: Coupled| {
                let mut slots = Slots::<
                    RandomGame,
                    Laboratory<Coupled, MinimalWindow, Table, Aspiration, Captures, Off, Recorder>,
                >::new(Statics, Table::new(1).unwrap(), Off);
                slots.horizon = rule;
                track(&mut slots, &root, 6)
            };
            assert_eq!(coupled(Coupled { floor: 100, ..Coupled::default() }), expected);
            assert_eq!(coupled(Coupled { floor: 100, option: 0, ..Coupled::default() }), expected);
            different += usize::from(coupled(Coupled::default()) != expected);

            // Only the depth rule differs.
            let mut plies = Slots::<RandomGame, Plain<Plies, WholeWindow, Off, Off, Off, Off, Recorder>>::new(
                Statics, Off, Off,
            );
            let mut coupled =
                Slots::<RandomGame, Plain<Coupled, WholeWindow, Off, Off, Off, Off, Recorder>>::new(
                    Statics, Off, Off,
                );
            coupled.horizon = Coupled { floor: 100, ..Coupled::default() };
            assert_eq!(track(&mut plies, &root, 4), track(&mut coupled, &root, 4));
        }
    }
    assert!(different > 50);
}

/// Replies to checks that cost a whole ply count as plies. Replies that cost nothing give the value of a
/// minimax that does not count them.
#[test]
fn uncounted_check_replies() {
    fn minimax_without_replies(position: &RandomGame, depth: usize, ply: usize) -> Score {
        if position.is_over() {
            return position.outcome().score(ply);
        }
        if depth == 0 {
            return cassius_search::Evaluate::evaluate(&mut Statics, position);
        }
        let after = |mv| {
            let mut child = *position;
            child.play(mv);
            let reply = position.in_check() && !child.in_check();
            -minimax_without_replies(&child, if reply { depth } else { depth - 1 }, ply + 1)
        };
        moves(position).into_iter().map(after).max().unwrap()
    }
    type Rule = Discounted<CheckReplies, Plies>;
    let mut different = 0;
    for root in games(Shape::Layers(9), 60) {
        let mut plies = Slots::<RandomGame, Plain<Plies, WholeWindow, Off, Off, Off, Off, Recorder>>::new(
            Statics, Off, Off,
        );
        let mut replies = Slots::<RandomGame, Plain<Rule, WholeWindow, Off, Off, Off, Off, Recorder>>::new(
            Statics, Off, Off,
        );
        let counted = track(&mut plies, &root, 4);
        replies.horizon.discount.cost = 100;
        assert_eq!(track(&mut replies, &root, 4), counted);
        replies.horizon.discount.cost = 0;
        different += usize::from(track(&mut replies, &root, 4) != counted);
        assert_eq!(run_to(&mut replies, &root, 4).score(), minimax_without_replies(&root, 4, 0), "{root:?}");
    }
    assert!(different > 20, "{different}");
}

/// Returns the nodes of searches that meet everything: checks, noisy moves, passes, transpositions. Each
/// search is only done when it is asked for.
fn nodes<H: cassius_search::alpha_beta::horizon::Horizon<RandomGame>>(
    set: &dyn Fn(&Parameter, &mut i32),
    iterations: usize,
) -> impl Iterator<Item = u64> {
    type Everything<H> = Laboratory<H, MinimalWindow, Table, Aspiration, Switch<Captures>>;
    let search = move |root: RandomGame| {
        let mut slots = Slots::<RandomGame, Everything<H>>::new(Statics, Table::new(1).unwrap(), Off);
        slots.visit(&mut |parameter, value| set(parameter, value));
        // Two searches, where the second starts with what the first has stored.
        let first = run_to(&mut slots, &root, iterations).answer.nodes;
        let child = after(&root, 0);
        let second = if child.is_over() { 0 } else { run_to(&mut slots, &child, iterations).answer.nodes };
        first * 1_000_003 + second
    };
    let rules = move |seed| Rules {
        seed,
        shape: [Shape::Layers(12), Shape::Cycles(200)][seed as usize % 2],
        branching: 12,
        spread: 200,
        checks: 10,
        ends: 3,
        pieces: 8,
        ..Rules::default()
    };
    (0..16).map(move |seed| rules(seed).root()).filter(|root| !root.is_over()).map(search)
}

fn every_parameter<H: cassius_search::alpha_beta::horizon::Horizon<RandomGame>>() -> Vec<(Parameter, i32)> {
    let mut all = Vec::new();
    let mut slots =
        Slots::<RandomGame, Laboratory<H, MinimalWindow, Table, Aspiration, Switch<Captures>>>::new(
            Statics,
            Table::new(1).unwrap(),
            Off,
        );
    slots.visit(&mut |parameter, value| all.push((*parameter, *value)));
    all
}

/// Every parameter, set to one end of its range or the other, changes the node count somewhere.
fn no_dead_options<H: cassius_search::alpha_beta::horizon::Horizon<RandomGame>>(
    iterations: usize,
    only: &dyn Fn(&Parameter) -> bool,
) {
    no_dead_options_with::<H>(&|_, _| {}, iterations, only);
}

/// Like [`no_dead_options`], with all other parameters set by `usually`.
fn no_dead_options_with<H: cassius_search::alpha_beta::horizon::Horizon<RandomGame>>(
    usually: &dyn Fn(&Parameter, &mut i32),
    iterations: usize,
    only: &dyn Fn(&Parameter) -> bool,
) {
    let usual: Vec<u64> = nodes::<H>(usually, iterations).collect();
    assert!(nodes::<H>(usually, iterations).eq(usual.iter().copied()), "the same every time");
    let parameters = every_parameter::<H>();
    for (i, (parameter, default)) in parameters.iter().enumerate() {
        let Parameter { component, name, min, max, .. } = parameter;
        assert_eq!(*default, parameter.default, "{component}.{name}");
        assert!(min <= default && default <= max && !parameter.doc.trim().is_empty(), "{component}.{name}");
        let twins = parameters.iter().filter(|(p, _)| (p.component, p.name) == (*component, *name));
        assert_eq!(twins.count(), 1, "{component}.{name} ({i})");
        if only(parameter) {
            let with = |end: i32| {
                let set = |p: &Parameter, value: &mut i32| {
                    usually(p, value);
                    if (p.component, p.name) == (*component, *name) {
                        *value = end;
                    }
                };
                nodes::<H>(&set, iterations).ne(usual.iter().copied())
            };
            assert!(with(*min) || with(*max), "{component}.{name} changes nothing");
        }
    }
}

/// A move that the ordering considers a check is pruned neither by the number of moves before it nor by
/// a low α.
#[test]
fn pruning_spares_checks() {
    let (mut spared, mut left_out) = (0, 0);
    for seed in 0..60 {
        let root = Rules { seed, ends: 0, checks: 40, branching: 7, ..Rules::default() }.root();
        let mut slots = Slots::<
            RandomGame,
            Laboratory<Plies, MinimalWindow, Off, Off, Off, Off, TreeRecorder<RandomGame>>,
        >::new(Statics, Off, Off);
        slots.visit(&mut |parameter, value| match (parameter.component, parameter.name) {
            ("LateMovePruning" | "Futility" | "NoisyFirst" | "ChecksFirst", "on") => *value = 1,
            (_, "on") => *value = 0,
            ("LateMovePruning", "base") | ("Futility", "base" | "margin") => *value = parameter.min,
            _ => {}
        });
        run_to(&mut slots, &root, 5);
        let nodes = &slots.observe.nodes;
        let below: HashSet<_> = nodes.iter().map(|node| (node.parent, node.position.key())).collect();
        for (index, node) in nodes.iter().enumerate() {
            let failed_low =
                node.value.is_some_and(|value| value <= node.window.alpha && !value.is_decided());
            if node.ply == 0 || node.leaf || !failed_low {
                continue;
            }
            for mv in moves(&node.position) {
                let searched = below.contains(&(Some(index), after(&node.position, mv).key()));
                if node.position.gives_check(mv) && node.position.exchange_at_least(mv, Score::DRAW) {
                    assert!(searched, "{mv:?} gives check");
                    spared += 1;
                } else if !searched {
                    left_out += 1;
                }
            }
        }
    }
    assert!(spared > 200 && left_out > 1000, "{spared} {left_out}");
}

#[test]
fn no_option_is_dead() {
    let switched_off = |p: &Parameter| p.component == "MoveAndRefutation" && p.name != "on";
    // Nothing was learned of these games; what was learned elsewhere is tested in options.rs.
    let counts = |p: &Parameter| WAYS.contains(&p.component) || p.component == "LearnedOptions";
    // Rare: found where the static values are not corrected.
    let rare = |p: &Parameter| (p.component, p.name) == ("Singular", "low");
    no_dead_options::<Plies>(9, &|it| !switched_off(it) && !counts(it) && !rare(it));
    let uncorrected = |p: &Parameter, value: &mut i32| {
        if (p.component, p.name) == ("CorrectionHistory", "on") {
            *value = 0;
        }
    };
    no_dead_options_with::<Plies>(&uncorrected, 9, &rare);
}

#[test]
fn no_option_of_the_pairs_is_dead() {
    let on = |parameter: &Parameter, value: &mut i32| {
        if (parameter.component, parameter.name) == ("MoveAndRefutation", "on") {
            *value = 1;
        }
    };
    no_dead_options_with::<Plies>(&on, 9, &|parameter| parameter.component == "MoveAndRefutation");
}

#[test]
fn no_option_of_coupled_depth_is_dead() {
    no_dead_options_with::<Coupled>(&extended, 7, &|parameter| parameter.component == "Coupled");
}

#[test]
fn no_option_of_the_discounts_is_dead() {
    type All = (CheckReplies, UncountedChecks, Interest, ExtendHorizon, Complicated);
    no_dead_options::<Discounted<All, Plies>>(5, &|parameter| {
        ["CheckReplies", "UncountedChecks", "Interest", "ExtendHorizon", "Complicated"]
            .contains(&parameter.component)
    });
}

#[test]
fn no_option_of_the_priced_rules_is_dead() {
    no_dead_options::<Likelihood>(6, &|parameter| parameter.component == "Likelihood");
    no_dead_options::<Sex>(6, &|parameter| parameter.component == "Sex");
    no_dead_options::<DualCredit>(6, &|parameter| parameter.component == "DualCredit");
}

#[test]
fn no_option_of_abc_is_dead() {
    // With the usual minimum price no line is long enough to be cut off.
    let low = |parameter: &Parameter, value: &mut i32| {
        if (parameter.component, parameter.name) == ("Abc", "floor") {
            *value = 10;
        }
    };
    no_dead_options_with::<Abc>(&low, 3, &|parameter| {
        parameter.component == "Abc" && parameter.name != "share"
    });
    let coupled = |parameter: &Parameter, value: &mut i32| {
        extended(parameter, value);
        match (parameter.component, parameter.name) {
            ("Abc", "floor" | "coupling") => *value = 100,
            ("LegalMoves", "on" | "quiet") => *value = 1,
            _ => {}
        }
    };
    no_dead_options_with::<Abc>(&coupled, 7, &|parameter| parameter.full_name() == "Abc.share");
}

/// Extends moves in shallow searches too.
fn extended(parameter: &Parameter, value: &mut i32) {
    if parameter.full_name() == "Singular.min_depth" {
        *value = parameter.min;
    }
}

/// The ways to count options, which only some depth rules use.
const WAYS: [&str; 9] = [
    "FailedPass",
    "LegalMoves",
    "StaticEstimator",
    "StaticMargin",
    "RememberedOptions",
    "OrderedOptions",
    "RandomOptions",
    "ReducedSearches",
    "SiblingQuiescence",
];

#[test]
fn no_way_of_counting_options_is_dead() {
    for way in WAYS {
        let on = |parameter: &Parameter, value: &mut i32| match (parameter.component, parameter.name) {
            (component, "on") if component == way => *value = 1,
            // These trees have no nodes far from the leaves.
            ("RandomOptions", "farness") => *value = 0,
            _ => {}
        };
        no_dead_options_with::<Abc>(&on, 4, &|parameter| parameter.component == way);
    }
}

/// Two depths in which every move counts as a ply of both are plies, node for node, with any pruning,
/// reductions and extensions.
#[test]
fn with_s_and_c_of_1_every_component_sees_plies() {
    let one = |parameter: &Parameter, value: &mut i32| match (parameter.component, parameter.name) {
        ("Abc", "floor" | "coupling") | ("Coupled", "floor") => *value = 100,
        ("Abc", "soft") | ("LegalMoves", "on" | "quiet") => *value = 1,
        ("Abc", "longest") => *value = 0,
        _ => {}
    };
    let plies: Vec<u64> = nodes::<Plies>(&one, 7).collect();
    assert!(nodes::<Abc>(&one, 7).eq(plies.iter().copied()));
    assert!(nodes::<Coupled>(&one, 7).eq(plies));
    type Discounts = (CheckReplies, UncountedChecks, Interest);
    let plies: Vec<u64> = nodes::<Discounted<Discounts, Plies>>(&one, 5).collect();
    assert!(nodes::<Discounted<Discounts, Abc>>(&one, 5).eq(plies.iter().copied()));
    assert!(nodes::<Discounted<Discounts, Coupled>>(&one, 5).eq(plies));
}

/// Every depth rule with the same selective recipe terminates, answers with a legal move, and is
/// repeatable.
#[test]
fn every_rule_bears_every_component() {
    fn both<H: cassius_search::alpha_beta::horizon::Horizon<RandomGame>>(
        root: &RandomGame,
        iterations: usize,
    ) {
        let search = || {
            let mut slots = Slots::<
                RandomGame,
                Laboratory<
                    H,
                    MinimalWindow,
                    Table,
                    Aspiration,
                    Captures,
                    cassius_search::alpha_beta::draws::Repetition,
                >,
            >::new(Statics, Table::new(1).unwrap(), Off);
            let said = run_to(&mut slots, root, iterations);
            (said.score(), said.answer.nodes, said.answer.best())
        };
        let first = search();
        assert_eq!(first, search());
        assert!(moves(root).contains(&first.2.unwrap()));
    }
    for root in games(Shape::Cycles(40), 30) {
        both::<Plies>(&root, 6);
        both::<Coupled>(&root, 6);
        both::<Sex>(&root, 6);
        both::<DualCredit>(&root, 6);
        both::<Likelihood>(&root, 6);
        both::<Discounted<(CheckReplies, UncountedChecks, Interest, ExtendHorizon, Complicated), Plies>>(
            &root, 6,
        );
        both::<Discounted<CheckReplies, Coupled>>(&root, 6);
    }
    for root in games(Shape::Layers(40), 15) {
        both::<Abc>(&root, 3);
    }
}
