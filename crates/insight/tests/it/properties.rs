//! The findings about any position, and about any game, are consistent.

use cassius_chess::pgn::Game;
use cassius_chess::tablebase::{Endgames, Tablebases};
use cassius_chess::{Move, Position};
use cassius_insight::{
    Analyst, AnnotatedGame, Effort, Explanation, Natural, Remark, Verdict, annotate, chance, erase, explain,
    explain_unclaimed, over, write_into,
};
use cassius_search::{Game as _, Score};
use proptest::prelude::*;

pub fn analyst(nodes: u64) -> Analyst {
    let effort = Effort { nodes, plan_nodes: 30, ..Effort::default() };
    Analyst::new(effort, 1).expect("memory")
}

/// Returns a game of randomly drawn moves.
pub fn game(choices: &[u16]) -> Game {
    let mut game = Game::default();
    let mut position = game.start.clone();
    for choice in choices {
        let moves = position.legal_moves();
        if position.is_over() || moves.is_empty() {
            break;
        }
        let mv: Move = moves[usize::from(*choice) % moves.len()];
        position.play(mv);
        game.moves.push(mv);
    }
    game
}

pub fn config(cases: u32) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(1993);
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn an_explanation_is_consistent(
        choices in prop::collection::vec(any::<u16>(), 0..120), nodes in 1u64..4000,
    ) {
        let game = game(&choices);
        let mut positions: Vec<Position> = game.positions().collect();
        let position = positions.pop().expect("a start");
        let Some(explained) = explain(&mut analyst(nodes), &position, &positions).expect("an answer") else {
            prop_assert!(over(&position, &positions).is_some());
            return Ok(());
        };
        for judged in [Some(&explained.own), explained.other.as_ref()].into_iter().flatten() {
            let (room, moves) = (&judged.room, &judged.moves);
            let position: Position = judged.fen.parse().expect("a FEN");
            let mut legal: Vec<String> = position.legal_moves().iter().map(|mv| position.uci(*mv)).collect();
            let mut said: Vec<String> = moves.iter().map(|of| of.uci.clone()).collect();
            legal.sort();
            said.sort();
            prop_assert_eq!(&legal, &said);
            prop_assert_eq!(room.legal, legal.len());
            prop_assert_eq!(room.holding, moves.iter().filter(|of| of.holds).count());
            prop_assert!(judged.best().holds && room.holding >= 1);
            prop_assert!(moves.is_sorted_by_key(|of| !of.holds), "those that hold come first");
            prop_assert!(moves.iter().any(|of| of.looks_right));
            prop_assert!((0.0..=1.0).contains(&room.temptation) && room.least <= judged.value.chance);
            prop_assert_eq!(room.temptation == 0.0, room.holding == room.legal);
            prop_assert_eq!(judged.value.chance, chance(Score(judged.value.score)));
            prop_assert_eq!(
                judged.verdict,
                Verdict::of(judged.value.chance - 0.10, room.holding, room.legal, room.natural)
            );
            prop_assert!(
                room.legal > 1 || judged.verdict == Verdict::Lost || room.natural == Some(Natural::SoleLegal)
            );
            let tempting = moves.iter().filter(|of| of.looks_right && !of.holds).count();
            prop_assert!(judged.traps.len() <= tempting.min(3));
            for trap in &judged.traps {
                let of = moves.iter().find(|of| of.san == trap.san).expect("a legal move");
                prop_assert!(of.looks_right && !of.holds && trap.chance < room.least);
            }
            let elo = |elo: f64| judged.error_chance(elo).unwrap_or(-1.0);
            match (room.legal, room.natural) {
                _ if judged.verdict == Verdict::Lost => prop_assert_eq!(judged.error_chance(400.0), None),
                (1, _) => prop_assert_eq!(elo(400.0), 0.0),
                _ => prop_assert!((0.0..=1.0).contains(&elo(2400.0)) && (0.0..=1.0).contains(&elo(800.0))),
            }
        }
        for plan in [&explained.plans.own, &explained.plans.other] {
            prop_assert!(!plan.nothing_to_hold() || plan.depth.is_none() && plan.against.is_none());
        }
        prop_assert_eq!(explained.own.verdict == Verdict::Lost, explained.plans.own.nothing_to_hold());
    }
}

