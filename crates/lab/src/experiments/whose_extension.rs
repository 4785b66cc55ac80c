//! Whose plan has to be searched deeper where one move is much better than all others?

use super::measure::{MIB, Subject, games_until};
use crate::Budget;
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::plot::Bars;
use crate::statistics::Pentanomial;

/// Extensions for one plan, for the other, and for both.
pub static WHOSE_EXTENSION: Experiment = Experiment {
    id: "whose-extension",
    claim: "A forced move makes only the plan of the side that is forced less safe; so only that plan is to \
            be searched deeper",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§1, §9.3, §12",
    cases: None,
    uses: &[Input::Kept],
    run,
};

/// Singular extensions for both plans.
const REFERENCE: &str = "lab-coupled";

/// Who gets them instead, and who gets them of the opponent.
const ARMS: [(&str, &str, &str); 5] = [
    ("nobody", "lab-coupled,-Singular", REFERENCE),
    ("both, half of it each", "lab-coupled,Coupled.own=50,Coupled.share=50", REFERENCE),
    ("the side that has the move", OWN, REFERENCE),
    ("the other side", OTHER, REFERENCE),
    ("the side that has the move, against the other side", OWN, OTHER),
];
const OWN: &str = "lab-coupled,Coupled.share=0";
const OTHER: &str = "lab-coupled,Coupled.own=0";

struct Pace {
    nodes: u64,
    pairs: u64,
    /// The pairs that are kept together.
    batch: u64,
}

const PACE: Pace = Pace { nodes: 10_000, pairs: 500, batch: 50 };
const QUICK: Pace = Pace { nodes: 200, pairs: 1, batch: 1 };

struct Case {
    arm: &'static str,
    nodes: u64,
    games: Pentanomial,
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let subject = |player: &str| Subject::new(context, player.parse().expect("a player of this file's own"));
    let Pace { nodes, pairs, batch } = if context.quick { QUICK } else { PACE };
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let mut cases = Vec::new();
    for (arm, player, opponent) in ARMS {
        context.step(cases.len(), ARMS.len())?;
        let subjects = [&subject(player)?, &subject(opponent)?];
        let games = games_until(context, subjects, budget, batch, pairs, |_| false)?;
        cases.push(Case { arm, nodes, games });
    }
    context.step(ARMS.len(), ARMS.len())?;
    cases.retain(|case| case.games.pairs() > 0);
    Ok(findings(&cases))
}

fn findings(cases: &[Case]) -> Findings {
    let conditions = vec!["the extension goes to", "nodes a move"];
    let mut findings = Findings { conditions, ..Findings::default() };
    for Case { arm, nodes, games } in cases {
        let mut row = |quantity: &str, value: f64| {
            findings.row(quantity, &[arm, nodes], None, value, Tolerance::Any);
        };
        let elo = games.elo();
        row("games", 2.0 * games.pairs() as f64);
        row("Elo", elo.value);
        if elo.error().is_finite() {
            row("±", elo.error());
        }
    }
    findings.plot(Bars {
        name: "elo".into(),
        title: "Extensions for one plan, against those for both".into(),
        x: "Elo, 95 % interval".into(),
        from: 0.0,
        bars: cases.iter().map(|case| (case.arm.to_string(), case.games.elo())).collect(),
    });
    findings.notes = vec![format!(
        "*Elo* against `{REFERENCE}`, whose singular extensions go to both plans, in the last row against \
         `{OTHER}`; half of the 95 % interval beside it. Singular extensions are looked for where a node \
         owes seven plies or more. Depths are coupled (c = 1) and S is less than 1 in check only, so that \
         the extension is what the players differ in. With half of it for each, both plans together get as \
         much as with one ply for one of them. Where only one plan gets it, the other owes less, and a \
         value that suits the other is accepted sooner. {}. Built-in openings, seed 1, {MIB} MiB.",
        ARMS.map(|(arm, player, _)| format!("*{arm}*: `{player}`"))[..4].join("; ")
    )];
    findings
}
