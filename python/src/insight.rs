//! Explains positions and annotates games.

use crate::message::{Reached, read, write, wrong};
use crate::watch::Watch;
use cassius_chess::Move;
use cassius_chess::evaluation::Evaluation;
use cassius_chess::pgn::{Game, PgnError};
use cassius_chess::tablebase::{Endgames, Tablebases};
use cassius_insight::human::Player;
use cassius_insight::{
    Analyst, AnnotatedGame, Asked, Effort, Explanation, Found, Held, Judge, JudgeError, Judged, Own, erase,
    write_into,
};
use cassius_search::{Limits, Score, Table};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How much is looked at; the defaults of [`Effort`] where it is missing.
#[derive(Deserialize)]
struct Amount {
    nodes: Option<u64>,
    plan_nodes: Option<u64>,
    /// The size of the table in MiB.
    hash: usize,
    /// Folders with Syzygy endgame tables.
    syzygy: Option<String>,
}

impl Amount {
    /// Returns an analyst who stops when the watch says so, and tells the nodes of all answers so far.
    fn analyst(&self, otherwise: Effort, watch: &Arc<Watch>, tell: Option<Py<PyAny>>) -> PyResult<Analyst> {
        let effort = Effort {
            nodes: self.nodes.unwrap_or(otherwise.nodes),
            plan_nodes: self.plan_nodes.unwrap_or(otherwise.plan_nodes),
            ..otherwise
        };
        let own = Own::with(Table::new(self.hash).map_err(wrong)?, &Evaluation::default());
        let told = Told { own, watch: watch.clone(), nodes: 0, tell };
        let mut analyst = Analyst::new(effort, self.hash).map_err(wrong)?.judged_by(Box::new(told));
        analyst.set_limits(watch.clone());
        if let Some(path) = &self.syzygy {
            analyst.set_endgames(Endgames::new(Tablebases::open(path).map_err(wrong)?));
        }
        Ok(analyst)
    }
}

/// The library's own search, which tells how many nodes were searched.
struct Told {
    own: Own,
    watch: Arc<Watch>,
    /// The nodes of all answers.
    nodes: u64,
    tell: Option<Py<PyAny>>,
}

impl Told {
    /// Counts the nodes of an answer, and tells.
    fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.watch.tell(self.tell.as_ref(), || self.nodes.to_string());
    }
}

impl Judge for Told {
    fn name(&self) -> String {
        self.own.name()
    }

    fn value(
        &mut self,
        asked: Asked<'_>,
        moves: &[Move],
        iterations: usize,
        nodes: u64,
    ) -> Result<Option<Found>, JudgeError> {
        let found = self.own.value(asked, moves, iterations, nodes)?;
        self.count(found.as_ref().map_or(0, |found| found.nodes));
        Ok(found)
    }

    fn hold(
        &mut self,
        asked: Asked<'_>,
        moves: &[Move],
        least: Score,
        iterations: usize,
        nodes: u64,
    ) -> Result<(Vec<Held>, u64), JudgeError> {
        let (held, nodes) = self.own.hold(asked, moves, least, iterations, nodes)?;
        self.count(nodes);
        Ok((held, nodes))
    }

    fn forget(&mut self) {
        self.own.forget();
    }

    fn set_endgames(&mut self, endgames: &Endgames) {
        self.own.set_endgames(endgames);
    }

    fn set_limits(&mut self, limits: &Arc<dyn Limits + Send>) {
        self.own.set_limits(limits);
    }

    fn is_own(&self) -> bool {
        true
    }
}

#[derive(Deserialize)]
struct AskedToExplain {
    position: Reached,
    /// The Lichess rating for which the chances of an error are.
    elo: f64,
    #[serde(flatten)]
    amount: Amount,
}

/// An explanation, with what depends on the rating of the players.
#[derive(Serialize)]
struct Explained {
    headline: String,
    /// For the side to move, and for the other side.
    players: [Option<Errs>; 2],
    #[serde(flatten)]
    explained: Explanation,
}

/// What a player of the given rating would do.
#[derive(Serialize)]
struct Errs {
    error_chance: Option<f64>,
    expected_loss: f64,
    /// The chance of each move, in the order of the moves.
    shares: Vec<f64>,
}

impl Errs {
    fn of(judged: &Judged, player: &Player) -> Errs {
        Errs {
            error_chance: judged.error_chance(*player),
            expected_loss: judged.expected_loss(player),
            shares: judged.shares(player),
        }
    }
}

/// Explains a position, and tells how many nodes were searched so far. The answer is `null` if the game is
/// over there.
#[pyfunction]
#[pyo3(signature = (question, tell=None))]
pub fn explain(py: Python<'_>, question: &str, tell: Option<Py<PyAny>>) -> PyResult<String> {
    let asked: AskedToExplain = read(question)?;
    let (position, before) = asked.position.positions()?;
    let watch = Arc::new(Watch::new());
    let explained: PyResult<Option<Explanation>> = py.detach(|| {
        let mut analyst = asked.amount.analyst(Effort::default(), &watch, tell)?;
        cassius_insight::explain(&mut analyst, &position, &before).map_err(wrong)
    });
    watch.result()?;
    let player = Player::from(asked.elo);
    let told = explained?.map(|explained| Explained {
        headline: explained.headline(),
        players: [Some(&explained.own), explained.other.as_ref()]
            .map(|judged| judged.map(|judged| Errs::of(judged, &player))),
        explained,
    });
    Ok(write(&told))
}

#[derive(Deserialize)]
struct AskedToAnnotate {
    /// The game.
    pgn: String,
    #[serde(flatten)]
    amount: Amount,
}

#[derive(Serialize)]
struct Annotated {
    /// The annotated game.
    pgn: String,
    game: AnnotatedGame,
}

/// How far the annotation of a game is.
#[derive(Serialize)]
struct Step {
    left: usize,
    of: usize,
}

/// Annotates a game, and tells after each step how many are left.
#[pyfunction]
#[pyo3(signature = (question, tell=None))]
pub fn annotate(py: Python<'_>, question: &str, tell: Option<Py<PyAny>>) -> PyResult<String> {
    let asked: AskedToAnnotate = read(question)?;
    let mut game: Game = asked.pgn.parse().map_err(|error: PgnError| wrong(error))?;
    erase(&mut game);
    let watch = Arc::new(Watch::new());
    let found: PyResult<Option<AnnotatedGame>> = py.detach(|| {
        let mut analyst = asked.amount.analyst(Effort::of_a_game(), &watch, None)?;
        let mut of = 0;
        let mut progress = |_: &AnnotatedGame, left: usize| {
            of = of.max(left + 1);
            watch.tell(tell.as_ref(), || write(&Step { left, of }));
            !watch.ends_now()
        };
        cassius_insight::annotate(&mut analyst, &game, &mut progress).map_err(wrong)
    });
    watch.result()?;
    let found = found?.ok_or_else(|| wrong("the search was stopped"))?;
    write_into(&mut game, &found);
    Ok(write(&Annotated { pgn: game.to_string(), game: found }))
}
