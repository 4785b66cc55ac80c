//! Measurements kept in a file, so that an experiment of many hours can be interrupted and resumed.
//!
//! The file has one JSON object on each line: what was measured (`key`) and the result (`value`). A key
//! must contain everything on which the value depends. An incomplete line, left by a machine that was
//! switched off, is measured again. Only the keys are held in memory; the values are read from the file
//! when they are requested.

use crate::lines::{Lines, Medium};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

pub use crate::lines::{is_locked_elsewhere, sync_folder_of};

/// The measurements of a file.
///
/// ```
/// use cassius_lab::kept::Kept;
/// let path = std::env::temp_dir().join(format!("cassius-kept-{}.jsonl", std::process::id()));
/// for _ in 0..2 {
///     let kept = Kept::open(&path)?;
///     assert!([None, Some(42)].contains(&kept.get("answer")));
///     kept.put("answer", &42);
///     kept.close()?;
/// }
/// assert_eq!(Kept::open(&path)?.get("answer"), Some(42));
/// assert_eq!(Kept::open(&path)?.keys(), ["answer"]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Kept(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    /// The open and locked file. It is opened when the first measurement is kept.
    lines: Option<Lines>,
    /// The size of the file in bytes when it was read, and the number of these bytes that are complete
    /// lines.
    read: u64,
    whole: u64,
    /// The place and length of the line of each key.
    places: BTreeMap<String, (u64, usize)>,
    /// For what was measured, whatever the version, the key of the last measurement.
    latest: BTreeMap<String, String>,
    /// How many measurements of other versions were used.
    of_other_versions: usize,
    /// How many measurements were asked for by [`Kept::known`], and how many of these were there.
    asked: usize,
    found: usize,
    /// The first line that could not be written.
    error: Option<io::Error>,
}

impl Kept {
    /// Reads a file, if there is one. If a key occurs several times, its last value counts.
    ///
    /// # Errors
    /// If the file cannot be read, or contains something else.
    pub fn open(path: &Path) -> io::Result<Kept> {
        let (mut read, mut whole) = (0, 0);
        let (mut places, mut latest) = (BTreeMap::new(), BTreeMap::new());
        let mut reader = match File::open(path) {
            Ok(file) => Some(BufReader::new(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let Some(length @ 1..) =
                reader.as_mut().map(|reader| reader.read_until(b'\n', &mut line)).transpose()?
            else {
                break;
            };
            read += length as u64;
            if line.ends_with(b"\n") {
                let (key, _) = entry(&line).ok_or_else(|| {
                    wrong(match number {
                        1 => "not a file of measurements".into(),
                        _ => format!("line {number}: not a measurement; the lines before it are valid"),
                    })
                })?;
                latest.insert(without_versions(&key), key.clone());
                places.insert(key, (whole, length));
                whole = read;
            } else if whole == 0 && !line.starts_with(BEGINS) && !BEGINS.starts_with(&line) {
                return Err(wrong("not a file of measurements".into()));
            }
        }
        Ok(Kept(Mutex::new(Inner {
            path: path.into(),
            lines: None,
            read,
            whole,
            places,
            latest,
            of_other_versions: 0,
            asked: 0,
            found: 0,
            error: None,
        })))
    }

    /// Returns the measurement kept under this key, if there is one and it can be read.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let mut inner = self.0.lock().ok()?;
        let (start, length) = *inner.places.get(key)?;
        let mut line = vec![0; length];
        let mut opened: File;
        let medium: &mut dyn Medium = match &mut inner.lines {
            Some(lines) => &mut *lines.medium,
            None => {
                opened = File::open(&inner.path).ok()?;
                &mut opened
            }
        };
        medium.seek(SeekFrom::Start(start)).and_then(|_| medium.read_exact(&mut line)).ok()?;
        let (found, value) = entry(&line)?;
        if found == key { serde_json::from_value(value).ok() } else { None }
    }

    /// Returns the last measurement whose key differs from this one in the hashes of players' trees only, or
    /// in the number after `revision`: the same was measured with another version of the program. Such a
    /// hash stands in parentheses after a player. A colon, a comma, `against` or `and` follows it. The hash
    /// of a collection counts: other exercises or games are something else.
    ///
    /// ```
    /// use cassius_lab::kept::Kept;
    /// let path = std::env::temp_dir().join(format!("cassius-version-{}.jsonl", std::process::id()));
    /// let kept = Kept::open(&path)?;
    /// kept.put("plies (0123456789abcdef): 3 exercises (0000000000000001), 5 nodes", &42);
    /// let of_version = |key: &str| kept.get_of_another_version::<u64>(key);
    /// let known = of_version("plies (fedcba9876543210): 3 exercises (0000000000000001), 5 nodes");
    /// assert_eq!((known, kept.of_other_versions()), (Some(42), 1));
    /// kept.put("moves, revision 7: 100 nodes", &7);
    /// assert_eq!(of_version("moves, revision 8: 100 nodes"), Some(7));
    /// assert_eq!(of_version("moves, revision 8: 200 nodes"), None);
    /// // Other players and other exercises are something else.
    /// assert_eq!(of_version("abc (0123456789abcdef): 3 exercises (0000000000000001), 5 nodes"), None);
    /// assert_eq!(of_version("plies (0123456789abcdef): 3 exercises (0000000000000002), 5 nodes"), None);
    /// kept.close()?;
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_of_another_version<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let other = self.0.lock().ok()?.latest.get(&without_versions(key))?.clone();
        let found = self.get(&other);
        self.0.lock().ok()?.of_other_versions += usize::from(found.is_some());
        found
    }

