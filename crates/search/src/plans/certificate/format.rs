//! The common parts of the two file formats of a certificate: the order of positions, the syntax of
//! numbers and names, and the errors of invalid files.
//!
//! Both formats are described at [`FormatError`], where readers of the documentation find them.

use super::{Certificate, Name, Step};
use crate::alpha_beta::MAX_PLY;
use crate::depth::Depth;
use crate::score::Score;
use std::fmt;

/// The beginning of every certificate.
pub const MAGIC: &str = "cassius certificate";
/// The current version of the format. Version 1 can be read too.
pub const VERSION: u8 = 2;

/// Why a file is not a certificate, and the place of the error.
///
/// # The text
///
/// Version 2 of the text has one line for each item of the head. The plans follow, one position a line,
/// each position before those that follow it:
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
/// | `margin:` | δ, in units of the evaluation; above 0 |
/// | `safety:` | S(0), S(1), … in 240ths of a ply of one side; the last entry applies beyond the end |
/// | | no entry is less than the one before it, or above 240 |
/// | `value:` | v for the side to move, in units of the evaluation |
/// | `at least, depth:` | a plan of the side to move for at least v; its depth in 240ths, or `certain` |
/// | `at most, depth:` | a plan of the other side for at most v; its depth in the same units |
/// | `! MOVE OPTION …` | the owner of the plan plays MOVE; as many *options* as the depth needs |
/// | `? MOVE …` | all moves of the other side; the positions after them follow in this order |
/// | `. VALUE DEPTH` | a line ends: static value for the owner, depth in 240ths |
/// | `# VALUE` | a line is over: its value for the owner |
/// | `= NUMBER` | the plan continues as from an earlier position of the same plan, see below |
///
/// A line has at most 200 plies.
///
/// Options are other moves that hold the value. A line is over (`#`) at the end of the game, at a draw,
/// and where losing at once would still hold the value. If the game is a tree that is written out, a
/// node without children is the end of the game if it is marked with `!`. Without the mark, the line
/// ends there by the static value.
///
/// Moves have the names that the game gives them, without white space. Every certificate ends with
/// `end`.
///
/// # What lines share
///
/// A plan is a tree. A position that several lines reach occurs once for each of them. Instead of
/// repeating it, `= NUMBER` may refer to an earlier position of the same plan that has moves (`!` or
/// `?`) and is not on the way to the reference. Positions are the lines of the plan, counted from 1;
/// references count too. The file stands for the plan in which that position, and everything that
/// follows it, is written out once more in the place of the reference. A reader may do exactly that, and
/// needs to understand nothing else. This has three consequences. A draw by repetition depends on the
/// line that is followed, not on what came before the position elsewhere. The values of ends are the
/// same; for wins and losses this is only the case after the same number of moves. Depths are those of
/// the line: the plan's depth is that of its least safe line, whether that is written out or not. The
/// DEPTH at the end of a line is that of the line on which it is written.
///
/// # The same as JSON
///
/// Version 2 of the JSON format has the same content in the same units and the same order. A plan is an
/// array of its positions, not a tree of objects, so that the nesting does not grow with the length of
/// lines. Only the order of the positions matters, not their layout:
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
/// | `at least, depth: 120` | `"at_least": {"depth": 120, …}` |
/// | `at most, depth: certain` | `"at_most": {"depth": "certain", …}` |
/// | `! MOVE OPTION …` | `{"move": MOVE, "options": [OPTION, …]}` |
/// | `? MOVE …` | `{"replies": [MOVE, …]}` |
/// | `. VALUE DEPTH` | `{"value": VALUE, "depth": DEPTH}` |
/// | `# VALUE` | `{"over": VALUE}` |
/// | `= NUMBER` | `{"same": NUMBER}` |
///
/// A plan that is not shown is left out. Numbers are integers. Unknown names, and names that occur twice
/// in an object, are errors. Whatever may be left out may also be `null`.
///
/// # Version 1
///
/// Version 1 can be read, and is checked as it was defined: a node without children is always the end of
/// the game, with or without a mark, and there are no references. Otherwise the versions are the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// The place of the error.
    pub place: Place,
    /// The kind of error.
    pub problem: FormatProblem,
    /// The moves that lead to the position with the error; empty if the error is in the head.
    pub moves: Vec<Name>,
}

