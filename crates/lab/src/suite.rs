//! Test suites: positions with a known answer. A suite measures how many of them an engine solves.
//!
//! A position is solved if the move chosen when the budget is spent is among the `bm` moves and not
//! among the `am` moves. With `dm` (or `bm #N`) alone, it is solved if the value is a mate in at most
//! that number of moves. *Nodes and time to solution* are those of the first moment from which the
//! answer stayed right to the end. If a right answer is lost and found again, the last time counts.

use crate::parallel;
use crate::{Budget, Clock, Player};
use cassius_chess::notation::{Epd, EpdLines};
use cassius_chess::{EngineError, Move};
use cassius_search::{Request, Score};
use serde::{Deserialize, Serialize};
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// A position to solve.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The file it was read from, for messages.
    pub source: String,
    /// The line in that file, from 1.
    pub line: usize,
    /// The position and the expected answer.
    pub epd: Epd,
}

impl Exercise {
    /// Returns the `id`, or the file name without its folder and the line number.
    pub fn name(&self) -> String {
        let file = self.source.rsplit(['/', '\\']).next().unwrap_or_default();
        self.epd.id().map_or_else(|| format!("{file}:{}", self.line), str::to_string)
    }

    /// Whether a move and its value solve the exercise.
    pub fn is_solved_by(&self, mv: Move, score: Score) -> bool {
        let Epd { best, avoid, mate, .. } = &self.epd;
        if !best.is_empty() || !avoid.is_empty() {
            return (best.is_empty() || best.contains(&mv)) && !avoid.contains(&mv);
        }
        match (*mate, score.plies_to_end()) {
            (Some(moves), Some(plies)) if moves > 0 => score.is_win() && plies < 2 * moves as usize,
            (Some(moves), Some(plies)) => score.is_loss() && plies <= 2 * moves.unsigned_abs() as usize,
            _ => false,
        }
    }

    /// Returns what is asked for: `bm Qg6`, `am Rxb2`, `mate in 3`.
    pub fn task(&self) -> String {
        let Epd { best, avoid, mate, position, .. } = &self.epd;
        let list = |moves: &[Move]| moves.iter().map(|mv| position.san(*mv)).collect::<Vec<_>>().join(" ");
        let parts = [
            (!best.is_empty()).then(|| format!("bm {}", list(best))),
            (!avoid.is_empty()).then(|| format!("am {}", list(avoid))),
            (best.is_empty() && avoid.is_empty()).then(|| match mate {
                Some(moves) if *moves < 0 => format!("mated in {}", -moves),
                moves => format!("mate in {}", moves.unwrap_or_default()),
            }),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// Reads a suite: its exercises, and one message for every line of the file that is not an exercise.
///
/// ```
/// let file = "8/8/8/8/8/4k3/8/4K2R w - - bm Rh3+; id \"a\";\n8/8/8/8/8/4k3/8/4K2R w - - bm Rh9;\n";
/// let (exercises, broken) = cassius_lab::suite::read("x.epd", file.as_bytes());
/// assert_eq!(exercises[0].name(), "a");
/// assert_eq!(broken, ["x.epd: line 2: bm: 'Rh9' is not a move"]);
/// ```
pub fn read(source: &str, reader: impl BufRead) -> (Vec<Exercise>, Vec<String>) {
    let (mut exercises, mut broken) = (Vec::new(), Vec::new());
    for line in EpdLines::new(reader) {
        match line {
            Ok((line, epd)) if epd.best.is_empty() && epd.avoid.is_empty() && epd.mate.is_none() => {
                broken.push(format!("{source}: line {line}: nothing to solve: no bm, am or dm"));
            }
            Ok((line, epd)) => exercises.push(Exercise { source: source.into(), line, epd }),
            Err(error) => broken.push(format!("{source}: {error}")),
        }
    }
    (exercises, broken)
}

/// The player that solves exercises, and its resources.
pub struct Setup<'a> {
    /// The recipe and its parameters.
    pub player: &'a Player,
    /// The size of the table of each job, in MiB.
    pub hash: usize,
    /// The number of threads of each search.
    pub threads: usize,
    /// The number of positions solved at the same time.
    pub jobs: usize,
    /// The budget of each position.
    pub budget: Budget,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Ends everything early when set.
    pub stop: &'a AtomicBool,
}

/// A moment of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The nodes searched until then.
    pub nodes: u64,
    /// The time used until then.
    pub time: Duration,
    /// The current iteration.
    pub iteration: usize,
}

/// The result of an exercise.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The chosen move; `None` if the game is over.
    pub answer: Option<Move>,
    /// The value of the move for the side to move.
    pub score: Option<Score>,
    /// The moment from which the answer was right to the end; `None` if the exercise is not solved.
    pub solved: Option<Moment>,
    /// The end of the search.
    pub end: Moment,
}

