//! Exact quiescence search: uses the value of the stand-pat or capture game as the static value.
//!
//! *Reference:* McAllester & Yuret 1993, §8 ("the stand-pat or capture game"), §9.1 and §10.2: at each node
//! the player to move either stops and takes the static value, or captures and lets the other side move.
//! Alpha-beta finds the exact value. Where only one bound matters, a narrow window suffices.
//! *Deviations:* captures are the moves that the game calls noisy. A game that is over has its outcome, as
//! far as the game says without a check that it may be over
//! ([`may_be_over`](crate::game::Noisy::may_be_over)).
//! Below the first node it counts as an estimate. No line of captures is followed for more than
//! [`MAX_PLY`](crate::alpha_beta::MAX_PLY) plies, which none reaches in play.
//! *Soundness:* a static evaluation like any other: it depends only on the position. There is no pruning
//! except by alpha-beta. The bounds of a position are stored in the memory separately from search results
//! ([`Memory::static_bounds`](crate::alpha_beta::memory::Memory::static_bounds)). Every node is counted, so
//! that limits end the search however long it is.
//! *Worth:* not measured.

use crate::alpha_beta::memory::Memory;
use crate::alpha_beta::observe::Observe;
use crate::alpha_beta::order::rank;
use crate::alpha_beta::quiescence::Quiescence;
use crate::alpha_beta::{MAX_PLY, Worker};
use crate::alpha_beta::{NodeKind, Recipe};
use crate::game::{Checks, Noisy};
use crate::limits::Stopped;
use crate::score::Score;
use crate::window::{Bound, Window};

crate::component! {
    /// Plays out the stand-pat or capture game.
    #[derive(Copy)]
    pub struct ExactQuiescence {
        /// Whether captures that lose an exchange are left out: 1 yes; 0 no, as printed.
        exchange: 0 in 0..=1 "0 or 1",
        /// Whether in check all evasions are tried, without standing pat: 1 yes; 0 no, as printed.
        evasions: 0 in 0..=1 "0 or 1",
    }
}

impl<G: Noisy + Checks> Quiescence<G> for ExactQuiescence {
    fn value<R: Recipe<G>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if N::PV {
            worker.pv.clear(ply.min(MAX_PLY));
        }
        match is_over(position) {
            true => Ok(position.outcome().score(ply)),
            false => self.settle(worker, position, window, ply, 0),
        }
    }
}

/// Whether the game is over. Without a check this is only tested if the game says that it may be over.
fn is_over<G: Noisy + Checks>(position: &G) -> bool {
    (position.in_check() || position.may_be_over()) && position.is_over()
}

/// Returns the stored value if it answers what `window` requires.
fn answer((lower, upper): (Score, Score), window: Window) -> Option<Score> {
    if lower == upper || lower >= window.beta {
        return Some(lower);
    }
    (upper <= window.alpha).then_some(upper)
}

impl ExactQuiescence {
    /// Returns the value of a position `captures` captures below the first one, within a window,
    /// fail-soft.
    fn settle<G: Noisy + Checks, R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
        captures: usize,
    ) -> Result<Score, Stopped> {
        if captures > 0 && is_over(position) {
            return Ok(position.outcome().score(0).clamp_estimate());
        }
        if captures >= MAX_PLY {
            worker.cut_off += 1;
            return worker.evaluate(position);
        }
        let known =
            worker.slots.memory.static_bounds(position).unwrap_or((-Score::INFINITE, Score::INFINITE));
        if let Some(value) = answer(known, window) {
            return Ok(value);
        }
        let value = self.play_out(worker, position, window, ply, captures)?;
        let (lower, upper) = match window.bound(value) {
            Bound::Lower => (value, known.1),
            Bound::Upper => (known.0, value),
            Bound::Exact => (value, value),
        };
        worker.slots.memory.keep_static(position, lower, upper);
        Ok(value)
    }

    fn play_out<G: Noisy + Checks, R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
        captures: usize,
    ) -> Result<Score, Stopped> {
        let evades = self.evasions != 0 && position.in_check();
        let mut best = match evades {
            true => -Score::MAX_ESTIMATE,
            false => worker.evaluate(position)?,
        };
        if best >= window.beta {
            return Ok(best);
        }
        let first = worker.stack.moves.len();
        match evades {
            true => position.moves(&mut worker.stack.moves),
            false => position.noisy_moves(&mut worker.stack.moves),
        }
        worker.stack.rank(first, |mv| match position.is_noisy(mv) {
            true => rank::WINNING + position.noisy_rank(mv),
            false => 0,
        });
        while best < window.beta
            && let Some(picked) = worker.stack.pick(first)
        {
            let mv = picked.mv;
            if self.exchange != 0 && !evades && !position.exchange_at_least(mv, Score::DRAW) {
                continue;
            }
            let mut child = position.clone();
            child.play(mv);
            let below = Window::new(window.alpha.max(best), window.beta).flip();
            worker.count(ply + 1)?;
            worker.slots.observe.enter(&child, below, ply + 1);
            let value = -self.settle(worker, &child, below, ply + 1, captures + 1)?;
            worker.slots.observe.leave(-value, ply + 1);
            best = best.max(value);
        }
        worker.stack.truncate(first);
        Ok(best)
    }
}
