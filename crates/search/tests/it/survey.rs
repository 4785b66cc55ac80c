//! Tests order and memory of the survey (Marsland & Campbell 1981, §II), and the baselines that search
//! only some moves.

use crate::common::*;
use cassius_games::RandomGame;
use cassius_games::random_game::{Rules, Shape};
use cassius_search::alpha_beta::deepening::{Deepen, MoveAndRefutation};
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::memory::{Found, Hit, Memory, SingleBound};
use cassius_search::alpha_beta::observe::{Observe, Recorded, TreeRecorder};
use cassius_search::alpha_beta::order::{CounterKillers, DistantKillers, Order, Reorder};
use cassius_search::alpha_beta::selectivity::{KBest, NoisyOnly, Selectivity, Skip};
use cassius_search::alpha_beta::windows::{
    LastMinimal, MinimalWindow, Palphabeta, PalphabetaAbove, ScoutWindow, WholeWindow, WindowSwitches,
    Windows,
};
use cassius_search::game::Defuse;
use cassius_search::{
    Bound, Checks, Component, Depth, Depths, Game, Keyed, Noisy, Off, Score, Slots, Static, Statics, Table,
    Window, minimax,
};
use proptest::prelude::*;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::rc::Rc;

/// Alpha-beta with some of the slots filled.
#[allow(clippy::type_complexity)]
struct Survey<W, M = Off, O = Off, K = Off, V = Off, D = Off>(PhantomData<(W, M, O, K, V, D)>);

cassius_search::recipe! {
    impl [W, M, O, K, V, D] Survey<W, M, O, K, V, D>, game RandomGame, where [
        W: Windows,
        M: Memory<RandomGame>,
        O: Order<RandomGame>,
        K: Skip<RandomGame>,
        V: Observe<RandomGame>,
        D: Deepen,
    ] {
        Setting = (Statics, Off);
        Observe = V;
        Horizon = Plies;
        Memory = M;
        Selectivity = Few<K>;
        Order = O;
        Windows = W;
        Deepening = D;
    }
}

/// Alpha-beta that searches only some moves.
struct Few<K>(PhantomData<K>);

impl<K: Skip<RandomGame>> Selectivity<RandomGame> for Few<K> {
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type ProbCut = Off;
    type LateMovePruning = K;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
}

// Memory.

/// Both tables of the survey side by side. The one with two bounds answers. Counts the hits that each
/// could have answered.
struct Both {
    two: Table,
    one: SingleBound,
    seen: Rc<Seen>,
}

#[derive(Default)]
struct Seen {
    window: Cell<Option<Window>>,
    remaining: Cell<Depths>,
    /// Hits that end a search: for both tables, for the two bounds alone, for the single bound alone.
    both: Cell<usize>,
    only_two: Cell<usize>,
    only_one: Cell<usize>,
}

/// Records the window with which the node that is looked up next is entered.
#[derive(Default)]
struct Windowed(Rc<Seen>);

impl Observe<RandomGame> for Windowed {
    fn enter(&mut self, _: &RandomGame, window: Window, ply: usize) {
        self.0.window.set((ply > 0).then_some(window));
    }
}

impl Component for Both {
    const NAME: &'static str = "Both";
}

impl Memory<RandomGame> for Both {
    type Sharing = Off;

    fn sharing(&self) -> &Off {
        &Off
    }

    fn serves(&self, remaining: Depths) -> bool {
        self.seen.remaining.set(remaining);
        Memory::<RandomGame>::serves(&self.two, remaining)
    }
    fn probe(&self, position: &RandomGame, ply: usize) -> Hit {
        let (two, one) = (self.two.probe(position, ply), self.one.probe(position, ply));
        if let Some(window) = self.seen.window.take() {
            let answers = |hit: Hit| hit.answer(window, |_| self.seen.remaining.get()).is_some();
            let counter = match (answers(two), answers(one)) {
                (true, true) => Some(&self.seen.both),
                (true, false) => Some(&self.seen.only_two),
                (false, true) => Some(&self.seen.only_one),
                (false, false) => None,
            };
            counter.inspect(|counter| counter.set(counter.get() + 1));
        }
        two
    }
    fn names(&self, code: u16, position: &RandomGame, mv: u8) -> bool {
        self.two.names(code, position, mv)
    }
    fn store(&self, position: &RandomGame, ply: usize, found: &Found<u8>) {
        self.two.store(position, ply, found);
        self.one.store(position, ply, found);
    }
}

