//! A chess move in four bytes: shakmaty's move, packed for the search.

use shakmaty::{CastlingSide, Role, Square};
use std::fmt;
use std::num::NonZeroU32;

/// A legal move of some position, with the moving piece and the captured piece.
///
/// Castling is represented as in Chess960: the king goes to the square of its rook. The type converts
/// from and to [`shakmaty::Move`]. A drop, which chess does not have, becomes a move whose origin and
/// target are equal.
///
/// ```
/// use cassius_chess::Position;
/// use cassius_search::Game;
///
/// let mut moves = Vec::new();
/// Position::default().moves(&mut moves);
/// assert_eq!(moves.len(), 20);
/// assert_eq!(size_of::<Option<cassius_chess::Move>>(), 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU32);

// From bit 0: from (6), to (6), promotion (3), –, role (3), capture (3), kind (2); the top bit is set.
const TO: u32 = 6;
const PROMOTION: u32 = 12;
const ROLE: u32 = 16;
const CAPTURE: u32 = 19;
const KIND: u32 = 22;
const PRESENT: NonZeroU32 = NonZeroU32::new(1 << 31).unwrap();

const EN_PASSANT: u32 = 1 << KIND;
const CASTLE: u32 = 2 << KIND;
const KIND_MASK: u32 = 3 << KIND;

/// Returns the piece with this number (1 pawn … 6 king). 0 and 7 do not occur.
const PIECES: [Role; 8] =
    [Role::King, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King, Role::King];

/// Returns the role with this number (1 pawn … 6 king). 0 and 7 stand for none.
#[inline]
const fn role_from_number(number: u32) -> Option<Role> {
    const ROLES: [Option<Role>; 8] = [
        None,
        Some(Role::Pawn),
        Some(Role::Knight),
        Some(Role::Bishop),
        Some(Role::Rook),
        Some(Role::Queen),
        Some(Role::King),
        None,
    ];
    ROLES[(number & 7) as usize]
}

#[inline]
const fn number(role: Option<Role>) -> u32 {
    match role {
        Some(role) => role as u32,
        None => 0,
    }
}

impl Move {
    #[inline]
    fn new(role: Role, from: Square, to: Square, rest: u32) -> Move {
        Move(PRESENT | (from as u32 | (to as u32) << TO | (role as u32) << ROLE | rest))
    }

    /// Creates a move that is neither castling nor en passant.
    #[inline]
    pub(crate) fn normal(
        role: Role,
        from: Square,
        to: Square,
        capture: Option<Role>,
        promotion: Option<Role>,
    ) -> Move {
        Move::new(role, from, to, number(capture) << CAPTURE | number(promotion) << PROMOTION)
    }

    /// Packs a move. It takes a reference, so that a list of moves is read field by field.
    #[inline]
    pub(crate) fn pack(mv: &shakmaty::Move) -> Move {
        match *mv {
            shakmaty::Move::Normal { role, from, capture, to, promotion } => {
                Move::normal(role, from, to, capture, promotion)
            }
            _ => Move::pack_rare(mv),
        }
    }

    #[cold]
    fn pack_rare(mv: &shakmaty::Move) -> Move {
        let kind = match mv {
            shakmaty::Move::EnPassant { .. } => EN_PASSANT,
            shakmaty::Move::Castle { .. } => CASTLE,
            _ => 0,
        };
        let rest = kind | number(mv.capture()) << CAPTURE | number(mv.promotion()) << PROMOTION;
        Move::new(mv.role(), mv.from().unwrap_or(mv.to()), mv.to(), rest)
    }

    #[inline]
    const fn bits(self) -> u32 {
        self.0.get()
    }

    /// Returns the origin square.
    #[inline]
    pub fn from(self) -> Square {
        Square::new(self.bits() & 63)
    }

    /// Returns the target square; in castling, the square of the own rook.
    #[inline]
    pub fn to(self) -> Square {
        Square::new(self.bits() >> TO & 63)
    }

    /// Returns the square where the moving piece ends up: [`Move::to`], except for a castling king.
    #[inline]
    pub fn destination(self) -> Square {
        match self.castling_side() {
            None => self.to(),
            Some(side) => Square::from_coords(side.king_to_file(), self.from().rank()),
        }
    }

