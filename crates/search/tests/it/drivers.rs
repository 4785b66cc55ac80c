//! Tests the drivers: aspiration, limits, answers, several threads.

use crate::common::*;
use cassius_games::random_game::{Rules, Shape};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_games::{Connect4, RandomGame, TicTacToe, Tree};
use cassius_search::alpha_beta::Node;
use cassius_search::alpha_beta::aspiration::{Aspiration, Aspire, Failure, Mtd, Question};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::{Coupled, Plies};
use cassius_search::alpha_beta::memory::Memory;
use cassius_search::alpha_beta::order::Order;
use cassius_search::alpha_beta::windows::{MinimalWindow, WholeWindow};
use cassius_search::game::MoveIndexed;
use cassius_search::{
    Bound, Component, Depth, Game, Limits, MAX_PLY, Nodes, Off, Progress, Recipe, Request, Score, Slots,
    Statics, StopFlag, Table, Unlimited, Window, minimax, search, search_parallel,
};
use proptest::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

type Simple<W, A> = Plain<Plies, W, Off, A>;

/// When a failed search is reopened as the survey prints it, the new window lies beyond the edge that
/// failed, and includes the value of the edge.
#[test]
fn a_failed_search_is_reopened_beyond_the_edge() {
    let reopened = Aspiration { reopen: 1, ..Aspiration::default() };
    let fails = |value: i32, count: u32| {
        let window = Window::new(Score(10), Score(20));
        let (lower, upper) = (-Score::INFINITE, Score::INFINITE);
        reopened.widen(&Failure { window, value: Score(value), count, lower, upper })
    };
    assert_eq!(fails(20, 1), Window::new(Score(19), Score::INFINITE));
    assert_eq!(fails(95, 1), Window::new(Score(19), Score::INFINITE));
    assert_eq!(fails(10, 1), Window::new(-Score::INFINITE, Score(11)));
    // Searches that contradict each other end with the whole window.
    assert_eq!(fails(19, 2), Window::FULL);
    assert_eq!(fails(20, 2), Window::FULL);
}

