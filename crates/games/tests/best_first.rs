//! Best-first search on trees of which everything is known.

mod common;

use cassius_games::random_game::{Rules, Shape};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_games::{Statics, TicTacToe, explicit, figures};
use cassius_search::best_first::{
    Assess, BestSuccessor, Bounds, ConspiracyNumbers, ControlledConspiracy, Grower, Growth, Leaf, Margin,
    NodeId, Payload, Static, Tree, Whose, conspirator_leaf,
};
use cassius_search::strategy::{Conspirators, Side, conspirators};
use cassius_search::{Draws, Game, Nodes, Off, Repetition, Request, Score, Unlimited, minimax};
use proptest::prelude::*;

type Grows<G, R, const N: usize, D = Off> = Grower<G, Bounds<N>, R, Static<Statics>, D>;

fn grower<G: Game, R: Growth<Bounds<N>>, D: Draws<G>, const N: usize>(growth: R) -> Grows<G, R, N, D>
where
    Static<Statics>: Assess<G, Bounds<N>>,
{
    Grower::new(4, growth, Static(Statics)).expect("4 MiB")
}

/// The tree as it stands, in the form that the definitions are written for.
fn written<M: Copy + std::fmt::Debug, const N: usize>(
    tree: &Tree<M, Bounds<N>>,
) -> (explicit::Tree, Vec<explicit::NodeId>) {
    let value = |node: NodeId, ply: usize| {
        let value = tree.payload(node).mover.at(0);
        if ply.is_multiple_of(2) { value } else { -value }
    };
    let mut explicit = explicit::Tree::new("", value(NodeId::ROOT, 0));
    let mut names = vec![explicit::NodeId::ROOT; tree.len()];
    let mut open = vec![(NodeId::ROOT, 0)];
    while let Some((node, ply)) = open.pop() {
        for child in tree.children(node) {
            names[child.index()] = explicit.add(names[node.index()], "", value(child, ply + 1));
            if tree.is_over(child) {
                explicit.end(names[child.index()]);
            }
            open.push((child, ply + 1));
        }
    }
    (explicit, names)
}

/// The greatest number that sequences of `N` elements can tell from "or more".
fn most<const N: usize>(conspirators: Conspirators) -> usize {
    match conspirators {
        Conspirators::Leaves(leaves) => leaves.min(N),
        Conspirators::Never => N,
    }
}

const N: usize = 6;

