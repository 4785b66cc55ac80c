//! Which pair of a match plays which opening.

use cassius_chess::openings::Opening;

/// The opening of a pair: all are played once, in an order drawn from the seed, before one comes
/// again, in another order.
///
/// # Panics
/// If there are no openings.
pub(super) fn opening_of_pair(openings: &[Opening], seed: u64, pair: u64) -> &Opening {
    let count = openings.len() as u64;
    let mut random = Random(seed ^ (pair / count).wrapping_mul(0xd134_2543_de82_ef95));
    let mut order: Vec<usize> = (0..openings.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last as u64 + 1) as usize);
    }
    &openings[order[(pair % count) as usize]]
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) % bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_opening_once_a_round() {
        let openings = &cassius_chess::openings::builtin()[..7];
        let order = |seed, from: u64| -> Vec<String> {
            (from..from + 7)
                .map(|pair| opening_of_pair(openings, seed, pair).position().to_string())
                .collect()
        };
        assert_eq!(order(1, 0).into_iter().collect::<BTreeSet<_>>().len(), 7);
        assert_eq!(order(1, 0), order(1, 0));
        assert_ne!(order(1, 0), order(2, 0));
        assert_ne!(order(1, 0), order(1, 7));
    }
}
