//! Tests the conditions of selective components one by one: where each must act, and where it must not.

use crate::common::*;
use cassius_games::RandomGame;
use cassius_games::random_game::{Rules, Shape};
use cassius_search::alpha_beta::aspiration::Aspiration;
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::memory::{Hit, Memory};
use cassius_search::alpha_beta::order::{CaptureHistory, ExposureHistory, Facts, Order};
use cassius_search::alpha_beta::quiescence::Captures;
use cassius_search::alpha_beta::selectivity::{
    Confirm, Extend, HistoryPruning, LateMoveReduction, NullMove, Passing, ProbCut, Prune, Reduce,
    ReverseFutility, Singular, Skip, Skipped,
};
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::alpha_beta::{Candidate, Node};
use cassius_search::game::MoveIndexed;
use cassius_search::{
    Checks, Depth, Depths, Game, Noisy, Off, Pass, Score, Slots, Statics, Switch, Table, Window,
};

/// A node at which a fail-high is expected, four plies deep, with α at −1 and β at 0.
fn node(position: &RandomGame) -> Node<'_, RandomGame> {
    Node {
        position,
        window: Window::above(Score(-1)),
        ply: 3,
        pv: false,
        was_pv: false,
        cut: true,
        fail_high_depth: Depth::plies(4),
        fail_low_depth: Depth::plies(4),
        static_eval: Score(200),
        improving: false,
        has_hash_move: false,
        previous: [None; 2],
        child_cutoffs: 0,
        pass_failed: false,
    }
}

/// Positions with many moves, in check or not.
fn positions(in_check: bool) -> impl Iterator<Item = RandomGame> {
    games(Shape::Layers(50), 400).filter(move |root| root.in_check() == in_check)
}

fn quiet_position() -> RandomGame {
    positions(false).next().unwrap()
}

fn checked_position() -> RandomGame {
    positions(true).next().unwrap()
}

fn hash_hit(lower: i32, upper: i32, plies: i32) -> Hit {
    let depths = Depths::both(Depth::plies(plies));
    Hit { mv: 1, lower: Score(lower), upper: Score(upper), depths, ..Hit::NONE }
}

#[test]
fn history_prunes_what_rarely_failed_high() {
    let (calm, checked) = (quiet_position(), checked_position());
    let pruning = HistoryPruning { max_depth: 4, margin: 1000 };
    let skip = |node: &Node<'_, RandomGame>, rank: i32, noisy: bool| {
        pruning.skip(node, &Candidate { mv: 0, tried: 3, rank }, noisy)
    };
    let usual = node(&calm);
    assert_eq!(skip(&usual, -4001, false), Skipped::Quiet);
    assert_eq!(skip(&usual, -4000, false), Skipped::No);
    let near = Depth::plies(1);
    assert_eq!(skip(&Node { fail_low_depth: near, ..node(&calm) }, -1001, false), Skipped::Quiet);
    let far = Depth::plies(5);
    assert_eq!(skip(&Node { fail_low_depth: far, ..node(&calm) }, -50_000, false), Skipped::No);
    assert_eq!(skip(&usual, -1_100_000_000, true), Skipped::No);
    assert_eq!(skip(&Node { pv: true, ..node(&calm) }, -50_000, false), Skipped::No);
    assert_eq!(skip(&node(&checked), -50_000, false), Skipped::No);
}

#[test]
fn passes_are_tried_where_a_fail_high_is_expected() {
    let position = positions(false).find(Pass::may_pass).unwrap();
    let (anywhere, cut) = (NullMove::default(), NullMove { cut_only: 1, ..NullMove::default() });
    let expected = node(&position);
    let unexpected = Node { cut: false, ..node(&position) };
    let passes = |null: &NullMove, node| null.pass(node).is_some();
    assert!(passes(&anywhere, &expected) && passes(&anywhere, &unexpected));
    assert!(passes(&cut, &expected) && !passes(&cut, &unexpected));
    let verifies = |verify| NullMove { verify, ..NullMove::default() }.verifies(&expected);
    assert!(verifies(4) && !verifies(5) && !verifies(NullMove::default().verify));
}

