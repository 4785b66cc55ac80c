//! `cassius lab human`.

use super::judge::JudgeArgs;
use crate::setup::{mib, parse_count};
use crate::terminal::{self, STRONG};
use crate::{Error, whole_file};
use anyhow::{Context as _, bail};
use cassius_insight::SLOPE;
use cassius_insight::human::HumanModel;
use cassius_lab::chances;
use cassius_lab::experiment::OtherJudge;
use cassius_lab::human::{FitOptions, Scene, Settings, fit, fit_doubts, fit_sums, recalibrate_sums, scenes};
use cassius_lab::kept::Kept;
use cassius_lab::rated::{self, RatedGame};
use cassius_lab::statistics::Estimate;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Arguments of `cassius lab human`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The games need the tags WhiteElo and BlackElo. TimeControl, UTCDate or Date, Site, and the clock in \
comments ([%clk 0:03:00]) are used where they are there. Left out are the first ten plies, decided \
positions, positions with one legal move, players whose rating changed by more than 30 points in \
the game, and what a player played after their sixtieth game.
A third of the players, chosen by their names, is held out: no model is fitted to their moves.
With --recalibrate only four weights of the given model change: how much all others count, how much \
it counts that a move holds, for any rating and for a higher one, and how many errors are made. A \
hundred games are enough.

Examples:
  cassius lab human rated.pgn --deeper 200k --jobs 2 --kept judged.jsonl --write human.txt
  cassius lab human mine.pgn --recalibrate --write mine.txt
  cassius explain game.pgn --human-model mine.txt")]
pub struct HumanArgs {
    /// Files of rated games (PGN).
    #[arg(required = true, value_name = "PGN")]
    games: Vec<PathBuf>,
    /// File for the fitted weights; without it, only losses are shown.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Adapt this model, or the one that is built in, to the players of these games.
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    recalibrate: Option<Option<PathBuf>>,
    /// Fit to all players: hold none out.
    #[arg(long)]
    everybody: bool,
    /// File in which the findings about positions are kept, so that they are judged once.
    #[arg(long, value_name = "FILE")]
    kept: Option<PathBuf>,
    /// Maximum number of nodes for judging a position.
    #[arg(long, value_name = "N", value_parser = parse_count, default_value = "20k")]
    nodes: u64,
    /// Judge every fifteenth game with this number of nodes too, to learn how far verdicts can be trusted.
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "recalibrate")]
    deeper: Option<u64>,
    /// Number of games judged at the same time.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    jobs: u16,
    /// Number of passes over the moves.
    #[arg(long, value_name = "N", default_value_t = FitOptions::default().epochs)]
    epochs: usize,
    /// Size of the table of the engine that judges, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = mib(), requires = "engine")]
    hash: u32,
    #[command(flatten)]
    judge: JudgeArgs,
}

/// Reads a model of human moves.
pub fn model(path: &Path) -> Result<HumanModel, Error> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    HumanModel::parse(&text).with_context(|| format!("{}: not a model of human moves", path.display()))
}

/// Reads the rated games of some files. Broken games, and those that came before, are reported and left out.
pub fn read_games(paths: &[PathBuf]) -> Result<Vec<RatedGame>, Error> {
    let (mut games, mut seen) = (Vec::new(), rated::Seen::default());
    for path in paths {
        let file = fs::File::open(path).with_context(|| path.display().to_string())?;
        let source = path.display().to_string();
        let (read, broken) = rated::read_more(&source, io::BufReader::new(file), &mut seen);
        broken.iter().for_each(|broken| terminal::note(format_args!("left out: {broken}")));
        games.extend(read);
    }
    Ok(games)
}

