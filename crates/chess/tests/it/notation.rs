//! Tests reading and writing of positions, moves and test positions.

use cassius_chess::Position;
use cassius_chess::notation::{Epd, EpdLines};
use cassius_search::Game;
use proptest::prelude::*;
use shakmaty::CastlingMode;
use shakmaty::san::SanPlus;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) }
}

/// Returns the error message for an invalid FEN.
fn complaint(fen: &str) -> String {
    match fen.parse::<Position>() {
        Ok(position) => panic!("{fen} was read as {position}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_bad_fen_is_explained() {
    for (fen, says) in [
        ("", "FEN: empty"),
        ("8/8/8 w - -", "FEN board: 3 ranks, not 8"),
        ("8/8/8/8/4k3/8/9/4K3 w - -", "FEN board: unknown piece '9' on rank 2"),
        ("8/8/8/8/4k3/8/44p/4K3 w - -", "FEN board: rank 2 has 9 squares, not 8"),
        ("8/8/8/8/4k3/8/x7/4K3 w - -", "FEN board: unknown piece 'x' on rank 2"),
        ("8/8/8/8/4k3/8/8/4K3", "FEN: field missing: side to move"),
        ("8/8/8/8/4k3/8/8/4K3 white - -", "FEN side to move: 'w' or 'b' expected, 'white' found"),
        ("8/8/8/8/4k3/8/8/4K3 w", "FEN: field missing: castling rights"),
        ("8/8/8/8/4k3/8/8/4K3 w -", "FEN: field missing: en passant square"),
        ("8/8/8/8/4k3/8/8/4K3 w ? -", "FEN castling rights: unknown right '?'"),
        (
            "8/8/8/8/4k3/8/8/4K3 w K -",
            "FEN castling rights: 'K', but white has no king and rook in place for it",
        ),
        ("8/8/8/8/4k3/8/8/4K3 w - e6", "FEN en passant square: no pawn can just have passed 'e6'"),
        ("8/8/8/8/4k3/8/8/4K3 w - - x 1", "FEN halfmove clock: number from 0 to 9999 expected, 'x' found"),
        ("8/8/8/8/4k3/8/8/4K3 w - - +1", "FEN halfmove clock: number from 0 to 9999 expected, '+1' found"),
        ("8/8/8/8/4k3/8/8/4K3 w - - 0 -1", "FEN move number: number from 0 to 9999 expected, '-1' found"),
        ("8/8/8/8/4k3/8/8/4K3 w - - 0 1 moves", "FEN: unexpected 'moves' after the move number"),
        ("8/8/8/8/8/8/8/4K3 w - -", "illegal position: black has no king"),
        ("8/8/8/8/4k3/8/8/3KK3 w - -", "illegal position: white has more than one king"),
        ("P7/8/8/8/4k3/8/8/4K3 w - -", "illegal position: pawn on a8"),
        ("8/8/8/8/4k3/8/8/4K2B b - -\u{7}", "FEN en passant square: no pawn can just have passed '-\u{7}'"),
        ("8/8/8/8/4k3/8/8/4K2B w - -", "illegal position: black is in check but it is the other side's move"),
        ("QQQQQQQQ/QQQQQQQQ/Q7/8/8/8/k7/4K3 b - -", "illegal position: white has more than 16 pieces"),
    ] {
        assert_eq!(complaint(fen), says, "{fen}");
    }
}

#[test]
fn fens_are_written_as_they_are_read() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/8/8/8/8/4k3/4p3/4K3 w - - 13 92",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
        // With rooks behind those that may castle, only files identify the castling rooks.
        "rr2k3/8/8/8/8/8/8/RR2K3 w Bb - 0 1",
    ] {
        assert_eq!(fen.parse::<Position>().unwrap().to_string(), fen);
    }
    // Shredder-FEN is read and X-FEN is written. An en passant square without a legal capture is
    // dropped.
    let read = |fen: &str| fen.parse::<Position>().unwrap().to_string();
    assert_eq!(read("4k3/8/8/8/8/8/8/R3K2R w HA -"), "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(
        read("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    );
}

#[test]
fn castling_in_both_styles() {
    let standard: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
    assert_eq!(standard.castling_mode(), CastlingMode::Standard);
    for (long, short) in [("e1c1", "e1a1"), ("e1g1", "e1h1")] {
        assert_eq!(standard.parse_uci(long), standard.parse_uci(short));
        let mv = standard.parse_uci(long).unwrap();
        assert_eq!(standard.uci(mv), long);
        assert_eq!(standard.clone().with_castling_mode(CastlingMode::Chess960).uci(mv), short);
    }
    // A legal king step to g1 is not parsed as castling.
    let fischer: Position = "4k3/8/8/8/8/8/8/5K1R w H - 0 1".parse().unwrap();
    assert_eq!(fischer.castling_mode(), CastlingMode::Chess960);
    assert!(!fischer.parse_uci("f1g1").unwrap().is_castling());
    assert!(fischer.parse_uci("f1h1").unwrap().is_castling());
    // Such a right cannot be written in standard chess.
    assert_eq!(fischer.with_castling_mode(CastlingMode::Standard).castling_mode(), CastlingMode::Chess960);
}

#[test]
fn algebraic_notation_as_people_write_it() {
    let position: Position = "r3k2r/1P3ppp/8/3pP3/8/2N5/N4PPP/R3K2R w KQkq d6 0 20".parse().unwrap();
    for (texts, uci) in [
        (&["bxa8=Q", "bxa8Q", "ba8=Q", "bxa8(Q)", "bxa8/Q", "bxa8=Q!?", "bxa8q+"][..], "b7a8q"),
        (&["b8=N", "b8N", "b8=N+"], "b7b8n"),
        (&["exd6", "exd6e.p.", "e5xd6", "ed6", "e5d6"], "e5d6"),
        (&["O-O", "0-0", "o-o", "O-O!"], "e1g1"),
        (&["O-O-O", "0-0-0"], "e1c1"),
        (&["Nb5", "Nc3b5", "Nc3-b5", "N3b5", "Ncb5"], "c3b5"),
        (&["Nxd5", "Nd5", "N:d5"], "c3d5"),
        (&["Nab4", "Nb4", "Na2b4"], "a2b4"),
    ] {
        for text in texts {
            let mv = position.parse_san(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(position.uci(mv), uci, "{text}");
        }
    }
    for (text, says) in [
        ("", "'' is not a move"),
        ("Qqq", "'Qqq' is not a move"),
        ("Nb9", "'Nb9' is not a move"),
        ("b8", "'b8' is not legal here"),
        ("Qd1", "'Qd1' is not legal here"),
        ("d6", "'d6' is not legal here"),
        ("Kd3xd4e5f6", "'Kd3xd4e5f6' is not a move"),
    ] {
        assert_eq!(position.parse_san(text).unwrap_err().to_string(), says);
    }
    let two: Position = "4k3/8/8/8/8/8/8/R2NKN1R w - - 0 1".parse().unwrap();
    assert_eq!(two.parse_san("Ne3").unwrap_err().to_string(), "'Ne3' is ambiguous: Nde3 or Nfe3");
}

#[test]
fn operations_of_an_epd() {
    let text = "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - \
                bm Nd5 a2a4; am Qd2; id \"BK.05\"; c0 \"a; b\"; dm 3; acd 12;";
    let epd: Epd = text.parse().unwrap();
    let sans: Vec<String> = epd.best.iter().map(|mv| epd.position.san(*mv)).collect();
    assert_eq!(sans, ["Nd5", "a4"]);
    assert_eq!(epd.avoid.len(), 1);
    assert_eq!((epd.id(), epd.text("c0"), epd.mate), (Some("BK.05"), Some("a; b"), Some(3)));
    assert_eq!(epd.operands("acd"), Some(&["12".to_string()][..]));
    assert_eq!(epd.to_string(), text);

    let mate: Epd = "8/8/8/8/8/4k3/8/4K2R w - - bm #-2; hmvc 7; fmvn 30;".parse().unwrap();
    assert_eq!((mate.mate, mate.position.halfmoves(), mate.position.fullmoves()), (Some(-2), 7, 30));
    // A list of FENs is a list of EPDs.
    let fen: Epd = "8/8/8/8/8/4k3/8/4K2R w - - 9 40".parse().unwrap();
    assert_eq!(fen.position.halfmoves(), 9);
    assert!("startpos".parse::<Epd>().is_ok());

    for (text, says) in [
        ("8/8/8/8/8/4k3/8/4K2R w - - bm Rh9;", "bm: 'Rh9' is not a move"),
        ("8/8/8/8/8/4k3/8/4K2R w - - am Kd3;", "am: 'Kd3' is not legal here"),
        ("8/8/8/8/8/4k3/8/4K2R w - - dm x;", "dm: number expected, 'x' found"),
        ("8/8/8/8/8/4k3/8/4K2R w - - dm 0;", "dm: a mate takes at least one move"),
        ("8/8/8/8/8/4k3/8/4K2R w - - bm #0;", "bm: a mate takes at least one move"),
        ("8/8/8/8/8/4k3/8/4K2R w - - hmvc x;", "hmvc: number expected, 'x' found"),
        ("8/8/8/8/8/4k3/8/4K2R w - - id \"x", "id: closing quote missing"),
        ("8/8/8/8/8/4k3/8/4K2R w - - =3", "name of an operation expected, '=3' found"),
        ("", "FEN: empty"),
    ] {
        assert_eq!(text.parse::<Epd>().unwrap_err().to_string(), says, "{text}");
    }
}

#[test]
fn a_bad_line_of_a_file_does_not_stop_the_others() {
    let file = b"\xef\xbb\xbf# suite\n8/8/8/8/8/4k3/8/4K2R w - - bm Rh3+; id \"1\";\r\n\r\n\
                 8/8/8/8/8/4k3/8/4K2R w - - bm Qh3;\n8/8/8/8/8/4k3/8/4K2R w - - id \"\xff\"";
    let lines: Vec<_> = EpdLines::new(&file[..]).collect();
    assert_eq!(lines.len(), 3);
    assert!(matches!(&lines[0], Ok((2, epd)) if epd.id() == Some("1")));
    assert_eq!(lines[1].as_ref().unwrap_err().to_string(), "line 4: bm: 'Qh3' is not legal here");
    assert!(matches!(&lines[2], Ok((5, _))));
}

/// Generates a square of a board: five of six are empty.
fn piece() -> impl Strategy<Value = u8> {
    prop_oneof![5 => Just(b'1'), 1 => prop::sample::select(b"pnbrqPNBRQ".to_vec())]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn moves_are_written_as_shakmaty_writes_them_and_read_back(
        choices in prop::collection::vec(any::<u16>(), 0..150),
    ) {
        let mut position = Position::default();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let chess = position.to_chess();
            for mv in &moves {
                let san = position.san(*mv);
                prop_assert_eq!(&san, &SanPlus::from_move(chess.clone(), (*mv).into()).to_string());
                prop_assert_eq!(position.parse_san(&san), Ok(*mv));
                prop_assert_eq!(position.parse_uci(&position.uci(*mv)), Ok(*mv));
                prop_assert_eq!(position.parse_uci(&mv.to_string()), Ok(*mv));
                prop_assert_eq!(position.parse_move(&san), Ok(*mv));
                prop_assert_eq!(position.find(mv.code()), Some(*mv));
            }
            position.play(moves[choice as usize % moves.len()]);
            prop_assert_eq!(position.to_string().parse::<Position>(), Ok(position.clone()));
        }
    }

    #[test]
    fn nothing_makes_a_reader_panic(
        text in "\\PC{0,80}", bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let position = Position::default();
        for text in [text.as_str(), &String::from_utf8_lossy(&bytes)] {
            let _ = text.parse::<Position>();
            let _ = text.parse::<Epd>();
            let _ = position.parse_san(text);
            let _ = position.parse_uci(text);
            let _ = position.parse_line(text);
        }
        let _ = EpdLines::new(&bytes[..]).count();
    }

    #[test]
    fn nothing_that_looks_like_a_fen_makes_a_reader_panic(
        board in "[1-8pnbrqkPNBRQK/]{10,60}",
        rest in " [wb] [KQkqA-Ha-h-]{1,4} [a-h-][1-8]?( [0-9]{1,6}){0,2}",
        operations in "( [a-z0-9]{1,4}[ \"#a-hNBRQK1-8=x;+-]{0,20}){0,3}",
    ) {
        let _ = format!("{board}{rest}").parse::<Position>();
        let _ = format!("{board}{rest}{operations}").parse::<Epd>();
        let _ = format!("{}{rest}{operations}", "rnbqk2r/pppppppp/8/8/8/8/PPPPPPPP/R3KBNR").parse::<Epd>();
    }

    /// Every accepted position can be played. Most squares are empty, so that many are accepted.
    #[test]
    fn boards_of_pieces_are_played_or_refused(
        squares in prop::collection::vec(piece(), 64), (black, white) in (0..64_usize, 0..64_usize),
        at_home: bool, rest in " [wb] (-|[KQkqA-Ha-h]{1,4}) (-|[a-h][36])",
    ) {
        let mut squares: Vec<u8> = squares;
        for back in [0..8, 56..64] {
            squares[back].iter_mut().filter(|square| b"pP".contains(square)).for_each(|pawn| *pawn = b'1');
        }
        let (black, white) = if at_home { (4, 60) } else { (black, white) };
        prop_assume!(black != white);
        if at_home {
            (squares[0], squares[7], squares[56], squares[63]) = (b'r', b'r', b'R', b'R');
        }
        (squares[black], squares[white]) = (b'k', b'K');
        let ranks: Vec<String> =
            squares.chunks(8).map(|rank| String::from_utf8_lossy(rank).into_owned()).collect();
        let board = ranks.join("/");
        let mut accepted = 0;
        for rest in [" w - -", " b - -", " w KQkq -", &rest] {
            let Ok(position) = format!("{board}{rest}").parse::<Position>() else { continue };
            accepted += 1;
            for mv in position.legal_moves() {
                let mut next = position.clone();
                next.play(mv);
                prop_assert_eq!(next.to_string().parse::<Position>(), Ok(next));
                let _ = position.san(mv);
            }
        }
        prop_assume!(accepted > 0);
    }
}
