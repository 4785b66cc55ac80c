//! `cassius lab`.

use super::card::{self, CardArgs};
use super::data::{self, DataArgs};
use super::human::{self, HumanArgs};
use super::judge::JudgeArgs;
use super::levels::{self, LevelsArgs};
use super::match_::EngineThreadTime;
use super::odds::{self, OddsArgs};
use super::options::{self, OptionsArgs};
use super::selfplay::{self, SelfplayArgs};
use super::spsa::{self, SpsaArgs};
use super::train::{self, TrainArgs};
use super::tune::{self, TuneArgs};
use crate::clock::thread_time;
use crate::setup::mib;
use crate::terminal::{self, DIM, ERROR, STRONG};
use crate::{Error, whole_file};
use anyhow::{Context as _, anyhow, bail};
use cassius_lab::Clock;
use cassius_lab::experiment::{
    Clocks, Context, Experiment, Findings, Input, OtherJudge, Tally, Unfinished, named_cases,
};
use cassius_lab::experiments::{self, EXPERIMENTS};
use cassius_lab::kept::Kept;
use cassius_lab::plot::Figure;
use cassius_lab::suite::{self, Exercise};
use std::cell::Cell;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use textwrap::WordSplitter;

/// Arguments of `cassius lab`.
#[derive(Debug, clap::Args)]
pub struct LabArgs {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Debug, clap::Subcommand)]
enum LabCommand {
    /// List the experiments with the claims that they test and the sources of the claims.
    List {
        /// Print one JSON object per experiment.
        #[arg(long)]
        json: bool,
    },
    /// Run experiments; fails if a figure differs from the paper's.
    Run(RunArgs),
    /// Fit the weights of the chess evaluation to positions with scores and results.
    Tune(TuneArgs),
    /// Tune parameters of the search by games.
    Spsa(SpsaArgs),
    /// Fit the model of what a human would play to rated games.
    Human(HumanArgs),
    /// Let an engine play against itself, to generate training data for an evaluation.
    Selfplay(SelfplayArgs),
    /// Summarise files of self-play games.
    Data(DataArgs),
    /// Fit the chances of a win, a draw and a loss, by value, to self-play games.
    Odds(OddsArgs),
    /// Learn to estimate how many moves hold, from searches that count them.
    Options(OptionsArgs),
    /// Measure what the levels of limited strength are worth, against an engine with rated levels.
    Levels(LevelsArgs),
    /// Train a network evaluation on self-play games.
    Train(TrainArgs),
    /// Tell how a network was made: its data, its losses, and the commands that make it again.
    Card(CardArgs),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cassius lab run alpha-beta-leaves
  cassius lab run --all --quick --out quick
  cassius lab run human-error --pgn rated.pgn --jobs 2 --out results
  cassius lab run ablation --suite wac.epd --only NullMove,Killers --jobs 2 --out results")]
struct RunArgs {
    /// Experiments by name; `cassius lab list` lists them.
    #[arg(value_name = "ID", required_unless_present = "all")]
    ids: Vec<String>,
    /// Run every experiment.
    #[arg(long, conflicts_with = "ids")]
    all: bool,
    /// Run smaller cases only, for a first look. The table of a full run is not replaced.
    #[arg(long)]
    quick: bool,
    /// Positions with known answers (EPD), for experiments that count how many are solved.
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    /// Games with the tags WhiteElo and BlackElo, for experiments on human moves; may be repeated. Broken
    /// and unrated games are reported and skipped.
    #[arg(long, value_name = "FILE")]
    pgn: Vec<PathBuf>,
    /// Run only these cases of an experiment with named cases, such as the components of `ablation`.
    /// Names are separated by commas; one that contains a comma is written as it is listed. The table has
    /// these cases only; what all cases have measured is kept, and --kept shows it.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Number of games and exercises run at the same time.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024),
    )]
    jobs: u16,
    /// Folder for the results: a table as ID.csv and ID.json, plots as ID-NAME.svg, and a page with both,
    /// ID.md. Long measurements are saved there in ID.jsonl and not repeated when the command is run again.
    /// To compare times on another machine or with faster code, use another folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Make no new long measurements; use only those already saved in the folder of --out. Where there is
    /// none by this version's search, one by another version's is used. An experiment of which nothing is
    /// saved, or whose measurements never are, is skipped; it is an error to name one.
    #[arg(long, requires = "out")]
    kept: bool,
    /// Print one JSON object per experiment instead of a table; `cassius schema lab-run` describes it.
    #[arg(long)]
    json: bool,
    /// Size of the table of the engine that judges, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = mib(), requires = "engine")]
    hash: u32,
    #[command(flatten)]
    judge: JudgeArgs,
}

