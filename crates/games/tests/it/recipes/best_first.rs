//! Tests the recipes of the best-first family: their reports are correct and within the limits, for
//! every parameter.

use crate::common::{cases, with_repetitions};
use cassius_games::random_game::{Rules, Shape};
use cassius_games::{Connect4, Othello, RandomGame, RandomTree, TicTacToe, figures};
use cassius_search::alpha_beta::Proof;
use cassius_search::game::Bounded;
use cassius_search::{
    Answer, Bound, Engine, Game, Limits, Nodes, Playable, Report, Request, Score, Statics, Unlimited, minimax,
};
use proptest::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const STARS: [&str; 2] = ["sss-star", "dual-star"];

fn engine<G: Playable>(recipe: &str, mib: usize) -> Engine<G> {
    Engine::new(recipe, mib).unwrap()
}

fn answer<G: Playable>(recipe: &str, position: &G, iterations: usize) -> Answer<G::Move> {
    let request = Request::new(position, &Unlimited).to_iteration(iterations);
    engine(recipe, 16).search(&request, &mut |_| {})
}

fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut child = position.clone();
    child.play(mv);
    child
}

fn moves<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

/// Asserts that a report is correct: the minimax value of the line's first move, seen from the root, is
/// within its bound.
fn assert_true<G: Playable>(position: &G, line: &Report<G::Move>, depth: usize) {
    let value = match minimax(&after(position, line.pv[0]), &mut Statics, depth - 1) {
        value if value.is_decided() => -value.at_root(1),
        value => -value,
    };
    let unsaid = |score: Score| score.is_decided() && score.plies_to_end().is_none();
    match (line.score, line.bound) {
        // A win or a loss without its number of plies. A game for points is won by a single point.
        (score, Some(Bound::Exact)) if unsaid(score) => {
            assert_eq!(score.0.signum(), value.0.signum(), "{line:?}")
        }
        (Score::DRAW, Some(Bound::Exact)) => assert_eq!(value, Score::DRAW, "{line:?}"),
        (score, Some(Bound::Exact)) => assert_eq!(score, value, "{line:?}"),
        (score, Some(Bound::Lower)) => assert!(value >= score, "{line:?} {value:?}"),
        (score, Some(Bound::Upper)) => assert!(value <= score, "{line:?} {value:?}"),
        (score, None) => assert_eq!((score, line.proof()), (Score::DRAW, Proof::Unknown)),
    }
}

/// Checks proofs of every move, with little time and with unlimited time; in the latter case every
/// question is decided.
fn proves<G: Playable>(recipe: &str, position: &G, depth: usize) {
    let all = moves(position).len();
    for nodes in [20, 200, u64::MAX] {
        let limits = &Nodes(nodes);
        let request = Request { lines: all, ..Request::new(position, limits) };
        let answer = engine(recipe, 4).search(&request, &mut |_| {});
        answer.lines.iter().for_each(|line| assert_true(position, line, depth));
        assert!(answer.complete || nodes < u64::MAX, "{recipe}");
        if answer.complete {
            let (best, value) = (&answer.lines[0], minimax(position, &mut Statics, depth));
            assert_eq!(best.bound, Some(Bound::Exact));
            assert_eq!(best.score.0.signum(), value.0.signum(), "{recipe}");
            assert_true(position, best, depth);
        }
    }
}

/// Returns a random game with repetitions, and several moves in the initial position.
fn cycles() -> RandomGame {
    let games = (0..).map(|seed| format!("{seed},5,cycles=50").parse::<RandomGame>().unwrap());
    games.into_iter().find(|game| moves(game).len() > 3).unwrap()
}

