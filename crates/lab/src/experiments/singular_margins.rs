//! Compares singular extensions, as printed and as in current programs, with one depth and with two, and
//! conspiracy depth, on the same positions.

use super::measure::{MIB, Still, Subject, games, positions};
use crate::experiment::{Context, Experiment, Findings, Input, Tolerance, Unfinished};
use crate::statistics::Pentanomial;
use crate::suite::Summary;
use crate::{Budget, Player};
use cassius_search::Request;
use serde::{Deserialize, Serialize};

/// Tests McAllester & Yuret's explanation why singular extensions need another margin on the principal
/// variation.
pub static SINGULAR_MARGINS: Experiment = Experiment {
    id: "singular-margins",
    claim: "Singular extensions need a margin of their own on the principal variation because they have one \
            depth where two are needed; with two depths, where only the side without a choice gets the \
            extension, they do not",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§9.3",
    cases: Some(|| FORMS.iter().map(|(name, _)| *name).collect()),
    uses: &[Input::Exercises, Input::Kept],
    run,
};

/// One depth for both plans, and a depth for each: an extension goes to the side without a choice, or to
/// both.
const FORMS: [(&str, &str); 3] = [
    ("one depth", "lab,-Singular"),
    ("two depths", "lab-coupled,Coupled.share=0,-Singular"),
    ("two depths, extended alike", "lab-coupled,-Singular"),
];

/// δ where a node fails high, and the margins tried on the principal variation: smaller, equal, larger,
/// and one that is never missed.
const MARGIN: i32 = 50;
const PV_MARGINS: [i32; 6] = [10, 25, 50, 100, 200, 1000];

/// The amount of work.
struct Effort {
    /// The node limit of a position whose search is observed.
    watched: u64,
    /// The node limit of an exercise.
    nodes: u64,
    /// The pairs of games, and the nodes for each move.
    pairs: u64,
    pace: u64,
}

const QUICK: Effort = Effort { watched: 1_000, nodes: 1_000, pairs: 1, pace: 100 };
const FULL: Effort = Effort { watched: 50_000, nodes: 20_000, pairs: 100, pace: 2_000 };

/// Sums of observations of the searches of the built-in positions.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Watch {
    searches: u64,
    iterations: u64,
    longest: u64,
}

struct Case {
    form: &'static str,
    extension: &'static str,
    /// The margin on the principal variation, if the extension has a separate one.
    pv_margin: Option<i32>,
    watch: Option<Watch>,
    solved: Option<Summary>,
    /// Games against the same form without extensions.
    games: Option<Pentanomial>,
}

/// Returns the players of a form: the name of the extension, its margin on the principal variation, and
/// the settings of the program.
fn players(form: &str) -> Vec<(&'static str, Option<i32>, String)> {
    let mut players =
        vec![("none", None, form.to_string()), ("modern", None, format!("{form},Singular.on=1"))];
    for margin in PV_MARGINS {
        let printed = format!(
            "{form},+FailHighSingular,FailHighSingular.margin={MARGIN},FailHighSingular.pv_margin={margin}"
        );
        players.push(("as printed", Some(margin), printed));
    }
    players
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let effort = if context.quick { &QUICK } else { &FULL };
    let wanted: Vec<_> = FORMS.iter().filter(|(name, _)| context.wants(name)).collect();
    let mut all: Vec<_> = wanted
        .iter()
        .flat_map(|(name, form)| {
            players(form)
                .into_iter()
                .map(move |(extension, margin, player)| (*name, extension, margin, player))
        })
        .collect();
    // A depth rule that needs no extension: a forced move adds nothing to the plan.
    if !wanted.is_empty() {
        all.push(("conspiracy", "none", None, "lab-abc,-Singular".into()));
        all.push(("conspiracy", "none, nor anything selective", None, "abc".into()));
        all.push(("conspiracy", "the same, as printed", None, "abc-paper".into()));
    }
    if context.quick {
        all.retain(|(_, _, margin, _)| margin.is_none_or(|margin| margin <= 2 * MARGIN));
    }
    let steps = all.len();
    let mut cases = Vec::new();
    // The first player of each form has no extensions.
    let mut reference: Option<Subject> = None;
    for (done, (form, extension, pv_margin, player)) in all.into_iter().enumerate() {
        context.step(done, steps)?;
        let subject = Subject::new(context, player.parse().expect("a player of this file's own"))?;
        if extension == "none" {
            reference = Some(subject.clone());
        }
        let key = format!("{subject}: iterations in {} nodes, {MIB} MiB", effort.watched);
        let watch = context.once(&key, || watch(context, effort.watched, &subject.player))?;
        let solved = subject.solves(context, effort.nodes)?;
        let budget = Budget { nodes: Some(effort.pace), ..Budget::default() };
        let games = match &reference {
            Some(reference) if extension != "none" => {
                games(context, [&subject, reference], budget, effort.pairs)?
            }
            _ => None,
        };
        cases.push(Case { form, extension, pv_margin, watch, solved, games });
    }
    context.step(steps, steps)?;
    Ok(findings(context, effort, &cases))
}

