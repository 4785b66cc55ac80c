//! Random numbers that are the same on every machine: a seed always gives the same sequence.

use cassius_search::split_mix;

/// The generator SplitMix64.
pub(crate) struct Random(pub u64);

impl Random {
    /// Returns a number from 0 to `bound` − 1. The bound is at least 1. Small numbers are
    /// over-represented by less than `bound` / 2⁶⁴.
    pub fn below(&mut self, bound: u64) -> u64 {
        split_mix(&mut self.0) % bound
    }

    /// Shuffles the slice. Every order has the same probability.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}
