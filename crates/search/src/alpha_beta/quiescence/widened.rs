//! Quiescence search that tries more than captures.
//!
//! Like [`Captures`], it stands pat, plays noisy moves, and plays evasions in check. It also tries
//! the quiet moves that the *sources* list, and the *standing* may replace the static value.
//!
//! *Reference:* Kaindl 1983, §II; Eppstein 1999.
//! *Deviations:* it differs from [`Captures`] in three respects. The table is neither probed nor filled,
//! because the value of a node depends on how far beyond the horizon it lies. Draws are detected, since
//! quiet moves can repeat a position. All moves are listed even if the greatest possible gain would not
//! reach α, because a quiet move or a replaced static value may reach it.
//! *Soundness:* with every source and every standing off it is [`Captures`]. Otherwise it is the value
//! of a game in which those moves may be chosen too, if `margin` is at its maximum, `exchange` 0 and
//! `evasions` 1.
//! *Worth:* not measured.

use super::hunt::hunt;
use super::{Captures, MOST, Site, Source, Standing, Trail, Verdict, retain_from};
use crate::alpha_beta::correction::Correct;
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::observe::Observe;
use crate::alpha_beta::order::Order;
use crate::alpha_beta::order::rank;
use crate::alpha_beta::picker::Picked;
use crate::alpha_beta::quiescence::Quiescence;
use crate::alpha_beta::{MAX_PLY, Worker};
use crate::alpha_beta::{Node, NodeKind, Recipe};
use crate::component::{Component, Off, Visitor};
use crate::game::{Checks, Noisy};
use crate::limits::Stopped;
use crate::score::Score;
use crate::window::Window;

/// Plays out noisy moves, all moves in check, and the moves that its components select.
#[derive(Clone, Debug, Default)]
pub struct Widened<S = Off, T = Off> {
    /// How noisy moves and evasions are pruned. The exchange test applies to quiet moves too.
    pub captures: Captures,
    /// The quiet moves that are tried: a [`Source`].
    pub sources: S,
    /// Reasons to reject the static value: a [`Standing`].
    pub standing: T,
}

impl<S: Component, T: Component> Component for Widened<S, T> {
    /// The name of [`Captures`]: switching it off switches off quiescence search altogether.
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
    /// Returns the value of a node that was reached by `trail` and has already been counted.
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
        if (ply >= MAX_PLY || worker.is_unsettled()) && !position.is_over() {
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

        // Stand pat, unless in check or rejected by the standing.
        let in_check = position.in_check();
        let (mut best, mut alpha) = (Score::loss_in(ply), window.alpha);
        let mut standing = None;
        let mut below = Trail { depth: trail.depth + 1, passed: false, hunt: 0, ..trail };
        // The moves tried so far, if only some are listed and none may help.
        let mut lost: Option<Vec<G::Move>> = None;
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
            let raw = worker.evaluate(position)?;
            let corrects = worker.slots.correction.in_quiescence();
            let level = if corrects { worker.corrected(position, raw, ply) } else { raw };
            let site = Site { position, ply, trail, standing: level };
            if !self.standing.is_heard() && site.standing >= window.beta {
                return Ok(site.standing);
            }
            position.noisy_moves(&mut worker.stack.moves);
            self.sources.list(&site, &worker.slots.order, &mut worker.stack.moves);
            match self.standing.judge(self, worker, &site, first, window)? {
                Verdict::Stands => standing = Some(site.standing),
                // A pass proves no win.
                Verdict::Worth(value) => standing = Some(value.clamp_estimate()),
                Verdict::Refused { value, hunt, guess } => {
                    (best, below.hunt) = (value, hunt);
                    lost = (value.is_loss() && !guess).then(Vec::new);
                }
            }
            best = standing.unwrap_or(best);
            if best >= window.beta {
                worker.stack.truncate(first);
                return Ok(best);
            }
            alpha = alpha.max(best);
            retain_from(&mut worker.stack.moves, first, |kept, mv| !kept.contains(&mv));
        }

        rank(worker, position, in_check, window, ply, first);
        worker.slots.draws.push(position);
        let mut tried = 0;
        loop {
            let Some(Picked { mv, .. }) = worker.stack.pick(first) else {
                let Some(lost) = lost.take().filter(|_| best.is_loss()) else { break };
                // No loss is proven before every move has been tried.
                position.moves(&mut worker.stack.moves);
                retain_from(&mut worker.stack.moves, first, |_, mv| !lost.contains(&mv));
                rank(worker, position, in_check, window, ply, first);
                continue;
            };
            tried += 1;
            if let Some(lost) = &mut lost {
                lost.push(mv);
            }
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
            worker.descend::<N>(position, mv, &child, ply);
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
        worker.stack.truncate(first);
        Ok(best)
    }
}

/// Ranks the moves listed from `first` on: noisy moves by their gain, others by the slot `Order`.
fn rank<G: Noisy, R: Recipe<G>>(
    worker: &mut Worker<'_, G, R>,
    position: &G,
    in_check: bool,
    window: Window,
    ply: usize,
    first: usize,
) {
    let node = Node::past_the_horizon(position, window, ply, worker.previous(ply), false);
    let order = &worker.slots.order;
    worker.stack.rank(first, |mv| match !in_check && position.is_noisy(mv) {
        true => rank::WINNING + position.noisy_rank(mv),
        false => order.rank(&node, mv, order.facts(position, mv)),
    });
}
