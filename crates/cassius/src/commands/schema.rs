//! `cassius schema`: the schemas of the JSON that commands print.

use super::{annotate, explain, study};
use crate::Error;
use cassius_lab::experiment::Report;
use schemars::Schema;
use schemars::transform::RecursiveTransform;
use serde_json::Value;
use std::io::Write as _;

/// The version of the JSON of `explain`, `annotate` and `study show`; `lab run` has its own. It changes when
/// a field changes its meaning or goes; new fields may come at any time.
pub const VERSION: u32 = 1;

/// Arguments of `cassius schema`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each line that the command prints with --json is one object of this schema (JSON Schema, draft \
2020-12). The field `version` changes when a field changes its meaning or goes; new fields may come \
at any time.

Example:
  cassius schema explain > explain.schema.json")]
pub struct SchemaArgs {
    /// The command whose JSON is described.
    #[arg(value_enum)]
    command: Described,
}

/// A command with a schema.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Described {
    Annotate,
    Explain,
    LabRun,
    Study,
}

/// Returns the schema of what is written, in which a field may be missing that is left out where it is empty.
pub fn of<T: schemars::JsonSchema>() -> schemars::Schema {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let plain = RecursiveTransform(|schema: &mut Schema| {
        if let Some(description) = schema.get("description").and_then(Value::as_str).map(plain) {
            schema.insert("description".into(), description.into());
        }
    });
    settings.with_transform(plain).into_generator().into_root_schema_for::<T>()
}

/// Returns a description for readers of JSON: without links to the source, and with `null` for `None`.
fn plain(description: &str) -> String {
    let (mut plain, mut rest) = (String::new(), description);
    while let Some((before, link)) = rest.split_once('[')
        && let Some((link, after)) = link.split_once(']')
    {
        let place = after.strip_prefix('(').and_then(|place| place.split_once(')'));
        let is_link = place.is_some() || link.starts_with('`');
        plain += before;
        plain += &if is_link { link.to_string() } else { format!("[{link}]") };
        rest = place.map_or(after, |(_, after)| after);
    }
    (plain + rest).replace("`None`", "`null`")
}

/// Prints a schema.
pub fn run(args: &SchemaArgs) -> Result<(), Error> {
    let schema = match args.command {
        Described::Annotate => annotate::schema(),
        Described::Explain => explain::schema(),
        Described::LabRun => of::<Report<'_>>(),
        Described::Study => study::schema(),
    };
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", serde_json::to_string_pretty(&schema)?)?;
    Ok(out.flush()?)
}
