//! Implements a chess position as a game for the search.

mod checks;
mod exchange;
mod noisy;
mod parts;
mod returns;

pub use exchange::{EXCHANGE_VALUES, exchange_at_least, exchange_value};

use crate::evaluation::classical::material_unit;
use crate::moves::Move;
use crate::zobrist;
use cassius_search::game::{MoveIndexed, Repeats};
use cassius_search::{Checks, Game, Keyed, Noisy, Outcome, Pass, Score};
use checks::{gives_check, screens};
use exchange::immediate_gain;
use noisy::noisy_moves;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position as _, PositionError,
    Rank, Role, Setup, Square, attacks,
};
use std::fmt;

/// A legal position of chess or Chess960 with its keys: [`shakmaty::Chess`], with incrementally updated
/// data that a search needs at every node.
///
/// A search clones it and plays on the clone. The en passant square counts only while a legal en passant
/// capture exists, so that positions that are the same by the rules compare and hash the same.
///
/// ```
/// use cassius_chess::Position;
/// use cassius_search::{Game, Keyed};
///
/// let position: Position = "startpos".parse()?;
/// let mut moves = Vec::new();
/// position.moves(&mut moves);
/// let mut next = position.clone();
/// next.play(moves[0]);
/// assert_ne!(next.key(), position.key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Position {
    chess: Chess,
    key: u64,
    pawn_key: u64,
    material_key: u64,
    checkers: Bitboard,
    /// The sole pieces between a slider of the side to move and the other king.
    screens: Bitboard,
    /// The number of plies since the last capture, pawn move, loss of castling rights or pass.
    reversible: u16,
    /// The square where a legal en passant capture lands.
    en_passant: Option<Square>,
}

impl Default for Position {
    /// Returns the starting position.
    fn default() -> Position {
        Position::from_chess(&Chess::default())
    }
}

/// Positions are equal by the rules of repetition: pieces, side to move, castling rights and legal en
/// passant captures. The clocks do not count.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.chess == other.chess
    }
}

impl Eq for Position {}

impl fmt::Debug for Position {
    /// Shows the FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Position {
    /// Creates a position from shakmaty's type.
    ///
    /// ```
    /// use cassius_chess::Position;
    /// let position = Position::from_chess(&shakmaty::Chess::default());
    /// assert_eq!(position, Position::default());
    /// ```
    pub fn from_chess(chess: &Chess) -> Position {
        Position::wrap(chess.clone())
    }

    fn wrap(chess: Chess) -> Position {
        let mut position = Position {
            key: 0,
            pawn_key: 0,
            material_key: 0,
            checkers: chess.checkers(),
            screens: screens(&chess),
            reversible: 0,
            en_passant: chess.legal_ep_square(),
            chess,
        };
        (position.key, position.pawn_key, position.material_key) = position.keys_from_scratch();
        position
    }

    /// Creates a position from a setup, if it is legal enough to be played.
    pub(crate) fn from_setup(
        setup: Setup,
        mode: CastlingMode,
    ) -> Result<Position, Box<PositionError<Chess>>> {
        playable(setup, mode).map(Position::wrap)
    }

    /// Returns the position as a setup of shakmaty.
    pub fn to_setup(&self) -> Setup {
        self.chess.to_setup(EnPassantMode::Legal)
    }

    /// Returns a reference to the position as shakmaty's type.
    ///
    /// ```
    /// use shakmaty::Position as _;
    /// let position = cassius_chess::Position::default();
    /// assert_eq!(position.as_chess().legal_moves().len(), 20);
    /// ```
    #[inline]
    pub const fn as_chess(&self) -> &Chess {
        &self.chess
    }

    /// Returns the position as a value of shakmaty's type.
    pub fn to_chess(&self) -> Chess {
        self.chess.clone()
    }

    /// Returns the placement of the pieces.
    #[inline]
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// Returns the side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// Returns the pieces that give check to the side to move.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Returns the rooks with which castling may still be possible.
    #[inline]
    pub fn castling_rooks(&self) -> Bitboard {
        self.chess.castles().castling_rights()
    }

