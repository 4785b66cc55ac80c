//! Tests chess certificates: what a search establishes can be replayed with only the rules and the
//! evaluation.

use cassius_chess::certificate::{CheckError, Referee, certify, check};
use cassius_chess::evaluation::Evaluation;
use cassius_chess::mate::{Aim, MateSearch, Winner};
use cassius_chess::{Evaluator, Position, figures, openings};
use cassius_search::alpha_beta::horizon::Abc;
use cassius_search::alpha_beta::quiescence::StandPatOrCapture;
use cassius_search::game::Repeats as _;
use cassius_search::plans::certificate::{Certificate, Problem, Referee as _, Work};
use cassius_search::proof::ProofTable;
use cassius_search::{Depth, Depths, Evaluate as _, Game as _, Nodes, Score, Table, Unlimited, Window};

fn certified(position: &Position, asked: Depths) -> Certificate {
    let table = Table::new(1).expect("a small table");
    let found =
        certify(position, asked, Abc::default(), &Evaluation::default(), table, &Unlimited, &mut |_| {})
            .expect("a certificate");
    assert!(found.complete);
    found.certificate
}

/// Returns opening positions and the positions that follow when moves are picked by number.
fn positions(count: usize, plies: usize) -> impl Iterator<Item = Position> {
    openings::builtin().into_iter().step_by(7).take(count).enumerate().map(move |(number, opening)| {
        let mut position = opening.position();
        for ply in 0..plies {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            let next = moves[(number * 31 + ply * 17) % moves.len()];
            position.play(next);
        }
        position
    })
}

/// A reference may not lead past a repetition. After the moves before `= 9` the position has occurred on the
/// line, and the plan may not go on there, written out or not.
#[test]
fn a_reference_does_not_lead_past_a_repetition() {
    let values = cassius_chess::certificate::values(&Evaluation::default());
    for rest in ["= 9", "! c1c8\n# 31991"] {
        let plan = "! a3b3\n? g8h8 g8f8\n! b3a2\n? h8g8\n! a2a3\n? g8h8 g8f8\n! a3b4\n? h8g8\n! c1c8\n\
                    # 31991\n! c1c8\n# 31993\n! b3b4\n? f8g8 f8e8\n! b4b5\n? g8h8 g8f8\n! b5b4\n? h8g8";
        let text = format!(
            "cassius certificate 2\ngame: chess\nposition: 6k1/R7/8/8/8/K7/8/2R5 w - - 0 1\n\
             values: {values}\nmargin: 1\nsafety: 0\nvalue: 31991\nat least, depth: certain\n\
             {plan}\n{rest}\n! c1c8\n# 31993\n! c1c8\n# 31995\nend\n"
        );
        let CheckError::Fault(fault) = check(&text.parse().expect("a certificate")).expect_err(rest) else {
            panic!("{rest}: no fault of the plan")
        };
        let line = "a3b3 g8f8 b3b4 f8g8 b4b5 g8h8 b5b4 h8g8";
        assert_eq!((fault.problem, fault.line.join(" ").as_str()), (Problem::GoesOn, line), "{rest}");
    }
}

/// A move that draws at once by the fifty-move rule holds a draw, whatever its static value.
#[test]
fn a_move_that_draws_by_rule_is_no_better_option() {
    let position: Position = "r3k3/pp3ppp/8/8/8/8/PP3PPP/R3K2N w - - 99 100".parse().unwrap();
    let mut abc = Abc::default();
    abc.delta = 300;
    let asked = Depths::both(Depth::PLY);
    let (table, evaluation) = (Table::new(1).expect("a small table"), Evaluation::default());
    let found = certify(&position, asked, abc, &evaluation, table, &Nodes(200_000), &mut |_| {});
    let certificate = found.expect("a certificate").certificate;
    check(&certificate).expect("a sound certificate");
    let (text, value) = (certificate.to_string(), certificate.value);
    assert!(value > Score(300), "{value:?}");
    let root = text.lines().find(|line| line.starts_with('!')).expect("a move");
    let options: Vec<&str> = root.split(' ').skip(2).collect();
    assert!(options.iter().all(|mv| ["a2", "b2", "f2", "g2", "h2"].contains(&&mv[..2])), "{root}");
}

