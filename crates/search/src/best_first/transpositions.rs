//! Transpositions: recognises positions that occur on several lines.
//!
//! *Deviations:* McAllester 1988 has only trees. Here a leaf shares the children of an expanded node
//! that has the same position and the same distance from the root. What is found below those children
//! then counts on both lines.
//! *Soundness:* values are those of the tree, with two exceptions. A draw by repetition, or by a rule
//! that counts moves, is that of the line on which it was found first. A leaf that was assessed through
//! a window has the value for that window. A leaf below two lines counts twice as a conspirator,
//! although it changes only once; therefore conspiracy numbers and proof numbers may be too great.
//! *Worth:* Measured in chess, exercises solved of 300 with 30,000 nodes in the tree: `cns` 178 with
//! transpositions and 171 without, `cns-value` 202 and 199, `ccns` without searches of leaves 152 and
//! 152.

use super::NodeId;
use std::collections::HashMap;

crate::component! {
    /// Lets leaves share the children of nodes with the same position at the same distance from the
    /// root.
    pub struct Transpositions {
        /// Whether they do: 1 yes, 0 no.
        on: 0 in 0..=1 "0 or 1",
    }
}

/// One node of this many may be in the table.
const KNOWN: usize = 32;
/// The memory that both tables take per node, in half bytes, if one node of 32 is known and one of eight
/// shares its children. A table is at least seven sixteenths full (entries of 25 and 9 bytes with their
/// control bytes), and while it grows, there is another table half as large.
const HALF_BYTES: usize = 12;

/// The table of nodes that have been expanded, by position and distance from the root.
pub(super) struct Known<G> {
    pub parameters: Transpositions,
    /// The key of a position.
    pub key: fn(&G) -> u64,
    nodes: HashMap<(u64, usize), NodeId>,
    most: usize,
}

impl<G> Known<G> {
    pub fn new(key: fn(&G) -> u64) -> Self {
        Known { parameters: Transpositions::default(), key, nodes: HashMap::new(), most: 0 }
    }

    /// Clears the table for a new tree with room for this many nodes of this many bytes each. Returns
    /// how many of these nodes must be given up for the table.
    pub fn begin(&mut self, nodes: usize, node_bytes: usize) -> usize {
        self.nodes = HashMap::new(); // frees the memory
        self.most = nodes / KNOWN;
        if self.parameters.on == 0 { 0 } else { nodes.saturating_mul(HALF_BYTES) / (2 * node_bytes) }
    }

    /// Returns the name of a position in the table, if transpositions are switched on.
    pub fn name(&self, position: &G, ply: usize) -> Option<(u64, usize)> {
        (self.parameters.on != 0).then(|| ((self.key)(position), ply))
    }

    pub fn get(&self, name: (u64, usize)) -> Option<NodeId> {
        self.nodes.get(&name).copied()
    }

    /// Remembers a node. Keeps the first of several with the same name, and nothing if there is no room.
    pub fn remember(&mut self, name: (u64, usize), node: NodeId) {
        if self.nodes.len() < self.most {
            self.nodes.entry(name).or_insert(node);
        }
    }
}
