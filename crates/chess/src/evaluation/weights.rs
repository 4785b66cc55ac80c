//! Every weight of the evaluation, as `(middlegame, endgame)` in centipawns.
//!
//! *Provenance*: material and piece-square tables start from PeSTO's (Ronald
//! Friederich, public); all else starts from
//! round guesses. Not tuned yet.

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
    MATERIAL: 5 = [(82, 94), (337, 281), (365, 297), (477, 512), (1025, 936)];
    /// A pawn on each square; first row a8 to h8, as white sees it.
    PAWN_SQUARE: 64 = [
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (98, 178), (134, 173), (61, 158), (95, 134), (68, 147), (126, 132), (34, 165), (-11, 187),
        (-6, 94), (7, 100), (26, 85), (31, 67), (65, 56), (56, 53), (25, 82), (-20, 84),
        (-14, 32), (13, 24), (6, 13), (21, 5), (23, -2), (12, 4), (17, 17), (-23, 17),
        (-27, 13), (-2, 9), (-5, -3), (12, -7), (17, -7), (6, -8), (10, 3), (-25, -1),
        (-26, 4), (-4, 7), (-4, -6), (-10, 1), (3, 0), (3, -5), (33, -1), (-12, -8),
        (-35, 13), (-1, 8), (-20, 8), (-23, 10), (-15, 13), (24, 0), (38, 2), (-22, -7),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// A knight on each square; first row a8 to h8, as white sees it.
    KNIGHT_SQUARE: 64 = [
        (-167, -58), (-89, -38), (-34, -13), (-49, -28), (61, -31), (-97, -27), (-15, -63), (-107, -99),
        (-73, -25), (-41, -8), (72, -25), (36, -2), (23, -9), (62, -25), (7, -24), (-17, -52),
        (-47, -24), (60, -20), (37, 10), (65, 9), (84, -1), (129, -9), (73, -19), (44, -41),
        (-9, -17), (17, 3), (19, 22), (53, 22), (37, 22), (69, 11), (18, 8), (22, -18),
        (-13, -18), (4, -6), (16, 16), (13, 25), (28, 16), (19, 17), (21, 4), (-8, -18),
        (-23, -23), (-9, -3), (12, -1), (10, 15), (19, 10), (17, -3), (25, -20), (-16, -22),
        (-29, -42), (-53, -20), (-12, -10), (-3, -5), (-1, -2), (18, -20), (-14, -23), (-19, -44),
        (-105, -29), (-21, -51), (-58, -23), (-33, -15), (-17, -22), (-28, -18), (-19, -50), (-23, -64),
    ];
    /// A bishop on each square; first row a8 to h8, as white sees it.
    BISHOP_SQUARE: 64 = [
        (-29, -14), (4, -21), (-82, -11), (-37, -8), (-25, -7), (-42, -9), (7, -17), (-8, -24),
        (-26, -8), (16, -4), (-18, 7), (-13, -12), (30, -3), (59, -13), (18, -4), (-47, -14),
        (-16, 2), (37, -8), (43, 0), (40, -1), (35, -2), (50, 6), (37, 0), (-2, 4),
        (-4, -3), (5, 9), (19, 12), (50, 9), (37, 14), (37, 10), (7, 3), (-2, 2),
        (-6, -6), (13, 3), (13, 13), (26, 19), (34, 7), (12, 10), (10, -3), (4, -9),
        (0, -12), (15, -3), (15, 8), (15, 10), (14, 13), (27, 3), (18, -7), (10, -15),
        (4, -14), (15, -18), (16, -7), (0, -1), (7, 4), (21, -9), (33, -15), (1, -27),
        (-33, -23), (-3, -9), (-14, -23), (-21, -5), (-13, -9), (-12, -16), (-39, -5), (-21, -17),
    ];
    /// A rook on each square; first row a8 to h8, as white sees it.
    ROOK_SQUARE: 64 = [
        (32, 13), (42, 10), (32, 18), (51, 15), (63, 12), (9, 12), (31, 8), (43, 5),
        (27, 11), (32, 13), (58, 13), (62, 11), (80, -3), (67, 3), (26, 8), (44, 3),
        (-5, 7), (19, 7), (26, 7), (36, 5), (17, 4), (45, -3), (61, -5), (16, -3),
        (-24, 4), (-11, 3), (7, 13), (26, 1), (24, 2), (35, 1), (-8, -1), (-20, 2),
        (-36, 3), (-26, 5), (-12, 8), (-1, 4), (9, -5), (-7, -6), (6, -8), (-23, -11),
        (-45, -4), (-25, 0), (-16, -5), (-17, -1), (3, -7), (0, -12), (-5, -8), (-33, -16),
        (-44, -6), (-16, -6), (-20, 0), (-9, 2), (-1, -9), (11, -9), (-6, -11), (-71, -3),
        (-19, -9), (-13, 2), (1, 3), (17, -1), (16, -5), (7, -13), (-37, 4), (-26, -20),
    ];
    /// A queen on each square; first row a8 to h8, as white sees it.
    QUEEN_SQUARE: 64 = [
        (-28, -9), (0, 22), (29, 22), (12, 27), (59, 27), (44, 19), (43, 10), (45, 20),
        (-24, -17), (-39, 20), (-5, 32), (1, 41), (-16, 58), (57, 25), (28, 30), (54, 0),
        (-13, -20), (-17, 6), (7, 9), (8, 49), (29, 47), (56, 35), (47, 19), (57, 9),
        (-27, 3), (-27, 22), (-16, 24), (-16, 45), (-1, 57), (17, 40), (-2, 57), (1, 36),
        (-9, -18), (-26, 28), (-9, 19), (-10, 47), (-2, 31), (-4, 34), (3, 39), (-3, 23),
        (-14, -16), (2, -27), (-11, 15), (-2, 6), (-5, 9), (2, 17), (14, 10), (5, 5),
        (-35, -22), (-8, -23), (11, -30), (2, -16), (8, -16), (15, -23), (-3, -36), (1, -32),
        (-1, -33), (-18, -28), (-9, -22), (10, -43), (-15, -5), (-25, -32), (-31, -20), (-50, -41),
    ];
    /// A king on each square; first row a8 to h8, as white sees it.
    KING_SQUARE: 64 = [
        (-65, -74), (23, -35), (16, -18), (-15, -18), (-56, -11), (-34, 15), (2, 4), (13, -17),
        (29, -12), (-1, 17), (-20, 14), (-7, 17), (-8, 17), (-4, 38), (-38, 23), (-29, 11),
        (-9, 10), (24, 17), (2, 23), (-16, 15), (-20, 20), (6, 45), (22, 44), (-22, 13),
        (-17, -8), (-20, 22), (-12, 24), (-27, 27), (-30, 26), (-25, 33), (-14, 26), (-36, 3),
        (-49, -18), (-1, -4), (-27, 21), (-39, 24), (-46, 27), (-44, 23), (-33, 9), (-51, -11),
        (-14, -19), (-14, -3), (-22, 11), (-46, 21), (-44, 23), (-30, 16), (-15, 7), (-27, -9),
        (1, -27), (7, -11), (-8, 4), (-64, 13), (-43, 14), (-16, 4), (9, -5), (8, -17),
        (-15, -53), (36, -34), (12, -21), (-54, -11), (8, -28), (-28, -14), (24, -24), (14, -43),
    ];
    /// Knight by number of welcome squares it attacks, 0 to 8.
    KNIGHT_MOBILITY: 9 = [
        (-50, -50), (-27, -27), (-18, -18), (-10, -10), (-4, -4), (1, 1), (6, 6), (11, 11),
        (15, 15),
    ];
    /// Bishop by number of welcome squares, 0 to 13; it sees through its own queen and bishop.
    BISHOP_MOBILITY: 14 = [
        (-45, -50), (-26, -29), (-18, -21), (-11, -14), (-6, -8), (-2, -3), (3, 1), (6, 5),
        (10, 9), (13, 12), (16, 16), (19, 19), (22, 22), (25, 25),
    ];
    /// Rook by number of welcome squares, 0 to 14; it sees through its own queen and rook.
    ROOK_MOBILITY: 15 = [
        (-40, -60), (-27, -33), (-21, -22), (-17, -14), (-13, -7), (-10, 0), (-7, 5), (-5, 11),
        (-2, 16), (0, 20), (2, 25), (4, 29), (6, 33), (8, 36), (10, 40),
    ];
    /// Queen by number of welcome squares, 0 to 27.
    QUEEN_MOBILITY: 28 = [
        (-40, -60), (-30, -43), (-26, -36), (-23, -30), (-21, -25), (-18, -21), (-16, -18), (-15, -14),
        (-13, -11), (-11, -8), (-10, -5), (-8, -3), (-7, 0), (-5, 2), (-4, 5), (-3, 7),
        (-2, 9), (0, 11), (1, 13), (2, 15), (3, 17), (4, 19), (5, 21), (6, 23),
        (7, 25), (8, 27), (9, 28), (10, 30),
    ];
    /// Knights, in positions from open (0) to closed (8).
    KNIGHT_CLOSED: 9 = [
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0),
    ];
    /// Rooks, in positions from open (0) to closed (8).
    ROOK_CLOSED: 9 = [
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0),
    ];
    /// Two bishops on squares of both colours.
    BISHOP_PAIR: 1 = [(22, 50)];
    /// A knight, a bishop directly behind a pawn of either side.
    BEHIND_PAWN: 2 = [(5, 10), (5, 10)];
    /// Knight on ranks 4 to 6 that no pawn can attack: index 2 × on the edge file + guarded by a pawn.
    KNIGHT_OUTPOST: 4 = [(10, 0), (35, 15), (5, -5), (15, 10)];
    /// The same for a bishop.
    BISHOP_OUTPOST: 4 = [(10, 0), (35, 10), (5, -5), (15, 10)];
    /// Knight far from both kings: 4, 5, 6, 7 steps from the nearer.
    KNIGHT_FAR: 4 = [(-5, -5), (-10, -10), (-15, -15), (-20, -20)];
    /// Bishop, for each pawn of its own on squares of its colour.
    BISHOP_OWN_PAWNS: 1 = [(-2, -4)];
    /// Bishop, for each such pawn that an enemy pawn blocks.
    BISHOP_RAMMED_PAWNS: 1 = [(-4, -8)];
    /// Bishop that sees both centre squares of its diagonal through pieces, but not pawns.
    BISHOP_LONG_DIAGONAL: 1 = [(15, 10)];
    /// Rook on a file without own pawns; without any pawns.
    ROOK_FILE: 2 = [(12, 8), (35, 12)];
    /// Rook with at most 3 welcome squares, on its king's wrong side.
    ROOK_TRAPPED: 1 = [(-30, -10)];
    /// Rook on the seventh rank, with the king on the last two ranks or pawns to eat.
    ROOK_SEVENTH: 1 = [(0, 25)];
    /// Pawn that no pawn supports or can support, by distance of its file from the edge; then the same
    /// on a half-open file.
    ISOLATED: 8 = [(-8, -10), (-8, -10), (-8, -10), (-8, -10), (-15, -15), (-15, -15), (-15, -15), (-15, -15)];
    /// Pawn behind all its neighbours, that cannot step safely, by rank; then the same on a half-open
    /// file.
    BACKWARD: 16 = [
        (0, 0), (-5, -8), (-5, -8), (-5, -8), (-5, -8), (-5, -8), (-5, -8), (-5, -8),
        (0, 0), (-12, -12), (-12, -12), (-12, -12), (-12, -12), (-12, -12), (-12, -12), (-12, -12),
    ];
    /// Pawn behind another of its own on the file, by distance from the edge; then the same when
    /// isolated.
    DOUBLED: 8 = [(-8, -18), (-8, -18), (-8, -18), (-8, -18), (-12, -25), (-12, -25), (-12, -25), (-12, -25)];
    /// Pawn for each own pawn that supports it, by rank.
    SUPPORTED: 8 = [(0, 0), (0, 0), (15, 10), (12, 8), (14, 14), (30, 30), (80, 60), (0, 0)];
    /// Pawn with an own pawn beside it, by rank; then the same against an enemy pawn on the file.
    PHALANX: 16 = [
        (0, 0), (4, 0), (8, 5), (14, 12), (30, 30), (60, 60), (90, 90), (0, 0),
        (0, 0), (2, 0), (5, 2), (8, 6), (15, 15), (30, 30), (50, 50), (0, 0),
    ];
    /// Unsupported pawn attacked by two pawns.
    WEAK_LEVER: 1 = [(-5, -30)];
    /// Pawn blocked by an enemy pawn on the fifth rank; further on.
    RAMMED_FAR: 2 = [(-5, -3), (-5, 0)];
    /// Pawn that can become passed by exchanges, by rank, short of help; then with enough help.
    CANDIDATE: 16 = [
        (0, 0), (-5, 5), (-5, 5), (0, 10), (10, 25), (30, 40), (0, 0), (0, 0),
        (0, 0), (0, 5), (0, 10), (5, 20), (20, 45), (50, 60), (0, 0), (0, 0),
    ];
    /// Passed pawn by rank: index 16 × not blocked + 8 × next square not attacked + rank.
    PASSED: 32 = [
        (0, 0), (-10, 6), (-10, 10), (-5, 20), (20, 36), (60, 73), (120, 126), (0, 0),
        (0, 0), (-10, 7), (-10, 11), (-5, 22), (20, 41), (60, 82), (120, 142), (0, 0),
        (0, 0), (-10, 10), (-10, 15), (-5, 30), (20, 55), (60, 110), (120, 190), (0, 0),
        (5, 0), (-5, 12), (-5, 18), (0, 37), (25, 68), (65, 137), (125, 237), (5, 0),
    ];
    /// Passed pawn by distance of its file from the edge.
    PASSED_FILE: 4 = [(5, 8), (0, 0), (-5, -5), (-8, -10)];
    /// Passed pawn, for each step from its own king to the square before it (at most 5), by rank.
    PASSED_OWN_KING: 8 = [(0, 0), (0, 0), (0, -2), (0, -5), (0, -8), (0, -10), (0, -10), (0, 0)];
    /// Passed pawn, for each step from the enemy king to the square before it (at most 5), by rank.
    PASSED_THEIR_KING: 8 = [(0, 0), (0, 2), (0, 4), (2, 10), (2, 18), (4, 26), (5, 32), (0, 0)];
    /// Passed pawn with no enemy piece or attack on its path, by rank.
    PASSED_FREE_PATH: 8 = [(0, 0), (0, 0), (0, 5), (0, 8), (0, 12), (5, 25), (5, 40), (0, 0)];
    /// Passed pawn whose next square we attack, by rank.
    PASSED_GUARDED_STEP: 8 = [(0, 0), (0, 0), (0, 2), (2, 5), (5, 10), (10, 15), (15, 20), (0, 0)];
    /// Passed pawn with a rook or queen right behind it: ours; theirs.
    PASSED_ROOK_BEHIND: 2 = [(5, 15), (-5, -15)];
    /// Passed pawn that the lone enemy king cannot catch.
    PASSED_UNSTOPPABLE: 1 = [(0, 250)];
    /// Own minor pieces and pawns around the king, 0 to 11.
    KING_DEFENDERS: 12 = [
        (-30, 0), (-22, 0), (-14, 0), (-6, 0), (2, 0), (10, 0), (18, 0), (18, 0),
        (18, 0), (18, 0), (18, 0), (18, 0),
    ];
    /// King, by number of files to the nearest pawn.
    KING_PAWN_FILES: 8 = [(0, 0), (0, -6), (0, -12), (0, -18), (0, -24), (0, -30), (0, -36), (0, -42)];
    /// King shelter: on each of three files the steps to our nearest pawn not behind the king (7:
    /// none), by distance of the file from the edge; then the same for the king's own file.
    SHELTER: 64 = [
        (-5, 0), (20, 0), (12, 0), (0, 0), (-3, 0), (-6, 0), (-10, 0), (-15, 0),
        (-5, 0), (20, 0), (12, 0), (0, 0), (-3, 0), (-6, 0), (-10, 0), (-15, 0),
        (-5, 0), (20, 0), (12, 0), (0, 0), (-3, 0), (-6, 0), (-10, 0), (-15, 0),
        (-5, 0), (20, 0), (12, 0), (0, 0), (-3, 0), (-6, 0), (-10, 0), (-15, 0),
        (-5, 0), (20, 0), (12, 0), (0, 0), (-3, 0), (-6, 0), (-10, 0), (-15, 0),
        (-5, 0), (20, 0), (12, 0), (0, 0), (-3, 0), (-6, 0), (-10, 0), (-15, 0),
        (-5, 0), (20, 0), (12, 0), (0, 0), (-3, 0), (-6, 0), (-10, 0), (-15, 0),
        (-5, 0), (20, 0), (12, 0), (0, 0), (-3, 0), (-6, 0), (-10, 0), (-15, 0),
    ];
    /// Pawn storm: on each of three files the steps to their nearest pawn (7: none), by distance of the
    /// file from the edge; then the same when our pawn blocks it.
    STORM: 64 = [
        (0, 0), (-15, 0), (-20, 0), (-10, 0), (-3, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (-15, 0), (-20, 0), (-10, 0), (-3, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (-15, 0), (-20, 0), (-10, 0), (-3, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (-15, 0), (-20, 0), (-10, 0), (-3, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (-5, 0), (-3, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (-5, 0), (-3, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (-5, 0), (-3, 0), (0, 0), (0, 0), (0, 0), (0, 0),
        (0, 0), (0, 0), (-5, 0), (-3, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// Danger from each piece that attacks the king's zone: knight, bishop, rook, queen.
    DANGER_ATTACKER: 4 = [(48, 41), (24, 35), (36, 8), (30, 6)];
    /// Danger from each attack on squares next to the king, per nine squares of the zone.
    DANGER_ATTACKS: 1 = [(45, 34)];
    /// Danger from each weak square in the zone: attacked, and defended at most once, by king or queen.
    DANGER_WEAK_SQUARES: 1 = [(42, 41)];
    /// Danger when the attacker has no queen.
    DANGER_NO_QUEEN: 1 = [(-237, -259)];
    /// Danger from each safe knight check.
    DANGER_KNIGHT_CHECKS: 1 = [(112, 117)];
    /// Danger from each safe bishop check.
    DANGER_BISHOP_CHECKS: 1 = [(59, 59)];
    /// Danger from each safe rook check.
    DANGER_ROOK_CHECKS: 1 = [(90, 98)];
    /// Danger from each safe queen check.
    DANGER_QUEEN_CHECKS: 1 = [(93, 83)];
    /// Danger from each check that costs the piece.
    DANGER_UNSAFE_CHECKS: 1 = [(10, 10)];
    /// Danger when a knight defends the zone.
    DANGER_KNIGHT_DEFENDER: 1 = [(-20, -10)];
    /// Danger when a bishop defends the zone.
    DANGER_BISHOP_DEFENDER: 1 = [(-10, -5)];
    /// Danger by steps to our pawn on each of three files (7: none); then for the king's own file.
    DANGER_SHELTER: 16 = [
        (0, 0), (-15, 0), (-8, 0), (0, 0), (4, 0), (6, 0), (8, 0), (12, 0),
        (0, 0), (-15, 0), (-8, 0), (0, 0), (4, 0), (6, 0), (8, 0), (12, 0),
    ];
    /// Danger by steps to their pawn on each of three files; then when our pawn blocks it.
    DANGER_STORM: 16 = [
        (0, 0), (10, 0), (10, 0), (5, 0), (0, 0), (0, 0), (0, 0), (5, 0),
        (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0),
    ];
    /// Danger of any attack at all.
    DANGER_BASE: 1 = [(-74, -26)];
    /// A knight or bishop attacks a weakly defended pawn, or any knight, bishop, rook, queen.
    THREAT_BY_MINOR: 5 = [(5, 20), (20, 25), (25, 30), (40, 40), (35, 40)];
    /// A rook attacks a weakly defended pawn, knight, bishop, rook, queen.
    THREAT_BY_ROOK: 5 = [(2, 15), (20, 30), (20, 30), (5, 20), (30, 20)];
    /// The king attacks a weakly defended pawn; piece.
    THREAT_BY_KING: 2 = [(5, 25), (10, 30)];
    /// The queen attacks something weakly defended.
    THREAT_BY_QUEEN: 1 = [(5, 5)];
    /// A pawn hangs; a piece hangs.
    HANGING: 2 = [(8, 8), (30, 15)];
    /// Something weak is defended by the queen only or also.
    QUEEN_GUARDS: 1 = [(6, 0)];
    /// A safe pawn attacks a piece.
    THREAT_BY_SAFE_PAWN: 1 = [(65, 40)];
    /// An unsafe pawn attacks a piece.
    THREAT_BY_PAWN: 1 = [(40, 25)];
    /// A safe step of a pawn would attack a piece.
    THREAT_BY_PUSH: 1 = [(18, 12)];
    /// A knight, a doubly supported slider can attack the queen next.
    QUEEN_SOON_ATTACKED: 2 = [(6, 5), (25, 8)];
    /// Square that they attack and we contest: empty; held by them.
    RESTRICTED: 2 = [(3, 3), (2, 2)];
    /// Room on the central files, ranks 2 to 4: free of our pawns and their pawns' attacks; of this,
    /// unattacked behind our pawns.
    SPACE: 2 = [(1, 0), (3, 0)];
    /// The right to move.
    TEMPO: 1 = [(20, 15)];
    /// Complexity: always; for each pawn; pawns on both flanks; pawn ending; files less ranks between
    /// the kings; a king across the middle; for each passed pawn.
    COMPLEXITY: 7 = [(0, -100), (0, 6), (0, 50), (0, 50), (0, 4), (0, 10), (0, 4)];
}
