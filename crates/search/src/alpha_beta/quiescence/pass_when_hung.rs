//! Replaces the static value by that of a pass where hung material cannot be saved.
//!
//! The static value counts a piece that is about to be lost. If the piece can be neither moved to safety
//! nor guarded, and no other move is selected, the side to move passes and lets the other side take it.
//! The position may then be quiet.
//!
//! *Reference:* Kaindl 1983, §II: the null move to achieve a dynamic value.
//! *Deviations:* a noisy move counts as selected unless it loses an exchange and such moves are pruned.
//! It applies only within a number of plies beyond the horizon, and never after a pass.
//! *Soundness:* a guess: the best move may achieve more than a pass.
//! *Worth:* figures in results/ablation.md.

use super::{Site, Source, Standing, Trail, Verdict, Widened};
use crate::alpha_beta::Worker;
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::observe::Observe;
use crate::alpha_beta::{Recipe, Scout};
use crate::game::{Checks, Hung, Pass};
use crate::limits::Stopped;
use crate::score::Score;
use crate::window::Window;

crate::component! {
    /// Passes where hung material cannot be saved and nothing else is selected.
    pub struct PassWhenHung {
        /// How far beyond the horizon.
        plies: 2 in 0..=20 "plies",
    }
}

impl<G: Hung + Checks + Pass> Standing<G> for PassWhenHung {
    fn judge<R: Recipe<G>, S: Source<G>, T: Standing<G>>(
        &self,
        whole: &Widened<S, T>,
        worker: &mut Worker<'_, G, R>,
        site: &Site<'_, G>,
        first: usize,
        window: Window,
    ) -> Result<Verdict, Stopped> {
        let Site { position, ply, trail, .. } = *site;
        let selected =
            |mv: &G::Move| whole.captures.exchange == 0 || position.exchange_at_least(*mv, Score::DRAW);
        if trail.depth >= self.plies as usize
            || trail.passed
            || !position.may_pass()
            || worker.stack.moves[first..].iter().any(selected)
        {
            return Ok(Verdict::Stands);
        }
        let last = worker.stack.moves.len();
        let is_hung = position.saving_moves(&mut worker.stack.moves);
        let is_saved = worker.stack.moves.len() > last;
        worker.stack.moves.truncate(last);
        if !is_hung || is_saved {
            return Ok(Verdict::Stands);
        }
        let mut child = position.clone();
        child.pass();
        worker.count(ply + 1)?;
        worker.descend_by_pass(position, &child, ply);
        worker.slots.observe.enter(&child, window.flip(), ply + 1);
        let below = Trail { depth: trail.depth + 1, passed: true, hunt: 0, ..trail };
        let value = -whole.search::<G, R, Scout>(worker, &child, window.flip(), ply + 1, below)?;
        worker.slots.observe.leave(-value, ply + 1);
        worker.slots.draws.pop();
        Ok(Verdict::Worth(value))
    }
}
