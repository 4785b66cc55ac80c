//! Reads and writes positions in Forsyth–Edwards notation, with X-FEN and Shredder-FEN castling rights
//! for Chess960.

use crate::position::Position;
use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, File, Piece, PositionError,
    PositionErrorKinds, Rank, Role, Setup, Square,
};
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use thiserror::Error;

/// One of the six fields of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The pieces, rank by rank.
    Board,
    /// `w` or `b`.
    Turn,
    /// `KQkq`, rook files, or `-`.
    Castling,
    /// A square or `-`.
    EnPassant,
    /// The number of plies since the last capture or pawn move.
    Halfmoves,
    /// The number of the next move.
    Fullmoves,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Board => "board",
            Field::Turn => "side to move",
            Field::Castling => "castling rights",
            Field::EnPassant => "en passant square",
            Field::Halfmoves => "halfmove clock",
            Field::Fullmoves => "move number",
        })
    }
}

/// The reason why a text is not a playable position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// The text is empty.
    #[error("FEN: empty")]
    Empty,
    /// The text ends too early.
    #[error("FEN: field missing: {0}")]
    Missing(Field),
    /// The text continues after the sixth field.
    #[error("FEN: unexpected '{0}' after the move number")]
    Trailing(String),
    /// The board has too few or too many ranks.
    #[error("FEN board: {0} ranks, not 8")]
    Ranks(usize),
    /// A rank has too few or too many squares.
    #[error("FEN board: rank {rank} has {squares} squares, not 8")]
    Squares {
        /// The rank, from 1 to 8.
        rank: u32,
        /// The number of squares that it has in the text.
        squares: u32,
    },
    /// A character that does not denote a piece.
    #[error("FEN board: unknown piece '{piece}' on rank {rank}")]
    Piece {
        /// What was found.
        piece: char,
        /// The rank, from 1 to 8.
        rank: u32,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("FEN side to move: 'w' or 'b' expected, '{0}' found")]
    Turn(String),
    /// A character that does not denote a castling right.
    #[error("FEN castling rights: unknown right '{0}'")]
    Castling(char),
    /// A castling right without king or rook on its square.
    #[error("FEN castling rights: '{right}', but {color} has no king and rook in place for it")]
    NoRook {
        /// The letter.
        right: char,
        /// The side that the right belongs to.
        color: Color,
    },
    /// The en passant field is not a square, or no pawn has just passed the square.
    #[error("FEN en passant square: no pawn can just have passed '{0}'")]
    EnPassant(String),
    /// A clock is not a number.
    #[error("FEN {field}: number from 0 to 9999 expected, '{found}' found")]
    Number {
        /// The clock.
        field: Field,
        /// What was found.
        found: String,
    },
    /// A side has no king.
    #[error("illegal position: {0} has no king")]
    NoKing(Color),
    /// A side has several kings.
    #[error("illegal position: {0} has more than one king")]
    ManyKings(Color),
    /// A side has more than sixteen pieces.
    #[error("illegal position: {0} has more than 16 pieces")]
    ManyPieces(Color),
    /// A pawn stands on the first or last rank.
    #[error("illegal position: pawn on {0}")]
    Pawn(Square),
    /// The side that has just moved is in check.
    #[error("illegal position: {0} is in check but it is the other side's move")]
    OppositeCheck(Color),
    /// Any other illegal position.
    #[error("{0}")]
    Illegal(String),
}

impl FromStr for Position {
    type Err = FenError;

