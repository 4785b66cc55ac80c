//! Files that are written whole or not at all.

use crate::Error;
use anyhow::Context as _;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes a file beside its place first, so that it is there whole or as it was before. A device or a pipe is written to, a link is followed.
///
/// # Errors
/// If that cannot be done, with the path.
pub fn write(path: &Path, text: &str) -> Result<(), Error> {
    let done = || -> io::Result<()> {
        let place = fs::canonicalize(path).unwrap_or(path.into());
        if place.exists() && !place.is_file() {
            return fs::write(&place, text);
        }
        let part = part(&place);
        let done = fs::write(&part, text).and_then(|()| fs::rename(&part, &place));
        if done.is_err() {
            let _ = fs::remove_file(&part);
        }
        done
    };
    done().with_context(|| path.display().to_string())
}

/// Whether there can be a file, before the work that fills it is done. Leaves nothing behind.
///
/// # Errors
/// If there cannot, with the path.
pub fn try_write(path: &Path) -> Result<(), Error> {
    let done = || -> io::Result<()> {
        let place = fs::canonicalize(path).unwrap_or(path.into());
        if place.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if place.exists() && !place.is_file() {
            return Ok(());
        }
        let part = part(&place);
        fs::write(&part, "").and_then(|()| fs::remove_file(&part))
    };
    done().with_context(|| path.display().to_string())
}

/// What is written before it is whole.
pub fn part(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    name.into()
}
