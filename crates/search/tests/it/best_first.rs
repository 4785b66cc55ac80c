//! Tests best-first search on completely known trees.

use cassius_games::random_game::{Rules, Shape};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_games::{Connect4, RandomGame, TicTacToe, explicit, figures};
use cassius_search::alpha_beta::draws::{Draws, Repetition};
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::best_first::{
    Asked, Assess, BestSuccessor, Bounds, Child, ConspiracyNumbers, ControlledConspiracy, Ended, Grower,
    Growth, Leaf, Margin, NodeId, Payload, Searched, Static, Threat, Tree, Whose, conspirator_leaf,
};
use cassius_search::game::Threaded;
use cassius_search::plans::strategy::{Conspirators, Side, conspirators};
use cassius_search::{
    Evaluate, Game, Keyed, Nodes, Off, Pass, Patience, Request, Score, Slots, Statics, Unlimited, Window,
    minimax,
};
use proptest::prelude::*;

type Grows<G, R, const N: usize, D = Off> = Grower<G, Bounds<N>, R, Static<Statics>, D>;

fn grower<G: Threaded, R: Growth<Bounds<N>>, D: Draws<G>, const N: usize>(growth: R) -> Grows<G, R, N, D>
where
    Static<Statics>: Assess<G, Bounds<N>>,
{
    Grower::new(4, growth, Static(Statics)).expect("4 MiB")
}

/// Returns the tree in the form that the definitions use.
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

/// Returns the greatest number that sequences of `N` elements distinguish from "or more".
fn most<const N: usize>(conspirators: Conspirators) -> usize {
    match conspirators {
        Conspirators::Leaves(leaves) => leaves.min(N),
        Conspirators::Never => N,
    }
}

const N: usize = 6;

