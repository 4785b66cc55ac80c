//! `cassius solve`.

use super::beside::BesideArgs;
use super::suites;
use crate::Error;
use crate::peer::{Peer, Reply, Thinking, Turn};
use crate::setup::{EngineArgs, LimitArgs};
use crate::terminal::{self, DIM, STRONG};
use anyhow::{Context as _, bail};
use cassius_chess::notation::{Pawns, moves_to_mate};
use cassius_lab::suite::{self, Exercise, Moment, Outcome, Setup, Summary};
use cassius_lab::{Budget, Clock, parallel};
use cassius_search::Score;
use serde_json::{Value, json};
use shakmaty::CastlingMode;
use std::fmt;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Arguments of `cassius solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A position is solved if the move chosen at the end of the search is one of the `bm` moves and none of \
the `am` moves. With `dm N` alone, it is solved if the value is a mate in at most N moves. Nodes and \
time to solution are measured up to the point from which the answer stayed correct.

--beside gives every position to another engine afterwards, with the same limits, threads and size of \
the table. With one job, the two engines never run at the same time. Its nodes and time are those at \
the end.

Examples:
  cassius solve wac.epd --time 1s
  cassius solve wac.epd --time 1s --beside stockfish
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
    #[command(flatten)]
    beside: BesideArgs,
}

/// The time for a position if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Solves the suites.
pub fn run(args: SolveArgs) -> Result<(), Error> {
    args.limits.agree_with(&args.engine.recipe)?;
    let player = args.engine.player()?;
    player.engine(1, 1)?; // fails early if the player is wrong
    let mut budget = budget(&args.limits);
    if budget.is_unlimited() {
        budget.time = Some(DEFAULT_TIME);
    }
    let (exercises, unread) = suites::read(&args.suites)?;

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
    let limits = LimitArgs { nodes: budget.nodes, time: budget.time, depth: budget.depth };
    let work = || -> Result<_, Error> {
        let mut engine = player.engine(setup.hash, setup.threads)?;
        let mut peer = args.beside.start(args.engine.hash, args.engine.threads)?;
        let (setup, limits) = (&setup, &limits);
        Ok(move |exercise: &Exercise| {
            let outcome = suite::attempt(exercise, &mut engine, setup)?;
            let knows = |peer: &&mut Peer| peer.knows(&exercise.epd.position);
            let there = peer.as_mut().filter(knows).map(|peer| There::ask(peer, exercise, limits));
            Some((outcome, there.transpose()))
        })
    };
    let bar = terminal::progress(exercises.len() as u64);
    if args.details && !args.json {
        bar.suspend(heading)?;
    }
    let (mut outcomes, mut tally, mut result) = (Vec::new(), Tally::default(), Ok(()));
    let ended = parallel::run_in_order(&exercises, setup.jobs, work, &stop, &mut |(outcome, there)| {
        let exercise = &exercises[outcomes.len()];
        let (there, error) = match there {
            Ok(there) => (there, Ok(())),
            Err(error) => (None, Err(error)),
        };
        tally.count(&outcome, there.as_ref());
        if let Some(there) = there.as_ref().filter(|there| !there.is_legal(exercise)) {
            let (name, mv, place) = (&there.name, &there.reply.mv, exercise.name());
            bar.suspend(|| terminal::note(format_args!("{place}: {name} chose the illegal move '{mv}'")));
        }
        let shown = match args.json || args.details {
            true => bar.suspend(|| show(exercise, &outcome, there.as_ref(), args.json)),
            false => Ok(()),
        };
        outcomes.push(outcome);
        bar.set_message(format!("{} solved", tally.here));
        bar.inc(1);
        if result.is_ok() {
            result = shown.map_err(Error::from).and(error); // the first error counts
        }
        result.is_ok()
    });
    bar.finish_and_clear();

    let summary = Summary::of(&outcomes);
    let mut out = anstream::stdout().lock();
    if args.json {
        writeln!(
            out,
            "{}",
            totals(&summary, &player.to_string(), &budget.to_string(), unread.lines, &tally)
        )?;
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
        if tally.positions > 0 {
            writeln!(out, "{tally}")?;
        }
    }
    out.flush()?;
    result.and(ended)?;
    unread.check()?;
    if exercises.is_empty() {
        let names: Vec<_> = args.suites.iter().map(|path| path.display().to_string()).collect();
        bail!("no exercise in {}", names.join(", "))
    }
    Ok(())
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

fn show(exercise: &Exercise, outcome: &Outcome, there: Option<&There>, json: bool) -> io::Result<()> {
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
            "beside": there.map(|there| there.json(exercise)),
        });
        return writeln!(out, "{line}");
    }
    let mut name = terminal::harmless_text(&exercise.name());
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
    )?;
    there.map_or(Ok(()), |there| writeln!(out, "{DIM}{}{DIM:#}", there.text(exercise)))
}

fn totals(summary: &Summary, player: &str, budget: &str, broken: usize, tally: &Tally) -> Value {
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
        "beside": (tally.positions > 0).then_some(tally),
    })
}

/// The other engine's answer for a position.
struct There {
    name: String,
    reply: Reply,
    solved: bool,
}

impl There {
    fn ask(peer: &mut Peer, exercise: &Exercise, limits: &LimitArgs) -> Result<There, Error> {
        let position = &exercise.epd.position;
        let start = format!("fen {position}");
        let turn = Turn { start, moves: Vec::new(), thinking: Thinking::Limits(limits.clone()) };
        let reply = peer
            .new_game(position.castling_mode() == CastlingMode::Chess960)
            .and_then(|()| peer.play(&turn, &|| false))
            .with_context(|| exercise.name())?;
        let score = reply.info.as_ref().map_or(Score::DRAW, |info| info.score.score());
        let solved = position.parse_uci(&reply.mv).is_ok_and(|mv| exercise.is_solved_by(mv, score));
        Ok(There { name: peer.name().into(), reply, solved })
    }

    fn is_legal(&self, exercise: &Exercise) -> bool {
        exercise.epd.position.parse_uci(&self.reply.mv).is_ok()
    }

    /// Returns the answer in SAN, or the engine's own word if it is not a legal move.
    fn answer(&self, exercise: &Exercise) -> String {
        let position = &exercise.epd.position;
        position.parse_uci(&self.reply.mv).map_or_else(|_| self.reply.mv.clone(), |mv| position.san(mv))
    }

    fn text(&self, exercise: &Exercise) -> String {
        let There { name, reply, solved } = self;
        let (depth, nodes) = reply.info.as_ref().map_or((0, 0), |info| (info.depth, info.nodes));
        let value = reply.info.as_ref().map_or("–".into(), |info| Pawns(info.score.score()).to_string());
        let mark = if *solved { "yes" } else { "no" };
        let answer = self.answer(exercise);
        let seconds = reply.elapsed.as_secs_f64();
        let name: String = name.chars().take(WIDEST_NAME - 2).collect();
        format!(
            "  {name:<0$} {mark:<6} {answer:<8} {value:>8} {depth:>6} {nodes:>12} {seconds:>9.3}",
            WIDEST_NAME - 2
        )
    }

    fn json(&self, exercise: &Exercise) -> Value {
        let info = self.reply.info.as_ref();
        json!({
            "name": self.name,
            "answer": self.answer(exercise),
            "score": info.map(|info| score_json(info.score.score())),
            "solved": self.solved,
            "depth": info.map(|info| info.depth),
            "nodes": info.map(|info| info.nodes),
            "seconds": self.reply.elapsed.as_secs_f64(),
        })
    }
}

/// The numbers of positions solved here, by the other engine, and by both.
#[derive(Default, serde::Serialize)]
struct Tally {
    name: String,
    positions: usize,
    #[serde(skip)]
    here: usize,
    solved: usize,
    both: usize,
    only_here: usize,
    only_there: usize,
}

impl Tally {
    fn count(&mut self, here: &Outcome, there: Option<&There>) {
        let here = here.solved.is_some();
        self.here += usize::from(here);
        let Some(There { name, solved, .. }) = there else { return };
        self.name.clone_from(name);
        self.positions += 1;
        self.solved += usize::from(*solved);
        self.both += usize::from(here && *solved);
        self.only_here += usize::from(here && !solved);
        self.only_there += usize::from(!here && *solved);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { name, positions, solved, both, only_here, only_there, .. } = self;
        write!(
            f,
            "{STRONG}{solved} of {positions} solved by {name}{STRONG:#} with the same limits: {both} by \
             both, {only_here} only here, {only_there} only there"
        )
    }
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
        None if score.is_decided() => json!({ "proven": if score > Score::DRAW { "won" } else { "lost" } }),
        None => json!({ "cp": score.0 }),
    }
}
