//! Studies: trees of positions whose leaves are judged by whoever asks for them.

use crate::message::{Reached, read, write, wrong};
use cassius_chess::notation::{MoveError, moves_to_mate};
use cassius_chess::{Move, Position};
use cassius_search::study::{self, LeafId, PositionId};
use cassius_search::{Game as _, Score};
use cassius_study::{Alone, Found, Judge, StudyError, StudyFile, mate_in};
use pyo3::exceptions::{PyFileExistsError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Which study.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setup {
    /// The position at the root; if it is missing, the study is opened.
    position: Option<Reached>,
    /// The file; if it is missing, the study is in memory only.
    path: Option<PathBuf>,
    /// The nodes for the first judgement of a leaf.
    nodes: Option<i32>,
}

impl Setup {
    fn study(&self) -> PyResult<StudyFile> {
        let position = self.position.as_ref().map(Reached::positions).transpose()?;
        let mut study = match (&position, &self.path) {
            (Some((position, _)), _) if position.is_over() => {
                return Err(wrong(format_args!("the game is over in this position: {position}")));
            }
            (Some((position, _)), Some(path)) => StudyFile::create(path, position),
            (Some((position, _)), None) => StudyFile::in_memory(position),
            (None, Some(path)) => StudyFile::open(path),
            (None, None) => return Err(wrong("a study needs a position or a file")),
        }
        .map_err(|error| self.failed(error))?;
        if let Some(nodes) = self.nodes {
            let (growth, errors) = (study.study().growth, study.study().errors().clone());
            let steps = study::Steps { effort: nodes, ..study.study().steps.clone() };
            study.set(growth, errors, steps).map_err(|error| self.failed(error))?;
        }
        Ok(study)
    }

    /// Says what is wrong with the file.
    fn failed(&self, error: StudyError) -> PyErr {
        let name = self.path.as_deref().map_or("the study".into(), |path| path.display().to_string());
        match error {
            StudyError::Exists => {
                PyFileExistsError::new_err(format!("{name}: {error}; Study.open goes on with it"))
            }
            StudyError::Database(_) | StudyError::File(_) => PyOSError::new_err(format!("{name}: {error}")),
            error => wrong(format_args!("{name}: {error}")),
        }
    }
}

/// Says why a study refuses something.
fn refused(error: StudyError) -> PyErr {
    match error {
        StudyError::Refused(_) => wrong(error),
        error => PyOSError::new_err(error.to_string()),
    }
}

/// The name of a leaf.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Name {
    position: u32,
    followed: u16,
}

impl Name {
    fn new(leaf: LeafId) -> Name {
        Name { position: leaf.position.0, followed: leaf.followed }
    }

    fn leaf(self) -> LeafId {
        LeafId { position: PositionId(self.position), followed: self.followed }
    }
}

/// A leaf that is to be judged. Moves are in UCI notation.
#[derive(Serialize)]
struct Asked {
    name: Name,
    fen: String,
    white: bool,
    /// The moves from the root.
    line: Vec<String>,
    /// The moves to consider.
    moves: Vec<String>,
    /// The nodes to search.
    nodes: u64,
}

impl Asked {
    fn new(root: &Position, asked: &study::Asked<Position>) -> Asked {
        let position = &asked.position;
        let moves = position.legal_moves().into_iter().filter(|mv| !asked.without.contains(mv));
        Asked {
            name: Name::new(asked.leaf),
            fen: position.to_string(),
            white: position.turn().is_white(),
            line: uci(root, &asked.line),
            moves: moves.map(|mv| position.uci(mv)).collect(),
            nodes: asked.effort,
        }
    }
}

/// Returns a line in UCI notation.
fn uci(from: &Position, line: &[Move]) -> Vec<String> {
    let mut position = from.clone();
    let word = |mv: &Move| {
        let word = position.uci(*mv);
        position.play(*mv);
        word
    };
    line.iter().map(word).collect()
}

