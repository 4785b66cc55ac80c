//! Quiescence search: what a position at the horizon is worth once it is quiet.
//!
//! [`Captures`] is the one that plays: noisy moves, evasions, nothing else. [`Widened`] is the same procedure with
//! two slots of its own: which quiet moves are tried besides ([`Source`]), and what may be said against the
//! static value ([`Standing`]). Each component of either is a file here; a tuple of them is a source or a
//! standing again.

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

use crate::worker::Worker;
use crate::{Checks, Component, Game, Noisy, Off, Order, Recipe, Score, Spare, Stopped, Switch, Window};

/// A quiescence search has so many nodes; then every position stands pat, in check too. Captures explode where many strong pieces take
/// each other: elsewhere no search comes near the bound.
const MOST: u64 = 1 << 15;

/// [`Captures`], and every source of quiet moves and every standing there is, to be switched on. It needs
/// hung pieces and threats.
pub type WideQuiescence = Widened<
    (Spare<QuietChecks>, Spare<ForcingChecks>, Spare<HungMoves>, Spare<KillerMoves>),
    (Spare<MateThreat>, Spare<PromotionThreat>, Spare<PassWhenHung>),
>;

/// What a line of quiescence search carries from parent to child.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trail {
    /// Plies since the horizon.
    pub depth: usize,
    /// Quiet checks since the horizon, of both sides.
    pub checks: usize,
    /// Whether the last ply was a pass.
    pub passed: bool,
    /// If the side to move has threatened to mate: with how many checks it is looked for. Otherwise 0.
    pub hunt: usize,
}

/// A node of quiescence search with the side to move not in check.
pub struct Site<'a, G: Game> {
    /// The position.
    pub position: &'a G,
    /// Plies from the root.
    pub ply: usize,
    /// How it was reached.
    pub trail: Trail,
    /// Its static value.
    pub standing: Score,
}

/// Quiet moves to be tried in quiescence search.
pub trait Source<G: Game>: Component + Default + Clone {
    /// Whether it is switched on.
    fn is_heard(&self) -> bool {
        true
    }

    /// Appends quiet legal moves, none twice; another source may list the same ones.
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

/// What is said against a static value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Nothing: the side to move may stand pat.
    Stands,
    /// The position is worth this instead.
    Worth(Score),
    /// The other side threatens something real. All moves selected are tried, whatever they seem to lose;
    /// if none is better, this is the value.
    Refused {
        /// What the threat leaves.
        value: Score,
        /// With how many checks the other side then looks for a mate: [`Trail::hunt`] of the next ply.
        hunt: usize,
    },
}

/// Judges static values.
pub trait Standing<G: Noisy + Checks>: Component + Default + Clone {
    /// Whether it may say anything. If not, a static value that fails high ends the node at once.
    fn is_heard(&self) -> bool {
        true
    }

    /// What is said against the static value of `site`, to be searched with `window`. The moves selected so far stand
    /// on the worker's stack from `first` on; whoever refuses may add to them. `whole` searches on.
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

        /// The first that says something is heard.
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

/// Keeps, of the moves from `first` on, those of which `keep` says so; it is told what was kept before.
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

/// Appends the quiet legal moves of which `keep` says so.
fn list_quiet<G: Noisy>(position: &G, moves: &mut Vec<G::Move>, keep: impl Fn(G::Move) -> bool) {
    let first = moves.len();
    position.moves(moves);
    retain_from(moves, first, |_, mv| !position.is_noisy(mv) && keep(mv));
}
