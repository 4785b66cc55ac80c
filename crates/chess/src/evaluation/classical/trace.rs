//! How the evaluation reads its weights, so that a tuner can observe it.
//!
//! Every weight is read through [`Trace::take`]. In play the trace is [`NoTrace`] and the call compiles
//! to a table look-up. In tuning the trace records how often each weight counted, and for which side.
//! The same source therefore serves both, and the tuner cannot miss a term that the engine uses.

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

/// The entry of one group in the list of all groups.
#[derive(Clone, Copy, Debug)]
pub struct TermInfo {
    /// The name of the group, as in the source.
    pub name: &'static str,
    /// The number of its first weight.
    pub first: usize,
    /// Its weights.
    pub values: &'static [Tapered],
}

/// What a weight counts towards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Account {
    /// The value, in favour of a side.
    Side(Color),
    /// The danger to the king *of this side*. Danger is converted to a penalty by
    /// [`super::king::penalty`], which is not linear.
    Danger(Color),
    /// The complexity of the position, in favour of the side that stands better in the endgame. Only the
    /// endgame half counts.
    Complexity,
}

/// An observer of the weights that an evaluation uses.
pub trait Trace {
    /// Whether to compute also what only other weights would need: the endgame scale of the side that
    /// stands worse.
    const COMPLETE: bool = true;

    /// Records that the weight with number `weight` counted `count` times.
    fn record(&mut self, account: Account, weight: usize, count: i32);

    /// Discards what was recorded on this account: too few pieces attack the king.
    #[inline(always)]
    fn discard(&mut self, _: Account) {}

    /// Returns weight `index` of `term`, times `count`, and records it.
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

    /// Returns weight `index` of `term`, and records that it counted once.
    #[inline(always)]
    fn one<const N: usize>(&mut self, account: Account, term: &Term<N>, index: usize) -> Tapered {
        self.record(account, term.first + index, 1);
        term.values[index]
    }
}

/// The trace that records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTrace;

impl Trace for NoTrace {
    const COMPLETE: bool = false;

    #[inline(always)]
    fn record(&mut self, _: Account, _: usize, _: i32) {}
}
