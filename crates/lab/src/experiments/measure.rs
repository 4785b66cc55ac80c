//! Measurements of players that several experiments share: nodes to a depth, solved exercises, games.

use super::iterative_deepening::{ENDINGS, MIDDLEGAMES};
use crate::experiment::{Context, Unfinished};
use crate::matches::game::Rules;
use crate::matches::ledger::header;
use crate::matches::{self, Match, Pace, PairRecord, Tally, TimeManager, World};
use crate::parallel::run_in_order;
use crate::statistics::Pentanomial;
use crate::suite::{self, Setup, Summary};
use crate::{Budget, Clock, Player};
use cassius_chess::openings::{self, Opening};
use cassius_chess::{EngineError, Position};
use cassius_search::{Limits, Progress, Request, Unlimited, fnv};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::fmt;
use std::fmt::Write as _;
use std::hash::Hash;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Leaves out every item that is like an earlier one. `likeness` is what is compared.
pub(super) fn leave_out_repeats<T, K: Eq + Hash>(items: &mut Vec<T>, likeness: impl Fn(&T) -> K) {
    let mut known = HashSet::new();
    items.retain(|item| known.insert(likeness(item)));
}

/// The size of the tables in MiB.
pub(super) const MIB: usize = 16;

/// The positions that are measured and kept together by [`in_batches`].
const BATCH: usize = 50;

/// Where an experiment stands: so many of its steps are done.
pub(super) struct Done {
    pub steps: usize,
    pub of: usize,
}

/// Measures what is numbered from 0 to `count`, one a step, in batches that are kept: `work` creates what
/// measures on one thread, or returns `None` once there is no more to measure. `key` names what is measured;
/// it is told how many are in the batch and where it begins.
pub(super) fn in_batches<T, F>(
    context: &Context<'_>,
    count: usize,
    done: Done,
    key: impl Fn(usize, usize) -> String,
    work: impl Fn() -> Result<F, Unfinished> + Sync,
) -> Result<Vec<T>, Unfinished>
where
    T: Serialize + DeserializeOwned + Send,
    F: FnMut(&usize) -> Option<Option<T>>,
{
    let mut all = Vec::new();
    for begin in (0..count).step_by(BATCH) {
        context.step(done.steps + begin, done.of)?;
        let numbers: Vec<usize> = (begin..count.min(begin + BATCH)).collect();
        let of_batch = context.once(&key(numbers.len(), begin), || {
            let mut of_batch = Vec::new();
            run_in_order(&numbers, context.jobs, &work, context.stop, &mut |of: Option<T>| {
                of_batch.extend(of);
                true
            })?;
            Ok::<Vec<T>, Unfinished>(context.go_on().map(|()| of_batch)?)
        })?;
        all.extend(of_batch.into_iter().flatten());
    }
    Ok(all)
}

/// A player whose measurements are kept, with a hash of its trees. The hash prevents a measurement of a
/// different search from being taken for one of this player.
#[derive(Clone)]
pub(super) struct Subject {
    pub player: Player,
    /// The hash of the player's reports on a few positions, iteration by iteration.
    trees: u64,
}

/// The longest text of a player that is part of a key as it is; of a longer one, it is the hash.
const LONG: usize = 200;

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.player.to_string();
        if text.len() <= LONG {
            write!(f, "{text} ({:016x})", self.trees)
        } else {
            write!(f, "{} with {:016x} ({:016x})", self.player.recipe, fnv(text.bytes()), self.trees)
        }
    }
}

/// Returns positions that are not exercises.
pub(super) fn positions() -> impl Iterator<Item = Position> {
    MIDDLEGAMES.iter().chain(&ENDINGS).map(|fen| fen.parse().expect("a position of this folder's own"))
}

/// Returns the hash of a player's reports on a few positions, searched with so many nodes each.
pub(crate) fn trees(player: &Player, nodes: u64, stop: &AtomicBool) -> Result<u64, EngineError> {
    let mut engine = player.engine(MIB, 1)?;
    let mut said = String::new();
    let few = Budget { nodes: Some(nodes), ..Budget::default() };
    for position in positions() {
        engine.forget();
        let limits = few.limits(&Still, stop);
        engine.search(&Request::new(&position, &limits), &mut |report| {
            let _ = writeln!(said, "{} {} {}", report.iteration, report.nodes, report.score.0);
        });
    }
    Ok(fnv(said.bytes()))
}

