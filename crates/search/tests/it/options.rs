//! Tests the ways to count options: each follows its definition, and none changes a value where every
//! line ends.

use crate::common::*;
use cassius_games::RandomGame;
use cassius_games::random_game::Rules;
use cassius_search::alpha_beta::horizon::{Abc, Altered, Discounted, FailHard, Horizon, Plies, Safety};
use cassius_search::alpha_beta::memory::Memory;
use cassius_search::alpha_beta::options::{
    Clues, Listing, OptionRecorder, OptionSources, Oracle, RootOptions,
};
use cassius_search::alpha_beta::windows::{MinimalWindow, WholeWindow, Windows};
use cassius_search::{
    Checks as _, Component, Depth, Depths, Evaluate, Game, Noisy as _, Off, Pass as _, Score, Slots, Static,
    Statics, Table, Window, minimax,
};
use proptest::prelude::*;

type Move = <RandomGame as Game>::Move;
type Recorder = Altered<OptionRecorder<Move>, Plies>;
type Listening<M> = Slots<RandomGame, Counting<Recorder, MinimalWindow, M, Through>>;

const NAMES: [&str; 10] = [
    "FailedPass",
    "LegalMoves",
    "LearnedOptions",
    "StaticEstimator",
    "StaticMargin",
    "RememberedOptions",
    "OrderedOptions",
    "RandomOptions",
    "ReducedSearches",
    "SiblingQuiescence",
];

/// Sets a parameter, or switches a component on.
fn set(options: &mut OptionSources, name: &str, to: i32) {
    let mut found = false;
    options.visit(&mut |parameter, value| {
        if parameter.full_name() == name {
            (*value, found) = (to, true);
        }
    });
    assert!(found, "{name}");
}

/// Returns the options reported at the root at every expansion, in iterations 1 to `n`. Iterations after
/// the first begin with `window`.
fn hear<M: Memory<RandomGame>>(
    memory: M,
    root: &RandomGame,
    n: usize,
    window: Window,
    settings: &[(&str, i32)],
) -> Vec<RootOptions<Move>> {
    let mut slots = Listening::new(Statics, memory, Off);
    for (name, value) in settings {
        set(&mut slots.options, name, *value);
    }
    slots.horizon.change.margin = Score(3);
    slots.aspiration = Through(window);
    run_to(&mut slots, root, n);
    slots.horizon.change.said
}

/// Returns the options reported in iteration `n`, searched through the whole window.
fn listen(root: &RandomGame, n: usize, settings: &[(&str, i32)]) -> Option<(Listing, Vec<Score>)> {
    let heard = hear(Table::new(1).unwrap(), root, n, Window::FULL, settings);
    let said = heard.into_iter().next_back().expect("the root was expanded");
    said.listing.map(|listing| (listing, said.values))
}

fn games() -> impl Strategy<Value = RandomGame> {
    layered().prop_map(|rules| Rules { checks: 40, ..rules }.root()).prop_filter("over", |it| !it.is_over())
}

/// Says that there are as many options as moves, and keeps the clues.
#[derive(Default)]
struct Learned(Vec<Clues>);

impl Evaluate<RandomGame> for Learned {
    fn evaluate(&mut self, position: &RandomGame) -> Score {
        position.static_value()
    }

    fn options(&mut self, clues: &Clues) -> Option<usize> {
        self.0.push(*clues);
        Some((clues.0[5] * 32.0) as usize)
    }
}

/// Returns the value of a position for the side that moved to it, without search.
fn seen_from_above(child: &RandomGame) -> Score {
    if child.is_over() { -child.outcome().score(1) } else { -child.static_value() }
}

