//! What two depths are worth if counting options costs nothing.

use super::measure::{MIB, Subject, games_until};
use crate::Budget;
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
    /// Whether two depths are also compared with one depth that has the same S.
    same: bool,
}

const PACES: [Pace; 3] = [
    Pace { name: "5k", nodes: 5_000, pairs: 500, batch: 50, same: true },
    Pace { name: "50k", nodes: 50_000, pairs: 200, batch: 10, same: false },
    Pace { name: "500k", nodes: 500_000, pairs: 50, batch: 1, same: false },
];
const QUICK: Pace = Pace { name: "200", nodes: 200, pairs: 1, batch: 1, same: true };

/// One depth with the same S, which counts for both plans.
const ONE_DEPTH: &str = "Abc.one_depth=1";

/// How many times the nodes of a move the searches that count the options of one node may take.
const MOST: u64 = 10;

struct Case {
    against: &'static str,
    safety: &'static str,
    margin: i32,
    pace: &'static Pace,
    games: Pentanomial,
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let paces: Vec<&Pace> = PACES.iter().filter(|pace| context.wants(pace.name)).collect();
    let paces = if context.quick { vec![&QUICK] } else { paces };
    let subject = |player: &str| Subject::new(context, player.parse().expect("a player of this file's own"));
    let reference = subject(REFERENCE)?;
    let plan = paces.into_iter().flat_map(|pace| {
        let cells = SAFETIES.iter().map(|safety| ("one depth, S = 1", safety));
        let same = SAFETIES[..1].iter().filter(|_| pace.same).map(|safety| ("one depth, the same S", safety));
        cells
            .chain(same)
            .flat_map(move |(against, safety)| MARGINS.map(|margin| (pace, against, safety, margin)))
    });
    let plan: Vec<_> = plan.collect();
    let mut cases = Vec::new();
    for (done, (pace, against, (safety, settings), margin)) in plan.iter().copied().enumerate() {
        context.step(done, plan.len())?;
        let most = (MOST * pace.nodes).div_ceil(1000);
        let player = format!("lab-oracle,{settings},Abc.delta={margin},FreeSearches.most={most}");
        let opponent = match against {
            "one depth, S = 1" => reference.clone(),
            _ => subject(&format!("{player},{ONE_DEPTH}"))?,
        };
        let subjects = [&subject(&player)?, &opponent];
        let budget = Budget { nodes: Some(pace.nodes), ..Budget::default() };
        let games = games_until(context, subjects, budget, pace.batch, pace.pairs, |_| false)?;
        cases.push(Case { against, safety, margin, pace, games });
    }
    context.step(plan.len(), plan.len())?;
    Ok(findings(&cases))
}

fn findings(cases: &[Case]) -> Findings {
    let conditions = vec!["against", "S of 0, 1, … options", "δ", "nodes a move"];
    let mut findings = Findings { conditions, ..Findings::default() };
    for case in cases.iter().filter(|case| case.games.pairs() > 0) {
        let nodes = case.pace.name;
        let mut row = |quantity: &str, value: f64| {
            findings.row(
                quantity,
                &[&case.against, &case.safety, &case.margin, &nodes],
                None,
                value,
                Tolerance::Any,
            );
        };
        let elo = case.games.elo();
        row("games", 2.0 * case.games.pairs() as f64);
        row("Elo", elo.value);
        if elo.error().is_finite() {
            row("±", elo.error());
        }
    }
    findings.notes = vec![format!(
        "`lab-oracle` against `{REFERENCE}`: the same selective components, singular extensions among \
         them, and with S = 1 the same tree, node for node. A move is also a ply of the other side's plan \
         (c = 1). Where a node owes two plies or more, each of its moves is searched by the playing \
         recipe to three plies less than the node owes, with a table and histories of its own, and is an \
         option if it is worth more than the value to be held less δ; elsewhere options are counted by \
         static values. These searches cost neither nodes nor time, but end after {MOST} times the nodes \
         of a move, and then every move not yet searched is an option. *one depth, the same S*, for the \
         first S and the fewest nodes only: the same player, but S counts for both plans, except where a \
         fail low is expected; there a move is a ply of both. *Elo*: half of the 95 % interval beside it; \
         built-in openings, seed 1, {MIB} MiB."
    )];
    findings
}
