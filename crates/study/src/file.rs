//! The file of a study.

use cassius_chess::notation::moves_to_mate;
use cassius_chess::{Move, Position};
use cassius_search::best_first::Whose;
use cassius_search::study::{
    Asked, Candidate, Change, Errors, Growth, Judgement, LeafId, PositionId, Refused, Steps, Study, Target,
    Verdict,
};
use cassius_search::{Component as _, Game as _, Parameter, Score, fnv};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension as _, Row, Transaction, TransactionBehavior, params,
};
use std::fmt::Write as _;
#[cfg(unix)]
use std::fs::Metadata;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The tables of a file, with a word on every column.
pub const SCHEMA: &str = include_str!("schema.sql");

/// Finds the changes of a position. Files of earlier versions lack it.
const INDEX: &str = "CREATE INDEX IF NOT EXISTS changed_at ON changed (position)";

/// The version of the schema, which the file keeps as its `user_version`.
const VERSION: i64 = 1;

/// The number that marks the database as a study (`application_id`): "CSty".
const APPLICATION: i64 = 0x4353_7479;

/// Why a study cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The database could not be read or written.
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    /// There is a file already.
    #[error("the file exists")]
    Exists,
    /// The file is something else.
    #[error("this is not a study file")]
    NoStudy,
    /// The file was written by a later version.
    #[error("the study has format {0}; this program reads format {VERSION}")]
    Version(i64),
    /// The file cannot be made.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// Another program has changed the study since it was opened.
    #[error("another program has changed the study in the meantime")]
    Changed,
    /// A change could not be written earlier.
    #[error("an earlier change could not be written: open the study again")]
    Behind,
    /// Another program is growing the study.
    #[error("another program is growing this study")]
    Growing,
    /// Where the study's lock belongs is something else: a file that is not empty, a link or a folder.
    #[error("{} is in the way: move it", .0.display())]
    NotALock(PathBuf),
    /// A parameter cannot be changed any more, because values that are supposed depend on it.
    #[error("{0} can be set only before the first judgement: values that are supposed depend on it")]
    Fixed(String),
    /// Something in the file does not fit.
    #[error("change {change}: {why}")]
    Broken {
        /// The number of the change that does not fit; 0 for the settings.
        change: i64,
        /// Why.
        why: String,
    },
    /// A judgement or a wish was refused.
    #[error(transparent)]
    Refused(#[from] Refused),
}

/// Who judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judge {
    /// What the engine calls itself.
    pub name: String,
    /// The options that were set.
    pub options: String,
}

/// What a judge found, as it is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The value for the side to move.
    pub value: Score,
    /// The best line. A proven value needs none.
    pub line: Vec<Move>,
    /// The nodes that were allowed.
    pub effort: u64,
    /// The nodes that were searched.
    pub nodes: u64,
    /// The depth that was reached.
    pub depth: usize,
    /// Wins, draws and losses in 1,000 games.
    pub wdl: Option<[u32; 3]>,
    /// Whether the value is certain.
    pub proven: bool,
}

impl Found {
    /// Returns a value that was found with this effort, and nothing else.
    pub fn new(value: Score, effort: u64) -> Found {
        Found { value, line: Vec::new(), effort, nodes: effort, depth: 0, wdl: None, proven: false }
    }

    fn judgement(&self) -> Judgement<Move> {
        let Found { value, line, effort, proven, .. } = self;
        Judgement { value: *value, best: line.first().copied(), effort: *effort, proven: *proven }
    }
}

/// A study and its file.
pub struct StudyFile {
    db: Connection,
    study: Study<Position>,
    /// The number of the last change in the file, or [`BEHIND`].
    changes: i64,
    /// Positions at the ends of lines that somebody wants to be looked at.
    wanted: Vec<PositionId>,
    /// See [`StudyFile::taken`].
    taken: u64,
}

/// The study knows changes that could not be written.
const BEHIND: i64 = -1;

/// As long as it exists, no other program grows the study. See [`StudyFile::alone`].
#[derive(Debug)]
pub struct Alone {
    _lock: File,
    path: PathBuf,
}

