//! Depth by likelihood: a line ends when it is less likely than a threshold.
//!
//! Every move has a likelihood, and the likelihood of a line is the product over its moves. The depth is the
//! sum of the negative logarithms: a move as likely as an ordinary one costs a ply, and a likelier one costs
//! less.
//!
//! *Reference:* Kaindl 1983, §IV, on Floyd's proposal.
//! *Deviations:* the paper gives no likelihoods. Here each sort of move has one, and the threshold of
//! iteration n is that of n ordinary moves, where the line ends; in the paper it ends below a threshold.
//! Logarithms are rounded to 240ths of a ply for every move.
//! *Soundness:* a depth rule. No move is certain, so that every line ends.
//! *Worth:* not measured.

use super::{Horizon, Sort, Step};
use crate::depth::{Depth, Depths};
use crate::game::{Checks, Noisy};
use crate::window::Window;

crate::component! {
    /// Every move costs the logarithm of its likelihood.
    pub struct Likelihood {
        /// Of an ordinary move.
        ordinary: 20 in 1..=80 "percent",
        /// Of a noisy move.
        noisy: 25 in 1..=80 "percent",
        /// Of a move that gives check.
        check: 40 in 1..=80 "percent",
        /// Of a reply to a check.
        reply: 40 in 1..=80 "percent",
        /// Of the only legal move.
        only: 70 in 1..=80 "percent",
    }
    state {
        /// What each sort of move costs.
        costs: [Depth; Sort::COUNT] = [Depth::PLY; Sort::COUNT],
    }
}

impl Likelihood {
    /// Returns the cost of a move of likelihood `percent`, where an ordinary move costs a ply.
    pub fn cost(&self, percent: i32) -> Depth {
        let unlikelihood = |percent: i32| -(f64::from(percent) / 100.0).ln();
        Depth::from_f64(unlikelihood(percent) / unlikelihood(self.ordinary))
    }
}

impl<G: Checks + Noisy> Horizon<G> for Likelihood {
    /// The remaining depth until the threshold is reached.
    type Count = Depth;

    fn root(&mut self, depths: Depths, _: Window) -> Depth {
        let by_sort = [self.only, self.reply, self.check, self.noisy, self.ordinary];
        self.costs = by_sort.map(|percent| self.cost(percent));
        depths.lower.max(depths.upper)
    }

    #[inline]
    fn remaining(&self, count: &Depth, _: Window) -> Depths {
        Depths::both(*count)
    }

    #[inline]
    fn child(&mut self, count: &Depth, step: &Step<'_, G>) -> Depth {
        *count - self.costs[step.sort() as usize]
    }

    #[inline]
    fn pass(&self, count: &Depth) -> Depth {
        *count - Depth::PLY
    }

    #[inline]
    fn lengthen(&self, count: &Depth, more: Depth) -> Depth {
        *count + more
    }
}
