//! `cassius match`.

use crate::Error;

/// Arguments of `cassius match`.
#[derive(Debug, clap::Args)]
pub struct MatchArgs {}

/// Runs the command.
pub fn run(_: MatchArgs) -> Result<(), Error> {
    anyhow::bail!("not built yet")
}