/// The windows of a position differ between paths: one search gives a lower bound, another an upper
/// bound, and the single bound replaces one by the other.
#[test]
fn two_bounds_cut_where_one_does_not() {
    fn count<W: Windows>() -> [usize; 3] {
        let mut counts = [0; 3];
        for root in games(Shape::Layers(8), 100) {
            let seen = Rc::new(Seen::default());
            let (two, one) = (Table::new(1).unwrap().strict(), SingleBound::new(1).unwrap());
            let memory = Both { two, one, seen: Rc::clone(&seen) };
            let mut slots =
                Slots::<RandomGame, Survey<W, Both, Off, Off, Windowed>>::new(Statics, memory, Off);
            slots.observe = Windowed(Rc::clone(&seen));
            assert_eq!(run_to(&mut slots, &root, 6).score(), minimax(&root, &mut Statics, 6));
            let cuts = [&seen.both, &seen.only_two, &seen.only_one].map(Cell::get);
            counts = std::array::from_fn(|i| counts[i] + cuts[i]);
        }
        counts
    }
    for [both, only_two, only_one] in [count::<WholeWindow>(), count::<MinimalWindow>()] {
        assert!(both > 1000 && only_two > 0);
        // No entry was replaced by another position in either table: the single bound is then always one
        // of the two bounds.
        assert_eq!(only_one, 0);
    }
}

fn found(value: i32, bound: Bound, plies: i32, best: Option<u8>) -> Found<u8> {
    let (value, depths) = (Score(value), Depths::both(Depth::plies(plies)));
    Found { value, at_edge: value, bound, depths, best, static_eval: None, was_pv: false }
}

/// Returns two games whose keys share a slot of a table of one MiB.
fn neighbours() -> (RandomGame, RandomGame) {
    let mut places = HashMap::new();
    let roots = (0..).map(|seed| Rules { seed, ..Rules::default() }.root());
    roots
        .filter_map(|root| places.insert(root.key() % (1 << 16), root).map(|other| (root, other)))
        .find(|(one, other)| one.key() != other.key())
        .expect("keys without end")
}

/// The entry of greater length stays, and of equal lengths the newer one. Entries of earlier searches
/// are replaced.
#[test]
fn a_single_bound_is_kept_by_length_and_age() {
    let (one, other) = neighbours();
    let table = SingleBound::new(1).unwrap();
    table.store(&one, 0, &found(3, Bound::Exact, 4, Some(2)));
    table.store(&other, 0, &found(5, Bound::Exact, 3, Some(1)));
    assert_eq!(table.probe(&other, 0), Hit::NONE);
    assert_eq!(table.probe(&one, 0).lower, Score(3));
    table.store(&other, 0, &found(5, Bound::Exact, 4, Some(1)));
    assert_eq!(table.probe(&one, 0), Hit::NONE);
    assert_eq!(table.probe(&other, 0).lower, Score(5));
    table.store(&one, 0, &found(3, Bound::Exact, 1, Some(2)));
    assert_eq!(table.probe(&one, 0), Hit::NONE);
    Memory::<RandomGame>::begin_search(&table);
    table.store(&one, 0, &found(3, Bound::Exact, 1, Some(2)));
    assert_eq!(table.probe(&one, 0).upper, Score(3));
    table.clear();
    assert_eq!(table.probe(&one, 0), Hit::NONE);
}

/// One bound is kept at a time. The move stays when the new bound has no move. Wins count from the node.
#[test]
fn a_single_bound_takes_the_place_of_the_other() {
    let (root, _) = neighbours();
    let table = SingleBound::new(1).unwrap();
    let none = Hit::NONE;
    let depth = Depth::plies(2);
    table.store(&root, 0, &found(7, Bound::Lower, 2, Some(3)));
    let lower = Hit { mv: 4, lower: Score(7), depths: Depths { lower: depth, ..none.depths }, ..none };
    assert_eq!(table.probe(&root, 0), lower);
    table.store(&root, 0, &found(9, Bound::Upper, 2, None));
    let upper = Hit { mv: 4, upper: Score(9), depths: Depths { upper: depth, ..none.depths }, ..none };
    assert_eq!(table.probe(&root, 0), upper);
    assert_eq!(upper.answer(Window::above(Score(9)), |_| Depths::both(depth)), Some(Score(9)));
    let deeper = Depths::both(depth + Depth::PLY);
    assert_eq!(upper.answer(Window::above(Score(9)), |_| deeper), None, "its length is too small");
    table.store(&root, 5, &found(Score::win_in(8).0, Bound::Exact, 2, None));
    assert_eq!(table.probe(&root, 1).lower, Score::win_in(4));
}