impl Drop for Alone {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

impl StudyFile {
    /// Begins a study of a position in a new file.
    ///
    /// # Errors
    /// If there is such a file, or it cannot be written.
    pub fn create(path: &Path, root: &Position) -> Result<StudyFile, StudyError> {
        // An empty file is made first, so that a file of somebody else is never written to.
        match std::fs::OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(_) => (),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && is_empty(path) => (),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(StudyError::Exists);
            }
            Err(error) => return Err(StudyError::File(error)),
        }
        let db = connect(path)?;
        // Readers do not wait for the writer, and nothing is lost if the program is killed.
        db.pragma_update(None, "journal_mode", "wal")?;
        StudyFile::with(db, root)
    }

    /// Whether there is a study in a file, or something else. A program that was killed before it had begun a
    /// study leaves a file in which one can be begun.
    pub fn is_begun(path: &Path) -> bool {
        path.exists() && !is_empty(path)
    }

    /// Begins a study that is kept in memory only.
    ///
    /// ```
    /// # use cassius_study::StudyFile;
    /// let mut study = StudyFile::in_memory(&cassius_chess::Position::default())?;
    /// assert_eq!(study.ask(1)?.len(), 1);
    /// # Ok::<(), cassius_study::StudyError>(())
    /// ```
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn in_memory(root: &Position) -> Result<StudyFile, StudyError> {
        StudyFile::with(Connection::open_in_memory()?, root)
    }

    /// Begins a study in an empty database.
    fn with(mut db: Connection, root: &Position) -> Result<StudyFile, StudyError> {
        let change = db.transaction()?;
        change.execute_batch(SCHEMA)?;
        change.pragma_update(None, "user_version", VERSION)?;
        change.pragma_update(None, "application_id", APPLICATION)?;
        change.execute("INSERT INTO setting VALUES ('root', ?1)", [root.to_string()])?;
        change.execute("INSERT INTO position VALUES (0, ?1)", [root.to_string()])?;
        change.commit()?;
        db.pragma_update(None, "synchronous", "normal")?;
        Ok(StudyFile { db, study: crate::study(root.clone()), changes: 0, wanted: Vec::new(), taken: 0 })
    }

    /// Opens a study.
    ///
    /// # Errors
    /// If the file is missing, no study, broken, or in use.
    pub fn open(path: &Path) -> Result<StudyFile, StudyError> {
        path.metadata()?;
        let mut db = connect(path)?;
        if !is_readable(&db) && !is_in_use(path) {
            db = connect_to_read(path)?;
        }
        let number = |name: &str| db.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        match number("application_id") {
            Ok(APPLICATION) => (),
            Ok(_) => return Err(StudyError::NoStudy),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
                return Err(StudyError::NoStudy);
            }
            Err(error) => return Err(error.into()),
        }
        match number("user_version")? {
            VERSION => (),
            other => return Err(StudyError::Version(other)),
        }
        let _ = db.execute_batch(INDEX); // without it the file is only slower
        db.pragma_update(None, "synchronous", "normal")?;
        let reading = db.unchecked_transaction()?; // nobody changes it meanwhile
        let study = restore(&db)?;
        let changes = last_change(&db)?;
        let wanted = wanted(&db, &study)?;
        drop(reading);
        Ok(StudyFile { db, study, changes, wanted, taken: 0 })
    }

    /// Takes care that no other program grows the study as long as the result exists. There is a file beside
    /// that of the study meanwhile.
    ///
    /// # Errors
    /// If another program is growing it, the file cannot be made, or there is such a file that is not ours.
    pub fn alone(path: &Path) -> Result<Alone, StudyError> {
        let mut name = path.as_os_str().to_owned();
        name.push(".growing");
        loop {
            // Ours is an empty file. Nothing else is written to, nor removed.
            if let Ok(found) = std::fs::symlink_metadata(&name)
                && (!found.is_file() || found.len() > 0)
            {
                return Err(StudyError::NotALock(PathBuf::from(name)));
            }
            let lock = std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(&name)?;
            match lock.try_lock() {
                Ok(()) => (),
                Err(TryLockError::WouldBlock) => return Err(StudyError::Growing),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
            // Another program may have removed the file just before it was locked.
            let path = PathBuf::from(&name);
            if is_at(&lock, &path) {
                return Ok(Alone { _lock: lock, path });
            }
        }
    }

    /// Closes the file and returns the study.
    pub fn into_study(self) -> Study<Position> {
        self.study
    }

    /// Returns the study.
    pub fn study(&self) -> &Study<Position> {
        &self.study
    }

    /// Returns the verdict at this moment ([`Study::verdict`]).
    pub fn verdict(&mut self) -> Verdict<Move> {
        self.study.verdict()
    }

    /// Returns the chance that another move is best ([`Study::doubt`]).
    pub fn doubt(&mut self) -> f32 {
        self.study.doubt()
    }

    /// Sets how the study grows and how far judgements are trusted, now and whenever the file is opened.
    ///
    /// # Errors
    /// If the file cannot be written, or a parameter is changed on which supposed values depend.
    pub fn set(&mut self, growth: Growth, errors: Errors, steps: Steps) -> Result<(), StudyError> {
        if self.changes == BEHIND {
            return Err(StudyError::Behind);
        }
        let name = match growth {
            Growth::Weighted => "weighted",
            Growth::ByValue => "by value",
            Growth::Repertoire(Whose::Mover) => "repertoire of the side to move",
            Growth::Repertoire(Whose::Other) => "repertoire of the other side",
        };
        let present = self.study.errors();
        for (name, old, new) in
            [("Errors.gap", present.gap, errors.gap), ("Errors.unit", present.unit, errors.unit)]
        {
            if old != new && self.changes > 0 {
                return Err(StudyError::Fixed(name.into()));
            }
        }
        let mut settings = vec![("growth".to_string(), name.to_string())];
        let mut each = |parameter: &Parameter, value: &mut i32| {
            settings.push((parameter.full_name(), value.to_string()));
        };
        errors.clone().visit(&mut each);
        steps.clone().visit(&mut each);
        let change = self.db.transaction()?;
        for (name, value) in settings {
            change.execute("INSERT OR REPLACE INTO setting VALUES (?1, ?2)", [name, value])?;
        }
        change.commit()?;
        self.study.growth = growth;
        self.study.steps = steps;
        self.study.trust(errors);
        Ok(())
    }

    /// Names up to `count` leaves worth judging. Moves that are followed for this are written to the file.
    /// Leaves about which the file knows enough, because another study was imported, are not named: what is
    /// known is taken instead.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn ask(&mut self, count: usize) -> Result<Vec<Asked<Position>>, StudyError> {
        let mut all = Vec::new();
        while all.len() < count {
            // What somebody wants to be looked at comes first.
            let mut wanted = std::mem::take(&mut self.wanted);
            wanted.retain(|at| self.study.is_reached(*at));
            let mut wanted = wanted.into_iter();
            let mut asked: Vec<Asked<Position>> =
                wanted.by_ref().filter_map(|id| self.study.ask_at(id)).take(count - all.len()).collect();
            self.wanted = wanted.collect();
            if asked.is_empty() {
                asked = self.study.ask(count - all.len());
            }
            self.keep(None)?;
            if asked.is_empty() {
                break;
            }
            for asked in asked {
                match self.known(&asked)? {
                    Some((judgement, id)) => {
                        self.study.tell(asked.leaf, judgement)?;
                        self.keep(Some(id))?;
                        self.taken += 1;
                    }
                    None => all.push(asked),
                }
            }
        }
        Ok(all)
    }

    /// Returns how many judgements [`ask`](StudyFile::ask) has taken from what is known, since this was last
    /// asked.
    pub fn taken(&mut self) -> u64 {
        std::mem::take(&mut self.taken)
    }

    /// Returns a judgement that the file has of a leaf, with at least the effort that is asked for.
    fn known(&self, asked: &Asked<Position>) -> Result<Option<(Judgement<Move>, i64)>, StudyError> {
        let mut find = self.db.prepare_cached(
            "SELECT * FROM judgement WHERE epd = ?1 AND without = ?2 AND (effort >= ?3 OR proven = 1)
             ORDER BY proven DESC, effort DESC, id DESC",
        )?;
        let position = &asked.position;
        let effort = i64::try_from(asked.effort).unwrap_or(i64::MAX);
        let mut rows = find.query(params![epd(position), words(position, &asked.without), effort])?;
        while let Some(row) = rows.next()? {
            let id: i64 = row.get("id")?;
            let judgement = read_judgement(row, position)?;
            let broken =
                |why: String| StudyError::Broken { change: 0, why: format!("judgement {id}: {why}") };
            let judgement = judgement.map_err(broken)?;
            // A proof holds where it ends before the fifty-move rule does. What tables say has no length, and
            // is asked of them again.
            let plies = judgement.value.plies_to_end();
            let ends = plies.is_some_and(|plies| position.halfmoves() as usize + plies <= 100);
            if !judgement.proven || ends {
                return Ok(Some((judgement, id)));
            }
        }
        Ok(None)
    }

    /// Writes the changes of the study to the file. One of them may be a judgement with this number.
    fn keep(&mut self, judgement: Option<i64>) -> Result<(), StudyError> {
        let changes = self.study.changes();
        if changes.is_empty() && self.changes != BEHIND {
            return Ok(());
        }
        self.commit(|change, study| write(change, study, &changes, judgement))
    }

    /// Writes to the file what `write` writes, which returns the number of the last change. On an error the
    /// study knows changes that the file does not: it writes no more of them until the file is opened again.
    fn commit(
        &mut self,
        write: impl FnOnce(&Transaction<'_>, &Study<Position>) -> Result<i64, StudyError>,
    ) -> Result<(), StudyError> {
        let known = std::mem::replace(&mut self.changes, BEHIND);
        if known == BEHIND {
            return Err(StudyError::Behind);
        }
        let change = begin(&mut self.db, known)?;
        let last = write(&change, &self.study)?;
        change.commit()?;
        self.changes = last;
        Ok(())
    }

    /// Takes what was found about a leaf. The rest of the line, after the best move, is kept as it was told.
    ///
    /// # Errors
    /// If it does not fit the study, or the file cannot be written.
    pub fn tell(&mut self, leaf: LeafId, judge: &Judge, found: &Found) -> Result<(), StudyError> {
        let at = self.study.get(leaf.position).ok_or(Refused::NoPosition)?;
        self.study.tell(leaf, found.judgement())?;
        let changes = self.study.changes();
        self.commit(|change, study| {
            let judgement = insert_judgement(change, study, leaf, &at, judge, found)?;
            write(change, study, &changes, Some(judgement))
        })
    }

    /// Gives a leaf back that could not be judged. It may be named again.
    pub fn give_back(&mut self, leaf: LeafId) {
        self.study.give_back(leaf);
    }

    /// Adds a wish, which the program that grows the study fulfils. `line` leads from the root to a position.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn wish(&mut self, wish: &Wish) -> Result<(), StudyError> {
        let root = self.study.root();
        let mut at = root.clone();
        wish.line.iter().for_each(|mv| at.play(*mv));
        let what = match wish.what {
            What::Include(mv) => format!("include {}", at.uci(mv)),
            What::Exclude(mv) => format!("exclude {}", at.uci(mv)),
            What::Prefer(true) => "prefer".to_string(),
            What::Prefer(false) => "ordinary".to_string(),
        };
        let line = uci_line(root, &wish.line);
        self.db.execute("INSERT INTO wish (line, what) VALUES (?1, ?2)", [line, what])?;
        Ok(())
    }

    /// Fulfils the wishes that were added since the last time, and returns what came of each.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn fulfil(&mut self) -> Result<Vec<String>, StudyError> {
        let mut said = Vec::new();
        for (id, line, what) in self.wishes()? {
            let done = match self.grant(&line, &what) {
                Ok(()) => "done".to_string(),
                Err(why) => why,
            };
            let changes = self.study.changes();
            self.commit(|change, study| {
                change.execute("UPDATE wish SET done = ?1 WHERE id = ?2", params![done, id])?;
                write(change, study, &changes, None)
            })?;
            said.push(format!("{}: {done}", in_words(self.study.root(), &line, &what)));
        }
        Ok(said)
    }

    /// Returns the wishes that are not fulfilled yet, in words.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn waiting(&self) -> Result<Vec<String>, StudyError> {
        Ok(self.wishes()?.iter().map(|(_, line, what)| in_words(self.study.root(), line, what)).collect())
    }

    /// Returns the wishes that are not fulfilled yet: the number, the line, and what is wished.
    fn wishes(&self) -> Result<Vec<(i64, String, String)>, StudyError> {
        let mut find =
            self.db.prepare_cached("SELECT id, line, what FROM wish WHERE done IS NULL ORDER BY id")?;
        let rows = find.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn grant(&mut self, line: &str, what: &str) -> Result<(), String> {
        if what == "ordinary" {
            let mut end = self.study.root().clone();
            let moves = end.parse_line(line).map_err(|error| error.to_string())?;
            moves.iter().for_each(|mv| end.play(*mv));
            let preferred = self.study.find(&end).filter(|at| self.study.is_preferred(*at));
            let at = preferred.ok_or("it was not preferred")?;
            return self.study.prefer(at, false).map_err(|refused| refused.to_string());
        }
        let (mut at, mut position) = (PositionId::ROOT, self.study.root().clone());
        // The other moves on the way are judged too: without them a position would be worth what the line is.
        let mut way = Vec::new();
        for word in line.split_whitespace() {
            let mv = position.parse_uci(word).map_err(|error| error.to_string())?;
            if self.study.edges(at).iter().any(|edge| edge.mv == mv && edge.excluded) {
                return Err(format!("{} is left out", position.san(mv)));
            }
            position.play(mv);
            at = match self.study.include(at, mv).map_err(|refused| refused.to_string())? {
                Target::Position(to) => to,
                Target::Repetition => return Err(format!("{word} repeats a position")),
            };
            way.push(at);
        }
        self.wanted.extend(way);
        if what == "prefer" {
            return self.study.prefer(at, true).map_err(|refused| refused.to_string());
        }
        let (word, mv) = what.split_once(' ').ok_or("nothing to do")?;
        let mv = position.parse_uci(mv).map_err(|error| error.to_string())?;
        match word {
            "include" => self.study.include(at, mv).map(|target| {
                if let Target::Position(to) = target {
                    self.wanted.push(to);
                }
            }),
            "exclude" => self.study.exclude(at, mv),
            _ => return Err(format!("'{word}' is neither include nor exclude")),
        }
        .map_err(|refused| refused.to_string())
    }

    /// Takes the judgements of another study. They are used where this study asks for them. Returns how many
    /// were new.
    ///
    /// # Errors
    /// If the other file is no study, or either cannot be read or written.
    pub fn import(&mut self, other: &Path) -> Result<usize, StudyError> {
        drop(StudyFile::open(other)?); // it is whole
        let path = match is_readable(&connect(other)?) {
            true => other.to_str().ok_or(StudyError::NoStudy)?.to_string(),
            false => immutable(other)?,
        };
        self.db.execute("ATTACH ?1 AS other", [path])?;
        let done = self.db.transaction().and_then(|change| {
            change.execute(
                "INSERT OR IGNORE INTO engine (name, options) SELECT name, options FROM other.engine",
                [],
            )?;
            let new = change.execute(
                "INSERT INTO judgement
                     (epd, without, engine, effort, nodes, depth, cp, mate, win, draw, loss, line, proven)
                 SELECT epd, without, mine.id, effort, 0, depth, cp, mate, win, draw, loss, line, proven
                 FROM other.judgement AS theirs JOIN other.engine AS judge ON judge.id = theirs.engine
                     JOIN engine AS mine ON mine.name = judge.name AND mine.options = judge.options
                 WHERE NOT EXISTS (SELECT 1 FROM judgement AS known WHERE known.epd = theirs.epd
                     AND known.without = theirs.without AND known.engine = mine.id
                     AND known.effort = theirs.effort)
                 ORDER BY theirs.id",
                [],
            )?;
            change.commit()?;
            Ok(new)
        });
        self.db.execute("DETACH other", [])?;
        Ok(done?)
    }

    /// Returns the number of judgements of the study, and of the nodes that were searched for it. Imported
    /// judgements count where they were used.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn effort(&self) -> Result<(u64, u64), StudyError> {
        let count = "SELECT (SELECT count(*) FROM changed WHERE kind = 'judged'),
            (SELECT CAST(total(nodes) AS INTEGER) FROM judgement)";
        let number = |row: &Row<'_>, column| row.get::<_, i64>(column).map(i64::unsigned_abs);
        Ok(self.db.query_row(count, [], |row| Ok((number(row, 0)?, number(row, 1)?)))?)
    }

    /// Returns a number that changes with the study: with its settings, its changes, and what was judged.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn fingerprint(&self) -> Result<u64, StudyError> {
        const OF: [&str; 5] = [
            "SELECT name, value FROM setting ORDER BY name",
            "SELECT id, fen FROM position ORDER BY id",
            "SELECT id, name, options FROM engine ORDER BY id",
            "SELECT id, epd, without, engine, effort, cp, mate, win, draw, loss, line, proven
             FROM judgement ORDER BY id",
            "SELECT id, kind, position, move, target, followed, judgement FROM changed ORDER BY id",
        ];
        let mut text = String::new();
        for query in OF {
            let mut of = self.db.prepare(query)?;
            let columns = of.column_count();
            let mut rows = of.query([])?;
            while let Some(row) = rows.next()? {
                for column in 0..columns {
                    let _ = write!(text, "{:?} ", row.get_ref(column)?);
                }
            }
        }
        Ok(fnv(text.bytes()))
    }

    /// Returns the nodes that were searched for each move of a verdict: for the positions after it, or for
    /// the moves that are not followed if it is one of them. `None` for moves that were not judged. What
    /// several moves lead to counts for each of them.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn nodes_of(&self, verdict: &Verdict<Move>) -> Result<Vec<Option<u64>>, StudyError> {
        let mut of_each = self.db.prepare(
            "SELECT position, CAST(total(nodes) AS INTEGER) FROM changed
             JOIN judgement ON judgement.id = judgement GROUP BY position",
        )?;
        let mut nodes = vec![0; self.study.len()];
        let mut rows = of_each.query([])?;
        while let Some(row) = rows.next()? {
            // A reader may be behind the file.
            if let Some(of) = nodes.get_mut(row.get::<_, u32>(0)? as usize) {
                *of = row.get::<_, i64>(1)?.unsigned_abs();
            }
        }
        let after = |first: PositionId| {
            let (mut reached, mut next) = (vec![first], 0);
            let mut seen = vec![false; self.study.len()];
            seen[first.index()] = true;
            while let Some(&at) = reached.get(next) {
                next += 1;
                for edge in self.study.edges(at) {
                    if let Target::Position(to) = edge.to
                        && !std::mem::replace(&mut seen[to.index()], true)
                    {
                        reached.push(to);
                    }
                }
            }
            reached.into_iter().map(|at| nodes[at.index()]).fold(0, u64::saturating_add)
        };
        let of_move = |candidate: &Candidate<Move>| match (candidate.mv, candidate.after) {
            (_, Some(to)) => Some(after(to)),
            (Some(_), None) => Some(nodes[0]),
            (None, None) => None,
        };
        Ok(verdict.moves.iter().map(of_move).collect())
    }

    /// Returns who judged, with the number of judgements of the study and of nodes of each.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn judges(&self) -> Result<Vec<(Judge, u64, u64)>, StudyError> {
        let mut judges = self.db.prepare(
            "SELECT name, options, count(*), CAST(total(nodes) AS INTEGER) FROM changed
             JOIN judgement ON judgement.id = judgement JOIN engine ON engine.id = engine
             GROUP BY engine ORDER BY engine",
        )?;
        let rows = judges.query_map([], |row| {
            let judge = Judge { name: row.get(0)?, options: row.get(1)? };
            let number = |column| row.get::<_, i64>(column).map(i64::unsigned_abs);
            Ok((judge, number(2)?, number(3)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns the line of the last judgement about a leaf of this position, after its best move.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn line_of(&self, id: PositionId) -> Result<Vec<Move>, StudyError> {
        let mut find = self.db.prepare_cached(
            "SELECT line FROM changed JOIN judgement ON judgement.id = judgement
             WHERE position = ?1 AND kind = 'judged' AND changed.id <= ?2 ORDER BY changed.id DESC LIMIT 1",
        )?;
        // A reader may be behind the file.
        let last = if self.changes == BEHIND { i64::MAX } else { self.changes };
        let line: Option<String> = find.query_row(params![id.0, last], |row| row.get(0)).optional()?;
        let (mut position, mut moves) = (self.study.position(id), Vec::new());
        for word in line.unwrap_or_default().split_whitespace() {
            let Ok(mv) = position.parse_uci(word) else { break };
            moves.push(mv);
            position.play(mv);
        }
        Ok(moves)
    }
}

/// A wish about a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Wish {
    /// The moves from the root to a position.
    pub line: Vec<Move>,
    /// What is to happen there.
    pub what: What,
}

/// What is to happen with a move, or with the line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum What {
    /// It is looked at.
    Include(Move),
    /// It is left out.
    Exclude(Move),
    /// The line to the position is preferred, or no longer.
    Prefer(bool),
}

fn connect(path: &Path) -> Result<Connection, StudyError> {
    /// How long another program may keep the file busy.
    const BUSY: Duration = Duration::from_secs(10);
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(BUSY)?;
    Ok(db)
}

/// Whether an open file is that of this name.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let number = |of: &Metadata| (of.dev(), of.ino());
        matches!((file.metadata(), path.metadata()), (Ok(one), Ok(other)) if number(&one) == number(&other))
    }
    // Elsewhere a file that is open keeps its name.
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

