//! The conspirators and depths of the trees that McAllester and Yuret draw, and their function S.

use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_games::Tree;
use cassius_games::figures::{Line, abc_3, augmented_strategy};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::Score;
use cassius_search::alpha_beta::horizon::Safety;
use cassius_search::plans::strategy::{
    Conspirators, Side, best_strategy, lower_conspiracy_number, minimax_value, smallest_conspiracy,
    strategies, upper_conspiracy_number,
};
use std::collections::BTreeMap;

/// The statements of §2 and §4 to §6 about the figures.
pub static CONSPIRATORS: Experiment = Experiment {
    id: "conspirators",
    claim: "Conspiracy numbers of uniform trees and of strategies, the levels from which the conspirators \
            come, and depths adjusted for these levels",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§2, §4 to §6, Fig. 1 to 5",
    cases: None,
    uses: &[],
    run,
};

/// Returns the number of leaves; infinity if no set of leaves suffices.
fn number(conspirators: Conspirators) -> f64 {
    match conspirators {
        Conspirators::Leaves(leaves) => leaves as f64,
        Conspirators::Never => f64::INFINITY,
    }
}

/// Returns the number of members of a smallest conspiracy against MAX's plan, by ply.
fn levels(tree: &Tree) -> BTreeMap<usize, usize> {
    let limit = Side::Max.limit(minimax_value(tree), Line::MARGIN);
    let mut levels = BTreeMap::new();
    for leaf in smallest_conspiracy(tree, Side::Max, limit).unwrap_or_default() {
        *levels.entry(tree.node(leaf).ply()).or_default() += 1;
    }
    levels
}

/// "Reasonable values for S(1), S(3) and S(5) might be .4, .9 and 1.0" (§6).
fn reasonable() -> Safety {
    Safety::Table(vec![0.0, 0.4, 0.65, 0.9, 0.95, 1.0])
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let mut findings = Findings { conditions: vec!["tree"], ..Findings::default() };
    let widest = if context.quick { 6 } else { 40 };
    context.step(0, 3)?;
    for width in 1..=widest {
        let tree = super::written::tree(&RandomTree::new(Values::Constant(Score(0)), width, 2, 1));
        let name = format!("uniform, {width} moves, 2 plies");
        let paper = Some(f64::from(width));
        let lower = number(lower_conspiracy_number(&tree, Line::MARGIN));
        let upper = number(upper_conspiracy_number(&tree, Line::MARGIN));
        findings.row("C<", &[&name], paper, lower, Tolerance::Exact);
        findings.row("C>", &[&name], paper, upper, Tolerance::Exact);
    }
    pure(&mut findings, if context.quick { 10 } else { 200 });
    context.step(1, 3)?;
    figures(&mut findings);
    context.step(2, 3)?;
    safety(&mut findings);
    (context.progress)(3, 3);
    findings.notes = vec![
        "Figures 1 to 4 carry no numbers in the text: the trees are the ones that its sentences describe \
         (in Fig. 2, any three positive counts of options with the sum 5 would do)."
            .into(),
        "For γ above b the paper has depth in plies, where S(1) would be 1, and nearly so for γ = b. It is \
         not so: S(1) tends to 1 − 1/e for γ = b, and reaches 0.95 at γ = 89 and 0.99 at γ = 136. With b = \
         30 0.4, 0.9 and 1.0 are not values of one S; with b = 5 and γ = 2.4 they are, rounded."
            .into(),
    ];
    Ok(findings)
}

/// "For any max strategy, the lower bound conspiracy number is 1" (§4), and its dual.
fn pure(findings: &mut Findings, trees: u64) {
    let (mut plans, mut most) = (0, [0.0f64; 2]);
    for seed in 0..trees {
        let tree = super::written::tree(&RandomTree::new(Values::Coarse(9), 2, 4, seed));
        let lower = strategies(&tree, Side::Max).take(60);
        let lower = lower.map(|plan| number(lower_conspiracy_number(&plan.subtree(&tree), Line::MARGIN)));
        let upper = strategies(&tree, Side::Min).take(60);
        let upper = upper.map(|plan| number(upper_conspiracy_number(&plan.subtree(&tree), Line::MARGIN)));
        for (most, numbers) in most.iter_mut().zip([lower.collect::<Vec<_>>(), upper.collect()]) {
            plans += numbers.len();
            *most = numbers.into_iter().fold(*most, f64::max);
        }
    }
    let name = format!("{plans} strategies of random trees, the greatest");
    findings.row("C<", &[&name], Some(1.0), most[0], Tolerance::Exact);
    findings.row("C>", &[&name], Some(1.0), most[1], Tolerance::Exact);
}

