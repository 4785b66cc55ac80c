//! Best-first search beside alpha-beta, at equal times: who solves what, and who wins.

use super::measure::{MIB, Still, Subject, exercises, games};
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use crate::suite::{self, Setup};
use crate::{Budget, Clock};
use std::time::Duration;

/// Not in the paper, which measures random trees; of chess it says that Schaeffer's results will be reported elsewhere.
pub static BEST_FIRST: Experiment = Experiment {
    id: "best-first",
    claim: "Trees grown by conspiracy numbers find in chess what alpha-beta finds in the same time, and sometimes what it does not",
    paper: "D. A. McAllester: Conspiracy Numbers for Min-Max Search, 1988",
    section: "§8 and the acknowledgements",
    cases: Some(|| PLAYERS.iter().map(|player| player.0).collect()),
    run,
};

/// Who is compared: a name, and the player. The first is alpha-beta.
const PLAYERS: [(&str, &str); 5] = [
    ("alpha-beta", "plies"),
    ("cns", "cns"),
    ("cns-value", "cns-value"),
    ("ccns", "ccns"),
    ("ccns, leaves not searched", "ccns,LeafSearch.depth=0"),
];

/// How much is done.
struct Effort {
    /// For an exercise.
    budgets: &'static [Budget],
    /// For a move, and so many pairs of games.
    pace: Budget,
    pairs: u64,
}

const fn time(milliseconds: u64) -> Budget {
    Budget { nodes: None, time: Some(Duration::from_millis(milliseconds)), depth: None }
}

const fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), time: None, depth: None }
}

const QUICK: Effort = Effort { budgets: &[nodes(200)], pace: nodes(100), pairs: 1 };
const FULL: Effort = Effort { budgets: &[time(10), time(100), time(400)], pace: time(10), pairs: 100 };

/// Which exercises a player solves with each budget.
type Solved = Vec<Option<Vec<bool>>>;

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let effort = if context.quick { &QUICK } else { &FULL };
    let subject = |player: &str| Subject::new(context, player.parse().expect("a player of this file's own"));
    let reference = subject(PLAYERS[0].1)?;
    let mut findings = Findings { conditions: vec!["player", "limit"], ..Findings::default() };
    let by_reference = solves(context, effort, &reference)?;
    let mut series = Vec::new();
    let wanted: Vec<_> = PLAYERS.iter().filter(|(name, _)| context.wants(name)).collect();
    for (step, (name, player)) in wanted.iter().enumerate() {
        context.step(step, wanted.len())?;
        let subject = subject(player)?;
        let solved = solves(context, effort, &subject)?;
        let mut points = Vec::new();
        for (budget, (solved, by_reference)) in effort.budgets.iter().zip(solved.iter().zip(&by_reference)) {
            let (Some(solved), Some(by_reference)) = (solved, by_reference) else { continue };
            let mut row = |quantity: &str, count: usize| {
                findings.row(quantity, &[name, budget], None, count as f64, Tolerance::Any);
            };
            let all = solved.iter().filter(|solved| **solved).count();
            row("solved", all);
            points.extend(budget.time.map(|time| (time.as_secs_f64() * 1e3, all as f64)));
            let alone: Vec<String> = (solved.iter().zip(by_reference).zip(context.exercises))
                .filter(|((solved, by_reference), _)| **solved && !**by_reference)
                .map(|(_, exercise)| exercise.name())
                .collect();
            if subject.player != reference.player {
                row("solved, not by alpha-beta", alone.len());
                if !alone.is_empty() {
                    findings
                        .notes
                        .push(format!("{name}, {budget}, not by alpha-beta: {}.", alone.join(", ")));
                }
            }
        }
        series.push(Series { name: (*name).into(), points });
        if subject.player != reference.player
            && let Some(tally) = games(context, [&subject, &reference], effort.pace, effort.pairs)?
        {
            let limit = format!("{} a move", effort.pace);
            let mut row = |quantity: &str, value: f64| {
                findings.row(quantity, &[name, &limit], None, value, Tolerance::Any);
            };
            row("pairs of games", tally.pairs() as f64);
            row("score in percent", 100.0 * tally.score());
            let elo = tally.elo();
            if elo.value.is_finite() {
                row("Elo", elo.value);
            }
            if elo.error().is_finite() {
                row("±", elo.error());
            }
        }
    }
    (context.progress)(wanted.len(), wanted.len());
    if series.iter().any(|series| !series.points.is_empty()) {
        findings.plot(Plot {
            name: "solved".into(),
            title: "Exercises solved by time".into(),
            x: "milliseconds a position".into(),
            y: "solved".into(),
            scale: Scale::Linear,
            series,
        });
    }
    Ok(findings)
}

/// Which exercises a player solves with each budget; nothing where time is limited and there is no clock, or there are no exercises.
fn solves(context: &Context<'_>, effort: &Effort, subject: &Subject) -> Result<Solved, Unfinished> {
    let solves = |budget: &Budget| {
        let clock: &dyn Clock = match context.clock {
            _ if context.exercises.is_empty() => return Ok(None),
            Some(clock) => clock,
            None if budget.is_deterministic() => &Still,
            None => return Ok(None),
        };
        let setup = Setup {
            player: &subject.player,
            hash: MIB,
            threads: 1,
            jobs: context.jobs,
            budget: *budget,
            clock,
            stop: context.stop,
        };
        context.once(&format!("{subject}: which of {}, {budget}, {MIB} MiB", exercises(context)), || {
            let outcomes = suite::solve(context.exercises, &setup, &mut |_, _| {})?;
            let solved = outcomes.iter().flatten().map(|outcome| outcome.solved.is_some()).collect();
            Ok(context.go_on().map(|()| solved)?)
        })
    };
    effort.budgets.iter().map(solves).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// Every player plays, and solves what is asked; a mate in one is found by all.
    #[test]
    fn everyone_is_compared() {
        let suite = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"back rank\";";
        let (exercises, broken) = suite::read("suite", suite.as_bytes());
        assert!(broken.is_empty());
        let stop = AtomicBool::new(false);
        let context = Context { exercises: &exercises, ..Context::new(true, &|_, _| {}, &stop) };
        let findings = run(&context).unwrap();
        let of = |quantity: &str| -> Vec<f64> {
            let rows = findings.rows.iter().filter(|row| row.quantity == quantity);
            rows.map(|row| row.ours).collect()
        };
        assert_eq!(of("solved"), [1.0; PLAYERS.len()]);
        assert_eq!(of("solved, not by alpha-beta"), [0.0; PLAYERS.len() - 1]);
        assert_eq!(of("pairs of games"), [1.0; PLAYERS.len() - 1]);
    }
}
