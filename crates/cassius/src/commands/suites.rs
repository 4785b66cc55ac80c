//! Reads suites of exercises (EPD).

use crate::{Error, terminal};
use anyhow::{Context as _, bail};
use cassius_lab::suite::{self, Exercise};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// How much could not be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unread {
    pub files: usize,
    pub lines: usize,
}

impl Unread {
    /// It is an error if anything could not be read.
    pub fn check(self) -> Result<(), Error> {
        let what = match (self.files, self.lines) {
            (0, 0) => return Ok(()),
            (1, 0) => "1 file".into(),
            (0, 1) => "1 line".into(),
            (files, 0) => format!("{files} files"),
            (0, lines) => format!("{lines} lines"),
            (files, lines) => format!("{} files and lines", files + lines),
        };
        bail!("{what} could not be read; the rest was processed")
    }
}

/// Reads suites; `-` is standard input. Complains about files and lines that cannot be read.
///
/// # Errors
/// If a file cannot be read, and there is no exercise in the others.
pub fn read(paths: &[PathBuf]) -> Result<(Vec<Exercise>, Unread), Error> {
    let (mut exercises, mut unread) = (Vec::new(), Unread::default());
    for path in paths {
        let file = match open(path) {
            Ok(file) => file,
            Err(error) => {
                terminal::complain(format_args!("{error:#}"));
                unread.files += 1;
                continue;
            }
        };
        let (read, broken) = suite::read(&path.display().to_string(), file);
        exercises.extend(read);
        unread.lines += broken.len();
        broken.iter().for_each(|line| terminal::complain(format_args!("{line}")));
    }
    if exercises.is_empty() && unread.files > 0 {
        bail!("there is nothing to solve");
    }
    Ok((exercises, unread))
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Error> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    Ok(Box::new(BufReader::new(file)))
}
