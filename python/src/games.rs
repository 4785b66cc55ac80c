//! Searches games.

use crate::message::{Described, Setting, Settings, bound, described, finite, read, write, wrong};
use crate::python_game::PythonGame;
use crate::watch::Watch;
use cassius_games::{Engine, Playable};
use cassius_search::Bound::{Exact, Lower, Upper};
use cassius_search::{Limits, MAX_PLY, Report, Request, Score};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a position is to be searched.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    recipe: String,
    /// The size of the table, or of the tree, in MiB.
    hash: usize,
    parameters: Settings,
    lines: usize,
    nodes: Option<u64>,
    depth: Option<usize>,
    seconds: Option<f64>,
}

#[derive(Serialize)]
struct Found<M> {
    recipe: &'static str,
    lines: Vec<Line<M>>,
    nodes: u64,
    complete: bool,
    full: bool,
}

/// A line. Values are for the side to move.
#[derive(Serialize)]
struct Line<M> {
    line: usize,
    moves: Vec<M>,
    value: Option<i32>,
    /// The number of plies to the end, if a win or a loss is proven; negative for a loss.
    end: Option<i32>,
    /// `win`, `draw` or `loss`, if that is proven.
    proven: Option<&'static str>,
    bound: &'static str,
    iteration: usize,
    range: Option<[Option<i32>; 2]>,
    longest: usize,
    nodes: u64,
}

impl<M> Line<M> {
    fn new<P: Copy>(report: &Report<P>, name: impl Fn(P) -> M) -> Line<M> {
        let known = finite(report.score);
        let sign = if report.score.is_win() { 1 } else { -1 };
        let end = report.score.plies_to_end().filter(|_| known.is_some());
        Line {
            line: report.line,
            moves: report.pv.iter().map(|mv| name(*mv)).collect(),
            value: known,
            end: end.map(|plies| sign * plies as i32),
            proven: proven(report),
            bound: bound(report.bound),
            iteration: report.iteration,
            range: report.range.map(|(least, greatest)| [finite(least), finite(greatest)]),
            longest: report.max_ply,
            nodes: report.nodes,
        }
    }
}

/// Returns the result that a line proves: a win or a loss, or a draw that is so however many leaves are wrong.
fn proven<P>(report: &Report<P>) -> Option<&'static str> {
    let Report { score, bound, range, iteration, .. } = report;
    match bound {
        _ if finite(*score).is_none() => None,
        Exact | Lower if score.is_decided() && *score > Score::DRAW => Some("win"),
        Exact | Upper if score.is_decided() && *score < Score::DRAW => Some("loss"),
        Exact if *iteration == 0 && *range == Some((Score::DRAW, Score::DRAW)) => Some("draw"),
        _ => None,
    }
}

impl Asked {
    fn engine<G: Playable>(&self) -> PyResult<Engine<G>> {
        let mut engine = Engine::<G>::new(&self.recipe, self.hash).map_err(wrong)?;
        for (name, setting) in &self.parameters {
            match *setting {
                Setting::Switch(on) => engine.switch(name, on),
                Setting::Value(value) => engine.set_parameter(name, value),
            }
            .map_err(wrong)?;
        }
        Ok(engine)
    }

    fn request<'a, G: Playable>(&self, position: &'a G, limits: &'a dyn Limits) -> Request<'a, G> {
        Request {
            position,
            before: &[],
            moves: &[],
            lines: self.lines,
            iterations: self.depth.unwrap_or(MAX_PLY).min(MAX_PLY),
            limits,
        }
    }

    fn watch(&self) -> Watch {
        Watch::new().within(self.nodes, self.seconds).settled(self.lines == 1)
    }
}

#[derive(Serialize)]
struct Recipe {
    name: &'static str,
    summary: &'static str,
    parameters: Vec<Described>,
}

/// Returns the recipes that a game can play, with their parameters.
fn recipes_of<G: Playable>() -> PyResult<String> {
    let playable = G::recipes().into_iter().filter(|recipe| recipe.can_be_played());
    let describe = |recipe: cassius_games::NamedRecipe<G>| {
        let engine = Engine::<G>::new(recipe.name, 1).map_err(wrong)?;
        Ok(Recipe { name: recipe.name, summary: recipe.summary, parameters: described(engine.parameters()) })
    };
    Ok(write(&playable.map(describe).collect::<PyResult<Vec<_>>>()?))
}

/// Returns the recipes for games written in Python.
#[pyfunction]
pub fn python_game_recipes() -> PyResult<String> {
    recipes_of::<PythonGame>()
}

/// Searches a position of a game written in Python. Moves are given by their places in its lists.
#[pyfunction]
#[pyo3(signature = (game, question, tell=None))]
pub fn search_python_game(
    game: &Bound<'_, PyAny>,
    question: &str,
    tell: Option<Py<PyAny>>,
) -> PyResult<String> {
    let asked: Asked = read(question)?;
    let engine = asked.engine::<PythonGame>()?;
    let watch = Arc::new(asked.watch().at_each_node());
    let position = PythonGame::new(game, asked.recipe == "df-pn", watch.clone())?;
    let line = |report: &_| Line::new(report, |place: crate::python_game::Place| place.0);
    let found = engine.search(&asked.request(&position, &*watch), &mut |report| {
        watch.tell(tell.as_ref(), || write(&line(report)));
    });
    watch.result()?;
    let lines = found.lines.iter().map(line).collect();
    let recipe = engine.recipe().name;
    Ok(write(&Found { recipe, lines, nodes: found.nodes, complete: found.complete, full: found.full }))
}
