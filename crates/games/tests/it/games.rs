//! Tests properties of the games through the `Game` trait and its capabilities.

use cassius_games::random_game::{Rules, Shape};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_games::{Connect4, Hex, Othello, RandomGame, TicTacToe, Uneventful, figures, perft};
use cassius_search::game::{Hung, MoveIndexed, Repeats, Threat, Threats};
use cassius_search::{Checks, Game, Keyed, Noisy, Pass, Score, Static, Statics, minimax};
use proptest::prelude::*;
use std::collections::HashMap;
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Plain alpha-beta, which also counts the leaves it scores.
fn alphabeta<G: Static>(position: &G, depth: usize, alpha: Score, beta: Score, leaves: &mut u64) -> Score {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    if depth == 0 || moves.is_empty() {
        *leaves += 1;
        return position.static_value();
    }
    let mut best = -Score::INFINITE;
    for mv in moves {
        let mut child = position.clone();
        child.play(mv);
        best = best.max(-alphabeta(&child, depth - 1, -beta, -alpha.max(best), leaves));
        if best >= beta {
            break;
        }
    }
    best
}

fn leaves(values: Values, width: u16, depth: u16, seed: u64) -> u64 {
    let (tree, mut leaves) = (RandomTree::new(values, width, depth, seed), 0);
    let value = alphabeta(&tree, 99, -Score::INFINITE, Score::INFINITE, &mut leaves);
    if u64::from(width).pow(depth.into()) < 5_000 {
        assert_eq!(value, minimax(&tree, &mut Statics, 99));
    }
    leaves
}

#[test]
fn perfect_and_worst_order_score_the_known_numbers_of_leaves() {
    for (width, depth) in
        [(1u16, 3u16), (2, 1), (2, 10), (3, 7), (8, 2), (8, 3), (8, 4), (16, 3), (24, 3), (24, 4)]
    {
        let (w, d) = (u64::from(width), u32::from(depth));
        let best = w.pow(d.div_ceil(2)) + w.pow(d / 2) - 1;
        assert_eq!(leaves(Values::BestFirst, width, depth, 0), best, "W = {width}, D = {depth}");
        assert_eq!(leaves(Values::WorstFirst, width, depth, 0), w.pow(d), "W = {width}, D = {depth}");
    }
}

/// Mean leaf counts of independent and strongly ordered trees of W = 8 and 16, D = 3. A prototype of the same
/// construction had 218 and 1158, and 94 and 378.
#[test]
fn strong_order_helps() {
    let mean = |values, width| (0..400).map(|seed| leaves(values, width, 3, seed)).sum::<u64>() as f64 / 400.;
    for (width, strongly, independent) in [(8, 94., 218.), (16, 378., 1158.)] {
        for (values, expected) in [(Values::StronglyOrdered, strongly), (Values::Independent, independent)] {
            let mean = mean(values, width);
            assert!((mean / expected - 1.).abs() < 0.05, "{values:?}, W = {width}: {mean}");
        }
    }
}

/// The best child comes first, or early, with the stated frequencies, and has its parent's value.
#[test]
fn strongly_ordered_trees_are() {
    let (mut first, mut quarter) = (0, 0);
    for seed in 0..2_000 {
        let tree = RandomTree::new(Values::StronglyOrdered, 16, 4, seed);
        let child = |mv| {
            let mut child = tree;
            child.play(mv);
            -child.static_value()
        };
        let best = (0..16).max_by_key(|mv| (child(*mv), -i32::from(*mv))).unwrap();
        assert_eq!(child(best), tree.static_value());
        first += u32::from(best == 0);
        quarter += u32::from(best < 4);
    }
    assert!((1_300..1_500).contains(&first) && (1_730..1_870).contains(&quarter), "{first}, {quarter}");
}

#[test]
fn incremental_trees_move_less_towards_the_leaves() {
    for seed in 0..200 {
        let mut tree = RandomTree::new(Values::Incremental, 10, 6, seed);
        assert_eq!(tree.static_value(), Score(0));
        for reach in (1..=6).rev() {
            let before = tree.static_value();
            tree.play((seed % 10) as u16);
            assert!((-tree.static_value() - before).0.abs() <= reach);
        }
        assert_eq!(perft(&tree, 1), 0);
    }
}

