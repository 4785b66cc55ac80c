//! Whether a move gives check, seen before it is played.
//!
//! Most moves neither go to a square from where their piece could attack the enemy king nor
//! uncover a line to it: two look-ups tell. Castling, en passant and
//! promotions are played. The tests compare every answer with the position after the move.

use crate::evaluation::{DIAGONALS, STRAIGHTS};
use crate::exchange::snipers;
use crate::moves::Move;
use shakmaty::{Bitboard, Chess, Color, Position as _, Role, Square, attacks};

/// By the colour to move, the square of the enemy king and the role: from where the piece attacks the king
/// on an empty board.
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
        // The squares that a pawn of the other colour would attack from the king's place.
        table[Color::Black as usize][square][Role::Pawn as usize] = attacks::pawn_attacks(Color::White, king);
        table[Color::White as usize][square][Role::Pawn as usize] = attacks::pawn_attacks(Color::Black, king);
        square += 1;
    }
    table
}

/// What alone stands between a slider of the side to move and the other king: a piece of that side gives
/// check by leaving the line.
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

/// Whether a legal move gives check; `screens` are the position's.
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

/// Whether nothing stands between a king and a piece that has gone `from` one square `to` another.
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
