//! Tests alpha-beta-conspiracy search as McAllester & Yuret 1993 print it, and the guarantee they prove.

use crate::common::abc::*;
use crate::common::*;
use cassius_games::explicit::NodeId;
use cassius_games::figures::{ABC_LINES, Line};
use cassius_games::random_game::Rules;
use cassius_games::random_tree::{RandomTree, Values};
use cassius_games::{RandomGame, Tree, TreePosition};
use cassius_search::alpha_beta::horizon::{Abc, Entered, Horizon, Plies, Safety, Step, suffices};
use cassius_search::alpha_beta::observe::Recorded;
use cassius_search::alpha_beta::windows::{MinimalWindow, WholeWindow, Windows};
use cassius_search::{
    Bound, Depth, Depths, Evaluate, Game, Keyed, Off, Score, Slots, Static, Statics, Table, Window, minimax,
};
use proptest::prelude::*;

/// A literal implementation of Figs. 6 and 7: max and min nodes, all values seen by MAX. The value is
/// clipped to the window, as in the paper's proof.
struct Printed<'a> {
    tree: &'a Tree,
    safety: &'a Safety,
    delta: i32,
    max_target: Depth,
    min_target: Depth,
    max_lists: Vec<Vec<i32>>,
    min_lists: Vec<Vec<i32>>,
    /// The order of the moves at the root.
    root: Vec<NodeId>,
    visited: Vec<NodeId>,
}

impl Printed<'_> {
    fn s(&self, options: usize) -> Depth {
        Depth::from_f64(self.safety.of(options))
    }

    /// Returns #{y ∈ V : y > x − δ}, summed over the lists of MAX. Nothing exceeds +∞.
    fn max_depth(&self, x: i32) -> Depth {
        let options = |list: &Vec<i32>| list.iter().filter(|y| **y > x - self.delta).count();
        let finite = |list| if x == Score::INFINITE.0 { 0 } else { options(list) };
        self.max_lists.iter().fold(Depth::ZERO, |sum, list| sum + self.s(finite(list)))
    }

    fn min_depth(&self, x: i32) -> Depth {
        let options = |list: &Vec<i32>| list.iter().filter(|y| **y < x + self.delta).count();
        let finite = |list| if x == -Score::INFINITE.0 { 0 } else { options(list) };
        self.min_lists.iter().fold(Depth::ZERO, |sum, list| sum + self.s(finite(list)))
    }

    fn terminate(&self, v: i32, alpha: i32, beta: i32) -> bool {
        if v >= beta {
            self.max_depth(beta) >= self.max_target
        } else if v <= alpha {
            self.min_depth(alpha) >= self.min_target
        } else {
            self.max_depth(v) >= self.max_target && self.min_depth(v) >= self.min_target
        }
    }

    fn abc(&mut self, n: NodeId, alpha: i32, beta: i32) -> i32 {
        self.visited.push(n);
        let node = self.tree.node(n);
        let s = node.value().0;
        let is_root = n == NodeId::ROOT;
        if node.children().is_empty() || !is_root && self.terminate(s, alpha, beta) {
            return s.clamp(alpha, beta);
        }
        let children = if is_root { self.root.clone() } else { node.children().to_vec() };
        let mut v = if node.max_to_move() { alpha } else { beta };
        for &child in &children {
            let siblings = children.iter().filter(|other| **other != child);
            let list = siblings.map(|other| self.tree.node(*other).value().0).collect();
            if node.max_to_move() {
                self.max_lists.push(list);
                v = v.max(self.abc(child, v, beta));
                self.max_lists.pop();
                if v >= beta {
                    return v;
                }
            } else {
                self.min_lists.push(list);
                v = v.min(self.abc(child, alpha, v));
                self.min_lists.pop();
                if v <= alpha {
                    return v;
                }
            }
        }
        v
    }
}

