//! The placement of the pieces, as both evaluations read it.

use super::classical::material_key;
use crate::Position;
use shakmaty::{Bitboard, Board, Color, Role};
use std::ops::{Index, IndexMut};

/// A value for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Both<T>([T; 2]);

impl<T> Both<T> {
    pub const fn new(white: T, black: T) -> Both<T> {
        Both([black, white])
    }

    /// Returns the value of a side, and that of the other.
    #[inline(always)]
    pub fn split(&mut self, side: Color) -> (&mut T, &mut T) {
        let [black, white] = &mut self.0;
        if side.is_white() { (white, black) } else { (black, white) }
    }
}

impl<T> Index<Color> for Both<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, side: Color) -> &T {
        &self.0[side as usize & 1]
    }
}

impl<T> IndexMut<Color> for Both<T> {
    #[inline(always)]
    fn index_mut(&mut self, side: Color) -> &mut T {
        &mut self.0[side as usize & 1]
    }
}

/// The part of a position that the evaluation needs: the placement of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// Indexed by `role as usize`; entries 0 and 7 are unused.
    roles: [Bitboard; 8],
    sides: Both<Bitboard>,
    /// The key of the material.
    pub(super) material: u64,
}

impl Pieces {
    pub(crate) const EMPTY: Pieces = Pieces {
        roles: [Bitboard::EMPTY; 8],
        sides: Both::new(Bitboard::EMPTY, Bitboard::EMPTY),
        material: 0,
    };

    #[inline]
    fn new(board: &Board, material: u64) -> Pieces {
        let mut pieces = Pieces { sides: Both::new(board.white(), board.black()), material, ..Pieces::EMPTY };
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
    pub(crate) fn by_side(&self, side: Color) -> Bitboard {
        self.sides[side]
    }

    #[inline(always)]
    pub(crate) fn of(&self, side: Color, role: Role) -> Bitboard {
        self.by_role(role) & self.sides[side]
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.sides[Color::White] | self.sides[Color::Black]
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
