//! `cassius explain`: what a position demands of White and of Black.

mod output;

use super::analyse::input::{self, Ply};
use crate::setup::{mib, parse_count};
use crate::{Error, terminal, whole_file};
use anyhow::bail;
use cassius_chess::tablebase::{Endgames, Tablebases};
use cassius_insight::{Analyst, Effort, Explanation, explain};
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::Path;

/// Arguments of `cassius explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A move holds if it keeps the win probability within 10 % of the best move's; each legal move is
verified by a search. What the other side has to find is asked after the best move. An only move
is the one move that holds, unless anybody plays it: the sole legal move, mate in one, a recapture,
or the capture of something that hangs: that is not defended well enough, and looks best at a
glance. Moves that look right at a glance and do not hold come with what refutes them. A side is
lost, whatever it plays, with a win probability of 10 % or less: no move can give away more.
Ratings are those of Lichess, whose games the chance of an error was fitted to. From a FEN the move
before is not known: a recapture is not told from other moves, and the chance is then too high.
The depth of a plan is as far as its nodes have shown: more may show more.
The numbers do not depend on how many moves are shown; with the same nodes they are the same from
run to run.
Without --nodes a middlegame takes a second or two.

Examples:
  cassius explain '7K/8/k1P5/7p/8/8/8/8 w - - 0 1'
  cassius explain game.pgn --ply last --more
  cassius explain startpos --plans start; cassius check start-white.txt
  cassius explain positions.epd --json > explained.json")]
pub struct ExplainArgs {
    /// FENs, `startpos`, files with EPDs, FENs or games (PGN), or `-` for standard input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<OsString>,
    /// Say more: every move that holds, the plans, where they would break, what was searched.
    #[arg(long)]
    more: bool,
    /// Moves shown for each side; with --more all that hold are shown.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    lines: u16,
    /// The rating, as on Lichess, for which the chance of an error is told.
    #[arg(long, value_name = "ELO", default_value_t = 1500, value_parser = clap::value_parser!(u16).range(400..=3000))]
    elo: u16,
    /// Which positions of a game: `all`, `last`, or the one after so many moves of both sides.
    #[arg(long, value_name = "WHICH", default_value = "last")]
    ply: Ply,
    /// One JSON object a position, a line each.
    #[arg(long)]
    json: bool,
    /// Write the plans of one position down, to PREFIX-white.txt and PREFIX-black.txt: certificates
    /// that `cassius check` replays.
    #[arg(long, value_name = "PREFIX")]
    plans: Option<OsString>,
    #[command(flatten)]
    effort: EffortArgs,
}

/// How much is looked at. Flatten it into a command's arguments.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Effort")]
pub struct EffortArgs {
    /// Nodes for the moves of a position, of each side.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    nodes: Option<u64>,
    /// Nodes for the plan of each side, which take some fifty times as long; 0 leaves the plans out.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    plan_nodes: Option<u64>,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = mib())]
    pub hash: u32,
    /// Directories with Syzygy endgame tables (.rtbw and .rtbz), separated by `;` (or by `:`, except on
    /// Windows): what they know of a move's worth is not searched for. Plans go without them.
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,
}

impl EffortArgs {
    /// Returns the effort of the arguments; `otherwise` supplies the values that are not given.
    pub fn effort(&self, otherwise: Effort) -> Effort {
        let nodes = self.nodes.unwrap_or(otherwise.nodes);
        let plan_nodes = self.plan_nodes.unwrap_or(otherwise.plan_nodes);
        Effort { nodes, plan_nodes, ..otherwise }
    }

    /// Returns the endgame tables, or none.
    pub fn endgames(&self) -> Result<Endgames, Error> {
        let tables = self.syzygy.as_deref().map(Tablebases::open).transpose()?;
        Ok(tables.map_or_else(Endgames::default, Endgames::new))
    }

    /// Returns an analyst with this effort and these tables.
    pub fn analyst(&self, otherwise: Effort, endgames: &Endgames) -> Result<Analyst, Error> {
        let mut analyst = Analyst::new(self.effort(otherwise), self.hash as usize)?;
        analyst.set_endgames(endgames.clone());
        Ok(analyst)
    }
}

/// Explains every position of every input. Broken inputs are reported and left out.
pub fn run(args: ExplainArgs) -> Result<(), Error> {
    let mut analyst = args.effort.analyst(Effort::default(), &args.effort.endgames()?)?;
    let sources = input::sources(&args.inputs);
    let bar = terminal::progress(input::count(&sources, args.ply).unwrap_or(0));
    let (mut broken, mut seen, mut planned) = (0, 0, None);
    for item in sources.iter().flat_map(|source| source.items(args.ply)) {
        let item = match item {
            Ok(item) => item,
            Err(complaint) => {
                broken += 1;
                bar.suspend(|| terminal::complain(format_args!("{complaint}")));
                continue;
            }
        };
        seen += 1;
        if args.plans.is_some() && seen > 1 {
            bail!("--plans writes the plans of one position: name one");
        }
        let explained = explain(&mut analyst, &item.position, &item.before);
        bar.suspend(|| {
            let mut out = anstream::stdout().lock();
            match args.json {
                true => writeln!(out, "{}", output::json(&item, explained.as_ref(), args.elo))?,
                false => write!(out, "{}", output::text(&item, explained.as_ref(), &args))?,
            }
            out.flush()
        })?;
        bar.inc(1);
        planned = explained;
    }
    bar.finish_and_clear();
    if let Some(prefix) = &args.plans
        && seen == 1
    {
        let Some(explained) = planned else { bail!("the game is over here: there is no plan to write down") };
        write_plans(prefix, &explained)?;
    }
    input::summary(&args.inputs, seen, broken)
}

/// Writes the plan of each side to a file, and reports a side without a plan.
fn write_plans(prefix: &OsStr, explained: &Explanation) -> Result<(), Error> {
    let (own, other) = (&explained.plans.own, &explained.plans.other);
    let (white, black) = if explained.own.white { (own, other) } else { (other, own) };
    let mut missing = Vec::new();
    for (side, plan) in [("white", white), ("black", black)] {
        let mut path = prefix.to_owned();
        path.push(format!("-{side}.txt"));
        let path = Path::new(&path);
        match &plan.certificates[0] {
            Some(certificate) => whole_file::write(path, &certificate.to_string())?,
            None if plan.nothing_to_hold() => {
                missing.push(format!("{}: there is nothing to hold", path.display()))
            }
            None => {
                missing.push(format!("{}: no plan was shown; allow more with --plan-nodes", path.display()))
            }
        }
    }
    match missing.is_empty() {
        true => Ok(()),
        false => bail!("not written: {}", missing.join("; ")),
    }
}
