//! `cassius man`: manual pages, from the declarations of the command line.

use super::cli::Cli;
use crate::Error;
use anyhow::Context as _;
use clap::CommandFactory as _;
use std::fs;
use std::path::PathBuf;

/// Arguments of `cassius man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One page for the program and one for each command: cassius.1, cassius-analyse.1 and so on.

Example:
  cassius man ~/.local/share/man/man1 && man cassius-explain")]
pub struct ManArgs {
    /// Folder in which the pages are written; it is created if there is none.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Writes the pages.
pub fn run(args: &ManArgs) -> Result<(), Error> {
    let folder = args.folder.display();
    fs::create_dir_all(&args.folder).with_context(|| folder.to_string())?;
    clap_mangen::generate_to(Cli::command(), &args.folder).with_context(|| folder.to_string())
}
