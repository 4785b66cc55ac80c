//! Searches chess positions, by any recipe.

use crate::message::{
    Described, Reached, Setting, Settings, bound, described, finite, read, told, write, wrong,
};
use crate::watch::Watch;
use cassius_chess::notation::moves_to_mate;
use cassius_chess::tablebase::Tablebases;
use cassius_chess::{Move, Position, RECIPES};
use cassius_search::{MAX_PLY, Report, Request};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, TryLockError};

/// What an engine is made of.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setup {
    recipe: String,
    /// The size of the table, or of the tree, in MiB.
    hash: usize,
    threads: usize,
    parameters: Settings,
    /// Folders with Syzygy endgame tables.
    syzygy: Option<String>,
}

impl Setup {
    fn build(&self) -> PyResult<cassius_chess::Engine> {
        let mut engine = cassius_chess::Engine::new(&self.recipe, self.hash, self.threads).map_err(wrong)?;
        if let Some(path) = &self.syzygy {
            engine.set_tablebases(Some(Tablebases::open(path).map_err(wrong)?));
        }
        for (name, setting) in &self.parameters {
            match *setting {
                Setting::Switch(on) => engine.switch(name, on),
                Setting::Value(value) => engine.set_parameter(name, value),
            }
            .map_err(wrong)?;
        }
        Ok(engine)
    }
}

/// What is to be searched.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    position: Reached,
    lines: usize,
    nodes: Option<u64>,
    depth: Option<usize>,
    seconds: Option<f64>,
    /// The moves to consider, in UCI notation; empty for all.
    only: Vec<String>,
}

#[derive(Serialize)]
struct Answer {
    fen: String,
    white: bool,
    recipe: &'static str,
    lines: Vec<Line>,
    nodes: u64,
    complete: bool,
    full: bool,
}

/// A line. Values are for the side to move.
#[derive(Serialize)]
struct Line {
    line: usize,
    moves: Vec<String>,
    san: String,
    centipawns: Option<i32>,
    mate: Option<i32>,
    bound: Option<&'static str>,
    iteration: usize,
    /// The depths of the plan of the side to move, and of the other side's.
    plans: Option<[f64; 2]>,
    /// The least and the greatest value that as many wrong leaves as iterations could cause.
    range: Option<[Option<i32>; 2]>,
    longest: usize,
    nodes: u64,
}

impl Line {
    fn new(position: &Position, report: &Report<Move>) -> Line {
        let mate = moves_to_mate(report.score);
        let mut after = position.clone();
        let uci = |mv: &Move| {
            let text = after.uci(*mv);
            cassius_search::Game::play(&mut after, *mv);
            text
        };
        let told = told(report);
        let plans = [report.depths.lower.to_f64(), report.depths.upper.to_f64()];
        Line {
            line: report.line,
            moves: report.pv.iter().map(uci).collect(),
            san: position.line_to_san(&report.pv),
            centipawns: finite(report.score).filter(|_| mate.is_none() && told.is_some()),
            mate,
            bound: bound(told),
            iteration: report.iteration,
            plans: report.range.is_none().then_some(plans),
            range: report.range.map(|(least, greatest)| [finite(least), finite(greatest)]),
            longest: report.max_ply,
            nodes: report.nodes,
        }
    }
}

/// A recipe with its table, its threads and its parameters. It keeps what it has learned.
#[pyclass(frozen, module = "cassius._native")]
pub struct Engine(Mutex<cassius_chess::Engine>);

impl Engine {
    /// Gives the engine to `work`, while no Python runs in this thread.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut cassius_chess::Engine) -> T + Send,
    ) -> PyResult<T> {
        let engine = &self.0;
        let done = py.detach(|| match engine.try_lock() {
            Ok(mut engine) => Ok(work(&mut engine)),
            Err(TryLockError::WouldBlock) => {
                Err("this engine is searching: use another one, or wait until it is done")
            }
            Err(TryLockError::Poisoned(_)) => Err("this engine has panicked: use another one"),
        });
        done.map_err(PyRuntimeError::new_err)
    }
}

#[pymethods]
impl Engine {
    #[new]
    fn new(py: Python<'_>, setup: &str) -> PyResult<Engine> {
        let setup: Setup = read(setup)?;
        py.detach(|| setup.build()).map(|engine| Engine(Mutex::new(engine)))
    }

    /// Searches a position, and tells every line that is found.
    #[pyo3(signature = (question, tell=None))]
    fn analyse(&self, py: Python<'_>, question: &str, tell: Option<Py<PyAny>>) -> PyResult<String> {
        let asked: Asked = read(question)?;
        let (position, before) = asked.position.positions()?;
        let read = |text: &String| {
            let error = |error| wrong(format_args!("{error}; the position is {position}"));
            position.parse_uci(text).map_err(error)
        };
        let moves = asked.only.iter().map(read).collect::<PyResult<Vec<Move>>>()?;
        let watch = Watch::new().within(asked.nodes, asked.seconds).settled(asked.lines == 1);
        let answer = self.with(py, |engine| {
            let request = Request {
                position: &position,
                before: &before,
                moves: &moves,
                lines: asked.lines,
                iterations: asked.depth.unwrap_or(MAX_PLY).min(MAX_PLY),
                limits: &watch,
            };
            let found = engine.search(&request, &mut |report| {
                watch.tell(tell.as_ref(), || write(&Line::new(&position, report)));
            });
            Answer {
                fen: position.to_string(),
                white: position.turn().is_white(),
                recipe: engine.recipe().name,
                lines: found.lines.iter().map(|line| Line::new(&position, line)).collect(),
                nodes: found.nodes,
                complete: found.complete,
                full: found.full,
            }
        })?;
        watch.result()?;
        Ok(write(&answer))
    }

    /// Returns the name of the recipe.
    fn recipe(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.with(py, |engine| engine.recipe().name)
    }

    /// Returns the parameters with their values.
    fn parameters(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |engine| write(&described(engine.parameters())))
    }

    /// Forgets what was learned.
    fn forget(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |engine| engine.forget())
    }
}

#[derive(Serialize)]
struct Recipe {
    name: &'static str,
    summary: &'static str,
    parameters: Vec<Described>,
    differs: Vec<&'static str>,
}

/// Returns the recipes for chess with their parameters.
#[pyfunction]
pub fn recipes(py: Python<'_>) -> PyResult<String> {
    let describe = |recipe: &cassius_chess::RecipeInfo| {
        let mut engine = cassius_chess::Engine::new(recipe.name, 1, 1).map_err(wrong)?;
        Ok(Recipe {
            name: recipe.name,
            summary: recipe.summary,
            parameters: described(engine.parameters()),
            differs: recipe.differs_from_paper().collect(),
        })
    };
    let all = py.detach(|| RECIPES.iter().map(describe).collect::<PyResult<Vec<_>>>())?;
    Ok(write(&all))
}
