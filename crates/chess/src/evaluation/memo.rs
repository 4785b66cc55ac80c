//! Caches the static values of recently seen positions. Quiescence search meets the same positions
//! repeatedly and does not probe the transposition table. The cache gives a twentieth more nodes a
//! second (fixed depth, ten positions, paired). Eight times the size gains nothing, since it no longer
//! fits into the processor's cache.

/// A small cache of values, indexed by the position's key.
pub(super) struct Memo {
    /// The upper 48 bits of the key, and the value.
    entries: Box<[u64]>,
}

impl Memo {
    /// The number of entries, a power of two. Each takes 8 bytes.
    const SIZE: usize = 1 << 13;

    pub fn new() -> Memo {
        Memo { entries: vec![0; Self::SIZE].into_boxed_slice() }
    }

    /// Returns the value stored for `key`.
    #[inline]
    pub fn get(&self, key: u64) -> Option<i32> {
        let entry = self.entries[key as usize % Self::SIZE];
        (entry >> 16 == key >> 16).then_some(i32::from(entry as u16 as i16))
    }

    /// Prefetches the entry for `key`.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        cassius_search::prefetch(&self.entries[key as usize % Self::SIZE]);
    }

    /// Stores a value and replaces the previous one.
    #[inline]
    pub fn set(&mut self, key: u64, value: i32) {
        self.entries[key as usize % Self::SIZE] = key >> 16 << 16 | u64::from(value as i16 as u16);
    }
}
