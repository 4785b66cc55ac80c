//! Tests which moves answer a threat, by comparison with what the rules permit after them.

use cassius_chess::{Evaluator, Move, Position};
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::order::{
    CounterKillers, DistantKillers, Killers, NoisyFirst, Order, Reorder,
};
use cassius_search::alpha_beta::windows::WholeWindow;
use cassius_search::game::{Defuse, MoveIndexed};
use cassius_search::{Checks, Game, Off, Pass, Request, Score, Slots, Unlimited, search};
use proptest::prelude::*;
use shakmaty::{Board, Rank, Role, Square, attacks};
use std::marker::PhantomData;

/// Returns the moves that the other side could make if it were its turn.
fn threats(position: &Position) -> (Position, Vec<Move>) {
    let mut other = position.clone();
    other.pass();
    let mut moves = other.legal_moves();
    moves.retain(|mv| !mv.is_castling() && !mv.is_en_passant());
    (other, moves)
}

fn defuses(fen: &str, mv: &str, threat: &str) -> bool {
    let position: Position = fen.parse().unwrap();
    let (other, threats) = threats(&position);
    let named =
        |moves: Vec<Move>, name: &str| moves.into_iter().find(|mv| mv.to_string() == name).expect(name);
    position.defuses(named(position.legal_moves(), mv), other.move_index(named(threats, threat)))
}

#[test]
fn examples() {
    // The rook on e8 threatens to take on e5: the knight leaves, or a rook guards it. A move of a
    // distant pawn does not help.
    let knight = "4r1k1/8/8/4N3/8/8/P7/5RK1 w - - 0 1";
    assert_eq!(["e5d7", "f1e1", "a2a3"].map(|mv| defuses(knight, mv, "e8e5")), [true, true, false]);
    // A piece that already guards the square does not improve the guard by moving.
    assert!(!defuses("4r1k1/8/8/4N3/8/8/P7/4R1K1 w - - 0 1", "e1e2", "e8e5"));
    // A bishop blocks; a rook takes the rook.
    assert!(defuses("4r1k1/8/8/2B5/4N3/8/8/6K1 w - - 0 1", "c5e7", "e8e4"));
    assert!(defuses("R3r3/7k/8/8/4N3/8/8/6K1 w - - 0 1", "a8e8", "e8e4"));
    // A pawn threatens to advance: a king blocks it, a rook guards the square behind.
    let pawn = "6k1/8/8/8/8/3p4/8/R3K3 w - - 0 1";
    assert_eq!(["e1d2", "a1a2", "a1a3"].map(|mv| defuses(pawn, mv, "d3d2")), [true, true, false]);
    // Castling moves the rook away.
    assert!(defuses("6k1/8/8/8/8/5b2/8/4K2R w K - 0 1", "e1h1", "f3h1"));
}

/// Whether the piece on `from` could go to `to` if it were its turn, ignoring the safety of its king.
fn goes(board: &Board, from: Square, to: Square) -> bool {
    let Some(piece) = board.piece_at(from) else { return false };
    if piece.role == Role::Pawn && board.color_at(to).is_none() {
        let step = piece.color.fold_wb(8, -8);
        let twice = piece.color.relative_rank(Rank::Second) == from.rank();
        let path = attacks::between(from, to) & board.occupied();
        from.offset(step) == Some(to) || twice && from.offset(2 * step) == Some(to) && path.is_empty()
    } else {
        attacks::attacks(from, piece, board.occupied()).contains(to)
            && board.color_at(to) != Some(piece.color)
    }
}

fn agrees(position: &Position, seen: &mut [usize; 2]) {
    let (other, threats) = threats(position);
    let before = position.board();
    for mv in position.legal_moves().into_iter().filter(|mv| !mv.is_castling() && !mv.is_en_passant()) {
        let mut child = position.clone();
        child.play(mv);
        let after = child.board();
        for &threat in &threats {
            let (from, to) = (threat.from(), threat.to());
            let defused = position.defuses(mv, other.move_index(threat));
            seen[usize::from(defused)] += 1;
            if !defused {
                let there = after.piece_at(from) == before.piece_at(from);
                assert!(there && goes(after, from, to), "{mv} ends {threat} in {position}");
                continue;
            }
            // Several pieces of a kind share a slot: one of those that could go there no longer can.
            let kind = before.by_piece(before.piece_at(from).expect("what threatens"));
            let stands = |square: Square| after.piece_at(square) == before.piece_at(square);
            let stopped = kind
                .into_iter()
                .any(|square| goes(before, square, to) && !(stands(square) && goes(after, square, to)));
            let guards = after
                .piece_at(mv.to())
                .is_some_and(|piece| attacks::attacks(mv.to(), piece, after.occupied()).contains(to));
            assert!(stopped || mv.from() == to || guards, "{mv} does nothing against {threat} in {position}");
        }
    }
}

const STARTS: [&str; 4] = [
    "startpos",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 12,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1981),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// A move that defuses a threat makes it impossible, removes its target or guards the square. A move
    /// that makes it impossible, except by a pin, defuses it.
    #[test]
    fn what_defuses_a_threat_answers_it(choices in prop::collection::vec(any::<u16>(), 30)) {
        let mut seen = [0; 2];
        for start in STARTS {
            let mut position: Position = start.parse().unwrap();
            for choice in &choices {
                if !position.in_check() {
                    agrees(&position, &mut seen);
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[usize::from(*choice) % moves.len()]);
            }
        }
        prop_assert!(seen[0] > 1000 && seen[1] > 1000, "{:?}", seen);
    }
}

/// Alpha-beta over the static values, with a move ordering.
struct Ordered<O>(PhantomData<O>);

cassius_search::recipe! {
    impl [O: Order<Position>] Ordered<O>, game Position {
        Setting = (Evaluator, Off);
        Horizon = Plies;
        Order = O;
        Windows = WholeWindow;
    }
}

/// Returns the values, and the total number of nodes.
fn solve<O: Order<Position>>() -> (Vec<Score>, u64) {
    let answers = STARTS.map(|start| {
        let position: Position = start.parse().unwrap();
        let mut slots = Slots::<Position, Ordered<O>>::new(Evaluator::new(), Off, Off);
        search(&mut slots, &Request::new(&position, &Unlimited).to_iteration(4), &mut |_| {})
    });
    (
        answers.iter().filter_map(|answer| answer.score()).collect(),
        answers.iter().map(|answer| answer.nodes).sum(),
    )
}

/// In chess, too, these orders change the node counts and not the values.
#[test]
fn orders_change_no_value() {
    let (values, nodes) = solve::<(NoisyFirst, Killers)>();
    for (same, other) in [
        solve::<(NoisyFirst, Killers, DistantKillers)>(),
        solve::<(NoisyFirst, Killers, CounterKillers)>(),
        solve::<(NoisyFirst, Killers, Reorder)>(),
    ] {
        assert_eq!(same, values);
        assert_ne!(other, nodes);
    }
}