/// A fail-high of a pass that is verified at every depth counts less often, and the search still ends.
#[test]
fn a_verified_pass_is_rarer() {
    let search = |root: &RandomGame, verify| {
        let mut slots = only(&["NullMove"]);
        slots.visit(&mut |parameter, value| {
            if parameter.full_name() == "NullMove.verify" {
                *value = verify;
            }
        });
        run_to(&mut slots, root, 7).answer.nodes
    };
    let different = deep_games().filter(|root| search(root, 2) != search(root, 200)).count();
    assert!(different > 5, "{different}");
}

/// The laboratory with only these components.
fn only(
    components: &[&str],
) -> Slots<RandomGame, Laboratory<Plies, MinimalWindow, Table, Aspiration, Switch<Captures>>> {
    let mut slots = Slots::new(Statics, Table::new(1).unwrap(), Off);
    slots.visit(&mut |parameter, value| {
        if parameter.name == "on" {
            *value = i32::from(components.contains(&parameter.component));
        }
    });
    slots
}

fn deep_games() -> impl Iterator<Item = RandomGame> {
    let rules = |seed| Rules {
        seed,
        shape: Shape::Layers(40),
        branching: 6,
        spread: 200,
        checks: 10,
        ends: 3,
        pieces: 8,
        ..Rules::default()
    };
    (0..30).map(move |seed| rules(seed).root()).filter(|root| !root.is_over())
}

#[test]
fn a_blend_lies_between_beta_and_the_static_value() {
    let calm = quiet_position();
    let value = |blend| ReverseFutility { blend, ..ReverseFutility::default() }.prune(&node(&calm));
    let near = |blend| {
        let node = Node { fail_high_depth: Depth::PLY, ..node(&calm) };
        ReverseFutility { blend, ..ReverseFutility::default() }.prune(&node)
    };
    assert_eq!(value(0), None, "four plies are too many for this surplus");
    assert_eq!((near(0), near(50), near(100)), (Some(Score(200)), Some(Score(100)), Some(Score(0))));
}

#[test]
fn a_hash_move_that_is_not_the_only_good_one_is_shortened() {
    let calm = quiet_position();
    let singular = Singular { min_depth: 3, high: 300, cut: 200, low: 100, ..Singular::default() };
    let shortening = |node: Node<'_, RandomGame>, hit: Hit| singular.test(&node, &hit).unwrap().shortening;
    let unexpected = || Node { cut: false, ..node(&calm) };
    assert_eq!(shortening(node(&calm), hash_hit(10, 1000, 4)), Depth::plies(3));
    assert_eq!(shortening(unexpected(), hash_hit(0, 1000, 4)), Depth::plies(3));
    assert_eq!(shortening(node(&calm), hash_hit(-10, 1000, 4)), Depth::plies(2));
    assert_eq!(shortening(unexpected(), hash_hit(-10, -1, 4)), Depth::plies(1));
    assert_eq!(shortening(unexpected(), hash_hit(-10, 1000, 4)), Depth::ZERO);
    let usual = Singular { min_depth: 3, ..Singular::default() };
    assert_eq!(usual.test(&node(&calm), &hash_hit(10, 1000, 4)).unwrap().shortening, Depth::ZERO);
}

#[test]
fn a_move_is_searched_again_as_deep_as_its_reduced_search_suggests() {
    let usual = LateMoveReduction::default();
    let again = |rule: &LateMoveReduction, reduction, value| {
        Reduce::<RandomGame>::again(rule, Depth::plies(reduction), Score(value), Score(0))
    };
    for value in [1, 50, 5000] {
        assert_eq!(again(&usual, 3, value), Depth::ZERO);
    }
    let mut both = LateMoveReduction::default();
    (both.deeper, both.shallower) = (50, 5);
    assert_eq!(again(&both, 3, 50), Depth::PLY);
    assert_eq!(again(&both, 3, 49), Depth::ZERO);
    assert_eq!(again(&both, 3, 5), -Depth::PLY);
    assert_eq!(again(&both, 1, 5), Depth::ZERO, "that would be the reduced search again");
    assert_eq!(again(&both, 3, Score::win_in(9).0), Depth::ZERO);
}

