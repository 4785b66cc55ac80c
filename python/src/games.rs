//! Searches games.

use crate::message::{Described, Setting, Settings, bound, described, finite, read, told, write, wrong};
use crate::python_game::{Place, PythonGame};
use crate::watch::Watch;
use cassius_games::Judge;
use cassius_games::named::{Ask, Named, NotAPosition, UnknownGame, Visit};
use cassius_search::Bound::{Exact, Lower, Upper};
use cassius_search::plans::certificate::Referee as _;
use cassius_search::{Engine, Keyed, Limits, MAX_PLY, Playable, Report, Request, Score};
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
    bound: Option<&'static str>,
    iteration: usize,
    range: Option<[Option<i32>; 2]>,
    longest: usize,
    nodes: u64,
}

impl<M> Line<M> {
    fn new<P>(report: &Report<P>, moves: Vec<M>) -> Line<M> {
        let told = told(report);
        let known = finite(report.score).filter(|_| told.is_some());
        let sign = if report.score.is_win() { 1 } else { -1 };
        let end = report.score.plies_to_end().filter(|_| known.is_some());
        Line {
            line: report.line,
            moves,
            value: known,
            end: end.map(|plies| sign * plies as i32),
            proven: proven(report),
            bound: bound(told),
            iteration: report.iteration,
            range: report.range.map(|(least, greatest)| [finite(least), finite(greatest)]),
            longest: report.max_ply,
            nodes: report.nodes,
        }
    }
}

/// Returns the result that a line proves: a win, a loss, or a draw however many leaves are wrong.
fn proven<P>(report: &Report<P>) -> Option<&'static str> {
    let Report { score, bound, range, iteration, .. } = report;
    match bound {
        _ if finite(*score).is_none() => None,
        Some(Exact | Lower) if score.is_decided() && *score > Score::DRAW => Some("win"),
        Some(Exact | Upper) if score.is_decided() && *score < Score::DRAW => Some("loss"),
        Some(Exact) if *iteration == 0 && *range == Some((Score::DRAW, Score::DRAW)) => Some("draw"),
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
fn recipes_of<G: Playable>() -> PyResult<Vec<Recipe>> {
    let playable = G::recipes().into_iter().filter(|recipe| recipe.can_be_played());
    let describe = |recipe: cassius_search::recipes::NamedRecipe<G>| {
        let engine = Engine::<G>::new(recipe.name, 1).map_err(wrong)?;
        Ok(Recipe { name: recipe.name, summary: recipe.summary, parameters: described(engine.parameters()) })
    };
    playable.map(describe).collect()
}

/// Returns the recipes for games written in Python.
#[pyfunction]
pub fn python_game_recipes() -> PyResult<String> {
    Ok(write(&recipes_of::<PythonGame>()?))
}

/// A game of the library.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    notation: &'static str,
    has_start: bool,
    capabilities: Vec<String>,
    recipes: Vec<Recipe>,
}

struct Recipes;

impl Ask for Recipes {
    type Output = PyResult<Vec<Recipe>>;

    fn ask<G: Playable>(self) -> PyResult<Vec<Recipe>> {
        recipes_of::<G>()
    }
}

/// Returns the games of the library, with the recipes that they can play.
#[pyfunction]
pub fn games() -> PyResult<String> {
    let list = |game: Named| {
        Ok(Listed {
            name: game.name(),
            about: game.about(),
            notation: game.notation(),
            has_start: game.has_start(),
            capabilities: game.capabilities().iter().map(ToString::to_string).collect(),
            recipes: game.ask(Recipes)?,
        })
    };
    Ok(write(&Named::ALL.into_iter().map(list).collect::<PyResult<Vec<_>>>()?))
}

/// Says why a text is no position.
pub fn misread(error: NotAPosition) -> PyErr {
    wrong(format_args!("{error}: {}; positions are written as {}", error.reason, error.game.notation()))
}

/// A search of a game of the library.
struct Search<'a> {
    asked: &'a Asked,
    watch: &'a Watch,
    tell: Option<&'a Py<PyAny>>,
}

impl Visit for Search<'_> {
    type Output = PyResult<String>;

    fn visit<G: Playable + Keyed + PartialEq, N: Fn(&G, G::Move) -> String>(
        self,
        position: &G,
        _: Option<String>,
        judge: Judge<G, N>,
    ) -> PyResult<String> {
        let Search { asked, watch, tell } = self;
        let line = |report: &Report<G::Move>| {
            let mut after = position.clone();
            let play = |mv: &G::Move| {
                let name = judge.name(&after, *mv);
                after.play(*mv);
                name
            };
            Line::new(report, report.pv.iter().map(play).collect())
        };
        let engine = asked.engine::<G>()?;
        let found = engine.search(&asked.request(position, watch), &mut |report| {
            watch.tell(tell, || write(&line(report)));
        });
        watch.result()?;
        let lines = found.lines.iter().map(line).collect();
        let recipe = engine.recipe().name;
        Ok(write(&Found { recipe, lines, nodes: found.nodes, complete: found.complete, full: found.full }))
    }
}

/// Searches a position of a game of the library.
#[pyfunction]
#[pyo3(signature = (game, position, question, tell=None))]
pub fn search_game(
    py: Python<'_>,
    game: &str,
    position: &str,
    question: &str,
    tell: Option<Py<PyAny>>,
) -> PyResult<String> {
    let asked: Asked = read(question)?;
    let game: Named = game.parse().map_err(|error: UnknownGame| wrong(error))?;
    let watch = asked.watch();
    py.detach(|| {
        let search = Search { asked: &asked, watch: &watch, tell: tell.as_ref() };
        game.visit(position, search).map_err(misread)?
    })
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
    let line = |report: &Report<Place>| Line::new(report, report.pv.iter().map(|place| place.0).collect());
    let found = engine.search(&asked.request(&position, &*watch), &mut |report| {
        watch.tell(tell.as_ref(), || write(&line(report)));
    });
    watch.result()?;
    let lines = found.lines.iter().map(line).collect();
    let recipe = engine.recipe().name;
    Ok(write(&Found { recipe, lines, nodes: found.nodes, complete: found.complete, full: found.full }))
}