/// What was found about a leaf.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    name: Name,
    /// The value for the side to move: one of the two.
    centipawns: Option<i32>,
    mate: Option<i32>,
    /// The best line, in UCI notation.
    line: Vec<String>,
    /// The nodes that were allowed, and those that were searched.
    effort: u64,
    nodes: u64,
    depth: usize,
    proven: bool,
    engine: String,
    options: String,
}

impl Told {
    fn found(&self, mut position: Position) -> PyResult<Found> {
        let value = match (self.centipawns, self.mate) {
            (Some(won), None) if self.proven => Score(won.clamp(-Score::WIN.0, Score::WIN.0)),
            (Some(centipawns), None) => Score(centipawns).clamp_estimate(),
            (None, Some(moves)) => mate_in(moves),
            _ => return Err(wrong("a judgement has either centipawns or a mate")),
        };
        let mut line = Vec::new();
        for word in &self.line {
            let mv = position.parse_uci(word).map_err(|error: MoveError| {
                wrong(format_args!("the line of a judgement: {error}; the position is {position}"))
            })?;
            line.push(mv);
            position.play(mv);
        }
        let Told { effort, nodes, depth, proven, .. } = *self;
        Ok(Found { value, line, effort, nodes, depth, wdl: None, proven })
    }
}

/// A value in the eyes of the side to move somewhere.
#[derive(Serialize)]
struct Value {
    centipawns: Option<i32>,
    mate: Option<i32>,
}

impl Value {
    fn new(score: Score) -> Value {
        let mate = moves_to_mate(score);
        Value { centipawns: mate.is_none().then_some(score.0), mate }
    }
}

/// The verdict. Values are for the side to move at the root, those of members for the side to move there.
#[derive(Serialize)]
struct Verdict {
    fen: String,
    white: bool,
    moves: Vec<Candidate>,
    conspiracies: Vec<Conspiracy>,
    positions: usize,
    judgements: u64,
    nodes: u64,
}

#[derive(Serialize)]
struct Candidate {
    uci: Option<String>,
    san: Option<String>,
    value: Option<Value>,
    range: [Value; 2],
    chance: f32,
}

#[derive(Serialize)]
struct Conspiracy {
    chance: f32,
    instead: Option<String>,
    members: Vec<Member>,
}

#[derive(Serialize)]
struct Member {
    fen: String,
    white: bool,
    line: Vec<String>,
    san: String,
    best: Option<String>,
    value: Value,
    judged: bool,
    needed: Value,
    at_least: bool,
    chance: f32,
}

impl Verdict {
    fn of(file: &mut StudyFile) -> Result<Verdict, StudyError> {
        let verdict = file.verdict();
        let (judgements, nodes) = file.effort()?;
        let root = file.study().root();
        let candidate = |of: &study::Candidate<Move>| Candidate {
            uci: of.mv.map(|mv| root.uci(mv)),
            san: of.mv.map(|mv| root.san(mv)),
            value: of.value.map(Value::new),
            range: [Value::new(of.range.0), Value::new(of.range.1)],
            chance: of.chance,
        };
        let member = |of: &study::Conspirator<Move>| {
            let position = file.study().position(of.leaf.position);
            Member {
                fen: position.to_string(),
                white: position.turn().is_white(),
                line: uci(root, &of.line),
                san: root.line_to_san(&of.line),
                best: of.best.map(|mv| position.san(mv)),
                value: Value::new(of.value),
                judged: of.judged,
                needed: Value::new(of.needed),
                at_least: of.at_least,
                chance: of.chance,
            }
        };
        let conspiracy = |of: &study::Conspiracy<Move>| Conspiracy {
            chance: of.chance,
            instead: of.instead.map(|mv| root.san(mv)),
            members: of.members.iter().map(member).collect(),
        };
        Ok(Verdict {
            fen: root.to_string(),
            white: root.turn().is_white(),
            moves: verdict.moves.iter().map(candidate).collect(),
            conspiracies: verdict.conspiracies.iter().map(conspiracy).collect(),
            positions: verdict.positions,
            judgements,
            nodes,
        })
    }
}