#[test]
fn moves_are_reduced_less_where_the_principal_variation_was() {
    let calm = quiet_position();
    let (mut less, mut usual) = (LateMoveReduction::default(), LateMoveReduction::default());
    less.was_pv = 200;
    Reduce::<RandomGame>::start(&mut less);
    Reduce::<RandomGame>::start(&mut usual);
    let deep = |was_pv, pv| Node {
        was_pv,
        pv,
        fail_high_depth: Depth::plies(20),
        fail_low_depth: Depth::plies(20),
        ..node(&calm)
    };
    let candidate = Candidate { mv: 0, tried: 10, rank: 0 };
    let reduction = |rule: &LateMoveReduction, node: &Node<'_, RandomGame>| {
        rule.reduction(node, &candidate, false, &calm)
    };
    let full = reduction(&usual, &deep(false, false));
    assert_eq!(reduction(&usual, &deep(true, false)), full);
    assert_eq!(reduction(&less, &deep(false, false)), full);
    assert_eq!(reduction(&less, &deep(true, false)), full - Depth::plies(2));
    assert_eq!(reduction(&less, &deep(true, true)), reduction(&usual, &deep(false, true)));
}

/// After a search the memory marks the positions of the principal variation, and leaves others unmarked.
#[test]
fn the_memory_marks_the_principal_variation() {
    let (mut marked, mut others) = (0, [0; 2]);
    for root in deep_games() {
        let mut slots = only(&[]);
        let answer = run_to(&mut slots, &root, 5).answer;
        let mut position = root;
        for (ply, &mv) in answer.lines[0].pv.iter().enumerate().take(3) {
            assert!(slots.memory.probe(&position, ply).was_pv, "ply {ply} of {:?}", answer.lines[0].pv);
            for other in moves(&position).into_iter().filter(|other| *other != mv) {
                let hit = slots.memory.probe(&after(&position, other), ply + 1);
                others[usize::from(hit.was_pv)] += usize::from(hit != Hit::NONE);
            }
            position.play(mv);
            marked += 1;
        }
    }
    assert!(marked > 50 && others[0] > 50, "{marked} {others:?}");
}

#[test]
fn prob_cut_asks_where_it_may() {
    let (calm, checked) = (quiet_position(), checked_position());
    let rule = ProbCut { min_depth: 4, margin: 100, improving: 40, reduction: 3 };
    let asks = |node: &Node<'_, RandomGame>, hit: &Hit| rule.confirmation(node, hit);
    let test = asks(&node(&calm), &Hit::NONE).unwrap();
    assert_eq!((test.target, test.reduction), (Score(100), Depth::plies(3)));
    let improving = Node { improving: true, ..node(&calm) };
    assert_eq!(asks(&improving, &Hit::NONE).unwrap().target, Score(60));
    assert!(asks(&node(&checked), &Hit::NONE).is_none());
    assert!(asks(&Node { fail_high_depth: Depth::plies(3), ..node(&calm) }, &Hit::NONE).is_none());
    for decided in [Score::win_in(9), Score::loss_in(9)] {
        let window = Window::above(decided - Score(1));
        assert!(asks(&Node { window, ..node(&calm) }, &Hit::NONE).is_none());
    }
    assert!(asks(&node(&calm), &hash_hit(-500, 99, 1)).is_none(), "the memory knows better");
    assert!(asks(&node(&calm), &hash_hit(-500, 99, 0)).is_some(), "not deep enough");
    assert!(asks(&node(&calm), &hash_hit(-500, 100, 1)).is_some());
}

#[test]
fn prob_cut_tries_noisy_moves_that_may_reach_the_target() {
    let (mut tried, mut left_out) = (0, 0);
    for position in positions(false) {
        let node = Node { static_eval: Score(-20), ..node(&position) };
        let mut listed = vec![77];
        ProbCut::default().list(&node, Score(10), &mut listed);
        assert_eq!(listed[0], 77, "what stood there before stays");
        let ranks: Vec<i32> = listed[1..].iter().map(|&mv| position.noisy_rank(mv)).collect();
        assert!(ranks.is_sorted_by(|a, b| a >= b), "{ranks:?}");
        let mut noisy = Vec::new();
        position.noisy_moves(&mut noisy);
        for mv in noisy {
            let wins = position.exchange_at_least(mv, Score(30));
            assert_eq!(listed[1..].contains(&mv), wins);
            tried += usize::from(wins);
            left_out += usize::from(!wins);
        }
        assert!(listed[1..].iter().all(|&mv| position.is_noisy(mv)));
    }
    assert!(tried > 20 && left_out > 20, "{tried} {left_out}");
}

