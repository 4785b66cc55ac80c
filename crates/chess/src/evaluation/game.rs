//! The evaluation as the search uses it.

use super::{Evaluator, Kind};
use crate::Position;
use crate::threats::unclear;
use cassius_search::alpha_beta::options::{Clues, OptionNetwork};
use cassius_search::game::Repeats;
use cassius_search::{Depth, Evaluate, Score};
use std::sync::LazyLock;

/// Estimates how many options a position has. Learned by `cassius lab options`.
static OPTIONS: LazyLock<OptionNetwork> =
    LazyLock::new(|| include_str!("options.txt").parse().expect("a network: a test reads it"));

impl Evaluate<Position> for Evaluator {
    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let key = position.repetition_key();
        let ply = position.plies() as usize;
        Score(self.recall(key, position, position.turn(), position.halfmoves(), ply))
    }

    /// Returns `None`, which asks for a deeper search, where two or more things are unclear: a check, a
    /// hung piece, a threat to promote or to mate.
    fn judge(&mut self, position: &Position, _: Depth) -> Option<Score> {
        (unclear(position) < 2).then(|| Evaluate::evaluate(self, position))
    }

    /// The estimate was learned with the values of the built-in network, and is made for any network.
    fn options(&mut self, clues: &Clues) -> Option<usize> {
        matches!(self.kind, Kind::Network(_)).then(|| OPTIONS.options(clues))
    }

    #[inline]
    fn prefetch(&self, position: &Position) {
        self.memo.prefetch(position.repetition_key());
        match &self.kind {
            Kind::Classical(classical) => classical.prefetch(&position.into()),
            Kind::Network(network) => network.prefetch(&position.into()),
        }
    }

    /// Whether the position can be judged: not in check.
    #[inline]
    fn judges(&self, position: &Position) -> bool {
        position.checkers().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_is_a_network() {
        assert_ne!(*OPTIONS, OptionNetwork::default());
        // Nothing is known of the moves.
        let unknown = |moves: f32| {
            let mut clues = Clues([0.0; Clues::COUNT]);
            clues.0[5] = moves / 32.0;
            clues.0[14..16].copy_from_slice(&[-2.0, 2.0]);
            clues.0[19..24].copy_from_slice(&[-2.0, -2.0, -2.0, 1.0, 1.0]);
            clues.0[25] = moves / 8.0;
            clues
        };
        // Far above the bar, even after a pass, with many moves; and at the bar, in check, with two moves.
        let (mut many, mut few) = (unknown(32.0), unknown(2.0));
        [0, 1, 2, 3, 10, 13].into_iter().for_each(|clue| many.0[clue] = 2.0);
        [2, 3, 13].into_iter().for_each(|clue| few.0[clue] = -2.0);
        few.0[4..7].copy_from_slice(&[1.0, 2.0 / 32.0, 2.0 / 8.0]);
        let [many, few] = [many, few].map(|clues| OPTIONS.options(&clues));
        assert!(many > few + 2, "{many} {few}");
    }
}