/// Fits the model of human moves to rated games.
pub fn run(args: &HumanArgs) -> Result<(), Error> {
    // An error here is better than one after an hour of work.
    let outputs: Vec<&Path> = args.write.iter().chain(&args.kept).map(PathBuf::as_path).collect();
    let weights = args.recalibrate.iter().flatten().map(PathBuf::as_path);
    let games = args.games.iter().map(PathBuf::as_path);
    let read: Vec<&Path> = games.chain(weights).chain(args.judge.files()).collect();
    whole_file::prepare(&outputs, &read)?;
    let start = match &args.recalibrate {
        None => None,
        Some(None) => Some(HumanModel::built_in().as_ref().clone()),
        Some(Some(path)) => Some(model(path)?),
    };
    let games = read_games(&args.games)?;
    let kept = args.kept.as_deref().map(|path| Kept::open(path).with_context(|| path.display().to_string()));
    let kept = kept.transpose()?;
    if let (Some(kept), Some(path)) = (&kept, &args.kept) {
        kept.lock().with_context(|| path.display().to_string())?;
    }
    args.judge.refuse_time()?;
    let other = args.judge.other(None, args.hash)?;
    let engine = other.as_ref().map(|other| || other.start());
    let judge = other.as_ref().zip(engine.as_ref());
    let judge = judge.map(|(other, start)| OtherJudge { name: &other.key, start });
    let stop = AtomicBool::new(false);
    let settings = Settings {
        nodes: args.nodes,
        jobs: args.jobs.into(),
        judge,
        kept: kept.as_ref(),
        kept_only: false,
        stop: &stop,
    };
    let bar = terminal::progress(games.len() as u64);
    let progress = |done: usize, of: usize| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    };
    let judged = scenes(&games, &settings, &progress).and_then(|all| {
        let Some(nodes) = args.deeper else { return Ok((all, Vec::new())) };
        let some: Vec<RatedGame> = games.iter().step_by(15).cloned().collect();
        Ok((all, scenes(&some, &Settings { nodes, ..settings }, &progress)?))
    });
    bar.finish_and_clear();
    // Judging may have ended because no finding could be kept.
    if let Some(kept) = kept {
        kept.close().context("the findings cannot be kept")?;
    }
    let (mut all, mut deeper) = judged?;
    deeper.retain(|scene| args.everybody || !scene.held_out);
    let held_out: Vec<Scene> = match args.everybody {
        true => Vec::new(),
        false => all.extract_if(.., |scene| scene.held_out).collect(),
    };
    if all.is_empty() {
        bail!("no position of these games counts");
    }
    let bar = terminal::progress(args.epochs as u64);
    let options = FitOptions { epochs: args.epochs, ..FitOptions::default() };
    let mut model = fit(&all, start.as_ref(), &options, &mut |epoch, loss| {
        bar.set_position(epoch as u64);
        bar.set_message(format!("loss {loss:.4}"));
    });
    bar.finish_and_clear();
    if start.is_some() {
        recalibrate_sums(&mut model, &all);
    } else {
        let scenes: Vec<&Scene> = all.iter().chain(&deeper).collect();
        fit_doubts(&mut model, &scenes)?;
        fit_sums(&mut model, &scenes)?;
    }
    let mut out = terminal::stdout(args.write.is_some());
    writeln!(
        out,
        "{} games; log loss a move, first choice right, errors and predicted errors:",
        games.len()
    )?;
    for (name, scenes) in [("fitted to", &all), ("held out", &held_out)] {
        if !scenes.is_empty() {
            writeln!(out, "{STRONG}{name}{STRONG:#}  {}", told(scenes, &model))?;
        }
    }
    let scenes: Vec<&Scene> = all.iter().chain(&held_out).collect();
    tell_slopes(&mut out, &scenes, &games)?;
    if let Some(path) = &args.write {
        let fitted = match &args.recalibrate {
            None => "Fitted".to_string(),
            Some(None) => "Adapted from the built-in model".to_string(),
            Some(Some(of)) => format!("Adapted from {}", of.display()),
        };
        let shares = if args.everybody { "all players" } else { "a third of the players held out" };
        let about = format!(
            "{fitted} by `cassius lab human` to {} moves of {} games, {shares}, judged{} with {} nodes{}:\n\
             {}",
            all.len(),
            games.len(),
            other.as_ref().map_or_else(String::new, |other| format!(" by {}", other.key)),
            args.nodes,
            args.deeper.map_or_else(String::new, |nodes| format!(", every fifteenth game with {nodes} too")),
            args.games.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(" "),
        );
        whole_file::write(path, model.to_text(&about))?;
        writeln!(out, "written to {}", path.display())?;
    }
    Ok(())
}

/// Tells what a hundredth of a pawn counted for the win probability in these games.
fn tell_slopes(out: &mut impl io::Write, scenes: &[&Scene], games: &[RatedGame]) -> io::Result<()> {
    let bands = [0, 1200, 1600, 2000, 5000].map(f64::from);
    writeln!(out, "logit of the win probability for each hundredth of a pawn, between equals:")?;
    writeln!(out, "{STRONG}insights use{STRONG:#}   {SLOPE:.5}")?;
    for (low, high) in bands.iter().zip(&bands[1..]).chain([(&bands[0], &bands[4])]) {
        let seen = chances::seen(scenes, games, *low..*high);
        if let Some(slope) = chances::slope(&seen) {
            let count = seen.chunk_by(|a, b| a.game == b.game).count();
            let Estimate { value, low: least, high: most } = slope;
            writeln!(out, "{low:4} to {high:4}   {value:.5} [{least:.5}, {most:.5}], {count} games")?;
        }
    }
    Ok(())
}

fn told(scenes: &[Scene], model: &HumanModel) -> String {
    let count = scenes.len() as f64;
    let (mut loss, mut first, mut errors, mut predicted) = (0.0, 0.0, 0.0, 0.0);
    for scene in scenes {
        let shares = scene.shares(model);
        loss -= shares[scene.found.played].max(1e-12).ln();
        let most = shares.iter().copied().fold(0.0, f64::max);
        if shares[scene.found.played] >= most {
            first += 1.0 / shares.iter().filter(|share| **share >= most).count() as f64;
        }
        errors += f64::from(u8::from(scene.is_error()));
        predicted += scene.error(model, &shares);
    }
    format!(
        "{} moves, {:.4}, {:.1} %, {:.1} %, {:.1} %",
        scenes.len(),
        loss / count,
        100.0 * first / count,
        100.0 * errors / count,
        100.0 * predicted / count
    )
}
