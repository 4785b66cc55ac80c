//! Searches lines on or near the principal variation deeper.
//!
//! A node lies on the principal variation as long as its window is open. A line leaves it with the first
//! move that is only tested against α, and that move counts as one move away. A move costs a fraction of
//! a ply less as long as the line is at most `near` moves away.
//!
//! *Reference:* Eppstein 1999, on how to combine accuracy with importance, the second way: "Extend lines
//! that are part of (or near) the principal variation".
//! *Deviations:* the notes' example, singular extensions, is
//! [`Singular`](crate::alpha_beta::selectivity::Singular); this component follows the quoted sentence
//! literally. The notes give no amounts. Where every move has the whole window, as in plain alpha-beta,
//! every line is near until bounds have closed the window.
//! *Soundness:* a depth rule whose depths depend on where the search expects the principal variation. No
//! line of L plies is longer than ⌈24 L / (24 − `extension`)⌉ plies.
//! *Worth:* see results/importance.md.

use super::{Discount, Step};
use crate::depth::Depth;
use crate::game::Game;

crate::component! {
    /// Cheaper moves on and near the principal variation.
    pub struct NearPv {
        /// What a move there costs less.
        extension: 6 in 0..=23 "24ths of a ply",
        /// How many moves a line may be away from the principal variation.
        near: 1 in 0..=100 "moves",
    }
}

impl<G: Game> Discount<G> for NearPv {
    /// Number of moves since the line left the principal variation.
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
