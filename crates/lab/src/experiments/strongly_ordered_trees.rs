//! The number of leaves that alpha-beta scores in strongly ordered trees, between the best order and
//! none.

use super::leaves::{Printed, Simulated, TABLE_1, fewest, simulate};
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::{Game, Score, Static};

/// Column A of Marsland & Campbell's Table 1, compared with the other columns.
pub static STRONGLY_ORDERED_TREES: Experiment = Experiment {
    id: "strongly-ordered-trees",
    claim: "In strongly ordered trees – the first move is best in 70 % of all nodes, the best move \
            among the first quarter in 90 % – alpha-beta scores A(W, D) leaves, and B < A << R << M",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "§I, definition, Table 1 (column A) and B < A << R << M; §II.D, A(24, 5)",
    cases: None,
    uses: &[],
    run,
};

/// The tolerance of the means, as the paper leaves the construction open.
const TOLERANCE: Tolerance = Tolerance::Relative(0.25);
const LEFT_OPEN: &str = "the paper does not say how its strongly ordered trees were made";
const NOT_REPRODUCED: &str = "a ratio of column R of Table 1, which is not reproduced (random-trees)";
/// The percentage points to which the definition is met.
const DEFINITION: Tolerance = Tolerance::Absolute(2.0);
/// A(24, 5), "about", from fifty trials.
const A_24_5: f64 = 28_500.0;

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let trials = if context.quick { 100 } else { 1000 };
    let deep_trials = if context.quick { 25 } else { 200 };
    let steps = 3 + 2 * TABLE_1.len() + 1;
    let mut done = 0;
    let mut step = || {
        done += 1;
        context.step(done - 1, steps)
    };
    let mut findings = Findings { conditions: vec!["W", "D"], ..Findings::default() };

    for (width, depth) in [(8, 3), (16, 3), (24, 2)] {
        step()?;
        let order = Order::of_trees(Values::StronglyOrdered, width, depth, trials);
        let mut row = |quantity: &str, paper, ours, tolerance| {
            findings.row(quantity, &[&width, &depth], paper, ours, tolerance);
        };
        row("first move best, % of nodes", Some(70.0), order.percent(order.first), DEFINITION);
        row("best in the first quarter, % of nodes", Some(90.0), order.percent(order.quarter), DEFINITION);
        row("nodes with several best moves, left out, %", None, order.percent_tied(), Tolerance::Any);
    }

    let mut points = Vec::new();
    for table in &TABLE_1 {
        step()?;
        let a = simulate(Values::StronglyOrdered, table.width, table.depth, trials);
        step()?;
        let r = simulate(Values::Independent, table.width, table.depth, trials);
        compare(table, a, r, trials, &mut findings);
        points.push((table, a.mean, r.mean));
    }
    step()?;
    let deep = simulate(Values::StronglyOrdered, 24, 5, deep_trials);
    findings.row("leaves, mean (A)", &[&24, &5], Some(A_24_5), deep.mean, TOLERANCE);
    findings.row("leaves, standard deviation", &[&24, &5], None, deep.deviation, Tolerance::Any);
    (context.progress)(steps, steps);

    findings.plot(plot(&points));
    findings.notes = vec![
        format!(
            "{trials} trees a row, {deep_trials} of five plies; the paper had 100, and 50 of five plies."
        ),
        "The paper says what strongly ordered trees are like, not how they \
         were made (\"branch-dependent scores\"). Ours draw a node's value \
         first, give it to the best child, and give the others worse values."
            .into(),
        "R is ours, with 128 distinct scores, since the paper's is not reproduced (random-trees). \
         By the paper's own figures A << R is a factor of 2 to 4."
            .into(),
    ];
    Ok(findings)
}

/// Compares one width and depth of Table 1.
fn compare(table: &Printed, a: Simulated, r: Simulated, trials: u64, findings: &mut Findings) {
    let mut row = |quantity: &str, paper, ours, tolerance, reason: Option<&'static str>| {
        findings.row(quantity, &[&table.width, &table.depth], Some(paper), ours, tolerance).because(reason);
    };
    row("leaves, mean (A)", table.a.mean, a.mean, TOLERANCE, None);
    let (_, deviation) = a.intervals(table.a, trials);
    row("leaves, standard deviation", table.a.deviation, a.deviation, deviation, Some(LEFT_OPEN));
    let (width, depth) = (u64::from(table.width), u32::from(table.depth));
    let (b, m) = (fewest(width, depth) as f64, width.pow(depth) as f64);
    let broken = [b < a.mean, a.mean < r.mean, r.mean < m].iter().filter(|holds| !**holds).count();
    row("B < A < R < M, not kept", 0.0, broken as f64, Tolerance::Exact, None);
    row("A / B", table.a.mean / b, a.mean / b, TOLERANCE, None);
    row("R / A", table.r.mean / table.a.mean, r.mean / a.mean, TOLERANCE, Some(NOT_REPRODUCED));
    row("M / R", m / table.r.mean, m / r.mean, TOLERANCE, Some(NOT_REPRODUCED));
}

