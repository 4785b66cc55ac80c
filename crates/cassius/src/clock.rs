//! Time management. This is the only place where the clock ends a search.
//!
//! A [`Clock`] implements the [`Limits`] of one search. It has two time limits. At the *hard* limit the
//! search is stopped wherever it is. The *soft* limit is checked after every iteration. What the
//! iteration showed lengthens or shortens it: a best move that stays the same and takes most of the
//! nodes needs less time, a falling value needs more. The clock is read every `POLL` nodes, and wherever
//! the search asks whether to end now.

use cassius_search::{Limits, Progress};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// Nodes between two readings of the clock.
const POLL: u64 = 256;

/// Nodes that every search may use, even if it is stopped before it begins. They take less than a
/// millisecond and suffice for a legal move that is better than none.
const LEAST: u64 = 512;

/// A search with less time than this uses one thread. Waking other threads and waiting for them would
/// take too long.
const BRIEF: Duration = Duration::from_millis(50);

/// How late the searches of a session ended when the clock stopped them. The next search reserves the
/// same time on its clock, because a busy machine does not wake threads in time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lateness(Duration);

impl Lateness {
    /// Records a search that was to end after `hard` and ended after `spent`. Each new record reduces
    /// the earlier lateness by a quarter.
    pub fn note(&mut self, hard: Duration, spent: Duration) {
        self.0 = spent.saturating_sub(hard).max(self.0.mul_f64(0.75));
    }
}

/// How much a search may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// The node limit, for all threads together.
    pub nodes: Option<u64>,
    /// Ends the search once a mate in this number of moves is found.
    pub mate: Option<u32>,
    /// Ends the search once deeper iterations have confirmed a mate of any length, for either side.
    pub settled: bool,
    /// The time limit.
    pub time: Time,
}

impl Allowance {
    /// Returns an allowance of three quarters of the nodes and of the time, for a proof. The rest is left
    /// for the search that finds a move. With the clock of a game, the time is the time that a move is
    /// expected to take.
    pub fn for_proof(&self) -> Allowance {
        let share = |time: Duration| Time::Exact(time.mul_f64(0.75));
        let time = match self.time {
            Time::Unlimited => Time::Unlimited,
            Time::Exact(time) => share(time),
            Time::Game { .. } => self.time.plan().soft.map_or(Time::Unlimited, share),
        };
        Allowance { nodes: self.nodes.map(|nodes| nodes - nodes / 4), mate: None, settled: false, time }
    }
}

/// A time limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Time {
    /// No limit.
    #[default]
    Unlimited,
    /// This much time for the move.
    Exact(Duration),
    /// A share of the time that is left for the game.
    Game {
        /// The time on the clock.
        remaining: Duration,
        /// The time added after each move.
        increment: Duration,
        /// The number of moves to the next time control, if there is one.
        moves: Option<u32>,
        /// The time lost between this program and the program that keeps the clock.
        overhead: Duration,
    },
}

/// The soft and the hard limit of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl Time {
    /// Returns the soft and the hard limit of the move.
    ///
    /// *Why these numbers:* a game between programs lasts some 60 moves a side, but the later moves are
    /// easier. With a 24th of the remaining time for each move, half of it is spent in 16 moves. No move
    /// may take more than two fifths of the remaining time, so that lost milliseconds never add up to a
    /// lost game.
    fn plan(self) -> Plan {
        match self {
            Time::Unlimited => Plan { soft: None, hard: None },
            Time::Exact(time) => Plan { soft: None, hard: Some(time) },
            Time::Game { remaining, increment, moves, overhead } => {
                // The increment is added after the move, so only `rest` can be spent on it.
                let rest = remaining.saturating_sub(overhead).max(Duration::from_millis(1)).as_secs_f64();
                let (share, most) = match moves {
                    Some(moves) => {
                        let moves = f64::from(moves.clamp(1, 40));
                        (1.0 / (moves + 0.5).min(30.0), if moves <= 1.0 { 0.9 } else { 0.5 })
                    }
                    None => (1.0 / 24.0, 0.4),
                };
                let increment = increment.saturating_sub(overhead / 2).as_secs_f64();
                let hard = (rest * share * 5.0 + increment).min(rest * most);
                let soft = (rest * share + 0.75 * increment).min(hard);
                Plan { soft: Some(Duration::from_secs_f64(soft)), hard: Some(Duration::from_secs_f64(hard)) }
            }
        }
    }
}

/// Returns the processor time of the calling thread. It does not run while the thread waits for a processor.
/// Where threads have no processor clock, it is the time on the wall.
pub fn thread_time() -> Duration {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let now = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
    }
    #[cfg(not(unix))]
    {
        static BEGIN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        BEGIN.elapsed()
    }
}

/// When a search began.
#[derive(Debug)]
enum Start {
    /// On the wall.
    Wall(Instant),
    /// By [`thread_time`] of this thread.
    Thread(Duration, ThreadId),
}

