//! What each component is worth: the laboratory's recipe with and without it.

use super::iterative_deepening::{ENDINGS, MIDDLEGAMES};
use crate::experiment::{Context, Experiment, Findings, Interrupted, Tolerance};
use crate::matches::game::Rules;
use crate::matches::{self, Match, Pace, TimeManager, World};
use crate::plot::{Plot, Scale, Series};
use crate::statistics::Estimate;
use crate::suite::{self, Setup, Summary};
use crate::{Budget, Clock, Player};
use cassius_chess::openings::{self, Opening};
use cassius_chess::{Engine, EngineError, Position};
use cassius_search::{Limits, Request, Unlimited};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Every component on and off against one reference.
pub static ABLATION: Experiment = Experiment {
    id: "ablation",
    claim: "How the enhancements work together is not known: each is taken out of, or put into, one recipe and measured",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "§IV, which asks for it",
    run,
};

/// The recipe that everything is compared with.
const REFERENCE: &str = "lab";
/// Size of the tables in MiB.
const MIB: usize = 16;

/// How much is done.
struct Effort {
    /// Plies of the searches to a fixed depth.
    depth: usize,
    /// Nodes for an exercise.
    nodes: u64,
    /// Pairs of games at a fixed number of nodes a move …
    pairs: u64,
    pace: u64,
    /// … and at a fixed time.
    timed_pairs: u64,
    time: Duration,
}

const QUICK: Effort =
    Effort { depth: 5, nodes: 5_000, pairs: 1, pace: 200, timed_pairs: 0, time: Duration::from_millis(1) };
const FULL: Effort = Effort {
    depth: 12,
    nodes: 200_000,
    pairs: 200,
    pace: 10_000,
    timed_pairs: 200,
    time: Duration::from_millis(20),
};

/// What a player does.
struct Measured {
    /// Nodes to the fixed depth, position by position.
    nodes: Vec<u64>,
    /// The exercises, if there are any.
    solved: Option<Summary>,
}

/// A clock that stands still, where no time is limited.
struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

fn clock<'a>(context: &Context<'a>) -> &'a dyn Clock {
    context.clock.unwrap_or(&Still)
}

/// Games at a fixed pace need none.
struct NoClocks;

impl TimeManager for NoClocks {
    fn limits<'a>(&'a self, _: Duration, _: Duration, _: usize) -> Box<dyn Limits + 'a> {
        Box::new(Unlimited)
    }
}

fn run(context: &Context<'_>) -> Result<Findings, Interrupted> {
    let effort = if context.quick { &QUICK } else { &FULL };
    measure(context, effort).unwrap_or_else(|error| {
        Ok(Findings { notes: vec![format!("Not measured: {error}.")], ..Findings::default() })
    })
}

/// The components of the reference, and whether they are on.
fn components(context: &Context<'_>) -> Result<Vec<(&'static str, bool)>, EngineError> {
    let mut all = Engine::new(REFERENCE, 1, 1)?.components();
    let wanted = |name: &str| context.only.iter().any(|only| only.eq_ignore_ascii_case(name));
    all.retain(|(name, _)| context.only.is_empty() || wanted(name));
    Ok(all)
}

fn measure(context: &Context<'_>, effort: &Effort) -> Result<Result<Findings, Interrupted>, EngineError> {
    let reference = Player { recipe: REFERENCE.into(), ..Player::default() };
    let components = components(context)?;
    let openings = openings::builtin();
    let mut findings = Findings { conditions: vec!["component", "in the reference"], ..Findings::default() };
    let usual = searched(context, effort, &reference)?;
    let mut elo = Vec::new();
    for (done, (component, on)) in components.iter().enumerate() {
        if context.step(done, components.len()).is_err() {
            return Ok(Err(Interrupted));
        }
        let player = Player { components: vec![((*component).into(), !on)], ..reference.clone() };
        let changed = searched(context, effort, &player)?;
        let state = if *on { "on" } else { "off" };
        let mut row = |quantity: &str, value: f64| {
            findings.row(quantity, &[component, &state], None, value, Tolerance::Any);
        };
        // With the component over without it, whichever of the two is the reference.
        let (with, without) = if *on { (&usual, &changed) } else { (&changed, &usual) };
        row("nodes to a fixed depth, with over without", ratio(&with.nodes, &without.nodes));
        if let (Some(with), Some(without)) = (&with.solved, &without.solved) {
            row("exercises solved, with", with.solved as f64);
            row("exercises solved, without", without.solved as f64);
            for (name, summary) in [("with", with), ("without", without)] {
                if let Some(nodes) = summary.median_nodes {
                    row(&format!("median nodes to solution, {name}"), nodes as f64);
                }
            }
        }
        let players = if *on { [reference.clone(), player] } else { [player, reference.clone()] };
        let paces = [
            ("at equal nodes", effort.pairs, Budget { nodes: Some(effort.pace), ..Budget::default() }),
            ("at equal time", effort.timed_pairs, Budget { time: Some(effort.time), ..Budget::default() }),
        ];
        for (name, pairs, budget) in paces {
            if pairs > 0 && (budget.is_deterministic() || context.clock.is_some()) {
                let Some(difference) = games(context, &openings, &players, budget, pairs)? else {
                    return Ok(Err(Interrupted));
                };
                row(&format!("Elo {name}, with over without"), difference.value);
                row(&format!("Elo {name}, 95 % ±"), difference.error());
                if budget.is_deterministic() {
                    elo.push((done as f64, difference.value));
                }
            }
        }
    }
    (context.progress)(components.len(), components.len());
    findings.plots.push(Plot {
        name: "elo".into(),
        title: "Elo of each component at equal nodes, in the order of the table".into(),
        x: "component".into(),
        y: "Elo".into(),
        scale: Scale::Linear,
        series: vec![Series { name: "with over without".into(), points: elo }],
    });
    findings.notes = notes(context, effort);
    Ok(Ok(findings))
}

