//! Options by a shallower search of every move: dynamic option evaluation.
//!
//! *Reference:* McAllester & Yuret 1993, §9.3 and §12: static values of siblings are replaced by those of a search to less depth, as
//! singular extensions do.
//! *Deviations:* each move is asked only whether it is worth more than β − δ, and only at nodes with a minimal window, which are nearly
//! all; elsewhere another way must count. While moves are searched, the options of the node itself are counted statically; below it
//! they are counted as everywhere, nested reduced searches included.
//! *Soundness:* as that of the shallower search.
//! *Worth:* figures in results/option-counting.md.

use super::{hundredths, owed};
use crate::worker::{LineOf, Worker};
use crate::{Draws, Game, Horizon, Listing, Node, Options, Recipe, Scout, Step, Stopped};

crate::component! {
    /// Searches every move to less depth.
    #[derive(Copy)]
    pub struct ReducedSearches {
        /// By how much less.
        reduction: 200 in 100..=2000 "hundredths of a ply",
        /// Only nodes that owe this much at least are judged so: far from the leaves.
        farness: 400 in 100..=40000 "hundredths of a ply",
    }
}

impl<G: Game> Options<G> for ReducedSearches {
    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        line: &LineOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        let window = worker.slots.horizon.option_window(node.window);
        if owed(node) < hundredths(self.farness) || !window.is_minimal() {
            return Ok(None);
        }
        let &Node { position, ply, .. } = node;
        let moves = worker.listed(first).len();
        let less = -hundredths(self.reduction);
        worker.tell(node, first, None, 0)?; // what the depth rule knows of the node for the time being
        worker.slots.draws.push(position);
        for index in 0..moves {
            let mv = worker.listed(first)[index];
            let mut child = position.clone();
            child.play(mv);
            worker.descend(position, mv, &child, ply);
            let step = Step { position, child: &child, mv, index, moves, window: node.window, ply };
            let full = worker.slots.horizon.child(line, &step);
            let reduced = worker.slots.horizon.lengthen(&full, less);
            let value = -worker.search::<Scout>(&child, window.flip(), reduced, ply + 1, true)?;
            worker.options.push(value);
        }
        worker.slots.draws.pop();
        worker.slots.horizon.retract();
        Ok(Some(Listing::Moves))
    }
}