    /// Parses `startpos`, or a FEN of four to six fields.
    ///
    /// ```
    /// use cassius_chess::Position;
    ///
    /// let position: Position = "8/8/8/8/8/4k3/4p3/4K3 w - -".parse()?;
    /// assert!(position.is_stalemate());
    ///
    /// let error = "8/8/8/8/8/4k3/4x3/4K3 w - -".parse::<Position>().unwrap_err();
    /// assert_eq!(error.to_string(), "FEN board: unknown piece 'x' on rank 2");
    /// # Ok::<(), cassius_chess::notation::FenError>(())
    /// ```
    fn from_str(text: &str) -> Result<Position, FenError> {
        let mut fields = text.split_whitespace();
        let board = fields.next().ok_or(FenError::Empty)?;
        if board == "startpos" {
            return match fields.next() {
                None => Ok(Position::default()),
                Some(token) => Err(FenError::Trailing(token.into())),
            };
        }
        let board = read_board(board)?;
        let mut next = |field| fields.next().ok_or(FenError::Missing(field));
        let turn = match next(Field::Turn)? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::Turn(other.into())),
        };
        // Kings are checked first, because castling rights are meaningful only with them.
        check_board(&board)?;
        let (castling_rights, mode) = read_castling(&board, next(Field::Castling)?)?;
        let ep_square = read_en_passant(&board, turn, next(Field::EnPassant)?)?;
        let halfmoves = read_number(Field::Halfmoves, fields.next(), 0)?;
        let fullmoves = read_number(Field::Fullmoves, fields.next(), 1)?;
        if let Some(token) = fields.next() {
            return Err(FenError::Trailing(token.into()));
        }
        let fullmoves = NonZeroU32::new(fullmoves).unwrap_or(NonZeroU32::MIN);
        let setup = Setup { board, turn, castling_rights, ep_square, halfmoves, fullmoves, ..Setup::empty() };
        Position::from_setup(setup, mode).map_err(|error| explain(&error, turn))
    }
}

fn read_board(text: &str) -> Result<Board, FenError> {
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(FenError::Ranks(ranks));
    }
    let mut board = Board::empty();
    for (rank, pieces) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let number = rank as u32 + 1;
        let mut squares = 0;
        for c in pieces.chars() {
            if let Some(empty @ 1..=8) = c.to_digit(10) {
                squares += empty;
            } else if let Some(piece) = Piece::from_char(c) {
                if squares < 8 {
                    board.set_piece_at(Square::from_coords(File::new(squares), rank), piece);
                }
                squares += 1;
            } else {
                return Err(FenError::Piece { piece: c, rank: number });
            }
        }
        if squares != 8 {
            return Err(FenError::Squares { rank: number, squares });
        }
    }
    Ok(board)
}

fn check_board(board: &Board) -> Result<(), FenError> {
    for color in [Color::White, Color::Black] {
        match (board.kings() & board.by_color(color)).count() {
            0 => return Err(FenError::NoKing(color)),
            1 => (),
            _ => return Err(FenError::ManyKings(color)),
        }
        if board.by_color(color).count() > 16 {
            return Err(FenError::ManyPieces(color));
        }
    }
    match (board.pawns() & Bitboard::BACKRANKS).first() {
        Some(square) => Err(FenError::Pawn(square)),
        None => Ok(()),
    }
}

/// Parses a castling field. Returns the rooks it names, and whether Chess960 is needed to express them.
fn read_castling(board: &Board, text: &str) -> Result<(Bitboard, CastlingMode), FenError> {
    let mut rights = Bitboard::EMPTY;
    let mut mode = CastlingMode::Standard;
    if text == "-" {
        return Ok((rights, mode));
    }
    for right in text.chars() {
        let color = Color::from_white(right.is_ascii_uppercase());
        let missing = FenError::NoRook { right, color };
        let king = board.king_of(color).filter(|king| king.rank() == color.backrank());
        let rooks = board.by_piece(Piece { color, role: Role::Rook }) & color.backrank();
        let rook = match right.to_ascii_lowercase() {
            'k' => rooks.last().filter(|rook| king.is_some_and(|king| king < *rook)),
            'q' => rooks.first().filter(|rook| king.is_some_and(|king| *rook < king)),
            file @ 'a'..='h' => File::from_char(file)
                .map(|file| Square::from_coords(file, color.backrank()))
                .filter(|rook| rooks.contains(*rook)),
            _ => return Err(FenError::Castling(right)),
        };
        let (Some(rook), Some(king)) = (rook, king) else { return Err(missing) };
        let corner = if king < rook { File::H } else { File::A };
        if king.file() != File::E || rook.file() != corner {
            mode = CastlingMode::Chess960;
        }
        // Each side has at most one rook: a second one on the same side is not meaningful.
        let side = CastlingSide::from_king_side(king < rook);
        let same_side =
            (rights & color.backrank()).into_iter().find(|r| CastlingSide::from_king_side(king < *r) == side);
        if same_side.is_some_and(|other| other != rook) {
            return Err(missing);
        }
        rights.add(rook);
    }
    Ok((rights, mode))
}