impl Start {
    fn elapsed(&self) -> Duration {
        match self {
            Start::Wall(start) => start.elapsed(),
            Start::Thread(start, thread) => {
                debug_assert_eq!(*thread, thread::current().id(), "another thread has another clock");
                thread_time().saturating_sub(*start)
            }
        }
    }
}

/// The handle to a running search: stops it, or tells it that the pondered move was played.
#[derive(Debug)]
pub struct Control {
    start: Start,
    stop: AtomicBool,
    /// Nanoseconds after `start` at which the engine's own clock began to run; `PONDERING` before.
    running: AtomicU64,
    /// The search has reached its soft limit while pondering. It would have ended on its own clock.
    enough: AtomicBool,
}

const PONDERING: u64 = u64::MAX;

impl Control {
    /// Creates the control of a search that was requested at `start`. `pondering` says whether it begins
    /// on the opponent's time.
    pub fn new(start: Instant, pondering: bool) -> Arc<Control> {
        Control::of(Start::Wall(start), pondering)
    }

    /// Creates the control of a search on this thread alone, whose time is [`thread_time`].
    pub(crate) fn of_thread() -> Arc<Control> {
        Control::of(Start::Thread(thread_time(), thread::current().id()), false)
    }

    fn of(start: Start, pondering: bool) -> Arc<Control> {
        let running = AtomicU64::new(if pondering { PONDERING } else { 0 });
        Arc::new(Control { start, stop: AtomicBool::new(false), running, enough: AtomicBool::new(false) })
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether the search was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Records that the opponent played the expected move: the engine's own clock runs from now on.
    pub fn ponderhit(&self) {
        let now = u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(PONDERING - 1);
        let _ = self.running.compare_exchange(PONDERING, now, Relaxed, Relaxed);
    }

    /// Returns the time since the search was requested.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns the time spent on the engine's own clock; `None` while pondering.
    pub fn spent(&self) -> Option<Duration> {
        match self.running.load(Relaxed) {
            PONDERING => None,
            since => Some(self.start.elapsed().saturating_sub(Duration::from_nanos(since))),
        }
    }
}

/// The limits of one search.
#[derive(Debug)]
pub struct Clock {
    control: Arc<Control>,
    nodes: u64,
    mate: Option<u32>,
    settled: bool,
    plan: Plan,
    /// There is only one legal move, so the search does not spend the engine's own time.
    forced: bool,
    /// Half of the time is kept for the work after the search.
    keeps_half: AtomicBool,
}

impl Clock {
    /// Creates the limits of a search. `choices` is the number of moves to choose from.
    pub fn new(allowance: &Allowance, choices: usize, control: Arc<Control>) -> Clock {
        Clock {
            control,
            nodes: allowance.nodes.unwrap_or(u64::MAX),
            mate: allowance.mate,
            settled: allowance.settled,
            plan: allowance.time.plan(),
            forced: choices == 1,
            keeps_half: AtomicBool::new(false),
        }
    }

    /// Creates limits of nodes, time and a flag that another thread may set.
    pub fn start(allowance: &Allowance) -> Clock {
        Clock::new(allowance, 2, Control::new(Instant::now(), false))
    }

    /// Keeps half of the time for the work after the search ([`Limits::wrap_up`]).
    #[must_use]
    pub fn keeping_half(self) -> Clock {
        Clock { keeps_half: AtomicBool::new(true), ..self }
    }

    /// Ends the search earlier by the lateness of previous searches, but keeps at least half of its
    /// time.
    #[must_use]
    pub fn allowing_for(mut self, late: Lateness) -> Clock {
        let earlier = |time: &mut Duration| *time = time.saturating_sub(late.0).max(*time / 2);
        self.plan.hard.iter_mut().for_each(earlier);
        self.plan.soft = self.plan.soft.min(self.plan.hard).or(self.plan.soft);
        self
    }

    /// Returns the hard limit, if the search has one.
    pub fn hard(&self) -> Option<Duration> {
        self.plan.hard
    }

    /// Whether the search is so short that one thread does better than several.
    pub fn is_brief(&self) -> bool {
        self.control.spent().is_some() && self.plan.hard.is_some_and(|hard| hard < BRIEF)
    }

    /// Returns the handle to the search.
    pub fn control(&self) -> &Arc<Control> {
        &self.control
    }
}

impl Limits for Clock {
    fn poll(&self, nodes: u64) -> Option<u64> {
        if nodes >= self.nodes {
            return None;
        }
        if nodes < LEAST {
            return Some(LEAST.min(self.nodes));
        }
        if self.ends_now() { None } else { Some((nodes + POLL).min(self.nodes)) }
    }

    fn ends_now(&self) -> bool {
        let is_over = |hard, spent| spent >= hard || self.control.enough.load(Relaxed);
        let out_of_time = |hard| self.control.spent().is_some_and(|spent| is_over(hard, spent));
        let share = |hard| if self.keeps_half.load(Relaxed) { hard / 2 } else { hard };
        self.control.is_stopped() || self.plan.hard.map(share).is_some_and(out_of_time)
    }

    fn wrap_up(&self) {
        self.keeps_half.store(false, Relaxed);
    }

