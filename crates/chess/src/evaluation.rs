//! The static evaluation: estimates the value of a quiet position by hand-crafted terms with tuned
//! weights.
//!
//! The value is a sum of terms, each with a middlegame and an endgame weight ([`Tapered`]). The material
//! left determines how the two are mixed. All weights are in [`weights`], each with a description. The
//! code that computes the terms is organised as follows.
//!
//! | file | terms |
//! |---|---|
//! | `material` | piece values, pairs of roles; cached |
//! | `pawns` | squares and structure of the pawns, shelter of the kings; cached |
//! | `scan` | knights, bishops, rooks, queens: squares, mobility, outposts, files |
//! | `king` | attack on the king: danger, squared |
//! | `threats` | attacked pieces, pawn threats, restriction, space |
//! | `passed` | passed pawns with kings, path and rooks |
//! | `endings` | how much of an endgame advantage counts; driving a bare king |
//!
//! The evaluation is symmetric: with board and colours mirrored it returns the same value. It allocates
//! memory only when an [`Evaluator`] is created.
//!
//! *References*: most terms are common in hand-crafted evaluations and described in the Chess
//! Programming Wiki; the forms of king danger, complexity and several threats follow Ethereal (Andrew
//! Grant) and Stockfish 11. The weights are this project's own, see [`weights`].

mod endings;
mod game;
pub mod king;
mod masks;
mod material;
mod memo;
mod passed;
mod pawns;
mod scan;
mod tapered;
mod threats;
pub mod trace;
pub mod weights;

pub use endings::FULL_SCALE;
pub use material::FULL_PHASE;
pub use tapered::Tapered;

pub(crate) use masks::{DIAGONALS, STRAIGHTS};
pub(crate) use material::unit as material_unit;

use crate::Position;
use masks::{BLACK, FLANKS, WHITE};
use material::{MaterialCache, MaterialEntry};
use memo::Memo;
use pawns::{PawnCache, PawnEntry};
use scan::Scan;
use shakmaty::{Bitboard, Board, Color, Role, Square};
use trace::{Account, NoTrace, Trace};
use weights as w;

/// The part of a position that the evaluation needs: the placement of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Indexed by `role as usize`; entries 0 and 7 are unused.
    roles: [Bitboard; 8],
    /// Indexed by `color as usize`.
    colors: [Bitboard; 2],
    /// The key of the material.
    material: u64,
}

impl Pieces {
    const EMPTY: Pieces = Pieces { roles: [Bitboard::EMPTY; 8], colors: [Bitboard::EMPTY; 2], material: 0 };

    #[inline]
    fn new(board: &Board, material: u64) -> Pieces {
        let mut pieces = Pieces { colors: [board.black(), board.white()], material, ..Pieces::EMPTY };
        for role in Role::ALL {
            pieces.roles[role as usize & 7] = board.by_role(role);
        }
        pieces
    }

    #[inline(always)]
    fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize & 7]
    }

    #[inline(always)]
    fn by_side(&self, side: usize) -> Bitboard {
        self.colors[side & 1]
    }

    #[inline(always)]
    fn by_color<const US: usize>(&self) -> Bitboard {
        self.colors[US]
    }

    #[inline(always)]
    fn of<const US: usize>(&self, role: Role) -> Bitboard {
        self.roles[role as usize & 7] & self.colors[US]
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.colors[WHITE] | self.colors[BLACK]
    }

    #[inline(always)]
    fn rooks_and_queens(&self) -> Bitboard {
        self.by_role(Role::Rook) | self.by_role(Role::Queen)
    }
}

impl From<&Board> for Pieces {
    #[inline]
    fn from(board: &Board) -> Pieces {
        Pieces::new(board, material::key(board))
    }
}

impl From<&Position> for Pieces {
    #[inline]
    fn from(position: &Position) -> Pieces {
        Pieces::new(position.board(), position.material_key())
    }
}

/// The scale on which an advantage fades with half-moves without progress: after `n` of them `n / FADE`
/// of it is gone. 100 half-moves make a draw.
const FADE: i32 = 220;

