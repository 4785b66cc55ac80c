//! `cassius explain`: what a position demands of White and of Black.

mod output;

use super::analyse::input::{self, Ply};
use super::human;
use super::judge::{JudgeArgs, OtherEngine};
use crate::setup::{EvaluationArgs, mib, parse_count};
use crate::{Error, terminal, whole_file};
use anyhow::bail;
use cassius_chess::evaluation::Evaluation;
use cassius_chess::tablebase::{Endgames, Tablebases};
use cassius_insight::human::HumanModel;
use cassius_insight::{Analyst, Effort, Explanation, explain, explain_unclaimed, last_chance};
use cassius_search::fnv;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Arguments of `cassius explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A move holds if its win probability is at most 10 percentage points below that of the best move. A \
search verifies each legal move. The other side's position is judged after the best move.
An only move is the single move that holds, unless it is obvious. Obvious moves are the only legal \
move, mate in one, a recapture, the capture of a piece that is not defended well enough and the only \
safe retreat of a piece, if they look best at a glance, and what 90 % of players rated 1500 would play.
Moves that look right at a glance but do not hold are shown with their refutations.
A side is lost if its win probability is 10 % or less: no move could lose more than 10 points.
Ratings are Lichess ratings; the probability of an error was fitted to games played there. A FEN does \
not contain the previous move, so recaptures are not recognised and their probability of an error is \
too high.
The depth of a plan is a lower bound: more nodes may show a greater depth.
The numbers do not depend on how many moves are shown. The same node limits give the same numbers in \
every run.
Without --nodes, a middlegame position takes one or two seconds.

Examples:
  cassius explain '7K/8/k1P5/7p/8/8/8/8 w - - 0 1'
  cassius explain game.pgn --ply last --more
  cassius explain startpos --plans start; cassius check start-white.txt
  cassius explain positions.epd --json > explained.json
  cassius explain game.pgn --engine stockfish --engine-option 'Use NNUE=true' --nodes 500k")]
pub struct ExplainArgs {
    /// FENs, `startpos`, files with EPDs, FENs or games (PGN), or `-` for standard input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<OsString>,
    /// Show more: every move that holds, the plans, their least safe lines, and what was searched.
    #[arg(long)]
    more: bool,
    /// Maximum number of moves shown for each side; --more shows all that hold.
    #[arg(
        long, value_name = "N", default_value_t = 4,
        value_parser = clap::value_parser!(u16).range(1..=256),
    )]
    lines: u16,
    /// Lichess rating for which the probability of an error is shown.
    #[arg(
        long, value_name = "ELO", default_value_t = 1500,
        value_parser = clap::value_parser!(u16).range(400..=3000),
    )]
    elo: u16,
    /// Positions of a game to explain: `all`, `last`, or a number N for the one after N plies.
    #[arg(long, value_name = "WHICH", default_value = "last")]
    ply: Ply,
    /// Print one JSON object per position, one per line.
    #[arg(long)]
    json: bool,
    /// Also examine the practical chances of up to N moves that hold: which of them sets the other side, at
    /// this rating, the hardest problems. The position after each but the best is judged with a quarter of
    /// the nodes.
    #[arg(
        long, value_name = "N", default_value_t = 0,
        value_parser = clap::value_parser!(u16).range(0..=256),
    )]
    practical: u16,
    /// Write the plans of a single position to PREFIX-white.txt and PREFIX-black.txt, as certificates
    /// for `cassius check`.
    #[arg(long, value_name = "PREFIX", conflicts_with = "engine")]
    plans: Option<OsString>,
    #[command(flatten)]
    effort: EffortArgs,
}

/// How much is looked at. Flatten it into a command's arguments.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Effort")]
pub struct EffortArgs {
    /// Maximum number of nodes for judging the moves of each side. By default `explain` takes 1,000,000 and
    /// `annotate` 150,000 for each position.
    #[arg(long, value_name = "N", value_parser = parse_count)]
    nodes: Option<u64>,
    /// Maximum number of nodes for the plan of each side; each takes about fifty times as long as other
    /// nodes. 0 skips the plans.
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "engine")]
    plan_nodes: Option<u64>,
    /// Size of the transposition table in MiB, ours or the engine's.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = mib())]
    pub hash: u32,
    /// Directories with Syzygy endgame tables (.rtbw and .rtbz), separated by `;` (or by `:`, except on
    /// Windows). Values of moves that the tables give are not searched for. Plans do not use tables.
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,
    /// Model of what a human would play, from `cassius lab human`, instead of the one that is built in.
    #[arg(long, value_name = "FILE")]
    pub human_model: Option<PathBuf>,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    #[command(flatten)]
    judge: JudgeArgs,
}

/// What the analysts of a run share.
pub struct Sources {
    /// The endgame tables.
    pub endgames: Endgames,
    /// The engine that judges, if it is not our own search.
    pub other: Option<OtherEngine>,
    /// The model of what a human would play.
    pub human: Arc<HumanModel>,
    /// The evaluation of our own search.
    pub evaluation: Evaluation,
}

impl Sources {
    /// Returns everything about them on which findings depend.
    pub fn key(&self) -> String {
        let judge = self.other.as_ref().map_or("", |other| &other.key);
        let values = cassius_chess::certificate::values(&self.evaluation);
        format!("{judge} {:016x} {values}", fnv(self.human.to_text("").bytes()))
    }
}

impl EffortArgs {
    /// Returns all files that are read, with these inputs.
    pub fn files(&self, inputs: &[OsString]) -> Vec<PathBuf> {
        let inputs = inputs.iter().map(PathBuf::from);
        let others = self.human_model.iter().cloned().chain(self.evaluation.eval_file.clone());
        inputs.chain(others).chain(self.judge.files().map(Path::to_path_buf)).collect()
    }

    /// Returns the effort of the arguments; `otherwise` supplies the values that are not given.
    pub fn effort(&self, otherwise: Effort) -> Effort {
        let nodes = self.nodes.unwrap_or(otherwise.nodes);
        let plan_nodes = self.plan_nodes.unwrap_or(otherwise.plan_nodes);
        // Plans rest on our own evaluation, not on the engine's.
        let plan_nodes = if self.judge.is_other() { 0 } else { plan_nodes };
        Effort { nodes, plan_nodes, ..otherwise }
    }

    /// Whether another engine judges.
    pub fn is_other(&self) -> bool {
        self.judge.is_other()
    }

    /// Returns the engine that judges, if it is not our own search.
    fn other(&self, otherwise: Effort) -> Result<Option<OtherEngine>, Error> {
        let nodes = self.nodes.is_none().then(|| self.effort(otherwise).nodes);
        self.judge.other(nodes, self.hash)
    }

    /// Returns what all analysts of this run share.
    pub fn sources(&self, otherwise: Effort) -> Result<Sources, Error> {
        let human = self.human_model.as_deref().map(human::model).transpose()?;
        Ok(Sources {
            endgames: endgames(self.syzygy.as_deref())?,
            other: self.other(otherwise)?,
            human: human.map_or_else(HumanModel::built_in, Arc::new),
            evaluation: self.evaluation.chosen()?,
        })
    }

    /// Returns an analyst with this effort, which asks these sources.
    pub fn analyst(&self, otherwise: Effort, sources: &Sources) -> Result<Analyst, Error> {
        let effort = self.effort(otherwise);
        let mib = if sources.other.is_some() { 1 } else { self.hash as usize };
        let mut analyst = Analyst::with_evaluation(effort, mib, sources.evaluation.clone())?;
        if let Some(other) = &sources.other {
            analyst = analyst.judged_by(other.start()?);
        }
        analyst.set_endgames(sources.endgames.clone());
        analyst.set_human_model(sources.human.clone());
        Ok(analyst)
    }
}

/// Returns the endgame tables of a path, or none.
pub(super) fn endgames(path: Option<&str>) -> Result<Endgames, Error> {
    let tables = path.map(Tablebases::open).transpose()?;
    Ok(tables.map_or_else(Endgames::default, Endgames::new))
}

pub(super) use output::schema;

/// The nodes for each side of a first answer, which takes some hundredths of a second.
const FIRST: u64 = 10_000;

/// Explains every position of every input. Broken inputs are reported and left out.
pub fn run(args: ExplainArgs) -> Result<(), Error> {
    let effort = Effort { practical: args.practical.into(), ..Effort::default() };
    let mut analyst = args.effort.analyst(effort, &args.effort.sources(effort)?)?;
    if let Some(prefix) = &args.plans {
        let [white, black] = plan_files(prefix);
        whole_file::prepare(&[&white, &black], &args.effort.files(&args.inputs))?;
    }
    let sources = input::sources(&args.inputs);
    let bar = terminal::progress(input::count(&sources, args.ply).unwrap_or(0));
    // What is shown on a terminal until the answer is there. It has a table of its own and changes nothing.
    let first = Effort { nodes: FIRST, plan_nodes: 0, ..Effort::default() };
    let mut quick = (!bar.is_hidden()).then(|| Analyst::new(first, 1)).transpose()?;
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
            bail!("--plans needs a single position, but the input has more");
        }
        // A draw that can be claimed ends the game only if it was drawn.
        let explain = if item.drawn { explain } else { explain_unclaimed };
        if let Some(quick) = &mut quick {
            let first = explain(quick, &item.position, &item.before)?;
            bar.set_message(
                first.map_or_else(String::new, |first| format!("first answer: {}", first.headline())),
            );
        }
        let explained = explain(&mut analyst, &item.position, &item.before)?;
        let chance = match &explained {
            None => last_chance(&mut analyst, &item.position, &item.before)?,
            Some(_) => None,
        };
        bar.suspend(|| {
            let mut out = terminal::stdout(args.plans.is_some());
            match args.json {
                true => {
                    writeln!(out, "{}", output::json(&item, explained.as_ref(), chance.as_ref(), args.elo))?
                }
                false => write!(out, "{}", output::text(&item, explained.as_ref(), chance.as_ref(), &args))?,
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
        let Some(explained) = planned else {
            bail!("the game is over in this position: there is no plan to write")
        };
        write_plans(prefix, &explained)?;
    }
    input::summary(&args.inputs, seen, broken)
}

/// Returns the files of White's plan and of Black's.
fn plan_files(prefix: &OsStr) -> [PathBuf; 2] {
    ["white", "black"].map(|side| {
        let mut path = prefix.to_owned();
        path.push(format!("-{side}.txt"));
        path.into()
    })
}

/// Writes the plan of each side to a file, and reports a side without a plan.
fn write_plans(prefix: &OsStr, explained: &Explanation) -> Result<(), Error> {
    let (own, other) = (&explained.plans.own, &explained.plans.other);
    let (white, black) = if explained.own.white { (own, other) } else { (other, own) };
    let mut missing = Vec::new();
    for (path, plan) in plan_files(prefix).iter().zip([white, black]) {
        match &plan.certificates[0] {
            Some(certificate) => whole_file::write(path, certificate.to_string())?,
            None if plan.nothing_to_hold() => {
                missing.push(format!("{}: this side has nothing to hold", path.display()))
            }
            None => missing.push(format!("{}: no plan was found; increase --plan-nodes", path.display())),
        }
    }
    match missing.is_empty() {
        true => Ok(()),
        false => bail!("not written: {}", missing.join("; ")),
    }
}
