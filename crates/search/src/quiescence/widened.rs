//! Quiescence search that takes more than captures.
//!
//! Stand pat, noisy moves, all evasions in check, as [`Captures`] does; besides them the quiet moves that the
//! *sources* list, and instead of the static value whatever its *standing* says.
//!
//! *Reference:* Kaindl 1983, §II; Eppstein 1999.
//! *Deviations:* where it differs from [`Captures`]: the table is neither asked nor filled, for what a node is worth
//! depends on how far beyond the horizon it lies. Draws are looked for, since quiet moves can come back. All moves are
//! listed even if the greatest gain there is would not reach α: a quiet move, or what is said against the static value, may.
//! *Soundness:* with every source and every standing off it is [`Captures`]. Otherwise the value of a game in
//! which those moves, too, may be chosen, if `margin` is at its maximum, `exchange` 0 and `evasions` 1.
//! *Worth:* not measured.

use super::hunt::hunt;
use super::{Captures, MOST, Site, Source, Standing, Trail, Verdict, retain_from};
use crate::move_stack::Picked;
use crate::slot::rank;
use crate::worker::{MAX_PLY, Worker};
use crate::{
    Checks, Component, Depth, Draws, Node, NodeKind, Noisy, Observe, Off, Order, Quiescence, Recipe, Score,
    Stopped, Visitor, Window,
};

/// Plays out noisy moves, all moves in check, and whatever else its components select.
#[derive(Clone, Debug, Default)]
pub struct Widened<S = Off, T = Off> {
    /// How noisy moves and evasions are pruned. Exchanges are asked of quiet moves, too.
    pub captures: Captures,
    /// Which quiet moves are tried: a [`Source`].
    pub sources: S,
    /// What is said against the static value: a [`Standing`].
    pub standing: T,
}

impl<S: Component, T: Component> Component for Widened<S, T> {
    /// Switched off, nothing is left of quiescence.
    const NAME: &'static str = Captures::NAME;

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.captures.visit(visitor);
        self.sources.visit(visitor);
        self.standing.visit(visitor);
    }
}

impl<G: Noisy + Checks, S: Source<G>, T: Standing<G>> Quiescence<G> for Widened<S, T> {
    fn value<R: Recipe<G>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if !self.sources.is_heard() && !self.standing.is_heard() {
            return self.captures.value::<R, N>(worker, position, window, ply);
        }
        worker.settle_within(MOST);
        let trail = Trail { passed: worker.frames[ply].passed, ..Trail::default() };
        self.search::<G, R, N>(worker, position, window, ply, trail)
    }
}

impl<S, T> Widened<S, T> {
    /// The value of a node that was reached by `trail`. It is already counted.
    pub(super) fn search<G, R, N>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
        trail: Trail,
    ) -> Result<Score, Stopped>
    where
        G: Noisy + Checks,
        R: Recipe<G>,
        N: NodeKind,
        S: Source<G>,
        T: Standing<G>,
    {
        if N::PV {
            worker.pv.clear(ply);
        }
        if ply >= MAX_PLY || worker.is_unsettled() && !position.is_over() {
            return worker.evaluate(position);
        }
        if trail.depth > 0 && worker.slots.draws.is_draw(position, ply) {
            return Ok(Score::DRAW);
        }
        if trail.hunt > 0 {
            let value = hunt::<G, R, N>(worker, position, ply, trail.hunt)?;
            if value.is_win() {
                return Ok(value);
            }
        }

        // Stand pat, unless in check or told otherwise.
        let in_check = position.in_check();
        let (mut best, mut alpha) = (Score::loss_in(ply), window.alpha);
        let mut standing = None;
        let mut below = Trail { depth: trail.depth + 1, passed: false, hunt: 0, ..trail };
        let first = worker.stack.moves.len();
        if in_check {
            position.moves(&mut worker.stack.moves);
            if first == worker.stack.moves.len() {
                return Ok(position.outcome().score(ply));
            }
        } else {
            if position.may_be_over() && position.is_over() {
                return Ok(position.outcome().score(ply));
            }
            let site = Site { position, ply, trail, standing: worker.evaluate(position)? };
            if !self.standing.is_heard() && site.standing >= window.beta {
                return Ok(site.standing);
            }
            position.noisy_moves(&mut worker.stack.moves);
            self.sources.list(&site, &worker.slots.order, &mut worker.stack.moves);
            match self.standing.judge(self, worker, &site, first, window)? {
                Verdict::Stands => standing = Some(site.standing),
                Verdict::Worth(value) => standing = Some(value),
                Verdict::Refused { value, hunt } => (best, below.hunt) = (value, hunt),
            }
            best = standing.unwrap_or(best);
            if best >= window.beta {
                worker.stack.close(first);
                return Ok(best);
            }
            alpha = alpha.max(best);
            retain_from(&mut worker.stack.moves, first, |kept, mv| !kept.contains(&mv));
        }

        rank(worker, position, in_check, window, ply, first);
        worker.slots.draws.push(position);
        let mut tried = 0;
        while let Some(Picked { mv, .. }) = worker.stack.pick(first) {
            tried += 1;
            let noisy = position.is_noisy(mv);
            if in_check {
                if self.captures.evasions == 0 && tried > 1 && !noisy && !best.is_loss() {
                    continue;
                }
            } else if let Some(standing) = standing
                && !best.is_loss()
            {
                let hope = standing + position.gain(mv) + Score(self.captures.margin);
                if noisy && hope <= alpha && !alpha.is_decided() {
                    best = best.max(hope);
                    continue;
                }
                if self.captures.exchange != 0 && !position.exchange_at_least(mv, Score::DRAW) {
                    continue;
                }
            }
            let mut child = position.clone();
            child.play(mv);
            worker.descend(position, mv, &child, ply);
            below.checks = trail.checks + usize::from(!in_check && !noisy && child.in_check());
            let seen = Window::new(alpha, window.beta).flip();
            worker.count(ply + 1)?;
            worker.slots.observe.enter(&child, seen, ply + 1);
            let value = -self.search::<G, R, N>(worker, &child, seen, ply + 1, below)?;
            worker.slots.observe.leave(-value, ply + 1);
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    if N::PV {
                        worker.pv.prepend(ply, mv);
                    }
                    if value >= window.beta {
                        break;
                    }
                }
            }
        }
        worker.slots.draws.pop();
        worker.stack.close(first);
        Ok(best)
    }
}

/// Ranks the moves listed from `first` on: noisy ones by what they gain, others as the order says.
fn rank<G: Noisy, R: Recipe<G>>(
    worker: &mut Worker<'_, G, R>,
    position: &G,
    in_check: bool,
    window: Window,
    ply: usize,
    first: usize,
) {
    let node = Node {
        position,
        window,
        ply,
        pv: false,
        cut: false,
        high: Depth::ZERO,
        low: Depth::ZERO,
        standing: Score::DRAW,
        improving: false,
        remembered: false,
        previous: worker.previous(ply),
        child_cutoffs: 0,
        pass_failed: false,
    };
    let order = &worker.slots.order;
    worker.stack.rank(first, |mv| match !in_check && position.is_noisy(mv) {
        true => rank::WINNING + position.noisy_rank(mv),
        false => order.rank(&node, mv, order.facts(position, mv)),
    });
}
