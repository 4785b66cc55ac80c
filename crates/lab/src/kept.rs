//! Measurements kept in a file, so that an experiment of many hours can be broken off and goes on where it was.
//!
//! One JSON object a line: what was measured (`key`) and what came of it (`value`). A key must say everything on
//! which the value depends; a line that is not whole, as a machine that is switched off leaves it, is measured again.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

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
    /// Opened, and locked, with the first measurement that is kept.
    file: Option<File>,
    /// Bytes of the file as it was read, and how many of them are whole lines.
    read: u64,
    whole: u64,
    values: BTreeMap<String, Value>,
    /// The first line that could not be written.
    error: Option<io::Error>,
}

impl Kept {
    /// Reads a file, if there is one. Of several values with the same key the last counts.
    ///
    /// # Errors
    /// If it cannot be read, or holds something else.
    pub fn open(path: &Path) -> io::Result<Kept> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read?,
        };
        let text = String::from_utf8_lossy(&bytes);
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let mut values = BTreeMap::new();
        for (number, line) in String::from_utf8_lossy(&bytes[..whole]).lines().enumerate() {
            let (key, value) = entry(line).ok_or_else(|| {
                let message = format!("line {}: not a measurement", number + 1);
                io::Error::new(io::ErrorKind::InvalidData, message)
            })?;
            values.insert(key, value);
        }
        let begins = "{\"key\":";
        if whole == 0 && !text.starts_with(begins) && !begins.starts_with(&*text) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not a file of measurements"));
        }
        let inner = Inner {
            path: path.into(),
            file: None,
            read: bytes.len() as u64,
            whole: whole as u64,
            values,
            error: None,
        };
        Ok(Kept(Mutex::new(inner)))
    }

    /// What was measured under this key, if it was.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let inner = self.0.lock().ok()?;
        inner.values.get(key).and_then(|value| serde_json::from_value(value.clone()).ok())
    }

    /// The keys of all measurements.
    pub fn keys(&self) -> Vec<String> {
        self.0.lock().map_or_else(|_| Vec::new(), |inner| inner.values.keys().cloned().collect())
    }

    /// Keeps a measurement. If the file cannot be written, [`close`](Kept::close) says so.
    pub fn put<T: Serialize>(&self, key: &str, value: &T) {
        let Ok(mut inner) = self.0.lock() else { return };
        let written = serde_json::to_value(value).map_err(io::Error::from).and_then(|value| {
            let line = format!("{}\n", json!({ "key": key, "value": value }));
            inner.values.insert(key.into(), value);
            inner.append(&line)
        });
        if let Err(error) = written {
            inner.error.get_or_insert(error);
        }
    }

    /// Ends the keeping.
    ///
    /// # Errors
    /// If a measurement could not be written.
    pub fn close(self) -> io::Result<()> {
        let inner = self.0.into_inner().map_err(|_| io::Error::other("a measurement broke off"))?;
        inner.error.map_or(Ok(()), Err)
    }
}

impl Inner {
    /// Writes a line after the last whole one, wherever half a line may have been left.
    fn append(&mut self, line: &str) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let file = OpenOptions::new().write(true).create(true).truncate(false).open(&self.path)?;
                if file.try_lock().is_err() || file.metadata()?.len() != self.read {
                    return Err(io::Error::other("another run keeps its measurements there"));
                }
                none.insert(file)
            }
        };
        file.set_len(self.whole)?;
        file.seek(SeekFrom::Start(self.whole))?;
        file.write_all(line.as_bytes())?;
        file.sync_data()?;
        self.whole += line.len() as u64;
        Ok(())
    }
}

/// Fowler, Noll and Vo's hash: the same on every machine and in every version.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

fn entry(line: &str) -> Option<(String, Value)> {
    let mut object: serde_json::Map<String, Value> = serde_json::from_str(line).ok()?;
    let key = object.get("key")?.as_str()?.to_string();
    Some((key, object.remove("value")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(name: &str, text: &str) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("cassius-kept-{name}-{}", std::process::id()));
        fs::write(&path, text).unwrap();
        path
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
        first.put("b", &2);
        second.put("c", &3);
        assert!(second.close().unwrap_err().to_string().contains("another run"));
        first.put("d", &4);
        first.close().unwrap();
        third.put("e", &5); // what it has read is not what is there now
        assert!(third.close().is_err());
        let kept = Kept::open(&path).unwrap();
        assert_eq!(["a", "b", "d"].map(|key| kept.get(key)), [Some(1), Some(2), Some(4)]);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn another_file_is_left_alone() {
        for text in ["1. e4 e5\n", "no line end", "{\"key\":\"a\",\"value\":1}\n{\"a\":1}\n"] {
            let path = at("other", text);
            assert_eq!(Kept::open(&path).unwrap_err().kind(), io::ErrorKind::InvalidData, "{text}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            fs::remove_file(&path).unwrap();
        }
    }
}
