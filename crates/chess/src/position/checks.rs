//! Determines whether a move gives check before it is played.
//!
//! Most moves neither go to a square from which their piece could attack the enemy king nor uncover a
//! line to it; two table look-ups detect this. Castling, en passant and promotions are played instead.
//! The tests compare every answer with the position after the move.

use super::exchange::snipers;
use crate::evaluation::classical::{DIAGONALS, STRAIGHTS};
use crate::moves::Move;
use shakmaty::{Bitboard, Chess, Color, Position as _, Role, Square, attacks};

/// Indexed by the colour to move, the square of the enemy king and the role: the squares from which the
/// piece attacks the king on an empty board.
static AIMS: [[[Bitboard; 8]; 64]; 2] = aims();

const fn aims() -> [[[Bitboard; 8]; 64]; 2] {
    let mut table = [[[Bitboard(0); 8]; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let king = Square::new(square as u32);
        let (diagonals, straights) = (DIAGONALS[square], STRAIGHTS[square]);
        let mut row = [Bitboard(0); 8];
        row[Role::Knight as usize] = attacks::knight_attacks(king);
        row[Role::Bishop as usize] = diagonals;
        row[Role::Rook as usize] = straights;
        row[Role::Queen as usize] = Bitboard(diagonals.0 | straights.0);
        (table[0][square], table[1][square]) = (row, row);
        // The squares that a pawn of the other colour would attack from the king's square.
        table[Color::Black as usize][square][Role::Pawn as usize] = attacks::pawn_attacks(Color::White, king);
        table[Color::White as usize][square][Role::Pawn as usize] = attacks::pawn_attacks(Color::Black, king);
        square += 1;
    }
    table
}

/// Returns the sole pieces between a slider of the side to move and the enemy king. Such a piece of the
/// side to move gives check by leaving the line.
#[inline]
pub(crate) fn screens(chess: &Chess) -> Bitboard {
    let (board, us) = (chess.board(), chess.turn());
    let Some(king) = board.king_of(!us) else { return Bitboard::EMPTY };
    let mut screens = Bitboard::EMPTY;
    for sniper in snipers(board, !us) {
        let between = attacks::between(king, sniper) & board.occupied();
        if !between.more_than_one() {
            screens |= between;
        }
    }
    screens
}

/// Whether a legal move gives check. `screens` must be those of the position.
#[inline(always)]
pub(crate) fn gives_check(chess: &Chess, screens: Bitboard, mv: Move) -> bool {
    if mv.is_special() {
        return gives_check_played(chess, mv);
    }
    let us = chess.turn();
    let Some(king) = chess.board().king_of(!us) else { return false };
    let (from, to) = (mv.from(), mv.to());
    let direct = AIMS[us as usize & 1][king as usize][mv.role() as usize & 7].contains(to);
    direct && is_open(chess, king, from, to)
        || screens.contains(from) && !attacks::ray(king, from).contains(to)
}

/// Whether no piece stands between a king and a piece that has moved `from` one square `to` another.
#[inline]
fn is_open(chess: &Chess, king: Square, from: Square, to: Square) -> bool {
    (attacks::between(king, to) & chess.board().occupied()).without(from).is_empty()
}

#[cold]
fn gives_check_played(chess: &Chess, mv: Move) -> bool {
    let mut after = chess.clone();
    after.play_unchecked(mv.into());
    after.is_check()
}
