//! The Universal Chess Interface.
//!
//! * [`command`] reads a line;
//! * [`options`] declares the options;
//! * [`session`] is the protocol: a state machine that takes lines and events and answers with effects,
//!   without input, output, threads or clock;
//! * [`info`] writes what a search found;
//! * [`mate`] proves the mates of `go mate`;
//! * [`run`] is the loop that carries the effects out.
//!
//! Standard input is read by a thread of its own, the search runs on another, and everything
//! that is said is said by the loop: nothing can come after `bestmove`.

pub mod command;
pub mod info;
pub mod mate;
pub mod options;
mod run;
pub mod session;

pub use options::MAX_HASH;
pub use run::run;

use crate::Error;
use std::io;

/// Speaks UCI on standard input and output until `quit` or the end of the input.
pub fn main() -> Result<(), Error> {
    let stdin = io::BufReader::new(io::stdin());
    Ok(run(stdin, &mut io::stdout().lock())?)
}
