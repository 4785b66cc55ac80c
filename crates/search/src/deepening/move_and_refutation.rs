//! Pairs of a root move and its refutation from a shallow search, then deep iterations in steps of two plies.
//!
//! The first iteration finds the value of every root move by itself, and with it the best reply. The moves are sorted by these
//! values; from then on each is tried with its reply first. With steps of two plies the same side has the last move in every
//! iteration, so that the principal variation does not change between attack and defence.
//!
//! *Reference:* Marsland & Campbell 1981, §II.D: L'EXCENTRIQUE, "especially appropriate if transposition tables are not used".
//! *Deviations:* the paper's shallow search is a minimax; here it is the recipe's own, each move with the window that opens an iteration
//! without a value before it. A reply is kept in the pair until a later search of the move finds a better one, and the memory's move goes before
//! it: where the memory names one, it is the reply that was found last. The last iteration is the one asked for, even if that
//! makes a shorter step.
//! *Soundness:* an order, and fewer iterations; the value of each is unchanged. A depth rule that counts options, such as
//! [`Abc`](crate::Abc), sees but one at the root of the first iteration.
//! *Worth:* Measured in chess, on the ten positions of the README, as a file: `cassius analyse ten.epd --recipe lab --with MoveAndRefutation
//! --depth 8 --json`, against the same without it, geometric means: 0.5, 15.5 and 19.1 % fewer nodes to depth 8, 10 and 12. It is the
//! steps that save: with steps of one ply (`--set MoveAndRefutation.from=2,MoveAndRefutation.step=1`) 9.9 % more, 2.6 % fewer and 9.4 %
//! more. Figures in results/ablation.md.

use crate::Deepen;

crate::component! {
    /// A shallow search for pairs of moves, then iterations of 6, 8, 10, … plies.
    pub struct MoveAndRefutation {
        /// The iteration that finds the pairs.
        shallow: 2 in 2..=4 "iterations",
        /// The one after it, if it is deeper.
        from: 6 in 2..=20 "iterations",
        /// How much deeper every other is.
        step: 2 in 1..=10 "iterations",
    }
}

impl Deepen for MoveAndRefutation {
    const PAIRS: bool = true;

    fn next(&self, iteration: usize) -> usize {
        let from = self.from as usize;
        match iteration {
            0 => self.shallow as usize,
            _ if iteration < from => from,
            _ => iteration + self.step as usize,
        }
    }
}
