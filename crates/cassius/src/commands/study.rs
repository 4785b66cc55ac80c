//! `cassius study`: a tree that grows for as long as anybody likes, judged by any engine.

mod engines;
mod grow;
mod html;
mod import;
mod judge;
mod live;
mod measure;
mod measured;
mod output;
mod parameters;
mod pgn;
mod pool;
mod proofs;
mod show;
mod trial;
mod wish;
mod workers;

pub use judge::StudyJudge;
pub use output::schema;

use crate::Error;
use anyhow::Context as _;
use cassius_study::{StudyError, StudyFile};
use std::path::Path;

/// Arguments of `cassius study`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A study is a tree of positions in a file. Its leaves are judged by one or more UCI engines, each within \
a node limit. The next leaf is the one on which it depends most whether the best move is best. The \
file can be shown at any time, also while it grows. Growth can be stopped anywhere, even killed, and \
continued.

Examples:
  cassius study grow my.study \\
    --position '3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1' \\
    --engine stockfish --nodes 1M --jobs 2 --time 2h
  cassius study show my.study
  cassius study exclude my.study --line 'Qc5 Rd2' Nd5
  cassius study grow my.study --engine stockfish --nodes 1M --jobs 2 --doubt 5%")]
pub struct StudyArgs {
    #[command(subcommand)]
    command: StudyCommand,
}

#[derive(Debug, clap::Subcommand)]
enum StudyCommand {
    /// Begin a study, or continue one: judge leaves by engines.
    Grow(Box<grow::GrowArgs>),
    /// Show a study: the verdict, the moves, and the positions on which the verdict hangs.
    Show(show::ShowArgs),
    /// Look at the lines of games.
    Lines(pgn::LinesArgs),
    /// Take the judgements of another study.
    Import(import::ImportArgs),
    /// Measure how far the judgements of an engine are from what more effort finds.
    Measure(measure::MeasureArgs),
    /// Compare studies with one long search, and what a study predicts with what comes true.
    Trial(trial::TrialArgs),
    /// Simulate how much sooner several workers find the solution.
    Workers(workers::WorkersArgs),
    /// Look at a move that the engines do not look at.
    Include(wish::WishArgs),
    /// Leave a move out of consideration.
    Exclude(wish::WishArgs),
    /// Look at a line more than its influence on the verdict asks for.
    Prefer(wish::PreferArgs),
}

/// Runs the command.
pub fn run(args: StudyArgs) -> Result<(), Error> {
    match args.command {
        StudyCommand::Grow(args) => grow::run(&args),
        StudyCommand::Show(args) => show::run(&args),
        StudyCommand::Lines(args) => pgn::lines(&args),
        StudyCommand::Import(args) => import::run(&args),
        StudyCommand::Trial(args) => trial::run(&args),
        StudyCommand::Workers(args) => workers::run(&args),
        StudyCommand::Measure(args) => measure::run(&args),
        StudyCommand::Include(args) => wish::run(&args, wish::Kind::Include),
        StudyCommand::Prefer(args) => wish::prefer(&args),
        StudyCommand::Exclude(args) => wish::run(&args, wish::Kind::Exclude),
    }
}

/// Opens a study.
pub fn open(path: &Path) -> Result<StudyFile, Error> {
    StudyFile::open(path).map_err(|error| with_name(error, path))
}

/// Adds the name of the file to an error.
fn with_name(error: StudyError, path: &Path) -> Error {
    Err::<(), _>(error).with_context(|| path.display().to_string()).unwrap_err()
}