/// Grows by so many leaves, each the leftmost of the conspirators for a drawn value, so that trees of all shapes arise.
fn grow_anyhow(game: &RandomTree, draws: &[u8]) -> Grows<RandomTree, ConspiracyNumbers, N> {
    let mut grower = grower(ConspiracyNumbers { deepened: 1, ..ConspiracyNumbers::default() });
    grower.begin(game, &[], &[]);
    for draw in draws {
        grower.growth.width = i32::from(draw % 4);
        grower.growth.threshold = 1 + i32::from(draw / 4 % 5);
        grower.growth.deepened = i32::from(draw / 32 % 2);
        let _ = grower.step(&mut |_, _| true);
    }
    grower
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Bounds Lemma and Bounds Multiset Theorem (McAllester 1988, §4): the sequences say how many conspirators are needed, as the
    /// definition counts them.
    #[test]
    fn sequences_count_conspirators(
        seed in any::<u64>(), width in 1u16..4, depth in 1u16..5, draws in prop::collection::vec(any::<u8>(), 0..14),
    ) {
        let tree = grow_anyhow(&RandomTree::new(Values::Coarse(7), width, depth, seed), &draws).tree;
        let (explicit, _) = written(&tree);
        let root = tree.payload(NodeId::ROOT);
        for value in -1..8 {
            let up = conspirators(&explicit, Side::Min, Score(value));
            prop_assert_eq!(root.mover.needed(Score(value)), most::<N>(up), "at least {} of {}", value, explicit);
            let down = conspirators(&explicit, Side::Max, Score(value));
            prop_assert_eq!(root.other.needed(Score(-value)), most::<N>(down), "at most {} of {}", value, explicit);
        }
    }

    /// What is kept up to date along the path equals what is computed from scratch.
    #[test]
    fn incremental_is_from_scratch(
        seed in any::<u64>(), width in 1u16..5, depth in 1u16..6, draws in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut tree = grow_anyhow(&RandomTree::new(Values::Incremental, width, depth, seed), &draws).tree;
        prop_assert!(!tree.recompute());
    }

    /// MIN-STRATEGY-LEAF (§5) finds a leaf of a smallest conspiracy: with that leaf given up, one conspirator fewer is needed.
    #[test]
    fn conspirator_leaves_are_of_smallest_conspiracies(
        seed in any::<u64>(), width in 1u16..4, depth in 1u16..5, draws in prop::collection::vec(any::<u8>(), 1..14),
    ) {
        let tree = grow_anyhow(&RandomTree::new(Values::Coarse(7), width, depth, seed), &draws).tree;
        let (explicit, names) = written(&tree);
        for (side, against, sign) in [(Whose::Mover, Side::Min, 1), (Whose::Other, Side::Max, -1)] {
            for value in -1..8 {
                let needed = conspirators(&explicit, against, Score(value));
                let Conspirators::Leaves(needed @ 1..N) = needed else { continue };
                let mut line = vec![NodeId::ROOT];
                conspirator_leaf(&tree, &mut line, side, Score(sign * value));
                let leaf = names[line.last().expect("a leaf").index()];
                let mut given_up = explicit::Tree::new("", explicit.node(explicit::NodeId::ROOT).value());
                copy(&explicit, explicit::NodeId::ROOT, &mut given_up, explicit::NodeId::ROOT, &|node, old| {
                    if node == leaf { Score(sign * 1_000) } else { old }
                });
                let without = match explicit.len() {
                    1 => Conspirators::Leaves(0), // the root itself
                    _ => conspirators(&given_up, against, Score(value)),
                };
                prop_assert_eq!(without, Conspirators::Leaves(needed - 1), "{} in {}", value, explicit);
            }
        }
    }

    /// Run to the end, on games that end, the value is minimax's; so is that of the best successor.
    #[test]
    fn to_the_end_it_is_minimax(
        seed in any::<u64>(), width in 1u16..4, depth in 1u16..5, deepened in 0..=1, leaves in 1..20, bar in 0..=100,
    ) {
        let game = RandomTree::new(Values::Coarse(20), width, depth, seed);
        let value = minimax(&game, &mut Statics, usize::from(depth));
        let mut grower: Grows<_, _, 90> = grower(ConspiracyNumbers { deepened, ..ConspiracyNumbers::default() });
        let answer = grower.search(&Request::new(&game, &Unlimited), &mut |_| {});
        prop_assert_eq!((answer.score(), answer.complete), (Some(value), true));
        prop_assert_eq!(grower.tree.payload(NodeId::ROOT).range(81), (value, value));

        let mut by_proof: Grows<_, _, 90> = self::grower(BestSuccessor::default());
        let mut targets = ControlledConspiracy::default();
        (targets.leaves, targets.bar) = (leaves, bar);
        let mut by_targets: Grows<_, _, 90> = self::grower(targets);
        for answer in [
            by_proof.search(&Request::new(&game, &Unlimited), &mut |_| {}),
            by_targets.search(&Request::new(&game, &Unlimited), &mut |_| {}),
        ] {
            prop_assert!(answer.complete);
            let mut child = game;
            child.play(answer.best().expect("a move"));
            let kept = -minimax(&child, &mut Statics, usize::from(depth) - 1);
            prop_assert_eq!(kept, value, "the move keeps the value");
        }
        prop_assert!(!by_proof.tree.recompute() && !by_targets.tree.recompute());
    }

    /// The same where positions come back and games are drawn by rule: draws are those of the line.
    #[test]
    fn with_draws_it_is_minimax_too(
        seed in any::<u64>(), places in 2u32..30, branching in 1u8..4, patience in 3u16..7,
    ) {
        let shape = Shape::Cycles(places);
        let game = Rules { seed, shape, branching, patience, noisy: 0, ..Rules::default() }.root();
        if !game.is_over() {
            let expected = common::with_repetitions(&mut vec![game], usize::from(patience) + 1);
            let mut grower: Grows<_, _, 90, Repetition> = grower(ConspiracyNumbers::default());
            let answer = grower.search(&Request::new(&game, &Unlimited), &mut |_| {});
            prop_assert_eq!((answer.score(), answer.complete), (Some(expected), true));
        }
    }
}