/// The skeleton with [`Abc`] visits the nodes that the printed procedure visits, and finds its value.
fn check_against_print(tree: &Tree, safety: &Safety, delta: i32, depths: Depths, window: Window) {
    if tree.len() == 1 {
        return;
    }
    let [full, windowed] = search_twice(&tree.root(), Abc::new(safety.clone(), Score(delta)), depths, window);
    for (searched, window) in [(full, Window::FULL), (windowed, window)] {
        // The skeleton puts the best root moves of the last iteration first; the paper leaves the order
        // open.
        let mut root: Vec<NodeId> =
            children(&searched.tree, 0).map(|i| searched.tree[i].position.node()).collect();
        let rest: Vec<NodeId> =
            tree.node(NodeId::ROOT).children().iter().copied().filter(|c| !root.contains(c)).collect();
        root.extend(rest);
        let mut printed = Printed {
            tree,
            safety,
            delta,
            max_target: depths.lower,
            min_target: depths.upper,
            max_lists: vec![],
            min_lists: vec![],
            root,
            visited: vec![],
        };
        let value = printed.abc(NodeId::ROOT, window.alpha.0, window.beta.0);
        assert_eq!(searched.value, Score(value), "{tree} through {window:?}");
        let visited: Vec<NodeId> = searched.tree.iter().map(|node| node.position.node()).collect();
        assert_eq!(visited, printed.visited, "{tree} through {window:?}");
    }
}

