//! The probability that a plan fails if every leaf may be wrong: computed exactly, as a polynomial, and
//! by random samples.

use super::written;
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_games::Tree;
use cassius_games::figures::{Line, abc_3, augmented_strategy};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::Score;
use cassius_search::plans::strategy::{
    Conspirators, Distribution, Polynomial, SearchTree, Side, conspirators, distribution, estimate_failure,
    failure, minimax_value,
};

/// The theorem of §3.
pub static FAILURE_POLYNOMIALS: Experiment = Experiment {
    id: "failure-polynomials",
    claim: "If leaves err independently, with probability ε in each direction, the probability that a plan \
            fails is a polynomial in ε whose order is the conspiracy number",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§3",
    cases: None,
    uses: &[],
    run,
};

/// The number of standard errors by which a sampled probability may differ. One in 16 000 differs by
/// more by chance.
const ERRORS: f64 = 4.0;

/// A plan of one side in a tree, and the value at which it has failed.
struct Case {
    tree: Tree,
    of: Side,
    limit: Score,
}

impl Case {
    fn new(tree: Tree, of: Side) -> Case {
        let limit = of.limit(minimax_value(&tree), Line::MARGIN);
        Case { tree, of, limit }
    }

    fn polynomial(&self) -> Option<Polynomial> {
        failure(&self.tree, self.of, self.limit).ok()
    }

    /// Returns the same probability from the distribution of the root's value.
    fn by_distributions(&self, epsilon: f64) -> Option<f64> {
        let leaf = |node| Distribution::static_error(self.tree.static_value(node), epsilon);
        leaf(self.tree.preorder().next()?).ok()?; // ε is one
        let certain = |node| Distribution::certain(self.tree.static_value(node));
        let root = distribution(&self.tree, |node| leaf(node).unwrap_or_else(|_| certain(node)));
        Some(match self.of {
            Side::Max => root.at_most(self.limit),
            Side::Min => root.at_least(self.limit),
        })
    }
}

/// The counts over random trees.
#[derive(Default)]
struct Count {
    polynomials: u32,
    other_order: u32,
    other_by_distributions: u32,
    too_large: u32,
}

impl Count {
    fn add(&mut self, case: &Case) {
        let Some(polynomial) = case.polynomial() else {
            self.too_large += 1;
            return;
        };
        self.polynomials += 1;
        let order = polynomial.order().map_or(Conspirators::Never, Conspirators::Leaves);
        self.other_order += u32::from(order != conspirators(&case.tree, case.of, case.limit));
        let epsilon = 0.01;
        let same = case.by_distributions(epsilon).is_some_and(|p| (p - polynomial.at(epsilon)).abs() < 1e-9);
        self.other_by_distributions += u32::from(!same);
    }
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let mut findings = Findings { conditions: vec!["polynomial or tree", "ε"], ..Findings::default() };
    let (trees, samples) = if context.quick { (50, 10_000u32) } else { (2000, 1_000_000) };
    let shapes = [(2, 3), (3, 3), (2, 5), (4, 2)];
    let steps = shapes.len() + 1;
    for (coefficients, order) in [(vec![1, 0, -1], 0.0), (vec![0, 4, 6], 1.0)] {
        let polynomial = Polynomial::new(coefficients);
        let ours = polynomial.order().map_or(f64::INFINITY, |order| order as f64);
        findings.row("order", &[&polynomial, &"any"], Some(order), ours, Tolerance::Exact);
    }
    for (done, (width, depth)) in shapes.into_iter().enumerate() {
        context.step(done, steps)?;
        let mut count = Count::default();
        for seed in 0..trees {
            for of in [Side::Max, Side::Min] {
                let root = RandomTree::new(Values::Coarse(5), width, depth, seed);
                count.add(&Case::new(written::tree(&root), of));
            }
        }
        let name = format!("random, {width} moves, {depth} plies");
        let mut row = |quantity, paper, ours: u32, tolerance| {
            findings.row(quantity, &[&name, &0.01], paper, f64::from(ours), tolerance);
        };
        row("polynomials", None, count.polynomials, Tolerance::Any);
        row("with coefficients beyond 127 bits", None, count.too_large, Tolerance::Any);
        row("of another order than conspirators", Some(0.0), count.other_order, Tolerance::Exact);
        row("of another value by distributions", Some(0.0), count.other_by_distributions, Tolerance::Exact);
    }
    context.step(shapes.len(), steps)?;
    let figures = [
        ("Fig. 2, augmented strategy", augmented_strategy(&[1, 2, 2], 2)),
        ("Fig. 3, uniform", abc_3()),
        ("Fig. 4, left", augmented_strategy(&[5, 1, 1], 2)),
        ("Fig. 4, right", augmented_strategy(&[3, 3, 1], 2)),
    ];
    let mut series = Vec::new();
    for (name, tree) in figures {
        let case = Case::new(tree, Side::Max);
        let Some(polynomial) = case.polynomial() else { continue };
        for epsilon in [0.3, 0.4, 0.5] {
            context.go_on()?;
            let exact = polynomial.at(epsilon);
            let Some(drawn) = estimate_failure(&case.tree, case.of, case.limit, epsilon, samples, 1993)
            else {
                continue;
            };
            let error = (exact * (1.0 - exact) / f64::from(samples)).sqrt();
            // Rounded up, for readability.
            let tolerance = Tolerance::Absolute((ERRORS * error * 1e5).ceil() / 1e5);
            findings.row("probability, drawn", &[&name, &epsilon], Some(exact), drawn.mean, tolerance);
        }
        let points = (1..=40).map(|i| f64::from(i) / 100.0).map(|epsilon| (epsilon, polynomial.at(epsilon)));
        series.push(Series::new(name, points));
    }
    (context.progress)(steps, steps);
    findings.plot(Plot {
        name: "failure".into(),
        title: "Probability that the max strategy fails".into(),
        x: "ε".into(),
        y: "probability".into(),
        scale: Scale::Logarithmic,
        series,
    });
    findings.notes = vec![
        format!(
            "For the figures, the column of the paper holds what our polynomial, the model's exact answer, \
             gives; {samples} trees are drawn for each, and {ERRORS} standard errors are allowed."
        ),
        "4ε + 6ε² is the paper's example of a polynomial of order 1; \
         no tree of this model has it as its probability."
            .into(),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn orders_are_conspiracy_numbers() {
        let findings = run(&Context::new(true, &|_, _| {}, &AtomicBool::new(false))).unwrap();
        assert!(findings.hold(), "{}", findings.to_csv());
    }

    /// A wrong limit is detected: the count can be other than 0.
    #[test]
    fn another_limit_has_another_probability() {
        let mut case = Case::new("0(0(0 -1) 0(0 0))".parse().unwrap(), Side::Max);
        let polynomial = case.polynomial().unwrap();
        assert!((case.by_distributions(0.1).unwrap() - polynomial.at(0.1)).abs() < 1e-12);
        case.limit = Score(0);
        assert!((case.by_distributions(0.1).unwrap() - polynomial.at(0.1)).abs() > 0.1);
        assert_eq!(case.by_distributions(0.7), None);
    }
}
