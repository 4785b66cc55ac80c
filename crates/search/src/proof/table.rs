//! The table of a proof search.
//!
//! *Reference:* Kishimoto, Winands, Müller and Saito 2012, §4: df-pn stores its numbers in a table and
//! searches again whatever the table has lost.
//! *Deviations:* a position has one entry for all numbers of plies. The entry has the least number of
//! plies within which a win is proven, and the greatest number within which it is disproven; each of
//! these also answers other questions. The proof and disproof numbers are stored for the question that
//! was asked last. The entry with the least work is replaced.

use super::numbers::Numbers;
use crate::alpha_beta::memory::TableError;
use crate::hardware::in_large_pages;
use crate::hardware::prefetch;
use std::hint::black_box;

/// A table of proofs with a fixed size.
pub struct ProofTable {
    entries: Vec<Packed>,
}

/// An [`Entry`] packed into integers. All zeros are an empty entry, because zeroed memory can be
/// allocated quickly in any amount.
type Packed = [u64; 3];

/// The entry of one position. It is empty if `work` is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    key: u64,
    numbers: Numbers,
    /// The number of nodes searched below the position.
    work: u32,
    /// The number of plies that `numbers` belong to.
    plies: u8,
    /// The least number of plies within which the win is proven.
    proven: u8,
    /// The greatest number of plies within which the win is disproven.
    disproven: u8,
}

/// The value of `proven` if no win is proven.
const NEVER: u8 = u8::MAX;
/// The value of `disproven` if a win is disproven for any number of plies, because the game has ended on
/// every line.
pub(super) const FOR_EVER: u8 = u8::MAX;

const NEW: Entry =
    Entry { key: 0, numbers: Numbers::NO_LIMIT, work: 0, plies: 0, proven: NEVER, disproven: 0 };

impl Entry {
    #[inline]
    fn unpack(&[key, numbers, rest]: &Packed) -> Entry {
        let numbers = Numbers { phi: numbers as u32, delta: (numbers >> 32) as u32 };
        let [.., plies, proven, disproven, _] = rest.to_le_bytes();
        Entry { key, numbers, work: rest as u32, plies, proven, disproven }
    }

    #[inline]
    fn pack(self) -> Packed {
        let Entry { key, numbers, work, plies, proven, disproven } = self;
        let [a, b, c, d] = work.to_le_bytes();
        let rest = u64::from_le_bytes([a, b, c, d, plies, proven, disproven, 0]);
        [key, u64::from(numbers.phi) | u64::from(numbers.delta) << 32, rest]
    }
}

/// The number of neighbouring places where an entry can be stored.
const PLACES: usize = 4;

/// What is known about a position for a number of plies: its numbers, and if they are decided, the
/// number of plies that the decision holds for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub numbers: Numbers,
    /// The number of plies within which the win is proven, at most the number that was asked for; or
    /// within which it is disproven, at least that number.
    pub plies: u8,
}

impl ProofTable {
    /// Allocates a table of this many MiB (at least one).
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn new(mib: usize) -> Result<ProofTable, TableError> {
        let bytes = mib.max(1).saturating_mul(1 << 20);
        ProofTable::with_entries(bytes / size_of::<Packed>()).map_err(|_| TableError::OutOfMemory(mib))
    }

    /// Allocates a table of this many entries (at least four), for experiments with little memory.
    ///
    /// # Errors
    /// If the memory cannot be allocated.
    pub fn with_entries(count: usize) -> Result<ProofTable, TableError> {
        let count = count.max(PLACES);
        let mib = count / ((1 << 20) / size_of::<Packed>());
        // There is no fallible way to allocate zeroed memory, so this first checks whether the memory
        // can be allocated.
        let mut room = Vec::<Packed>::new();
        room.try_reserve_exact(count).map_err(|_| TableError::OutOfMemory(mib))?;
        drop(black_box(room));
        let mut entries = vec![[0; 3]; count];
        in_large_pages(&mut entries);
        Ok(ProofTable { entries })
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.entries.fill([0; 3]);
    }

    #[inline]
    fn start(&self, key: u64) -> usize {
        ((u128::from(key) * (self.entries.len() - PLACES + 1) as u128) >> 64) as usize
    }

