//! Compares best-first SSS* and DUAL* with their reformulations as minimal-window searches.

use super::leaves::alpha_beta;
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use crate::plot::{Plot, Scale, Series};
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::alpha_beta::aspiration::Mtd;
use cassius_search::alpha_beta::horizon::{Alter, Altered, Plies};
use cassius_search::alpha_beta::observe::Observe;
use cassius_search::alpha_beta::windows::WholeWindow;
use cassius_search::best_first::{Star, sss_star};
use cassius_search::{
    Component, Depth, Depths, Evaluate, Game, Keyed, Off, Outcome, Request, Score, Slots, Table, Unlimited,
    Window, search,
};
use std::cell::RefCell;
use std::collections::HashSet;

/// Stockman's SSS*, and the findings of Plaat and others about it.
pub static SSS_STAR: Experiment = Experiment {
    id: "sss-star",
    claim: "A series of searches with minimal windows and a memory, from +∞ downwards, scores the same \
            leaves as SSS* in the same order; from −∞ upwards, it scores those of DUAL*",
    paper: "A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin: Best-First Fixed-Depth Minimax Algorithms, 1996 \
            (SSS* is named by D. McAllester: Conspiracy Numbers for Min-Max Search, 1988)",
    section: "§1 there; the equivalence is the later paper's",
    cases: None,
    uses: &[],
    run,
};

/// A tree that records the leaves whose value is requested, in order.
#[derive(Clone)]
struct Noted<'a> {
    tree: RandomTree,
    leaves: &'a RefCell<Vec<u64>>,
}

impl Game for Noted<'_> {
    type Move = u16;

    fn moves(&self, moves: &mut Vec<u16>) {
        self.tree.moves(moves);
    }

    fn play(&mut self, mv: u16) {
        self.tree.play(mv);
    }

    fn outcome(&self) -> Outcome {
        self.leaves.borrow_mut().push(self.tree.key());
        self.tree.outcome()
    }
}

/// Returns the value, and the keys of the leaves in the order in which they are scored.
fn best_first(root: &RandomTree, depth: usize, star: Star) -> (Score, Vec<u64>) {
    let leaves = RefCell::new(Vec::new());
    let noted = Noted { tree: *root, leaves: &leaves };
    let above_the_bottom = &mut |_: &Noted<'_>| unreachable!("above the bottom");
    let solution = sss_star(&noted, depth, above_the_bottom, star, usize::MAX);
    (solution.expect("there is room for all").value, leaves.into_inner())
}

/// Alpha-beta with a table, in which every iteration starts as [`Mtd`] prescribes.
struct Questions;

cassius_search::recipe! {
    impl [] Questions, game RandomTree {
        Setting = (Bottom, Off);
        Observe = Scored;
        Horizon = Altered<AtOnce, Plies>;
        Memory = Table;
        Windows = WholeWindow;
        Aspiration = Mtd;
    }
}

/// All leaves are at the bottom, where the game is over.
struct Bottom;

impl Evaluate<RandomTree> for Bottom {
    fn evaluate(&mut self, _: &RandomTree) -> Score {
        Score::DRAW
    }
}

/// Every iteration has this number of plies: the first goes to the bottom.
#[derive(Default)]
struct AtOnce(i32);

impl Component for AtOnce {
    const NAME: &'static str = "AtOnce";
}

impl<G: Game> Alter<G> for AtOnce {
    fn iteration(&self, _: usize, _: Depths) -> Depths {
        Depths::both(Depth::plies(self.0))
    }
}

/// The scored leaves, each once, during the minimal-window searches. The last window only fetches values
/// from the memory and is not part of the algorithm.
#[derive(Default)]
struct Scored {
    asks: bool,
    seen: HashSet<u64>,
    leaves: Vec<u64>,
}

impl Observe<RandomTree> for Scored {
    fn enter(&mut self, position: &RandomTree, window: Window, ply: usize) {
        if ply == 0 {
            self.asks = window.is_minimal();
        }
        if self.asks && position.is_over() && self.seen.insert(position.key()) {
            self.leaves.push(position.key());
        }
    }
}

