//! `cassius bench`.

use crate::Error;

/// Arguments of `cassius bench`.
#[derive(Debug, clap::Args)]
pub struct BenchArgs {}

/// Runs the command.
pub fn run(_: BenchArgs) -> Result<(), Error> {
    anyhow::bail!("not built yet")
}
