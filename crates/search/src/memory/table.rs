//! The transposition table, shared by all workers.
//!
//! *Reference:* Marsland & Campbell 1981, §II.B: the entry (lock, move, score, flag, length,
//! priority) and, after DUCHESS, a lower and an upper bound in one entry, each with
//! its own length. Here that is more than a saving: a lower bound is the work of one
//! side's plan, an upper bound of the other's, and the two depths of
//! McAllester & Yuret 1993 are stored one with each.
//! *Deviations:* nodes of quiescence are left out unless asked for. Four entries a bucket; the
//! least deep, oldest entry gives way. The lock is 32 bits of the key, mixed with the rest of
//! the entry, so that an entry torn by two writers does not verify (Hyatt's lockless scheme, `entry.rs`).
//! *Soundness:* with `strict` on, a hit never claims more than was searched. Off, a
//! value outside the window is stored as it was returned, although its depth was only
//! shown at the edge of the window: that matters for depths that are relative to the value.

use super::busy::Busy;
use super::entry::{Entry, Read, Unpacked};
use super::hardware::{in_large_pages, prefetch};
use super::written::Written;
use crate::slot::Found;
use crate::{Bound, Component, Depth, Depths, Hit, Keyed, Memory, Parameter, Score, Visitor};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

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
    /// One mark for 16 KiB.
    written: Written,
    age: AtomicU8,
    busy: Busy,
}

const ENTRIES: usize = 4;

/// One cache line.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([Entry; ENTRIES]);

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

impl Table {
    /// A table of so many MiB. With none it has a single bucket, for a search that needs no memory but must have a table.
    pub fn new(mib: usize) -> Result<Table, TableError> {
        let count = (mib.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| TableError::OutOfMemory(mib))?;
        in_large_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        let written = Written::new(count, 8);
        let shared = Arc::new(Shared { buckets, written, age: AtomicU8::new(0), busy: Busy::new() });
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
        self.shared.written.take(|range| {
            self.shared.buckets[range].iter().flat_map(|bucket| &bucket.0).for_each(Entry::clear);
        });
    }

    /// Its size in MiB.
    pub fn mib(&self) -> usize {
        (self.shared.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// How full the table is of entries of the present search, in thousandths, from a sample.
    pub fn permille_full(&self) -> usize {
        let age = self.shared.age.load(Relaxed);
        let sample = self.shared.buckets.iter().take(1000).flat_map(|bucket| &bucket.0);
        let (full, all) =
            sample.fold((0, 0), |(full, all), entry| (full + usize::from(entry.is_of(age)), all + 1));
        full * 1000 / all.max(1)
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.shared.buckets.len() as u128) >> 64) as usize
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.shared.buckets[self.index(key)]
    }

    #[inline]
    fn find(&self, key: u64) -> Option<Unpacked> {
        self.bucket(key).0.iter().find_map(|entry| entry.find(key))
    }

    /// Where an entry with this key belongs: where there is one, with what it says, or else in the place of the one worth least.
    #[inline]
    fn place(&self, key: u64, age: u8) -> (&Entry, Unpacked) {
        let bucket = self.bucket(key);
        let mut place = &bucket.0[0];
        let mut least = i32::MAX;
        for entry in &bucket.0 {
            match entry.read(key) {
                Read::Empty => {
                    if least > i32::MIN + 1 {
                        (place, least) = (entry, i32::MIN + 1);
                    }
                }
                Read::Mine(unpacked) => return (entry, unpacked),
                Read::Other(unpacked) => {
                    let worth = unpacked.worth(age);
                    if worth < least {
                        (place, least) = (entry, worth);
                    }
                }
            }
        }
        (place, Unpacked::EMPTY)
    }

    #[inline]
    fn write(&self, place: &Entry, key: u64, new: &Unpacked) {
        self.shared.written.mark(self.index(key));
        place.write(key, new);
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
        self.write(place, key, &new);
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
        let new = Unpacked { lower, upper, lower_depth: depth, upper_depth: depth, age, ..Unpacked::EMPTY };
        self.write(place, key, &new);
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
