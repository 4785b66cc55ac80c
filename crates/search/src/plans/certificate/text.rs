//! Reads and writes certificates as text. The format is described at [`FormatError`].

use super::format::{Entry, MAGIC, assemble, depth, head, one_line, safety, score, version};
use super::{Certificate, FormatError, FormatProblem, Name, Place, Plan, Step};
use crate::depth::Depth;
use std::fmt::{self, Write as _};
use std::str::{FromStr, Lines};

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MAGIC} {}", self.version)?;
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
                plan.root.positions().try_for_each(|step| write_position(step, f))?;
            }
        }
        writeln!(f, "end")
    }
}

fn write_position(step: &Step, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match step {
        Step::Own { mv, options, .. } => {
            write!(f, "! {mv}")?;
            options.iter().try_for_each(|option| write!(f, " {option}"))?;
            f.write_char('\n')
        }
        Step::Other(replies) => {
            f.write_char('?')?;
            replies.iter().try_for_each(|(mv, _)| write!(f, " {mv}"))?;
            f.write_char('\n')
        }
        Step::Leaf { value, depth } => writeln!(f, ". {} {}", value.0, depth.0),
        Step::Over { value } => writeln!(f, "# {}", value.0),
        Step::Same(number) => writeln!(f, "= {number}"),
    }
}

impl FromStr for Certificate {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Certificate, FormatError> {
        let mut reader = Reader { lines: text.lines(), line: 0 };
        let mut moves = Vec::new();
        reader.certificate(&mut moves).map_err(|problem| FormatError {
            place: Place::Line(reader.line),
            problem,
            moves,
        })
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
    /// The number of the line that was read last.
    line: usize,
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

    fn certificate(&mut self, moves: &mut Vec<Name>) -> Result<Certificate, FormatProblem> {
        let first = self.next().map_err(|_| FormatProblem::NoCertificate)?;
        let version = version(first.strip_prefix(MAGIC).ok_or(FormatProblem::NoCertificate)?.trim())?;
        let (game, position) = (self.field("game")?, self.field("position")?);
        let mut certificate = head(version, game, position, self.field("values")?);
        certificate.margin = score(self.field("margin")?)?;
        certificate.safety = safety(self.field("safety")?.split_whitespace())?;
        certificate.value = score(self.field("value")?)?;
        let mut line = self.next()?;
        for (name, plan) in
            [("at least, depth:", &mut certificate.at_least), ("at most, depth:", &mut certificate.at_most)]
        {
            if let Some(stated) = line.strip_prefix(name) {
                let depth = match stated.trim() {
                    "certain" => Depth::CERTAIN,
                    number => depth(number)?,
                };
                *plan = Some(Plan { depth, root: assemble(&mut || self.position(), moves)? });
                line = self.next()?;
            }
        }
        if line != "end" {
            return Err(FormatProblem::Expected(
                "`at least, depth:`, `at most, depth:` or `end`, each once and in this order",
            ));
        }
        while let Ok(line) = self.next() {
            if !line.is_empty() {
                return Err(FormatProblem::GoesOn);
            }
        }
        Ok(certificate)
    }

    fn position(&mut self) -> Result<Entry, FormatProblem> {
        let mut words = self.next()?.split_whitespace();
        let entry = match words.next() {
            Some("!") => {
                let mv = words.next().ok_or(FormatProblem::Expected("a move after `!`"))?.into();
                Entry::Own { mv, options: words.by_ref().map(Name::from).collect() }
            }
            Some("?") => Entry::Other(words.by_ref().map(Name::from).collect()),
            Some(".") => {
                let mut word = || words.next().ok_or(FormatProblem::Expected("`. VALUE DEPTH`"));
                Entry::Leaf { value: score(word()?)?, depth: depth(word()?)? }
            }
            Some("#") => {
                let word = words.next().ok_or(FormatProblem::Expected("`# VALUE`"))?;
                Entry::Over { value: score(word)? }
            }
            Some("=") => {
                let word = words.next().ok_or(FormatProblem::Expected("`= NUMBER`"))?;
                Entry::Same(word.parse().map_err(|_| FormatProblem::Number(word.into()))?)
            }
            _ => return Err(FormatProblem::Expected("a position: a line that begins with !, ?, ., # or =")),
        };
        match words.next() {
            None => Ok(entry),
            Some(_) => Err(FormatProblem::Expected("the end of the line")),
        }
    }
}
