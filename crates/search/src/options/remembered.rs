//! Options by what the memory already knows of the positions after the moves.
//!
//! *Reference:* none: McAllester & Yuret 1993, §10.3 and §12, ask for cheap ways to count; bounds that an earlier iteration or another
//! line has left behind cost a look.
//! *Deviations:* of bounds any depth will do. A move of which nothing is known is an option only if the count is to be hopeful.
//! *Soundness:* each option counted was one when its bound was stored; hopefully counted ones were not known to be none.
//! *Worth:* figures in results/option-counting.md.

use super::{hundredths, owed};
use crate::worker::{LineOf, Worker};
use crate::{Game, Listing, Memory, Node, Options, Recipe, Stopped};

crate::component! {
    /// Counts moves whose bound in the memory says that they hold.
    #[derive(Copy)]
    pub struct RememberedOptions {
        /// Only nodes that owe this much at least are judged so: far from the leaves.
        farness: 0 in 0..=40000 "hundredths of a ply",
        /// 1: all moves but those whose bound says that they do not hold.
        hopeful: 0 in 0..=1 "0 or 1",
    }
}

impl<G: Game> Options<G> for RememberedOptions {
    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        _: &LineOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if owed(node) < hundredths(self.farness) {
            return Ok(None);
        }
        for index in 0..worker.listed(first).len() {
            let mut child = node.position.clone();
            child.play(worker.listed(first)[index]);
            let known = worker.slots.memory.probe(&child, node.ply + 1);
            worker.options.push(if self.hopeful == 1 { -known.lower } else { -known.upper });
        }
        Ok(Some(Listing::Moves))
    }
}
