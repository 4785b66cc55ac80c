//! The program `cassius`: a UCI engine when it is started without arguments,
//! and an analyser, solver, match runner and laboratory by its subcommands.
//!
//! * [`cli`] – what can be said on the command line, one module of [`commands`] each;
//! * [`uci`] – the protocol, as a state machine without input and output, and the loop around it;
//! * [`clock`] – the only place where a search is ended by the clock;
//! * [`peer`] – another UCI engine, asked for mates;
//! * [`certificate`] – certificates as JSON;
//! * [`setup`] – options that several commands share: engine, limits;
//! * [`whole_file`] – files that are written whole or not at all.
//!
//! Errors are one line that a person can act on, on standard error, and a non-zero exit code:
//! 1 when the work failed, 2 when the command line cannot be understood.

pub mod certificate;
pub mod cli;
pub mod clock;
pub mod commands;
pub mod peer;
pub mod setup;
pub mod terminal;
pub mod uci;
pub mod whole_file;

use clap::Parser as _;
use std::io;
use std::process::ExitCode;

/// Why a command failed: one line, causes after colons.
pub use anyhow::Error;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match commands::run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS, // the reader has seen enough
        Err(error) => {
            terminal::complain(format_args!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The README's examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