    /// Whether castling moves are those of standard chess or of Chess960.
    #[inline]
    pub fn castling_mode(&self) -> CastlingMode {
        self.chess.castles().mode()
    }

    /// Returns the same position with castling moves written as in this mode. Standard chess cannot
    /// express every castling right of Chess960. A position whose rights cannot be expressed stays in
    /// Chess960 mode.
    pub fn with_castling_mode(mut self, mode: CastlingMode) -> Position {
        if let Ok(chess) = playable(self.chess.to_setup(EnPassantMode::Always), mode) {
            self.chess = chess;
        }
        self
    }

    /// Returns the square on which a legal en passant capture lands.
    #[inline]
    pub const fn en_passant_square(&self) -> Option<Square> {
        self.en_passant
    }

    /// Returns the same position as if the fifty-move rule began to count here, and nothing had come before.
    ///
    /// ```
    /// use cassius_chess::Position;
    /// use cassius_search::game::Repeats as _;
    ///
    /// let position: Position = "8/8/8/8/8/4k3/4p3/4K3 w - - 100 90".parse()?;
    /// assert!(position.drawn_by_rule());
    /// assert!(!position.with_new_clock().drawn_by_rule());
    /// assert_eq!(position.with_new_clock(), position);
    /// # Ok::<(), cassius_chess::notation::FenError>(())
    /// ```
    #[must_use]
    pub fn with_new_clock(&self) -> Position {
        let mut setup = self.chess.to_setup(EnPassantMode::Always);
        setup.halfmoves = 0;
        playable(setup, self.castling_mode()).map_or_else(|_| self.clone(), Position::wrap)
    }

    /// Returns the number of plies since the last capture or pawn move.
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.chess.halfmoves()
    }

    /// Returns the number of the move to be played, counted from 1.
    #[inline]
    pub fn fullmoves(&self) -> u32 {
        self.chess.fullmoves().get()
    }

    /// Returns the number of plies since the start of the game, by the move number.
    pub fn plies(&self) -> u32 {
        (self.fullmoves() - 1).saturating_mul(2).saturating_add(self.turn().is_black() as u32)
    }

    /// Returns a hash of the pawns of both sides.
    #[inline]
    pub const fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// Returns a number for the pieces of both sides, independent of where they stand.
    #[inline]
    pub const fn material_key(&self) -> u64 {
        self.material_key
    }

    /// Returns all legal moves in a new list.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.moves(&mut moves);
        moves
    }

    /// Returns the legal move with this [`Keyed::code`].
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

    /// Whether neither side can ever mate: bare kings, one minor piece in total, or only bishops on
    /// squares of one colour.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        self.chess.is_insufficient_material()
    }

    /// Whether the side to move has a piece besides pawns and king.
    #[inline]
    pub fn has_piece(&self) -> bool {
        (self.chess.us() & !(self.board().pawns() | self.board().kings())).any()
    }

    /// Computes all keys from scratch. [`Game::play`] updates them incrementally.
    fn keys_from_scratch(&self) -> (u64, u64, u64) {
        let mut key = if self.turn().is_black() { zobrist::BLACK } else { 0 };
        let (mut pawn_key, mut material_key) = (0, 0u64);
        for (square, piece) in self.board() {
            material_key = material_key.wrapping_add(material_unit(piece.color, piece.role));
            let number = zobrist::piece(piece.color, piece.role, square);
            key ^= number;
            if piece.role == Role::Pawn {
                pawn_key ^= number;
            }
        }
        for rook in self.castling_rooks() {
            key ^= zobrist::castle(rook);
        }
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square);
        }
        (key, pawn_key, material_key)
    }

    /// Updates the keys for a piece that appears on a square or leaves it.
    #[inline]
    fn toggle(&mut self, color: Color, role: Role, square: Square) {
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
}