/// The parts of a value before they are mixed. All are from white's view.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The sum of all terms except complexity.
    pub sum: Tapered,
    /// The complexity of the position, which is added to the endgame advantage. It never takes away more
    /// than the advantage, and never adds more.
    pub complexity: i32,
    /// The share of an endgame advantage of black (0) or white (1) that counts, out of [`FULL_SCALE`].
    /// In play only the entry of the better side is computed.
    pub scales: [i32; 2],
    /// Game phase, 0 to [`FULL_PHASE`].
    pub phase: i32,
    /// Added at the end, untuned, if black (0) or white (1) has the endgame advantage.
    pub extras: [i32; 2],
}

impl Parts {
    const NOTHING: Parts =
        Parts { sum: Tapered::ZERO, complexity: 0, scales: [0; 2], phase: 0, extras: [0; 2] };

    /// Returns the endgame value with complexity, unscaled.
    pub fn endgame(&self) -> i32 {
        let eg = self.sum.eg();
        eg + eg.signum() * self.complexity.clamp(-eg.abs(), eg.abs())
    }

    /// Returns the value for white, in centipawns; 0 if the better side cannot win (scale 0).
    pub fn mix(&self) -> i32 {
        let better = usize::from(self.sum.eg() > 0);
        if self.scales[better] == 0 {
            return 0;
        }
        let eg = self.endgame() * self.scales[better] / FULL_SCALE;
        (self.sum.mg() * self.phase + eg * (FULL_PHASE - self.phase)) / FULL_PHASE + self.extras[better]
    }
}

/// The static evaluation, with its caches.
///
/// ```
/// use cassius_chess::evaluation::Evaluator;
/// use shakmaty::{Board, Color};
///
/// let mut evaluator = Evaluator::new();
/// let start = evaluator.evaluate(&Board::new(), Color::White, 0);
/// assert!(start > 0 && start < 60, "the first move is worth a little: {start}");
/// ```
pub struct Evaluator {
    material: MaterialCache,
    pawns: PawnCache,
    memo: Memo,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl std::fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluator").finish_non_exhaustive()
    }
}

impl Evaluator {
    /// Creates an evaluator with empty caches of 608 KiB.
    pub fn new() -> Evaluator {
        Evaluator { material: MaterialCache::new(), pawns: PawnCache::new(), memo: Memo::new() }
    }

    /// Returns the value for the side to move, in centipawns.
    ///
    /// `halfmoves` is the number of half-moves since the last capture or pawn move. The result is within
    /// ±[`MAX_VALUE`]. It is 0 when a king is missing.
    pub fn evaluate(&mut self, board: impl Into<Pieces>, turn: Color, halfmoves: u32) -> i32 {
        fade(self.compute(&board.into(), turn), turn, halfmoves)
    }

    /// Evaluates a position with a key, under which the value is cached.
    #[inline]
    pub(crate) fn recall(&mut self, key: u64, board: impl Into<Pieces>, turn: Color, halfmoves: u32) -> i32 {
        let value = self.memo.get(key).unwrap_or_else(|| {
            let value = self.compute(&board.into(), turn);
            self.memo.set(key, value);
            value
        });
        fade(value, turn, halfmoves)
    }

    /// Computes the value for white, without the fade of the fifty-move rule.
    fn compute(&mut self, pieces: &Pieces, turn: Color) -> i32 {
        let Some(kings) = kings(pieces) else { return 0 };
        let material = self.material.probe(pieces);
        let pawns = self.pawns.probe(pieces, kings);
        let value = parts(pieces, kings, turn, material, pawns, &mut NoTrace).mix();
        value.clamp(-MAX_VALUE, MAX_VALUE)
    }
}

/// Converts a value for white to the side to move, and reduces it as the fifty-move rule approaches.
#[inline]
fn fade(value: i32, turn: Color, halfmoves: u32) -> i32 {
    let value = value * (FADE - halfmoves.min(100) as i32) / FADE;
    if turn.is_white() { value } else { -value }
}

