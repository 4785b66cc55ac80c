//! Draws a page with the tree, the best plans of both sides in it, and the results.
//!
//! As in the paper, MAX's nodes are open circles and MIN's are filled. MAX is blue, MIN is orange, which
//! are colours that most people can tell apart.

use super::report::{Marks, Plans, Report};
use super::text::{number, probability, trimmed, value};
use crate::terminal::counted;
use cassius_games::Tree;
use cassius_games::explicit::NodeId;
use cassius_search::Score;
use cassius_search::plans::strategy::{Side, failure_at};
use std::fmt::Write as _;

const MAX: &str = "#0072b2";
const MIN: &str = "#d55e00";
const INK: &str = "#1f2430";
const GREY: &str = "#667085";
const LINE: &str = "#c3c9d4";

const MARGIN: f64 = 40.0;
const HEAD: f64 = 96.0;
const PLY: f64 = 74.0;
/// The distance of leaves is as large as a page of this width allows, within limits.
const PAGE: f64 = 960.0;
const CLOSE: f64 = 22.0;
const WIDE: f64 = 84.0;
const RADIUS: f64 = 6.5;
/// The number of letters of a name that are drawn.
const LETTERS: usize = 10;
/// The height of the panels below the tree.
const PANEL: f64 = 250.0;
/// The maximum number of bars of the distribution.
const MOST_BARS: usize = 13;

/// Returns the page as SVG.
pub fn of(tree: &Tree, report: &Report) -> String {
    let places = Places::of(tree);
    let width = (places.width + 2.0 * MARGIN).max(PAGE);
    let shift = (width - places.width) / 2.0;
    let plies = tree.preorder().map(|node| tree.node(node).ply()).max().unwrap_or(0);
    let below = HEAD + PLY * plies as f64 + 66.0;
    let height = below + 34.0 + PANEL + 24.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\">\n\
         <style>text {{ fill: {INK} }} .b {{ font-weight: 600 }} .g {{ fill: {GREY} }} \
         .max {{ fill: {MAX} }} .min {{ fill: {MIN} }} \
         .halo {{ paint-order: stroke; stroke: white; stroke-width: 4px; stroke-linejoin: round }}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    heading(report, &mut out);
    let _ = writeln!(out, "<g transform=\"translate({shift:.1} {HEAD})\">");
    edges(tree, report, &places, &mut out);
    nodes(tree, report, &places, &mut out);
    out += "</g>\n";
    legend(below, &mut out);
    panels(tree, report, below + 34.0, width, &mut out);
    out + "</svg>\n"
}

/// The places of nodes: x from the left, y one row for each ply.
struct Places {
    x: Vec<f64>,
    width: f64,
    apart: f64,
}

impl Places {
    fn of(tree: &Tree) -> Places {
        let order: Vec<NodeId> = tree.preorder().collect();
        let leaves = order.iter().filter(|node| tree.node(**node).children().is_empty()).count();
        let apart = ((PAGE - 2.0 * MARGIN) / leaves as f64).clamp(CLOSE, WIDE);
        let mut x = vec![0.0; tree.len()];
        let mut next = apart / 2.0;
        for node in &order {
            if tree.node(*node).children().is_empty() {
                x[node.index()] = next;
                next += apart;
            }
        }
        for node in order.iter().rev() {
            let children = tree.node(*node).children();
            if let (Some(first), Some(last)) = (children.first(), children.last()) {
                x[node.index()] = (x[first.index()] + x[last.index()]) / 2.0;
            }
        }
        Places { x, width: apart * leaves as f64, apart }
    }

    fn at(&self, tree: &Tree, node: NodeId) -> (f64, f64) {
        (self.x[node.index()], PLY * tree.node(node).ply() as f64)
    }
}

/// Escapes the text of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn text(x: f64, y: f64, size: f64, class: &str, anchor: &str, words: &str, out: &mut String) {
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" class=\"{class}\" \
         text-anchor=\"{anchor}\">{}</text>",
        escaped(words)
    );
}

fn heading(report: &Report, out: &mut String) {
    let title = format!("Value {}", report.value);
    text(MARGIN, 40.0, 22.0, "b", "start", &title, out);
    let facts = format!(
        "{}, {} of which {} terminal · δ = {} · S = {}",
        counted(report.nodes, "node", "nodes"),
        counted(report.leaves, "leaf", "leaves"),
        report.leaves - report.open_leaves,
        report.delta,
        super::text::safety(&report.safety)
    );
    text(MARGIN, 62.0, 12.5, "g", "start", &facts, out);
}

