//! Formats a tree as text, as a graph for Graphviz, as a picture, and for programs.

use super::shown::Shown;
use std::fmt::Write as _;

/// Returns a heading, followed by one node on each line, with its children below it, indented.
pub fn text(root: &Shown, heading: &str) -> String {
    fn write(node: &Shown, indent: usize, out: &mut String) {
        let mv = node.mv.as_deref().unwrap_or("·");
        let hidden = match node.hidden {
            0 => String::new(),
            hidden if node.children.is_empty() => format!("  {hidden} more"),
            1 => "  and 1 leaf".into(),
            hidden => format!("  and {hidden} leaves"),
        };
        let _ = writeln!(out, "{:indent$}{mv}  {}{hidden}", "", node.label());
        node.children.iter().for_each(|child| write(child, indent + 2, out));
    }
    let mut out = format!("{heading}\n");
    write(root, 0, &mut out);
    out
}

/// Returns a graph, which `dot -Tsvg` draws.
pub fn dot(root: &Shown, heading: &str) -> String {
    fn write(node: &Shown, count: &mut usize, out: &mut String) -> usize {
        let number = *count;
        *count += 1;
        let shape = if node.over { "box" } else { "ellipse" };
        let _ =
            writeln!(out, "  n{number} [shape={shape}, label=\"{}\"];", node.label().replace(" [", "\\n["));
        for child in &node.children {
            let below = write(child, count, out);
            let mv = child.mv.as_deref().unwrap_or_default();
            let _ = writeln!(out, "  n{number} -> n{below} [label=\"{mv}\"];");
        }
        number
    }
    let mut out = format!(
        "digraph tree {{\n  label=\"{heading}\"; labelloc=t; fontname=\"sans-serif\";\n  \
         node [fontname=\"sans-serif\"]; edge [fontname=\"sans-serif\"];\n"
    );
    write(root, &mut 0, &mut out);
    out + "}\n"
}

const COLUMN: f64 = 190.0;
const ROW: f64 = 22.0;
const LEFT: f64 = 16.0;
const TOP: f64 = 52.0;
/// The maximum width of a letter.
const LETTER: f64 = 6.0;

/// Returns a picture, with plies from left to right and the displayed leaves below each other.
pub fn svg(root: &Shown, heading: &str) -> String {
    /// Draws a node and the nodes below it; returns its vertical place.
    fn write(node: &Shown, ply: usize, rows: &mut usize, out: &mut String) -> f64 {
        let x = LEFT + COLUMN * ply as f64;
        let below: Vec<f64> = node.children.iter().map(|child| write(child, ply + 1, rows, out)).collect();
        let y = match (below.first(), below.last()) {
            (Some(first), Some(last)) => (first + last) / 2.0,
            _ => {
                *rows += 1;
                TOP + ROW * (*rows - 1) as f64
            }
        };
        for other in below {
            let (from, to) = (x + 4.0, LEFT + COLUMN * (ply + 1) as f64 - 4.0);
            let middle = to - 24.0;
            let _ = writeln!(out, "<path d=\"M{from} {y} H{middle} L{to} {other}\"/>");
        }
        let mv = node.mv.as_deref().unwrap_or("root");
        let label = node.label();
        let _ = writeln!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\"/>\
             <text x=\"{}\" y=\"{}\"><tspan class=\"mv\">{mv}</tspan> {label}</text>",
            x + 6.0,
            y - 4.0
        );
        y
    }
    fn plies(node: &Shown) -> usize {
        node.children.iter().map(|child| 1 + plies(child)).max().unwrap_or(0)
    }
    let (mut rows, mut body) = (0, String::new());
    write(root, 0, &mut rows, &mut body);
    let width = (COLUMN * (plies(root) + 1) as f64).max(LETTER * heading.chars().count() as f64) + 2.0 * LEFT;
    let height = TOP + ROW * rows as f64;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n\
         <style>text {{ font: 10px sans-serif }} .mv {{ font-weight: bold }} \
         path {{ fill: none; stroke: #999 }}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\">{heading}</text>\n{body}</svg>\n"
    )
}