fn notes(context: &Context<'_>, effort: &Effort) -> Vec<String> {
    let positions = MIDDLEGAMES.len() + ENDINGS.len();
    let mut notes = vec![
        format!(
            "The reference is the recipe `{REFERENCE}`, {MIB} MiB, one thread. Nodes: geometric mean over {positions} \
             positions, {} plies. Games: {} pairs at {} nodes and {} pairs at {} ms a move, built-in openings, seed 1.",
            effort.depth,
            effort.pairs,
            effort.pace,
            effort.timed_pairs,
            effort.time.as_millis()
        ),
        "Elo of so few games is only as good as its interval; at equal time it depends on the machine too."
            .into(),
    ];
    notes.push(match context.exercises.len() {
        0 => "No exercises: name a suite with --suite.".into(),
        count => format!("{count} exercises, {} nodes each.", effort.nodes),
    });
    notes
}

/// The searches of one player.
fn searched(context: &Context<'_>, effort: &Effort, player: &Player) -> Result<Measured, EngineError> {
    let mut engine = player.engine(MIB, 1)?;
    let mut nodes = Vec::new();
    for fen in MIDDLEGAMES.iter().chain(&ENDINGS) {
        let position: Position = fen.parse().expect("a position of this file's own");
        engine.forget();
        let limits = Budget::default().limits(clock(context), context.stop);
        let request = Request::new(&position, &limits).to_iteration(effort.depth);
        nodes.push(engine.search(&request, &mut |_| {}).nodes);
    }
    let setup = Setup {
        player,
        hash: MIB,
        threads: 1,
        jobs: context.jobs,
        budget: Budget { nodes: Some(effort.nodes), ..Budget::default() },
        clock: clock(context),
        stop: context.stop,
    };
    let solved = match context.exercises.is_empty() {
        true => None,
        false => Some(Summary::of(suite::solve(context.exercises, &setup, &mut |_, _| {})?.iter().flatten())),
    };
    Ok(Measured { nodes, solved })
}

/// The difference between two players; `None` if the games were broken off.
fn games(
    context: &Context<'_>,
    openings: &[Opening],
    players: &[Player; 2],
    budget: Budget,
    pairs: u64,
) -> Result<Option<Estimate>, EngineError> {
    let game = Match {
        players: players.clone(),
        pace: Pace::PerMove(budget),
        openings,
        seed: 1,
        pairs,
        rules: Rules::default(),
        hash: MIB,
        threads: 1,
        sprt: None,
    };
    let world = World { clock: clock(context), manager: &NoClocks, stop: context.stop, jobs: context.jobs };
    let tally = matches::play(&game, &[], &world, &mut |_| true)?;
    Ok((!context.stop.load(Relaxed)).then(|| tally.pairs.elo()))
}

/// Geometric mean of the ratios.
fn ratio(with: &[u64], without: &[u64]) -> f64 {
    let logarithms = with.iter().zip(without).map(|(with, without)| (*with as f64 / *without as f64).ln());
    (logarithms.sum::<f64>() / with.len().max(1) as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_ratio_is_a_geometric_mean() {
        assert!((ratio(&[2, 8], &[1, 1]) - 4.0).abs() < 1e-12);
        assert!((ratio(&[5], &[10]) - 0.5).abs() < 1e-12);
    }

    /// One component, a little of everything: the order by exchanges saves nodes.
    #[test]
    fn an_order_saves_nodes() {
        let stop = AtomicBool::new(false);
        let epd = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"mate\";\n";
        let (exercises, broken) = suite::read("x.epd", epd.as_bytes());
        assert!(broken.is_empty());
        let only = ["NoisyFirst".to_string()];
        let context = Context { exercises: &exercises, only: &only, ..Context::new(true, &|_, _| {}, &stop) };
        let effort = Effort { depth: 3, nodes: 500, pairs: 1, pace: 20, ..QUICK };
        let findings = measure(&context, &effort).expect("an engine").expect("not interrupted");
        let value =
            |quantity: &str| findings.rows.iter().find(|row| row.quantity == quantity).expect("a row").ours;
        assert!(value("nodes to a fixed depth, with over without") < 1.0);
        assert_eq!(value("exercises solved, with"), 1.0);
        assert!(value("Elo at equal nodes, 95 % ±") >= 0.0);
        assert!(findings.rows.iter().all(|row| row.conditions == ["NoisyFirst", "on"]));
    }
}