/// A place in the file of a certificate. Everything is counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A line of the text.
    Line(usize),
    /// A place near this line and column of the JSON.
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
        /// The number of the position.
        number: usize,
    },
    /// A field of the JSON's head, or of one of its plans.
    Field(&'static str),
}

/// The kinds of errors in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatProblem {
    /// The file does not begin like a certificate.
    NoCertificate,
    /// The version is not known.
    Version(String),
    /// Something else was expected here.
    Expected(&'static str),
    /// The file, or a plan in it, ends too early.
    Ends,
    /// The word is not a number, or the number is out of range.
    Number(String),
    /// A line has more moves than any search allows.
    TooLong,
    /// There is something after the end.
    GoesOn,
    /// The text is not valid JSON, or it has names, or values of names, that do not belong there. The
    /// message is that of the JSON library.
    Json(String),
}

impl fmt::Display for FormatProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatProblem::NoCertificate => write!(f, "expected `{MAGIC} {VERSION}`"),
            FormatProblem::Version(version) => {
                write!(f, "version `{version}` is not known; known versions are 1 to {VERSION}")
            }
            FormatProblem::Expected(what) => write!(f, "expected {what}"),
            FormatProblem::Ends => f.write_str("the certificate ends here, but it is incomplete"),
            FormatProblem::Number(text) => write!(f, "`{text}` is not a number or is out of range"),
            FormatProblem::TooLong => write!(f, "the line is longer than {MAX_PLY} plies"),
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

/// A position of a plan as it appears in a file. The entries after it are the positions that follow.
#[derive(Debug)]
pub enum Entry {
    /// The owner of the plan is to move.
    Own {
        /// The move of the owner.
        mv: Name,
        /// Other moves that hold the value.
        options: Vec<Name>,
    },
    /// The other side is to move: all of its moves.
    Other(Vec<Name>),
    /// A line ends by a static value.
    Leaf {
        /// The static value for the owner of the plan.
        value: Score,
        /// The sum of S over the options along the line.
        depth: Depth,
    },
    /// A line is over.
    Over {
        /// The value for the owner of the plan.
        value: Score,
    },
    /// The plan continues as from the earlier position with this number.
    Same(usize),
}

/// Builds a plan from its positions, which `next` returns in order.
///
/// # Errors
/// Returns the errors of `next`, and an error if a line is longer than any search allows. `moves` must
/// be empty at first; after an error it leads to the position with the error.
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

/// Returns a text of the head as it is written in a file: on one line, with single spaces.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads a score.
///
/// # Errors
/// If the word is not a score.
pub fn score(word: &str) -> Result<Score, FormatProblem> {
    let number = word.parse().ok().filter(|number| (-Score::INFINITE.0..=Score::INFINITE.0).contains(number));
    number.map(Score).ok_or_else(|| FormatProblem::Number(word.into()))
}

/// Reads a depth that is not certain.
///
/// # Errors
/// If the word is not such a depth.
pub fn depth(word: &str) -> Result<Depth, FormatProblem> {
    let number = word.parse().ok().filter(|number: &i32| (0..Depth::CERTAIN.0).contains(number));
    number.map(Depth).ok_or_else(|| FormatProblem::Number(word.into()))
}

/// Reads S, which has at least one entry.
///
/// # Errors
/// If there is no entry, or if one of them is not a depth.
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
/// If the version is not known.
pub fn version(word: &str) -> Result<u8, FormatProblem> {
    let number = word.parse().ok().filter(|number| (1..=VERSION).contains(number));
    number.ok_or_else(|| FormatProblem::Version(word.into()))
}

/// Returns a certificate that has only these items so far, without terms and plans.
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
