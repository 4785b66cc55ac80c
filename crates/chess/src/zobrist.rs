//! The random numbers of the position keys.

use cassius_search::split_mix;
use shakmaty::{Color, Role, Square};

const fn numbers<const N: usize>(seed: u64) -> [u64; N] {
    let mut state = seed;
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = split_mix(&mut state);
        i += 1;
    }
    numbers
}

static PIECES: [u64; 1024] = numbers(0x1993);
static CASTLES: [u64; 64] = numbers(0x1904);
static EN_PASSANT: [u64; 8] = numbers(0x1561);
static CLOCK: [u64; 64] = numbers(0x0050);

/// Black is to move.
pub(crate) const BLACK: u64 = 0x6f9c_8f2d_31b5_4e07;

/// Returns the number of a piece on a square.
#[inline]
pub(crate) fn piece(color: Color, role: Role, square: Square) -> u64 {
    PIECES[(color as usize & 1) << 9 | (role as usize & 7) << 6 | (square as usize & 63)]
}

/// Returns the number of the right to castle with the rook on this square.
#[inline]
pub(crate) fn castle(rook: Square) -> u64 {
    CASTLES[rook as usize & 63]
}

/// Returns the number of a legal en passant capture on the file of this square.
#[inline]
pub(crate) fn en_passant(target: Square) -> u64 {
    EN_PASSANT[target as usize & 7]
}

/// Returns the number of the bucket of a high halfmove clock; 0 while the clock is low.
#[inline]
pub(crate) fn clock(halfmoves: u32) -> u64 {
    if halfmoves < LATE { 0 } else { CLOCK[(halfmoves - LATE).min(63) as usize] }
}

/// From so many half-moves without a capture or a pawn move on, the fifty-move rule is near.
pub(crate) const LATE: u32 = 80;