/// The maximum of the evaluation.
pub const MAX_VALUE: i32 = 20_000;

/// Evaluates without a cache and reports every weight that counted to `trace`.
///
/// For tuning and for explaining a value; see [`trace`].
pub fn explain<T: Trace>(board: impl Into<Pieces>, turn: Color, trace: &mut T) -> Parts {
    let pieces = board.into();
    let Some(kings) = kings(&pieces) else { return Parts::NOTHING };
    let material = MaterialEntry::new(&pieces, trace);
    let pawns = PawnEntry::new(&pieces, kings, trace);
    parts(&pieces, kings, turn, material, &pawns, trace)
}

#[inline]
fn kings(pieces: &Pieces) -> Option<[Square; 2]> {
    Some([pieces.of::<BLACK>(Role::King).first()?, pieces.of::<WHITE>(Role::King).first()?])
}

#[inline]
fn parts<T: Trace>(
    pieces: &Pieces,
    kings: [Square; 2],
    turn: Color,
    material: MaterialEntry,
    entry: &PawnEntry,
    trace: &mut T,
) -> Parts {
    let mut sum = material.score + entry.total();
    let mut scan = Scan::new(pieces, kings);
    sum += scan.pieces::<WHITE, T>(entry, trace);
    sum -= scan.pieces::<BLACK, T>(entry, trace);
    sum += king::king::<WHITE, T>(&scan, entry.danger[WHITE], turn.is_white(), trace);
    sum -= king::king::<BLACK, T>(&scan, entry.danger[BLACK], turn.is_black(), trace);
    sum += threats::threats::<WHITE, T>(&scan, turn.is_white(), trace);
    sum -= threats::threats::<BLACK, T>(&scan, turn.is_black(), trace);
    if entry.passed.any() {
        sum += passed::passed::<WHITE, T>(&scan, entry.passed, turn.is_white(), trace);
        sum -= passed::passed::<BLACK, T>(&scan, entry.passed, turn.is_black(), trace);
    }
    let tempo = trace.one(Account::Side(turn), &w::TEMPO, 0);
    sum += if turn.is_white() { tempo } else { -tempo };

    let complexity = complexity(pieces, kings, entry, trace);
    let mut scales = [0; 2];
    let mut extras = [0; 2];
    if T::COMPLETE || sum.eg() > 0 {
        scales[WHITE] = endings::scale::<WHITE>(pieces, kings);
        extras[WHITE] = endings::drive::<WHITE>(pieces, kings);
    }
    if T::COMPLETE || sum.eg() <= 0 {
        scales[BLACK] = endings::scale::<BLACK>(pieces, kings);
        extras[BLACK] = -endings::drive::<BLACK>(pieces, kings);
    }
    Parts { sum, complexity, scales, phase: material.phase, extras }
}