proptest! {
    /// What a move takes from what the plans owe: S of its owner's, a ply of the other's; with one depth the
    /// same of both. With one depth, or if only nodes that are expected to fail high have S, a ply is taken
    /// where a fail low is expected.
    #[test]
    fn s_counts_where_it_should(
        rules in layered(), path in prop::collection::vec((0usize..4, any::<bool>()), 1..12),
        floor in 1..100i32, delta in 1..9i32, bar in -40..40i32, one_depth in 0..=1, cut_only in 0..=1,
    ) {
        let mut abc = Abc::default();
        (abc.delta, abc.floor, abc.coupling, abc.longest) = (delta, floor, 100, 0);
        (abc.one_depth, abc.cut_only) = (one_depth, cut_only);
        let mut window = Window::above(Score(bar));
        let mut line = Horizon::<RandomGame>::root(&mut abc, Depths::both(Depth::plies(30)), window);
        let mut position = rules.root();
        for (ply, (index, cut)) in path.into_iter().enumerate() {
            let all = moves(&position);
            let Some(&mv) = all.get(index) else { break };
            let before = Horizon::<RandomGame>::remaining(&abc, &line, window);
            let entered = Entered { position: &position, moves: &all, window, ply, cut, options: None };
            Horizon::<RandomGame>::enter(&mut abc, &entered, &mut Statics);
            let child = after(&position, mv);
            let step = Step { position: &position, child: &child, mv, index, moves: all.len(), window, ply };
            line = Horizon::<RandomGame>::child(&mut abc, &line, &step);
            (position, window) = (child, window.flip());
            let Depths { lower, upper } = Horizon::<RandomGame>::remaining(&abc, &line, window);
            let (own, other) = (before.lower - upper, before.upper - lower);
            prop_assert!((Depth::from_f64(f64::from(floor) / 100.0)..=Depth::PLY).contains(&own), "{own:?}");
            prop_assert_eq!(other, if one_depth == 1 { own } else { Depth::PLY });
            if !cut && one_depth + cut_only > 0 {
                prop_assert_eq!(own, Depth::PLY);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn the_skeleton_is_the_printed_procedure(
        tree in trees(), safety in safeties(), delta in 1..4i32, depths in targets(12), window in windows(),
    ) {
        check_against_print(&tree, &safety, delta, depths, window);
    }

    #[test]
    fn on_uniform_trees_too(
        seed in any::<u64>(), kind in 0usize..3, width in 2u16..4, safety in safeties(), delta in 1..40i32,
        depths in targets(9), window in windows(),
    ) {
        let values = [Values::Independent, Values::StronglyOrdered, Values::Incremental][kind];
        // The game written out as a tree, so that the printed procedure can read it.
        let mut tree = Tree::new("", Score(0));
        let mut open = vec![(RandomTree::new(values, width, 5, seed), NodeId::ROOT)];
        while let Some((position, id)) = open.pop() {
            for mv in moves(&position) {
                let child = after(&position, mv);
                let sign = if child.ply() % 2 == 0 { 1 } else { -1 };
                open.push((child, tree.add(id, "", Score(sign * child.static_value().0))));
            }
        }
        check_against_print(&tree, &safety, delta, depths, window);
    }
}

/// The lines of §8 and §9: each stops at its ply, with the depths printed.
#[test]
fn the_papers_lines() {
    const { assert!(cfg!(debug_assertions), "the comparison of incremental depths is a debug assertion") };
    for line in ABC_LINES {
        let tree = line.tree();
        let depths = Depths::both(Line::TARGET);
        check_against_print(&tree, &Safety::half(), Line::MARGIN.0, depths, line.window);

        // Depths and the decision to stop at every ply along the line, with all moves available.
        let mut abc = Abc::new(Safety::half(), Line::MARGIN);
        let path = vec![0; line.backbone.len()];
        for (i, (reached, stops)) in
            along(&mut abc, &tree.root(), &path, depths, line.window).into_iter().enumerate()
        {
            // The figure measures a depth only at some plies. The statics determine the value for which
            // it is measured.
            let [max, min] =
                if i % 2 == 0 { [reached.upper, reached.lower] } else { [reached.lower, reached.upper] };
            assert!(line.max[i].is_none_or(|depth| depth == max), "{} ply {}: max {max:?}", line.name, i + 1);
            assert!(line.min[i].is_none_or(|depth| depth == min), "{} ply {}: min {min:?}", line.name, i + 1);
            assert_eq!(stops, line.stop == Some(i + 1), "{} ply {}", line.name, i + 1);
        }
    }
}

/// Returns the depths of both plans (`lower` is that of the side to move) and the decision to stop, at
/// every node of a path, for one window. This queries the component directly.
fn along<G: Static + Keyed>(
    abc: &mut Abc,
    root: &G,
    path: &[usize],
    asked: Depths,
    window: Window,
) -> Vec<(Depths, bool)> {
    let mut line = Horizon::<G>::root(abc, asked, window);
    let (mut position, mut window, mut asked) = (root.clone(), window, asked);
    let mut nodes = vec![];
    for (ply, &index) in path.iter().enumerate() {
        let all = moves(&position);
        let Some(&mv) = all.get(index) else { break };
        let entered = Entered { position: &position, moves: &all, window, ply, cut: false, options: None };
        Horizon::<G>::enter(abc, &entered, &mut Statics);
        let child = after(&position, mv);
        let step = Step { position: &position, child: &child, mv, index, moves: all.len(), window, ply };
        line = Horizon::<G>::child(abc, &line, &step);
        (position, window, asked) = (child, window.flip(), asked.flip());
        let value = position.static_value();
        let remaining = if window.contains(value) {
            Horizon::<G>::remaining_inside(abc, &line, window, value)
        } else {
            Horizon::<G>::remaining(abc, &line, window)
        };
        let stops = suffices(window, value, remaining);
        assert!(!stops || Horizon::<G>::may_stop(abc, &line, window));
        let own = |plies: Depth| Depth(plies.0 / 2); // a side moves at every second ply
        nodes.push((
            Depths { lower: asked.lower - own(remaining.lower), upper: asked.upper - own(remaining.upper) },
            stops,
        ));
    }
    nodes
}

proptest! {
    #![proptest_config(cases(1500))]

    /// With equal lists, a narrower window never turns a stop into a continuation (§7, after Fig. 7).
    #[test]
    fn narrow_windows_stop_earlier(
        rules in layered(), path in prop::collection::vec(0usize..4, 1..12), safety in safeties(),
        delta in 1..9i32, depths in targets(12), edges in prop::collection::vec(-40..40i32, 4),
    ) {
        let mut edges = edges;
        edges.sort();
        prop_assume!(edges[1] < edges[2]);
        let wide = Window::new(Score(edges[0]), Score(edges[3]));
        let narrow = Window::new(Score(edges[1]), Score(edges[2]));
        let mut abc = Abc::new(safety, Score(delta));
        let open = along(&mut abc, &rules.root(), &path, depths, Window::FULL);
        let wide = along(&mut abc, &rules.root(), &path, depths, wide);
        let narrow = along(&mut abc, &rules.root(), &path, depths, narrow);
        for ((open, wide), narrow) in open.iter().zip(&wide).zip(&narrow) {
            prop_assert!(!open.1 || wide.1);
            prop_assert!(!wide.1 || narrow.1);
        }
    }
}

/// Searches for the two strategies of a value, by the definitions of §4 to §6.
struct Strategies<'a, G> {
    safety: &'a Safety,
    delta: i32,
    /// The searched tree, if plans are confined to its nodes.
    tree: Option<&'a [Recorded<G>]>,
}

impl<G: Static + Keyed> Strategies<'_, G> {
    /// Whether `owner` (the side to move if `mine`) has a strategy from here all of whose leaves have at
    /// least the value `value` for it and the depth `remaining`: one move of its own at each of its
    /// nodes, and every move of the other side. `at` is the node of the searched tree, if plans are
    /// confined to it.
    fn has(&self, position: &G, at: usize, ply: usize, mine: bool, value: Score, remaining: Depth) -> bool {
        let holds = |score: Score| if mine { score >= value } else { -score >= value };
        if value <= Score::loss_in(ply) {
            return true; // no side loses sooner than at once
        }
        let all = moves(position);
        if all.is_empty() {
            return holds(position.outcome().score(ply)); // known with certainty: infinitely deep
        }
        if ply > 0 && remaining <= Depth::ZERO && holds(position.static_value()) {
            return true; // a leaf of the strategy
        }
        let node = |mv| match self.tree {
            None => Some(usize::MAX),
            Some(tree) => {
                let child = after(position, mv);
                children(tree, at).find(|i| tree[*i].position.key() == child.key())
            }
        };
        let estimate = |mv| {
            let child = after(position, mv);
            -if child.is_over() { child.outcome().score(ply + 1) } else { child.static_value() }
        };
        let next = |mv, remaining| {
            node(mv).is_some_and(|at| self.has(&after(position, mv), at, ply + 1, !mine, value, remaining))
        };
        if !mine {
            return all.iter().all(|&mv| next(mv, remaining));
        }
        all.iter().enumerate().any(|(i, &mv)| {
            let others = all.iter().enumerate().filter(|(j, _)| *j != i);
            let options = others.filter(|(_, other)| estimate(**other) > value - Score(self.delta)).count();
            next(mv, remaining - Depth::from_f64(self.safety.of(options)))
        })
    }
}

/// The guarantee for a search through a window (§7): a value inside the window is established by a
/// strategy of each side, relative to the value; a fail high or low by a strategy of one side, relative
/// to the edge.
fn check_guarantee<G: Static + Keyed>(
    position: &G,
    tree: Option<&[Recorded<G>]>,
    safety: &Safety,
    delta: i32,
    asked: Depths,
    window: Window,
    value: Score,
) {
    let strategies = Strategies { safety, delta, tree };
    if value > window.alpha {
        let floor = value.min(window.beta);
        assert!(
            strategies.has(position, 0, 0, true, floor, asked.lower),
            "no plan for at least {floor:?} through {window:?}"
        );
    }
    if value < window.beta {
        let ceiling = value.max(window.alpha);
        assert!(
            strategies.has(position, 0, 0, false, -ceiling, asked.upper),
            "no plan for at most {ceiling:?} through {window:?}"
        );
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    /// Theorem 1: the searched tree contains a max and a min strategy of the value found, each as deep
    /// as requested.
    #[test]
    fn theorem_1(
        rules in layered(), safety in safeties(), delta in 1..9i32, depths in targets(9), window in windows(),
    ) {
        let root = Rules {
            shape: cassius_games::random_game::Shape::Tree,
            ends: 25 + rules.ends,
            branching: rules.branching + 1,
            ..rules
        }
        .root();
        // S(0) = 0 permits unlimited forced lines, so the games must be finite.
        prop_assume!(!root.is_over() && safety.of(0) + safety.of(1) > 0.05 && ends_within(&root, 40));
        let [full, windowed] = search_twice(&root, Abc::new(safety.clone(), Score(delta)), depths, window);
        check_guarantee(&root, Some(&full.tree), &safety, delta, depths, Window::FULL, full.value);
        check_guarantee(&root, Some(&windowed.tree), &safety, delta, depths, window, windowed.value);
    }

    /// Theorem 1 on the trees used for the comparison with the printed procedure.
    #[test]
    fn theorem_1_on_explicit_trees(
        tree in trees(), safety in safeties(), delta in 1..4i32, depths in targets(12), window in windows(),
    ) {
        let [full, windowed] =
            search_twice(&tree.root(), Abc::new(safety.clone(), Score(delta)), depths, window);
        check_guarantee(&tree.root(), Some(&full.tree), &safety, delta, depths, Window::FULL, full.value);
        check_guarantee(&tree.root(), Some(&windowed.tree), &safety, delta, depths, window, windowed.value);
    }

    /// With minimal windows, a strict table, aspiration and every order, the game has strategies of the
    /// requested depth for the value found. (It need not be the value of the plain search: depths depend
    /// on the line, so that another search order may stop elsewhere.)
    #[test]
    fn a_strict_table_keeps_the_guarantee(
        rules in layered(), safety in safeties(), delta in 1..9i32, iterations in 1usize..5,
        order in 0u16..1 << ORDERS, narrow in any::<bool>(),
    ) {
        let root = Rules { ends: 20 + rules.ends, branching: rules.branching + 1, ..rules }.root();
        prop_assume!(!root.is_over() && safety.of(0) + safety.of(1) > 0.05 && ends_within(&root, 12));
        let window = if narrow { Window::new(Score(-3), Score(3)) } else { Window::FULL };
        let mut slots: Slots<RandomGame, Ordered<Abc, MinimalWindow, Table, Through>> = Slots {
            horizon: Abc::new(safety.clone(), Score(delta)),
            aspiration: Through(window),
            ..Slots::new(Statics, Table::new(1).unwrap().strict(), Off)
        };
        set_order::<>(&mut slots.order, order);
        let said = run_to(&mut slots, &root, iterations);
        for iteration in 1..=iterations {
            let asked = Horizon::<RandomGame>::iteration(&slots.horizon, iteration);
            let value = said.lines(iteration)[0].score;
            check_guarantee(&root, None, &safety, delta, asked, Window::FULL, value);
        }
    }
}

/// An evaluation that is worst for the side that has just moved at one ply, and the tree's own
/// elsewhere.
struct Hopeless(usize);

impl Evaluate<RandomTree> for Hopeless {
    fn evaluate(&mut self, position: &RandomTree) -> Score {
        if position.ply() == self.0 { Score::MAX_ESTIMATE } else { position.static_value() }
    }
}

type CountedBy<H, W, E> = Plain<H, W, Off, Off, Off, Off, Off, E>;

/// With S = 1 each plan counts its own moves. Iteration n requires ⌈n/2⌉ of the first side's and ⌊n/2⌋
/// of the other's. These are reached one after the other: n − 1 plies down, the side that has just moved
/// has the depth it needs, and stops if the static value is good enough for it there, where counting
/// plies would continue. Everywhere else the two rules coincide.
#[test]
fn with_s_of_1_only_the_last_ply_but_one_differs_from_plies() {
    fn compare<W: cassius_search::alpha_beta::windows::Windows>(
        tree: &RandomTree,
        n: usize,
        hopeless: usize,
    ) -> [(Score, u64); 2] {
        let one = Abc::new(Safety::one(), Score(1));
        let mut abc = Slots::<RandomTree, CountedBy<Abc, W, Hopeless>>::new(Hopeless(hopeless), Off, Off);
        abc.horizon = one;
        let mut plies = Slots::<RandomTree, CountedBy<Plies, W, Hopeless>>::new(Hopeless(hopeless), Off, Off);
        let abc = run_to(&mut abc, tree, n);
        let plies = run_to(&mut plies, tree, n);
        [(abc.score(), abc.answer.nodes), (plies.score(), plies.answer.nodes)]
    }
    let nowhere = usize::MAX;
    let mut differ = 0;
    for seed in 0..60 {
        let values = [Values::Independent, Values::Incremental][seed as usize % 2];
        let tree = RandomTree::new(values, 3, 8, seed);
        // n = 1: one move of each side is too far away to matter.
        let [abc, plies] = compare::<WholeWindow>(&tree, 1, nowhere);
        assert_eq!(abc, plies);
        let [abc, plies] = compare::<MinimalWindow>(&tree, 1, nowhere);
        assert_eq!(abc, plies);
        // n = 2: the side that moved first can only stop above β, which is infinite.
        let [abc, plies] = compare::<WholeWindow>(&tree, 2, nowhere);
        assert_eq!(abc, plies);
        for n in 3..7 {
            let [abc, plies] = compare::<WholeWindow>(&tree, n, nowhere);
            differ += usize::from(abc != plies);
        }
    }
    assert!(differ > 0);
    // If no static value there is good enough, the searches are equal. Only the last iteration is
    // compared: every iteration has another last-but-one ply.
    for seed in 0..60 {
        for n in 2..7 {
            let tree = RandomTree::new(Values::Independent, 3, 8, seed);
            fn search<H: Horizon<RandomTree>, W: Windows>(
                rule: H,
                depths: Depths,
                tree: &RandomTree,
                n: usize,
            ) -> (Score, u64) {
                type OneDepth<H, W> = CountedBy<Always<H>, W, Hopeless>;
                let mut slots = Slots::<RandomTree, OneDepth<H, W>>::new(Hopeless(n - 1), Off, Off);
                slots.horizon = always(rule, depths);
                let said = run_to(&mut slots, tree, 1);
                (said.score(), said.answer.nodes)
            }
            let one = || Abc::new(Safety::one(), Score(1));
            let full = Depths::both(Depth::plies(n as i32));
            let asked = Horizon::<RandomTree>::iteration(&Abc::default(), n);
            let abc = search::<Abc, WholeWindow>(one(), asked, &tree, n);
            assert_eq!(abc, search::<Plies, WholeWindow>(Plies {}, full, &tree, n), "seed {seed}, n = {n}");
            // Minimal windows cause more re-searches where values are clipped: only the values agree.
            let abc = search::<Abc, MinimalWindow>(one(), asked, &tree, n);
            assert_eq!(
                abc.0,
                search::<Plies, MinimalWindow>(Plies {}, full, &tree, n).0,
                "seed {seed}, n = {n}"
            );
        }
    }
}

/// A game with one move at every node has no options. No plan gets deeper, so the line is followed to
/// its end.
#[test]
fn forced_lines_are_followed_to_the_end() {
    let tree: Tree = "0(5(-3(7(1(2(9!))))) -8(-8!))".parse().unwrap();
    let mut slots = abc_slots::<TreePosition<'_>>(
        Abc::new(Safety::any_option(), Score(1)),
        Depths::both(Depth::PLY),
        Window::FULL,
    );
    let said = run_to(&mut slots, &tree.root(), 1);
    assert_eq!(said.score(), Score(9));
    assert_eq!(said.answer.lines[0].pv.len(), 6);
    assert_eq!(said.answer.lines[0].bound, Some(Bound::Exact));
    assert_eq!(minimax(&tree.root(), &mut Statics, 9), Score(9));
}
