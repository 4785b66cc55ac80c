//! `cassius genfens`: random openings for a testing framework.
//!
//! OpenBench passes the whole command as one argument, and `quit` as another one: see [`arguments`].

use crate::Error;
use anyhow::{Context as _, anyhow, bail};
use cassius_chess::{Position, openings};
use cassius_lab::selfplay::{self, Settings};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Write as _};

/// Arguments of `cassius genfens`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each line is `info string genfens FEN`. An opening has 8 to 12 random plies from the initial position, or 2 \
to 4 from a position of the book. No value exceeds 4 pawns for either side. A seed always gives the \
same openings.

Examples:
  cassius genfens 5 seed 42
  cassius genfens 5 seed 42 book openings.epd
  cassius 'genfens 5 seed 42 book None' quit    # as OpenBench does it")]
pub struct GenfensArgs {
    /// How many openings.
    #[arg(value_name = "N")]
    count: usize,
    /// `seed S`, `book FILE` (EPD or PGN) or `book None`; further words have no meaning.
    #[arg(value_name = "WORD")]
    words: Vec<String>,
}

/// Returns the arguments of the process, as several ones if OpenBench gives the command as a single one.
pub fn arguments(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut given: Vec<OsString> = given.collect();
    let command = given.get(1).and_then(|command| command.to_str()).unwrap_or_default().to_string();
    if command.starts_with("genfens ") {
        given.truncate(1);
        given.extend(command.split_whitespace().map(OsString::from));
    }
    given
}

/// Prints openings.
pub fn run(args: &GenfensArgs) -> Result<(), Error> {
    let after = |word: &str| {
        let place = args.words.iter().position(|other| other == word)?;
        Some(args.words.get(place + 1).map(String::as_str).unwrap_or_default())
    };
    let seed = after("seed").unwrap_or("1");
    let seed = seed.parse().map_err(|_| anyhow!("the seed is a number, not '{seed}'"))?;
    let mut settings = Settings { seed, ..Settings::default() };
    let book = after("book").filter(|name| !name.eq_ignore_ascii_case("none"));
    let starts: Vec<Position> = match book {
        None => Vec::new(),
        Some("") => bail!("book: the name of a file, or None, is expected after it"),
        Some(path) => {
            settings.random_plies = [2, 4];
            let file = File::open(path).with_context(|| path.to_string())?;
            let openings = openings::read(BufReader::new(file), None).with_context(|| path.to_string())?;
            openings.iter().map(openings::Opening::position).collect()
        }
    };
    let (mut out, mut left, mut result) = (anstream::stdout().lock(), args.count, Ok(()));
    if left > 0 {
        selfplay::openings(&settings, &starts, &mut |opening| {
            result = writeln!(out, "info string genfens {opening}").and_then(|()| out.flush());
            left -= 1;
            left > 0 && result.is_ok()
        })?;
    }
    Ok(result?)
}
