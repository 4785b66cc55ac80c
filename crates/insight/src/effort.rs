//! The effort of an analysis.

use cassius_search::Depth;

/// The effort for one position. The same effort gives the same findings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Nodes for one position: a third for the value, the rest for the shallow search of every move and
    /// for verification. The refutations of traps are searched after at most six moves, with a further
    /// twentieth each. This limit does not cut the shallow searches short.
    pub nodes: u64,
    /// Iterations of the shallow search that determines which moves look right: a move, the reply, and
    /// captures.
    pub shallow: usize,
    /// The amount by which a move may lower the win probability and still hold: δ.
    pub delta: f64,
    /// Nodes of exact alpha-beta-conspiracy search for each of the two plans. They take some fifty times
    /// as long as ordinary nodes, since every alternative to every move is evaluated.
    pub plan_nodes: u64,
    /// The maximum depth of a plan that is searched for, in own moves with all their options.
    pub plan_depth: Depth,
    /// The number of moves that hold whose practical chances [`explain`](crate::explain) examines: the
    /// position after each but the best is judged with a quarter of the nodes.
    pub practical: usize,
}

impl Effort {
    /// Returns the effort of `cassius annotate` for each position: some five positions a second.
    pub fn of_a_game() -> Effort {
        Effort { nodes: 150_000, plan_nodes: 600, ..Effort::default() }
    }
}

impl Default for Effort {
    /// Returns the effort of `cassius explain`: under two seconds for a middlegame position.
    fn default() -> Effort {
        Effort {
            nodes: 1_000_000,
            shallow: 2,
            delta: 0.10,
            plan_nodes: 1_500,
            plan_depth: Depth::plies(3),
            practical: 0,
        }
    }
}
