//! `cassius analyse`.

use crate::Error;

/// Arguments of `cassius analyse`.
#[derive(Debug, clap::Args)]
pub struct AnalyseArgs {}

/// Runs the command.
pub fn run(_: AnalyseArgs) -> Result<(), Error> {
    anyhow::bail!("not built yet")
}
