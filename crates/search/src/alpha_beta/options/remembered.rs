//! Counts options from the bounds that the memory holds for the positions after the moves.
//!
//! *Reference:* none. McAllester & Yuret 1993, §10.3 and §12, ask for cheap ways to count; a bound left
//! by an earlier iteration or another line costs one table probe.
//! *Deviations:* bounds of any depth are used. A move without a stored bound is an option only if
//! `hopeful` is set.
//! *Soundness:* each option counted was one when its bound was stored. With `hopeful`, a move counts
//! unless its bound shows that it is none.
//! *Worth:* figures in results/option-counting.md.

use super::{hundredths, remaining};
use crate::alpha_beta::memory::Memory;
use crate::alpha_beta::options::{Listing, Options};
use crate::alpha_beta::{CountOf, Worker};
use crate::alpha_beta::{Node, Recipe};
use crate::game::Game;
use crate::limits::Stopped;

crate::component! {
    /// Counts the moves that hold the value according to their stored bounds.
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
        _: &CountOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if remaining(node) < hundredths(self.farness) {
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