/// The purpose of the second action on a hit: windows get narrower, values stay the same.
#[test]
fn hits_narrow_windows() {
    fn nodes<M: Memory<RandomGame>>(root: &RandomGame, memory: M) -> u64 {
        let mut slots = Slots::<RandomGame, Survey<WholeWindow, M>>::new(Statics, memory, Off);
        let said = run_to(&mut slots, root, 6);
        assert_eq!(said.score(), minimax(root, &mut Statics, 6));
        said.answer.nodes
    }
    let [mut one, mut narrow_one, mut two, mut narrow_two] = [0; 4];
    for root in games(Shape::Layers(8), 60) {
        one += nodes(&root, SingleBound::new(1).unwrap());
        narrow_one += nodes(&root, SingleBound::new(1).unwrap().narrowing());
        two += nodes(&root, Table::new(1).unwrap().strict());
        narrow_two += nodes(&root, Table::new(1).unwrap().strict().narrowing());
    }
    assert!(narrow_one < one && narrow_two < two, "{narrow_one} < {one}, {narrow_two} < {two}");
}

/// Windows chosen by switches equal those chosen by types, node for node.
#[test]
fn windows_can_be_switched() {
    fn nodes<W: Windows>(root: &RandomGame, switched: &str) -> u64 {
        let mut slots = Slots::<RandomGame, Survey<W>>::new(Statics, Off, Off);
        slots.windows.visit(&mut |parameter, on| *on = i32::from(parameter.component == switched));
        run_to(&mut slots, root, 5).answer.nodes
    }
    let mut sums = [0; 6];
    for root in games(Shape::Tree, 60) {
        let by_type = [
            nodes::<MinimalWindow>(&root, ""),
            nodes::<WholeWindow>(&root, ""),
            nodes::<LastMinimal>(&root, ""),
            nodes::<Palphabeta>(&root, ""),
            nodes::<PalphabetaAbove>(&root, ""),
            nodes::<ScoutWindow>(&root, ""),
        ];
        let names = ["", "WholeWindow", "LastMinimal", "Palphabeta", "PalphabetaAbove", "ScoutWindow"];
        assert_eq!(names.map(|name| nodes::<WindowSwitches>(&root, name)), by_type);
        sums = std::array::from_fn(|i| sums[i] + by_type[i]);
    }
    let different: std::collections::HashSet<u64> = sums.into_iter().collect();
    assert_eq!(different.len(), 6, "{sums:?}");
}

// Order.

/// The moves that have failed high so far, by ply.
struct Killed {
    /// The newest quiet move.
    quiet: Vec<Option<u8>>,
    /// The newest move.
    any: Vec<Option<u8>>,
    /// The newest quiet move since the node two plies above was expanded.
    fresh: Vec<Option<u8>>,
}

/// Replays a recorded tree in the order of events and predicts every next move.
struct Replay<'a> {
    nodes: &'a [Recorded<RandomGame>],
    children: Vec<Vec<usize>>,
    killed: Killed,
    /// The rank of a move when a node is expanded: greater ranks come first, and of equal ranks the move
    /// listed first.
    rank: &'a dyn Fn(&Killed, &RandomGame, usize, u8) -> i32,
    /// Whether a fresh killer comes next.
    reorders: bool,
    /// How often a move came before a move that is listed earlier.
    moved: usize,
}

impl Replay<'_> {
    fn visit(&mut self, index: usize) {
        let node = &self.nodes[index];
        let (position, ply) = (&node.position, node.ply);
        self.killed.fresh[ply + 2] = None;
        let mut untried = moves(position);
        untried.sort_by_key(|&mv| Reverse((self.rank)(&self.killed, position, ply, mv)));
        let mut last = None;
        for child in self.children[index].clone() {
            let fresh = self.killed.fresh[ply + 2].filter(|&mv| self.reorders && !position.is_noisy(mv));
            let place = fresh.and_then(|mv| untried.iter().position(|other| *other == mv)).unwrap_or(0);
            let mv = untried.remove(place);
            // The root's moves come in the order of the previous iteration.
            if ply > 0 {
                assert_eq!(after(position, mv).key(), self.nodes[child].position.key(), "{mv} comes next");
                self.moved += usize::from(untried.iter().any(|other| *other < mv));
            }
            last = Some(mv);
            self.visit(child);
        }
        if let Some(mv) = last.filter(|_| node.value.is_some_and(|value| value >= node.window.beta)) {
            self.killed.any[ply] = Some(mv);
            if !position.is_noisy(mv) {
                self.killed.quiet[ply] = Some(mv);
                self.killed.fresh[ply] = Some(mv);
            }
        }
    }
}

