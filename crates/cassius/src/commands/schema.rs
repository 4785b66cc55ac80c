//! `cassius schema`: the schemas of the JSON that commands print.

use super::{annotate, explain, study};
use crate::Error;
use cassius_lab::experiment::Report;
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
    settings.into_generator().into_root_schema_for::<T>()
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
