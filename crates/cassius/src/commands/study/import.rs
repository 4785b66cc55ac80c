//! `cassius study import`.

use super::show::counted;
use super::{open, with_name};
use crate::{Error, terminal};
use std::path::PathBuf;

/// Arguments of `cassius study import`.
#[derive(Debug, clap::Args)]
pub struct ImportArgs {
    /// File of the study.
    #[arg(value_name = "STUDY")]
    file: PathBuf,
    /// File of another study, of any position.
    #[arg(value_name = "OTHER")]
    other: PathBuf,
}

/// Takes the judgements of another study. They are used where this study asks for them.
pub fn run(args: &ImportArgs) -> Result<(), Error> {
    let mut file = open(&args.file)?;
    drop(open(&args.other)?); // an error of the other file names that file
    let new = file.import(&args.other).map_err(|error| with_name(error, &args.file))?;
    terminal::note(format_args!("{}", counted(new as u64, "new judgement")));
    Ok(())
}