/// Computes how difficult the position is to defend for the side that stands worse.
fn complexity<T: Trace>(pieces: &Pieces, kings: [Square; 2], entry: &PawnEntry, trace: &mut T) -> i32 {
    let pawns = pieces.by_role(Role::Pawn);
    let both_flanks = FLANKS.iter().all(|flank| pawns.intersects(*flank));
    let pawn_ending = (pieces.occupied() & !pawns & !pieces.by_role(Role::King)).is_empty();
    let (black, white) = (kings[BLACK], kings[WHITE]);
    let outflanking = white.file().distance(black.file()) as i32
        - (white.rank().to_u32() as i32 - black.rank().to_u32() as i32).abs();
    let infiltration = white.rank().to_u32() > 3 || black.rank().to_u32() < 4;
    let mut sum = Tapered::ZERO;
    let mut add = |index, count| sum += trace.take(Account::Complexity, &w::COMPLEXITY, index, count);
    add(0, 1);
    add(1, pawns.count() as i32);
    add(2, i32::from(both_flanks));
    add(3, i32::from(pawn_ending));
    add(4, outflanking);
    add(5, i32::from(infiltration));
    add(6, entry.passed.count() as i32);
    sum.eg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    const FENS: &[&str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
        "8/8/4k3/8/8/3PK3/8/8 w - - 0 1",
        "2kr3r/pp1q1ppp/5n2/1Nb5/2Pp1B2/7Q/P4PPP/1R3RK1 w - - 0 1",
        "6k1/5pp1/8/3B4/8/5P2/2b3PP/6K1 w - - 0 1",
        "r1bq1rk1/pp3pbp/2np1np1/2pPp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 b - - 0 9",
        "4k3/P6p/8/1b6/8/8/r6P/R3K3 b - - 0 1",
    ];

    fn board(fen: &str) -> (Board, Color) {
        let setup = fen.parse::<Fen>().expect("valid FEN").into_setup();
        (setup.board, setup.turn)
    }

    #[test]
    fn mirrored_positions_are_worth_the_same() {
        let mut evaluator = Evaluator::new();
        for fen in FENS {
            let (board, turn) = board(fen);
            for turn in [turn, turn.other()] {
                assert_eq!(
                    evaluator.evaluate(&board, turn, 7),
                    evaluator.evaluate(&board.clone().into_mirrored(), turn.other(), 7),
                    "{fen}"
                );
            }
        }
    }

    /// Creates a key whose cache slot is shared by many positions.
    fn zobrist_like(fen: &str) -> u64 {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        BuildHasherDefault::<DefaultHasher>::default().hash_one(fen) & !0xffc
    }

    #[test]
    fn the_cache_changes_nothing() {
        let mut evaluator = Evaluator::new();
        for fen in FENS.iter().chain(FENS) {
            let (board, turn) = board(fen);
            let fresh = explain(&board, turn, &mut NoTrace).mix();
            let cached = evaluator.evaluate(&board, turn, 0);
            assert_eq!(cached, if turn.is_white() { fresh } else { -fresh }, "{fen}");
            for halfmoves in [0, 50] {
                let key = zobrist_like(fen);
                let expected = evaluator.evaluate(&board, turn, halfmoves);
                assert_eq!(evaluator.recall(key, &board, turn, halfmoves), expected, "{fen}");
            }
        }
    }

    #[test]
    fn every_weight_has_a_number_of_its_own() {
        let mut next = 0;
        for term in w::TERMS {
            assert_eq!(term.first, next, "{}", term.name);
            next += term.values.len();
        }
        assert_eq!(next, w::COUNT);
    }

    #[test]
    fn drawn_material_is_worth_little() {
        let mut evaluator = Evaluator::new();
        for fen in [
            "8/8/4k3/8/8/3NK3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
            "8/8/4k3/8/8/2NNK3/8/8 w - - 0 1",
            "k7/8/P7/8/8/2B1K3/8/8 w - - 0 1",
            "k7/8/P7/8/8/4K3/8/8 w - - 0 1",
        ] {
            let (board, turn) = board(fen);
            assert!(evaluator.evaluate(&board, turn, 0).abs() <= 30, "{fen}");
        }
        for fen in ["8/8/4k3/8/8/3RK3/8/8 w - - 0 1", "8/8/4k3/8/8/2BNK3/8/8 w - - 0 1"] {
            let (board, turn) = board(fen);
            assert!(evaluator.evaluate(&board, turn, 0) > 300, "{fen}");
        }
    }

    #[test]
    fn absurd_boards_do_no_harm() {
        let mut evaluator = Evaluator::new();
        assert_eq!(evaluator.evaluate(&Board::empty(), Color::White, 0), 0);
        for fen in [
            "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQKk w - - 0 1",
            "PPPPPPPP/PPPPPPPP/PPPPPPPP/KPPPPPPk/pppppppp/pppppppp/pppppppp/pppppppp b - - 0 1",
            "rrrrrrrr/rrrrrrrr/rrrrrrrr/kbbbbbbb/nnnnnnnK/NNNNNNNN/BBBBBBBB/RRRRRRRR b - - 0 1",
        ] {
            let (board, turn) = board(fen);
            assert!(evaluator.evaluate(&board, turn, u32::MAX).abs() <= MAX_VALUE, "{fen}");
        }
    }
}
