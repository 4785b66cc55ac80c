//! Compares best-first search with alpha-beta, at equal time and at a fixed number of nodes: solved
//! exercises and match results.

use super::measure::{MIB, Still, Subject, exercises, games};
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use crate::suite::{self, Setup};
use crate::{Budget, Clock};
use std::time::Duration;

/// This comparison is not in the paper, which measures random trees. About chess, the paper says that
/// Schaeffer's results will be reported elsewhere.
pub static BEST_FIRST: Experiment = Experiment {
    id: "best-first",
    claim: "In chess, trees grown by conspiracy numbers find what alpha-beta finds in the same time, and \
            sometimes what it does not find",
    paper: "D. A. McAllester: Conspiracy Numbers for Min-Max Search, 1988",
    section: "§8 and the acknowledgements",
    cases: Some(|| PLAYERS.iter().map(|player| player.0).collect()),
    uses: &[Input::Exercises, Input::Kept],
    run,
};

/// The compared players: a name, the player, and whether a node is a single evaluated position and not a
/// search. The first is alpha-beta.
const PLAYERS: [(&str, &str, bool); 5] = [
    ("alpha-beta", "plies", true),
    ("cns", "cns", true),
    ("cns-value", "cns-value", true),
    ("ccns", "ccns", false),
    ("ccns, leaves not searched", "ccns,LeafSearch.depth=0", true),
];

/// The amount of work.
struct Effort {
    /// The budgets of an exercise for all players.
    budgets: &'static [Budget],
    /// An additional budget for players whose nodes are single positions.
    nodes: Budget,
    /// The budget of a move, and the number of pairs of games.
    pace: Budget,
    pairs: u64,
}

const fn time(milliseconds: u64) -> Budget {
    Budget { nodes: None, time: Some(Duration::from_millis(milliseconds)), depth: None }
}

const fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), time: None, depth: None }
}

const QUICK: Effort = Effort { budgets: &[nodes(200)], nodes: nodes(300), pace: nodes(30), pairs: 1 };
/// As many nodes as UlyssesCCN was given for an exercise of Win at Chess.
const FULL: Effort =
    Effort { budgets: &[time(10), time(100), time(400)], nodes: nodes(105_000), pace: time(10), pairs: 100 };

impl Effort {
    /// Returns the limits of a player, beginning with those that all players have.
    fn limits(&self, counts_nodes: bool) -> impl Iterator<Item = &Budget> {
        self.budgets.iter().chain(counts_nodes.then_some(&self.nodes))
    }
}

/// For each budget, which exercises a player solves.
type Solved = Vec<Option<Vec<bool>>>;

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let effort = if context.quick { &QUICK } else { &FULL };
    let subject = |player: &str| Subject::new(context, player.parse().expect("a player of this file's own"));
    let reference = subject(PLAYERS[0].1)?;
    let mut findings = Findings { conditions: vec!["player", "limit"], ..Findings::default() };
    let by_reference = solves(context, effort.limits(PLAYERS[0].2), &reference)?;
    let mut series = Vec::new();
    let wanted: Vec<_> = PLAYERS.iter().filter(|(name, ..)| context.wants(name)).collect();
    for (step, (name, player, counts_nodes)) in wanted.iter().enumerate() {
        context.step(step, wanted.len())?;
        let subject = subject(player)?;
        let solved = solves(context, effort.limits(*counts_nodes), &subject)?;
        let mut points = Vec::new();
        let limits = effort.limits(*counts_nodes);
        for (budget, (solved, by_reference)) in limits.zip(solved.iter().zip(&by_reference)) {
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
        series.push(Series::new(*name, points));
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
    findings.notes.push(
        "Where leaves are searched (ccns) a node is a search of its own: no number of nodes would be \
         comparable. UlyssesCCN, a program by controlled conspiracy numbers, is reported to have solved 281 \
         of the 300 exercises of Win at Chess with some 105,000 nodes each."
            .into(),
    );
    Ok(findings)
}

/// Returns which exercises a player solves with each budget; nothing if there are no exercises, or if
/// time is limited and there is no clock.
fn solves<'a>(
    context: &Context<'_>,
    limits: impl Iterator<Item = &'a Budget>,
    subject: &Subject,
) -> Result<Solved, Unfinished> {
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
    limits.map(solves).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    /// Every player plays and solves exercises; all of them find a mate in one.
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
        // All players have both limits, except that one has no node limit.
        assert_eq!(of("solved"), [1.0; 2 * PLAYERS.len() - 1]);
        assert_eq!(of("solved, not by alpha-beta"), [0.0; 2 * PLAYERS.len() - 3]);
        assert_eq!(of("pairs of games"), [1.0; PLAYERS.len() - 1]);
    }
}
