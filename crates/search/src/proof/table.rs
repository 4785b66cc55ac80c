//! What a proof search remembers of positions.
//!
//! *Reference:* Kishimoto, Winands, Müller and Saito 2012, §4: df-pn keeps its numbers in a table and searches again what the table has lost.
//! *Deviations:* a position has one entry, whatever the plies left: the least number within which it is proven, the greatest within
//! which it is disproven – each answers other questions too – and the numbers for the one that was asked last. The
//! entry that took the least work gives way.

use super::numbers::Numbers;
use crate::TableError;
use crate::memory::{in_large_pages, prefetch};
use std::hint::black_box;

/// Memory for proofs, of a size that does not change.
pub struct ProofTable {
    entries: Vec<Packed>,
}

/// An [`Entry`] as numbers. Memory that is all zeros, which can be had at once in any amount, holds empty ones.
type Packed = [u64; 3];

/// Of one position. Empty if `work` is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    key: u64,
    numbers: Numbers,
    /// Nodes below.
    work: u32,
    /// The plies that `numbers` are for.
    plies: u8,
    /// Proven within so many plies …
    proven: u8,
    /// … and disproven within so many.
    disproven: u8,
}

/// Not proven within any number of plies.
const NEVER: u8 = u8::MAX;
/// Disproven within any number of plies: the game has ended.
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

/// An entry can stand at so many neighbouring places.
const PLACES: usize = 4;

/// What is known of a position within some plies: its numbers, and if they decide, how many plies they decide for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub numbers: Numbers,
    /// Proven within so many plies, no more than were asked for; or disproven within so many, no fewer.
    pub plies: u8,
}

impl ProofTable {
    /// A table of so many MiB (at least one).
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn new(mib: usize) -> Result<ProofTable, TableError> {
        let bytes = mib.max(1).saturating_mul(1 << 20);
        ProofTable::with_entries(bytes / size_of::<Packed>()).map_err(|_| TableError::OutOfMemory(mib))
    }

    /// A table of so many entries (at least four), for experiments with little memory.
    ///
    /// # Errors
    /// If the memory cannot be had.
    pub fn with_entries(count: usize) -> Result<ProofTable, TableError> {
        let count = count.max(PLACES);
        let mib = count / ((1 << 20) / size_of::<Packed>());
        // Zeros cannot be asked for in a way that may fail: whether the memory can be had is asked before.
        let mut room = Vec::<Packed>::new();
        room.try_reserve_exact(count).map_err(|_| TableError::OutOfMemory(mib))?;
        drop(black_box(room));
        let mut entries = vec![[0; 3]; count];
        in_large_pages(&mut entries);
        Ok(ProofTable { entries })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill([0; 3]);
    }

    #[inline]
    fn start(&self, key: u64) -> usize {
        ((u128::from(key) * (self.entries.len() - PLACES + 1) as u128) >> 64) as usize
    }

    /// Brings near what may be known of a position.
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

    /// What is known of a position with so many plies left.
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

    /// Within how many plies a position is disproven, 0 if nothing is known.
    pub(super) fn disproven(&self, key: u64) -> usize {
        self.find(key).map_or(0, |entry| entry.disproven.into())
    }

    /// Remembers what was found with so many plies left, by so many nodes of work.
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
