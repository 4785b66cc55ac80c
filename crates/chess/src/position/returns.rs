//! Moves back to an earlier position, found by the difference of the two keys.
//!
//! *Reference:* M. van Kervinck, "Upcoming repetition detection", 2013: the keys of two positions that one
//! move of a piece separates differ by a number that tells the move. There are 3,668 such numbers.
//! *Deviations:* a plain hash table instead of a cuckoo table.

use crate::zobrist;
use shakmaty::{Bitboard, Color, Role, Square, attacks};
use std::sync::LazyLock;

/// A move of a piece between two squares, in either direction. The key is 0 in an empty place.
#[derive(Clone, Copy)]
struct Between {
    key: u64,
    squares: [Square; 2],
}

/// More than twice as many places as moves.
const BITS: u32 = 13;

/// The moves by their keys: each stands in the first free place from that of its key on.
static MOVES: LazyLock<Vec<Between>> = LazyLock::new(|| {
    let mut table = vec![Between { key: 0, squares: [Square::A1; 2] }; 1 << BITS];
    for color in Color::ALL {
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            for from in Square::ALL {
                let targets = attacks::attacks(from, role.of(color), Bitboard::EMPTY);
                for to in targets.into_iter().filter(|to| *to > from) {
                    let pieces = zobrist::piece(color, role, from) ^ zobrist::piece(color, role, to);
                    let key = pieces ^ zobrist::BLACK;
                    let mut place = place_of(key);
                    while table[place].key != 0 {
                        place = next(place);
                    }
                    table[place] = Between { key, squares: [from, to] };
                }
            }
        }
    }
    table
});

#[inline]
fn place_of(key: u64) -> usize {
    (key >> (64 - BITS)) as usize
}

#[inline]
fn next(place: usize) -> usize {
    (place + 1) % (1 << BITS)
}

/// Returns the squares between which a piece moves if the keys of two positions differ by `difference`,
/// one of them empty in each of the positions.
#[inline]
pub(super) fn squares(difference: u64) -> Option<[Square; 2]> {
    let mut place = place_of(difference);
    loop {
        let between = &MOVES[place];
        if between.key == difference {
            return (difference != 0).then_some(between.squares);
        }
        if between.key == 0 {
            return None;
        }
        place = next(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_moves_as_published() {
        assert_eq!(MOVES.iter().filter(|between| between.key != 0).count(), 3668);
    }

    #[test]
    fn a_move_is_found_in_both_directions() {
        let number = |square| zobrist::piece(Color::White, Role::Knight, square);
        let difference = number(Square::G1) ^ number(Square::F3) ^ zobrist::BLACK;
        assert_eq!(squares(difference), Some([Square::G1, Square::F3]));
        assert_eq!(squares(difference ^ 1), None);
        assert_eq!(squares(0), None);
    }
}
