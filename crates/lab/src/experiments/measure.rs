//! What several experiments measure of players: nodes to a depth, exercises solved, games.

use super::iterative_deepening::{ENDINGS, MIDDLEGAMES};
use crate::experiment::Context;
use crate::kept::fnv;
use crate::matches::game::Rules;
use crate::matches::{self, Match, Pace, TimeManager, World};
use crate::statistics::Pentanomial;
use crate::suite::{self, Setup, Summary};
use crate::{Budget, Clock, Player};
use cassius_chess::openings;
use cassius_chess::{EngineError, Position};
use cassius_search::{Limits, Request, Unlimited};
use std::fmt;
use std::fmt::Write as _;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Size of the tables in MiB.
pub(super) const MIB: usize = 16;

/// A player whose measurements are kept: with its trees, so that none of another search is taken for one of its own.
#[derive(Clone)]
pub(super) struct Subject {
    pub player: Player,
    /// A hash of what it says of a few positions, iteration by iteration.
    trees: u64,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:016x})", self.player, self.trees)
    }
}

/// Positions that are no exercises.
pub(super) fn positions() -> impl Iterator<Item = Position> {
    MIDDLEGAMES.iter().chain(&ENDINGS).map(|fen| fen.parse().expect("a position of this folder's own"))
}

impl Subject {
    /// A player, after a look at its trees.
    pub(super) fn new(context: &Context<'_>, player: Player) -> Result<Subject, EngineError> {
        let mut engine = player.engine(MIB, 1)?;
        let mut said = String::new();
        for position in positions() {
            engine.forget();
            let few = Budget { nodes: Some(10_000), ..Budget::default() };
            let limits = few.limits(&Still, context.stop);
            engine.search(&Request::new(&position, &limits), &mut |report| {
                let _ = writeln!(said, "{} {} {}", report.iteration, report.nodes, report.score.0);
            });
        }
        Ok(Subject { player, trees: fnv(said.as_bytes()) })
    }

    /// Nodes to a fixed depth, position by position; `None` if interrupted.
    pub(super) fn nodes_to(
        &self,
        context: &Context<'_>,
        depth: usize,
    ) -> Result<Option<Vec<u64>>, EngineError> {
        context.once(&format!("{self}: nodes to {depth} plies"), || {
            let mut engine = self.player.engine(MIB, 1)?;
            let mut nodes = Vec::new();
            for position in positions() {
                engine.forget();
                let limits = Budget::default().limits(&Still, context.stop);
                let request = Request::new(&position, &limits).to_iteration(depth);
                nodes.push(engine.search(&request, &mut |_| {}).nodes);
            }
            Ok((!context.stop.load(Relaxed)).then_some(nodes))
        })
    }

    /// The exercises within so many nodes each; `None` if interrupted.
    pub(super) fn solves(&self, context: &Context<'_>, nodes: u64) -> Result<Option<Summary>, EngineError> {
        if context.exercises.is_empty() {
            return Ok(Some(Summary::default()));
        }
        let setup = Setup {
            player: &self.player,
            hash: MIB,
            threads: 1,
            jobs: context.jobs,
            budget: Budget { nodes: Some(nodes), ..Budget::default() },
            clock: &Still,
            stop: context.stop,
        };
        let exercises: String =
            context.exercises.iter().map(|exercise| format!("{}\n", exercise.epd.position)).collect();
        let (count, hash) = (context.exercises.len(), fnv(exercises.as_bytes()));
        context.once(&format!("{self}: {count} exercises ({hash:016x}), {nodes} nodes"), || {
            let outcomes = suite::solve(context.exercises, &setup, &mut |_, _| {})?;
            Ok((!context.stop.load(Relaxed)).then(|| Summary::of(outcomes.iter().flatten())))
        })
    }
}

/// Games between two players, counted for the first: pairs from the built-in openings, everyone with this for a
/// move. `None` if interrupted, or if there is no clock where time is limited.
pub(super) fn games(
    context: &Context<'_>,
    subjects: [&Subject; 2],
    budget: Budget,
    pairs: u64,
) -> Result<Option<Pentanomial>, EngineError> {
    let clock: &dyn Clock = match context.clock {
        Some(clock) => clock,
        None if budget.is_deterministic() => &Still,
        None => return Ok(None),
    };
    let openings = openings::builtin();
    let game = Match {
        players: subjects.map(|subject| subject.player.clone()),
        pace: Pace::PerMove(budget),
        openings: &openings,
        seed: 1,
        pairs,
        rules: Rules::default(),
        hash: MIB,
        threads: 1,
        sprt: None,
    };
    let [first, second] = subjects;
    context.once(&format!("{first} against {second}: {pairs} pairs, {budget} a move"), || {
        let world = World { clock, manager: &NoClocks, stop: context.stop, jobs: context.jobs };
        let tally = matches::play(&game, &[], &world, &mut |_| true)?;
        Ok((!context.stop.load(Relaxed)).then_some(tally.pairs))
    })
}

/// A clock that stands still, where no time is limited.
pub(super) struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// Games at a fixed pace need none.
struct NoClocks;

impl TimeManager for NoClocks {
    fn limits<'a>(&'a self, _: Duration, _: Duration, _: usize) -> Box<dyn Limits + 'a> {
        Box::new(Unlimited)
    }
}
