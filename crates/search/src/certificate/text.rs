//! Certificates as text.
//!
//! The form is described at [`FormatError`], where readers of the documentation find it.

use super::{Certificate, Name, Plan, Step};
use crate::{Depth, MAX_PLY, Score};
use std::fmt::{self, Write as _};
use std::str::{FromStr, Lines};

const MAGIC: &str = "cassius certificate";
const VERSION: &str = "1";

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(f, "{MAGIC} {VERSION}")?;
        writeln!(f, "game: {}", one_line(&self.game))?;
        writeln!(f, "position: {}", one_line(&self.position))?;
        writeln!(f, "values: {}", one_line(&self.values))?;
        writeln!(f, "margin: {}", self.margin.0)?;
        f.write_str("safety:")?;
        self.safety.iter().try_for_each(|depth| write!(f, " {}", depth.0))?;
        writeln!(f, "\nvalue: {}", self.value.0)?;
        for (name, plan) in [("at least", &self.at_least), ("at most", &self.at_most)] {
            if let Some(plan) = plan {
                match plan.depth {
                    Depth::CERTAIN => writeln!(f, "{name}, depth: certain")?,
                    depth => writeln!(f, "{name}, depth: {}", depth.0)?,
                }
                write_step(&plan.root, f)?;
            }
        }
        writeln!(f, "end")
    }
}

fn write_step(step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match step {
        Step::Own { mv, options, next } => {
            write!(f, "! {mv}")?;
            options.iter().try_for_each(|option| write!(f, " {option}"))?;
            f.write_char('\n')?;
            write_step(next, f)
        }
        Step::Other(replies) => {
            f.write_char('?')?;
            replies.iter().try_for_each(|(mv, _)| write!(f, " {mv}"))?;
            f.write_char('\n')?;
            replies.iter().try_for_each(|(_, next)| write_step(next, f))
        }
        Step::Leaf { value, depth } => writeln!(f, ". {} {}", value.0, depth.0),
        Step::Over { value } => writeln!(f, "# {}", value.0),
    }
}

/// Why a text is not a certificate, and in which line, counted from 1.
///
/// Version 1 of the text has a line for each thing that it is about, then the plans, position by position, each before what comes
/// after it:
///
/// ```text
/// cassius certificate 1
/// game: tree
/// position: A:0(B:1(E:0 F:1) C:0)
/// values: written at the nodes
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
///
/// Moves are called what the game calls them, without white space. Every certificate ends with `end`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    /// The line.
    pub line: usize,
    /// What is wrong with it.
    pub problem: FormatProblem,
    /// The moves that lead to the position that it is about; empty in the head.
    pub moves: Vec<Name>,
}

/// What can be wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatProblem {
    /// The text does not begin as a certificate does.
    NoCertificate,
    /// A version that is not known here.
    Version(String),
    /// Another line is expected.
    Expected(&'static str),
    /// The text ends too early.
    Ends,
    /// Not a number, or one out of range.
    Number(String),
    /// More moves than any line of a search has.
    TooLong,
    /// There is something after the end.
    GoesOn,
}

