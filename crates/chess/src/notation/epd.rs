//! Extended position descriptions: a position with operations such as `bm Nf3; id "WAC.001";`.

use super::read_line;
use super::{FenError, MoveError, excerpt};
use crate::moves::Move;
use crate::position::Position;
use std::fmt;
use std::io::{self, BufRead};
use std::str::FromStr;
use thiserror::Error;

/// An operation: its name and its operands, without quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The name: `bm`, `id`, `c0` …
    pub opcode: String,
    /// The operands.
    pub operands: Vec<String>,
}

/// A position with operations.
///
/// ```
/// use cassius_chess::notation::Epd;
///
/// let line = r#"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";"#;
/// let epd: Epd = line.parse()?;
/// assert_eq!(epd.id(), Some("WAC.001"));
/// assert_eq!(epd.position.san(epd.best[0]), "Qg6");
///
/// let error = "8/8/8/8/8/4k3/8/4K2R w - - bm Rh9;".parse::<Epd>().unwrap_err();
/// assert_eq!(error.to_string(), "bm: 'Rh9' is not a move");
/// # Ok::<(), cassius_chess::notation::EpdError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Epd {
    /// The position.
    pub position: Position,
    /// `bm`: the best moves. Empty if the operation is missing.
    pub best: Vec<Move>,
    /// `am`: moves to avoid.
    pub avoid: Vec<Move>,
    /// `dm`, or `bm #N`: mate in this many moves, negative if the side to move is mated.
    pub mate: Option<i32>,
    /// All operations in order, including those above.
    pub operations: Vec<Operation>,
}

/// The reason why a line is not an EPD.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EpdError {
    /// The position cannot be read.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A move of `bm` or `am` cannot be played.
    #[error("{opcode}: {error}")]
    Move {
        /// `bm` or `am`.
        opcode: String,
        /// The reason.
        error: MoveError,
    },
    /// An operand should be a number.
    #[error("{opcode}: number expected, '{found}' found")]
    Number {
        /// `dm`, `hmvc` or `fmvn`.
        opcode: String,
        /// What was found.
        found: String,
    },
    /// A mate in 0 moves cannot be found.
    #[error("{opcode}: a mate takes at least one move")]
    NoMate {
        /// `dm` or `bm`.
        opcode: String,
    },
    /// An operation does not start with a name.
    #[error("name of an operation expected, '{0}' found")]
    Opcode(String),
    /// A quote is not closed.
    #[error("{0}: closing quote missing")]
    Quote(String),
}

impl Epd {
    /// Returns the operands of an operation.
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        self.operations.iter().find(|op| op.opcode == opcode).map(|op| op.operands.as_slice())
    }

    /// Returns the first operand of an operation: the text of a comment `c0`, for example.
    pub fn text(&self, opcode: &str) -> Option<&str> {
        self.operands(opcode)?.first().map(String::as_str)
    }

    /// Returns the operand of `id`: the name of the position.
    pub fn id(&self) -> Option<&str> {
        self.text("id")
    }

    fn apply(&mut self, operation: &Operation) -> Result<(), EpdError> {
        let Operation { opcode, operands } = operation;
        let number = |found: &str| {
            found
                .parse::<i32>()
                .map_err(|_| EpdError::Number { opcode: opcode.clone(), found: excerpt(found) })
        };
        let mate = |found: &str| match number(found)? {
            0 => Err(EpdError::NoMate { opcode: opcode.clone() }),
            moves => Ok(moves),
        };
        match opcode.as_str() {
            "bm" | "am" => {
                for operand in operands {
                    if let Some(moves) = operand.strip_prefix('#') {
                        self.mate = Some(mate(moves)?);
                        continue;
                    }
                    let mv = self
                        .position
                        .parse_move(operand)
                        .map_err(|error| EpdError::Move { opcode: opcode.clone(), error })?;
                    if opcode == "bm" { &mut self.best } else { &mut self.avoid }.push(mv);
                }
            }
            "dm" => {
                if let Some(operand) = operands.first() {
                    self.mate = Some(mate(operand)?);
                }
            }
            _ => (),
        }
        Ok(())
    }
}

impl FromStr for Epd {
    type Err = EpdError;

