//! Studies of chess positions, kept in a file.
//!
//! A [`Study`](cassius_search::study::Study) grows in memory. A [`StudyFile`] keeps it: every change is in
//! the file before anything else happens, so that a study can be stopped anywhere, even killed, and
//! continued. The file is an SQLite database; its schema, with every column documented, is in [`SCHEMA`], so
//! that other programs can query it.
//!
//! ```
//! use cassius_chess::Position;
//! use cassius_search::Score;
//! use cassius_study::{Found, Judge, StudyFile};
//!
//! let path = std::env::temp_dir().join(format!("cassius-study-{}.study", std::process::id()));
//! let root: Position = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1".parse()?;
//! let mut file = StudyFile::create(&path, &root)?;
//! let judge = Judge { name: "by hand".into(), options: String::new() };
//! let asked = file.ask(1)?.remove(0);
//! let line = vec![asked.position.parse_uci("a1a8")?];
//! file.tell(asked.leaf, &judge, &Found { line, ..Found::new(Score::win_in(1), asked.effort) })?;
//! drop(file);
//!
//! let mut file = StudyFile::open(&path)?;
//! assert_eq!(file.verdict().moves[0].value, Some(Score::win_in(1)));
//! # drop(file);
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod file;
pub mod measure;
mod unrest;

pub use unrest::{study, unrest};

pub use file::{Alone, Found, Judge, SCHEMA, StudyError, StudyFile, What, Wish, mate_in};
