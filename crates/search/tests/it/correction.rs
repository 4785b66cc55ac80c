//! Tests corrections of the static value: what is learned from which nodes, and where it is used.

use crate::common::*;
use cassius_games::RandomGame;
use cassius_games::random_game::{Rules, Shape};
use cassius_search::alpha_beta::correction::{Correct, CorrectionHistory};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::memory::Memory;
use cassius_search::alpha_beta::quiescence::Captures;
use cassius_search::alpha_beta::selectivity::{Prune, Selectivity};
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::alpha_beta::{Node, Recipe};
use cassius_search::game::Structured;
use cassius_search::{
    Bound, Checks, Component, Depth, Evaluate, Game, Noisy, Off, Score, Slots, Static, Statics, Table,
    Window, minimax,
};

/// A component that corrects by a constant and writes down what it is taught.
#[derive(Default)]
struct Taught(Vec<(RandomGame, Window, Option<u8>, Score)>);

impl Component for Taught {
    const NAME: &'static str = "Taught";
}

const CONSTANT: Score = Score(3);

impl Correct<RandomGame> for Taught {
    fn correction(&self, _: &RandomGame, _: [Option<usize>; 2]) -> Score {
        CONSTANT
    }

    fn in_quiescence(&self) -> bool {
        true
    }

    fn learn(&mut self, node: &Node<'_, RandomGame>, best: Option<u8>, error: Score) {
        self.0.push((*node.position, node.window, best, error));
    }
}

/// Asks for static values and prunes nothing.
#[derive(Default)]
struct Asks;

impl Component for Asks {
    const NAME: &'static str = "Asks";
}

impl Prune<RandomGame> for Asks {}

struct OnlyAsks;

impl Selectivity<RandomGame> for OnlyAsks {
    type InternalReduction = Off;
    type ReverseFutility = Asks;
    type Razoring = Off;
    type NullMove = Off;
    type ProbCut = Off;
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
}

/// Alpha-beta with the correction `C`, which prunes nothing.
struct With<C>(std::marker::PhantomData<C>);

cassius_search::recipe! {
    impl [C: Correct<RandomGame>] With<C>, game RandomGame {
        Setting = (Statics, Repetition);
        Horizon = Plies;
        Correction = C;
        Memory = Table;
        Selectivity = OnlyAsks;
        Windows = MinimalWindow;
    }
}

fn slots<R: Recipe<RandomGame, Memory = Table>>() -> Slots<RandomGame, R>
where
    R::Setting: cassius_search::Setting<RandomGame, Evaluate = Statics, Knowledge = Off>,
{
    Slots::new(Statics, Table::new(1).unwrap(), Off)
}

/// Only errors that are known are taught: of exact values, and of bounds that lie beyond the static value.
#[test]
fn what_is_taught_is_known() {
    let mut bounds = [0; 3];
    for root in games(Shape::Layers(9), 60) {
        let mut slots = slots::<With<Taught>>();
        run_to(&mut slots, &root, 4);
        for (position, window, best, error) in &slots.correction.0 {
            let level = position.static_value() + CONSTANT;
            let value = level + *error;
            assert!(!value.is_decided());
            let bound = window.bound(value);
            match bound {
                Bound::Lower => assert!(best.is_some() && *error > Score::DRAW),
                Bound::Upper => assert!(*error < Score::DRAW),
                Bound::Exact => {}
            }
            bounds[bound as usize] += 1;
        }
    }
    assert!(bounds.iter().all(|count| *count > 20), "{bounds:?}");
}

/// Without quiescence search and selectivity a correction is never part of a value, and the table keeps the
/// static value as the evaluation gave it.
#[test]
fn the_memory_keeps_what_was_evaluated() {
    let mut kept = 0;
    for root in games(Shape::Layers(9), 60) {
        let mut slots = slots::<With<Taught>>();
        assert_eq!(run_to(&mut slots, &root, 4).score(), minimax(&root, &mut Statics, 4));
        for (position, ..) in &slots.correction.0 {
            if let Some(value) = slots.memory.probe(position, 0).static_eval {
                assert_eq!(value, Statics.evaluate(position));
                kept += 1;
            }
        }
    }
    assert!(kept > 200, "{kept}");
}

