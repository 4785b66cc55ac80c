//! The static option estimator: from two values, that of the position and that of a pass.
//!
//! *Reference:* McAllester & Yuret 1993, §10.3: in check, two options of the quiescence value; otherwise three of it, and thirty
//! of the value that a pass would have. Where even a pass holds, most moves do.
//! *Deviations:* the quiescence value is the recipe's. The move that is chosen is not taken from the number.
//! Where the memory knows more than quiescence, that counts.
//! *Soundness:* an estimate: a plan may be less safe than its depth says.
//! *Worth:* figures in results/option-counting.md.

use super::{hundredths, owed};
use crate::worker::{LineOf, Worker};
use crate::{
    Checks, Draws, Horizon, Listing, Node, Observe, Options, Pass, Quiescence, Recipe, Score, Scout, Stopped,
};
use std::iter::repeat_n;

crate::component! {
    /// Counts options by the quiescence values of the position and of a pass.
    #[derive(Copy)]
    pub struct StaticEstimator {
        /// Options of the quiescence value in check …
        in_check: 2 in 0..=256 "options",
        /// … and otherwise.
        standing: 3 in 0..=256 "options",
        /// Options of the value of a pass.
        pass: 30 in 0..=256 "options",
        /// Only nodes that owe this much at most are judged so: near the leaves.
        nearness: 40000 in 0..=40000 "hundredths of a ply",
    }
}

impl<G: Checks + Pass> Options<G> for StaticEstimator {
    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        _: &LineOf<G, R>,
        _: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if owed(node) > hundredths(self.nearness) {
            return Ok(None);
        }
        let &Node { position, ply, .. } = node;
        let window = worker.slots.horizon.option_window(node.window);
        let quiescence = worker.slots.quiescence.clone();
        let repeated = |value: Score, options: i32| repeat_n(value, options as usize);
        let standing = quiescence.value::<R, Scout>(worker, position, window, ply)?;
        if position.in_check() {
            worker.options.extend(repeated(standing, self.in_check));
            return Ok(Some(Listing::Guess));
        }
        let mut child = position.clone();
        child.pass();
        worker.descend_by_pass(position, &child, ply);
        worker.count(ply + 1)?;
        worker.slots.observe.enter(&child, window.flip(), ply + 1);
        let pass = -quiescence.value::<R, Scout>(worker, &child, window.flip(), ply + 1)?;
        worker.slots.observe.leave(-pass, ply + 1);
        worker.slots.draws.pop();
        worker.options.extend(repeated(standing, self.standing));
        worker.options.extend(repeated(pass, self.pass));
        Ok(Some(Listing::Guess))
    }
}