    /// Returns the piece that moves: a pawn if it promotes.
    #[inline]
    pub const fn role(self) -> Role {
        PIECES[(self.bits() >> ROLE & 7) as usize]
    }

    /// Returns the piece that stands on the target after the move. It differs from the moving piece if a
    /// pawn promotes.
    #[inline]
    pub(crate) const fn placed(self) -> Role {
        let (moved, promotion) = (self.bits() >> ROLE & 7, self.bits() >> PROMOTION & 7);
        PIECES[if promotion == 0 { moved } else { promotion } as usize]
    }

    /// Returns the captured piece.
    #[inline]
    pub const fn capture(self) -> Option<Role> {
        role_from_number(self.bits() >> CAPTURE)
    }

    /// Returns the piece that the pawn promotes to.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        role_from_number(self.bits() >> PROMOTION)
    }

    /// Whether the move is a capture, including en passant.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.bits() & 7 << CAPTURE != 0
    }

    /// Whether a pawn promotes.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.bits() & 7 << PROMOTION != 0
    }

    /// Whether a pawn captures en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.bits() & KIND_MASK == EN_PASSANT
    }

    /// Whether a pawn moves two squares.
    #[inline]
    pub fn is_double_push(self) -> bool {
        self.role() == Role::Pawn && (self.from() as u32).abs_diff(self.to() as u32) == 16
    }

    /// Whether the move is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.bits() & KIND_MASK == CASTLE
    }

    /// Returns the side to which the move castles.
    #[inline]
    pub fn castling_side(self) -> Option<CastlingSide> {
        self.is_castling().then(|| CastlingSide::from_king_side(self.from() < self.to()))
    }

    /// Whether the move is castling, en passant or a promotion, and so changes more than one piece going
    /// to a square.
    #[inline]
    pub(crate) const fn is_special(self) -> bool {
        self.bits() & (KIND_MASK | 7 << PROMOTION) != 0
    }

    /// Returns piece and target as a number below 384: the pieces from pawn to king, each with its 64
    /// squares.
    #[inline]
    pub(crate) const fn piece_and_target(self) -> usize {
        ((self.bits() >> ROLE & 7) as usize - 1) * 64 + (self.bits() >> TO & 63) as usize
    }

    /// Whether the move captures without promoting, or promotes to a queen. One bit per promotion piece
    /// avoids branches.
    #[inline]
    pub(crate) const fn is_noisy(self) -> bool {
        let noisy = self.is_capture() as u32 | 1 << Role::Queen as u32;
        noisy >> (self.bits() >> PROMOTION & 7) & 1 != 0
    }

    /// Computes [`Move::is_noisy`] before the move is packed.
    #[inline]
    pub(crate) const fn would_be_noisy(mv: &shakmaty::Move) -> bool {
        match *mv {
            shakmaty::Move::Normal { capture, promotion: None, .. } => capture.is_some(),
            shakmaty::Move::Normal { promotion: Some(role), .. } => matches!(role, Role::Queen),
            _ => mv.is_en_passant(),
        }
    }

    /// Returns from, to and promotion in 16 bits. The code is never 0, and differs between any two moves
    /// of a position.
    #[inline]
    pub const fn code(self) -> u16 {
        (self.bits() & 0x7fff) as u16
    }
}

impl From<shakmaty::Move> for Move {
    #[inline]
    fn from(mv: shakmaty::Move) -> Move {
        Move::pack(&mv)
    }
}

impl From<Move> for shakmaty::Move {
    #[inline]
    fn from(mv: Move) -> shakmaty::Move {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castling() {
            shakmaty::Move::Castle { king: from, rook: to }
        } else if mv.is_en_passant() {
            shakmaty::Move::EnPassant { from, to }
        } else {
            shakmaty::Move::Normal {
                role: mv.role(),
                from,
                capture: mv.capture(),
                to,
                promotion: mv.promotion(),
            }
        }
    }
}

impl fmt::Display for Move {
    /// Writes coordinates, with castling as king takes rook.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", role.char()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
