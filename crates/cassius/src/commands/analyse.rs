//! `cassius analyse`.

pub(super) mod input;
pub(super) mod output;

use crate::clock::{Allowance, Clock};
use crate::setup::{EngineArgs, LimitArgs};
use crate::{Error, terminal};
use cassius_chess::Move;
use cassius_chess::tablebase::Tablebases;
use cassius_search::{Answer, MAX_PLY, Report, Request};
use input::{Item, Ply};
use output::Found;
use std::ffi::OsString;
use std::io::Write as _;
use std::time::Duration;

/// Arguments of `cassius analyse`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Values are from White's point of view: + is good for White, #3 means that White mates in three \
moves, and #-3 that Black does. \
The line below each variation shows how deep the plans behind its value were searched. White's plan \
shows that the value is at least this high, Black's plan that it is at most this high. \
Without a limit, each position is searched for two seconds.

Examples:
  cassius analyse startpos --time 5s
  cassius analyse '6k1/5ppp/8/8/8/8/8/R6K w - - 0 1' --lines 3 --depth 12
  cassius analyse game.pgn --ply last
  cassius analyse positions.epd --nodes 200k --json > positions.json
  cat game.pgn | cassius analyse - --recipe coupled")]
pub struct AnalyseArgs {
    /// FENs, `startpos`, files with EPDs, FENs or games (PGN), or `-` for standard input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<OsString>,
    /// Number of best lines per position.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256),
    )]
    lines: u16,
    /// Positions of a game to analyse: `all`, `last`, or a number N for the one after N plies.
    #[arg(long, value_name = "WHICH", default_value = "all")]
    ply: Ply,
    /// Print one JSON object per position, one per line.
    #[arg(long)]
    json: bool,
    /// Directories with Syzygy endgame tables, separated by `;` (or by `:`, except on Windows).
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// The time for a position if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// Analyses every position of every input. Broken inputs are reported and left out.
pub fn run(args: AnalyseArgs) -> Result<(), Error> {
    args.limits.agree_with(&args.engine.recipe)?;
    let mut engine = args.engine.build()?;
    if let Some(path) = &args.syzygy {
        engine.set_tablebases(Some(Tablebases::open(path)?));
    }
    let mut limits = args.limits.clone();
    if !limits.any() {
        limits.time = Some(DEFAULT_TIME);
    }
    let sources = input::sources(&args.inputs);
    let bar = terminal::progress(input::count(&sources, args.ply).unwrap_or(0));
    let (mut broken, mut seen) = (0, 0);
    for source in &sources {
        for item in source.items(args.ply) {
            match item {
                Err(complaint) => {
                    broken += 1;
                    bar.suspend(|| terminal::complain(format_args!("{complaint}")));
                }
                Ok(item) => {
                    seen += 1;
                    if item.fresh {
                        engine.forget();
                    }
                    let found = analyse(&mut engine, &item, &args, &limits, &bar);
                    bar.suspend(|| {
                        let mut out = anstream::stdout().lock();
                        match args.json {
                            true => writeln!(out, "{}", output::json(&item, &found))?,
                            false => write!(out, "{}", output::text(&item, &found))?,
                        }
                        out.flush()
                    })?;
                    bar.inc(1);
                }
            }
        }
    }
    bar.finish_and_clear();
    input::summary(&args.inputs, seen, broken)
}

fn analyse(
    engine: &mut cassius_chess::Engine,
    item: &Item,
    args: &AnalyseArgs,
    limits: &LimitArgs,
    bar: &indicatif::ProgressBar,
) -> Found {
    // A confirmed mate ends the search, unless other lines are requested too.
    let allowance = Allowance { settled: args.lines == 1, ..limits.allowance() };
    let clock = Clock::start(&allowance);
    // Where a draw can be claimed by the fifty-move rule, the game goes on as if its count started afresh.
    let afresh = (item.position.halfmoves() >= 100).then(|| item.position.with_new_clock());
    let request = Request {
        position: afresh.as_ref().unwrap_or(&item.position),
        before: &item.before,
        moves: &[],
        lines: args.lines.into(),
        iterations: limits.iterations().min(MAX_PLY),
        limits: &clock,
    };
    let mut show = |report: &Report<Move>| {
        if report.line == 0 && !bar.is_hidden() {
            bar.set_message(output::message(&item.position, report));
        }
    };
    let answer = match output::end_of_game(&item.position) {
        Some(_) => Answer::nothing(), // there are moves, but no game, where the material is insufficient
        None => engine.search(&request, &mut show),
    };
    Found { answer, elapsed: clock.control().elapsed(), recipe: engine.recipe().name }
}
