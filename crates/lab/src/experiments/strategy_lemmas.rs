//! Tests the lemmas on the depths of strategies, on all plans of random trees.

use super::written::irregular;
use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use cassius_games::Tree;
use cassius_games::explicit::NodeId;
use cassius_search::alpha_beta::horizon::Safety;
use cassius_search::plans::strategy::{Conspirators, Side, Strategy, strategies};
use cassius_search::{Depth, Score};

/// The lemmas of §5 and §6.
pub static STRATEGY_LEMMAS: Experiment = Experiment {
    id: "strategy-lemmas",
    claim: "C_max is one more than the smallest conspiracy depth of a leaf; the adjusted depth is the depth \
            in plies if S is 1, and (C_max − 1) / b if S(k) is k / b",
    paper: "D. A. McAllester, D. Yuret: Alpha-Beta-Conspiracy Search, 1993",
    section: "§5 and §6, the lemmas",
    cases: None,
    uses: &[],
    run,
};

/// The maximum number of plans considered for one tree.
const PLANS: usize = 60;

/// b, chosen such that 1/b of a ply is a whole number of our smallest depth units, 240 to a ply.
const BRANCHING: usize = 30;

/// The counts over plans.
#[derive(Default)]
struct Count {
    plans: u32,
    /// Plans whose C is not the smallest d plus one.
    other_number: u32,
    /// Plans whose D with S = 1 is not the number of the owner's plies down to the nearest leaf.
    other_plies: u32,
    /// Plans whose D with S(k) = k / b is not (C − 1) / b.
    other_share: u32,
}

impl Count {
    fn add(&mut self, tree: &Tree, plan: &Strategy<NodeId>, margin: Score) {
        self.plans += 1;
        let number = plan.conspiracy_number(tree, margin);
        let least = plan
            .shallowest(tree, margin)
            .map_or(Conspirators::Never, |leaf| Conspirators::Leaves(leaf.depth + 1));
        self.other_number += u32::from(number != least);
        let depth = |safety| plan.weakest(tree, margin, &safety).map(|leaf| leaf.depth);
        let plies = plan.leaves().map(|leaf| tree.node(leaf).ply()).min().unwrap_or_default() as i32;
        // MAX moves at the root: he has ⌊(d + 1) / 2⌋ of the moves, the other side ⌊d / 2⌋.
        let own = if plan.owner() == Side::Max { (plies + 1) / 2 } else { plies / 2 };
        self.other_plies += u32::from(depth(Safety::one()) != Some(Depth::plies(own)));
        let share = match number {
            Conspirators::Leaves(leaves) => {
                Some(Depth(Depth::PLY.0 / BRANCHING as i32 * (leaves as i32 - 1)))
            }
            Conspirators::Never => None,
        };
        self.other_share += u32::from(depth(Safety::Power { gamma: 1.0, branching: BRANCHING }) != share);
    }
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let trees = if context.quick { 150 } else { 3000 };
    let mut findings = Findings { conditions: vec!["plans of", "δ"], ..Findings::default() };
    let settings: Vec<(&str, Side, i32)> = [("max", Side::Max), ("min", Side::Min)]
        .into_iter()
        .flat_map(|(name, owner)| [1, 2, 3].map(|margin| (name, owner, margin)))
        .collect();
    for (done, (name, owner, margin)) in settings.iter().enumerate() {
        context.step(done, settings.len())?;
        let mut count = Count::default();
        for seed in 0..trees {
            let tree = irregular(24, seed);
            strategies(&tree, *owner).take(PLANS).for_each(|plan| count.add(&tree, &plan, Score(*margin)));
        }
        let mut row = |quantity: &str, paper, ours: u32, tolerance| {
            findings.row(quantity, &[name, margin], paper, f64::from(ours), tolerance);
        };
        row("strategies", None, count.plans, Tolerance::Any);
        row("C is not the least d and one", Some(0.0), count.other_number, Tolerance::Exact);
        row("S = 1: D is not the owner's plies", Some(0.0), count.other_plies, Tolerance::Exact);
        row("S = k / b: D is not (C − 1) / b", Some(0.0), count.other_share, Tolerance::Exact);
    }
    (context.progress)(settings.len(), settings.len());
    findings.notes = vec![format!(
        "{trees} irregular trees of at most 25 nodes with values from −3 to 3, no leaf terminal, the first \
         {PLANS} strategies of each; b = {BRANCHING}. The owner's plies down to the nearest leaf, at ply d, \
         are ⌊(d + 1) / 2⌋ for MAX, who moves at the root, and ⌊d / 2⌋ for MIN."
    )];
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_lemmas_hold() {
        let findings = run(&Context::new(true, &|_, _| {}, &AtomicBool::new(false))).unwrap();
        assert!(findings.hold(), "{}", findings.to_csv());
        let plans = |row: &&crate::experiment::Row| row.quantity == "strategies";
        assert!(findings.rows.iter().filter(plans).all(|row| row.ours > 400.0), "{}", findings.to_csv());
    }

    /// The count can be other than 0: with a terminal leaf, which the paper does not have, D is not the
    /// number of plies.
    #[test]
    fn terminal_leaves_are_outside_the_lemma() {
        let tree: Tree = "0(0(0(0!) 0!) 0)".parse().unwrap();
        let mut count = Count::default();
        strategies(&tree, Side::Max).for_each(|plan| count.add(&tree, &plan, Score(1)));
        assert_eq!((count.plans, count.other_plies), (2, 1));
    }
}
