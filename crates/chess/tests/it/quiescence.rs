//! Tests the widened quiescence search in chess: hung pieces, threats, and the two positions of Kaindl
//! 1983.

use cassius_chess::figures::{KAINDL_1, KAINDL_2, PERPETUAL, QUEENS};
use cassius_chess::{Engine, Evaluation, Evaluator, Move, Position};
use cassius_search::alpha_beta::draws::{Draws, Repetition};
use cassius_search::alpha_beta::horizon::{CheckReplies, Discounted, Horizon, Plies, UncountedChecks};
use cassius_search::alpha_beta::observe::{Recorded, TreeRecorder};
use cassius_search::alpha_beta::order::{Killers, NoisyFirst};
use cassius_search::alpha_beta::quiescence::{
    Captures, ForcingChecks, HungMoves, KillerMoves, MateThreat, PassWhenHung, PromotionThreat, Quiescence,
    QuietChecks, Site, Source as _, Trail, Widened,
};
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::game::{Hung as _, Threat, Threats as _};
use cassius_search::{
    Checks as _, Game as _, MAX_PLY, Nodes, Noisy as _, Off, Recipe, Report, Request, Score, Slots, Switch,
    Unlimited, search,
};
use shakmaty::Square;
use std::marker::PhantomData;

/// The search of the paper: alpha-beta with killers, without a table, with nothing selective.
struct Paper<H, Q, D = Repetition>(PhantomData<(H, Q, D)>);

cassius_search::recipe! {
    impl [H: Horizon<Position>, Q: Quiescence<Position>, D: Draws<Position>] Paper<H, Q, D>, game Position {
        Setting = (Evaluator, D);
        Observe = TreeRecorder<Position>;
        Horizon = H;
        Quiescence = Q;
        Order = (NoisyFirst, Killers);
        Windows = MinimalWindow;
    }
}

struct Said {
    score: Score,
    pv: String,
    nodes: u64,
}

fn run<R: Recipe<Position>>(slots: &mut Slots<Position, R>, fen: &str, iterations: usize) -> Said {
    let position: Position = fen.parse().unwrap();
    let mut last: Option<Report<Move>> = None;
    let request = Request::new(&position, &Unlimited).to_iteration(iterations);
    let answer = search(slots, &request, &mut |report| last = Some(report.clone()));
    let pv: Vec<String> = last.unwrap().pv.iter().map(Move::to_string).collect();
    Said { score: answer.score().unwrap(), pv: pv.join(" "), nodes: answer.nodes }
}

fn slots<H: Horizon<Position>, Q: Quiescence<Position>>() -> Slots<Position, Paper<H, Q>> {
    Slots::new(Evaluator::of(&Evaluation::Classical), Off, Off)
}

/// Replies to checks cost no depth.
type Replies = Discounted<CheckReplies, Plies>;

/// Neither replies to checks nor very forcing checks cost depth, if the latter are set to a single
/// reply.
type RepliesAndChecks = Discounted<(CheckReplies, UncountedChecks), Plies>;

fn static_value(position: &Position) -> Score {
    cassius_search::Evaluate::evaluate(&mut Evaluator::of(&Evaluation::Classical), position)
}

/// "MERLIN plays 1.Ra8-h8 after a 3 ply search, announcing the main variation 1...Ra2*a7 2.Rh8-h7+
/// Kf7-e6 3.Rh7*Ra7."
#[test]
fn figure_1() {
    let announced = "a8h8 a2a7 h8h7 f7e6 h7a7";
    let mut whole = slots::<Plies, Widened<KillerMoves, PromotionThreat>>();
    assert_eq!(run(&mut whole, KAINDL_1, 3).pv, announced);
    // The rook is won. Without killers, or without the threat, checks by the black rook push the win
    // beyond the horizon.
    assert!(run(&mut whole, KAINDL_1, 3).score > Score(500));
    assert!(run(&mut slots::<Plies, Captures>(), KAINDL_1, 3).score < Score(300));
    assert!(run(&mut slots::<Plies, Widened<KillerMoves>>(), KAINDL_1, 3).score < Score(300));
    assert!(run(&mut slots::<Plies, Widened<Off, PromotionThreat>>(), KAINDL_1, 3).score < Score(300));
}