/// Lists or runs experiments.
pub fn run(args: LabArgs) -> Result<(), Error> {
    match args.command {
        LabCommand::List { json } => Ok(list(json)?),
        LabCommand::Run(args) => run_experiments(&args),
        LabCommand::Tune(args) => tune::run(&args),
        LabCommand::Spsa(args) => spsa::run(&args),
        LabCommand::Human(args) => human::run(&args),
        LabCommand::Selfplay(args) => selfplay::run(&args),
        LabCommand::Data(args) => data::run(&args),
        LabCommand::Odds(args) => odds::run(&args),
        LabCommand::Options(args) => options::run(&args),
        LabCommand::Levels(args) => levels::run(&args),
        LabCommand::Train(args) => train::run(&args),
        LabCommand::Card(args) => card::run(&args),
    }
}

fn list(json: bool) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    for experiment in EXPERIMENTS {
        let Experiment { id, claim, paper, section, .. } = experiment;
        if json {
            let line = serde_json::json!({ "id": id, "claim": claim, "paper": paper, "section": section });
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{STRONG}{id}{STRONG:#}\n  {claim}.\n  {DIM}{paper}, {section}{DIM:#}")?;
        }
    }
    out.flush()
}

/// How often progress is told where no progress bar can be seen.
const REMINDER: Duration = Duration::from_secs(60);

