//! Counts as options the moves that the move order ranks high: they have often failed high before.
//!
//! *Reference:* none. McAllester & Yuret 1993, §10.3 and §12, ask for cheap ways to count; the killer
//! and history statistics kept for move ordering are available anyway.
//! *Deviations:* does not depend on the value that a plan is to hold.
//! *Soundness:* an estimate: a plan may be less safe than its depth says.
//! *Worth:* figures in results/option-counting.md.

use crate::alpha_beta::options::{Listing, Options};
use crate::alpha_beta::order::Order;
use crate::alpha_beta::order::rank;
use crate::alpha_beta::{CountOf, Worker};
use crate::alpha_beta::{Node, Recipe};
use crate::game::Game;
use crate::limits::Stopped;
use crate::score::Score;

crate::component! {
    /// Counts moves with a high rank.
    #[derive(Copy)]
    pub struct OrderedOptions {
        /// A quiet move is an option if its rank exceeds this; killers and countermoves always do.
        least: 0 in -16384..=16384 "counter units",
        /// Whether noisy moves that lose nothing are options: 1 yes, 0 no.
        noisy: 1 in 0..=1 "0 or 1",
    }
}

impl<G: Game> Options<G> for OrderedOptions {
    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        _: &CountOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        for index in 0..worker.listed(first).len() {
            let (mv, order) = (worker.listed(first)[index], &worker.slots.order);
            let rank = order.rank(node, mv, order.facts(node.position, mv));
            let is_option = if rank > rank::WINNING { self.noisy != 0 } else { rank > self.least };
            worker.options.push(if is_option { Score::INFINITE } else { -Score::INFINITE });
        }
        Ok(Some(Listing::Moves))
    }
}
