//! What the threads of a search share: the standard atomics and lock. The model checker of the tests puts its own in their place.

pub(super) use std::sync::Mutex;
pub(super) use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
