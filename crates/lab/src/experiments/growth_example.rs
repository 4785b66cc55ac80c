//! McAllester's example of tree growth, expansion by expansion.

use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use cassius_games::explicit::{NodeId as Name, Unexpanded};
use cassius_games::figures::{CNS_GROWTH_ORDER, cns_growth};
use cassius_games::{Tree, TreePosition};
use cassius_search::best_first::{Bounds, ConspiracyNumbers, Grower, NodeId, Payload};
use cassius_search::{Off, Score, Unlimited};

/// Figures 3 to 9.
pub static GROWTH_EXAMPLE: Experiment = Experiment {
    id: "growth-example",
    claim: "In the example, the expansions that the text names, and some more, show that two leaves cannot \
            change the value 0",
    paper: "D. A. McAllester: Conspiracy Numbers for Min-Max Search, 1988",
    section: "§6, Fig. 3 to 9",
    cases: None,
    uses: &[],
    run,
};

/// The text names so many expansions in order; it does not say in which order X, P and Q follow, and names no
/// others.
const NAMED: usize = 10;

/// The threshold of the example.
const THRESHOLD: usize = 2;

/// The number of conspirators that a node needs for a value of at least (+) or at most (−) the given
/// one.
type Needed = (&'static str, char, i32, usize);

/// The number of expansions, the figure, the value of the root, and the range of likely values.
type Step = (usize, &'static str, i32, (f64, f64), &'static [Needed]);

const INFINITE: f64 = f64::INFINITY;

/// The statements of the text.
const STEPS: [Step; 8] = [
    (0, "Fig. 3", 1, (0.0, INFINITE), &[("A", '-', -1, 3)]),
    (1, "Fig. 4", 0, (0.0, INFINITE), &[("A", '+', 32_001, 1)]),
    (
        3,
        "Fig. 5",
        0,
        (-1.0, 1.0),
        &[("A", '+', 1, 1), ("A", '+', 2, 3), ("A", '-', -1, 2), ("A", '-', -2, 3)],
    ),
    (4, "Fig. 6", 1, (-1.0, 3.0), &[("A", '+', 3, 2)]),
    (6, "Fig. 7", 1, (0.0, 3.0), &[("B", '-', -1, 3), ("A", '-', -1, 4), ("A", '-', 0, 1)]),
    (9, "Fig. 8", 1, (0.0, 2.0), &[("F", '+', 3, 3), ("B", '+', 3, 4), ("B", '-', 0, 1), ("A", '-', 0, 1)]),
    (10, "O expanded", 0, (0.0, 2.0), &[]),
    (16, "Fig. 9", 0, (0.0, 0.0), &[("A", '+', 1, 3), ("A", '-', -1, 3)]),
];

type Growing<'t> = Grower<TreePosition<'t>, Bounds<8>, ConspiracyNumbers, Unexpanded, Off>;

/// Returns the names of all grown nodes, by the moves that lead to them.
fn names(tree: &Tree, grower: &Growing<'_>) -> Vec<Name> {
    let mut names = vec![Name::ROOT; grower.tree.len()];
    for parent in grower.tree.nodes() {
        for child in grower.tree.children(parent) {
            let mv = grower.tree.mv(child).unwrap_or_default();
            names[child.index()] = tree.node(names[parent.index()]).children()[usize::from(mv)];
        }
    }
    names
}

fn value(score: Score) -> f64 {
    match score {
        Score::INFINITE => INFINITE,
        score if score == -Score::INFINITE => -INFINITE,
        score => f64::from(score.0),
    }
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let mut findings = Findings { conditions: vec!["expansions", "tree"], ..Findings::default() };
    context.step(0, 1)?;
    let tree = cns_growth();
    let growth =
        ConspiracyNumbers { threshold: THRESHOLD as i32, deepened: 0, ..ConspiracyNumbers::default() };
    let mut grower = Growing::new(1, growth, Unexpanded).expect("1 MiB");
    grower.begin(&tree.root(), &[], &[]);
    let mut expanded = Vec::new();
    loop {
        // The root is expanded before Fig. 3.
        match grower.step(&Unlimited) {
            Ok(NodeId::ROOT) => {}
            Ok(node) => expanded.push(tree.node(names(&tree, &grower)[node.index()]).label()),
            Err(_) => break,
        }
        for (after, figure, root, (least, greatest), needed) in STEPS {
            if after != expanded.len() {
                continue;
            }
            let bounds = *grower.tree.payload(NodeId::ROOT);
            let mut row = |quantity: &str, paper: f64, ours: f64| {
                findings.row(quantity, &[&after, &figure], Some(paper), ours, Tolerance::Exact);
            };
            let range = bounds.range(THRESHOLD);
            row("value of the root", f64::from(root), value(bounds.mover.at(0)));
            row("least likely value", least, value(range.0));
            row("greatest likely value", greatest, value(range.1));
            let names = names(&tree, &grower);
            for &(label, sign, bound, conspirators) in needed {
                let named = |node: &NodeId| tree.node(names[node.index()]).label() == label;
                let Some(node) = grower.tree.nodes().find(named) else { continue };
                let (bounds, max_to_move) =
                    (grower.tree.payload(node), tree.node(names[node.index()]).max_to_move());
                let (max, min) =
                    if max_to_move { (bounds.mover, bounds.other) } else { (bounds.other, bounds.mover) };
                let (quantity, ours) = match sign {
                    '+' => ("at least", max.needed(Score(bound))),
                    _ => ("at most", min.needed(Score(-bound))),
                };
                let quantity = format!("conspirators for {label} {quantity} {}", value(Score(bound)));
                row(&quantity, conspirators as f64, ours as f64);
            }
        }
    }
    let order = expanded.iter().zip(CNS_GROWTH_ORDER);
    let same = order.take(NAMED).filter(|(ours, paper)| *ours == paper).count();
    let last = (expanded.len(), "Fig. 9");
    let mut row = |quantity: &str, paper: Option<usize>, ours: usize| {
        let tolerance = if paper.is_some() { Tolerance::Exact } else { Tolerance::Any };
        findings.row(quantity, &[&last.0, &last.1], paper.map(|it| it as f64), ours as f64, tolerance);
    };
    row("expansions", Some(CNS_GROWTH_ORDER.len()), expanded.len());
    row("of those that the text names in order", Some(NAMED), same);
    row("nodes", None, grower.tree.len());
    (context.progress)(1, 1);
    findings.notes = vec![
        format!("Expanded after the root: {}.", expanded.join(" ")),
        "The figures carry no numbers in the text. \
         The tree is the one that its sentences describe; they force most of the values."
            .into(),
        "The text does not count the expansion of the root here, but in its §7 it does.".into(),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn it_grows_as_the_text_says() {
        let findings = run(&Context::new(true, &|_, _| {}, &AtomicBool::new(false))).unwrap();
        assert!(findings.hold(), "{}", findings.to_csv());
        assert_eq!(findings.rows.len(), 3 * STEPS.len() + 16 + 3);
    }
}
