//! What the two forms of a certificate's file have in common: the order of positions, what numbers and names may be, and what
//! is said about a file that is none.
//!
//! Both forms are described at [`FormatError`], where readers of the documentation find them.

use super::{Certificate, Name, Step};
use crate::{Depth, MAX_PLY, Score};
use std::fmt;

/// What every certificate begins with …
pub const MAGIC: &str = "cassius certificate";
/// … and the version of its form. Version 1 is read too.
pub const VERSION: u8 = 2;

/// Why a file is not a certificate, and where.
///
/// # The text
///
/// Version 2 of the text has a line for each thing that it is about, then the plans, position by position, each before what comes
/// after it:
///
/// ```text
/// cassius certificate 2
/// game: tree
/// position: A:0(B:1(E:0 F:1) C:0)
/// values: the game's own
/// margin: 1
/// safety: 0 120 240
/// value: 0
/// at least, depth: 120
/// ! C B
/// . 0 120
/// end
/// ```
///
/// | line | meaning |
/// |---|---|
/// | `margin:` | δ, in units of the evaluation |
/// | `safety:` | S(0), S(1), … in 240ths of a ply of one side; beyond the end, the last one |
/// | `value:` | v for the side to move, in units of the evaluation |
/// | `at least, depth:`, `at most, depth:` | a plan of the side to move for at least v, of the other side for at most v; its depth in 240ths, or `certain` |
/// | `! MOVE OPTION …` | the owner of the plan plays MOVE; the options he had |
/// | `? MOVE …` | all moves of the other side; what follows each, in this order |
/// | `. VALUE DEPTH` | a line ends: static value for the owner, depth in 240ths |
/// | `# VALUE` | a line is over: its value for the owner |
/// | `= NUMBER` | the plan goes on as from the position with this number, of the same plan, from 1; see below |
///
/// A line is over with the game, by a draw, and where losing at once would still hold the value. A node without children of a tree that is written out
/// is the end of the game if it is marked with `!`; without the mark the line ends there by the static value.
///
/// Moves are called what the game calls them, without white space. Every certificate ends with `end`.
///
/// # What lines share
///
/// A plan is a tree, in which a position that several lines reach stands once for each. Instead, `= NUMBER` may refer to a position of the same plan that stands before, has
/// moves (`!` or `?`) and is not on the way here; positions are the plan's lines, counted from 1, references among them. The file means
/// the plan in which that position, and all that comes after it, is written out once more in the place of the reference: whoever reads it may do that, and
/// nothing else needs to be understood. So a draw by repetition is one on the line that is followed, whatever came before elsewhere; values of ends are
/// the same, which those of wins and losses only are after as many moves; and depths are those of the line: the
/// plan's is that of its least safe line, written out or not, and only DEPTH at the end of a line that is written out is that of the line on which it stands.
///
/// # The same as JSON
///
/// Version 2 of the JSON says the same in the same units and the same order. A plan is an array of its positions, not a tree of
/// objects, so that no reader has to nest as deep as a line is long; only the order of the positions means anything, their
/// layout nothing:
///
/// ```json
/// {
///   "format": "cassius certificate",
///   "version": 2,
///   "game": "tree",
///   "position": "A:0(B:1(E:0 F:1) C:0)",
///   "values": "the game's own",
///   "margin": 1,
///   "safety": [0, 120, 240],
///   "value": 0,
///   "at_least": {
///     "depth": 120,
///     "positions": [
///       {"move": "C", "options": ["B"]},
///       {"value": 0, "depth": 120}
///     ]
///   }
/// }
/// ```
///
/// | text | JSON |
/// |---|---|
/// | `at least, depth: 120`, `at most, depth: certain` | `"at_least": {"depth": 120, …}`, `"at_most": {"depth": "certain", …}`; a plan that is not shown is left out |
/// | `! MOVE OPTION …` | `{"move": MOVE, "options": [OPTION, …]}` |
/// | `? MOVE …` | `{"replies": [MOVE, …]}` |
/// | `. VALUE DEPTH` | `{"value": VALUE, "depth": DEPTH}` |
/// | `# VALUE` | `{"over": VALUE}` |
/// | `= NUMBER` | `{"same": NUMBER}` |
///
/// Numbers are whole. A name that is not known here, or that stands twice in an object, is refused; what may be left out may also be `null`.
///
/// # Version 1
///
/// Version 1 is read, and checked as it was meant: there a node without children is the end of the game, marked or not, and there are no references.
/// In everything else version 2 is the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// Where.
    pub place: Place,
    /// What is wrong there.
    pub problem: FormatProblem,
    /// The moves that lead to the position that it is about; empty in the head.
    pub moves: Vec<Name>,
}

/// A place in the file of a certificate; everything is counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A line of the text.
    Line(usize),
    /// Near a line and a column of the JSON.
    Column {
        /// The line.
        line: usize,
        /// The column, in bytes.
        column: usize,
    },
    /// A position of a plan in the JSON.
    Position {
        /// `at_least` or `at_most`.
        plan: &'static str,
        /// Which one of its positions.
        number: usize,
    },
    /// A field of the JSON's head, or of a plan's.
    Field(&'static str),
}

