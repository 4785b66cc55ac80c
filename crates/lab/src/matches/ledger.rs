//! The state of a match in a file: the settings of the match and every finished pair, one JSON object on
//! each line.
//!
//! A pair is written at once and in one piece, so an interruption loses at most the running pairs. An
//! incomplete line at the end is removed when the file is opened again. A pair that is in the file is
//! not played again.

use super::contestant::Contestant;
use super::{Match, PairRecord};
use crate::kept::{is_locked_elsewhere, sync_folder_of};
use crate::lines::{Lines, Medium};
use cassius_chess::openings::Opening;
use cassius_search::fnv;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use thiserror::Error;

/// Returns the settings that must be the same when a match is resumed. The number of pairs and the
/// sequential test are not among them: a match may be continued beyond its first end.
pub fn header(game: &Match<'_>) -> Value {
    json!({
        "cassius_match": 1,
        "players": game.players.iter().map(Contestant::identity).collect::<Vec<_>>(),
        "pace": game.pace.to_string(),
        "openings": identity_of(game.openings),
        "seed": game.seed,
        "rules": game.rules.to_string(),
        "hash": game.hash,
        "threads": game.threads,
    })
}

/// Returns the number of openings, and a hash of their positions.
pub fn identity_of(openings: &[Opening]) -> String {
    let positions: String = openings.iter().map(|opening| format!("{}\n", opening.position())).collect();
    format!("{} ({:016x})", openings.len(), fnv(positions.bytes()))
}

/// Why a match cannot be resumed.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file belongs to another match.
    #[error("this is the state of another match: {}", difference(field, was, now))]
    OtherMatch {
        /// The name of the setting that differs.
        field: String,
        /// Its value in the file.
        was: Value,
        /// Its value in the match to be played.
        now: Value,
    },
    /// The first line of the file is not a header written by this module.
    #[error("not the state of a match")]
    NotALedger,
    /// A line other than the last is not a pair.
    #[error("line {line}: {error}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// A pair occurs twice.
    #[error("line {line}: pair {pair} occurs twice")]
    Twice {
        /// The number of the line, from 1.
        line: usize,
        /// The number of the pair.
        pair: u64,
    },
}

/// The file of a match, open for writing more pairs.
#[derive(Debug)]
pub struct Ledger {
    lines: Lines,
}

impl Ledger {
    /// Opens the file of a match, or creates it. Returns the pairs that it contains.
    ///
    /// # Errors
    /// If the file belongs to another match or contains something else. It is then left unchanged.
    pub fn open(path: &Path, header: &Value) -> Result<(Ledger, Vec<PairRecord>), LedgerError> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        sync_folder_of(path)?;
        if is_locked_elsewhere(&file) {
            return Err(io::Error::other("another run is playing this match").into());
        }
        Ledger::of(Box::new(file), header)
    }

    fn of(mut medium: Box<dyn Medium>, header: &Value) -> Result<(Ledger, Vec<PairRecord>), LedgerError> {
        let mut bytes = Vec::new();
        medium.read_to_end(&mut bytes)?;
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
        let mut lines = Lines { medium, whole: whole as u64 };
        if whole == 0 {
            lines.add(&format!("{header}\n"))?;
        }
        Ok((Ledger { lines }, records))
    }

    /// Adds a pair.
    ///
    /// # Errors
    /// If the file cannot be written. The pair is then not in it.
    pub fn add(&mut self, record: &PairRecord) -> io::Result<()> {
        let mut line = serde_json::to_string(record)?;
        line.push('\n');
        self.lines.add(&line).map(|_| ())
    }
}

/// Says in what a match differs from the one in the file.
fn difference(field: &str, was: &Value, now: &Value) -> String {
    match field {
        "searches" => "the search of a player or the program of an engine has changed since".into(),
        _ => format!("its {field} is {was}, not {now}"),
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

#[cfg(test)]
mod tests {
    use super::super::GameRecord;
    use super::*;
    use crate::lines::faulty::{Fault, Faulty};
    use crate::matches::game::Ending;
    use std::fs;
    use std::sync::atomic::Ordering::Relaxed;

    fn record(pair: u64) -> PairRecord {
        let game = || GameRecord {
            half_points: 1,
            ending: Ending::Length,
            plies: 4,
            failure: None,
            pgn: format!("{pair} *\n"),
        };
        PairRecord { pair, opening: "x".into(), games: [game(), game()] }
    }

    /// After any fault at any time, every pair that was reported as saved is there, and the match can be
    /// resumed.
    #[test]
    fn a_match_survives_every_fault() {
        let header = json!({ "cassius_match": 1, "seed": 3 });
        let path = std::env::temp_dir().join(format!("cassius-ledger-{}", std::process::id()));
        for fault in [Fault::Once, Fault::NoRoom, Fault::Killed] {
            let mut left = 0;
            loop {
                let _ = fs::remove_file(&path);
                let mut options = OpenOptions::new();
                let file = options.read(true).write(true).create(true).truncate(true).open(&path).unwrap();
                let (faulty, failed) = Faulty::new(file, fault, left);
                // Running pairs are still reported when another pair could not be saved.
                let saved: Vec<bool> = match Ledger::of(Box::new(faulty), &header) {
                    Ok((mut ledger, _)) => (0..3).map(|pair| ledger.add(&record(pair)).is_ok()).collect(),
                    Err(_) => vec![false; 3],
                };
                let (mut ledger, done) = Ledger::open(&path, &header).unwrap();
                let is_there = |pair: u64| done.iter().any(|record| record.pair == pair);
                for (pair, saved) in (0..).zip(saved) {
                    assert!(is_there(pair) || !saved, "{fault:?} {left}: {pair} is lost");
                    assert!(!is_there(pair) || saved || fault == Fault::Killed, "{fault:?} {left}: {pair}");
                    if !is_there(pair) {
                        ledger.add(&record(pair)).unwrap();
                    }
                }
                drop(ledger);
                let (_, mut all) = Ledger::open(&path, &header).unwrap();
                all.sort_by_key(|record| record.pair);
                let texts = |records: &[PairRecord]| serde_json::to_string(records).unwrap();
                assert_eq!(texts(&all), texts(&[record(0), record(1), record(2)]));
                if !failed.load(Relaxed) {
                    break;
                }
                left += 1;
            }
            assert!(left > 50, "{left} places to fail");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn two_runs_do_not_play_one_match() {
        let header = json!({ "cassius_match": 1 });
        let path = std::env::temp_dir().join(format!("cassius-ledger-two-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let (first, _) = Ledger::open(&path, &header).unwrap();
        assert!(Ledger::open(&path, &header).unwrap_err().to_string().contains("another run"));
        drop(first);
        Ledger::open(&path, &header).unwrap();
        fs::remove_file(&path).unwrap();
    }
}
