//! Who answers the questions about a position: Cassius' own search, or another engine.
//!
//! [`Analyst`](crate::Analyst) asks two questions. How good is the best of these moves? Is each of these
//! moves worth at least this much? A [`Judge`] answers them. [`Own`] is the search of the recipe `plies`.

use crate::chance;
use crate::human::LOOKS;
use cassius_chess::evaluation::Evaluation;
use cassius_chess::recipes::Full;
use cassius_chess::tablebase::Endgames;
use cassius_chess::{Evaluator, Move, Position};
use cassius_search::alpha_beta::aspiration::{Aspiration, Question};
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::memory::TableError;
use cassius_search::{
    Answer, Bound, Evaluate, Game as _, Limits, Nodes, Off, Request, Score, Slots, Table, Unlimited, search,
};
use std::sync::Arc;

/// A position and the positions that led to it, first to last.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The position.
    pub position: &'a Position,
    /// The positions before it.
    pub before: &'a [Position],
}

/// How good a position is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The value for the side to move.
    pub score: Score,
    /// Whether `score` is the value, or a bound because the search was cut short.
    pub bound: Bound,
    /// The best line, with at least one move.
    pub line: Vec<Move>,
    /// The number of wins, draws and losses in 1,000 games that the engine expects, for the side to move, if
    /// it tells them.
    pub wdl: Option<[u32; 3]>,
    /// The last completed iteration; 0 if none was completed.
    pub iteration: usize,
    /// Nodes searched.
    pub nodes: u64,
}

/// Whether a move is worth a given score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Whether it is.
    pub holds: bool,
    /// The iteration that established it; 0 if none did, and then `holds` means nothing.
    pub iteration: usize,
}

/// Why a judge has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JudgeError(pub String);

impl JudgeError {
    /// Returns the error of a question whose [limits](Judge::set_limits) are reached.
    pub(crate) fn stopped() -> JudgeError {
        JudgeError("the search was stopped".into())
    }
}

/// Answers the questions about a position.
///
/// ```
/// use cassius_chess::{Move, Position};
/// use cassius_insight::{Analyst, Asked, Effort, Found, Held, Judge, JudgeError, Own};
/// use cassius_search::Score;
///
/// /// A judge that counts how often it is asked.
/// struct Counting(Own, u64);
///
/// impl Judge for Counting {
///     fn name(&self) -> String {
///         "Cassius, counted".into()
///     }
///     fn value(
///         &mut self, asked: Asked<'_>, moves: &[Move], iterations: usize, nodes: u64,
///     ) -> Result<Option<Found>, JudgeError> {
///         self.1 += 1;
///         self.0.value(asked, moves, iterations, nodes)
///     }
///     fn hold(
///         &mut self, asked: Asked<'_>, moves: &[Move], least: Score, iterations: usize, nodes: u64,
///     ) -> Result<(Vec<Held>, u64), JudgeError> {
///         self.1 += 1;
///         self.0.hold(asked, moves, least, iterations, nodes)
///     }
///     fn forget(&mut self) {
///         self.0.forget();
///     }
/// }
///
/// let effort = Effort { nodes: 5_000, plan_nodes: 0, ..Effort::default() };
/// let mut analyst = Analyst::with_judge(effort, Box::new(Counting(Own::try_from(1)?, 0)))?;
/// let judged = analyst.judge(&Position::default(), &[], None)?.expect("moves");
/// assert_eq!((judged.room.legal, analyst.judge_name().as_str()), (20, "Cassius, counted"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Judge: Send {
    /// Returns the name under which the findings are published.
    fn name(&self) -> String;

    /// Returns the value of the best of `moves`, or of all legal moves if `moves` is empty. Returns `None` if
    /// there is no legal move.
    ///
    /// # Errors
    /// If the judge cannot answer.
    fn value(
        &mut self,
        asked: Asked<'_>,
        moves: &[Move],
        iterations: usize,
        nodes: u64,
    ) -> Result<Option<Found>, JudgeError>;

    /// Returns for each of `moves` whether it is worth at least `least`, and the number of nodes searched.
    /// No move is searched beyond `iterations`, the last iteration of the search for the value.
    ///
    /// # Errors
    /// If the judge cannot answer.
    fn hold(
        &mut self,
        asked: Asked<'_>,
        moves: &[Move],
        least: Score,
        iterations: usize,
        nodes: u64,
    ) -> Result<(Vec<Held>, u64), JudgeError>;

    /// Discards everything that earlier questions left behind.
    fn forget(&mut self);

    /// Sets the endgame tables of the search. An engine that has its own may ignore them.
    fn set_endgames(&mut self, _: &Endgames) {}

    /// Sets limits that hold beside the nodes of each question. A question during which they are reached has
    /// no answer. A judge that cannot be interrupted may ignore them.
    fn set_limits(&mut self, _: &Arc<dyn Limits + Send>) {}

    /// Whether the answers are those of [`Own`]. What was fitted to its values is not said of others.
    fn is_own(&self) -> bool {
        false
    }
}