/// A game of Chess960 may begin with the castling rights of standard chess. Its certificate names castling as
/// standard chess does, for that is what its position is when it is read back.
#[test]
fn castling_is_named_as_it_is_read_back() {
    let fen = "4k2r/Q6p/K7/8/8/8/8/1Q6 b k - 0 1";
    let game = format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n*\n");
    let game = cassius_chess::pgn::Games::new(game.as_bytes()).next().unwrap().unwrap();
    let mut search = MateSearch::new(ProofTable::new(1).unwrap(), &Unlimited);
    let mut mate = None;
    search.find(&game.start, Aim::Within(Winner::Other.plies(4)), &mut |_, found| mate = Some(found));
    let proof = mate.expect("a mate").certificate(&game.start, 1_000).expect("a small proof");
    assert!(proof.to_string().contains("e8g8"), "{proof}");
    check(&proof).expect("a sound proof");
}

/// The value of the stand-pat or capture game is the same in the search, which caches, and in the
/// checker, which does not, even where only the clock differs.
#[test]
fn two_quiescence_values_are_one() {
    let mut fast = StandPatOrCapture::new(Evaluator::new());
    let mut plain = Referee::new();
    let fens = ["8/5k2/8/3p1p2/4p3/1P6/b1PK3R/8 b - - 0 1", "8/5k2/8/3p1p2/4p3/1P6/b1PK3R/8 b - - 60 90"];
    let fens = fens.iter().map(|fen| fen.parse().expect("a position"));
    for position in positions(60, 9).chain(positions(60, 24)).chain(fens) {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        for mv in moves {
            let mut child = position.clone();
            child.play(mv);
            if child.is_over() {
                continue;
            }
            // Windows around the value come first, so that bounds are stored before the value is.
            let mut seen_through =
                |window| plain.value(&child, window, &mut Work::unlimited()).expect("no limit");
            let exact = seen_through(Window::FULL);
            assert_eq!(seen_through(Window::new(exact - Score(1), exact + Score(1))), exact, "{child}");
            assert!(
                seen_through(Window::above(exact)) <= exact
                    && seen_through(Window::above(exact - Score(1))) >= exact
            );
            for alpha in [40, -41, 0, -1].map(|above| exact + Score(above)) {
                let window = Window::above(alpha);
                let seen = fast.evaluate_within(&child, window);
                assert_eq!(window.bound(seen), window.bound(exact), "{child} {window:?}");
                assert!(if seen > alpha { seen <= exact } else { seen >= exact }, "{child} {window:?}");
            }
            assert_eq!(fast.evaluate(&child), exact, "{child}");
            assert_eq!(fast.evaluate_within(&child, Window::above(exact)), exact, "{child}");
        }
    }
}

/// The result holds at whatever point the nodes run out. The first iteration asks for a move of the side
/// to move.
#[test]
fn certificates_hold() {
    let known = [figures::KAINDL_1, figures::HORIZON_EXAMPLE, figures::PERPETUAL, figures::QUEENS];
    let known = known.iter().map(|fen| fen.parse::<Position>().expect("a position"));
    let mut made = 0;
    for position in known.chain(positions(6, 16)).filter(|position| !position.is_over()) {
        let (asked, table) = (Depths::both(Depth::plies(2)), Table::new(1).expect("a small table"));
        let found = certify(
            &position,
            asked,
            Abc::default(),
            &Evaluation::default(),
            table,
            &Nodes(8_000),
            &mut |_| {},
        );
        let Some(found) = found else { continue }; // not even one iteration was completed
        let text = found.certificate.to_string();
        assert_eq!(text.parse().as_ref(), Ok(&found.certificate));
        let held = check(&found.certificate).unwrap_or_else(|fault| panic!("{position}: {fault}"));
        let lean = found.certificate.clone().lean();
        assert!(lean.size() < found.certificate.size(), "{position}");
        assert_eq!(check(&lean).as_ref(), Ok(&held), "{position}");
        assert!(held.at_least.expect("a plan").depth >= Depth::PLY, "{position}");
        assert!(held.at_most.is_some(), "{position}");
        made += 1;
    }
    assert!(made >= 6, "{made}");
}

/// Positions that occur on several lines are stored once in the plan. The expanded plan is larger and
/// establishes the same.
#[test]
fn what_lines_share_is_written_once() {
    let position: Position =
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8".parse().expect("a position");
    let certificate = certified(&position, Depths::both(Depth::PLY));
    let written_out = certificate.written_out(1_000_000).expect("not too large");
    assert!(certificate.size() < written_out.size(), "{} {}", certificate.size(), written_out.size());
    let established = check(&certificate);
    assert!(established.is_ok(), "{established:?}");
    assert_eq!(established, check(&written_out));
}

