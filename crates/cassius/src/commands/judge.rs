//! The options for another engine as the judge, shared by the commands that explain.

use super::study::{self, StudyJudge};
use crate::Error;
use crate::peer::judge::{EngineJudge, Setup};
use crate::peer::{CommandLine, Launch};
use crate::setup::parse_duration;
use anyhow::{Context as _, anyhow, bail, ensure};
use cassius_chess::Position;
use cassius_insight::{Judge, JudgeError};
use cassius_lab::kept::Kept;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Which engine judges. Flatten it into a command's arguments.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Another engine as the judge")]
pub struct JudgeArgs {
    /// UCI engine that judges the moves in place of our own search: a program, or a program with its
    /// arguments in quotes. It runs with one thread and a table of --hash MiB, unless --engine-option says
    /// otherwise. Plans need our own evaluation and are left out.
    #[arg(long, value_name = "COMMAND")]
    engine: Option<CommandLine>,
    /// Set an option of the engine, such as EvalFile=small.nnue; may be repeated.
    #[arg(
        long = "engine-option", value_name = "NAME=VALUE", requires = "engine", value_parser = parse_option,
    )]
    options: Vec<(String, String)>,
    /// Time of the engine for each position, instead of nodes. Then the findings differ from run to run.
    #[arg(
        long = "engine-time", value_name = "TIME", requires = "engine", value_parser = parse_duration,
    )]
    time: Option<Duration>,
    /// How long the engine may take to get ready, or exceed its limit, before it is ended and started again.
    #[arg(
        long = "engine-patience", value_name = "TIME", requires = "engine", value_parser = parse_duration,
    )]
    patience: Option<Duration>,
    /// File in which the engine's answers are kept, and found again by later runs.
    #[arg(long = "engine-cache", value_name = "FILE", requires = "engine")]
    cache: Option<PathBuf>,
    /// File of a study (`cassius study`). Its positions are judged by what it has found, all others by the
    /// engine, which should be the one that judged the study.
    #[arg(long, value_name = "STUDY", requires = "engine")]
    study: Option<PathBuf>,
}

impl JudgeArgs {
    /// Returns the files that are read besides the input.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.cache.iter().chain(&self.study).map(PathBuf::as_path)
    }
}

/// The patience with an engine, unless it is given.
const PATIENCE: Duration = Duration::from_secs(10);

/// A study that is shared by all jobs.
#[derive(Clone)]
struct Study(Arc<cassius_search::study::Study<Position>>);

impl std::fmt::Debug for Study {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a study of {} positions", self.0.len())
    }
}

/// A judge that can be started, once for each job.
#[derive(Clone, Debug)]
pub struct OtherEngine {
    setup: Setup,
    study: Option<Study>,
    /// Everything on which its answers depend, but for the questions.
    pub key: String,
}

impl OtherEngine {
    /// Starts the engine.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(&self) -> Result<Box<dyn Judge>, JudgeError> {
        let engine = Box::new(EngineJudge::start(self.setup.clone())?);
        Ok(match &self.study {
            Some(Study(study)) => Box::new(StudyJudge::new(study.clone(), engine)),
            None => engine,
        })
    }
}

impl JudgeArgs {
    /// Whether another engine judges.
    pub fn is_other(&self) -> bool {
        self.engine.is_some()
    }

    /// Refuses a time where the number of nodes belongs to what is measured.
    ///
    /// # Errors
    /// If a time is given.
    pub fn refuse_time(&self) -> Result<(), Error> {
        ensure!(
            self.time.is_none(),
            "--engine-time cannot be used here: measurements are by numbers of nodes"
        );
        Ok(())
    }

    /// Returns the engine, if one is given. It is started once, to learn its name. `nodes` are the nodes for
    /// a position in whose place a time may be given, if it may; `hash` is the size of its table in MiB.
    ///
    /// # Errors
    /// If it cannot be started, lacks an option, or the file of answers cannot be used; if there is a time
    /// where there may be none.
    pub fn other(&self, nodes: Option<u64>, hash: u32) -> Result<Option<OtherEngine>, Error> {
        let Some(command) = self.engine.clone() else {
            let missed = [
                ("study", self.study.is_some()),
                ("engine-cache", self.cache.is_some()),
                ("engine-option", !self.options.is_empty()),
                ("engine-time", self.time.is_some()),
                ("engine-patience", self.patience.is_some()),
            ];
            // Where another option excludes --engine, it is not required either.
            if let Some((name, _)) = missed.into_iter().find(|(_, is_given)| *is_given) {
                bail!("--{name} needs --engine");
            }
            return Ok(None);
        };
        let kept = self.cache.as_ref().map(|path| -> Result<_, Error> {
            let name = || path.display().to_string();
            let kept = Kept::open(path).with_context(name)?;
            kept.lock().with_context(name)?;
            Ok(Arc::new(kept))
        });
        ensure!(
            self.time.is_none() || nodes.is_some(),
            "--engine-time cannot be used where the number of nodes is given; use one of the two"
        );
        ensure_single(&self.options)?;
        let (options, time) = (self.options.clone(), self.time.zip(nodes));
        let patience = self.patience.unwrap_or(PATIENCE);
        let launch = Launch { command, hash, threads: 1, options, patience, apart: false };
        let setup = Setup { launch, time, kept: kept.transpose()? };
        let judge = EngineJudge::start(setup.clone()).map_err(|error| anyhow!(error))?;
        let mut key = setup.key(&judge.name());
        let study = match &self.study {
            None => None,
            Some(path) => {
                let file = study::open(path)?;
                key += &format!(", study {:016x}", file.fingerprint()?);
                Some(Study(Arc::new(file.into_study())))
            }
        };
        Ok(Some(OtherEngine { key, setup, study }))
    }
}

/// Refuses to set the number of lines, which each question sets.
///
/// # Errors
/// If it is among the options.
pub fn ensure_single(options: &[(String, String)]) -> Result<(), Error> {
    let is_set = options.iter().any(|(name, _)| name.eq_ignore_ascii_case("MultiPV"));
    ensure!(!is_set, "MultiPV cannot be set: each question says how many lines it needs");
    Ok(())
}

/// Parses `Name=value`. Names may contain spaces.
pub fn parse_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected Name=Value")?;
    Ok((name.trim().into(), value.trim().into()))
}