/// Checks along one random walk what every game guarantees. `further` checks the guarantees of
/// particular games, for a position with its noisy moves and all moves.
fn walk<G>(mut position: G, choices: &[prop::sample::Index], further: impl Fn(&G, &[G::Move], &[G::Move]))
where
    G: Static + Keyed + MoveIndexed + Noisy + Checks + Pass,
{
    for choice in choices {
        let (mut moves, mut noisy) = (Vec::new(), Vec::new());
        position.moves(&mut moves);
        position.noisy_moves(&mut noisy);
        assert_eq!(position.is_over(), moves.is_empty());
        assert!(!position.static_value().is_decided());
        assert!(!(position.may_pass() && position.in_check()));
        for (i, mv) in moves.iter().enumerate() {
            assert!(position.move_index(*mv) < G::MOVE_INDICES);
            assert_eq!(position.is_noisy(*mv), noisy.contains(mv));
            assert!(position.gain(*mv) >= Score(0));
            assert_ne!(position.code(*mv), 0);
            assert!(moves[..i].iter().all(|other| position.code(*other) != position.code(*mv)));
            assert!(position.exchange_at_least(*mv, -Score::INFINITE));
            let wins = |threshold| position.exchange_at_least(*mv, Score(threshold));
            assert!((-30..30).all(|threshold| wins(threshold) || !wins(threshold + 1)));
        }
        assert!(noisy.iter().all(|mv| moves.contains(mv)));
        further(&position, &noisy, &moves);
        let mut passed = position.clone();
        passed.pass();
        passed.pass();
        assert_eq!(passed.key(), position.key());
        if moves.is_empty() {
            position.outcome();
            break;
        }
        position.play(*choice.get(&moves));
    }
}

/// The moves that answer a threat are quiet.
fn threats<G: Threats>(position: &G, noisy: &[G::Move], moves: &[G::Move]) {
    if !position.in_check() {
        let mut quiet = Vec::new();
        for threat in [Threat::Promotion, Threat::Mate] {
            position.counter_moves(threat, &mut quiet);
        }
        assert!(quiet.iter().all(|mv| moves.contains(mv) && !noisy.contains(mv)));
        assert!(moves.iter().all(|mv| !position.promotes(*mv) || noisy.contains(mv)));
    }
}

/// The moves that save a hung piece are quiet; and where a rule ends the game, moves remain.
fn every_threat<G: Threats + Hung + Repeats>(position: &G, noisy: &[G::Move], moves: &[G::Move]) {
    threats(position, noisy, moves);
    assert!(!position.drawn_by_rule() || !moves.is_empty());
    if !position.in_check() {
        let mut quiet = Vec::new();
        position.saving_moves(&mut quiet);
        assert!(quiet.iter().all(|mv| moves.contains(mv) && !noisy.contains(mv)));
    }
}

fn rules() -> impl Strategy<Value = Rules> {
    let shape = prop_oneof![
        Just(Shape::Tree),
        (0u32..9).prop_map(Shape::Layers),
        (0u32..20).prop_map(Shape::Cycles),
    ];
    (any::<u64>(), shape, 0u8..6, 0u8..40, 0u8..60, 0u8..5, (0u16..60, 0u16..20)).prop_map(
        |(seed, shape, branching, ends, noisy, pieces, (spread, patience))| Rules {
            seed,
            shape,
            branching,
            ends,
            noisy,
            pieces,
            spread,
            patience,
            checks: 15,
        },
    )
}

/// Positions with equal keys have equal futures. This compares the future to `depth`.
fn futures(position: &RandomGame, depth: usize, seen: &mut HashMap<u64, Score>) {
    let future = minimax(position, &mut Statics, 2);
    let known = *seen.entry(position.key()).or_insert(future);
    // Proven scores count from the root of each search, so they agree as well.
    assert_eq!(known, future);
    let mut moves = Vec::new();
    position.moves(&mut moves);
    for mv in moves.into_iter().filter(|_| depth > 0) {
        let mut child = *position;
        child.play(mv);
        futures(&child, depth - 1, seen);
    }
}