fn watch(context: &Context<'_>, nodes: u64, player: &Player) -> Result<Watch, Unfinished> {
    let mut engine = player.engine(MIB, 1)?;
    let mut watch = Watch::default();
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    for position in positions() {
        engine.forget();
        let (mut iteration, mut longest) = (0, 0);
        let limits = budget.limits(&Still, context.stop);
        engine.search(&Request::new(&position, &limits), &mut |report| {
            (iteration, longest) = (report.iteration, report.max_ply);
        });
        context.go_on()?;
        watch.searches += 1;
        watch.iterations += iteration as u64;
        watch.longest += longest as u64;
    }
    Ok(watch)
}

fn findings(context: &Context<'_>, effort: &Effort, cases: &[Case]) -> Findings {
    let conditions = vec!["depths", "extension", "δ on the PV"];
    let mut findings = Findings { conditions, ..Findings::default() };
    for case in cases {
        let margin = case.pv_margin.map_or("–".to_string(), |margin| margin.to_string());
        let mut row = |quantity: &str, value: f64| {
            findings.row(quantity, &[&case.form, &case.extension, &margin], None, value, Tolerance::Any);
        };
        if let Some(Watch { searches, iterations, longest }) = case.watch {
            let mean = |sum: u64| sum as f64 / searches as f64;
            row("iterations", mean(iterations));
            row("longest line", mean(longest));
        }
        if let Some(summary) = &case.solved {
            row("solved", summary.solved as f64);
        }
        if let Some(pairs) = case.games {
            let elo = pairs.elo();
            row("Elo", elo.value);
            if elo.error().is_finite() {
                row("±", elo.error());
            }
        }
    }
    let Effort { watched, nodes, pairs, pace } = effort;
    findings.notes = vec![
        format!(
            "*modern*: `Singular`, the remembered move against its stored bound, before it is searched. *as \
             printed*: `FailHighSingular`, δ = {MARGIN} where a node fails high, r = 2 plies, one ply of \
             extension. *one depth*: `lab`; *two depths*: `lab-coupled` with `Coupled.share` 0, the \
             extension goes to the side without a choice; *extended alike*: both plans get it. \
             *conspiracy*: `lab-abc`, which needs no extension, and `abc` and `abc-paper`, which have \
             nothing selective."
        ),
        "If the explanation holds, the best δ on the principal variation \
         is far from the other one with one depth, and close to it with two."
            .into(),
        format!(
            "*iterations*, *longest line* (plies): means of {} searches of {watched} nodes. *Elo*: against \
             the same depths without extensions, {pairs} pairs at {pace} nodes a move, half of the 95 % \
             interval beside it; built-in openings, seed 1, {MIB} MiB.",
            positions().count()
        ),
        match context.exercises.len() {
            0 => "No exercises: name a suite with --suite.".into(),
            count => format!("*solved*: of {count} exercises, {nodes} nodes each."),
        },
    ];
    findings
}