/// Solves exercises. Every position begins with an empty table and nothing learned. With one thread and
/// without a time limit, each outcome is therefore the same for every number of `jobs`.
///
/// `each` is called with the number of each exercise and its outcome, in the order in which they finish.
/// If the search is stopped, the running and the remaining exercises have no outcome.
///
/// # Errors
/// If the engine cannot be set up.
pub fn solve(
    exercises: &[Exercise],
    setup: &Setup<'_>,
    each: &mut dyn FnMut(usize, &Outcome),
) -> Result<Vec<Option<Outcome>>, EngineError> {
    let mut outcomes: Vec<Option<Outcome>> = vec![None; exercises.len()];
    let numbers: Vec<usize> = (0..exercises.len()).collect();
    let work = || -> Result<_, EngineError> {
        let mut engine = setup.player.engine(setup.hash, setup.threads)?;
        Ok(move |number: &usize| Some((*number, attempt(&exercises[*number], &mut engine, setup)?)))
    };
    parallel::run(&numbers, setup.jobs, work, setup.stop, &mut |(number, outcome)| {
        each(number, &outcome);
        outcomes[number] = Some(outcome);
        true
    })?;
    Ok(outcomes)
}

/// Lets an engine that forgets everything before solve one exercise. Returns `None` if it is stopped.
pub fn attempt(
    exercise: &Exercise,
    engine: &mut cassius_chess::Engine,
    setup: &Setup<'_>,
) -> Option<Outcome> {
    engine.forget();
    let position = &exercise.epd.position;
    let begin = setup.clock.now();
    let limits = setup.budget.limits(setup.clock, setup.stop);
    let request = Request::new(position, &limits).to_iteration(setup.budget.iterations());
    let mut solved = None;
    let mut iteration = 0;
    let answer = engine.search(&request, &mut |report| {
        iteration = report.iteration;
        let right = report.pv.first().is_some_and(|mv| exercise.is_solved_by(*mv, report.score));
        let now = Moment { nodes: report.nodes, time: setup.clock.now() - begin, iteration };
        solved = if right { solved.or(Some(now)) } else { None };
    });
    let end = Moment { nodes: answer.nodes, time: setup.clock.now() - begin, iteration };
    let right = answer.best().zip(answer.score()).is_some_and(|(mv, score)| exercise.is_solved_by(mv, score));
    let solved = if right { solved.or(Some(end)) } else { None };
    let outcome = Outcome { answer: answer.best(), score: answer.score(), solved, end };
    (!setup.stop.load(Relaxed)).then_some(outcome)
}

/// The summary of a suite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The number of solved exercises.
    pub solved: usize,
    /// The number of exercises with an outcome.
    pub done: usize,
    /// The nodes of all searches.
    pub nodes: u64,
    /// The time of all searches. With several jobs, it exceeds the elapsed time.
    pub time: Duration,
    /// The median nodes to solution of the solved exercises.
    pub median_nodes: Option<u64>,
    /// The median time to solution of the solved exercises.
    pub median_time: Option<Duration>,
}

impl Summary {
    /// Summarises outcomes.
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Summary {
        let mut summary = Summary::default();
        let (mut nodes, mut times) = (Vec::new(), Vec::new());
        for outcome in outcomes {
            summary.done += 1;
            summary.nodes += outcome.end.nodes;
            summary.time += outcome.end.time;
            if let Some(moment) = outcome.solved {
                summary.solved += 1;
                nodes.push(moment.nodes);
                times.push(moment.time);
            }
        }
        nodes.sort_unstable();
        times.sort_unstable();
        summary.median_nodes = nodes.get(nodes.len() / 2).copied();
        summary.median_time = times.get(times.len() / 2).copied();
        summary
    }
}