/// Measures nodes, bytes and seconds in typical middlegames with both plans two moves deep. Takes
/// minutes:
/// `cargo test --release -p cassius-chess --test it middlegames -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn middlegames_two_moves_deep() {
    for fen in [
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
        "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    ] {
        let position: Position = fen.parse().expect("a position");
        let (asked, table) = (Depths::both(Depth::plies(2)), Table::new(16).expect("a table"));
        let start = std::time::Instant::now();
        let found = certify(
            &position,
            asked,
            Abc::default(),
            &Evaluation::default(),
            table,
            &Nodes(1_500_000),
            &mut |_| {},
        );
        let (searched, found) = (start.elapsed(), found.expect("a certificate"));
        let lean = found.certificate.clone().lean();
        let start = std::time::Instant::now();
        let held = check(&lean).unwrap_or_else(|fault| panic!("{fen}: {fault}"));
        let checked = start.elapsed();
        let written_out = found.certificate.written_out(100_000_000).expect("not too large");
        println!(
            "{fen}: complete {}, {} nodes in {searched:.1?}, checked in {checked:.1?}, {} bytes, \
             {} with all options, {} written out; {:?} and {:?}",
            found.complete,
            found.nodes,
            lean.to_string().len(),
            found.certificate.to_string().len(),
            written_out.to_string().len(),
            held.at_least.map(|held| held.depth.to_f64()),
            held.at_most.map(|held| held.depth.to_f64()),
        );
    }
}

/// The checker reports a mate as certain.
#[test]
fn a_mate_is_certain() {
    let position = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1".parse().expect("a position");
    let certificate = certified(&position, Depths::both(Depth::PLY));
    let held = check(&certificate).expect("it holds").at_least.expect("a plan of White");
    assert_eq!((held.depth, held.leaves, held.over), (Depth::CERTAIN, 0, 1));
    assert_eq!(held.weakest, [Box::from("a1a8")]);
    assert!(certificate.value.is_win());
}

/// A certificate of another position, game or evaluation is refused.
#[test]
fn another_position_is_refused() {
    let position: Position = figures::KAINDL_1.parse().expect("a position");
    let honest = certified(&position, Depths::both(Depth::PLY));
    let change = |change: fn(&mut Certificate)| {
        let mut certificate = honest.clone();
        change(&mut certificate);
        check(&certificate).expect_err("refused")
    };
    let other_side = change(|it| it.position = "R7/P4k2/8/8/8/8/r7/6K1 b - - 0 1".into());
    assert!(matches!(other_side, CheckError::Fault(fault) if matches!(fault.problem, Problem::NotLegal(_))));
    assert!(matches!(
        change(|it| it.position = "R7/P4k2/8/8/8/8/r7/8 w - - 0 1".into()),
        CheckError::Position(_)
    ));
    assert!(matches!(change(|it| it.game = "draughts".into()), CheckError::OtherGame(_)));
    assert!(matches!(change(|it| it.values.push('0')), CheckError::OtherValues { .. }));
    let elsewhere = change(|it| it.position = "R7/P4k2/8/8/8/8/r7/5K2 w - - 0 1".into());
    assert!(matches!(elsewhere, CheckError::Fault(_)), "{elsewhere}");
}

/// Static values fade with the clock, so that positions with other clocks are not the same.
#[test]
fn the_clock_is_part_of_a_position() {
    let reached = |moves: &str| {
        let mut position: Position = "6k1/p7/8/8/8/8/8/Q3K2R w K - 0 1".parse().expect("a position");
        moves.split(' ').for_each(|mv| position.play(position.parse_move(mv).expect("a move")));
        position
    };
    let (early, late) = (reached("Qb1 a6 Qc1 Kf8 Ke2"), reached("Qb1 Kf8 Qc1 a6 Ke2"));
    assert!(early == late && early.reversible_plies() == late.reversible_plies());
    assert!(!Referee::new().same(&early, &late) && Referee::new().same(&early, &early));
}

/// Both plans of a pawn ending, where many lines meet, end together: they establish one value.
#[test]
fn plans_whose_lines_meet_establish_one_value() {
    let cases = [
        ("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", 1.75),
        ("8/2k5/3p4/p2P1p2/P2P1P2/8/8/3K4 w - - 0 1", 1.5),
        ("8/6pk/8/5P1p/7P/6K1/8/8 b - - 0 1", 1.9),
    ];
    for (fen, depth) in cases {
        let certificate = certified(&fen.parse().unwrap(), Depths::both(Depth::from_f64(depth)));
        let checked = check(&certificate);
        assert!(checked.is_ok(), "{fen} at {depth}: {}", checked.unwrap_err());
    }
}
