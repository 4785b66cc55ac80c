//! Lines on the principal variation, or near it, are searched deeper.
//!
//! A node lies on it as long as its window is open, and leaves it with the first move that is only asked
//! whether it beats α. As long as a line has left it by few moves, or none, each of its moves costs a part of
//! a ply less.
//!
//! *Reference:* Eppstein 1999, on how to combine accuracy with importance, the second way: "Extend lines that
//! are part of (or near) the principal variation".
//! *Deviations:* the notes' example, singular extensions, is [`Singular`](crate::Singular); this takes them
//! at their word. They name no amounts. Where every move has the whole window, as in plain alpha-beta, every
//! line is near until bounds have closed it.
//! *Soundness:* a depth rule, whose depths depend on where the search suspects the principal variation. No
//! line of L plies is longer than ⌈24 L / (24 − `extension`)⌉ plies.
//! *Worth:* not measured.

use super::{Discount, Step};
use crate::{Depth, Game};

crate::component! {
    /// Cheaper moves on the principal variation and near it.
    pub struct NearPv {
        /// What a move there costs less.
        extension: 6 in 0..=23 "24ths of a ply",
        /// How many moves a line may be away from the principal variation.
        near: 1 in 0..=100 "moves",
    }
}

impl<G: Game> Discount<G> for NearPv {
    /// Moves since the line has left the principal variation.
    type Note = u8;

    #[inline]
    fn discount(&mut self, away: u8, step: &Step<'_, G>) -> (Depth, u8) {
        let away = if step.window.is_minimal() { away.saturating_add(1) } else { 0 };
        match i32::from(away) <= self.near {
            true => (Depth(self.extension * Depth::PLY.0 / 24), away),
            false => (Depth::ZERO, away),
        }
    }
}
