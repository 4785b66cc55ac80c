//! Refuses the static value where the other side threatens to promote.
//!
//! If a cheap test says that the other side may threaten to promote, the side to move passes and the
//! other side may only promote. If the result is worse than standing pat by at least a margin, the
//! threat is real. Counter-moves are then tried. If none helps, the value after the promotion is the
//! value of the node.
//!
//! *Reference:* Kaindl 1983, §II: threats of promotion, the refusal of the static value.
//! *Deviations:* the paper leaves open the margin and how far beyond the horizon it applies.
//! *Soundness:* a guess: a move that is not tried might help.
//! *Worth:* figures in results/ablation.md.

use super::{Site, Source, Standing, Trail, Verdict, Widened, retain_from};
use crate::alpha_beta::Worker;
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::observe::Observe;
use crate::alpha_beta::{Recipe, Scout};
use crate::game::{Threat, Threats};
use crate::limits::Stopped;
use crate::score::Score;
use crate::window::Window;

crate::component! {
    /// Looks for promotions that the other side threatens.
    pub struct PromotionThreat {
        /// What the promotion must gain to be a threat.
        margin: 100 in 1..=2000 "evaluation units",
        /// How far beyond the horizon.
        plies: 2 in 0..=20 "plies",
    }
}

impl<G: Threats> Standing<G> for PromotionThreat {
    fn judge<R: Recipe<G>, S: Source<G>, T: Standing<G>>(
        &self,
        whole: &Widened<S, T>,
        worker: &mut Worker<'_, G, R>,
        site: &Site<'_, G>,
        _: usize,
        window: Window,
    ) -> Result<Verdict, Stopped> {
        let Site { position, ply, trail, standing } = *site;
        if trail.depth >= self.plies as usize || trail.passed || !position.may_threaten(Threat::Promotion) {
            return Ok(Verdict::Stands);
        }
        let mut passed = position.clone();
        passed.pass();
        let first = worker.stack.moves.len();
        passed.noisy_moves(&mut worker.stack.moves);
        retain_from(&mut worker.stack.moves, first, |_, mv| passed.promotes(mv));

        // The window only has to show whether the threat is real and, if so, how its value compares with
        // α and β.
        let real = standing - Score(self.margin);
        let seen = Window::new(window.alpha.min(real), real + Score(1));
        let mut value = Score::INFINITE;
        worker.count(ply + 1)?;
        worker.descend_by_pass(position, &passed, ply);
        worker.slots.observe.enter(&passed, seen.flip(), ply + 1);
        worker.slots.draws.push(&passed);
        for index in first..worker.stack.moves.len() {
            let mv = worker.stack.moves[index];
            let mut child = passed.clone();
            child.play(mv);
            worker.count(ply + 2)?;
            worker.descend::<Scout>(&passed, mv, &child, ply + 1);
            worker.slots.observe.enter(&child, seen, ply + 2);
            let below = Trail { depth: trail.depth + 2, passed: false, hunt: 0, ..trail };
            let left = whole.search::<G, R, Scout>(worker, &child, seen, ply + 2, below)?;
            worker.slots.observe.leave(left, ply + 2);
            value = value.min(left);
        }
        worker.slots.draws.pop();
        worker.slots.observe.leave(-value, ply + 1);
        worker.slots.draws.pop();
        worker.stack.truncate(first);
        if value > real {
            return Ok(Verdict::Stands);
        }
        position.counter_moves(Threat::Promotion, &mut worker.stack.moves);
        Ok(Verdict::Refused { value, hunt: 0, guess: false })
    }
}
