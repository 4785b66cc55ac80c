//! What threads share a table with: the standard atomics. The model checker of the tests puts its own in their place.

pub(super) use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
