//! ProbCut: a node fails high if a noisy move beats β by a margin in a shallower search.
//!
//! *Reference:* Buro 1995 (ProbCut); Jiang & Buro 2003. The present form, with noisy moves only and a
//! quiescence search before the shallower one, is that of Stockfish.
//! *Deviations:* the depth of such a move is counted as that of a pass, so that the depth rule need not
//! know the moves of the node.
//! *Soundness:* may change the value.
//! *Worth:* not measured.

use crate::alpha_beta::Node;
use crate::alpha_beta::memory::Hit;
use crate::alpha_beta::selectivity::{Confirm, Confirmation};
use crate::depth::Depth;
use crate::game::{Checks, Noisy};
use crate::score::Score;

crate::component! {
    /// Confirms a fail-high by noisy moves in a shallower search.
    pub struct ProbCut {
        /// Least depth at which it is tried.
        min_depth: 5 in 3..=20 "plies",
        /// By how much a move must beat β.
        margin: 150 in 0..=1000 "evaluation units",
        /// What an improving static value takes off the margin.
        improving: 40 in 0..=400 "evaluation units",
        /// How much shallower the move is searched.
        reduction: 3 in 1..=8 "plies",
    }
}

impl<G: Noisy + Checks> Confirm<G> for ProbCut {
    #[inline]
    fn confirmation(&self, node: &Node<'_, G>, hit: &Hit) -> Option<Confirmation> {
        let depth = node.fail_high_depth;
        let beta = node.window.beta;
        if depth < Depth::plies(self.min_depth) || beta.is_decided() || node.position.in_check() {
            return None;
        }
        let margin = (self.margin - if node.improving { self.improving } else { 0 }).max(0);
        let (target, reduction) = (beta + Score(margin), Depth::plies(self.reduction));
        let is_refuted = hit.upper < target && hit.depths.upper >= depth - reduction;
        (!is_refuted && !target.is_decided()).then_some(Confirmation { target, reduction })
    }

    fn list(&self, node: &Node<'_, G>, target: Score, moves: &mut Vec<G::Move>) {
        let (position, first) = (node.position, moves.len());
        position.noisy_moves(moves);
        let (wanted, mut kept) = (target - node.static_eval, first);
        for index in first..moves.len() {
            if position.exchange_at_least(moves[index], wanted) {
                moves.swap(kept, index);
                kept += 1;
            }
        }
        moves.truncate(kept);
        moves[first..].sort_unstable_by_key(|&mv| -position.noisy_rank(mv));
    }
}
