//! Legal moves, generated directly: pinned pieces stay on their line, and in
//! check every move answers it.

use crate::board::Board;
use crate::moves::Move;
use crate::position::Position;
use shakmaty::{Bitboard, CastlingSide, Color, Role, Square, attacks};

const UNDER_PROMOTIONS: [Role; 3] = [Role::Knight, Role::Rook, Role::Bishop];

/// What to generate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Every legal move.
    All,
    /// Captures and promotions to a queen, without captures that promote to less.
    Noisy,
}

/// Appends every legal move.
#[inline]
pub(crate) fn all(position: &Position, moves: &mut Vec<Move>) {
    Generator::new(position, moves).run::<{ Wanted::All as u8 }>();
}

/// Appends the legal captures and queen promotions.
#[inline]
pub(crate) fn noisy(position: &Position, moves: &mut Vec<Move>) {
    Generator::new(position, moves).run::<{ Wanted::Noisy as u8 }>();
}

struct Generator<'a> {
    position: &'a Position,
    board: &'a Board,
    us: Color,
    king: Square,
    pinned: Bitboard,
    moves: &'a mut Vec<Move>,
}

impl<'a> Generator<'a> {
    #[inline]
    fn new(position: &'a Position, moves: &'a mut Vec<Move>) -> Generator<'a> {
        let board = position.board();
        let us = position.turn();
        Generator { position, board, us, king: board.king_of(us), pinned: board.pinned(us), moves }
    }

    #[inline]
    fn run<const WANTED: u8>(&mut self) {
        let noisy = WANTED == Wanted::Noisy as u8;
        let ours = self.board.by_color(self.us);
        let theirs = self.board.by_color(!self.us);
        let wanted = if noisy { theirs } else { !ours };

        self.king_moves(wanted);
        let checkers = self.position.checkers();
        let mut allowed = Bitboard::FULL;
        if checkers.any() {
            if checkers.more_than_one() {
                return;
            }
            if let Some(checker) = checkers.first() {
                allowed = attacks::between(self.king, checker) | checkers;
            }
        }
        self.pawn_moves(allowed, noisy);
        self.piece_moves(wanted & allowed);
        if !noisy && checkers.is_empty() {
            self.castling();
        }
    }

    /// Moves of one piece to `targets`. Only what it takes has to be looked up.
    #[inline]
    fn push_all(&mut self, role: Role, from: Square, targets: Bitboard) {
        for to in targets & self.board.by_color(!self.us) {
            self.push_capture(role, from, to);
        }
        for to in targets & !self.board.occupied() {
            self.moves.push(Move::normal(role, from, to, 0));
        }
    }

    #[inline]
    fn push_capture(&mut self, role: Role, from: Square, to: Square) {
        let capture = self.board.number_at(to);
        self.moves.push(Move::normal(role, from, to, capture));
    }

    /// Whether a piece may leave `from` for `to` without uncovering its king.
    #[inline]
    fn stays_on_line(&self, from: Square, to: Square) -> bool {
        !self.pinned.contains(from) || attacks::ray(self.king, from).contains(to)
    }

    #[inline]
    fn king_moves(&mut self, wanted: Bitboard) {
        let without_king = self.board.occupied() ^ Bitboard::from_square(self.king);
        let mut safe = Bitboard::EMPTY;
        for to in attacks::king_attacks(self.king) & wanted {
            if self.board.attackers_of(!self.us, to, without_king).is_empty() {
                safe.add(to);
            }
        }
        self.push_all(Role::King, self.king, safe);
    }

    #[inline]
    fn piece_moves(&mut self, wanted: Bitboard) {
        let occupied = self.board.occupied();
        let ours = self.board.by_color(self.us);
        for from in self.board.knights() & ours & !self.pinned {
            self.push_all(Role::Knight, from, attacks::knight_attacks(from) & wanted);
        }
        for role in [Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.board.by_role(role) & ours {
                let mut targets = match role {
                    Role::Bishop => attacks::bishop_attacks(from, occupied),
                    Role::Rook => attacks::rook_attacks(from, occupied),
                    _ => attacks::queen_attacks(from, occupied),
                } & wanted;
                if self.pinned.contains(from) {
                    targets &= attacks::ray(self.king, from);
                }
                self.push_all(role, from, targets);
            }
        }
    }

    #[inline]
    fn pawn_moves(&mut self, allowed: Bitboard, noisy: bool) {
        match self.us {
            Color::White => self.pawn_moves_of::<true>(allowed, noisy),
            Color::Black => self.pawn_moves_of::<false>(allowed, noisy),
        }
    }

    #[inline]
    fn pawn_moves_of<const WHITE: bool>(&mut self, allowed: Bitboard, noisy: bool) {
        const SEVENTH: [u64; 2] = [0xff00, 0x00ff_0000_0000_0000];
        const THIRD: [u64; 2] = [0x0000_ff00_0000_0000, 0x00ff_0000];
        const NOT_A: u64 = !0x0101_0101_0101_0101;
        const NOT_H: u64 = !0x8080_8080_8080_8080;
        let forward = |bits: u64, steps: u32| if WHITE { bits << steps } else { bits >> steps };
        // The square `steps` behind, from which a pawn came.
        let behind = |to: u32, steps: u32| {
            Square::new((if WHITE { to.wrapping_sub(steps) } else { to.wrapping_add(steps) }) & 63)
        };

        let pawns = self.board.pieces(self.us, Role::Pawn).0;
        let promoting = pawns & SEVENTH[WHITE as usize];
        let staying = pawns & !SEVENTH[WHITE as usize];
        let theirs = self.board.by_color(!self.us).0 & allowed.0;
        let free = !self.board.occupied().0;
        // West and east as White sees them: one step of 7 or 9 forward.
        let (seven, nine) = if WHITE { (NOT_A, NOT_H) } else { (NOT_H, NOT_A) };

        if promoting != 0 {
            let pushes = forward(promoting, 8) & free & allowed.0;
            for (targets, steps) in [
                (forward(promoting & seven, 7) & theirs, 7),
                (forward(promoting & nine, 9) & theirs, 9),
                (pushes, 8),
            ] {
                for to in Bitboard(targets) {
                    let from = behind(to as u32, steps);
                    if self.stays_on_line(from, to) {
                        let capture = self.board.number_at(to);
                        self.moves.push(Move::promoting(from, to, capture, Role::Queen));
                        if !noisy {
                            for role in UNDER_PROMOTIONS {
                                self.moves.push(Move::promoting(from, to, capture, role));
                            }
                        }
                    }
                }
            }
        }

        for (targets, steps) in
            [(forward(staying & seven, 7) & theirs, 7), (forward(staying & nine, 9) & theirs, 9)]
        {
            for to in Bitboard(targets) {
                let from = behind(to as u32, steps);
                if self.stays_on_line(from, to) {
                    self.push_capture(Role::Pawn, from, to);
                }
            }
        }

        if let Some(to) = self.position.en_passant_square() {
            for from in attacks::pawn_attacks(!self.us, to) & Bitboard(pawns) {
                if en_passant_is_legal(self.board, self.us, from, to) {
                    self.moves.push(Move::en_passant(from, to));
                }
            }
        }

        if !noisy {
            let single = forward(staying, 8) & free;
            let double = forward(single & THIRD[WHITE as usize], 8) & free & allowed.0;
            for to in Bitboard(single & allowed.0) {
                let from = behind(to as u32, 8);
                if self.stays_on_line(from, to) {
                    self.moves.push(Move::normal(Role::Pawn, from, to, 0));
                }
            }
            for to in Bitboard(double) {
                let from = behind(to as u32, 16);
                if self.stays_on_line(from, to) {
                    self.moves.push(Move::double_push(from, to));
                }
            }
        }
    }

    #[inline]
    fn castling(&mut self) {
        for rook in self.position.castling_rooks() & self.us.backrank() {
            self.castle_with(rook);
        }
    }

    fn castle_with(&mut self, rook: Square) {
        let side = CastlingSide::from_king_side(self.king < rook);
        let (king_to, rook_to) = (side.king_to(self.us), side.rook_to(self.us));
        let king_path = attacks::between(self.king, king_to).with(king_to);
        let path = king_path | attacks::between(rook, rook_to).with(rook_to);
        let occupied = self.board.occupied();
        if (path & occupied.without(self.king).without(rook)).any() {
            return;
        }
        let without_king = occupied.without(self.king);
        for square in king_path {
            if self.board.attackers_of(!self.us, square, without_king).any() {
                return;
            }
        }
        // In Chess960 the rook may have shielded the king's target.
        let after = without_king.without(rook).with(rook_to).with(king_to);
        if self.board.attackers_of(!self.us, king_to, after).is_empty() {
            self.moves.push(Move::castling(self.king, rook));
        }
    }
}

/// Whether the pawn of `us` on `from` may take en passant on `to`, its king staying safe.
pub(crate) fn en_passant_is_legal(board: &Board, us: Color, from: Square, to: Square) -> bool {
    let taken = Square::from_coords(to.file(), from.rank());
    let occupied = board.occupied().without(from).without(taken).with(to);
    (board.attackers_of(!us, board.king_of(us), occupied) & !Bitboard::from_square(taken)).is_empty()
}