/// After 1.Rh8 Ra1+ 2.Kf2 Ra2+ 3.Ke3 the promotion is a real threat, there is no counter-move, and the
/// static value is rejected.
#[test]
fn figure_1_the_static_value_is_refused() {
    let horizon: Position = "7R/P4k2/8/8/8/4K3/r7/8 b - - 5 3".parse().unwrap();
    assert!(horizon.may_threaten(Threat::Promotion));
    assert_eq!(counters(&horizon, Threat::Promotion), "");
    // The pass, then the promotion: the remaining value is much lower than the static value.
    let searched = at_horizon::<Widened<Off, PromotionThreat>>("7R/P4k2/8/8/8/8/r4K2/8 w - - 4 3", "f2e3");
    assert_eq!(searched.position, horizon);
    let promoted = |node: &&Recorded<Position>| node.ply == 3 && node.position.board().queens().any();
    let left = searched.nodes.iter().find(promoted).expect("the promotion is tried").value.unwrap();
    assert!(left < static_value(&horizon) - Score(300));

    // In the search of the figure, wherever the white king has gone, no node there stands pat.
    let alike = |position: &Position| {
        let behind = position.board().rooks() & position.board().black();
        let threatens = position.may_threaten(Threat::Promotion);
        position.turn().is_black() && !position.in_check() && threatens && behind.contains(Square::A2)
    };
    let most_below_static = |switch: i32| {
        let mut slots = slots::<Replies, Widened<KillerMoves, Switch<PromotionThreat>>>();
        slots.quiescence.standing.on = switch;
        let said = run(&mut slots, KAINDL_1, 3);
        assert!(said.pv.starts_with("a8h8"), "{}", said.pv);
        let nodes = slots.observe.nodes.iter().filter(|node| node.ply == 5 && alike(&node.position));
        nodes.map(|node| static_value(&node.position) - node.value.unwrap()).max().unwrap()
    };
    assert!(most_below_static(1) > Score(300));
    assert!(most_below_static(0) <= Score(0));
}

/// "MERLIN claimed mate in 9 ply", and the correct 11 with every check when mate threatens, or with every
/// move if none helps. The position
/// in which the mate threat is detected, after 3.Ng6, is three counted plies deep if only replies to
/// checks do not count, and two if very forcing checks do not count either.
#[test]
fn figure_2() {
    fn announces<H: Horizon<Position>>(plies: usize, every_check: i32, every_move: i32) -> Said {
        let mut slots = slots::<H, Widened<Off, MateThreat>>();
        slots.quiescence.standing.every_check = every_check;
        slots.quiescence.standing.every_move = every_move;
        slots.horizon.visit(&mut |parameter, value| match (parameter.component, parameter.name) {
            ("UncountedChecks", "answers") => *value = 1,
            ("UncountedChecks", "noisy") => *value = 0,
            _ => {}
        });
        assert!(!run(&mut slots, KAINDL_2, plies - 1).score.is_decided());
        run(&mut slots, KAINDL_2, plies)
    }
    for (check, mv, mate) in [(0, 0, 9), (1, 0, 11), (0, 1, 11), (1, 1, 11)] {
        for said in [announces::<Replies>(3, check, mv), announces::<RepliesAndChecks>(2, check, mv)] {
            assert_eq!(said.score, Score::win_in(mate), "{}", said.pv);
            assert!(said.pv.starts_with("h5h7 g8h7 g5h5 h7g8 h4g6"), "{}", said.pv);
            assert_eq!(said.pv.split(' ').count(), mate, "{}", said.pv);
        }
    }
}

/// The announced mate is a mate when played out.
#[test]
fn figure_2_ends_in_mate() {
    let mut slots = slots::<Replies, Widened<Off, MateThreat>>();
    let said = run(&mut slots, KAINDL_2, 3);
    let mut position: Position = KAINDL_2.parse().unwrap();
    for mv in said.pv.split(' ') {
        let legal = position.legal_moves();
        position.play(*legal.iter().find(|legal| legal.to_string() == mv).expect("a legal move"));
    }
    assert!(position.is_checkmate());
}

