//! How far judgements can be trusted.
//!
//! The true value of a leaf is taken to have a logistic distribution on [`Scale`], whose middle and width
//! depend on what is known about the leaf. Widths shrink as a power of the effort.
//!
//! *Reference:* McAllester 1988, §3, counts the leaves that must change. Here each of them counts as much as
//! it is unlikely to change. Distributions of leaves: A. Palay, Searching with Probabilities, 1985.
//! *Soundness:* a guess about a judge, which has to be measured for each. Measured in chess, for Stockfish
//! 15.1 from 100,000 nodes on; the command and the figures are in `docs/book/src/players/study.md`.
//! *Worth:* with these widths the chances that a study gives come true (`chances.rs`).

use super::{Chances, Scale};
use crate::score::Score;

crate::component! {
    /// How wide the errors of judgements are, and what they shrink with.
    pub struct Errors {
        /// The value of a unit (centipawns in chess).
        unit: 100 in 1..=10_000 "evaluation units",
        /// The effort at which the widths below hold.
        effort: 100_000 in 1..=1_000_000_000 "nodes",
        /// The width of the error of a judged value.
        judged: 144 in 1..=3_000 "thousandths of a unit",
        /// The width of the error of a value that was taken over from the position before.
        inherited: 155 in 1..=3_000 "thousandths of a unit",
        /// By how much the other moves, if they were not judged, are worse than the best on average.
        gap: 135 in 0..=3_000 "thousandths of a unit",
        /// The width of that difference.
        others: 152 in 1..=3_000 "thousandths of a unit",
        /// The power of the effort with which all widths shrink.
        exponent: 31 in 0..=100 "hundredths",
    }
}

/// What is known about the value of a leaf.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Basis {
    /// It was judged.
    Judged,
    /// It is that of the position before it, whose best move leads here.
    Inherited,
    /// It is supposed from the value of a better move ([`Errors::others`]).
    Supposed,
    /// It is proven.
    Proven,
}

impl Errors {
    /// Returns the scale on which errors are measured.
    pub fn scale(&self) -> Scale {
        Scale { unit: self.unit as f32 }
    }

    /// Returns by what all widths are multiplied at this effort.
    pub fn shrink(&self, effort: u64) -> f32 {
        let exponent = -self.exponent as f32 / 100.0;
        ((effort.max(1) as f64 / f64::from(self.effort)) as f32).powf(exponent)
    }

    /// Returns the chances of the true value of a leaf. All widths are multiplied by `unrest`.
    pub fn chances(&self, value: Score, basis: Basis, effort: u64, unrest: f32) -> Chances {
        let place = self.scale().of(value);
        let width = |thousandths: i32| thousandths as f32 / 1000.0 * self.shrink(effort) * unrest;
        match basis {
            Basis::Proven => Chances::certain(place),
            Basis::Judged => Chances::logistic(place, width(self.judged)),
            Basis::Inherited => Chances::logistic(place, width(self.inherited)),
            Basis::Supposed => Chances::logistic(place, width(self.others)),
        }
    }

    /// Returns what the other moves are expected to be worth, if the best one has this value. If it loses,
    /// they do, too. If it wins, that says nothing of them.
    pub fn others(&self, best: Score) -> Score {
        match best.is_decided() {
            true => best.min(Score::DRAW),
            false => self.scale().score(self.scale().of(best) - self.gap as f32 / 1000.0),
        }
    }
}
