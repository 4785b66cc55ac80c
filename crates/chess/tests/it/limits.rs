//! Limits are polled wherever a search works for long, including where the capture search explodes.

use cassius_chess::evaluation::Evaluation;
use cassius_chess::{Engine, Evaluator, Position, RECIPES, certificate};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::Abc;
use cassius_search::alpha_beta::quiescence::StandPatOrCapture;
use cassius_search::best_first::{
    Assess, BStar, BestSuccessor, Between, Bounds, Grower, Growth, Interval, Optimist, Payload, Spread, Star,
    Static, stars,
};
use cassius_search::plans::certificate::Claim;
use cassius_search::{Depth, Depths, Evaluate, Limits, Nodes, Patience, Progress, Request, Score, Table};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A position with practically unbounded captures.
const QUEENS: &str = "qqqqkqqq/qq6/8/8/8/8/QQ6/QQQQKQQQ w - - 0 1";

fn queens() -> Position {
    QUEENS.parse().unwrap()
}

/// Limits that permit a fixed number of polls and count the polls. Stores the maximum number of
/// positions evaluated between two polls.
#[derive(Default)]
struct Asks {
    allowed: u64,
    asked: AtomicU64,
    judged: AtomicU64,
    most: AtomicU64,
}

impl Asks {
    fn allowing(allowed: u64) -> Asks {
        Asks { allowed, ..Asks::default() }
    }

    fn ask(&self) -> bool {
        self.most.fetch_max(self.judged.swap(0, Relaxed), Relaxed);
        self.asked.fetch_add(1, Relaxed) < self.allowed
    }

    /// Returns an evaluator that counts its evaluations.
    fn evaluator(&self) -> impl Evaluate<Position> + Send {
        let mut evaluator = Evaluator::new();
        move |position: &Position| {
            self.judged.fetch_add(1, Relaxed);
            Evaluate::evaluate(&mut evaluator, position)
        }
    }

    /// Returns the same evaluator with captures played out.
    fn settled(&self) -> StandPatOrCapture<Position, impl Evaluate<Position> + Send> {
        StandPatOrCapture::new(self.evaluator())
    }

    /// Returns the maximum number of positions evaluated between two polls, or after the last.
    fn most(&self) -> u64 {
        self.ask();
        self.most.load(Relaxed)
    }
}

impl Limits for Asks {
    fn poll(&self, nodes: u64) -> Option<u64> {
        self.ask().then_some(nodes + 64)
    }

    fn ends_now(&self) -> bool {
        !self.ask()
    }

    fn go_on(&self, _: &Progress) -> bool {
        self.ask()
    }
}

/// The number of positions that may be evaluated between two polls: those of two long evaluations, and
/// three for a glance at each root move, of which there are at most 218.
const BETWEEN: u64 = 2 * Patience::JUDGED + 3 * 218;

#[test]
fn every_recipe_ends() {
    for recipe in RECIPES {
        for threads in [1, 2] {
            let mut engine = Engine::new(recipe.name, 2, threads).unwrap();
            for allowed in [0, 1, 20] {
                let limits = Asks::allowing(allowed);
                let answer = engine.search(&Request::new(&queens(), &limits), &mut |_| {});
                assert!(answer.best().is_some(), "{} {threads} {allowed}", recipe.name);
                let asked = limits.asked.load(Relaxed);
                assert!(asked <= allowed + 8, "{} {threads}: {asked} of {allowed}", recipe.name);
            }
        }
    }
}

fn grow<P: Payload, R: Growth<P> + Default>(limits: &Asks, assess: impl Assess<Position, P>) -> u64 {
    let mut grower = Grower::<_, P, R, _, Repetition>::new(1, R::default(), assess).unwrap();
    let answer = grower.search(&Request::new(&queens(), limits), &mut |_| {});
    assert!(answer.best().is_some());
    limits.most()
}

#[test]
fn positions_judged_between_two_questions_are_few() {
    let mut seen = Vec::new();
    for allowed in [0, 1, 50] {
        let ask = || Asks::allowing(allowed);
        let limits = ask();
        seen.push(grow::<Bounds<9>, BestSuccessor>(&limits, Static(limits.settled())));
        let limits = ask();
        seen.push(grow::<Interval, BStar>(&limits, Spread::new(limits.settled())));
        let limits = ask();
        seen.push(grow::<Interval, BStar>(&limits, Optimist::new(limits.settled())));
        let limits = ask();
        let between = Between { pessimistic: limits.settled(), optimistic: limits.evaluator() };
        seen.push(grow::<Interval, BStar>(&limits, between));
        for star in [Star::Sss, Star::Dual] {
            let limits = ask();
            let position = queens();
            let request = Request::new(&position, &limits);
            stars::<_, Repetition>(&request, &mut limits.settled(), star, 1, &mut |_| {});
            seen.push(limits.most());
        }
    }
    assert!(seen.iter().all(|most| *most <= BETWEEN), "{seen:?}");
}

#[test]
fn leaves_settle_within_a_bound() {
    let judged = AtomicU64::new(0);
    let mut evaluator = Evaluator::new();
    let counted = |position: &Position| {
        judged.fetch_add(1, Relaxed);
        Evaluate::evaluate(&mut evaluator, position)
    };
    let mut settled = StandPatOrCapture::new(counted).settling_within(1_000);
    let value = settled.evaluate(&queens());
    let first = judged.swap(0, Relaxed);
    // In check nothing is evaluated, except where a line is cut off.
    assert!((300..1_300).contains(&first), "{first}");
    settled.forget();
    assert_eq!(settled.evaluate(&queens()), value);
    assert_eq!(judged.load(Relaxed), first);
}

#[test]
fn certificates_end() {
    let (asked, abc) = (Depths::both(Depth::PLY), Abc::default());
    for allowed in [0, 1, 20] {
        let limits = Asks::allowing(allowed);
        let table = Table::new(1).unwrap();
        let found = certificate::certify(
            &queens(),
            asked,
            abc.clone(),
            &Evaluation::default(),
            table,
            &limits,
            &mut |_| {},
        );
        assert!(found.is_none());
        assert!(limits.asked.load(Relaxed) <= allowed + 4, "{}", limits.asked.load(Relaxed));
    }
    let claim = Claim { at_least: Score(0), step: Depth::PLY, most: Depth::PLY, abc };
    let shown =
        certificate::deepest(&queens(), &claim, &Evaluation::default(), Table::new(1).unwrap(), &Nodes(100));
    assert!(shown.nodes <= 101);
}
