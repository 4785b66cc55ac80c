//! The results of an experiment as JSON, with a schema.

use super::{Experiment, Findings, Row, Verdict, figure};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// The results of an experiment, for programs.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(title = "cassius lab run --json")]
pub struct Report<'a> {
    /// The version of this format.
    version: u32,
    /// The version of Cassius.
    cassius: &'static str,
    /// The name of the experiment.
    experiment: &'static str,
    /// What is claimed.
    claim: &'static str,
    /// The paper that claims it.
    paper: &'static str,
    /// The place in the paper.
    section: &'static str,
    /// Whether only smaller cases were run (`--quick`).
    quick: bool,
    /// The table.
    rows: Vec<Line<'a>>,
    /// Remarks, one sentence each.
    notes: &'a [String],
    /// Whether every figure of the paper is met, or the row says why it is not, or is not judged.
    holds: bool,
}

/// A quantity under certain conditions.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Row")]
struct Line<'a> {
    /// The name of the quantity.
    quantity: &'a str,
    /// The value of every condition, by its name. The names are the same in all rows.
    conditions: BTreeMap<&'a str, &'a str>,
    /// The figure in the paper; `null` if it has none.
    paper: Option<Figure>,
    /// Our figure.
    ours: Figure,
    /// How far our figure may be from the paper's, as in the table: `exact`, `±5 %`, `not judged`.
    tolerance: String,
    /// Whether it is within; `null` if it is not judged.
    agrees: Option<bool>,
    /// Why it does not agree, or is not judged.
    why: Option<&'static str>,
}

/// A number, or `inf`, `-inf` or `NaN`, for which JSON has no numbers.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
enum Figure {
    Number(f64),
    Other(String),
}

impl From<f64> for Figure {
    fn from(value: f64) -> Figure {
        if value.is_finite() { Figure::Number(value) } else { Figure::Other(figure(value)) }
    }
}

impl<'a> Report<'a> {
    pub(super) fn new(findings: &'a Findings, experiment: &Experiment, quick: bool) -> Report<'a> {
        let line = |row: &'a Row| {
            let values = row.conditions.iter().map(String::as_str);
            Line {
                quantity: &row.quantity,
                conditions: findings.conditions.iter().copied().zip(values).collect(),
                paper: row.paper.map(Figure::from),
                ours: row.ours.into(),
                tolerance: row.tolerance.to_string(),
                agrees: match row.verdict() {
                    Verdict::Agrees => Some(true),
                    Verdict::Differs | Verdict::DiffersAsKnown => Some(false),
                    Verdict::NotJudged => None,
                },
                why: row.reason.filter(|_| row.verdict() != Verdict::Agrees),
            }
        };
        let Experiment { id, claim, paper, section, .. } = *experiment;
        Report {
            version: 1,
            cassius: env!("CARGO_PKG_VERSION"),
            experiment: id,
            claim,
            paper,
            section,
            quick,
            rows: findings.rows.iter().map(line).collect(),
            notes: &findings.notes,
            holds: findings.hold(),
        }
    }
}
