//! Late move reduction: moves late in the order are first searched to a reduced depth.
//!
//! *Reference:* Romstad 2006 and Fruit's history pruning; the logarithmic form is customary since
//! Stockfish.
//! *Deviations:* a late move's fail-low is established by the *other* side's plan; the reduction applies
//! to both plans. A move that beats α in its reduced search is searched again, a ply deeper if it beats it by
//! `deeper`, a ply less deep if by no more than `shallower` (Stockfish since 2021).
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use super::hundredths;
use crate::alpha_beta::order::rank;
use crate::alpha_beta::selectivity::Reduce;
use crate::alpha_beta::{Candidate, Node};
use crate::depth::Depth;
use crate::game::Checks;
use crate::score::Score;

crate::component! {
    /// Reduces by the logarithms of depth and of the number of moves tried.
    pub struct LateMoveReduction {
        /// Least depth at which it is done.
        min_depth: 2 in 1..=20 "plies",
        /// Moves that are never reduced.
        full: 2 in 1..=20 "moves",
        /// Reduction of quiet moves at depth 1.
        base: 75 in -200..=400 "hundredths of a ply",
        /// Divisor of the product of logarithms.
        divisor: 275 in 50..=1000 "hundredths",
        /// Less on the principal variation.
        pv: 100 in 0..=300 "hundredths of a ply",
        /// Less off the principal variation where the position was once on it.
        was_pv: 0 in 0..=300 "hundredths of a ply",
        /// More where a fail-high is expected.
        cut: 125 in 0..=300 "hundredths of a ply",
        /// Less for noisy moves.
        noisy: 300 in 0..=400 "hundredths of a ply",
        /// More where the static value has not risen.
        worsening: 75 in 0..=300 "hundredths of a ply",
        /// Less for killers and counter-moves.
        killer: 100 in 0..=300 "hundredths of a ply",
        /// Less for moves that give check.
        check: 300 in 0..=400 "hundredths of a ply",
        /// History counter that takes off one ply.
        history: 9000 in 1000..=50000 "counter units",
        /// More if several nodes one ply below have failed high already.
        cutoffs: 50 in 0..=300 "hundredths of a ply",
        /// How far a reduced search must beat α for the full search to be a ply deeper. 2000: never.
        deeper: 2000 in 1..=2000 "evaluation units",
        /// How little it may beat α for the full search to be a ply shallower.
        shallower: 0 in 0..=200 "evaluation units",
    }
    state {
        /// Product of logarithms by depth and by moves tried.
        table: Vec<[Depth; 64]> = Vec::new(),
        /// The parameters that the table was made with: `base` and `divisor`.
        made_with: (i32, i32) = (0, 0),
    }
}

impl<G: Checks> Reduce<G> for LateMoveReduction {
    fn start(&mut self) {
        if self.made_with == (self.base, self.divisor) {
            return;
        }
        self.made_with = (self.base, self.divisor);
        let ln: [f64; 64] = std::array::from_fn(|n| (n.max(1) as f64).ln());
        let entry = |depth: usize, tried: usize| {
            let product = ln[depth] * ln[tried] * 100.0 / f64::from(self.divisor);
            hundredths(self.base) + Depth::from_f64(product)
        };
        self.table = (0..64).map(|depth| std::array::from_fn(|tried| entry(depth, tried))).collect();
    }

    #[inline]
    fn reduction(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool, child: &G) -> Depth {
        let depth = node.fail_high_depth.min(node.fail_low_depth);
        let tried = candidate.tried;
        if depth < Depth::plies(self.min_depth) || tried < self.full as usize {
            return Depth::ZERO;
        }
        let mut reduction = self.table[(depth.whole_plies() as usize).min(63)][tried.min(63)];
        if node.pv {
            reduction -= hundredths(self.pv);
        } else if node.was_pv {
            reduction -= hundredths(self.was_pv);
        }
        if node.cut {
            reduction += hundredths(self.cut);
        }
        if !node.improving {
            reduction += hundredths(self.worsening);
        }
        if node.child_cutoffs > 3 {
            reduction += hundredths(self.cutoffs);
        }
        if noisy {
            reduction -= hundredths(self.noisy);
        } else if candidate.rank >= rank::KILLER {
            reduction -= hundredths(self.killer);
        } else if candidate.rank < rank::CHECK {
            // An order of one's own may rank so that 32 bits do not suffice.
            let by_history = i64::from(candidate.rank) * i64::from(Depth::PLY.0) / i64::from(self.history);
            reduction -= Depth(by_history as i32);
        }
        if child.in_check() || node.position.in_check() {
            reduction -= hundredths(self.check);
        }
        // At least one ply must be left, and saving less than a whole ply does not justify a second
        // search.
        let most = (depth - Depth::plies(2)).max(Depth::ZERO);
        let whole = Depth::plies(((reduction.0 + Depth::PLY.0 / 2).max(0)) / Depth::PLY.0);
        whole.min(most)
    }

    #[inline]
    fn again(&self, reduction: Depth, value: Score, alpha: Score) -> Depth {
        let surplus = (value - alpha).0;
        if value.is_decided() || alpha.is_decided() {
            Depth::ZERO
        } else if surplus >= self.deeper && self.deeper < 2000 {
            Depth::PLY
        } else if surplus <= self.shallower && reduction > Depth::PLY {
            -Depth::PLY // with one ply it would be the reduced search again
        } else {
            Depth::ZERO
        }
    }
}