fn run_experiments(args: &RunArgs) -> Result<(), Error> {
    let chosen: Vec<&Experiment> = match args.all {
        true => EXPERIMENTS.to_vec(),
        false => args.ids.iter().map(|id| find(id)).collect::<Result<_, _>>()?,
    };
    let only = wanted_cases(&chosen, &args.only)?;
    refuse_unused(args, &chosen)?;
    if let Some(folder) = &args.out {
        // With --kept this is checked when the table is written.
        if args.quick && !args.kept {
            chosen.iter().try_for_each(|experiment| refuse_less(folder, experiment))?;
        }
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let exercises = args.suite.as_deref().map_or(Ok(Vec::new()), read_suite)?;
    let games = human::read_games(&args.pgn)?;
    if let Some(file) = args.pgn.first().filter(|_| games.is_empty()) {
        bail!("no rated game in {}", file.display());
    }
    args.judge.refuse_time()?;
    let other = args.judge.other(None, args.hash)?;
    let start = other.as_ref().map(|other| || other.start());
    let judge = other.as_ref().zip(start.as_ref());
    let judge = judge.map(|(other, start)| OtherJudge { name: &other.key, start });
    let (mut failed, mut missing, mut tally) = (Vec::new(), Vec::new(), Tally::default());
    for experiment in chosen {
        if args.kept && !experiment.uses.contains(&Input::Kept) {
            skip(experiment, args.all, &mut missing);
            continue;
        }
        let bar = terminal::progress(0);
        let told = Cell::new(Instant::now());
        let progress = |done: usize, of: usize| {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            // Where the bar cannot be seen, a line now and then.
            if bar.is_hidden() && told.get().elapsed() >= REMINDER {
                told.set(Instant::now());
                terminal::note(format_args!("{}: {done} of {of} steps done", experiment.id));
            }
        };
        let stop = AtomicBool::new(false);
        let path = args.out.as_ref().map(|folder| folder.join(format!("{}.jsonl", experiment.id)));
        let kept = path.as_deref().map(|path| Kept::open(path).with_context(|| path.display().to_string()));
        let kept = kept.transpose()?;
        let context = Context {
            clock: Some(&Processor),
            clocks: Some(Clocks { clock: &Processor, manager: &EngineThreadTime }),
            jobs: args.jobs.into(),
            exercises: &exercises,
            games: &games,
            judge,
            only: &only,
            kept: kept.as_ref(),
            kept_only: args.kept,
            ..Context::new(args.quick, &progress, &stop)
        };
        let mut findings = match (experiment.run)(&context) {
            Err(missing @ Unfinished::NoGames) if args.all => {
                terminal::complain(format_args!("{}: skipped: {missing}", experiment.id));
                continue;
            }
            Err(unfinished) => {
                // The experiment may have ended because no measurement could be kept.
                if let (Some(kept), Some(path)) = (kept, &path) {
                    kept.close().with_context(|| path.display().to_string())?;
                }
                return Err(unfinished).context(experiment.id);
            }
            Ok(findings) => findings,
        };
        bar.finish_and_clear();
        // An empty table would replace the one of earlier measurements.
        if args.kept && kept.as_ref().is_some_and(Kept::has_nothing) {
            skip(experiment, args.all, &mut missing);
            continue;
        }
        if let Some(number @ 1..) = kept.as_ref().map(Kept::of_other_versions) {
            let note = format!("{number} of the measurements were made by the search of another version.");
            findings.notes.push(note);
        }
        let mut out = terminal::stdout(args.out.is_some());
        if args.json {
            writeln!(out, "{}", serde_json::to_string(&findings.report(experiment, args.quick))?)?;
        } else {
            write_findings(&mut out, experiment, &findings)?;
        }
        out.flush()?;
        if let Some(folder) = &args.out {
            save(folder, experiment, &findings, args.quick)?;
        }
        if let (Some(kept), Some(path)) = (kept, &path) {
            kept.close().with_context(|| path.display().to_string())?;
        }
        tally.add(&findings.tally());
        if !findings.hold() {
            failed.push(match findings.differing() {
                0 => {
                    format!(
                        "{} ({} figures not judged, without a reason)",
                        experiment.id,
                        findings.unexplained()
                    )
                }
                differing => format!("{} ({differing} figures)", experiment.id),
            });
        }
    }
    if args.all && !args.json {
        let mut out = terminal::stdout(args.out.is_some());
        write!(out, "\n{STRONG}all experiments{STRONG:#}\n{tally}")?;
        out.flush()?;
    }
    let mut complaints = Vec::new();
    if !missing.is_empty() {
        complaints.push(format!("{}: {NOTHING_KEPT}", missing.join(", ")));
    }
    if !failed.is_empty() {
        complaints.push(format!("results differ from the paper: {}", failed.join(", ")));
    }
    if complaints.is_empty() { Ok(()) } else { bail!("{}", complaints.join("; ")) }
}

/// Why `--kept` leaves an experiment out.
const NOTHING_KEPT: &str = "no measurement of it is kept; an old table is left as it is";

/// Leaves out an experiment of which nothing is kept. That is an error if it was named.
fn skip(experiment: &Experiment, all: bool, missing: &mut Vec<&str>) {
    match all {
        true => terminal::complain(format_args!("{}: skipped: {NOTHING_KEPT}", experiment.id)),
        false => missing.push(experiment.id),
    }
}

/// Refuses what none of the chosen experiments uses.
fn refuse_unused(args: &RunArgs, chosen: &[&Experiment]) -> Result<(), Error> {
    for (option, is_given, input) in [
        ("--suite", args.suite.is_some(), Input::Exercises),
        ("--pgn", !args.pgn.is_empty(), Input::Games),
        ("--engine", args.judge.is_other(), Input::Judge),
    ] {
        if is_given && !chosen.iter().any(|experiment| experiment.uses.contains(&input)) {
            let users = EXPERIMENTS.iter().filter(|experiment| experiment.uses.contains(&input));
            let users: Vec<&str> = users.map(|experiment| experiment.id).collect();
            bail!("{option} is of no use here; these experiments use it: {}", users.join(", "));
        }
    }
    Ok(())
}

/// Refuses to replace the table of a full run by that of a quick one. It is full where `ID.json` does not say
/// that it is quick.
fn refuse_less(folder: &Path, experiment: &Experiment) -> Result<(), Error> {
    let table = folder.join(format!("{}.csv", experiment.id));
    if !table.exists() {
        return Ok(());
    }
    let report = fs::read_to_string(folder.join(format!("{}.json", experiment.id))).unwrap_or_default();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap_or_default();
    if report["quick"] != true {
        bail!("{}: this table is of a run without --quick: choose another --out", table.display());
    }
    Ok(())
}

/// Returns the requested cases. Each must belong to a chosen experiment.
fn wanted_cases(chosen: &[&Experiment], only: &[String]) -> Result<Vec<String>, Error> {
    let cases: Vec<&str> =
        chosen.iter().filter_map(|experiment| experiment.cases).flat_map(|cases| cases()).collect();
    let mut wanted = Vec::new();
    for list in only {
        match named_cases(list, &cases) {
            Ok(named) => wanted.extend(named.into_iter().map(String::from)),
            Err(unknown) if cases.is_empty() => {
                bail!("--only {unknown}: these experiments have no named cases")
            }
            Err(unknown) => bail!("--only {unknown}: unknown case; known cases: {}", cases.join("; ")),
        }
    }
    Ok(wanted)
}

fn find(id: &str) -> Result<&'static Experiment, Error> {
    experiments::find(id).ok_or_else(|| {
        let ids: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.id).collect();
        anyhow!("unknown experiment `{id}`; known experiments: {}", ids.join(", "))
    })
}