/// A value exactly at an edge of the window fails, is searched again, and is right.
#[test]
fn a_value_at_an_edge_is_a_failure() {
    let tree: Tree = "0(7(7 9) 3(3 4))".parse().unwrap();
    assert_eq!(minimax(&tree.root(), &mut Statics, 2), Score(7));
    for (window, bound) in [
        (Window::new(Score(7), Score(20)), Some(Bound::Upper)),
        (Window::new(Score(-5), Score(7)), Some(Bound::Lower)),
        (Window::new(Score(6), Score(7)), Some(Bound::Lower)),
        (Window::new(Score(7), Score(8)), Some(Bound::Upper)),
        (Window::new(Score(6), Score(8)), None),
        (Window::new(Score(8), Score(30)), Some(Bound::Upper)),
        (Window::new(Score(0), Score(1)), Some(Bound::Lower)),
    ] {
        let mut slots = Slots { aspiration: Through(window), ..Slots::new(Statics, Off, Off) };
        let slots: &mut Slots<_, Simple<MinimalWindow, Through>> = &mut slots;
        let said = run_to(slots, &tree.root(), 2);
        let failures: Vec<Bound> =
            said.reports.iter().filter_map(|r| r.bound).filter(|b| *b != Bound::Exact).collect();
        assert_eq!(failures, Vec::from_iter(bound), "{window:?}");
        assert_eq!(said.score(), Score(7));
        for report in said.reports.iter().filter(|r| r.iteration == 2) {
            match report.bound {
                Some(Bound::Lower) => assert!(report.score >= window.beta && report.score <= Score(7)),
                Some(Bound::Upper) => assert!(report.score <= window.alpha && report.score >= Score(7)),
                Some(Bound::Exact) => assert_eq!(report.score, Score(7)),
                None => panic!("{report:?}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    /// After any number of failures the window contains the value or is whole, and every step contains
    /// the last bound.
    #[test]
    fn the_window_closes_in_on_every_value(
        value in -29_500..29_500i32, previous in -29_000..29_000i32, width in 1..1000i32,
        growth in 101..1000i32, reopen in 0..=1,
    ) {
        let aspiration = Aspiration { from: 1, width, growth, reopen };
        let (value, mut window) = (Score(value), aspiration.window(Some(Score(previous)), 9));
        for count in 1.. {
            prop_assert!(
                window.alpha < window.beta
                    && window.alpha >= -Score::INFINITE
                    && window.beta <= Score::INFINITE
            );
            if window.contains(value) {
                break;
            }
            prop_assert!(count < 100 && window != Window::FULL);
            let found = window.clip(value); // the weakest possible bound
            let (lower, upper) = (-Score::INFINITE, Score::INFINITE); // not used
            let wider = aspiration.widen(&Failure { window, value: found, count, lower, upper });
            prop_assert!(wider.contains(found));
            window = wider;
        }
    }
}

proptest! {
    #![proptest_config(cases(500))]

    /// A question is answered according to the minimax value, and the table makes no difference.
    #[test]
    fn questions_are_answered_by_the_minimax_value(
        rules in layered(), depth in 1..6usize, value in -30..30i32,
    ) {
        fn answer<M: Memory<RandomGame>>(
            root: &RandomGame,
            memory: M,
            value: Score,
            depth: usize,
        ) -> (Bound, Score) {
            let mut slots: Slots<_, Plain<Plies, MinimalWindow, M, Question<Off>>> =
                Slots::new(Statics, memory, Off);
            slots.aspiration.at_least = Some(value);
            let line = run_to(&mut slots, root, depth).answer.lines.remove(0);
            (line.bound.expect("an answer"), line.score)
        }
        let root = rules.root();
        prop_assume!(!root.is_over());
        let truth = minimax(&root, &mut Statics, depth);
        let expected = if truth >= Score(value) { Bound::Lower } else { Bound::Upper };
        let with_table = answer(&root, Table::new(1).unwrap(), Score(value), depth);
        for (bound, edge) in [answer(&root, Off, Score(value), depth), with_table] {
            prop_assert_eq!(bound, expected);
            // The bound holds for all moves of the root.
            let holds = if bound == Bound::Lower { truth >= edge } else { truth <= edge };
            prop_assert!(holds, "{:?} {:?} of {:?}", bound, edge, truth);
        }
    }
}

fn playing<H: cassius_search::alpha_beta::horizon::Horizon<RandomGame>>() -> Slots<
    RandomGame,
    Laboratory<
        H,
        MinimalWindow,
        Table,
        Aspiration,
        cassius_search::alpha_beta::quiescence::Captures,
        Repetition,
    >,
> {
    Slots::new(Statics, Table::new(1).unwrap(), Off)
}

/// A node limit is met exactly, and two searches under it give identical output.
#[test]
fn a_node_limit_is_exact_and_deterministic() {
    fn check<H: cassius_search::alpha_beta::horizon::Horizon<RandomGame>>(root: &RandomGame, limit: u64) {
        let search = || {
            let limits = Nodes(limit);
            let request = Request::new(root, &limits).to_iteration(9);
            let said = run(&mut playing::<H>(), &request);
            (
                format!("{:?}", said.answer),
                format!("{:?}", said.reports),
                said.answer.nodes,
                said.answer.complete,
            )
        };
        let first = search();
        assert_eq!(first, search());
        assert!(if first.3 { first.2 <= limit } else { first.2 == limit }, "{} of {limit}", first.2);
    }
    for root in games(Shape::Cycles(60), 12) {
        for limit in [1, 2, 3, 10, 100, 1000, 10_000] {
            check::<Plies>(&root, limit);
            check::<Coupled>(&root, limit);
        }
    }
}

/// A search that is stopped at any time answers with playable lines. The best line has a value that the
/// search has actually found, as soon as there is one.
fn check_stopped<G: Every, R: Recipe<G>>(
    mut slots: impl FnMut() -> Slots<G, R>,
    root: &G,
    iterations: usize,
    lines: usize,
) {
    let whole = run_to(&mut slots(), root, iterations).answer.nodes;
    let mut limit = 0;
    while limit <= whole {
        let limits = Nodes(limit);
        let request = Request { lines, ..Request::new(root, &limits).to_iteration(iterations) };
        let said = run(&mut slots(), &request);
        assert!(said.answer.nodes <= limit);
        assert!(said.answer.lines.len() <= lines.min(moves(root).len()) && !said.answer.lines.is_empty());
        let mut firsts = vec![];
        for line in said.answer.lines.iter().chain(&said.reports) {
            let mut at = root.clone();
            for &mv in &line.pv {
                assert!(moves(&at).contains(&mv), "{:?} after {limit} nodes", line.pv);
                at.play(mv);
            }
        }
        assert!(said.reports.is_sorted_by_key(|report| report.nodes), "nodes go back after {limit}");
        let finished = said.reports.iter().any(|report| report.bound == Some(Bound::Exact));
        assert!(!finished || said.answer.lines[0].bound != Some(Bound::Upper), "a bound after {limit} nodes");
        for line in &said.answer.lines {
            assert!(!firsts.contains(&line.pv[0]), "one move, two lines");
            firsts.push(line.pv[0]);
        }
        limit += 1 + limit / 20;
    }
}

#[test]
fn a_stopped_search_still_answers() {
    for root in games(Shape::Cycles(60), 12) {
        for lines in [1, 3] {
            check_stopped(playing::<Plies>, &root, 5, lines);
        }
    }
    let plain = || Slots::<Connect4, Plain<Plies, WholeWindow>>::new(Statics, Off, Off);
    check_stopped(plain, &Connect4::default(), 4, 2);
    for start in 0..3 {
        let asking = || {
            let table = Table::new(1).unwrap();
            let mut slots =
                Slots::<Connect4, Plain<Plies, WholeWindow, Table, Mtd>>::new(Statics, table, Off);
            slots.aspiration.start = start;
            slots
        };
        check_stopped(asking, &Connect4::default(), 4, 1);
    }
}

/// Stopped before the last iteration ends, plain alpha-beta answers with a move that is no worse, at the
/// depth it belongs to, than the best move of the last completed iteration.
#[test]
fn an_unfinished_iteration_only_improves_the_answer() {
    for seed in 0..40 {
        let tree = RandomTree::new(Values::Incremental, 4, 6, seed);
        for limit in (50..1500).step_by(37) {
            let limits = Nodes(limit);
            let mut slots = Slots::<RandomTree, Simple<WholeWindow, Off>>::new(Statics, Off, Off);
            let said = run(&mut slots, &Request::new(&tree, &limits).to_iteration(5));
            let line = &said.answer.lines[0];
            let exact = -minimax(&after(&tree, line.pv[0]), &mut Statics, line.iteration - 1);
            assert_eq!(line.score, exact, "seed {seed}, {limit} nodes");
            let finished = said
                .reports
                .iter()
                .filter(|r| r.bound == Some(Bound::Exact))
                .map(|r| r.iteration)
                .max()
                .unwrap_or(0);
            assert!(line.iteration >= finished);
        }
    }
}

#[test]
fn a_finished_game_has_no_line() {
    let won: TicTacToe = "XXX\nOO.\n...".parse().unwrap();
    let mut slots = Slots::<TicTacToe, Plain<Plies, WholeWindow>>::new(Statics, Off, Off);
    let said = run_to(&mut slots, &won, 5);
    assert!(said.answer.lines.is_empty() && said.answer.complete && said.answer.nodes == 0);
    assert_eq!((said.answer.best(), said.answer.score()), (None, None));
}

/// A limit that counts its polls, and stops after an iteration.
struct After {
    iterations: usize,
    polls: AtomicU64,
    seen: AtomicU64,
}

impl Limits for After {
    fn poll(&self, nodes: u64) -> Option<u64> {
        self.polls.fetch_add(1, Relaxed);
        Some(nodes + 100)
    }
    fn go_on(&self, progress: &Progress) -> bool {
        assert_eq!(progress.iteration as u64, self.seen.fetch_add(1, Relaxed) + 1);
        assert!((0.0..=1.0).contains(&progress.effort));
        progress.iteration < self.iterations
    }
}

#[test]
fn limits_are_asked_as_often_as_they_want() {
    let limits = After { iterations: 6, polls: AtomicU64::new(0), seen: AtomicU64::new(0) };
    let mut slots = Slots::<Connect4, Plain<Plies, WholeWindow>>::new(Statics, Off, Off);
    let said = run(&mut slots, &Request::new(&Connect4::default(), &limits));
    assert_eq!(said.answer.lines[0].iteration, 6);
    assert!(!said.answer.complete);
    assert_eq!(limits.polls.load(Relaxed), said.answer.nodes.div_ceil(100));
    let stopped = StopFlag(AtomicBool::new(true));
    let said = run(&mut slots, &Request::new(&Connect4::default(), &stopped));
    assert_eq!((said.answer.nodes, said.answer.lines.len()), (0, 1));
}

/// Infinite lines are cut at the maximum ply; nothing overflows.
#[test]
fn endless_games_end_at_the_greatest_ply() {
    let rules = Rules {
        seed: 3,
        shape: Shape::Cycles(50),
        branching: 1,
        ends: 0,
        noisy: 0,
        checks: 0,
        ..Rules::default()
    };
    let mut slots = Slots::<RandomGame, Plain<Plies, MinimalWindow>>::new(Statics, Off, Off);
    let said = run_to(&mut slots, &rules.root(), 1000);
    assert_eq!(said.answer.lines[0].max_ply, MAX_PLY);
    let rules = Rules { checks: 100, noisy: 100, ..rules };
    let mut slots = Slots::<
        RandomGame,
        Plain<Plies, MinimalWindow, Off, Off, cassius_search::alpha_beta::quiescence::Captures>,
    >::new(Statics, Off, Off);
    let said = run_to(&mut slots, &rules.root(), 3);
    assert!(said.answer.complete);
}

/// Two threads on one table find the same value as one. They may meet deeper results of each other
/// during the search, but where every position has one depth, not in the last iteration.
#[test]
fn two_threads_find_the_minimax_value() {
    fn check<G: Every + Send + Sync>(root: &G, depth: usize)
    where
        G::Move: Send + Sync,
    {
        if root.is_over() {
            return;
        }
        let expected = minimax(root, &mut Statics, depth);
        for (strict, pairs) in [(false, 0), (true, 0), (false, 1), (true, 1)] {
            let mut table = Table::new(1).unwrap();
            if strict {
                table = table.strict();
            }
            let member = || {
                let mut slots = Slots::<G, Ordered<Plies, MinimalWindow, Table, Aspiration>>::new(
                    Statics,
                    table.clone(),
                    Off,
                );
                slots.deepening.on = pairs;
                slots
            };
            let mut team = [member(), member(), member()];
            let request = Request::new(root, &Unlimited).to_iteration(depth);
            let mut last = 0;
            let answer = search_parallel(&mut team, &request, &mut |report| {
                assert!(report.nodes >= last);
                last = report.nodes;
            });
            assert_eq!(answer.score(), Some(expected));
            assert!(answer.complete && moves(root).contains(&answer.best().unwrap()));
        }
    }
    for root in games(Shape::Layers(30), 15) {
        check(&root, 6);
    }
    check(&TicTacToe::default(), 7);
    check(&Connect4::default(), 6);
}

/// Whichever thread completes an iteration, its lines are reported in order, are legal, and have the
/// length of the iteration: a line found by another thread is completed from the table.
#[test]
fn a_team_tells_whole_lines() {
    let table = Table::new(16).unwrap();
    let member = || {
        Slots::<Connect4, Ordered<Plies, MinimalWindow, Table, Aspiration>>::new(Statics, table.clone(), Off)
    };
    let mut team = [member(), member(), member()];
    let root = Connect4::default();
    let request = Request { lines: 2, ..Request::new(&root, &Unlimited).to_iteration(10) };
    let (mut iteration, mut short) = (0, 0);
    let answer = search_parallel(&mut team, &request, &mut |report| {
        assert!(report.iteration >= iteration);
        iteration = report.iteration;
        let mut end = root;
        for &mv in &report.pv {
            assert!(moves(&end).contains(&mv));
            end.play(mv);
        }
        short += usize::from(report.bound == Some(Bound::Exact) && report.pv.len() < report.iteration);
    });
    assert!(answer.complete && answer.lines.len() == 2 && answer.lines[0].pv[0] != answer.lines[1].pv[0]);
    assert!(short <= 2, "{short} lines are cut short"); // a table may lose entries
}

/// A team with a node limit stops, and answers with a legal move.
#[test]
fn a_team_stops() {
    for limit in [1, 1000, 20_000] {
        let limits = Nodes(limit);
        let table = Table::new(1).unwrap();
        let member = || {
            Slots::<Connect4, Ordered<Plies, MinimalWindow, Table, Aspiration>>::new(
                Statics,
                table.clone(),
                Off,
            )
        };
        let mut team = [member(), member()];
        let answer = search_parallel(&mut team, &Request::new(&Connect4::default(), &limits), &mut |_| {});
        assert!(!answer.complete && !answer.lines.is_empty());
        assert!(moves(&Connect4::default()).contains(&answer.best().unwrap()));
    }
    let mut nobody: [Slots<Connect4, Plain<Plies, WholeWindow>>; 0] = [];
    assert!(
        search_parallel(&mut nobody, &Request::new(&Connect4::default(), &Unlimited), &mut |_| {})
            .lines
            .is_empty()
    );
    assert_eq!(Aspiration::NAME, "Aspiration");
}

/// What one thread of a team learns about quiet moves is shared with the others. A thread outside a team
/// learns only for itself.
#[test]
fn a_team_learns_together() {
    type Learning = Slots<Connect4, Ordered<Plies, MinimalWindow, Table, Aspiration>>;
    let table = Table::new(1).unwrap();
    let member = || Learning::new(Statics, table.clone(), Off);
    let root = Connect4::default();
    let known = |slots: &Learning| -> Vec<[i32; 2]> {
        let previous = Some(root.move_index(moves(&root)[0]));
        let node = Node {
            position: &root,
            window: Window::FULL,
            ply: 0,
            pv: true,
            was_pv: false,
            cut: false,
            fail_high_depth: Depth::PLY,
            fail_low_depth: Depth::PLY,
            static_eval: Score::DRAW,
            improving: false,
            has_hash_move: false,
            previous: [previous, None],
            child_cutoffs: 0,
            pass_failed: false,
        };
        let (_, _, _, history, continuation, ..) = &slots.order;
        let rank = |&mv: &_| {
            let facts = slots.order.facts(&root, mv);
            [history.component.rank(&node, mv, facts), continuation.component.rank(&node, mv, facts)]
        };
        moves(&root).iter().map(rank).collect()
    };
    let is_blank = |slots: &Learning| known(slots).iter().all(|&ranks| ranks == [0, 0]);

    let (mut alone, mut team) = (member(), [member(), member()]);
    let request = Request::new(&root, &Unlimited).to_iteration(8);
    search_parallel(&mut team, &request, &mut |_| {});
    assert_eq!(known(&team[0]), known(&team[1]));
    assert!(
        known(&team[1]).iter().any(|ranks| ranks[0] != 0)
            && known(&team[1]).iter().any(|ranks| ranks[1] != 0)
    );

    search(&mut alone, &request.to_iteration(1), &mut |_| {});
    assert!(is_blank(&alone));
    alone.order = team[0].order.clone(); // a copy starts with the same knowledge and forgets independently
    alone.forget();
    assert!(is_blank(&alone) && !is_blank(&team[0]));
    team[0].forget();
    assert!(is_blank(&team[1]));
}