/// Checks every statement about a game from both sides.
fn check(game: &Game, annotated: &AnnotatedGame) -> Result<(), TestCaseError> {
    prop_assert_eq!(annotated.moves.len(), game.moves.len());
    let mut before = annotated.before.clone();
    for (index, mv) in annotated.moves.iter().enumerate() {
        let white = |chance: f64| if mv.white { chance } else { 1.0 - chance };
        // Both neighbours give the same value for the position between them, and no move gains.
        prop_assert!((white(mv.judged.value.chance) - before.value.chance).abs() < 1e-12);
        let lost = mv.judged.value.chance - white(mv.after.value.chance);
        prop_assert!(lost > -1e-12 && (mv.loss - lost.max(0.0)).abs() < 1e-12, "ply {}: {}", index, lost);
        prop_assert!(
            mv.uci != mv.judged.best().uci || mv.loss < 1e-12,
            "the best move loses nothing: {}",
            mv.loss
        );
        prop_assert_eq!(&mv.judged.line[0], &mv.judged.best().san);
        prop_assert_eq!(
            mv.judged.value.mate.map_or(0, i32::signum) * before.value.mate.map_or(0, i32::signum),
            mv.judged.value.mate.map_or(0, |_| if mv.white { 1 } else { -1 })
        );
        // The side that has just moved had a plan if there was something to hold.
        let safety = mv.after.safety.expect("plans were asked for");
        let own = if mv.white { safety.white } else { safety.black };
        prop_assert_eq!(own.is_none(), mv.judged.verdict == Verdict::Lost);
        before = mv.after.clone();
    }
    for white in [true, false] {
        let tally = annotated.tally(white);
        prop_assert_eq!(tally.moves, annotated.moves.iter().filter(|mv| mv.white == white).count());
        prop_assert!(tally.found <= tally.only);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(12))]

    #[test]
    fn an_annotated_game_is_consistent(
        choices in prop::collection::vec(any::<u16>(), 0..60), nodes in 50u64..600,
    ) {
        let mut game = game(&choices);
        let annotated = annotate(&mut analyst(nodes), &game, &mut |_, _| true).expect("an answer");
        let annotated = annotated.expect("not interrupted");
        check(&game, &annotated)?;
        // Erasing removes what was written, and nothing else.
        let plain = game.to_string();
        write_into(&mut game, &annotated);
        let text = game.to_string();
        prop_assert_eq!(text.matches("[%safe ").count(), game.moves.len());
        let mut read: Game = text.parse().expect("a game");
        erase(&mut read);
        read.tags.retain(|(tag, _)| tag != "Annotator");
        prop_assert_eq!(read.to_string().replace("\n\n", "\n"), plain.replace("\n\n", "\n"));
    }

    /// An interrupted annotation gives no result.
    #[test]
    fn an_interrupted_game_is_none(left in 0usize..30) {
        let game = game(&[7; 20]);
        let annotated = annotate(&mut analyst(50), &game, &mut |_, now| now > left).expect("an answer");
        prop_assert!(annotated.is_none());
    }
}

fn read(text: &str) -> Game {
    text.parse().expect("a game")
}

#[test]
fn a_game_that_ends_by_repetition_is_a_draw() {
    let fen = "[FEN \"7k/8/8/8/8/8/8/KQ6 w - - 0 1\"]";
    let game = read(&format!("{fen}\n\n1. Qb2+ Kg8 2. Qb1 Kh8 3. Qb2+ Kg8 4. Qb1 Kh8 1/2-1/2"));
    let annotated =
        annotate(&mut analyst(3_000), &game, &mut |_, _| true).expect("an answer").expect("not interrupted");
    let chance = |ply: usize| annotated.moves[ply].after.value.chance;
    assert_eq!(chance(7), 0.5);
    assert!(chance(5) > 0.9, "before it White wins");
    let blunder = &annotated.moves[6];
    assert_eq!((blunder.san.as_str(), blunder.remark), ("Qb1", Some(Remark::Blunder)));
    // There is nothing left to explain.
    let positions: Vec<Position> = game.positions().collect();
    assert!(explain(&mut analyst(1_000), &positions[8], &positions[..8]).expect("an answer").is_none());
    // Where the game continues, nobody had claimed the draw.
    let explained = explain_unclaimed(&mut analyst(3_000), &positions[8], &positions[..8]);
    assert!(explained.expect("an answer").expect("legal moves").own.value.chance > 0.9);
    let longer = read(&format!("{fen}\n\n1. Qb2+ Kg8 2. Qb1 Kh8 3. Qb2+ Kg8 4. Qb1 Kh8 5. Qb7 *"));
    let annotated = annotate(&mut analyst(3_000), &longer, &mut |_, _| true)
        .expect("an answer")
        .expect("not interrupted");
    assert!(annotated.moves[7].after.value.chance > 0.9);
}

