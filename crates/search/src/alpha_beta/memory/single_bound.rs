//! The survey's transposition table: one bound with one length for each position.
//!
//! *Reference:* Marsland & Campbell 1981, §II.B. The entry consists of lock, move, score, flag (true
//! score, lower or upper bound), len and prio. Its place is the key modulo the table size. If the length
//! is too small, only the move is used. If it is large enough, a true score is returned and a bound may
//! cut. [`Table`](super::Table) is its successor with two bounds (DUCHESS).
//! *Deviations:* the paper leaves prio open. Here the entry with the larger length stays; of equal ones,
//! the newer stays. An entry of an earlier search is always replaced. If a new result names no move, the
//! stored move of the position is kept. A bound that does not cut narrows the window, as printed, only
//! with `narrow`. Scores of wins and losses are relative to the node. The lock is the whole key, mixed
//! with the entry, so that an entry torn by two writers does not verify (Hyatt's lockless scheme).
//! *Soundness:* stores what is proven at the edges of the window, so a hit never claims more than was
//! searched, for any depth rule. Hits also end the search of open-window nodes, as printed, so principal
//! variations may be truncated.
//! *Worth:* figures in results/ablation.md.

use super::table::NARROW;
use crate::alpha_beta::memory::Found;
use crate::alpha_beta::memory::{Hit, Memory, TableError};
use crate::component::{Component, Off, Parameter, Visitor};
use crate::depth::{Depth, Depths};
use crate::game::Keyed;
use crate::hardware::prefetch;
use crate::score::Score;
use crate::window::Bound;
use crate::written::Written;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// A handle to a table. Clones share the table.
#[derive(Clone)]
pub struct SingleBound {
    shared: Arc<Shared>,
    /// 1: bounds narrow the windows of open-window nodes.
    narrow: i32,
}

struct Shared {
    entries: Vec<Place>,
    /// One mark per 16 KiB.
    written: Written,
    search: AtomicU8,
}

/// A slot of the table: `data` is the packed entry, and `lock` is the key XORed with it. A packed entry
/// is never 0.
#[derive(Default)]
struct Place {
    lock: AtomicU64,
    data: AtomicU64,
}

/// An unpacked entry. Its score is relative to the node.
struct Entry {
    mv: u16,
    score: Score,
    flag: Bound,
    /// In 240ths of a ply.
    len: u16,
    /// The search in which the entry was stored. Together with `len` this is its priority.
    search: u8,
}

const FLAGS: [Bound; 3] = [Bound::Lower, Bound::Upper, Bound::Exact];

impl Entry {
    fn pack(&self) -> u64 {
        let flag = 1 + FLAGS.iter().position(|flag| *flag == self.flag).unwrap_or_default() as u64;
        u64::from(self.mv)
            | u64::from(self.score.0 as i16 as u16) << 16
            | u64::from(self.len) << 32
            | u64::from(self.search) << 48
            | flag << 56
    }

    fn unpack(data: u64) -> Option<Entry> {
        let flag = *FLAGS.get(((data >> 56) as usize).checked_sub(1)?)?;
        Some(Entry {
            mv: data as u16,
            score: Score(i32::from((data >> 16) as u16 as i16)),
            flag,
            len: (data >> 32) as u16,
            search: (data >> 48) as u8,
        })
    }
}

impl SingleBound {
    /// Creates a table of `mib` MiB (at least one).
    pub fn new(mib: usize) -> Result<SingleBound, TableError> {
        let count = mib.max(1).saturating_mul(1 << 20) / size_of::<Place>();
        let mut entries = Vec::new();
        entries.try_reserve_exact(count).map_err(|_| TableError::OutOfMemory(mib))?;
        entries.resize_with(count, Place::default);
        let written = Written::new(count, 10);
        let shared = Arc::new(Shared { entries, written, search: AtomicU8::new(0) });
        Ok(SingleBound { shared, narrow: 0 })
    }