    /// Parses four fields of a FEN and operations. The two clocks may stand between them, as they do in
    /// lists of FENs.
    fn from_str(text: &str) -> Result<Epd, EpdError> {
        let mut rest = text.trim();
        let mut fen = String::new();
        for _ in 0..4 {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            fen += &rest[..end];
            fen.push(' ');
            rest = rest[end..].trim_start();
            if fen.trim() == "startpos" {
                break;
            }
        }
        // The clocks of a FEN.
        for _ in 0..2 {
            if rest.starts_with(|c: char| c.is_ascii_digit()) {
                let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
                fen += &rest[..end];
                fen.push(' ');
                rest = rest[end..].trim_start();
            }
        }
        let operations = read_operations(rest)?;
        // Clocks as operations, if the fields do not include them.
        if fen.split_whitespace().count() == 4 {
            for (opcode, default) in [("hmvc", "0"), ("fmvn", "1")] {
                let operation = operations.iter().find(|op| op.opcode == opcode);
                let value = operation.and_then(|op| op.operands.first()).map_or(default, String::as_str);
                if value.parse::<u16>().is_err() {
                    return Err(EpdError::Number { opcode: opcode.into(), found: excerpt(value) });
                }
                fen += value;
                fen.push(' ');
            }
        }
        let position = fen.parse()?;
        let mut epd =
            Epd { position, best: Vec::new(), avoid: Vec::new(), mate: None, operations: Vec::new() };
        for operation in &operations {
            epd.apply(operation)?;
        }
        epd.operations = operations;
        Ok(epd)
    }
}

fn read_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
        if rest.is_empty() {
            return Ok(operations);
        }
        let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        let opcode = rest[..end].to_string();
        if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(EpdError::Opcode(excerpt(&opcode)));
        }
        rest = &rest[end..];
        let mut operands = Vec::new();
        loop {
            rest = rest.trim_start();
            if rest.is_empty() || rest.starts_with(';') {
                break;
            }
            if let Some(quoted) = rest.strip_prefix('"') {
                let end = quoted.find('"').ok_or_else(|| EpdError::Quote(excerpt(&opcode)))?;
                operands.push(quoted[..end].to_string());
                rest = &quoted[end + 1..];
            } else {
                let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
                operands.push(rest[..end].to_string());
                rest = &rest[end..];
            }
        }
        operations.push(Operation { opcode, operands });
    }
}

impl fmt::Display for Epd {
    /// Writes the four fields of the position and the operations.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.to_string();
        let fields: Vec<&str> = fen.split(' ').take(4).collect();
        f.write_str(&fields.join(" "))?;
        for Operation { opcode, operands } in &self.operations {
            write!(f, " {opcode}")?;
            for operand in operands {
                let text = !matches!(opcode.as_str(), "bm" | "am" | "dm" | "pv" | "sm" | "hmvc" | "fmvn")
                    && operand.parse::<f64>().is_err();
                if text { write!(f, " \"{operand}\"")? } else { write!(f, " {operand}")? }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

/// An error in an EPD file.
#[derive(Debug, Error)]
pub enum EpdLineError {
    /// The line is not an EPD.
    #[error("line {line}: {error}")]
    Line {
        /// The line number, counted from 1.
        line: usize,
        /// The reason.
        error: EpdError,
    },
    /// Reading the file failed.
    #[error("line {line}: cannot be read: {error}")]
    Read {
        /// The line number, counted from 1.
        line: usize,
        /// The error reported by the system.
        error: io::Error,
    },
}

/// Reads an EPD file line by line: yields the line's number with its EPD, or the error in the line.
/// Blank lines and lines starting with `#` are skipped.
///
/// ```
/// use cassius_chess::notation::EpdLines;
///
/// let file = "8/8/8/8/8/4k3/8/4K2R w - - bm Rh3+;\n\n8/8/8 w - - bm e4;\n";
/// let lines: Vec<_> = EpdLines::new(file.as_bytes()).collect();
/// assert!(matches!(&lines[0], Ok((1, epd)) if epd.best.len() == 1));
/// assert_eq!(lines[1].as_ref().unwrap_err().to_string(), "line 3: FEN board: 3 ranks, not 8");
/// ```
#[derive(Debug)]
pub struct EpdLines<R> {
    reader: R,
    line: usize,
    failed: bool,
}

impl<R: BufRead> EpdLines<R> {
    /// Creates an iterator that reads from `reader`.
    pub fn new(reader: R) -> EpdLines<R> {
        EpdLines { reader, line: 0, failed: false }
    }
}

impl<R: BufRead> Iterator for EpdLines<R> {
    type Item = Result<(usize, Epd), EpdLineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = Vec::new();
        while !self.failed {
            bytes.clear();
            self.line += 1;
            let line = self.line;
            match read_line(&mut self.reader, &mut bytes) {
                Ok(0) => self.failed = true,
                Ok(_) => {
                    let text = String::from_utf8_lossy(&bytes);
                    let text = text.trim_start_matches('\u{feff}').trim();
                    if text.is_empty() || text.starts_with('#') {
                        continue;
                    }
                    let epd = text.parse().map(|epd| (line, epd));
                    return Some(epd.map_err(|error| EpdLineError::Line { line, error }));
                }
                Err(error) => {
                    self.failed = true;
                    return Some(Err(EpdLineError::Read { line, error }));
                }
            }
        }
        None
    }
}