proptest! {
    #![proptest_config(cases(500))]

    /// The recipe has no quiescence, so quiescence values are static values.
    #[test]
    fn the_static_estimator_repeats_two_values(root in games()) {
        let said = listen(&root, 1, &[("StaticEstimator.on", 1)]);
        let (listing, values) = said.expect("an estimate");
        prop_assert_eq!(listing, Listing::Guess);
        let standing = root.static_value();
        let mut passed = root;
        passed.pass();
        let expected = match root.in_check() {
            true => vec![standing; 2],
            false => [vec![standing; 3], vec![seen_from_above(&passed); 30]].concat(),
        };
        prop_assert_eq!(values, expected);
    }

    #[test]
    fn far_from_the_leaves_the_static_estimator_is_silent(root in games(), n in 1usize..4, near in 0..4) {
        let settings = [("StaticEstimator.on", 1), ("StaticEstimator.nearness", 100 * near)];
        let said = listen(&root, n, &settings);
        prop_assert_eq!(said.is_some(), n as i32 <= near);
    }

    #[test]
    fn sibling_values_are_those_of_the_positions_after_the_moves(root in games()) {
        let said = listen(&root, 1, &[("SiblingQuiescence.on", 1)]);
        let values = moves(&root).into_iter().map(|mv| seen_from_above(&after(&root, mv))).collect();
        prop_assert_eq!(said, Some((Listing::Moves, values)));
    }

    #[test]
    fn a_margin_is_cut_into_options(root in games(), step in 1..9, most in 1..40, offset in -9..9) {
        let settings = [
            ("StaticMargin.on", 1), ("StaticMargin.step", step),
            ("StaticMargin.most", most), ("StaticMargin.offset", offset),
        ];
        let said = listen(&root, 1, &settings);
        let (_, values) = said.expect("an estimate");
        for bar in -40..40 {
            let margin = root.static_value() + Score(offset - bar);
            let expected = ((margin.0 + step - 1) / step).clamp(0, most);
            let options = values.iter().filter(|value| value.0 > bar).count();
            prop_assert_eq!(options as i32, expected);
        }
    }

    #[test]
    fn in_check_every_legal_move_is_an_option(root in games(), quiet in 0..2) {
        let settings = [("LegalMoves.on", 1), ("LegalMoves.quiet", quiet)];
        let said = listen(&root, 1, &settings);
        let expected = (root.in_check() || quiet == 1)
            .then(|| (Listing::Moves, vec![Score::INFINITE; moves(&root).len()]));
        prop_assert_eq!(said, expected);
    }

    /// Whether a move is worth more than δ below β is decided by a search that is shallower by the
    /// reduction.
    #[test]
    fn reduced_searches_give_the_verdict_of_shallower_minimax(
        rules in layered(), n in 4usize..6, reduction in 1usize..3, above in -20..20,
    ) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let settings = [
            ("ReducedSearches.on", 1), ("ReducedSearches.reduction", 100 * reduction as i32),
            ("ReducedSearches.farness", 400),
        ];
        let window = Window::above(Score(above));
        // A minimal window fails, is opened, and then nothing is reported.
        let heard = hear(Off, &root, n, window, &settings);
        let [.., minimal, open] = &heard[..] else { panic!("two searches") };
        prop_assert_eq!((minimal.window, open.window), (window, Window::FULL));
        prop_assert_eq!((minimal.listing, open.listing), (Some(Listing::Moves), None));
        let bar = window.beta - Score(3);
        for (&mv, &value) in minimal.moves.iter().zip(&minimal.values) {
            let truth = up(minimax(&after(&root, mv), &mut Statics, n - 1 - reduction));
            prop_assert_eq!(value > bar, truth > bar, "{:?} {:?} {:?}", mv, value, truth);
        }
    }

    /// Free searches give the verdict of shallower minimax too, in an open window against the value itself,
    /// and the search does not know of them. With `open` or `cut_only` some windows are not judged: a root
    /// whose window is minimal is not expected to fail high.
    #[test]
    fn free_searches_give_the_verdict_of_shallower_minimax(
        rules in layered(), n in 3usize..6, reduction in 0usize..3, above in -20..20, enough in 1..9,
        (windows, cut_only, values) in (0..=2, 0..=1, 0..=3),
    ) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let asking = |oracle: Oracle<_, Inquired>| {
            let mut slots = Slots::<_, Asking<Recorder, MinimalWindow, Off, Through>>::new(Statics, Off, Off);
            slots.options = oracle;
            slots.horizon.change.margin = Score(3);
            slots.aspiration = Through(Window::above(Score(above)));
            let said = run_to(&mut slots, &root, n);
            (said, slots.horizon.change.said)
        };
        let mut oracle = Oracle::new(Slots::new(Statics, Off, Off), |_| {});
        oracle.rules.reduction = 100 * reduction as i32;
        oracle.rules.enough = enough;
        (oracle.rules.open, oracle.rules.cut_only, oracle.rules.values) = (windows, cut_only, values);
        let (said, heard) = asking(oracle);
        let (alone, _) = asking(Oracle::default());
        prop_assert_eq!(said.answer.nodes, alone.answer.nodes);
        prop_assert_eq!(said.score(), alone.score());

        let [.., minimal, open] = &heard[..] else { panic!("two searches") };
        prop_assert_eq!((minimal.window.is_minimal(), open.window), (true, Window::FULL));
        for (said, judged) in [(minimal, windows != 1 && cut_only == 0), (open, windows != 2)] {
            prop_assert_eq!(said.listing, judged.then_some(Listing::Moves));
            if !judged {
                continue;
            }
            let held = match said.window.is_minimal() {
                true => said.window.beta,
                false => minimax(&root, &mut Statics, n - reduction),
            };
            let exact = values == 1 && !said.window.is_minimal();
            if values == 2 && !said.window.is_minimal() {
                prop_assert!(said.values.iter().all(|value| *value == held - Score(2)));
                continue;
            }
            let truth = |mv| up(minimax(&after(&root, mv), &mut Statics, (n - reduction).saturating_sub(1)));
            let options = |values: &dyn Fn(usize) -> Score| {
                (0..said.moves.len()).filter(|&index| values(index) > held - Score(3)).count()
            };
            let all = options(&|index| truth(said.moves[index]));
            if values == 3 && !said.window.is_minimal() {
                let left_out = |mv| all == 1 && truth(mv) <= held - Score(3);
                for (&mv, &value) in said.moves.iter().zip(&said.values).filter(|_| enough > 1) {
                    let expected = if left_out(mv) { -Score::INFINITE } else { Score::INFINITE };
                    prop_assert_eq!(value, expected, "{:?}", mv);
                }
                continue;
            }
            let counted = if exact { all } else { all.min(enough as usize) };
            prop_assert_eq!(options(&|index| said.values[index]), counted);
            for (&mv, &value) in said.moves.iter().zip(&said.values) {
                prop_assert!(value <= held - Score(3) || truth(mv) > held - Score(3), "{:?}", mv);
                prop_assert!(!exact || value == truth(mv).max(held - Score(6)), "{:?}", mv);
            }
        }
    }

    /// The counted values are those in the table, and they are correct: lower bounds of a move's value
    /// or, in the hopeful variant, upper bounds.
    #[test]
    fn remembered_options_hold(rules in layered(), n in 3usize..5, hopeful in any::<bool>()) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let settings = [("RememberedOptions.on", 1), ("RememberedOptions.hopeful", i32::from(hopeful))];
        let heard = hear(Table::new(1).unwrap(), &root, n, Window::FULL, &settings);
        let said = heard.into_iter().next_back().expect("the root was expanded");
        prop_assert_eq!(said.listing, Some(Listing::Moves));
        let mut known = 0;
        let unknown = if hopeful { Score::INFINITE } else { -Score::INFINITE };
        for (mv, value) in said.moves.into_iter().zip(said.values).filter(|(_, value)| *value != unknown) {
            // Before this iteration the position after the move was searched to at most n − 2 plies.
            let holds = |plies| {
                let truth = up(minimax(&after(&root, mv), &mut Statics, plies));
                if hopeful { truth <= value } else { truth >= value }
            };
            prop_assert!((0..n - 1).any(holds));
            known += 1;
        }
        let ends_at_once = moves(&root).iter().any(|&mv| after(&root, mv).is_over());
        prop_assert!(known > 0 || ends_at_once, "nothing is known after an iteration");
    }

    #[test]
    fn near_the_leaves_the_memory_is_not_asked(root in games(), n in 1usize..4, far in 0..5) {
        let settings = [("RememberedOptions.on", 1), ("RememberedOptions.farness", 100 * far)];
        let said = listen(&root, n, &settings);
        prop_assert_eq!(said.is_some(), n as i32 >= far);
    }

    /// Where no pass is tried, no pass fails, and nothing is reported.
    #[test]
    fn without_a_pass_nothing_is_said_of_it(rules in layered(), n in 1usize..5, options in 0..9) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let search = |said: bool| {
            let mut slots =
                Slots::<_, Counting<Abc, MinimalWindow, Table>>::new(Statics, Table::new(1).unwrap(), Off);
            (slots.horizon.delta, slots.horizon.branching) = (3, 4);
            set(&mut slots.options, "FailedPass.on", i32::from(said));
            set(&mut slots.options, "FailedPass.options", options);
            run_to(&mut slots, &root, n).answer.nodes
        };
        prop_assert_eq!(search(true), search(false));
    }

    /// The evaluation is asked where the window is minimal and far from the leaves, and what it says counts.
    #[test]
    fn learned_options_are_those_that_the_evaluation_names(
        rules in layered(), n in 2usize..5, above in -20..20, far in 0..6,
    ) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        type Asked = Counting<Recorder, MinimalWindow, Table, Through, Off, Off, Off, Learned>;
        let mut slots = Slots::<RandomGame, Asked>::new(
            Learned::default(),
            Table::new(1).unwrap(),
            Off,
        );
        for (name, value) in [("on", 1), ("farness", 100 * far)] {
            set(&mut slots.options, &format!("LearnedOptions.{name}"), value);
        }
        slots.horizon.change.margin = Score(3);
        slots.aspiration = Through(Window::above(Score(above)));
        run_to(&mut slots, &root, n);
        // What the memory knows of a move is what it knows of the position after it.
        for mv in moves(&root) {
            let mut child = root;
            child.play(mv);
            prop_assert_eq!(slots.memory.probe_after(&root, mv, 1), slots.memory.probe(&child, 1));
        }
        for clues in &slots.evaluate.0 {
            prop_assert!(clues.0.iter().all(|clue| (-2.0..=64.0).contains(clue)), "{:?}", clues);
        }
        let [.., minimal, open] = &slots.horizon.change.said[..] else { panic!("two searches") };
        prop_assert_eq!(open.listing, None);
        if (n as i32) < far {
            prop_assert_eq!(minimal.listing, None);
        } else {
            prop_assert_eq!(minimal.listing, Some(Listing::Guess));
            prop_assert_eq!(&minimal.values, &vec![Score::INFINITE; moves(&root).len()]);
        }
    }

    /// Moves with a high rank are options. A higher threshold gives fewer options.
    #[test]
    fn ordered_options_are_those_ranked_high(rules in layered(), n in 2usize..5, least in -100..100) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let count = |least, noisy| {
            let settings =
                [("OrderedOptions.on", 1), ("OrderedOptions.least", least), ("OrderedOptions.noisy", noisy)];
            let said = listen(&root, n, &settings);
            let (_, values) = said.expect("a list");
            values.iter().filter(|value| **value == Score::INFINITE).count()
        };
        // Only moves that lose an exchange rank lower.
        let loses = |mv: &Move| root.is_noisy(*mv) && !root.exchange_at_least(*mv, Score(0));
        let losing = moves(&root).iter().filter(|mv| loses(mv)).count();
        prop_assert!(count(-16384, 1) >= moves(&root).len() - losing);
        prop_assert!(count(least, 1) >= count(least + 50, 1));
        prop_assert!(count(least, 1) >= count(least, 0));
        // At most two killers and one countermove remain.
        prop_assert!(count(16384, 0) <= 3);
    }

    /// Where every line ends within the depth requested, options do not affect the value.
    #[test]
    fn no_way_of_counting_changes_the_value_of_a_whole_game(
        rules in layered(), way in 0..11usize, coupling in 0..=100, narrow in any::<bool>(),
    ) {
        let root = Rules { ends: 20 + rules.ends, ..rules }.root();
        prop_assume!(!root.is_over() && ends_within(&root, 8));
        fn value<W: Windows>(root: &RandomGame, way: usize, coupling: i32) -> Score {
            let mut slots = Slots::<_, Counting<Always<Abc>, W, Table>>::new(
                Statics,
                Table::new(1).unwrap().strict(),
                Off,
            );
            slots.horizon = always(Abc::default(), Depths::both(Depth::plies(20)));
            (slots.horizon.rule.coupling, slots.horizon.rule.delta) = (coupling, 3);
            NAMES.get(way).inspect(|name| set(&mut slots.options, &format!("{name}.on"), 1));
            set(&mut slots.options, "LegalMoves.quiet", 1);
            run_to(&mut slots, root, 1).score()
        }
        let truth = minimax(&root, &mut Statics, 9);
        let found = if narrow {
            value::<MinimalWindow>(&root, way, coupling)
        } else {
            value::<WholeWindow>(&root, way, coupling)
        };
        prop_assert_eq!(found, truth, "{:?}", NAMES.get(way));
    }

    /// With S = 1 and c = 1 the search counts plies, node for node, whatever way of counting options is
    /// used.
    #[test]
    fn with_s_and_c_of_1_plies_are_counted(
        rules in layered(), n in 1usize..6, estimate in any::<bool>(), soft in any::<bool>(),
        one_depth in 0..=1, cut_only in 0..=1,
    ) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let mut abc =
            Slots::<_, Counting<Abc, MinimalWindow, Table>>::new(Statics, Table::new(1).unwrap(), Off);
        abc.horizon = Abc::new(Safety::one(), Score(1));
        (abc.horizon.coupling, abc.horizon.soft) = (100, i32::from(soft));
        (abc.horizon.one_depth, abc.horizon.cut_only) = (one_depth, cut_only);
        set(&mut abc.options, "StaticMargin.on", i32::from(estimate));
        fn plies<H: Horizon<RandomGame>>(root: &RandomGame, n: usize) -> Said<Move> {
            run_to(
                &mut Slots::<_, Counting<H, MinimalWindow, Table>>::new(Statics, Table::new(1).unwrap(), Off),
                root,
                n,
            )
        }
        let plies =
            if soft { plies::<Plies>(&root, n) } else { plies::<Discounted<FailHard, Plies>>(&root, n) };
        let abc = run_to(&mut abc, &root, n);
        prop_assert_eq!(abc.score(), plies.score());
        prop_assert_eq!(abc.answer.nodes, plies.answer.nodes);
    }

    /// Lines end at a fixed multiple of the iteration's plies, rounded to an even number, even if all
    /// moves are forced.
    #[test]
    fn lines_have_an_end(rules in layered(), n in 1usize..5, longest in 1..4, coupling in 0..=100) {
        let root = rules.root();
        prop_assume!(!root.is_over());
        let mut abc =
            Slots::<_, Counting<Abc, MinimalWindow, Table>>::new(Statics, Table::new(1).unwrap(), Off);
        (abc.horizon.floor, abc.horizon.delta, abc.horizon.longest, abc.horizon.coupling) =
            (0, 1, longest, coupling);
        let said = run_to(&mut abc, &root, n);
        prop_assert!(said.answer.lines.iter().all(|line| line.max_ply <= (n + 1) * longest as usize));
    }
}

