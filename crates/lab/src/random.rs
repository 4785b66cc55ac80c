//! Random numbers that are the same on every machine: a seed always gives the same sequence.

/// The generator SplitMix64.
pub(crate) struct Random(pub u64);

impl Random {
    /// Returns a number from 0 to `bound` − 1. The bound is at least 1. Small numbers are
    /// over-represented by less than `bound` / 2⁶⁴.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) % bound
    }

    /// Shuffles the slice. Every order has the same probability.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}
