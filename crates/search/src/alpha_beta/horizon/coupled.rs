//! Two coupled depths, one for each side: a practical relative of alpha-beta-conspiracy search that is
//! competitive in play.
//!
//! Each side's plan has a depth. A move costs its owner S(k) of its plan's depth and c of the other
//! side's. S is 1 except in check. There the number of legal answers shows at no cost how many options
//! the plan has, and a plan with few options is followed further.
//!
//! *Reference:* McAllester & Yuret 1993, §6 and §7, for the two depths and S.
//! *Deviations:* in the paper a move costs the other side nothing (c = 0) and options are counted by
//! static values at every node. The coupling ensures that the search ends for a side that is never
//! forced.
//! *Soundness:* a depth rule; with `floor` = 100 and `coupling` = 100 it is [`Plies`](super::Plies),
//! score for score and node for node.

use super::{Horizon, Step};
use crate::depth::{Depth, Depths};
use crate::game::Checks;
use crate::window::Window;

crate::component! {
    /// A move costs S of its owner's depth and c of the other side's.
    pub struct Coupled {
        /// S of a position in check with a single legal answer.
        floor: 50 in 0..=100 "hundredths of a ply",
        /// What each further legal answer adds to S, up to one ply.
        option: 10 in 0..=100 "hundredths of a ply",
        /// c: what a move costs the other side's plan.
        coupling: 100 in 1..=100 "hundredths of a ply",
        /// How much of an extension the plan of the side to move gets …
        own: 100 in 0..=100 "hundredths",
        /// … and how much of it, times c, the other side's plan gets: 0 is what the paper says (§9.3).
        share: 100 in 0..=100 "hundredths",
    }
}

impl<G: Checks> Horizon<G> for Coupled {
    /// The remaining depth of each plan. `lower` is that of the side to move.
    type Count = Depths;

    fn root(&mut self, depths: Depths, _: Window) -> Depths {
        depths
    }

    #[inline]
    fn remaining(&self, count: &Depths, _: Window) -> Depths {
        *count
    }

    #[inline]
    fn child(&mut self, count: &Depths, step: &Step<'_, G>) -> Depths {
        let hundredths = |h: i32| Depth(h * Depth::PLY.0 / 100);
        let safety = if step.position.in_check() {
            hundredths((self.floor + self.option * (step.moves as i32 - 1)).min(100))
        } else {
            Depth::PLY
        };
        Depths { lower: count.lower - safety, upper: count.upper - hundredths(self.coupling) }.flip()
    }

    #[inline]
    fn pass(&self, count: &Depths) -> Depths {
        count.plus(-Depth::PLY).flip()
    }

    #[inline]
    fn lengthen(&self, count: &Depths, more: Depth) -> Depths {
        count.plus(more)
    }

    #[inline]
    fn lengthen_own(&self, count: &Depths, more: Depth) -> Depths {
        let others = more.0 * self.coupling / 100 * self.share / 100;
        let own = Depth(more.0 * self.own / 100);
        Depths { lower: count.lower + own, upper: count.upper + Depth(others) }
    }
}
