//! Moves and lines in standard algebraic notation.

use super::{MoveError, excerpt};
use crate::moves::Move;
use crate::position::Position;
use cassius_search::{Checks, Game};
use shakmaty::{CastlingSide, Color, File, Rank, Role, Square};
use std::fmt::Write as _;

impl Position {
    /// Writes a legal move in standard algebraic notation, with `+` and `#`.
    ///
    /// ```
    /// use cassius_chess::Position;
    ///
    /// let position: Position = "6k1/5ppp/8/8/8/8/8/R3K2R w K - 0 1".parse()?;
    /// let mates = position.parse_uci("a1a8")?;
    /// assert_eq!(position.san(mates), "Ra8#");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn san(&self, mv: Move) -> String {
        let mut text = self.san_without_check(mv, &self.legal_moves());
        let mut next = self.clone();
        next.play(mv);
        if next.in_check() {
            text.push(if next.is_checkmate() { '#' } else { '+' });
        }
        text
    }

    fn san_without_check(&self, mv: Move, moves: &[Move]) -> String {
        if let Some(side) = mv.castling_side() {
            return if side == CastlingSide::KingSide { "O-O".into() } else { "O-O-O".into() };
        }
        let mut text = String::with_capacity(8);
        let (from, to, role) = (mv.from(), mv.to(), mv.role());
        if role == Role::Pawn {
            if mv.is_capture() {
                text.push(from.file().char());
            }
        } else {
            text.push(role.upper_char());
            let mut rivals = moves
                .iter()
                .filter(|other| {
                    other.role() == role && other.to() == to && other.from() != from && !other.is_castling()
                })
                .map(|other| other.from())
                .peekable();
            if rivals.peek().is_some() {
                let (mut same_file, mut same_rank) = (false, false);
                for rival in rivals {
                    same_file |= rival.file() == from.file();
                    same_rank |= rival.rank() == from.rank();
                }
                if !same_file || same_rank {
                    text.push(from.file().char());
                }
                if same_file {
                    text.push(from.rank().char());
                }
            }
        }
        if mv.is_capture() {
            text.push('x');
        }
        let _ = write!(text, "{to}");
        if let Some(promotion) = mv.promotion() {
            text.push('=');
            text.push(promotion.upper_char());
        }
        text
    }

    /// Parses a move in standard algebraic notation, including common variants: missing or superfluous
    /// `x`, `+`, `#`, `!`, `?`, `=` and origin squares, and zeros in castling.
    ///
    /// ```
    /// use cassius_chess::Position;
    ///
    /// let position = Position::default();
    /// assert_eq!(position.uci(position.parse_san("Ng1-f3!?")?), "g1f3");
    /// assert_eq!(position.parse_san("Nd4").unwrap_err().to_string(), "'Nd4' is not legal here");
    /// # Ok::<(), cassius_chess::notation::MoveError>(())
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveError> {
        let san = San::read(text).ok_or_else(|| MoveError::Syntax(excerpt(text)))?;
        let moves = self.legal_moves();
        let fitting: Vec<Move> = moves.iter().copied().filter(|mv| san.fits(*mv)).collect();
        match fitting.as_slice() {
            [] => Err(MoveError::Illegal(excerpt(text))),
            [mv] => Ok(*mv),
            several => {
                let names: Vec<String> =
                    several.iter().map(|mv| self.san_without_check(*mv, &moves)).collect();
                Err(MoveError::Ambiguous { text: excerpt(text), candidates: names.join(" or ") })
            }
        }
    }

    /// Writes a line of moves from this position in standard algebraic notation with move numbers. It
    /// stops before the first illegal move.
    ///
    /// ```
    /// use cassius_chess::Position;
    ///
    /// let mut position = Position::default();
    /// let line = position.parse_line("e2e4 e7e5 g1f3")?;
    /// assert_eq!(position.line_to_san(&line), "1. e4 e5 2. Nf3");
    /// cassius_search::Game::play(&mut position, line[0]);
    /// assert_eq!(position.line_to_san(&line[1..]), "1... e5 2. Nf3");
    /// # Ok::<(), cassius_chess::notation::MoveError>(())
    /// ```
    pub fn line_to_san(&self, line: &[Move]) -> String {
        let mut position = self.clone();
        let mut text = String::new();
        for (index, mv) in line.iter().enumerate() {
            if !position.legal_moves().contains(mv) {
                break;
            }
            if index > 0 {
                text.push(' ');
            }
            match position.turn() {
                Color::White => {
                    let _ = write!(text, "{}. ", position.fullmoves());
                }
                Color::Black if index == 0 => {
                    let _ = write!(text, "{}... ", position.fullmoves());
                }
                Color::Black => (),
            }
            text += &position.san(*mv);
            position.play(*mv);
        }
        text
    }

    /// Parses a line of moves in either notation, optionally with move numbers. The error is that of the
    /// first move that cannot be played.
    pub fn parse_line(&self, text: &str) -> Result<Vec<Move>, MoveError> {
        let mut position = self.clone();
        let mut line = Vec::new();
        for token in text.split_whitespace() {
            let token = without_number(token);
            if token.is_empty() {
                continue;
            }
            let mv = position.parse_move(token)?;
            position.play(mv);
            line.push(mv);
        }
        Ok(line)
    }
}