/// The places of the best moves of all inner nodes.
#[derive(Default)]
struct Order {
    first: u64,
    quarter: u64,
    /// Nodes with one best move.
    nodes: u64,
    /// Nodes with several best moves, which give no information on the order.
    tied: u64,
}

impl Order {
    fn of_trees(values: Values, width: u16, depth: u16, trees: u64) -> Order {
        let mut order = Order::default();
        for seed in 0..trees {
            order.add(&RandomTree::new(values, width, depth, seed), width);
        }
        order
    }

    /// Adds a node and all nodes below it; returns its minimax value.
    fn add(&mut self, node: &RandomTree, width: u16) -> Score {
        if node.is_over() {
            return node.static_value();
        }
        let (mut value, mut place, mut best) = (-Score::INFINITE, 0, 0);
        for mv in 0..width {
            let mut child = *node;
            child.play(mv);
            let found = -self.add(&child, width);
            if found > value {
                (value, place, best) = (found, mv, 1);
            } else if found == value {
                best += 1;
            }
        }
        if best > 1 {
            self.tied += 1;
        } else {
            self.nodes += 1;
            self.first += u64::from(place == 0);
            self.quarter += u64::from(place < width.div_ceil(4));
        }
        value
    }

    fn percent(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.nodes as f64
    }

    fn percent_tied(&self) -> f64 {
        100.0 * self.tied as f64 / (self.nodes + self.tied) as f64
    }
}

/// Plots the leaves by width at four plies.
fn plot(points: &[(&Printed, f64, f64)]) -> Plot {
    let at_four = || points.iter().filter(|(table, ..)| table.depth == 4);
    let series = |name: &str, leaves: fn(&(&Printed, f64, f64)) -> f64| {
        Series::new(name, at_four().map(|point| (f64::from(point.0.width), leaves(point))))
    };
    Plot {
        name: "leaves".into(),
        title: "Leaves scored in trees of four plies".into(),
        x: "width W".into(),
        y: "leaves, mean".into(),
        scale: Scale::Logarithmic,
        series: vec![
            series("minimax (M)", |(table, ..)| table.m as f64),
            series("random (R), ours", |(_, _, r)| *r),
            series("strongly ordered, ours", |(_, a, _)| *a),
            series("strongly ordered, paper", |(table, ..)| table.a.mean),
            series("at best (B)", |(table, ..)| table.b as f64),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::leaves::minimax;

    /// The expected counts come from another program, for trees made in the same way.
    #[test]
    fn counts_are_those_of_an_independent_program() {
        for (width, depth, trials, expected) in [(8, 3, 400, 94.0), (16, 3, 200, 378.0), (8, 4, 400, 227.0)] {
            let mean = simulate(Values::StronglyOrdered, width, depth, trials).mean;
            assert!((mean / expected - 1.0).abs() < 0.05, "W = {width}, D = {depth}: {mean}");
        }
    }

    /// The definition can be missed: in random trees every place is equally good.
    #[test]
    fn random_trees_are_not_strongly_ordered() {
        for (values, first, quarter) in
            [(Values::StronglyOrdered, 70.0, 90.0), (Values::Independent, 100.0 / 16.0, 25.0)]
        {
            let order = Order::of_trees(values, 16, 2, 300);
            assert!((order.percent(order.first) - first).abs() < 2.0, "{values:?}");
            assert!((order.percent(order.quarter) - quarter).abs() < 2.0, "{values:?}");
        }
    }

    #[test]
    fn order_is_counted_by_minimax_values() {
        for seed in 0..50 {
            let tree = RandomTree::new(Values::StronglyOrdered, 5, 4, seed);
            assert_eq!(Order::default().add(&tree, 5), minimax(&tree, 4).0);
        }
    }
}
