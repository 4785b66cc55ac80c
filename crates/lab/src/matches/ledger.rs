//! The state of a match in a file: what it is, and every finished pair, one JSON object a line.
//!
//! A pair is written in one piece and at once, so an interruption loses at most the
//! pairs under way; half a line at the end is cut off when the file is opened again. A pair that is in the file is
//! not played again.

use super::{Match, PairRecord};
use crate::kept::fnv;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use thiserror::Error;

/// What must be the same when a match is resumed. Not the number of pairs and the sequential test: a match may be
/// continued beyond its first end.
pub fn header(game: &Match<'_>) -> Value {
    let openings: String = game.openings.iter().map(|opening| format!("{}\n", opening.position())).collect();
    json!({
        "cassius_match": 1,
        "players": game.players.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "pace": game.pace.to_string(),
        "openings": format!("{} ({:016x})", game.openings.len(), fnv(openings.as_bytes())),
        "seed": game.seed,
        "rules": game.rules.to_string(),
        "hash": game.hash,
        "threads": game.threads,
    })
}

/// Why a match cannot be resumed.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is of another match.
    #[error("this is the state of another match: {field} was {was}, now {now}")]
    OtherMatch {
        /// What differs.
        field: String,
        /// In the file.
        was: Value,
        /// In the match to be played.
        now: Value,
    },
    /// The file has no first line as this module writes it.
    #[error("not the state of a match")]
    NotALedger,
    /// A line that is not the last is no pair.
    #[error("line {line}: {error}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// A pair is there twice.
    #[error("line {line}: pair {pair} for the second time")]
    Twice {
        /// From 1.
        line: usize,
        /// The number of the pair.
        pair: u64,
    },
}

/// The file of a match, open for more pairs.
#[derive(Debug)]
pub struct Ledger {
    file: File,
}

impl Ledger {
    /// Opens the file of a match, or begins one; returns the pairs that are in it.
    ///
    /// # Errors
    /// If the file is of another match or of something else; nothing is changed then.
    pub fn open(path: &Path, header: &Value) -> Result<(Ledger, Vec<PairRecord>), LedgerError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let is_beginning = |text: &[u8]| format!("{header}\n").as_bytes().starts_with(text);
        if whole == 0 && !is_beginning(&bytes) {
            return Err(LedgerError::NotALedger);
        }
        let text = String::from_utf8_lossy(&bytes[..whole]);
        let mut lines = text.lines().enumerate();
        if let Some((_, first)) = lines.next() {
            compare(&serde_json::from_str(first).map_err(|_| LedgerError::NotALedger)?, header)?;
        }
        let mut records = Vec::new();
        let mut seen = BTreeSet::new();
        for (line, text) in lines {
            let record: PairRecord =
                serde_json::from_str(text).map_err(|error| LedgerError::Line { line: line + 1, error })?;
            if !seen.insert(record.pair) {
                return Err(LedgerError::Twice { line: line + 1, pair: record.pair });
            }
            records.push(record);
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        if whole == 0 {
            file.write_all(format!("{header}\n").as_bytes())?;
        }
        Ok((Ledger { file }, records))
    }

    /// Adds a pair.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, record: &PairRecord) -> io::Result<()> {
        let mut line = serde_json::to_string(record)?;
        line.push('\n');
        self.file.write_all(line.as_bytes())?;
        self.file.sync_data()
    }
}

fn compare(was: &Value, now: &Value) -> Result<(), LedgerError> {
    let none = Map::new();
    let (was, now) = (was.as_object().ok_or(LedgerError::NotALedger)?, now.as_object().unwrap_or(&none));
    if !was.contains_key("cassius_match") {
        return Err(LedgerError::NotALedger);
    }
    for (field, now) in now {
        let was = was.get(field).unwrap_or(&Value::Null);
        if was != now {
            return Err(LedgerError::OtherMatch { field: field.clone(), was: was.clone(), now: now.clone() });
        }
    }
    Ok(())
}