impl Subject {
    /// Creates the subject of a player, with the hash of its trees, of smaller ones for a first look.
    pub(super) fn new(context: &Context<'_>, player: Player) -> Result<Subject, EngineError> {
        let trees = trees(&player, if context.quick { 500 } else { 10_000 }, context.stop)?;
        Ok(Subject { player, trees })
    }

    /// Returns the nodes to a fixed depth, for each position.
    pub(super) fn nodes_to(
        &self,
        context: &Context<'_>,
        depth: usize,
    ) -> Result<Option<Vec<u64>>, Unfinished> {
        context.once(&format!("{self}: nodes to {depth} plies, {MIB} MiB"), || {
            let mut engine = self.player.engine(MIB, 1)?;
            let mut nodes = Vec::new();
            for position in positions() {
                engine.forget();
                let limits = Budget::default().limits(&Still, context.stop);
                let request = Request::new(&position, &limits).to_iteration(depth);
                nodes.push(engine.search(&request, &mut |_| {}).nodes);
            }
            Ok(context.go_on().map(|()| nodes)?)
        })
    }

    /// Solves the exercises, if there are any, within a node limit for each.
    pub(super) fn solves(&self, context: &Context<'_>, nodes: u64) -> Result<Option<Summary>, Unfinished> {
        if context.exercises.is_empty() {
            return Ok(None);
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
        context.once(&format!("{self}: {}, {nodes} nodes, {MIB} MiB", exercises(context)), || {
            let outcomes = suite::solve(context.exercises, &setup, &mut |_, _| {})?;
            Ok(context.go_on().map(|()| Summary::of(outcomes.iter().flatten()))?)
        })
    }
}

/// Returns a part of a key that identifies the exercises of an experiment: their number, and a hash of
/// their tasks.
pub(super) fn exercises(context: &Context<'_>) -> String {
    let asked =
        context.exercises.iter().map(|exercise| format!("{} {}\n", exercise.epd.position, exercise.task()));
    let asked: String = asked.collect();
    format!("{} exercises ({:016x})", context.exercises.len(), fnv(asked.bytes()))
}

/// Plays games between two players and counts them for the first. The pairs start from the built-in
/// openings, and both players have the same budget for each move. Returns `None` if time is limited and
/// there is no clock.
pub(super) fn games(
    context: &Context<'_>,
    subjects: [&Subject; 2],
    budget: Budget,
    pairs: u64,
) -> Result<Option<Pentanomial>, Unfinished> {
    let Some(clock) = clock(context, budget) else { return Ok(None) };
    let openings = openings::builtin();
    let game = Series { subjects, pace: Pace::PerMove(budget), most: pairs, seed: 1 }.pairing(&openings);
    let [first, second] = subjects;
    let rest = fnv(header(&game).to_string().bytes());
    context.once(&format!("{first} against {second}: {pairs} pairs, {budget} a move ({rest:016x})"), || {
        let world = World { clock, manager: &NoClocks, stop: context.stop, jobs: context.jobs };
        let tally = matches::play(&game, &[], &world, &mut |_| true)?;
        Ok(context.go_on().map(|()| tally.pairs)?)
    })
}

/// Returns the clock of games with this budget. Without a clock there are none with a time limit.
fn clock<'a>(context: &Context<'a>, budget: Budget) -> Option<&'a dyn Clock> {
    context.clock.or_else(|| budget.is_deterministic().then_some(&Still as _))
}

/// Plays games at a fixed number of nodes in batches, until it is clear which player is better or `most`
/// pairs are played, and counts them for the first.
pub(super) fn games_until_clear(
    context: &Context<'_>,
    subjects: [&Subject; 2],
    nodes: u64,
    batch: u64,
    most: u64,
) -> Result<Pentanomial, Unfinished> {
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let mut sum = Pentanomial::default();
    batches_of_games(context, subjects, budget, batch, most, &mut |of_batch| {
        sum.add_all(of_batch);
        match is_clear(&sum) {
            false => Next::Play,
            // Versions that took this for unclear have played on: no game that is kept is left out.
            true if sum.variance() == 0.0 => Next::UseKept,
            true => Next::End,
        }
    })?;
    Ok(sum)
}