/// Returns a token without a leading move number: `12.Nf3` becomes `Nf3`, `12...` becomes empty. `0000`,
/// the null move of UCI, is not a number.
pub(crate) fn without_number(token: &str) -> &str {
    if token == "0000" {
        return token;
    }
    let rest = token.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < token.len() && (rest.is_empty() || rest.starts_with('.')) {
        rest.trim_start_matches('.')
    } else {
        token.trim_start_matches('.')
    }
}

/// The parsed text of a move.
enum San {
    Castling(CastlingSide),
    Normal { role: Role, file: Option<File>, rank: Option<Rank>, to: Square, promotion: Option<Role> },
}

impl San {
    fn read(text: &str) -> Option<San> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let text = text.strip_suffix("e.p.").unwrap_or(text).trim_end();
        match text {
            "O-O" | "0-0" | "o-o" => return Some(San::Castling(CastlingSide::KingSide)),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(San::Castling(CastlingSide::QueenSide)),
            _ => (),
        }
        let mut rest: Vec<char> =
            text.chars().filter(|c| !matches!(c, 'x' | ':' | '-' | '=' | '(' | ')' | '/')).collect();
        if rest.len() > 7 {
            return None;
        }
        let piece =
            |c: char| if c.is_ascii_uppercase() { Role::from_char(c.to_ascii_lowercase()) } else { None };
        let role = match rest.first().copied().and_then(piece) {
            Some(role) => {
                rest.remove(0);
                role
            }
            None => Role::Pawn,
        };
        let promotion = match rest.last().copied() {
            Some(c) if role == Role::Pawn && rest.len() > 2 => {
                // Lower case is accepted too, but "b" alone would be a file.
                match Role::from_char(c.to_ascii_lowercase()) {
                    Some(role) => {
                        rest.pop();
                        Some(role)
                    }
                    None => None,
                }
            }
            _ => None,
        };
        let to =
            Square::from_coords(File::from_char(*rest.iter().nth_back(1)?)?, Rank::from_char(rest.pop()?)?);
        rest.pop();
        let (mut file, mut rank) = (None, None);
        for c in rest {
            if let (Some(found), None, None) = (File::from_char(c), file, rank) {
                file = Some(found);
            } else if let (Some(found), None) = (Rank::from_char(c), rank) {
                rank = Some(found);
            } else {
                return None;
            }
        }
        Some(San::Normal { role, file, rank, to, promotion })
    }

    fn fits(&self, mv: Move) -> bool {
        match *self {
            San::Castling(side) => mv.castling_side() == Some(side),
            San::Normal { role, file, rank, to, promotion } => {
                !mv.is_castling()
                    && mv.role() == role
                    && mv.to() == to
                    && mv.promotion() == promotion
                    && file.is_none_or(|file| mv.from().file() == file)
                    && rank.is_none_or(|rank| mv.from().rank() == rank)
                    // A capture by a pawn is written with the pawn's file.
                    && (role != Role::Pawn || file.is_some() || !mv.is_capture())
            }
        }
    }
}