/// Expands one leaf per draw: the leftmost conspirator for a drawn value, so that trees of all shapes
/// arise.
fn grow_anyhow(game: &RandomTree, draws: &[u8]) -> Grows<RandomTree, ConspiracyNumbers, N> {
    let mut grower = grower(ConspiracyNumbers { deepened: 1, ..ConspiracyNumbers::default() });
    grower.begin(game, &[], &[]);
    for draw in draws {
        grower.growth.width = i32::from(draw % 4);
        grower.growth.threshold = 1 + i32::from(draw / 4 % 5);
        grower.growth.deepened = i32::from(draw / 32 % 2);
        let _ = grower.step(&Unlimited);
    }
    grower
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Bounds Lemma and Bounds Multiset Theorem (McAllester 1988, §4): the sequences give the numbers of
    /// conspirators of the definition.
    #[test]
    fn sequences_count_conspirators(
        seed in any::<u64>(), width in 1u16..4, depth in 1u16..5,
        draws in prop::collection::vec(any::<u8>(), 0..14),
    ) {
        let tree = grow_anyhow(&RandomTree::new(Values::Coarse(7), width, depth, seed), &draws).tree;
        let (explicit, _) = written(&tree);
        let root = tree.payload(NodeId::ROOT);
        for value in -1..8 {
            let up = conspirators(&explicit, Side::Min, Score(value));
            prop_assert_eq!(
                root.mover.needed(Score(value)),
                most::<N>(up),
                "at least {} of {}", value, explicit
            );
            let down = conspirators(&explicit, Side::Max, Score(value));
            prop_assert_eq!(
                root.other.needed(Score(-value)),
                most::<N>(down),
                "at most {} of {}", value, explicit
            );
        }
    }

    /// The sequences updated along the path equal those computed from scratch.
    #[test]
    fn incremental_is_from_scratch(
        seed in any::<u64>(), width in 1u16..5, depth in 1u16..6,
        draws in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut tree = grow_anyhow(&RandomTree::new(Values::Incremental, width, depth, seed), &draws).tree;
        prop_assert!(!tree.recompute());
    }

    /// MIN-STRATEGY-LEAF (§5) finds a leaf of a smallest conspiracy: if that leaf is given up, one
    /// conspirator fewer is needed.
    #[test]
    fn conspirator_leaves_are_of_smallest_conspiracies(
        seed in any::<u64>(), width in 1u16..4, depth in 1u16..5,
        draws in prop::collection::vec(any::<u8>(), 1..14),
    ) {
        let tree = grow_anyhow(&RandomTree::new(Values::Coarse(7), width, depth, seed), &draws).tree;
        let (explicit, names) = written(&tree);
        for (side, against, sign) in [(Whose::Mover, Side::Min, 1), (Whose::Other, Side::Max, -1)] {
            for value in -1..8 {
                let needed = conspirators(&explicit, against, Score(value));
                let Conspirators::Leaves(needed @ 1..N) = needed else { continue };
                let leaf = conspirator_leaf(&tree, NodeId::ROOT, side, Score(sign * value));
                let leaf = names[leaf.index()];
                let mut given_up = explicit::Tree::new("", explicit.node(explicit::NodeId::ROOT).value());
                copy(&explicit, explicit::NodeId::ROOT, &mut given_up, explicit::NodeId::ROOT, &|node, old| {
                    if node == leaf { Score(sign * 1_000) } else { old }
                });
                let without = match explicit.len() {
                    1 => Conspirators::Leaves(0), // the root is the only leaf
                    _ => conspirators(&given_up, against, Score(value)),
                };
                prop_assert_eq!(without, Conspirators::Leaves(needed - 1), "{} in {}", value, explicit);
            }
        }
    }

    /// In finite games that are searched to the end, the value is the minimax value, and so is that of
    /// the best successor.
    #[test]
    fn to_the_end_it_is_minimax(
        seed in any::<u64>(), width in 1u16..4, depth in 1u16..5, deepened in 0..=1, leaves in 1..20,
        bar in 0..=100,
    ) {
        let game = RandomTree::new(Values::Coarse(20), width, depth, seed);
        let value = minimax(&game, &mut Statics, usize::from(depth));
        let mut grower: Grows<_, _, 90> =
            grower(ConspiracyNumbers { deepened, ..ConspiracyNumbers::default() });
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

    /// A search that was to rule out so many conspirators has done so if it says that it is complete, whether
    /// it ruled them out in turn or at once.
    #[test]
    fn what_is_complete_is_ruled_out(seed in any::<u64>(), deepened in 0..=1, asked in 1usize..6) {
        let game = RandomTree::new(Values::Coarse(20), 3, 12, seed);
        let growth = ConspiracyNumbers { deepened, threshold: 5, width: 10 };
        let mut grower: Grows<_, _, 90> = grower(growth);
        let answer = grower.search(&Request::new(&game, &Nodes(3_000)).to_iteration(asked), &mut |_| {});
        let (least, greatest) = grower.tree.payload(NodeId::ROOT).range(asked);
        let is_narrow = (greatest - least).0 <= 10;
        prop_assert_eq!(answer.complete, is_narrow, "{:?} in {} nodes", (least, greatest), answer.nodes);
    }

    /// The same in games with repetitions and draws by rule: draws are those of the line.
    #[test]
    fn with_draws_it_is_minimax_too(
        seed in any::<u64>(), places in 2u32..30, branching in 1u8..4, patience in 3u16..7,
    ) {
        let shape = Shape::Cycles(places);
        let game = Rules { seed, shape, branching, patience, noisy: 0, ..Rules::default() }.root();
        if !game.is_over() {
            let expected = crate::common::with_repetitions(&mut vec![game], usize::from(patience) + 1);
            let mut grower: Grows<_, _, 90, Repetition> = grower(ConspiracyNumbers::default());
            let answer = grower.search(&Request::new(&game, &Unlimited), &mut |_| {});
            prop_assert_eq!((answer.score(), answer.complete), (Some(expected), true));
        }
    }
}

/// Copies the subtree below `from` to below `to`, with other values.
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

/// Creates a grower that expands a position only once if it occurs on several lines.
fn sharing<G: Threaded + Keyed + cassius_search::Static, R: Growth<Bounds<N>>, const N: usize>(
    growth: R,
    shares: bool,
) -> Grows<G, R, N> {
    let mut grower = grower::<G, R, Off, N>(growth).with_transpositions();
    grower.visit(&mut |parameter, value| {
        if parameter.component == "Transpositions" {
            *value = shares.into();
        }
    });
    grower
}

/// Mirror images, which share a key, do not share children: those have other moves.
#[test]
fn every_node_has_the_moves_of_its_position() {
    let mut grower: Grows<Connect4, _, N> = sharing(ConspiracyNumbers::default(), true);
    let root = Connect4::default();
    grower.search(&Request::new(&root, &Nodes(3_000)), &mut |_| {});
    let tree = &grower.tree;
    assert!(tree.shared() > 0, "some are shared");
    let (mut line, mut moves) = (Vec::new(), Vec::new());
    for node in tree.nodes().filter(|&node| tree.children(node).len() > 0) {
        tree.line_to(node, &mut line);
        let mut position = root;
        line.iter().filter_map(|&node| tree.mv(node)).for_each(|mv| position.play(mv));
        moves.clear();
        position.moves(&mut moves);
        moves.sort_unstable();
        let mut there: Vec<_> = tree.children(node).filter_map(|child| tree.mv(child)).collect();
        there.sort_unstable();
        assert_eq!(there, moves, "{position}");
    }
}

/// Without a tree there is nothing to expand, also when new workers have taken its place.
#[test]
fn nothing_is_expanded_before_a_tree_is_begun() {
    let mut grower: Grows<TicTacToe, _, N> = grower(ConspiracyNumbers::default());
    assert_eq!(grower.step(&Unlimited), Err(Ended::Done));
    grower.begin(&TicTacToe::default(), &[], &[]);
    assert!(grower.step(&Unlimited).is_ok());
    grower.employ([Static(Statics), Static(Statics)]);
    assert_eq!(grower.step(&Unlimited), Err(Ended::Done));
    grower.begin(&TicTacToe::default(), &[], &[]);
    assert!(grower.step(&Unlimited).is_ok());
}

/// Returns the properties in which two trees must agree, node by node.
fn nodes<M: Copy, const N: usize>(tree: &Tree<M, Bounds<N>>) -> Vec<(Option<M>, Bounds<N>, usize)> {
    tree.nodes().map(|node| (tree.mv(node), *tree.payload(node), tree.children(node).len())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The tree does not depend on the number of workers that evaluate the leaves: with windows, and
    /// with transpositions.
    #[test]
    fn workers_grow_the_tree_of_one(
        seed in any::<u64>(), places in 2u32..40, leaves in 1..40, window in 0..8, limit in 20u64..2_000,
        workers in 2usize..5, shares in any::<bool>(),
    ) {
        let rules = Rules { seed, shape: Shape::Layers(places), ends: 2, ..Rules::default() };
        let grow = |workers: usize| {
            let growth = ControlledConspiracy { leaves, window, ..ControlledConspiracy::default() };
            let mut grower: Grows<RandomGame, _, N> = sharing(growth, shares);
            grower.employ((0..workers).map(|_| Static(Statics)));
            let root = rules.root();
            let answer = grower.search(&Request::new(&root, &Nodes(limit)), &mut |_| {});
            let mut line = Vec::new();
            let plies = grower.tree.nodes().map(|node| {
                grower.tree.line_to(node, &mut line);
                line.len() - 1
            });
            assert_eq!(plies.max(), Some(grower.max_ply()));
            (nodes(&grower.tree), answer.best(), answer.score(), answer.nodes)
        };
        prop_assert!(grow(1) == grow(workers));
    }

    /// With transpositions, the updated sequences equal those computed from scratch. Searched to the
    /// end, the value is the minimax value.
    #[test]
    fn with_transpositions_it_is_minimax_too(game in crate::common::finite(), steps in 0usize..40) {
        let mut partly: Grows<_, _, N> = sharing(BestSuccessor::default(), true);
        partly.begin(&game, &[], &[]);
        for _ in 0..steps {
            let _ = partly.step(&Unlimited);
            prop_assert!(!partly.tree.recompute());
        }
        let mut wholly: Grows<_, _, 200> = sharing(ConspiracyNumbers::default(), true);
        let answer = wholly.search(&Request::new(&game, &Unlimited), &mut |_| {});
        let value = minimax(&game, &mut Statics, 13);
        prop_assert_eq!((answer.score(), answer.complete), (Some(value), true));
    }
}

/// Alpha-beta to a depth, which evaluates the leaves.
type Below = crate::common::Plain<Plies, MinimalWindow>;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// A searched leaf has the minimax value to the same depth, within the range that is requested.
    #[test]
    fn searched_leaves_are_minimax(
        game in crate::common::finite(), depth in 0i32..4, alpha in -4i32..4, width in 1i32..5,
    ) {
        let slots = Slots::<_, Below>::new(Statics, Off, Off);
        let mut judge = Searched::new(Static(Statics), slots);
        judge.parameters.depth = depth;
        for window in [Window::FULL, Window::new(Score(alpha), Score(alpha + width))] {
            let asked = Asked { ply: 3, window, patience: None };
            let leaf: Leaf<Bounds<4>> = judge.assess_as(&game, &asked);
            let value = minimax(&game, &mut Statics, depth as usize).at_root(3);
            prop_assert_eq!(leaf, Leaf::Open(Bounds::leaf(window.clip(value))));
        }
        // Without time for a search, the static assessment is used.
        let patience = Patience::new(&Nodes(0));
        let asked = Asked { ply: 3, window: Window::FULL, patience: Some(&patience) };
        let leaf: Leaf<Bounds<4>> = judge.assess_as(&game, &asked);
        prop_assert_eq!(leaf, Leaf::Open(Bounds::leaf(Statics.evaluate(&game))));
    }

    /// Searched to the end, the value does not depend on how leaves were evaluated.
    #[test]
    fn with_searched_leaves_it_is_minimax_too(game in crate::common::finite(), depth in 1i32..4) {
        let mut judge = Searched::new(Static(Statics), Slots::<_, Below>::new(Statics, Off, Off));
        judge.parameters.depth = depth;
        let mut grower =
            Grower::<_, Bounds<200>, _, _, Off>::new(4, ConspiracyNumbers::default(), judge).expect("4 MiB");
        let answer = grower.search(&Request::new(&game, &Unlimited), &mut |_| {});
        let value = minimax(&game, &mut Statics, 13);
        prop_assert_eq!((answer.score(), answer.complete), (Some(value), true));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Controlled conspiracy ends exactly when the contest is decided, with a margin too, and no value
    /// is outside its range.
    #[test]
    fn it_ends_when_one_is_best(
        margin in 0i32..9, threshold in 1i32..6, bar in 0i32..=100, width in 2u16..5, seed in any::<u64>(),
    ) {
        let root = RandomTree::new(Values::Incremental, width, 5, seed);
        let growth = ControlledConspiracy { margin, threshold, bar, ..ControlledConspiracy::default() };
        let mut targets: Grows<_, _, 8> = grower(growth);
        let answer = targets.search(&Request::new(&root, &Unlimited), &mut |_| {});
        prop_assert!(!answer.full && answer.nodes > 0);
        let mut left = Vec::new();
        BestSuccessor { margin, threshold }.choose(&targets.tree, &mut left);
        prop_assert!(left.is_empty(), "{left:?}");
        for line in &answer.lines {
            let (least, greatest) = line.range.expect("a range");
            prop_assert!((least..=greatest).contains(&line.score), "{line:?}");
        }
    }
}

/// Positions on several lines are expanded once: tic-tac-toe is solved with fewer nodes, and is still a
/// draw.
#[test]
fn transpositions_are_expanded_once() {
    let begin: TicTacToe = "X.. .O. ...".parse().unwrap();
    let value = minimax(&begin, &mut Statics, 7);
    let play_out = |shares: bool| {
        let mut grower: Grows<_, _, 200> = sharing(ConspiracyNumbers::default(), shares);
        let answer = grower.search(&Request::new(&begin, &Unlimited), &mut |_| {});
        assert_eq!((answer.score(), answer.complete), (Some(value), true));
        assert!(!grower.tree.recompute());
        (grower.tree.len(), grower.tree.shared())
    };
    let ((alone, none), (together, shared)) = (play_out(false), play_out(true));
    assert_eq!(none, 0);
    assert!(shared > 20 && together < alone, "{shared} of {together}, {alone} without");
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let mut grower: Grows<_, _, 9> = grower(BestSuccessor::default());
    let fork: TicTacToe = "X.. .O. ..X".parse().unwrap();
    let answer = grower.search(&Request::new(&fork, &Unlimited), &mut |_| {});
    assert!(answer.complete);
    assert_eq!(answer.best().unwrap() % 2, 1, "an edge, not a corner");
}

/// When the memory is full, the search ends with the best answer so far and reports the reason. A node
/// limit is kept.
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

/// The number of shared children is limited by the memory for them: one child of eight. A leaf that
/// cannot be expanded remains a leaf.
#[test]
fn shares_are_bounded() {
    let mut tree: Tree<u16, Bounds<3>> = Tree::new(1).expect("1 MiB");
    let child = |mv| Child { mv, payload: Bounds::leaf(Score(1)), over: false };
    tree.plant(Bounds::leaf(Score(0)), false);
    tree.expand(NodeId::ROOT, &(0..20_000).map(child).collect::<Vec<_>>(), Score::DRAW).expect("room");
    let mut leaves = tree.children(NodeId::ROOT);
    let first = leaves.next().expect("a child");
    tree.expand(first, &[child(0), child(1)], Score::DRAW).expect("room");
    let refused = leaves.find(|&leaf| tree.share(leaf, first).is_err()).expect("no room at last");
    assert!(tree.is_leaf(refused));
    let (shared, an_eighth) = (tree.shared(), tree.capacity() / 8);
    assert!(shared <= an_eighth && shared + 2 >= an_eighth, "{shared} of {}", tree.capacity());
}

/// The margin evaluator (§10) gives the printed sequences.
#[test]
fn a_margin_is_a_second_bound() {
    let mut margin = Margin::new(Static(Statics));
    margin.parameters.margin = 5;
    let leaf: Leaf<Bounds<5>> = margin.assess(&RandomTree::new(Values::Constant(Score(7)), 2, 2, 1), 0);
    let Leaf::Open(bounds) = leaf else { panic!("the game goes on") };
    let ups: Vec<i32> = (0..4).map(|n| bounds.range(n).1.0).collect();
    let downs: Vec<i32> = (0..4).map(|n| bounds.range(n).0.0).collect();
    assert_eq!(ups, [7, 12, 32_001, 32_001]);
    assert_eq!(downs, [7, 7, 2, -32_001]);
}

/// The threat evaluator (§10): by passing, one conspirator can lower the value to that of the pass, and
/// no further. Here the right to move is worth 3.
#[test]
fn a_threat_is_a_second_bound() {
    let value = |game: &RandomGame| Statics.evaluate(game) + Score(3);
    let mut threat = Threat::new(Static(value));
    let mut seen = [0; 2];
    for seed in 0..100 {
        let game = Rules { seed, ends: 0, ..Rules::default() }.root();
        let value = value(&game);
        threat.parameters.on = 0;
        assert_eq!(threat.assess(&game, 0), Leaf::Open(Bounds::<3>::leaf(value)));
        threat.parameters.on = 1;
        let Leaf::Open(bounds) = Assess::<_, Bounds<3>>::assess(&mut threat, &game, 0) else {
            panic!("the game goes on");
        };
        let least = if game.may_pass() { value - Score(6) } else { -Score::INFINITE };
        assert_eq!((bounds.range(0), bounds.range(1)), ((value, value), (least, Score::INFINITE)));
        seen[usize::from(game.may_pass())] += 1;
    }
    assert!(seen.iter().all(|seen| *seen > 20), "{seen:?}");
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
