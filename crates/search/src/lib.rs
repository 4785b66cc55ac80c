//! Game-tree search for any two-player game (work in progress).

mod depth;
mod game;
mod minimax;
mod score;
mod window;

pub use depth::{Depth, Depths};
pub use game::{Checks, Evaluate, Game, Keyed, Noisy, Outcome, Pass, Repeats, Slotted};
pub use minimax::minimax;
pub use score::Score;
pub use window::{Bound, Window};