/// Converts a setup to a position, if it can be played at all, even if it is unusual.
fn playable(setup: Setup, mode: CastlingMode) -> Result<Chess, Box<PositionError<Chess>>> {
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(Box::new)
}

impl Game for Position {
    type Move = Move;

    #[inline]
    fn moves(&self, moves: &mut Vec<Move>) {
        moves.extend(self.chess.legal_moves().iter().map(Move::pack));
    }

    fn count_moves(&self) -> usize {
        self.chess.legal_moves().len()
    }

    fn is_over(&self) -> bool {
        self.chess.legal_moves().is_empty()
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let us = self.turn();
        let (from, to, role) = (mv.from(), mv.to(), mv.role());
        let rights = self.castling_rooks();
        self.chess.play_unchecked(mv.into());

        self.key ^= zobrist::BLACK;
        self.clear_en_passant();
        self.reversible = self.reversible.saturating_add(1);
        if role == Role::Pawn || mv.is_capture() {
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
                self.material_key = self.material_key.wrapping_sub(material_unit(!us, taken));
            }
            if let Some(promotion) = mv.promotion() {
                let gained = material_unit(us, promotion).wrapping_sub(material_unit(us, Role::Pawn));
                self.material_key = self.material_key.wrapping_add(gained);
            }
            self.toggle(us, mv.placed(), to);
        }
        let lost = rights ^ self.castling_rooks();
        if lost.any() {
            self.reversible = 0;
            for rook in lost {
                self.key ^= zobrist::castle(rook);
            }
        }
        if let Some(target) = self.chess.legal_ep_square() {
            self.en_passant = Some(target);
            self.key ^= zobrist::en_passant(target);
        }
        self.checkers = self.chess.checkers();
        self.screens = screens(&self.chess);
    }

    #[inline]
    fn outcome(&self) -> Outcome {
        if self.checkers.any() { Outcome::Loss } else { Outcome::Draw }
    }
}

impl Keyed for Position {
    /// Returns the key of the position. Once the halfmove clock is 80 or more, the clock is part of the
    /// key, so that a table entry for a position far from the fifty-move rule is not used near to it.
    #[inline]
    fn key(&self) -> u64 {
        self.key ^ zobrist::clock(self.halfmoves())
    }

    /// Returns the key with the halfmove clock, by which a static value fades.
    #[inline]
    fn exact_key(&self) -> u64 {
        self.key ^ u64::from(self.halfmoves()).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Predicts the key after a move. It is not exact where castling rights, en passant or a high clock
    /// change.
    #[inline]
    fn key_after(&self, mv: Move) -> u64 {
        let us = self.turn();
        let mut key = self.key ^ zobrist::BLACK;
        key ^= zobrist::piece(us, mv.role(), mv.from());
        key ^= zobrist::piece(us, mv.placed(), mv.to());
        if let Some(taken) = mv.capture() {
            key ^= zobrist::piece(!us, taken, mv.to());
        }
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square);
        }
        key
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

    /// Returns the number of plies since the last capture, pawn move, loss of castling rights or pass,
    /// among the moves played on this value.
    #[inline]
    fn reversible_plies(&self) -> usize {
        self.reversible.into()
    }

    /// Applies the fifty-move rule (a mate on the last ply counts) and insufficient material.
    #[inline]
    fn drawn_by_rule(&self) -> bool {
        (self.halfmoves() >= 100 && !self.is_checkmate()) || self.is_insufficient_material()
    }

    #[inline]
    fn leads_to(&self, earlier: u64) -> bool {
        let Some([a, b]) = returns::squares(self.key ^ earlier) else { return false };
        let ours = self.chess.us();
        (ours.contains(a) || ours.contains(b))
            && (attacks::between(a, b) & self.board().occupied()).is_empty()
    }
}

impl Checks for Position {
    #[inline]
    fn in_check(&self) -> bool {
        self.checkers.any()
    }

    #[inline]
    fn gives_check(&self, mv: Move) -> bool {
        gives_check(&self.chess, self.screens, mv)
    }
}

