//! Conspiracy numbers with equal static values everywhere: the grown tree is alpha-beta's tree.

use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::best_first::{Bounds, ConspiracyNumbers, Grower, NodeId, Payload, Static, Tree};
use cassius_search::{Off, Score, Statics, Unlimited};

/// §7.
pub static UNIFORM_GROWTH: Experiment = Experiment {
    id: "uniform-growth",
    claim: "If all static values are equal, the tree grown is the union of a max strategy \
            of 2⌊(N − 1)/(b − 1)⌋ plies and a min strategy of one ply more, like alpha-beta's",
    paper: "D. A. McAllester: Conspiracy Numbers for Min-Max Search, 1988",
    section: "§7, Fig. 10 and 11",
    cases: None,
    uses: &[],
    run,
};

/// More conspirators than any threshold here.
type Uniform = Bounds<12>;
type Growing = Grower<RandomTree, Uniform, ConspiracyNumbers, Static<Statics>, Off>;

fn growing(branching: u16, threshold: usize) -> Growing {
    let growth =
        ConspiracyNumbers { threshold: threshold as i32, deepened: 0, ..ConspiracyNumbers::default() };
    let mut growing = Growing::new(8, growth, Static(Statics)).expect("8 MiB");
    growing.begin(&RandomTree::new(Values::Constant(Score(0)), branching, 1_000, 1), &[], &[]);
    growing
}

/// Returns the plies of the expanded nodes, in order.
fn plies<M: Copy>(tree: &Tree<M, Uniform>) -> Vec<usize> {
    let mut plies = vec![0; tree.len()];
    let mut inner = Vec::new();
    for node in tree.nodes() {
        let children = tree.children(node);
        if children.len() > 0 {
            inner.push(plies[node.index()]);
        }
        children.for_each(|child| plies[child.index()] = plies[node.index()] + 1);
    }
    inner.sort_unstable();
    inner
}

/// Returns the number of inner nodes of a strategy of the given number of plies.
/// The side with the plan has one move, the other side all.
fn strategy(branching: usize, plies: usize, planned_first: bool) -> usize {
    let (mut nodes, mut sum) = (1, 0);
    for ply in 0..=plies {
        sum += nodes;
        if ply.is_multiple_of(2) != planned_first {
            nodes *= branching;
        }
    }
    sum
}

/// Whether the expanded nodes are those of the leftmost max strategy of so many plies and of the leftmost min
/// strategy of one ply more.
fn is_union<M: Copy>(tree: &Tree<M, Uniform>, max_plies: usize) -> bool {
    let mut expected = vec![false; tree.len()];
    let mut open = vec![(NodeId::ROOT, 0, [true, true])];
    while let Some((node, ply, [in_max, in_min])) = open.pop() {
        let [in_max, in_min] = [in_max && ply <= max_plies, in_min && ply <= max_plies + 1];
        if !in_max && !in_min {
            continue;
        }
        expected[node.index()] = true;
        let max_moves = ply.is_multiple_of(2);
        for (place, child) in tree.children(node).enumerate() {
            let planned = place == 0;
            let strategies = [in_max && (planned || !max_moves), in_min && (planned || max_moves)];
            open.push((child, ply + 1, strategies));
        }
    }
    tree.nodes().all(|node| expected[node.index()] == (tree.children(node).len() > 0))
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let mut findings = Findings { conditions: vec!["moves", "threshold", "tree"], ..Findings::default() };
    figures(&mut findings);
    let (widest, most) = if context.quick { (3, 6) } else { (5, 8) };
    for branching in 2..=widest {
        context.step(branching - 2, widest - 1)?;
        for threshold in 1..=most {
            let max_plies = 2 * ((threshold - 1) / (branching - 1));
            let mut growing = growing(branching as u16, threshold);
            let mut expansions = 0;
            let mut max_strategy = None;
            while growing.step(&Unlimited).is_ok() {
                expansions += 1;
                let settled = growing.tree.payload(NodeId::ROOT).range(threshold).0 == Score(0);
                if settled && max_strategy.is_none() {
                    max_strategy = plies(&growing.tree).last().copied();
                }
            }
            let mut row = |quantity: &str, tree: &str, paper: usize, ours: usize| {
                let conditions: [&dyn std::fmt::Display; 3] = [&branching, &threshold, &tree];
                findings.row(quantity, &conditions, Some(paper as f64), ours as f64, Tolerance::Exact);
            };
            row("plies", "max strategy", max_plies, max_strategy.unwrap_or(usize::MAX));
            let deepest = plies(&growing.tree).last().copied();
            row("plies", "all", max_plies + 1, deepest.unwrap_or(usize::MAX));
            // The two strategies share the principal variation.
            let union = strategy(branching, max_plies, true) + strategy(branching, max_plies + 1, false)
                - (max_plies + 1);
            row("expansions", "all", union, expansions);
            let same = usize::from(is_union(&growing.tree, max_plies));
            row("they are those of the two strategies (1: yes)", "all", 1, same);
        }
    }
    (context.progress)(widest - 1, widest - 1);
    findings.notes = vec![
        "Plies are counted to the deepest node that has been expanded; its children are one ply further \
         down. Expansions are those of the union of the two strategies: inner nodes of either, less those of \
         the principal variation, which is in both."
            .into(),
    ];
    Ok(findings)
}

