//! Quiescence search: values a position at the horizon by searching until it is quiet.
//!
//! [`Captures`] is the version used for playing: noisy moves and evasions, nothing else. [`Widened`] is
//! the same procedure with two further slots: the quiet moves that are tried in addition ([`Source`]),
//! and reasons to reject the static value ([`Standing`]). Each component of either slot has a file here.
//! A tuple of sources is a source, and a tuple of standings is a standing.

mod as_static;
mod captures;
mod exact;
mod forcing_checks;
mod hung;
mod hunt;
mod killer_moves;
mod mate_threat;
mod pass_when_hung;
mod promotion_threat;
mod quiet_checks;
mod widened;

pub use as_static::StandPatOrCapture;
pub use captures::Captures;
pub use exact::ExactQuiescence;
pub use forcing_checks::ForcingChecks;
pub use hung::HungMoves;
pub use killer_moves::KillerMoves;
pub use mate_threat::MateThreat;
pub use pass_when_hung::PassWhenHung;
pub use promotion_threat::PromotionThreat;
pub use quiet_checks::QuietChecks;
pub use widened::Widened;

use super::node::NodeKind;
use super::order::Order;
use super::recipe::Recipe;
use super::worker::Worker;
use crate::component::{Component, Off, Spare, Switch};
use crate::game::{Checks, Game, Noisy};
use crate::limits::Stopped;
use crate::score::Score;
use crate::window::Window;

/// Values a position at the horizon.
pub trait Quiescence<G: Game>: Component + Default + Clone {
    /// Returns the value of `position` within `window`. The node itself has already been counted.
    fn value<R: Recipe<G>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped>;
}

/// Returns the static value, or the exact one if the game is over.
impl<G: Game> Quiescence<G> for Off {
    #[inline]
    fn value<R: Recipe<G>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        match position.is_over() {
            true => Ok(position.outcome().score(ply)),
            false => worker.evaluate_within(position, window),
        }
    }
}

impl<G: Game, C: Quiescence<G>, const ON: bool> Quiescence<G> for Switch<C, ON> {
    #[inline]
    fn value<R: Recipe<G>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        match self.is_on() {
            true => self.component.value::<R, N>(worker, position, window, ply),
            false => Off.value::<R, N>(worker, position, window, ply),
        }
    }
}

/// The node limit of a quiescence search. Once it is reached, every position stands pat, even in check.
/// Only positions where many strong pieces can take each other, so that captures explode, come near this
/// limit.
const MOST: u64 = 1 << 15;

/// [`Captures`] with every source of quiet moves and every standing, each behind a switch that is off by
/// default. The game must provide hung pieces and threats.
pub type WideQuiescence = Widened<
    (Spare<QuietChecks>, Spare<ForcingChecks>, Spare<HungMoves>, Spare<KillerMoves>),
    (Spare<MateThreat>, Spare<PromotionThreat>, Spare<PassWhenHung>),
>;

/// The state that a line of quiescence search passes from parent to child.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trail {
    /// Plies since the horizon.
    pub depth: usize,
    /// Quiet checks since the horizon, of both sides.
    pub checks: usize,
    /// Whether the last ply was a pass.
    pub passed: bool,
    /// If the side to move has threatened to mate: the maximum number of checks with which the mate is
    /// searched. Otherwise 0.
    pub hunt: usize,
}

/// A node of quiescence search at which the side to move is not in check.
pub struct Site<'a, G: Game> {
    /// The position.
    pub position: &'a G,
    /// Plies from the root.
    pub ply: usize,
    /// The state of the line that led to the node.
    pub trail: Trail,
    /// Its static value.
    pub standing: Score,
}

/// Selects quiet moves to be tried in quiescence search.
pub trait Source<G: Game>: Component + Default + Clone {
    /// Whether the source is active.
    fn is_heard(&self) -> bool {
        true
    }

    /// Appends quiet legal moves, each at most once. Another source may list the same moves.
    fn list<O: Order<G>>(&self, site: &Site<'_, G>, order: &O, moves: &mut Vec<G::Move>);
}

impl<G: Game> Source<G> for Off {
    fn is_heard(&self) -> bool {
        false
    }

    #[inline]
    fn list<O: Order<G>>(&self, _: &Site<'_, G>, _: &O, _: &mut Vec<G::Move>) {}
}

impl<G: Game, C: Source<G>, const ON: bool> Source<G> for Switch<C, ON> {
    fn is_heard(&self) -> bool {
        self.is_on()
    }

