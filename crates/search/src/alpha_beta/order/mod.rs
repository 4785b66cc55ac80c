//! Move ordering: each heuristic is a component, and a tuple of heuristics is a move order.

mod capture_history;
mod checks;
mod continuation;
mod counter_killers;
mod countermove;
pub(super) mod counters;
mod distant_killers;
mod exchange;
mod exposure_history;
mod history;
mod killers;
mod reorder;

pub use capture_history::CaptureHistory;
pub use checks::ChecksFirst;
pub use continuation::Continuation;
pub use counter_killers::CounterKillers;
pub use countermove::Countermove;
pub use distant_killers::DistantKillers;
pub use exchange::NoisyFirst;
pub use exposure_history::ExposureHistory;
pub use history::History;
pub use killers::Killers;
pub use reorder::Reorder;

use super::node::Node;
use crate::component::{Component, Off, Switch};
use crate::depth::Depth;
use crate::game::{Game, Noisy};

/// Orders moves, and learns from cutoffs.
pub trait Order<G: Game>: Component + Default {
    /// Whether a move may be brought forward while the moves of a node are being tried. Only then are
    /// [`Order::reorders`], [`Order::enter`] and [`Order::comes_next`] called.
    const REORDERS: bool = false;

    /// Whether reordering is switched on.
    fn reorders(&self) -> bool {
        Self::REORDERS
    }

    /// Returns the facts about a move that the components need, gathered once for all of them.
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        let _ = (position, mv);
        Facts::default()
    }

    /// Returns the rank of a move; a greater rank is tried earlier. Noisy moves that win or keep
    /// material rank above [`rank::WINNING`], losing ones below [`rank::LOSING`], and quiet moves in
    /// between.
    fn rank(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> i32;

    /// Learns from a cutoff: `best` failed high at `node` after the moves `tried`, none of which did.
    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, tried: &[G::Move]) {
        let _ = (node, best, tried);
    }

    /// Called before the moves of a node at `ply` are tried.
    fn enter(&mut self, ply: usize) {
        let _ = ply;
    }

    /// Whether `mv`, which is still untried at `node`, is tried next whatever its rank.
    fn comes_next(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> bool {
        let _ = (node, mv, facts);
        false
    }

    /// Returns the indices ([`MoveIndexed`](crate::game::MoveIndexed)) of the quiet moves that failed
    /// high at a ply, if the component stores them.
    fn killers(&self, ply: usize) -> [Option<usize>; 2] {
        let _ = ply;
        [None; 2]
    }

    /// Called when a new search begins.
    fn start(&mut self) {}

    /// Shares all statistics with `leader`, which has already started, from now on.
    fn share(&mut self, leader: &Self) {
        let _ = leader;
    }

    /// Clears all statistics, when a new game begins.
    fn forget(&mut self) {}
}
impl<G: Game> Order<G> for Off {
    #[inline]
    fn rank(&self, _: &Node<'_, G>, _: G::Move, _: Facts) -> i32 {
        0
    }
}

/// Facts about a move that the components of a move order use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// Its slot ([`MoveIndexed`](crate::game::MoveIndexed)), if a component uses slots.
    pub index: Option<usize>,
    /// Whether it is noisy ([`Noisy`]), if a component needs to know.
    pub noisy: bool,
}

/// The tiers of the move order.
pub mod rank {
    /// The hash move.
    pub const HASH_MOVE: i32 = i32::MAX;
    /// Noisy moves that do not lose material rank above this.
    pub const WINNING: i32 = 1_000_000_000;
    /// Killers and counter-moves rank above this.
    pub const KILLER: i32 = 100_000_000;
    /// Quiet moves that give check rank above this. Only moves below it are pruned for their number or
    /// for α.
    pub const CHECK: i32 = 10_000_000;
    /// Noisy moves that lose material rank below this.
    pub const LOSING: i32 = -1_000_000_000;

    /// Whether a rank other than that of the hash move belongs to a noisy move. Without
    /// [`NoisyFirst`](super::NoisyFirst) none does.
    #[inline]
    pub const fn is_noisy(rank: i32) -> bool {
        rank >= WINNING || rank <= LOSING
    }
}