/// The name of [`Own`].
pub(crate) const OWN_NAME: &str = concat!("Cassius ", env!("CARGO_PKG_VERSION"));

type Search = Slots<Position, Full<Plies, Off, Question<Aspiration>>>;

/// Cassius' own search: that of the recipe `plies`, on one thread.
pub struct Own {
    search: Search,
    table: Table,
    limits: Arc<dyn Limits + Send>,
}

impl Own {
    /// Creates a search with this table and the default evaluation.
    pub fn new(table: Table) -> Own {
        Own::with(table, &Evaluation::default())
    }

    /// Creates a search with this table and this evaluation.
    pub fn with(table: Table, evaluation: &Evaluation) -> Own {
        let evaluator = Evaluator::of(evaluation);
        let search = Search::new(evaluator, table.clone(), Endgames::default());
        Own { search, table, limits: Arc::new(Unlimited) }
    }

    /// Returns the win probability after a move at each look: without a reply, and after one iteration and
    /// more. Also returns the number of nodes searched.
    pub(crate) fn looks(&mut self, asked: Asked<'_>, mv: Move, nodes: u64) -> ([f64; LOOKS], u64) {
        let mut after = asked.position.clone();
        after.play(mv);
        let at_once = match after.is_over() {
            true => -after.outcome().score(0),
            false => -Evaluate::evaluate(&mut self.search.evaluate, &after),
        };
        let mut looks = [chance(at_once); LOOKS];
        self.search.aspiration.at_least = None;
        let (moves, limits) = ([mv], Nodes(nodes));
        let request = Request {
            before: asked.before,
            moves: &moves,
            iterations: LOOKS - 1,
            ..Request::new(asked.position, &limits)
        };
        let answer = search(&mut self.search, &request, &mut |report| {
            if report.bound == Some(Bound::Exact)
                && let Some(later) = looks.get_mut(report.iteration..)
            {
                later.fill(chance(report.score));
            }
        });
        (looks, answer.nodes)
    }

    /// Searches for a value, or for whether the value is at least a given score.
    fn ask(
        &mut self,
        asked: Asked<'_>,
        moves: &[Move],
        at_least: Option<Score>,
        iterations: usize,
        nodes: u64,
    ) -> Result<Answer<Move>, JudgeError> {
        self.search.aspiration.at_least = at_least;
        let limits = (Nodes(nodes), &*self.limits);
        let request =
            Request { before: asked.before, moves, iterations, ..Request::new(asked.position, &limits) };
        let answer = search(&mut self.search, &request, &mut |_| {});
        if self.limits.ends_now() { Err(JudgeError::stopped()) } else { Ok(answer) }
    }
}

/// Creates a search with a table of `mib` MiB.
impl TryFrom<usize> for Own {
    type Error = TableError;

    fn try_from(mib: usize) -> Result<Own, TableError> {
        Ok(Own::new(Table::new(mib)?))
    }
}

impl Judge for Own {
    fn name(&self) -> String {
        OWN_NAME.into()
    }

    fn value(
        &mut self,
        asked: Asked<'_>,
        moves: &[Move],
        iterations: usize,
        nodes: u64,
    ) -> Result<Option<Found>, JudgeError> {
        let answer = self.ask(asked, moves, None, iterations, nodes)?;
        Ok(answer.lines.into_iter().next().and_then(|line| {
            Some(Found {
                score: line.score,
                bound: line.bound?,
                line: line.pv,
                wdl: None,
                iteration: line.iteration,
                nodes: answer.nodes,
            })
        }))
    }

    fn hold(
        &mut self,
        asked: Asked<'_>,
        moves: &[Move],
        least: Score,
        iterations: usize,
        nodes: u64,
    ) -> Result<(Vec<Held>, u64), JudgeError> {
        let mut spent = 0;
        let mut verify = |(index, mv): (usize, &Move)| {
            let budget = nodes.saturating_sub(spent) / (moves.len() - index) as u64;
            let answer = self.ask(asked, &[*mv], Some(least), iterations, budget)?;
            spent += answer.nodes;
            let line = answer.lines.first();
            Ok(Held {
                // A static value, where even the first iteration was not finished, shows nothing.
                holds: line.is_some_and(|line| {
                    line.iteration > 0 && line.bound.is_some_and(|bound| bound != Bound::Upper)
                }),
                iteration: line.map_or(0, |line| line.iteration),
            })
        };
        let held = moves.iter().enumerate().map(&mut verify).collect::<Result<_, _>>()?;
        Ok((held, spent))
    }

    fn forget(&mut self) {
        self.table.clear();
        self.search.forget();
    }

    fn set_endgames(&mut self, endgames: &Endgames) {
        self.search.knowledge = endgames.clone();
    }

    fn set_limits(&mut self, limits: &Arc<dyn Limits + Send>) {
        self.limits = limits.clone();
    }

    fn is_own(&self) -> bool {
        true
    }
}
