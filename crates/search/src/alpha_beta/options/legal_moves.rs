//! Counts every legal move as an option: an estimate that costs nothing.
//!
//! *Reference:* McAllester & Yuret 1993, §10.3, ask for cheap estimates. The first case of their static
//! estimator is that a position in check has few options.
//! *Deviations:* no move is valued; every legal move counts. With `quiet` = 0 only positions in check
//! are counted in this way. Combined with other ways, it applies where those give no answer.
//! *Soundness:* changes what counts as an option, and therefore how deep plans are. It does not change
//! what is searched at a given depth.
//! *Worth:* figures in results/option-counting.md.

use crate::alpha_beta::options::{Listing, Options};
use crate::alpha_beta::{CountOf, Worker};
use crate::alpha_beta::{Node, Recipe};
use crate::game::Checks;
use crate::limits::Stopped;
use crate::score::Score;

crate::component! {
    /// Counts all legal moves except the chosen one.
    #[derive(Copy)]
    pub struct LegalMoves {
        /// Whether positions that are not in check are counted so too: 1 yes, 0 no.
        quiet: 0 in 0..=1 "0 or 1",
    }
}

impl<G: Checks> Options<G> for LegalMoves {
    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        _: &CountOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if self.quiet == 0 && !node.position.in_check() {
            return Ok(None);
        }
        let moves = worker.listed(first).len();
        worker.options.extend(std::iter::repeat_n(Score::INFINITE, moves));
        Ok(Some(Listing::Moves))
    }
}
