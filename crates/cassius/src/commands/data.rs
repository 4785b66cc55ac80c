//! `cassius lab data`.

use crate::Error;
use crate::terminal::STRONG;
use anyhow::Context as _;
use cassius_lab::data::{Summary, viriformat};
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::PathBuf;

/// Arguments of `cassius lab data`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cassius lab data data/games.viri
  cassius lab data *.viri --json")]
pub struct DataArgs {
    /// Files of games (viriformat).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per file.
    #[arg(long)]
    json: bool,
}

/// Reads every game of some files and reports their contents. Fails at the first game that cannot be
/// read.
pub fn run(args: &DataArgs) -> Result<(), Error> {
    let mut out = anstream::stdout().lock();
    for path in &args.files {
        let named = || path.display().to_string();
        let mut file = BufReader::with_capacity(1 << 20, File::open(path).with_context(named)?);
        let mut summary = Summary::default();
        while let Some(game) =
            viriformat::read(&mut file).with_context(|| format!("{}: game {}", named(), summary.games + 1))?
        {
            summary.add(&game);
        }
        let Summary { games, results: [white, draws, black], positions, quiet, values } = summary;
        if args.json {
            let object = json!({
                "file": named(), "games": games, "white_wins": white, "draws": draws, "black_wins": black,
                "positions": positions, "quiet": quiet, "values_below_100_300_1000_and_beyond": values,
            });
            writeln!(out, "{object}")?;
            continue;
        }
        let share = |part: u64, of: u64| 100.0 * part as f64 / of.max(1) as f64;
        writeln!(out, "{STRONG}{}{STRONG:#}", named())?;
        let [w, d, b] = [white, draws, black].map(|part| share(part, games));
        writeln!(out, "games      {games}: White won {w:.1} %, draws {d:.1} %, Black won {b:.1} %")?;
        let length = positions as f64 / games.max(1) as f64;
        writeln!(
            out,
            "positions  {positions}, {length:.1} per game; quiet {:.1} %",
            share(quiet, positions)
        )?;
        let [small, clear, large, won] = values.map(|part| share(part, positions));
        writeln!(
            out,
            "values     below 1 pawn {small:.1} %, 1 to 3 pawns {clear:.1} %, 3 to 10 pawns {large:.1} %, \
             10 pawns or more {won:.1} %"
        )?;
    }
    out.flush()?;
    Ok(())
}