/// Predicts every move of plain alpha-beta with the order `O`. Returns how many moves were not in listed
/// order.
fn foretell<O: Order<RandomGame>>(
    reorders: bool,
    rank: &dyn Fn(&Killed, &RandomGame, usize, u8) -> i32,
) -> usize {
    let moved = |root: RandomGame| {
        let mut slots = Slots::<RandomGame, Survey<WholeWindow, Off, O, Off, TreeRecorder<RandomGame>>>::new(
            Statics, Off, Off,
        );
        run_to(&mut slots, &root, 5);
        let nodes = &slots.observe.nodes;
        let mut children = vec![Vec::new(); nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(index);
            }
        }
        let none = vec![None; 16];
        let killed = Killed { quiet: none.clone(), any: none.clone(), fresh: none };
        let mut replay = Replay { nodes, children, killed, rank, reorders, moved: 0 };
        let roots = (0..nodes.len()).filter(|index| nodes[*index].parent.is_none());
        roots.for_each(|root| replay.visit(root));
        replay.moved
    };
    games(Shape::Tree, 300).map(moved).sum()
}

#[test]
fn a_killer_found_two_plies_below_comes_next() {
    let moved = foretell::<Reorder>(true, &|_, _, _, _| 0);
    assert!(moved > 100, "{moved}");
}

#[test]
fn killers_of_two_plies_away_come_first() {
    let rank = |killed: &Killed, position: &RandomGame, ply: usize, mv: u8| match Some(mv) {
        _ if position.is_noisy(mv) => 0,
        mv if killed.quiet[ply + 2] == mv => 2,
        mv if ply >= 2 && killed.quiet[ply - 2] == mv => 1,
        _ => 0,
    };
    assert!(foretell::<DistantKillers>(false, &rank) > 100);
}

#[test]
fn what_defuses_the_killer_of_the_next_ply_comes_first() {
    let rank = |killed: &Killed, position: &RandomGame, ply: usize, mv: u8| {
        let defuses = killed.any[ply + 1].is_some_and(|threat| position.defuses(mv, threat.into()));
        i32::from(defuses && !position.is_noisy(mv))
    };
    assert!(foretell::<CounterKillers>(false, &rank) > 100);
}

// Deepening.

/// The shallow search sorts the root's moves by their values, and finds the best reply to each. From
/// then on this reply is tried first, until another reply refutes the move.
#[test]
fn every_move_is_tried_with_its_refutation() {
    type Pairs = Survey<MinimalWindow, Off, Off, Off, TreeRecorder<RandomGame>, MoveAndRefutation>;
    let (mut not_listed_first, mut refuted_otherwise) = (0, 0);
    for root in games(Shape::Tree, 300) {
        let mut slots = Slots::<RandomGame, Pairs>::new(Statics, Off, Off);
        slots.deepening = MoveAndRefutation { shallow: 2, from: 4, step: 2 };
        run_to(&mut slots, &root, 6);
        let nodes = &slots.observe.nodes;
        let children = |parent| nodes.iter().enumerate().filter(move |(_, node)| node.parent == Some(parent));
        let roots: Vec<usize> = (0..nodes.len()).filter(|index| nodes[*index].ply == 0).collect();
        let &[.., fourth, sixth] = roots.as_slice() else { unreachable!("two iterations at least") };
        assert_eq!(roots.len(), moves(&root).len() + 2, "one search for every pair");
        let mut least = Score::INFINITE;
        let mut refutations = HashMap::new();
        for (index, node) in children(fourth) {
            let shallow = minimax(&node.position, &mut Statics, 1);
            assert!(up(shallow) <= least, "the moves are sorted");
            least = up(shallow);
            let Some((_, first)) = children(index).next() else { continue };
            assert_eq!(up(minimax(&first.position, &mut Statics, 0)), shallow, "the best reply comes first");
            let listed_first = after(&node.position, 0).key();
            not_listed_first += usize::from(first.position.key() != listed_first);
            refutations.remove(&node.position.key());
            if !node.window.is_minimal() {
                continue; // the best reply need then be neither the first nor the last
            }
            let refuted = node.value.is_some_and(|value| value >= node.window.beta);
            let (_, last) = children(index).next_back().expect("a child");
            let reply = if refuted { last } else { first };
            refuted_otherwise += usize::from(reply.position.key() != first.position.key());
            refutations.insert(node.position.key(), reply.position.key());
        }
        for (index, node) in children(sixth) {
            let Some((_, first)) = children(index).next() else { continue };
            if let Some(reply) = refutations.remove(&node.position.key()) {
                assert_eq!(first.position.key(), reply, "what refuted the move last comes first");
            }
        }
    }
    assert!(not_listed_first > 100 && refuted_otherwise > 100, "{not_listed_first} {refuted_otherwise}");
}

