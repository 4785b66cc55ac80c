//! `cassius certify`: writes a value with the plans that establish it to a file that `cassius check`
//! replays.

use super::check::{describe, plies};
use crate::clock::{Allowance, Clock};
use crate::setup::{EvaluationArgs, LimitArgs, mib, parse_position, parse_setting};
use crate::{Error, terminal, whole_file};
use anyhow::{Context as _, anyhow, bail};
use cassius_chess::{Position, certificate};
use cassius_search::alpha_beta::horizon::Abc;
use cassius_search::plans::certificate::{Certified, Referee, check, to_json};
use cassius_search::{Component as _, Depth, Depths, Game, Table};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `cassius certify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Two plans establish a value: one shows that it is at least this high, the other that it is at most \
this high. The depth of a plan is that of its least safe line. Each move of the plan's owner adds to \
the depth of a line, and adds more if it had more options (other moves that also hold the value). \
`cassius check` replays the file using only the rules and the evaluation. \
If a limit ends the search before the depth is reached, the plans are those of the last completed \
iteration, and the file states their depth.

Examples:
  cassius certify '6k1/5ppp/8/8/8/8/8/R6K w - - 0 1' --out mate.txt
  cassius certify startpos --depth 1.5 --time 30s --out start.txt
  cassius certify startpos --json --out start.json
  cassius check start.txt")]
pub struct CertifyArgs {
    /// A FEN in quotes, or `startpos`.
    #[arg(value_name = "FEN", value_parser = parse_position)]
    position: Position,
    #[command(flatten)]
    wanted: WantedArgs,
    #[command(flatten)]
    evaluation: EvaluationArgs,
}

/// What is to be certified, of any game. Flatten it into a command's arguments.
#[derive(Clone, Debug, clap::Args)]
pub struct WantedArgs {
    /// Target depth of each side's plan, in own moves with ample options.
    #[arg(long, value_name = "MOVES", default_value = "1", value_parser = parse_depth)]
    depth: Depth,
    /// File for the certificate; `-` for standard output. Without it, a summary is printed, or with
    /// --json the certificate itself.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the certificate as JSON.
    #[arg(long)]
    json: bool,
    /// Write all options, including those that only make a line safer than the plan as a whole.
    #[arg(long)]
    all_options: bool,
    /// Maximum number of nodes.
    #[arg(long, value_name = "N", value_parser = crate::setup::parse_count)]
    nodes: Option<u64>,
    /// Maximum time: 500ms, 5s, 2m.
    #[arg(long, value_name = "TIME", value_parser = crate::setup::parse_duration)]
    time: Option<Duration>,
    /// Size in MiB of the table that stores which move to try first.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = mib())]
    hash: u32,
    /// Set a parameter of S or δ: Abc.gamma, Abc.branching, Abc.floor or Abc.delta; may be repeated.
    #[arg(long = "set", value_name = "Abc.NAME=VALUE", value_parser = parse_setting, value_delimiter = ',')]
    settings: Vec<(String, i32)>,
}

/// Certifies a chess position.
pub fn run(args: CertifyArgs) -> Result<(), Error> {
    let (position, evaluation) = (args.position, args.evaluation.chosen()?);
    let referee = &mut certificate::Referee::of(&evaluation);
    let network = args.evaluation.eval_file.as_deref();
    write(&args.wanted, network.as_slice(), &position, referee, |asked, abc, table, clock, _| {
        certificate::certify(&position, asked, abc, &evaluation, table, clock, &mut |_| {})
    })
}

/// Searches, reports the result, and writes the certificate.
pub fn write<G: Game, R: Referee<G>>(
    wanted: &WantedArgs,
    inputs: &[&Path],
    position: &G,
    referee: &mut R,
    search: impl FnOnce(Depths, Abc, Table, &Clock, &mut R) -> Option<Certified>,
) -> Result<(), Error> {
    let abc = settled(&wanted.settings)?;
    let standard = Path::new("-");
    // An error here is better than one after a long search.
    whole_file::prepare(wanted.out.as_deref().as_slice(), inputs)?;
    let limits = LimitArgs { nodes: wanted.nodes, time: wanted.time, depth: None };
    let clock = Clock::start(&Allowance { settled: false, ..limits.allowance() }).keeping_half();
    let table = Table::new(wanted.hash as usize)?;
    let bar = terminal::progress(1);
    let found = search(Depths::both(wanted.depth), abc, table, &clock, referee);
    let searched = clock.control().elapsed();
    bar.finish_and_clear();
    let Some(found) = found else {
        bail!(match position.is_over() {
            true => "the game is over in this position: there is nothing to certify",
            false => "no iteration was finished and written down; allow more nodes or time",
        });
    };
    let found = match wanted.all_options {
        true => found,
        false => Certified { certificate: found.certificate.lean(), ..found },
    };
    let start = std::time::Instant::now();
    let established =
        check(position, &found.certificate, referee).context("the certificate was not written")?;
    let checked = start.elapsed();
    let text = if wanted.json { to_json(&found.certificate) } else { found.certificate.to_string() };
    match wanted.out.as_deref().or(wanted.json.then_some(standard)) {
        Some(path) if path == standard => {
            anstream::stdout().lock().write_all(text.as_bytes())?;
            if !found.complete {
                terminal::note(format_args!("at least one plan is not {}", plies(wanted.depth)));
            }
        }
        out => {
            let mut stdout = terminal::stdout(out.is_some());
            write!(stdout, "{}", describe(&found.certificate, &established))?;
            writeln!(
                stdout,
                "  {} nodes in {:.2} s, checked in {:.2} s, {} bytes{}",
                found.nodes,
                searched.as_secs_f64(),
                checked.as_secs_f64(),
                text.len(),
                if found.complete {
                    String::new()
                } else {
                    format!("; at least one plan is not {}", plies(wanted.depth))
                }
            )?;
            if let Some(path) = out {
                whole_file::write(path, &text)?;
            }
        }
    }
    Ok(())
}

/// Returns the depth rule with the given settings.
fn settled(settings: &[(String, i32)]) -> Result<Abc, Error> {
    let mut abc = Abc::default();
    for (name, value) in settings {
        let mut done = Err(anyhow!("expected Abc.gamma, Abc.branching, Abc.floor or Abc.delta"));
        abc.visit(&mut |parameter, field| {
            // The other parameters have no effect on a certificate.
            let counts = ["gamma", "branching", "floor", "delta"].contains(&parameter.name);
            if counts && parameter.full_name().eq_ignore_ascii_case(name) {
                let (min, max) = (parameter.min, parameter.max);
                done = match (min..=max).contains(value) {
                    true => {
                        *field = *value;
                        Ok(())
                    }
                    false => Err(anyhow!("must be from {min} to {max} ({})", parameter.unit)),
                };
            }
        });
        done.with_context(|| format!("--set {name}={value}"))?;
    }
    Ok(abc)
}

/// Parses a depth of a plan: a number of moves above 0. For clap.
fn parse_depth(text: &str) -> Result<Depth, String> {
    let most = cassius_search::MAX_PLY as f64 / 2.0;
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && *number <= most);
    let depth = number.map(Depth::from_f64).filter(|depth| *depth > Depth::ZERO);
    depth.ok_or_else(|| format!("expected a number above 0 and at most {most}, such as 1.5"))
}