/// In a game with noisy moves ProbCut makes a difference, in one without it makes none.
#[test]
fn prob_cut_is_about_noisy_moves() {
    let nodes = |root: &RandomGame, components: &[&str]| {
        let mut slots = only(components);
        slots.visit(&mut |parameter, value| {
            if parameter.full_name() == "ProbCut.margin" {
                *value = 0;
            }
        });
        run_to(&mut slots, root, 7).answer.nodes
    };
    let mut different = 0;
    for root in deep_games() {
        different += usize::from(nodes(&root, &["ProbCut"]) != nodes(&root, &[]));
    }
    assert!(different > 5, "{different}");
    for seed in 0..10 {
        let rules = Rules { seed, shape: Shape::Layers(40), pieces: 0, ..Rules::default() };
        let root = rules.root();
        if !root.is_over() {
            assert_eq!(nodes(&root, &["ProbCut"]), nodes(&root, &[]));
        }
    }
}

#[test]
fn noisy_moves_are_ranked_by_what_they_did() {
    let mut seen = 0;
    for position in positions(false) {
        let (noisy, quiet): (Vec<u8>, Vec<u8>) =
            moves(&position).into_iter().partition(|&mv| position.is_noisy(mv));
        let (&[good, bad, ..], Some(&calm)) = (&noisy[..], quiet.first()) else { continue };
        let mut history = CaptureHistory::default();
        Order::<RandomGame>::start(&mut history);
        let rank = |history: &CaptureHistory, mv| {
            let facts: Facts = history.facts(&position, mv);
            history.rank(&node(&position), mv, facts)
        };
        history.reward(&node(&position), good, &[bad, calm]);
        assert!(rank(&history, good) > 0 && rank(&history, bad) < 0);
        assert_eq!(rank(&history, calm), 0);
        // A quiet move that fails high says something of the noisy moves before it, nothing of itself.
        history.reward(&node(&position), calm, &[good]);
        assert!(rank(&history, good) < -rank(&history, bad));
        assert_eq!(rank(&history, calm), 0);
        let mut helper = CaptureHistory::default();
        Order::<RandomGame>::share(&mut helper, &history);
        assert_eq!(rank(&helper, bad), rank(&history, bad));
        Order::<RandomGame>::forget(&mut helper);
        assert_eq!((rank(&history, good), rank(&history, bad)), (0, 0));
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn quiet_moves_are_told_apart_by_exposure() {
    let (mut alike, mut different) = (0, 0);
    let all: Vec<RandomGame> = positions(false).collect();
    for pair in all.windows(2) {
        let calm = |position: &RandomGame| moves(position).into_iter().find(|&mv| !position.is_noisy(mv));
        let Some(mv) = calm(&pair[0]) else { continue };
        let mut history = ExposureHistory::default();
        Order::<RandomGame>::start(&mut history);
        history.reward(&node(&pair[0]), mv, &[]);
        let rank = |history: &ExposureHistory, position: &RandomGame| {
            history.rank(&node(position), mv, history.facts(position, mv))
        };
        assert!(rank(&history, &pair[0]) > 0);
        if moves(&pair[1]).contains(&mv) && !pair[1].is_noisy(mv) {
            let same = pair[0].exposure(mv) == pair[1].exposure(mv);
            assert_eq!(rank(&history, &pair[1]) > 0, same);
            *(if same { &mut alike } else { &mut different }) += 1;
        }
        if let Some(loud) = moves(&pair[0]).into_iter().find(|&mv| pair[0].is_noisy(mv)) {
            history.reward(&node(&pair[0]), loud, &[mv]); // a noisy move says nothing of quiet ones
            assert!(rank(&history, &pair[0]) > 0);
        }
        Order::<RandomGame>::forget(&mut history);
        assert_eq!(rank(&history, &pair[0]), 0);
    }
    assert!(alike > 20 && different > 20, "{alike} {different}");
}
