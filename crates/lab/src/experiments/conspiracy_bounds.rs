//! Compares conspiracy numbers with their definition by trying every set of leaves.

use crate::experiment::{Context, Experiment, Findings, Tolerance, Unfinished};
use cassius_games::explicit::NodeId as TreeNode;
use cassius_games::figures;
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::best_first::{
    BestSuccessor, Bounds, ConspiracyNumbers, Ended, Grower, NodeId, Payload, Static, Tree, Whose,
    conspirator_leaf,
};
use cassius_search::{Off, Score, Statics, Unlimited};

/// The statements of §2 to §5 and §9.
pub static CONSPIRACY_BOUNDS: Experiment = Experiment {
    id: "conspiracy-bounds",
    claim: "The sequences of bounds give the minimum number of conspirators for every value; a set of \
            conspirators can reach every value in between; MIN-STRATEGY-LEAF returns exactly the leaves of \
            smallest conspiracies, which are leaves of strategies below the value, though not all of them; \
            the search for a best successor can always continue, and can end before the value is known",
    paper: "D. A. McAllester: Conspiracy Numbers for Min-Max Search, 1988",
    section: "§2 to §5, §9, Fig. 1 and 2",
    cases: None,
    uses: &[],
    run,
};

/// More conspirators than the leaves of the trees in which every set is tried.
type Held = Bounds<14>;
type Grown = Tree<u16, Held>;
const MOST_LEAVES: usize = 11;

/// Returns a partial tree of a random game, with or without ends in reach. It is grown leaf by leaf, and
/// random values are ruled out.
fn grown(seed: u64) -> Grown {
    let (width, depth) = (1 + seed % 4, if seed.is_multiple_of(3) { 2 } else { 5 });
    let game = RandomTree::new(Values::Coarse(6), width as u16, depth, seed);
    let mut grower =
        Grower::<_, Held, _, _, Off>::new(1, ConspiracyNumbers::default(), Static(Statics)).expect("1 MiB");
    grower.begin(&game, &[], &[]);
    for turn in 0..seed / 12 % 8 {
        grower.growth.threshold = 1 + ((seed >> turn) % 5) as i32;
        grower.growth.deepened = ((seed >> (turn + 3)) % 2) as i32;
        if open_leaves(&grower.tree).len() + width as usize > MOST_LEAVES || grower.step(&Unlimited).is_err()
        {
            break;
        }
    }
    grower.tree
}

fn open_leaves<const N: usize>(tree: &Tree<u16, Bounds<N>>) -> Vec<NodeId> {
    tree.nodes().filter(|&node| tree.is_leaf(node)).collect()
}

/// Returns the root's value if the leaves in `set` (one bit for each of `leaves`) have this value, seen
/// by MAX.
fn with(tree: &Grown, leaves: &[NodeId], set: u32, value: i32) -> i32 {
    let mut plies = vec![0; tree.len()];
    for node in tree.nodes() {
        tree.children(node).for_each(|child| plies[child.index()] = plies[node.index()] + 1);
    }
    let mut values: Vec<i32> = tree.nodes().map(|node| tree.payload(node).value().0).collect();
    for (_, leaf) in leaves.iter().enumerate().filter(|(bit, _)| set >> bit & 1 != 0) {
        values[leaf.index()] = if plies[leaf.index()] % 2 == 0 { value } else { -value };
    }
    for node in tree.nodes().rev() {
        if let Some(best) = tree.children(node).map(|child| -values[child.index()]).max() {
            values[node.index()] = best;
        }
    }
    values[0]
}

/// The number of comparisons, and the number of those that agree with the paper.
#[derive(Default)]
struct Count {
    made: u64,
    agree: u64,
}

impl Count {
    fn add(&mut self, agrees: bool) {
        self.made += 1;
        self.agree += u64::from(agrees);
    }
}

#[derive(Default)]
struct Counts {
    monotone: Count,
    between: Count,
    bounds: Count,
    leaves: Count,
    /// The leaves of smallest conspiracies, and those of them that are in a strategy below the value.
    in_strategies: Count,
    /// The leaves of such strategies, and those of them that are in no smallest conspiracy.
    deeper: Count,
}

