//! Tests alpha-beta against plain minimax: the value is the same for every combination of sound
//! components.

use crate::common::*;
use cassius_games::connect4::{Exact, WinsAtOnce};
use cassius_games::random_game::{Rules, Shape};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_games::{Connect4, Othello, RandomGame, TicTacToe, Tree, Uneventful, figures};
use cassius_search::alpha_beta::aspiration::{Aspiration, Aspire, Failure, Mtd};
use cassius_search::alpha_beta::deepening::MoveAndRefutation;
use cassius_search::alpha_beta::draws::{Draws, Repetition, UpcomingRepetition};
use cassius_search::alpha_beta::horizon::{Discounted, FailHard, Plies};
use cassius_search::alpha_beta::knowledge::Knowledge;
use cassius_search::alpha_beta::memory::{Memory, SingleBound};
use cassius_search::alpha_beta::windows::{MinimalWindow, WholeWindow, WindowSwitches};
use cassius_search::game::Repeats;
use cassius_search::{
    Bound, Component, Game, Keyed, MAX_PLY, Off, Report, Request, Score, Slots, Spare, Static, Statics,
    Table, Unlimited, Window, minimax,
};
use proptest::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Remember {
    Nothing,
    Table,
    Strictly,
    SingleBound,
    /// The same two tables, where a hit that does not end the search narrows its window.
    NarrowTable,
    NarrowBound,
}

impl Remember {
    /// Whether a hit leaves the variations of open nodes complete.
    fn keeps_variations(self) -> bool {
        matches!(self, Remember::Nothing | Remember::Table)
    }
}

/// The windows that the moves of a node get.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Asks {
    Whole,
    Minimal,
    Last,
    Palphabeta,
    PalphabetaAbove,
    Scout,
}

/// The windows that the root gets.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Opens {
    Whole,
    Aspiration,
    /// After a failure, the window opens to everything beyond the edge.
    Reopened,
    Mtd,
    Sss,
    Dual,
}

/// A setting of everything that does not change the value.
#[derive(Clone, Copy, Debug)]
struct Sound {
    asks: Asks,
    remember: Remember,
    /// One bit for each component of the move ordering.
    order: u16,
    opens: Opens,
    /// Whether values are clipped to the window.
    hard: bool,
    lines: usize,
    /// Whether the first iteration finds pairs of moves, and some other iterations are skipped.
    pairs: bool,
}

impl Sound {
    /// Returns the iterations of a search up to `last`.
    fn iterations(&self, last: usize) -> Vec<usize> {
        match self.pairs {
            true => [2, 3, 5, 7].into_iter().filter(|&iteration| iteration < last).chain([last]).collect(),
            false => (1..=last).collect(),
        }
    }
}

/// Returns every combination of windows and memories, each with every order.
fn every_sound_setting() -> impl Iterator<Item = Sound> {
    use {Asks::*, Opens::*, Remember::*};
    let asks = [Asks::Whole, Minimal, Last, Palphabeta, PalphabetaAbove, Scout];
    let opens = [Opens::Whole, Aspiration, Reopened, Mtd, Sss, Dual];
    let memories = [Nothing, Table, Strictly, Remember::SingleBound, NarrowTable, NarrowBound];
    asks.into_iter().flat_map(move |asks| {
        memories.into_iter().flat_map(move |remember| {
            opens.into_iter().flat_map(move |opens| {
                [false, true].into_iter().flat_map(move |hard| {
                    orders().map(move |order| Sound {
                        asks,
                        remember,
                        order,
                        opens,
                        hard,
                        lines: 1,
                        pairs: false,
                    })
                })
            })
        })
    })
}

/// Returns one in `spread` of these settings, spread over all.
fn one_in(spread: usize) -> impl Iterator<Item = Sound> {
    let alternate = |(index, setting)| Sound { pairs: index % 2 == 1, ..setting };
    every_sound_setting().step_by(spread).enumerate().map(alternate)
}