/// Returns the marks and the colour of each side.
fn sides(report: &Report) -> [(&Marks, &'static str); 2] {
    [(&report.drawn.max, MAX), (&report.drawn.min, MIN)]
}

fn edges(tree: &Tree, report: &Report, places: &Places, out: &mut String) {
    let line = |from: NodeId, to: NodeId, by: f64, style: &str, out: &mut String| {
        let ((x1, y1), (x2, y2)) = (places.at(tree, from), places.at(tree, to));
        // If both plans take the same move, the lines are drawn side by side.
        let length = ((x2 - x1).powi(2) + (y2 - y1).powi(2)).sqrt();
        let (dx, dy) = (by * (y2 - y1) / length, by * (x1 - x2) / length);
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" {style}/>",
            x1 + dx,
            y1 + dy,
            x2 + dx,
            y2 + dy
        );
    };
    for (marks, colour) in sides(report) {
        for step in marks.weakest.windows(2) {
            let style = format!(
                "stroke=\"{colour}\" stroke-width=\"13\" stroke-opacity=\"0.16\" stroke-linecap=\"round\""
            );
            line(step[0], step[1], 0.0, &style, out);
        }
    }
    for from in tree.preorder() {
        for &to in tree.node(from).children() {
            let planned: Vec<&str> = sides(report)
                .into_iter()
                .filter(|(marks, _)| marks.plan.contains(&from) && marks.plan.contains(&to))
                .map(|(_, colour)| colour)
                .collect();
            let option = sides(report).into_iter().find(|(marks, _)| marks.options.contains(&to));
            match planned.as_slice() {
                [max, min] => {
                    line(from, to, -1.6, &format!("stroke=\"{max}\" stroke-width=\"2.4\""), out);
                    line(from, to, 1.6, &format!("stroke=\"{min}\" stroke-width=\"2.4\""), out);
                }
                [colour] => line(from, to, 0.0, &format!("stroke=\"{colour}\" stroke-width=\"2.4\""), out),
                _ => {
                    let style = match option {
                        Some((_, colour)) => {
                            format!("stroke=\"{colour}\" stroke-width=\"1.4\" stroke-dasharray=\"4 3\"")
                        }
                        None => format!("stroke=\"{LINE}\" stroke-width=\"1.2\""),
                    };
                    line(from, to, 0.0, &style, out);
                }
            }
            // An option of one side may be a planned move of the other.
            if let ([_], Some((_, colour))) = (planned.as_slice(), option) {
                let style = format!("stroke=\"{colour}\" stroke-width=\"1.4\" stroke-dasharray=\"4 3\"");
                line(from, to, 3.2, &style, out);
            }
        }
    }
}

fn nodes(tree: &Tree, report: &Report, places: &Places, out: &mut String) {
    let size = if places.apart < 30.0 { 10.0 } else { 12.5 };
    for id in tree.preorder() {
        let node = tree.node(id);
        let (x, y) = places.at(tree, id);
        for ((marks, colour), radius) in sides(report).into_iter().zip([11.0, 14.5]) {
            if marks.conspirators.contains(&id) {
                let _ = writeln!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"none\" \
                     stroke=\"{colour}\" stroke-width=\"2\"/>"
                );
            }
        }
        let fill = if node.max_to_move() { "white" } else { INK };
        let style = format!("fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.6\"");
        let _ = match node.is_terminal() {
            true => writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\" {style}/>",
                x - 6.0,
                y - 6.0
            ),
            false => writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\" {style}/>"),
        };
        let name: String = if node.label().is_empty() {
            String::new()
        } else {
            let name = node.label().chars().map(crate::terminal::printable);
            name.take(LETTERS).collect()
        };
        if node.children().is_empty() {
            text(x, y + 29.0, size, "b", "middle", &node.value().0.to_string(), out);
            text(x, y + 43.0, size - 1.5, "g", "middle", &name, out);
        } else {
            text(x - 11.0, y + 4.0, size, "b halo", "end", &node.value().0.to_string(), out);
            text(x + 11.0, y + 4.0, size - 1.5, "g halo", "start", &name, out);
        }
    }
}

