//! What questions and answers share.

use cassius_chess::Position;
use cassius_chess::notation::{FenError, MoveError};
use cassius_search::{Bound, Game as _, Parameter, Report, Score};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use shakmaty::CastlingMode;
use std::collections::BTreeMap;
use std::fmt::Display;

/// Reads a question.
pub fn read<Q: DeserializeOwned>(question: &str) -> PyResult<Q> {
    serde_json::from_str(question).map_err(wrong)
}

/// Writes an answer.
pub fn write(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("strings and numbers")
}

/// Makes a `ValueError` of what is wrong with an argument.
pub fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A chess position with the moves that led to it.
#[derive(Deserialize)]
pub struct Reached {
    /// The position where the moves begin, as FEN; `startpos` is the usual one.
    start: String,
    /// The moves, in UCI notation.
    moves: Vec<String>,
    /// Whether castling is written as in Chess960, also where standard chess could express it.
    chess960: bool,
}

impl Reached {
    /// Returns the position, and those before it.
    pub fn positions(&self) -> PyResult<(Position, Vec<Position>)> {
        let mut position: Position = self.start.parse().map_err(|error: FenError| wrong(error))?;
        if self.chess960 {
            position = position.with_castling_mode(CastlingMode::Chess960);
        }
        let mut before = Vec::with_capacity(self.moves.len());
        for text in &self.moves {
            let mv = position.parse_uci(text).map_err(|error: MoveError| {
                wrong(format_args!("move {}: {error}; the position is {position}", before.len() + 1))
            })?;
            before.push(position.clone());
            position.play(mv);
        }
        Ok((position, before))
    }
}

/// The value of a parameter, or whether a component is on.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// A component is switched on or off.
    Switch(bool),
    /// A parameter gets a value.
    Value(i32),
}

/// Parameters by name: `Component` or `Component.parameter`.
pub type Settings = BTreeMap<String, Setting>;

/// A parameter of a recipe.
#[derive(Serialize)]
pub struct Described {
    name: String,
    doc: &'static str,
    unit: &'static str,
    value: i32,
    default: i32,
    min: i32,
    max: i32,
}

/// Describes the parameters of a recipe.
pub fn described(parameters: Vec<(Parameter, i32)>) -> Vec<Described> {
    let describe = |(parameter, value): (Parameter, i32)| {
        let Parameter { doc, unit, default, min, max, .. } = parameter;
        Described { name: parameter.full_name(), doc, unit, value, default, min, max }
    };
    parameters.into_iter().map(describe).collect()
}

/// Returns the bound that a report tells. Before any iteration has a value, alpha-beta reports a static one:
/// nothing is known.
pub fn told<M>(report: &Report<M>) -> Option<Bound> {
    report.bound.filter(|_| report.iteration > 0 || report.range.is_some())
}

/// Returns the name of a bound; `None` if nothing is known about the value.
pub fn bound(bound: Option<Bound>) -> Option<&'static str> {
    Some(match bound? {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    })
}

/// Returns a score, unless it says nothing.
pub fn finite(score: Score) -> Option<i32> {
    (score.0.abs() < Score::INFINITE.0).then_some(score.0)
}