impl Counts {
    fn add(&mut self, tree: &Grown) {
        const FAR: i32 = 32_001;
        let leaves = open_leaves(tree);
        let sets = 1u32 << leaves.len();
        let root = tree.payload(NodeId::ROOT);
        let value = root.value().0;
        let highest: Vec<i32> = (0..sets).map(|set| with(tree, &leaves, set, FAR)).collect();
        let lowest: Vec<i32> = (0..sets).map(|set| with(tree, &leaves, set, -FAR)).collect();
        // The smallest number of leaves with which the root can be as high as the bound, or as low, and with
        // which it can be just that.
        let exactly = |bound: i32| {
            let reaching = (0..sets).filter(|&set| with(tree, &leaves, set, bound) == bound);
            reaching.map(|set| set.count_ones() as usize).min().unwrap_or(usize::MAX)
        };
        let up = |bound: i32| sizes(&highest).filter(|&(_, high)| high >= bound).map(|(size, _)| size).min();
        let down = |bound: i32| sizes(&lowest).filter(|&(_, low)| low <= bound).map(|(size, _)| size).min();
        let most = Held::MOST + 1;
        let (mut more, mut less) = (0, 0);
        for bound in 1..8 {
            let (needed, of_other) = (up(value + bound), down(value - bound));
            self.bounds.add(root.mover.needed(Score(value + bound)) == needed.unwrap_or(most));
            self.bounds.add(root.other.needed(Score(bound - value)) == of_other.unwrap_or(most));
            let (needed, of_other) = (exactly(value + bound), exactly(value - bound));
            self.monotone.add(needed >= more && of_other >= less);
            (more, less) = (needed, of_other);
        }
        // Lemma 2.5: a set that can bring about a value can bring about every value between it and the
        // root's.
        for set in 0..sets {
            let (low, high) = (lowest[set as usize].max(value - 8), highest[set as usize].min(value + 8));
            self.between.add((low..=high).all(|between| with(tree, &leaves, set, between) == between));
        }
        // The leaves that the procedure can return, and those that are in a smallest conspiracy.
        for bound in 1..8 {
            for (side, goal, reaches) in
                [(Whose::Mover, value + bound, &highest), (Whose::Other, value - bound, &lowest)]
            {
                let enough = |set: u32| match side {
                    Whose::Mover => reaches[set as usize] >= goal,
                    Whose::Other => reaches[set as usize] <= goal,
                };
                let Some(fewest) = (0..sets).filter(|&set| enough(set)).map(u32::count_ones).min() else {
                    continue;
                };
                let members =
                    (0..sets).filter(|&set| enough(set) && set.count_ones() == fewest).fold(0, |a, b| a | b);
                let sought = if side == Whose::Mover { Score(goal) } else { Score(-goal) };
                let named = possible_leaves(tree, side, sought);
                for &leaf in &leaves {
                    let in_strategy = is_in_strategy_below(tree, leaf, side, sought);
                    if named.contains(&leaf) {
                        self.in_strategies.add(in_strategy);
                    }
                    if in_strategy {
                        self.deeper.add(!named.contains(&leaf));
                    }
                }
                let named = leaves.iter().enumerate().filter(|(_, leaf)| named.contains(leaf));
                self.leaves.add(named.fold(0, |set, (bit, _)| set | 1u32 << bit) == members);
                let found = conspirator_leaf(tree, NodeId::ROOT, side, sought);
                let bit = leaves.iter().position(|leaf| *leaf == found);
                self.leaves.add(bit.is_some_and(|bit| members >> bit & 1 != 0));
            }
        }
    }
}

/// Whether a leaf is in a strategy with which the opponent of `side` keeps the root below `value` for
/// `side`. Such a strategy plans one move in each node of the opponent, and answers every move of `side`. So
/// all that branches off where `side` moves must be below `value`, and the leaf too.
fn is_in_strategy_below(tree: &Grown, leaf: NodeId, mut side: Whose, value: Score) -> bool {
    let below = |node: NodeId, side: Whose| tree.payload(node).of(side).at(0) < value;
    let mut line = Vec::new();
    tree.line_to(leaf, &mut line);
    let mut node = NodeId::ROOT;
    for next in line.into_iter().skip(1) {
        let below_side = side.below();
        let stays_below = |child: NodeId| child == next || below(child, below_side);
        if side == Whose::Mover && !tree.children(node).all(stays_below) {
            return false;
        }
        (node, side) = (next, below_side);
    }
    below(leaf, side)
}

/// Returns the result of every set with its number of leaves.
fn sizes(reached: &[i32]) -> impl Iterator<Item = (usize, i32)> {
    reached.iter().enumerate().map(|(set, value)| (set.count_ones() as usize, *value))
}

/// Returns every leaf that the nondeterministic procedure of §5 can return.
fn possible_leaves(tree: &Grown, side: Whose, value: Score) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut open = vec![(NodeId::ROOT, side)];
    while let Some((node, side)) = open.pop() {
        let below = side.below();
        let sequence = |child: NodeId| tree.payload(child).of(below);
        let fewest = tree.children(node).map(|child| sequence(child).needed(value)).min();
        for child in tree.children(node) {
            let follows = match side {
                Whose::Mover => Some(sequence(child).needed(value)) == fewest,
                Whose::Other => sequence(child).at(0) < value,
            };
            if follows {
                open.push((child, below));
            }
        }
        if tree.is_leaf(node) {
            found.push(node);
        }
    }
    found
}

