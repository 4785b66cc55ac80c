//! Tests whether a value changes sooner if fewer leaves suffice to change it: conspiracy numbers of
//! ordinary alpha-beta trees.

use super::full_width::{FullWidth, Until};
use crate::experiment::{Context, Experiment, Findings, Interrupted, Tolerance, Unfinished};
use crate::plot::Bars;
use crate::prediction::{Bootstrap, Observation, RIDGE, auc_difference, auc_interval, folds};
use crate::statistics::Estimate;
use cassius_chess::{Evaluator, Position, openings};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::order::{Killers, NoisyFirst};
use cassius_search::alpha_beta::quiescence::Captures;
use cassius_search::plans::strategy::{Conspirators, Side};
use cassius_search::plans::{RootStability, Stability};
use cassius_search::{Game as _, Off, Request, Score, Slots, search};

/// The original purpose of conspiracy numbers.
pub static STABILITY: Experiment = Experiment {
    id: "stability",
    claim: "A value that few leaves can change is likely to change when it is searched deeper",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§2: C< and C> say how safe a value is",
    cases: None,
    uses: &[],
    run,
};

/// The amount of work.
struct Effort {
    positions: usize,
    plies: usize,
}

const QUICK: Effort = Effort { positions: 25, plies: 5 };
const FULL: Effort = Effort { positions: 600, plies: 6 };

/// δ, in centipawns.
const MARGIN: Score = Score(50);
/// The number of iterations after which a plan is checked for being broken.
const LATER: usize = 2;

/// The searches use whole windows, so that all values are exact and none is a bound cut off by a window.
type Watched = FullWidth<Evaluator, Plies, Captures, (NoisyFirst, Killers), Repetition, Stability>;

/// Returns a position some plies after a built-in opening. Each side plays the best move of a search two
/// plies deep.
pub(super) fn position(number: usize, limits: &Until<'_>) -> Result<Position, Interrupted> {
    let openings = openings::builtin();
    let mut position = openings[number % openings.len()].position();
    for _ in 0..number % 41 {
        let mut slots: Slots<Position, Watched> = Slots::new(Evaluator::new(), Off, Off);
        let answer = search(&mut slots, &Request::new(&position, limits).to_iteration(2), &mut |_| {});
        match answer.best() {
            _ if !answer.complete => return Err(Interrupted),
            Some(best) => position.play(best),
            None => break,
        }
    }
    Ok(position)
}

/// Returns the searches of the root except the first, iteration by iteration.
fn watch(position: &Position, plies: usize, limits: &Until<'_>) -> Result<Vec<RootStability>, Interrupted> {
    let mut slots: Slots<Position, Watched> = Slots::new(Evaluator::new(), Off, Off);
    slots.observe.margin = MARGIN;
    let answer = search(&mut slots, &Request::new(position, limits).to_iteration(plies), &mut |_| {});
    if answer.complete { Ok(slots.observe.roots) } else { Err(Interrupted) }
}

/// One side's plan to hold the value of the previous iteration, as seen by an iteration that has not
/// broken it.
struct Plan {
    /// The number of the position.
    position: usize,
    conspirators: Conspirators,
    /// The distance of the value from the limit at which the plan is broken, in centipawns.
    distance: f64,
    /// Whether the plan is broken [`LATER`] iterations later.
    breaks: bool,
}

fn plans(number: usize, roots: &[RootStability]) -> impl Iterator<Item = Plan> {
    roots.iter().zip(roots.iter().skip(LATER)).flat_map(move |(root, later)| {
        let of = move |(side, conspirators): (Side, Conspirators)| {
            let limit = side.limit(root.around, MARGIN);
            let distance = f64::from((root.value.0 - limit.0).abs());
            let breaks = side.fails(later.value, limit);
            let stands = conspirators != Conspirators::Leaves(0);
            stands.then_some(Plan { position: number, conspirators, distance, breaks })
        };
        [(Side::Max, root.lower), (Side::Min, root.upper)].into_iter().filter_map(of)
    })
}

/// The number of folds: the model of both measures is fitted to all but one and tested on that one.
const FOLDS: usize = 10;

/// Classes of the number of conspirators, with the smallest number of each.
const CLASSES: [(&str, usize); 6] =
    [("1", 1), ("2", 2), ("3 to 4", 3), ("5 to 9", 5), ("10 to 29", 10), ("30 and more", 30)];

/// More leaves than any tree here has.
const NEVER: usize = 1 << 40;

