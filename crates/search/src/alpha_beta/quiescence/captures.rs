//! Quiescence search: stand pat or play a noisy move.
//!
//! *Reference:* Kaindl 1983, §II (ordinary quiescence); Eppstein 1999; McAllester & Yuret 1993, §8 (the
//! "stand-pat or capture" game).
//! *Deviations:* in check evasions are searched, all with `evasions` 1 and else, once one holds, only the
//! noisy ones, and standing pat is not allowed. Eppstein's printed code returns the last value instead of the
//! best, and standing pat does not raise α there; both are corrected here.
//! *Soundness:* the value of the stand-pat game with `margin` at its maximum, `exchange` 0 and `evasions` 1.
//! With other settings, moves that are unlikely to matter are pruned. A game that is over without check gets
//! its outcome if the game says that this can happen ([`Noisy::may_be_over`]). Once a search has reached its
//! node limit, every position stands pat, and the result is not stored.
//! *Worth:* figures in results/ablation.md.

use super::MOST;
use crate::alpha_beta::correction::Correct;
use crate::alpha_beta::memory::Found;
use crate::alpha_beta::memory::{Hit, Memory};
use crate::alpha_beta::observe::Observe;
use crate::alpha_beta::order::Order;
use crate::alpha_beta::order::rank;
use crate::alpha_beta::picker::Picked;
use crate::alpha_beta::quiescence::Quiescence;
use crate::alpha_beta::{MAX_PLY, Worker};
use crate::alpha_beta::{Node, NodeKind, Recipe};
use crate::depth::{Depth, Depths};
use crate::game::{Checks, Game, Noisy};
use crate::limits::Stopped;
use crate::score::Score;
use crate::window::Window;

crate::component! {
    /// Plays out noisy moves, and all moves in check.
    pub struct Captures {
        /// A noisy move is left out if with this much more than it gains the value is still not above α.
        margin: 150 in 0..=10000 "evaluation units",
        /// Whether moves that lose an exchange are left out: 1 yes, 0 no.
        exchange: 1 in 0..=1 "0 or 1",
        /// Whether all evasions are searched: 1 yes, 0 only until one holds, and the noisy ones.
        evasions: 0 in 0..=1 "0 or 1",
    }
}

impl<G: Noisy + Checks> Quiescence<G> for Captures {
    fn value<R: Recipe<G>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        worker.settle_within(MOST);
        self.search::<G, R, N>(worker, position, window, ply)
    }
}

impl Captures {
    /// Returns the value of a node that has already been counted.
    fn search<G: Noisy + Checks, R: Recipe<G>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if N::PV {
            worker.pv.clear(ply);
        }
        if (ply >= MAX_PLY || worker.is_unsettled()) && !position.is_over() {
            return worker.evaluate(position);
        }
        let remembers = worker.slots.memory.serves(Depths::both(Depth::ZERO));
        let hit = if remembers { worker.slots.memory.probe(position, ply) } else { Hit::NONE };
        if (!N::PV || worker.slots.memory.answers_pv())
            && let Some(value) = hit.answer(window, |_| Depths::both(Depth::ZERO))
        {
            return Ok(value);
        }

        // Stand pat, unless in check.
        let in_check = position.in_check();
        let (mut evaluated, mut standing) = (None, None);
        let mut best = Score::loss_in(ply);
        let mut alpha = window.alpha;
        if !in_check {
            if position.may_be_over() && position.is_over() {
                return Ok(position.outcome().score(ply));
            }
            let raw = match hit.static_eval {
                Some(raw) => raw,
                None => worker.evaluate(position)?,
            };
            let corrects = worker.slots.correction.in_quiescence();
            let level = if corrects { worker.corrected(position, raw, ply) } else { raw };
            (evaluated, standing) = (Some(raw), Some(level));
            best = hit.improve(level);
            if best >= window.beta {
                if remembers && hit == Hit::NONE {
                    self.remember(worker, position, window, best, None, evaluated, ply);
                }
                return Ok(best);
            }
            alpha = alpha.max(best);
            let hope = level + position.greatest_gain() + Score(self.margin);
            if hope <= alpha && !alpha.is_decided() {
                return Ok(best.max(hope)); // the moves need not even be listed
            }
        }

        let first = self.list(worker, position, in_check, window, &hit, ply);
        if in_check && first == worker.stack.moves.len() {
            return Ok(position.outcome().score(ply));
        }
        let mut best_move = None;
        let mut tried = 0;
        while let Some(Picked { mv, .. }) = worker.stack.pick(first) {
            tried += 1;
            if !best.is_loss() {
                if in_check {
                    if self.evasions == 0 && tried > 1 && !position.is_noisy(mv) {
                        continue;
                    }
                } else {
                    let hope = standing.unwrap_or(best) + position.gain(mv) + Score(self.margin);
                    if hope <= alpha && !alpha.is_decided() {
                        best = best.max(hope);
                        continue;
                    }
                    if remembers {
                        worker.prefetch_next(position, mv, first, true, true);
                    }
                    if self.exchange != 0 && !position.exchange_at_least(mv, Score::DRAW) {
                        continue;
                    }
                }
            }
            let mut child = position.clone();
            child.play(mv);
            worker.descend::<N>(position, mv, &child, ply);
            let below = Window::new(alpha, window.beta).flip();
            worker.count(ply + 1)?;
            worker.slots.observe.enter(&child, below, ply + 1);
            let value = -self.search::<G, R, N>(worker, &child, below, ply + 1)?;
            worker.slots.observe.leave(-value, ply + 1);
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    if N::PV {
                        worker.pv.prepend(ply, mv);
                    }
                    if value >= window.beta {
                        break;
                    }
                }
            }
        }
        worker.stack.truncate(first);
        if remembers && !worker.is_unsettled() {
            self.remember(worker, position, window, best, best_move, evaluated, ply);
        }
        Ok(best)
    }

    /// Lists the moves to try on the worker's stack and returns the index of the first one.
    fn list<G: Noisy + Checks, R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        in_check: bool,
        window: Window,
        hit: &Hit,
        ply: usize,
    ) -> usize {
        let first = worker.stack.moves.len();
        if in_check {
            position.moves(&mut worker.stack.moves);
        } else {
            position.noisy_moves(&mut worker.stack.moves);
        }
        let previous = worker.previous(ply);
        let node = in_check.then(|| Node::past_the_horizon(position, window, ply, previous, hit.mv != 0));
        let slots = &worker.slots;
        worker.stack.rank(first, |mv| match &node {
            _ if hit.mv != 0 && slots.memory.names(hit.mv, position, mv) => rank::HASH_MOVE,
            Some(node) => slots.order.rank(node, mv, slots.order.facts(position, mv)),
            None => rank::WINNING + position.noisy_rank(mv),
        });
        first
    }

    #[allow(clippy::too_many_arguments)]
    fn remember<G: Game, R: Recipe<G>>(
        &self,
        worker: &Worker<'_, G, R>,
        position: &G,
        window: Window,
        value: Score,
        best: Option<G::Move>,
        static_eval: Option<Score>,
        ply: usize,
    ) {
        let depths = Depths::both(Depth::ZERO);
        let (at_edge, bound) = (window.clip(value), window.bound(value));
        let found = Found { value, at_edge, bound, depths, best, static_eval, was_pv: false };
        worker.slots.memory.store(position, ply, &found);
    }
}
