//! The counters of a history, for one worker or for several.

use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// Greatest absolute value of a counter.
const MAX: i32 = 16_384;

/// Counters between ± 16384. A clone counts for itself.
#[derive(Debug, Default)]
pub(super) struct Counters(Arc<[AtomicI16]>);

impl Clone for Counters {
    fn clone(&self) -> Counters {
        Counters(self.0.iter().map(|counter| AtomicI16::new(counter.load(Relaxed))).collect())
    }
}

impl Counters {
    /// The same counters, for another worker.
    pub fn share(&self) -> Counters {
        Counters(Arc::clone(&self.0))
    }

    /// So many, all 0, unless there are so many already.
    pub fn start(&mut self, count: usize) {
        if self.0.len() != count {
            self.0 = (0..count).map(|_| AtomicI16::new(0)).collect();
        }
    }

    #[inline]
    pub fn get(&self, index: usize) -> i32 {
        i32::from(self.0[index].load(Relaxed))
    }

    /// Moves a counter towards the sign of `bonus`; the nearer it is to the end, the less. Of two
    /// workers that do so at once, one may be forgotten.
    #[inline]
    pub fn nudge(&self, index: usize, bonus: i32) {
        let value = self.get(index);
        self.0[index].store((value + bonus - value * bonus.abs() / MAX) as i16, Relaxed);
    }

    pub fn clear(&self) {
        self.0.iter().for_each(|counter| counter.store(0, Relaxed));
    }
}
