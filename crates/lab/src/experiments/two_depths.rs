//! Two depths against one by the clock.

use super::measure::{MIB, Subject, key_of_pairs, play_pairs, world};
use crate::Budget;
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::matches::Pace;
use crate::statistics::Pentanomial;
use std::time::Duration;

/// The decisive test, named before it was played.
pub static TWO_DEPTHS: Experiment = Experiment {
    id: "two-depths",
    claim: "An alpha-beta search with a depth for the plan of each side plays better than one with one depth",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§1 and §12; §11, Empirical Results, is empty",
    cases: Some(|| PACES.iter().map(|pace| pace.name).collect()),
    run,
};

/// Two depths, and one.
const PLAYERS: [&str; 2] = ["two-depths", "plies"];

/// Games with a clock for each player.
struct Clock {
    name: &'static str,
    base: Duration,
    increment: Duration,
    pairs: u64,
    /// The pairs that are kept together.
    batch: u64,
}

const PACES: [Clock; 2] = [
    Clock {
        name: "2+0.02",
        base: Duration::from_secs(2),
        increment: Duration::from_millis(20),
        pairs: 2_650,
        batch: 10,
    },
    Clock {
        name: "10+0.1",
        base: Duration::from_secs(10),
        increment: Duration::from_millis(100),
        pairs: 300,
        batch: 5,
    },
];
/// For a first look: a pair at so many nodes a move.
const QUICK: u64 = 200;

/// How far a clock may be overdrawn.
const MARGIN: Duration = Duration::from_millis(50);

/// The results of a match.
#[derive(Default)]
struct Case {
    pace: String,
    games: Pentanomial,
    time_losses: [u64; 2],
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let subject = |player: &str| Subject::new(context, player.parse().expect("a player of this file's own"));
    let subjects = [&subject(PLAYERS[0])?, &subject(PLAYERS[1])?];
    let clocks = PACES.iter().filter(|pace| context.wants(pace.name)).map(|pace| {
        let Clock { base, increment, pairs, batch, .. } = *pace;
        (Pace::Clock { base, increment, margin: MARGIN }, pairs, batch)
    });
    let quick = Pace::PerMove(Budget { nodes: Some(QUICK), ..Budget::default() });
    let paces: Vec<(Pace, u64, u64)> = if context.quick { vec![(quick, 1, 1)] } else { clocks.collect() };
    let steps = paces.iter().map(|(_, pairs, _)| *pairs as usize).sum();
    let (mut cases, mut done) = (Vec::new(), 0);
    for (pace, most, batch) in paces {
        let mut case = Case { pace: pace.to_string(), ..Case::default() };
        for begin in (0..most).step_by(batch as usize) {
            context.step(done + begin as usize, steps)?;
            let pairs = begin..(begin + batch).min(most);
            let Some(world) = world(context, pace) else { break };
            let key = key_of_pairs(subjects, pace, &pairs, most);
            let played: Option<(Pentanomial, [u64; 2])> = context.once(&key, || {
                let tally = play_pairs(context, &world, subjects, pace, pairs, most)?;
                Ok::<_, Unfinished>((tally.pairs, tally.time_losses))
            })?;
            let Some((games, time_losses)) = played else { break };
            case.games.add_all(games);
            case.time_losses.iter_mut().zip(time_losses).for_each(|(sum, new)| *sum += new);
        }
        done += most as usize;
        cases.push(case);
    }
    context.step(steps, steps)?;
    Ok(findings(&cases))
}

fn findings(cases: &[Case]) -> Findings {
    let mut findings = Findings { conditions: vec!["clock"], ..Findings::default() };
    for Case { pace, games, time_losses } in cases.iter().filter(|case| case.games.pairs() > 0) {
        let mut row = |quantity: &str, value: f64| {
            findings.row(quantity, &[pace], None, value, Tolerance::Any);
        };
        let elo = games.elo();
        row("games", 2.0 * games.pairs() as f64);
        row("points %", 100.0 * games.score());
        row("Elo", elo.value);
        if elo.error().is_finite() {
            row("±", elo.error());
        }
        row("lost on time", time_losses[0] as f64);
        row("won on time", time_losses[1] as f64);
    }
    findings.notes = vec![format!(
        "`{}` against `{}`, half of the 95 % interval beside Elo. Every player has a clock, as in play; \
         {MIB} MiB, one thread, built-in openings, seed 1. The number of games was fixed before the first.",
        PLAYERS[0], PLAYERS[1]
    )];
    findings
}
