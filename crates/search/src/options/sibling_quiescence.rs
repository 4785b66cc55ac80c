//! Options by the quiescence value of every move.
//!
//! *Reference:* McAllester & Yuret 1993, §9.1 and §10.2: the values by which options are counted are those of the stand-pat or
//! capture game; where only their number matters, a narrow window finds it.
//! *Deviations:* the quiescence is the recipe's, with all that it prunes; where the memory knows more, that counts.
//! *Soundness:* as sound as that quiescence.
//! *Worth:* figures in results/option-counting.md.

use crate::worker::{LineOf, Worker};
use crate::{Draws, Game, Horizon, Listing, Node, Observe, Options, Quiescence, Recipe, Scout, Stopped};

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
        _: &LineOf<G, R>,
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
            worker.descend(position, mv, &child, ply);
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
