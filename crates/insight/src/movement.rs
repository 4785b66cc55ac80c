//! How likely a value is to move: the fewer moves hold it, for either side, the likelier.
//!
//! The chance is that of a logistic model of four numbers: the logarithms of how many moves hold, for the
//! side to move and for the other side after the best move, and of the nodes, and whether one side is ahead
//! without being close to winning. It was fitted to values of our own search with the built-in network and
//! without endgame tables, and says nothing of others.
//!
//! *Reference:* McAllester 1988, §1: a value that few leaves can change together is likely to change.
//! *Deviation:* moves at two nodes are counted, not leaves of the tree, and the chance is measured:
//! `cassius lab run moving-values`.

use crate::Judged;
use cassius_search::Score;
use std::ops::RangeInclusive;

/// A value moves if its win probability changes by more than this.
pub const MOVE: f64 = 0.05;

/// The search that may move it has this many times the nodes of the one that found it.
pub const LATER: u64 = 12;

/// For how many nodes ([`Effort::nodes`](crate::Effort::nodes)) this was measured.
pub const MEASURED: RangeInclusive<u64> = 20_000..=1_000_000;

/// The constant of the model, and the weight of each of the [`features`].
pub const FITTED: [f64; 5] = [-1.55, -0.34, -0.39, -0.41, 0.74];

/// Returns what the movement is predicted by: the logarithms of the moves that hold for either side and of
/// the nodes, and how open the result is, 1 where the win probability is a quarter or three quarters, 0
/// where it is ½, 0 or 1.
pub fn features(holding: [usize; 2], nodes: u64, chance: f64) -> [f64; 4] {
    let [own, other] = holding.map(|moves| (moves as f64 + 0.5).ln());
    let ahead = (chance - 0.5).abs();
    let open = 16.0 * ahead * (0.5 - ahead);
    [own, other, (nodes.max(1) as f64 / 100_000.0).ln(), open]
}

/// Returns the chance that the value moves by more than [`MOVE`] in a search with [`LATER`] times the nodes.
/// `own` are the findings for the side to move, `other` those after its best move, both with this many
/// nodes. Returns `None` if the value is proven: it does not move. Returns `None` for numbers of nodes that
/// were not [measured](MEASURED), too.
pub fn chance_to_move(own: &Judged, other: &Judged, nodes: u64) -> Option<f64> {
    if own.value.score.abs() >= Score::KNOWN_WIN.0 || !MEASURED.contains(&nodes) {
        return None;
    }
    let features = features([own.room.holding, other.room.holding], nodes, own.value.chance);
    let [constant, weights @ ..] = FITTED;
    let z: f64 = features.iter().zip(weights).map(|(of, weight)| of * weight).sum();
    Some(1.0 / (1.0 + (-constant - z).exp()))
}

#[cfg(test)]
mod tests {
    use super::MEASURED;
    use crate::{Analyst, Asked, Effort, Found, Held, Judge, JudgeError, Own, explain};
    use cassius_chess::Move;
    use cassius_chess::evaluation::Evaluation;
    use cassius_search::Score;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const EFFORT: Effort = Effort {
        nodes: 20_000,
        shallow: 2,
        delta: 0.1,
        plan_nodes: 0,
        plan_depth: cassius_search::Depth(0),
        practical: 0,
    };

    fn movement(analyst: &mut Analyst, fen: &str) -> Option<f64> {
        explain(analyst, &fen.parse().unwrap(), &[]).unwrap().expect("not over").movement
    }

    #[test]
    fn a_value_that_hangs_on_one_move_is_likelier_to_move() {
        let mut analyst = Analyst::new(EFFORT, 4).unwrap();
        let start = movement(&mut analyst, START).unwrap();
        let sharp = "r1bq1b1r/ppp3pp/2n1k3/3np3/2B5/5Q2/PPPP1PPP/RNB1K2R w KQ - 2 8";
        let sharp = movement(&mut analyst, sharp).unwrap();
        assert!(0.0 < start && 1.3 * start < sharp && sharp < 1.0, "{start} {sharp}");
    }

    /// A judge that has no more than the name of our own search.
    struct Another(Own);

    impl Judge for Another {
        fn name(&self) -> String {
            self.0.name()
        }
        fn value(
            &mut self,
            asked: Asked<'_>,
            moves: &[Move],
            iterations: usize,
            nodes: u64,
        ) -> Result<Option<Found>, JudgeError> {
            self.0.value(asked, moves, iterations, nodes)
        }
        fn hold(
            &mut self,
            asked: Asked<'_>,
            moves: &[Move],
            least: Score,
            iterations: usize,
            nodes: u64,
        ) -> Result<(Vec<Held>, u64), JudgeError> {
            self.0.hold(asked, moves, least, iterations, nodes)
        }
        fn forget(&mut self) {
            self.0.forget();
        }
    }

    #[test]
    fn nothing_is_said_of_what_was_not_measured() {
        let mut analyst = Analyst::new(EFFORT, 4).unwrap();
        // A mate does not move.
        assert_eq!(movement(&mut analyst, "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1"), None);
        analyst.set_effort(Effort { nodes: MEASURED.start() - 1, ..EFFORT });
        assert_eq!(movement(&mut analyst, START), None);
        let mut classical = Analyst::with_evaluation(EFFORT, 4, Evaluation::Classical).unwrap();
        assert_eq!(movement(&mut classical, START), None);
        let another = Another(Own::try_from(4).unwrap());
        let mut another = Analyst::with_judge(EFFORT, Box::new(another)).unwrap();
        assert_eq!(movement(&mut another, START), None);
    }
}
