//! Reverse futility pruning: a node fails high if its static value is far above β.
//!
//! *Reference:* static null move pruning; the mirror image of futility pruning (Schaeffer 1986, Heinz
//! 1998).
//! *Deviations:* with `blend` the value returned lies between β and the static value ("fail-middle",
//! Stockfish since 2023).
//! *Soundness:* may change the value.
//! *Worth:* figures in results/ablation.md.

use crate::alpha_beta::Node;
use crate::alpha_beta::selectivity::Prune;
use crate::depth::Depth;
use crate::game::Checks;
use crate::score::Score;

crate::component! {
    /// Fails high if the static value exceeds β by a margin that grows with depth.
    pub struct ReverseFutility {
        /// Greatest depth at which it is tried.
        max_depth: 8 in 0..=20 "plies",
        /// Margin a ply; the whole is never less than 20.
        margin: 75 in 0..=400 "evaluation units",
        /// What an improving static value takes off the margin.
        improving: 70 in 0..=400 "evaluation units",
        /// How much of what the static value exceeds β by is taken off the value returned.
        blend: 0 in 0..=100 "hundredths",
    }
}

impl<G: Checks> Prune<G> for ReverseFutility {
    #[inline]
    fn prune(&self, node: &Node<'_, G>) -> Option<Score> {
        let beta = node.window.beta;
        if node.fail_high_depth > Depth::plies(self.max_depth)
            || beta.is_decided()
            || node.static_eval.is_decided()
        {
            return None;
        }
        let plies = node.fail_high_depth.whole_plies().max(1);
        let margin = Score(self.margin * plies - if node.improving { self.improving } else { 0 });
        let surplus = node.static_eval - beta;
        (surplus >= margin.max(Score(20)) && !node.position.in_check())
            .then(|| node.static_eval - Score(surplus.0 * self.blend / 100))
    }
}
