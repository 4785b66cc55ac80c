//! Every weight of the evaluation, as `(middlegame, endgame)` in centipawns.
//!
//! *Provenance*: fitted by the tuner of `cassius-lab` (`tune.rs`) to 544,747
//! quiet positions from 8,446 games that Stockfish 15.1 played against itself
//! with 1,500 nodes a move, from the openings of `8moves_v3.epd` and 2 to 8
//! random plies. Quiet: not in check, best move neither capture nor promotion;
//! further, score within ±15 pawns, at most 40 half-moves without progress, no
//! piece against a bare king, no position twice. Target: 70 % its score, 30 %
//! the result. Held-out loss (cross-entropy, the last tenth of the positions):
//! 0.3843 with the weights that the fit started from, 0.3579 with these; the
//! teacher's own scores have 0.3208. The fit started from PeSTO's public
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
    MATERIAL: 5 = [(69, 71), (325, 316), (330, 339), (434, 529), (832, 1064)];
    /// A pawn on each square; first row a8 to h8, as white sees it.
    PAWN_SQUARE: 64 = [
        (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),
        (12, 112),  (81, 131),  (91, 119),  (79, 133),  (131, 115), (24, 110),  (29, 117),  (2, 124),
        (-3, 58),   (1, 69),    (-19, 62),  (25, 34),   (27, 48),   (27, 40),   (66, 53),   (2, 41),
        (11, 16),   (15, 22),   (13, -1),   (37, -10),  (40, -13),  (40, -21),  (34, 21),   (16, 18),
        (-12, 8),   (1, 12),    (-5, 0),    (12, -2),   (9, -4),    (14, 2),    (4, 18),    (-6, 5),
        (-16, 6),   (-18, 19),  (-26, 17),  (-17, 17),  (-19, 19),  (-12, 15),  (-4, 20),   (-7, 4),
        (-12, 8),   (4, 12),    (-12, 15),  (-17, 22),  (-7, 26),   (4, 12),    (17, 14),   (12, 0),
        (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),     (0, 0),
    ];
    /// A knight on each square; first row a8 to h8, as white sees it.
    KNIGHT_SQUARE: 64 = [
        (-125, 1),    (-133, -4),   (-47, 19),    (-5, -6),     (14, -34),    (-137, 34),   (-36, -59),   (-106, -100),
        (-46, 2),     (-10, 10),    (37, -26),    (-7, 14),     (16, -3),     (36, 0),      (-3, -20),    (17, -38),
        (-9, -20),    (5, 13),      (38, -23),    (7, 19),      (16, -7),     (11, 0),      (-12, 1),     (33, -9),
        (19, 14),     (17, -11),    (14, -4),     (22, 12),     (18, 12),     (18, 25),     (9, 4),       (4, 4),
        (23, 0),      (18, -12),    (32, 8),      (12, 1),      (15, 12),     (27, 6),      (8, 10),      (14, -6),
        (5, -15),     (12, -8),     (9, -11),     (18, -5),     (14, -1),     (3, -18),     (6, -10),     (22, -30),
        (-32, -1),    (18, -11),    (1, -14),     (-3, -8),     (5, -13),     (9, -11),     (-5, -6),     (6, -32),
        (-58, 15),    (-8, -9),     (-5, 3),      (-14, 7),     (21, -10),    (-25, 6),     (-13, -22),   (-113, 1),
    ];
    /// A bishop on each square; first row a8 to h8, as white sees it.
    BISHOP_SQUARE: 64 = [
        (-26, -20), (-51, -15), (-144, 9),  (-60, 27),  (-52, 14),  (-123, 17), (29, -1),   (-37, -5),
        (-18, 12),  (-5, -7),   (3, 10),    (-48, 23),  (-14, 23),  (-31, -2),  (0, -31),   (-45, -10),
        (9, 0),     (-3, 19),   (-25, 0),   (33, 3),    (26, 6),    (-5, 2),    (18, -6),   (11, -26),
        (6, 4),     (22, -2),   (13, 11),   (20, 15),   (2, 23),    (30, -16),  (20, 7),    (-16, -7),
        (23, -4),   (13, 8),    (11, 8),    (28, 16),   (12, 15),   (16, 12),   (-4, 1),    (26, -30),
        (3, 8),     (25, -6),   (13, -4),   (9, 10),    (14, 19),   (11, -19),  (29, 11),   (7, 6),
        (26, 2),    (9, -21),   (21, -8),   (3, 8),     (5, 5),     (-3, 0),    (16, -25),  (14, -13),
        (24, -13),  (12, 8),    (8, -1),    (-28, 11),  (26, -1),   (-13, 7),   (14, -35),  (-14, 4),
    ];
    /// A rook on each square; first row a8 to h8, as white sees it.
    ROOK_SQUARE: 64 = [
        (33, -2),   (33, 9),    (27, 17),   (31, 4),    (6, 20),    (-7, 30),   (32, 4),    (22, 7),
        (19, -1),   (-11, 10),  (21, 0),    (25, 3),    (54, -13),  (48, -15),  (-6, 4),    (47, -12),
        (9, 2),     (5, 20),    (-20, 14),  (26, -10),  (-10, 11),  (25, 5),    (45, -3),   (60, -20),
        (-7, 10),   (2, 11),    (4, 7),     (-4, 17),   (29, 0),    (3, 14),    (6, 5),     (23, 0),
        (-40, 14),  (-18, 18),  (0, 11),    (0, 4),     (-19, 16),  (-5, 13),   (16, 1),    (-9, -5),
        (-17, 4),   (2, 4),     (-13, 9),   (7, -1),    (2, 3),     (-4, 12),   (19, -2),   (4, -8),
        (-23, -1),  (-26, 2),   (-23, 1),   (4, -10),   (-11, 0),   (3, -8),    (1, -3),    (-20, -20),
        (-19, -2),  (-11, -3),  (-10, -8),  (-6, -1),   (2, -8),    (-11, 2),   (-8, -8),   (-4, -20),
    ];
    /// A queen on each square; first row a8 to h8, as white sees it.
    QUEEN_SQUARE: 64 = [
        (-52, 33),  (17, 4),    (4, 25),    (34, 56),   (5, 7),     (-23, 25),  (45, -19),  (39, -5),
        (-12, 1),   (-17, -2),  (-14, 16),  (-21, 15),  (-6, 23),   (-4, 34),   (-41, 29),  (33, -4),
        (2, -6),    (14, -31),  (-7, 32),   (-1, 34),   (22, 12),   (46, 5),    (22, -3),   (-2, 37),
        (-8, 6),    (4, 28),    (-14, 33),  (6, 16),    (8, 26),    (15, 47),   (2, 57),    (10, 21),
        (-3, 20),   (0, 35),    (0, 27),    (-19, 51),  (15, 16),   (7, 23),    (13, 5),    (4, 39),
        (-4, -3),   (-5, 6),    (1, 8),     (8, 1),     (-6, 42),   (-4, 30),   (20, 8),    (-13, 26),
        (-16, -15), (-6, -6),   (0, 3),     (-4, 6),    (1, 6),     (-1, -6),   (-10, -20), (-24, -16),
        (17, -70),  (-26, 16),  (-17, 3),   (-12, 5),   (-18, 26),  (-32, 12),  (-57, -5),  (-27, 3),
    ];
    /// A king on each square; first row a8 to h8, as white sees it.
    KING_SQUARE: 64 = [
        (-71, -32),  (34, 14),    (2, 8),      (-10, -16),  (-16, 16),   (-19, 26),   (9, 25),     (-43, -162),
        (35, -19),   (-46, 30),   (-39, 36),   (-48, 34),   (-16, 42),   (-46, 22),   (-58, 44),   (-79, -31),
        (-57, 53),   (-21, 44),   (26, 41),    (-28, 39),   (-82, 46),   (-26, 34),   (12, 21),    (-25, 31),
        (-34, 13),   (-40, 32),   (-55, 29),   (-73, 33),   (-50, 22),   (-29, 32),   (9, 16),     (-55, 27),
        (-87, -7),   (-24, 4),    (-11, 5),    (-53, 25),   (-62, 15),   (-55, 11),   (-46, 0),    (-53, -16),
        (-47, 10),   (-31, -5),   (-38, 6),    (-59, 13),   (-66, 14),   (-40, 5),    (-8, -13),   (10, -23),
        (36, -12),   (35, -14),   (-21, 0),    (-38, 7),    (-42, 1),    (-28, -1),   (6, -14),    (38, -24),
        (19, -34),   (22, -17),   (31, -6),    (-25, -7),   (15, -26),   (-5, -16),   (33, -30),   (22, -40),
    ];
    /// Knight by number of welcome squares it attacks, 0 to 8.
    KNIGHT_MOBILITY: 9 = [
        (-53, -38), (-22, -16), (-17, 1),   (-10, 8),   (-4, 13),   (0, 20),    (5, 25),    (8, 28),
        (6, 28),
    ];
    /// Bishop by number of welcome squares, 0 to 13; it sees through its own queen and bishop.
    BISHOP_MOBILITY: 14 = [
        (-52, -36), (-28, -10), (-17, -8),  (-16, 8),   (-9, 13),   (-5, 15),   (-4, 19),   (-1, 22),
        (-1, 21),   (2, 24),    (11, 14),   (5, 15),    (-29, 40),  (-3, 27),
    ];
    /// Rook by number of welcome squares, 0 to 14; it sees through its own queen and rook.
    ROOK_MOBILITY: 15 = [
        (-125, -20), (-39, -26),  (-17, -7),   (-13, -6),   (-8, -3),    (-12, 9),    (-10, 14),   (-6, 12),
        (-6, 18),    (-5, 20),    (-4, 22),    (0, 25),     (2, 26),     (-18, 39),   (0, 34),
    ];
    /// Queen by number of welcome squares, 0 to 27.
    QUEEN_MOBILITY: 28 = [
        (-40, -60), (-71, -48), (-53, 15),  (-38, -11), (-30, -24), (-24, 12),  (-34, 33),  (-25, 16),
        (-19, 8),   (-17, 13),  (-18, 12),  (-15, 19),  (-11, 15),  (-12, 21),  (-5, 12),   (-13, 21),
        (-14, 27),  (-2, 12),   (4, 12),    (-7, 27),   (3, 10),    (23, -12),  (6, -3),    (25, 4),
        (25, 15),   (-5, -19),  (26, 45),   (-10, 7),
    ];
    /// Knights, in positions from open (0) to closed (8).
    KNIGHT_CLOSED: 9 = [
        (-19, 14), (-10, 26), (-11, 25), (-2, 20),  (2, 25),   (6, 9),    (9, 33),   (2, 50),
        (21, 5),
    ];
    /// Rooks, in positions from open (0) to closed (8).
    ROOK_CLOSED: 9 = [
        (-48, 52),  (-49, 35),  (-17, 0),   (-11, -1),  (1, -24),   (12, -36),  (1, -41),   (40, -78),
        (54, -147),
    ];
    /// Two bishops on squares of both colours.
    BISHOP_PAIR: 1 = [(26, 36)];
    /// A knight, a bishop directly behind a pawn of either side.
    BEHIND_PAWN: 2 = [(5, 10), (5, 8)];
    /// Knight on ranks 4 to 6 that no pawn can attack: index 2 × on the edge file + guarded by a pawn.
    KNIGHT_OUTPOST: 4 = [(10, -7), (21, -1), (6, -5), (18, -1)];
    /// The same for a bishop.
    BISHOP_OUTPOST: 4 = [(2, -2), (26, 5), (-1, 17), (-21, 18)];
    /// Knight far from both kings: 4, 5, 6, 7 steps from the nearer.
    KNIGHT_FAR: 4 = [(-10, -4), (-12, -6), (-11, -28), (-51, -45)];
    /// Bishop, for each pawn of its own on squares of its colour.
    BISHOP_OWN_PAWNS: 1 = [(1, -4)];
    /// Bishop, for each such pawn that an enemy pawn blocks.
    BISHOP_RAMMED_PAWNS: 1 = [(2, -10)];
    /// Bishop that sees both centre squares of its diagonal through pieces, but not pawns.
    BISHOP_LONG_DIAGONAL: 1 = [(5, 21)];
    /// Rook on a file without own pawns; without any pawns.
    ROOK_FILE: 2 = [(12, 3), (27, 3)];
    /// Rook with at most 3 welcome squares, on its king's wrong side.
    ROOK_TRAPPED: 1 = [(-6, -2)];
    /// Rook on the seventh rank, with the king on the last two ranks or pawns to eat.
    ROOK_SEVENTH: 1 = [(-16, 12)];
    /// Pawn that no pawn supports or can support, by distance of its file from the edge; then the same
    /// on a half-open file.
    ISOLATED: 8 = [(4, 2), (-3, -14), (12, -5), (-3, -2), (4, -12), (-6, -22), (1, -14), (-14, -19)];
    /// Pawn behind all its neighbours, that cannot step safely, by rank; then the same on a half-open
    /// file.
    BACKWARD: 16 = [
        (0, 0),     (-8, 9),    (-7, 1),    (-3, -11),  (-17, -30), (17, -52),  (-5, -8),   (-5, -8),
        (0, 0),     (-14, -5),  (-6, -14),  (-3, -23),  (-19, -32), (-12, -12), (-12, -12), (-12, -12),
    ];
    /// Pawn behind another of its own on the file, by distance from the edge; then the same when
    /// isolated.
    DOUBLED: 8 = [(-39, 34), (-15, -22), (-5, -8), (-10, -17), (-33, -11), (-2, -21), (-23, -15), (-15, -9)];
    /// Pawn for each own pawn that supports it, by rank.
    SUPPORTED: 8 = [(0, 0), (0, 0), (18, 5), (17, 3), (21, 13), (47, 20), (95, 56), (0, 0)];
    /// Pawn with an own pawn beside it, by rank; then the same against an enemy pawn on the file.
    PHALANX: 16 = [
        (0, 0),    (-1, -3),  (18, 0),   (19, 6),   (23, 8),   (46, 37),  (102, 63), (0, 0),
        (0, 0),    (3, 4),    (12, -2),  (9, 2),    (10, 8),   (47, 23),  (50, 50),  (0, 0),
    ];
    /// Unsupported pawn attacked by two pawns.
    WEAK_LEVER: 1 = [(-29, -14)];
    /// Pawn blocked by an enemy pawn on the fifth rank; further on.
    RAMMED_FAR: 2 = [(-17, 5), (18, -32)];
    /// Pawn that can become passed by exchanges, by rank, short of help; then with enough help.
    CANDIDATE: 16 = [
        (0, 0),    (-31, 14), (-15, 9),  (-15, 14), (-5, 10),  (42, 29),  (0, 0),    (0, 0),
        (0, 0),    (-8, 9),   (2, 2),    (-1, 10),  (-4, 30),  (-24, 45), (0, 0),    (0, 0),
    ];
    /// Passed pawn by rank: index 16 × not blocked + 8 × next square not attacked + rank.
    PASSED: 32 = [
        (0, 0),     (9, 16),    (9, 20),    (13, 47),   (12, 77),   (25, 66),   (80, 67),   (0, 0),
        (0, 0),     (-12, 55),  (-1, 48),   (16, 49),   (25, 66),   (44, 56),   (83, 80),   (0, 0),
        (0, 0),     (22, 34),   (-3, 48),   (3, 57),    (35, 70),   (54, 69),   (90, 113),  (0, 0),
        (5, 0),     (19, 46),   (3, 47),    (2, 60),    (34, 84),   (55, 86),   (107, 218), (5, 0),
    ];
    /// Passed pawn by distance of its file from the edge.
    PASSED_FILE: 4 = [(-6, 3), (4, 1), (4, -8), (-4, -14)];
    /// Passed pawn, for each step from its own king to the square before it (at most 5), by rank.
    PASSED_OWN_KING: 8 = [(0, 0), (-9, 1), (-4, -6), (1, -11), (-1, -15), (7, -23), (-11, -32), (0, 0)];
    /// Passed pawn, for each step from the enemy king to the square before it (at most 5), by rank.
    PASSED_THEIR_KING: 8 = [(0, 0), (4, -7), (-1, -2), (-5, 6), (-9, 14), (-13, 27), (-4, 32), (0, 0)];
    /// Passed pawn with no enemy piece or attack on its path, by rank.
    PASSED_FREE_PATH: 8 = [(0, 0), (-82, 34), (-6, 22), (-45, 29), (-64, 35), (-42, 49), (-43, -19), (0, 0)];
    /// Passed pawn whose next square we attack, by rank.
    PASSED_GUARDED_STEP: 8 = [(0, 0), (-14, 3), (18, 0), (7, 6), (-3, 18), (10, 33), (48, 52), (0, 0)];
    /// Passed pawn with a rook or queen right behind it: ours; theirs.
    PASSED_ROOK_BEHIND: 2 = [(14, 7), (15, -54)];
    /// Passed pawn that the lone enemy king cannot catch.
    PASSED_UNSTOPPABLE: 1 = [(-31, 191)];
    /// Own minor pieces and pawns around the king, 0 to 11.
    KING_DEFENDERS: 12 = [
        (-27, -9), (-25, 0),  (-15, 8),  (-6, 9),   (4, 11),   (15, 7),   (20, -51), (13, 2),
        (18, 0),   (18, 0),   (18, 0),   (18, 0),
    ];
    /// King, by number of files to the nearest pawn.
    KING_PAWN_FILES: 8 = [(7, 19), (-17, 17), (2, 13), (6, -29), (-22, -60), (39, -108), (43, -133), (8, -87)];
    /// King shelter: on each of three files the steps to our nearest pawn not behind the king (7:
    /// none), by distance of the file from the edge; then the same for the king's own file.
    SHELTER: 64 = [
        (-5, -7),   (5, -3),    (8, -3),    (30, 4),    (32, 1),    (-15, 12),  (7, 16),    (0, 6),
        (19, -2),   (20, -13),  (5, -2),    (-1, -3),   (-16, -1),  (-17, -17), (-24, -7),  (-16, 9),
        (30, 2),    (10, 0),    (-1, 2),    (-1, -3),   (1, 1),     (-25, -22), (34, -23),  (-3, 3),
        (8, 6),     (6, -2),    (0, -4),    (-6, 9),    (-12, -6),  (-17, -10), (-54, -12), (-4, 0),
        (-5, 0),    (24, -10),  (32, -9),   (26, -16),  (-9, 8),    (-28, 8),   (-6, 13),   (-21, 14),
        (-5, 0),    (31, -5),   (19, -5),   (5, -7),    (-35, 11),  (-72, 24),  (-36, -4),  (-26, 8),
        (-5, 0),    (18, 2),    (-5, -2),   (5, -3),    (-19, 18),  (7, -34),   (-18, -9),  (-7, 3),
        (-5, 0),    (14, 4),    (11, 0),    (9, -11),   (-8, 14),   (-81, -5),  (-45, -9),  (-6, 3),
    ];
    /// Pawn storm: on each of three files the steps to their nearest pawn (7: none), by distance of the
    /// file from the edge; then the same when our pawn blocks it.
    STORM: 64 = [
        (-7, 8),    (22, -5),   (3, 2),     (-21, 7),   (-1, -5),   (-6, -6),   (-1, 0),    (-23, 1),
        (-31, 19),  (84, -6),   (15, 1),    (-17, 8),   (-1, 3),    (-2, -4),   (-1, -5),   (-11, 1),
        (26, 5),    (-4, 3),    (-24, 7),   (-15, 6),   (-7, 1),    (-9, 0),    (-6, -1),   (-4, 3),
        (39, -1),   (44, -9),   (-6, -1),   (-31, 4),   (-14, 4),   (-2, 7),    (-11, 2),   (-13, 4),
        (0, 0),     (0, 0),     (20, -17),  (3, -8),    (-1, -9),   (-18, 8),   (35, 26),   (22, 27),
        (0, 0),     (0, 0),     (-16, -7),  (8, -14),   (19, -10),  (4, 13),    (-33, 66),  (-41, -17),
        (0, 0),     (0, 0),     (-6, -22),  (1, -12),   (11, 0),    (7, 6),     (1, -9),    (35, -31),
        (0, 0),     (0, 0),     (25, -25),  (-8, -3),   (2, -1),    (23, -11),  (84, 12),   (-16, 13),
    ];
    /// Danger from each piece that attacks the king's zone: knight, bishop, rook, queen.
    DANGER_ATTACKER: 4 = [(38, 74), (30, 153), (12, 35), (32, -9)];
    /// Danger from each attack on squares next to the king, per nine squares of the zone.
    DANGER_ATTACKS: 1 = [(27, 47)];
    /// Danger from each weak square in the zone: attacked, and defended at most once, by king or queen.
    DANGER_WEAK_SQUARES: 1 = [(17, -34)];
    /// Danger when the attacker has no queen.
    DANGER_NO_QUEEN: 1 = [(-198, -222)];
    /// Danger from each safe knight check.
    DANGER_KNIGHT_CHECKS: 1 = [(70, 134)];
    /// Danger from each safe bishop check.
    DANGER_BISHOP_CHECKS: 1 = [(64, 154)];
    /// Danger from each safe rook check.
    DANGER_ROOK_CHECKS: 1 = [(67, 260)];
    /// Danger from each safe queen check.
    DANGER_QUEEN_CHECKS: 1 = [(49, 109)];
    /// Danger from each check that costs the piece.
    DANGER_UNSAFE_CHECKS: 1 = [(24, 87)];
    /// Danger when a knight defends the zone.
    DANGER_KNIGHT_DEFENDER: 1 = [(-7, -21)];
    /// Danger when a bishop defends the zone.
    DANGER_BISHOP_DEFENDER: 1 = [(0, 8)];
    /// Danger by steps to our pawn on each of three files (7: none); then for the king's own file.
    DANGER_SHELTER: 16 = [
        (-26, -26), (-7, -17),  (9, 4),     (31, 37),   (11, 3),    (28, -19),  (42, 4),    (12, -10),
        (0, 0),     (7, -2),    (26, 45),   (21, 3),    (38, 17),   (35, -1),   (44, -1),   (14, 2),
    ];
    /// Danger by steps to their pawn on each of three files; then when our pawn blocks it.
    DANGER_STORM: 16 = [
        (-5, 24),   (94, 9),    (54, 32),   (17, 8),    (9, 28),    (-3, -54),  (0, -12),   (9, -15),
        (0, 0),     (0, 0),     (44, 15),   (34, 3),    (-9, 22),   (5, 18),    (-30, -13), (39, 2),
    ];
    /// Danger of any attack at all.
    DANGER_BASE: 1 = [(-28, 28)];
    /// A knight or bishop attacks a weakly defended pawn, or any knight, bishop, rook, queen.
    THREAT_BY_MINOR: 5 = [(6, 10), (20, 23), (32, 15), (60, 16), (53, -7)];
    /// A rook attacks a weakly defended pawn, knight, bishop, rook, queen.
    THREAT_BY_ROOK: 5 = [(2, 15), (22, 22), (31, 28), (2, 3), (58, -8)];
    /// The king attacks a weakly defended pawn; piece.
    THREAT_BY_KING: 2 = [(31, 15), (34, 16)];
    /// The queen attacks something weakly defended.
    THREAT_BY_QUEEN: 1 = [(3, 11)];
    /// A pawn hangs; a piece hangs.
    HANGING: 2 = [(15, 12), (20, 6)];
    /// Something weak is defended by the queen only or also.
    QUEEN_GUARDS: 1 = [(5, 8)];
    /// A safe pawn attacks a piece.
    THREAT_BY_SAFE_PAWN: 1 = [(67, 30)];
    /// An unsafe pawn attacks a piece.
    THREAT_BY_PAWN: 1 = [(54, 70)];
    /// A safe step of a pawn would attack a piece.
    THREAT_BY_PUSH: 1 = [(16, 9)];
    /// A knight, a doubly supported slider can attack the queen next.
    QUEEN_SOON_ATTACKED: 2 = [(8, -1), (18, -9)];
    /// Square that they attack and we contest: empty; held by them.
    RESTRICTED: 2 = [(3, 0), (-5, -4)];
    /// Room on the central files, ranks 2 to 4: free of our pawns and their pawns' attacks; of this,
    /// unattacked behind our pawns.
    SPACE: 2 = [(-3, 5), (-3, 4)];
    /// The right to move.
    TEMPO: 1 = [(31, 10)];
    /// Complexity: always; for each pawn; pawns on both flanks; pawn ending; files less ranks between
    /// the kings; a king across the middle; for each passed pawn.
    COMPLEXITY: 7 = [(0, -128), (0, 18), (0, 61), (0, 139), (0, 3), (0, -2), (0, 7)];
}
