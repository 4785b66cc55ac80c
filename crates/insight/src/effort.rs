//! How much is looked at.

use cassius_search::Depth;

/// How much is looked at for one position. With the same effort, the same is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Nodes for one position: a third for the value, the rest for a glance at every move and to verify it. What refutes a trap is
    /// looked for after six moves at most, with a twentieth more each, and the glances are finished whatever they take.
    pub nodes: u64,
    /// Iterations of the shallow search that says which moves look right: a move, the reply, and captures.
    pub shallow: usize,
    /// By how much a move may lower the win probability and still hold: δ.
    pub delta: f64,
    /// Nodes of exact alpha-beta-conspiracy search for each of the two plans. They take some fifty times as long as ordinary ones, since
    /// every alternative to every move is valued.
    pub plan_nodes: u64,
    /// The greatest depth of a plan that is asked for, in own moves with all their options.
    pub plan_depth: Depth,
}

impl Effort {
    /// What `cassius annotate` takes for each position: some five positions a second.
    pub fn of_a_game() -> Effort {
        Effort { nodes: 150_000, plan_nodes: 600, ..Effort::default() }
    }
}

impl Default for Effort {
    /// What `cassius explain` takes: under two seconds for a middlegame.
    fn default() -> Effort {
        Effort { nodes: 1_000_000, shallow: 2, delta: 0.10, plan_nodes: 1_500, plan_depth: Depth::plies(3) }
    }
}
