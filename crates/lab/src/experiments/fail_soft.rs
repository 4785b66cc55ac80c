//! Compares fail-soft with fail-hard alpha-beta: the same nodes, tighter bounds.

use super::leaves::{minimax, nodes_of, nodes_of_fail_hard};
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::alpha_beta::observe::Recorded;
use cassius_search::{Bound, Score, Window};

/// The statement of Marsland & Campbell about falphabeta.
pub static FAIL_SOFT: Experiment = Experiment {
    id: "fail-soft",
    claim: "Fail-soft alpha-beta examines the same nodes as alpha-beta, \
            and gives a tighter bound when it fails",
    paper: "T. A. Marsland, M. Campbell: A Survey of Enhancements to the Alpha-Beta Algorithm, 1981",
    section: "§III, falphabeta",
    cases: None,
    uses: &[],
    run,
};

/// How far the failing windows are from the value, in evaluation units.
const MISSES: [i32; 5] = [1, 2, 4, 8, 16];
/// The width of the windows.
const WIDTH: Score = Score(4);
/// The widths and depths of the trees.
const TREES: [(u16, u16); 4] = [(3, 4), (4, 3), (6, 3), (4, 5)];

/// The results of some failing searches.
#[derive(Clone, Copy, Debug, Default)]
struct Comparison {
    searches: u64,
    /// Searches of fail-soft that entered other nodes, or in another order, or with other windows.
    other_nodes: u64,
    /// Bounds that are looser than fail-hard's.
    looser: u64,
    /// Bounds that are tighter than fail-hard's.
    tighter: u64,
    /// Bounds that are wrong.
    wrong: u64,
}

impl Comparison {
    /// Searches a tree with a window that its value misses. Returns how much tighter the fail-soft bound
    /// is.
    fn add(&mut self, tree: &RandomTree, depth: usize, window: Window, value: Score) -> f64 {
        let (soft, hard) = (nodes_of(tree, depth, window), nodes_of_fail_hard(tree, depth, window));
        let entered = |node: &Recorded<RandomTree>| (node.position, node.window, node.ply, node.parent);
        self.searches += 1;
        self.other_nodes += u64::from(!soft.iter().map(entered).eq(hard.iter().map(entered)));
        let bound = |nodes: &[Recorded<RandomTree>]| nodes[0].value.unwrap_or(Score::DRAW);
        let (soft, hard) = (bound(&soft), bound(&hard));
        let (tightening, is_true) = match window.bound(value) {
            Bound::Lower => (soft - hard, soft <= value),
            _ => (hard - soft, soft >= value),
        };
        self.looser += u64::from(tightening < Score::DRAW);
        self.tighter += u64::from(tightening > Score::DRAW);
        self.wrong += u64::from(!is_true || hard != window.clip(value));
        tightening.0.into()
    }
}

/// Returns the windows that a value misses by `miss`: it fails low in the first, high in the second.
fn misses(value: Score, miss: i32) -> [Window; 2] {
    let (above, below) = (value + Score(miss), value - Score(miss));
    [Window::new(above, above + WIDTH), Window::new(below - WIDTH, below)]
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let seeds = if context.quick { 10 } else { 100 };
    let steps = TREES.len() * MISSES.len();
    let mut findings = Findings { conditions: vec!["W", "D", "outside by"], ..Findings::default() };
    let mut gains: Vec<Series> = ["failing low", "failing high"].map(|name| Series::new(name, [])).to_vec();
    let (mut searches, mut tighter) = (0, 0);
    for (place, miss) in MISSES.into_iter().enumerate() {
        let mut gain = [0.0; 2];
        for (tree, (width, depth)) in TREES.into_iter().enumerate() {
            context.step(place * TREES.len() + tree, steps)?;
            let mut found = Comparison::default();
            for seed in 0..seeds {
                let tree = RandomTree::new(Values::Independent, width, depth, seed);
                let value = minimax(&tree, depth.into()).0;
                for (window, gain) in misses(value, miss).into_iter().zip(&mut gain) {
                    *gain += found.add(&tree, depth.into(), window, value);
                }
            }
            rows(&mut findings, width, depth, miss, &found);
            searches += found.searches;
            tighter += found.tighter;
        }
        for (series, gain) in gains.iter_mut().zip(gain) {
            series.points.push((f64::from(miss), gain / (TREES.len() as u64 * seeds) as f64));
        }
    }
    (context.progress)(steps, steps);
    findings.plot(Plot {
        name: "gain".into(),
        title: "How much tighter the bound of a failing search is".into(),
        x: "value outside the window by".into(),
        y: "mean tightening".into(),
        scale: Scale::Linear,
        series: gains,
    });
    findings.notes = vec![
        format!("{searches} failing searches in random trees; the bound is strictly tighter in {tighter}."),
        "Fail-hard is the same search with its values clipped to the window. Nodes are compared one by one: \
         position, window and order. A fail-soft bound is wrong if the value lies beyond it."
            .into(),
    ];
    Ok(findings)
}

fn rows(findings: &mut Findings, width: u16, depth: u16, miss: i32, found: &Comparison) {
    let mut row = |quantity: &str, paper, ours, tolerance| {
        findings.row(quantity, &[&width, &depth, &miss], paper, ours, tolerance);
    };
    row("searches of other nodes", Some(0.0), found.other_nodes as f64, Tolerance::Exact);
    row("bounds looser, or wrong", Some(0.0), (found.looser + found.wrong) as f64, Tolerance::Exact);
    let share = 100.0 * found.tighter as f64 / found.searches as f64;
    row("bounds strictly tighter, %", None, share, Tolerance::Any);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn same_nodes_and_tighter_bounds_in_most() {
        let stop = AtomicBool::new(false);
        let findings = run(&Context::new(true, &|_, _| {}, &stop)).unwrap();
        assert!(findings.hold());
        let shares = || findings.rows.iter().filter(|row| row.quantity == "bounds strictly tighter, %");
        assert!(shares().map(|row| row.ours).sum::<f64>() / shares().count() as f64 > 50.0);
    }

    /// The comparison can fail: with another window other nodes are entered, and another bound is
    /// returned.
    #[test]
    fn another_window_is_another_search() {
        let tree = RandomTree::new(Values::Independent, 4, 4, 1);
        let value = minimax(&tree, 4).0;
        let nodes = |window| nodes_of(&tree, 4, window);
        let [low, high] = misses(value, 8);
        assert_ne!(nodes(low).len(), nodes(high).len());
        assert!(nodes(low)[0].value >= Some(value) && nodes(high)[0].value <= Some(value));
    }

    /// Inside the window fail-hard returns the minimax value, outside it the nearest edge.
    #[test]
    fn fail_hard_clips() {
        for seed in 0..40 {
            let tree = RandomTree::new(Values::Independent, 3, 4, seed);
            let value = minimax(&tree, 4).0;
            for window in [Window::FULL, Window::above(Score(64)), Window::new(Score(50), Score(70))] {
                let nodes = nodes_of_fail_hard(&tree, 4, window);
                assert_eq!(nodes[0].value, Some(window.clip(value)));
                let clipped = |node: &Recorded<RandomTree>| node.value.map(|value| node.window.clip(value));
                assert!(nodes.iter().all(|node| node.value == clipped(node)));
            }
        }
    }
}
