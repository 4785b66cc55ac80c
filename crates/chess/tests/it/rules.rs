//! Tests the rules against shakmaty's own, on positions of random games.

use cassius_chess::{Position, exchange_at_least, exchange_value};
use cassius_search::game::Repeats;
use cassius_search::{Checks, Game, Keyed, Noisy, Pass};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Position as _, Role, Setup, Square};
use std::collections::{HashMap, HashSet};

/// The starting positions of the random games: standard chess, and positions with many captures and
/// promotions.
const STARTS: [&str; 8] = [
    "startpos",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "1r1q1r1k/P2PpP1p/8/2pPp3/2P1Pp2/8/pp1p1P1P/R2Q1RK1 w - - 0 1",
    "r1b1k2r/ppp1qppp/3b1n2/1B1pN3/3Pn3/2N1B3/PPP1QPPP/R3K2R b KQkq - 4 9",
];

fn chess960(index: u32) -> Position {
    let board = shakmaty::Board::chess960(index % 960);
    let castling_rights = board.rooks();
    let setup = Setup { board, castling_rights, ..Setup::initial() };
    let chess = Chess::from_setup(setup, CastlingMode::Chess960).unwrap();
    Position::from_chess(&chess)
}

fn start(choice: u32) -> Position {
    match STARTS.get(choice as usize) {
        Some(fen) => fen.parse().unwrap(),
        None => chess960(choice),
    }
}

/// Plays the moves chosen by `choices` and calls `visit` on every position.
fn playout(choice: u32, choices: &[u16], mut visit: impl FnMut(&Position)) {
    let mut position = start(choice);
    visit(&position);
    for choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[*choice as usize % moves.len()]);
        visit(&position);
    }
}

