//! Keys of parts of a position, and the squares that its weakest pieces attack, computed from its bitboards.

use crate::Position;
use crate::zobrist;
use cassius_search::game::Structured;
use shakmaty::{Bitboard, Color};

/// The pawns; the minor pieces; the major pieces and kings; the pieces of White, and of Black, without
/// their pawns.
impl Structured for Position {
    const PARTS: usize = 5;

    #[inline(always)]
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

/// Returns the squares that pawns and knights of the other side attack, all at once, without a loop over
/// pieces: it is asked for every move of a node.
#[inline]
pub(super) fn attacked_by_the_least(position: &Position) -> Bitboard {
    let (board, them) = (position.board(), position.turn().other());
    let theirs = board.by_color(them);
    let without = |squares: Bitboard, files: u64| u64::from(squares) & !files;
    const A: u64 = 0x0101_0101_0101_0101;
    const H: u64 = A << 7;
    let pawns = board.pawns() & theirs;
    let (west, east) = (without(pawns, A), without(pawns, H));
    let by_pawns = if them.is_white() { west << 7 | east << 9 } else { west >> 9 | east >> 7 };
    let knights = board.knights() & theirs;
    let (west, east) = (without(knights, A) >> 1, without(knights, H) << 1);
    let (far_west, far_east) = (without(knights, A | A << 1) >> 2, without(knights, H | H >> 1) << 2);
    let (near, far) = (west | east, far_west | far_east);
    Bitboard(by_pawns | near << 16 | near >> 16 | far << 8 | far >> 8)
}

/// Returns a hash of several sets of squares.
#[inline]
fn mixed<const N: usize>(sets: [Bitboard; N]) -> u64 {
    sets.into_iter().fold(0, |key: u64, set| {
        let product = (key ^ u64::from(set)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        product ^ product >> 32
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_search::Game;
    use shakmaty::attacks;

    /// Positions of games that play every move once in a while.
    fn visit(mut check: impl FnMut(&Position, &Position)) {
        for start in ["startpos", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"] {
            for round in 0..20 {
                let mut position: Position = start.parse().unwrap();
                for ply in 0..80 {
                    let moves = position.legal_moves();
                    let Some(&mv) = moves.get((round * 31 + ply * 17) % moves.len().max(1)) else { break };
                    let before = position.clone();
                    position.play(mv);
                    check(&before, &position);
                }
            }
        }
    }

    #[test]
    fn attacks_of_pawns_and_knights_are_those_of_each() {
        visit(|_, position| {
            let (board, them) = (position.board(), position.turn().other());
            let theirs = board.by_color(them);
            let mut expected = Bitboard::EMPTY;
            for square in board.pawns() & theirs {
                expected |= attacks::pawn_attacks(them, square);
            }
            for square in board.knights() & theirs {
                expected |= attacks::knight_attacks(square);
            }
            assert_eq!(attacked_by_the_least(position), expected, "{position}");
        });
    }

    /// A part has another key after a move exactly if something of it has moved, but for the side to move.
    #[test]
    fn parts_change_with_their_pieces() {
        let seen = |position: &Position, part| {
            let board = position.board();
            let side = |color: Color| board.by_color(color) & !board.pawns();
            match part {
                0 => vec![board.pawns() & board.white(), board.pawns() & board.black()],
                1 => vec![
                    board.knights(),
                    board.bishops(),
                    (board.knights() | board.bishops()) & board.white(),
                ],
                2 => {
                    let (rooks, queens, kings) = (board.rooks(), board.queens(), board.kings());
                    vec![rooks, queens, kings, (rooks | queens | kings) & board.white()]
                }
                3 => {
                    let roles =
                        [board.knights(), board.bishops(), board.rooks(), board.queens(), board.kings()];
                    roles.map(|role| role & side(Color::White)).to_vec()
                }
                _ => {
                    let roles =
                        [board.knights(), board.bishops(), board.rooks(), board.queens(), board.kings()];
                    roles.map(|role| role & side(Color::Black)).to_vec()
                }
            }
        };
        let mut changed = [0; Position::PARTS];
        visit(|before, after| {
            for (part, changed) in changed.iter_mut().enumerate() {
                let differs = seen(before, part) != seen(after, part);
                assert_eq!(before.part_key(part) ^ zobrist::BLACK != after.part_key(part), differs);
                *changed += usize::from(differs);
            }
        });
        assert!(changed.iter().all(|count| *count > 100), "{changed:?}");
    }
}
