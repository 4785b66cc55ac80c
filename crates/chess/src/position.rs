//! A chess position as a game for the search.

use crate::board::Board;
use crate::exchange::{exchange_at_least, immediate_gain};
use crate::generate;
use crate::moves::Move;
use crate::zobrist;
use cassius_search::{Checks, Game, Keyed, Noisy, Outcome, Pass, Repeats, Score, Slotted};
use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, File, FromSetup, Piece, Position as _, PositionError,
    Rank, Role, Setup, Square, attacks,
};
use std::fmt;
use std::num::NonZeroU32;

/// A legal position of chess or Chess960 with its keys.
///
/// It has the size of two cache lines; a search copies it and plays on the
/// copy. The keys and the checkers are kept up to date move by move. An en
/// passant square is kept only while a legal en passant capture exists, so
/// that positions that are the same by the rules compare and hash the same.
///
/// ```
/// use cassius_chess::Position;
/// use cassius_search::{Game, Keyed};
///
/// let position: Position = "startpos".parse()?;
/// let mut moves = Vec::new();
/// position.moves(&mut moves);
/// let mut next = position;
/// next.play(moves[0]);
/// assert_ne!(next.key(), position.key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Position {
    board: Board,
    key: u64,
    pawn_key: u64,
    checkers: Bitboard,
    castling_rooks: Bitboard,
    fullmoves: u32,
    halfmoves: u16,
    /// Plies since the last capture, pawn move, loss of castling rights or pass.
    reversible: u16,
    turn: Color,
    en_passant: Option<Square>,
    mode: CastlingMode,
}

impl Default for Position {
    /// The starting position.
    fn default() -> Position {
        Position::from_chess(&Chess::default())
    }
}

/// Equal by the rules of repetition: pieces, side to move, castling rights and
/// legal en passant captures; not the clocks.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.board == other.board
            && self.turn == other.turn
            && self.castling_rooks == other.castling_rooks
            && self.en_passant == other.en_passant
    }
}

impl Eq for Position {}

impl fmt::Debug for Position {
    /// The FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Position {
    /// The position of shakmaty's type.
    ///
    /// ```
    /// use cassius_chess::Position;
    /// let position = Position::from_chess(&shakmaty::Chess::default());
    /// assert_eq!(position, Position::default());
    /// ```
    pub fn from_chess(chess: &Chess) -> Position {
        let mut position = Position {
            board: Board::from_shakmaty(chess.board()),
            key: 0,
            pawn_key: 0,
            checkers: chess.checkers(),
            castling_rooks: chess.castles().castling_rights(),
            fullmoves: chess.fullmoves().get(),
            halfmoves: chess.halfmoves().min(u16::MAX.into()) as u16,
            reversible: 0,
            turn: chess.turn(),
            en_passant: chess.legal_ep_square(),
            mode: chess.castles().mode(),
        };
        (position.key, position.pawn_key) = position.keys_from_scratch();
        position
    }

