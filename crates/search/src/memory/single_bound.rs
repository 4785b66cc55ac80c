//! The survey's transposition table: one bound, with one length, for each position.
//!
//! *Reference:* Marsland & Campbell 1981, §II.B: the entry is lock, move, score, flag (true score, lower or upper
//! bound), len and prio; its place is the key modulo the size. A length that is too small leaves the move alone; one
//! that is large enough returns a true score, and a bound cuts. [`Table`](super::Table) is its successor with two bounds (DUCHESS).
//! *Deviations:* prio is left open in the paper: here the larger length stays, of equal ones the newer, and
//! an entry of an earlier search gives way to any. The move of a position outlives a result that names none.
//! A bound that does not cut narrows the window, as printed, with `narrow` only. Scores of wins and losses
//! count from the node. The lock is the whole key, mixed with the entry, so that one torn by two writers does
//! not verify (Hyatt's lockless scheme).
//! *Soundness:* stores what is proven at the edges of the window, so a hit never claims more than was searched, for any depth
//! rule. Hits end the search of open-window nodes too, as printed: principal variations may break off.
//! *Worth:* figures in results/ablation.md.

use super::hardware::prefetch;
use super::table::NARROW;
use super::written::Written;
use crate::slot::Found;
use crate::{Bound, Component, Depth, Depths, Hit, Keyed, Memory, Parameter, Score, TableError, Visitor};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// A handle to a table; clones share it.
#[derive(Clone)]
pub struct SingleBound {
    shared: Arc<Shared>,
    /// 1: bounds narrow the windows of open-window nodes.
    narrow: i32,
}

struct Shared {
    entries: Vec<Place>,
    /// One mark for 16 KiB.
    written: Written,
    search: AtomicU8,
}

/// `data` is the entry, `lock` the key exclusive-or the entry. An entry is never 0.
#[derive(Default)]
struct Place {
    lock: AtomicU64,
    data: AtomicU64,
}

/// An entry, unpacked; the score is relative to the node.
struct Entry {
    mv: u16,
    score: Score,
    flag: Bound,
    /// In 240ths of a ply.
    len: u16,
    /// When it was stored, which with `len` is the priority.
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
    /// A table of so many MiB (at least one).
    pub fn new(mib: usize) -> Result<SingleBound, TableError> {
        let count = mib.max(1).saturating_mul(1 << 20) / size_of::<Place>();
        let mut entries = Vec::new();
        entries.try_reserve_exact(count).map_err(|_| TableError::OutOfMemory(mib))?;
        entries.resize_with(count, Place::default);
        let written = Written::new(count, 10);
        let shared = Arc::new(Shared { entries, written, search: AtomicU8::new(0) });
        Ok(SingleBound { shared, narrow: 0 })
    }

    /// The same table, but bounds that do not end the search of an open-window node narrow its window, as
    /// printed.
    pub fn narrowing(mut self) -> SingleBound {
        self.narrow = 1;
        self
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.shared.written.take(|range| {
            self.shared.entries[range].iter().for_each(|place| place.data.store(0, Relaxed));
        });
    }

    /// How full the table is of entries of the present search, in thousandths, from a sample.
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

    /// What stands in the place of `key`, and whether it is of the position of that key.
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
    #[inline]
    fn serves(&self, owed: Depths) -> bool {
        owed.lower.max(owed.upper) > Depth::ZERO
    }

    #[inline]
    fn probe(&self, position: &G, ply: usize) -> Hit {
        let Some((entry, true)) = self.read(position.key()) else { return Hit::NONE };
        let (score, len) = (entry.score.from_root(ply), Depth(entry.len.into()));
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
        let owed = match found.bound {
            Bound::Lower => lower,
            Bound::Upper => upper,
            Bound::Exact => lower.min(upper),
        };
        let len = owed.0.clamp(0, u16::MAX.into()) as u16;
        let mut mv = found.best.map_or(0, |mv| position.code(mv));
        if let Some((old, same)) = self.read(key) {
            if old.search == search && old.len > len {
                return;
            }
            if same && mv == 0 {
                mv = old.mv;
            }
        }
        let data = Entry { mv, score: found.at_edge.from_node(ply), flag: found.bound, len, search }.pack();
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

    fn begin_search(&self, _: usize) {
        self.shared.search.fetch_add(1, Relaxed);
    }
}
