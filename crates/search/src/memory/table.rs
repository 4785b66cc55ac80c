//! The transposition table, shared by all workers.
//!
//! *Reference:* Marsland & Campbell 1981, §II.B: the entry (lock, move, score, flag, length,
//! priority) and, after DUCHESS, a lower and an upper bound in one entry, each with
//! its own length. Here that is more than a saving: a lower bound is the work of one
//! side's plan, an upper bound of the other's, and the two depths of
//! McAllester & Yuret 1993 are stored one with each.
//! *Deviations:* nodes of quiescence are left out unless asked for. Four entries a bucket; the
//! least deep, oldest entry gives way. The lock is 32 bits of the key, mixed with the rest of
//! the entry, so that an entry torn by two writers does not verify (Hyatt's lockless scheme).
//! *Soundness:* with `strict` on, a hit never claims more than was searched. Off, a
//! value outside the window is stored as it was returned, although its depth was only
//! shown at the edge of the window: that matters for depths that are relative to the value.

use super::busy::Busy;
use super::hardware::{in_large_pages, prefetch};
use crate::slot::Found;
use crate::{Bound, Component, Depth, Depths, Hit, Keyed, Memory, Parameter, Score, Visitor};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// A handle to a table; clones share it.
#[derive(Clone)]
pub struct Table {
    shared: Arc<Shared>,
    /// 1: store only what is proven at the edges of the window. See the module's notes on soundness.
    strict: i32,
    /// 1: hits end the search of open-window nodes too.
    answer_pv: i32,
    /// How much deeper, in plies, a stored bound must be to stay when another result for the same position arrives.
    keep: i32,
    /// Only nodes with more plies to go are looked up and stored: 0 leaves out quiescence.
    above: i32,
    /// 1: bounds narrow the windows of open-window nodes.
    narrow: i32,
}

struct Shared {
    buckets: Vec<Bucket>,
    age: AtomicU8,
    busy: Busy,
}

const ENTRIES: usize = 4;

/// One cache line.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([Entry; ENTRIES]);

/// `data`: move, lower, upper, standing, 16 bits each. `meta`: lock 32, depth of the
/// lower and of the upper bound 12 each, age 8.
#[derive(Default)]
struct Entry {
    data: AtomicU64,
    meta: AtomicU64,
}

/// Why a table cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableError {
    /// The memory for a table of so many MiB cannot be had.
    OutOfMemory(usize),
}

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TableError::OutOfMemory(mib) = self;
        write!(f, "a table of {mib} MiB does not fit into memory")
    }
}

impl std::error::Error for TableError {}

/// An entry, unpacked; scores are relative to the node.
#[derive(Clone, Copy)]
struct Unpacked {
    mv: u16,
    lower: Score,
    upper: Score,
    standing: Option<Score>,
    /// `None`: no such bound.
    lower_depth: Option<Depth>,
    upper_depth: Option<Depth>,
    age: u8,
}

/// Depths are kept in 16ths of a ply, rounded down: a hit must not claim more than was searched.
const DEPTH_UNIT: i32 = Depth::PLY.0 / 16;
const DEPTH_MAX: i32 = (1 << 12) - 2;
const NO_STANDING: i16 = i16::MIN;

/// 0 for no bound, depth + 1 otherwise. What a claim owed below zero it has exceeded: it counts as 0.
fn pack_depth(depth: Option<Depth>) -> u64 {
    depth.map_or(0, |depth| 1 + depth.0.div_euclid(DEPTH_UNIT).clamp(0, DEPTH_MAX) as u64)
}

fn unpack_depth(bits: u64) -> Option<Depth> {
    (bits != 0).then(|| Depth((bits as i32 - 1) * DEPTH_UNIT))
}

impl Unpacked {
    const EMPTY: Unpacked = Unpacked {
        mv: 0,
        lower: Score(-Score::INFINITE.0),
        upper: Score::INFINITE,
        standing: None,
        lower_depth: None,
        upper_depth: None,
        age: 0,
    };

    fn pack(&self, key: u64) -> (u64, u64) {
        let score = |s: Score| u64::from(s.0 as i16 as u16);
        let standing = self.standing.map_or(NO_STANDING, |s| s.0 as i16);
        let data = u64::from(self.mv)
            | score(self.lower) << 16
            | score(self.upper) << 32
            | u64::from(standing as u16) << 48;
        let meta = u64::from(lock(key, data))
            | pack_depth(self.lower_depth) << 32
            | pack_depth(self.upper_depth) << 44
            | u64::from(self.age) << 56;
        (data, meta)
    }

    fn unpack(data: u64, meta: u64) -> Unpacked {
        let score = |shift: u32| Score(i32::from((data >> shift) as u16 as i16));
        let standing = (data >> 48) as u16 as i16;
        Unpacked {
            mv: data as u16,
            lower: score(16),
            upper: score(32),
            standing: (standing != NO_STANDING).then_some(Score(i32::from(standing))),
            lower_depth: unpack_depth(meta >> 32 & 0xFFF),
            upper_depth: unpack_depth(meta >> 44 & 0xFFF),
            age: (meta >> 56) as u8,
        }
    }

