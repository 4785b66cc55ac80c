//! The chess recipes: which components fill the slots of the search.
//!
//! A recipe is a type, in which each slot is named once. [`Full`] is the playing recipe with any depth
//! rule. [`Bare`] is the papers' search with table and move ordering but no selectivity. [`Laboratory`]
//! has the same source as [`Full`], with every selective component behind a run-time [`Switch`].

use crate::tablebase::Endgames;
use crate::{Evaluator, Position};
use cassius_search::alpha_beta::aspiration::{Aspiration, Aspire};
use cassius_search::alpha_beta::correction::CorrectionHistory;
use cassius_search::alpha_beta::draws::{Repetition, UpcomingRepetition};
use cassius_search::alpha_beta::horizon::{AnyRule, Horizon, Plies};
use cassius_search::alpha_beta::options::{
    LearnedOptions, LegalMoves, OptionSources, Options, Oracle, SiblingQuiescence,
};
use cassius_search::alpha_beta::order::{
    ChecksFirst, Continuation, Countermove, History, Killers, NoisyFirst,
};
use cassius_search::alpha_beta::quiescence::{Captures, ExactQuiescence, WideQuiescence};
use cassius_search::alpha_beta::recipes::AbcPaper;
use cassius_search::alpha_beta::selectivity::{
    ExchangePruning, Futility, InternalReduction, LateMovePruning, LateMoveReduction, NullMove, Razoring,
    ReverseFutility, Selectivity, Singular,
};
use cassius_search::alpha_beta::windows::MinimalWindow;
use cassius_search::{Off, Recipe, Setting, Spare, Switch, Table};
use std::marker::PhantomData;

/// The playing recipe with the depth rule `H`, for which `O` counts options. Iterations begin with the
/// windows of `A`.
pub struct Full<H, O = Off, A = Aspiration>(PhantomData<(H, O, A)>);

cassius_search::recipe! {
    impl [H: Horizon<Position>, O: Options<Position>, A: Aspire] Full<H, O, A>, game Position {
        Setting = Chess;
        Horizon = H;
        Options = O;
        Correction = CorrectionHistory;
        Quiescence = Captures;
        Memory = Table;
        Selectivity = Playing;
        Order = (NoisyFirst, ChecksFirst, Killers, Countermove, History, Continuation);
        Windows = MinimalWindow;
        Aspiration = A;
    }
}

/// Options by the estimate that was learned; every legal move is one where that says nothing.
pub type Estimated = (LearnedOptions, LegalMoves);

/// The selectivity of the playing recipe: what it searches to less depth, to more, or not at all.
pub enum Playing {}

impl Selectivity<Position> for Playing {
    type InternalReduction = InternalReduction;
    type ReverseFutility = ReverseFutility;
    type Razoring = Razoring;
    type NullMove = NullMove;
    type ProbCut = Off;
    type LateMovePruning = LateMovePruning;
    type Futility = Futility;
    type ExchangePruning = ExchangePruning;
    type Extend = Singular;
    type LateMoveReduction = LateMoveReduction;
}

/// The search of the papers with the depth rule `H`: move ordering and memory, no selectivity.
pub struct Bare<H>(PhantomData<H>);

cassius_search::recipe! {
    impl [H: Horizon<Position>] Bare<H>, game Position {
        Setting = Chess;
        Horizon = H;
        Quiescence = Captures;
        Memory = Table;
        Order = (NoisyFirst, ChecksFirst, Killers, Countermove, History, Continuation);
        Windows = MinimalWindow;
        Aspiration = Aspiration;
    }
}

/// Alpha-beta-conspiracy search as McAllester & Yuret print it, with a move ordering.
pub type Printed = AbcPaper<
    AsPrinted,
    ExactQuiescence,
    SiblingQuiescence,
    (NoisyFirst, ChecksFirst, Killers, Countermove, History, Continuation),
>;

/// [`Full`] with every selective component behind a switch. The components that [`Full`] does not use
/// are included, switched off: discounts around the depth rule, other windows, and what quiescence
/// search may consider besides captures.
pub type Laboratory<H, O = Off, M = Table> =
    cassius_search::alpha_beta::recipes::Laboratory<Chess, H, Switch<WideQuiescence>, O, M>;

/// [`Laboratory`] with every depth rule and every way to count options behind a switch.
pub type AnyLaboratory = Laboratory<AnyRule, OptionSources>;

/// The recipe `R`, whose options are counted by an [`Oracle`]: by searches with the playing recipe that it
/// does not pay for. Near the leaves, where the oracle is silent, all legal moves may be options.
pub struct Foreseeing<R>(PhantomData<R>);

cassius_search::recipe! {
    impl [R: Recipe<Position, Setting = Chess>] Foreseeing<R>, game Position {
        Setting = Chess;
        Observe = R::Observe;
        Horizon = R::Horizon;
        Options = (Oracle<Position, Full<Plies>>, Spare<LegalMoves>);
        Correction = R::Correction;
        Quiescence = R::Quiescence;
        Memory = R::Memory;
        Selectivity = R::Selectivity;
        Order = R::Order;
        Windows = R::Windows;
        Aspiration = R::Aspiration;
        Deepening = R::Deepening;
    }
}

/// The chess-specific parts of the search that McAllester & Yuret print: a repetition counts when it has
/// happened.
pub enum AsPrinted {}

impl Setting<Position> for AsPrinted {
    type Evaluate = Evaluator;
    type Draws = Repetition;
    type Knowledge = Endgames;
}

/// The chess-specific parts of a recipe.
pub enum Chess {}

impl Setting<Position> for Chess {
    type Evaluate = Evaluator;
    type Draws = UpcomingRepetition;
    type Knowledge = Endgames;
}
