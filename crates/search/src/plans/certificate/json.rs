//! Certificates as JSON. The format is described at [`FormatError`].

use super::format::{Entry, MAGIC, assemble, depth, head, one_line, safety, score, version};
use super::{Certificate, FormatError, FormatProblem, Name, Place, Plan, Step};
use crate::depth::Depth;
use serde::Deserialize;
use serde_json::{Number, Value, json};
use std::fmt::Write as _;

/// The fields that identify the format and its version.
#[derive(Deserialize)]
struct Head {
    format: Value,
    version: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: Number,
    game: String,
    position: String,
    values: String,
    margin: Number,
    safety: Vec<Number>,
    value: Number,
    at_least: Option<PlanDocument>,
    at_most: Option<PlanDocument>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanDocument {
    depth: Value,
    positions: Vec<Position>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    #[serde(rename = "move")]
    mv: Option<Name>,
    options: Option<Vec<Name>>,
    replies: Option<Vec<Name>>,
    value: Option<Number>,
    depth: Option<Number>,
    over: Option<Number>,
    same: Option<Number>,
}

/// Returns the certificate as JSON, with one line for each position of a plan.
///
/// ```
/// use cassius_search::plans::certificate::{Certificate, from_json, to_json};
///
/// let text = "cassius certificate 2\ngame: tree\nposition: A:0(B:1 C:1)\nvalues: statics\nmargin: 1\n\
///             safety: 0 240\nvalue: 1\nat least, depth: 240\n! B C\n. 1 240\nend\n";
/// let certificate: Certificate = text.parse()?;
/// let json = to_json(&certificate);
/// assert!(json.contains(r#"{"move":"B","options":["C"]}"#));
/// assert_eq!(from_json(&json)?.to_string(), text);
/// # Ok::<(), cassius_search::plans::certificate::FormatError>(())
/// ```
pub fn to_json(certificate: &Certificate) -> String {
    let safety: Vec<i32> = certificate.safety.iter().map(|depth| depth.0).collect();
    let mut text = format!("{{\n  \"format\": \"{MAGIC}\",\n  \"version\": {}", certificate.version);
    for (name, value) in [
        ("game", json!(one_line(&certificate.game))),
        ("position", json!(one_line(&certificate.position))),
        ("values", json!(one_line(&certificate.values))),
        ("margin", json!(certificate.margin.0)),
        ("safety", json!(safety)),
        ("value", json!(certificate.value.0)),
    ] {
        let _ = write!(text, ",\n  \"{name}\": {value}");
    }
    for (name, plan) in [("at_least", &certificate.at_least), ("at_most", &certificate.at_most)] {
        let Some(plan) = plan else { continue };
        let depth = match plan.depth {
            Depth::CERTAIN => json!("certain"),
            depth => json!(depth.0),
        };
        let positions: Vec<String> = plan.root.positions().map(position).collect();
        let positions = positions.join(",\n      ");
        let _ = write!(text, ",\n  \"{name}\": {{\n    \"depth\": {depth},");
        let _ = write!(text, "\n    \"positions\": [\n      {positions}\n    ]\n  }}");
    }
    text + "\n}\n"
}

/// Reads a certificate in the format that [`to_json`] writes.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn from_json(text: &str) -> Result<Certificate, FormatError> {
    let Head { format, version: stated } = serde_json::from_str(text).map_err(at)?;
    if format != MAGIC {
        return Err(in_field("format", FormatProblem::NoCertificate));
    }
    let version = version(&stated.to_string()).map_err(|error| in_field("version", error))?;
    let found: Document = serde_json::from_str(text).map_err(at)?;
    let mut certificate = head(version, &found.game, &found.position, &found.values);
    certificate.margin = number(&found.margin, score).map_err(|error| in_field("margin", error))?;
    let entries: Vec<String> = found.safety.iter().map(Number::to_string).collect();
    let entries = safety(entries.iter().map(String::as_str));
    certificate.safety = entries.map_err(|error| in_field("safety", error))?;
    certificate.value = number(&found.value, score).map_err(|error| in_field("value", error))?;
    certificate.at_least = found.at_least.map(|plan| plan.read("at_least")).transpose()?;
    certificate.at_most = found.at_most.map(|plan| plan.read("at_most")).transpose()?;
    Ok(certificate)
}

