//! The results for a tree, as data.

use crate::terminal::printable;
use cassius_games::Tree;
use cassius_games::explicit::NodeId;
use cassius_search::Score;
use cassius_search::alpha_beta::horizon::Safety;
use cassius_search::plans::strategy::{
    Conspirators, Distribution, Estimate, SearchTree as _, Side, Strategy, Weakest, best_strategy,
    conspirators, distribution, draw_values, failure, failure_at, minimax_value, number_of_strategies,
    smallest_conspiracy, strategies,
};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// The questions about a tree.
pub struct Asked {
    /// δ.
    pub margin: Score,
    pub safety: Safety,
    /// The values to which the root is to be changed. If there are none, the values of the leaves are
    /// used.
    pub targets: Vec<i32>,
    /// The number of listed strategies of each side.
    pub strategies: usize,
    pub epsilon: f64,
    pub samples: u32,
    pub seed: u64,
}

/// All displayed results. Nodes are named by [`Names`].
#[derive(Debug, Serialize)]
pub struct Report {
    pub tree: String,
    pub nodes: usize,
    pub leaves: usize,
    /// The number of leaves that are not terminal.
    pub open_leaves: usize,
    /// V, seen by MAX like all values.
    pub value: i32,
    /// δ.
    pub delta: i32,
    /// S(0), S(1), …, up to the number from which S is constant, or that no node's options exceed.
    pub safety: Vec<f64>,
    /// C<: for a root value of V − δ or below.
    pub lower: Conspiracy,
    /// C>: for a root value of V + δ or above.
    pub upper: Conspiracy,
    pub targets: Vec<Target>,
    pub max: Plans,
    pub min: Plans,
    pub distribution: Values,
    /// What was left out, and why.
    pub notes: Vec<String>,
    #[serde(skip)]
    pub names: Names,
    #[serde(skip)]
    pub drawn: Drawn,
}

/// What the picture marks in the tree: the best plan of each side with its options, its weakest line and
/// its conspirators.
#[derive(Debug)]
pub struct Drawn {
    pub max: Marks,
    pub min: Marks,
}

/// The marks of one side.
#[derive(Debug)]
pub struct Marks {
    pub plan: BTreeSet<NodeId>,
    pub options: BTreeSet<NodeId>,
    pub weakest: Vec<NodeId>,
    pub conspirators: BTreeSet<NodeId>,
}

/// A smallest set of leaves that change the root to a value.
#[derive(Debug, Serialize)]
pub struct Conspiracy {
    pub target: i32,
    /// The number of leaves; `None` if no set suffices.
    pub conspirators: Option<usize>,
    /// A smallest set.
    pub leaves: Vec<String>,
    /// The number of its leaves at each ply.
    pub plies: BTreeMap<usize, usize>,
}

/// The conspiracy numbers of one value; `None` if no set of leaves suffices.
#[derive(Debug, Serialize)]
pub struct Target {
    pub target: i32,
    /// To change the root to the value or below.
    pub lower: Option<usize>,
    /// To change the root to the value or above.
    pub upper: Option<usize>,
}

/// The strategies of one side.
#[derive(Debug, Serialize)]
pub struct Plans {
    /// The number of strategies; `None` if there are 2¹²⁸ or more.
    pub count: Option<u128>,
    /// The best strategy, followed by the others from left to right.
    pub strategies: Vec<Plan>,
    /// The probability that this side's value fails, if leaves err.
    pub failure: Failure,
}

/// One strategy.
#[derive(Debug, Serialize)]
pub struct Plan {
    pub value: i32,
    /// C_max or C_min; `None` if terminal leaves establish the value.
    pub conspirators: Option<usize>,
    /// d of the shallowest leaf, and D of the weakest; `None` if all leaves are terminal.
    pub conspiracy_depth: Option<usize>,
    pub adjusted_depth: Option<f64>,
    /// The line to the weakest leaf.
    pub weakest: Vec<String>,
    pub nodes: Vec<PlanNode>,
}

/// A node of a strategy.
#[derive(Debug, Serialize)]
pub struct PlanNode {
    pub node: String,
    /// The planned child, at the owner's inner nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned: Option<String>,
    /// The alternatives of the owner.
    pub options: Vec<String>,
    /// d and D.
    pub conspiracy_depth: usize,
    pub adjusted_depth: f64,
    pub leaf: bool,
}

/// The probability that a side's value fails.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// The value at which it has failed.
    pub limit: i32,
    /// The polynomial in ε; `None` if it was not computed.
    pub polynomial: Option<String>,
    pub coefficients: Option<Vec<i128>>,
    /// The lowest power of ε in the polynomial; `None` if the value cannot fail.
    pub order: Option<usize>,
    /// The probability for the requested ε.
    pub probability: f64,
}