/// Returns the usual settings with a few orders, with one line or several, and with pairs.
fn some_sound_settings() -> impl Iterator<Item = Sound> {
    every_sound_setting()
        .filter(|s| [Asks::Whole, Asks::Minimal].contains(&s.asks))
        .filter(|s| ![Opens::Sss, Opens::Dual].contains(&s.opens))
        .filter(|s| [0, 7, 24, 31].contains(&(s.order & 63)))
        .filter(|s| !s.hard && s.opens != Opens::Reopened || s.order & 63 == 7)
        .filter(|s| {
            ![Remember::NarrowTable, Remember::NarrowBound].contains(&s.remember) || s.order & 63 == 31
        })
        .flat_map(|s| {
            [(1, false), (3, false), (1, true), (3, true)].map(|(lines, pairs)| Sound { lines, pairs, ..s })
        })
}

/// A run-time choice among the ways to open an iteration.
#[derive(Default)]
enum Begin {
    #[default]
    Whole,
    Aspiration(Aspiration),
    Mtd(Mtd),
}

impl Component for Begin {
    const NAME: &'static str = "Begin";
}

impl Aspire for Begin {
    const MINIMAL: bool = true;

    fn window(&self, previous: Option<Score>, iteration: usize) -> Window {
        match self {
            Begin::Whole => Off.window(previous, iteration),
            Begin::Aspiration(inner) => inner.window(previous, iteration),
            Begin::Mtd(inner) => inner.window(previous, iteration),
        }
    }

    fn widen(&self, failure: &Failure) -> Window {
        match self {
            Begin::Whole => Off.widen(failure),
            Begin::Aspiration(inner) => inner.widen(failure),
            Begin::Mtd(inner) => inner.widen(failure),
        }
    }
}

/// Turns on the switch of a component.
fn switch(component: &mut impl Component, name: &str) {
    let mut known = false;
    component.visit(&mut |parameter, value| {
        if parameter.full_name() == format!("{name}.on") {
            (*value, known) = (1, true);
        }
    });
    assert!(known, "{name}");
}

fn solve_with<G: Every, M: Memory<G>>(setting: Sound, memory: M, request: &Request<'_, G>) -> Said<G::Move> {
    type Rule = Discounted<Spare<FailHard>, Plies>;
    let mut slots = Slots::<G, Ordered<Rule, WindowSwitches, M, Begin>>::new(Statics, memory, Off);
    slots.horizon.discount.on = i32::from(setting.hard);
    match setting.asks {
        Asks::Whole => switch(&mut slots.windows, "WholeWindow"),
        Asks::Minimal => {}
        Asks::Last => switch(&mut slots.windows, "LastMinimal"),
        Asks::Palphabeta => switch(&mut slots.windows, "Palphabeta"),
        Asks::PalphabetaAbove => switch(&mut slots.windows, "PalphabetaAbove"),
        Asks::Scout => switch(&mut slots.windows, "ScoutWindow"),
    }
    slots.aspiration = match setting.opens {
        Opens::Whole => Begin::Whole,
        Opens::Aspiration => Begin::Aspiration(Aspiration { from: 1, width: 2, growth: 150, reopen: 0 }),
        Opens::Reopened => Begin::Aspiration(Aspiration { from: 1, width: 2, growth: 150, reopen: 1 }),
        Opens::Mtd => Begin::Mtd(Mtd { start: 0, most: 1000 }),
        Opens::Sss => Begin::Mtd(Mtd { start: 1, most: 1000 }),
        Opens::Dual => Begin::Mtd(Mtd { start: 2, most: 1000 }),
    };
    slots.deepening =
        Spare { on: i32::from(setting.pairs), component: MoveAndRefutation { shallow: 2, from: 3, step: 2 } };
    set_order(&mut slots.order, setting.order);
    run(&mut slots, request)
}

/// Searches with a memory, or with one that is never probed.
fn solve<G: Every>(setting: Sound, request: &Request<'_, G>) -> Said<G::Move> {
    let table = || Table::new(1).expect("a small table");
    let one = || SingleBound::new(1).expect("a small table");
    match setting.remember {
        Remember::Nothing if setting.asks == Asks::Whole => solve_with(setting, Off, request),
        Remember::Nothing => solve_with(setting, table().above(MAX_PLY as i32), request),
        Remember::Table => solve_with(setting, table(), request),
        Remember::Strictly => solve_with(setting, table().strict(), request),
        Remember::NarrowTable => solve_with(setting, table().narrowing(), request),
        Remember::SingleBound => solve_with(setting, one(), request),
        Remember::NarrowBound => solve_with(setting, one().narrowing(), request),
    }
}