    /// How much an entry is worth: deep and young ones most.
    fn worth(&self, age: u8) -> i32 {
        let depth = self.lower_depth.max(self.upper_depth).unwrap_or(Depth::ZERO);
        depth.whole_plies() - 8 * i32::from(age.wrapping_sub(self.age))
    }
}

/// Multiplied, not only folded: two results for one position differ in few bits, and
/// the depths of one must not verify with the bounds of the other.
fn lock(key: u64, data: u64) -> u32 {
    key as u32 ^ (data.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

impl Table {
    /// A table of so many MiB. With none it has a single bucket, for a search that needs no memory but must have a table.
    pub fn new(mib: usize) -> Result<Table, TableError> {
        let count = (mib.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| TableError::OutOfMemory(mib))?;
        in_large_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        let shared = Arc::new(Shared { buckets, age: AtomicU8::new(0), busy: Busy::new() });
        Ok(Table { shared, strict: 0, answer_pv: 0, keep: 4, above: 0, narrow: 0 })
    }

    /// The same table under other rules: sound for every depth rule, and answering
    /// open-window nodes too. For the laboratory and for solving.
    pub fn strict(mut self) -> Table {
        self.strict = 1;
        self.answer_pv = 1;
        self
    }

    /// The same table, but bounds that do not end the search of an open-window node narrow its window (the
    /// survey's second action on a hit). Variations may then break off, as with hits that end it.
    pub fn narrowing(mut self) -> Table {
        self.narrow = 1;
        self
    }

    /// The same table, but only nodes with more plies to go are looked up and stored. Near the
    /// horizon a position is searched faster than memory answers: with quiescence looked up too
    /// (-1) the playing recipe takes 8 % longer to depth 17 for 2 % fewer nodes. By default 0.
    pub fn above(mut self, plies: i32) -> Table {
        self.above = plies;
        self
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for entry in self.shared.buckets.iter().flat_map(|bucket| &bucket.0) {
            entry.data.store(0, Relaxed);
            entry.meta.store(0, Relaxed);
        }
    }

    /// Its size in MiB.
    pub fn mib(&self) -> usize {
        (self.shared.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// How full the table is of entries of the present search, in thousandths, from a sample.
    pub fn permille_full(&self) -> usize {
        let age = self.shared.age.load(Relaxed);
        let sample = self.shared.buckets.iter().take(1000).flat_map(|bucket| &bucket.0);
        let (full, all) = sample.fold((0, 0), |(full, all), entry| {
            let meta = entry.meta.load(Relaxed);
            let used = meta >> 32 & 0xFF_FFFF != 0 && (meta >> 56) as u8 == age;
            (full + usize::from(used), all + 1)
        });
        full * 1000 / all.max(1)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.shared.buckets.len() as u128) >> 64;
        &self.shared.buckets[index as usize]
    }

    #[inline]
    fn find(&self, key: u64) -> Option<Unpacked> {
        self.bucket(key).0.iter().find_map(|entry| {
            let (data, meta) = (entry.data.load(Relaxed), entry.meta.load(Relaxed));
            (meta as u32 == lock(key, data) && meta >> 32 & 0xFF_FFFF != 0)
                .then(|| Unpacked::unpack(data, meta))
        })
    }

    /// Where an entry with this key belongs: where there is one, with what it says, or else in the place of the one worth least.
    #[inline]
    fn place(&self, key: u64, age: u8) -> (&Entry, Unpacked) {
        let bucket = self.bucket(key);
        let mut place = &bucket.0[0];
        let mut least = i32::MAX;
        for entry in &bucket.0 {
            let (data, meta) = (entry.data.load(Relaxed), entry.meta.load(Relaxed));
            if meta >> 32 & 0xFF_FFFF == 0 {
                if least > i32::MIN + 1 {
                    (place, least) = (entry, i32::MIN + 1);
                }
                continue;
            }
            let unpacked = Unpacked::unpack(data, meta);
            if meta as u32 == lock(key, data) {
                return (entry, unpacked);
            }
            let worth = unpacked.worth(age);
            if worth < least {
                (place, least) = (entry, worth);
            }
        }
        (place, Unpacked::EMPTY)
    }
}

impl Entry {
    #[inline]
    fn write(&self, key: u64, new: &Unpacked) {
        let (data, meta) = new.pack(key);
        self.data.store(data, Relaxed);
        self.meta.store(meta, Relaxed);
    }
}

/// The key of what a position is worth by itself: not that of the position, whose entry says what searches have shown.
fn static_key<G: Keyed>(position: &G) -> u64 {
    !position.exact_key()
}

/// What is said of the parameter `narrow`.
pub(super) const NARROW: &str =
    "Bounds narrow the window of open-window nodes, whose variations may then break off";

impl Component for Table {
    const NAME: &'static str = "Table";

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        let flag = |name, doc, default| Parameter {
            component: "Table",
            name,
            doc,
            unit: "0 or 1",
            default,
            min: 0,
            max: 1,
        };
        visitor(&flag("strict", "Store only what is proven at the edges of the window", 0), &mut self.strict);
        visitor(&flag("answer_pv", "Hits end the search of open-window nodes too", 0), &mut self.answer_pv);
        let doc = "How much deeper a stored bound must be to stay when a new result for its position arrives";
        let keep =
            Parameter { component: "Table", name: "keep", doc, unit: "plies", default: 4, min: 0, max: 100 };
        visitor(&keep, &mut self.keep);
        let doc = "Only nodes with more plies to go are looked up and stored; -1: quiescence too";
        let above = Parameter { name: "above", doc, default: 0, min: -1, max: 20, ..keep };
        visitor(&above, &mut self.above);
        visitor(&flag("narrow", NARROW, 0), &mut self.narrow);
    }
}

impl<G: Keyed> Memory<G> for Table {
    #[inline]
    fn serves(&self, owed: Depths) -> bool {
        owed.lower.max(owed.upper) > Depth::plies(self.above)
    }

    #[inline]
    fn probe(&self, position: &G, ply: usize) -> Hit {
        let Some(entry) = self.find(position.key()) else { return Hit::NONE };
        let none = Hit::NONE.depths;
        Hit {
            mv: entry.mv,
            lower: entry.lower.from_root(ply),
            upper: entry.upper.from_root(ply),
            depths: Depths {
                lower: entry.lower_depth.unwrap_or(none.lower),
                upper: entry.upper_depth.unwrap_or(none.upper),
            },
            standing: entry.standing,
        }
    }

    #[inline]
    fn names(&self, code: u16, position: &G, mv: G::Move) -> bool {
        position.code(mv) == code
    }

    fn store(&self, position: &G, ply: usize, found: &Found<G::Move>) {
        let key = position.key();
        let age = self.shared.age.load(Relaxed);
        let (place, old) = self.place(key, age);
        let mut new = Unpacked { age, ..old };
        if let Some(mv) = found.best {
            new.mv = position.code(mv);
        }
        new.standing = found.standing.or(old.standing);
        let value = if self.strict != 0 { found.at_edge } else { found.value }.from_node(ply);
        let keep = Depth::plies(self.keep);
        let stays = |old: Option<Depth>, new: Depth| {
            old.is_some_and(|old_depth| old_depth > new + keep) && found.bound != Bound::Exact
        };
        if found.bound != Bound::Upper && !stays(old.lower_depth, found.depths.lower) {
            (new.lower, new.lower_depth) = (value, Some(found.depths.lower));
            if new.upper < value {
                (new.upper, new.upper_depth) = (Score::INFINITE, None);
            }
        }
        if found.bound != Bound::Lower && !stays(old.upper_depth, found.depths.upper) {
            (new.upper, new.upper_depth) = (value, Some(found.depths.upper));
            if new.lower > value {
                (new.lower, new.lower_depth) = (-Score::INFINITE, None);
            }
        }
        place.write(key, &new);
    }

    fn static_bounds(&self, position: &G) -> Option<(Score, Score)> {
        let entry = self.find(static_key(position))?;
        Some((entry.lower, entry.upper))
    }

    /// An entry of its own, which is worth as little as any.
    fn keep_static(&self, position: &G, lower: Score, upper: Score) {
        let key = static_key(position);
        let age = self.shared.age.load(Relaxed);
        let depth = Some(Depth::ZERO);
        let (place, _) = self.place(key, age);
        place.write(
            key,
            &Unpacked { lower, upper, lower_depth: depth, upper_depth: depth, age, ..Unpacked::EMPTY },
        );
    }

    #[inline]
    fn prefetch(&self, position: &G, mv: G::Move) {
        prefetch(self.bucket(position.key_after(mv)));
    }

    #[inline]
    fn answers_pv(&self) -> bool {
        self.answer_pv != 0
    }

    #[inline]
    fn narrows(&self) -> bool {
        self.narrow != 0
    }

    fn begin_search(&self, workers: usize) {
        self.shared.age.fetch_add(1, Relaxed);
        self.shared.busy.begin_search(workers);
    }

    #[inline]
    fn shares(&self, owed: Depths) -> bool {
        self.shared.busy.shares(owed.lower.max(owed.upper))
    }

    #[inline]
    fn is_busy(&self, position: &G, mv: G::Move) -> bool {
        self.shared.busy.contains(position, mv)
    }

    #[inline]
    fn begin(&self, position: &G, mv: G::Move) {
        self.shared.busy.begin(position, mv);
    }

    #[inline]
    fn end(&self, position: &G, mv: G::Move) {
        self.shared.busy.end(position, mv);
    }

    fn release(&self) {
        self.shared.busy.release();
    }
}
