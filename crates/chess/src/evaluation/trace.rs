//! How the evaluation reads its weights, so that a tuner can look over its shoulder.
//!
//! Every weight is read through [`Trace::take`]. In play the trace is
//! [`NoTrace`] and the call compiles to a table look-up; in tuning the trace
//! notes how often each weight counted, and for whom. One source therefore
//! serves both, and a term that the engine plays cannot be missed by the tuner.

use super::Tapered;
use shakmaty::Color;

/// A named group of weights: a table of tapered values.
#[derive(Debug)]
pub struct Term<const N: usize> {
    /// The number of the first weight in the list of all weights.
    pub first: usize,
    /// The weights of the group.
    pub values: [Tapered; N],
}

/// What the list of all groups says about one of them.
#[derive(Clone, Copy, Debug)]
pub struct TermInfo {
    /// The name of the group, as in the source.
    pub name: &'static str,
    /// The number of its first weight.
    pub first: usize,
    /// Its weights.
    pub values: &'static [Tapered],
}

/// Where a weight counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Account {
    /// In favour of a side.
    Side(Color),
    /// Towards the danger that the king *of this side* is in. Danger becomes
    /// a penalty by [`super::king::penalty`], which is not linear.
    Danger(Color),
    /// Towards the complexity of the position, in favour of whoever stands
    /// better in the endgame. Only the endgame half counts.
    Complexity,
}

/// An observer of the weights that an evaluation uses.
pub trait Trace {
    /// Whether to compute also what only other weights would need: the scale of
    /// the endgame in favour of the side that stands worse.
    const COMPLETE: bool = true;

    /// The weight with number `weight` counted `count` times.
    fn record(&mut self, account: Account, weight: usize, count: i32);

    /// What was recorded on this account does not count after all: too few attack the king.
    #[inline(always)]
    fn discard(&mut self, _: Account) {}

    /// Weight `index` of `term`, `count` times.
    #[inline(always)]
    fn take<const N: usize>(
        &mut self,
        account: Account,
        term: &Term<N>,
        index: usize,
        count: i32,
    ) -> Tapered {
        self.record(account, term.first + index, count);
        term.values[index] * count
    }

    /// Weight `index` of `term`, once.
    #[inline(always)]
    fn one<const N: usize>(&mut self, account: Account, term: &Term<N>, index: usize) -> Tapered {
        self.record(account, term.first + index, 1);
        term.values[index]
    }
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTrace;

impl Trace for NoTrace {
    const COMPLETE: bool = false;

    #[inline(always)]
    fn record(&mut self, _: Account, _: usize, _: i32) {}
}