fn run(context: &Context<'_>) -> Result<Findings, Unfinished> {
    let mut findings = Findings { conditions: vec!["of"], ..Findings::default() };
    let trees = if context.quick { 60 } else { 1_500 };
    let mut counts = Counts::default();
    for seed in 0..trees {
        if seed % 20 == 0 {
            context.step(seed as usize, trees as usize)?;
        }
        counts.add(&grown(seed));
    }
    for (quantity, count) in [
        ("↑needed and ↓needed are monotone", counts.monotone),
        ("conspirators reach every value between (Lemma 2.5)", counts.between),
        ("sequences count conspirators (Bounds Lemma, Multiset Theorem)", counts.bounds),
        ("MIN-STRATEGY-LEAF names the leaves of smallest conspiracies", counts.leaves),
        ("these leaves are in strategies that avoid the value (§5)", counts.in_strategies),
    ] {
        let share = count.agree as f64 / count.made as f64;
        findings.row(quantity, &[&format!("{} comparisons", count.made)], Some(1.0), share, Tolerance::Exact);
    }
    let exist = |count: &Count| f64::from(u8::from(count.agree > 0));
    let of = format!("{} leaves of such strategies", counts.deeper.made);
    let quantity = "some of them are in no smallest conspiracy (1: yes)";
    findings.row(quantity, &[&of], Some(1.0), exist(&counts.deeper), Tolerance::Exact);
    let successors = best_successors(if context.quick { 40 } else { 400 });
    let share = successors.sound.agree as f64 / successors.sound.made as f64;
    let of = format!("{} states", successors.sound.made);
    findings.row("a leaf to expand, or a best successor", &[&of], Some(1.0), share, Tolerance::Exact);
    let of = format!("{} states with a best successor", successors.undetermined.made);
    let quantity = "some before the value is determined (1: yes; §9)";
    findings.row(quantity, &[&of], Some(1.0), exist(&successors.undetermined), Tolerance::Exact);
    drawn(&mut findings);
    (context.progress)(trees as usize, trees as usize);
    findings.notes = vec![format!(
        "Partial trees of {trees} random games, with at most {MOST_LEAVES} \
         leaves that can conspire; every set of them is tried."
    )];
    Ok(findings)
}

/// Counts states of the search for a best successor. In each state, the search either names a leaf that can
/// be expanded, or ends because there is one: whatever N_t leaves are wrong, one move is at least as good as
/// any other (Definition 9.1).
fn best_successors(games: u64) -> Successors {
    let Successors { sound: mut count, mut undetermined } = Successors::default();
    for seed in 0..games {
        let game = RandomTree::new(Values::Incremental, 2 + (seed % 4) as u16, 3 + (seed % 3) as u16, seed);
        let mut grower =
            Grower::<_, Bounds<40>, _, _, Off>::new(1, BestSuccessor::default(), Static(Statics))
                .expect("1 MiB");
        grower.begin(&game, &[], &[]);
        for _ in 0..40 {
            let before = open_leaves(&grower.tree);
            match grower.step(&Unlimited) {
                Ok(leaf) => count.add(before.contains(&leaf)),
                Err(ended) => {
                    let most = (grower.growth.threshold as usize).min(Bounds::<40>::MOST);
                    let moves: Vec<NodeId> = grower.tree.children(NodeId::ROOT).collect();
                    // The least and the greatest value of a move, for the side that makes it.
                    let range = |of: &NodeId| {
                        let (least, greatest) = grower.tree.payload(*of).range(most);
                        (-greatest, -least)
                    };
                    let is_best =
                        |of: &NodeId| moves.iter().all(|other| other == of || range(of).0 >= range(other).1);
                    count.add(ended == Ended::Done && (moves.len() < 2 || moves.iter().any(is_best)));
                    let (least, greatest) = grower.tree.payload(NodeId::ROOT).range(most);
                    undetermined.add(moves.len() > 1 && least < greatest);
                    break;
                }
            }
        }
    }
    Successors { sound: count, undetermined }
}

#[derive(Default)]
struct Successors {
    /// The states, and those that are as the text has it.
    sound: Count,
    /// The searches that end, and those of them that end before the root's value is determined.
    undetermined: Count,
}

/// Compares with the statements of the text about Figures 1 and 2.
fn drawn(findings: &mut Findings) {
    let one: Held = figures::cns_1().bounds(TreeNode::ROOT);
    let mut row = |quantity: &str, figure: &str, paper: i32, ours: Score| {
        findings.row(quantity, &[&figure], Some(paper.into()), ours.0.into(), Tolerance::Exact);
    };
    row("conspirators for 5", "Fig. 1", 1, Score(one.mover.needed(Score(5)) as i32));
    row("conspirators for 6", "Fig. 1", 2, Score(one.mover.needed(Score(6)) as i32));
    let two: Held = figures::cns_2().bounds(TreeNode::ROOT);
    for (conspirators, (least, greatest)) in
        [(2, 2), (1, 3), (0, 4), (-32_001, 32_001)].into_iter().enumerate()
    {
        let range = two.range(conspirators);
        row(&format!("least value with {conspirators}"), "Fig. 2", least, range.0);
        row(&format!("greatest value with {conspirators}"), "Fig. 2", greatest, range.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn definitions_and_sequences_agree() {
        let findings = run(&Context::new(true, &|_, _| {}, &AtomicBool::new(false))).unwrap();
        assert!(findings.hold(), "{}", findings.to_csv());
    }
}
