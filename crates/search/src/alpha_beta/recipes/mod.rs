//! Recipes for every game that provides the required capabilities.

mod abc_paper;
mod laboratory;

pub use abc_paper::AbcPaper;
pub use laboratory::{Laboratory, presets};