/// Returns a position of tic-tac-toe after `played` moves, drawn from a seed.
fn tic_tac_toe(seed: u64, played: usize) -> TicTacToe {
    (0..played).fold(TicTacToe::default(), |position, ply| match &moves(&position)[..] {
        [] => position,
        moves => after(&position, moves[(seed >> (4 * ply)) as usize % moves.len()]),
    })
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn what_is_proven_is_minimax(
        seed in any::<u64>(), played in 1usize..9, width in 1u16..4, depth in 1u16..6,
    ) {
        let position = tic_tac_toe(seed, played);
        if !position.is_over() {
            for recipe in ["pns", "df-pn"] {
                proves(recipe, &position, 9);
            }
            let value = minimax(&position, &mut Statics, 9);
            for recipe in ["df-pn"].into_iter().chain(STARS) {
                let answer = answer(recipe, &position, 200);
                prop_assert_eq!((answer.score(), answer.complete), (Some(value), true), "{}", recipe);
                assert_true(&position, &answer.lines[0], 9);
            }
        }
        proves(
            "pns",
            &RandomTree::new(cassius_games::random_tree::Values::Coarse(1), width, depth, seed),
            depth.into(),
        );
    }

    /// Draws are those of the line, for lists too.
    #[test]
    fn stars_see_draws(seed in any::<u64>(), places in 2u32..30, branching in 1u8..4, patience in 3u16..7) {
        let game =
            Rules { seed, shape: Shape::Cycles(places), branching, patience, noisy: 0, ..Rules::default() }
                .root();
        if !game.is_over() {
            for depth in [2, usize::from(patience) + 1] {
                let value = with_repetitions(&mut vec![game], depth);
                for recipe in STARS {
                    let answer = answer(recipe, &game, depth);
                    prop_assert_eq!(
                        (answer.score(), answer.complete),
                        (Some(value), true),
                        "{} {}", recipe, depth
                    );
                }
            }
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for recipe in ["pns", "df-pn", "sss-star", "dual-star"] {
        let answer = answer(recipe, &TicTacToe::default(), 200);
        let best = &answer.lines[0];
        assert_eq!(
            (best.score, best.bound, answer.complete),
            (Score::DRAW, Some(Bound::Exact), true),
            "{recipe}"
        );
    }
    // A win is not ruled out if the plies do not suffice to see the end.
    let short = answer("df-pn", &TicTacToe::default(), 5);
    assert_eq!((short.score(), short.proof(), short.complete), (None, Proof::Unknown, false));
    assert_eq!(short.lines[0].score, Score::DRAW, "not a loss");
}

/// A win that cannot be proven within the nodes is not reported. With more nodes it is a win, and then
/// the shortest.
#[test]
fn connect_four_is_proven() {
    let position: Connect4 = "444".parse().unwrap();
    for recipe in ["pns", "df-pn"] {
        let request = Request::new(&position, &Nodes(500));
        let answer = engine(recipe, 1).search(&request, &mut |_| {});
        assert_eq!((answer.score(), answer.complete), (None, false), "{recipe}");
        assert_eq!((answer.proof(), answer.lines[0].score), (Proof::Unknown, Score::DRAW), "{recipe}");
        assert!(answer.best().is_some());
        let won: Connect4 = "4455".parse().unwrap();
        assert_eq!(self::answer(recipe, &won, 200).proof(), Proof::Proven, "{recipe}");
    }
    let lost: Connect4 = "44553".parse().unwrap(); // three with two open ends
    for (recipe, expected) in [("pns", -Score::KNOWN_WIN), ("df-pn", Score::loss_in(2))] {
        let value = minimax(&lost, &mut Statics, 4);
        let answer = answer(recipe, &lost, 200);
        assert_eq!(
            (value.is_loss(), answer.score(), answer.proof(), answer.complete),
            (true, Some(expected), Proof::Disproven, true),
            "{recipe}"
        );
    }
}

#[test]
fn the_papers_trees() {
    for tree in [figures::cns_1(), figures::cns_2(), figures::theorem_2()] {
        let root = tree.root();
        let value = minimax(&root, &mut Statics, 9);
        for recipe in STARS {
            let answer = answer(recipe, &root, 9);
            assert_eq!((answer.score(), answer.complete), (Some(value), true));
        }
        proves("pns", &root, 9);
    }
}

/// Every recipe keeps the limit, plays only permitted moves, and reports as many lines as requested,
/// each move once.
#[test]
fn requests_are_kept() {
    fn check<G: Playable>(position: &G, recipes: &[&str]) {
        let all = moves(position);
        for recipe in recipes {
            for nodes in [20, 100, 1_000, 5_000] {
                let limits = &Nodes(nodes);
                let request = Request { moves: &all[1..3], lines: 9, ..Request::new(position, limits) };
                let mut told = 0;
                let answer = engine(recipe, 16).search(&request, &mut |_| told += 1);
                assert!(answer.nodes <= nodes, "{recipe}: {} of {nodes}", answer.nodes);
                assert!(answer.complete || answer.nodes > nodes / 2, "{recipe}: {} of {nodes}", answer.nodes);
                let played: Vec<_> = answer.lines.iter().map(|line| line.pv[0]).collect();
                assert!(
                    (1..=2).contains(&played.len()) && played.iter().all(|mv| request.moves.contains(mv))
                );
                assert!(played.len() < 2 || played[0] != played[1]);
                // The recipes that know nothing before a depth is completed are silent if none was.
                assert!(told > 0 || STARS.contains(recipe) && answer.lines[0].iteration == 0, "{recipe}");
            }
        }
    }
    check::<Connect4>(
        &"4435".parse().unwrap(),
        &["pns", "df-pn", "b-star", "uct", "puct", "sss-star", "dual-star"],
    );
    check::<Othello>(&Othello::default(), &["pns", "uct", "puct", "sss-star", "dual-star"]);
    check::<RandomGame>(&cycles(), &["pns", "b-star", "uct", "puct", "sss-star", "dual-star"]);
}

/// With few nodes a search with lists uses exactly all of them, and none is wasted if the limit is
/// polled in slices.
#[test]
fn stars_use_all_nodes() {
    for recipe in STARS {
        for nodes in [1, 2, 50, 3_333] {
            let engine = engine::<Connect4>(recipe, 16);
            let answer = engine.search(&Request::new(&Connect4::default(), &Nodes(nodes)), &mut |_| {});
            assert_eq!((answer.nodes, answer.complete, answer.lines.len()), (nodes, false, 1), "{recipe}");
        }
    }
}

/// A tree without room for the root's moves plays one of them.
#[test]
fn a_move_is_played_without_any_room() {
    let root = "1,3000,3".parse::<RandomTree>().unwrap();
    for recipe in ["cns", "cns-value", "pns"] {
        let answer = engine(recipe, 0).search(&Request::new(&root, &Unlimited), &mut |_| {});
        assert!(answer.full && !answer.complete, "{recipe}");
        assert_eq!((answer.best(), answer.score()), (moves(&root).first().copied(), None), "{recipe}");
    }
}

/// A list or a tree without free space ends the search and reports it. The answer is what was found
/// before.
#[test]
fn memory_that_is_full_is_told() {
    for recipe in ["pns", "uct", "puct", "sss-star", "dual-star"] {
        let engine = engine::<Connect4>(recipe, 1);
        let answer = engine.search(&Request::new(&Connect4::default(), &Unlimited), &mut |_| {});
        assert!(answer.full && !answer.complete && answer.best().is_some(), "{recipe}");
        let depth = answer.lines[0].iteration;
        if STARS.contains(&recipe) {
            assert!(depth > 3);
            assert!(answer.nodes > answer.lines[0].nodes, "the search that has filled the list counts");
            assert_eq!(answer.score(), Some(minimax(&Connect4::default(), &mut Statics, depth)));
        }
    }
}

/// A limit that is final once reached, like time: no nodes are reserved for extracting what is proven.
struct Once(u64, AtomicBool);

impl Limits for Once {
    fn poll(&self, nodes: u64) -> Option<u64> {
        self.1.fetch_or(nodes >= self.0, Relaxed);
        (!self.1.load(Relaxed)).then_some(nodes + 1)
    }
}

/// df-pn does not lose what it has proven while it searches for something shorter.
#[test]
fn proven_wins_are_kept_when_time_is_up() {
    let mut proven = 0;
    for position in ["4455", "44444", "112233", "4443"] {
        let position: Connect4 = position.parse().unwrap();
        let search = |limits: &dyn Limits| {
            engine::<Connect4>("df-pn", 4).search(&Request::new(&position, limits), &mut |_| {})
        };
        let whole = search(&Nodes(400_000));
        if !whole.lines[0].score.is_win() {
            continue;
        }
        let (mut won, mut open) = (0, 0);
        for part in 1..60 {
            let line = &search(&Once(whole.nodes * part / 60, AtomicBool::new(false))).lines[0].clone();
            if line.score.is_win() {
                won += 1;
                proven += 1;
                let child = after(&position, line.pv[0]);
                let reply = engine::<Connect4>("df-pn", 4)
                    .search(&Request::new(&child, &Nodes(400_000)), &mut |_| {});
                assert!(reply.lines[0].score.is_loss(), "{child}: {:?}", line.pv[0]);
            } else if won > 0 {
                open += 1;
            }
        }
        // If the limit falls between a proof and its extraction, there is no result to show.
        assert!(open <= 1, "{position}: {open} of {won}");
    }
    assert!(proven > 0);
}

/// B* ends when the lower bound of the best move is at least the upper bound of every other move.
#[test]
fn b_star_proves_a_move_best() {
    let mut proven = 0;
    for position in ["4", "4455", "112233", "44335", "44", "3", ""] {
        let position: Connect4 = position.parse().unwrap();
        let request = Request { lines: 7, ..Request::new(&position, &Nodes(100_000)) };
        let star = engine::<Connect4>("b-star", 64);
        let answer = star.search(&request, &mut |_| {});
        let range = |line: usize| answer.lines[line].range.unwrap();
        if answer.complete {
            proven += 1;
            let best = answer.lines[0].score;
            assert!((1..answer.lines.len()).all(|line| range(line).1 <= best), "{position}");
        }
        assert!(
            answer.lines.iter().all(
                |line| line.bound == Some(Bound::Lower) || line.range.unwrap().0 == line.range.unwrap().1
            )
        );
    }
    assert!(proven > 1, "{proven}");
}

/// Every parameter that a recipe shows changes its tree, in at least one game.
#[test]
fn parameters_change_the_tree() {
    fn tree<G: Playable>(recipe: &str, position: &G, set: Option<(&str, i32)>) -> (u64, String) {
        let mut engine = engine::<G>(recipe, 4);
        if let Some((name, value)) = set {
            engine.set_parameter(name, value).unwrap();
        }
        let mut told = String::new();
        let request = Request::new(position, &Nodes(20_000)).to_iteration(3);
        let answer = engine.search(&request, &mut |report| told += &format!("{report:?}"));
        (answer.nodes, told)
    }
    let four: Connect4 = "4435".parse().unwrap();
    let (game, empty) = (cycles(), TicTacToe::default());
    for recipe in ["cns", "ccns", "cns-value", "pns", "b-star", "uct", "puct"] {
        let parameters = engine::<Connect4>(recipe, 1).parameters();
        assert!(!parameters.is_empty());
        for (parameter, usual) in parameters {
            let name = parameter.full_name();
            let others = [parameter.min, parameter.max, (parameter.min + parameter.max) / 2, usual + 1];
            let mut others = others.into_iter().filter(|other| *other != usual && *other <= parameter.max);
            assert!(
                others.any(|other| {
                    let set = Some((&name[..], other));
                    tree(recipe, &four, set) != tree(recipe, &four, None)
                        || tree(recipe, &game, set) != tree(recipe, &game, None)
                        || tree(recipe, &empty, set) != tree(recipe, &empty, None)
                }),
                "{recipe} {name}"
            );
        }
    }
}

/// Conspiracy numbers that are great prove nothing. The search is complete if as many as were asked for are
/// ruled out, or if the end of the game proves what it found.
#[test]
fn great_conspiracy_numbers_are_no_proof() {
    let (open, won): (Connect4, Connect4) = ("44".parse().unwrap(), "4455".parse().unwrap());
    for recipe in ["cns", "ccns", "cns-value"] {
        let mut engine = engine::<Connect4>(recipe, 16);
        let threshold =
            engine.parameters().into_iter().find(|(known, _)| known.name == "threshold").unwrap().0;
        engine.set_parameter(&threshold.full_name(), 1).unwrap();
        let search = |position: &Connect4, iterations: usize| {
            let request = Request::new(position, &Unlimited).to_iteration(iterations);
            engine.search(&request, &mut |_| {})
        };
        let answer = search(&open, 200);
        assert!(!answer.full && !answer.complete, "{recipe}");
        assert_eq!(answer.proof(), Proof::Unknown, "{recipe}");
        let answer = search(&won, 200);
        assert_eq!((answer.proof(), answer.score()), (Proof::Proven, Some(Score::win_in(3))), "{recipe}");
    }
}

/// Threats need passes; margins do not.
#[test]
fn leaves_have_margins_and_threats() {
    let names = |parameters: Vec<(cassius_search::Parameter, i32)>| -> Vec<String> {
        parameters.iter().map(|(parameter, _)| parameter.full_name()).collect()
    };
    for recipe in ["cns", "ccns", "cns-value"] {
        let (four, disc) = (engine::<Connect4>(recipe, 1), engine::<Othello>(recipe, 1));
        assert!(names(four.parameters()).ends_with(&["LeafThreat.on".into(), "LeafMargin.margin".into()]));
        assert!(names(disc.parameters()).ends_with(&["LeafMargin.margin".into()]));
        let error = engine::<Othello>(recipe, 1).switch("leafthreat", true).unwrap_err().to_string();
        assert_eq!(error, "component `LeafThreat` needs passes, which Othello does not have");
    }
}

/// With transpositions, the search finds the same proofs with fewer nodes.
#[test]
fn lines_that_meet_are_grown_once() {
    let position: Connect4 = "4453".parse().unwrap();
    let nodes = |on: bool| {
        let mut engine: Engine<Connect4> = engine("pns", 16);
        engine.switch("transpositions", on).unwrap();
        let answer = engine.search(&Request::new(&position, &Unlimited).to_iteration(1), &mut |_| {});
        (answer.score(), answer.nodes)
    };
    let ((apart, many), (together, few)) = (nodes(false), nodes(true));
    assert_eq!(apart, together);
    assert!(few < many, "{few} {many}");
}

/// McAllester's test bed (1988, §8): a position that eight conspirators leave open and nineteen decide.
#[test]
fn nineteen_conspirators_can_be_asked_for() {
    let tree: RandomTree = "3,10,6,incremental".parse().unwrap();
    let nodes = |threshold: Option<i32>| {
        let mut engine = engine::<RandomTree>("cns-value", 16);
        if let Some(threshold) = threshold {
            engine.set_parameter("ConspiracyNumbers.threshold", threshold).unwrap();
        }
        let answer = engine.search(&Request::new(&tree, &Unlimited), &mut |_| {});
        assert!(!answer.full);
        // The range is narrow, but more leaves than were counted may be wrong.
        let few = threshold.is_some_and(|threshold| threshold < 19);
        assert!(!few || !answer.complete, "{threshold:?}");
        (answer.nodes, answer.lines[0].iteration)
    };
    assert_eq!(nodes(Some(8)), (3_201, 8));
    assert_eq!(nodes(Some(18)), (8_651, 18));
    assert_eq!(nodes(Some(19)), (14_311, 19));
    assert_eq!(nodes(None), (15_011, 32));
    assert_eq!(nodes(Some(100)), (15_011, 100));
}

/// The bounds that a game gives for a position are correct, and B* with them proves the best move and
/// reports correct values.
fn bounds_hold<G: Playable + Bounded>(position: &G, depth: usize) {
    fn check<G: Playable + Bounded>(position: &G, ply: usize, depth: usize) {
        if position.is_over() {
            return;
        }
        let (least, greatest) = position.bounds(ply);
        let value = match minimax(position, &mut Statics, depth) {
            value if value.is_decided() => value.at_root(ply),
            value => value,
        };
        assert!(least <= value && value <= greatest, "{least:?} {value:?} {greatest:?} after {ply}");
        moves(position).into_iter().for_each(|mv| check(&after(position, mv), ply + 1, depth - 1));
    }
    check(position, 0, depth);
    for nodes in [30, 1_000_000] {
        let answer = engine("b-star", 64).search(&Request::new(position, &Nodes(nodes)), &mut |_| {});
        let (least, greatest) = answer.lines[0].range.unwrap();
        let child = after(position, answer.lines[0].pv[0]);
        let of = |value: Score| if value.is_decided() { -value.at_root(1) } else { -value };
        let (value, best) =
            (of(minimax(&child, &mut Statics, depth - 1)), minimax(position, &mut Statics, depth));
        // The range of the first line is the root's, if it has the root's value.
        let holds = |value: Score| least <= value && value <= greatest;
        assert!(holds(value) || holds(best), "{least:?} {value:?} {greatest:?}");
        assert!(!answer.complete || value == best, "{value:?} {best:?}");
        assert!(answer.complete || nodes < 1_000_000);
    }
}

proptest! {
    #![proptest_config(cases(25))]

    #[test]
    fn bounds_that_games_show_hold(
        seed in any::<u64>(), played in 3usize..8, width in 1u16..4, depth in 1u16..5,
    ) {
        use cassius_games::random_tree::Values;
        let position = tic_tac_toe(seed, played);
        if !position.is_over() {
            bounds_hold(&position, 9);
        }
        let kinds = [
            Values::Independent, Values::Coarse(5), Values::StronglyOrdered, Values::Incremental,
            Values::BestFirst, Values::WorstFirst, Values::Constant(Score(-3)),
        ];
        for values in kinds {
            bounds_hold(&RandomTree::new(values, width, depth, seed), depth.into());
        }
    }
}

#[test]
fn bounds_that_larger_games_show_hold() {
    for tree in [figures::cns_1(), figures::cns_2(), figures::theorem_2()] {
        bounds_hold(&tree.root(), 9);
    }
    // X holds the first row except one square, or O does: the stable discs there are counted, whichever
    // side is to move.
    for (row, kept) in [("XXXXX--O", [5, 1]), ("OOO---XX", [2, 3])] {
        for mover in ["X", "O"] {
            let board = format!("{row}{}XO{}{mover}", "-".repeat(20), "-".repeat(34));
            let position: Othello = board.parse().unwrap();
            let [mine, theirs] = if mover == "X" { kept } else { [kept[1], kept[0]] };
            assert_eq!(
                position.bounds(0),
                (Score(200 * mine - 6_400), Score(6_400 - 200 * theirs)),
                "{board}"
            );
        }
    }
    // The last moves of games of Connect Four, in which no side wins before it must, and of Othello.
    let mut looked_at = 0;
    for seed in 0..12 {
        let mut four = Connect4::default();
        for ply in 0.. {
            if four.is_over() || four.stones() >= 34 {
                break;
            }
            let all = moves(&four);
            let quiet: Vec<_> = all.iter().copied().filter(|&mv| !four.wins(mv)).collect();
            let choice = if quiet.is_empty() { &all } else { &quiet };
            four = after(&four, choice[(seed * 7 + ply * 5 + seed * ply) % choice.len()]);
        }
        if !four.is_over() {
            looked_at += 1;
            bounds_hold(&four, 8);
        }
        let mut discs = Othello::default();
        for ply in 0.. {
            if discs.is_over() || discs.empties() <= 5 {
                break;
            }
            let all = moves(&discs);
            discs = after(&discs, all[(seed * 7 + ply * 5) % all.len()]);
        }
        if !discs.is_over() {
            looked_at += 1;
            bounds_hold(&discs, 12);
        }
    }
    assert!(looked_at > 4, "{looked_at}");
}