/// Returns the JSON of one position of a plan.
fn position(step: &Step) -> String {
    match step {
        Step::Own { mv, options, .. } => format!("{{\"move\":{},\"options\":{}}}", json!(mv), json!(options)),
        Step::Other(replies) => {
            let replies: Vec<&Name> = replies.iter().map(|(mv, _)| mv).collect();
            format!("{{\"replies\":{}}}", json!(replies))
        }
        Step::Leaf { value, depth } => format!("{{\"value\":{},\"depth\":{}}}", value.0, depth.0),
        Step::Over { value } => format!("{{\"over\":{}}}", value.0),
        Step::Same(number) => format!("{{\"same\":{number}}}"),
    }
}

impl PlanDocument {
    fn read(self, plan: &'static str) -> Result<Plan, FormatError> {
        let depth = match &self.depth {
            Value::String(word) if word == "certain" => Ok(Depth::CERTAIN),
            Value::Number(number) => depth(&number.to_string()),
            _ => Err(FormatProblem::Expected("a number or \"certain\" for the depth of this plan")),
        };
        let depth = depth.map_err(|error| in_field(plan, error))?;
        let mut positions = self.positions.into_iter();
        let (mut number, mut moves) = (0, Vec::new());
        let mut next = || {
            number += 1;
            positions.next().ok_or(FormatProblem::Ends).and_then(Position::entry)
        };
        let root = assemble(&mut next, &mut moves);
        let root = root.and_then(|root| match next() {
            Err(FormatProblem::Ends) => Ok(root),
            _ => Err(FormatProblem::GoesOn),
        });
        let root =
            root.map_err(|problem| FormatError { place: Place::Position { plan, number }, problem, moves })?;
        Ok(Plan { depth, root })
    }
}

impl Position {
    fn entry(self) -> Result<Entry, FormatProblem> {
        match self {
            Position {
                mv: Some(mv),
                options: Some(options),
                replies: None,
                value: None,
                depth: None,
                over: None,
                same: None,
            } => {
                let mv = words(vec![mv])?.swap_remove(0);
                Ok(Entry::Own { mv, options: words(options)? })
            }
            Position {
                mv: None,
                options: None,
                replies: Some(replies),
                value: None,
                depth: None,
                over: None,
                same: None,
            } => Ok(Entry::Other(words(replies)?)),
            Position {
                mv: None,
                options: None,
                replies: None,
                value: Some(value),
                depth: Some(end),
                over: None,
                same: None,
            } => Ok(Entry::Leaf { value: number(&value, score)?, depth: number(&end, depth)? }),
            Position {
                mv: None,
                options: None,
                replies: None,
                value: None,
                depth: None,
                over: Some(value),
                same: None,
            } => Ok(Entry::Over { value: number(&value, score)? }),
            Position {
                mv: None,
                options: None,
                replies: None,
                value: None,
                depth: None,
                over: None,
                same: Some(same),
            } => {
                let number = same.as_u64().and_then(|number| usize::try_from(number).ok());
                number.map(Entry::Same).ok_or_else(|| FormatProblem::Number(same.to_string()))
            }
            _ => Err(FormatProblem::Expected(
                "`move` and `options`, `replies`, `value` and `depth`, `over`, or `same`, and nothing else",
            )),
        }
    }
}

/// Checks that each move name is a single word.
fn words(names: Vec<Name>) -> Result<Vec<Name>, FormatProblem> {
    match names.iter().all(|name| !name.is_empty() && !name.contains(char::is_whitespace)) {
        true => Ok(names),
        false => Err(FormatProblem::Expected("names of moves without white space")),
    }
}

fn number<T>(number: &Number, read: fn(&str) -> Result<T, FormatProblem>) -> Result<T, FormatProblem> {
    read(&number.to_string())
}

fn in_field(name: &'static str, problem: FormatProblem) -> FormatError {
    FormatError { place: Place::Field(name), problem, moves: Vec::new() }
}

/// Converts an error of the JSON library, with its place separated from its message.
fn at(error: serde_json::Error) -> FormatError {
    let (line, column) = (error.line(), error.column());
    let said = error.to_string();
    let place = format!(" at line {line} column {column}");
    let said = one_line(said.strip_suffix(&place).unwrap_or(&said));
    FormatError {
        place: Place::Column { line, column },
        problem: FormatProblem::Json(said),
        moves: Vec::new(),
    }
}
