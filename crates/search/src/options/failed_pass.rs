//! Few options where a pass has failed: a signal that costs nothing, since the search has tried the pass anyway.
//!
//! *Reference:* McAllester & Yuret 1993, §10.3: where a pass does not hold the value, few moves do. The static estimator asks the
//! quiescence search about the pass; here the null move of the selective search (Beal 1989) has asked already, and more deeply.
//! *Deviations:* nodes at which no pass was tried, because it could not have held or would have proved nothing, must be judged in another way.
//! *Soundness:* an estimate: a plan may be less safe than its depth says.
//! *Worth:* figures in results/option-counting.md.

use crate::worker::{LineOf, Worker};
use crate::{Game, Listing, Node, Options, Recipe, Score, Stopped};
use std::iter::repeat_n;

crate::component! {
    /// Counts a few options where the null move has failed low.
    #[derive(Copy)]
    pub struct FailedPass {
        /// How many.
        options: 2 in 0..=256 "options",
    }
}

impl<G: Game> Options<G> for FailedPass {
    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        _: &LineOf<G, R>,
        _: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if !node.pass_failed {
            return Ok(None);
        }
        worker.options.extend(repeat_n(Score::INFINITE, self.options as usize));
        Ok(Some(Listing::Guess))
    }
}
