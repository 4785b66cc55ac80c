//! Values as players write them.

use cassius_search::Score;
use std::fmt;

/// A score in the usual notation: `+0.31` in pawns, `#3` for a mate in three moves, `#-2` for being
/// mated in two, and `won` or `lost` where an endgame table knows only the result.
///
/// ```
/// use cassius_chess::notation::Pawns;
/// use cassius_search::Score;
///
/// assert_eq!(Pawns(Score(31)).to_string(), "+0.31");
/// assert_eq!(Pawns(Score::win_in(5)).to_string(), "#3");
/// assert_eq!(Pawns(-Score::win_in(5)).to_string(), "#-3");
/// assert_eq!(Pawns(-Score::KNOWN_WIN).to_string(), "lost");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pawns(pub Score);

impl fmt::Display for Pawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pawns(score) = *self;
        match moves_to_mate(score) {
            Some(moves) => write!(f, "#{moves}"),
            None if score.is_decided() => f.write_str(if score > Score::DRAW { "won" } else { "lost" }),
            None => write!(f, "{:+.2}", f64::from(score.0) / 100.0),
        }
    }
}

/// Returns the number of moves until a side is mated, negative if it is the side whose score this is.
///
/// ```
/// use cassius_chess::notation::moves_to_mate;
/// use cassius_search::Score;
///
/// assert_eq!(moves_to_mate(Score::win_in(3)), Some(2));
/// assert_eq!(moves_to_mate(Score::loss_in(4)), Some(-2));
/// assert_eq!(moves_to_mate(Score(900)), None);
/// ```
pub fn moves_to_mate(score: Score) -> Option<i32> {
    // The side to move wins in an odd number of plies and loses in an even one.
    let moves = score.plies_to_end()?.div_ceil(2) as i32;
    Some(if score > Score::DRAW { moves } else { -moves })
}
