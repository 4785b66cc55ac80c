//! `cassius study include`, `exclude` and `prefer`: wishes, which are fulfilled when the study next grows, or
//! at once if it is growing.

use super::{open, with_name};
use crate::{Error, terminal};
use anyhow::{Context as _, bail, ensure};
use cassius_search::game::Game as _;
use cassius_study::{StudyFile, What, Wish};
use std::path::{Path, PathBuf};

/// Arguments of `cassius study include` and `exclude`.
#[derive(Debug, clap::Args)]
pub struct WishArgs {
    /// File of the study.
    #[arg(value_name = "STUDY")]
    file: PathBuf,
    /// The move, in SAN or UCI notation.
    #[arg(value_name = "MOVE")]
    mv: String,
    /// The moves from the study's position to the one in which the move is made.
    #[arg(long, value_name = "MOVES", default_value = "")]
    line: String,
}

/// Arguments of `cassius study prefer`.
#[derive(Debug, clap::Args)]
pub struct PreferArgs {
    /// File of the study.
    #[arg(value_name = "STUDY")]
    file: PathBuf,
    /// The moves of the line.
    #[arg(value_name = "MOVES")]
    line: String,
    /// Prefer the line no longer.
    #[arg(long = "not")]
    no_longer: bool,
}

/// Adds the wish for a line to a study.
pub fn prefer(args: &PreferArgs) -> Result<(), Error> {
    let mut file = open(&args.file)?;
    let line = file.study().root().parse_line(&args.line)?;
    ensure!(!line.is_empty(), "a line has at least one move");
    let what = What::Prefer(!args.no_longer);
    wish(&mut file, &Wish { line, what }, args.file.as_path())
}

/// Adds a wish to a study.
fn wish(file: &mut StudyFile, wish: &Wish, path: &Path) -> Result<(), Error> {
    file.wish(wish).map_err(|error| with_name(error, path))?;
    terminal::note(format_args!(
        "noted; it takes effect when the study next grows, at once if it is growing now"
    ));
    Ok(())
}

/// What is to happen with the move.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// It is looked at.
    Include,
    /// It is left out.
    Exclude,
}

/// Adds a wish to a study.
pub fn run(args: &WishArgs, kind: Kind) -> Result<(), Error> {
    let mut file = open(&args.file)?;
    let mut at = file.study().root().clone();
    let line = at.parse_line(&args.line).context("--line")?;
    line.iter().for_each(|mv| at.play(*mv));
    let mv = match at.parse_line(&args.mv)?[..] {
        [mv] => mv,
        _ => bail!("expected one move, not '{}'", args.mv),
    };
    let what = match kind {
        Kind::Include => What::Include(mv),
        Kind::Exclude => What::Exclude(mv),
    };
    wish(&mut file, &Wish { line, what }, args.file.as_path())
}
