//! Move ordering: each heuristic is a component, a tuple of them is an order.

mod checks;
mod continuation;
mod counter_killers;
mod countermove;
mod counters;
mod distant_killers;
mod exchange;
mod history;
mod killers;
mod reorder;

pub use checks::ChecksFirst;
pub use continuation::Continuation;
pub use counter_killers::CounterKillers;
pub use countermove::Countermove;
pub use distant_killers::DistantKillers;
pub use exchange::NoisyFirst;
pub use history::History;
pub use killers::Killers;
pub use reorder::Reorder;

use crate::{Node, Noisy};

/// The quiet ones of the moves tried before the one that failed high.
pub(crate) fn quiet<'a, G: Noisy>(
    node: &'a Node<'_, G>,
    tried: &'a [G::Move],
) -> impl Iterator<Item = G::Move> + 'a {
    tried.iter().copied().filter(|&mv| !node.position.is_noisy(mv))
}

/// What a cutoff is worth to a history: it grows with the square of the depth, up to a limit.
#[inline]
pub(crate) fn bonus(depth: crate::Depth, most: i32) -> i32 {
    let plies = depth.whole_plies() + 1;
    (16 * plies * plies + 32 * plies).min(most)
}
