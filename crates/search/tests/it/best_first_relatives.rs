//! Tests the relatives of conspiracy numbers on completely known trees: proof numbers, B*, SSS* and
//! DUAL*, stability.

use cassius_games::explicit;
use cassius_games::random_game::{RandomGame, Rules, Shape};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_games::{Connect4, TicTacToe};
use cassius_search::alpha_beta::draws::{Draws, Repetition};
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::observe::{Recorded, TreeRecorder};
use cassius_search::{Static, Statics};

use crate::common::*;
use cassius_search::alpha_beta::quiescence::{Captures, Quiescence};
use cassius_search::alpha_beta::windows::{MinimalWindow, WholeWindow, Windows};
use cassius_search::best_first::{
    Assess, BStar, Between, Choice, FirstNumbers, Grower, Interval, Leaf, ListFull, NodeId, Passed, Payload,
    ProofNumberSearch, ProofNumbers, Proofs, Star, Tree, sss_star,
};
use cassius_search::game::Threaded;
use cassius_search::plans::Stability;
use cassius_search::plans::strategy::{Conspirators, SearchTree, Side, conspirators};
use cassius_search::{
    Answer, Evaluate, Game, Keyed, Off, Request, Score, Slots, Unlimited, Window, minimax, search,
};
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeSet;

// Proof numbers.

type Prover<G, D = Off> = Grower<G, Proofs, ProofNumberSearch, FirstNumbers, D>;

fn prover<G: Threaded, D: Draws<G>>(question: i32, by_moves: i32) -> Prover<G, D> {
    Grower::new(4, ProofNumberSearch { question }, FirstNumbers { by_moves }).expect("4 MiB")
}

/// Asks every question about a position whose value is known, with either kind of initial numbers.
fn ask_everything<G: Threaded, D: Draws<G>>(position: &G, value: Score) {
    for by_moves in 0..=1 {
        for question in 0..=2 {
            let mut prover: Prover<G, D> = prover(question, by_moves);
            let answer = prover.search(&Request::new(position, &Unlimited), &mut |_| {});
            assert!(answer.complete && !prover.tree.recompute());
            let root = prover.tree.payload(NodeId::ROOT);
            let (wins, holds) = (value > Score::DRAW, value >= Score::DRAW);
            let numbers = |yes| if yes { ProofNumbers::PROVEN } else { ProofNumbers::DISPROVEN };
            if question != 1 {
                assert_eq!(root.win, numbers(wins), "{value:?}");
            }
            if question == 1 || question == 2 && !wins {
                assert_eq!(root.hold, numbers(holds), "{value:?}");
            }
            if question == 2 {
                let known = Score(Score::KNOWN_WIN.0 * value.0.signum());
                assert_eq!((root.value(), root.range(0)), (known, (known, known)));
                assert_eq!(answer.score(), Some(known));
            }
            assert_proves(&prover, root, answer);
        }
    }
}

/// Asserts that the move played has the value that was proven.
fn assert_proves<G: Threaded, D: Draws<G>>(prover: &Prover<G, D>, root: &Proofs, answer: Answer<G::Move>) {
    let mv = answer.best().expect("a move");
    let played = prover.tree.children(NodeId::ROOT).find(|&child| prover.tree.mv(child) == Some(mv));
    let child = prover.tree.payload(played.expect("a child"));
    match prover.growth.question {
        0 | 2 if root.win == ProofNumbers::PROVEN => assert_eq!(child.hold, ProofNumbers::DISPROVEN),
        1 | 2 if root.hold == ProofNumbers::PROVEN => assert_eq!(child.win, ProofNumbers::DISPROVEN),
        _ => {}
    }
}