    fn list<O: Order<G>>(&self, site: &Site<'_, G>, order: &O, moves: &mut Vec<G::Move>) {
        if self.is_on() {
            self.component.list(site, order, moves);
        }
    }
}

/// The verdict on a static value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The static value is accepted: the side to move may stand pat.
    Stands,
    /// The position has this value instead.
    Worth(Score),
    /// The other side has a real threat. All selected moves are tried, even if they seem to lose
    /// material. If none is better, this is the value.
    Refused {
        /// The value if the threat is carried out.
        value: Score,
        /// Whether the game counts as lost although only selected moves were tried. Otherwise all are.
        guess: bool,
        /// The maximum number of checks with which the other side then searches for a mate:
        /// [`Trail::hunt`] of the next ply.
        hunt: usize,
    },
}

/// Decides whether a static value is accepted.
pub trait Standing<G: Noisy + Checks>: Component + Default + Clone {
    /// Whether the component can reject a static value. If not, a static value that fails high ends the
    /// node at once.
    fn is_heard(&self) -> bool {
        true
    }

    /// Judges the static value of `site`, which is searched with `window`. The moves selected so far are
    /// on the worker's stack from `first` on. A component that refuses the value may add moves to them.
    /// `whole` is used to search further.
    fn judge<R: Recipe<G>, S: Source<G>, T: Standing<G>>(
        &self,
        whole: &Widened<S, T>,
        worker: &mut Worker<'_, G, R>,
        site: &Site<'_, G>,
        first: usize,
        window: Window,
    ) -> Result<Verdict, Stopped>;
}

impl<G: Noisy + Checks> Standing<G> for Off {
    fn is_heard(&self) -> bool {
        false
    }

    #[inline]
    fn judge<R: Recipe<G>, S: Source<G>, T: Standing<G>>(
        &self,
        _: &Widened<S, T>,
        _: &mut Worker<'_, G, R>,
        _: &Site<'_, G>,
        _: usize,
        _: Window,
    ) -> Result<Verdict, Stopped> {
        Ok(Verdict::Stands)
    }
}

impl<G: Noisy + Checks, C: Standing<G>, const ON: bool> Standing<G> for Switch<C, ON> {
    fn is_heard(&self) -> bool {
        self.is_on()
    }

    fn judge<R: Recipe<G>, S: Source<G>, T: Standing<G>>(
        &self,
        whole: &Widened<S, T>,
        worker: &mut Worker<'_, G, R>,
        site: &Site<'_, G>,
        first: usize,
        window: Window,
    ) -> Result<Verdict, Stopped> {
        match self.is_on() {
            true => self.component.judge(whole, worker, site, first, window),
            false => Ok(Verdict::Stands),
        }
    }
}

macro_rules! tuples {
    ($($name:ident.$index:tt)+) => {
        impl<G: Game, $($name: Source<G>),+> Source<G> for ($($name,)+) {
            fn is_heard(&self) -> bool {
                $(self.$index.is_heard() ||)+ false
            }

            fn list<O: Order<G>>(&self, site: &Site<'_, G>, order: &O, moves: &mut Vec<G::Move>) {
                $(self.$index.list(site, order, moves);)+
            }
        }

        /// Uses the first verdict that is not [`Verdict::Stands`].
        impl<G: Noisy + Checks, $($name: Standing<G>),+> Standing<G> for ($($name,)+) {
            fn is_heard(&self) -> bool {
                $(self.$index.is_heard() ||)+ false
            }

            fn judge<R: Recipe<G>, Sources: Source<G>, Whole: Standing<G>>(
                &self,
                whole: &Widened<Sources, Whole>,
                worker: &mut Worker<'_, G, R>,
                site: &Site<'_, G>,
                first: usize,
                window: Window,
            ) -> Result<Verdict, Stopped> {
                $(
                    let verdict = self.$index.judge(whole, worker, site, first, window)?;
                    if verdict != Verdict::Stands {
                        return Ok(verdict);
                    }
                )+
                Ok(Verdict::Stands)
            }
        }
    };
}
tuples!(A.0);
tuples!(A.0 B.1);
tuples!(A.0 B.1 C.2);
tuples!(A.0 B.1 C.2 D.3);

/// Keeps those moves from `first` on for which `keep` returns true. `keep` also receives the moves kept
/// so far.
fn retain_from<M: Copy>(moves: &mut Vec<M>, first: usize, mut keep: impl FnMut(&[M], M) -> bool) {
    let mut kept = first;
    for index in first..moves.len() {
        let mv = moves[index];
        if keep(&moves[first..kept], mv) {
            moves[kept] = mv;
            kept += 1;
        }
    }
    moves.truncate(kept);
}

/// Appends the quiet legal moves for which `keep` returns true.
fn list_quiet<G: Noisy>(position: &G, moves: &mut Vec<G::Move>, keep: impl Fn(G::Move) -> bool) {
    let first = moves.len();
    position.moves(moves);
    retain_from(moves, first, |_, mv| !position.is_noisy(mv) && keep(mv));
}
