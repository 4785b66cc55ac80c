//! Positions that come up on several lines.
//!
//! *Deviations:* McAllester 1988 has trees only. Here a leaf with the position of a node that has been expanded as many plies from the root
//! takes that node's children for its own, and what is found below them counts on both lines.
//! *Soundness:* values are those of the tree, but that a draw by repetition, or by a rule that counts moves, is that of the line on which it was found
//! first, and that a leaf that was judged through a window has the value that it was asked for there. A leaf below two lines
//! counts twice as a conspirator, although it changes but once: numbers of conspirators, and proof numbers, may be too great.
//! *Worth:* Measured in chess, exercises solved of 300 with 30,000 nodes in the tree: `cns` 178 with them and 171 without, `cns-value` 202 and 199, `ccns` without searches of leaves 152
//! and 152.

use super::NodeId;
use std::collections::HashMap;

crate::component! {
    /// Whether leaves share the children of nodes with the same position, as many plies from the root.
    pub struct Transpositions {
        /// Whether they do: 1 yes, 0 no.
        on: 0 in 0..=1 "0 or 1",
    }
}

/// Of so many nodes one may be known …
const KNOWN: usize = 32;
/// … and one of eight shares its children. What both tables take of a node, in half bytes: a table is at least seven sixteenths full (entries
/// of 25 and 9 bytes with their control bytes), and while it grows there is one half as large beside it.
const HALF_BYTES: usize = 12;

/// Nodes that have been expanded, by position and plies from the root.
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

    /// Begins anew, for a tree of so many nodes of so many bytes each. Says how many of them are to be given up.
    pub fn begin(&mut self, nodes: usize, node_bytes: usize) -> usize {
        self.nodes = HashMap::new(); // what it took is given back
        self.most = nodes / KNOWN;
        if self.parameters.on == 0 { 0 } else { nodes.saturating_mul(HALF_BYTES) / (2 * node_bytes) }
    }

    /// What a position is known by, if it is to be.
    pub fn name(&self, position: &G, ply: usize) -> Option<(u64, usize)> {
        (self.parameters.on != 0).then(|| ((self.key)(position), ply))
    }

    pub fn get(&self, name: (u64, usize)) -> Option<NodeId> {
        self.nodes.get(&name).copied()
    }

    /// Remembers a node, the first of several; none if there is no room.
    pub fn remember(&mut self, name: (u64, usize), node: NodeId) {
        if self.nodes.len() < self.most {
            self.nodes.entry(name).or_insert(node);
        }
    }
}
