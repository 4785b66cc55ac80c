//! An entry of the transposition table, which several threads read and write without a lock.
//!
//! *Reference:* Hyatt & Mann 2002, "A lock-less transposition table implementation for parallel search":
//! an entry torn by two writers fails verification. Here the lock is 32 bits of the key, mixed with the
//! rest of the entry.

use super::sync::{AtomicU64, Relaxed};
use crate::depth::Depth;
use crate::score::Score;

/// `data` holds move, lower bound, upper bound and static_eval, 16 bits each. `meta` holds the lock (32
/// bits), the depths of the lower and the upper bound (12 bits each), the age (7 bits) and the mark of the
/// principal variation (1 bit).
#[derive(Default)]
pub(super) struct Entry {
    data: AtomicU64,
    meta: AtomicU64,
}

/// An unpacked entry. Its scores are relative to the node.
#[derive(Clone, Copy)]
#[cfg_attr(test, derive(Debug, PartialEq))]
pub(super) struct Unpacked {
    pub mv: u16,
    pub lower: Score,
    pub upper: Score,
    pub static_eval: Option<Score>,
    /// `None` if there is no such bound.
    pub lower_depth: Option<Depth>,
    pub upper_depth: Option<Depth>,
    /// Below [`AGES`].
    pub age: u8,
    /// Whether the position was on the principal variation.
    pub was_pv: bool,
}

/// Ages are counted modulo this.
pub(super) const AGES: u8 = 1 << 7;

/// Depths are stored in 16ths of a ply, rounded down.
pub(super) const DEPTH_UNIT: Depth = Depth(Depth::PLY.0 / 16);
const DEPTH_MAX: i32 = (1 << 12) - 2;
const NO_STANDING: i16 = i16::MIN;

/// Packs a depth: 0 for no bound, depth + 1 otherwise. A remaining depth below zero means that the
/// search has exceeded the claim. It is stored as 0.
fn pack_depth(depth: Option<Depth>) -> u64 {
    depth.map_or(0, |depth| 1 + depth.0.div_euclid(DEPTH_UNIT.0).clamp(0, DEPTH_MAX) as u64)
}

fn unpack_depth(bits: u64) -> Option<Depth> {
    (bits != 0).then(|| Depth((bits as i32 - 1) * DEPTH_UNIT.0))
}

impl Unpacked {
    pub const EMPTY: Unpacked = Unpacked {
        mv: 0,
        lower: Score(-Score::INFINITE.0),
        upper: Score::INFINITE,
        static_eval: None,
        lower_depth: None,
        upper_depth: None,
        age: 0,
        was_pv: false,
    };

    fn pack(&self, key: u64) -> (u64, u64) {
        let score = |s: Score| u64::from(s.0 as i16 as u16);
        let static_eval = self.static_eval.map_or(NO_STANDING, |s| s.0 as i16);
        let data = u64::from(self.mv)
            | score(self.lower) << 16
            | score(self.upper) << 32
            | u64::from(static_eval as u16) << 48;
        let meta = u64::from(lock(key, data))
            | pack_depth(self.lower_depth) << 32
            | pack_depth(self.upper_depth) << 44
            | u64::from(self.age) << 56
            | u64::from(self.was_pv) << 63;
        (data, meta)
    }

    fn unpack(data: u64, meta: u64) -> Unpacked {
        let score = |shift: u32| Score(i32::from((data >> shift) as u16 as i16));
        let static_eval = (data >> 48) as u16 as i16;
        Unpacked {
            mv: data as u16,
            lower: score(16),
            upper: score(32),
            static_eval: (static_eval != NO_STANDING).then_some(Score(i32::from(static_eval))),
            lower_depth: unpack_depth(meta >> 32 & 0xFFF),
            upper_depth: unpack_depth(meta >> 44 & 0xFFF),
            age: age_of(meta),
            was_pv: meta >> 63 != 0,
        }
    }

    /// Returns the replacement priority of an entry: deep and recent entries rank highest.
    pub fn worth(&self, age: u8) -> i32 {
        let depth = self.lower_depth.max(self.upper_depth).unwrap_or(Depth::ZERO);
        depth.whole_plies() - 8 * i32::from(age.wrapping_sub(self.age) % AGES)
    }
}

/// Computes the lock. The data is multiplied and not only folded. Two results for one position differ in
/// few bits, and the depths of one must not verify with the bounds of the other.
fn lock(key: u64, data: u64) -> u32 {
    key as u32 ^ (data.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

/// Whether the entry holds a bound.
#[inline]
fn is_used(meta: u64) -> bool {
    meta >> 32 & 0xFF_FFFF != 0
}

#[inline]
fn age_of(meta: u64) -> u8 {
    (meta >> 56) as u8 % AGES
}

/// The result of reading an entry.
pub(super) enum Read {
    Empty,
    /// The entry belongs to the position of this key.
    Mine(Unpacked),
    /// The entry belongs to another position, or is torn.
    Other(Unpacked),
}

impl Entry {
    #[inline]
    pub fn read(&self, key: u64) -> Read {
        let (data, meta) = (self.data.load(Relaxed), self.meta.load(Relaxed));
        match is_used(meta) {
            false => Read::Empty,
            true if meta as u32 == lock(key, data) => Read::Mine(Unpacked::unpack(data, meta)),
            true => Read::Other(Unpacked::unpack(data, meta)),
        }
    }

    /// Returns the entry if it belongs to the position of this key.
    #[inline]
    pub fn find(&self, key: u64) -> Option<Unpacked> {
        let (data, meta) = (self.data.load(Relaxed), self.meta.load(Relaxed));
        (meta as u32 == lock(key, data) && is_used(meta)).then(|| Unpacked::unpack(data, meta))
    }

    #[inline]
    pub fn write(&self, key: u64, new: &Unpacked) {
        let (data, meta) = new.pack(key);
        self.data.store(data, Relaxed);
        self.meta.store(meta, Relaxed);
    }

    pub fn clear(&self) {
        self.data.store(0, Relaxed);
        self.meta.store(0, Relaxed);
    }

    /// Whether this entry holds a bound of the given age.
    pub fn is_of(&self, age: u8) -> bool {
        let meta = self.meta.load(Relaxed);
        is_used(meta) && age_of(meta) == age
    }
}
