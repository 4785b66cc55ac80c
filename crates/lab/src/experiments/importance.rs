//! Compares criteria for deeper search: a doubtful evaluation, nearness to the principal variation, and
//! small conspiracies.

use super::measure::{MIB, Subject, games};
use crate::Budget;
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use crate::statistics::Pentanomial;
use crate::suite::Summary;

/// The comparison that the notes ask for but do not make.
pub static IMPORTANCE: Experiment = Experiment {
    id: "importance",
    claim: "Accuracy and importance can be combined in three ways: extend where the evaluation is inaccurate \
            and leave importance to alpha-beta; extend on or near the principal variation; or search the \
            positions that would have to change to change the move",
    paper: "D. Eppstein: Which Nodes to Search? Full-width vs. Selective Search, lecture notes, 1999",
    section: "How to combine accuracy with importance",
    cases: Some(|| WAYS.iter().map(|way| way.name).collect()),
    uses: &[Input::Exercises, Input::Kept],
    run,
};

/// A criterion for deeper search.
struct Way {
    name: &'static str,
    /// Which of the three criteria of the notes it belongs to.
    kind: &'static str,
    player: &'static str,
}

/// The criteria. All but the last share one skeleton, evaluation, order and pruning, and have no other
/// extension. The first is the reference.
const WAYS: [Way; 8] = [
    Way { name: "neither", kind: "", player: "lab,-Singular" },
    Way { name: "evaluator-asks", kind: "1, accuracy", player: "lab,-Singular,+EvaluatorAsks" },
    Way { name: "interesting-moves", kind: "1, accuracy", player: "lab,-Singular,+Interest" },
    Way { name: "near-pv", kind: "2, importance", player: "lab,-Singular,+NearPv" },
    Way { name: "singular", kind: "2, importance", player: "lab" },
    Way { name: "both", kind: "1 and 2", player: "lab,-Singular,+EvaluatorAsks,+NearPv" },
    Way { name: "coupled", kind: "3, conspiracy", player: "lab-coupled,-Singular" },
    Way { name: "cns", kind: "3, conspiracy", player: "cns" },
];

/// The amount of work.
struct Effort {
    /// The node limits of an exercise.
    budgets: &'static [u64],
    /// The nodes for each move, and the pairs of games against the first criterion.
    pace: u64,
    pairs: u64,
}

const QUICK: Effort = Effort { budgets: &[1_000], pace: 100, pairs: 1 };
const FULL: Effort = Effort { budgets: &[10_000, 50_000, 250_000], pace: 10_000, pairs: 100 };

/// The measurements of a criterion.
struct Case {
    way: &'static Way,
    solved: Vec<Option<Summary>>,
    games: Option<Pentanomial>,
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let effort = if context.quick { &QUICK } else { &FULL };
    Ok(findings(context, effort, &measure(context, effort)?))
}

/// Measures all cases, exercises before games.
fn measure(context: &Context<'_>, effort: &Effort) -> Result<Vec<Case>, Unfinished> {
    let subject = |player: &str| Subject::new(context, player.parse().expect("a player of this file's own"));
    let reference = subject(WAYS[0].player)?;
    let ways: Vec<&'static Way> = WAYS.iter().filter(|way| context.wants(way.name)).collect();
    let steps = 2 * ways.len();
    let mut cases = Vec::new();
    for (done, way) in ways.into_iter().enumerate() {
        context.step(done, steps)?;
        let subject = subject(way.player)?;
        let solved =
            effort.budgets.iter().map(|nodes| subject.solves(context, *nodes)).collect::<Result<_, _>>()?;
        cases.push((subject, Case { way, solved, games: None }));
    }
    let count = cases.len();
    for (done, (subject, case)) in cases.iter_mut().enumerate() {
        context.step(count + done, steps)?;
        if subject.player != reference.player {
            let budget = Budget { nodes: Some(effort.pace), ..Budget::default() };
            case.games = games(context, [subject, &reference], budget, effort.pairs)?;
        }
    }
    context.step(steps, steps)?;
    Ok(cases.into_iter().map(|(_, case)| case).collect())
}

