//! Every weight of the evaluation, as `(middlegame, endgame)` in centipawns.
//!
//! *Provenance*: fitted by the tuner of `cassius-lab` (`tune.rs`) to 793,341
//! quiet positions from 12,200 games that Stockfish 15.1 played against itself
//! with 1,500 nodes a move, from the openings of `8moves_v3.epd` and 2 to 8
//! random plies. Quiet: not in check, best move neither capture nor promotion;
//! further, score within ±15 pawns, at most 40 half-moves without progress, no
//! piece against a bare king, no position twice. Target: 70 % its score, 30 %
//! the result. Held-out loss (cross-entropy, the last tenth of the positions):
//! 0.3973 with the weights that the fit started from, 0.3698 with these; the
//! teacher's own scores have 0.3313. The fit started from PeSTO's public
//! material and piece-square tables (Ronald Friederich) and round guesses for
//! the rest.

use super::Tapered;
use super::trace::{Term, TermInfo};

/// Declares groups of weights and the list of them all, numbered in order.
macro_rules! terms {
    ($($(#[$doc:meta])* $name:ident: $len:literal = [$(($mg:literal, $eg:literal)),* $(,)?];)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Group { $($name),* }

        const LENGTHS: &[usize] = &[$($len),*];

        $(
            $(#[$doc])*
            pub static $name: Term<$len> =
                Term { first: start(Group::$name as usize), values: [$(Tapered::new($mg, $eg)),*] };
        )*

        /// All groups, in the order of their numbers.
        pub static TERMS: &[TermInfo] = &[
            $(TermInfo { name: stringify!($name), first: start(Group::$name as usize), values: &$name.values }),*
        ];
    };
}

const fn start(group: usize) -> usize {
    let (mut first, mut before) = (0, 0);
    while before < group {
        first += LENGTHS[before];
        before += 1;
    }
    first
}

/// The number of weights in all groups.
pub const COUNT: usize = start(LENGTHS.len());

terms! {
    /// Pawn, knight, bishop, rook, queen, anywhere.
    MATERIAL: 5 = [(52, 112), (310, 313), (310, 344), (468, 557), (946, 946)];
    /// A pawn on each square; first row a8 to h8, as white sees it.
    PAWN_SQUARE: 64 = [
        (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),
        (51, 125),  (80, 139),  (86, 127),  (85, 129),  (117, 119), (35, 119),  (45, 129),  (5, 125),
        (-6, 64),   (6, 63),    (-19, 61),  (22, 34),   (24, 52),   (35, 36),   (49, 54),   (-11, 50),
        (7, 26),    (13, 25),   (1, 11),    (32, 1),    (37, 0),    (36, -10),  (30, 28),   (8, 26),
        (-17, 24),  (-9, 23),   (-5, 10),   (4, 11),    (5, 8),     (13, 9),    (-2, 29),   (-8, 16),
        (-20, 19),  (-22, 23),  (-22, 19),  (-16, 19),  (-16, 21),  (-4, 15),   (-3, 21),   (-11, 12),
        (-15, 19),  (-2, 16),   (-8, 19),   (-17, 24),  (-5, 31),   (9, 18),    (17, 18),   (8, 11),
        (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),
    ];
    /// A knight on each square; first row a8 to h8, as white sees it.
    KNIGHT_SQUARE: 64 = [
        (-130, -15), (-97, -11),  (-55, 16),   (-42, 1),    (33, -24),   (-123, 8),   (-29, -63),  (-98, -95),
        (-44, -12),  (-22, 11),   (30, -32),   (-3, -1),    (22, -6),    (33, -13),   (-6, -19),   (10, -28),
        (-23, -17),  (10, -2),    (29, -22),   (6, 8),      (22, -13),   (33, -17),   (5, -4),     (13, -3),
        (9, 5),      (17, -10),   (3, -7),     (26, -5),    (16, 1),     (20, 7),     (10, -10),   (25, -11),
        (10, 3),     (4, -7),     (26, -5),    (9, -10),    (9, 2),      (26, -11),   (5, -9),     (7, -15),
        (-4, -6),    (1, -9),     (3, -16),    (11, -11),   (10, -13),   (-4, -26),   (-1, -15),   (11, -32),
        (-25, -1),   (-11, -1),   (-1, -11),   (0, -11),    (2, -17),    (3, -15),    (5, -2),     (5, -24),
        (-56, 14),   (-1, -2),    (1, -4),     (0, 4),      (24, -5),    (-8, -1),    (-6, -18),   (-58, -27),
    ];
    /// A bishop on each square; first row a8 to h8, as white sees it.
    BISHOP_SQUARE: 64 = [
        (-21, -8),  (-11, -12), (-103, 9),  (-36, 18),  (-30, 7),   (-56, 16),  (28, -11),  (-6, -16),
        (-16, 16),  (-6, -3),   (16, 4),    (-45, 20),  (-22, 26),  (-16, -3),  (1, -10),   (-40, -12),
        (6, 5),     (3, 12),    (-8, 1),    (13, 9),    (13, 13),   (-4, 15),   (30, -9),   (-13, 2),
        (4, -3),    (13, 1),    (10, 10),   (13, 16),   (7, 19),    (13, 0),    (2, 11),    (-22, -8),
        (13, 1),    (6, 3),     (12, 6),    (25, 21),   (17, 5),    (12, 8),    (-14, 8),   (7, -28),
        (4, 0),     (25, -9),   (11, -3),   (8, 7),     (13, 9),    (13, -21),  (25, -1),   (-3, -4),
        (21, -1),   (10, -12),  (12, -8),   (-5, 5),    (-4, 2),    (-1, -9),   (14, -25),  (11, -31),
        (26, -11),  (9, 6),     (-8, 5),    (-27, 10),  (19, -1),   (-23, 5),   (7, -17),   (-8, -8),
    ];
    /// A rook on each square; first row a8 to h8, as white sees it.
    ROOK_SQUARE: 64 = [
        (27, 5),    (27, 12),   (26, 17),   (20, 8),    (26, 10),   (0, 27),    (16, 14),   (34, 4),
        (23, -4),   (1, 9),     (28, -2),   (42, -5),   (54, -16),  (50, -6),   (6, -3),    (36, -14),
        (12, 4),    (2, 23),    (3, 7),     (25, -7),   (-9, 10),   (37, -1),   (56, -8),   (24, -7),
        (-9, 13),   (2, 15),    (-10, 11),  (-22, 24),  (3, 11),    (-8, 16),   (-18, 13),  (10, 7),
        (-34, 12),  (-15, 19),  (-15, 14),  (-12, 15),  (-21, 19),  (-9, 18),   (9, 4),     (-19, 5),
        (-14, 10),  (7, 3),     (-15, 10),  (8, 0),     (13, 0),    (-2, 4),    (16, 9),    (14, -13),
        (-22, -1),  (-16, 0),   (-20, 1),   (4, -5),    (-3, -1),   (11, -8),   (1, -5),    (-20, -10),
        (-15, 0),   (-5, 0),    (-10, -2),  (-3, 2),    (7, -7),    (-2, 2),    (-2, -5),   (-1, -17),
    ];
    /// A queen on each square; first row a8 to h8, as white sees it.
    QUEEN_SQUARE: 64 = [
        (-56, 38),  (15, 3),    (14, 5),    (9, 17),    (17, -5),   (4, 6),     (24, -4),   (24, 12),
        (-12, 8),   (-23, 10),  (-22, 15),  (-23, 22),  (-12, 12),  (-2, 23),   (-26, 18),  (22, -13),
        (7, -1),    (-8, 0),    (-17, 26),  (-24, 37),  (12, 7),    (17, 18),   (-4, 3),    (-1, 9),
        (-4, 13),   (-2, 20),   (-15, 19),  (-14, 16),  (-7, 18),   (2, 31),    (-31, 51),  (-5, 28),
        (9, 9),     (0, 27),    (-16, 29),  (-30, 40),  (-10, 24),  (-3, 12),   (3, 1),     (-12, 37),
        (18, -15),  (7, 0),     (7, -8),    (9, 4),     (2, 19),    (8, 8),     (16, 3),    (4, 9),
        (2, -5),    (8, -13),   (17, -7),   (8, 3),     (11, 2),    (9, -7),    (15, -33),  (13, -23),
        (31, -23),  (-5, 19),   (8, -1),    (10, 3),    (7, 15),    (-5, 3),    (-47, -14), (-11, 1),
    ];
    /// A king on each square; first row a8 to h8, as white sees it.
    KING_SQUARE: 64 = [
        (-63, -44),  (34, -8),    (10, -7),    (-12, -16),  (-27, 12),   (-31, 15),   (-1, 2),     (-23, -122),
        (18, -27),   (-25, 25),   (-31, 23),   (-18, 23),   (-10, 47),   (-9, 14),    (-33, 34),   (-51, -38),
        (-27, 41),   (12, 37),    (11, 43),    (-24, 30),   (-57, 51),   (-9, 34),    (22, 19),    (-23, 31),
        (-39, 8),    (-18, 26),   (-31, 30),   (-47, 24),   (-32, 24),   (-15, 30),   (15, 19),    (-42, 10),
        (-63, -1),   (-14, 2),    (-12, 10),   (-51, 23),   (-60, 13),   (-40, 15),   (-19, 0),    (-44, -13),
        (-42, -1),   (-10, -4),   (-32, 10),   (-48, 7),    (-63, 12),   (-38, 8),    (-2, -2),    (-6, -13),
        (44, -17),   (28, -12),   (-6, 0),     (-37, 6),    (-33, -4),   (-18, 2),    (11, -9),    (38, -23),
        (-1, -29),   (24, -22),   (24, -5),    (-33, -10),  (3, -25),    (-15, -10),  (24, -25),   (23, -37),
    ];
    /// Knight by number of welcome squares it attacks, 0 to 8.
    KNIGHT_MOBILITY: 9 = [
        (-59, -41), (-33, -18), (-26, -5),  (-19, 4),   (-15, 10),  (-12, 16),  (-6, 20),   (-3, 23),
        (-2, 23),
    ];
    /// Bishop by number of welcome squares, 0 to 13; it sees through its own queen and bishop.
    BISHOP_MOBILITY: 14 = [
        (-60, -23), (-38, 1),   (-24, -2),  (-23, 10),  (-18, 17),  (-14, 17),  (-14, 20),  (-11, 23),
        (-13, 22),  (-12, 23),  (-8, 15),   (11, 11),   (2, 14),    (3, 21),
    ];
    /// Rook by number of welcome squares, 0 to 14; it sees through its own queen and rook.
    ROOK_MOBILITY: 15 = [
        (-96, -49), (-37, -13), (-16, 4),   (-13, 4),   (-8, 9),    (-10, 19),  (-8, 20),   (-4, 20),
        (-4, 24),   (-3, 26),   (0, 26),    (0, 31),    (4, 31),    (-7, 38),   (11, 29),
    ];
    /// Queen by number of welcome squares, 0 to 27.
    QUEEN_MOBILITY: 28 = [
        (-40, -60), (-58, -54), (-43, -9),  (-37, -14), (-21, -55), (-19, -11), (-24, 6),   (-20, 1),
        (-15, 1),   (-13, 6),   (-12, 4),   (-8, 6),    (-6, 7),    (-5, 8),    (-2, 7),    (-7, 13),
        (-5, 17),   (2, 6),     (-2, 15),   (0, 11),    (15, 8),    (20, -4),   (3, -1),    (10, 9),
        (10, 17),   (-12, 3),   (16, 36),   (-4, 22),
    ];
    /// Knights, in positions from open (0) to closed (8).
    KNIGHT_CLOSED: 9 = [
        (-16, 18), (-8, 15),  (-18, 16), (-14, 15), (-13, 14), (-17, 7),  (-11, 22), (-18, 36),
        (-14, -2),
    ];
    /// Rooks, in positions from open (0) to closed (8).
    ROOK_CLOSED: 9 = [
        (-30, 55), (-24, 46), (-12, 21), (-3, 27),  (2, 11),   (13, 3),   (21, -11), (29, -43),
        (22, -61),
    ];
    /// Two bishops on squares of both colours.
    BISHOP_PAIR: 1 = [(-11, -6)];
    /// A knight, a bishop directly behind a pawn of either side.
    BEHIND_PAWN: 2 = [(4, 9), (4, 6)];
    /// Knight on ranks 4 to 6 that no pawn can attack: 2 × on the edge file + guarded by a pawn; then
    /// knight that can reach such a square, guarded, in one move.
    KNIGHT_OUTPOST: 5 = [(10, -2), (20, 4), (8, -2), (14, 8), (11, 10)];
    /// The same for a bishop.
    BISHOP_OUTPOST: 5 = [(2, -1), (33, 3), (1, 14), (-11, 25), (10, 5)];
    /// Bishop, for each pawn of its own on squares of its colour.
    BISHOP_OWN_PAWNS: 1 = [(-5, -1)];
    /// Bishop, for each such pawn that an enemy pawn blocks.
    BISHOP_RAMMED_PAWNS: 1 = [(5, -13)];
    /// Bishop that sees both centre squares of its diagonal through pieces, but not pawns.
    BISHOP_LONG_DIAGONAL: 1 = [(3, 15)];
    /// Bishop that sees the king's zone through pieces, but not pawns.
    BISHOP_AT_KING: 1 = [(6, 1)];
    /// Bishop, for each enemy pawn on its diagonals.
    BISHOP_AT_PAWNS: 1 = [(-8, 0)];
    /// Rook that sees the king's zone through pieces, but not pawns.
    ROOK_AT_KING: 1 = [(9, -5)];
    /// Queen in line with an enemy bishop or rook, and one piece between: theirs; ours.
    QUEEN_SHIELDED: 2 = [(-12, 3), (-23, -10)];
    /// Rook on a file without own pawns; without any pawns.
    ROOK_FILE: 2 = [(12, 0), (26, 5)];
    /// Rook with at most 3 welcome squares, on its king's wrong side.
    ROOK_TRAPPED: 1 = [(-10, 0)];
    /// Rook on the seventh rank, with the king on the last two ranks or pawns to eat.
    ROOK_SEVENTH: 1 = [(-23, 19)];
    /// Pawn that no pawn supports or can support, by distance of its file from the edge; then the same
    /// on a half-open file.
    ISOLATED: 8 = [(4, 0), (-8, -8), (7, -3), (1, -7), (7, -17), (0, -23), (-2, -13), (-8, -16)];
    /// Pawn behind all its neighbours, that cannot step safely, by rank; then the same on a half-open
    /// file.
    BACKWARD: 16 = [
        (0, 0),     (-7, 6),    (-4, -3),   (-3, -14),  (-31, -24), (7, -11),   (-5, -8),   (-5, -8),
        (0, 0),     (-9, -5),   (-6, -13),  (-6, -19),  (-16, -21), (-12, -12), (-12, -12), (-12, -12),
    ];
    /// Pawn behind another of its own on the file, by distance from the edge; then the same when
    /// isolated.
    DOUBLED: 8 = [(-41, 9), (-15, -15), (-9, -4), (-17, -9), (-28, -18), (3, -20), (-13, -17), (-30, 0)];
    /// Pawn for each own pawn that supports it, by rank.
    SUPPORTED: 8 = [(0, 0), (0, 0), (15, 7), (17, 4), (25, 13), (49, 25), (98, 59), (0, 0)];
    /// Pawn with an own pawn beside it, by rank; then the same against an enemy pawn on the file.
    PHALANX: 16 = [
        (0, 0),   (2, -4),  (17, 2),  (17, 5),  (16, 15), (48, 34), (88, 72), (0, 0),
        (0, 0),   (3, 5),   (12, -2), (10, 0),  (12, 6),  (36, 31), (50, 50), (0, 0),
    ];
    /// Unsupported pawn attacked by two pawns.
    WEAK_LEVER: 1 = [(-10, -15)];
    /// Pawn blocked by an enemy pawn on the fifth rank; further on.
    RAMMED_FAR: 2 = [(-10, 2), (18, -28)];
    /// Pawn that can become passed by exchanges, by rank, short of help; then with enough help.
    CANDIDATE: 16 = [
        (0, 0),    (-16, 4),  (-14, 8),  (-12, 10), (-8, 11),  (22, 36),  (0, 0),    (0, 0),
        (0, 0),    (-8, 11),  (-2, 2),   (-2, 10),  (0, 27),   (-8, 53),  (0, 0),    (0, 0),
    ];
    /// Passed pawn by rank: index 16 × not blocked + 8 × next square not attacked + rank.
    PASSED: 32 = [
        (0, 0),     (17, 6),    (0, 19),    (0, 42),    (5, 65),    (33, 71),   (78, 80),   (0, 0),
        (0, 0),     (-7, 40),   (-4, 36),   (11, 44),   (22, 61),   (47, 60),   (93, 82),   (0, 0),
        (0, 0),     (15, 28),   (-18, 40),  (3, 50),    (26, 66),   (53, 76),   (115, 113), (0, 0),
        (5, 0),     (10, 41),   (-10, 39),  (0, 54),    (19, 81),   (62, 90),   (104, 217), (5, 0),
    ];
    /// Passed pawn by distance of its file from the edge.
    PASSED_FILE: 4 = [(-15, -1), (-5, -4), (-4, -10), (-9, -19)];
    /// Passed pawn, for each step from its own king to the square before it (at most 5), by rank.
    PASSED_OWN_KING: 8 = [(0, 0), (-6, -1), (-6, -4), (1, -10), (4, -15), (2, -22), (-13, -34), (0, 0)];
    /// Passed pawn, for each step from the enemy king to the square before it (at most 5), by rank.
    PASSED_THEIR_KING: 8 = [(0, 0), (3, -5), (8, -4), (-2, 4), (-9, 14), (-6, 24), (-6, 32), (0, 0)];
    /// Passed pawn with no enemy piece or attack on its path, by rank.
    PASSED_FREE_PATH: 8 = [(0, 0), (-25, 17), (-16, 18), (-13, 17), (-31, 27), (-39, 51), (-9, -5), (0, 0)];
    /// Passed pawn whose next square we attack, by rank.
    PASSED_GUARDED_STEP: 8 = [(0, 0), (0, -3), (11, 5), (11, 7), (-2, 18), (10, 29), (22, 62), (0, 0)];
    /// Passed pawn with a rook or queen right behind it: ours; theirs.
    PASSED_ROOK_BEHIND: 2 = [(11, 14), (9, -53)];
    /// Passed pawn that the lone enemy king cannot catch.
    PASSED_UNSTOPPABLE: 1 = [(-16, 198)];
    /// Own minor pieces and pawns around the king, 0 to 11.
    KING_DEFENDERS: 12 = [
        (-28, -3), (-22, 0),  (-13, 3),  (-5, 1),   (-1, 7),   (8, 4),    (18, -26), (19, 8),
        (18, 0),   (18, 0),   (18, 0),   (18, 0),
    ];
    /// King, by number of files to the nearest pawn.
    KING_PAWN_FILES: 8 = [(4, 30), (-21, 27), (4, 19), (8, -27), (-4, -66), (25, -93), (10, -114), (-2, -66)];
    /// King shelter: on each of three files the steps to our nearest pawn not behind the king (7:
    /// none), by distance of the file from the edge; then the same for the king's own file.
    SHELTER: 64 = [
        (-3, -7),   (5, -2),    (9, 0),     (21, 3),    (15, 1),    (-6, 9),    (-1, 13),   (-5, 5),
        (20, 2),    (19, -9),   (5, -2),    (4, -2),    (-15, -3),  (-37, -21), (16, -14),  (-16, 10),
        (31, 3),    (10, 3),    (-7, 9),    (-3, 2),    (0, 6),     (-13, -11), (14, -31),  (-7, 5),
        (11, 3),    (8, -3),    (1, -5),    (-6, 6),    (-22, -2),  (-2, -7),   (-36, -8),  (-4, -1),
        (-5, 0),    (22, -5),   (23, -1),   (13, -11),  (4, -8),    (-20, 0),   (-8, 7),    (-25, 16),
        (-5, 0),    (32, -3),   (21, -7),   (9, -7),    (-15, -5),  (-38, 21),  (-28, 11),  (-27, 12),
        (-5, 0),    (28, -1),   (-4, -2),   (11, -4),   (-8, 14),   (-11, -27), (-12, -2),  (-8, 3),
        (-5, 0),    (16, 4),    (12, -2),   (9, -12),   (-13, 14),  (-50, -3),  (-27, 4),   (-6, 2),
    ];
    /// Pawn storm: on each of three files the steps to their nearest pawn (7: none), by distance of the
    /// file from the edge; then the same when our pawn blocks it.
    STORM: 64 = [
        (7, 7),    (27, 6),   (16, -4),  (-19, 4),  (-2, -5),  (-4, -8),  (1, -2),   (-18, -5),
        (-30, 17), (45, -3),  (13, 1),   (-14, 4),  (1, 0),    (-2, -5),  (-1, -5),  (-10, 1),
        (21, 11),  (-9, 1),   (-11, 5),  (-8, 4),   (-7, 2),   (-7, 1),   (-5, 0),   (-6, 4),
        (34, -2),  (18, -7),  (-6, 1),   (-31, 5),  (-20, 5),  (-7, 11),  (-11, 3),  (-15, 6),
        (0, 0),    (0, 0),    (-7, -10), (1, -9),   (-4, -3),  (-16, 10), (16, 36),  (11, 20),
        (0, 0),    (0, 0),    (-16, -9), (8, -7),   (10, -10), (0, 13),   (-11, 19), (8, -3),
        (0, 0),    (0, 0),    (-9, -14), (17, -10), (-3, 4),   (1, 0),    (-6, -2),  (22, -26),
        (0, 0),    (0, 0),    (13, -21), (-10, -2), (-1, -2),  (19, -12), (57, -12), (-16, 12),
    ];
    /// Danger from each piece that attacks the king's zone: knight, bishop, rook, queen.
    DANGER_ATTACKER: 4 = [(45, 48), (13, 109), (0, 10), (15, -20)];
    /// Danger from each attack on squares next to the king, per nine squares of the zone.
    DANGER_ATTACKS: 1 = [(22, 31)];
    /// Danger from each weak square in the zone: attacked, and defended at most once, by king or queen.
    DANGER_WEAK_SQUARES: 1 = [(13, -9)];
    /// Danger when the attacker has no queen.
    DANGER_NO_QUEEN: 1 = [(-162, -208)];
    /// Danger from each safe knight check.
    DANGER_KNIGHT_CHECKS: 1 = [(70, 111)];
    /// Danger from each safe bishop check.
    DANGER_BISHOP_CHECKS: 1 = [(66, 96)];
    /// Danger from each safe rook check.
    DANGER_ROOK_CHECKS: 1 = [(72, 154)];
    /// Danger from each safe queen check.
    DANGER_QUEEN_CHECKS: 1 = [(42, 117)];
    /// Danger from each check that costs the piece.
    DANGER_UNSAFE_CHECKS: 1 = [(21, 61)];
    /// Danger when a knight defends the zone.
    DANGER_KNIGHT_DEFENDER: 1 = [(-14, 2)];
    /// Danger when a bishop defends the zone.
    DANGER_BISHOP_DEFENDER: 1 = [(4, -20)];
    /// Danger by steps to our pawn on each of three files (7: none); then for the king's own file.
    DANGER_SHELTER: 16 = [
        (-13, -26), (-9, -9),   (4, -6),    (25, 25),   (10, 0),    (24, -8),   (14, 1),    (5, 13),
        (0, 0),     (3, 4),     (14, 28),   (24, -5),   (35, 9),    (37, 0),    (23, -1),   (8, -12),
    ];
    /// Danger by steps to their pawn on each of three files; then when our pawn blocks it.
    DANGER_STORM: 16 = [
        (24, 19),  (82, 11),  (72, 6),   (16, 6),   (7, -8),   (-9, -34), (1, -19),  (4, -6),
        (0, 0),    (0, 0),    (15, 14),  (21, 14),  (-20, 17), (-5, 5),   (-7, -6),  (11, 0),
    ];
    /// Danger of any attack at all.
    DANGER_BASE: 1 = [(-26, -2)];
    /// A knight or bishop attacks a weakly defended pawn, or any knight, bishop, rook, queen.
    THREAT_BY_MINOR: 5 = [(7, 14), (14, 23), (32, 15), (58, 21), (59, 0)];
    /// A rook attacks a weakly defended pawn, knight, bishop, rook, queen.
    THREAT_BY_ROOK: 5 = [(3, 18), (20, 25), (27, 31), (4, 4), (56, 14)];
    /// The king attacks a weakly defended pawn; piece.
    THREAT_BY_KING: 2 = [(25, 18), (34, 18)];
    /// The queen attacks something weakly defended.
    THREAT_BY_QUEEN: 1 = [(5, 6)];
    /// A pawn hangs; a piece hangs.
    HANGING: 2 = [(11, 8), (18, 1)];
    /// Something weak is defended by the queen only or also.
    QUEEN_GUARDS: 1 = [(3, 6)];
    /// A pawn attacks a piece: one that can be taken for nothing; a safe one.
    THREAT_BY_PAWN: 2 = [(46, 60), (60, 29)];
    /// A safe step of a pawn would attack a piece.
    THREAT_BY_PUSH: 1 = [(15, 10)];
    /// A knight, a doubly supported slider can attack the queen next.
    QUEEN_SOON_ATTACKED: 2 = [(8, -3), (15, 0)];
    /// Square that they attack and we contest: empty; held by them.
    RESTRICTED: 2 = [(4, 0), (-5, -6)];
    /// Room on the central files, ranks 2 to 4: free of our pawns and their pawns' attacks; of this,
    /// unattacked behind our pawns.
    SPACE: 2 = [(-2, 2), (-2, 4)];
    /// Danger from each square of our camp that they attack, twice attacked squares counted twice. The
    /// camp is five ranks deep and three or four files wide around the king's file.
    DANGER_CAMP_ATTACKS: 1 = [(6, 6)];
    /// Danger from each square of our camp that we attack.
    DANGER_CAMP_DEFENCES: 1 = [(-4, -2)];
    /// Danger from each own piece that shields the king from a slider.
    DANGER_PINNED: 1 = [(48, 53)];
    /// Queen by steps to its own king, 0 to 7; then by steps to the other king.
    QUEEN_NEAR_KINGS: 16 = [
        (0, 0),    (2, 3),    (-3, -2),  (-5, -4),  (-6, 1),   (-6, 0),   (-12, 9),  (-21, 11),
        (0, 0),    (0, 0),    (19, 3),   (13, 5),   (11, 0),   (-12, 7),  (-18, 3),  (-27, -4),
    ];
    /// Rook by steps to its own king, 0 to 7; then by steps to the other king.
    ROOK_NEAR_KINGS: 16 = [
        (0, 0),   (-4, 13), (-4, 16), (2, 13),  (5, 14),  (-5, 15), (-3, 15), (-5, 19),
        (0, 0),   (4, 17),  (8, 8),   (7, 12),  (1, 14),  (-4, 13), (-2, 14), (-5, 15),
    ];
    /// Bishop by steps to its own king, 0 to 7; then by steps to the other king.
    BISHOP_NEAR_KINGS: 16 = [
        (0, 0),    (-14, 27), (-16, 23), (-16, 19), (-17, 16), (-22, 17), (-25, 22), (-62, 26),
        (0, 0),    (-31, 11), (-6, 19),  (-22, 27), (-24, 27), (-23, 27), (-19, 22), (-18, 17),
    ];
    /// Knight by steps to its own king, 0 to 7; then by steps to the other king.
    KNIGHT_NEAR_KINGS: 16 = [
        (0, 0),    (-5, 23),  (-4, 20),  (-9, 19),  (-17, 12), (-20, 11), (-12, 3),  (-27, 8),
        (0, 0),    (-4, 19),  (-4, 15),  (-7, 25),  (-10, 21), (-11, 13), (-16, 7),  (-26, 4),
    ];
    /// Pairs of own pieces: pawns; knight with pawn, knights; bishop with pawn, knight, bishops; rook with pawn, knight, bishop, rooks; queen with pawn, knight, bishop, rook, queens.
    WITH_OWN: 15 = [
        (8, -10),   (5, 2),     (13, -9),   (5, -4),    (0, -12),   (11, 44),   (6, -9),    (-9, 1),
        (-1, -12),  (35, -72),  (-9, -26),  (25, -48),  (19, -57),  (-12, -88), (-45, -27),
    ];
    /// Own piece and a lesser enemy piece: knight against pawn; bishop against pawn, knight; rook against pawn, knight, bishop; queen against pawn, knight, bishop, rook.
    AGAINST: 10 = [
        (10, -2),   (10, -3),   (14, -4),   (4, 0),     (-12, 10),  (-19, -3),  (-13, 12),  (8, 82),
        (-4, 87),   (-23, 134),
    ];
    /// A pawn hangs, a piece hangs, in addition when it is our move.
    TO_MOVE_HANGING: 2 = [(9, 1), (12, 29)];
    /// A knight or bishop, a rook attacks a piece as in THREAT_BY_MINOR and THREAT_BY_ROOK, in addition
    /// when it is our move.
    TO_MOVE_WEAK: 2 = [(3, 3), (3, -3)];
    /// The same, in addition, when it is our move.
    TO_MOVE_BY_PAWN: 2 = [(56, 73), (29, 37)];
    /// Danger when they are to move.
    DANGER_THEIR_MOVE: 1 = [(24, -10)];
    /// Danger from each safe check when they are to move.
    DANGER_THEIR_MOVE_CHECKS: 1 = [(21, 25)];
    /// Passed pawn when it is our move, by rank.
    PASSED_TO_MOVE: 8 = [(0, 0), (11, 0), (-1, 3), (3, 4), (0, 7), (-4, 16), (10, -1), (0, 0)];
    /// The right to move.
    TEMPO: 1 = [(23, 6)];
    /// Complexity: always; for each pawn; pawns on both flanks; pawn ending; files less ranks between
    /// the kings; a king across the middle; for each passed pawn.
    COMPLEXITY: 7 = [(0, -166), (0, 22), (0, 63), (0, 130), (0, 2), (0, -1), (0, 10)];
}
