//! Few options where a pass has failed low: a free estimate, since the search has already tried the
//! pass.
//!
//! *Reference:* McAllester & Yuret 1993, §10.3: where a pass does not hold the value, few moves do. The
//! static estimator values the pass by quiescence search. Here the null move of the selective search
//! (Beal 1989) has already been searched, and more deeply.
//! *Deviations:* nodes at which no pass was tried, because it could not have held or would have proved
//! nothing, need another way to count.
//! *Soundness:* an estimate: a plan may be less safe than its depth says.
//! *Worth:* figures in results/option-counting.md.

use crate::alpha_beta::options::{Listing, Options};
use crate::alpha_beta::{CountOf, Worker};
use crate::alpha_beta::{Node, Recipe};
use crate::game::Game;
use crate::limits::Stopped;
use crate::score::Score;
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
        _: &CountOf<G, R>,
        _: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if !node.pass_failed {
            return Ok(None);
        }
        worker.options.extend(repeat_n(Score::INFINITE, self.options as usize));
        Ok(Some(Listing::Guess))
    }
}
