//! `cassius check`: replays certificates with the rules and the evaluation alone.

mod json;

use crate::terminal::{DIM, STRONG};
use crate::{Error, terminal, whole_file};
use anyhow::{Context as _, bail};
use cassius_chess::certificate::{self, CheckError};
use cassius_chess::evaluation::Evaluation;
use cassius_search::Depth;
use cassius_search::plans::certificate::{
    Certificate, Checking, Dot, Established, Fault, FormatError, Held, Problem, Svg, from_json, one_line,
};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Arguments of `cassius check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The check takes nothing in the file on trust: it compares all moves, options, values and depths with \
the rules and the evaluation. It reports the first error with the moves that lead to it. \
Certificates may be text or JSON; their first character decides. \
Two plans together establish a value if each plan has exactly that value and the line that they \
share ends in the same leaf of both. Otherwise they are two bounds, as plans of different searches \
mostly are.

Examples:
  cassius check mate.txt
  cassius check four.txt --picture four.svg
  cassius check bounds.txt --bounds
  cassius certify startpos --out - | cassius check -")]
pub struct CheckArgs {
    /// Certificate files; `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Draw the plans of a single certificate, if they hold: as SVG for a browser if FILE ends in .svg,
    /// for Graphviz if it ends in .dot.
    #[arg(long, value_name = "FILE", value_parser = parse_picture)]
    picture: Option<PathBuf>,
    /// Draw the plans for Graphviz, whatever the name of FILE.
    #[arg(long, value_name = "FILE", conflicts_with = "picture")]
    dot: Option<PathBuf>,
    /// Accept two plans that do not establish a value together, as two bounds.
    #[arg(long)]
    bounds: bool,
    /// Factor by which to raise the work limit, which counts positions and moves and grows with the size
    /// of the file.
    #[arg(
        long, value_name = "TIMES", default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..=MOST_WORK),
    )]
    work: u64,
    /// Network with which a certificate was made, if it is not built in.
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Print one JSON object per file: what it establishes, or why it is refused. Depths are in 240ths of
    /// a move.
    #[arg(long)]
    json: bool,
}

/// Parses the name of a picture file. For clap.
fn parse_picture(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    let known =
        is_svg(&path) || path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("dot"));
    if known { Ok(path) } else { Err("expected a name that ends in .svg or .dot".into()) }
}

/// The greatest factor of the work limit.
const MOST_WORK: u64 = 1_000_000;

fn is_svg(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
}

/// Checks every file, and reports what each establishes or why it does not.
pub fn run(args: CheckArgs) -> Result<(), Error> {
    let picture = args.picture.as_deref().or(args.dot.as_deref());
    if picture.is_some() && args.files.len() > 1 {
        bail!("--picture and --dot draw a single certificate, but {} files are given", args.files.len());
    }
    if picture == Some(Path::new("-")) {
        bail!("the picture needs a file: what is established is written to standard output");
    }
    let read: Vec<&PathBuf> = args.files.iter().chain(&args.eval_file).collect();
    whole_file::prepare(picture.as_slice(), &read)?;
    let mut refused = 0;
    for path in &args.files {
        let mut out = terminal::stdout(picture.is_some());
        match check(path, &args) {
            Ok((certificate, established)) => {
                match args.json {
                    true => writeln!(out, "{}", json::holds(path, &certificate, &established)?)?,
                    false => {
                        if args.files.len() > 1 {
                            writeln!(out, "{STRONG}{}{STRONG:#}", path.display())?;
                        }
                        write!(out, "{}", describe(&certificate, &established))?;
                    }
                }
                if let Some(picture) = picture {
                    let drawn = match args.dot.is_none() && is_svg(picture) {
                        true => Svg(&certificate).to_string(),
                        false => Dot(&certificate).to_string(),
                    };
                    whole_file::write(picture, &drawn)?;
                }
            }
            Err(error) => {
                refused += 1;
                let advice = match is_work_limit(&error) && args.work < MOST_WORK {
                    true => format!(": --work {} raises the limit", (10 * args.work).min(MOST_WORK)),
                    false => String::new(),
                };
                match args.json {
                    true => writeln!(out, "{}", json::refused(path, &error, &advice)?)?,
                    false => terminal::complain(format_args!("{}: {error:#}{advice}", path.display())),
                }
            }
        }
    }
    match refused {
        0 => Ok(()),
        _ => bail!("{refused} of {} certificates were refused or could not be read", args.files.len()),
    }
}