/// Whether the database can be read. A file with a log cannot, where no other files may be made beside it.
fn is_readable(db: &Connection) -> bool {
    let read = db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()));
    !matches!(
        read.map_err(|error| error.sqlite_error_code()),
        Err(Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
    )
}

/// Whether changes of a study are still in its log.
fn is_in_use(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    Path::new(&log).metadata().is_ok_and(|log| log.len() > 0)
}

/// Opens a file that nobody changes meanwhile, to read it where nothing may be written.
fn connect_to_read(path: &Path) -> Result<Connection, StudyError> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(immutable(path)?, flags)?)
}

/// Returns the URI of a file that nobody changes meanwhile.
fn immutable(path: &Path) -> Result<String, StudyError> {
    let path = path.to_str().ok_or(StudyError::NoStudy)?;
    let escaped = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(format!("file:{escaped}?immutable=1"))
}

/// Whether there is nothing in a file: the program that was to begin a study there was killed before.
fn is_empty(path: &Path) -> bool {
    /// A database that nobody has put anything into.
    const EMPTY: &str =
        "SELECT (SELECT count(*) FROM sqlite_schema) = 0 AND application_id = 0 FROM pragma_application_id";
    let is_empty = || connect(path)?.query_row(EMPTY, [], |row| row.get(0)).map_err(StudyError::from);
    path.metadata().is_ok_and(|file| file.is_file() && (file.len() == 0 || is_empty().unwrap_or(false)))
}