/// What can be wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatProblem {
    /// The file does not begin as a certificate does.
    NoCertificate,
    /// A version that is not known here.
    Version(String),
    /// Something else is expected.
    Expected(&'static str),
    /// The file, or a plan in it, ends too early.
    Ends,
    /// Not a number, or one out of range.
    Number(String),
    /// More moves than any line of a search has.
    TooLong,
    /// There is something after the end.
    GoesOn,
    /// Not JSON, or names, or values of names, that do not belong there: in the words of the JSON library.
    Json(String),
}

impl fmt::Display for FormatProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatProblem::NoCertificate => write!(f, "expected `{MAGIC} {VERSION}`"),
            FormatProblem::Version(version) => {
                write!(f, "version `{version}` is not known, only 1 to {VERSION} are")
            }
            FormatProblem::Expected(what) => write!(f, "expected {what}"),
            FormatProblem::Ends => f.write_str("the certificate ends here, before its end"),
            FormatProblem::Number(text) => write!(f, "`{text}` is not a number, or too large"),
            FormatProblem::TooLong => write!(f, "longer than {MAX_PLY} plies"),
            FormatProblem::GoesOn => f.write_str("there is more after the end"),
            FormatProblem::Json(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Column { line, column } => write!(f, "line {line}, column {column}"),
            Place::Position { plan, number } => write!(f, "{plan}, position {number}"),
            Place::Field(name) => write!(f, "{name}"),
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place)?;
        if !self.moves.is_empty() {
            write!(f, ", after {}", self.moves.join(" "))?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for FormatError {}

/// A position of a plan as a file has it: what comes after it is in the next ones.
#[derive(Debug)]
pub enum Entry {
    /// The owner of the plan moves.
    Own {
        /// What he plays.
        mv: Name,
        /// What he could have played instead.
        options: Vec<Name>,
    },
    /// The other side moves: all its moves.
    Other(Vec<Name>),
    /// A line ends.
    Leaf {
        /// Static value for the owner of the plan.
        value: Score,
        /// S of the options along the line.
        depth: Depth,
    },
    /// A line is over.
    Over {
        /// The value for the owner of the plan.
        value: Score,
    },
    /// The plan goes on as from an earlier position.
    Same(usize),
}

/// Puts a plan together from its positions in order.
///
/// # Errors
/// Those of `next`, and lines that are longer than any search; `moves`, empty at first, lead to where it is then.
pub fn assemble(
    next: &mut impl FnMut() -> Result<Entry, FormatProblem>,
    moves: &mut Vec<Name>,
) -> Result<Step, FormatProblem> {
    if moves.len() > MAX_PLY {
        return Err(FormatProblem::TooLong);
    }
    let entry = next()?;
    let mut after = |mv: &Name| {
        moves.push(mv.clone());
        let step = assemble(&mut *next, moves)?;
        moves.pop();
        Ok(step)
    };
    Ok(match entry {
        Entry::Own { mv, options } => Step::Own { next: Box::new(after(&mv)?), mv, options },
        Entry::Other(replies) => {
            let replies = replies.into_iter().map(|mv| after(&mv).map(|next| (mv, next)));
            Step::Other(replies.collect::<Result<_, _>>()?)
        }
        Entry::Leaf { value, depth } => Step::Leaf { value, depth },
        Entry::Over { value } => Step::Over { value },
        Entry::Same(number) => Step::Same(number),
    })
}

/// The texts of the head as a file has them: on one line, with single spaces.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a score.
///
/// # Errors
/// If it is none.
pub fn score(word: &str) -> Result<Score, FormatProblem> {
    let number = word.parse().ok().filter(|number| (-Score::INFINITE.0..=Score::INFINITE.0).contains(number));
    number.map(Score).ok_or_else(|| FormatProblem::Number(word.into()))
}

/// Reads a depth that is not certain.
///
/// # Errors
/// If it is none.
pub fn depth(word: &str) -> Result<Depth, FormatProblem> {
    let number = word.parse().ok().filter(|number: &i32| (0..Depth::CERTAIN.0).contains(number));
    number.map(Depth).ok_or_else(|| FormatProblem::Number(word.into()))
}

/// Reads S, which has a beginning.
///
/// # Errors
/// If there is none, or a number is no depth.
pub fn safety<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<Depth>, FormatProblem> {
    let safety = words.map(depth).collect::<Result<Vec<_>, _>>()?;
    match safety.is_empty() {
        true => Err(FormatProblem::Expected("S(0) after safety:")),
        false => Ok(safety),
    }
}

/// Reads a version.
///
/// # Errors
/// If it is not known.
pub fn version(word: &str) -> Result<u8, FormatProblem> {
    let number = word.parse().ok().filter(|number| (1..=VERSION).contains(number));
    number.ok_or_else(|| FormatProblem::Version(word.into()))
}

/// A certificate of which only this is known as yet: no terms, and no plans.
pub fn head(version: u8, game: &str, position: &str, values: &str) -> Certificate {
    Certificate {
        version,
        game: one_line(game),
        position: one_line(position),
        values: one_line(values),
        margin: Score(0),
        safety: Vec::new(),
        value: Score(0),
        at_least: None,
        at_most: None,
    }
}
