//! Draws plans as pictures that a browser shows, with plies from left to right and the ends of lines
//! below each other.
//!
//! *Reference:* the figures of strategies in McAllester & Yuret 1993, as in [`Dot`](super::Dot): a thick
//! line for a move of the plan's owner, a thin line for each answer. A position shows the number of the
//! owner's options. The end of a line shows its static value for the owner and its depth. A dashed line
//! leads to a position that is already drawn, from which the plan continues.

use super::dot::{depth_of, points};
use super::{Certificate, Plan, Step};
use std::fmt::{self, Write as _};

/// Displays a certificate as a picture.
///
/// ```
/// use cassius_search::plans::certificate::{Certificate, Svg};
///
/// let text = "cassius certificate 2\ngame: tree\nposition: A:0(B:1 C:1)\nvalues: statics\nmargin: 1\n\
///             safety: 0 240\nvalue: 1\nat least, depth: 240\n! B C\n. 1 240\nend\n";
/// let certificate: Certificate = text.parse()?;
/// let picture = Svg(&certificate).to_string();
/// assert!(picture.starts_with("<svg") && picture.contains("at least +1, depth 1.00"));
/// # Ok::<(), cassius_search::plans::certificate::FormatError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Svg<'a>(pub &'a Certificate);

const COLUMN: f64 = 130.0;
const ROW: f64 = 24.0;
const LEFT: f64 = 16.0;
const TOP: f64 = 28.0;
/// The greatest width of a letter.
const LETTER: f64 = 6.5;

impl fmt::Display for Svg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Certificate { game, position, value, at_least, at_most, .. } = self.0;
        let heading = format!("{game}: {position}");
        let mut drawing = Drawing { bottom: TOP, plies: 0, places: Vec::new(), body: String::new() };
        for (name, plan) in [("least", at_least), ("most", at_most)] {
            let Some(Plan { depth, root }) = plan else { continue };
            let title = format!("at {name} {}, {}", points(*value), depth_of(*depth));
            drawing.bottom += ROW;
            let _ = writeln!(
                drawing.body,
                "<text class=\"mv\" x=\"{LEFT}\" y=\"{}\">{title}</text>",
                drawing.bottom - 8.0
            );
            drawing.bottom += ROW;
            drawing.places.clear();
            drawing.step(root, 0);
        }
        let widest = LETTER * heading.chars().count() as f64;
        let width = (COLUMN * (drawing.plies + 1) as f64).max(widest) + 2.0 * LEFT;
        let height = drawing.bottom + ROW / 2.0;
        write!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n\
             <style>text {{ font: 11px sans-serif }} .mv {{ font-weight: bold }} \
             path {{ fill: none; stroke: #888 }} \
             .own {{ stroke: black; stroke-width: 2.5 }} .same {{ stroke-dasharray: 4 3 }}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"18\">{}</text>\n{}</svg>\n",
            escaped(&heading),
            drawing.body
        )
    }
}

struct Drawing {
    bottom: f64,
    plies: usize,
    /// The coordinates of the plan's positions, in their order.
    places: Vec<(f64, f64)>,
    body: String,
}

impl Drawing {
    /// Draws a position and everything that follows it. Returns its coordinates.
    fn step(&mut self, step: &Step, ply: usize) -> (f64, f64) {
        let number = self.places.len();
        let x = LEFT + COLUMN * ply as f64;
        self.plies = self.plies.max(ply);
        self.places.push((x, self.bottom));
        let (y, label, ends) = match step {
            Step::Own { mv, options, next } => {
                let below = self.step(next, ply + 1);
                let y = below.1;
                self.line((x, y), below, mv, "own");
                let label = match options.len() {
                    0 => "no option".into(),
                    1 => format!("option {}", escaped(&options[0])),
                    count => format!("{count} options"),
                };
                (y, label, false)
            }
            Step::Other(replies) => {
                let below: Vec<_> = replies.iter().map(|(_, next)| self.step(next, ply + 1)).collect();
                let y = match (below.first(), below.last()) {
                    (Some(first), Some(last)) => (first.1 + last.1) / 2.0,
                    _ => self.row(),
                };
                for ((mv, _), place) in replies.iter().zip(below) {
                    self.line((x, y), place, mv, "other");
                }
                (y, String::new(), false)
            }
            Step::Same(same) => {
                let y = self.row();
                if let Some(&(to_x, to_y)) = same.checked_sub(1).and_then(|same| self.places.get(same)) {
                    let _ = writeln!(
                        self.body,
                        "<path class=\"same\" d=\"M{x} {y} C{} {y} {} {to_y} {to_x} {to_y}\"/>",
                        x + 60.0,
                        to_x + 60.0
                    );
                }
                (y, "as above".into(), true)
            }
            Step::Leaf { value, depth } => {
                (self.row(), format!("{}, {}", points(*value), depth_of(*depth)), true)
            }
            Step::Over { value } => (self.row(), format!("{}, over", points(*value)), true),
        };
        self.places[number].1 = y;
        if !ends {
            let _ = writeln!(self.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\"/>");
        }
        let (label_x, label_y) = if ends { (x + 4.0, y + 4.0) } else { (x + 2.0, y + 14.0) };
        let _ = writeln!(self.body, "<text x=\"{label_x}\" y=\"{label_y}\">{label}</text>");
        (x, y)
    }

    /// Adds a row at the bottom and returns its coordinate.
    fn row(&mut self) -> f64 {
        self.bottom += ROW;
        self.bottom - ROW
    }

    fn line(&mut self, (x, y): (f64, f64), (to_x, to_y): (f64, f64), mv: &str, class: &str) {
        let middle = x + 30.0;
        let _ = writeln!(
            self.body,
            "<path class=\"{class}\" d=\"M{x} {y} L{middle} {to_y} H{to_x}\"/>\
             <text class=\"mv\" x=\"{}\" y=\"{}\">{}</text>",
            middle + 4.0,
            to_y - 4.0,
            escaped(mv)
        );
    }
}

/// Replaces the characters that have a meaning in markup, and removes control characters.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control()) {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c => safe.push(c),
        }
    }
    safe
}