    /// Prefetches the entries of a position.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.entries[self.start(key)]);
    }

    #[inline]
    fn find(&self, key: u64) -> Option<Entry> {
        let start = self.start(key);
        let places = self.entries[start..start + PLACES].iter().filter(|place| place[0] == key);
        places.map(Entry::unpack).find(|entry| entry.work != 0)
    }

    /// Returns what is known about a position with this many plies left.
    #[inline]
    pub(super) fn look_up(&self, key: u64, plies: usize) -> Option<Known> {
        let entry = self.find(key)?;
        let attacks = plies % 2 == 1;
        if usize::from(entry.proven) <= plies {
            return Some(Known { numbers: Numbers::decided(true, attacks), plies: entry.proven });
        }
        if usize::from(entry.disproven) >= plies && entry.disproven > 0 {
            return Some(Known { numbers: Numbers::decided(false, attacks), plies: entry.disproven });
        }
        (usize::from(entry.plies) == plies).then_some(Known { numbers: entry.numbers, plies: 0 })
    }

    /// Returns the number of plies within which a win is disproven; 0 if nothing is known.
    pub(super) fn disproven(&self, key: u64) -> usize {
        self.find(key).map_or(0, |entry| entry.disproven.into())
    }

    /// Stores what was found with this many plies left by this many nodes of work.
    pub(super) fn store(&mut self, key: u64, plies: usize, known: Known, work: u64) {
        let start = self.start(key);
        let places = &mut self.entries[start..start + PLACES];
        let found = |place: &Packed| Entry::unpack(place);
        let own = places.iter().map(found).position(|entry| entry.key == key && entry.work != 0);
        let cheapest = || (0..PLACES).min_by_key(|place| found(&places[*place]).work).unwrap_or(0);
        let place = own.unwrap_or_else(cheapest);
        let mut entry = if own.is_some() { found(&places[place]) } else { Entry { key, ..NEW } };
        entry.work = entry.work.saturating_add(work.clamp(1, u32::MAX.into()) as u32);
        let attacks = plies % 2 == 1;
        match known.numbers {
            numbers if !numbers.is_decided() => (entry.numbers, entry.plies) = (numbers, plies as u8),
            numbers if (numbers.phi == 0) == attacks => entry.proven = entry.proven.min(known.plies),
            _ => entry.disproven = entry.disproven.max(known.plies),
        }
        places[place] = entry.pack();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(phi: u32, delta: u32) -> Known {
        Known { numbers: Numbers::open(phi, delta), plies: 0 }
    }

    #[test]
    fn an_answer_serves_other_questions() {
        let mut table = ProofTable::with_entries(0).unwrap();
        assert_eq!(table.look_up(7, 5), None);
        table.store(7, 5, open(3, 4), 10);
        assert_eq!(table.look_up(7, 5), Some(open(3, 4)));
        assert_eq!(table.look_up(7, 7), None);
        let refuted = Known { numbers: Numbers::REFUTED, plies: 5 };
        table.store(7, 5, refuted, 10);
        assert_eq!(table.look_up(7, 3), Some(refuted));
        assert_eq!(table.look_up(7, 7), None);
        let reached = Known { numbers: Numbers::REACHED, plies: 7 };
        table.store(7, 9, reached, 10);
        assert_eq!(table.look_up(7, 11), Some(reached));
        assert_eq!(table.look_up(7, 7), Some(reached));
        assert_eq!(table.look_up(7, 5), Some(refuted));
        table.clear();
        assert_eq!(table.look_up(7, 7), None);
    }

    #[test]
    fn the_cheapest_gives_way() {
        let mut table = ProofTable::with_entries(PLACES).unwrap();
        for key in 1..=PLACES as u64 {
            table.store(key, 3, open(1, 1), 10 * key);
        }
        table.store(99, 3, open(2, 2), 5);
        assert_eq!(table.look_up(1, 3), None);
        assert!([2, 3, 4, 99].iter().all(|key| table.look_up(*key, 3).is_some()));
        table.store(98, 3, open(2, 2), 5);
        assert_eq!(table.look_up(99, 3), None);
    }
}