fn counters(position: &Position, threat: Threat) -> String {
    let mut moves = Vec::new();
    position.counter_moves(threat, &mut moves);
    sorted(&moves)
}

fn sorted(moves: &[Move]) -> String {
    let mut names: Vec<String> = moves.iter().map(Move::to_string).collect();
    names.sort();
    names.join(" ")
}

#[test]
fn counter_moves_block_guard_and_make_room() {
    // The rook guards the square from b8, the king by approaching.
    let position: Position = "8/P1k5/8/8/8/8/1r6/6K1 b - - 0 1".parse().unwrap();
    assert!(position.may_threaten(Threat::Promotion));
    assert_eq!(counters(&position, Threat::Promotion), "b2b8 c7b7");
    // A blocked pawn does not threaten.
    let blocked: Position = "r7/P7/8/8/8/8/2k5/6K1 b - - 0 1".parse().unwrap();
    assert!(!blocked.may_threaten(Threat::Promotion));

    let figure: Position = "2b3k1/4rrp1/p2p2N1/2pP3R/1pP1Pp2/1P3P1P/1q6/6RK b - - 1 3".parse().unwrap();
    assert!(figure.may_threaten(Threat::Mate) && !Position::default().may_threaten(Threat::Mate));
    let moves = counters(&figure, Threat::Mate);
    assert!(moves.contains("f7f8") && moves.contains("f7f6") && !moves.contains("a6a5"), "{moves}");
}

/// The listed moves are legal and quiet.
#[test]
fn lists_keep_their_promises() {
    for fen in POSITIONS.iter().chain(&[KAINDL_1, KAINDL_2]) {
        let position: Position = fen.parse().unwrap();
        let (legal, mut listed) = (position.legal_moves(), Vec::new());
        position.saving_moves(&mut listed);
        for threat in [Threat::Promotion, Threat::Mate] {
            position.counter_moves(threat, &mut listed);
        }
        assert!(listed.iter().all(|mv| legal.contains(mv) && !position.is_noisy(*mv)), "{fen}");
    }
}

#[test]
fn hung_pieces_are_moved_or_guarded() {
    let saving = |fen: &str| {
        let mut moves = Vec::new();
        let hung = fen.parse::<Position>().unwrap().saving_moves(&mut moves);
        (hung, sorted(&moves))
    };
    // The rook takes the knight unless it moves: no piece can guard it.
    let (hung, moves) = saving("4k3/8/8/8/3N3r/8/P7/K7 w - - 0 1");
    assert!(hung);
    assert_eq!(moves, "d4b3 d4b5 d4c2 d4c6 d4e2 d4e6 d4f3 d4f5");
    // Here a pawn may guard it as well. A pawn that only sacrifices itself instead saves nothing.
    let (_, moves) = saving("4k3/8/8/8/3N3r/8/4P3/K7 w - - 0 1");
    assert!(moves.ends_with(" e2e3"), "{moves}");
    // Nothing is hung at the start. A piece that is attacked but guarded is not hung.
    assert_eq!(saving("startpos"), (false, String::new()));
    assert_eq!(saving("4k3/8/8/8/3N3r/4P3/8/K7 w - - 0 1"), (false, String::new()));
}

/// A search of one move, down to the horizon after it.
struct Searched {
    /// The position at the horizon.
    position: Position,
    /// Its value.
    value: Score,
    nodes: Vec<Recorded<Position>>,
}

fn at_horizon<Q: Quiescence<Position>>(fen: &str, mv: &str) -> Searched {
    let mut position: Position = fen.parse().unwrap();
    let mv = *position.legal_moves().iter().find(|legal| legal.to_string() == mv).expect("a legal move");
    let moves = [mv];
    let request = Request { moves: &moves, ..Request::new(&position, &Unlimited).to_iteration(1) };
    let mut slots = slots::<Plies, Q>();
    let value = -search(&mut slots, &request, &mut |_| {}).score().unwrap();
    position.play(mv);
    Searched { position, value, nodes: slots.observe.nodes }
}

