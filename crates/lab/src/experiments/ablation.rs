//! Measures the value of each component: the laboratory's recipe with and without it.

use super::measure::{MIB, Subject, games_until_clear, positions};
use crate::Player;
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use crate::statistics::Pentanomial;
use crate::suite::Summary;
use cassius_chess::{Engine, EngineError};

/// Every component on and off against one reference.
pub static ABLATION: Experiment = Experiment {
    id: "ablation",
    claim: "How the enhancements work together is not known; each is removed from, or added to, one recipe \
            and measured",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "§IV, which asks for it",
    cases: Some(cases),
    uses: &[Input::Exercises, Input::Kept],
    run,
};

/// The recipe that everything is compared with.
const REFERENCE: &str = "lab";
/// Components that cannot be left out, only replaced: the component, a recipe with it, its replacement,
/// and a recipe with the replacement.
const REPLACED: [(&str, &str, &str, &str); 4] = [
    ("WholeWindow", "alphabeta", "MinimalWindow", "bare"),
    ("Palphabeta", "palphabeta", "MinimalWindow", "bare"),
    ("ScoutWindow", "scout", "MinimalWindow", "bare"),
    ("SingleBound", "single-bound", "Table", "bare,Table.strict=1,Table.answer_pv=1"),
];

/// The amount of work.
struct Effort {
    /// The depth in plies of the searches to a fixed depth.
    depth: usize,
    /// The node limit of an exercise.
    nodes: u64,
    /// The games of every component, and those of the ones that prune, reduce or extend.
    games: Games,
    deep: Games,
}

/// Games at a number of nodes for each move: batches of pairs until the result is clear, up to the most.
#[derive(Clone, Copy)]
struct Games {
    nodes: u64,
    batch: u64,
    most: u64,
}

const QUICK: Effort = Effort {
    depth: 5,
    nodes: 5_000,
    games: Games { nodes: 200, batch: 1, most: 1 },
    deep: Games { nodes: 400, batch: 1, most: 1 },
};
const FULL: Effort = Effort {
    depth: 10,
    nodes: 100_000,
    games: Games { nodes: 5_000, batch: 250, most: 2_000 },
    deep: Games { nodes: 50_000, batch: 25, most: 100 },
};

/// The components that prune, reduce or extend. What they are worth depends on the depth.
const SELECTIVE: [&str; 19] = [
    "CheckReplies",
    "UncountedChecks",
    "Interest",
    "ExtendHorizon",
    "Complicated",
    "InternalReduction",
    "ReverseFutility",
    "Razoring",
    "NullMove",
    "ProbCut",
    "LateMovePruning",
    "KBest",
    "Futility",
    "NoisyOnly",
    "HistoryPruning",
    "ExchangePruning",
    "Singular",
    "FailHighSingular",
    "LateMoveReduction",
];

/// A component and the players that show its value.
struct Pairing {
    component: &'static str,
    /// The default of the program: `on`, `off`, or the component's counterpart.
    usual: &'static str,
    /// The players with and without the component.
    players: [Player; 2],
}

/// A component, and the measurements with and without it.
struct Case {
    component: &'static str,
    usual: &'static str,
    subjects: [Subject; 2],
    nodes: [Option<Vec<u64>>; 2],
    solved: [Option<Summary>; 2],
    /// The results of the player with the component against the player without it.
    games: Pentanomial,
    /// The same with more nodes for each move.
    deep: Option<Pentanomial>,
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let effort = if context.quick { &QUICK } else { &FULL };
    Ok(findings(context, effort, &measure(context, effort)?))
}

/// Returns the names of the components that can be measured.
fn cases() -> Vec<&'static str> {
    pairings().map_or_else(|_| Vec::new(), |all| all.iter().map(|pairing| pairing.component).collect())
}

/// Returns every component that can be switched in the reference, and those that can be replaced.
fn pairings() -> Result<Vec<Pairing>, EngineError> {
    let plain = |text: &str| -> Player { text.parse().expect("a player of this file's own") };
    let switched = |player: &Player, component: &str, on| {
        let mut player = player.clone();
        player.components.retain(|(name, _)| name != component);
        player.components.push((component.into(), on));
        player
    };
    let reference = plain(REFERENCE);
    let is_replaced = |name: &str| REPLACED.iter().any(|(component, ..)| *component == name);
    let components = Engine::new(REFERENCE, 1, 1)?.components();
    let mut pairings = Vec::new();
    for (component, on) in components.into_iter().filter(|(component, _)| !is_replaced(component)) {
        let changed = switched(&reference, component, !on);
        let players = if on { [reference.clone(), changed] } else { [changed, reference.clone()] };
        pairings.push(Pairing { component, usual: if on { "on" } else { "off" }, players });
    }
    for (component, with, usual, without) in REPLACED {
        pairings.push(Pairing { component, usual, players: [plain(with), plain(without)] });
    }
    Ok(pairings)
}

/// Measures all cases. The slowest measurement comes last, for all of them.
fn measure(context: &Context<'_>, effort: &Effort) -> Result<Vec<Case>, Unfinished> {
    let mut pairings = pairings()?;
    pairings.retain(|pairing| context.wants(pairing.component));
    let steps = 2 * pairings.len();
    let mut cases: Vec<Case> = Vec::new();
    for (done, Pairing { component, usual, players: [with, without] }) in pairings.into_iter().enumerate() {
        context.step(done, steps)?;
        let [with, without] = [Subject::new(context, with)?, Subject::new(context, without)?];
        let nodes = [with.nodes_to(context, effort.depth)?, without.nodes_to(context, effort.depth)?];
        let solved = [with.solves(context, effort.nodes)?, without.solves(context, effort.nodes)?];
        let games = play(context, [&with, &without], effort.games)?;
        cases.push(Case { component, usual, subjects: [with, without], nodes, solved, games, deep: None });
    }
    for (done, case) in cases.iter_mut().enumerate() {
        context.step(steps / 2 + done, steps)?;
        if SELECTIVE.contains(&case.component) {
            case.deep = Some(play(context, case.subjects.each_ref(), effort.deep)?);
        }
    }
    context.step(steps, steps)?;
    Ok(cases)
}