/// Returns the smallest numbers of leaves that must be proven, or disproven, to answer a question about
/// a node. It follows the definition of the two questions for the side that asks at the root, with OR
/// and AND nodes.
fn by_definition<M: Copy>(tree: &Tree<M, Proofs>, node: NodeId, or: bool, wins: bool) -> (u64, u64) {
    const NEVER: u64 = 1 << 40;
    let never = |number: u64| number.min(NEVER);
    if tree.is_over(node) {
        let value = tree.payload(node).value().0 * if or { 1 } else { -1 };
        return if value > 0 || value == 0 && !wins { (0, NEVER) } else { (NEVER, 0) };
    }
    if tree.is_leaf(node) {
        return (1, 1);
    }
    let children: Vec<(u64, u64)> =
        tree.children(node).map(|child| by_definition(tree, child, !or, wins)).collect();
    let least = |of: fn(&(u64, u64)) -> u64| children.iter().map(of).min().expect("a child");
    let total = |of: fn(&(u64, u64)) -> u64| never(children.iter().map(of).sum());
    if or { (least(|c| c.0), total(|c| c.1)) } else { (total(|c| c.0), least(|c| c.1)) }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn proofs_are_minimax(game in finite()) {
        ask_everything::<_, Off>(&game, minimax(&game, &mut Statics, 13));
    }

    /// Draws are those of the line.
    #[test]
    fn proofs_with_draws_are_minimax(
        seed in any::<u64>(), places in 2u32..30, branching in 1u8..4, patience in 3u16..7,
    ) {
        let shape = Shape::Cycles(places);
        let game = Rules { seed, shape, branching, patience, noisy: 0, ..Rules::default() }.root();
        if !game.is_over() {
            let value = with_repetitions(&mut vec![game], usize::from(patience) + 1);
            ask_everything::<_, Repetition>(&game, value);
        }
    }

    /// At every step both pairs of numbers equal the definition, and the node expanded next is
    /// most-proving: if it is proven, or disproven, the root needs one leaf less (Allis, van der Meulen
    /// & van den Herik 1994).
    #[test]
    fn proof_numbers_are_those_of_the_definition(game in finite(), question in 0..=1, steps in 1usize..25) {
        let mut prover: Prover<_> = prover(question, 0);
        prover.begin(&game, &[], &[]);
        for _ in 0..steps {
            let root = *prover.tree.payload(NodeId::ROOT);
            for (numbers, wins) in [(root.win, true), (root.hold, false)] {
                let (proof, disproof) = by_definition(&prover.tree, NodeId::ROOT, true, wins);
                let known =
                    |number: u32| if number == ProofNumbers::INFINITE { 1 << 40 } else { number.into() };
                prop_assert_eq!((known(numbers.proof), known(numbers.disproof)), (proof, disproof));
            }
            let Ok(_) = prover.step(&Unlimited) else { break };
        }
        let mut choices = Vec::new();
        let asked = |tree: &Tree<_, Proofs>| {
            let root = tree.payload(NodeId::ROOT);
            if question == 0 { root.win } else { root.hold }
        };
        use cassius_search::best_first::Growth;
        if prover.tree.children(NodeId::ROOT).len() > 0 {
            prover.growth.choose(&prover.tree, &mut choices);
        }
        if let [Choice { leaf, .. }] = choices[..] {
            let mut line = Vec::new();
            prover.tree.line_to(leaf, &mut line);
            let before = asked(&prover.tree);
            for (value, proves) in [(Score::WIN, true), (-Score::WIN, false)] {
                let mut tree = prover.tree.clone();
                let seen = if line.len() % 2 == 1 { value } else { -value };
                tree.expand(leaf, &[], seen).expect("no room is needed");
                tree.back_up(leaf);
                tree.recompute();
                let after = asked(&tree);
                match proves {
                    true => prop_assert_eq!(after.proof, before.proof - 1),
                    false => prop_assert_eq!(after.disproof, before.disproof - 1),
                }
            }
        }
    }
}

#[test]
fn tic_tac_toe_is_proven_a_draw() {
    let mut prover: Prover<TicTacToe> = prover(2, 1);
    let answer = prover.search(&Request::new(&TicTacToe::default(), &Unlimited), &mut |_| {});
    assert!(answer.complete);
    assert_eq!(prover.tree.payload(NodeId::ROOT).range(0), (Score::DRAW, Score::DRAW));
    let forked: TicTacToe = "X.O .O. X.X".parse().unwrap();
    ask_everything::<_, Off>(&forked, Score::loss_in(2));
}

#[test]
fn connect_four_is_won_with_three_in_a_row() {
    let open: Connect4 = "4455".parse().unwrap(); // X wins with its second stone from here
    ask_everything::<_, Off>(&open, Score::win_in(3));
    for strategy in 0..=2 {
        let mut star = star(strategy, anything);
        let answer = star.search(&Request::new(&open, &Unlimited), &mut |_| {});
        let best = answer.best().expect("a move");
        assert!(answer.complete);
        assert_eq!(up(minimax(&after(&open, best), &mut Statics, 2)), Score::win_in(3));
    }
}

