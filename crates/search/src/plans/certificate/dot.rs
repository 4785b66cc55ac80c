//! Draws plans as graphs in the language of Graphviz.
//!
//! *Reference:* the figures of strategies in McAllester & Yuret 1993: an edge for every move that a plan
//! names, thick where the plan's owner moves. A node of the owner shows the number of his options. The
//! end of a line shows its static value for the owner and its depth.

use super::{Certificate, Plan, Step};
use crate::depth::Depth;
use crate::score::Score;
use std::fmt::{self, Write as _};

/// Displays a certificate as a graph, which `dot -Tsvg` draws.
///
/// ```
/// use cassius_search::plans::certificate::{Certificate, Dot};
///
/// let text = "cassius certificate 2\ngame: tree\nposition: A:0(B:1 C:1)\nvalues: statics\nmargin: 1\n\
///             safety: 0 240\nvalue: 1\nat least, depth: 240\n! B C\n. 1 240\nend\n";
/// let certificate: Certificate = text.parse()?;
/// let graph = Dot(&certificate).to_string();
/// assert!(graph.starts_with("digraph certificate {"));
/// assert!(graph.contains("label=\"B\""));
/// # Ok::<(), cassius_search::plans::certificate::FormatError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dot<'a>(pub &'a Certificate);

impl fmt::Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Certificate { game, position, value, at_least, at_most, .. } = self.0;
        writeln!(f, "digraph certificate {{")?;
        writeln!(f, "  label=\"{}: {}\";", escaped(game), escaped(position))?;
        writeln!(f, "  node [fontname=\"sans-serif\"]; edge [fontname=\"sans-serif\"];")?;
        for (name, plan) in [("least", at_least), ("most", at_most)] {
            if let Some(Plan { depth, root }) = plan {
                writeln!(f, "  subgraph cluster_{name} {{")?;
                writeln!(f, "    label=\"at {name} {}, {}\";", points(*value), depth_of(*depth))?;
                Drawing { f, name, count: 0 }.step(root)?;
                writeln!(f, "  }}")?;
            }
        }
        writeln!(f, "}}")
    }
}

struct Drawing<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    name: &'a str,
    count: usize,
}

impl Drawing<'_, '_> {
    /// Draws a position and everything that follows it. Returns the number of its node.
    fn step(&mut self, step: &Step) -> Result<usize, fmt::Error> {
        let (number, name) = (self.count, self.name);
        self.count += 1;
        if let Step::Same(same) = step {
            return Ok(same.saturating_sub(1));
        }
        write!(self.f, "    {name}{number} ")?;
        match step {
            Step::Own { mv, options, next } => {
                let said = match options.len() {
                    0 => "no option".into(),
                    1 => format!("option {}", escaped(&options[0])),
                    count => format!("{count} options"),
                };
                writeln!(self.f, "[shape=box, label=\"{said}\"];")?;
                let child = self.step(next)?;
                writeln!(
                    self.f,
                    "    {name}{number} -> {name}{child} [label=\"{}\", penwidth=2];",
                    escaped(mv)
                )?;
            }
            Step::Other(replies) => {
                writeln!(self.f, "[shape=point];")?;
                for (mv, next) in replies {
                    let child = self.step(next)?;
                    writeln!(self.f, "    {name}{number} -> {name}{child} [label=\"{}\"];", escaped(mv))?;
                }
            }
            Step::Leaf { value, depth } => {
                writeln!(self.f, "[shape=plaintext, label=\"{}\\n{}\"];", points(*value), depth_of(*depth))?;
            }
            Step::Over { value } => {
                writeln!(self.f, "[shape=plaintext, label=\"{}\\nover\"];", points(*value))?;
            }
            Step::Same(_) => {}
        }
        Ok(number)
    }
}

pub(super) fn points(value: Score) -> String {
    match value.plies_to_end() {
        Some(plies) if value.is_win() => format!("won in {plies}"),
        Some(plies) => format!("lost in {plies}"),
        None => format!("{:+}", value.0),
    }
}

pub(super) fn depth_of(depth: Depth) -> String {
    match depth {
        Depth::CERTAIN => "certain".into(),
        depth => format!("depth {:.2}", depth.to_f64()),
    }
}

/// Escapes quotes and backslashes, and removes control characters.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control()) {
        if matches!(c, '"' | '\\') {
            safe.push('\\');
        }
        let _ = safe.write_char(c);
    }
    safe
}