/// Where a draw could be claimed and was claimed in the end, whoever did not claim it at once made no error.
/// Who could still win by a pawn move did.
#[test]
fn a_draw_that_is_claimed_late_is_no_error() {
    let game = |fen: &str, moves: &str| {
        let game = read(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} 1/2-1/2"));
        annotate(&mut analyst(3_000), &game, &mut |_, _| true).expect("an answer").expect("not interrupted")
    };
    let moves = "100. Qh2 Kd7 101. Qh1 Kd6 102. Qh3 Kd5";
    let annotated = game("4k3/8/8/8/8/8/4P3/4K2Q w - - 97 100", moves);
    for (played, white) in annotated.moves.iter().zip([true, false].into_iter().cycle()).skip(2) {
        assert_eq!(played.remark, white.then_some(Remark::Blunder), "{}", played.san);
    }
    let annotated = game("8/8/3k4/8/4RK2/8/8/8 b - - 98 64", "64... Kd5 65. Ra4 Kd6");
    assert!(annotated.moves.iter().all(|played| played.remark.is_none()), "{annotated:?}");
}

/// Near the fifty-move limit no pass makes up for the moves that are left, so every move holds a draw.
#[test]
fn near_the_limit_of_fifty_moves_all_moves_hold() {
    for fen in ["8/8/8/3k4/8/8/8/R3K3 b - - 93 60", "8/8/3k3B/5K2/8/8/3N4/8 b - - 94 60"] {
        let position: Position = fen.parse().expect("a FEN");
        let judged = analyst(100_000).judge(&position, &[], None).expect("an answer").expect("moves");
        assert_eq!(judged.room.holding, position.count_moves(), "{fen}: {judged:?}");
    }
}

/// Many programs merge all comments on a move into one, and write their own commands into it.
#[test]
fn what_others_have_said_in_the_same_comment_stays() {
    let mut game = read("1. e4 e5 2. Qh5 { [%clk 0:05:00] Early. } Ke7 3. Qxe5# 1-0");
    let plain = game.to_string();
    let annotated =
        annotate(&mut analyst(3_000), &game, &mut |_, _| true).expect("an answer").expect("not interrupted");
    write_into(&mut game, &annotated);
    let text = game.to_string().replace("\n", " ");
    assert!(text.contains("2... Ke7 $4 { [%eval #1] [%safe "), "{text}");
    let (before, after) = text.rsplit_once("[%safe] }").expect("a sentence");
    let mine = format!("{before}[%safe] And this is mine. }}{after}");
    let mut merged = read(&mine.replace(" } { ", " "));
    assert!(
        merged.comments.iter().any(|(_, text)| text.starts_with("[%clk 0:05:00] Early. [%eval ")),
        "{text}"
    );
    erase(&mut merged);
    merged.tags.retain(|(tag, _)| tag != "Annotator");
    let mine: Vec<_> = merged.comments.iter().filter(|(_, text)| text == "And this is mine.").collect();
    assert!(!mine.is_empty(), "{:?}", merged.comments);
    merged.comments.retain(|(_, text)| text != "And this is mine.");
    assert_eq!(merged.to_string(), plain);
}

/// Commands are for programs: readers are shown the other text, once, and none of ours.
#[test]
fn what_others_have_said_is_told_without_commands() {
    let text = "{ Played in a park. } 1. e4 $1 { [%clk 0:05:00] } \
        { [%eval 0.30] [%safe 1.25,0.80] Only e4 holds. [%safe] Mine. } \
        (1. d4 { [%csl Gd4] } d5 { calm [%cal Gd4e5] }) 1... e5 *";
    let annotated = annotate(&mut analyst(50), &read(text), &mut |_, _| true)
        .expect("an answer")
        .expect("not interrupted");
    assert_eq!(annotated.said, ["Played in a park."]);
    assert_eq!(annotated.moves[0].said, ["Mine.", "(1. d4 d5 { calm })"]);
    assert!(annotated.moves[1].said.is_empty());
}

/// An unclosed command of somebody else is not a command, and ours is found after it.
#[test]
fn what_is_never_closed_is_no_command() {
    let mut game =
        read("1. e4 { [%eval without end [%eval 0.30] [%safe 1.25,0.80] Only e4 holds. [%safe] Mine. } *");
    erase(&mut game);
    assert_eq!(game.comments, [(1, "[%eval without end Mine.".to_string())]);
}

