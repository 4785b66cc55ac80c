//! What the workers of one search are searching now.
//!
//! *Reference:* Weill 1996, "The ABDADA distributed minimax search algorithm": a move that
//! another worker searches is put off; as the others are tried meanwhile, the memory often knows its value by then.
//! *Deviations:* after Kerrigan's simplification, marks stand in a small table of their own, not in the
//! entries of the transposition table. A mark that is overwritten is lost, which costs work and nothing else.
//! *Soundness:* an order of moves; the value is unchanged, but where reductions go by the order.

use crate::{Depth, Keyed};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

const MARKS: usize = 1 << 12;
/// Nodes nearer to the horizon are not shared. With 2 or 4 plies two threads are no faster.
const LEAST: Depth = Depth::plies(3);

pub(super) struct Busy {
    /// How many workers search.
    workers: AtomicUsize,
    /// The key of a move that is being searched, at its place; or 0.
    marks: Box<[AtomicU64]>,
}

impl Busy {
    pub fn new() -> Busy {
        Busy { workers: AtomicUsize::new(1), marks: (0..MARKS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// So many workers begin.
    pub fn begin_search(&self, workers: usize) {
        let before = self.workers.swap(workers, Relaxed);
        // One worker alone leaves no marks.
        if before.max(workers) > 1 {
            self.clear();
        }
    }

    /// A search that was left has not taken back its marks.
    pub fn release(&self) {
        if self.workers.load(Relaxed) > 1 {
            self.clear();
        }
    }

    fn clear(&self) {
        self.marks.iter().for_each(|mark| mark.store(0, Relaxed));
    }

    /// Whether there are several workers, and a node that owes so much is worth sharing.
    #[inline]
    pub fn shares(&self, owed: Depth) -> bool {
        self.workers.load(Relaxed) > 1 && owed >= LEAST
    }

    #[inline]
    pub fn contains<G: Keyed>(&self, position: &G, mv: G::Move) -> bool {
        let key = key(position, mv);
        self.mark(key).load(Relaxed) == key
    }

    #[inline]
    pub fn begin<G: Keyed>(&self, position: &G, mv: G::Move) {
        let key = key(position, mv);
        self.mark(key).store(key, Relaxed);
    }

    #[inline]
    pub fn end<G: Keyed>(&self, position: &G, mv: G::Move) {
        let key = key(position, mv);
        if self.mark(key).load(Relaxed) == key {
            self.mark(key).store(0, Relaxed);
        }
    }

    #[inline]
    fn mark(&self, key: u64) -> &AtomicU64 {
        &self.marks[key as usize % MARKS]
    }
}

/// Of a move of a position.
#[inline]
fn key<G: Keyed>(position: &G, mv: G::Move) -> u64 {
    position.key() ^ u64::from(position.code(mv)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
