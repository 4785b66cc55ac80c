//! King and pawn against king: which positions are won, computed once.
//!
//! *Reference*: the method is that of every table of this ending (Ströhlein 1970, retrograde analysis). The
//! positions are few enough to be classified until nothing changes.

use shakmaty::{Bitboard, Color, Rank, Square, attacks};
use std::sync::LazyLock;

/// Whether White, who has the pawn, wins: a bit for each [`index`].
static WON: LazyLock<Vec<u64>> = LazyLock::new(compute);

/// Computes the positions now, if they are not known yet: some tens of milliseconds.
pub fn prepare() {
    LazyLock::force(&WON);
}

/// Both sides to move, both kings, the pawn on the files a to d and the ranks 2 to 7.
const POSITIONS: usize = 2 * 64 * 64 * 24;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Illegal,
    Unknown,
    Drawn,
    Won,
}

/// Whether the side with the pawn wins. `strong` and `weak` are the kings.
pub(super) fn wins(owner: Color, turn: Color, strong: Square, weak: Square, pawn: Square) -> bool {
    if matches!(pawn.rank(), Rank::First | Rank::Eighth) {
        return false; // such pawns exist only on boards that are not of a game
    }
    let seen = |square: Square| {
        let square = if owner.is_white() { square } else { square.flip_vertical() };
        if pawn.file() > shakmaty::File::D { square.flip_horizontal() } else { square }
    };
    let index = index(turn == owner, seen(strong), seen(weak), seen(pawn));
    WON[index / 64] >> (index % 64) & 1 != 0
}

fn index(white_to_move: bool, white: Square, black: Square, pawn: Square) -> usize {
    let of_pawn = pawn.file() as usize + 4 * (pawn.rank() as usize - 1);
    ((of_pawn * 64 + white as usize) * 64 + black as usize) * 2 + usize::from(white_to_move)
}

/// The positions with their numbers.
fn positions() -> impl Iterator<Item = (usize, bool, Square, Square, Square)> {
    (0..POSITIONS).map(|number| {
        let square = |number: usize| Square::new(number as u32 % 64);
        let of_pawn = number / 2 / 64 / 64;
        let pawn = square(of_pawn % 4 + 8 * (of_pawn / 4 + 1));
        (number, number % 2 == 1, square(number / 2 / 64), square(number / 2), pawn)
    })
}

fn compute() -> Vec<u64> {
    let mut classes = vec![Class::Unknown; POSITIONS];
    for (number, white_to_move, white, black, pawn) in positions() {
        classes[number] = at_once(white_to_move, white, black, pawn);
    }
    loop {
        let mut changed = false;
        for (number, white_to_move, white, black, pawn) in positions() {
            if classes[number] == Class::Unknown {
                classes[number] = by_moves(&classes, white_to_move, white, black, pawn);
                changed |= classes[number] != Class::Unknown;
            }
        }
        if !changed {
            break;
        }
    }
    let mut won = vec![0; POSITIONS / 64];
    for (number, class) in classes.iter().enumerate() {
        won[number / 64] |= u64::from(*class == Class::Won) << (number % 64);
    }
    won
}

/// The class of a position that needs no other: an illegal one, a safe promotion, a stalemate, a lost pawn.
fn at_once(white_to_move: bool, white: Square, black: Square, pawn: Square) -> Class {
    let (near_white, near_black) = (attacks::king_attacks(white), attacks::king_attacks(black));
    let guarded = attacks::pawn_attacks(Color::White, pawn);
    let kings_touch = white == black || near_white.contains(black);
    if kings_touch || white == pawn || black == pawn || white_to_move && guarded.contains(black) {
        return Class::Illegal;
    }
    if white_to_move {
        let next = pawn.offset(8).filter(|next| next.rank() == Rank::Eighth);
        let promotes = next.is_some_and(|next| {
            next != white && next != black && (!near_black.contains(next) || near_white.contains(next))
        });
        return if promotes { Class::Won } else { Class::Unknown };
    }
    let takes = near_black.contains(pawn) && !near_white.contains(pawn);
    let escapes = near_black & !near_white & !guarded & !Bitboard::from_square(pawn);
    let stalemate = escapes.is_empty() && !guarded.contains(black);
    if takes || stalemate { Class::Drawn } else { Class::Unknown }
}

/// The class of a position by those of its successors, as far as they are known.
fn by_moves(classes: &[Class], white_to_move: bool, white: Square, black: Square, pawn: Square) -> Class {
    let (mover, enough, rest) = match white_to_move {
        true => (white, Class::Won, Class::Drawn),
        false => (black, Class::Drawn, Class::Won),
    };
    let by_king = attacks::king_attacks(mover).into_iter().map(|to| match white_to_move {
        true => (to, black, pawn),
        false => (white, to, pawn),
    });
    let one = pawn.offset(8).filter(|to| white_to_move && *to != white && *to != black);
    let two = one.filter(|_| pawn.rank() == Rank::Second).and_then(|one| one.offset(8));
    let two = two.filter(|to| *to != white && *to != black);
    // A promotion that is not safe gives the pawn away.
    let by_pawn = one.into_iter().chain(two).filter(|to| to.rank() != Rank::Eighth);
    let after = by_king.chain(by_pawn.map(|to| (white, black, to)));
    let (mut unknown, mut any) = (false, false);
    for (white, black, pawn) in after {
        match classes[index(!white_to_move, white, black, pawn)] {
            Class::Illegal => {}
            class if class == enough => return enough,
            class => (any, unknown) = (true, unknown || class == Class::Unknown),
        }
    }
    if unknown || !any { Class::Unknown } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wins_in(fen: &str) -> bool {
        let setup = fen.parse::<shakmaty::fen::Fen>().expect("a FEN").into_setup();
        let board = &setup.board;
        let pawn = board.pawns().first().expect("a pawn");
        let owner = board.color_at(pawn).expect("a pawn");
        let king = |color| board.king_of(color).expect("a king");
        wins(owner, setup.turn, king(owner), king(owner.other()), pawn)
    }

    /// Theory of the ending, for both colours and both wings.
    #[test]
    fn known_positions_have_their_results() {
        for (fen, won) in [
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true), // the king on the sixth, before its pawn
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
            ("4k3/4P3/4K3/8/8/8/8/8 w - - 0 1", true),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false), // stalemate
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", true),  // White has the opposition
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false),
            ("k7/8/K7/P7/8/8/8/8 w - - 0 1", false), // a rook pawn
            ("8/8/8/8/p7/k7/8/K7 b - - 0 1", false),
            ("8/8/8/8/7p/7k/8/7K b - - 0 1", false),
            ("8/8/8/P7/8/8/7k/K7 w - - 0 1", true), // outside of the square
            ("8/8/8/8/6p1/8/8/k1K5 b - - 0 1", true),
            ("8/8/8/4p3/4k3/8/4K3/8 w - - 0 1", true),
            ("8/8/8/4p3/4k3/8/4K3/8 b - - 0 1", false),
        ] {
            assert_eq!(wins_in(fen), won, "{fen}");
        }
    }

    /// The number of won positions is known from other tables of this ending.
    #[test]
    fn so_many_positions_are_won() {
        assert_eq!(WON.iter().map(|word| word.count_ones()).sum::<u32>(), 111_282);
    }
}
