//! Counts depth in plies.
//!
//! *Reference:* Marsland & Campbell 1981, §I: `alphabeta(p, alpha, beta, depth)`.
//! *Deviations:* a leaf is at depth 0 (the printed test `depth < 0` is one ply late).
//! *Soundness:* preserves the minimax value.

use super::{Horizon, Step};
use crate::depth::{Depth, Depths};
use crate::game::Game;
use crate::window::Window;

crate::component! {
    /// One depth for both sides; every move costs one ply.
    pub struct Plies {}
}

impl<G: Game> Horizon<G> for Plies {
    type Count = Depth;

    fn root(&mut self, depths: Depths, _: Window) -> Depth {
        depths.lower.max(depths.upper)
    }

    #[inline]
    fn remaining(&self, count: &Depth, _: Window) -> Depths {
        Depths::both(*count)
    }

    #[inline]
    fn child(&mut self, count: &Depth, _: &Step<'_, G>) -> Depth {
        *count - Depth::PLY
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
