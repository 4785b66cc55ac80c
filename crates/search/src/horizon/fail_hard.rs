//! Fail-hard alpha-beta: no value lies outside the window that it was searched with.
//!
//! *Reference:* Marsland & Campbell 1981, §I: alphabeta, which begins with m = α. What it is compared with,
//! falphabeta (§III), is what the other rules do by themselves.
//! *Deviations:* the printed procedure clips at α only; a leaf or a cutoff may exceed β.
//! *Soundness:* that of the rule around which it is put. The same nodes are searched, as long as no table is
//! told of the values.
//! *Worth:* none to play with; the laboratory measures fail-soft against it.

use super::{Discount, Step};
use crate::{Depth, Game};

crate::component! {
    /// Values are clipped to the window; no move is cheaper.
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