/// A sum that overflows becomes the greatest finite number, not infinity. A decided child adds nothing,
/// or decides the node.
#[test]
fn sums_of_proof_numbers_are_bounded() {
    let great = Proofs::open(u32::MAX, u32::MAX);
    let node = Proofs::back_up([great; 3].iter());
    assert!(!node.win.is_decided() && node.win.proof < ProofNumbers::INFINITE);
    assert!(node.win.disproof < ProofNumbers::INFINITE);
    let won = Proofs::back_up([great, Proofs::over(Score::loss_in(1))].iter());
    assert_eq!((won.win, won.hold), (ProofNumbers::PROVEN, ProofNumbers::PROVEN));
    let lost = Proofs::back_up([Proofs::over(Score::win_in(1)); 2].iter());
    assert_eq!((lost.win, lost.hold), (ProofNumbers::DISPROVEN, ProofNumbers::DISPROVEN));
}

// B*.

/// Returns the interval of values that a tree with shrinking steps can still reach: the static value
/// plus or minus the sum of the steps below.
fn what_remains(depth: u16) -> impl FnMut(&RandomTree, usize) -> Leaf<Interval> + Clone {
    move |position, _| {
        let value = position.static_value();
        let left = i32::from(depth) - position.ply() as i32;
        let reach = Score(left * (left + 1) / 2);
        match position.is_over() {
            true => Leaf::Over(value),
            false => Leaf::Open(Interval::new(value - reach, value + reach)),
        }
    }
}

fn star<G: Threaded, A: Assess<G, Interval>>(strategy: i32, assess: A) -> Grower<G, Interval, BStar, A, Off> {
    Grower::new(4, BStar { strategy }, assess).expect("4 MiB")
}

/// Returns the widest interval: nothing is known before the end, which is at least one move away.
fn anything<G: Game>(position: &G, ply: usize) -> Leaf<Interval> {
    match position.is_over() {
        true => Leaf::Over(position.outcome().score(ply)),
        false => Leaf::Open(Interval::new(Score::loss_in(ply + 1), Score::win_in(ply + 1))),
    }
}

/// Whether the value of a node, and of every node below it, lies in its interval.
fn intervals_hold<P: Fn(&Interval, Score) -> bool>(
    tree: &Tree<u16, Interval>,
    node: NodeId,
    game: &RandomTree,
    left: usize,
    holds: &P,
) -> bool {
    let below = |child: NodeId| {
        let game = after(game, tree.mv(child).expect("a move"));
        intervals_hold(tree, child, &game, left - 1, holds)
    };
    holds(tree.payload(node), minimax(game, &mut Statics, left)) && tree.children(node).all(below)
}

proptest! {
    #![proptest_config(cases(60))]

    /// With correct intervals the move is best, every interval of the root during the search contains
    /// its value, and at the end every node's interval does.
    #[test]
    fn b_star_finds_the_best_move(
        seed in any::<u64>(), width in 1u16..5, depth in 1u16..6, strategy in 0..=2,
    ) {
        let game = RandomTree::new(Values::Incremental, width, depth, seed);
        let value = minimax(&game, &mut Statics, depth.into());
        let mut star = star(strategy, what_remains(depth));
        star.begin(&game, &[], &[]);
        let holds =
            |interval: &Interval, value| interval.pessimistic <= value && value <= interval.optimistic;
        prop_assert!(holds(star.tree.payload(NodeId::ROOT), value));
        while star.step(&Unlimited).is_ok() {
            prop_assert!(holds(star.tree.payload(NodeId::ROOT), value));
        }
        prop_assert!(intervals_hold(&star.tree, NodeId::ROOT, &game, depth.into(), &holds));
        prop_assert!(!star.tree.recompute());
        let answer = star.search(&Request::new(&game, &Unlimited), &mut |_| {});
        prop_assert!(answer.complete);
        let child = after(&game, answer.best().expect("a move"));
        prop_assert_eq!(-minimax(&child, &mut Statics, usize::from(depth) - 1), value);
        let seen = |child: NodeId| {
            let (least, greatest) = star.tree.payload(child).range(0);
            (-greatest, -least)
        };
        let best = star.tree.children(NodeId::ROOT).find(|&child| star.tree.mv(child) == answer.best());
        let best = best.expect("a child");
        for other in star.tree.children(NodeId::ROOT).filter(|&other| other != best) {
            prop_assert!(seen(best).0 >= seen(other).1);
        }
    }

    /// Where nothing is known before the end, the search proves that no other move is better.
    #[test]
    fn b_star_proves_from_nothing(game in finite(), strategy in 0..=2) {
        let value = minimax(&game, &mut Statics, 13);
        let mut star = star(strategy, anything);
        let answer = star.search(&Request::new(&game, &Unlimited), &mut |_| {});
        prop_assert!(answer.complete && !star.tree.recompute());
        let child = after(&game, answer.best().expect("a move"));
        // Seen from the child, wins and losses are one ply nearer.
        let kept = up(minimax(&child, &mut Statics, 13));
        prop_assert_eq!(kept, value);
    }
}

