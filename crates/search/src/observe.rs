//! Observers: what happens in a search, counted or recorded.

use crate::{Game, Observe, Score, Window};

/// Counts nodes by ply.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Nodes entered at each ply.
    pub nodes: Vec<u64>,
    /// Of these, how many failed high, failed low, or had a value inside their window.
    pub outcomes: [u64; 3],
    windows: Vec<Window>,
}

impl<G: Game> Observe<G> for Counters {
    fn enter(&mut self, _: &G, window: Window, ply: usize) {
        if self.nodes.len() <= ply {
            self.nodes.resize(ply + 1, 0);
        }
        self.nodes[ply] += 1;
        if ply == 0 {
            self.windows.clear(); // the search before this may have been stopped
        }
        self.windows.push(window);
    }

    fn leave(&mut self, value: Score, _: usize) {
        let Some(window) = self.windows.pop() else { return };
        let place = match window.bound(value) {
            crate::Bound::Lower => 0,
            crate::Bound::Upper => 1,
            crate::Bound::Exact => 2,
        };
        self.outcomes[place] += 1;
    }
}

/// Records the tree that is searched, node by node in the order of entering.
#[derive(Clone, Debug)]
pub struct TreeRecorder<G> {
    /// The nodes; a node that is searched again appears again.
    pub nodes: Vec<Recorded<G>>,
    open: Vec<usize>,
}

/// A node of a [`TreeRecorder`].
#[derive(Clone, Debug)]
pub struct Recorded<G> {
    /// The position.
    pub position: G,
    /// Index of the node above.
    pub parent: Option<usize>,
    /// Plies from the root.
    pub ply: usize,
    /// The window it was searched with.
    pub window: Window,
    /// Its value, once it is left.
    pub value: Option<Score>,
    /// Whether no child of it was entered.
    pub leaf: bool,
}

impl<G> Default for TreeRecorder<G> {
    fn default() -> Self {
        TreeRecorder { nodes: Vec::new(), open: Vec::new() }
    }
}

impl<G: Game> Observe<G> for TreeRecorder<G> {
    fn enter(&mut self, position: &G, window: Window, ply: usize) {
        if ply == 0 {
            self.open.clear(); // the search before this may have been stopped
        }
        let parent = self.open.last().copied();
        if let Some(parent) = parent {
            self.nodes[parent].leaf = false;
        }
        self.open.push(self.nodes.len());
        let position = position.clone();
        self.nodes.push(Recorded { position, parent, ply, window, value: None, leaf: true });
    }

    fn leave(&mut self, value: Score, _: usize) {
        let Some(node) = self.open.pop() else { return };
        self.nodes[node].value = Some(value);
    }
}