/// The distribution of the root's value, if leaves err.
#[derive(Debug, Serialize)]
pub struct Values {
    pub epsilon: f64,
    pub samples: u32,
    pub seed: u64,
    pub values: Vec<Likely>,
}

/// A value and its probability.
#[derive(Debug, Serialize)]
pub struct Likely {
    #[serde(serialize_with = "finite_or_words")]
    pub value: Score,
    /// The exact probability; `None` if it was not computed.
    pub exact: Option<f64>,
    /// The share of the samples, and its standard error.
    pub drawn: f64,
    pub standard_error: f64,
}

fn finite_or_words<S: Serializer>(value: &Score, to: S) -> Result<S::Ok, S::Error> {
    match infinite(*value) {
        Some(true) => to.serialize_str("+inf"),
        Some(false) => to.serialize_str("-inf"),
        None => to.serialize_i32(value.0),
    }
}

/// Whether a value is +∞ or −∞.
pub fn infinite(value: Score) -> Option<bool> {
    (value.0.abs() == Score::INFINITE.0).then_some(value.0 > 0)
}

/// The names of nodes. A node is named by its label if no other node has the same one and it does not look
/// like a place, otherwise by its place. If the place is too long, it is named by its number in the order of
/// reading.
#[derive(Debug)]
pub struct Names(Vec<String>);

impl Names {
    /// The maximum depth of a place. A deeper one would be too long to read.
    const DEEPEST: usize = 16;

    pub fn of(tree: &Tree) -> Names {
        let mut times = BTreeMap::new();
        for node in tree.preorder() {
            *times.entry(tree.node(node).label()).or_insert(0) += 1;
        }
        let mut places = vec![String::new(); tree.len()];
        let mut names = vec![String::new(); tree.len()];
        for (order, id) in (1..).zip(tree.preorder()) {
            let node = tree.node(id);
            if node.ply() < Self::DEEPEST {
                for (number, child) in (1..).zip(node.children()) {
                    let above = &places[id.index()];
                    places[child.index()] =
                        if above.is_empty() { format!("{number}") } else { format!("{above}.{number}") };
                }
            }
            names[id.index()] = match () {
                _ if !node.label().is_empty() && times[node.label()] == 1 && !is_place(node.label()) => {
                    node.label().chars().map(printable).collect()
                }
                _ if node.ply() == 0 => "root".into(),
                _ if node.ply() <= Self::DEEPEST => places[id.index()].clone(),
                _ => format!("#{order}"),
            };
        }
        Names(names)
    }

    pub fn get(&self, node: NodeId) -> &str {
        &self.0[node.index()]
    }

    fn all(&self, nodes: impl IntoIterator<Item = NodeId>) -> Vec<String> {
        nodes.into_iter().map(|node| self.get(node).to_string()).collect()
    }
}

/// Whether a label could be the name of another node.
fn is_place(label: &str) -> bool {
    label == "root"
        || label.starts_with('#')
        || label.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
}

/// Returns the number; `None` if no set of leaves suffices.
fn number(conspirators: Conspirators) -> Option<usize> {
    match conspirators {
        Conspirators::Leaves(leaves) => Some(leaves),
        Conspirators::Never => None,
    }
}

/// The maximum number of open leaves for a polynomial. With more leaves, it has coefficients beyond 127
/// bits, or takes too long.
const MOST_POLYNOMIAL: usize = 500;
/// The maximum cost of the exact distribution: the number of nodes times the square of the number of
/// values.
const MOST_STEPS: usize = 100_000_000;
/// The maximum number of targets shown if none are given.
const MOST_TARGETS: usize = 11;
/// The maximum number of nodes of all listed strategies of one side.
const MOST_LISTED: usize = 200_000;

