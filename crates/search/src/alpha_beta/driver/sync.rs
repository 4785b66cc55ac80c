//! The synchronisation primitives of a team: the standard atomics and lock. The tests replace them by
//! those of the model checker.

pub(super) use std::sync::Mutex;
pub(super) use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