/// Returns the value, and the leaves in the order in which they are first scored.
fn by_questions(root: &RandomTree, depth: usize, star: Star, table: &Table) -> (Score, Vec<u64>) {
    table.clear();
    let mut slots: Slots<RandomTree, Questions> = Slots::new(Bottom, table.clone(), Off);
    slots.horizon = Altered { change: AtOnce(depth as i32), rule: Plies {} };
    slots.aspiration = Mtd { start: if star == Star::Sss { 1 } else { 2 }, most: 10_000 };
    let answer = search(&mut slots, &Request::new(root, &Unlimited).to_iteration(1), &mut |_| {});
    (answer.score().unwrap_or(Score::DRAW), slots.observe.leaves)
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let trees = if context.quick { 5 } else { 100 };
    let sizes: &[(u16, u16)] = &[(2, 6), (3, 4), (3, 5), (4, 4), (5, 3), (8, 3)];
    let kinds = [
        ("random", Values::Independent),
        ("strongly ordered", Values::StronglyOrdered),
        ("incremental", Values::Incremental),
    ];
    let table = Table::new(4).expect("a small table");
    let mut findings = Findings { conditions: vec!["trees", "W", "D"], ..Findings::default() };
    let mut series: Vec<Series> = ["SSS*", "DUAL*"].map(|name| Series::new(name, [])).to_vec();
    let steps = kinds.len() * sizes.len();
    for (step, (kind, values)) in kinds.into_iter().enumerate() {
        for (place, &(width, depth)) in sizes.iter().enumerate() {
            context.step(step * sizes.len() + place, steps)?;
            let plies = usize::from(depth);
            let (mut other, mut wrong, mut scored, mut plain) = ([0; 2], 0, [0; 2], 0);
            for seed in 0..trees {
                let tree = RandomTree::new(values, width, depth, seed);
                let visit = alpha_beta(&tree, plies, Window::FULL);
                plain += visit.nodes[plies];
                for (which, star) in [Star::Sss, Star::Dual].into_iter().enumerate() {
                    let (value, leaves) = best_first(&tree, plies, star);
                    let (asked, found) = by_questions(&tree, plies, star, &table);
                    wrong += u64::from(value != visit.value || asked != visit.value);
                    other[which] += u64::from(leaves != found);
                    scored[which] += leaves.len();
                }
            }
            let conditions: [&dyn std::fmt::Display; 3] = [&kind, &width, &depth];
            let mut row = |quantity: &str, paper, ours, tolerance| {
                findings.row(quantity, &conditions, paper, ours, tolerance);
            };
            row(
                "trees with other leaves or another order, SSS*",
                Some(0.0),
                other[0] as f64,
                Tolerance::Exact,
            );
            row(
                "trees with other leaves or another order, DUAL*",
                Some(0.0),
                other[1] as f64,
                Tolerance::Exact,
            );
            row("values that are not minimax's", Some(0.0), wrong as f64, Tolerance::Exact);
            for (star, (scored, series)) in
                ["SSS*", "DUAL*"].into_iter().zip(scored.into_iter().zip(&mut series))
            {
                let share = scored as f64 / plain as f64;
                row(&format!("leaves, {star} over alpha-beta"), None, share, Tolerance::Any);
                if values == Values::Independent {
                    series.points.push((f64::from(width).powi(depth.into()), share));
                }
            }
        }
    }
    (context.progress)(steps, steps);
    series.iter_mut().for_each(|series| series.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    findings.plot(Plot {
        name: "leaves".into(),
        title: "Leaves scored in random trees".into(),
        x: "leaves of the tree".into(),
        y: "leaves scored, alpha-beta = 1".into(),
        scale: Scale::Linear,
        series,
    });
    findings.notes = vec![
        format!(
            "{trees} trees of each kind and size; \
             leaves are compared one by one, in the order of their first visit."
        ),
        "Best-first is `sss_star`, Stockman's list of states as a heap; \
         the questions are the library's skeleton with `Mtd`, a table, and no other component."
            .into(),
    ];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_score_the_leaves_of_the_stars() {
        let table = Table::new(1).expect("a small table");
        for (width, depth) in [(2, 5), (3, 4), (4, 3)] {
            for seed in 0..15 {
                let tree = RandomTree::new(Values::Independent, width, depth, seed);
                let value = alpha_beta(&tree, depth.into(), Window::FULL).value;
                for star in [Star::Sss, Star::Dual] {
                    let best_first = best_first(&tree, depth.into(), star);
                    assert_eq!(best_first.0, value, "{star:?}");
                    assert_eq!(by_questions(&tree, depth.into(), star, &table), best_first, "{star:?}");
                }
            }
        }
    }
}
