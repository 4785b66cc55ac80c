//! How likely a value is to move: the fewer moves hold it, for either side, the likelier.
//!
//! The chance is that of a logistic model of four numbers: the logarithms of how many moves hold, for the
//! side to move and for the other side after the best move, and of the nodes searched, and whether one side
//! is ahead without being close to winning. It was fitted to values of our own search with the built-in
//! network, and says nothing of those of others.
//!
//! *Reference:* McAllester 1988, §1: a value that few leaves can change together is likely to change.
//! *Deviation:* moves at two nodes are counted, not leaves of the tree, and the chance is measured:
//! `cassius lab run moving-values`.

use crate::Judged;
use cassius_search::Score;

/// A value moves if its win probability changes by more than this.
pub const MOVE: f64 = 0.05;

/// Searched this many times as long.
pub const LATER: u64 = 4;

/// The constant of the model, and the weight of each of the [`features`].
pub const FITTED: [f64; 5] = [-1.57, -0.33, -0.40, -0.42, 0.77];

/// Returns what the movement is foretold by: the logarithms of the moves that hold for either side and of the
/// nodes, and how open the result is, 1 where the win probability is a quarter or three quarters, 0 where it
/// is ½, 0 or 1.
pub fn features(holding: [usize; 2], nodes: u64, chance: f64) -> [f64; 4] {
    let [own, other] = holding.map(|moves| (moves as f64 + 0.5).ln());
    let ahead = (chance - 0.5).abs();
    let open = 16.0 * ahead * (0.5 - ahead);
    [own, other, (nodes.max(1) as f64 / 100_000.0).ln(), open]
}

/// Returns the chance that the value moves by more than [`MOVE`] if it is searched [`LATER`] times as long.
/// `own` are the findings for the side to move, `other` those after its best move, both with this many
/// nodes. Returns `None` if the value is proven: it does not move.
pub fn chance_to_move(own: &Judged, other: &Judged, nodes: u64) -> Option<f64> {
    if own.value.score.abs() >= Score::KNOWN_WIN.0 {
        return None;
    }
    let features = features([own.room.holding, other.room.holding], nodes, own.value.chance);
    let [constant, weights @ ..] = FITTED;
    let z: f64 = features.iter().zip(weights).map(|(of, weight)| of * weight).sum();
    Some(1.0 / (1.0 + (-constant - z).exp()))
}

#[cfg(test)]
mod tests {
    use crate::{Analyst, Effort, explain};

    #[test]
    fn a_value_that_hangs_on_one_move_is_likelier_to_move() {
        let effort = Effort { nodes: 20_000, plan_nodes: 0, ..Effort::default() };
        let mut analyst = Analyst::new(effort, 4).unwrap();
        let mut moves = |fen: &str| {
            explain(&mut analyst, &fen.parse().unwrap(), &[]).unwrap().expect("not over").movement
        };
        let start = moves("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
        let sharp = moves("r1bq1b1r/ppp3pp/2n1k3/3np3/2B5/5Q2/PPPP1PPP/RNB1K2R w KQ - 2 8").unwrap();
        assert!(0.0 < start && 1.3 * start < sharp && sharp < 1.0, "{start} {sharp}");
        // A mate does not move.
        assert_eq!(moves("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1"), None);
    }
}
