//! Formats the report of a tree as text for people.

use super::report::{Conspiracy, Failure, Likely, Marks, Plan, Plans, Report, infinite};
use crate::terminal::counted;
use cassius_games::Tree;
use cassius_games::explicit::NodeId;
use cassius_search::Score;
use cassius_search::plans::strategy::fold;
use std::fmt::Write as _;

/// The maximum line length, in columns, where lines can be wrapped at spaces.
const COLUMNS: usize = 100;
/// The maximum number of nodes of a tree that is drawn as text.
const MOST_DRAWN: usize = 100;
/// The maximum number of leaves whose depths are listed, and of terms of a polynomial that are shown.
const MOST_LEAVES: usize = 12;
const MOST_TERMS: usize = 12;
/// The maximum number of values whose probability is shown.
const MOST_VALUES: usize = 25;

/// Returns the whole text.
pub fn of(tree: &Tree, report: &Report) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}, {}, {} of them terminal; the value is {}\nδ {}; S {}",
        counted(report.nodes, "node", "nodes"),
        counted(report.leaves, "leaf", "leaves"),
        report.leaves - report.open_leaves,
        report.value,
        report.delta,
        safety(&report.safety),
    );
    if tree.len() <= MOST_DRAWN {
        draw(tree, report, &mut out);
    }
    out += "\nConspirators\n";
    conspiracy("C<", "down", &report.lower, &mut out);
    conspiracy("C>", "up", &report.upper, &mut out);
    let _ = writeln!(out, "  {:>11}  {:>15}  {:>15}", "target", "at most target", "at least target");
    for target in &report.targets {
        let _ = writeln!(
            out,
            "  {:>11}  {:>15}  {:>15}",
            target.target,
            number(target.lower),
            number(target.upper)
        );
    }
    plans("Max", "C_max", &report.max, &mut out);
    plans("Min", "C_min", &report.min, &mut out);
    out += "\nIf each open leaf is worth +∞ or −∞ instead, each with probability ε\n";
    failure("max", "at most", &report.max.failure, report.distribution.epsilon, &mut out);
    failure("min", "at least", &report.min.failure, report.distribution.epsilon, &mut out);
    let distribution = &report.distribution;
    let _ = writeln!(
        out,
        "  probabilities of the root value for ε = {}; {} samples, seed {}\n  {:>8}  {:>8}  {:>8}",
        distribution.epsilon, distribution.samples, distribution.seed, "value", "exact", "sampled"
    );
    let mut values: Vec<_> = distribution.values.iter().collect();
    let exact = |likely: &Likely| likely.exact.unwrap_or(0.0);
    values.sort_by(|a, b| b.drawn.total_cmp(&a.drawn).then(exact(b).total_cmp(&exact(a))));
    let more = values.len().saturating_sub(MOST_VALUES);
    values.truncate(MOST_VALUES);
    values.sort_by_key(|likely| likely.value);
    for likely in values {
        let exact = likely.exact.map_or_else(|| "?".into(), probability);
        let _ = writeln!(
            out,
            "  {:>8}  {exact:>8}  {:>8.4} ± {:.4}",
            value(likely.value),
            likely.drawn,
            likely.standard_error
        );
    }
    if more > 0 {
        let _ = writeln!(out, "  and {more} rarer values");
    }
    if !report.notes.is_empty() {
        out += "\n";
        report.notes.iter().for_each(|note| wrap("note: ", note.split(' '), "      ", &mut out));
    }
    out
}

/// Formats a probability with four digits after the point, and small ones with two significant digits.
pub fn probability(value: f64) -> String {
    match value {
        small if small > 0.0 && small < 0.001 => format!("{small:.1e}"),
        value => format!("{value:.4}"),
    }
}

/// Formats S(0), S(1), ….
pub fn safety(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|value| trimmed(*value)).collect();
    format!("{} …", values.join(", "))
}

/// Formats a number with at most four digits after the point and no trailing zeros.
pub fn trimmed(value: f64) -> String {
    format!("{:.4}", value).trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Formats a number of conspirators.
pub fn number(conspirators: Option<usize>) -> String {
    conspirators.map_or_else(|| "never".into(), |conspirators| conspirators.to_string())
}

/// Formats a value, which may be infinite.
pub fn value(value: Score) -> String {
    match infinite(value) {
        Some(true) => "+∞".into(),
        Some(false) => "−∞".into(),
        None => value.0.to_string(),
    }
}

/// Wraps words into lines of bounded length. The first line begins with `first`, the others with `next`.
fn wrap<'a>(first: &str, words: impl IntoIterator<Item = &'a str>, next: &str, out: &mut String) {
    let mut line = first.to_string();
    let mut length = first.chars().count();
    let mut empty = true;
    for word in words {
        let more = word.chars().count();
        if !empty && length + 1 + more > COLUMNS {
            let _ = writeln!(out, "{line}");
            line = next.to_string();
            length = next.chars().count();
            empty = true;
        }
        if !empty {
            line.push(' ');
            length += 1;
        }
        line += word;
        length += more;
        empty = false;
    }
    let _ = writeln!(out, "{}", line.trim_end());
}