/// Reads a suite. Fails if any part of it is wrong.
fn read_suite(path: &Path) -> Result<Vec<Exercise>, Error> {
    let file = fs::File::open(path).with_context(|| path.display().to_string())?;
    let (exercises, broken) = suite::read(&path.display().to_string(), io::BufReader::new(file));
    match broken.first() {
        Some(first) => bail!("{first}"),
        None if exercises.is_empty() => bail!("no exercise in {}", path.display()),
        None => Ok(exercises),
    }
}

fn save(folder: &Path, experiment: &Experiment, findings: &Findings, quick: bool) -> Result<(), Error> {
    if quick {
        refuse_less(folder, experiment)?;
    }
    let write = |name: String, text: String| {
        let path = folder.join(name);
        whole_file::write(&path, &text)
    };
    write(format!("{}.csv", experiment.id), findings.to_csv())?;
    let report = serde_json::to_string_pretty(&findings.report(experiment, quick))?;
    write(format!("{}.json", experiment.id), format!("{report}\n"))?;
    write(format!("{}.md", experiment.id), to_markdown(experiment, findings))?;
    for plot in &findings.plots {
        write(format!("{}-{}.svg", experiment.id, plot.name()), plot.to_svg())?;
    }
    Ok(())
}

/// Returns the page of an experiment: the claim, the table, the plots and the notes.
fn to_markdown(experiment: &Experiment, findings: &Findings) -> String {
    let Experiment { id, claim, paper, section, .. } = experiment;
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | ").replace('\n', " "));
    let table = findings.table();
    let rule: Vec<String> = table[0].iter().map(|_| "---".to_string()).collect();
    let claim = wrapped(&format!("{claim}."));
    let source = wrapped(&format!("*{paper}, {section}*"));
    let mut page = format!("# {id}\n\n{claim}\n\n{source}\n\n{}{}", line(&table[0]), line(&rule));
    page.extend(table[1..].iter().map(|cells| line(cells)));
    page.push('\n');
    page.extend(findings.notes.iter().map(|note| format!("{}\n\n", wrapped(note))));
    let image = |plot: &Figure| format!("![{}]({id}-{}.svg)\n", plot.title(), plot.name());
    page.push_str(&findings.plots.iter().map(image).collect::<Vec<_>>().join("\n"));
    page
}

/// Breaks a paragraph into lines of at most 110 characters, between words.
fn wrapped(paragraph: &str) -> String {
    let words = textwrap::Options::new(110).word_splitter(WordSplitter::NoHyphenation).break_words(false);
    textwrap::fill(paragraph, words)
}

fn write_findings(out: &mut impl io::Write, experiment: &Experiment, findings: &Findings) -> io::Result<()> {
    writeln!(out, "{STRONG}{}{STRONG:#}\n{}.", experiment.id, experiment.claim)?;
    writeln!(out, "{DIM}{}, {}{DIM:#}\n", experiment.paper, experiment.section)?;
    let table = findings.table();
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| table.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    // Figures are aligned to the right, words to the left.
    let is_figure = |cell: &String| cell.is_empty() || cell.parse::<f64>().is_ok();
    let figures: Vec<bool> =
        (0..columns).map(|column| table[1..].iter().all(|cells| is_figure(&cells[column]))).collect();
    let line = |cells: &[String]| {
        let pad = |(column, cell): (usize, &String)| match figures[column] {
            true => format!("{cell:>0$}", widths[column]),
            false => format!("{cell:<0$}", widths[column]),
        };
        cells.iter().enumerate().map(pad).collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    for (number, cells) in table.iter().enumerate() {
        let style = match number {
            0 => STRONG,
            _ if cells.iter().any(|cell| cell == "differs") => ERROR,
            _ => anstyle::Style::new(),
        };
        writeln!(out, "{style}{}{style:#}", line(cells))?;
    }
    writeln!(out)?;
    for note in &findings.notes {
        writeln!(out, "{note}")?;
    }
    write!(out, "{STRONG}{}{STRONG:#}", findings.tally())?;
    Ok(())
}

/// The processor time of the calling thread.
struct Processor;

impl Clock for Processor {
    fn now(&self) -> Duration {
        thread_time()
    }
}
