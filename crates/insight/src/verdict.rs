//! Summarises in a word how many moves of a side hold.

use cassius_chess::{Move, Position, exchange_at_least};
use cassius_search::{Checks as _, Game as _, Pass as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many moves of the side to move hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The side is lost, whatever it plays: there is nothing to hold.
    Lost,
    /// One move holds, and it has to be found.
    Only,
    /// One move holds, and it is easy to see: [`Natural`] says why.
    Natural,
    /// Two or three moves hold.
    Few,
    /// More than three moves hold, but less than half.
    Some,
    /// At least half of the moves hold.
    Free,
}

impl Verdict {
    /// Returns the verdict for `holding` of `legal` moves, which keep a win probability of at least
    /// `least`: v − δ. A value of `least` that is not positive means that there is nothing to hold.
    pub fn of(least: f64, holding: usize, legal: usize, natural: Option<Natural>) -> Verdict {
        match holding {
            _ if least <= 0.0 => Verdict::Lost,
            0 | 1 if natural.is_some() => Verdict::Natural,
            0 | 1 => Verdict::Only,
            _ if 2 * holding >= legal => Verdict::Free,
            2 | 3 => Verdict::Few,
            _ => Verdict::Some,
        }
    }
}

/// The reason why the only move that holds is easy to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Natural {
    /// There is no other legal move.
    SoleLegal,
    /// It mates at once.
    Mates,
    /// It recaptures where the other side has just captured.
    Recapture,
    /// It takes something that is not sufficiently defended, and looks best in the shallow search.
    Hanging,
    /// It is the only safe retreat of a piece that would be lost, and looks best in the shallow search.
    Retreat,
    /// For no such reason, but nearly everybody plays it: at least [`EXPECTED`] of the players rated 1500,
    /// according to the [model](crate::human).
    Expected,
}

/// The share of players rated 1500 who play a move that is [`Natural::Expected`]. Of 200 moves that are the
/// only ones that hold, a coach who saw no measure called 78 hard to find. With this share, which was chosen
/// on them, 172 of the judgements agree, without it 164; before retreats and the model counted, 159.
pub const EXPECTED: f64 = 0.90;

impl Natural {
    /// Returns the reason in words, to be put behind the move.
    pub fn reason(self) -> &'static str {
        match self {
            Natural::SoleLegal => "the only legal move",
            Natural::Mates => "which mates",
            Natural::Recapture => "a recapture",
            Natural::Hanging => "which wins material",
            Natural::Retreat => "the only safe retreat",
            Natural::Expected => "which nearly everybody plays",
        }
    }

    /// Returns the reason why `mv` is natural, if any. `before` is the position before the last move, if
    /// it is known. `favourite` states whether the move looks best in the shallow search.
    pub fn of(position: &Position, mv: Move, before: Option<&Position>, favourite: bool) -> Option<Natural> {
        if position.legal_moves().len() == 1 {
            return Some(Natural::SoleLegal);
        }
        let mut after = position.clone();
        after.play(mv);
        if after.is_checkmate() {
            return Some(Natural::Mates);
        }
        let own = position.turn();
        let pieces = |position: &Position, color| position.board().by_color(color).count();
        if pieces(&after, !own) == pieces(position, !own) {
            return (favourite && is_sole_retreat(position, mv)).then_some(Natural::Retreat);
        }
        // The last move captured something of ours, en passant included, and ended on the square where
        // this one captures.
        let took = |before: &Position| {
            let here = |position: &Position| position.board().piece_at(mv.to());
            pieces(before, own) > pieces(position, own) && here(before) != here(position)
        };
        if before.is_some_and(took) && position.board().piece_at(mv.to()).is_some() {
            return Some(Natural::Recapture);
        }
        (favourite && exchange_at_least(position, mv, 1)).then_some(Natural::Hanging)
    }
}

