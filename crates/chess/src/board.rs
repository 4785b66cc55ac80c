//! The pieces on the board as bitboards.

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

/// Where the pieces stand: one bitboard for each role and each colour.
///
/// It differs from [`shakmaty::Board`] in what it takes for granted: each side
/// has exactly one king, and whoever changes it says which piece stands where.
/// That saves the look-ups that dominate playing a move.
///
/// ```
/// use cassius_chess::Position;
/// use shakmaty::{Color, Role, Square};
///
/// let position = Position::default();
/// assert_eq!(position.board().pieces(Color::White, Role::Pawn).count(), 8);
/// assert_eq!(position.board().king_of(Color::Black), Square::E8);
/// assert_eq!(position.board().role_at(Square::B1), Some(Role::Knight));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// Indexed by `role as usize`; the unused entry 0 holds the occupied squares.
    roles: [Bitboard; 8],
    colors: [Bitboard; 2],
}

const OCCUPIED: usize = 0;

/// Roles by their number; 0 and 7 are fillers that keep the index in range.
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

/// The role with this number (1 pawn … 6 king), or `None`.
#[inline]
pub(crate) const fn role_from_number(number: u32) -> Option<Role> {
    ROLES[(number & 7) as usize]
}

#[inline]
const fn side(color: Color) -> usize {
    color as usize & 1
}

impl Board {
    /// The bitboards of a board of shakmaty, on which each side has one king.
    pub(crate) fn from_shakmaty(board: &shakmaty::Board) -> Board {
        let mut roles = [Bitboard::EMPTY; 8];
        roles[OCCUPIED] = board.occupied();
        for role in Role::ALL {
            roles[role as usize] = board.by_role(role);
        }
        let mut colors = [Bitboard::EMPTY; 2];
        for color in Color::ALL {
            colors[side(color)] = board.by_color(color);
        }
        Board { roles, colors }
    }

    /// The same pieces as a board of shakmaty, for everything outside the search.
    pub fn to_shakmaty(&self) -> shakmaty::Board {
        let mut board = shakmaty::Board::empty();
        for color in Color::ALL {
            for role in Role::ALL {
                for square in self.pieces(color, role) {
                    board.set_piece_at(square, Piece { color, role });
                }
            }
        }
        board
    }

    /// All occupied squares.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        self.roles[OCCUPIED]
    }

    /// The pieces of one colour.
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.colors[side(color)]
    }

    /// The pieces of one role, of both colours.
    #[inline]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize & 7]
    }

    /// The pieces of one colour and role.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.by_color(color) & self.by_role(role)
    }

    /// All pawns.
    #[inline]
    pub const fn pawns(&self) -> Bitboard {
        self.by_role(Role::Pawn)
    }

    /// All knights.
    #[inline]
    pub const fn knights(&self) -> Bitboard {
        self.by_role(Role::Knight)
    }

    /// All bishops.
    #[inline]
    pub const fn bishops(&self) -> Bitboard {
        self.by_role(Role::Bishop)
    }

    /// All rooks.
    #[inline]
    pub const fn rooks(&self) -> Bitboard {
        self.by_role(Role::Rook)
    }

    /// All queens.
    #[inline]
    pub const fn queens(&self) -> Bitboard {
        self.by_role(Role::Queen)
    }

    /// Both kings.
    #[inline]
    pub const fn kings(&self) -> Bitboard {
        self.by_role(Role::King)
    }

    /// All that moves along ranks and files.
    #[inline]
    pub fn rooks_and_queens(&self) -> Bitboard {
        self.rooks() | self.queens()
    }

    /// All that moves along diagonals.
    #[inline]
    pub fn bishops_and_queens(&self) -> Bitboard {
        self.bishops() | self.queens()
    }

    /// Where the king of a colour stands.
    #[inline]
    pub fn king_of(&self, color: Color) -> Square {
        let king = self.pieces(color, Role::King).0;
        Square::new(king.trailing_zeros() & 63)
    }

    /// What stands on a square, whatever its colour.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        role_from_number(self.number_at(square))
    }

    /// What stands on a square, as a number: 0 nothing, 1 pawn … 6 king.
    #[inline]
    pub(crate) fn number_at(&self, square: Square) -> u32 {
        // The three bits of the number, without a branch.
        let [pawn, knight, bishop] = [self.pawns().0, self.knights().0, self.bishops().0];
        let [rook, queen, king] = [self.rooks().0, self.queens().0, self.kings().0];
        let at = |bits: u64| (bits >> square as u32) as u32 & 1;
        at(pawn | bishop | queen) | at(knight | bishop | king) << 1 | at(rook | queen | king) << 2
    }

    /// What stands on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.role_at(square)?;
        let color = Color::from_white(self.by_color(Color::White).contains(square));
        Some(Piece { color, role })
    }

    /// The pieces of both colours that attack a square when only `occupied` blocks.
    #[inline]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::rook_attacks(square, occupied) & self.rooks_and_queens())
            | (attacks::bishop_attacks(square, occupied) & self.bishops_and_queens())
            | (attacks::knight_attacks(square) & self.knights())
            | (attacks::king_attacks(square) & self.kings())
            | (attacks::pawn_attacks(Color::White, square) & self.pieces(Color::Black, Role::Pawn))
            | (attacks::pawn_attacks(Color::Black, square) & self.pieces(Color::White, Role::Pawn))
    }

    /// The pieces of one colour that attack a square when only `occupied` blocks.
    #[inline]
    pub fn attackers_of(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        self.by_color(color)
            & ((attacks::rook_attacks(square, occupied) & self.rooks_and_queens())
                | (attacks::bishop_attacks(square, occupied) & self.bishops_and_queens())
                | (attacks::knight_attacks(square) & self.knights())
                | (attacks::king_attacks(square) & self.kings())
                | (attacks::pawn_attacks(!color, square) & self.pawns()))
    }

    /// Puts a piece on an empty square, or takes away the one that stands there.
    #[inline]
    pub(crate) fn toggle(&mut self, color: Color, role: Role, square: Square) {
        let bit = Bitboard::from_square(square);
        self.roles[role as usize & 7] ^= bit;
        self.roles[OCCUPIED] ^= bit;
        self.colors[side(color)] ^= bit;
    }

    /// The pieces of `color` between its king and one enemy slider: they may
    /// not leave that line.
    #[inline]
    pub fn pinned(&self, color: Color) -> Bitboard {
        let king = self.king_of(color);
        let snipers = self.snipers(color);
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(king, sniper) & self.occupied();
            if between.0.is_power_of_two() {
                pinned |= between;
            }
        }
        pinned & self.by_color(color)
    }

    /// The enemy sliders on a line with the king of `color`, whatever stands between.
    #[inline]
    pub(crate) fn snipers(&self, color: Color) -> Bitboard {
        let king = self.king_of(color);
        let lines = (attacks::rook_attacks(king, Bitboard::EMPTY) & self.rooks_and_queens())
            | (attacks::bishop_attacks(king, Bitboard::EMPTY) & self.bishops_and_queens());
        lines & self.by_color(!color)
    }
}
