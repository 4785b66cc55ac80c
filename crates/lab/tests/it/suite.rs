//! Suites: which exercises count as solved, from which moment on, and that the result does not depend on
//! the number of jobs.

use cassius_lab::suite::{self, Exercise, Setup, Summary};
use cassius_lab::{Budget, Clock, Player};
use cassius_search::Score;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A clock that advances by a microsecond whenever it is read.
#[derive(Default)]
struct Ticks(AtomicU64);

impl Clock for Ticks {
    fn now(&self) -> Duration {
        Duration::from_micros(self.0.fetch_add(1, Relaxed))
    }
}

const FILE: &str = "\
# mates and a capture
6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"back rank\";

6k1/5ppp/8/8/8/8/8/R6K w - - dm 1; id \"by value\";
6k1/5ppp/8/8/8/8/8/R6K w - - am Ra8; id \"not that\";
k7/8/8/3q4/4P3/8/8/K7 w - - bm exd5 Kb1; am e5; id \"several\";
k7/8/8/3q4/4P3/8/8/K7 w - - bm exd6; id \"broken\";
k7/8/8/3q4/4P3/8/8/K7 w - - id \"nothing asked\";
k7/8/8/8 w - - bm Kb1;
7k/8/5K2/6Q1/8/8/8/8 b - - bm #-1; id \"mated\";
";

fn exercises() -> Vec<Exercise> {
    suite::read("t.epd", FILE.as_bytes()).0
}

fn solve(jobs: usize, budget: Budget, stop: bool) -> Vec<Option<suite::Outcome>> {
    let player = Player::default();
    let (clock, stop) = (Ticks::default(), AtomicBool::new(stop));
    let setup = Setup { player: &player, hash: 1, threads: 1, jobs, budget, clock: &clock, stop: &stop };
    suite::solve(&exercises(), &setup, &mut |_, _| {}).unwrap()
}

#[test]
fn broken_lines_are_named_and_the_others_kept() {
    let (exercises, broken) = suite::read("t.epd", FILE.as_bytes());
    let names: Vec<String> = exercises.iter().map(Exercise::name).collect();
    assert_eq!(names, ["back rank", "by value", "not that", "several", "mated"]);
    let tasks: Vec<String> = exercises.iter().map(Exercise::task).collect();
    assert_eq!(tasks, ["bm Ra8#", "mate in 1", "am Ra8#", "bm exd5 Kb1; am e5", "mated in 1"]);
    assert_eq!(broken[0], "t.epd: line 7: bm: 'exd6' is not legal here");
    assert_eq!(broken[1], "t.epd: line 8: nothing to solve: no bm, am or dm");
    assert!(broken[2].starts_with("t.epd: line 9: FEN board"), "{}", broken[2]);
    assert_eq!(broken.len(), 3);
}

#[test]
fn what_counts_as_solved() {
    let exercises = exercises();
    let solved = |number: usize, mv: &str, score: Score| {
        let exercise: &Exercise = &exercises[number];
        exercise.is_solved_by(exercise.epd.position.parse_move(mv).unwrap(), score)
    };
    assert!(solved(0, "Ra8", Score(0)) && !solved(0, "Ra7", Score::win_in(1)));
    assert!(solved(1, "Ra7", Score::win_in(1)) && !solved(1, "Ra8", Score::win_in(3)));
    assert!(!solved(1, "Ra8", Score(500)) && !solved(1, "Ra8", Score::loss_in(2)));
    assert!(!solved(2, "Ra8", Score(0)) && solved(2, "Ra7", Score(0)));
    assert!(solved(3, "exd5", Score(0)) && solved(3, "Kb1", Score(0)) && !solved(3, "e5", Score(0)));
    assert!(solved(4, "Kh7", Score::loss_in(2)) && !solved(4, "Kh7", Score::loss_in(4)));
}

#[test]
fn solves_and_says_from_when_on() {
    let outcomes = solve(1, Budget { depth: Some(4), ..Budget::default() }, false);
    let solved: Vec<bool> = outcomes.iter().flatten().map(|outcome| outcome.solved.is_some()).collect();
    assert_eq!(solved, [true, true, false, true, true]);
    let first = outcomes[0].as_ref().unwrap();
    let moment = first.solved.unwrap();
    assert_eq!(moment.iteration, 1);
    assert!(moment.nodes < first.end.nodes && moment.time < first.end.time);
    let summary = Summary::of(outcomes.iter().flatten());
    assert_eq!((summary.solved, summary.done), (4, 5));
    assert_eq!(summary.nodes, outcomes.iter().flatten().map(|outcome| outcome.end.nodes).sum::<u64>());
}

#[test]
fn the_same_for_any_number_of_jobs() {
    let budget = Budget { nodes: Some(3000), ..Budget::default() };
    let essence = |outcomes: Vec<Option<suite::Outcome>>| {
        let essence = |outcome: suite::Outcome| {
            (outcome.answer, outcome.score, outcome.solved.map(|moment| moment.nodes), outcome.end.nodes)
        };
        outcomes.into_iter().flatten().map(essence).collect::<Vec<_>>()
    };
    let one = essence(solve(1, budget, false));
    assert!(one.iter().all(|outcome| outcome.3 <= 3000));
    assert_eq!(one, essence(solve(3, budget, false)));
}

#[test]
fn a_time_limit_ends_a_search() {
    let outcomes = solve(1, Budget { time: Some(Duration::from_micros(60)), ..Budget::default() }, false);
    assert!(outcomes.iter().flatten().all(|outcome| outcome.answer.is_some()));
}

#[test]
fn stopped_is_without_outcome() {
    assert!(solve(2, Budget::default(), true).iter().all(Option::is_none));
}