/// Whether it is clear which player is better.
fn is_clear(sum: &Pentanomial) -> bool {
    // Where all pairs have the same outcome, there is no deviation to measure by.
    if sum.variance() == 0.0 {
        return sum.los().max(1.0 - sum.los()) > CLEAR_LOS;
    }
    let elo = sum.normalized_elo();
    elo.value.abs() * DEVIATIONS_OF_ERROR > CLEAR * elo.error()
}

/// Plays games in batches, each of which is kept, until `ends` says so or `most` pairs are played, and counts
/// them for the first player. If time is limited and there is no clock, no game is played.
pub(super) fn games_until(
    context: &Context<'_>,
    subjects: [&Subject; 2],
    budget: Budget,
    batch: u64,
    most: u64,
    ends: impl Fn(&Pentanomial) -> bool,
) -> Result<Pentanomial, Unfinished> {
    let mut sum = Pentanomial::default();
    batches_of_games(context, subjects, budget, batch, most, &mut |of_batch| {
        sum.add_all(of_batch);
        if ends(&sum) { Next::End } else { Next::Play }
    })?;
    Ok(sum)
}

/// How to go on after a batch of games.
pub(super) enum Next {
    /// With the next batch.
    Play,
    /// With the next batch if it is kept. None is played.
    UseKept,
    /// Not at all.
    End,
}

/// The same, batch by batch; `each` returns how to go on.
pub(super) fn batches_of_games(
    context: &Context<'_>,
    subjects: [&Subject; 2],
    budget: Budget,
    batch: u64,
    most: u64,
    each: &mut dyn FnMut(Pentanomial) -> Next,
) -> Result<(), Unfinished> {
    let pace = Pace::PerMove(budget);
    let series = Series { subjects, pace, most, seed: 1 };
    let mut next = Next::Play;
    for begin in (0..most).step_by(batch.max(1) as usize) {
        let pairs = begin..(begin + batch.max(1)).min(most);
        let Some(world) = world(context, pace) else { break };
        let key = series.key(&pairs);
        let of_batch = match next {
            Next::Play => context.once(&key, || {
                let records = series.play(context, &world, pairs)?;
                Ok::<Pentanomial, Unfinished>(Tally::of(&records).pairs)
            })?,
            Next::UseKept => context.kept.and_then(|kept| kept.known(&key, context.kept_only)),
            Next::End => break,
        };
        let Some(of_batch) = of_batch else { break };
        next = each(of_batch);
    }
    Ok(())
}

/// Returns the clock and the time manager for games at this pace, or `None` if there is none.
pub(super) fn world<'a>(context: &Context<'a>, pace: Pace) -> Option<World<'a>> {
    let (clock, manager): (&dyn Clock, &dyn TimeManager) = match pace {
        Pace::PerMove(budget) => (clock(context, budget)?, &NoClocks),
        Pace::Clock { .. } => context.clocks.map(|clocks| (clocks.clock, clocks.manager))?,
    };
    Some(World { clock, manager, stop: context.stop, jobs: context.jobs })
}

/// A match over the built-in openings, whose pairs are played and kept in batches.
pub(super) struct Series<'a> {
    pub subjects: [&'a Subject; 2],
    pub pace: Pace,
    /// The number of its pairs.
    pub most: u64,
    /// The seed of the order of its openings.
    pub seed: u64,
}

impl Series<'_> {
    fn pairing<'a>(&self, openings: &'a [Opening]) -> Match<'a> {
        Match {
            players: self.subjects.map(|subject| subject.player.clone().into()),
            pace: self.pace,
            openings,
            seed: self.seed,
            pairs: self.most,
            rules: Rules::default(),
            hash: MIB,
            threads: 1,
            sprt: None,
        }
    }

    /// Returns the key under which the results of some pairs are kept.
    pub fn key(&self, pairs: &Range<u64>) -> String {
        let openings = openings::builtin();
        let rest = fnv(header(&self.pairing(&openings)).to_string().bytes());
        let [first, second] = self.subjects;
        // A clock runs by processor time.
        let time = if matches!(self.pace, Pace::Clock { .. }) { " of thread time" } else { "" };
        format!("{first} against {second}: pairs {pairs:?}, {}{time} ({rest:016x})", self.pace)
    }

    /// Plays some of its pairs.
    pub fn play(
        &self,
        context: &Context<'_>,
        world: &World<'_>,
        pairs: Range<u64>,
    ) -> Result<Vec<PairRecord>, Unfinished> {
        let openings = openings::builtin();
        let games: Vec<_> = pairs.map(|pair| (pair, self.pairing(&openings))).collect();
        let records = matches::play_pairs(&games, world)?;
        Ok(context.go_on().map(|()| records.unwrap_or_default())?)
    }
}

