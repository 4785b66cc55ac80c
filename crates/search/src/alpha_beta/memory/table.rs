//! The transposition table, shared by all workers.
//!
//! *Reference:* Marsland & Campbell 1981, §II.B: the entry (lock, move, score, flag, length, priority)
//! and, after DUCHESS, a lower and an upper bound in one entry, each with a separate length. Here the
//! two bounds do more than save space: a lower bound is established by one side's plan and an upper
//! bound by the other's, so each is stored with one of the two depths of McAllester & Yuret 1993.
//! *Deviations:* nodes of quiescence search are left out unless requested. A bucket has four entries;
//! the shallowest, oldest entry is replaced. The lock is 32 bits of the key, mixed with the rest of the
//! entry, so that an entry torn by two writers does not verify (Hyatt's lockless scheme, `entry.rs`).
//! *Soundness:* with `strict` on, a hit never claims more than was searched. With `strict` off, it may claim
//! up to a sixteenth of a ply more, and a value outside the window is stored as returned, although its depth
//! was established only at the edge of the window. This matters for depths that are relative to the value.

use super::entry::{AGES, DEPTH_UNIT, Entry, Read, Unpacked};
use crate::alpha_beta::memory::Found;
use crate::alpha_beta::memory::{Hit, Memory};
use crate::alpha_beta::sharing::Abdada;
use crate::component::{Component, Parameter, Visitor};
use crate::depth::{Depth, Depths};
use crate::game::Keyed;
use crate::hardware::{in_large_pages, prefetch};
use crate::score::Score;
use crate::window::Bound;
use crate::written::Written;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A handle to a table. Clones share the table.
#[derive(Clone)]
pub struct Table {
    shared: Arc<Shared>,
    /// 1: only what is proven at the edges of the window is stored. See *Soundness* in the module
    /// documentation.
    strict: i32,
    /// 1: hits also end the search of open-window nodes.
    answer_pv: i32,
    /// A stored bound is kept if it is more than this many plies deeper than a new result for the same
    /// position.
    keep: i32,
    /// Only nodes with a greater remaining depth than this, in plies, are looked up and stored. 0 leaves
    /// out quiescence search.
    above: i32,
    /// 1: bounds narrow the windows of open-window nodes.
    narrow: i32,
}

struct Shared {
    buckets: Vec<Bucket>,
    /// One mark per 16 KiB.
    written: Written,
    age: AtomicU8,
    abdada: Abdada,
}

const ENTRIES: usize = 4;

/// A bucket of entries: one cache line.
#[repr(align(64))]
#[derive(Default)]
struct Bucket([Entry; ENTRIES]);

