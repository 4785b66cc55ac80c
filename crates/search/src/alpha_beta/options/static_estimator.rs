//! The static option estimator: estimates the options from the value of the position and the value of a
//! pass.
//!
//! *Reference:* McAllester & Yuret 1993, §10.3: in check, two options with the quiescence value;
//! otherwise three options with it and thirty with the value of a pass. Where even a pass holds the
//! value, most moves do.
//! *Deviations:* the quiescence search is the recipe's. The chosen move is not subtracted from the
//! count. Where the memory knows a better value than quiescence search, that one is used.
//! *Soundness:* an estimate: a plan may be less safe than its depth says.
//! *Worth:* figures in results/option-counting.md.

use super::{hundredths, remaining};
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::horizon::Horizon;
use crate::alpha_beta::observe::Observe;
use crate::alpha_beta::options::{Listing, Options};
use crate::alpha_beta::quiescence::Quiescence;
use crate::alpha_beta::{CountOf, Worker};
use crate::alpha_beta::{Node, Recipe, Scout};
use crate::game::{Checks, Pass};
use crate::limits::Stopped;
use crate::score::Score;
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
        _: &CountOf<G, R>,
        _: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if remaining(node) > hundredths(self.nearness) {
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