    /// Returns the same table with narrowing on: bounds that do not end the search of an open-window
    /// node narrow its window, as printed.
    pub fn narrowing(mut self) -> SingleBound {
        self.narrow = 1;
        self
    }

    /// Removes all entries.
    pub fn clear(&self) {
        self.shared.written.take(|range| {
            self.shared.entries[range].iter().for_each(|place| place.data.store(0, Relaxed));
        });
    }

    /// Returns the share of entries written by the current search, in thousandths, from a sample.
    pub fn permille_full(&self) -> usize {
        let search = self.shared.search.load(Relaxed);
        let sample = self.shared.entries.iter().take(4000);
        let all = sample.len();
        let data = sample.map(|place| place.data.load(Relaxed));
        let full = data.filter_map(Entry::unpack).filter(|entry| entry.search == search).count();
        full * 1000 / all.max(1)
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        (key % self.shared.entries.len() as u64) as usize
    }

    #[inline]
    fn place(&self, key: u64) -> &Place {
        &self.shared.entries[self.index(key)]
    }

    /// Reads the slot of `key`. Returns the entry and whether it belongs to the position of that key.
    #[inline]
    fn read(&self, key: u64) -> Option<(Entry, bool)> {
        let place = self.place(key);
        let (lock, data) = (place.lock.load(Relaxed), place.data.load(Relaxed));
        Entry::unpack(data).map(|entry| (entry, lock ^ data == key))
    }
}

impl Component for SingleBound {
    const NAME: &'static str = "SingleBound";

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        let narrow = Parameter {
            component: Self::NAME,
            name: "narrow",
            doc: NARROW,
            unit: "0 or 1",
            default: 0,
            min: 0,
            max: 1,
        };
        visitor(&narrow, &mut self.narrow);
    }
}

impl<G: Keyed> Memory<G> for SingleBound {
    type Sharing = Off;

    fn sharing(&self) -> &Off {
        &Off
    }

    #[inline]
    fn serves(&self, remaining: Depths) -> bool {
        remaining.lower.max(remaining.upper) > Depth::ZERO
    }

    #[inline]
    fn probe(&self, position: &G, ply: usize) -> Hit {
        let Some((entry, true)) = self.read(position.key()) else { return Hit::NONE };
        let (score, len) = (entry.score.at_root(ply), Depth(entry.len.into()));
        let mut hit = Hit { mv: entry.mv, ..Hit::NONE };
        if entry.flag != Bound::Upper {
            (hit.lower, hit.depths.lower) = (score, len);
        }
        if entry.flag != Bound::Lower {
            (hit.upper, hit.depths.upper) = (score, len);
        }
        hit
    }

    #[inline]
    fn names(&self, code: u16, position: &G, mv: G::Move) -> bool {
        position.code(mv) == code
    }

    fn store(&self, position: &G, ply: usize, found: &Found<G::Move>) {
        let key = position.key();
        let search = self.shared.search.load(Relaxed);
        let Depths { lower, upper } = found.depths;
        let remaining = match found.bound {
            Bound::Lower => lower,
            Bound::Upper => upper,
            Bound::Exact => lower.min(upper),
        };
        let len = remaining.0.clamp(0, u16::MAX.into()) as u16;
        let mut mv = found.best.map_or(0, |mv| position.code(mv));
        if let Some((old, same)) = self.read(key) {
            if old.search == search && old.len > len {
                return;
            }
            if same && mv == 0 {
                mv = old.mv;
            }
        }
        let data = Entry { mv, score: found.at_edge.at_node(ply), flag: found.bound, len, search }.pack();
        let index = self.index(key);
        let place = &self.shared.entries[index];
        self.shared.written.mark(index);
        place.data.store(data, Relaxed);
        place.lock.store(key ^ data, Relaxed);
    }

    #[inline]
    fn prefetch(&self, position: &G, mv: G::Move) {
        prefetch(self.place(position.key_after(mv)));
    }

    #[inline]
    fn narrows(&self) -> bool {
        self.narrow != 0
    }

    fn begin_search(&self) {
        self.shared.search.fetch_add(1, Relaxed);
    }
}
