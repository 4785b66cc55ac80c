//! The Universal Chess Interface.
//!
//! * [`command`] parses a line;
//! * [`options`] declares the options;
//! * [`session`] is the protocol: a state machine that takes lines and events and returns effects,
//!   without input, output, threads or clock;
//! * [`info`] formats the results of a search;
//! * [`mate`] proves the mates of `go mate`;
//! * [`run`] is the loop that carries out the effects.
//!
//! One thread reads standard input, another one searches, and only the loop writes output. Therefore
//! nothing of a search can follow its `bestmove`.

pub mod command;
pub mod info;
pub mod mate;
pub mod options;
mod run;
pub mod session;

pub use run::run;

use crate::Error;
use std::io;

/// Speaks UCI on standard input and output until `quit` or the end of the input.
pub fn main() -> Result<(), Error> {
    let stdin = io::BufReader::new(io::stdin());
    Ok(run(stdin, &mut io::stdout().lock())?)
}