/// The bishop on h2 can be neither saved nor guarded. Standing pat counts it; passing lets it be taken.
#[test]
fn a_pass_shows_what_is_lost() {
    let before = "6k1/5ppp/8/8/8/6P1/5P1b/5K2 w - - 0 1";
    let stands = at_horizon::<Widened>(before, "f1g2");
    assert_eq!(stands.value, static_value(&stands.position));
    let passes = at_horizon::<Widened<Off, PassWhenHung>>(before, "f1g2");
    assert!(passes.value < stands.value - Score(100), "{:?}", passes.value);
    // The value stands where the bishop can be saved: the king, which went elsewhere, leaves h2 to it.
    let before = "6k1/5ppp/8/8/8/6P1/5P1b/6K1 w - - 0 1";
    let attacked = at_horizon::<Widened<Off, PassWhenHung>>(before, "g1f1");
    assert_eq!(attacked.value, static_value(&attacked.position));
}

const POSITIONS: [&str; 4] = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r1b2rk1/pp1nqppp/2pbpn2/8/2BP4/2N1PN2/PPQ2PPP/R1B2RK1 w - - 0 1",
    "8/P1k2p2/4p1p1/8/5P2/r5P1/5K1P/1R6 w - - 0 1",
    "2r3k1/5ppp/p3p3/1p2P3/3n1P2/P2Q4/1P4PP/2R3K1 w - - 0 1",
];

/// With a source that never lists a move, the value is that of the capture search.
#[test]
fn widened_by_nothing_is_captures() {
    for fen in POSITIONS {
        for captures in [Captures::default(), Captures { margin: 10_000, exchange: 1, evasions: 1 }] {
            let mut usual = slots::<Plies, Captures>();
            usual.quiescence = captures.clone();
            let mut widened = slots::<Plies, Widened<ForcingChecks>>();
            widened.quiescence.captures = captures;
            widened.quiescence.sources.line = 0;
            let (usual, widened) = (run(&mut usual, fen, 2), run(&mut widened, fen, 2));
            assert_eq!((usual.score, usual.pv, usual.nodes), (widened.score, widened.pv, widened.nodes));
        }
    }
}

/// A forcing check that loses the checking piece is tried only if that is switched on: here the bishop
/// takes the checking rook.
#[test]
fn forcing_checks_that_lose_are_left_out() {
    let position: Position = "6k1/1b3ppp/8/8/8/8/7K/R3R3 w - - 0 1".parse().unwrap();
    let listed = |losing: i32| {
        let source = ForcingChecks { losing, ..ForcingChecks::default() };
        let site = Site { position: &position, ply: 1, trail: Trail::default(), standing: Score::DRAW };
        let mut moves = Vec::new();
        source.list(&site, &Off, &mut moves);
        sorted(&moves)
    };
    assert_eq!(listed(0), "e1e8");
    assert_eq!(listed(1), "a1a8 e1e8");
}

/// The recipe solves both of the paper's figures: in the first it plays the variation that MERLIN
/// announced, after 3 plies; in the second it finds the mate, after 2, in 9 plies, and in 11 if every
/// check or every move is tried.
#[test]
fn the_recipe_plays_both_figures() {
    let search = |fen: &str, depth: usize, every_check: i32, every_move: i32| {
        let mut engine = Engine::new("kaindl", 16, 1).unwrap();
        engine.set_evaluation(Evaluation::Classical).unwrap();
        engine.set_parameter("MateThreat.every_check", every_check).unwrap();
        engine.set_parameter("MateThreat.every_move", every_move).unwrap();
        let position: Position = fen.parse().unwrap();
        let answer = engine.search(&Request::new(&position, &Unlimited).to_iteration(depth), &mut |_| {});
        let line = &answer.lines[0];
        let pv: Vec<String> = line.pv.iter().map(Move::to_string).collect();
        (line.score, pv.join(" "))
    };
    assert_eq!(search(KAINDL_1, 3, 1, 1).1, "a8h8 a2a7 h8h7 f7e6 h7a7");
    assert!(!search(KAINDL_2, 1, 1, 1).0.is_decided());
    for (every_check, every_move, mate) in [(0, 0, 9), (1, 0, 11), (0, 1, 11), (1, 1, 11)] {
        let (score, pv) = search(KAINDL_2, 2, every_check, every_move);
        assert_eq!(score, Score::win_in(mate), "{pv}");
        assert!(pv.starts_with("h5h7 g8h7 g5h5 h7g8 h4g6"), "{pv}");
    }
}

