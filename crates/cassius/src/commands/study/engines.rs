//! The arguments for the engines that judge.

use crate::Error;
use crate::commands::judge::{ensure_single, parse_option};
use crate::peer::{CommandLine, Launch, Peer};
use crate::setup::{mib, parse_duration};
use anyhow::ensure;
use std::time::Duration;

/// Which engines judge, and how many at the same time. Flatten it into a command's arguments.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Engines")]
pub struct EnginesArgs {
    /// UCI engine that judges: a program, or a program with its arguments in quotes. May be repeated; the
    /// jobs are shared out in turn. If missing, Cassius judges itself.
    #[arg(long = "engine", value_name = "COMMAND")]
    engines: Vec<CommandLine>,
    /// Set an option of every engine, such as EvalFile=small.nnue; may be repeated.
    #[arg(long = "engine-option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// How long an engine may take to get ready, or exceed its limit, before it is ended and started again.
    #[arg(
        long = "engine-patience", value_name = "TIME", default_value = "10s", value_parser = parse_duration,
    )]
    patience: Duration,
    /// Number of leaves that are judged at the same time, each by an engine of its own with one thread; one
    /// for each --engine by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Size of the table of each engine in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = mib())]
    hash: u32,
}

impl EnginesArgs {
    /// Returns the number of leaves that are judged at the same time.
    ///
    /// # Errors
    /// If an engine would have nothing to do.
    pub fn jobs(&self) -> Result<usize, Error> {
        let engines = self.engines.len().max(1);
        let jobs = self.jobs.map_or(engines, usize::from);
        ensure!(jobs >= engines, "{engines} engines need --jobs {engines} or more");
        Ok(jobs)
    }

    /// Starts the engine of a job, `apart` if Ctrl-C is not to end it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(&self, job: usize, apart: bool) -> Result<(Launch, Peer), Error> {
        ensure_single(&self.options)?;
        let command = match self.engines.get(job % self.engines.len().max(1)) {
            Some(command) => command.clone(),
            None => CommandLine::this_program()?,
        };
        let (hash, options, patience) = (self.hash, self.options.clone(), self.patience);
        let launch = Launch { command, hash, threads: 1, options, patience, apart };
        let peer = Peer::start(&launch)?;
        Ok((launch, peer))
    }
}