macro_rules! tuple_order {
    ($($name:ident.$index:tt)+) => {
        impl<Z: Game, $($name: Order<Z>),+> Order<Z> for ($($name,)+) {
            const REORDERS: bool = false $(|| $name::REORDERS)+;

            fn reorders(&self) -> bool {
                false $(|| self.$index.reorders())+
            }

            #[inline(always)] // so that what all moves of a node share is computed once
            fn rank(&self, node: &Node<'_, Z>, mv: Z::Move, facts: Facts) -> i32 {
                0 $(+ self.$index.rank(node, mv, facts))+
            }
            #[inline]
            fn facts(&self, position: &Z, mv: Z::Move) -> Facts {
                let mut all = Facts::default();
                $(
                    let facts = self.$index.facts(position, mv);
                    all = Facts { index: all.index.or(facts.index), noisy: all.noisy | facts.noisy };
                )+
                all
            }
            #[inline]
            fn reward(&mut self, node: &Node<'_, Z>, best: Z::Move, tried: &[Z::Move]) {
                $(self.$index.reward(node, best, tried);)+
            }
            fn enter(&mut self, ply: usize) {
                $(self.$index.enter(ply);)+
            }
            #[inline]
            fn comes_next(&self, node: &Node<'_, Z>, mv: Z::Move, facts: Facts) -> bool {
                false $(|| self.$index.comes_next(node, mv, facts))+
            }
            fn killers(&self, ply: usize) -> [Option<usize>; 2] {
                let mut all = [None; 2];
                $(
                    let killers = self.$index.killers(ply);
                    all = [all[0].or(killers[0]), all[1].or(killers[1])];
                )+
                all
            }
            fn start(&mut self) {
                $(self.$index.start();)+
            }
            fn share(&mut self, leader: &Self) {
                $(self.$index.share(&leader.$index);)+
            }
            fn forget(&mut self) {
                $(self.$index.forget();)+
            }
        }
    };
}
tuple_order!(A.0);
tuple_order!(A.0 B.1);
tuple_order!(A.0 B.1 C.2);
tuple_order!(A.0 B.1 C.2 D.3);
tuple_order!(A.0 B.1 C.2 D.3 E.4);
tuple_order!(A.0 B.1 C.2 D.3 E.4 F.5);
tuple_order!(A.0 B.1 C.2 D.3 E.4 F.5 G.6);
tuple_order!(A.0 B.1 C.2 D.3 E.4 F.5 G.6 H.7);
tuple_order!(A.0 B.1 C.2 D.3 E.4 F.5 G.6 H.7 I.8);
tuple_order!(A.0 B.1 C.2 D.3 E.4 F.5 G.6 H.7 I.8 J.9);
tuple_order!(A.0 B.1 C.2 D.3 E.4 F.5 G.6 H.7 I.8 J.9 K.10);

impl<G: Game, C: Order<G>, const ON: bool> Order<G> for Switch<C, ON> {
    const REORDERS: bool = C::REORDERS;

    fn reorders(&self) -> bool {
        self.is_on() && self.component.reorders()
    }

    #[inline]
    fn rank(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> i32 {
        if self.is_on() { self.component.rank(node, mv, facts) } else { 0 }
    }
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        self.component.facts(position, mv)
    }
    #[inline]
    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, tried: &[G::Move]) {
        if self.is_on() {
            self.component.reward(node, best, tried);
        }
    }
    fn enter(&mut self, ply: usize) {
        self.component.enter(ply);
    }
    #[inline]
    fn comes_next(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> bool {
        self.is_on() && self.component.comes_next(node, mv, facts)
    }

    fn killers(&self, ply: usize) -> [Option<usize>; 2] {
        if self.is_on() { self.component.killers(ply) } else { [None; 2] }
    }
    fn start(&mut self) {
        self.component.start();
    }
    fn share(&mut self, leader: &Self) {
        self.component.share(&leader.component);
    }
    fn forget(&mut self) {
        self.component.forget();
    }
}

/// Returns the quiet moves among those tried before the one that failed high.
pub(crate) fn quiet<'a, G: Noisy>(
    node: &'a Node<'_, G>,
    tried: &'a [G::Move],
) -> impl Iterator<Item = G::Move> + 'a {
    tried.iter().copied().filter(|&mv| !node.position.is_noisy(mv))
}

/// Returns the history bonus of a cutoff. It grows with the square of the depth, up to a limit.
#[inline]
pub(crate) fn bonus(depth: Depth, most: i32) -> i32 {
    let plies = depth.whole_plies() + 1;
    (16 * plies * plies + 32 * plies).min(most)
}