fn findings(context: &Context<'_>, effort: &Effort, cases: &[Case]) -> Findings {
    let mut findings = Findings { conditions: vec!["way", "of the notes", "limit"], ..Findings::default() };
    for Case { way, solved, games } in cases {
        let mut row = |quantity: &str, nodes: u64, value: f64| {
            let conditions: [&dyn std::fmt::Display; 3] = [&way.name, &way.kind, &format!("{nodes} nodes")];
            findings.row(quantity, &conditions, None, value, Tolerance::Any);
        };
        for (nodes, summary) in effort.budgets.iter().zip(solved) {
            if let Some(summary) = summary {
                row("solved", *nodes, summary.solved as f64);
            }
        }
        if let Some(pairs) = games {
            let elo = pairs.elo();
            row("Elo", effort.pace, elo.value);
            if elo.error().is_finite() {
                row("±", effort.pace, elo.error());
            }
        }
    }
    let points = |case: &Case| {
        let of = |(nodes, summary): (&u64, &Option<Summary>)| {
            Some((*nodes as f64, summary.as_ref()?.solved as f64))
        };
        effort.budgets.iter().zip(&case.solved).filter_map(of).collect::<Vec<_>>()
    };
    findings.plot(Plot {
        name: "solved".into(),
        title: "Exercises solved by nodes".into(),
        x: "nodes".into(),
        y: "solved".into(),
        scale: Scale::Logarithmic,
        series: cases.iter().map(|case| Series::new(case.way.name, points(case))).collect(),
    });
    let players = WAYS.iter().map(|way| format!("{} is `{}`", way.name, way.player));
    let exercises = match context.exercises.len() {
        0 => "No exercises: name a suite with --suite.".into(),
        count => format!("*solved*: of {count} exercises."),
    };
    findings.notes = vec![
        format!(
            "{}. {MIB} MiB, one thread; everything with the prices that it \
             is declared with, none tuned. A node of `cns` is one of its tree.",
            players.collect::<Vec<_>>().join(", ")
        ),
        format!(
            "{exercises} *Elo* against `{}`, half of the 95 % interval beside it: \
             {} pairs at {} nodes a move, built-in openings, seed 1; -inf: every game was lost.",
            WAYS[0].player, effort.pairs, effort.pace
        ),
    ];
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite;
    use std::sync::atomic::AtomicBool;

    /// Every criterion is a separate player, and one table contains them all.
    #[test]
    fn every_way_is_measured() {
        let epd = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"mate\";\n";
        let (exercises, broken) = suite::read("x.epd", epd.as_bytes());
        assert!(broken.is_empty());
        let stop = AtomicBool::new(false);
        let context = Context { exercises: &exercises, ..Context::new(true, &|_, _| {}, &stop) };
        let effort = Effort { budgets: &[500], pace: 20, pairs: 1 };
        let cases = measure(&context, &effort).expect("measured");
        let findings = findings(&context, &effort, &cases);
        for way in &WAYS {
            let of = |quantity: &str| {
                let row = findings
                    .rows
                    .iter()
                    .find(|row| row.quantity == quantity && row.conditions[0] == way.name);
                row.map(|row| row.ours)
            };
            assert_eq!(of("solved"), Some(1.0), "{}", way.name);
            assert_eq!(of("Elo").is_some(), way.name != "neither", "{}", way.name);
        }
    }

    /// No two criteria search the same trees.
    #[test]
    fn every_way_is_another() {
        let stop = AtomicBool::new(false);
        let context = Context::new(false, &|_, _| {}, &stop);
        let mut seen = std::collections::HashSet::new();
        for way in &WAYS {
            let subject = Subject::new(&context, way.player.parse().expect("a player")).expect("a recipe");
            let said = subject.to_string();
            assert!(seen.insert(said.rsplit('(').next().map(String::from)), "{}", way.name);
        }
    }
}
