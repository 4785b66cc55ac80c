//! What two depths are worth if counting options costs nothing.

use super::measure::{MIB, Subject, games_until};
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::statistics::Pentanomial;

/// Two depths with options counted by searches that are not paid for, against one depth.
pub static ORACLE: Experiment = Experiment {
    id: "oracle",
    claim: "The depth of a plan, which grows more slowly where the plan has few options, is a better depth \
            to search to than one in plies, if options are counted well: at no cost, by searches",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§6, and §11, Empirical Results, which is empty",
    cases: Some(|| PACES.iter().map(|pace| pace.name).collect()),
    run,
};

/// One depth, and otherwise the same components.
const REFERENCE: &str = "lab";

/// What S is, with the settings of the program. Where so many options are found, S is 1 whatever the others
/// are.
const SAFETIES: [(&str, &str); 2] = [
    ("½, 1", "Abc.floor=50,Abc.branching=1,Abc.gamma=100,FreeSearches.enough=2"),
    ("½, ½, ½, ¾, 1", "Abc.floor=50,Abc.branching=4,Abc.gamma=100,FreeSearches.enough=5"),
];

/// How much less than the value an option may be worth.
const MARGINS: [i32; 3] = [25, 50, 100];

/// Games at a number of nodes for each move.
struct Pace {
    name: &'static str,
    nodes: u64,
    pairs: u64,
    /// The pairs that are kept together.
    batch: u64,
}

const PACES: [Pace; 3] = [
    Pace { name: "5k", nodes: 5_000, pairs: 500, batch: 50 },
    Pace { name: "50k", nodes: 50_000, pairs: 200, batch: 10 },
    Pace { name: "500k", nodes: 500_000, pairs: 50, batch: 1 },
];
const QUICK: Pace = Pace { name: "200", nodes: 200, pairs: 1, batch: 1 };

/// How many times the nodes of a move the searches that count the options of one node may take.
const MOST: u64 = 10;

struct Case {
    safety: &'static str,
    margin: i32,
    pace: &'static Pace,
    games: Pentanomial,
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let paces: Vec<&Pace> = PACES.iter().filter(|pace| context.wants(pace.name)).collect();
    let paces = if context.quick { vec![&QUICK] } else { paces };
    let reference = Subject::new(context, REFERENCE.parse().expect("a player of this file's own"))?;
    let mut cases = Vec::new();
    let steps = paces.len() * MARGINS.len() * SAFETIES.len();
    for pace in paces {
        for (safety, settings) in SAFETIES {
            for margin in MARGINS {
                context.step(cases.len(), steps)?;
                let most = (MOST * pace.nodes).div_ceil(1000);
                let player = format!("lab-oracle,{settings},Abc.delta={margin},FreeSearches.most={most}");
                let subject = Subject::new(context, player.parse().expect("a player of this file's own"))?;
                let subjects = [&subject, &reference];
                let Pace { nodes, batch, pairs, .. } = *pace;
                let games = games_until(context, subjects, nodes, batch, pairs, |_| false)?;
                cases.push(Case { safety, margin, pace, games });
            }
        }
    }
    context.step(steps, steps)?;
    Ok(findings(&cases))
}

fn findings(cases: &[Case]) -> Findings {
    let conditions = vec!["S of 0, 1, … options", "δ", "nodes a move"];
    let mut findings = Findings { conditions, ..Findings::default() };
    for case in cases {
        let nodes = case.pace.name;
        let mut row = |quantity: &str, value: f64| {
            findings.row(quantity, &[&case.safety, &case.margin, &nodes], None, value, Tolerance::Any);
        };
        let elo = case.games.elo();
        row("games", 2.0 * case.games.pairs() as f64);
        row("Elo", elo.value);
        if elo.error().is_finite() {
            row("±", elo.error());
        }
    }
    findings.notes = vec![format!(
        "`lab-oracle` against `{REFERENCE}`: the same selective components, singular extensions among them, \
         and with S = 1 the same tree, node for node. A move is also a ply of the other side's plan (c = 1). \
         Where a node owes two plies or more, each of its moves is searched by the playing recipe to three \
         plies less than the node owes, with a table and histories of its own, and is an option if it is \
         worth more than the value to be held less δ; elsewhere options are counted by static values. These \
         searches cost neither nodes nor time, but end after {MOST} times the nodes of a move, and then \
         every move not yet searched is an option. *Elo*: half of the 95 % interval beside it; built-in \
         openings, seed 1, {MIB} MiB."
    )];
    findings
}
