//! `cassius solve`.

use crate::Error;
use crate::setup::{EngineArgs, LimitArgs};
use crate::terminal::{self, DIM, STRONG};
use anyhow::{Context as _, bail};
use cassius_chess::notation::{Pawns, moves_to_mate};
use cassius_lab::suite::{self, Exercise, Moment, Outcome, Setup, Summary};
use cassius_lab::{Budget, Clock};
use cassius_search::Score;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Arguments of `cassius solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A position is solved if the move chosen at the end of the search is one of the `bm` moves and none of
the `am` moves. With `dm N` alone, it is solved if the value is a mate in at most N moves. Nodes and
time to solution are measured up to the point from which the answer stayed correct.

Examples:
  cassius solve wac.epd --time 1s
  cassius solve wac.epd sts.epd --nodes 200k --jobs 4 --details
  cassius solve wac.epd --nodes 200k --recipe lab --set NullMove.on=0 --json > without-null.json")]
pub struct SolveArgs {
    /// EPD files with `bm`, `am` or `dm`; `-` for standard input.
    #[arg(required = true, value_name = "SUITE")]
    suites: Vec<PathBuf>,
    /// Number of positions solved at the same time, each with its own table.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    jobs: u16,
    /// Show every position.
    #[arg(long)]
    details: bool,
    /// Print every position, and the totals at the end, as JSON objects, one per line.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// The time for a position if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Solves the suites.
pub fn run(args: SolveArgs) -> Result<(), Error> {
    let player = args.engine.player()?;
    player.engine(1, 1)?; // fails early if the player is wrong
    let mut budget = budget(&args.limits);
    if budget.is_unlimited() {
        budget.time = Some(DEFAULT_TIME);
    }
    let mut exercises = Vec::new();
    let mut broken = 0;
    for path in &args.suites {
        let (read, bad) = suite::read(&path.display().to_string(), open(path)?);
        exercises.extend(read);
        broken += bad.len();
        bad.iter().for_each(|line| terminal::complain(format_args!("{line}")));
    }

    let clock = Wall::start();
    let stop = AtomicBool::new(false);
    let setup = Setup {
        player: &player,
        hash: args.engine.hash as usize,
        threads: args.engine.threads.into(),
        jobs: args.jobs.into(),
        budget,
        clock: &clock,
        stop: &stop,
    };
    let bar = terminal::progress(exercises.len() as u64);
    let (mut solved, mut result) = (0, Ok(()));
    // Positions are displayed in the order of the suites, each as soon as those before it are done.
    let mut waiting: Vec<Option<Outcome>> = vec![None; exercises.len()];
    let mut shown = 0;
    if args.details && !args.json {
        bar.suspend(heading)?;
    }
    let outcomes = suite::solve(&exercises, &setup, &mut |number, outcome| {
        solved += usize::from(outcome.solved.is_some());
        bar.set_message(format!("{solved} solved"));
        bar.inc(1);
        waiting[number] = Some(outcome.clone());
        while let Some(Some(outcome)) = waiting.get(shown) {
            let exercise = &exercises[shown];
            shown += 1;
            if result.is_ok() && (args.json || args.details) {
                let json = args.json;
                result = bar.suspend(|| show(exercise, outcome, json));
            }
            if result.is_err() {
                stop.store(true, Relaxed);
            }
        }
    })?;
    bar.finish_and_clear();
    result?;

    let summary = Summary::of(outcomes.iter().flatten());
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(out, "{}", totals(&summary, &player.to_string(), &budget.to_string(), broken))?;
    } else {
        let share = 100.0 * summary.solved as f64 / summary.done.max(1) as f64;
        writeln!(
            out,
            "{STRONG}{} of {} solved{STRONG:#} ({share:.1} %) by {player} with {budget} per position",
            summary.solved, summary.done
        )?;
        if let (Some(nodes), Some(time)) = (summary.median_nodes, summary.median_time) {
            writeln!(out, "median to solution {nodes} nodes, {:.3} s", time.as_secs_f64())?;
        }
        writeln!(out, "{} nodes, {:.1} s in total", summary.nodes, summary.time.as_secs_f64())?;
    }
    out.flush()?;
    match broken {
        0 if exercises.is_empty() => {
            let names: Vec<_> = args.suites.iter().map(|path| path.display().to_string()).collect();
            bail!("no exercise in {}", names.join(", "))
        }
        0 => Ok(()),
        1 => bail!("1 line could not be read; the rest was processed"),
        _ => bail!("{broken} lines could not be read; the rest was processed"),
    }
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Error> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    Ok(Box::new(BufReader::new(file)))
}

const WIDEST_NAME: usize = 28;

fn heading() -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(
        out,
        "{STRONG}{:<WIDEST_NAME$} {:<6} {:<8} {:>8} {:>6} {:>12} {:>9}  task{STRONG:#}",
        "position", "solved", "answer", "value", "depth", "nodes", "seconds"
    )
}

fn show(exercise: &Exercise, outcome: &Outcome, json: bool) -> io::Result<()> {
    let position = &exercise.epd.position;
    let answer = outcome.answer.map(|mv| position.san(mv));
    let mut out = anstream::stdout().lock();
    if json {
        let moment = |moment: Moment| {
            json!({
                "nodes": moment.nodes, "seconds": moment.time.as_secs_f64(), "iteration": moment.iteration,
            })
        };
        let line = json!({
            "source": exercise.source,
            "line": exercise.line,
            "id": exercise.epd.id(),
            "fen": position.to_string(),
            "asked": exercise.task(),
            "answer": answer,
            "score": outcome.score.map(score_json),
            "solved": outcome.solved.is_some(),
            "solution": outcome.solved.map(moment),
            "end": moment(outcome.end),
        });
        return writeln!(out, "{line}");
    }
    let mut name = exercise.name();
    if name.chars().count() > WIDEST_NAME {
        name = name.chars().take(WIDEST_NAME - 1).chain(['…']).collect();
    }
    let (mark, moment) = match outcome.solved {
        Some(moment) => ("yes", moment),
        None => ("no", outcome.end),
    };
    let style = if outcome.solved.is_some() { DIM } else { STRONG };
    writeln!(
        out,
        "{style}{name:<WIDEST_NAME$} {mark:<6} {:<8} {:>8} {:>6} {:>12} {:>9.3}  {}{style:#}",
        answer.unwrap_or_else(|| "–".into()),
        outcome.score.map_or_else(|| "–".into(), |score| Pawns(score).to_string()),
        moment.iteration,
        moment.nodes,
        moment.time.as_secs_f64(),
        exercise.task(),
    )
}

fn totals(summary: &Summary, player: &str, budget: &str, broken: usize) -> Value {
    json!({
        "player": player,
        "budget": budget,
        "solved": summary.solved,
        "positions": summary.done,
        "broken_lines": broken,
        "nodes": summary.nodes,
        "seconds": summary.time.as_secs_f64(),
        "median_nodes_to_solution": summary.median_nodes,
        "median_seconds_to_solution": summary.median_time.map(|time| time.as_secs_f64()),
    })
}

/// The time since the program started, for the laboratory.
pub(super) struct Wall(Instant);

impl Wall {
    pub(super) fn start() -> Wall {
        Wall(Instant::now())
    }
}

impl Clock for Wall {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Returns the limits for the laboratory.
pub(super) fn budget(args: &LimitArgs) -> Budget {
    Budget { nodes: args.nodes, time: args.time, depth: args.depth }
}

fn score_json(score: Score) -> Value {
    match moves_to_mate(score) {
        Some(moves) => json!({ "mate": moves }),
        None => json!({ "cp": score.0 }),
    }
}