    fn go_on(&self, progress: &Progress) -> bool {
        let win = progress.score.plies_to_end().filter(|_| progress.score.is_win());
        if let (Some(mate), Some(plies)) = (self.mate, win)
            && plies <= 2 * mate as usize
        {
            return false;
        }
        // A mate that deeper iterations have confirmed will not get shorter.
        let mate = progress.score.plies_to_end().is_some_and(|plies| progress.iteration > plies + 3);
        if self.settled && mate {
            return false;
        }
        let Some(soft) = self.plan.soft else { return true };
        let enough = self.forced || mate || self.control.elapsed() >= soft.mul_f64(stretch(progress));
        if enough && self.control.spent().is_none() {
            self.control.enough.store(true, Relaxed);
            return true;
        }
        !enough
    }
}

/// Returns the factor by which the soft limit of a position is stretched, judged by its last iteration.
///
/// *Why these numbers:* of the rules that were compared, with equal nodes on average, this one chose the
/// moves that cost least, in 1,305 positions from games (see the book, "Log of tests").
fn stretch(progress: &Progress) -> f64 {
    if progress.iteration < 4 {
        return 1.0;
    }
    let stability = 0.6 + 1.1 * 0.7_f64.powi(progress.stable.min(30) as i32);
    let effort = 1.5 - 0.8 * progress.effort.clamp(0.0, 1.0);
    let fall = 1.0 + f64::from(progress.fall.clamp(-10, 120)) / 80.0;
    (stability * effort * fall).clamp(0.2, 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_search::Score;
    use proptest::prelude::*;

    const MS: Duration = Duration::from_millis(1);

    fn progress(iteration: usize, score: Score) -> Progress {
        Progress { nodes: 10_000, iteration, score, stable: 3, fall: 0, effort: 0.6 }
    }

    proptest! {
        #[test]
        fn a_plan_never_spends_what_is_not_there(
            remaining in 0u64..10_000_000, increment in 0u64..100_000, moves in prop::option::of(0u32..200),
            overhead in 0u64..5000,
        ) {
            let times = [remaining, increment, overhead];
            let [remaining, increment, overhead] = times.map(Duration::from_millis);
            let plan = Time::Game { remaining, increment, moves, overhead }.plan();
            let (soft, hard) = (plan.soft.unwrap(), plan.hard.unwrap());
            prop_assert!(soft <= hard);
            prop_assert!(hard <= remaining.saturating_sub(overhead).max(MS));
        }
    }

    #[test]
    fn sudden_death_leaves_something_for_every_move() {
        let mut left = Duration::from_secs(1);
        for _ in 0..100 {
            let time =
                Time::Game { remaining: left, increment: Duration::ZERO, moves: None, overhead: 2 * MS };
            left = left.checked_sub(time.plan().soft.unwrap()).unwrap();
        }
        assert!(left > 2 * MS, "{left:?}");
    }

    #[test]
    fn a_node_limit_is_exact() {
        let clock = Clock::start(&Allowance { nodes: Some(3000), ..Allowance::default() });
        let mut nodes = 0;
        while let Some(next) = clock.poll(nodes) {
            assert!(next > nodes && next <= 3000);
            nodes = next;
        }
        assert_eq!(nodes, 3000);
    }

    #[test]
    fn pondering_ends_with_the_first_poll_after_the_hit_if_enough_was_thought() {
        let allowance = Allowance {
            time: Time::Game { remaining: 20 * MS, increment: Duration::ZERO, moves: None, overhead: MS },
            ..Allowance::default()
        };
        let control = Control::new(Instant::now(), true);
        let clock = Clock::new(&allowance, 20, control.clone());
        std::thread::sleep(30 * MS);
        assert!(clock.poll(10_000).is_some() && clock.go_on(&progress(9, Score(20))));
        control.ponderhit();
        assert!(clock.poll(10_000).is_none());
    }

    #[test]
    fn a_mate_is_enough_where_it_was_asked_for() {
        let clock = |allowance: &Allowance| Clock::start(allowance);
        let mate = Allowance { mate: Some(2), ..Allowance::default() };
        assert!(clock(&mate).go_on(&progress(6, Score::win_in(5))));
        assert!(!clock(&mate).go_on(&progress(6, Score::win_in(3))));
        assert!(clock(&mate).go_on(&progress(6, Score::loss_in(2))));
        let settled = Allowance { settled: true, ..Allowance::default() };
        assert!(!clock(&settled).go_on(&progress(9, Score::loss_in(4))));
        assert!(clock(&Allowance::default()).go_on(&progress(9, Score::win_in(1))));
    }

    #[test]
    fn a_forced_move_takes_no_time() {
        let allowance = Allowance {
            time: Time::Game { remaining: 60_000 * MS, increment: MS, moves: None, overhead: MS },
            ..Allowance::default()
        };
        assert!(
            !Clock::new(&allowance, 1, Control::new(Instant::now(), false)).go_on(&progress(1, Score(0)))
        );
        assert!(Clock::new(&allowance, 2, Control::new(Instant::now(), false)).go_on(&progress(1, Score(0))));
    }
}
