//! Static exchange evaluation: the value of a move if both sides continue to take on its target square,
//! each with its least valuable piece, as long as that pays.
//!
//! Sliders behind other pieces join in (x-rays), pawns that take on the last rank become queens, a
//! capture that would expose the own king is not made, and a king takes only what is not protected.
//!
//! *Soundness.* An estimate: it ignores other squares, and captures by other than the least valuable
//! attacker. The tests compare it with an exchange that is played out with legal moves.

use super::Position;
use crate::evaluation::classical::{DIAGONALS, STRAIGHTS};
use crate::moves::Move;
use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

/// The values of the pieces in an exchange, in centipawns, indexed by `role as usize` (1 pawn … 6 king).
/// Ordering and pruning of captures use the same values; the evaluation has its own.
pub const EXCHANGE_VALUES: [i32; 7] = [0, 100, 325, 325, 500, 975, 20_000];

/// Returns the value of a piece in an exchange.
#[inline]
pub const fn exchange_value(role: Role) -> i32 {
    EXCHANGE_VALUES[role as usize % 7]
}

/// Returns what a promotion to this piece adds.
#[inline]
const fn promotion_gain(promotion: Option<Role>) -> i32 {
    match promotion {
        Some(role) => exchange_value(role) - exchange_value(Role::Pawn),
        None => 0,
    }
}

/// Returns what a move takes and promotes at once, before any reply.
#[inline]
pub(crate) const fn immediate_gain(mv: Move) -> i32 {
    let taken = match mv.capture() {
        Some(role) => exchange_value(role),
        None => 0,
    };
    taken + promotion_gain(mv.promotion())
}

/// Whether the exchange that a legal move starts wins at least `threshold` centipawns.
///
/// ```
/// use cassius_chess::{Position, exchange_at_least};
/// use cassius_search::Game;
///
/// // The pawn on e5 is protected: the rook loses 400 by taking it.
/// let position: Position = "4k3/8/3p4/4p3/8/8/8/4R1K1 w - - 0 1".parse()?;
/// let mut moves = Vec::new();
/// position.moves(&mut moves);
/// let takes = moves.into_iter().find(|mv| mv.is_capture()).unwrap();
/// assert!(exchange_at_least(&position, takes, -400));
/// assert!(!exchange_at_least(&position, takes, -399));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn exchange_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if mv.is_castling() {
        return threshold <= 0;
    }
    // The gain if there is no recapture.
    let mut balance = immediate_gain(mv) - threshold;
    if balance < 0 {
        return false;
    }
    let placed = mv.placed();
    let to = mv.to();
    let board = position.board();
    let us = position.turn();
    // The gain if the piece is then lost for nothing. A recapture by a pawn that promotes can cost more.
    balance -= exchange_value(placed);
    let promotions = Bitboard::BACKRANKS.contains(to)
        && (attacks::pawn_attacks(us, to) & board.by_piece((!us).pawn())
            | attacks::pawn_attacks(!us, to) & board.by_piece(us.pawn()))
        .any();
    if balance >= 0 && !promotions {
        return true;
    }
    let mut exchange = Exchange::new(board, mv);
    if promotions {
        return immediate_gain(mv) - exchange.best_reply(!us, exchange_value(placed)) >= threshold;
    }

    // `balance` is what the side that has just captured keeps, above its threshold, if its piece is
    // taken and nothing follows. While that is negative it needs another capture.
    let mut side = !us;
    while let Some(role) = exchange.take(side) {
        // Now `side` has a piece on the square; its opponent is short by `balance`.
        balance = -balance - 1 - exchange_value(role);
        side = !side;
        if balance >= 0 {
            break;
        }
    }
    // The side to move could not, or need not, continue.
    side != us
}

/// The state of an exchange on one square.
struct Exchange<'a> {
    board: &'a Board,
    to: Square,
    occupied: Bitboard,
    /// The pieces of both sides that attack the square. Sliders are included only once they are
    /// [found](Self::see_sliders).
    attackers: Bitboard,
    sees_sliders: bool,
    /// The enemy sliders in line with each king, indexed by the colour of the king; `None` until
    /// computed.
    snipers: [Option<Bitboard>; 2],
}

