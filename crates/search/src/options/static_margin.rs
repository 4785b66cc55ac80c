//! Options by how far the static value is above what the plan has to hold.
//!
//! *Reference:* McAllester & Yuret 1993, §10.3: the static option estimator, which takes it that where even a pass holds, most moves
//! do. Here the margin stands for the pass: it costs nothing, since the static value is known.
//! *Deviations:* see there; what the memory knows improves the static value. Where a static value means nothing, in check for example, another way must count.
//! *Soundness:* an estimate: a plan may be less safe than its depth says.
//! *Worth:* figures in results/option-counting.md.

use crate::worker::{LineOf, Worker};
use crate::{Evaluate, Game, Listing, Node, Options, Recipe, Score, Stopped};

crate::component! {
    /// Counts options by the static value.
    #[derive(Copy)]
    pub struct StaticMargin {
        /// So much more of the static value is one more option.
        step: 20 in 1..=1000 "evaluation units",
        /// Most that are counted.
        most: 30 in 1..=256 "options",
        /// Added to the static value.
        offset: 0 in -1000..=1000 "evaluation units",
    }
}

impl<G: Game> Options<G> for StaticMargin {
    const USES_STANDING: bool = true;

    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        _: &LineOf<G, R>,
        _: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if !worker.slots.evaluate.judges(node.position) {
            return Ok(None);
        }
        let below = |option: i32| node.standing + Score(self.offset - option * self.step);
        worker.options.extend((0..self.most).map(below));
        Ok(Some(Listing::Guess))
    }
}