    /// Returns the measurement kept under this key. If there is none and `any_version` is set, it returns
    /// that of another version.
    pub fn known<T: DeserializeOwned>(&self, key: &str, any_version: bool) -> Option<T> {
        let known = self.get(key).or_else(|| any_version.then(|| self.get_of_another_version(key)).flatten());
        if let Ok(mut inner) = self.0.lock() {
            inner.asked += 1;
            inner.found += usize::from(known.is_some());
        }
        known
    }

    /// Whether measurements were asked for by [`Kept::known`], and none of them was there.
    ///
    /// ```
    /// use cassius_lab::kept::Kept;
    /// let path = std::env::temp_dir().join(format!("cassius-nothing-{}.jsonl", std::process::id()));
    /// let kept = Kept::open(&path)?;
    /// kept.put("answer", &42);
    /// assert!(!kept.has_nothing()); // nobody has asked
    /// assert_eq!((kept.known::<u64>("question", true), kept.has_nothing()), (None, true));
    /// assert_eq!((kept.known("answer", true), kept.has_nothing()), (Some(42), false));
    /// # kept.close()?;
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn has_nothing(&self) -> bool {
        self.0.lock().is_ok_and(|inner| inner.asked > 0 && inner.found == 0)
    }

    /// Returns how many measurements of other versions were used.
    pub fn of_other_versions(&self) -> usize {
        self.0.lock().map_or(0, |inner| inner.of_other_versions)
    }

    /// Returns the keys of all measurements.
    pub fn keys(&self) -> Vec<String> {
        self.0.lock().map_or_else(|_| Vec::new(), |inner| inner.places.keys().cloned().collect())
    }

    /// Locks the file for writing, before the first measurement is made.
    ///
    /// # Errors
    /// If another run has locked the file, or it cannot be written.
    pub fn lock(&self) -> io::Result<()> {
        let mut inner = self.0.lock().map_err(|_| io::Error::other("a measurement failed"))?;
        inner.lines().map(|_| ())
    }

    /// Keeps a measurement. Returns false if the file cannot be written; [`close`](Kept::close) then
    /// gives the reason.
    pub fn put<T: Serialize>(&self, key: &str, value: &T) -> bool {
        let Ok(mut inner) = self.0.lock() else { return false };
        let written = serde_json::to_value(value).map_err(io::Error::from).and_then(|value| {
            let line = format!("{}\n", json!({ "key": key, "value": value }));
            inner.append(key, &line)
        });
        let kept = written.is_ok();
        if let Err(error) = written {
            inner.error.get_or_insert(error);
        }
        kept
    }

    /// Closes the file.
    ///
    /// # Errors
    /// If a measurement could not be written.
    pub fn close(self) -> io::Result<()> {
        let inner = self.0.into_inner().map_err(|_| io::Error::other("a measurement failed"))?;
        inner.error.map_or(Ok(()), Err)
    }
}

/// Leaves out the hashes of players' trees, and the numbers of revisions.
fn without_versions(key: &str) -> String {
    let mut texts = key.split("revision ");
    let mut key = texts.next().unwrap_or_default().to_string();
    for text in texts {
        key.extend(["revision", text.trim_start_matches(|c: char| c.is_ascii_digit())]);
    }
    let mut parts = key.split(" (");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let is_of_trees = |(hash, rest): &(&str, &str)| {
            is_hash(hash)
                && AFTER_TREES.iter().any(|after| rest.starts_with(after))
                && ends_with_player(&text)
        };
        match part.split_once(')').filter(is_of_trees) {
            Some((_, rest)) => text += rest,
            None => text.extend([" (", part]),
        }
    }
    text
}

/// What follows the hash of a player's trees. A hash at the end of a key is that of a match.
const AFTER_TREES: [&str; 4] = [":", ", ", " against ", " and "];

