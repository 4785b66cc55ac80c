//! Proof and disproof numbers.
//!
//! *Reference:* Allis 1994, §2: how many open leaves must at least be proven for the whole to be proven, and disproven
//! for it to be disproven. Nagai 2002: φ and δ, the same two numbers seen by the side to move, so that attack and defence are
//! one procedure.
//! *Not taken:* weak proof numbers (the greatest and one for each other open child, instead of the sum) solved 83 of 100 mates in half a second each, the
//! sum 85.

/// φ and δ of a position: what its mover still has to show to get what he wants, and what the other side has.
///
/// Where the attacker moves φ is the proof number and δ the disproof number; where the defender moves it is the other way round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers {
    pub phi: u32,
    pub delta: u32,
}

/// The number of what cannot be shown any more.
pub(super) const INFINITE: u32 = u32::MAX;
/// The greatest number that is none of those: sums end here.
const GREATEST: u32 = u32::MAX / 4;

impl Numbers {
    /// The side to move gets what it wants.
    pub const REACHED: Numbers = Numbers { phi: 0, delta: INFINITE };
    /// The side to move does not get what it wants.
    pub const REFUTED: Numbers = Numbers { phi: INFINITE, delta: 0 };
    /// Thresholds that only a decision reaches.
    pub const NO_LIMIT: Numbers = Numbers { phi: INFINITE, delta: INFINITE };

    /// A position that is won for the attacker, or not, seen by the side to move.
    pub fn decided(won: bool, attacks: bool) -> Numbers {
        if won == attacks { Numbers::REACHED } else { Numbers::REFUTED }
    }

    /// An open position with these first numbers, which must not be 0.
    pub fn open(phi: u32, delta: u32) -> Numbers {
        Numbers { phi: phi.clamp(1, GREATEST), delta: delta.clamp(1, GREATEST) }
    }

    /// Whether nothing is left to show.
    pub fn is_decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// Whether a search with these thresholds ends.
    pub fn reaches(self, limit: Numbers) -> bool {
        self.phi >= limit.phi || self.delta >= limit.delta
    }
}

/// The numbers of a position from those of its children, and where to go on.
pub(super) struct Sum {
    /// The position's.
    pub numbers: Numbers,
    /// The child with the least δ: the most promising move.
    pub best: usize,
    /// The δ of the next best.
    second: u32,
    /// What the other children add to δ.
    others: u32,
}

impl Sum {
    /// φ is the least δ of a child, δ the sum of their φ.
    #[inline]
    pub fn of(children: impl Iterator<Item = Numbers>) -> Sum {
        let (mut best, mut least, mut second) = (0, Numbers { phi: 0, delta: INFINITE }, INFINITE);
        let (mut total, mut open) = (0_u64, false);
        for (index, child) in children.enumerate() {
            if child.delta < least.delta {
                (second, best, least) = (least.delta, index, child);
            } else if child.delta < second {
                second = child.delta;
            }
            total += u64::from(child.phi);
            open |= child.phi != 0;
        }
        let delta = match () {
            () if least.delta == 0 => INFINITE,
            () if !open => 0,
            () => total.min(GREATEST.into()) as u32,
        };
        let numbers = Numbers { phi: least.delta, delta };
        Sum { numbers, best, second, others: delta.saturating_sub(least.phi) }
    }

    /// The thresholds for the best child. It is left when the next best would be better by a quarter, not at once (1 + ε: Pawlewicz and
    /// Lew 2007), so that the search does not go to and fro.
    #[inline]
    pub fn limit(&self, limit: Numbers) -> Numbers {
        let phi = match limit.delta {
            INFINITE => INFINITE,
            delta => delta.saturating_sub(self.others),
        };
        let margin = self.second.saturating_add(self.second / 4).saturating_add(1);
        Numbers { phi, delta: limit.phi.min(margin) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(phi: u32, delta: u32) -> Numbers {
        Numbers::open(phi, delta)
    }

    #[test]
    fn the_least_and_the_sum() {
        let children = [open(3, 5), open(4, 2), open(1, 2), Numbers::REACHED];
        let sum = Sum::of(children.into_iter());
        assert_eq!((sum.numbers, sum.best, sum.second), (open(2, 8), 1, 2));
        assert_eq!(sum.limit(Numbers { phi: 10, delta: 20 }), Numbers { phi: 16, delta: 3 });
    }

    #[test]
    fn decisions() {
        let of = |children: &[Numbers]| Sum::of(children.iter().copied()).numbers;
        assert_eq!(of(&[open(3, 5), Numbers::REFUTED]), Numbers::REACHED);
        assert_eq!(of(&[Numbers::REACHED, Numbers::REACHED]), Numbers::REFUTED);
        let huge = of(&[open(u32::MAX, 1), open(u32::MAX, 1), Numbers::REACHED]);
        assert!(!huge.is_decided() && huge.delta < INFINITE);
    }

    #[test]
    fn no_limit_stays_none() {
        let sum = Sum::of([open(3, 5), open(4, 2)].into_iter());
        assert_eq!(sum.limit(Numbers::NO_LIMIT), Numbers { phi: INFINITE, delta: 7 });
        let alone = Sum::of([open(3, 5)].into_iter());
        assert_eq!(alone.limit(Numbers::NO_LIMIT), Numbers::NO_LIMIT);
    }
}
