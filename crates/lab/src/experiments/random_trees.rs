//! The number of leaves that alpha-beta scores in random trees, and the number of scores that the
//! paper's trees may have had.

use super::leaves::{Printed, TABLE_1, alpha_beta, fewest, minimax, simulate};
use crate::experiment::{Context, Experiment, Findings, Row, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::Window;
use std::fmt::Display;

/// Column R of Marsland & Campbell's Table 1.
pub static RANDOM_TREES: Experiment = Experiment {
    id: "random-trees",
    claim: "In uniform trees with independent scores from 0 to 127, alpha-beta scores R(W, D) leaves, far \
            more than in the best case and far fewer than minimax",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "§I, Table 1 (column R)",
    cases: None,
    uses: &[],
    run,
};

/// The number of distinct scores that the paper states.
const STATED: u16 = 128;
const NOT_REPRODUCED: &str = "column R of Table 1 is not reproduced: \
                              with 128 distinct scores, as the paper states, alpha-beta scores more leaves";
const A_GUESS: &str = "the paper states 128 distinct scores: fewer are a guess at what was simulated";
/// The number of distinct scores that gives leaf counts near the printed ones.
const LIKELY: u16 = 16;

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let trials = if context.quick { 100 } else { 1000 };
    let scores: &[u16] = if context.quick { &[STATED, LIKELY] } else { &[STATED, 64, 32, 24, LIKELY, 12, 8] };
    let mut findings = Findings { conditions: vec!["W", "D", "scores"], ..Findings::default() };
    let steps = scores.len() * TABLE_1.len();
    let mut ratios: Vec<Series> = Vec::new();
    for table in &TABLE_1 {
        let name = format!("W = {}, D = {}", table.width, table.depth);
        ratios.push(Series::new(name, []));
    }
    for (block, distinct) in scores.iter().enumerate() {
        for (place, table) in TABLE_1.iter().enumerate() {
            context.step(block * TABLE_1.len() + place, steps)?;
            let ours = simulate(Values::Coarse(*distinct), table.width, table.depth, trials);
            let conditions: [&dyn Display; 3] = [&table.width, &table.depth, distinct];
            let (mean, deviation) = ours.intervals(table.r, trials);
            let mut row = |quantity: &str, paper, ours, interval| match *distinct == STATED {
                true => {
                    findings.row(quantity, &conditions, Some(paper), ours, interval).because(NOT_REPRODUCED)
                }
                false => {
                    findings.row(quantity, &conditions, Some(paper), ours, Tolerance::Any).because(A_GUESS)
                }
            };
            row("leaves, mean (R)", table.r.mean, ours.mean, mean);
            row("leaves, standard deviation", table.r.deviation, ours.deviation, deviation);
            ratios[place].points.push((f64::from(*distinct), ours.mean / table.r.mean));
        }
    }
    judge(trials.min(100), &mut findings);
    (context.progress)(steps, steps);

    let by_width = by_width(&findings);
    findings.plot(by_width);
    findings.plot(by_scores(ratios));
    findings.notes = vec![
        format!("{trials} trees a row; the paper had 100."),
        "Not reproduced: with 128 scores, as the paper says, alpha-beta scores \
         more leaves than printed, at four plies up to two and a half times as many."
            .into(),
        "With 12 to 16 distinct scores it scores about as many as printed: ties cut, \
         and few scores make many ties. This is a guess at what was simulated, so these rows are not judged."
            .into(),
    ];
    Ok(findings)
}

/// Tests what can be judged: the values are the minimax values, and the counts lie between the minimum
/// and the number of all leaves.
fn judge(trials: u64, findings: &mut Findings) {
    for (width, depth) in [(8u16, 3u16), (16, 3), (8, 4)] {
        let (mut wrong, mut outside) = (0, 0);
        for seed in 0..trials {
            let tree = RandomTree::new(Values::Independent, width, depth, seed);
            let visit = alpha_beta(&tree, depth.into(), Window::FULL);
            let (value, all) = minimax(&tree, depth.into());
            let few = fewest(width.into(), depth.into());
            wrong += u64::from(visit.value != value);
            outside += u64::from(!(few..=all).contains(&visit.nodes[usize::from(depth)]));
        }
        for (quantity, ours) in [("values other than minimax's", wrong), ("counts outside B to M", outside)] {
            findings.row(quantity, &[&width, &depth, &STATED], Some(0.0), ours as f64, Tolerance::Exact);
        }
    }
}

/// Plots the leaves by width at four plies.
fn by_width(findings: &Findings) -> Plot {
    let at_four = || TABLE_1.iter().filter(|table| table.depth == 4);
    let printed = |name: &str, leaves: fn(&Printed) -> f64| {
        Series::new(name, at_four().map(|table| (f64::from(table.width), leaves(table))))
    };
    let ours = |scores: u16| {
        let [depth, scores] = ["4".to_string(), scores.to_string()];
        let rows = findings.rows.iter().filter(|row| {
            row.quantity == "leaves, mean (R)" && row.conditions[1] == depth && row.conditions[2] == scores
        });
        let point = |row: &Row| (row.conditions[0].parse().unwrap_or_default(), row.ours);
        Series::new(format!("ours, {scores} scores"), rows.map(point))
    };
    Plot {
        name: "leaves".into(),
        title: "Leaves scored in random trees of four plies".into(),
        x: "width W".into(),
        y: "leaves, mean".into(),
        scale: Scale::Logarithmic,
        series: vec![
            printed("minimax, W⁴", |table| table.m as f64),
            ours(STATED),
            ours(LIKELY),
            printed("paper, R", |table| table.r.mean),
            printed("at best, 2W² − 1", |table| table.b as f64),
        ],
    }
}

/// Plots our leaves as a multiple of the paper's, by the number of distinct scores.
fn by_scores(mut series: Vec<Series>) -> Plot {
    for series in &mut series {
        series.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    Plot {
        name: "scores".into(),
        title: "Leaves scored in random trees, by the number of distinct scores".into(),
        x: "distinct scores".into(),
        y: "ours / paper's R".into(),
        scale: Scale::Linear,
        series,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    fn near(ours: f64, expected: f64) {
        assert!((ours / expected - 1.0).abs() < 0.05, "{ours} is not {expected}");
    }

    /// The expected counts come from another program, for the same trees.
    #[test]
    fn counts_are_those_of_an_independent_program() {
        for (width, depth, trials, expected) in
            [(8, 3, 400, 218.0), (16, 3, 150, 1158.0), (24, 3, 60, 3050.0), (8, 4, 200, 949.0)]
        {
            near(simulate(Values::Independent, width, depth, trials).mean, expected);
        }
        for (width, depth, trials, expected) in [(8, 3, 400, 189.0), (16, 3, 150, 830.0), (8, 4, 200, 730.0)]
        {
            near(simulate(Values::Coarse(LIKELY), width, depth, trials).mean, expected);
        }
    }

    #[test]
    fn as_many_scores_as_stated_are_independent_values() {
        for seed in 0..50 {
            let [coarse, independent] = [Values::Coarse(STATED), Values::Independent]
                .map(|values| minimax(&RandomTree::new(values, 5, 3, seed), 3));
            assert_eq!(coarse, independent);
        }
    }

    #[test]
    fn can_be_interrupted() {
        let stop = AtomicBool::new(true);
        assert!(run(&Context::new(true, &|_, _| {}, &stop)).is_err());
    }
}