/// Two moves with given intervals: one expansion of the better move proves it best.
#[test]
fn b_star_proves_the_best_or_disproves_the_rest() {
    let tree: explicit::Tree = "R:0(A:0(C:7! D:8!) B:0(E:3! F:9!))".parse().unwrap();
    let intervals = |position: &explicit::TreePosition<'_>, _: usize| {
        let interval = |least, most| Leaf::Open(Interval::new(Score(least), Score(most)));
        match position.label() {
            "R" => interval(-20, 20),
            "A" => interval(-10, -2), // worth 2 to 10 to MAX
            "B" => interval(-6, -1),  // worth 1 to 6 to MAX
            _ => Leaf::Over(position.static_value()),
        }
    };
    // One rival: B is refuted, by 3, which is not enough; then A is proven to be worth 7.
    for (strategy, nodes) in [(0, 7), (1, 5), (2, 7)] {
        let mut star = star(strategy, intervals);
        let answer = star.search(&Request::new(&tree.root(), &Unlimited), &mut |_| {});
        assert_eq!((answer.best(), answer.nodes), (Some(0), nodes), "strategy {strategy}");
    }
}

#[test]
fn b_star_draws_tic_tac_toe() {
    let fork: TicTacToe = "X.. .O. ..X".parse().unwrap();
    let mut star = star(0, anything);
    let answer = star.search(&Request::new(&fork, &Unlimited), &mut |_| {});
    assert!(answer.complete);
    assert_eq!(answer.best().unwrap() % 2, 1, "an edge, not a corner");
}

/// A pass gives the pessimistic value. Evaluations in the wrong order do not give an invalid interval.
#[test]
fn intervals_by_evaluations() {
    let position: TicTacToe = "X.. ... ...".parse().unwrap();
    let value = Statics.evaluate(&position);
    let mut passed = position;
    cassius_search::Pass::pass(&mut passed);
    let if_passed = -Statics.evaluate(&passed);
    let mut between =
        Between { pessimistic: Passed(Statics), optimistic: |p: &TicTacToe| p.static_value() + Score(3) };
    let leaf = between.assess(&position, 0);
    assert_eq!(leaf, Leaf::Open(Interval::new(value.min(if_passed), value + Score(3))));
    let mut reversed =
        Between { pessimistic: |_: &TicTacToe| Score(5), optimistic: |_: &TicTacToe| Score(-5) };
    let point = Interval { pessimistic: Score(-5), optimistic: Score(-5) };
    assert_eq!(reversed.assess(&position, 0), Leaf::Open(point));
}

// SSS* and DUAL*.

const STARS: [Star; 2] = [Star::Sss, Star::Dual];

/// A game that records the scored leaves by name. Where the game continues at the maximum depth,
/// [`Noted::evaluate`] does so.
#[derive(Clone)]
struct Noted<'a, G: Game> {
    game: G,
    path: Vec<G::Move>,
    leaves: &'a RefCell<Vec<Vec<G::Move>>>,
}

impl<G: Game> Game for Noted<'_, G> {
    type Move = G::Move;

    fn moves(&self, moves: &mut Vec<G::Move>) {
        self.game.moves(moves);
    }

    fn play(&mut self, mv: G::Move) {
        self.game.play(mv);
        self.path.push(mv);
    }

    fn outcome(&self) -> cassius_search::Outcome {
        self.leaves.borrow_mut().push(self.path.clone());
        self.game.outcome()
    }
}

