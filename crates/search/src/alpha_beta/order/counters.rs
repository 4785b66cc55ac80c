//! The counters of a history, used by one worker or shared by several.

use crate::written::Written;
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// Maximum absolute value of a counter.
const MAX: i32 = 16_384;

/// Counters between ± 16384. A clone counts independently.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    counters: Arc<[AtomicI16]>,
    written: Arc<Written>,
}

impl Clone for Counters {
    fn clone(&self) -> Counters {
        let mut clone = Counters::default();
        clone.start(self.counters.len());
        for (index, counter) in
            self.counters.iter().enumerate().filter(|(_, counter)| counter.load(Relaxed) != 0)
        {
            clone.set(index, counter.load(Relaxed));
        }
        clone
    }
}

impl Counters {
    /// Returns a handle to the same counters for another worker.
    pub fn share(&self) -> Counters {
        Counters { counters: Arc::clone(&self.counters), written: Arc::clone(&self.written) }
    }

    /// Allocates `count` counters, all 0, unless that many exist already.
    pub fn start(&mut self, count: usize) {
        if self.counters.len() != count {
            self.counters = (0..count).map(|_| AtomicI16::new(0)).collect();
            self.written = Arc::new(Written::new(count, 10));
        }
    }

    #[inline]
    pub fn get(&self, index: usize) -> i32 {
        i32::from(self.counters[index].load(Relaxed))
    }

    /// Moves a counter towards the sign of `bonus`. The nearer it is to its limit, the less it moves. If
    /// two workers update it at once, one update may be lost.
    #[inline]
    pub fn nudge(&self, index: usize, bonus: i32) {
        let value = self.get(index);
        self.set(index, (value + bonus - value * bonus.abs() / MAX) as i16);
    }

    #[inline]
    fn set(&self, index: usize, value: i16) {
        self.written.mark(index);
        self.counters[index].store(value, Relaxed);
    }

    pub fn clear(&self) {
        self.written.take(|range| self.counters[range].iter().for_each(|counter| counter.store(0, Relaxed)));
    }
}
