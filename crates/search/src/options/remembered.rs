//! Options by what the memory already knows of the positions after the moves.
//!
//! *Reference:* none: McAllester & Yuret 1993, §10.3 and §12, ask for cheap ways to count; bounds that an earlier iteration or another
//! line has left behind cost a look.
//! *Deviations:* of bounds any depth will do. A move of which nothing is known is no option.
//! *Soundness:* each option counted was one when its bound was stored.
//! *Worth:* not measured.

use crate::worker::{LineOf, Worker};
use crate::{Game, Listing, Memory, Node, Options, Recipe, Stopped};

crate::component! {
    /// Counts moves whose bound in the memory says that they hold.
    #[derive(Copy)]
    pub struct RememberedOptions {}
}

impl<G: Game> Options<G> for RememberedOptions {
    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        _: &LineOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        for index in 0..worker.listed(first).len() {
            let mut child = node.position.clone();
            child.play(worker.listed(first)[index]);
            let known = worker.slots.memory.probe(&child, node.ply + 1);
            worker.options.push(-known.upper);
        }
        Ok(Some(Listing::Moves))
    }
}