/// A study, in a file or in memory.
#[pyclass(frozen, module = "cassius._native")]
pub struct Study {
    file: Mutex<StudyFile>,
    /// The path of the file, if there is one.
    path: Option<PathBuf>,
    growing: Mutex<Growing>,
}

/// Keeps other programs from growing a study.
#[derive(Default)]
struct Growing {
    /// How often growth was begun here, and not ended.
    begun: usize,
    alone: Option<Alone>,
}

impl Study {
    fn file(&self) -> MutexGuard<'_, StudyFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn growing(&self) -> MutexGuard<'_, Growing> {
        self.growing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Study {
    #[new]
    fn new(py: Python<'_>, setup: &str) -> PyResult<Study> {
        let setup: Setup = read(setup)?;
        let file = py.detach(|| setup.study())?;
        // The process may go to another folder meanwhile.
        let path = setup.path.map(|path| std::path::absolute(&path).unwrap_or(path));
        Ok(Study { file: Mutex::new(file), path, growing: Mutex::default() })
    }

    /// Keeps other programs from growing the study, until `end_growth` was called as often.
    fn begin_growth(&self, py: Python<'_>) -> PyResult<()> {
        let Some(path) = &self.path else { return Ok(()) };
        py.detach(|| {
            let mut growing = self.growing();
            if growing.alone.is_none() {
                let named = |error: StudyError| PyOSError::new_err(format!("{}: {error}", path.display()));
                growing.alone = Some(StudyFile::alone(path).map_err(named)?);
            }
            growing.begun += 1;
            Ok(())
        })
    }

    /// Lets other programs grow the study again.
    fn end_growth(&self, py: Python<'_>) {
        py.detach(|| {
            let mut growing = self.growing();
            growing.begun = growing.begun.saturating_sub(1);
            if growing.begun == 0 {
                growing.alone = None;
            }
        });
    }

    /// Fulfils the wishes of other programs, and says what came of each.
    fn fulfil(&self, py: Python<'_>) -> PyResult<String> {
        let said = py.detach(|| self.file().fulfil());
        Ok(write(&said.map_err(refused)?))
    }

    /// Names the leaves most worth judging. The answer is appended to a list, so that no interrupt loses it.
    fn ask(&self, py: Python<'_>, count: usize, named: &Bound<'_, PyList>) -> PyResult<()> {
        let asked = py.detach(|| {
            let mut file = self.file();
            let asked = file.ask(count)?;
            let root = file.study().root();
            Ok(asked.iter().map(|asked| Asked::new(root, asked)).collect::<Vec<_>>())
        });
        named.append(write(&asked.map_err(refused)?))
    }

    /// Takes a judgement. Returns whether the leaf is still open.
    fn tell(&self, py: Python<'_>, told: &str) -> PyResult<bool> {
        let told: Told = read(told)?;
        py.detach(|| {
            let mut file = self.file();
            let leaf = told.name.leaf();
            let position = file.study().get(leaf.position);
            let found = told.found(position.ok_or_else(|| wrong(study::Refused::NoPosition))?)?;
            let judge = Judge { name: told.engine.clone(), options: told.options.clone() };
            match file.tell(leaf, &judge, &found) {
                Ok(()) => Ok(true),
                Err(StudyError::Refused(study::Refused::NoLeaf)) => Ok(false),
                Err(error) => Err(refused(error)),
            }
        })
    }

    /// Gives a leaf back that was not judged.
    fn give_back(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let name: Name = read(name)?;
        py.detach(|| self.file().give_back(name.leaf()));
        Ok(())
    }

    /// Returns the verdict at this moment.
    fn verdict(&self, py: Python<'_>) -> PyResult<String> {
        let verdict = py.detach(|| Verdict::of(&mut self.file()));
        Ok(write(&verdict.map_err(refused)?))
    }

    /// Returns the chance that another move is best.
    fn doubt(&self, py: Python<'_>) -> f32 {
        py.detach(|| self.file().doubt())
    }
}