/// Copies what is below `from` to below `to`, with other values.
fn copy(
    tree: &explicit::Tree,
    from: explicit::NodeId,
    copied: &mut explicit::Tree,
    to: explicit::NodeId,
    value: &impl Fn(explicit::NodeId, Score) -> Score,
) {
    for &child in tree.node(from).children() {
        let node = copied.add(to, "", value(child, tree.node(child).value()));
        if tree.node(child).is_terminal() {
            copied.end(node);
        }
        copy(tree, child, copied, node, value);
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let mut grower: Grows<_, _, 9> = grower(BestSuccessor::default());
    let fork: TicTacToe = "X.. .O. ..X".parse().unwrap();
    let answer = grower.search(&Request::new(&fork, &Unlimited), &mut |_| {});
    assert!(answer.complete);
    assert_eq!(answer.best().unwrap() % 2, 1, "an edge, not a corner");
}

/// Out of room, it ends with the best answer so far and says why; within a node limit it stays.
#[test]
fn memory_and_nodes_are_bounded() {
    let game = RandomTree::new(Values::Incremental, 10, 40, 1);
    let mut grower: Grows<_, _, 9> = grower(ConspiracyNumbers::default());
    let answer = grower.search(&Request::new(&game, &Unlimited), &mut |_| {});
    assert!(answer.full && !answer.complete);
    assert!(answer.best().is_some() && grower.tree.len() > grower.tree.capacity() - 10);
    for limit in [11, 500, 777] {
        let answer = grower.search(&Request::new(&game, &Nodes(limit)), &mut |_| {});
        assert!(!answer.full && !answer.complete);
        assert!(answer.nodes <= limit && answer.nodes > limit - 10, "{} of {limit}", answer.nodes);
    }
    let answer = grower.search(&Request::new(&game, &Nodes(1)), &mut |_| {});
    assert_eq!(answer.nodes, 11, "the root's children are always looked at");
}

/// The margin evaluator (§10) gives the sequences that are printed.
#[test]
fn a_margin_is_a_second_bound() {
    let mut margin = Margin { evaluate: Statics, margin: Score(5) };
    let leaf: Leaf<Bounds<5>> = margin.assess(&RandomTree::new(Values::Constant(Score(7)), 2, 2, 1), 0);
    let Leaf::Open(bounds) = leaf else { panic!("the game goes on") };
    let ups: Vec<i32> = (0..4).map(|n| bounds.range(n).1.0).collect();
    let downs: Vec<i32> = (0..4).map(|n| bounds.range(n).0.0).collect();
    assert_eq!(ups, [7, 12, 32_001, 32_001]);
    assert_eq!(downs, [7, 7, 2, -32_001]);
}

/// McAllester 1988, Fig. 1: to raise the root to 6 takes two conspirators, D and E or F and G.
#[test]
fn figure_1() {
    let root: Bounds<5> = figures::cns_1().bounds(explicit::NodeId::ROOT);
    assert_eq!(root.value(), Score(4));
    assert_eq!((root.mover.needed(Score(5)), root.mover.needed(Score(6))), (1, 2));
}

/// McAllester 1988, Fig. 2: values outside [1, 3] take two conspirators or more.
#[test]
fn figure_2() {
    let root: Bounds<5> = figures::cns_2().bounds(explicit::NodeId::ROOT);
    let infinite = Score::INFINITE;
    let ranges: Vec<_> = (0..4).map(|conspirators| root.range(conspirators)).collect();
    assert_eq!(
        ranges,
        [(Score(2), Score(2)), (Score(1), Score(3)), (Score(0), Score(4)), (-infinite, infinite)]
    );
}