/// Other programs may have put what we wrote behind a variation.
#[test]
fn what_stands_behind_a_variation_is_told_there() {
    let mut game =
        read("1. e4 $4 { First. } (1. d4) { [%eval 0.30] [%safe ?,?,$4] It errs. [%safe] Second. } e5 *");
    erase(&mut game);
    assert!(game.glyphs.is_empty() && game.variations[0].behind == ["Second."], "{game}");
    let annotated =
        annotate(&mut analyst(50), &game, &mut |_, _| true).expect("an answer").expect("not interrupted");
    assert_eq!(annotated.moves[0].said, ["First.", "(1. d4)", "Second."]);
}

/// Another annotator may bear our name.
#[test]
fn only_our_own_annotator_is_replaced() {
    for (by, stays) in [("Cassius Clay", true), ("Cassius 0.1.0, 5 and 0 nodes a position", false)] {
        let mut game = read(&format!("[Annotator \"{by}\"]\n\n1. e4 *"));
        let annotated =
            annotate(&mut analyst(50), &game, &mut |_, _| true).expect("an answer").expect("not interrupted");
        write_into(&mut game, &annotated);
        assert_eq!(game.tag("Annotator") == Some(by), stays, "{game}");
    }
}

/// A comment may have very many commands: the time must not grow with the square of their number.
#[test]
fn many_commands_are_taken_out_in_one_pass() {
    let many = "[%eval 0.30] [%safe 1.25,0.80] ".repeat(20_000);
    let mut game = read(&format!("1. e4 {{ Before. {many} After. }} *"));
    erase(&mut game);
    assert_eq!(game.comments, [(1, "Before. After.".to_string())]);
}

/// All historical formats are removed: with a depth for each side, with none for one side, with none at
/// all.
#[test]
fn depths_and_their_absence_are_taken_out() {
    for safe in ["1.25,0.80", "-,0.80", "2.98,-", "-,-,$4", "?,?"] {
        let ours = format!("1. e4 $4 {{ [%eval 0.30] [%safe {safe}] Only e4 holds. [%safe] Mine. }} *");
        let mut game = read(&ours);
        erase(&mut game);
        assert_eq!(game.comments, [(1, "Mine.".to_string())], "{safe}");
        assert_eq!(game.glyphs.is_empty(), safe.contains('$'));
    }
}

/// A side that is about to be mated has no meaningful plan, and the other side has one.
#[test]
fn a_lost_side_has_no_plan() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let mut game = read(&format!("[FEN \"{fen}\"]\n\n2... Qh4# 0-1"));
    let annotated =
        annotate(&mut analyst(20_000), &game, &mut |_, _| true).expect("an answer").expect("not interrupted");
    let safety = annotated.before.safety.expect("plans were asked for");
    assert_eq!(safety.white, None);
    let black = safety.black.expect("Black has something to hold");
    write_into(&mut game, &annotated);
    let text = game.to_string().replace('\n', " ");
    assert!(text.contains(&format!("[%safe -,{black:.2}]")), "{text}");
}

/// No plan counts for more than was asked for, so that a certain one is not less safe than another.
#[test]
fn no_plan_is_deeper_than_was_asked_for() {
    let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a FEN");
    let effort = Effort { nodes: 3_000, ..Effort::default() };
    let mut analyst = Analyst::new(effort, 16).expect("memory");
    let explained = explain(&mut analyst, &position, &[]).expect("an answer").expect("it is not over");
    let plans = explained.plans;
    let depths = [plans.own.depth, plans.own.against, plans.other.depth, plans.other.against];
    let most = effort.plan_depth.to_f64();
    assert!(depths.iter().flatten().any(|depth| *depth == most), "{depths:?}");
    assert!(depths.iter().flatten().all(|depth| *depth <= most), "{depths:?}");
}

/// The value after a trap is that of a separate search. Where that search contradicts the first three
/// candidates, others are examined.
#[test]
fn what_is_not_refuted_is_no_trap() {
    let (mut belied, mut later) = (0, 0);
    for seed in 0..1000u16 {
        if seed >= 120 && belied > 0 && later > 0 {
            break; // both are rare
        }
        let game = game(&[seed.wrapping_mul(977); 24]);
        let positions: Vec<Position> = game.positions().collect();
        let (position, before) = positions.split_last().expect("a start");
        let Some(judged) = analyst(1_500).judge(position, before, None).expect("an answer") else { continue };
        let tempting: Vec<_> = judged.moves.iter().filter(|of| of.looks_right && !of.holds).collect();
        let told = |of: &str| judged.traps.iter().any(|trap| trap.san == of);
        belied += tempting.iter().take(3).filter(|of| !told(&of.san)).count();
        later += tempting.iter().skip(3).filter(|of| told(&of.san)).count();
        assert!(tempting.iter().skip(6).all(|of| !told(&of.san)), "no more than six are searched");
        assert!(judged.traps.iter().all(|trap| trap.chance < judged.room.least));
    }
    assert!(belied > 0 && later > 0, "{belied}, {later}");
}