/// Adds Figures 10 and 11: two moves everywhere, threshold 3.
fn figures(findings: &mut Findings) {
    let mut growing = growing(2, 3);
    for (expansions, figure, expected) in
        [(4, "Fig. 10", vec![0, 1, 2, 2]), (10, "Fig. 11", vec![0, 1, 2, 2, 3, 3, 4, 4, 4, 4])]
    {
        while plies(&growing.tree).len() < expansions && growing.step(&Unlimited).is_ok() {}
        let same = u8::from(plies(&growing.tree) == expected);
        findings.row(
            "the plies are those drawn (1: yes)",
            &[&2, &3, &figure],
            Some(1.0),
            same.into(),
            Tolerance::Exact,
        );
        let (least, greatest) = growing.tree.payload(NodeId::ROOT).range(3);
        let settled = u8::from(least == Score(0));
        let paper = u8::from(expansions == 10);
        let quantity = "−∞ is ruled out (1: yes)";
        findings.row(quantity, &[&2, &3, &figure], Some(paper.into()), settled.into(), Tolerance::Exact);
        if expansions == 10 {
            let open = u8::from(greatest == Score::INFINITE);
            let quantity = "+∞ is not ruled out (1: yes)";
            findings.row(quantity, &[&2, &3, &figure], Some(1.0), open.into(), Tolerance::Exact);
            let needed = growing.tree.payload(NodeId::ROOT).other.needed(Score(1)) as f64;
            let quantity = "conspirators for less than 0";
            findings.row(quantity, &[&2, &3, &figure], Some(4.0), needed, Tolerance::Exact);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_tree_is_the_union_of_two_strategies() {
        let findings = run(&Context::new(true, &|_, _| {}, &AtomicBool::new(false))).unwrap();
        assert!(findings.hold(), "{}", findings.to_csv());
    }

    /// The expected numbers come from an independent program.
    #[test]
    fn expansions_are_as_counted_elsewhere() {
        let expected: [&[usize]; 2] = [&[3, 10, 26, 60, 130, 272], &[4, 4, 18, 18, 64, 64]];
        for (branching, totals) in [2, 3].into_iter().zip(expected) {
            for (threshold, total) in (1..).zip(totals) {
                let mut growing = growing(branching, threshold);
                let expansions = std::iter::from_fn(|| growing.step(&Unlimited).ok()).count();
                assert_eq!(expansions, *total, "{branching} moves, threshold {threshold}");
            }
        }
    }
}
