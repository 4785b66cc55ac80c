//! The arguments for another engine that is asked about the same positions.

use super::judge::parse_option;
use crate::Error;
use crate::peer::{CommandLine, Launch, Peer};
use std::time::Duration;

/// Which engine. Flatten it into the command's arguments.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Another engine")]
pub struct BesideArgs {
    /// UCI engine to be asked about the same positions: a program, or a program with its arguments in
    /// quotes.
    #[arg(long, value_name = "COMMAND")]
    beside: Option<CommandLine>,
    /// Set an option of the other engine, such as EvalFile=small.nnue; may be repeated.
    #[arg(
        long = "beside-option", value_name = "NAME=VALUE", requires = "beside",
        value_parser = parse_option,
    )]
    options: Vec<(String, String)>,
    /// How long the other engine may take to get ready, or exceed its limit, before it is ended.
    #[arg(
        long = "beside-patience", value_name = "TIME", requires = "beside", default_value = "10s",
        value_parser = crate::setup::parse_duration,
    )]
    patience: Duration,
}

impl BesideArgs {
    /// Starts the engine, with a table of `hash` MiB; returns `None` if none is requested.
    pub fn start(&self, hash: u32, threads: u16) -> Result<Option<Peer>, Error> {
        let start = |command: &CommandLine| {
            let (command, options) = (command.clone(), self.options.clone());
            Peer::start(&Launch { command, hash, threads, options, patience: self.patience, apart: false })
        };
        self.beside.as_ref().map(start).transpose()
    }
}
