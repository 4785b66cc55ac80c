//! Counts options by the quiescence value of every move.
//!
//! *Reference:* McAllester & Yuret 1993, §9.1 and §10.2: options are counted by the values of the
//! stand-pat or capture game. Where only their number matters, a narrow window suffices.
//! *Deviations:* the quiescence search is the recipe's, with all its pruning. Where the memory knows a
//! better value, that one is used.
//! *Soundness:* as sound as that quiescence.
//! *Worth:* figures in results/option-counting.md.

use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::horizon::Horizon;
use crate::alpha_beta::observe::Observe;
use crate::alpha_beta::options::{Listing, Options};
use crate::alpha_beta::quiescence::Quiescence;
use crate::alpha_beta::{CountOf, Worker};
use crate::alpha_beta::{Node, Recipe, Scout};
use crate::game::Game;
use crate::limits::Stopped;

crate::component! {
    /// Values every move by quiescence search.
    #[derive(Copy)]
    pub struct SiblingQuiescence {}
}

impl<G: Game> Options<G> for SiblingQuiescence {
    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        _: &CountOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        let &Node { position, ply, .. } = node;
        let below = worker.slots.horizon.option_window(node.window).flip();
        let quiescence = worker.slots.quiescence.clone();
        worker.slots.draws.push(position);
        for index in 0..worker.listed(first).len() {
            let mv = worker.listed(first)[index];
            let mut child = position.clone();
            child.play(mv);
            worker.descend::<Scout>(position, mv, &child, ply);
            worker.count(ply + 1)?;
            worker.slots.observe.enter(&child, below, ply + 1);
            let value = -quiescence.value::<R, Scout>(worker, &child, below, ply + 1)?;
            worker.slots.observe.leave(-value, ply + 1);
            worker.options.push(value);
        }
        worker.slots.draws.pop();
        Ok(Some(Listing::Moves))
    }
}
