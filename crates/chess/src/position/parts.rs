//! Keys of parts of a position, computed from its bitboards.

use crate::Position;
use crate::zobrist;
use cassius_search::game::Structured;
use shakmaty::{Bitboard, Color};

/// The pawns; the minor pieces; the major pieces and kings; the pieces of White, and of Black, without
/// their pawns.
impl Structured for Position {
    const PARTS: usize = 5;

    #[inline]
    fn part_key(&self, part: usize) -> u64 {
        let board = self.board();
        let turn = if self.turn().is_black() { zobrist::BLACK } else { 0 };
        let pieces_of = |color: Color| {
            let ours = board.by_color(color);
            let roles = [board.knights(), board.bishops(), board.rooks(), board.queens(), board.kings()];
            mixed(roles.map(|pieces| pieces & ours))
        };
        turn ^ match part {
            0 => self.pawn_key(),
            1 => {
                let (knights, bishops) = (board.knights(), board.bishops());
                mixed([knights, bishops, (knights | bishops) & board.white()])
            }
            2 => {
                let (rooks, queens, kings) = (board.rooks(), board.queens(), board.kings());
                mixed([rooks, queens, kings, (rooks | queens | kings) & board.white()])
            }
            3 => pieces_of(Color::White),
            _ => pieces_of(Color::Black),
        }
    }
}

/// Returns a hash of several sets of squares.
#[inline]
fn mixed<const N: usize>(sets: [Bitboard; N]) -> u64 {
    sets.into_iter().fold(0, |key: u64, set| {
        let product = (key ^ u64::from(set)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ product >> 32
    })
}
