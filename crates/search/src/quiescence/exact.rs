//! Exact quiescence: the value of the stand-pat or capture game, as a static value.
//!
//! *Reference:* McAllester & Yuret 1993, §8 ("the stand-pat or capture game"), §9.1 and §10.2: at each node
//! the player to move stops and takes the static value, or captures and lets the other side move. Alpha-beta
//! finds the exact value; where only one bound matters, a narrow window does.
//! *Deviations:* captures are what the game calls noisy. A game that is over has its outcome, below the first
//! node as an estimate. No line of captures is followed for more than [`MAX_PLY`](crate::MAX_PLY) plies,
//! which in play none reaches.
//! *Soundness:* a static evaluation like any other: it depends on the position alone. Nothing is pruned but
//! by alpha-beta. What is known of a position is kept in the memory apart from what searches have shown of it
//! ([`Memory::static_bounds`](crate::Memory::static_bounds)). Every node counts, so that limits end it
//! however long it is.
//! *Worth:* not measured.

use crate::slot::rank;
use crate::worker::{MAX_PLY, Worker};
use crate::{Bound, Checks, Memory, NodeKind, Noisy, Observe, Quiescence, Recipe, Score, Stopped, Window};

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

/// Without a check a game is over only where it says that it may be.
fn is_over<G: Noisy + Checks>(position: &G) -> bool {
    (position.in_check() || position.may_be_over()) && position.is_over()
}

/// What is known, if it says all that `window` asks.
fn answer((lower, upper): (Score, Score), window: Window) -> Option<Score> {
    if lower == upper || lower >= window.beta {
        return Some(lower);
    }
    (upper <= window.alpha).then_some(upper)
}

impl ExactQuiescence {
    /// The value of a position so many captures below the first, seen through a window, fail-soft.
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
        worker.stack.close(first);
        Ok(best)
    }
}
