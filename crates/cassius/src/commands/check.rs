//! `cassius check`: replays certificates with the rules and the evaluation alone.

mod json;

use crate::certificate::from_json;
use crate::terminal::{DIM, STRONG};
use crate::{Error, terminal, whole_file};
use anyhow::{Context as _, bail};
use cassius_chess::certificate;
use cassius_search::Depth;
use cassius_search::certificate::{Certificate, Dot, Established, FormatError, Held};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Arguments of `cassius check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Nothing in the file is believed: moves, options, values and depths are compared with what rules
and evaluation say.
The first thing that is not so is named, with the moves that lead to it. Certificates as text and
as JSON are told apart by their first character.

Examples:
  cassius check mate.txt
  cassius check four.txt --dot four.dot
  cassius certify startpos --out - | cassius check -")]
pub struct CheckArgs {
    /// Certificates; `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Draw the plans of one certificate, if they hold, in the language of Graphviz (`dot -Tsvg` makes a picture).
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// A JSON object a file: what it establishes, or why it does not. Depths are in 240ths of a move.
    #[arg(long)]
    json: bool,
}

/// Checks every file, and says what each establishes or why it does not.
pub fn run(args: CheckArgs) -> Result<(), Error> {
    if args.dot.is_some() && args.files.len() > 1 {
        bail!("--dot draws one certificate, and {} are named", args.files.len());
    }
    let dot: Vec<&Path> = args.dot.iter().map(PathBuf::as_path).collect();
    whole_file::keep_apart(&dot, &args.files)?;
    let mut refused = 0;
    for path in &args.files {
        let mut out = anstream::stdout().lock();
        match check(path) {
            Ok((certificate, established)) => {
                match args.json {
                    true => writeln!(out, "{}", json::holds(path, &certificate, &established)?)?,
                    false => write!(out, "{}", describe(&certificate, &established))?,
                }
                if let Some(dot) = &args.dot {
                    whole_file::write(dot, &Dot(&certificate).to_string())?;
                }
            }
            Err(error) => {
                refused += 1;
                match args.json {
                    true => writeln!(out, "{}", json::refused(path, &error)?)?,
                    false => terminal::complain(format_args!("{}: {error:#}", path.display())),
                }
            }
        }
    }
    match refused {
        0 => Ok(()),
        _ => bail!("{refused} of {} certificates refused", args.files.len()),
    }
}

fn check(path: &Path) -> Result<(Certificate, Established), Error> {
    let mut text = String::new();
    match path == Path::new("-") {
        true => drop(io::stdin().read_to_string(&mut text)?),
        false => text = fs::read_to_string(path)?,
    }
    let found = read(&text)?;
    let established = replay(&found)?;
    Ok((found, established))
}

/// Reads a certificate in either form: JSON begins with a brace.
///
/// # Errors
/// What is wrong with it, and where.
pub fn read(text: &str) -> Result<Certificate, FormatError> {
    match text.trim_start().starts_with('{') {
        true => from_json(text),
        false => text.parse(),
    }
}

/// Replays a certificate of any game.
///
/// # Errors
/// What is not so, or not known here.
pub fn replay(found: &Certificate) -> Result<Established, Error> {
    match found.game.as_str() {
        certificate::GAME => Ok(certificate::check(found)?),
        _ => super::game::check(found).context(found.game.clone()),
    }
}

/// What a certificate establishes, for people.
pub fn describe(certificate: &Certificate, established: &Established) -> String {
    let mut text = String::new();
    let (game, position) = (&certificate.game, &certificate.position);
    let _ = writeln!(text, "{DIM}{game}: {position}{DIM:#}");
    let last = certificate.safety.len().saturating_sub(1);
    let shown = [0, 1, 3, 10].into_iter().filter(|k| *k < last).chain([last]);
    let safety: Vec<_> = shown.map(|k| format!("S({k}) {:.2}", certificate.safety_of(k).to_f64())).collect();
    let _ = writeln!(
        text,
        "  {DIM}options: at most {} below the value; {}{DIM:#}",
        certificate.margin.0 - 1,
        safety.join(", ")
    );
    let value = super::game::value(certificate.value);
    for (relation, held) in [("least", &established.at_least), ("most", &established.at_most)] {
        let Some(Held { depth, weakest, weakest_value, leaves, over }) = held else { continue };
        let whose = if relation == "least" { "the side to move" } else { "the other side" };
        let _ = writeln!(
            text,
            "  {STRONG}at {relation} {value}{STRONG:#} by a plan of {whose}, {}; {leaves} lines end quietly, {over} for certain",
            plies(*depth)
        );
        let _ = writeln!(
            text,
            "    weakest line, worth {} to it: {}",
            super::game::value(*weakest_value),
            weakest.join(" ")
        );
    }
    text
}

/// A depth of a plan in words.
pub fn plies(depth: Depth) -> String {
    match depth {
        Depth::CERTAIN => "certain".into(),
        depth => format!("{:.2} moves deep", depth.to_f64()),
    }
}