impl<'a> Exchange<'a> {
    #[inline]
    fn new(board: &'a Board, mv: Move) -> Exchange<'a> {
        let to = mv.to();
        let mut occupied = board.occupied().without(mv.from()).with(to);
        if mv.is_en_passant() {
            occupied.discard(Square::from_coords(to.file(), mv.from().rank()));
        }
        let attackers = steppers(board, to) & occupied;
        Exchange { board, to, occupied, attackers, sees_sliders: false, snipers: [None; 2] }
    }

    /// Captures with the least valuable piece with which `side` can do so legally. Returns the piece now
    /// on the square (a pawn on the last rank counts as a pawn).
    #[inline]
    fn take(&mut self, side: Color) -> Option<Role> {
        let taker = self.least(side, [Role::Pawn, Role::Knight]);
        if taker.is_some() {
            return taker;
        }
        // Deferred until here: pawns and knights often settle an exchange, and sliders cost most to
        // find.
        self.see_sliders();
        let taker = self.least(side, [Role::Bishop, Role::Rook, Role::Queen]);
        if taker.is_some() {
            return taker;
        }
        let king = self.attackers & self.board.by_color(side) & self.board.kings();
        let from = king.first()?;
        self.leave(from, Role::King);
        if (self.attackers & self.board.by_color(!side)).any() {
            return None; // protected
        }
        Some(Role::King)
    }

    /// Captures with the first of these roles, least valuable first, that can do so legally.
    #[inline]
    fn least<const N: usize>(&mut self, side: Color, roles: [Role; N]) -> Option<Role> {
        let ours = self.attackers & self.board.by_color(side);
        if ours.is_empty() {
            return None;
        }
        for role in roles {
            for from in ours & self.board.by_role(role) {
                if self.keeps_king_safe(side, from) {
                    self.leave(from, role);
                    return Some(role);
                }
            }
        }
        None
    }

    /// Moves a piece to the square. Sliders behind it now attack the square.
    #[inline]
    fn leave(&mut self, from: Square, role: Role) {
        self.occupied.discard(from);
        if self.sees_sliders {
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen | Role::King) {
                self.attackers |= self.diagonal();
            }
            if matches!(role, Role::Rook | Role::Queen | Role::King) {
                self.attackers |= self.straight();
            }
        }
        self.attackers &= self.occupied;
    }

    /// Adds the sliders to the attackers.
    #[inline]
    fn see_sliders(&mut self) {
        if !self.sees_sliders {
            self.sees_sliders = true;
            self.attackers |= (self.diagonal() | self.straight()) & self.occupied;
        }
    }

    /// Returns the bishops and queens that attack the square.
    #[inline]
    fn diagonal(&self) -> Bitboard {
        attacks::bishop_attacks(self.to, self.occupied) & self.board.bishops_and_queens()
    }

    /// Returns the rooks and queens that attack the square.
    #[inline]
    fn straight(&self) -> Bitboard {
        attacks::rook_attacks(self.to, self.occupied) & self.board.rooks_and_queens()
    }

    /// Whether the king of `side` is safe from sliders after the piece on `from` has captured.
    #[inline]
    fn keeps_king_safe(&mut self, side: Color, from: Square) -> bool {
        let board = self.board;
        let snipers = *self.snipers[side as usize & 1].get_or_insert_with(|| snipers(board, side));
        let snipers = snipers & self.occupied.without(self.to);
        if snipers.is_empty() {
            return true;
        }
        let Some(king) = board.king_of(side) else { return true };
        let occupied = self.occupied.without(from);
        snipers.into_iter().all(|sniper| (attacks::between(king, sniper) & occupied).any())
    }

    /// Returns the most that `side`, with the option to take a piece of value `value` on the square, can
    /// win by continuing, or 0. This is the exact form, for squares on which pawns promote.
    fn best_reply(&mut self, side: Color, value: i32) -> i32 {
        let Some(role) = self.take(side) else { return 0 };
        let (gain, placed) = if role == Role::Pawn && Bitboard::BACKRANKS.contains(self.to) {
            (value + promotion_gain(Some(Role::Queen)), Role::Queen)
        } else {
            (value, role)
        };
        (gain - self.best_reply(!side, exchange_value(placed))).max(0)
    }
}

/// Returns the pawns, knights and kings of both colours that attack a square.
#[inline]
fn steppers(board: &Board, square: Square) -> Bitboard {
    (attacks::knight_attacks(square) & board.knights())
        | (attacks::king_attacks(square) & board.kings())
        | (attacks::pawn_attacks(Color::White, square) & board.by_piece(Color::Black.pawn()))
        | (attacks::pawn_attacks(Color::Black, square) & board.by_piece(Color::White.pawn()))
}

/// Returns the enemy sliders on a line with the king of `color`, regardless of pieces in between.
#[inline]
pub(crate) fn snipers(board: &Board, color: Color) -> Bitboard {
    let Some(king) = board.king_of(color) else { return Bitboard::EMPTY };
    let lines = (STRAIGHTS[king as usize] & board.rooks_and_queens())
        | (DIAGONALS[king as usize] & board.bishops_and_queens());
    lines & board.by_color(!color)
}