/// Draws the legend of the marks.
fn legend(y: f64, out: &mut String) {
    let mut x = MARGIN;
    let mut entry = |mark: &str, words: &str, wide: f64, out: &mut String| {
        let _ = writeln!(out, "<g transform=\"translate({x:.1} {y:.1})\">{mark}</g>");
        text(x + 30.0, y + 4.0, 11.0, "g", "start", words, out);
        x += wide;
    };
    let stroke = |colour: &str, more: &str| {
        format!("<line x1=\"0\" x2=\"24\" y1=\"0\" y2=\"0\" stroke=\"{colour}\" {more}/>")
    };
    let node = |fill: &str| {
        format!("<circle cx=\"14\" r=\"5.5\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.6\"/>")
    };
    entry(&node("white"), "MAX moves", 100.0, out);
    entry(&node(INK), "MIN moves", 98.0, out);
    let square = format!(
        "<rect x=\"8.5\" y=\"-5.5\" width=\"11\" height=\"11\" fill=\"white\" \
         stroke=\"{INK}\" stroke-width=\"1.6\"/>"
    );
    entry(&square, "terminal", 86.0, out);
    entry(&stroke(MAX, "stroke-width=\"2.4\""), "best max strategy", 148.0, out);
    entry(&stroke(MIN, "stroke-width=\"2.4\""), "best min strategy", 148.0, out);
    entry(&stroke(INK, "stroke-width=\"1.4\" stroke-dasharray=\"4 3\""), "option", 86.0, out);
    let soft = "stroke-width=\"11\" stroke-opacity=\"0.18\" stroke-linecap=\"round\"";
    entry(&stroke(INK, soft), "weakest line", 116.0, out);
    let ring = format!("<circle cx=\"14\" r=\"7\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"2\"/>");
    entry(&ring, "conspirator", 90.0, out);
}

fn panels(tree: &Tree, report: &Report, y: f64, width: f64, out: &mut String) {
    let gap = 26.0;
    let each = (width - 2.0 * MARGIN - 2.0 * gap) / 3.0;
    let at = |number: f64| MARGIN + number * (each + gap);
    for number in 0..3 {
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{each:.1}\" height=\"{PANEL}\" rx=\"6\" \
             fill=\"#f7f8fa\" stroke=\"#e4e7ec\"/>",
            at(number.into())
        );
    }
    numbers(report, at(0.0), y, each, out);
    failure(tree, report, at(1.0), y, each, out);
    distribution(report, at(2.0), y, each, out);
}

fn numbers(report: &Report, x: f64, y: f64, width: f64, out: &mut String) {
    text(x + 16.0, y + 26.0, 13.0, "b", "start", "Both plans", out);
    let (left, right) = (x + width - 78.0, x + width - 16.0);
    text(left, y + 48.0, 11.5, "b max", "end", "max", out);
    text(right, y + 48.0, 11.5, "b min", "end", "min", out);
    let best = |plans: &Plans| {
        let best = &plans.strategies[0];
        let depth = |depth: Option<String>| depth.unwrap_or_else(|| "∞".into());
        [
            plans.count.map_or_else(
                || "≥ 2^128".into(),
                |count| if count < 10_000_000 { count.to_string() } else { format!("{:.1e}", count as f64) },
            ),
            best.value.to_string(),
            number(best.conspirators),
            depth(best.conspiracy_depth.map(|d| d.to_string())),
            depth(best.adjusted_depth.map(trimmed)),
            probability(plans.failure.probability),
        ]
    };
    let conspirators = |conspiracy: &super::report::Conspiracy| {
        format!("{} to {}", number(conspiracy.conspirators), conspiracy.target)
    };
    let fails = format!("fails, ε = {}", report.distribution.epsilon);
    let names = ["strategies", "value of the best", "C of the best", "d", "D", &fails, "C< and C>"];
    let max = best(&report.max).into_iter().chain([conspirators(&report.lower)]);
    let min = best(&report.min).into_iter().chain([conspirators(&report.upper)]);
    for ((row, name), (max, min)) in (0..).zip(names).zip(max.zip(min)) {
        let y = y + 74.0 + 25.0 * f64::from(row);
        text(x + 16.0, y, 12.0, "g", "start", name, out);
        text(left, y, 12.5, "b", "end", &max, out);
        text(right, y, 12.5, "b", "end", &min, out);
    }
}

