//! Measures the savings of testing only whether a move exceeds α.

use super::leaves::alpha_beta_with;
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::Window;
use cassius_search::alpha_beta::windows::{
    LastMinimal, MinimalWindow, Palphabeta, PalphabetaAbove, ScoutWindow, WholeWindow,
};

/// The statements of Marsland & Campbell about palphabeta and SCOUT.
pub static WINDOWS: Experiment = Experiment {
    id: "windows",
    claim: "On strongly ordered trees palphabeta scores fewer leaves than SCOUT; it risks more leaves than \
            alpha-beta where trees are poorly ordered; a minimal window for the last subtree saves a little",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "§III",
    cases: None,
    uses: &[],
    run,
};

type Leaves = fn(&RandomTree, usize) -> u64;

/// The ways to choose the windows of the moves.
const WAYS: [(&str, Leaves); 6] = [
    ("alpha-beta", leaves::<WholeWindow>),
    ("minimal window, last subtree", leaves::<LastMinimal>),
    ("palphabeta", leaves::<Palphabeta>),
    ("palphabeta to ply D − 2", leaves::<PalphabetaAbove>),
    ("principal variation search", leaves::<MinimalWindow>),
    ("SCOUT", leaves::<ScoutWindow>),
];

/// Indices in that list.
const ALPHA_BETA: usize = 0;
const LAST_SUBTREE: usize = 1;
const PALPHABETA: usize = 2;
const SCOUT: usize = 5;

/// Returns the number of scored leaves, including leaves that are scored again.
fn leaves<W: cassius_search::alpha_beta::windows::Windows>(tree: &RandomTree, depth: usize) -> u64 {
    alpha_beta_with::<RandomTree, W>(tree, depth, Window::FULL).nodes[depth]
}

/// Returns the number of leaves of every way in each of `trees` trees.
fn count(values: Values, width: u16, depth: u16, trees: u64) -> Vec<[u64; WAYS.len()]> {
    let in_tree = |seed| {
        let tree = RandomTree::new(values, width, depth, seed);
        WAYS.map(|(_, leaves)| leaves(&tree, depth.into()))
    };
    (0..trees).map(in_tree).collect()
}

/// Returns the mean number of leaves of every way.
fn means(counts: &[[u64; WAYS.len()]]) -> [f64; WAYS.len()] {
    std::array::from_fn(|way| counts.iter().map(|count| count[way]).sum::<u64>() as f64 / counts.len() as f64)
}

const AGAIN: &str = "a last move that beats the others is searched again, in random trees often";

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let trees = if context.quick { 50 } else { 1000 };
    let sizes = [(8, 3), (16, 3), (24, 3), (8, 4), (16, 4), (24, 4)];
    let kinds = [("strongly ordered", Values::StronglyOrdered), ("random", Values::Independent)];
    let mut findings = Findings { conditions: vec!["trees", "W", "D"], ..Findings::default() };
    let mut series: Vec<Series> = WAYS.map(|(name, _)| Series::new(name, [])).to_vec();
    for (step, (kind, values)) in kinds.into_iter().enumerate() {
        for (place, (width, depth)) in sizes.into_iter().enumerate() {
            context.step(step * sizes.len() + place, kinds.len() * sizes.len())?;
            let counts = count(values, width, depth, trees);
            let means = means(&counts);
            let mut row = |quantity: &str, paper: Option<f64>, ours: f64| {
                let tolerance = if paper.is_some() { Tolerance::Exact } else { Tolerance::Any };
                findings.row(quantity, &[&kind, &width, &depth], paper, ours, tolerance);
            };
            for ((name, _), mean) in WAYS.into_iter().zip(means) {
                row(&format!("leaves, {name}"), None, mean);
            }
            let is = |holds: bool| f64::from(u8::from(holds));
            let ordered = values == Values::StronglyOrdered;
            let fewer = is(means[PALPHABETA] < means[SCOUT]);
            row("palphabeta scores fewer than SCOUT (1: yes)", ordered.then_some(1.0), fewer);
            let more = counts.iter().filter(|count| count[PALPHABETA] > count[ALPHA_BETA]).count();
            row(
                "trees where palphabeta scores more than alpha-beta, %",
                None,
                100.0 * more as f64 / trees as f64,
            );
            row("there are such trees (1: yes)", (!ordered).then_some(1.0), is(more > 0));
            let fewer = is(means[LAST_SUBTREE] < means[ALPHA_BETA]);
            let quantity = "a minimal window for the last subtree saves leaves (1: yes)";
            findings
                .row(quantity, &[&kind, &width, &depth], Some(1.0), fewer, Tolerance::Exact)
                .because((!ordered).then_some(AGAIN));
            if ordered && depth == 4 {
                for (series, mean) in series.iter_mut().zip(means) {
                    series.points.push((width.into(), mean / means[0]));
                }
            }
        }
    }
    (context.progress)(kinds.len() * sizes.len(), kinds.len() * sizes.len());
    findings.plot(Plot {
        name: "leaves".into(),
        title: "Leaves in strongly ordered trees of four plies".into(),
        x: "width W".into(),
        y: "leaves, alpha-beta = 1".into(),
        scale: Scale::Linear,
        series,
    });
    findings.notes = vec![
        format!("{trees} trees of each kind. A leaf that is scored again counts again; there is no table."),
        "The paper gives no figures, only that its first simulations showed palphabeta ahead of SCOUT on \
         strongly ordered trees, that the last subtree saves slightly at no cost, and that there is some \
         risk of more leaves in poor order. Here a last move that beats the others is searched again."
            .into(),
        "SCOUT evaluates a move that beats α afresh, with the whole window; \
         palphabeta searches it again by plain alpha-beta from what the question has shown."
            .into(),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected means were counted independently: 381 and 336 for alpha-beta and palphabeta at W =
    /// 16, D = 3; 243 and 242 at W = 8, D = 4.
    #[test]
    fn means_are_as_counted_elsewhere() {
        for (width, depth, expected) in [(16, 3, [381.0, 336.0]), (8, 4, [243.0, 242.0])] {
            let means = means(&count(Values::StronglyOrdered, width, depth, 150));
            for (ours, theirs) in [means[0], means[PALPHABETA]].into_iter().zip(expected) {
                assert!((ours / theirs - 1.0).abs() < 0.08, "W = {width}: {ours} and {theirs}");
            }
        }
    }

    /// Two ways have the same count wherever they search the same tree.
    #[test]
    fn ways_differ_only_where_they_should() {
        for seed in 0..20 {
            // In perfect order no minimal-window search fails high.
            let best_first = RandomTree::new(Values::BestFirst, 5, 4, seed);
            assert_eq!(leaves::<Palphabeta>(&best_first, 4), leaves::<ScoutWindow>(&best_first, 4));
            assert_eq!(leaves::<Palphabeta>(&best_first, 4), leaves::<WholeWindow>(&best_first, 4));
            // With two moves the last subtree is every subtree but the first.
            let tree = RandomTree::new(Values::Independent, 2, 6, seed);
            assert_eq!(leaves::<LastMinimal>(&tree, 6), leaves::<MinimalWindow>(&tree, 6));
        }
    }
}
