//! The placement of the pieces, as both evaluations read it.

use super::classical::{BLACK, WHITE, material_key};
use crate::Position;
use shakmaty::{Bitboard, Board, Role};

/// The part of a position that the evaluation needs: the placement of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Indexed by `role as usize`; entries 0 and 7 are unused.
    roles: [Bitboard; 8],
    /// Indexed by `color as usize`.
    colors: [Bitboard; 2],
    /// The key of the material.
    pub(super) material: u64,
}

impl Pieces {
    pub(crate) const EMPTY: Pieces =
        Pieces { roles: [Bitboard::EMPTY; 8], colors: [Bitboard::EMPTY; 2], material: 0 };

    #[inline]
    fn new(board: &Board, material: u64) -> Pieces {
        let mut pieces = Pieces { colors: [board.black(), board.white()], material, ..Pieces::EMPTY };
        for role in Role::ALL {
            pieces.roles[role as usize & 7] = board.by_role(role);
        }
        pieces
    }

    #[inline(always)]
    pub(crate) fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize & 7]
    }

    #[inline(always)]
    pub(crate) fn by_side(&self, side: usize) -> Bitboard {
        self.colors[side & 1]
    }

    #[inline(always)]
    pub(crate) fn by_color<const US: usize>(&self) -> Bitboard {
        self.colors[US]
    }

    #[inline(always)]
    pub(crate) fn of<const US: usize>(&self, role: Role) -> Bitboard {
        self.roles[role as usize & 7] & self.colors[US]
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.colors[WHITE] | self.colors[BLACK]
    }

    #[inline(always)]
    pub(crate) fn rooks_and_queens(&self) -> Bitboard {
        self.by_role(Role::Rook) | self.by_role(Role::Queen)
    }
}

impl From<&Board> for Pieces {
    #[inline]
    fn from(board: &Board) -> Pieces {
        Pieces::new(board, material_key(board))
    }
}

impl From<&Position> for Pieces {
    #[inline]
    fn from(position: &Position) -> Pieces {
        Pieces::new(position.board(), position.material_key())
    }
}
