//! Fail-hard alpha-beta: clips every value to the window with which it was searched.
//!
//! *Reference:* Marsland & Campbell 1981, §I: alphabeta, which begins with m = α. The alternative,
//! falphabeta (§III), is what the other rules do, [`Abc`](super::Abc) apart.
//! *Deviations:* the printed procedure clips at α only; a leaf or a cutoff may exceed β.
//! *Soundness:* that of the inner rule. The same nodes are searched as long as nothing uses values outside
//! the window: no table, no aspiration, no selectivity.
//! *Worth:* not meant for playing; the laboratory compares fail-soft with it.

use super::{Discount, Step};
use crate::depth::Depth;
use crate::game::Game;

crate::component! {
    /// Values are clipped to the window. No move is cheaper.
    pub struct FailHard {}
}

impl<G: Game> Discount<G> for FailHard {
    type Note = ();

    fn clips(&self) -> bool {
        true
    }

    #[inline]
    fn discount(&mut self, (): (), _: &Step<'_, G>) -> (Depth, ()) {
        (Depth::ZERO, ())
    }
}