fn play(context: &Context<'_>, subjects: [&Subject; 2], games: Games) -> Result<Pentanomial, Unfinished> {
    games_until_clear(context, subjects, games.nodes, games.batch, games.most)
}

fn findings(context: &Context<'_>, effort: &Effort, cases: &[Case]) -> Findings {
    let mut findings = Findings { conditions: vec!["component", "usually"], ..Findings::default() };
    for case in cases {
        let mut row = |quantity: &str, value: f64| {
            findings.row(quantity, &[&case.component, &case.usual], None, value, Tolerance::Any);
        };
        if let [Some(with), Some(without)] = &case.nodes {
            row("nodes", ratio(with, without));
        }
        for (name, summary) in ["with", "without"].iter().zip(&case.solved) {
            if let Some(summary) = summary {
                row(&format!("solved {name}"), summary.solved as f64);
                summary.median_nodes.inspect(|nodes| row(&format!("median {name}"), *nodes as f64));
            }
        }
        for (name, pairs) in [("nodes", Some(case.games)), ("deep", case.deep)] {
            if let Some(pairs) = pairs.filter(|pairs| pairs.pairs() > 0) {
                let elo = pairs.elo();
                row(&format!("Elo ({name})"), elo.value);
                if elo.error().is_finite() {
                    row(&format!("± ({name})"), elo.error());
                }
            }
        }
    }
    let elo = |pairs: &dyn Fn(&Case) -> Option<Pentanomial>| {
        let of = |(number, case)| pairs(case).map(|pairs: Pentanomial| (number as f64, pairs.elo().value));
        cases.iter().enumerate().filter_map(of).collect::<Vec<_>>()
    };
    findings.plot(Plot {
        name: "elo".into(),
        title: "Elo of each component, in the order of the table".into(),
        x: "component".into(),
        y: "Elo".into(),
        scale: Scale::Linear,
        series: vec![
            Series::new(format!("{} nodes", effort.games.nodes), elo(&|case| Some(case.games))),
            Series::new(format!("{} nodes", effort.deep.nodes), elo(&|case| case.deep)),
        ],
    });
    let positions = positions().count();
    let Effort { depth, nodes, games, deep } = effort;
    findings.notes = vec![
        format!(
            "Components are switched in the recipe `{REFERENCE}`; what cannot be left out is compared with \
             what usually stands in its place, in the recipe `bare`, for `SingleBound` with a table that \
             keeps and answers as it does. {MIB} MiB, one thread."
        ),
        format!(
            "*nodes*: to {depth} plies with the component, over without it, geometric mean over {positions} \
             positions; these are other trees where the component changes what a ply is or leaves moves out. \
             *Elo*: with the component over without it, half of the 95 % interval beside it, at {} nodes a \
             move (*nodes*) and, for what prunes, reduces or extends, at {} (*deep*); built-in openings, \
             seed 1. Batches of {} and {} pairs are played until the difference is 2.5 standard deviations, \
             up to {} and {} pairs. The intervals do not allow for this, so that differences that were \
             clear early are somewhat too large; of so many intervals some leave out the truth by chance.",
            games.nodes, deep.nodes, games.batch, deep.batch, games.most, deep.most
        ),
        match context.exercises.len() {
            0 => "No exercises: name a suite with --suite.".into(),
            count => format!(
                "*solved*: of {count} exercises, {nodes} nodes each; \
                 *median*: nodes to solution of those that were solved."
            ),
        },
    ];
    findings
}

/// Returns the geometric mean of the ratios.
fn ratio(with: &[u64], without: &[u64]) -> f64 {
    let logarithms = with.iter().zip(without).map(|(with, without)| (*with as f64 / *without as f64).ln());
    (logarithms.sum::<f64>() / with.len().max(1) as f64).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_ratio_is_a_geometric_mean() {
        assert!((ratio(&[2, 8], &[1, 1]) - 4.0).abs() < 1e-12);
        assert!((ratio(&[5], &[10]) - 0.5).abs() < 1e-12);
    }

    /// Tests one component with little effort: ordering by exchanges saves nodes.
    #[test]
    fn an_order_saves_nodes() {
        let stop = AtomicBool::new(false);
        let epd = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"mate\";\n";
        let (exercises, broken) = suite::read("x.epd", epd.as_bytes());
        assert!(broken.is_empty());
        let only = ["NoisyFirst".to_string()];
        let context = Context { exercises: &exercises, only: &only, ..Context::new(true, &|_, _| {}, &stop) };
        let games = Games { nodes: 20, ..QUICK.games };
        let effort = Effort { depth: 3, nodes: 500, games, ..QUICK };
        let cases = measure(&context, &effort).expect("measured");
        let findings = findings(&context, &effort, &cases);
        let value =
            |quantity: &str| findings.rows.iter().find(|row| row.quantity == quantity).expect("a row").ours;
        assert!(value("nodes") < 1.0);
        assert_eq!(value("solved with"), 1.0);
        assert!(!value("Elo (nodes)").is_nan());
        assert!(findings.rows.iter().all(|row| row.conditions == ["NoisyFirst", "on"]));
    }
}