/// Returns the number of conspirators.
fn count(conspirators: Conspirators) -> usize {
    match conspirators {
        Conspirators::Leaves(leaves) => leaves,
        Conspirators::Never => NEVER,
    }
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let Effort { positions, plies } = if context.quick { QUICK } else { FULL };
    let limits = Until::stopped(context.stop);
    let mut all = Vec::new();
    for number in 0..positions {
        context.step(number, positions)?;
        let position = position(number, &limits)?;
        all.extend(plans(number, &watch(&position, plies, &limits)?));
    }
    context.step(positions, positions)?;

    let mut findings = Findings { conditions: vec!["conspirators"], ..Findings::default() };
    let mut row = |quantity: &str, of: &str, value: f64| {
        findings.row(quantity, &[&of], None, value, Tolerance::Any);
    };
    let mut points = Vec::new();
    for (index, (name, least)) in CLASSES.into_iter().enumerate() {
        let below = CLASSES.get(index + 1).map_or(usize::MAX, |next| next.1);
        let class = |plan: &&Plan| (least..below).contains(&count(plan.conspirators));
        let (trials, broken) = all
            .iter()
            .filter(class)
            .fold((0, 0), |(trials, broken), plan| (trials + 1, broken + usize::from(plan.breaks)));
        let share = Estimate::of_share(broken, trials);
        row("plans", name, trials as f64);
        if trials > 0 {
            row("broken %", name, 100.0 * share.value);
            row("from", name, 100.0 * share.low);
            row("to", name, 100.0 * share.high);
            points.push((name.to_string(), share));
        }
    }
    let observations: Vec<Observation> = all
        .iter()
        .map(|plan| {
            let features = vec![plan.distance, (count(plan.conspirators) as f64).ln()];
            Observation { features, error: plan.breaks, group: plan.position }
        })
        .collect();
    let fewer: Vec<f64> = all.iter().map(|plan| -(count(plan.conspirators) as f64)).collect();
    let nearer: Vec<f64> = all.iter().map(|plan| -plan.distance).collect();
    let bootstrap = Bootstrap::default();
    let areas = [
        ("all: fewer conspirators", auc_interval(&observations, &fewer, &bootstrap)),
        ("all: value nearer to the limit", auc_interval(&observations, &nearer, &bootstrap)),
        ("all: gain of the first", auc_difference(&observations, &fewer, &nearer, &bootstrap)),
    ];
    let both = folds::out_of_fold(&observations, FOLDS, RIDGE, 1);
    let with_both = both.and_then(|both| {
        let alone = auc_interval(&observations, &both, &bootstrap)?;
        let gain = auc_difference(&observations, &both, &nearer, &bootstrap)?;
        Ok([("all: model of both", alone), ("all: gain of the model over the value", gain)])
    });
    let alone = areas.into_iter().filter_map(|(of, area)| Some((of, area.ok()?)));
    for (of, area) in alone.chain(with_both.into_iter().flatten()) {
        row("AUC %", of, 100.0 * area.value);
        row("from", of, 100.0 * area.low);
        row("to", of, 100.0 * area.high);
    }
    findings.plot(Bars {
        name: "broken".into(),
        title: "Plans that are broken two iterations later, by conspirators".into(),
        x: "share, 95 % interval".into(),
        from: 0.0,
        bars: points,
    });
    findings.notes = vec![format!(
        "{positions} positions up to 40 plies after built-in openings, each side playing what it finds two \
         plies deep; alpha-beta with whole windows to {plies} plies, with captures at the leaves and nothing \
         selective. At each iteration but the first, for White and for Black: by how many leaves must its \
         tree change for the value to be {} centipawns worse for that side than at the iteration before? A \
         plan is broken if the value is so {LATER} iterations later; those that are broken at once are left \
         out. Shares have Wilson's intervals, which take plans as independent; areas (AUC, in percent: 50 \
         says nothing) have intervals by draws of whole positions. The nearer value is what one has without \
         counting; the model of both is a logistic one of the distance and the logarithm of the number, \
         cross-validated by positions.",
        MARGIN.0
    )];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn plans_are_judged_by_what_is_found_later() {
        let root = |value: i32, around: i32, lower: usize| RootStability {
            value: Score(value),
            around: Score(around),
            lower: Conspirators::Leaves(lower),
            upper: Conspirators::Never,
        };
        let roots = [root(10, 0, 3), root(-60, 10, 0), root(-50, -60, 1), root(10, -50, 2)];
        let plans: Vec<Plan> = plans(7, &roots).collect();
        let seen: Vec<_> =
            plans.iter().map(|plan| (count(plan.conspirators), plan.distance, plan.breaks)).collect();
        // Against MAX: 0 − 50 is reached by −50, and the second plan is broken at once. Against MIN: 50,
        // and 60 is not reached by 10.
        assert_eq!(seen, [(3, 60.0, true), (NEVER, 40.0, false), (NEVER, 120.0, false)]);
    }

    #[test]
    fn every_class_is_counted_once() {
        let findings = run(&Context::new(true, &|_, _| {}, &AtomicBool::new(false))).unwrap();
        let plans =
            findings.rows.iter().filter(|row| row.quantity == "plans").map(|row| row.ours).sum::<f64>();
        assert!(plans >= 20.0, "{}", findings.to_csv());
        let broken = |row: &crate::experiment::Row| row.quantity == "broken %" && row.ours > 0.0;
        assert!(findings.rows.iter().any(broken), "{}", findings.to_csv());
    }
}