/// Without this limit some lines are longer.
#[test]
fn forced_lines_without_an_end_are_longer() {
    let longer = |longest: i32| {
        let root = |seed| Rules { seed, branching: 2, checks: 40, ..Rules::default() }.root();
        let search = |root: RandomGame| {
            let mut abc = Slots::<_, Counting<Abc, MinimalWindow, Off>>::new(Statics, Off, Off);
            (abc.horizon.floor, abc.horizon.delta, abc.horizon.longest) = (10, 1, longest);
            run_to(&mut abc, &root, 2).answer.lines[0].max_ply > 4
        };
        (0..40).map(root).filter(|root| !root.is_over()).filter(|root| search(*root)).count()
    };
    assert_eq!(longer(2), 0);
    assert!(longer(0) > 4, "{}", longer(0));
}

/// Of nodes drawn by chance as many as asked for have no option, and the same ones in every iteration.
#[test]
fn random_options_are_drawn_by_position() {
    // No lot is drawn in check or of a single move.
    let is_drawn = |root: &RandomGame| !root.in_check() && moves(root).len() > 1;
    let root = |seed| Rules { seed, branching: 4, ends: 0, ..Rules::default() }.root();
    let roots: Vec<RandomGame> = (0..400).map(root).filter(is_drawn).take(200).collect();
    assert_eq!(roots.len(), 200);
    let none = |[cut, all]: [i32; 2]| {
        let found = roots.iter().filter(|root| {
            let settings = [
                ("RandomOptions.on", 1),
                ("RandomOptions.farness", 0),
                ("RandomOptions.cut", cut),
                ("RandomOptions.all", all),
            ];
            let heard =
                hear(Table::new(1).unwrap(), root, 3, Window { alpha: Score(-1), beta: Score(0) }, &settings);
            let lists: Vec<_> =
                heard.iter().filter_map(|said| said.listing.map(|_| said.values.len())).collect();
            assert!(lists.windows(2).all(|pair| pair[0] == pair[1]), "{lists:?}");
            lists.last() == Some(&0)
        });
        found.count()
    };
    assert_eq!((none([0, 0]), none([100, 100])), (0, 200));
    // The root is of one of the two kinds.
    let kinds = [none([100, 0]), none([0, 100])];
    assert!(kinds == [0, 200] || kinds == [200, 0], "{kinds:?}");
    let half = none([50, 50]);
    assert!((70..=130).contains(&half), "{half}");
}
