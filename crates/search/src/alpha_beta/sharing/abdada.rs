//! ABDADA: defers a move that another thread is searching.
//!
//! While the other moves are tried, the table often learns the value of the deferred move.
//!
//! *Reference:* Weill 1996, "The ABDADA distributed minimax search algorithm".
//! *Deviations:* after Kerrigan's simplification, the marks are kept in a small separate table and not
//! in the entries of the transposition table. A mark that is overwritten is lost, which costs only
//! duplicated work.
//! *Soundness:* changes only the order of moves. The value is unchanged, unless reductions depend on the
//! order.

use super::Sharing;
use crate::depth::Depth;
use crate::game::Keyed;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

const MARKS: usize = 1 << 12;
/// Nodes with less remaining depth are not divided. With 2 or 4 plies in place of 3, two threads are no
/// faster.
const LEAST: Depth = Depth::plies(3);

/// Marks for the moves that threads are currently searching.
pub struct Abdada {
    /// Number of threads in the search.
    threads: AtomicUsize,
    /// The key of a move that is being searched, or 0.
    marks: Box<[AtomicU64]>,
}

impl Abdada {
    pub(crate) fn new() -> Abdada {
        Abdada { threads: AtomicUsize::new(1), marks: (0..MARKS).map(|_| AtomicU64::new(0)).collect() }
    }

    fn clear(&self) {
        self.marks.iter().for_each(|mark| mark.store(0, Relaxed));
    }

    #[inline]
    fn mark(&self, key: u64) -> &AtomicU64 {
        &self.marks[key as usize % MARKS]
    }
}

impl<G: Keyed> Sharing<G> for Abdada {
    fn begin_search(&self, threads: usize) {
        let before = self.threads.swap(threads, Relaxed);
        // A single thread leaves no marks.
        if before.max(threads) > 1 {
            self.clear();
        }
    }

    #[inline]
    fn divides(&self, remaining: Depth) -> bool {
        self.threads.load(Relaxed) > 1 && remaining >= LEAST
    }

    #[inline]
    fn is_searched(&self, position: &G, mv: G::Move) -> bool {
        let key = key(position, mv);
        self.mark(key).load(Relaxed) == key
    }

    #[inline]
    fn begin(&self, position: &G, mv: G::Move) {
        let key = key(position, mv);
        self.mark(key).store(key, Relaxed);
    }

    #[inline]
    fn end(&self, position: &G, mv: G::Move) {
        let key = key(position, mv);
        if self.mark(key).load(Relaxed) == key {
            self.mark(key).store(0, Relaxed);
        }
    }

    fn abandon(&self) {
        if self.threads.load(Relaxed) > 1 {
            Abdada::clear(self);
        }
    }
}

/// Returns the key of a move in a position.
#[inline]
fn key<G: Keyed>(position: &G, mv: G::Move) -> u64 {
    position.key() ^ u64::from(position.code(mv)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
