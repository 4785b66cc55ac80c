//! `cassius lab tune`.

use crate::terminal::{self, STRONG};
use crate::{Error, whole_file};
use anyhow::{Context as _, bail};
use cassius_lab::tune::{Data, Losses, Options, current_weights, rewrite};
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

/// Arguments of `cassius lab tune`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each line of the data is `FEN;score;result`: a teacher's score in centipawns and the result of \
the game, 0, 0.5 or 1, both for White. `cassius lab data GAMES --out judged.txt` writes such lines. \
The same data and options give the same weights.

Examples:
  cassius lab tune judged.txt --epochs 5
  cassius lab tune judged.txt --rewrite crates/chess/src/evaluation/classical/weights.rs")]
pub struct TuneArgs {
    /// File of positions with scores and results.
    #[arg(value_name = "FILE")]
    data: PathBuf,
    /// Source file of the weights, to rewrite with the new values; without it, only losses are shown.
    #[arg(long, value_name = "FILE")]
    rewrite: Option<PathBuf>,
    /// Number of passes over the data.
    #[arg(long, value_name = "N", default_value_t = Options::default().epochs)]
    epochs: usize,
    /// Number of positions per step.
    #[arg(long, value_name = "N", default_value_t = Options::default().batch)]
    batch: usize,
    /// Initial step size in centipawns.
    #[arg(long, value_name = "CP", default_value_t = Options::default().rate)]
    rate: f64,
    /// Share of the game result in the target, 0 to 1; the rest is the teacher's score.
    #[arg(long, value_name = "SHARE", default_value_t = Options::default().result_share)]
    result_share: f64,
    /// Score in centipawns at which the expected result is 73 %; by default fitted to the data.
    #[arg(long, value_name = "CP")]
    slope: Option<f64>,
}

/// Fits the weights of the evaluation to judged positions.
pub fn run(args: &TuneArgs) -> Result<(), Error> {
    if args.batch == 0 || !(0.0..=1.0).contains(&args.result_share) {
        bail!("--batch must be at least 1, and --result-share from 0 to 1");
    }
    for (name, value) in [("--rate", Some(args.rate)), ("--slope", args.slope)] {
        if value.is_some_and(|value| !value.is_finite() || value <= 0.0) {
            bail!("{name} must be a number above 0");
        }
    }
    let text = fs::read_to_string(&args.data).with_context(|| args.data.display().to_string())?;
    let data = Data::parse(&text).with_context(|| args.data.display().to_string())?;
    if data.is_empty() {
        bail!("{}: no positions", args.data.display());
    }
    // An error here is better than one after an hour of work.
    let source = match &args.rewrite {
        Some(path) => {
            let source = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            if rewrite(&source, &current_weights()).is_none() {
                bail!("{}: these are not the weights of the evaluation", path.display());
            }
            whole_file::try_write(path)?;
            Some(source)
        }
        None => None,
    };
    let options = Options {
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        result_share: args.result_share,
        slope: args.slope,
        ..Options::default()
    };
    let bar = terminal::progress(args.epochs as u64);
    let fit = data.fit(&options, |epoch, losses| {
        bar.set_position(epoch as u64);
        bar.set_message(shown(losses));
    });
    bar.finish_and_clear();

    let moved = current_weights()
        .iter()
        .zip(&fit.weights)
        .map(|(old, new)| (new[0] - old[0]).abs().max((new[1] - old[1]).abs()))
        .fold(0.0, f64::max);
    if fit.after.training.is_nan() || fit.after.training > fit.before.training {
        bail!("the fit has diverged, {} from {}: lower --rate", shown(fit.after), shown(fit.before));
    }
    let mut out = terminal::stdout(args.rewrite.is_some());
    writeln!(out, "{} positions, slope {:.1} centipawns", data.len(), fit.slope)?;
    writeln!(out, "before   {}", shown(fit.before))?;
    writeln!(out, "{STRONG}after    {}{STRONG:#}", shown(fit.after))?;
    writeln!(out, "largest change of a weight: {moved:.1} centipawns")?;
    if let (Some(path), Some(source)) = (&args.rewrite, source)
        && let Some(rewritten) = rewrite(&source, &fit.weights)
    {
        whole_file::write(path, rewritten)?;
        writeln!(out, "written to {}", path.display())?;
    }
    Ok(())
}

fn shown(losses: Losses) -> String {
    let held_out = losses.held_out.map_or("none".into(), |loss| format!("{loss:.6}"));
    format!("loss {:.6}, held out {held_out}", losses.training)
}