/// Whether this beginning of a key ends with a player, and not with a collection: `300 exercises`, `known
/// positions`. A player is one word, but the path of a network may have spaces, and a long text is replaced
/// by `with` and its hash.
fn ends_with_player(text: &str) -> bool {
    let last = |text, separator| str::rsplit(text, separator).next().unwrap_or_default();
    let name = [": ", ", ", " against ", " and "].into_iter().fold(text, last);
    name.split_once(' ').is_none_or(|(word, more)| {
        word.contains(",EvalFile=") || more.strip_prefix("with ").is_some_and(is_hash)
    })
}

fn is_hash(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The beginning of each line.
const BEGINS: &[u8] = b"{\"key\":";

impl Inner {
    /// Returns the file, opened and locked. Where files cannot be locked, it is only opened.
    fn lines(&mut self) -> io::Result<&mut Lines> {
        if self.lines.is_none() {
            let mut options = OpenOptions::new();
            let file = options.read(true).write(true).create(true).truncate(false).open(&self.path)?;
            sync_folder_of(&self.path)?;
            if is_locked_elsewhere(&file) || file.metadata()?.len() != self.read {
                return Err(io::Error::other("another run is saving its measurements in this file"));
            }
            self.lines = Some(Lines { medium: Box::new(file), whole: self.whole });
        }
        Ok(self.lines.as_mut().expect("opened"))
    }

    fn append(&mut self, key: &str, line: &str) -> io::Result<()> {
        let start = self.lines()?.add(line)?;
        self.latest.insert(without_versions(key), key.into());
        self.places.insert(key.into(), (start, line.len()));
        Ok(())
    }
}

fn entry(line: &[u8]) -> Option<(String, Value)> {
    let mut object: serde_json::Map<String, Value> = serde_json::from_slice(line).ok()?;
    let key = object.get("key")?.as_str()?.to_string();
    Some((key, object.remove("value")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::faulty::{Fault, Faulty};
    use std::fs;
    use std::sync::atomic::Ordering::Relaxed;

    fn at(name: &str, text: &str) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("cassius-kept-{name}-{}", std::process::id()));
        fs::write(&path, text).unwrap();
        path
    }

    /// After any fault at any time, every measurement that was reported as kept is there, nothing else
    /// is, and the file can be used further.
    #[test]
    fn what_is_kept_survives_every_fault() {
        let value = |number: usize| "x".repeat(number * 5);
        for fault in [Fault::Once, Fault::NoRoom, Fault::Killed] {
            let mut left = 0;
            loop {
                let path = at("fault", "{\"key\":\"0\",\"value\":\"\"}\n{\"key\":\"1\",");
                let kept = Kept::open(&path).unwrap();
                let failed = {
                    let mut inner = kept.0.lock().unwrap();
                    let whole = inner.whole;
                    let file = OpenOptions::new().read(true).write(true).open(&path).unwrap();
                    let (faulty, failed) = Faulty::new(file, fault, left);
                    inner.lines = Some(Lines { medium: Box::new(faulty), whole });
                    failed
                };
                let done: Vec<bool> =
                    (1..4).map(|number| kept.put(&number.to_string(), &value(number))).collect();
                assert_eq!(kept.close().is_err(), done.contains(&false));
                assert!(failed.load(Relaxed) || done == [true; 3], "{fault:?} {left}: {done:?}");

                let again = Kept::open(&path).unwrap();
                for number in 0..4 {
                    let found = again.get::<String>(&number.to_string());
                    let is_kept = number == 0 || done[number - 1];
                    // The process was killed after the last write, but before the answer: the
                    // measurement may be there.
                    let may_be = is_kept || fault == Fault::Killed;
                    assert!(found.is_some() || !is_kept, "{fault:?} {left}: {number} is lost");
                    assert!(found.is_none_or(|found| may_be && found == value(number)), "{fault:?} {left}");
                }
                (1..4).for_each(|number| assert!(again.put(&number.to_string(), &value(number))));
                again.close().unwrap();
                let whole = Kept::open(&path).unwrap();
                assert!((0..4).all(|number| whole.get(&number.to_string()) == Some(value(number))));
                fs::remove_file(&path).unwrap();
                if !failed.load(Relaxed) {
                    break;
                }
                left += 1;
            }
            assert!(left > 20, "{left} places to fail");
        }
    }

    /// A key of every kind in `results`. Only the hashes of trees (`@`) and revisions (`#`) are left out.
    #[test]
    fn versions_are_left_out_and_collections_are_not() {
        let samples = [
            "lab,+Interest@: nodes to 10 plies, 16 MiB",
            "lab,+Interest@: 300 exercises (e1f62546c8556684), 100000 nodes, 16 MiB",
            "plies@: which of 300 exercises (e1f62546c8556684), 10 ms, 16 MiB",
            "sex@: 300 exercises (e1f62546c8556684), watched for 50000 nodes, 16 MiB, 2",
            "lab@: 300 exercises (e1f62546c8556684) and known positions (59a386a0917633b2), 9 nodes, 16 MiB",
            "plies@: root 0, 6000 nodes, δ 50",
            "plies@: root 0, 6000 nodes, δ 50, revision #",
            "cns@ against plies@: 100 pairs, 10 ms a move (2349fd984b9d9eea)",
            "plies with f4735b5ca0fc1b95@ against plies@: pairs 0..25, 20000 nodes a move (d5b9129e500bbe3f)",
            "two-depths with 8cecfd86141b7a1f@ against plies with f4735b5ca0fc1b95@: pairs 0..10, \
             2+0.02 (margin 50 ms) of thread time (2bf88b18560c4f1c)",
            "898 rated games (678784128f53336a): 50 of 1000 positions from 0, 150000 nodes, 12, revision #, \
             16 MiB, evaluation c0644d2e491c2417",
            "self-play: 50 of 2000 positions from 0, 20000 nodes, 12, revision #, 16 MiB",
            "lab-abc,+StaticMargin@: watched for 50000 nodes, 16 MiB",
            "lab-abc,Abc.soft=1,Abc.floor=50@ and lab@: time for 50000 nodes of each position, 16 MiB",
            "plies@, lab-two-depths,LearnedOptions.farness=300@: 50 positions from 0, 320000 nodes, 16, 2, 5",
            "plies@: 50 of these 2787 from 0, 3 times 20000 nodes, 16, 4, within 400, 5, 16 MiB, revision #",
            "plies,EvalFile=my nets/a.nnue,+Interest@: iterations in 50000 nodes, 16 MiB",
            "human moves, revision #: 20000 nodes, Stockfish 15.1 (Hash=64): 0123456789abcdef",
            "plans: 200 nodes; moves, revision #: 20000 nodes, 4 MiB: 0123456789abcdef",
        ];
        for sample in samples {
            let key = sample.replace('@', " (a4477240e3718890)").replace('#', "7");
            assert_eq!(without_versions(&key), sample.replace('@', "").replace(" #", ""));
        }
    }

    #[test]
    fn half_a_line_is_measured_again() {
        let path = at("half", "{\"key\":\"a\",\"value\":1}\n{\"key\":\"b\",\"va");
        let kept = Kept::open(&path).unwrap();
        assert_eq!((kept.get("a"), kept.get::<i32>("b")), (Some(1), None));
        kept.put("b", &2);
        kept.close().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, "{\"key\":\"a\",\"value\":1}\n{\"key\":\"b\",\"value\":2}\n");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn two_runs_do_not_write_at_once() {
        let path = at("two", "{\"key\":\"a\",\"value\":1}\n");
        let (first, second, third) =
            (Kept::open(&path).unwrap(), Kept::open(&path).unwrap(), Kept::open(&path).unwrap());
        assert!(first.put("b", &2));
        assert!(!second.put("c", &3));
        assert_eq!(first.get("b"), Some(2));
        assert_eq!(second.get::<i32>("c"), None);
        assert!(second.close().unwrap_err().to_string().contains("another run"));
        first.put("d", &4);
        first.close().unwrap();
        third.put("e", &5); // the file has changed since it was read
        assert!(third.close().is_err());
        let kept = Kept::open(&path).unwrap();
        assert_eq!(["a", "b", "d"].map(|key| kept.get(key)), [Some(1), Some(2), Some(4)]);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_file_is_locked_before_anything_is_measured() {
        let path = at("locked", "{\"key\":\"a\",\"value\":\"text\"}\n");
        let (first, second) = (Kept::open(&path).unwrap(), Kept::open(&path).unwrap());
        first.lock().unwrap();
        assert!(second.lock().unwrap_err().to_string().contains("another run"));
        // A kept value need not have the requested type.
        assert_eq!((first.get::<i32>("a"), first.get("a")), (None, Some("text".to_string())));
        drop(first);
        second.lock().unwrap();
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn another_file_is_left_alone() {
        let line = b"{\"key\":\"a\",\"value\":1}\n";
        for text in [
            &b"1. e4 e5\n"[..],
            b"no line end",
            &[line, &b"{\"a\":1}\n"[..]].concat(),
            b"{\"key\":\"a\",\"value\":\"\xff\"}\n",
        ] {
            let path = at("other", "");
            fs::write(&path, text).unwrap();
            assert_eq!(Kept::open(&path).unwrap_err().kind(), io::ErrorKind::InvalidData, "{text:?}");
            assert_eq!(fs::read(&path).unwrap(), text);
            fs::remove_file(&path).unwrap();
        }
    }
}
