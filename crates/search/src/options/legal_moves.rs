//! As many options as there are legal moves: a signal that costs nothing.
//!
//! *Reference:* McAllester & Yuret 1993, §10.3 asks for cheap estimates; that a position in check has few options is the first case of
//! its static estimator.
//! *Deviations:* no move is valued: that it is legal is enough. With `quiet` = 0 only positions in check are judged so. Beside other ways it speaks where they are silent.
//! *Soundness:* changes what is counted as an option, and so how deep plans are, not what is searched at a depth.
//! *Worth:* figures in results/option-counting.md.

use crate::worker::{LineOf, Worker};
use crate::{Checks, Listing, Node, Options, Recipe, Score, Stopped};

crate::component! {
    /// Counts all legal moves but the one chosen.
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
        _: &LineOf<G, R>,
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