impl Pass for Position {
    /// Whether the side to move is not in check, has a piece besides pawns and king, and the fifty-move rule
    /// is not near: there a pass would be a move that does not count, and what is searched less deep after it
    /// does not see the draw.
    #[inline]
    fn may_pass(&self) -> bool {
        self.checkers.is_empty() && self.has_piece() && self.halfmoves() < zobrist::LATE
    }

    #[inline]
    fn pass(&mut self) {
        let mut setup = self.chess.to_setup(EnPassantMode::Always);
        setup.swap_turn();
        // Passing is not possible in check: then nothing happens.
        let Ok(chess) = playable(setup, self.castling_mode()) else { return };
        self.chess = chess;
        self.key ^= zobrist::BLACK;
        self.clear_en_passant();
        self.reversible = 0;
        // The other side has just moved and is not in check.
        self.checkers = Bitboard::EMPTY;
        self.screens = screens(&self.chess);
    }
}

impl Noisy for Position {
    /// Lists captures and promotions to a queen. A capture that underpromotes is not included.
    #[inline]
    fn noisy_moves(&self, moves: &mut Vec<Move>) {
        if self.checkers.is_empty() {
            return noisy_moves(&self.chess, moves);
        }
        let legal = self.chess.legal_moves();
        moves.extend(legal.iter().filter(|mv| Move::would_be_noisy(mv)).map(Move::pack));
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        mv.is_noisy()
    }

    #[inline]
    fn gain(&self, mv: Move) -> Score {
        Score(immediate_gain(mv))
    }

    /// Ranks by the most valuable victim (a promotion adds to it), then by the least valuable attacker.
    #[inline]
    fn noisy_rank(&self, mv: Move) -> i32 {
        immediate_gain(mv) * 8 - mv.role() as i32
    }

    /// The roles that can be taken, and none.
    const NOISY_KINDS: usize = 6;

    #[inline]
    fn noisy_kind(&self, mv: Move) -> usize {
        mv.capture().map_or(0, |role| role as usize).min(Self::NOISY_KINDS - 1)
    }

    #[inline]
    fn exchange_at_least(&self, mv: Move, threshold: Score) -> bool {
        exchange_at_least(self, mv, threshold.0)
    }

    #[inline]
    fn takes_back(&self, mv: Move, before: Move) -> bool {
        mv.is_capture() && before.is_capture() && mv.to() == before.to()
    }

    /// Returns the value of the most valuable piece of the other side, plus that of a queen for a pawn
    /// about to promote.
    #[inline]
    fn greatest_gain(&self) -> Score {
        let (board, turn) = (self.board(), self.turn());
        let (ours, theirs) = (board.by_color(turn), board.by_color(turn.other()));
        let dearest = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn]
            .into_iter()
            .find(|&role| (board.by_role(role) & theirs).any())
            .map_or(0, exchange_value);
        let seventh = Bitboard::from_rank(turn.relative_rank(Rank::Seventh));
        let promotion = if (board.pawns() & ours & seventh).any() {
            exchange_value(Role::Queen) - exchange_value(Role::Pawn)
        } else {
            0
        };
        Score(dearest + promotion)
    }

    /// Tests for a possible stalemate only where the side has nothing but pawns and king. Elsewhere
    /// stalemate is rare.
    #[inline]
    fn may_be_over(&self) -> bool {
        !self.has_piece()
    }
}

impl MoveIndexed for Position {
    /// The number of pairs of a coloured piece and a square: 12 × 64.
    const MOVE_INDICES: usize = 768;

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        (self.turn() as usize & 1) * 384 + mv.piece_and_target()
    }

    const EXPOSURES: usize = 4;

    /// Whether pawns or knights of the other side attack the square of departure, and that of arrival.
    #[inline]
    fn exposure(&self, mv: Move) -> usize {
        let attacked = parts::attacked_by_the_least(self);
        usize::from(attacked.contains(mv.from())) << 1 | usize::from(attacked.contains(mv.to()))
    }
}
