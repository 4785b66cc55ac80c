//! Tests the table's lockless protocol under loom. Loom tries the possible interleavings of the threads,
//! and every value that the memory model lets them observe. The source under test is that of the table;
//! only the atomics are loom's.

mod sync {
    pub(super) use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
}

#[path = "entry.rs"]
#[allow(clippy::duplicate_mod)] // the same source, compiled against loom's atomics
#[allow(dead_code)]
mod entry;

use crate::depth::Depth;
use crate::score::Score;
use entry::{Entry, Read, Unpacked};
use loom::sync::Arc;
use loom::thread;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed as Counted};

const KEYS: [u64; 2] = [0x1234_5678_9abc_def0, 0xfedc_ba98_7654_3210];

fn claim(number: i32) -> Unpacked {
    let (lower, upper) = (Some(Depth::plies(number)), Some(Depth::plies(number + 3)));
    let (low, high) = (Score(10 * number), Score(10 * number + 5));
    Unpacked {
        mv: number as u16,
        lower: low,
        upper: high,
        lower_depth: lower,
        upper_depth: upper,
        ..Unpacked::EMPTY
    }
}

/// Tries every interleaving with at most two preemptions. A higher bound takes minutes and has found
/// nothing.
fn model(run: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(run);
}

/// Stores two results of one position and one of another concurrently. Whatever is found must be
/// complete and must have been stored for that position. Each result is found by some interleavings.
#[test]
fn nothing_torn_is_found() {
    // Counted by the standard library: loom starts anew with each interleaving.
    static FOUND: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
    model(|| {
        let entry = Arc::new(Entry::default());
        let writers: Vec<_> = [(KEYS[0], 1), (KEYS[1], 2)]
            .into_iter()
            .map(|(key, number)| {
                let entry = entry.clone();
                thread::spawn(move || entry.write(key, &claim(number)))
            })
            .collect();
        let found = entry.find(KEYS[0]);
        assert!(found.is_none_or(|found| found == claim(1)), "{found:?}");
        entry.write(KEYS[0], &claim(3));
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        // All threads have finished. Even if an entry is torn, a lookup must never return a result of
        // another position.
        let last = KEYS.map(|key| entry.find(key));
        assert!(last[0].is_none_or(|found| [claim(1), claim(3)].contains(&found)), "{last:?}");
        assert!(last[1].is_none_or(|found| found == claim(2)), "{last:?}");
        for found in last.into_iter().flatten() {
            FOUND[usize::from(found.mv) - 1].fetch_add(1, Counted);
        }
    });
    let found = FOUND.each_ref().map(|count| count.load(Counted));
    assert!(found.iter().all(|count| *count > 0), "{found:?}");
}

/// What was written by threads that have ended is found, and what it has replaced is not.
#[test]
fn what_nobody_disturbs_is_found() {
    model(|| {
        let entry = Arc::new(Entry::default());
        for (turn, number) in [(0, 1), (1, 2)] {
            let other = entry.clone();
            thread::spawn(move || other.write(KEYS[turn], &claim(number))).join().unwrap();
            assert_eq!(entry.find(KEYS[turn]), Some(claim(number)));
            assert_eq!(entry.find(KEYS[1 - turn]), None);
        }
    });
}

/// Merges a new result into the stored entry, as [`Table`](super::Table) does.
fn add(entry: &Entry, change: impl Fn(&mut Unpacked)) {
    let mut new = match entry.read(KEYS[0]) {
        Read::Mine(old) => old,
        Read::Empty | Read::Other(_) => Unpacked::EMPTY,
    };
    change(&mut new);
    entry.write(KEYS[0], &new);
}

/// Two threads each add a bound to the entry of one position. Every bound that is found must have the
/// depth with which it was stored.
#[test]
fn bounds_stay_with_their_depths() {
    model(|| {
        let entry = Arc::new(Entry::default());
        let other = entry.clone();
        let adds_lower = thread::spawn(move || {
            for value in [1, 2] {
                add(&other, |new| (new.lower, new.lower_depth) = (Score(value), Some(Depth::plies(value))));
            }
        });
        add(&entry, |new| (new.upper, new.upper_depth) = (Score(7), Some(Depth::plies(7))));
        let holds = |found: Option<Unpacked>| {
            found.is_none_or(|found| {
                let lower = found.lower_depth.is_none_or(|depth| depth == Depth::plies(found.lower.0));
                lower
                    && found
                        .upper_depth
                        .is_none_or(|depth| (found.upper, depth) == (Score(7), Depth::plies(7)))
            })
        };
        assert!(holds(entry.find(KEYS[0])));
        adds_lower.join().unwrap();
        assert!(holds(entry.find(KEYS[0])));
    });
}

/// Shows that these checks can fail: without the mixed lock, a torn entry would be found.
#[test]
#[should_panic(expected = "torn")]
fn a_lock_that_is_the_key_alone_would_not_do() {
    use loom::sync::atomic::AtomicU64;
    use sync::Relaxed;
    model(|| {
        let place = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
        let other = place.clone();
        let writer = thread::spawn(move || {
            other[0].store(10, Relaxed);
            other[1].store(1, Relaxed);
        });
        place[0].store(20, Relaxed);
        place[1].store(2, Relaxed);
        writer.join().unwrap();
        let [data, meta] = [place[0].load(Relaxed), place[1].load(Relaxed)];
        assert_eq!(data, 10 * meta, "torn");
    });
}