    /// The position of a setup, if it is legal enough to be played.
    pub(crate) fn from_setup(
        setup: Setup,
        mode: CastlingMode,
    ) -> Result<Position, Box<PositionError<Chess>>> {
        let chess = Chess::from_setup(setup, mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(Box::new)?;
        Ok(Position::from_chess(&chess))
    }

    /// The position as a setup of shakmaty.
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.board.to_shakmaty(),
            turn: self.turn,
            castling_rights: self.castling_rooks,
            ep_square: self.en_passant,
            halfmoves: self.halfmoves.into(),
            fullmoves: NonZeroU32::new(self.fullmoves).unwrap_or(NonZeroU32::MIN),
            ..Setup::empty()
        }
    }

    /// The position as shakmaty's type, for everything outside the search.
    pub fn to_chess(&self) -> Chess {
        Chess::from_setup(self.to_setup(), self.mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .unwrap_or_default()
    }

    /// Where the pieces stand.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The rooks with which castling may still be possible.
    #[inline]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }

    /// Whether a colour may still castle to a side, obstacles aside.
    pub fn may_castle(&self, color: Color, side: CastlingSide) -> bool {
        let king = self.board.king_of(color);
        (self.castling_rooks & color.backrank())
            .into_iter()
            .any(|rook| CastlingSide::from_king_side(king < rook) == side)
    }

    /// Whether castling moves are those of standard chess or of Chess960.
    #[inline]
    pub const fn castling_mode(&self) -> CastlingMode {
        self.mode
    }

    /// The same position with castling moves written as in this mode. Standard
    /// chess cannot express every castling right of Chess960; if this one
    /// cannot be expressed, it stays Chess960.
    pub fn with_castling_mode(mut self, mode: CastlingMode) -> Position {
        let standard = |rook: Square| {
            let color = Color::from_white(rook.rank() == Rank::First);
            let corner = rook.file() == File::A || rook.file() == File::H;
            corner && self.board.king_of(color).file() == File::E
        };
        if mode.is_chess960() || self.castling_rooks.into_iter().all(standard) {
            self.mode = mode;
        }
        self
    }

    /// The square on which a legal en passant capture lands.
    #[inline]
    pub const fn en_passant_square(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub const fn halfmoves(&self) -> u32 {
        self.halfmoves as u32
    }

    /// The number of the move to be played, from 1.
    #[inline]
    pub const fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// Plies since the start of the game, by the move number.
    pub const fn plies(&self) -> u32 {
        self.fullmoves.saturating_sub(1).saturating_mul(2).saturating_add(self.turn.is_black() as u32)
    }

    /// A hash of the pawns of both sides alone.
    #[inline]
    pub const fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// Every legal move as a new list.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        generate::all(self, &mut moves);
        moves
    }

    /// The legal move with this [`Keyed::code`].
    pub fn find(&self, code: u16) -> Option<Move> {
        self.legal_moves().into_iter().find(|mv| mv.code() == code)
    }

    /// Whether the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.checkers.any() && self.legal_moves().is_empty()
    }

    /// Whether the side to move has no move and is not in check.
    pub fn is_stalemate(&self) -> bool {
        self.checkers.is_empty() && self.legal_moves().is_empty()
    }

    /// Whether neither side can ever mate: bare kings, one minor piece in all,
    /// or only bishops on squares of one colour.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        let board = &self.board;
        if (board.pawns() | board.rooks_and_queens()).any() {
            return false;
        }
        let minors = board.knights() | board.bishops();
        !minors.more_than_one()
            || (board.knights().is_empty()
                && ((board.bishops() & Bitboard::DARK_SQUARES).is_empty()
                    || (board.bishops() & Bitboard::LIGHT_SQUARES).is_empty()))
    }

    /// Whether the side to move has a piece besides pawns and king.
    #[inline]
    pub fn has_piece(&self) -> bool {
        (self.board.by_color(self.turn) & !(self.board.pawns() | self.board.kings())).any()
    }

    /// Both keys, computed anew. What [`Game::play`] keeps up to date.
    pub(crate) fn keys_from_scratch(&self) -> (u64, u64) {
        let mut key = if self.turn.is_black() { zobrist::BLACK } else { 0 };
        let mut pawn_key = 0;
        for square in self.board.occupied() {
            if let Some(Piece { color, role }) = self.board.piece_at(square) {
                let number = zobrist::piece(color, role, square);
                key ^= number;
                if role == Role::Pawn {
                    pawn_key ^= number;
                }
            }
        }
        for rook in self.castling_rooks {
            key ^= zobrist::castle(rook);
        }
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square);
        }
        (key, pawn_key)
    }

    #[inline]
    fn toggle(&mut self, color: Color, role: Role, square: Square) {
        self.board.toggle(color, role, square);
        let number = zobrist::piece(color, role, square);
        self.key ^= number;
        if role == Role::Pawn {
            self.pawn_key ^= number;
        }
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.key ^= zobrist::en_passant(square);
        }
    }

    /// Gives up the right to castle with the rooks among `squares`.
    #[inline]
    fn lose_castling(&mut self, squares: Bitboard) {
        let lost = self.castling_rooks & squares;
        if lost.any() {
            for rook in lost {
                self.key ^= zobrist::castle(rook);
            }
            self.castling_rooks ^= lost;
            self.reversible = 0;
        }
    }

    /// After a double push of `us` past `target`: remembers the square if the other side can take.
    #[inline]
    fn set_en_passant(&mut self, us: Color, target: Square) {
        let takers = attacks::pawn_attacks(us, target) & self.board.pieces(!us, Role::Pawn);
        for from in takers {
            if generate::en_passant_is_legal(&self.board, !us, from, target) {
                self.en_passant = Some(target);
                self.key ^= zobrist::en_passant(target);
                return;
            }
        }
    }

    #[inline]
    fn find_checkers(&mut self) {
        let us = self.turn;
        self.checkers = self.board.attackers_of(!us, self.board.king_of(us), self.board.occupied());
    }
}