fn same_as_shakmaty(position: &Position) {
    let chess = position.to_chess();
    assert_eq!(Position::from_chess(&chess), *position);
    let ours: HashSet<shakmaty::Move> = position.legal_moves().into_iter().map(Into::into).collect();
    let theirs: HashSet<shakmaty::Move> = chess.legal_moves().into_iter().collect();
    assert_eq!(ours, theirs, "{position}");
    assert_eq!(ours.len(), position.legal_moves().len());
    assert_eq!(position.in_check(), chess.is_check());
    assert_eq!(position.checkers(), chess.checkers());
    assert_eq!(position.is_insufficient_material(), chess.is_insufficient_material());

    let codes: HashSet<u16> = position.legal_moves().iter().map(|mv| position.code(*mv)).collect();
    assert_eq!(codes.len(), ours.len());
    assert!(!codes.contains(&0));

    let mut noisy = Vec::new();
    position.noisy_moves(&mut noisy);
    assert!(noisy.iter().all(|&mv| position.gain(mv) <= position.greatest_gain()));
    let filtered: Vec<_> = position.legal_moves().into_iter().filter(|mv| position.is_noisy(*mv)).collect();
    assert_eq!(noisy.iter().map(|mv| mv.code()).collect::<HashSet<_>>().len(), noisy.len());
    assert_eq!(noisy.len(), filtered.len(), "{position}");
    assert!(filtered.iter().all(|mv| noisy.contains(mv)));

    for mv in position.legal_moves() {
        let mut child = position.clone();
        child.play(mv);
        assert_eq!(position.gives_check(mv), child.in_check(), "{position}: {mv:?}");
    }

    // The predicted key is right unless something rare happens.
    for mv in position.legal_moves() {
        let mut child = position.clone();
        child.play(mv);
        let rare = mv.is_castling()
            || mv.is_en_passant()
            || child.en_passant_square().is_some()
            || child.castling_rooks() != position.castling_rooks()
            || position.halfmoves() >= 79;
        assert!(rare || position.key_after(mv) == child.key(), "{position}: {mv:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn moves_are_those_of_shakmaty(
        choice in 0u32..960, choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        playout(choice, &choices, same_as_shakmaty);
        playout(choice % 8, &choices, same_as_shakmaty);
    }

    #[test]
    fn incremental_keys_are_those_of_the_position(
        choice in 0u32..960,
        choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        for choice in [choice, choice % 8] {
            playout(choice, &choices, |position| {
                let fresh = Position::from_chess(&position.to_chess());
                assert_eq!(position.repetition_key(), fresh.repetition_key());
                assert_eq!(position.pawn_key(), fresh.pawn_key());
                assert_eq!(position.material_key(), fresh.material_key());
                assert_eq!(position.key(), fresh.key());
                if position.may_pass() {
                    let mut passed = position.clone();
                    passed.pass();
                    let fresh = Position::from_chess(&passed.to_chess());
                    assert_eq!(passed.repetition_key(), fresh.repetition_key());
                    assert_eq!(passed.turn(), !position.turn());
                    assert_eq!(passed.reversible_plies(), 0);
                    same_as_shakmaty(&passed);
                }
            });
        }
    }

    #[test]
    fn exchange_is_that_of_play(choice in 0u32..960, choices in prop::collection::vec(any::<u16>(), 0..80)) {
        for choice in [choice, choice % 8] {
            playout(choice, &choices, |position| {
                for mv in position.legal_moves() {
                    let value = played_exchange(position, mv);
                    for threshold in [value - 1, value, value + 1, 0, 100, -100] {
                        assert_eq!(
                            exchange_at_least(position, mv, threshold),
                            value >= threshold,
                            "{position}: {mv:?} is worth {value}, asked for {threshold}"
                        );
                    }
                }
            });
        }
    }
}

/// The exchange played out on the board with legal moves: after `mv` each side captures on its target
/// with its least valuable piece, or stops.
fn played_exchange(position: &Position, mv: cassius_chess::Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let mv: shakmaty::Move = mv.into();
    let mut chess = position.to_chess();
    chess.play_unchecked(mv);
    worth(mv) - best_answer(&chess, mv.to())
}

fn worth(mv: shakmaty::Move) -> i32 {
    mv.capture().map_or(0, exchange_value)
        + mv.promotion().map_or(0, |role| exchange_value(role) - exchange_value(Role::Pawn))
}

fn best_answer(chess: &Chess, square: Square) -> i32 {
    let mut takes: Vec<shakmaty::Move> = chess
        .legal_moves()
        .into_iter()
        .filter(|mv| mv.is_capture() && !mv.is_en_passant() && mv.to() == square)
        .filter(|mv| mv.promotion().is_none_or(|role| role == Role::Queen))
        .collect();
    takes.sort_by_key(|mv| (mv.role(), mv.from()));
    let Some(mv) = takes.first() else { return 0 };
    let mut after = chess.clone();
    after.play_unchecked(*mv);
    (worth(*mv) - best_answer(&after, square)).max(0)
}

#[test]
fn transposed_orders_have_equal_keys() {
    // Positions that compare equal have equal keys, and vice versa.
    let mut seen: HashMap<u64, Position> = HashMap::new();
    fn walk(position: &Position, depth: u32, seen: &mut HashMap<u64, Position>, met: &mut u32) {
        let known = seen.entry(position.repetition_key()).or_insert_with(|| position.clone());
        assert!(known == position, "{known} and {position} share a key");
        *met += 1;
        if depth > 0 {
            for mv in position.legal_moves() {
                let mut next = position.clone();
                next.play(mv);
                walk(&next, depth - 1, seen, met);
            }
        }
    }
    for fen in STARTS {
        let mut met = 0;
        walk(&fen.parse().unwrap(), 3, &mut seen, &mut met);
        assert!(met > 1000, "{fen}: {met}");
    }
    let mut distinct: HashMap<String, u64> = HashMap::new();
    for position in seen.values() {
        let fen = position.to_string();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        let key = *distinct.entry(fields.join(" ")).or_insert(position.repetition_key());
        assert_eq!(key, position.repetition_key());
    }
}

#[test]
fn a_high_clock_is_part_of_the_key() {
    let at = |clock: u32| format!("8/8/4k3/8/8/3QK3/8/8 w - - {clock} 90").parse::<Position>().unwrap();
    assert_eq!(at(0).key(), at(79).key());
    assert_ne!(at(79).key(), at(80).key());
    assert_ne!(at(80).key(), at(98).key());
    assert_eq!(at(0).repetition_key(), at(98).repetition_key());
}

#[test]
fn draws_by_rule() {
    let drawn = |fen: &str| fen.parse::<Position>().unwrap().drawn_by_rule();
    assert!(!drawn("8/8/4k3/8/8/3QK3/8/8 w - - 99 90"));
    assert!(drawn("8/8/4k3/8/8/3QK3/8/8 w - - 100 90"));
    // Mate on the last ply counts.
    assert!(!drawn("R3k3/8/4K3/8/8/8/8/8 b - - 100 90"));
    assert!(drawn("R3k3/3n4/4K3/8/8/8/8/8 b - - 100 90"));
    for fen in ["8/8/4k3/8/8/3NK3/8/8 w - - 0 1", "8/8/2b1k3/8/4B3/4K3/8/8 w - - 0 1"] {
        assert!(drawn(fen), "{fen}");
    }
    for fen in ["8/8/3bk3/8/4B3/4K3/8/8 w - - 0 1", "8/8/4k3/8/8/2NNK3/8/8 w - - 0 1"] {
        assert!(!drawn(fen), "{fen}");
    }
}

#[test]
fn reversible_plies_stop_at_castling_rights_and_passes() {
    let mut position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
    let mut play = |uci: &str| {
        let mv = position.legal_moves().into_iter().find(|mv| mv.to_string() == uci).unwrap();
        position.play(mv);
        position.reversible_plies()
    };
    assert_eq!(play("e1e2"), 0);
    assert_eq!(play("h8h7"), 0);
    assert_eq!(play("e2e1"), 1);
    assert_eq!(play("h7h8"), 2);
    assert_eq!(position.halfmoves(), 4);
    position.pass();
    assert_eq!(position.reversible_plies(), 0);
    assert_eq!(position.turn(), Color::Black);
}

/// A move back to an earlier position is found exactly where one of the legal moves leads there.
#[test]
fn moves_back_are_those_that_lead_back() {
    let mut found = 0;
    for (seed, fen) in (0..60u64).zip(STARTS.into_iter().chain(["8/8/4k3/7r/8/3BK3/8/8 w - - 0 1"]).cycle()) {
        let mut line = vec![fen.parse::<Position>().unwrap()];
        for ply in 0..150u64 {
            let position = line.last().unwrap().clone();
            let back = |ply: usize| line.len().checked_sub(1 + ply).map(|at| &line[at]);
            for ply in (1..=position.reversible_plies()).step_by(2) {
                let Some(earlier) = back(ply) else { break };
                let leads = |mv: cassius_chess::Move| {
                    let mut child = position.clone();
                    child.play(mv);
                    child.repetition_key() == earlier.repetition_key()
                };
                let expected = position.legal_moves().into_iter().any(leads);
                assert_eq!(position.leads_to(earlier.repetition_key()), expected, "{position}, {ply} back");
                found += u64::from(expected);
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mut next = position;
            // Half of the moves are with the king, so that positions come back.
            let kings: Vec<_> = moves.iter().filter(|mv| mv.role() == Role::King).collect();
            let choice = (seed * 7919 + ply * 104_729).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
            next.play(match kings.as_slice() {
                [] => moves[choice as usize % moves.len()],
                _ if choice % 2 == 0 => moves[choice as usize % moves.len()],
                kings => *kings[(choice / 2) as usize % kings.len()],
            });
            line.push(next);
        }
    }
    assert!(found > 100, "{found}");
}
