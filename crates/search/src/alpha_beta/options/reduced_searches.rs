//! Values options by a shallower search of every move: dynamic option evaluation.
//!
//! *Reference:* McAllester & Yuret 1993, §9.3 and §12: static values of siblings are replaced by those
//! of a search to less depth, as in singular extensions.
//! *Deviations:* each move is only tested for a value above β − δ, and only at nodes with a null window,
//! which are nearly all nodes. Other nodes need another way to count. While the moves are searched, the
//! options of the node itself are counted statically. Below it options are counted as usual, including
//! nested reduced searches.
//! *Soundness:* as sound as the shallower search.
//! *Worth:* figures in results/option-counting.md.

use super::{hundredths, remaining};
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::horizon::{Horizon, Step};
use crate::alpha_beta::options::{Listing, Options};
use crate::alpha_beta::{CountOf, Worker};
use crate::alpha_beta::{Node, Recipe, Scout};
use crate::game::Game;
use crate::limits::Stopped;

crate::component! {
    /// Searches every move to a reduced depth.
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
        count: &CountOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        let window = worker.slots.horizon.option_window(node.window);
        if remaining(node) < hundredths(self.farness) || !window.is_minimal() {
            return Ok(None);
        }
        let &Node { position, ply, .. } = node;
        let moves = worker.listed(first).len();
        let less = -hundredths(self.reduction);
        worker.enter(node, first, None, 0)?; // the depth rule must know of the node
        worker.slots.draws.push(position);
        for index in 0..moves {
            let mv = worker.listed(first)[index];
            let mut child = position.clone();
            child.play(mv);
            worker.descend::<Scout>(position, mv, &child, ply);
            let step = Step { position, child: &child, mv, index, moves, window: node.window, ply };
            let full = worker.slots.horizon.child(count, &step);
            let reduced = worker.slots.horizon.lengthen(&full, less);
            let value = -worker.search::<Scout>(&child, window.flip(), reduced, ply + 1, true)?;
            worker.options.push(value);
        }
        worker.slots.draws.pop();
        worker.slots.horizon.leave();
        Ok(Some(Listing::Moves))
    }
}
