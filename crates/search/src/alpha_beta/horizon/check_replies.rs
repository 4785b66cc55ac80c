//! Replies to checks cost less depth than other moves, or none.
//!
//! *Reference:* Kaindl 1983, §III: replies to checks are not counted, since they are forced. This
//! applies only where an optimistic estimate exceeds what the side to move already has, because other
//! lines cannot help it.
//! *Deviations:* a reply may also cost a fraction of a ply. The estimate is the static value plus
//! `margin`. At its maximum the margin admits every reply, and no static value is then computed. A reply
//! that gives check itself is counted.
//! *Soundness:* a depth rule. A check costs a ply, so that a line is at most twice as long as without
//! it. With `cost` = 100 the inner rule is unchanged.
//! *Worth:* figures in results/ablation.md.

use super::{Discount, Step};
use crate::depth::Depth;
use crate::game::{Checks, Evaluate};
use crate::score::Score;

crate::component! {
    /// Cheaper replies to checks.
    pub struct CheckReplies {
        /// What a reply costs.
        cost: 0 in 0..=100 "hundredths of a ply",
        /// A reply is cheaper only if the static value and this much exceed α.
        margin: 30000 in 0..=30000 "evaluation units",
    }
    state {
        /// Optimistic estimates of the nodes on the line.
        hopes: Vec<Score> = Vec::new(),
    }
}

impl<G: Checks> Discount<G> for CheckReplies {
    type Note = ();

    fn start(&mut self) {
        self.hopes.clear();
    }

    fn enter(&mut self, position: &G, evaluate: &mut impl Evaluate<G>) {
        let asks = self.margin < 30_000 && position.in_check();
        self.hopes.push(if asks {
            evaluate.evaluate(position) + Score(self.margin)
        } else {
            Score::INFINITE
        });
    }

    fn leave(&mut self) {
        self.hopes.pop();
    }

    #[inline]
    fn discount(&mut self, (): (), step: &Step<'_, G>) -> (Depth, ()) {
        let hopeful = || self.hopes.last().is_some_and(|&hope| hope > step.window.alpha);
        let reply = step.position.in_check() && !step.child.in_check();
        let discount = match reply && hopeful() {
            true => Depth((100 - self.cost) * Depth::PLY.0 / 100),
            false => Depth::ZERO,
        };
        (discount, ())
    }
}