/// The frame of a plot, and its place in its panel.
struct Frame {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

fn failure(tree: &Tree, report: &Report, x: f64, y: f64, width: f64, out: &mut String) {
    text(x + 16.0, y + 26.0, 13.0, "b", "start", "Probability that a plan fails", out);
    let frame = Frame { x: x + 46.0, y: y + 60.0, width: width - 68.0, height: PANEL - 108.0 };
    let (at_x, at_y) = (
        |epsilon: f64| frame.x + frame.width * epsilon / 0.5,
        |probability: f64| frame.y + frame.height * (1.0 - probability),
    );
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let y = at_y(tick);
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#e4e7ec\"/>",
            frame.x,
            frame.x + frame.width
        );
        text(frame.x - 8.0, y + 4.0, 10.5, "g", "end", &trimmed(tick), out);
    }
    for tick in [0.0, 0.1, 0.2, 0.3, 0.4, 0.5] {
        text(at_x(tick), frame.y + frame.height + 17.0, 10.5, "g", "middle", &trimmed(tick), out);
    }
    text(
        frame.x + frame.width / 2.0,
        frame.y + frame.height + 35.0,
        11.0,
        "g",
        "middle",
        "ε, probability of an error in each direction",
        out,
    );
    let at = at_x(report.distribution.epsilon);
    let _ = writeln!(
        out,
        "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" \
         stroke=\"{GREY}\" stroke-dasharray=\"2 3\"/>",
        frame.y,
        frame.y + frame.height
    );
    let sides = [(Side::Max, &report.max, MAX, "max", 0.0), (Side::Min, &report.min, MIN, "min", 1.0)];
    for (side, plans, colour, class, row) in sides {
        let failed = |epsilon| failure_at(tree, side, Score(plans.failure.limit), epsilon);
        let points: Vec<String> = (0..=100)
            .map(|step| f64::from(step) / 200.0)
            .map(|epsilon| format!("{:.1},{:.1}", at_x(epsilon), at_y(failed(epsilon))))
            .collect();
        let dashes = if row > 0.0 { " stroke-dasharray=\"7 4\"" } else { "" };
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.4\"{dashes}/>",
            points.join(" ")
        );
        let order =
            plans.failure.order.map_or_else(|| "0 throughout".into(), |order| format!("order {order}"));
        let words = format!("{class}, {order}");
        text(x + 16.0 + 130.0 * row, y + 45.0, 11.5, &format!("b {class}"), "start", &words, out);
    }
}

fn distribution(report: &Report, x: f64, y: f64, width: f64, out: &mut String) {
    text(x + 16.0, y + 26.0, 13.0, "b", "start", "Root value if leaves err", out);
    let all = &report.distribution.values;
    let mut shown: Vec<_> = all.iter().collect();
    if shown.len() > MOST_BARS {
        shown.sort_by(|a, b| b.drawn.total_cmp(&a.drawn));
        shown.truncate(MOST_BARS);
        shown.sort_by_key(|likely| likely.value);
    }
    let frame = Frame { x: x + 46.0, y: y + 48.0, width: width - 66.0, height: PANEL - 96.0 };
    let each = frame.width / shown.len().max(1) as f64;
    let thick = (each * 0.6).min(40.0);
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let y = frame.y + frame.height * (1.0 - tick);
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#e4e7ec\"/>",
            frame.x,
            frame.x + frame.width
        );
        text(frame.x - 8.0, y + 4.0, 10.5, "g", "end", &trimmed(tick), out);
    }
    for (index, likely) in shown.iter().enumerate() {
        let middle = frame.x + each * (index as f64 + 0.5);
        let height = frame.height * likely.drawn;
        let top = frame.y + frame.height - height;
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{thick:.1}\" height=\"{height:.1}\" fill=\"#98a2b3\"/>",
            middle - thick / 2.0
        );
        if let Some(exact) = likely.exact {
            let at = frame.y + frame.height * (1.0 - exact);
            let _ = writeln!(
                out,
                "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" \
                 stroke=\"{INK}\" stroke-width=\"2\"/>",
                middle - thick / 2.0 - 3.0,
                middle + thick / 2.0 + 3.0
            );
        }
        text(middle, frame.y + frame.height + 17.0, 10.5, "b", "middle", &value(likely.value), out);
    }
    let more = match all.len() - shown.len() {
        0 => String::new(),
        more => format!("; {more} rarer values omitted"),
    };
    let words = format!(
        "bars: {} samples, ε = {}; lines: exact{more}",
        report.distribution.samples, report.distribution.epsilon
    );
    text(frame.x + frame.width / 2.0 - 12.0, frame.y + frame.height + 35.0, 11.0, "g", "middle", &words, out);
}