impl Game for Position {
    type Move = Move;

    #[inline]
    fn moves(&self, moves: &mut Vec<Move>) {
        generate::all(self, moves);
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let us = self.turn;
        let (from, to, role) = (mv.from(), mv.to(), mv.role());
        self.key ^= zobrist::BLACK;
        self.clear_en_passant();
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.reversible = self.reversible.saturating_add(1);
        if role == Role::Pawn || mv.is_capture() {
            self.halfmoves = 0;
            self.reversible = 0;
        }

        self.toggle(us, role, from);
        if let Some(side) = mv.castling_side() {
            self.toggle(us, Role::Rook, to);
            self.toggle(us, Role::Rook, side.rook_to(us));
            self.toggle(us, Role::King, side.king_to(us));
        } else {
            if let Some(taken) = mv.capture() {
                let square =
                    if mv.is_en_passant() { Square::from_coords(to.file(), from.rank()) } else { to };
                self.toggle(!us, taken, square);
            }
            self.toggle(us, mv.promotion().unwrap_or(role), to);
        }
        if self.castling_rooks.any() {
            let mut left = Bitboard::from_square(from) | Bitboard::from_square(to);
            if role == Role::King {
                left |= us.backrank();
            }
            self.lose_castling(left);
        }

        self.turn = !us;
        self.fullmoves = self.fullmoves.saturating_add(us.is_black() as u32);
        if mv.is_double_push() {
            let target = Square::new((from as u32 + to as u32) / 2);
            self.set_en_passant(us, target);
        }
        self.find_checkers();
    }

    #[inline]
    fn outcome(&self) -> Outcome {
        if self.checkers.any() { Outcome::Loss } else { Outcome::Draw }
    }
}

impl Keyed for Position {
    /// The key of the position; once the halfmove clock is 80 or more, the
    /// clock is part of it, so that what a table knows about a position far
    /// from the fifty-move rule is not believed near to it.
    #[inline]
    fn key(&self) -> u64 {
        self.key ^ zobrist::clock(self.halfmoves())
    }

    #[inline]
    fn code(&self, mv: Move) -> u16 {
        mv.code()
    }
}

impl Repeats for Position {
    #[inline]
    fn repetition_key(&self) -> u64 {
        self.key
    }

    /// Plies since the last capture, pawn move, loss of castling rights or
    /// pass, among the moves played on this value.
    #[inline]
    fn reversible_plies(&self) -> usize {
        self.reversible.into()
    }

    /// The fifty-move rule (a mate on the last ply counts) and insufficient material.
    #[inline]
    fn drawn_by_rule(&self) -> bool {
        (self.halfmoves >= 100 && !self.is_checkmate()) || self.is_insufficient_material()
    }
}

impl Checks for Position {
    #[inline]
    fn in_check(&self) -> bool {
        self.checkers.any()
    }
}

impl Pass for Position {
    /// Not in check, and with a piece besides pawns and king.
    #[inline]
    fn may_pass(&self) -> bool {
        self.checkers.is_empty() && self.has_piece()
    }

    #[inline]
    fn pass(&mut self) {
        self.key ^= zobrist::BLACK;
        self.clear_en_passant();
        self.reversible = 0;
        self.turn = !self.turn;
        self.find_checkers();
    }
}

impl Noisy for Position {
    /// Captures and promotions to a queen. A capture that promotes to less is not among them.
    #[inline]
    fn noisy_moves(&self, moves: &mut Vec<Move>) {
        generate::noisy(self, moves);
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        mv.is_noisy()
    }

    #[inline]
    fn gain(&self, mv: Move) -> Score {
        Score(immediate_gain(mv))
    }

    /// Most valuable victim first (a promotion adds to it), then least valuable attacker.
    #[inline]
    fn noisy_rank(&self, mv: Move) -> i32 {
        immediate_gain(mv) * 8 - mv.role() as i32
    }

    #[inline]
    fn exchange_at_least(&self, mv: Move, threshold: Score) -> bool {
        exchange_at_least(self, mv, threshold.0)
    }

    /// Stalemate is looked for where pawns and king alone are left; elsewhere it is rare.
    #[inline]
    fn may_be_over(&self) -> bool {
        !self.has_piece()
    }
}

impl Slotted for Position {
    /// Twelve coloured pieces on sixty-four squares.
    const SLOTS: usize = 768;

    #[inline]
    fn slot(&self, mv: Move) -> usize {
        (self.turn as usize & 1) * 384 + mv.piece_and_target()
    }
}