impl fmt::Display for FormatProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatProblem::NoCertificate => write!(f, "expected `{MAGIC} {VERSION}`"),
            FormatProblem::Version(version) => {
                write!(f, "version `{version}` is not known, only {VERSION} is")
            }
            FormatProblem::Expected(what) => write!(f, "expected {what}"),
            FormatProblem::Ends => f.write_str("the certificate ends here, before its end"),
            FormatProblem::Number(text) => write!(f, "`{text}` is not a number, or too large"),
            FormatProblem::TooLong => write!(f, "longer than {MAX_PLY} plies"),
            FormatProblem::GoesOn => f.write_str("there is more after the end"),
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if !self.moves.is_empty() {
            write!(f, ", after {}", self.moves.join(" "))?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for FormatError {}

impl FromStr for Certificate {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Certificate, FormatError> {
        let mut reader = Reader { lines: text.lines(), line: 0, moves: Vec::new() };
        match reader.certificate() {
            Ok(certificate) => Ok(certificate),
            Err(problem) => Err(FormatError { line: reader.line, problem, moves: reader.moves }),
        }
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
    /// The number of the line read last.
    line: usize,
    /// The moves that lead to the present position.
    moves: Vec<Name>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<&'a str, FormatProblem> {
        self.line += 1;
        self.lines.next().map(str::trim).ok_or(FormatProblem::Ends)
    }

    fn field(&mut self, name: &'static str) -> Result<&'a str, FormatProblem> {
        let line = self.next()?;
        let field = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(':'));
        field.map(str::trim).ok_or(FormatProblem::Expected(name))
    }

    fn certificate(&mut self) -> Result<Certificate, FormatProblem> {
        let first = self.next().map_err(|_| FormatProblem::NoCertificate)?;
        let version = first.strip_prefix(MAGIC).ok_or(FormatProblem::NoCertificate)?.trim();
        if version != VERSION {
            return Err(FormatProblem::Version(version.into()));
        }
        let mut certificate = Certificate {
            game: self.field("game")?.into(),
            position: self.field("position")?.into(),
            values: self.field("values")?.into(),
            margin: score(self.field("margin")?)?,
            safety: self.field("safety")?.split_whitespace().map(depth).collect::<Result<_, _>>()?,
            value: score(self.field("value")?)?,
            at_least: None,
            at_most: None,
        };
        if certificate.safety.is_empty() {
            return Err(FormatProblem::Expected("S(0) after safety:"));
        }
        let mut line = self.next()?;
        for (name, plan) in
            [("at least, depth:", &mut certificate.at_least), ("at most, depth:", &mut certificate.at_most)]
        {
            if let Some(stated) = line.strip_prefix(name) {
                let depth = match stated.trim() {
                    "certain" => Depth::CERTAIN,
                    number => depth(number)?,
                };
                *plan = Some(Plan { depth, root: self.step()? });
                line = self.next()?;
            }
        }
        if line != "end" {
            return Err(FormatProblem::Expected(
                "`at least, depth:`, `at most, depth:` or `end`, each once and in this order",
            ));
        }
        match self.lines.find(|line| !line.trim().is_empty()) {
            None => Ok(certificate),
            Some(_) => {
                self.line += 1;
                Err(FormatProblem::GoesOn)
            }
        }
    }

    fn step(&mut self) -> Result<Step, FormatProblem> {
        if self.moves.len() > MAX_PLY {
            return Err(FormatProblem::TooLong);
        }
        let line = self.next()?;
        let mut words = line.split_whitespace();
        let step = match words.next() {
            Some("!") => {
                let mv: Name = words.next().ok_or(FormatProblem::Expected("a move after `!`"))?.into();
                let options = words.by_ref().map(Name::from).collect();
                let next = Box::new(self.after(&mv)?);
                Step::Own { mv, options, next }
            }
            Some("?") => {
                let replies: Vec<Name> = words.by_ref().map(Name::from).collect();
                let replies = replies.into_iter().map(|mv| {
                    let next = self.after(&mv)?;
                    Ok((mv, next))
                });
                Step::Other(replies.collect::<Result<_, _>>()?)
            }
            Some(".") => {
                let mut word = || words.next().ok_or(FormatProblem::Expected("`. VALUE DEPTH`"));
                Step::Leaf { value: score(word()?)?, depth: depth(word()?)? }
            }
            Some("#") => {
                let word = words.next().ok_or(FormatProblem::Expected("`# VALUE`"))?;
                Step::Over { value: score(word)? }
            }
            _ => return Err(FormatProblem::Expected("a position: a line that begins with !, ?, . or #")),
        };
        match words.next() {
            None => Ok(step),
            Some(_) => Err(FormatProblem::Expected("nothing more in this line")),
        }
    }

    /// What follows a move.
    fn after(&mut self, mv: &Name) -> Result<Step, FormatProblem> {
        self.moves.push(mv.clone());
        let step = self.step()?;
        self.moves.pop();
        Ok(step)
    }
}

fn score(word: &str) -> Result<Score, FormatProblem> {
    let number = word.parse().ok().filter(|number| (-Score::INFINITE.0..=Score::INFINITE.0).contains(number));
    number.map(Score).ok_or_else(|| FormatProblem::Number(word.into()))
}

fn depth(word: &str) -> Result<Depth, FormatProblem> {
    let number = word.parse().ok().filter(|number: &i32| (0..Depth::CERTAIN.0).contains(number));
    number.map(Depth).ok_or_else(|| FormatProblem::Number(word.into()))
}
