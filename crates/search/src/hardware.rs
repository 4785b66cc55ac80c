//! The only module with unsafe code: one hint to the processor and one to the operating system. Neither
//! changes what the program computes.
//!
//! *Worth:* the table does not fit into the caches. Measured in chess, one thread, 64 MiB: waiting for
//! memory in table probes takes a fifth of all search time, and the two hints together remove most of
//! that.

/// Asks the processor to prefetch `place` into the cache. It is meant for tables that are read at
/// random.
///
/// ```
/// let cache = vec![0_u64; 1 << 13];
/// cassius_search::prefetch(&cache[4711]);
/// ```
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect that a program can observe, at any address; this address is
    // valid.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks the operating system to use large pages for `places`, which must not have been touched yet. A
/// random access then needs no page table walk.
#[allow(unsafe_code)]
pub(crate) fn in_large_pages<T>(places: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 1 << 12;
        let range = places.as_mut_ptr_range();
        let start = (range.start as usize).next_multiple_of(PAGE);
        let end = range.end as usize / PAGE * PAGE;
        if start < end {
            // SAFETY: the range lies inside memory that `places` owns, and the advice changes neither
            // its contents nor its protection. A failure is harmless.
            let _ = unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = places;
}
