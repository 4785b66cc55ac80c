//! A counted limit on what a checker does, so that no file can keep it busy for ever.
//!
//! Counted are the positions that it looks at and the moves that it finds there: the same file costs the same on every machine.

/// How much a checker may still do.
#[derive(Clone, Debug)]
pub struct Work {
    left: u64,
}

/// The limit is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkLimit;

impl Work {
    /// At most so much.
    pub fn new(most: u64) -> Work {
        Work { left: most }
    }

    /// As much as it takes.
    pub fn unlimited() -> Work {
        Work::new(u64::MAX)
    }

    /// How much is left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Looks at so much more.
    ///
    /// # Errors
    /// If that is more than is left.
    #[inline]
    pub fn spend(&mut self, amount: usize) -> Result<(), WorkLimit> {
        self.left = self.left.checked_sub(amount as u64).ok_or(WorkLimit)?;
        Ok(())
    }
}