/// How many standard deviations from zero are clear. With eight looks at the games, players of one strength
/// are taken for different ones in five of a hundred cases (Pocock 1977, "Group sequential methods in the
/// design and analysis of clinical trials").
const CLEAR: f64 = 2.512;
/// The chance that a normal deviate is below that. It is the likelihood of superiority that is clear where
/// all pairs have the same outcome.
const CLEAR_LOS: f64 = 0.994;
/// The standard deviations of half a 95 % interval.
const DEVIATIONS_OF_ERROR: f64 = 1.96;

/// A clock that stands still, for use without a time limit.
pub(super) struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// Limits that record what is known after every finished iteration.
pub(super) struct Noting<L> {
    limits: L,
    seen: Mutex<Vec<Progress>>,
}

impl<L> Noting<L> {
    pub(super) fn of(limits: L) -> Noting<L> {
        Noting { limits, seen: Mutex::default() }
    }

    /// Returns what is known, iteration by iteration.
    pub(super) fn seen(self) -> Vec<Progress> {
        self.seen.into_inner().unwrap_or_default()
    }
}

impl<L: Limits> Limits for Noting<L> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        self.limits.poll(nodes)
    }

    fn ends_now(&self) -> bool {
        self.limits.ends_now()
    }

    fn go_on(&self, progress: &Progress) -> bool {
        if let Ok(mut seen) = self.seen.lock() {
            seen.push(*progress);
        }
        self.limits.go_on(progress)
    }
}

/// The time manager of games with a budget for each move, which need none.
struct NoClocks;

impl TimeManager for NoClocks {
    fn limits<'a>(&'a self, _: Duration, _: Duration, _: usize) -> Box<dyn Limits + 'a> {
        Box::new(Unlimited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kept::Kept;

    #[test]
    fn games_that_all_end_alike_are_clear() {
        let clear = [[25, 0, 0, 0, 0], [0, 0, 0, 25, 0], [0, 0, 0, 1, 24], [5, 4, 12, 30, 31]];
        let unclear = [[0, 0, 25, 0, 0], [0, 0, 0, 0, 1], [0; 5], [8, 14, 12, 15, 10]];
        assert_eq!(clear.map(|pairs| is_clear(&Pentanomial(pairs))), [true; 4]);
        assert_eq!(unclear.map(|pairs| is_clear(&Pentanomial(pairs))), [false; 4]);
    }

    /// After games that all end alike no more are played, but those that were played before count.
    #[test]
    fn games_that_are_kept_count() {
        let path = std::env::temp_dir().join(format!("cassius-clear-{}.jsonl", std::process::id()));
        let (stop, kept) = (AtomicBool::new(false), Kept::open(&path).expect("a file"));
        let context = Context { kept: Some(&kept), ..Context::new(true, &|_, _| {}, &stop) };
        let subject =
            |player: &str| Subject::new(&context, player.parse().expect("a player")).expect("a player");
        let (one, other) = (subject("plies"), subject("lab"));
        let subjects = [&one, &other];
        let (nodes, batch, most) = (10, 8, 24);
        let pace = Pace::PerMove(Budget { nodes: Some(nodes), ..Budget::default() });
        let series = Series { subjects, pace, most, seed: 1 };
        let sum = || games_until_clear(&context, subjects, nodes, batch, most).expect("games");
        kept.put(&series.key(&(0..8)), &Pentanomial([0, 0, 0, 0, 8]));
        assert_eq!(sum(), Pentanomial([0, 0, 0, 0, 8]));
        kept.put(&series.key(&(8..16)), &Pentanomial([0, 0, 0, 0, 8]));
        assert_eq!(sum(), Pentanomial([0, 0, 0, 0, 16]));
        kept.put(&series.key(&(16..24)), &Pentanomial([0, 0, 0, 1, 7]));
        assert_eq!(sum(), Pentanomial([0, 0, 0, 1, 23]));
        assert_eq!(kept.keys().len(), 3);
        kept.close().expect("written");
        std::fs::remove_file(path).expect("a file");
    }
}