// Baselines.

/// Returns the static value of a move, for the side that makes it.
fn looks(position: &RandomGame, ply: usize, mv: u8) -> Score {
    let child = after(position, mv);
    if child.is_over() { -child.outcome().score(ply + 1) } else { -child.static_value() }
}

/// Computes minimax over those moves of every node that `keep` retains. If they are not all, no loss is
/// proven.
fn minimax_of(
    position: &RandomGame,
    depth: usize,
    ply: usize,
    keep: &dyn Fn(&RandomGame, usize) -> Vec<u8>,
) -> Score {
    if position.is_over() {
        return position.outcome().score(ply);
    }
    if depth == 0 {
        return position.static_value();
    }
    let kept = if ply == 0 { moves(position) } else { keep(position, ply) };
    let least = if kept.len() < moves(position).len() { -Score::MAX_ESTIMATE } else { -Score::INFINITE };
    let value = |mv| -minimax_of(&after(position, mv), depth - 1, ply + 1, keep);
    kept.into_iter().map(value).max().expect("a move").max(least)
}

/// Returns the value and the nodes of a search that skips moves.
fn search_some<K: Skip<RandomGame> + Default>(component: K, root: &RandomGame, depth: usize) -> (Score, u64) {
    let mut slots = Slots::<RandomGame, Survey<MinimalWindow, Off, Off, K>>::new(Statics, Off, Off);
    slots.selectivity.late_move_pruning = component;
    let said = run_to(&mut slots, root, depth);
    (said.score(), said.answer.nodes)
}

proptest! {
    #![proptest_config(cases(200))]

    /// Of moves with equal static values, those listed first are kept.
    #[test]
    fn the_k_best_are_those_that_look_best(rules in layered(), depth in 1usize..6, k in 1usize..5) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let keep = |position: &RandomGame, ply| {
            let mut kept = moves(position);
            kept.sort_by_key(|&mv| Reverse(looks(position, ply, mv)));
            kept.truncate(k);
            kept
        };
        let value = search_some(KBest { k: k as i32 }, &root, depth).0;
        prop_assert_eq!(value, minimax_of(&root, depth, 0, &keep));
        prop_assert_eq!(search_some(KBest { k: 200 }, &root, depth).0, minimax(&root, &mut Statics, depth));
    }

    /// All noisy moves are searched, and the quiet move with the best static value, the last one if
    /// there are several; in check, all moves.
    #[test]
    fn beyond_some_plies_only_noisy_moves(rules in layered(), depth in 1usize..6, whole in 0usize..7) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let keep = |position: &RandomGame, ply| {
            let all = moves(position);
            if ply < whole || position.in_check() {
                return all;
            }
            let (mut kept, quiet): (Vec<u8>, Vec<u8>) =
                all.into_iter().partition(|mv| position.is_noisy(*mv));
            kept.extend(quiet.into_iter().max_by_key(|mv| looks(position, ply, *mv)));
            kept
        };
        let value = search_some(NoisyOnly { whole: whole as i32 }, &root, depth).0;
        prop_assert_eq!(value, minimax_of(&root, depth, 0, &keep));
        if whole >= depth {
            prop_assert_eq!(value, minimax(&root, &mut Statics, depth));
        }
    }
}

/// The purpose of the baselines: the fewer moves they keep, the fewer nodes they search.
#[test]
fn fewer_moves_are_fewer_nodes() {
    let count = |search: &dyn Fn(&RandomGame) -> (Score, u64)| -> u64 {
        games(Shape::Tree, 40).map(|root| search(&root).1).sum()
    };
    let best = [1, 2, 3, 200].map(|k| count(&|root| search_some(KBest { k }, root, 5)));
    assert!(best.is_sorted() && best[0] < best[1] && best[2] < best[3], "{best:?}");
    let noisy = [0, 2, 4, 20].map(|whole| count(&|root| search_some(NoisyOnly { whole }, root, 5)));
    assert!(noisy.is_sorted() && noisy[0] < noisy[1] && noisy[1] < noisy[3], "{noisy:?}");
}