impl Report {
    /// Judges a tree.
    pub fn of(tree: &Tree, asked: &Asked) -> Report {
        let names = Names::of(tree);
        let value = minimax_value(tree);
        let leaves: Vec<NodeId> =
            tree.preorder().filter(|node| tree.node(*node).children().is_empty()).collect();
        let open_leaves = leaves.iter().filter(|leaf| !tree.node(**leaf).is_terminal()).count();
        let mut notes = Vec::new();
        let conspiracy = |side: Side| {
            let limit = side.limit(value, asked.margin);
            let set = smallest_conspiracy(tree, side, limit);
            let mut plies = BTreeMap::new();
            for leaf in set.iter().flatten() {
                *plies.entry(tree.node(*leaf).ply()).or_insert(0) += 1;
            }
            let found = Conspiracy {
                target: limit.0,
                conspirators: set.as_ref().map(Vec::len),
                leaves: names.all(set.iter().flatten().copied()),
                plies,
            };
            (found, set.unwrap_or_default())
        };
        let ((lower, lowering), (upper, raising)) = (conspiracy(Side::Max), conspiracy(Side::Min));
        let marks = |side: Side, conspirators: Vec<NodeId>| {
            let best = best_strategy(tree, side);
            let weakest = best.weakest(tree, asked.margin, &asked.safety);
            Marks {
                plan: best.nodes().collect(),
                options: best.option_nodes(tree, asked.margin).concat().into_iter().collect(),
                weakest: weakest.map(|weakest| weakest.line).unwrap_or_default(),
                conspirators: conspirators.into_iter().collect(),
            }
        };
        let drawn = Drawn { max: marks(Side::Max, lowering), min: marks(Side::Min, raising) };
        let widest = tree.preorder().map(|node| tree.node(node).children().len()).max().unwrap_or_default();
        Report {
            tree: tree.to_string(),
            nodes: tree.len(),
            leaves: leaves.len(),
            open_leaves,
            value: value.0,
            delta: asked.margin.0,
            safety: safety(&asked.safety, widest.saturating_sub(1)),
            lower,
            upper,
            targets: targets(tree, value, &leaves, asked, &mut notes),
            max: plans(tree, Side::Max, asked, &names, open_leaves, &mut notes),
            min: plans(tree, Side::Min, asked, &names, open_leaves, &mut notes),
            distribution: values(tree, asked, &leaves, &mut notes),
            notes,
            names,
            drawn,
        }
    }
}

/// Returns S(0) to S(`most`), without the constant end.
fn safety(safety: &Safety, most: usize) -> Vec<f64> {
    let mut values: Vec<f64> = (0..=most).map(|options| safety.of(options)).collect();
    let last = values[most];
    let needed = values.iter().rposition(|value| *value != last).map_or(0, |at| at + 1);
    values.truncate(needed + 1);
    values
}

fn targets(
    tree: &Tree,
    value: Score,
    leaves: &[NodeId],
    asked: &Asked,
    notes: &mut Vec<String>,
) -> Vec<Target> {
    let mut targets: Vec<i32> = match asked.targets.is_empty() {
        true => leaves.iter().map(|leaf| tree.node(*leaf).value().0).chain([value.0]).collect(),
        false => asked.targets.clone(),
    };
    targets.sort_unstable();
    targets.dedup();
    if asked.targets.is_empty() && targets.len() > MOST_TARGETS {
        notes.push(format!(
            "the leaves have {} values; the {MOST_TARGETS} nearest to {value} are targets; --target sets \
             others",
            targets.len(),
            value = value.0
        ));
        targets.sort_by_key(|target| (target - value.0).abs());
        targets.truncate(MOST_TARGETS);
        targets.sort_unstable();
    }
    let at = |target, side| number(conspirators(tree, side, Score(target)));
    let of = |target| Target { target, lower: at(target, Side::Max), upper: at(target, Side::Min) };
    targets.into_iter().map(of).collect()
}

fn plans(
    tree: &Tree,
    side: Side,
    asked: &Asked,
    names: &Names,
    open_leaves: usize,
    notes: &mut Vec<String>,
) -> Plans {
    let count = number_of_strategies(tree, side);
    let best = best_strategy(tree, side);
    let others = strategies(tree, side).filter(|plan| *plan != best).take(asked.strategies - 1);
    let mut listed = Vec::new();
    let mut nodes = 0;
    for plan in std::iter::once(best.clone()).chain(others) {
        nodes += plan.nodes().count();
        if nodes > MOST_LISTED && !listed.is_empty() {
            break;
        }
        listed.push(Plan::of(tree, &plan, asked, names));
    }
    let side_name = if side == Side::Max { "max" } else { "min" };
    if count.is_none_or(|count| count > listed.len() as u128) {
        let count = count.map_or_else(|| "2^128 or more".to_string(), |count| count.to_string());
        let shown = listed.len();
        let more = if shown == asked.strategies { "; --strategies lists more" } else { "" };
        notes.push(format!("{count} {side_name} strategies, {shown} of them listed{more}"));
    }
    Plans { count, strategies: listed, failure: Failure::of(tree, side, asked, open_leaves, notes) }
}