fn check(path: &Path, args: &CheckArgs) -> Result<(Certificate, Established), Error> {
    let text = whole_file::read_text(path)?;
    let found = read(&text)?;
    let mut how = Checking::customary(&found);
    (how.work, how.bounds) = (how.work.saturating_mul(args.work), args.bounds);
    let other = args.eval_file.as_deref().map(Evaluation::load).transpose()?;
    let established = replay(&found, &how, other.as_ref())?;
    Ok((found, established))
}

/// Reads a certificate in either format: JSON begins with a brace.
///
/// # Errors
/// What is wrong with it, and where.
pub fn read(text: &str) -> Result<Certificate, FormatError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.trim_start().starts_with('{') {
        true => from_json(text),
        false => text.parse(),
    }
}

/// Replays a certificate of any game. A certificate of chess may name an evaluation of this program, or
/// another one that is given.
///
/// # Errors
/// What does not hold, or is not known to this program.
pub fn replay(found: &Certificate, how: &Checking, other: Option<&Evaluation>) -> Result<Established, Error> {
    match found.game.as_str() {
        certificate::GAME => Ok(certificate::check_as(found, how, other)?),
        _ => super::game::check(found, how).context(found.game.clone()),
    }
}

/// Whether a check was abandoned at its work limit.
fn is_work_limit(error: &Error) -> bool {
    let fault = match error.downcast_ref() {
        Some(CheckError::Fault(fault)) => Some(fault),
        _ => error.downcast_ref::<Fault>(),
    };
    fault.is_some_and(|fault| matches!(fault.problem, Problem::WorkLimit(_)))
}

/// Describes what a certificate establishes, for people.
pub fn describe(certificate: &Certificate, established: &Established) -> String {
    let mut text = String::new();
    // These texts come from a stranger.
    let harmless = |text: &str| text.chars().map(terminal::printable).collect::<String>();
    let (game, position) = (harmless(&certificate.game), harmless(&one_line(&certificate.position)));
    let _ = writeln!(text, "{DIM}{game}: {position}{DIM:#}");
    let _ = writeln!(text, "  {DIM}values: {}{DIM:#}", harmless(&certificate.values));
    if certificate.version < 2 {
        let _ = writeln!(text, "  version 1: nodes that are not expanded count as ends of the game");
    }
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
    match (&established.common, &established.at_least, &established.at_most) {
        (Some(line), ..) => {
            let _ = writeln!(
                text,
                "  {STRONG}value {value}{STRONG:#}: established by both plans, which meet after {}",
                harmless(&line.join(" "))
            );
        }
        (None, Some(_), Some(_)) => {
            text.push_str("  two bounds, but no value: the plans do not meet in one leaf\n")
        }
        _ => {}
    }
    for (relation, held) in [("least", &established.at_least), ("most", &established.at_most)] {
        let Some(Held { depth, weakest, weakest_value, leaves, over }) = held else { continue };
        let whose = if relation == "least" { "the side to move" } else { "the other side" };
        let _ = writeln!(
            text,
            "  {STRONG}at {relation} {value}{STRONG:#} by a plan of {whose}, {}; lines: {leaves} end with a \
             static value, {over} with a certain one",
            plies(*depth)
        );
        let _ = writeln!(
            text,
            "    weakest line, value {} for that side: {}",
            super::game::value(*weakest_value),
            harmless(&weakest.join(" "))
        );
    }
    text
}

/// Formats a depth of a plan in words.
pub fn plies(depth: Depth) -> String {
    match depth {
        Depth::CERTAIN => "certain".into(),
        depth => format!("{:.2} moves deep", depth.to_f64()),
    }
}
