//! Classifies the nodes that fail high in an optimally ordered search: those of the strategies, off the
//! principal variation.

use super::leaves::nodes_of;
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::alpha_beta::observe::Recorded;
use cassius_search::{Game, Outcome, Score, Window};
use std::fmt::Display;

/// The statement of McAllester & Yuret about singular extensions: where fail-high nodes are.
pub static FAIL_HIGH_NODES: Experiment = Experiment {
    id: "fail-high-nodes",
    claim: "In an optimally ordered alpha-beta search the nodes that fail high are exactly the max nodes of \
            the max strategy and the min nodes of the min strategy that are not on the principal variation",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§9.3",
    cases: None,
    uses: &[],
    run,
};

/// A uniform tree whose leaves are listed from left to right, as seen by MAX. MAX moves at the root.
#[derive(Clone, Copy, Debug)]
struct Listed<'a> {
    width: usize,
    leaves: &'a [i32],
    max_to_move: bool,
}

impl Game for Listed<'_> {
    type Move = usize;

    fn moves(&self, moves: &mut Vec<usize>) {
        if self.leaves.len() > 1 {
            moves.extend(0..self.width);
        }
    }

    fn play(&mut self, child: usize) {
        let part = self.leaves.len() / self.width;
        self.leaves = &self.leaves[child * part..][..part];
        self.max_to_move = !self.max_to_move;
    }

    fn outcome(&self) -> Outcome {
        Outcome::Points(Score(if self.max_to_move { self.leaves[0] } else { -self.leaves[0] }))
    }
}

/// Moves every node's best move to the front; the others keep their order. Returns the value of the
/// tree.
fn order_optimally(leaves: &mut [i32], width: usize, max_to_move: bool) -> i32 {
    if leaves.len() == 1 {
        return leaves[0];
    }
    let part = leaves.len() / width;
    let values = leaves.chunks_mut(part).map(|child| order_optimally(child, width, !max_to_move));
    let values: Vec<i32> = values.collect();
    let best = if max_to_move { values.iter().max() } else { values.iter().min() };
    let best = *best.expect("a node with moves");
    let place = values.iter().position(|value| *value == best).expect("the best is one of them");
    leaves[..(place + 1) * part].rotate_right(part);
    best
}

/// Counts of the nodes of some searches, by class.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    trees: u64,
    nodes: u64,
    /// The max and min nodes that fail high.
    fail_high: [u64; 2],
    /// The max nodes of the max strategy and the min nodes of the min strategy, off the principal
    /// variation.
    strategy: [u64; 2],
    /// The nodes that are in one of these classes but not in the other.
    disagreeing: u64,
}

impl Count {
    fn add<G: Game>(&mut self, tree: &G, depth: usize) {
        let nodes = nodes_of(tree, depth, Window::FULL);
        let strategies = strategies(&nodes);
        self.trees += 1;
        self.nodes += nodes.len() as u64;
        for (node, member) in nodes.iter().zip(strategies) {
            let mover = node.ply % 2;
            let fails_high = value(node) >= node.window.beta;
            let expected = member[mover] && !member[1 - mover];
            self.fail_high[mover] += u64::from(fails_high);
            self.strategy[mover] += u64::from(expected);
            self.disagreeing += u64::from(fails_high != expected);
        }
    }
}

fn value<G>(node: &Recorded<G>) -> Score {
    node.value.expect("the search was not stopped")
}

/// Returns which nodes belong to the max strategy and which to the min strategy. The root belongs to
/// both. Below a node of its own side, only the best child belongs to a strategy (the first of these).
/// Below a node of the other side, all searched children belong to it (McAllester & Yuret 1993,
/// appendix). The nodes in both are the principal variation.
fn strategies<G>(nodes: &[Recorded<G>]) -> Vec<[bool; 2]> {
    let mut best: Vec<Option<usize>> = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let Some(parent) = node.parent else { continue };
        if best[parent].is_none_or(|first| value(node) < value(&nodes[first])) {
            best[parent] = Some(index);
        }
    }
    let mut member: Vec<[bool; 2]> = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        member.push(node.parent.map_or([true; 2], |parent| {
            let mut child = member[parent];
            child[nodes[parent].ply % 2] &= best[parent] == Some(index);
            child
        }));
    }
    member
}

/// Counts over every tree with the given number of distinct scores, with its moves in an optimal order.
fn every_tree(width: usize, depth: usize, scores: i32) -> Count {
    let mut count = Count::default();
    let mut drawn = vec![0; width.pow(depth as u32)];
    loop {
        let mut leaves = drawn.clone();
        order_optimally(&mut leaves, width, true);
        count.add(&Listed { width, leaves: &leaves, max_to_move: true }, depth);
        // The next assignment: the leaves are the digits of a number.
        let Some(place) = drawn.iter().position(|digit| *digit + 1 < scores) else { return count };
        drawn[..place].fill(0);
        drawn[place] += 1;
    }
}