/// A threat of mate that a quiet move parries is no mate: 1… Rc8 2. Nc3 or 2. Rd4.
#[test]
fn a_threat_of_mate_is_not_a_mate() {
    // With counter-moves only, as in the paper, it counts as one.
    for (every_move, claims) in [(1, false), (0, true)] {
        let mut engine = Engine::new("kaindl", 1, 1).unwrap();
        engine.set_parameter("MateThreat.every_move", every_move).unwrap();
        let position: Position = "r3n1k1/1b3ppp/3b4/7N/N6R/1P6/5PPP/7K b - - 0 1".parse().unwrap();
        let answer = engine.search(&Request::new(&position, &Unlimited).to_iteration(1), &mut |_| {});
        assert_eq!(answer.lines[0].score.is_win(), claims, "{:?}", answer.lines[0]);
    }
}

/// The hunt finds no mate that a draw by the fifty-move rule comes before.
#[test]
fn a_hunt_ends_with_the_fifty_moves() {
    for (clock, mates) in [(94, true), (97, false)] {
        let mut engine = Engine::new("kaindl", 1, 1).unwrap();
        let position: Position = format!("8/8/8/8/7k/8/8/4K1QB w - - {clock} 80").parse().unwrap();
        let answer = engine.search(&Request::new(&position, &Unlimited).to_iteration(1), &mut |_| {});
        assert_eq!(answer.lines[0].score.is_win(), mates, "{clock}");
    }
}

/// Each source and each kind of standing pat changes the node count somewhere.
#[test]
fn every_component_changes_the_count() {
    fn nodes<Q: Quiescence<Position>>() -> Vec<u64> {
        POSITIONS.iter().map(|fen| run(&mut slots::<Plies, Q>(), fen, 3).nodes).collect()
    }
    let nothing = nodes::<Widened>();
    let counts = [
        nodes::<Widened<QuietChecks>>(),
        nodes::<Widened<ForcingChecks>>(),
        nodes::<Widened<HungMoves>>(),
        nodes::<Widened<KillerMoves>>(),
        nodes::<Widened<Off, PassWhenHung>>(),
        nodes::<Widened<Off, PromotionThreat>>(),
        nodes::<Widened<Off, MateThreat>>(),
    ];
    assert!(counts.iter().all(|count| *count != nothing), "{nothing:?} {counts:?}");
}

/// The knight checks for ever if permitted. Repetition ends the line; without repetition, only the
/// maximum ply does.
#[test]
fn a_perpetual_ends() {
    fn checks<D: Draws<Position>>(plies: i32) -> (Said, usize) {
        let mut slots = Slots::<Position, Paper<Plies, Widened<QuietChecks>, D>>::new(
            Evaluator::of(&Evaluation::Classical),
            Off,
            Off,
        );
        slots.quiescence.sources.plies = plies;
        let said = run(&mut slots, PERPETUAL, 1);
        let longest = slots.observe.nodes.iter().map(|node| node.ply).max().unwrap();
        (said, longest)
    }
    assert!(checks::<Repetition>(1).0.score < Score(-300));
    for plies in [2, 200] {
        let (said, longest) = checks::<Repetition>(plies);
        assert_eq!((said.score, longest), (Score::DRAW, 4));
    }
    let (_, longest) = checks::<Off>(200);
    assert_eq!(longest, MAX_PLY);
}

/// A search that terminates may still be expensive: two queens check each other's kings practically
/// without end.
#[test]
fn unlimited_checks_are_dear() {
    let position: Position = QUEENS.parse().unwrap();
    let nodes = |plies: i32| {
        let mut slots = slots::<Plies, Widened<QuietChecks>>();
        slots.quiescence.sources.plies = plies;
        let request = Request::new(&position, &Nodes(30_000)).to_iteration(1);
        let answer = search(&mut slots, &request, &mut |_| {});
        (answer.complete, answer.nodes)
    };
    let (complete, few) = nodes(2);
    assert!(complete && few < 100, "{few}");
    assert_eq!(nodes(200), (false, 30_000)); // quiescence with its own bound, slightly later
}
