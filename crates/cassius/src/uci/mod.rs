//! UCI.

use crate::Error;

/// Largest table, in MiB.
pub const MAX_HASH: i64 = 1 << 20;

/// Speaks UCI on standard input and output.
pub fn main() -> Result<(), Error> {
    anyhow::bail!("not built yet")
}