/// In quiescence search the side to move stands pat on the corrected value.
#[test]
fn quiescence_stands_on_corrected_values() {
    struct Quiet<C>(std::marker::PhantomData<C>);
    cassius_search::recipe! {
        impl [C: Correct<RandomGame>] Quiet<C>, game RandomGame {
            Setting = (Statics, Off);
            Horizon = Plies;
            Correction = C;
            Quiescence = Captures;
            Memory = Table;
            Windows = MinimalWindow;
        }
    }
    let mut quiet = 0;
    for seed in 0..200 {
        let root = Rules { seed, pieces: 0, checks: 0, ends: 0, ..Rules::default() }.root();
        let plain = run_to(&mut slots::<Quiet<Off>>(), &root, 2).score();
        let corrected = run_to(&mut slots::<Quiet<Taught>>(), &root, 2).score();
        assert_eq!(corrected, plain + CONSTANT, "{root:?}");
        quiet += 1;
    }
    assert_eq!(quiet, 200);
}

fn node(position: &RandomGame) -> Node<'_, RandomGame> {
    Node {
        position,
        window: Window::FULL,
        ply: 2,
        pv: true,
        was_pv: false,
        cut: false,
        fail_high_depth: Depth::plies(5),
        fail_low_depth: Depth::plies(5),
        static_eval: Score::DRAW,
        improving: false,
        has_hash_move: false,
        previous: [Some(3), Some(5)],
        child_cutoffs: 0,
        pass_failed: false,
    }
}

fn started() -> CorrectionHistory {
    let mut history = CorrectionHistory::default();
    (history.first, history.others, history.moves) = (100, 100, 100);
    Correct::<RandomGame>::start(&mut history);
    history
}

/// Errors correct the static values of positions with the same parts in the same direction, within limits,
/// until they are forgotten.
#[test]
fn errors_are_corrected() {
    let positions = |wanted: &dyn Fn(&RandomGame) -> bool| -> Vec<RandomGame> {
        games(Shape::Layers(100), 200).filter(|root| wanted(root)).take(20).collect()
    };
    for root in positions(&|root| !root.in_check()) {
        let node = node(&root);
        let mut history = started();
        let read = |history: &CorrectionHistory, previous| history.correction(&root, previous);
        assert_eq!(read(&history, node.previous), Score::DRAW);
        history.learn(&node, None, Score(40));
        let once = read(&history, node.previous);
        assert!(once > Score::DRAW && once < Score(40), "{once:?}");
        let other = read(&history, [None; 2]);
        assert!(other > Score::DRAW && other < once, "the moves have a part in it");
        (0..100).for_each(|_| history.learn(&node, None, Score(400)));
        let most = read(&history, node.previous);
        assert!(most > once && most <= Score(32 * (RandomGame::PARTS as i32 + 1)), "{most:?}");
        (0..100).for_each(|_| history.learn(&node, None, Score(-400)));
        assert!(read(&history, node.previous) <= -once);

        let mut helper = started();
        Correct::<RandomGame>::share(&mut helper, &history);
        assert_eq!(read(&helper, node.previous), read(&history, node.previous));
        Correct::<RandomGame>::forget(&mut helper);
        assert_eq!(read(&history, node.previous), Score::DRAW);
    }
    // Nothing is learned in check, or where a noisy move was best.
    for root in positions(&Checks::in_check) {
        let mut history = started();
        history.learn(&node(&root), None, Score(40));
        assert_eq!(history.correction(&root, node(&root).previous), Score::DRAW);
    }
    for root in positions(&|root| !root.in_check() && !root.is_over() && root.is_noisy(0)) {
        let mut history = started();
        history.learn(&node(&root), Some(0), Score(40));
        assert_eq!(history.correction(&root, node(&root).previous), Score::DRAW);
    }
}

/// Positions that share one part share the correction of that part alone, by its weight.
#[test]
fn parts_are_corrected_apart() {
    let all: Vec<RandomGame> = games(Shape::Layers(1000), 300).filter(|root| !root.in_check()).collect();
    let mut children = Vec::new();
    for root in &all {
        children.extend(moves(root).into_iter().map(|mv| after(root, mv)).filter(|child| !child.in_check()));
    }
    let (mut shared, mut apart) = (0, 0);
    for pair in children.windows(2) {
        let same: Vec<bool> = (0..2).map(|part| pair[0].part_key(part) == pair[1].part_key(part)).collect();
        let mut history = started();
        history.first = 0;
        (0..20).for_each(|_| history.learn(&node(&pair[0]), None, Score(100)));
        let there = history.correction(&pair[1], [None; 2]);
        assert_eq!(there > Score::DRAW, same[1]);
        (history.first, history.others) = (100, 0);
        assert_eq!(history.correction(&pair[1], [None; 2]) > Score::DRAW, same[0]);
        if same[0] != same[1] {
            shared += 1;
        } else if !same[0] {
            apart += 1;
        }
    }
    assert!(shared > 5 && apart > 5, "{shared} {apart}");
}