fn figures(findings: &mut Findings) {
    let mut row = |quantity: &str, tree: &str, paper: f64, ours: f64| {
        findings.row(quantity, &[&tree], Some(paper), ours, Tolerance::Exact);
    };
    let two = augmented_strategy(&[1, 2, 2], 2);
    let one = best_strategy(&two, Side::Max);
    let pure = lower_conspiracy_number(&one.subtree(&two), Line::MARGIN);
    row("C<", "Fig. 1, a strategy", 1.0, number(pure));
    row("C_max", "Fig. 2, its augmentation", 6.0, number(one.conspiracy_number(&two, Line::MARGIN)));
    row("levels of the conspirators", "Fig. 2, its augmentation", 3.0, levels(&two).len() as f64);
    row("C<", "Fig. 3, uniform", 6.0, number(lower_conspiracy_number(&abc_3(), Line::MARGIN)));
    row("levels of the conspirators", "Fig. 3, uniform", 1.0, levels(&abc_3()).len() as f64);
    for (name, options, first, level, adjusted) in
        [("Fig. 4, left", [5, 1, 1], 5.0, 5.0, 1.8), ("Fig. 4, right", [3, 3, 1], 3.0, 3.0, 2.2)]
    {
        let tree = augmented_strategy(&options, 2);
        let strategy = best_strategy(&tree, Side::Max);
        row("C_max", name, 8.0, number(strategy.conspiracy_number(&tree, Line::MARGIN)));
        let depths = strategy.conspiracy_depths(&tree, Line::MARGIN);
        // Nodes are listed from the root; the leftmost child of each comes next.
        row("conspiracy depth of the first child", name, first, depths[1] as f64);
        let shallowest = strategy.shallowest(&tree, Line::MARGIN);
        row("conspiracy depth", name, 7.0, shallowest.map_or(f64::INFINITY, |leaf| leaf.depth as f64));
        let most = levels(&tree).into_values().max().unwrap_or_default();
        row("most conspirators of one level", name, level, most as f64);
        let weakest = strategy.weakest(&tree, Line::MARGIN, &reasonable());
        let depth = weakest.map_or(f64::INFINITY, |leaf| leaf.depth.to_f64());
        row("adjusted depth, S = .4, .9, 1", name, adjusted, depth);
    }
}

const NOT_IN_PLIES: &str = "S(1) is not near 1 for γ near b: it tends to 1 − 1/e for γ = b";

fn safety(findings: &mut Findings) {
    let s = |gamma, options| Safety::Power { gamma, branching: 30 }.of(options);
    for (options, paper) in [(1, 0.4), (3, 0.9), (5, 1.0)] {
        let ours = Safety::Power { gamma: 2.4, branching: 5 }.of(options);
        let name = format!("S({options}), gamma 2.4, b 5");
        findings.row("reasonable values of S", &[&name], Some(paper), ours, Tolerance::Absolute(0.05));
    }
    let mut series = Vec::new();
    for gamma in [1.0, 10.0, 18.0, 30.0, 90.0, 300.0] {
        let name = format!("S, gamma {gamma}, b 30");
        let paper = match gamma {
            1.0 => Some(1.0 / 30.0), // conspiracy depth
            30.0.. => Some(1.0),     // depth in plies
            _ => None,
        };
        // "Nearly" 1, for γ above b.
        let tolerance = if gamma == 1.0 { Tolerance::Relative(1e-12) } else { Tolerance::Relative(0.02) };
        findings.row("S(1)", &[&name], paper, s(gamma, 1), tolerance).because(NOT_IN_PLIES);
        findings.row("S(3)", &[&name], None, s(gamma, 3), Tolerance::Any);
        findings.row("S(5)", &[&name], None, s(gamma, 5), Tolerance::Any);
        let points = (0..=35).map(|options| (options as f64, s(gamma, options)));
        series.push(Series::new(format!("γ = {gamma}"), points));
    }
    findings.plot(Plot {
        name: "safety".into(),
        title: "S for b = 30 (Fig. 5)".into(),
        x: "options".into(),
        y: "S".into(),
        scale: Scale::Linear,
        series,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_figures_are_as_the_paper_says() {
        let findings = run(&Context::new(true, &|_, _| {}, &AtomicBool::new(false))).unwrap();
        assert!(findings.hold(), "{}", findings.to_csv());
    }

    #[test]
    fn conspirators_come_from_the_stated_levels() {
        let levels = levels(&augmented_strategy(&[1, 2, 2], 2));
        assert_eq!(levels, BTreeMap::from([(1, 1), (3, 2), (5, 3)]));
    }
}
