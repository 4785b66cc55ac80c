//! Every weight of the evaluation, as `(middlegame, endgame)` in centipawns.
//!
//! *Provenance*: fitted by the tuner of `cassius-lab` (`tune.rs`) to 601,791
//! quiet positions of 8,446 games that Stockfish 15.1 played against itself with
//! 1,500 nodes a move, from the openings of `8moves_v3.epd` and 2 to 8 random
//! plies; 70 % its score, 30 % the result. Held-out loss (cross-entropy, the last
//! tenth of the games): 0.39478 before, 0.37192 after; the teacher's own score
//! would have 0.34. The fit started from PeSTO's public material and
//! piece-square tables (Ronald Friederich) and from round guesses for the rest.

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
    MATERIAL: 5 = [(73, 56), (339, 278), (349, 280), (455, 442), (843, 867)];
    /// A pawn on each square; first row a8 to h8, as white sees it.
    PAWN_SQUARE: 64 = [
        (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),
        (25, 116),  (99, 131),  (98, 118),  (89, 118),  (109, 129), (48, 110),  (19, 131),  (-13, 130),
        (2, 44),    (6, 55),    (-13, 50),  (25, 29),   (26, 40),   (35, 30),   (56, 55),   (-9, 39),
        (10, 13),   (15, 18),   (12, 2),    (37, -9),   (38, -8),   (39, -16),  (37, 16),   (16, 14),
        (-15, 9),   (0, 11),    (-4, -2),   (13, -2),   (9, -2),    (17, 0),    (6, 15),    (-6, 4),
        (-18, 8),   (-20, 16),  (-25, 13),  (-17, 15),  (-18, 14),  (-11, 12),  (-3, 16),   (-10, 7),
        (-15, 9),   (3, 11),    (-11, 11),  (-17, 18),  (-7, 20),   (5, 11),    (18, 11),   (10, 2),
        (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),
    ];
    /// A knight on each square; first row a8 to h8, as white sees it.
    KNIGHT_SQUARE: 64 = [
        (-136, -14), (-111, -16), (-46, 7),    (-30, -4),   (42, -43),   (-119, 6),   (-28, -54),  (-108, -81),
        (-58, 4),    (-12, 3),    (41, -28),   (3, 1),      (20, -13),   (46, -9),    (3, -18),    (4, -28),
        (-10, -32),  (11, 6),     (41, -23),   (15, 4),     (30, -17),   (37, -10),   (5, -7),     (35, -15),
        (20, 0),     (17, -12),   (16, -7),    (25, 6),     (22, 4),     (28, 10),    (11, -5),    (5, -6),
        (22, -8),    (20, -17),   (35, 0),     (14, -8),    (18, 1),     (30, 2),     (9, 4),      (14, -11),
        (4, -19),    (13, -12),   (10, -14),   (21, -9),    (16, -5),    (4, -20),    (9, -13),    (21, -26),
        (-37, -9),   (10, -12),   (3, -20),    (-3, -13),   (4, -12),    (11, -13),   (-8, -6),    (7, -41),
        (-80, 8),    (-11, -12),  (-8, -4),    (-14, -3),   (23, -19),   (-26, 1),    (-14, -25),  (-75, -36),
    ];
    /// A bishop on each square; first row a8 to h8, as white sees it.
    BISHOP_SQUARE: 64 = [
        (-30, -18),  (-42, -18),  (-118, -13), (-51, 18),   (-44, 8),    (-96, 6),    (16, -5),    (-32, -11),
        (-18, 3),    (-6, -9),    (-1, 3),     (-40, 10),   (-7, 14),    (-8, -13),   (5, -27),    (-42, -13),
        (8, -5),     (11, 2),     (-19, -1),   (39, -6),    (37, -7),    (2, -2),     (21, -7),    (7, -25),
        (7, -4),     (26, -7),    (17, 2),     (22, 13),    (7, 11),     (32, -17),   (22, 2),     (-17, -11),
        (23, -7),    (18, 0),     (12, 4),     (32, 8),     (13, 9),     (19, 3),     (-9, 4),     (26, -31),
        (4, -4),     (27, -10),   (14, -6),    (10, 4),     (17, 9),     (11, -19),   (31, 3),     (9, -4),
        (27, -9),    (8, -19),    (22, -11),   (5, 0),      (6, -1),     (-3, -8),    (16, -24),   (14, -14),
        (24, -21),   (11, 2),     (10, -9),    (-30, 0),    (23, -5),    (-13, 0),    (3, -39),    (-17, 2),
    ];
    /// A rook on each square; first row a8 to h8, as white sees it.
    ROOK_SQUARE: 64 = [
        (37, -6),   (41, -1),   (31, 10),   (39, -2),   (34, 9),    (9, 14),    (38, -5),   (25, 4),
        (20, -5),   (-4, 1),    (24, 0),    (37, -4),   (66, -16),  (68, -19),  (6, -1),    (46, -9),
        (7, -1),    (15, 4),    (-15, 6),   (32, -15),  (1, 1),     (33, -1),   (58, -14),  (48, -14),
        (-16, 6),   (-4, 6),    (1, 4),     (-4, 10),   (37, -10),  (10, 6),    (12, -5),   (20, -6),
        (-48, 10),  (-20, 9),   (-5, 9),    (-3, 2),    (-19, 9),   (-1, 6),    (22, -7),   (-13, -9),
        (-22, 3),   (0, -1),    (-12, 0),   (8, -6),    (1, 1),     (-3, 6),    (20, -6),   (2, -9),
        (-24, -9),  (-27, -6),  (-25, -3),  (4, -13),   (-7, -7),   (7, -13),   (5, -13),   (-23, -20),
        (-21, -4),  (-12, -6),  (-11, -11), (-6, -3),   (3, -11),   (-10, -4),  (-9, -10),  (-5, -20),
    ];
    /// A queen on each square; first row a8 to h8, as white sees it.
    QUEEN_SQUARE: 64 = [
        (-45, 12),  (12, 3),    (8, 16),    (33, 38),   (19, -7),   (-7, 11),   (44, -23),  (44, -8),
        (-8, -9),   (-17, -8),  (-25, 23),  (-24, 16),  (-16, 24),  (-1, 29),   (-29, 21),  (44, -13),
        (4, -14),   (2, -17),   (-5, 17),   (-3, 28),   (16, 19),   (40, 13),   (28, 1),    (5, 20),
        (-14, 12),  (2, 23),    (-15, 26),  (3, 11),    (6, 23),    (14, 36),   (2, 41),    (6, 25),
        (0, 2),     (-2, 28),   (-2, 21),   (-19, 36),  (14, 12),   (10, 9),    (9, 9),     (2, 36),
        (-4, -8),   (-4, -4),   (1, 1),     (9, -5),    (-5, 31),   (-2, 16),   (22, 0),    (-11, 12),
        (-18, -20), (-6, -15),  (3, -10),   (-4, 2),    (1, -1),    (-1, -8),   (-9, -26),  (-15, -32),
        (11, -57),  (-27, 6),   (-16, -11), (-12, -4),  (-17, 11),  (-34, 3),   (-54, -14), (-25, -27),
    ];
    /// A king on each square; first row a8 to h8, as white sees it.
    KING_SQUARE: 64 = [
        (-71, -38), (19, 0),    (7, -3),    (-13, -8),  (-35, 6),   (-24, 29),  (-2, 26),   (-23, -98),
        (28, -12),  (-37, 23),  (-34, 15),  (-31, 27),  (-19, 28),  (-20, 28),  (-42, 34),  (-55, -15),
        (-37, 8),   (1, 27),    (8, 38),    (-20, 35),  (-50, 42),  (-24, 38),  (16, 27),   (-40, 18),
        (-39, 1),   (-42, 30),  (-28, 25),  (-47, 30),  (-30, 20),  (-15, 33),  (13, 12),   (-33, 16),
        (-67, -16), (-32, 2),   (-11, 7),   (-53, 23),  (-58, 12),  (-58, 13),  (-25, -3),  (-61, -12),
        (-39, 4),   (-19, -9),  (-33, 6),   (-59, 14),  (-69, 15),  (-41, 7),   (-10, -9),  (10, -21),
        (40, -14),  (37, -11),  (-18, 1),   (-37, 7),   (-43, 3),   (-29, 2),   (7, -11),   (41, -22),
        (10, -24),  (26, -16),  (37, -6),   (-23, -7),  (18, -20),  (-3, -13),  (36, -26),  (23, -33),
    ];
    /// Knight by number of welcome squares it attacks, 0 to 8.
    KNIGHT_MOBILITY: 9 = [
        (-53, -43), (-16, -30), (-13, -12), (-7, -5),   (0, -2),    (4, 3),     (10, 7),    (12, 11),
        (10, 8),
    ];
    /// Bishop by number of welcome squares, 0 to 13; it sees through its own queen and bishop.
    BISHOP_MOBILITY: 14 = [
        (-53, -36), (-25, -28), (-14, -20), (-13, -5),  (-6, -1),   (-2, -1),   (-1, 3),    (3, 5),
        (2, 4),     (7, 4),     (15, -3),   (14, -5),   (-7, 10),   (15, 0),
    ];
    /// Rook by number of welcome squares, 0 to 14; it sees through its own queen and rook.
    ROOK_MOBILITY: 15 = [
        (-111, -47), (-39, -29),  (-15, -14),  (-12, -10),  (-7, -7),    (-11, 4),    (-9, 9),     (-5, 8),
        (-5, 11),    (-4, 13),    (-4, 15),    (2, 16),     (6, 16),     (-19, 27),   (34, 6),
    ];
    /// Queen by number of welcome squares, 0 to 27.
    QUEEN_MOBILITY: 28 = [
        (-40, -60), (-51, -49), (-47, -11), (-39, -22), (-29, -56), (-26, -1),  (-36, 15),  (-26, -1),
        (-21, -3),  (-19, -1),  (-20, 1),   (-17, 4),   (-12, 0),   (-12, 4),   (-5, -4),   (-13, 4),
        (-18, 12),  (-8, 2),    (-1, 1),    (-4, 4),    (9, -10),   (35, -36),  (14, -23),  (18, -6),
        (17, 14),   (-7, -19),  (12, 33),   (-1, 16),
    ];
    /// Knights, in positions from open (0) to closed (8).
    KNIGHT_CLOSED: 9 = [
        (-13, -7), (-6, 7),   (-5, 5),   (2, 1),    (9, 4),    (11, -7),  (15, 16),  (10, 25),
        (22, -9),
    ];
    /// Rooks, in positions from open (0) to closed (8).
    ROOK_CLOSED: 9 = [
        (-28, 5),   (-43, 3),   (-11, -17), (-14, -9),  (5, -29),   (15, -32),  (8, -35),   (37, -61),
        (43, -131),
    ];
    /// Two bishops on squares of both colours.
    BISHOP_PAIR: 1 = [(30, 28)];
    /// A knight, a bishop directly behind a pawn of either side.
    BEHIND_PAWN: 2 = [(5, 9), (6, 7)];
    /// Knight on ranks 4 to 6 that no pawn can attack: index 2 × on the edge file + guarded by a pawn.
    KNIGHT_OUTPOST: 4 = [(10, -7), (21, -2), (4, 2), (21, -1)];
    /// The same for a bishop.
    BISHOP_OUTPOST: 4 = [(-1, -1), (26, 3), (4, 12), (-12, 5)];
    /// Knight far from both kings: 4, 5, 6, 7 steps from the nearer.
    KNIGHT_FAR: 4 = [(-10, -5), (-10, -7), (-9, -26), (-46, -33)];
    /// Bishop, for each pawn of its own on squares of its colour.
    BISHOP_OWN_PAWNS: 1 = [(1, -2)];
    /// Bishop, for each such pawn that an enemy pawn blocks.
    BISHOP_RAMMED_PAWNS: 1 = [(3, -11)];
    /// Bishop that sees both centre squares of its diagonal through pieces, but not pawns.
    BISHOP_LONG_DIAGONAL: 1 = [(8, 14)];
    /// Rook on a file without own pawns; without any pawns.
    ROOK_FILE: 2 = [(12, 3), (28, 4)];
    /// Rook with at most 3 welcome squares, on its king's wrong side.
    ROOK_TRAPPED: 1 = [(-6, -1)];
    /// Rook on the seventh rank, with the king on the last two ranks or pawns to eat.
    ROOK_SEVENTH: 1 = [(-22, 10)];
    /// Pawn that no pawn supports or can support, by distance of its file from the edge; then the same
    /// on a half-open file.
    ISOLATED: 8 = [(3, 2), (-4, -11), (11, -3), (-3, -2), (0, -8), (-10, -14), (-1, -10), (-17, -14)];
    /// Pawn behind all its neighbours, that cannot step safely, by rank; then the same on a half-open
    /// file.
    BACKWARD: 16 = [
        (0, 0),     (-8, 7),    (-8, 2),    (-3, -9),   (-15, -28), (4, -26),   (-5, -8),   (-5, -8),
        (0, 0),     (-15, -4),  (-5, -12),  (-8, -13),  (-19, -18), (-12, -12), (-12, -12), (-12, -12),
    ];
    /// Pawn behind another of its own on the file, by distance from the edge; then the same when
    /// isolated.
    DOUBLED: 8 = [(-18, 4), (-14, -19), (-5, -6), (-9, -15), (-28, -10), (2, -21), (-23, -12), (-16, -2)];
    /// Pawn for each own pawn that supports it, by rank.
    SUPPORTED: 8 = [(0, 0), (0, 0), (19, 4), (19, 2), (22, 10), (44, 14), (94, 37), (0, 0)];
    /// Pawn with an own pawn beside it, by rank; then the same against an enemy pawn on the file.
    PHALANX: 16 = [
        (0, 0),   (-1, -3), (19, 0),  (20, 4),  (23, 4),  (53, 27), (97, 48), (0, 0),
        (0, 0),   (3, 4),   (13, -1), (9, 1),   (11, 7),  (38, 32), (50, 50), (0, 0),
    ];
    /// Unsupported pawn attacked by two pawns.
    WEAK_LEVER: 1 = [(-28, -14)];
    /// Pawn blocked by an enemy pawn on the fifth rank; further on.
    RAMMED_FAR: 2 = [(-17, 6), (18, -25)];
    /// Pawn that can become passed by exchanges, by rank, short of help; then with enough help.
    CANDIDATE: 16 = [
        (0, 0),    (-24, 5),  (-17, 9),  (-14, 12), (-2, 8),   (44, 22),  (0, 0),    (0, 0),
        (0, 0),    (-8, 6),   (0, 3),    (-1, 11),  (-2, 27),  (2, 34),   (0, 0),    (0, 0),
    ];
    /// Passed pawn by rank: index 16 × not blocked + 8 × next square not attacked + rank.
    PASSED: 32 = [
        (0, 0),     (6, 20),    (5, 25),    (13, 46),   (12, 69),   (28, 56),   (89, 80),   (0, 0),
        (0, 0),     (-8, 47),   (-1, 42),   (15, 47),   (21, 63),   (44, 51),   (70, 95),   (0, 0),
        (0, 0),     (22, 35),   (-6, 45),   (3, 53),    (34, 65),   (52, 64),   (113, 105), (0, 0),
        (5, 0),     (16, 44),   (-1, 44),   (0, 55),    (32, 76),   (59, 75),   (88, 201),  (5, 0),
    ];
    /// Passed pawn by distance of its file from the edge.
    PASSED_FILE: 4 = [(-11, -6), (5, -13), (2, -16), (-8, -20)];
    /// Passed pawn, for each step from its own king to the square before it (at most 5), by rank.
    PASSED_OWN_KING: 8 = [(0, 0), (-10, 1), (-4, -3), (1, -8), (1, -12), (9, -18), (-14, -30), (0, 0)];
    /// Passed pawn, for each step from the enemy king to the square before it (at most 5), by rank.
    PASSED_THEIR_KING: 8 = [(0, 0), (6, -6), (-1, -2), (-5, 4), (-10, 12), (-14, 22), (-4, 22), (0, 0)];
    /// Passed pawn with no enemy piece or attack on its path, by rank.
    PASSED_FREE_PATH: 8 = [(0, 0), (-51, 19), (-12, 17), (-32, 17), (-67, 26), (-39, 39), (-75, -9), (0, 0)];
    /// Passed pawn whose next square we attack, by rank.
    PASSED_GUARDED_STEP: 8 = [(0, 0), (-11, 1), (22, -2), (7, 6), (-2, 14), (2, 28), (32, 41), (0, 0)];
    /// Passed pawn with a rook or queen right behind it: ours; theirs.
    PASSED_ROOK_BEHIND: 2 = [(17, 6), (26, -47)];
    /// Passed pawn that the lone enemy king cannot catch.
    PASSED_UNSTOPPABLE: 1 = [(8, 207)];
    /// Own minor pieces and pawns around the king, 0 to 11.
    KING_DEFENDERS: 12 = [
        (-29, -8), (-25, -2), (-15, 5),  (-6, 7),   (4, 10),   (17, 8),   (19, -28), (14, 1),
        (18, 0),   (18, 0),   (18, 0),   (18, 0),
    ];
    /// King, by number of files to the nearest pawn.
    KING_PAWN_FILES: 8 = [(10, 11), (-17, 9), (11, 0), (3, -33), (-27, -48), (14, -74), (16, -75), (1, -44)];
    /// King shelter: on each of three files the steps to our nearest pawn not behind the king (7:
    /// none), by distance of the file from the edge; then the same for the king's own file.
    SHELTER: 64 = [
        (-8, -4),   (3, -2),    (7, -3),    (27, 8),    (32, 2),    (-1, 7),    (0, 16),    (-1, 4),
        (20, 1),    (22, -11),  (6, -3),    (-2, 0),    (-13, -4),  (-14, -3),  (-24, -3),  (-17, 9),
        (33, 0),    (10, -1),   (0, 0),     (-4, -2),   (-1, 1),    (-22, -12), (6, 1),     (-4, 4),
        (9, 2),     (7, -3),    (1, -5),    (-8, 7),    (-13, -3),  (-9, -8),   (-32, -15), (-4, -1),
        (-5, 0),    (23, -7),   (29, -3),   (19, -6),   (-15, 12),  (-18, 11),  (-7, 3),    (-22, 12),
        (-5, 0),    (33, -4),   (21, -5),   (4, -5),    (-31, 6),   (-47, 18),  (-23, 1),   (-27, 9),
        (-5, 0),    (21, -2),   (-5, -4),   (2, -1),    (-20, 17),  (2, -13),   (-16, -16), (-10, 2),
        (-5, 0),    (16, 1),    (13, -4),   (8, -10),   (-5, 11),   (-54, -11), (-23, 1),   (-6, 3),
    ];
    /// Pawn storm: on each of three files the steps to their nearest pawn (7: none), by distance of the
    /// file from the edge; then the same when our pawn blocks it.
    STORM: 64 = [
        (1, 4),     (9, 3),     (-4, 6),    (-21, 6),   (-1, -2),   (-5, -4),   (0, -1),    (-17, -4),
        (-11, 13),  (71, 0),    (8, -1),    (-18, 5),   (-1, 1),    (-3, -4),   (-2, -4),   (-13, 1),
        (16, 7),    (-7, -1),   (-19, 3),   (-16, 4),   (-8, 0),    (-9, 0),    (-5, -1),   (-4, 2),
        (19, 2),    (24, -3),   (-8, -2),   (-34, 4),   (-15, 4),   (-2, 6),    (-11, 0),   (-14, 4),
        (0, 0),     (0, 0),     (10, -11),  (3, -7),    (3, -10),   (-16, 5),   (26, 15),   (13, 19),
        (0, 0),     (0, 0),     (-19, -6),  (5, -12),   (18, -9),   (0, 10),    (-19, 34),  (-28, -6),
        (0, 0),     (0, 0),     (-11, -16), (0, -6),    (14, -1),   (7, 2),     (0, -21),   (11, -14),
        (0, 0),     (0, 0),     (22, -22),  (-8, -3),   (3, -1),    (24, -16),  (60, 6),    (-12, 1),
    ];
    /// Danger from each piece that attacks the king's zone: knight, bishop, rook, queen.
    DANGER_ATTACKER: 4 = [(39, 61), (33, 109), (16, 29), (35, -16)];
    /// Danger from each attack on squares next to the king, per nine squares of the zone.
    DANGER_ATTACKS: 1 = [(27, 37)];
    /// Danger from each weak square in the zone: attacked, and defended at most once, by king or queen.
    DANGER_WEAK_SQUARES: 1 = [(15, -12)];
    /// Danger when the attacker has no queen.
    DANGER_NO_QUEEN: 1 = [(-193, -220)];
    /// Danger from each safe knight check.
    DANGER_KNIGHT_CHECKS: 1 = [(73, 98)];
    /// Danger from each safe bishop check.
    DANGER_BISHOP_CHECKS: 1 = [(68, 112)];
    /// Danger from each safe rook check.
    DANGER_ROOK_CHECKS: 1 = [(76, 200)];
    /// Danger from each safe queen check.
    DANGER_QUEEN_CHECKS: 1 = [(50, 28)];
    /// Danger from each check that costs the piece.
    DANGER_UNSAFE_CHECKS: 1 = [(24, 85)];
    /// Danger when a knight defends the zone.
    DANGER_KNIGHT_DEFENDER: 1 = [(-7, -4)];
    /// Danger when a bishop defends the zone.
    DANGER_BISHOP_DEFENDER: 1 = [(2, 11)];
    /// Danger by steps to our pawn on each of three files (7: none); then for the king's own file.
    DANGER_SHELTER: 16 = [
        (-22, -21), (-3, -13),  (13, 9),    (34, 22),   (12, -1),   (16, -10),  (25, 2),    (17, -1),
        (0, 0),     (1, 3),     (22, 30),   (13, 6),    (34, 6),    (29, 0),    (23, 0),    (13, -10),
    ];
    /// Danger by steps to their pawn on each of three files; then when our pawn blocks it.
    DANGER_STORM: 16 = [
        (-9, 10),  (72, 13),  (45, 8),   (15, 14),  (10, 5),   (-3, -33), (1, -1),   (9, -11),
        (0, 0),    (0, 0),    (35, 6),   (34, 3),   (-6, 18),  (6, 5),    (-15, -5), (22, 1),
    ];
    /// Danger of any attack at all.
    DANGER_BASE: 1 = [(-32, 5)];
    /// A knight or bishop attacks a weakly defended pawn, or any knight, bishop, rook, queen.
    THREAT_BY_MINOR: 5 = [(6, 10), (21, 19), (31, 17), (63, 12), (55, -5)];
    /// A rook attacks a weakly defended pawn, knight, bishop, rook, queen.
    THREAT_BY_ROOK: 5 = [(2, 14), (23, 19), (29, 27), (1, 3), (53, 5)];
    /// The king attacks a weakly defended pawn; piece.
    THREAT_BY_KING: 2 = [(38, 10), (41, 11)];
    /// The queen attacks something weakly defended.
    THREAT_BY_QUEEN: 1 = [(5, 6)];
    /// A pawn hangs; a piece hangs.
    HANGING: 2 = [(16, 8), (22, 5)];
    /// Something weak is defended by the queen only or also.
    QUEEN_GUARDS: 1 = [(5, 9)];
    /// A safe pawn attacks a piece.
    THREAT_BY_SAFE_PAWN: 1 = [(71, 26)];
    /// An unsafe pawn attacks a piece.
    THREAT_BY_PAWN: 1 = [(60, 56)];
    /// A safe step of a pawn would attack a piece.
    THREAT_BY_PUSH: 1 = [(17, 8)];
    /// A knight, a doubly supported slider can attack the queen next.
    QUEEN_SOON_ATTACKED: 2 = [(10, -6), (19, -8)];
    /// Square that they attack and we contest: empty; held by them.
    RESTRICTED: 2 = [(4, 0), (-6, -3)];
    /// Room on the central files, ranks 2 to 4: free of our pawns and their pawns' attacks; of this,
    /// unattacked behind our pawns.
    SPACE: 2 = [(-3, 3), (-2, 3)];
    /// The right to move.
    TEMPO: 1 = [(33, 9)];
    /// Complexity: always; for each pawn; pawns on both flanks; pawn ending; files less ranks between
    /// the kings; a king across the middle; for each passed pawn.
    COMPLEXITY: 7 = [(0, -151), (0, 32), (0, 59), (0, 235), (0, 7), (0, -35), (0, 64)];
}
