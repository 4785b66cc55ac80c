//! The output of `cassius check --json`: one object on one line for each file.

use crate::Error;
use cassius_chess::certificate::CheckError;
use cassius_search::Depth;
use cassius_search::plans::certificate::{Certificate, Established, Fault, FormatError, Held, Name};
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Holds<'a> {
    file: String,
    holds: bool,
    /// The version of the format. In version 1 unexpanded nodes count as ends of the game.
    version: u8,
    game: &'a str,
    position: &'a str,
    /// What the static values are.
    values: &'a str,
    /// An option is worth less than this below the value.
    margin: i32,
    /// What a move adds to the depth of its plan, by its number of options, in 240ths of a ply.
    safety: Vec<i32>,
    /// In units of the evaluation, for the side to move, as in the certificate.
    value: i32,
    /// The line that both plans share, if they establish the value together.
    #[serde(skip_serializing_if = "Option::is_none")]
    common: Option<&'a [Name]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<Plan<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<Plan<'a>>,
}

#[derive(Serialize)]
struct Plan<'a> {
    depth: PlanDepth,
    weakest: Line<'a>,
    leaves: usize,
    over: usize,
}

/// The depth as in the certificate: 240ths of a ply of one side, or a word.
#[derive(Serialize)]
#[serde(untagged)]
enum PlanDepth {
    Depth(i32),
    Certain(&'static str),
}

/// The least safe line, and the value for the owner of the plan at its end.
#[derive(Serialize)]
struct Line<'a> {
    moves: &'a [Name],
    value: i32,
}

#[derive(Serialize)]
struct Refused {
    file: String,
    holds: bool,
    /// The message that is printed without `--json`.
    error: String,
    #[serde(flatten)]
    place: Option<Place>,
}

/// The place of a fault, if it is in a plan or in the format of the file.
#[derive(Serialize)]
struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    moves: Vec<Name>,
    problem: String,
}

/// Returns the JSON of what a certificate establishes.
pub fn holds(path: &Path, certificate: &Certificate, established: &Established) -> Result<String, Error> {
    Ok(serde_json::to_string(&Holds {
        file: path.display().to_string(),
        holds: true,
        version: certificate.version,
        game: &certificate.game,
        position: &certificate.position,
        values: &certificate.values,
        margin: certificate.margin.0,
        safety: certificate.safety.iter().map(|depth| depth.0).collect(),
        value: certificate.value.0,
        common: established.common.as_deref(),
        at_least: established.at_least.as_ref().map(Plan::of),
        at_most: established.at_most.as_ref().map(Plan::of),
    })?)
}

impl Plan<'_> {
    fn of(held: &Held) -> Plan<'_> {
        Plan {
            depth: match held.depth {
                Depth::CERTAIN => PlanDepth::Certain("certain"),
                depth => PlanDepth::Depth(depth.0),
            },
            weakest: Line { moves: &held.weakest, value: held.weakest_value.0 },
            leaves: held.leaves,
            over: held.over,
        }
    }
}

/// Returns the JSON of why a certificate is refused, and what to do about it.
pub fn refused(path: &Path, error: &Error, advice: &str) -> Result<String, Error> {
    let fault = match error.downcast_ref() {
        Some(CheckError::Fault(fault)) => Some(fault),
        _ => error.downcast_ref::<Fault>(),
    };
    let place = match (fault, error.downcast_ref::<FormatError>()) {
        (Some(Fault { at_least, line, problem }), _) => Some(Place {
            plan: match problem {
                _ if !problem.is_in_plan() => None,
                _ => Some(if *at_least { "at_least" } else { "at_most" }),
            },
            place: None,
            moves: line.clone(),
            problem: problem.to_string(),
        }),
        (None, Some(FormatError { place, moves, problem })) => Some(Place {
            plan: None,
            place: Some(place.to_string()),
            moves: moves.clone(),
            problem: problem.to_string(),
        }),
        (None, None) => None,
    };
    Ok(serde_json::to_string(&Refused {
        file: path.display().to_string(),
        holds: false,
        error: format!("{error:#}{advice}"),
        place,
    })?)
}
