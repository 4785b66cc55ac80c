//! Integer scores with reserved proven ranges.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// A value for the side to move.
///
/// There are four ranges, from the middle outwards:
/// * estimates, `-29_000 < s < 29_000`, in the unit of the evaluation (centipawns in chess);
/// * proven wins and losses of unknown length, about [`Score::KNOWN_WIN`]: of endgame tables, proof numbers
///   and Monte Carlo. [`is_win`](Score::is_win) is false of them, [`is_decided`](Score::is_decided) true;
/// * proven wins and losses: [`Score::win_in`]`(n)` is `32_000 - n`, a win `n` plies from the root, and
///   those in more than 999 plies count as in 999;
/// * [`Score::INFINITE`], beyond every value, for open windows.
///
/// ```
/// use cassius_search::Score;
/// assert!(Score::win_in(3) > Score::win_in(5));
/// assert_eq!(-Score::win_in(3), Score::loss_in(3));
/// assert_eq!(Score::loss_in(4).plies_to_end(), Some(4));
/// assert!(Score::win_in(100_000).is_win() && Score::win_in(999).at_root(2).is_win());
/// assert_eq!(Score(35).plies_to_end(), None);
/// assert_eq!(format!("{:?}, {:?}", Score::loss_in(4), Score::KNOWN_WIN), "loss in 4, win");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Score(pub i32);

impl Score {
    /// A drawn game.
    pub const DRAW: Score = Score(0);
    /// Above every value; `-INFINITE` is below every value.
    pub const INFINITE: Score = Score(32_001);
    /// A game won at the root.
    pub const WIN: Score = Score(32_000);
    /// The largest estimate: evaluations stay within `±MAX_ESTIMATE`.
    pub const MAX_ESTIMATE: Score = Score(28_999);
    /// A win known from what does not give the number of plies, such as an endgame table or a proof. The ply
    /// is subtracted.
    pub const KNOWN_WIN: Score = Score(30_000);

    const PROVEN: i32 = 31_000;

    /// Most plies that a win or a loss of known length can be away.
    const LONGEST: usize = 999;

    /// Returns the score of a win `plies` plies from the root, of more than 999 that of 999.
    pub const fn win_in(plies: usize) -> Score {
        Score(Self::WIN.0 - if plies < Self::LONGEST { plies } else { Self::LONGEST } as i32)
    }

    /// Returns the score of a loss `plies` plies from the root, of more than 999 that of 999.
    pub const fn loss_in(plies: usize) -> Score {
        Score(-Self::win_in(plies).0)
    }

    /// Whether this is a win of known length (not merely [`Score::KNOWN_WIN`]).
    pub const fn is_win(self) -> bool {
        self.0 >= Self::PROVEN && self.0 <= Self::WIN.0
    }

    /// Whether this is a loss of known length.
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::PROVEN && self.0 >= -Self::WIN.0
    }

    /// Whether this is a proven win or loss, of known or unknown length, and not an estimate.
    pub const fn is_decided(self) -> bool {
        self.0.abs() > Self::MAX_ESTIMATE.0
    }

    /// For a win or loss of known length, returns the number of plies from the root to the end of the
    /// game; 999 if it is that or more.
    pub const fn plies_to_end(self) -> Option<usize> {
        if self.is_win() || self.is_loss() { Some((Self::WIN.0 - self.0.abs()) as usize) } else { None }
    }

    /// Converts a score that counts plies from the root into one that counts them from a node `ply` plies
    /// below. A transposition table stores scores in this form.
    ///
    /// ```
    /// use cassius_search::Score;
    /// assert_eq!(Score::win_in(5).at_node(2), Score::win_in(3)); // the same end, two plies nearer
    /// assert_eq!(Score::win_in(3).at_root(2), Score::win_in(5));
    /// assert_eq!(Score(35).at_node(2), Score(35));
    /// ```
    pub const fn at_node(self, ply: usize) -> Score {
        if self.0 > Self::MAX_ESTIMATE.0 {
            Score(self.0 + ply as i32)
        } else if self.0 < -Self::MAX_ESTIMATE.0 {
            Score(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// Converts a score that counts plies from a node `ply` plies below the root into one that counts them
    /// from the root: the inverse of [`Score::at_node`].
    pub const fn at_root(self, ply: usize) -> Score {
        if self.is_win() || self.is_loss() {
            let plies = (Self::WIN.0 - self.0.abs()) as usize + ply;
            if self.0 > 0 { Self::win_in(plies) } else { Self::loss_in(plies) }
        } else if self.0 > Self::MAX_ESTIMATE.0 {
            Score(self.0 - ply as i32)
        } else if self.0 < -Self::MAX_ESTIMATE.0 {
            Score(self.0 + ply as i32)
        } else {
            self
        }
    }

    /// Returns the nearest estimate. This keeps an evaluation out of the proven ranges.
    pub fn clamp_estimate(self) -> Score {
        Score(self.0.clamp(-Self::MAX_ESTIMATE.0, Self::MAX_ESTIMATE.0))
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add for Score {
    type Output = Score;
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Score;
    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        self.0 += other.0;
    }
}

impl SubAssign for Score {
    fn sub_assign(&mut self, other: Score) {
        self.0 -= other.0;
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            _ if *self >= Score::INFINITE => f.write_str("+inf"),
            _ if *self <= -Score::INFINITE => f.write_str("-inf"),
            Some(plies) if self.is_win() => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {plies}"),
            None if self.is_decided() => f.write_str(if self.0 > 0 { "win" } else { "loss" }),
            None => write!(f, "{}", self.0),
        }
    }
}