/// Returns the minimax value of every root move, in the game's order.
fn root_values<G: Static>(position: &G, depth: usize) -> Vec<Score> {
    moves(position).into_iter().map(|mv| up(minimax(&after(position, mv), &mut Statics, depth - 1))).collect()
}

/// Asserts that a principal variation is playable and ends at the position its value comes from.
fn check_pv<G: Static>(position: &G, depth: usize, report: &Report<G::Move>, whole: bool) {
    let mut end = position.clone();
    let mut sign = 1;
    for &mv in &report.pv {
        assert!(moves(&end).contains(&mv), "{mv:?} is not legal in {:?}", report.pv);
        end.play(mv);
        sign = -sign;
    }
    assert!((1..=depth).contains(&report.pv.len()));
    let length = report.pv.len();
    let value = minimax(&end, &mut Statics, depth - length).at_root(length);
    assert_eq!(Score(sign * value.0), report.score, "at the end of {:?}", report.pv);
    assert!(!whole || length == depth || end.is_over(), "{:?} breaks off", report.pv);
}

/// Compares every iteration of one search with minimax.
fn check<G: Every>(position: &G, depth: usize, settings: impl Iterator<Item = Sound>) {
    if position.is_over() {
        return;
    }
    let oracle: Vec<Score> = (1..=depth).map(|d| minimax(position, &mut Statics, d)).collect();
    let by_move: Vec<Vec<Score>> = (1..=depth).map(|d| root_values(position, d)).collect();
    for setting in settings {
        let request =
            Request { lines: setting.lines, ..Request::new(position, &Unlimited).to_iteration(depth) };
        let said = solve(setting, &request);
        assert!(said.answer.complete);
        assert_eq!(said.score(), oracle[depth - 1], "{setting:?}");
        let expected = setting.iterations(depth);
        let mut iterations: Vec<usize> = said.reports.iter().map(|report| report.iteration).collect();
        iterations.dedup();
        assert_eq!(iterations, expected, "{setting:?}");
        for d in expected {
            let lines = said.lines(d);
            let mut expected = by_move[d - 1].clone();
            expected.sort_by_key(|value| std::cmp::Reverse(*value));
            expected.truncate(setting.lines);
            let found: Vec<Score> = lines.iter().map(|line| line.score).collect();
            assert_eq!(found, expected, "lines of depth {d}, {setting:?}");
            for line in lines {
                let index = moves(position).iter().position(|mv| *mv == line.pv[0]).expect("a legal move");
                assert_eq!(by_move[d - 1][index], line.score, "value of {:?}, {setting:?}", line.pv[0]);
                check_pv(position, d, line, setting.remember.keeps_variations());
            }
        }
        for failure in &said.reports {
            let mut at = position.clone();
            for &mv in &failure.pv {
                assert!(moves(&at).contains(&mv), "a reported line is illegal: {failure:?}, {setting:?}");
                at.play(mv);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn every_sound_setting_finds_the_minimax_value(rules in layered(), depth in 1usize..5) {
        check(&rules.root(), depth, one_in(23));
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn several_lines_are_the_best_root_moves(rules in layered(), depth in 1usize..6) {
        check(&rules.root(), depth, some_sound_settings());
    }

    #[test]
    fn random_trees_too(seed in any::<u64>(), kind in 0usize..6, width in 1u16..5, depth in 1usize..6) {
        let values = [Values::Independent, Values::StronglyOrdered, Values::Incremental, Values::BestFirst,
            Values::WorstFirst, Values::Constant(Score(3))][kind];
        check(
            &Uneventful(RandomTree::new(values, width, 4, seed)),
            depth,
            some_sound_settings().filter(|s| s.order & 63 == 31),
        );
    }

    /// A restriction of the root moves gives the best of the permitted moves.
    #[test]
    fn only_the_root_moves_asked_for_are_searched(
        rules in layered(), depth in 1usize..5, mask in 1usize..16,
    ) {
        let root = rules.root();
        let all = moves(&root);
        let chosen: Vec<u8> = all.iter().copied().filter(|mv| mask >> mv & 1 != 0).collect();
        if !chosen.is_empty() {
            let values = root_values(&root, depth);
            let best = chosen.iter().map(|mv| values[usize::from(*mv)]).max().unwrap();
            for setting in some_sound_settings() {
                let request = Request {
                    moves: &chosen,
                    lines: setting.lines,
                    ..Request::new(&root, &Unlimited).to_iteration(depth)
                };
                let said = solve(setting, &request);
                prop_assert_eq!(said.score(), best, "{:?}", setting);
                prop_assert!(said.answer.lines.iter().all(|line| chosen.contains(&line.pv[0])));
                prop_assert_eq!(said.answer.lines.len(), setting.lines.min(chosen.len()));
            }
        }
    }

    /// A slot that knows some values before they are searched does not change the result.
    #[test]
    fn knowledge_keeps_the_value(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..30)) {
        let mut slots = Slots::<Connect4, Exact>::new(Statics, Table::new(1).unwrap().above(2), WinsAtOnce);
        let mut position = Connect4::default();
        for choice in choices {
            let moves = moves(&position);
            if moves.is_empty() {
                break;
            }
            let at_once = minimax(&position, &mut Statics, 1) == Score::win_in(1);
            let told = WinsAtOnce.probe(&position, 4);
            prop_assert_eq!(told, at_once.then_some((Score::win_in(5), Bound::Exact)), "{}", position);
            position.play(*choice.get(&moves));
        }
        if !position.is_over() {
            for depth in 1..=5 {
                let said = run_to(&mut slots, &position, depth);
                prop_assert_eq!(said.score(), minimax(&position, &mut Statics, depth), "{}", position);
            }
        }
    }
}

#[test]
fn real_games() {
    for text in ["...\n...\n...", "X..\n.O.\n..X", "XO.\n...\n...", "X.O\nXO.\n..."] {
        let position: TicTacToe = text.parse().unwrap();
        check(&position, 5, some_sound_settings());
    }
    for text in ["", "44", "4455", "445531", "121212"] {
        let position: Connect4 = text.parse().unwrap();
        check(&position, 5, some_sound_settings().filter(|s| s.order % 8 == 7));
    }
    // The initial position; a forced pass; a move that ends the game.
    for text in ["", "d3c3b3b2f5a3a1c1", "e6f4e3f6g5d6e7f5"] {
        let position: Othello = text.parse().unwrap();
        check(&Uneventful(position), 4, some_sound_settings().filter(|s| s.order % 8 == 7));
    }
}

/// A search to the end of the game, in one table with everything on.
#[test]
fn tic_tac_toe_is_a_draw() {
    for setting in some_sound_settings() {
        let said = solve(setting, &Request::new(&TicTacToe::default(), &Unlimited).to_iteration(9));
        assert_eq!(said.score(), Score::DRAW);
    }
}

#[test]
fn the_papers_trees() {
    let trees: Vec<Tree> = vec![
        figures::cns_1(),
        figures::cns_2(),
        figures::cns_growth(),
        figures::augmented_strategy(&[1, 2, 2], 2),
        figures::theorem_2(),
    ];
    for tree in trees.iter().chain(&figures::ABC_LINES.map(|line| line.tree())) {
        check(&Uneventful(tree.root()), 7, some_sound_settings());
    }
}

/// A root where only some moves were searched is not stored as the position's value.
#[test]
fn a_restricted_root_is_not_remembered_as_a_position() {
    let rules = |seed| Rules { seed, ends: 0, spread: 100, ..Rules::default() };
    for (table, lines) in [Table::new(1).unwrap(), Table::new(1).unwrap().strict()].into_iter().zip([1, 3]) {
        for root in (0..60).map(|seed| rules(seed).root()) {
            table.clear();
            let mut slots =
                Slots::<RandomGame, Ordered<Plies, MinimalWindow, Table>>::new(Statics, table.clone(), Off);
            for mv in moves(&root) {
                let child = after(&root, mv);
                let last = *moves(&child).last().unwrap();
                let only = [last];
                let restricted = Request {
                    moves: if lines == 1 { &only } else { &[] },
                    lines,
                    ..Request::new(&child, &Unlimited).to_iteration(3)
                };
                run(&mut slots, &restricted);
            }
            assert_eq!(
                run_to(&mut slots, &root, 4).score(),
                minimax(&root, &mut Statics, 4),
                "{lines} lines"
            );
        }
    }
}

/// The bounds of a node's value if every leaf below is at least as deep as requested, and deeper by any
/// amount up to a limit: `by_depth[d]` for a node with `d` remaining plies.
struct Bracket {
    positions: HashMap<u64, RandomGame>,
    by_depth: HashMap<u64, Vec<(Score, Score)>>,
}

impl Bracket {
    fn new(root: &RandomGame, most: usize) -> Bracket {
        let mut positions = HashMap::new();
        let mut open = vec![*root];
        while let Some(position) = open.pop() {
            if positions.insert(position.key(), position).is_none() {
                open.extend(moves(&position).into_iter().map(|mv| after(&position, mv)));
            }
        }
        let fixed = |position: &RandomGame| {
            let end = position.is_over().then(|| position.outcome().score(0));
            let score = end.unwrap_or(position.static_value());
            vec![(score, score); most + 1]
        };
        let by_depth = positions.iter().map(|(key, position)| (*key, fixed(position))).collect();
        let mut bracket = Bracket { positions, by_depth };
        // Stored results may rest on other stored results repeatedly: the bounds are widened to a fixed
        // point.
        for _ in 0..100 {
            let widened = bracket.widened(most);
            let stable = widened == bracket.by_depth;
            bracket.by_depth = widened;
            if stable {
                break;
            }
        }
        bracket
    }

    fn widened(&self, most: usize) -> HashMap<u64, Vec<(Score, Score)>> {
        let range = |position: &RandomGame| {
            let mut exact: Vec<_> = (0..=most).map(|depth| self.exactly(position, depth)).collect();
            for depth in (0..most).rev() {
                let (this, deeper) = (exact[depth], exact[depth + 1]);
                exact[depth] = (this.0.min(deeper.0), this.1.max(deeper.1));
            }
            exact
        };
        self.positions.iter().map(|(key, position)| (*key, range(position))).collect()
    }

    /// Returns the range of a node that is searched to exactly this depth.
    fn exactly(&self, position: &RandomGame, depth: usize) -> (Score, Score) {
        if depth == 0 || position.is_over() {
            let score =
                if position.is_over() { position.outcome().score(0) } else { position.static_value() };
            return (score, score);
        }
        let children =
            moves(position).into_iter().map(|mv| self.by_depth[&after(position, mv).key()][depth - 1]);
        let ranges = children.map(|(low, high)| (up(high), up(low)));
        ranges.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).expect("a move")
    }
}

fn cycles() -> impl Strategy<Value = Rules> {
    (any::<u64>(), 2u32..30, 1u8..5, 0u8..20, 0u16..30).prop_map(|(seed, places, branching, ends, spread)| {
        Rules { seed, shape: Shape::Cycles(places), branching, ends, spread, ..Rules::default() }
    })
}

proptest! {
    #![proptest_config(cases(150))]

    /// Where positions repeat at other plies, a stored result may be deeper than requested, so the value
    /// need not be that of one depth. But no shallower result counts: the value is that of some tree all
    /// of whose leaves are deep enough.
    #[test]
    fn a_table_never_makes_a_search_shallower(rules in cycles(), depth in 1usize..6) {
        let root = rules.root();
        if root.is_over() {
            return Ok(());
        }
        let (low, high) = Bracket::new(&root, depth - 1).exactly(&root, depth);
        for setting in some_sound_settings().filter(|s| s.lines == 1) {
            let said = solve(setting, &Request::new(&root, &Unlimited).to_iteration(depth));
            prop_assert!(
                (low..=high).contains(&said.score()),
                "{:?} not in {:?}..={:?}, {:?}", said.score(), low, high, setting
            );
        }
    }
}

proptest! {
    #![proptest_config(cases(120))]

    /// Draws by repetition and by rule are found without a table.
    #[test]
    fn repetitions_are_draws(rules in cycles(), patience in 3u16..20, depth in 1usize..8) {
        let rules = Rules { branching: rules.branching.min(3), noisy: 10, patience, ..rules };
        let root = rules.root();
        if !root.is_over() {
            let expected = with_repetitions(&mut vec![root], depth);
            let mut whole = Slots::<RandomGame, Plain<Plies, WholeWindow, Off, Off, Off, Repetition>>::new(
                Statics, Off, Off,
            );
            prop_assert_eq!(run_to(&mut whole, &root, depth).score(), expected);
            let mut minimal =
                Slots::<RandomGame, Ordered<Plies, MinimalWindow, Off, Off, Off, Repetition>>::new(
                    Statics, Off, Off,
                );
            prop_assert_eq!(run_to(&mut minimal, &root, depth).score(), expected);
            let mut ahead = Slots::<
                RandomGame,
                Ordered<Plies, MinimalWindow, Off, Off, Off, UpcomingRepetition>,
            >::new(Statics, Off, Off);
            prop_assert_eq!(run_to(&mut ahead, &root, depth).score(), expected);
        }
    }
}

/// Looking one move ahead for repetitions saves nodes.
#[test]
fn upcoming_repetitions_save_nodes() {
    fn nodes<D: Draws<RandomGame>>() -> u64 {
        let rules = Rules { shape: Shape::Cycles(12), ends: 0, ..Rules::default() };
        let nodes = (0..200).map(|seed| {
            let mut slots =
                Slots::<RandomGame, Ordered<Plies, MinimalWindow, Off, Off, Off, D>>::new(Statics, Off, Off);
            run_to(&mut slots, &Rules { seed, ..rules }.root(), 7).answer.nodes
        });
        nodes.sum()
    }
    let (with, without) = (nodes::<UpcomingRepetition>(), nodes::<Repetition>());
    assert!(with < without - without / 20, "{with} and {without}");
}

/// A table does not store the line that led to a position, so a draw by repetition, correct on one line,
/// can be used on another. This is the usual trade-off; here is a game in which it occurs.
#[test]
fn a_table_may_carry_a_draw_to_another_line() {
    let mut differ = 0;
    let games =
        (0..400).map(|seed| Rules { seed, shape: Shape::Cycles(6), branching: 3, ..Rules::default() });
    for root in games.map(Rules::root).filter(|root| !root.is_over()) {
        let mut slots = Slots::<RandomGame, Plain<Plies, WholeWindow, Table, Off, Off, Repetition>>::new(
            Statics,
            Table::new(1).unwrap().strict(),
            Off,
        );
        let said = run_to(&mut slots, &root, 7);
        differ += usize::from(said.score() != with_repetitions(&mut vec![root], 7));
        assert!(moves(&root).contains(&said.answer.best().unwrap()));
    }
    assert!(differ > 0);
}

/// The game before the root counts too, but there a position must occur twice.
#[test]
fn the_game_before_the_root_is_remembered() {
    let mut draws = Repetition::default();
    let games = (0..2000).map(|seed| Rules {
        seed,
        shape: Shape::Cycles(30),
        branching: 2,
        ends: 0,
        noisy: 0,
        ..Rules::default()
    });
    let mut seen = [0; 3];
    for root in games.map(Rules::root) {
        // A line of first moves, which eventually repeats a position.
        let mut line = vec![root];
        for _ in 0..14 {
            line.push(after(line.last().unwrap(), 0));
        }
        let last = *line.last().unwrap();
        let before = &line[..line.len() - 1];
        let earlier = (4..=14)
            .step_by(2)
            .filter(|back| line[14 - back].repetition_key() == last.repetition_key())
            .count();
        Draws::<RandomGame>::start(&mut draws, before);
        assert_eq!(draws.is_draw(&last, 0), earlier >= 2);
        // On a line of the search one earlier occurrence is enough.
        assert_eq!(draws.is_draw(&last, 14), earlier >= 1);
        seen[earlier.min(2)] += 1;
    }
    assert!(seen[0] > 0 && seen[2] > 0, "{seen:?}");
}
