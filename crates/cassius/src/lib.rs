//! The program `cassius`: a UCI engine when it is started without arguments. Its subcommands are an
//! analyser, a solver, a match runner and a laboratory.
//!
//! * [`commands`] – the command line ([`commands::cli`]), with one module for each subcommand;
//! * [`uci`] – the protocol, as a state machine without input and output, and the loop around it;
//! * [`clock`] – the only place where the clock ends a search;
//! * [`peer`] – another UCI engine, which is asked for mates, for values, or for the moves of a game;
//! * [`setup`] – options that several commands share: engine, limits;
//! * [`whole_file`] – writes files completely or not at all.
//!
//! An error is reported in one line on standard error that tells the user what to do. The exit code is
//! then non-zero: 1 when the work failed, 2 when the command line cannot be parsed.

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

/// Why a command failed: one line, with the causes after colons.
pub use anyhow::Error;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let cli = commands::cli::Cli::parse_from(commands::genfens::arguments(std::env::args_os()));
    match commands::run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS, // the reader closed the pipe
        Err(error) => {
            terminal::complain(format_args!("{}", told(&error)));
            ExitCode::FAILURE
        }
    }
}

/// Returns an error with its causes, but for those that were already named.
fn told(error: &Error) -> String {
    error.chain().fold(String::new(), |mut told, cause| {
        let cause = cause.to_string();
        let last = cause.rsplit(": ").next().unwrap_or_default();
        if told.is_empty() {
            told = cause;
        } else if last.is_empty() || !told.ends_with(last) {
            told += ": ";
            told += &cause;
        }
        told
    })
}

fn is_broken_pipe(error: &Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_cause_is_named_once() {
        let error = std::io::Error::from(std::io::ErrorKind::NotFound);
        let error = anyhow::Error::new(error).context("cannot read: entity not found").context("a.pgn");
        assert_eq!(super::told(&error), "a.pgn: cannot read: entity not found");
        let error = anyhow::anyhow!("change 0: no root").context("no root.study");
        assert_eq!(super::told(&error), "no root.study: change 0: no root");
        let error = anyhow::anyhow!("line 3: no move").context("a.pgn");
        assert_eq!(super::told(&error), "a.pgn: line 3: no move");
    }
}

/// The README's examples run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
