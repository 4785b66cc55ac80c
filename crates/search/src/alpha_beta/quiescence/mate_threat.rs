//! Refuses the static value where the other side threatens to mate.
//!
//! If a cheap test says that the other side may threaten mate, the side to move passes and the other
//! side searches for a mate by checks. If it finds one, counter-moves are tried, and after each of them
//! the same mate is searched for again. If none helps, every other move is tried, too (`every_move`).
//!
//! *Reference:* Kaindl 1983, §II and §III: threats of mate, the refusal of the static value, and every
//! check if mate actually threatens.
//! *Deviations:* `every_move`; the paper tries counter-moves only. It leaves open the number of checks and
//! how far beyond the horizon it applies.
//! *Soundness:* with `every_move` a lost game is lost, but the mate may be longer or shorter. Without it, as
//! in the paper, the claimed mate may not exist. Where a selected move helps, the others are not tried, and
//! one of them may be better.
//! *Worth:* figures in results/ablation.md.

use super::hunt::hunt;
use super::{Site, Source, Standing, Verdict, Widened, list_quiet};
use crate::alpha_beta::Worker;
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::observe::Observe;
use crate::alpha_beta::{Recipe, Scout};
use crate::game::{Threat, Threats};
use crate::limits::Stopped;
use crate::window::Window;

crate::component! {
    /// Looks for mates that the other side threatens.
    pub struct MateThreat {
        /// Most checks with which they are looked for, the last included.
        checks: 2 in 1..=4 "checks",
        /// How far beyond the horizon.
        plies: 3 in 0..=20 "plies",
        /// Whether every check is tried against them, whatever it loses: 1 yes, 0 no.
        every_check: 1 in 0..=1 "0 or 1",
        /// Whether every other move is tried before the game counts as lost: 1 yes, 0 no, as in the paper.
        every_move: 1 in 0..=1 "0 or 1",
    }
}

impl<G: Threats> Standing<G> for MateThreat {
    fn judge<R: Recipe<G>, S: Source<G>, T: Standing<G>>(
        &self,
        _: &Widened<S, T>,
        worker: &mut Worker<'_, G, R>,
        site: &Site<'_, G>,
        _: usize,
        window: Window,
    ) -> Result<Verdict, Stopped> {
        let Site { position, ply, trail, .. } = *site;
        if trail.depth >= self.plies as usize || trail.passed || !position.may_threaten(Threat::Mate) {
            return Ok(Verdict::Stands);
        }
        let checks = self.checks as usize;
        let mut passed = position.clone();
        passed.pass();
        worker.count(ply + 1)?;
        worker.descend_by_pass(position, &passed, ply);
        worker.slots.observe.enter(&passed, window.flip(), ply + 1);
        let value = -hunt::<G, R, Scout>(worker, &passed, ply + 1, checks)?;
        worker.slots.observe.leave(-value, ply + 1);
        worker.slots.draws.pop();
        if !value.is_loss() {
            return Ok(Verdict::Stands);
        }
        position.counter_moves(Threat::Mate, &mut worker.stack.moves);
        if self.every_check != 0 {
            list_quiet(position, &mut worker.stack.moves, |mv| position.gives_check(mv));
        }
        Ok(Verdict::Refused { value, hunt: checks, guess: self.every_move == 0 })
    }
}