/// Returns the positions of lines that somebody wanted to be looked at, or preferred.
fn wanted(db: &Connection, study: &Study<Position>) -> Result<Vec<PositionId>, StudyError> {
    let mut wishes =
        db.prepare("SELECT line, what FROM wish WHERE done = 'done' AND what <> 'ordinary' ORDER BY id")?;
    let mut rows = wishes.query([])?;
    let mut wanted = Vec::new();
    while let Some(row) = rows.next()? {
        let (line, what): (String, String) = (row.get(0)?, row.get(1)?);
        let words = line.split_whitespace().chain(what.split_whitespace().skip(1));
        let (mut at, mut position) = (Some(PositionId::ROOT), study.root().clone());
        for word in words {
            let Ok(mv) = position.parse_uci(word) else { break };
            let edge = at.and_then(|at| study.edges(at).iter().find(|edge| edge.mv == mv && !edge.excluded));
            at = edge.and_then(|edge| match edge.to {
                Target::Position(to) => Some(to),
                Target::Repetition => None,
            });
            position.play(mv);
            wanted.extend(at);
        }
    }
    Ok(wanted)
}

/// Begins to write, if nobody else has changed the study: `known` is the number of its last change.
fn begin(db: &mut Connection, known: i64) -> Result<Transaction<'_>, StudyError> {
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    match last_change(&change)? {
        last if last == known => Ok(change),
        _ => Err(StudyError::Changed),
    }
}

