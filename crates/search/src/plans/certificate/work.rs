//! A limit on the work of a checker, so that no file can keep it busy for ever.
//!
//! The work is the number of positions and moves that the checker examines. Therefore the same file
//! costs the same on every machine.

/// The amount of work that a checker may still do.
#[derive(Clone, Debug)]
pub struct Work {
    left: u64,
}

/// The work limit has been reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkLimit;

impl Work {
    /// Allows at most this much work.
    pub fn new(most: u64) -> Work {
        Work { left: most }
    }

    /// Allows any amount of work.
    pub fn unlimited() -> Work {
        Work::new(u64::MAX)
    }

    /// Returns how much work is left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Spends this much work.
    ///
    /// # Errors
    /// If that is more than is left.
    #[inline]
    pub fn spend(&mut self, amount: usize) -> Result<(), WorkLimit> {
        self.left = self.left.checked_sub(amount as u64).ok_or(WorkLimit)?;
        Ok(())
    }
}