/// Whether the piece that `mv` moves would be lost where it stands, and no other move of it is safe.
fn is_sole_retreat(position: &Position, mv: Move) -> bool {
    if position.in_check() || position.board().pawns().contains(mv.from()) {
        return false;
    }
    let mut passed = position.clone();
    passed.pass();
    let taken = |reply: &Move| reply.to() == mv.from() && exchange_at_least(&passed, *reply, 1);
    let safe = |mv: &Move| exchange_at_least(position, *mv, 0);
    let moves = position.legal_moves();
    let mut own = moves.iter().filter(|other| other.from() == mv.from());
    passed.legal_moves().iter().any(taken) && safe(&mv) && !own.any(|other| *other != mv && safe(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn natural(fen: &str, mv: &str, favourite: bool) -> Option<Natural> {
        let position: Position = fen.parse().expect("a FEN");
        Natural::of(&position, position.parse_move(mv).expect("a move"), None, favourite)
    }

    #[test]
    fn a_sole_legal_move_is_natural() {
        assert_eq!(natural("7k/8/8/8/8/8/6q1/7K w - - 0 1", "Kxg2", false), Some(Natural::SoleLegal));
    }

    #[test]
    fn mates_are_seen() {
        let fen = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
        assert_eq!(natural(fen, "Ra8#", false), Some(Natural::Mates));
        assert_eq!(natural(fen, "Ra7", false), None);
    }

    #[test]
    fn what_hangs_is_taken() {
        let fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(natural(fen, "exd5", true), Some(Natural::Hanging));
        assert_eq!(natural(fen, "exd5", false), None);
        assert_eq!(natural(fen, "e5", true), None);
    }

    #[test]
    fn the_sole_safe_retreat_is_natural() {
        // The Ruy Lopez after 6... b5: the bishop has b3, and otherwise gives itself for a pawn.
        let ruy = "r1bqk2r/2ppbppp/p1n2n2/1p2p3/B3P3/5N2/PPPP1PPP/RNBQR1K1 w kq - 0 7";
        assert_eq!(natural(ruy, "Bb3", true), Some(Natural::Retreat));
        assert_eq!(natural(ruy, "Bb3", false), None);
        assert_eq!(natural(ruy, "Nc3", true), None);
        // Not attacked, and with two retreats.
        let free = "4k3/8/8/8/8/8/8/B3K3 w - - 0 1";
        assert_eq!(natural(free, "Be5", true), None);
        let attacked = "4k3/8/8/1p6/2B5/8/8/4K3 w - - 0 1";
        assert_eq!(natural(attacked, "Bb3", true), None);
    }

    #[test]
    fn a_recapture_is_natural() {
        let before: Position = "4k3/8/2p5/3P4/4P3/8/8/4K3 b - - 0 1".parse().expect("a FEN");
        let mut position = before.clone();
        position.play(before.parse_move("cxd5").expect("legal"));
        let mv = position.parse_move("exd5").expect("legal");
        assert_eq!(Natural::of(&position, mv, Some(&before), false), Some(Natural::Recapture));
        assert_eq!(Natural::of(&position, mv, None, false), None);
    }

    #[test]
    fn en_passant_takes_too() {
        let before: Position = "4k3/8/8/8/3Pp3/8/2B5/4K3 b - d3 0 1".parse().expect("a FEN");
        let mut position = before.clone();
        position.play(before.parse_move("exd3").expect("legal"));
        let mv = position.parse_move("Bxd3").expect("legal");
        assert_eq!(Natural::of(&position, mv, Some(&before), false), Some(Natural::Recapture));
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        assert_eq!(natural(fen, "exd6", true), Some(Natural::Hanging));
    }

    #[test]
    fn verdicts_go_by_what_holds() {
        assert_eq!(Verdict::of(-0.02, 30, 30, None), Verdict::Lost);
        assert_eq!(Verdict::of(0.5, 1, 30, None), Verdict::Only);
        assert_eq!(Verdict::of(0.5, 1, 30, Some(Natural::Recapture)), Verdict::Natural);
        assert_eq!(Verdict::of(0.5, 3, 30, None), Verdict::Few);
        assert_eq!(Verdict::of(0.5, 4, 30, None), Verdict::Some);
        assert_eq!(Verdict::of(0.5, 15, 30, None), Verdict::Free);
        assert_eq!(Verdict::of(0.5, 2, 3, None), Verdict::Free);
    }
}
