//! Assigns openings to the pairs of a match.

use crate::random::Random;
use cassius_chess::openings::Opening;

/// Returns the opening of a pair. All openings are played once, in an order drawn from the seed, before
/// any is repeated. Each round has another order.
///
/// # Panics
/// If there are no openings.
pub(super) fn opening_of_pair(openings: &[Opening], seed: u64, pair: u64) -> &Opening {
    let count = openings.len() as u64;
    let mut random = Random(seed ^ (pair / count).wrapping_mul(0xd134_2543_de82_ef95));
    let mut order: Vec<usize> = (0..openings.len()).collect();
    random.shuffle(&mut order);
    &openings[order[(pair % count) as usize]]
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
