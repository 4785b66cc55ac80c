//! Takes collections of games apart.

use crate::message::wrong;
use cassius_chess::pgn;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The games of a text or of a file, each as a text of its own.
#[pyclass(frozen, module = "cassius._native")]
pub struct Games(Mutex<pgn::Games<Box<dyn BufRead + Send>>>);

#[pymethods]
impl Games {
    #[new]
    #[pyo3(signature = (text=None, path=None))]
    fn new(text: Option<String>, path: Option<PathBuf>) -> PyResult<Games> {
        let reader: Box<dyn BufRead + Send> = match path {
            None => Box::new(Cursor::new(text.unwrap_or_default())),
            Some(path) => {
                let named =
                    |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
                Box::new(BufReader::new(File::open(&path).map_err(named)?))
            }
        };
        Ok(Games(Mutex::new(pgn::Games::new(reader))))
    }

    fn __iter__(games: PyRef<'_, Self>) -> PyRef<'_, Self> {
        games
    }

    /// Returns the next game.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let next = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).next());
        let failed = |error: pgn::PgnError| match error.kind {
            pgn::PgnErrorKind::Read(_) => PyOSError::new_err(error.to_string()),
            _ => wrong(error),
        };
        next.map(|game| game.map(|game| game.to_string()).map_err(failed)).transpose()
    }
}
