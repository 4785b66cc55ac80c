//! Whether a move gives check, seen before it is played.
//!
//! Most moves neither go to a square from where their piece could attack the enemy king nor
//! leave a line to it: two look-ups tell. The others are looked at along the line. Castling, en passant and
//! promotions are played. The tests compare every answer with the position after the move.

use crate::evaluation::{DIAGONALS, STRAIGHTS};
use crate::moves::Move;
use shakmaty::{Bitboard, Chess, Color, Position as _, Role, Square, attacks};

/// Place of the king's lines in a row of [`AIMS`]; the others are places of roles.
const LINES: usize = 0;

/// By the colour to move and the square of the enemy king: from where each piece attacks the king on
/// an empty board, and all lines to it.
static AIMS: [[[Bitboard; 8]; 64]; 2] = aims();

const fn aims() -> [[[Bitboard; 8]; 64]; 2] {
    let mut table = [[[Bitboard(0); 8]; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let king = Square::new(square as u32);
        let (diagonals, straights) = (DIAGONALS[square], STRAIGHTS[square]);
        let lines = Bitboard(diagonals.0 | straights.0);
        let mut row = [Bitboard(0); 8];
        row[LINES] = lines;
        row[Role::Knight as usize] = attacks::knight_attacks(king);
        row[Role::Bishop as usize] = diagonals;
        row[Role::Rook as usize] = straights;
        row[Role::Queen as usize] = lines;
        (table[0][square], table[1][square]) = (row, row);
        // The squares that a pawn of the other colour would attack from the king's place.
        table[Color::Black as usize][square][Role::Pawn as usize] = attacks::pawn_attacks(Color::White, king);
        table[Color::White as usize][square][Role::Pawn as usize] = attacks::pawn_attacks(Color::Black, king);
        square += 1;
    }
    table
}

/// Whether a legal move gives check.
#[inline(always)]
pub(crate) fn gives_check(chess: &Chess, mv: Move) -> bool {
    let us = chess.turn();
    let Some(king) = chess.board().king_of(!us) else { return false };
    let aims = &AIMS[us as usize & 1][king as usize];
    let (from, to) = (mv.from(), mv.to());
    if mv.is_special() {
        return gives_check_played(chess, mv);
    }
    let (direct, uncovered) = (aims[mv.role() as usize & 7].contains(to), aims[LINES].contains(from));
    direct && is_open(chess, king, from, to) || uncovered && uncovers(chess, king, from, to)
}

/// Whether nothing stands between a king and a piece that has gone `from` one square `to` another.
#[inline]
fn is_open(chess: &Chess, king: Square, from: Square, to: Square) -> bool {
    (attacks::between(king, to) & chess.board().occupied()).without(from).is_empty()
}

/// Whether a piece that leaves `from`, on a line to `king`, for `to` uncovers an attack.
#[inline]
fn uncovers(chess: &Chess, king: Square, from: Square, to: Square) -> bool {
    let board = chess.board();
    let line = attacks::ray(king, from);
    if line.contains(to) || (attacks::between(king, from) & board.occupied()).any() {
        return false;
    }
    let occupied = board.occupied().without(from);
    let attackers = match DIAGONALS[king as usize].contains(from) {
        true => attacks::bishop_attacks(king, occupied) & board.bishops_and_queens(),
        false => attacks::rook_attacks(king, occupied) & board.rooks_and_queens(),
    };
    (attackers & chess.us() & line).any()
}

#[cold]
fn gives_check_played(chess: &Chess, mv: Move) -> bool {
    let mut after = chess.clone();
    after.play_unchecked(mv.into());
    after.is_check()
}