impl<'a, G: Static> Noted<'a, G> {
    fn new(game: &G, leaves: &'a RefCell<Vec<Vec<G::Move>>>) -> Self {
        Noted { game: game.clone(), path: Vec::new(), leaves }
    }

    fn evaluate(&self) -> Score {
        self.leaves.borrow_mut().push(self.path.clone());
        self.game.static_value()
    }
}

/// Alpha-beta as Marsland and Campbell print it (1981, §I), with deep cutoffs, including cutoffs at
/// ties.
fn alpha_beta<G: Static>(position: &Noted<'_, G>, window: Window, depth: usize, ply: usize) -> Score {
    let moves = moves(position);
    if moves.is_empty() {
        return position.outcome().score(ply);
    }
    if depth == 0 {
        return position.evaluate();
    }
    let mut value = window.alpha;
    for mv in moves {
        let inner = Window { alpha: value, ..window };
        value = value.max(-alpha_beta(&after(position, mv), inner.flip(), depth - 1, ply + 1));
        if value >= window.beta {
            return window.beta;
        }
    }
    value
}

/// Compares value, best move and leaves of each algorithm with minimax and alpha-beta.
fn compare<G: Static>(game: &G, depth: usize) -> Result<(), TestCaseError>
where
    G::Move: Ord,
{
    let value = minimax(game, &mut Statics, depth);
    let plain = RefCell::new(Vec::new());
    prop_assert_eq!(alpha_beta(&Noted::new(game, &plain), Window::FULL, depth, 0), value);
    let plain: BTreeSet<_> = plain.into_inner().into_iter().collect();
    for star in STARS {
        let leaves = RefCell::new(Vec::new());
        let evaluate = &mut |position: &Noted<'_, G>| position.evaluate();
        let solution =
            sss_star(&Noted::new(game, &leaves), depth, evaluate, star, 100_000).expect("there is room");
        prop_assert_eq!(solution.value, value, "{:?}", star);
        let scored: BTreeSet<_> = leaves.borrow().iter().cloned().collect();
        prop_assert_eq!(
            (scored.len(), leaves.borrow().len()),
            (solution.leaves as usize, solution.leaves as usize)
        );
        prop_assert!(scored.is_subset(&plain), "{:?}: {:?} of {:?}", star, scored, plain);
        match solution.best {
            Some(mv) => prop_assert_eq!(up(minimax(&after(game, mv), &mut Statics, depth - 1)), value),
            None => prop_assert!(game.is_over() || depth == 0),
        }
        // Space for the counted states suffices: twice as much, so that a purge frees some.
        let again = sss_star(game, depth, &mut Statics, star, 2 * solution.states).expect("there is room");
        prop_assert_eq!(again, solution);
        // A list that is purged repeatedly finds the same, or reports that it is full.
        for most in 1..solution.states {
            match sss_star(game, depth, &mut Statics, star, most) {
                Ok(less) => {
                    prop_assert!(less.states <= most);
                    prop_assert_eq!(
                        (less.value, less.best, less.leaves),
                        (value, solution.best, solution.leaves)
                    );
                }
                Err(full) => prop_assert_eq!(full, ListFull(most)),
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(80))]

    /// The value and best move are those of minimax, and no leaf is scored that alpha-beta does not
    /// score (Stockman 1979), with many ties and few.
    #[test]
    fn stars_on_random_trees(seed in any::<u64>(), width in 1u16..5, depth in 0u16..6, values in 0..4) {
        let values = match values {
            0 => Values::Coarse(3),
            1 => Values::Independent,
            2 => Values::StronglyOrdered,
            _ => Values::Incremental,
        };
        compare(&RandomTree::new(values, width, depth, seed), depth.into())?;
    }

    /// The same where lines end early, by win, loss and draw, and where the game continues at the
    /// maximum depth.
    #[test]
    fn stars_on_random_games(rules in layered(), depth in 0usize..6) {
        compare(&rules.root(), depth)?;
    }
}

#[test]
fn stars_on_tic_tac_toe() {
    for star in STARS {
        let solution =
            sss_star(&TicTacToe::default(), 9, &mut Statics, star, 100_000).expect("there is room");
        assert_eq!(solution.value, Score::DRAW);
    }
    let full = sss_star(&TicTacToe::default(), 9, &mut Statics, Star::Sss, 20).unwrap_err();
    assert_eq!(full.to_string(), "the list has no room for more than 20 states");
}

// Stability.

type Watched = (TreeRecorder<RandomGame>, Stability);
/// Plain alpha-beta with windows `W` and quiescence `Q`.
type Watching<W, Q> = Plain<Plies, W, Off, Off, Q, Off, Watched>;

/// Searches to the depth.
fn watch<W: Windows, Q: Quiescence<RandomGame>>(game: &RandomGame, depth: usize, margin: i32) -> Watched {
    let mut slots: Slots<RandomGame, Watching<W, Q>> = Slots::new(Statics, Off, Off);
    slots.observe.1.margin = Score(margin);
    search(&mut slots, &Request::new(game, &Unlimited).to_iteration(depth), &mut |_| {});
    slots.observe
}

/// One search of the root as the definitions require it: of a move that was re-searched, only the last
/// search.
struct Searched<'a> {
    nodes: &'a [Recorded<RandomGame>],
    root: usize,
    end: usize,
}