/// Counts how often a position of a line occurred before within its `reversible_plies`.
fn repetitions(game: RandomGame, choices: &[prop::sample::Index]) -> (usize, usize) {
    let (mut game, mut keys) = (game, vec![]);
    let (mut all, mut allowed) = (0, 0);
    for choice in choices {
        let stretch = keys.len() - game.reversible_plies().min(keys.len());
        all += usize::from(keys.contains(&game.repetition_key()));
        allowed += usize::from(keys[stretch..].contains(&game.repetition_key()));
        keys.push(game.repetition_key());
        let mut moves = Vec::new();
        game.moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        game.play(*choice.get(&moves));
    }
    (all, allowed)
}

proptest! {
    #[test]
    fn all_games_keep_their_promises(
        rules in rules(), choices in prop::collection::vec(any::<prop::sample::Index>(), 45),
    ) {
        walk(rules.root(), &choices, every_threat);
        walk(Connect4::default(), &choices, threats);
        walk(TicTacToe::default(), &choices, |_, _, _| {});
        walk(Uneventful(Othello::default()), &choices, |_, _, _| {});
        walk(Uneventful(Hex::new(4).unwrap().with_swap()), &choices, |_, _, _| {});
        walk(Uneventful(figures::cns_growth().root()), &choices, |_, _, _| {});
        for values in [Values::Independent, Values::StronglyOrdered, Values::Incremental, Values::BestFirst,
            Values::WorstFirst, Values::Constant(Score(3))] {
            let tree = RandomTree::new(values, u16::from(rules.branching), 12, rules.seed);
            walk(Uneventful(tree), &choices, |_, _, _| {});
        }
    }

    #[test]
    fn equal_keys_have_equal_futures(rules in rules()) {
        futures(&rules.root(), 4, &mut HashMap::new());
    }

    #[test]
    fn positions_come_back_only_in_cycles(
        rules in rules(), choices in prop::collection::vec(any::<prop::sample::Index>(), 45),
    ) {
        let (all, allowed) = repetitions(rules.root(), &choices);
        prop_assert_eq!(all, allowed, "a repetition beyond an irreversible move");
        prop_assert!(all == 0 || matches!(rules.shape, Shape::Cycles(_)));
    }

    #[test]
    fn no_text_panics(
        text in "[1-7]{0,44}|[XO.\n]{0,50}|[XO.\n]{42}|[XO.-]{64} ?[XO.-]|\
                 ([a-h][1-8]|pass| ){0,9}|[0-9]{0,2} ?(swap)?([a-m][1-9]| |swap){0,9}|\
                 [XO.]{9,25} ?(swap)?|\\PC{0,20}",
    ) {
        if let Ok(position) = text.parse::<Connect4>() {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }
        if let Ok(position) = text.parse::<TicTacToe>() {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }
        if let Ok(position) = text.parse::<Othello>() {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }
        if let Ok(position) = text.parse::<Hex>() {
            prop_assert_eq!(position.to_string().parse(), Ok(position));
        }
    }

    #[test]
    fn boards_survive_printing(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..70)) {
        survives_printing::<Connect4>(&choices);
        survives_printing::<Othello>(&choices);
        survives_printing::<Hex>(&choices);
    }
}

/// The position after some moves can be parsed from the moves, and from the board that it prints.
fn survives_printing<G>(choices: &[prop::sample::Index])
where
    G: Game<Move: Display> + Default + Display + FromStr<Err: Debug + PartialEq> + PartialEq + Debug,
{
    let (mut position, mut moves) = (G::default(), Vec::new());
    let mut text = String::new();
    for choice in choices {
        moves.clear();
        position.moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let mv = *choice.get(&moves);
        text += &mv.to_string();
        position.play(mv);
        assert_eq!(position.to_string().parse::<G>().as_ref(), Ok(&position));
    }
    assert_eq!(text.parse(), Ok(position));
}

#[test]
fn games_of_both_layers_and_cycles_transpose() {
    let keys = |shape| {
        let rules = Rules { shape, ends: 0, ..Rules::default() };
        let mut seen = HashMap::new();
        futures(&rules.root(), 5, &mut seen);
        (seen.len(), perft(&rules.root(), 5))
    };
    let (places, paths) = keys(Shape::Tree);
    assert!(places as u64 > paths, "{places} {paths}");
    for shape in [Shape::Layers(5), Shape::Cycles(5)] {
        let (places, paths) = keys(shape);
        assert!((places as u64) < paths / 2, "{shape:?} {places} {paths}");
    }
}
