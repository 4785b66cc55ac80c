//! The atomics through which threads share a table: those of the standard library. The tests replace
//! them by those of the model checker.

pub(super) use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