/// The reason why a table cannot be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableError {
    /// The memory for a table of this many MiB could not be allocated.
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
    /// Creates a table of `mib` MiB. With 0 it has a single bucket, for searches that must have a table
    /// but need no memory.
    pub fn new(mib: usize) -> Result<Table, TableError> {
        let count = (mib.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| TableError::OutOfMemory(mib))?;
        in_large_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        let written = Written::new(count, 8);
        let shared = Arc::new(Shared { buckets, written, age: AtomicU8::new(0), abdada: Abdada::new() });
        Ok(Table { shared, strict: 0, answer_pv: 0, keep: 4, above: 0, narrow: 0 })
    }

    /// Returns the same table under strict rules: it is sound for every depth rule that goes by the depths
    /// left, though not by what else a rule notes of a line (extensions used, forcedness, credit), and hits
    /// also end the search of open-window nodes. The laboratory and solving searches use it.
    pub fn strict(mut self) -> Table {
        self.strict = 1;
        self.answer_pv = 1;
        self
    }

    /// Returns the same table with narrowing on: bounds that do not end the search of an open-window
    /// node narrow its window (the survey's second action on a hit). Principal variations may then be
    /// truncated, as they may by hits that end the search.
    pub fn narrowing(mut self) -> Table {
        self.narrow = 1;
        self
    }

    /// Returns the same table restricted to nodes with a remaining depth above `plies` plies, 0 by
    /// default. Near the horizon, searching a position is cheaper than a table probe. Quiescence
    /// nodes are looked up too with -1. Measured in chess, the playing recipe then needs 2 to 7 % more
    /// nodes to depths of 12 to 15.
    pub fn above(mut self, plies: i32) -> Table {
        self.above = plies;
        self
    }

    /// Removes all entries.
    pub fn clear(&self) {
        self.shared.written.take(|range| {
            self.shared.buckets[range].iter().flat_map(|bucket| &bucket.0).for_each(Entry::clear);
        });
    }

    /// Returns the size in MiB.
    pub fn mib(&self) -> usize {
        (self.shared.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// Returns the share of entries written by the current search, in thousandths, from a sample.
    pub fn permille_full(&self) -> usize {
        let age = self.age();
        let sample = self.shared.buckets.iter().take(1000).flat_map(|bucket| &bucket.0);
        let (full, all) =
            sample.fold((0, 0), |(full, all), entry| (full + usize::from(entry.is_of(age)), all + 1));
        full * 1000 / all.max(1)
    }

    #[inline]
    fn age(&self) -> u8 {
        self.shared.age.load(Relaxed) % AGES
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

    /// Returns the entry to write for this key, with its contents if it belongs to this key. Otherwise
    /// it is the entry of lowest priority in the bucket.
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

    /// Returns what is stored under a key, `ply` plies below the root.
    #[inline]
    fn hit(&self, key: u64, ply: usize) -> Hit {
        let Some(entry) = self.find(key) else { return Hit::NONE };
        // A position that is met again at the same depth is found, although its depth was rounded down.
        let lost = if self.strict == 0 { DEPTH_UNIT - Depth(1) } else { Depth::ZERO };
        let bound = |score: Score, depth: Option<Depth>, none: (Score, Depth)| match depth {
            Some(depth) => (score.at_root(ply), depth + lost),
            None => none,
        };
        let none = Hit::NONE;
        let (lower, lower_depth) = bound(entry.lower, entry.lower_depth, (none.lower, none.depths.lower));
        let (upper, upper_depth) = bound(entry.upper, entry.upper_depth, (none.upper, none.depths.upper));
        Hit {
            mv: entry.mv,
            lower,
            upper,
            depths: Depths { lower: lower_depth, upper: upper_depth },
            static_eval: entry.static_eval,
            was_pv: entry.was_pv,
        }
    }

    #[inline]
    fn write(&self, place: &Entry, key: u64, new: &Unpacked) {
        self.shared.written.mark(self.index(key));
        place.write(key, new);
    }
}

/// Returns the key under which the bounds of a position's static value are stored. It differs from the
/// position's key, whose entry holds search results.
fn static_key<G: Keyed>(position: &G) -> u64 {
    !position.exact_key()
}

/// The description of the parameter `narrow`.
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
    type Sharing = Abdada;

    #[inline]
    fn sharing(&self) -> &Abdada {
        &self.shared.abdada
    }

    #[inline]
    fn serves(&self, remaining: Depths) -> bool {
        remaining.lower.max(remaining.upper) > Depth::plies(self.above)
    }

    #[inline]
    fn probe(&self, position: &G, ply: usize) -> Hit {
        self.hit(position.key(), ply)
    }

    #[inline]
    fn probe_after(&self, position: &G, mv: G::Move, ply: usize) -> Hit {
        self.hit(position.key_after(mv), ply)
    }

    #[inline]
    fn names(&self, code: u16, position: &G, mv: G::Move) -> bool {
        position.code(mv) == code
    }

    fn store(&self, position: &G, ply: usize, found: &Found<G::Move>) {
        let key = position.key();
        let age = self.age();
        let (place, old) = self.place(key, age);
        let mut new = Unpacked { age, ..old };
        if let Some(mv) = found.best {
            new.mv = position.code(mv);
        }
        new.static_eval = found.static_eval.or(old.static_eval);
        new.was_pv |= found.was_pv;
        let value = if self.strict != 0 { found.at_edge } else { found.value }.at_node(ply);
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

    /// Stores the bounds in a separate entry of the lowest priority.
    fn keep_static(&self, position: &G, lower: Score, upper: Score) {
        let key = static_key(position);
        let age = self.age();
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

    fn begin_search(&self) {
        self.shared.age.fetch_add(1, Relaxed);
    }
}
