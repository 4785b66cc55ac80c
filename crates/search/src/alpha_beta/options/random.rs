//! Says of nodes drawn by chance that they have no option: what is left of a signal without what it knows.
//!
//! *Reference:* none. A placebo beside [`LearnedOptions`](super::LearnedOptions), which finds no option in
//! 12 to 14 % of the nodes that are expected to fail high, and in 69 to 75 % of the others (`farness` 300,
//! 50,000 nodes; exercises, quiet positions). No lot is drawn in check or where there is one legal move: what
//! follows from the rules alone is no part of the estimate.
//! *Deviations:* none of what else an estimate knows of a node.
//! *Soundness:* none is claimed. For comparisons only.
//! *Worth:* Measured in chess, at 10,000 nodes a move: the estimate scores +2 ± 16 Elo against it in 1,000
//! games (results/two-depths.md).

use super::{hundredths, remaining};
use crate::alpha_beta::options::{Listing, Options};
use crate::alpha_beta::{CountOf, Worker};
use crate::alpha_beta::{Node, Recipe};
use crate::game::{Checks, Keyed};
use crate::limits::Stopped;
use crate::score::Score;
use std::iter::repeat_n;

crate::component! {
    /// Says of nodes drawn by chance that they have no option, and of the others that all moves are some.
    #[derive(Copy)]
    pub struct RandomOptions {
        /// The share that is drawn of the nodes that are expected to fail high …
        cut: 13 in 0..=100 "%",
        /// … and of the others.
        all: 72 in 0..=100 "%",
        /// Only nodes that owe this much at least are judged so: far from the leaves.
        farness: 900 in 0..=40000 "hundredths of a ply",
    }
}

/// Odd, so that multiplying mixes all bits into the highest: 2⁶⁴ divided by the golden ratio.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

impl<G: Checks + Keyed> Options<G> for RandomOptions {
    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        _: &CountOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if remaining(node) < hundredths(self.farness) || !node.window.is_minimal() {
            return Ok(None);
        }
        if node.position.in_check() || worker.listed(first).len() == 1 {
            return Ok(None);
        }
        // The same position has the same lot in every iteration, as it would have the same options.
        let lot = node.position.key().wrapping_mul(MIX) >> 32;
        let share = if node.cut { self.cut } else { self.all };
        let is_drawn = (lot * 100) >> 32 < share as u64;
        let options = if is_drawn { 0 } else { worker.listed(first).len() };
        worker.options.extend(repeat_n(Score::INFINITE, options));
        Ok(Some(Listing::Guess))
    }
}