#[test]
fn what_could_not_be_asked_is_not_said_to_fail() {
    let position = Position::default();
    let explained =
        explain(&mut analyst(3), &position, &[]).expect("an answer").expect("the game is not over");
    assert_ne!(explained.own.verdict, Verdict::Only);
    assert!(
        explained
            .own
            .moves
            .iter()
            .skip(1)
            .all(|of| of.verified == 0 && of.holds == (of.at_a_glance >= explained.own.room.least))
    );
}

/// What is found one move later also counts one move before.
#[test]
fn both_sides_are_told_the_same_value() {
    let position: Position = "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1".parse().expect("a FEN");
    let mut analyst =
        Analyst::new(Effort { nodes: 300_000, plan_nodes: 0, ..Effort::default() }, 16).expect("memory");
    let explained = explain(&mut analyst, &position, &[]).expect("an answer").expect("it is not over");
    let other = explained.other.expect("the game goes on").value.of_the_other_side();
    assert!(
        (explained.own.value.chance - other.chance).abs() <= 0.10,
        "{:?}, {other:?}",
        explained.own.value
    );
    assert!(explained.own.moves.iter().any(|of| of.san == "Rd1+" && of.holds));
}

/// With few nodes most moves are judged at a glance, and their number is no fact.
#[test]
fn a_number_of_moves_that_were_not_searched_is_no_fact() {
    let mut analyst = analyst(300);
    let explained = explain(&mut analyst, &Position::default(), &[]).expect("an answer").expect("moves");
    assert!(!explained.own.is_verified());
    let said = explained.headline();
    assert!(said.contains("moves were found to hold."), "{said}");
    let mut game = read("1. f3 e5 2. g4 Qh4# 0-1");
    let annotated =
        annotate(&mut analyst, &game, &mut |_, _| true).expect("an answer").expect("not interrupted");
    assert!(!annotated.moves[2].judged.is_verified());
    write_into(&mut game, &annotated);
    let text = game.to_string().replace('\n', " ");
    assert!(text.contains("of 19 moves were found to hold."), "{text}");
}

/// Serialized findings can be read back, except for the certificates.
#[test]
fn an_explanation_can_be_kept() {
    let effort = Effort { nodes: 20_000, plan_nodes: 100, ..Effort::default() };
    let mut analyst = Analyst::new(effort, 4).expect("memory");
    let mut explained =
        explain(&mut analyst, &Position::default(), &[]).expect("an answer").expect("it is not over");
    let text = serde_json::to_string(&explained).expect("JSON");
    explained.plans.own.certificates = [None, None];
    explained.plans.other.certificates = [None, None];
    assert_eq!(serde_json::from_str::<Explanation>(&text).expect("the same"), explained);
}

/// Where tables have the position, they determine which moves hold. Set `CASSIUS_SYZYGY` to a folder
/// with tables of up to four pieces.
#[test]
#[ignore = "needs tables: set CASSIUS_SYZYGY"]
fn tables_say_which_moves_hold() {
    let folder = std::env::var("CASSIUS_SYZYGY").expect("CASSIUS_SYZYGY names a folder of Syzygy tables");
    let tables = Endgames::new(Tablebases::open(&folder).expect("tables"));
    for (fen, holding, value) in [
        ("8/3k4/8/4K3/4P3/8/8/8 w - - 1 2", &["Kf6", "Kd5", "Kf5"][..], 1),
        ("8/8/8/1k6/8/2K5/1P6/8 b - - 1 1", &["Kc5"], 0),
        // The fifty-move rule is considered.
        ("8/8/8/8/3k4/8/8/R6K w - - 90 90", &[], 0),
    ] {
        let position: Position = fen.parse().expect("a FEN");
        // Hardly any node is searched.
        let mut analyst = analyst(300);
        analyst.set_endgames(tables.clone());
        let judged = analyst.judge(&position, &[], None).expect("an answer").expect("moves");
        let chance = [0.5, 1.0][value];
        assert!((judged.value.chance - chance).abs() < 0.01, "{fen}: {:?}", judged.value);
        let mut found: Vec<&str> =
            judged.moves.iter().filter(|of| of.holds).map(|of| of.san.as_str()).collect();
        let mut expected = holding.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        assert!(expected.is_empty() || found == expected, "{fen}: {found:?}");
        for trap in &judged.traps {
            assert!(trap.chance <= chance - 0.5, "{fen}: {trap:?}");
        }
    }
}
