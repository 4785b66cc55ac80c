//! Static values of positions seen a moment ago: quiescence meets the same ones again and again, and does
//! not ask the transposition table. A twentieth more nodes a second (fixed depth, ten positions, paired);
//! eight times the size gains nothing, since it does not stay near the processor.

/// A small cache of values, looked up by the position's key.
pub(super) struct Memo {
    /// The upper 48 bits of the key, and the value.
    entries: Box<[u64]>,
}

impl Memo {
    /// Entries; a power of two. 8 bytes each.
    const SIZE: usize = 1 << 13;

    pub fn new() -> Memo {
        Memo { entries: vec![0; Self::SIZE].into_boxed_slice() }
    }

    /// The value stored for `key`.
    #[inline]
    pub fn get(&self, key: u64) -> Option<i32> {
        let entry = self.entries[key as usize % Self::SIZE];
        (entry >> 16 == key >> 16).then_some(i32::from(entry as u16 as i16))
    }

    /// Brings the entry for `key` near.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        cassius_search::prefetch(&self.entries[key as usize % Self::SIZE]);
    }

    /// Stores a value in place of another.
    #[inline]
    pub fn set(&mut self, key: u64, value: i32) {
        self.entries[key as usize % Self::SIZE] = key >> 16 << 16 | u64::from(value as i16 as u16);
    }
}
