//! Every weight of the evaluation, as `(middlegame, endgame)` in centipawns.
//!
//! *Provenance*: fitted by the tuner of `cassius-lab` (`tune.rs`) to 793,341 quiet positions from 12,200
//! games that Stockfish 15.1 played against itself with 1,500 nodes a move, from the openings of
//! `8moves_v3.epd` and 2 to 8 random plies. Quiet means: not in check, and the best move is neither a
//! capture nor a promotion. Further conditions: score within ±15 pawns, at most 40 half-moves without
//! progress, no piece against a bare king, no position twice. Target: 70 % the score, 30 % the result.
//! Held-out loss (cross-entropy, the last tenth of the positions): 0.3977 with the initial weights of
//! the fit, 0.3696 with these; the teacher's own scores have 0.3313. The last terms were chosen by that
//! same tenth, so the figure is slightly optimistic. The fit started from PeSTO's public material and
//! piece-square tables (Ronald Friederich) and round guesses for the rest.

use super::Tapered;
use super::trace::{Term, TermInfo};

/// Declares groups of weights and the list of all groups, numbered in order.
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
            $(TermInfo {
                name: stringify!($name),
                first: start(Group::$name as usize),
                values: &$name.values,
            }),*
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
    MATERIAL: 5 = [(55, 109), (309, 308), (307, 336), (468, 544), (938, 920)];
    /// A pawn on each square; first row a8 to h8, as white sees it.
    PAWN_SQUARE: 64 = [
        (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),
        (49, 122),  (80, 136),  (87, 124),  (86, 125),  (116, 116), (36, 117),  (44, 126),  (5, 122),
        (-5, 63),   (6, 62),    (-18, 59),  (23, 34),   (24, 52),   (35, 36),   (50, 53),   (-10, 50),
        (7, 26),    (13, 25),   (1, 11),    (33, 1),    (37, 1),    (36, -9),   (31, 28),   (9, 26),
        (-17, 24),  (-8, 22),   (-4, 10),   (4, 11),    (5, 8),     (14, 8),    (-1, 29),   (-7, 16),
        (-19, 20),  (-22, 23),  (-22, 19),  (-16, 19),  (-16, 21),  (-3, 16),   (-3, 22),   (-11, 12),
        (-15, 20),  (-2, 17),   (-9, 19),   (-18, 25),  (-6, 31),   (9, 18),    (17, 18),   (8, 11),
        (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),
    ];
    /// A knight on each square; first row a8 to h8, as white sees it.
    KNIGHT_SQUARE: 64 = [
        (-127, -14), (-93, -10),  (-48, 12),   (-38, 0),    (33, -24),   (-113, 7),   (-27, -60),  (-98, -93),
        (-44, -11),  (-21, 11),   (27, -30),   (-5, 0),     (22, -8),    (26, -10),   (-5, -17),   (11, -28),
        (-21, -18),  (11, -3),    (28, -22),   (5, 7),      (18, -13),   (32, -18),   (7, -6),     (12, -3),
        (8, 6),      (16, -10),   (3, -8),     (25, -5),    (16, 1),     (21, 5),     (9, -9),     (25, -11),
        (9, 3),      (4, -7),     (26, -6),    (9, -11),    (9, 1),      (26, -11),   (5, -9),     (7, -16),
        (-6, -5),    (0, -9),     (2, -16),    (10, -11),   (10, -13),   (-5, -26),   (-1, -15),   (10, -32),
        (-26, 0),    (-13, 0),    (-1, -12),   (-1, -11),   (2, -17),    (3, -15),    (5, -2),     (5, -24),
        (-56, 12),   (-2, -3),    (1, -5),     (0, 4),      (24, -7),    (-8, -3),    (-7, -17),   (-59, -26),
    ];
    /// A bishop on each square; first row a8 to h8, as white sees it.
    BISHOP_SQUARE: 64 = [
        (-20, -9),  (-8, -12),  (-96, 6),   (-32, 17),  (-26, 5),   (-48, 15),  (29, -11),  (-5, -16),
        (-13, 14),  (-5, -4),   (15, 3),    (-44, 18),  (-22, 23),  (-18, -3),  (6, -12),   (-41, -11),
        (6, 4),     (2, 13),    (-8, 0),    (11, 9),    (13, 12),   (-4, 14),   (29, -9),   (-15, 3),
        (3, -3),    (12, 1),    (9, 10),    (12, 14),   (6, 17),    (11, 0),    (0, 12),    (-22, -10),
        (11, 0),    (5, 4),     (10, 7),    (23, 21),   (16, 5),    (11, 7),    (-13, 7),   (6, -26),
        (2, 0),     (23, -8),   (10, -3),   (7, 6),     (12, 9),    (12, -22),  (24, -1),   (-3, -5),
        (20, -1),   (8, -12),   (12, -8),   (-6, 4),    (-5, 1),    (-2, -8),   (13, -26),  (11, -31),
        (25, -11),  (8, 5),     (-8, 4),    (-27, 9),   (18, -2),   (-23, 4),   (6, -17),   (-8, -9),
    ];
    /// A rook on each square; first row a8 to h8, as white sees it.
    ROOK_SQUARE: 64 = [
        (27, 4),    (27, 11),   (25, 16),   (24, 4),    (25, 9),    (1, 24),    (16, 12),   (35, 2),
        (24, -5),   (3, 7),     (28, -2),   (42, -6),   (54, -16),  (48, -7),   (8, -5),    (37, -15),
        (13, 3),    (2, 21),    (3, 6),     (24, -7),   (-10, 9),   (35, -1),   (57, -9),   (24, -7),
        (-9, 12),   (1, 15),    (-12, 11),  (-21, 23),  (3, 10),    (-8, 15),   (-16, 10),  (11, 6),
        (-35, 12),  (-15, 18),  (-16, 14),  (-13, 14),  (-21, 18),  (-9, 17),   (9, 3),     (-19, 5),
        (-14, 9),   (6, 1),     (-15, 9),   (7, 0),     (14, -1),   (-3, 3),    (15, 8),    (14, -13),
        (-22, -2),  (-16, -1),  (-20, 0),   (4, -6),    (-3, -2),   (11, -8),   (1, -5),    (-20, -11),
        (-15, 0),   (-5, 0),    (-10, -3),  (-3, 1),    (7, -7),    (-2, 2),    (-2, -6),   (-1, -17),
    ];
    /// A queen on each square; first row a8 to h8, as white sees it.
    QUEEN_SQUARE: 64 = [
        (-57, 37),  (15, 3),    (11, 5),    (8, 16),    (16, -6),   (4, 5),     (24, -5),   (23, 9),
        (-13, 8),   (-26, 10),  (-20, 12),  (-22, 19),  (-12, 10),  (-2, 22),   (-31, 21),  (20, -10),
        (7, -2),    (-8, 0),    (-20, 27),  (-23, 35),  (14, 3),    (18, 15),   (-5, 4),    (-2, 10),
        (-4, 12),   (-2, 18),   (-15, 17),  (-15, 16),  (-8, 17),   (3, 28),    (-32, 50),  (-5, 26),
        (10, 8),    (-1, 27),   (-16, 28),  (-30, 37),  (-10, 23),  (-4, 12),   (2, 0),     (-11, 33),
        (19, -16),  (7, -1),    (7, -8),    (11, 2),    (2, 19),    (8, 8),     (16, 2),    (4, 9),
        (3, -6),    (7, -11),   (17, -8),   (8, 4),     (10, 3),    (8, -6),    (16, -32),  (14, -23),
        (31, -25),  (-5, 19),   (9, -3),    (10, 3),    (7, 15),    (-5, 4),    (-47, -12), (-10, 1),
    ];
    /// A king on each square; first row a8 to h8, as white sees it.
    KING_SQUARE: 64 = [
        (-63, -43),  (33, -8),    (9, -3),     (-12, -14),  (-28, 14),   (-30, 15),   (-1, 1),     (-20, -121),
        (18, -27),   (-25, 24),   (-31, 23),   (-19, 23),   (-9, 45),    (-8, 15),    (-33, 34),   (-50, -38),
        (-26, 39),   (12, 35),    (11, 41),    (-23, 29),   (-55, 49),   (-9, 34),    (25, 16),    (-23, 30),
        (-39, 7),    (-16, 25),   (-30, 28),   (-46, 22),   (-32, 24),   (-15, 29),   (16, 18),    (-40, 8),
        (-61, -2),   (-14, 2),    (-12, 9),    (-52, 23),   (-60, 13),   (-40, 16),   (-19, 0),    (-44, -13),
        (-42, -1),   (-11, -3),   (-31, 10),   (-48, 7),    (-61, 11),   (-38, 8),    (-3, -2),    (-5, -13),
        (43, -16),   (28, -12),   (-6, 1),     (-37, 6),    (-33, -4),   (-18, 2),    (11, -8),    (38, -22),
        (-3, -26),   (24, -22),   (24, -5),    (-34, -9),   (2, -24),    (-16, -9),   (24, -24),   (21, -35),
    ];
    /// Knight, by the number of mobility squares it attacks, 0 to 8.
    KNIGHT_MOBILITY: 9 = [
        (-61, -39), (-33, -20), (-26, -7),  (-19, 2),   (-16, 8),   (-13, 14),  (-6, 18),   (-4, 21),
        (-2, 20),
    ];
    /// Bishop, by the number of mobility squares, 0 to 13; it attacks through its own queen and bishop.
    BISHOP_MOBILITY: 14 = [
        (-62, -24), (-39, -1),  (-25, -4),  (-24, 8),   (-19, 15),  (-16, 14),  (-15, 17),  (-12, 20),
        (-14, 19),  (-12, 21),  (-8, 12),   (10, 8),    (0, 12),    (3, 18),
    ];
    /// Rook, by the number of mobility squares, 0 to 14; it attacks through its own queen and rook.
    ROOK_MOBILITY: 15 = [
        (-97, -50), (-38, -15), (-17, 2),   (-14, 2),   (-8, 7),    (-10, 16),  (-8, 18),   (-5, 18),
        (-4, 21),   (-3, 24),   (0, 24),    (1, 28),    (4, 27),    (-7, 35),   (13, 26),
    ];
    /// Queen, by the number of mobility squares, 0 to 27.
    QUEEN_MOBILITY: 28 = [
        (-40, -60), (-58, -55), (-43, -9),  (-37, -17), (-20, -59), (-20, -12), (-24, 5),   (-21, 0),
        (-15, 0),   (-14, 5),   (-13, 3),   (-8, 4),    (-7, 6),    (-6, 6),    (-3, 5),    (-8, 12),
        (-7, 17),   (1, 6),     (-2, 14),   (0, 10),    (17, 3),    (22, -7),   (3, -3),    (11, 6),
        (10, 14),   (-12, 0),   (15, 35),   (-4, 20),
    ];
    /// Knights, in positions from open (0) to closed (8).
    KNIGHT_CLOSED: 9 = [
        (-17, 15), (-10, 12), (-19, 13), (-15, 14), (-13, 11), (-17, 5),  (-12, 20), (-18, 35),
        (-15, -2),
    ];
    /// Rooks, in positions from open (0) to closed (8).
    ROOK_CLOSED: 9 = [
        (-29, 47), (-24, 39), (-12, 16), (-4, 22),  (0, 7),    (12, -1),  (21, -15), (28, -45),
        (24, -68),
    ];
    /// Two bishops on squares of both colours.
    BISHOP_PAIR: 1 = [(-10, -6)];
    /// A knight, and a bishop, directly behind a pawn of either side.
    BEHIND_PAWN: 2 = [(3, 9), (4, 6)];
    /// Knight on ranks 4 to 6 that no pawn can attack, indexed by 2 × on the edge file + guarded by a
    /// pawn; then a knight that can reach such a square, guarded, in one move.
    KNIGHT_OUTPOST: 5 = [(9, -1), (20, 4), (9, -2), (14, 7), (11, 10)];
    /// The outposts of a bishop, indexed like those of a knight.
    BISHOP_OUTPOST: 5 = [(2, -1), (32, 3), (2, 14), (-13, 25), (10, 4)];
    /// Bishop, for each pawn of its own on squares of its colour.
    BISHOP_OWN_PAWNS: 1 = [(-5, -2)];
    /// Bishop, for each such pawn that an enemy pawn blocks.
    BISHOP_RAMMED_PAWNS: 1 = [(5, -12)];
    /// Bishop that attacks both centre squares of its diagonal through pieces, but not through pawns.
    BISHOP_LONG_DIAGONAL: 1 = [(3, 15)];
    /// Bishop that attacks the king's zone through pieces, but not through pawns.
    BISHOP_AT_KING: 1 = [(6, 1)];
    /// Bishop, for each enemy pawn on its diagonals.
    BISHOP_AT_PAWNS: 1 = [(-8, -1)];
    /// Rook that attacks the king's zone through pieces, but not through pawns.
    ROOK_AT_KING: 1 = [(9, -4)];
    /// Queen in line with an enemy bishop or rook, with one piece in between: theirs; ours.
    QUEEN_SHIELDED: 2 = [(-12, 3), (-23, -11)];
    /// Rook on a file without own pawns; without any pawns.
    ROOK_FILE: 2 = [(12, 0), (25, 6)];
    /// Rook with at most 3 mobility squares, on the wrong side of its king.
    ROOK_TRAPPED: 1 = [(-10, 0)];
    /// Rook on the seventh rank, with the enemy king on the last two ranks or pawns to capture.
    ROOK_SEVENTH: 1 = [(-25, 18)];
    /// Pawn that no pawn supports or can support, by distance of its file from the edge; then the same
    /// on a half-open file.
    ISOLATED: 8 = [(4, 0), (-9, -8), (6, -2), (0, -6), (6, -17), (-1, -21), (-3, -12), (-9, -15)];
    /// Pawn behind all its neighbours that cannot advance safely, by rank; then the same on a half-open
    /// file.
    BACKWARD: 16 = [
        (0, 0),     (-7, 6),    (-4, -3),   (-4, -13),  (-32, -23), (8, -11),   (-5, -8),   (-5, -8),
        (0, 0),     (-9, -5),   (-6, -13),  (-6, -18),  (-16, -20), (-12, -12), (-12, -12), (-12, -12),
    ];
    /// Pawn behind another own pawn on the file, by distance from the edge; then the same when isolated.
    DOUBLED: 8 = [(-38, 6), (-16, -14), (-9, -4), (-18, -8), (-28, -18), (4, -20), (-13, -16), (-30, 0)];
    /// Pawn for each own pawn that supports it, by rank.
    SUPPORTED: 8 = [(0, 0), (0, 0), (15, 7), (17, 4), (25, 12), (49, 24), (96, 57), (0, 0)];
    /// Pawn with an own pawn beside it, by rank; then the same against an enemy pawn on the file.
    PHALANX: 16 = [
        (0, 0),   (2, -4),  (17, 2),  (17, 5),  (16, 14), (50, 32), (89, 72), (0, 0),
        (0, 0),   (3, 4),   (12, -2), (10, 0),  (12, 6),  (36, 32), (50, 50), (0, 0),
    ];
    /// Unsupported pawn attacked by two pawns.
    WEAK_LEVER: 1 = [(-10, -14)];
    /// Pawn blocked by an enemy pawn on the fifth rank; further on.
    RAMMED_FAR: 2 = [(-10, 2), (18, -27)];
    /// Pawn that can become passed by exchanges, by rank: with too little support; then with enough
    /// support.
    CANDIDATE: 16 = [
        (0, 0),   (-16, 4), (-13, 8), (-12, 9), (-8, 11), (24, 32), (0, 0),   (0, 0),
        (0, 0),   (-7, 10), (-2, 2),  (-2, 9),  (1, 27),  (-9, 53), (0, 0),   (0, 0),
    ];
    /// Passed pawn by rank: index 16 × not blocked + 8 × next square not attacked + rank.
    PASSED: 32 = [
        (0, 0),     (20, 5),    (1, 22),    (1, 42),    (5, 65),    (33, 70),   (77, 76),   (0, 0),
        (0, 0),     (-5, 39),   (-4, 38),   (10, 45),   (21, 62),   (47, 60),   (91, 81),   (0, 0),
        (0, 0),     (16, 29),   (-18, 41),  (3, 50),    (26, 66),   (54, 74),   (114, 110), (0, 0),
        (5, 0),     (10, 42),   (-9, 40),   (-1, 54),   (20, 80),   (62, 89),   (106, 208), (5, 0),
    ];
    /// Passed pawn by distance of its file from the edge.
    PASSED_FILE: 4 = [(-14, -4), (-5, -7), (-3, -12), (-9, -20)];
    /// Passed pawn, for each step from its own king to the square in front of it (at most 5), by rank.
    PASSED_OWN_KING: 8 = [(0, 0), (-6, -1), (-6, -4), (1, -9), (3, -14), (2, -21), (-12, -33), (0, 0)];
    /// Passed pawn, for each step from the enemy king to the square in front of it (at most 5), by rank.
    PASSED_THEIR_KING: 8 = [(0, 0), (3, -5), (8, -3), (-2, 4), (-9, 13), (-6, 23), (-6, 31), (0, 0)];
    /// Passed pawn with no enemy piece or attack on its path, by rank.
    PASSED_FREE_PATH: 8 = [(0, 0), (-24, 16), (-17, 17), (-11, 16), (-33, 26), (-42, 48), (-5, -7), (0, 0)];
    /// Passed pawn whose next square we attack, by rank.
    PASSED_GUARDED_STEP: 8 = [(0, 0), (0, -3), (12, 4), (12, 6), (-1, 17), (10, 27), (23, 59), (0, 0)];
    /// Passed pawn with a rook or queen directly behind it: ours; theirs.
    PASSED_ROOK_BEHIND: 2 = [(10, 14), (7, -49)];
    /// Passed pawn that the lone enemy king cannot catch.
    PASSED_UNSTOPPABLE: 1 = [(-16, 186)];
    /// Own minor pieces and pawns around the king, 0 to 11.
    KING_DEFENDERS: 12 = [
        (-28, -3), (-22, 0),  (-13, 2),  (-6, 1),   (-1, 7),   (8, 3),    (19, -27), (19, 9),
        (18, 0),   (18, 0),   (18, 0),   (18, 0),
    ];
    /// King, by number of files to the nearest pawn.
    KING_PAWN_FILES: 8 = [(4, 28), (-21, 25), (3, 18), (10, -26), (-4, -64), (25, -90), (10, -110), (-2, -65)];
    /// King shelter: on each of three files the steps to our nearest pawn not behind the king (7:
    /// none), by distance of the file from the edge; then the same for the king's own file.
    SHELTER: 64 = [
        (-3, -7),   (5, -2),    (9, 0),     (20, 3),    (16, 0),    (-4, 8),    (-2, 13),   (-5, 5),
        (20, 2),    (19, -9),   (5, -3),    (5, -2),    (-16, -1),  (-37, -21), (16, -12),  (-16, 10),
        (31, 3),    (10, 3),    (-7, 9),    (-3, 2),    (0, 6),     (-13, -8),  (14, -31),  (-7, 5),
        (11, 3),    (8, -3),    (2, -5),    (-6, 6),    (-22, 0),   (-3, -6),   (-36, -8),  (-4, -1),
        (-5, 0),    (23, -6),   (23, -1),   (12, -10),  (3, -7),    (-19, 0),   (-8, 7),    (-24, 15),
        (-5, 0),    (32, -4),   (21, -7),   (8, -7),    (-16, -5),  (-40, 22),  (-27, 11),  (-28, 11),
        (-5, 0),    (28, -1),   (-5, -2),   (11, -3),   (-9, 14),   (-11, -26), (-12, -2),  (-8, 3),
        (-5, 0),    (16, 3),    (13, -2),   (9, -11),   (-13, 15),  (-52, 0),   (-28, 4),   (-5, 2),
    ];
    /// Pawn storm: on each of three files the steps to their nearest pawn (7: none), by distance of the
    /// file from the edge; then the same when our pawn blocks it.
    STORM: 64 = [
        (6, 7),     (27, 5),    (16, -4),   (-19, 4),   (-2, -5),   (-4, -8),   (2, -2),    (-18, -4),
        (-30, 16),  (46, -3),   (12, 1),    (-14, 4),   (1, 0),     (-1, -5),   (0, -5),    (-10, 1),
        (20, 11),   (-8, 0),    (-11, 4),   (-8, 3),    (-7, 2),    (-7, 0),    (-5, -1),   (-6, 4),
        (34, -2),   (19, -7),   (-7, 1),    (-30, 4),   (-21, 5),   (-6, 10),   (-11, 2),   (-15, 5),
        (0, 0),     (0, 0),     (-7, -9),   (1, -9),    (-4, -3),   (-16, 9),   (17, 35),   (10, 20),
        (0, 0),     (0, 0),     (-16, -9),  (8, -7),    (10, -9),   (1, 11),    (-11, 21),  (9, -2),
        (0, 0),     (0, 0),     (-10, -13), (17, -9),   (-3, 4),    (1, 0),     (-8, -2),   (22, -24),
        (0, 0),     (0, 0),     (12, -21),  (-10, -2),  (-1, -2),   (20, -14),  (56, -13),  (-17, 11),
    ];
    /// Danger from each piece that attacks the king's zone: knight, bishop, rook, queen.
    DANGER_ATTACKER: 4 = [(46, 48), (14, 112), (1, 12), (16, -20)];
    /// Danger from each attack on squares next to the king, per nine squares of the zone.
    DANGER_ATTACKS: 1 = [(22, 33)];
    /// Danger from each weak square in the zone: attacked, and defended at most once, by king or queen.
    DANGER_WEAK_SQUARES: 1 = [(12, -11)];
    /// Danger when the attacker has no queen.
    DANGER_NO_QUEEN: 1 = [(-160, -209)];
    /// Danger from each safe knight check.
    DANGER_KNIGHT_CHECKS: 1 = [(71, 109)];
    /// Danger from each safe bishop check.
    DANGER_BISHOP_CHECKS: 1 = [(66, 97)];
    /// Danger from each safe rook check.
    DANGER_ROOK_CHECKS: 1 = [(72, 153)];
    /// Danger from each safe queen check.
    DANGER_QUEEN_CHECKS: 1 = [(42, 115)];
    /// Danger from each check that costs the piece.
    DANGER_UNSAFE_CHECKS: 1 = [(21, 63)];
    /// Danger when a knight defends the zone.
    DANGER_KNIGHT_DEFENDER: 1 = [(-14, 1)];
    /// Danger when a bishop defends the zone.
    DANGER_BISHOP_DEFENDER: 1 = [(5, -18)];
    /// Danger by steps to our pawn on each of three files (7: none); then for the king's own file.
    DANGER_SHELTER: 16 = [
        (-14, -25), (-10, -9),  (4, -3),    (25, 23),   (9, 0),     (25, -8),   (12, 1),    (5, 11),
        (0, 0),     (2, 4),     (13, 29),   (23, -5),   (34, 8),    (39, 0),    (23, -1),   (8, -13),
    ];
    /// Danger by steps to their pawn on each of three files; then when our pawn blocks it.
    DANGER_STORM: 16 = [
        (25, 21),  (82, 12),  (71, 6),   (16, 4),   (6, -7),   (-9, -34), (1, -19),  (4, -10),
        (0, 0),    (0, 0),    (14, 15),  (21, 14),  (-21, 17), (-6, 5),   (-7, -7),  (9, 0),
    ];
    /// Danger of an attack of any kind.
    DANGER_BASE: 1 = [(-28, -3)];
    /// A knight or bishop attacks a weakly defended pawn, or any knight, bishop, rook, queen.
    THREAT_BY_MINOR: 5 = [(5, 13), (15, 22), (32, 16), (26, 27), (43, 2)];
    /// A rook attacks a weakly defended pawn, knight, bishop, rook, queen.
    THREAT_BY_ROOK: 5 = [(2, 18), (22, 24), (26, 30), (6, 4), (44, 16)];
    /// The king attacks a weakly defended pawn; piece.
    THREAT_BY_KING: 2 = [(24, 18), (25, 19)];
    /// The queen attacks something weakly defended.
    THREAT_BY_QUEEN: 1 = [(5, 6)];
    /// A pawn hangs; a piece hangs.
    HANGING: 2 = [(13, 7), (8, 7)];
    /// A weakly defended piece is defended by the queen, alone or with others.
    QUEEN_GUARDS: 1 = [(3, 6)];
    /// A pawn attacks a piece: one that can be taken for nothing; a safe one.
    THREAT_BY_PAWN: 2 = [(25, 64), (43, 35)];
    /// A safe step of a pawn would attack a piece.
    THREAT_BY_PUSH: 1 = [(15, 10)];
    /// A knight can attack the queen next; a doubly supported slider can.
    QUEEN_SOON_ATTACKED: 2 = [(8, -3), (14, 1)];
    /// Square that the other side attacks and we contest: empty; occupied by the other side.
    RESTRICTED: 2 = [(4, 0), (-3, -6)];
    /// Space on the central files, ranks 2 to 4: squares free of our pawns and of enemy pawn attacks; of
    /// these, unattacked squares behind our pawns.
    SPACE: 2 = [(-2, 2), (-2, 4)];
    /// Danger from each square of our camp that they attack, twice attacked squares counted twice. The
    /// camp is five ranks deep and three or four files wide around the king's file.
    DANGER_CAMP_ATTACKS: 1 = [(6, 5)];
    /// Danger from each square of our camp that we attack.
    DANGER_CAMP_DEFENCES: 1 = [(-3, -2)];
    /// Danger from each own piece that shields the king from a slider.
    DANGER_PINNED: 1 = [(49, 56)];
    /// Queen by steps to its own king, 0 to 7; then by steps to the other king.
    QUEEN_NEAR_KINGS: 16 = [
        (0, 0),     (2, -3),    (-4, -7),   (-5, -8),   (-7, -2),   (-7, -5),   (-13, 5),   (-22, 8),
        (0, 0),     (0, 0),     (20, -1),   (12, 1),    (10, -4),   (-13, 2),   (-19, -2),  (-28, -10),
    ];
    /// Rook by steps to its own king, 0 to 7; then by steps to the other king.
    ROOK_NEAR_KINGS: 16 = [
        (0, 0),   (-3, 8),  (-4, 11), (2, 9),   (5, 10),  (-5, 11), (-4, 11), (-6, 16),
        (0, 0),   (5, 12),  (10, 4),  (7, 9),   (1, 10),  (-5, 10), (-2, 11), (-6, 11),
    ];
    /// Bishop by steps to its own king, 0 to 7; then by steps to the other king.
    BISHOP_NEAR_KINGS: 16 = [
        (0, 0),    (-16, 24), (-18, 20), (-17, 16), (-18, 13), (-23, 14), (-26, 18), (-61, 22),
        (0, 0),    (-33, 9),  (-6, 16),  (-23, 24), (-25, 23), (-25, 24), (-20, 18), (-20, 14),
    ];
    /// Knight by steps to its own king, 0 to 7; then by steps to the other king.
    KNIGHT_NEAR_KINGS: 16 = [
        (0, 0),    (-6, 21),  (-4, 17),  (-10, 16), (-18, 10), (-20, 9),  (-12, 1),  (-25, 7),
        (0, 0),    (-4, 17),  (-3, 13),  (-7, 22),  (-11, 19), (-11, 11), (-17, 5),  (-27, 2),
    ];
    /// Pairs of own pieces: pawns; knight with pawn, knights; bishop with pawn, knight, bishops; rook
    /// with pawn, knight, bishop, rooks; queen with pawn, knight, bishop, rook, queens.
    WITH_OWN: 15 = [
        (9, -10),   (5, 1),     (14, -8),   (4, -4),    (1, -10),   (12, 44),   (5, -9),    (-8, 1),
        (0, -9),    (36, -69),  (-12, -24), (26, -44),  (21, -49),  (-9, -82),  (-43, -29),
    ];
    /// Own piece and a less valuable enemy piece: knight against pawn; bishop against pawn, knight; rook
    /// against pawn, knight, bishop; queen against pawn, knight, bishop, rook.
    AGAINST: 10 = [
        (10, -2),   (10, -2),   (14, -4),   (4, 0),     (-12, 9),   (-19, -3),  (-12, 13),  (10, 76),
        (-3, 82),   (-18, 124),
    ];
    /// A pawn hangs; a piece hangs: in addition when it is our move.
    TO_MOVE_HANGING: 2 = [(9, 1), (6, -3)];
    /// A knight or bishop attacks a piece as in THREAT_BY_MINOR, and a rook as in THREAT_BY_ROOK: in
    /// addition when it is our move.
    TO_MOVE_WEAK: 2 = [(0, 1), (5, -3)];
    /// A pawn attacks a piece as in THREAT_BY_PAWN: in addition when it is our move.
    TO_MOVE_BY_PAWN: 2 = [(32, 62), (-5, 13)];
    /// Danger when the attacker is to move.
    DANGER_THEIR_MOVE: 1 = [(23, -9)];
    /// Danger from each safe check when the attacker is to move.
    DANGER_THEIR_MOVE_CHECKS: 1 = [(21, 23)];
    /// Passed pawn when it is our move, by rank.
    PASSED_TO_MOVE: 8 = [(0, 0), (10, 0), (-2, 3), (3, 4), (-1, 7), (-4, 15), (10, -1), (0, 0)];
    /// Pieces that hang or are attacked by a lesser piece: 0, 1, 2, more; then when it is our move.
    MANY_THREATS: 8 = [(-29, -6), (-16, -15), (54, 14), (81, 30), (-30, -16), (28, 13), (79, 75), (42, 9)];
    /// The side to move.
    TEMPO: 1 = [(24, 16)];
    /// Complexity: always; for each pawn; pawns on both flanks; pawn ending; files less ranks between
    /// the kings; a king across the middle; for each passed pawn.
    COMPLEXITY: 7 = [(0, -174), (0, 25), (0, 60), (0, 124), (0, 2), (0, -2), (0, 11)];
}
