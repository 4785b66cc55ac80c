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
    claim: "On strongly ordered trees palphabeta scores fewer leaves than SCOUT",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "§III",
    cases: None,
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

/// The indices of palphabeta and SCOUT in that list.
const PALPHABETA: usize = 2;
const SCOUT: usize = 5;

/// Returns the number of scored leaves, including leaves that are scored again.
fn leaves<W: cassius_search::alpha_beta::windows::Windows>(tree: &RandomTree, depth: usize) -> u64 {
    alpha_beta_with::<RandomTree, W>(tree, depth, Window::FULL).nodes[depth]
}

/// Returns the mean number of leaves of every way over `trees` trees.
fn means(values: Values, width: u16, depth: u16, trees: u64) -> [f64; WAYS.len()] {
    let mut sums = [0; WAYS.len()];
    for seed in 0..trees {
        let tree = RandomTree::new(values, width, depth, seed);
        for (sum, (_, leaves)) in sums.iter_mut().zip(WAYS) {
            *sum += leaves(&tree, depth.into());
        }
    }
    sums.map(|sum| sum as f64 / trees as f64)
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let trees = if context.quick { 50 } else { 1000 };
    let sizes = [(8, 3), (16, 3), (24, 3), (8, 4), (16, 4), (24, 4)];
    let kinds = [("strongly ordered", Values::StronglyOrdered), ("random", Values::Independent)];
    let mut findings = Findings { conditions: vec!["trees", "W", "D"], ..Findings::default() };
    let mut series: Vec<Series> = WAYS.map(|(name, _)| Series::new(name, [])).to_vec();
    for (step, (kind, values)) in kinds.into_iter().enumerate() {
        for (place, (width, depth)) in sizes.into_iter().enumerate() {
            context.step(step * sizes.len() + place, kinds.len() * sizes.len())?;
            let means = means(values, width, depth, trees);
            for ((name, _), mean) in WAYS.into_iter().zip(means) {
                findings.row(
                    &format!("leaves, {name}"),
                    &[&kind, &width, &depth],
                    None,
                    mean,
                    Tolerance::Any,
                );
            }
            let claimed = values == Values::StronglyOrdered;
            let holds = f64::from(u8::from(means[PALPHABETA] < means[SCOUT]));
            let tolerance = if claimed { Tolerance::Exact } else { Tolerance::Any };
            findings.row(
                "palphabeta scores fewer than SCOUT (1: yes)",
                &[&kind, &width, &depth],
                claimed.then_some(1.0),
                holds,
                tolerance,
            );
            if claimed && depth == 4 {
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
        "The paper gives no figures, only that its first simulations showed it. \
         In random trees nothing is claimed."
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
            let means = means(Values::StronglyOrdered, width, depth, 150);
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
