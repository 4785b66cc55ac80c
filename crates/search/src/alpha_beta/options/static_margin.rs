//! Counts options by how far the static value exceeds the value that the plan has to hold.
//!
//! *Reference:* McAllester & Yuret 1993, §10.3: the static option estimator, which assumes that where
//! even a pass holds the value, most moves do. Here the margin replaces the pass. It costs nothing,
//! since the static value is known.
//! *Deviations:* the margin in place of the pass. Bounds from the memory improve the static value. Where
//! a static value is not meaningful, for example in check, another way must count.
//! *Soundness:* an estimate: a plan may be less safe than its depth says.
//! *Worth:* figures in results/option-counting.md.

use crate::alpha_beta::options::{Listing, Options};
use crate::alpha_beta::{CountOf, Worker};
use crate::alpha_beta::{Node, Recipe};
use crate::game::{Evaluate, Game};
use crate::limits::Stopped;
use crate::score::Score;

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
    const USES_STATIC_EVAL: bool = true;

    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        _: &CountOf<G, R>,
        _: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if !worker.slots.evaluate.judges(node.position) {
            return Ok(None);
        }
        let below = |option: i32| node.static_eval + Score(self.offset - option * self.step);
        worker.options.extend((0..self.most).map(below));
        Ok(Some(Listing::Guess))
    }
}