/// Draws one node on each line, with its children below it, indented.
fn draw(tree: &Tree, report: &Report, out: &mut String) {
    let mut minimax = vec![Score(0); tree.len()];
    fold(tree, |node: NodeId, children: Vec<Score>| {
        let max = tree.node(node).max_to_move();
        let best = if max { children.iter().max() } else { children.iter().min() };
        minimax[node.index()] = best.copied().unwrap_or(tree.node(node).value());
        minimax[node.index()]
    });
    let face = |id: NodeId| {
        let node = tree.node(id);
        let end = if node.is_terminal() { "!" } else { "" };
        let value = minimax[id.index()];
        let value = if value == node.value() { String::new() } else { format!(" (value {})", value.0) };
        format!(
            "{:indent$}{} {}{end}{value}",
            "",
            report.names.get(id),
            node.value().0,
            indent = 2 * node.ply()
        )
    };
    let widest = tree.preorder().map(|node| face(node).chars().count()).max().unwrap_or(0).min(60);
    let _ = writeln!(out, "\n  {:widest$}  max plan  min plan", "Node and static value");
    for node in tree.preorder() {
        let mark = |marks: &Marks, conspires: &str| {
            let plan = match () {
                _ if marks.plan.contains(&node) => "plan",
                _ if marks.options.contains(&node) => "option",
                _ => "",
            };
            let conspires = if marks.conspirators.contains(&node) { conspires } else { "" };
            format!("{plan:<6} {conspires:<2}")
        };
        let marks = format!("{} {}", mark(&report.drawn.max, "C<"), mark(&report.drawn.min, "C>"));
        let line = format!("  {:widest$}  {marks}", face(node), widest = widest.max(21));
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

fn conspiracy(name: &str, way: &str, conspiracy: &Conspiracy, out: &mut String) {
    let head = format!("  {name} {}: {way} to {}", number(conspiracy.conspirators), conspiracy.target);
    if conspiracy.leaves.is_empty() {
        let _ = writeln!(out, "{head}");
        return;
    }
    let plies: Vec<String> =
        conspiracy.plies.iter().map(|(ply, leaves)| format!("{leaves} at ply {ply}")).collect();
    let words = format!("{}: {}", plies.join(", "), conspiracy.leaves.join(" "));
    wrap(&format!("{head}; "), words.split(' '), "      ", out);
}

fn plans(side: &str, c: &str, plans: &Plans, out: &mut String) {
    let count = plans.count.map_or_else(|| "2^128 or more".into(), |count| count.to_string());
    let _ = writeln!(out, "\n{side} strategies: {count}");
    for (number, strategy) in (1..).zip(&plans.strategies) {
        plan(number, c, strategy, out);
    }
}

fn plan(rank: usize, c: &str, plan: &Plan, out: &mut String) {
    let best = if rank == 1 { ", the best" } else { "" };
    let depth = |depth: Option<String>| depth.unwrap_or_else(|| "∞".into());
    let _ = writeln!(
        out,
        "  {rank:>2}. value {}, {c} {}, d {}, D {}{best}",
        plan.value,
        number(plan.conspirators),
        depth(plan.conspiracy_depth.map(|d| d.to_string())),
        depth(plan.adjusted_depth.map(trimmed)),
    );
    let moves: Vec<String> = plan
        .nodes
        .iter()
        .filter_map(|node| {
            let options = match node.options.as_slice() {
                [] => String::new(),
                options => format!(" (or {})", options.join(", ")),
            };
            Some(format!("{}→{}{options};", node.node, node.planned.as_ref()?))
        })
        .collect();
    let words = |words: String| words.trim_end_matches(';').to_string();
    if !moves.is_empty() {
        wrap("      plays ", words(moves.join(" ")).split(' '), "        ", out);
    }
    let leaves: Vec<String> = plan
        .nodes
        .iter()
        .filter(|node| node.leaf)
        .map(|leaf| format!("{} d {} D {};", leaf.node, leaf.conspiracy_depth, trimmed(leaf.adjusted_depth)))
        .collect();
    let more = leaves.len().saturating_sub(MOST_LEAVES);
    let mut shown = words(leaves[..leaves.len() - more].join(" "));
    if more > 0 {
        shown += &format!("; and {more} more");
    }
    wrap("      leaves ", shown.split(' '), "        ", out);
    match plan.weakest.is_empty() {
        true => *out += "      nothing defeats it: all its leaves are terminal\n",
        false => wrap("      weakest line ", plan.weakest.iter().map(String::as_str), "        ", out),
    }
}

fn failure(side: &str, how: &str, failure: &Failure, epsilon: f64, out: &mut String) {
    let head = format!("  the {side} strategies fail, root {how} {}: ", failure.limit);
    let probability = self::probability(failure.probability);
    let Some(polynomial) = &failure.polynomial else {
        let _ = writeln!(out, "{head}{probability} for ε = {epsilon}");
        return;
    };
    // The terms are separated by signs, each after a space.
    let mut terms = polynomial.split(' ').collect::<Vec<_>>();
    let more = terms.len().saturating_sub(2 * MOST_TERMS - 1).div_ceil(2);
    if more > 0 {
        terms.truncate(2 * MOST_TERMS - 1);
    }
    let rest = if more > 0 { format!(" … {more} more terms;") } else { ";".into() };
    let said = format!("{}{rest} {probability} for ε = {epsilon}", terms.join(" "));
    wrap(&head, said.split(' '), "      ", out);
}
