//! The chess recipes: which components fill the slots of the search.
//!
//! A recipe is a type; each slot is named once below. [`Full`] is the playing
//! recipe over any depth rule, [`Bare`] the papers' search with table and order
//! but no selectivity, [`Laboratory`] the same source as [`Full`] with every
//! selective component behind a run-time [`Switch`].

use crate::tablebase::Endgames;
use crate::{Evaluator, Position};
use cassius_search::{
    Aspiration, Aspire, Captures, ChecksFirst, Continuation, CounterKillers, Countermove, Discounted,
    Discounts, DistantKillers, ExchangePruning, Futility, History, Horizon, InternalReduction, KBest,
    Killers, LateMovePruning, LateMoveReduction, Memory, MinimalWindow, MoveAndRefutation, NoisyFirst,
    NoisyOnly, NullMove, Off, Openings, Quiescence, Razoring, Recipe, Reorder, Repetition, ReverseFutility,
    Singular, Spare, Switch, Table, Windows,
};
use std::marker::PhantomData;

/// The playing recipe over the depth rule `H`.
pub struct Full<H>(PhantomData<H>);

impl<H: Horizon<Position>> Recipe<Position> for Full<H> {
    type Evaluate = Evaluator;
    type Observe = Off;
    type Draws = Repetition;
    type Horizon = H;
    type Quiescence = Captures;
    type Memory = Table;
    type Knowledge = Endgames;
    type InternalReduction = InternalReduction;
    type ReverseFutility = ReverseFutility;
    type Razoring = Razoring;
    type NullMove = NullMove;
    type Order = (NoisyFirst, ChecksFirst, Killers, Countermove, History, Continuation);
    type LateMovePruning = LateMovePruning;
    type Futility = Futility;
    type ExchangePruning = ExchangePruning;
    type Extend = Singular;
    type LateMoveReduction = LateMoveReduction;
    type Windows = MinimalWindow;
    type Aspiration = Aspiration;
    type Deepening = Off;
}

/// The search of the papers over the depth rule `H`: order and memory, no selectivity. Moves are searched with the windows `W`, iterations
/// begin with those of `A`, and the memory is `M`.
pub struct Bare<H, W = MinimalWindow, A = Aspiration, M = Table>(PhantomData<(H, W, A, M)>);

impl<H: Horizon<Position>, W: Windows, A: Aspire, M: Memory<Position>> Recipe<Position> for Bare<H, W, A, M> {
    type Evaluate = Evaluator;
    type Observe = Off;
    type Draws = Repetition;
    type Horizon = H;
    type Quiescence = Captures;
    type Memory = M;
    type Knowledge = Endgames;
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type Order = (NoisyFirst, ChecksFirst, Killers, Countermove, History, Continuation);
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
    type Windows = W;
    type Aspiration = A;
    type Deepening = Off;
}

/// [`Full`] with every selective component behind a switch, and components that [`Full`] does without, switched off.
pub struct Laboratory<H, Q = Switch<Captures>>(PhantomData<(H, Q)>);

impl<H: Horizon<Position>, Q: Quiescence<Position>> Recipe<Position> for Laboratory<H, Q> {
    type Evaluate = Evaluator;
    type Observe = Off;
    type Draws = Repetition;
    type Horizon = Discounted<Discounts, H>;
    type Quiescence = Q;
    type Memory = Table;
    type Knowledge = Endgames;
    type InternalReduction = Switch<InternalReduction>;
    type ReverseFutility = Switch<ReverseFutility>;
    type Razoring = Switch<Razoring>;
    type NullMove = Switch<NullMove>;
    type Order = (
        Switch<NoisyFirst>,
        Switch<ChecksFirst>,
        Switch<Killers>,
        Switch<Countermove>,
        Switch<History>,
        Switch<Continuation>,
        Spare<DistantKillers>,
        Spare<CounterKillers>,
        Spare<Reorder>,
    );
    type LateMovePruning = (Switch<LateMovePruning>, Spare<KBest>);
    type Futility = (Switch<Futility>, Spare<NoisyOnly>);
    type ExchangePruning = Switch<ExchangePruning>;
    type Extend = Switch<Singular>;
    type LateMoveReduction = Switch<LateMoveReduction>;
    type Windows = MinimalWindow;
    type Aspiration = Openings;
    type Deepening = Spare<MoveAndRefutation>;
}