impl SearchTree for Searched<'_> {
    type Node = usize;

    fn root(&self) -> usize {
        self.root
    }

    fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let all = (node + 1..self.end).filter(move |&child| self.nodes[child].parent == Some(node));
        let mut last: Vec<usize> = Vec::new();
        for child in all {
            let key = |node: usize| self.nodes[node].position.key();
            last.retain(|&before| key(before) != key(child));
            last.push(child);
        }
        last.into_iter()
    }

    fn static_value(&self, node: usize) -> Score {
        let value = self.nodes[node].value.expect("it was finished");
        if self.mover(node) == Side::Max { value } else { -value }
    }

    fn mover(&self, node: usize) -> Side {
        if self.nodes[node].ply.is_multiple_of(2) { Side::Max } else { Side::Min }
    }

    fn is_terminal(&self, node: usize) -> bool {
        self.nodes[node].position.is_over()
    }
}

/// Compares every search of the root except the first.
fn assert_stable((recorder, stability): &Watched, margin: i32) -> Result<(), TestCaseError> {
    let nodes = &recorder.nodes;
    let roots: Vec<usize> = (0..nodes.len()).filter(|&node| nodes[node].ply == 0).collect();
    prop_assert_eq!(roots.len(), stability.roots.len() + 1);
    let ends = roots.iter().skip(2).copied().chain([nodes.len()]);
    for ((pair, end), counted) in roots.windows(2).zip(ends).zip(&stability.roots) {
        let value = |root: usize| nodes[root].value.expect("it was finished");
        prop_assert_eq!((counted.around, counted.value), (value(pair[0]), value(pair[1])));
        let tree = Searched { nodes, root: pair[1], end };
        let number = |side: Side| conspirators(&tree, side, side.limit(counted.around, Score(margin)));
        prop_assert_eq!((counted.lower, counted.upper), (number(Side::Max), number(Side::Min)));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(150))]

    /// The numbers counted during the search equal the definition's for the searched tree.
    #[test]
    fn stability_counts_conspirators(
        seed in any::<u64>(), branching in 1u8..5, ends in 0u8..25, spread in 0u16..30, depth in 1usize..5,
        margin in 1..12,
    ) {
        let rules = Rules { seed, branching, ends, spread, ..Rules::default() };
        let game = rules.root();
        if !game.is_over() {
            assert_stable(&watch::<WholeWindow, Off>(&game, depth, margin), margin)?;
            assert_stable(&watch::<MinimalWindow, Off>(&game, depth, margin), margin)?;
        }
    }

    /// Where sides may stand pat too, no leaf has to change exactly where the value is already reached.
    #[test]
    fn stability_with_quiescence(
        seed in any::<u64>(), branching in 1u8..5, noisy in 20u8..80, spread in 0u16..30, depth in 1usize..5,
        margin in 1..12,
    ) {
        let game = Rules { seed, branching, noisy, spread, ..Rules::default() }.root();
        if !game.is_over() {
            for root in watch::<MinimalWindow, Captures>(&game, depth, margin).1.roots {
                let none = |conspirators| conspirators == Conspirators::Leaves(0);
                prop_assert_eq!(none(root.lower), root.value <= root.around - Score(margin));
                prop_assert_eq!(none(root.upper), root.value >= root.around + Score(margin));
            }
        }
    }
}
