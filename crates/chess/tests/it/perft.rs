//! Perft with known counts. Sources: the Chess Programming Wiki's "Perft
//! Results" and "Chess960 Perft Results", python-chess's `tricky.perft`.

use cassius_chess::{Position, divide, perft};

fn check(table: &[(&str, &[u64])]) {
    for (fen, counts) in table {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        for (depth, count) in (1..).zip(*counts) {
            assert_eq!(perft(&position, depth), *count, "{fen} at depth {depth}");
        }
    }
}

#[test]
fn starting_position() {
    check(&[("startpos", &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324])]);
}

#[test]
fn kiwipete() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    check(&[(fen, &[48, 2_039, 97_862, 4_085_603, 193_690_690])]);
}

#[test]
fn classic_positions() {
    check(&[
        // Numbers 3 to 6 of the Chess Programming Wiki, number 4 from both sides.
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624, 11_030_083]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9_467, 422_333, 15_833_292],
        ),
        (
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            &[6, 264, 9_467, 422_333, 15_833_292],
        ),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[46, 2_079, 89_890, 3_894_594],
        ),
    ]);
}

#[test]
fn tricky_positions() {
    check(&[
        // Many promotions, checks and pins.
        ("8/ppp3p1/8/8/3p4/5Q2/1ppp2K1/brk4n w - -", &[27, 390, 9_354, 134_167]),
        ("8/6kR/8/8/8/bq6/1rqqqqqq/K1nqnbrq b - -", &[7, 52, 4_593, 50_268]),
        // Checking pieces on one line, which cannot occur in a game.
        ("3R4/8/q4k2/2B5/1NK5/3b4/8/8 w - -", &[4, 125, 2_854]),
        ("2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - -", &[3, 81, 1_217]),
        ("5R2/2P5/8/4k3/8/3rK2r/8/8 w - -", &[2, 56, 1_030]),
        // En passant in check and when pinned.
        ("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3", &[6, 121, 711]),
        ("1b1k4/8/8/1rPpK3/8/8/8/8 w - d6", &[5, 100, 555]),
        ("rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR w KQkq c6", &[2, 92, 2_528]),
    ]);
}

#[test]
fn chess960() {
    check(&[
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            &[21, 528, 12_189, 326_672, 8_146_062],
        ),
        ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", &[21, 807, 18_002, 667_366]),
        (
            "r1bqk1rb/pppnpppp/5n2/3p4/2P3PP/2N5/PP1PPP2/R1BQKNRB w GAga - 1 9",
            &[32, 821, 27_121, 733_155, 24_923_473],
        ),
        ("rqbbknnr/ppppp2p/5pp1/8/8/1P3PP1/PQPPP2P/R1BBKNNR w HAha - 1 9", &[23, 391, 10_163, 198_450]),
        ("rkrnnqbb/p1ppp2p/Qp6/4Pp2/5p2/8/PPPP2PP/RKRNN1BB w CAca - 0 9", &[35, 929, 32_020, 896_130]),
        ("bbq1nr1r/pppppk1p/2n2p2/6p1/P4P2/4P1P1/1PPP3P/BBQNNRKR w HF - 2 9", &[23, 589, 14_744, 387_556]),
        // Castling with the rook next to the king, across the rook's square, and uncovering an attack.
        ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1", &[23, 522, 12_333, 285_754]),
        ("r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w KQkq - 0 1", &[28, 738, 20_218, 541_480]),
        ("8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1", &[34, 318, 9_002, 118_388]),
        ("2r5/8/8/8/8/8/6PP/k2KR3 w K - 0 1", &[17, 242, 3_931, 57_700]),
        ("4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ - 0 1", &[19, 628, 12_858, 405_636]),
        ("r2r3k/p7/3p4/8/8/P6P/8/R3K2R b KQq - 0 1", &[14, 206, 3_672, 64_639, 1_320_962]),
    ]);
}

#[test]
fn divide_adds_up() {
    let position = Position::default();
    let counts = divide(&position, 3);
    assert_eq!(counts.iter().map(|(_, leaves)| leaves).sum::<u64>(), perft(&position, 3));
    assert!(divide(&position, 0).is_empty());
    assert_eq!(perft(&position, 0), 1);
}
