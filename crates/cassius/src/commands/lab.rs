//! `cassius lab`.

use crate::Error;

/// Arguments of `cassius lab`.
#[derive(Debug, clap::Args)]
pub struct LabArgs {}

/// Runs the command.
pub fn run(_: LabArgs) -> Result<(), Error> {
    anyhow::bail!("not built yet")
}
