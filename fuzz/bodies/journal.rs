//! Journals of experiments and annotated games, and states of matches, with any content. A file that can
//! be read is continued without loss. A file that cannot be read is left unchanged.

use cassius_lab::kept::Kept;
use cassius_lab::matches::game::Ending;
use cassius_lab::matches::ledger::Ledger;
use cassius_lab::matches::{GameRecord, PairRecord};
use serde_json::{Value, json};
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub fn run(bytes: &[u8]) {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Relaxed);
    let path = std::env::temp_dir().join(format!("cassius-journal-{}-{number}", std::process::id()));

    fs::write(&path, bytes).expect("a file");
    match Kept::open(&path) {
        Err(_) => assert_eq!(fs::read(&path).expect("a file"), bytes),
        Ok(kept) => {
            let values = |kept: &Kept| {
                let value = |key: &String| kept.get::<Value>(key).expect("what has a key has a value");
                kept.keys().iter().map(|key| (key.clone(), value(key))).collect::<Vec<_>>()
            };
            let mut before = values(&kept);
            assert!(kept.put("a new one", &1));
            kept.close().expect("there is room");
            before.retain(|(key, _)| key != "a new one");
            let mut after = values(&Kept::open(&path).expect("what was written"));
            let there = after.iter().position(|(key, value)| key == "a new one" && *value == 1);
            after.remove(there.expect("what was put there"));
            assert_eq!(after, before);
        }
    }

    fs::write(&path, bytes).expect("a file");
    let header = json!({ "cassius_match": 1, "seed": 1 });
    match Ledger::open(&path, &header) {
        Err(error) => {
            assert_eq!(error.to_string().lines().count(), 1);
            assert_eq!(fs::read(&path).expect("a file"), bytes);
        }
        Ok((mut ledger, before)) => {
            let (ending, pgn) = (Ending::Length, String::new);
            let game = || GameRecord { half_points: 1, ending, plies: 0, failure: None, pgn: pgn() };
            let pair = before.iter().map(|record| record.pair).max().map_or(0, |last| last.wrapping_add(1));
            let is_new = before.iter().all(|record| record.pair != pair);
            ledger
                .add(&PairRecord { pair, opening: String::new(), games: [game(), game()] })
                .expect("there is room");
            drop(ledger);
            let after = Ledger::open(&path, &header);
            assert!(after.is_ok_and(|(_, after)| after.len() == before.len() + 1) || !is_new);
        }
    }
    fs::remove_file(&path).expect("a file");
}