fn last_change(db: &Connection) -> Result<i64, StudyError> {
    Ok(db.query_row("SELECT ifnull(max(id), 0) FROM changed", [], |row| row.get(0))?)
}

/// Writes changes. One of them may be a judgement with this number. Returns the number of the last change.
fn write(
    db: &Transaction<'_>,
    study: &Study<Position>,
    changes: &[Change<Move>],
    judgement: Option<i64>,
) -> Result<i64, StudyError> {
    let mut changed = db.prepare_cached(
        "INSERT INTO changed (kind, position, move, target, followed, judgement)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let none = None::<i64>;
    for change in changes {
        match *change {
            Change::Followed { from, mv, to } => {
                let position = study.position(from);
                let target = match to {
                    Target::Position(to) => Some(to.0),
                    Target::Repetition => None,
                };
                if let Target::Position(to) = to {
                    let mut add =
                        db.prepare_cached("INSERT OR IGNORE INTO position (id, fen) VALUES (?1, ?2)")?;
                    add.execute(params![to.0, study.position(to).to_string()])?;
                }
                changed.execute(params!["followed", from.0, position.uci(mv), target, none, none])?;
            }
            Change::Judged { leaf: LeafId { position, followed }, .. } => {
                changed.execute(params!["judged", position.0, None::<String>, none, followed, judgement])?;
            }
            Change::Excluded { from, mv, excluded } => {
                let kind = if excluded { "excluded" } else { "included" };
                changed.execute(params![kind, from.0, study.position(from).uci(mv), none, none, none])?;
            }
            Change::Preferred { position, preferred } => {
                let kind = if preferred { "preferred" } else { "ordinary" };
                changed.execute(params![kind, position.0, None::<String>, none, none, none])?;
            }
        }
    }
    last_change(db)
}

fn insert_judgement(
    db: &Transaction<'_>,
    study: &Study<Position>,
    leaf: LeafId,
    position: &Position,
    judge: &Judge,
    found: &Found,
) -> Result<i64, StudyError> {
    let mut add = db.prepare_cached("INSERT OR IGNORE INTO engine (name, options) VALUES (?1, ?2)")?;
    add.execute([&judge.name, &judge.options])?;
    let followed: Vec<Move> = study.edges(leaf.position).iter().map(|edge| edge.mv).collect();
    let (cp, mate) = match moves_to_mate(found.value) {
        None => (Some(found.value.0), None),
        mate => (None, mate),
    };
    let wdl = |place: usize| found.wdl.map(|wdl| wdl[place]);
    let mut add = db.prepare_cached(
        "INSERT INTO judgement
             (epd, without, engine, effort, nodes, depth, cp, mate, win, draw, loss, line, proven)
         VALUES (?1, ?2, (SELECT id FROM engine WHERE name = ?3 AND options = ?4),
             ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?;
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    add.execute(params![
        epd(position),
        words(position, &followed),
        judge.name,
        judge.options,
        number(found.effort),
        number(found.nodes),
        number(found.depth as u64),
        cp,
        mate,
        wdl(0),
        wdl(1),
        wdl(2),
        uci_line(position, &found.line),
        found.proven,
    ])?;
    Ok(db.last_insert_rowid())
}

/// Restores the study from its changes.
fn restore(db: &Connection) -> Result<Study<Position>, StudyError> {
    let broken =
        |change: i64, why: &dyn std::fmt::Display| StudyError::Broken { change, why: why.to_string() };
    let setting = |name: &str| {
        let mut find = db.prepare_cached("SELECT value FROM setting WHERE name = ?1")?;
        find.query_row([name], |row| row.get::<_, String>(0)).optional()
    };
    let root = setting("root")?.ok_or_else(|| broken(0, &"no root"))?;
    let root: Position = root.parse().map_err(|error| broken(0, &format!("root: {error}")))?;
    let mut study = crate::study(root);
    let (mut errors, mut steps, mut wrong) = (study.errors().clone(), study.steps.clone(), Ok(()));
    let mut read = |parameter: &Parameter, value: &mut i32| {
        let name = parameter.full_name();
        match setting(&name).map(|text| text.map(|text| text.parse::<i32>().ok())) {
            Ok(None) => (),
            Ok(Some(Some(number))) if (parameter.min..=parameter.max).contains(&number) => *value = number,
            Ok(Some(_)) => wrong = Err(broken(0, &format!("{name} is out of range"))),
            Err(error) => wrong = Err(error.into()),
        }
    };
    errors.visit(&mut read);
    steps.visit(&mut read);
    wrong?;
    study.growth = match setting("growth")?.as_deref() {
        None | Some("weighted") => Growth::Weighted,
        Some("by value") => Growth::ByValue,
        Some("repertoire of the side to move") => Growth::Repertoire(Whose::Mover),
        Some("repertoire of the other side") => Growth::Repertoire(Whose::Other),
        Some(other) => return Err(broken(0, &format!("growth '{other}'"))),
    };
    study.steps = steps;
    study.trust(errors);

    let mut changes = db.prepare(
        "SELECT changed.id AS number, kind, position, move, target, followed, judgement.*
         FROM changed LEFT JOIN judgement ON judgement.id = judgement ORDER BY changed.id",
    )?;
    let mut rows = changes.query([])?;
    study.at_once(|study| {
        while let Some(row) = rows.next()? {
            let number: i64 = row.get("number")?;
            let change = read_change(row, study)?.map_err(|why| broken(number, &why))?;
            study.replay(&change).map_err(|refused| broken(number, &refused))?;
        }
        Ok::<(), StudyError>(())
    })?;
    Ok(study)
}

/// Reads a change. The inner error says what is wrong with it.
fn read_change(row: &Row<'_>, study: &Study<Position>) -> rusqlite::Result<Result<Change<Move>, String>> {
    let from = PositionId(row.get("position")?);
    let Some(position) = study.get(from) else { return Ok(Err(format!("no position {}", from.0))) };
    let kind: String = row.get("kind")?;
    if kind == "judged" {
        let followed: Option<u16> = row.get("followed")?;
        let Some(followed) = followed else { return Ok(Err("no leaf".into())) };
        let leaf = LeafId { position: from, followed };
        let judgement = read_judgement(row, &position)?;
        return Ok(judgement.map(|judgement| Change::Judged { leaf, judgement }));
    }
    if let "preferred" | "ordinary" = kind.as_str() {
        return Ok(Ok(Change::Preferred { position: from, preferred: kind == "preferred" }));
    }
    let mv: Option<String> = row.get("move")?;
    let mv = match position.parse_uci(mv.as_deref().unwrap_or_default()) {
        Ok(mv) => mv,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let target: Option<u32> = row.get("target")?;
    let to = target.map_or(Target::Repetition, |to| Target::Position(PositionId(to)));
    Ok(Ok(match kind.as_str() {
        "followed" => Change::Followed { from, mv, to },
        kind => Change::Excluded { from, mv, excluded: kind == "excluded" },
    }))
}

/// Reads the value, the best move and the effort of a judgement about a position.
fn read_judgement(row: &Row<'_>, position: &Position) -> rusqlite::Result<Result<Judgement<Move>, String>> {
    let (cp, mate): (Option<i32>, Option<i32>) = (row.get("cp")?, row.get("mate")?);
    let proven: Option<bool> = row.get("proven")?;
    let line: Option<String> = row.get("line")?;
    let effort: Option<i64> = row.get("effort")?;
    let (Some(proven), Some(line), Some(effort)) = (proven, line, effort) else {
        return Ok(Err("the judgement is missing".into()));
    };
    let value = match (cp, mate) {
        (Some(cp), None) if proven => Score(cp.clamp(-Score::WIN.0, Score::WIN.0)),
        (Some(cp), None) => Score(cp).clamp_estimate(),
        (None, Some(moves)) => mate_in(moves),
        _ => return Ok(Err("the judgement has no value".into())),
    };
    let best = match line.split_whitespace().next().map(|word| position.parse_uci(word)) {
        None => None,
        Some(Ok(mv)) => Some(mv),
        Some(Err(error)) => return Ok(Err(error.to_string())),
    };
    Ok(Ok(Judgement { value, best, effort: effort.unsigned_abs(), proven }))
}

/// Returns the value of a mate in so many moves for the side to move. If the number is negative, it is mated
/// in as many moves; if it is 0, it is mated on the board.
///
/// ```
/// use cassius_search::Score;
/// assert_eq!(cassius_study::mate_in(2), Score::win_in(3));
/// assert_eq!(cassius_study::mate_in(-2), Score::loss_in(4));
/// ```
pub fn mate_in(moves: i32) -> Score {
    let plies = (2 * moves.unsigned_abs() as usize).min(cassius_search::MAX_PLY);
    if moves > 0 { Score::win_in(plies - 1) } else { Score::loss_in(plies) }
}

/// Returns a position without its counters. Where the fifty-move rule is near, what is found depends on it:
/// from [`LATE`] on the number of half-moves without progress is named.
fn epd(position: &Position) -> String {
    let late = position.halfmoves() >= LATE;
    let words = if late { 5 } else { 4 };
    position.to_string().split(' ').take(words).collect::<Vec<_>>().join(" ")
}

/// From so many half-moves without progress on they are part of a position's key.
const LATE: u32 = 80;

/// Returns moves in UCI notation, in alphabetical order.
fn words(position: &Position, moves: &[Move]) -> String {
    let mut words: Vec<String> = moves.iter().map(|mv| position.uci(*mv)).collect();
    words.sort();
    words.join(" ")
}

/// Returns a wish in words.
fn in_words(root: &Position, line: &str, what: &str) -> String {
    let plain = || format!("{line} {what}");
    let Ok(moves) = root.parse_line(line) else { return plain() };
    let mut at = root.clone();
    moves.iter().for_each(|mv| at.play(*mv));
    let line = root.line_to_san(&moves);
    let what = match what.split_once(' ').map(|(verb, mv)| (verb, at.parse_uci(mv))) {
        Some(("include", Ok(mv))) => format!("look at {}", at.san(mv)),
        Some(("exclude", Ok(mv))) => format!("leave out {}", at.san(mv)),
        None if what == "prefer" => return format!("prefer {line}"),
        None if what == "ordinary" => return format!("no longer prefer {line}"),
        _ => return plain(),
    };
    if line.is_empty() { what } else { format!("after {line}: {what}") }
}

fn uci_line(position: &Position, line: &[Move]) -> String {
    let mut position = position.clone();
    let word = |mv: &Move| {
        let word = position.uci(*mv);
        position.play(*mv);
        word
    };
    line.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As where the folder may not be written to.
    #[test]
    fn a_study_is_read_without_writing() {
        let folder = std::env::temp_dir().join(format!("cassius to read?{}%", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("a#.study");
        drop(StudyFile::create(&path, &Position::default()).expect("a study"));
        assert!(!is_in_use(&path));
        let db = connect_to_read(&path).expect("a study");
        assert!(is_readable(&db) && restore(&db).is_ok());
        let error = db.execute("DELETE FROM position", []).expect_err("it is only read");
        assert_eq!(error.sqlite_error_code(), Some(ErrorCode::ReadOnly));
        assert!(std::fs::read_dir(&folder).expect("the folder").count() == 1, "nothing was made beside it");
        std::fs::remove_dir_all(&folder).expect("the folder");
    }
}
