//! Tracks which parts of a memory have been written. Clearing then costs time in proportion to what was
//! written and not to the size of the memory.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Marks for the written blocks of a memory: one mark per block of neighbouring places.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// Binary logarithm of the number of places in a block.
    bits: u32,
    places: usize,
    parts: Box<[AtomicBool]>,
}

impl Written {
    /// Creates the marks for `places` places, with one mark for every 2^`bits` of them.
    pub fn new(places: usize, bits: u32) -> Written {
        let parts = (0..places.div_ceil(1 << bits)).map(|_| AtomicBool::new(false)).collect();
        Written { bits, places, parts }
    }

    /// Marks a place as written.
    #[inline]
    pub fn mark(&self, place: usize) {
        let part = &self.parts[place >> self.bits];
        // It is usually marked already. Reading first avoids cache contention between processors.
        if !part.load(Relaxed) {
            part.store(true, Relaxed);
        }
    }

    /// Passes every block that may have been written to `clear`, and removes its mark.
    pub fn take(&self, mut clear: impl FnMut(Range<usize>)) {
        for (number, part) in self.parts.iter().enumerate() {
            if part.load(Relaxed) {
                let start = number << self.bits;
                clear(start..self.places.min(start + (1 << self.bits)));
                part.store(false, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_marked_is_given_out_once() {
        for places in [1, 7, 8, 9, 100] {
            let written = Written::new(places, 3);
            let taken = || {
                let mut taken = Vec::new();
                written.take(|range| taken.extend(range));
                taken
            };
            assert!(taken().is_empty());
            (0..places).for_each(|place| {
                written.mark(place);
                let taken = taken();
                assert!(taken.contains(&place) && taken.len() <= 8 && taken.iter().all(|one| *one < places));
            });
            (0..places).for_each(|place| written.mark(place));
            assert_eq!(taken(), (0..places).collect::<Vec<_>>());
            assert!(taken().is_empty());
        }
    }
}
