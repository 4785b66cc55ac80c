//! Test suites: positions with a known answer, and how many of them an engine solves.
//!
//! A position is solved if the move chosen when the budget is spent is among the `bm` and not among the
//! `am`; with `dm` (or `bm #N`) alone, if the value is a mate in so many moves or fewer. *Nodes and time to
//! solution* are those of the first moment from which the answer stayed right to the end; a
//! right answer that was found, lost and found again counts from the last time.

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
    /// Where it was read, for messages.
    pub source: String,
    /// The line there, from 1.
    pub line: usize,
    /// The position and what is asked.
    pub epd: Epd,
}

impl Exercise {
    /// The `id`, or the file without its folder, and the line.
    pub fn name(&self) -> String {
        let file = self.source.rsplit(['/', '\\']).next().unwrap_or_default();
        self.epd.id().map_or_else(|| format!("{file}:{}", self.line), str::to_string)
    }

    /// Whether a move and its value are what is asked for.
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

    /// What is asked for: `bm Qg6`, `am Rxb2`, `mate in 3`.
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

/// Reads a suite: its exercises, and one line of text for every line of the file that is none.
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

/// Who solves, and with what.
pub struct Setup<'a> {
    /// Recipe and parameters.
    pub player: &'a Player,
    /// Size of the table of each job, in MiB.
    pub hash: usize,
    /// Threads of each search.
    pub threads: usize,
    /// Positions solved at the same time.
    pub jobs: usize,
    /// What each position may cost.
    pub budget: Budget,
    /// The time.
    pub clock: &'a dyn Clock,
    /// Ends everything early when set.
    pub stop: &'a AtomicBool,
}

/// A moment of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Nodes until then.
    pub nodes: u64,
    /// Time until then.
    pub time: Duration,
    /// The iteration under way.
    pub iteration: usize,
}

/// What came of an exercise.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The move chosen; none if the game is over.
    pub answer: Option<Move>,
    /// Its value for the side to move.
    pub score: Option<Score>,
    /// From when on the answer was right to the end; `None` if it is not solved.
    pub solved: Option<Moment>,
    /// The end of the search.
    pub end: Moment,
}

/// Solves exercises; every position begins with an empty table and nothing learned, so that with one thread
/// and without a time limit each outcome is the same whatever `jobs` is.
///
/// `each` is told of every outcome, with the number of its exercise, in the order in which they end. If the search
/// is stopped, the exercises under way and those to come have no outcome.
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
        Ok(move |number: &usize| {
            engine.forget();
            let outcome = attempt(&exercises[*number], &mut engine, setup);
            (!setup.stop.load(Relaxed)).then_some((*number, outcome))
        })
    };
    parallel::run(&numbers, setup.jobs, work, setup.stop, &mut |(number, outcome)| {
        each(number, &outcome);
        outcomes[number] = Some(outcome);
        true
    })?;
    Ok(outcomes)
}

fn attempt(exercise: &Exercise, engine: &mut cassius_chess::Engine, setup: &Setup<'_>) -> Outcome {
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
    Outcome { answer: answer.best(), score: answer.score(), solved, end }
}

/// What a whole suite comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Exercises solved.
    pub solved: usize,
    /// Exercises with an outcome.
    pub done: usize,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches; with several jobs more than has passed.
    pub time: Duration,
    /// Median nodes to solution of those solved.
    pub median_nodes: Option<u64>,
    /// Median time to solution of those solved.
    pub median_time: Option<Duration>,
}

impl Summary {
    /// Sums up.
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
