//! The minimum number of leaves that alpha-beta scores, with the value inside the window and outside it.

use super::leaves::{Printed, TABLE_1, alpha_beta, fewest, minimax};
use crate::experiment::{Context, Experiment, Findings, Row, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::{Bound, Score, Window};
use std::fmt::Display;

/// Marsland & Campbell's B(W, D), M(W, D) and the costs of failing windows, counted in the library's
/// search.
pub static ALPHA_BETA_LEAVES: Experiment = Experiment {
    id: "alpha-beta-leaves",
    claim: "With every best move first, alpha-beta scores W^⌈D/2⌉ + W^⌊D/2⌋ − 1 leaves of a uniform tree, \
            W^⌈D/2⌉ if it fails low and W^⌊D/2⌋ if it fails high; minimax scores W^D",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "§I, formulas and Table 1 (columns B and M); §II.A, failing low and high",
    cases: None,
    uses: &[],
    run,
};

/// Width, depth, and B and M as printed, if they are printed.
type Case = (u16, u16, Option<(u64, u64)>);

/// How far the failing windows are from the value, in evaluation units.
const MISS: Score = Score(1);

/// Returns trees of other widths and depths, for the formulas alone.
fn more_cases(quick: bool) -> Vec<(u16, u16)> {
    let deepest = if quick { 4 } else { 6 };
    let mut cases = Vec::new();
    for width in [2, 3, 5] {
        cases.extend((2..=deepest).map(|depth| (width, depth)));
    }
    cases
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let printed = |row: Printed| (row.width, row.depth, Some((row.b, row.m)));
    let formula = |(width, depth)| (width, depth, None);
    let mut cases: Vec<Case> = TABLE_1.into_iter().map(printed).collect();
    cases.extend(more_cases(context.quick).into_iter().map(formula));

    let mut findings = Findings { conditions: vec!["W", "D", "source"], ..Findings::default() };
    for (done, (width, depth, table)) in cases.iter().enumerate() {
        context.step(done, cases.len())?;
        measure(*width, *depth, *table, &mut findings);
    }
    (context.progress)(cases.len(), cases.len());
    findings.plot(plot(&findings));
    findings.notes = vec![
        "Trees are perfectly ordered; the search is the library's skeleton with every slot \
         empty but the depth rule, and counts the nodes it enters at the bottom."
            .into(),
        "Table 1 of the paper prints M(W, D) for D = 3, 4; \
         column B is checked against the print as well as the formula."
            .into(),
    ];
    Ok(findings)
}

fn measure(width: u16, depth: u16, table: Option<(u64, u64)>, findings: &mut Findings) {
    let tree = RandomTree::new(Values::BestFirst, width, depth, 1);
    let power = |exponent: u16| u64::from(width).pow(exponent.into());
    let (more, fewer) = (power(depth.div_ceil(2)), power(depth / 2));
    let plies = usize::from(depth);
    let (value, all) = minimax(&tree, plies);
    let source = if table.is_some() { "Table 1" } else { "formula" };
    let mut row = |quantity: &str, source: &str, expected: u64, ours: u64| {
        let conditions: [&dyn Display; 3] = [&width, &depth, &source];
        findings.row(quantity, &conditions, Some(expected as f64), ours as f64, Tolerance::Exact);
    };

    let full = alpha_beta(&tree, plies, Window::FULL);
    row(
        "leaves, full window (B)",
        source,
        table.map_or(fewest(width.into(), depth.into()), |(b, _)| b),
        full.nodes[plies],
    );
    row("leaves, minimax (M)", source, table.map_or(power(depth), |(_, m)| m), all);
    row("difference from minimax's value", "soundness", 0, u64::from(full.value != value));

    let low = alpha_beta(&tree, plies, Window::new(value + MISS, value + MISS + MISS));
    let high = alpha_beta(&tree, plies, Window::new(value - MISS - MISS, value - MISS));
    row("leaves, failing low", "formula", more, low.nodes[plies]);
    row("leaves, failing high", "formula", fewer, high.nodes[plies]);
    let wrong = u64::from(low.window.bound(low.value) != Bound::Upper)
        + u64::from(high.window.bound(high.value) != Bound::Lower);
    row("failures on the wrong side", "soundness", 0, wrong);
}

/// Plots the leaves by width at four plies.
fn plot(findings: &Findings) -> Plot {
    let line = |quantity: &str, name: &str| {
        let at_four = |row: &&Row| {
            row.quantity == quantity && row.conditions[1] == "4" && row.conditions[2] != "soundness"
        };
        let point = |row: &Row| (row.conditions[0].parse().unwrap_or_default(), row.ours);
        let mut points: Vec<(f64, f64)> = findings.rows.iter().filter(at_four).map(point).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series::new(name, points)
    };
    Plot {
        name: "leaves".into(),
        title: "Leaves scored in perfectly ordered trees of four plies".into(),
        x: "width W".into(),
        y: "leaves".into(),
        scale: Scale::Logarithmic,
        series: vec![
            line("leaves, minimax (M)", "minimax, W⁴"),
            line("leaves, full window (B)", "alpha-beta, 2W² − 1"),
            line("leaves, failing low", "failing low, W²"),
            line("leaves, failing high", "failing high, W²"),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn holds_exactly() {
        let stop = AtomicBool::new(false);
        let findings = run(&Context::new(true, &|_, _| {}, &stop)).unwrap();
        let differing: Vec<&Row> = findings.rows.iter().filter(|row| Some(row.ours) != row.paper).collect();
        assert!(findings.hold() && differing.is_empty(), "{differing:?}");
        assert_eq!(findings.rows.len(), (6 + 9) * 6);
    }

    /// The count can differ: in another order more leaves are scored.
    #[test]
    fn counts_what_is_searched() {
        for seed in 0..20 {
            let tree = RandomTree::new(Values::Independent, 6, 3, seed);
            let visit = alpha_beta(&tree, 3, Window::FULL);
            let (value, all) = minimax(&tree, 3);
            assert_eq!((visit.value, all), (value, 216));
            assert!((41 + 1..216).contains(&visit.nodes[3]), "{}", visit.nodes[3]);
        }
    }

    #[test]
    fn can_be_interrupted() {
        let stop = AtomicBool::new(true);
        assert!(run(&Context::new(true, &|_, _| {}, &stop)).is_err());
    }
}