fn read_en_passant(board: &Board, turn: Color, text: &str) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let wrong = || FenError::EnPassant(text.into());
    let square: Square = text.parse().map_err(|_| wrong())?;
    let (rank, step) = turn.fold_wb((Rank::Sixth, 8), (Rank::Third, -8));
    let pushed = square.offset(-step).ok_or_else(wrong)?;
    let came_from = square.offset(step).ok_or_else(wrong)?;
    let pawn = board.piece_at(pushed) == Some(Piece { color: !turn, role: Role::Pawn });
    let empty = !board.occupied().contains(square) && !board.occupied().contains(came_from);
    if square.rank() == rank && pawn && empty { Ok(Some(square)) } else { Err(wrong()) }
}

/// The largest number of moves or half-moves in a FEN.
const MOST: u32 = 9999;

fn read_number(field: Field, token: Option<&str>, default: u32) -> Result<u32, FenError> {
    match token {
        None => Ok(default),
        Some(token) => token
            .parse::<u32>()
            .ok()
            .filter(|number| *number <= MOST && !token.starts_with('+'))
            .ok_or_else(|| FenError::Number { field, found: token.into() }),
    }
}

fn explain(error: &PositionError<Chess>, turn: Color) -> FenError {
    if error.kinds().contains(PositionErrorKinds::OPPOSITE_CHECK) {
        FenError::OppositeCheck(!turn)
    } else {
        FenError::Illegal(error.to_string())
    }
}

impl fmt::Display for Position {
    /// Writes a FEN of six fields. The en passant square appears only if a capture there is legal.
    /// Castling rights are written as `KQkq` unless the file of the rook is needed to identify it.
    /// Numbers above 9999, which are not read either, are written as 9999.
    ///
    /// ```
    /// use cassius_chess::Position;
    /// use cassius_search::Game as _;
    /// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// assert_eq!(Position::default().to_string(), fen);
    /// let mut late: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 9999".parse()?;
    /// let mv = late.parse_san("Kd7")?;
    /// late.play(mv);
    /// assert_eq!(late.to_string().parse::<Position>()?.to_string(), late.to_string());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.board().piece_at(Square::from_coords(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        empty = 0;
                        write!(f, "{}", piece.char())?;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        write!(f, " {} ", self.turn().char())?;
        self.write_castling(f)?;
        match self.en_passant_square() {
            Some(square) => write!(f, " {square}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.halfmoves().min(MOST), self.fullmoves().min(MOST))
    }
}

impl Position {
    fn write_castling(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.castling_rooks().is_empty() {
            return f.write_str("-");
        }
        for color in [Color::White, Color::Black] {
            let rooks = self.board().by_piece(color.rook()) & color.backrank();
            let Some(king) = self.board().king_of(color) else { continue };
            for rook in (self.castling_rooks() & color.backrank()).into_iter().rev() {
                let letter = if king < rook && rooks.last() == Some(rook) {
                    'k'
                } else if rook < king && rooks.first() == Some(rook) {
                    'q'
                } else {
                    rook.file().char()
                };
                write!(f, "{}", if color.is_white() { letter.to_ascii_uppercase() } else { letter })?;
            }
        }
        Ok(())
    }
}
