//! Moves in the notation of the UCI protocol.

use super::{MoveError, excerpt};
use crate::moves::Move;
use crate::position::Position;
use shakmaty::{CastlingMode, Role, Square};

impl Position {
    /// Writes a move in UCI notation: castling as the king's move in standard chess, as king takes rook
    /// in Chess960.
    ///
    /// ```
    /// use cassius_chess::Position;
    /// use shakmaty::CastlingMode;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// let castles = position.parse_san("O-O")?;
    /// assert_eq!(position.uci(castles), "e1g1");
    /// assert_eq!(position.with_castling_mode(CastlingMode::Chess960).uci(castles), "e1h1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn uci(&self, mv: Move) -> String {
        if mv.is_castling() && self.castling_mode() == CastlingMode::Standard {
            format!("{}{}", mv.from(), mv.destination())
        } else {
            mv.to_string()
        }
    }

    /// Parses a move in UCI notation. Castling is accepted in both forms.
    ///
    /// ```
    /// use cassius_chess::Position;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
    /// assert_eq!(position.parse_uci("e1g1")?, position.parse_uci("e1h1")?);
    /// assert_eq!(position.parse_uci("e1e3").unwrap_err().to_string(), "'e1e3' is not legal here");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveError> {
        let (from, to, promotion) = read(text).ok_or_else(|| MoveError::Syntax(excerpt(text)))?;
        let moves = self.legal_moves();
        let exact = moves.iter().find(|mv| mv.from() == from && mv.to() == to && mv.promotion() == promotion);
        let castling = || {
            moves
                .iter()
                .find(|mv| mv.is_castling() && mv.from() == from && mv.destination() == to)
                .filter(|_| promotion.is_none())
        };
        exact.or_else(castling).copied().ok_or_else(|| MoveError::Illegal(excerpt(text)))
    }

    /// Parses a move in standard algebraic or in UCI notation.
    ///
    /// ```
    /// use cassius_chess::Position;
    /// let position = Position::default();
    /// assert_eq!(position.parse_move("Nf3")?, position.parse_move("g1f3")?);
    /// # Ok::<(), cassius_chess::notation::MoveError>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.parse_san(text).or_else(|error| self.parse_uci(text).map_err(|_| error))
    }
}

fn read(text: &str) -> Option<(Square, Square, Option<Role>)> {
    if !text.is_ascii() || !(4..=5).contains(&text.len()) {
        return None;
    }
    let promotion = match text[4..].chars().next() {
        None => None,
        Some(c) => {
            let role = Role::from_char(c.to_ascii_lowercase())?;
            if matches!(role, Role::Pawn | Role::King) {
                return None;
            }
            Some(role)
        }
    };
    Some((text[..2].parse().ok()?, text[2..4].parse().ok()?, promotion))
}