/// Counts over trees with independent scores, in an optimal order or in the original order.
fn random_trees(width: usize, depth: usize, trees: u64, optimal: bool) -> Count {
    let mut count = Count::default();
    let leaves = width.pow(depth as u32);
    for seed in 0..trees {
        // The scores of all leaves are those of a tree of one ply.
        let root = RandomTree::new(Values::Independent, leaves as u16, 1, seed);
        let score = |mv| {
            let mut child = root;
            child.play(mv);
            cassius_search::Static::static_value(&child).0
        };
        let mut leaves: Vec<i32> = (0..leaves as u16).map(score).collect();
        if optimal {
            order_optimally(&mut leaves, width, true);
        }
        count.add(&Listed { width, leaves: &leaves, max_to_move: true }, depth);
    }
    count
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let small: &[(usize, usize, i32)] = match context.quick {
        true => &[(2, 2, 4), (2, 3, 3), (3, 2, 3)],
        false => &[(2, 2, 8), (2, 3, 4), (2, 4, 2), (3, 2, 4)],
    };
    let trees = if context.quick { 50 } else { 500 };
    let deepest = if context.quick { 5 } else { 7 };
    let steps = small.len() + 2 * (deepest - 1) + 2;
    let mut done = 0;
    let mut step = || {
        done += 1;
        context.step(done - 1, steps)
    };
    let mut findings = Findings { conditions: vec!["W", "D", "trees"], ..Findings::default() };
    for (width, depth, scores) in small {
        step()?;
        let count = every_tree(*width, *depth, *scores);
        judge(&mut findings, *width, *depth, &format!("all {} of {scores} scores", count.trees), &count);
    }
    for (width, depth) in [(8, 3), (4, 4)] {
        step()?;
        let count = random_trees(width, depth, trees, true);
        judge(&mut findings, width, depth, &format!("{trees} random, ordered"), &count);
    }
    let mut series =
        ["fail high, ordered", "strategies, ordered", "fail high, as drawn", "strategies, as drawn"]
            .map(|name| Series::new(name, []));
    for depth in 2..=deepest {
        for (optimal, place) in [(true, 0), (false, 2)] {
            step()?;
            let count = random_trees(3, depth, trees, optimal);
            match optimal {
                true => judge(&mut findings, 3, depth, &format!("{trees} random, ordered"), &count),
                false => {
                    let share = 100.0 * count.disagreeing as f64 / count.nodes as f64;
                    let trees = format!("{trees} random, as drawn");
                    findings.row(
                        "nodes that disagree, %",
                        &[&3, &depth, &trees],
                        None,
                        share,
                        Tolerance::Any,
                    );
                }
            }
            let share = |of: [u64; 2]| 100.0 * (of[0] + of[1]) as f64 / count.nodes as f64;
            series[place].points.push((depth as f64, share(count.fail_high)));
            series[place + 1].points.push((depth as f64, share(count.strategy)));
        }
    }
    (context.progress)(steps, steps);
    findings.plot(Plot {
        name: "shares".into(),
        title: "Nodes that fail high, and nodes of their mover's strategy off the PV".into(),
        x: "depth D, W = 3".into(),
        y: "% of all nodes".into(),
        scale: Scale::Linear,
        series: series.to_vec(),
    });
    findings.notes = vec![
        "In the column of the paper stand the nodes of the strategies, read \
         off the searched tree as the paper's appendix defines them; in ours \
         those whose value reached their β. \"Disagree\": one but not the other."
            .into(),
        "The strategies are those of values as they were returned. \
         In trees as they are drawn the claim does not hold, nor does the paper make it there."
            .into(),
    ];
    Ok(findings)
}

fn judge(findings: &mut Findings, width: usize, depth: usize, trees: &str, count: &Count) {
    let mut row = |quantity: &str, paper: u64, ours: u64| {
        let conditions: [&dyn Display; 3] = [&width, &depth, &trees];
        findings.row(quantity, &conditions, Some(paper as f64), ours as f64, Tolerance::Exact);
    };
    row("max nodes that fail high", count.strategy[0], count.fail_high[0]);
    row("min nodes that fail high", count.strategy[1], count.fail_high[1]);
    row("nodes that disagree", 0, count.disagreeing);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_strategies_in_optimal_order() {
        for (width, depth, scores) in [(2, 2, 3), (2, 3, 2), (3, 2, 2)] {
            let count = every_tree(width, depth, scores);
            assert_eq!(count.trees, (scores as u64).pow(width.pow(depth as u32) as u32));
            assert_eq!(count.disagreeing, 0);
            assert_eq!(count.fail_high, count.strategy);
        }
        let count = random_trees(4, 3, 20, true);
        assert_eq!((count.disagreeing, count.nodes), (0, 20 * fewest_nodes(4, 3)));
    }

    /// Returns the minimum number of nodes by Knuth and Moore: at each ply, the leaves of a perfectly
    /// ordered tree of that depth.
    fn fewest_nodes(width: u64, depth: u32) -> u64 {
        1 + (1..=depth).map(|ply| super::super::leaves::fewest(width, ply)).sum::<u64>()
    }

    /// In a bad order some nodes fail high that are in no strategy: the count can be other than 0.
    #[test]
    fn not_in_any_order() {
        assert!(random_trees(3, 3, 20, false).disagreeing > 0);
    }

    #[test]
    fn the_best_comes_first() {
        let mut leaves = [3, 1, 4, 1, 5, 9, 2, 6];
        assert_eq!(order_optimally(&mut leaves, 2, true), 6);
        // The pairs of leaves belong to MAX: 3, 4, 9, 6. MIN takes 3 and 6, MAX 6.
        assert_eq!(leaves, [6, 2, 9, 5, 3, 1, 4, 1]);
    }
}
