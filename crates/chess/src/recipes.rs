//! The chess recipes: which components fill the slots of the search.
//!
//! A recipe is a type; each slot is named once below. [`Full`] is the playing
//! recipe over any depth rule, [`Bare`] the papers' search with table and order
//! but no selectivity, [`Laboratory`] the same source as [`Full`] with every
//! selective component behind a run-time [`Switch`].

use crate::tablebase::Endgames;
use crate::{Evaluator, Position};
use cassius_search::{
    AbcPaper, Aspiration, Aspire, Captures, ChecksFirst, Continuation, Countermove, ExactQuiescence,
    ExchangePruning, Futility, History, Horizon, InternalReduction, Killers, LateMovePruning,
    LateMoveReduction, MinimalWindow, NoisyFirst, NullMove, Off, Razoring, Recipe, Repetition,
    ReverseFutility, Setting, SiblingQuiescence, Singular, Switch, Table, WideQuiescence,
};
use std::marker::PhantomData;

/// The playing recipe over the depth rule `H`; iterations begin with the windows of `A`.
pub struct Full<H, A = Aspiration>(PhantomData<(H, A)>);

impl<H: Horizon<Position>, A: Aspire> Recipe<Position> for Full<H, A> {
    type Evaluate = Evaluator;
    type Observe = Off;
    type Draws = Repetition;
    type Horizon = H;
    type Options = Off;
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
    type Aspiration = A;
    type Deepening = Off;
}

/// The search of the papers over the depth rule `H`: order and memory, no selectivity.
pub struct Bare<H>(PhantomData<H>);

impl<H: Horizon<Position>> Recipe<Position> for Bare<H> {
    type Evaluate = Evaluator;
    type Observe = Off;
    type Draws = Repetition;
    type Horizon = H;
    type Options = Off;
    type Quiescence = Captures;
    type Memory = Table;
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
    type Windows = MinimalWindow;
    type Aspiration = Aspiration;
    type Deepening = Off;
}

/// Alpha-beta-conspiracy search as McAllester & Yuret print it, with an order.
pub type Printed = AbcPaper<
    Chess,
    ExactQuiescence,
    SiblingQuiescence,
    (NoisyFirst, ChecksFirst, Killers, Countermove, History, Continuation),
>;

/// [`Full`] with every selective component behind a switch, and everything that [`Full`] does without,
/// switched off: discounts around the depth rule, other windows, what quiescence search may know besides
/// captures.
pub type Laboratory<H, O = Off, M = Table> =
    cassius_search::Laboratory<Chess, H, Switch<WideQuiescence>, O, M>;

/// What chess brings to a recipe.
pub enum Chess {}

impl Setting<Position> for Chess {
    type Evaluate = Evaluator;
    type Draws = Repetition;
    type Knowledge = Endgames;
}
