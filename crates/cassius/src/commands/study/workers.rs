//! `cassius study workers`: how much sooner several workers find the solution.
//!
//! A simulation: time is the number of nodes that a worker has searched, so that as many workers as one likes
//! can be looked at on any machine. The judgements are real, and each is made once.

use super::engines::EnginesArgs;
use super::measured::{self, once};
use super::pool::Worker;
use crate::Error;
use crate::commands::suites;
use crate::setup::{parse_count, parse_effort};
use crate::terminal::STRONG;
use anyhow::ensure;
use cassius_chess::Position;
use cassius_lab::kept::Kept;
use cassius_lab::suite::Exercise;
use cassius_search::study::{Asked, Judgement, PositionId, Refused, Steps};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

/// Arguments of `cassius study workers`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A study is grown for each position and each number of workers. All have the same --total-nodes. Time is \
the number of nodes that one worker searches. A position is solved from the time on after which the best \
move of the study is the solution until the end.

Example:
  cassius study workers wac.epd --engine stockfish --nodes 100k --total-nodes 10M \\
    --out workers.jsonl")]
pub struct WorkersArgs {
    /// EPD files with `bm` or `am`.
    #[arg(required = true, value_name = "SUITE")]
    suites: Vec<PathBuf>,
    /// Numbers of workers.
    #[arg(
        long, value_name = "N", value_delimiter = ',', default_value = "1,2,8,64",
        value_parser = clap::value_parser!(u16).range(1..=4096),
    )]
    workers: Vec<u16>,
    /// Nodes for the first judgement of a leaf.
    #[arg(long, value_name = "N", default_value = "100k", value_parser = parse_effort)]
    nodes: u64,
    /// Nodes for a position.
    #[arg(long = "total-nodes", value_name = "N", default_value = "10M", value_parser = parse_count)]
    total: u64,
    /// File in which the judgements are kept. They are not repeated when the command is run again.
    /// An engine is known by its name and options.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    engines: EnginesArgs,
}

/// Runs the simulation.
pub fn run(args: &WorkersArgs) -> Result<(), Error> {
    let (exercises, unread) = suites::read(&args.suites)?;
    ensure!(!exercises.is_empty(), "there is nothing to solve");
    let found = measured::each(&args.engines, args.out.as_deref(), &exercises, |worker, exercise, kept| {
        args.workers.iter().map(|&workers| simulate(worker, exercise, workers, args, kept)).collect()
    })?;
    let mut out = anstream::stdout().lock();
    write!(out, "{}", text(&found, args))?;
    out.flush()?;
    unread.check()
}

/// Grows a study by so many workers. Returns the time from which on it is solved.
fn simulate(
    worker: &mut Worker,
    exercise: &Exercise,
    workers: u16,
    args: &WorkersArgs,
    kept: Option<&Kept>,
) -> Result<Option<u64>, String> {
    let root = &exercise.epd.position;
    let mut study = cassius_study::study(root.clone());
    study.steps = Steps { effort: i32::try_from(args.nodes).unwrap_or(i32::MAX), ..Steps::default() };
    let (mut now, mut spent, mut solved) = (0, 0, None);
    let mut in_work: Vec<(u64, Asked<Position>, Judgement<_>)> = Vec::new();
    loop {
        while in_work.len() < workers.into() && spent < args.total {
            let Some(asked) = study.ask(1).pop() else { break };
            if spent + asked.effort / 2 > args.total {
                study.give_back(asked.leaf); // less than half of it is left
                spent = args.total;
                break;
            }
            let judged = once(worker, root, &asked, kept)?;
            let best = judged.best.ok_or("no move was named")?;
            spent += judged.nodes.max(1);
            let judgement = Judgement::estimate(judged.value, best, asked.effort);
            in_work.push((now + judged.nodes.max(1), asked, judgement));
        }
        // The first of those that are ready at the same time.
        let first = (0..in_work.len()).min_by_key(|&place| in_work[place].0);
        let Some(first) = first else { return Ok(solved) };
        let (time, asked, judgement) = in_work.remove(first);
        now = time;
        match study.tell(asked.leaf, judgement) {
            Ok(()) | Err(Refused::NoLeaf) => (),
            Err(refused) => return Err(refused.to_string()),
        }
        let best = study.verdict().moves.first().and_then(|best| best.mv);
        let is_solved = best.is_some_and(|mv| exercise.is_solved_by(mv, study.value(PositionId::ROOT)));
        solved = if is_solved { solved.or(Some(now)) } else { None };
    }
}

/// Returns the results as text.
fn text(found: &[Vec<Option<u64>>], args: &WorkersArgs) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{} positions, {} nodes each", found.len(), args.total);
    let _ = writeln!(
        text,
        "{STRONG}{:>7}  {:>6}  {:>14}  {:>18}{STRONG:#}",
        "workers", "solved", "solved by both", "times as fast"
    );
    for (place, workers) in args.workers.iter().enumerate() {
        let solved = found.iter().filter(|times| times[place].is_some()).count();
        // How many times as fast as the first number of workers, where both solve it: the geometric mean.
        let ratios: Vec<f64> =
            found.iter().filter_map(|times| Some((times[0]? as f64 / times[place]? as f64).ln())).collect();
        let mean = (ratios.iter().sum::<f64>() / ratios.len() as f64).exp();
        let mean = if ratios.is_empty() { "–".to_string() } else { format!("{mean:.2}") };
        let _ = writeln!(text, "{workers:>7}  {solved:>6}  {:>14}  {mean:>18}", ratios.len());
    }
    text
}