impl Plan {
    fn of(tree: &Tree, plan: &Strategy<NodeId>, asked: &Asked, names: &Names) -> Plan {
        let (margin, safety) = (asked.margin, &asked.safety);
        let weakest: Option<Weakest<NodeId, _>> = plan.weakest(tree, margin, safety);
        let inside: BTreeSet<NodeId> = plan.nodes().collect();
        let leaves: BTreeSet<NodeId> = plan.leaves().collect();
        let depths =
            plan.conspiracy_depths(tree, margin).into_iter().zip(plan.adjusted_depths(tree, margin, safety));
        let nodes = plan.nodes().zip(plan.option_nodes(tree, margin)).zip(depths);
        let node =
            |((node, options), (d, depth)): ((NodeId, Vec<NodeId>), (usize, cassius_search::Depth))| {
                let decides = tree.mover(node) == plan.owner();
                let planned = tree.children(node).find(|child| decides && inside.contains(child));
                PlanNode {
                    node: names.get(node).to_string(),
                    planned: planned.map(|child| names.get(child).to_string()),
                    options: names.all(options),
                    conspiracy_depth: d,
                    adjusted_depth: rounded(depth),
                    leaf: leaves.contains(&node),
                }
            };
        Plan {
            value: plan.value(tree).0,
            conspirators: number(plan.conspiracy_number(tree, margin)),
            conspiracy_depth: plan.shallowest(tree, margin).map(|weakest| weakest.depth),
            adjusted_depth: weakest.as_ref().map(|weakest| rounded(weakest.depth)),
            weakest: names.all(weakest.map(|weakest| weakest.line).unwrap_or_default()),
            nodes: nodes.map(node).collect(),
        }
    }
}

/// Rounds plies to four digits after the point: depths are 240ths.
fn rounded(depth: cassius_search::Depth) -> f64 {
    (depth.to_f64() * 1e4).round() / 1e4
}

impl Failure {
    fn of(tree: &Tree, side: Side, asked: &Asked, open_leaves: usize, notes: &mut Vec<String>) -> Failure {
        let limit = side.limit(minimax_value(tree), asked.margin);
        let polynomial = match open_leaves > MOST_POLYNOMIAL {
            true => Err(format!("no polynomial: more than {MOST_POLYNOMIAL} leaves may err")),
            false => failure(tree, side, limit).map_err(|error| format!("no polynomial: {error}")),
        };
        let polynomial = match polynomial {
            Ok(polynomial) => Some(polynomial),
            Err(note) => {
                if !notes.contains(&note) {
                    notes.push(note);
                }
                None
            }
        };
        Failure {
            limit: limit.0,
            order: number(conspirators(tree, side, limit)),
            probability: failure_at(tree, side, limit, asked.epsilon),
            coefficients: polynomial.as_ref().map(|polynomial| polynomial.coefficients().to_vec()),
            polynomial: polynomial.map(|polynomial| polynomial.to_string()),
        }
    }
}

fn values(tree: &Tree, asked: &Asked, leaves: &[NodeId], notes: &mut Vec<String>) -> Values {
    let different: BTreeSet<Score> = leaves.iter().map(|leaf| tree.node(*leaf).value()).collect();
    let steps = tree.len().saturating_mul((different.len() + 2).pow(2));
    let exact = (steps <= MOST_STEPS).then(|| {
        distribution(tree, |leaf| {
            let value = tree.static_value(leaf);
            match tree.node(leaf).is_terminal() {
                true => Distribution::certain(value),
                false => {
                    Distribution::static_error(value, asked.epsilon).unwrap_or(Distribution::certain(value))
                }
            }
        })
    });
    if exact.is_none() {
        notes.push(format!("no exact distribution: the leaves have {} different values", different.len()));
    }
    let drawn = draw_values(tree, asked.epsilon, asked.samples, asked.seed).unwrap_or_default();
    let mut values: BTreeMap<Score, (Option<f64>, u32)> = BTreeMap::new();
    for (value, times) in drawn {
        values.insert(value, (exact.as_ref().map(|_| 0.0), times));
    }
    for (value, probability) in exact.iter().flat_map(|exact| exact.atoms()) {
        values.entry(*value).or_insert((None, 0)).0 = Some(*probability);
    }
    let likely = |(value, (exact, times)): (Score, (Option<f64>, u32))| {
        let estimate = Estimate::of(times, asked.samples);
        Likely { value, exact, drawn: estimate.mean, standard_error: estimate.standard_error }
    };
    Values {
        epsilon: asked.epsilon,
        samples: asked.samples,
        seed: asked.seed,
        values: values.into_iter().map(likely).collect(),
    }
}
