//! Recipes for any game, and what each needs of it.
//!
//! Each is a type whose bounds say which capabilities a game must have; for a game that lacks one it does not
//! compile:
//!
//! ```compile_fail,E0277
//! use cassius_games::recipes::Laboratory;
//! use cassius_games::{RandomTree, Statics};
//! use cassius_search::{Off, Plies, Slots, Table};
//!
//! // Null move and captures, in a tree without passes and noisy moves.
//! Slots::<RandomTree, Laboratory<Plies>>::new(Statics, Table::new(1).unwrap(), Off);
//! ```
//!
//! The same with a recipe that only asks for keys:
//!
//! ```
//! use cassius_games::recipes::Remembering;
//! use cassius_games::{RandomTree, Statics};
//! use cassius_search::{Off, Plies, Slots, Table};
//!
//! Slots::<RandomTree, Remembering<Plies>>::new(Statics, Table::new(1).unwrap(), Off);
//! ```
//!
//! [`playable!`](crate::playable!) asks the compiler which of them a game can play, and gives them names for the
//! [`Engine`](crate::Engine). Margins and windows have the defaults that were tuned for a unit of a hundredth of the least
//! valuable thing; a game that counts otherwise sets them.

use crate::{Playable, Statics};
use cassius_search::{
    Asking, Captures, Checks, ChecksFirst, Continuation, Countermove, Discounted, EvaluatorAsks, FailHard,
    FailHighSingular, History, Horizon, InternalReduction, KBest, Keyed, Killers, Memory, MoveAndRefutation,
    NearPv, Noisy, NoisyFirst, Off, Openings, Plies, Recipe, Setting, Singular, Slotted, Spare, Switch,
    Table,
};
use std::marker::PhantomData;

/// The depth rule `H`, with what any game can have around it behind a switch.
pub type Around<H> = Discounted<(Spare<EvaluatorAsks>, Spare<NearPv>, Spare<FailHard>), H>;

/// Principal variation search to a depth in plies and nothing else; other windows are behind switches. For
/// every game.
#[derive(Debug)]
pub struct Plain;

impl<G: Playable> Recipe<G> for Plain {
    type Evaluate = Statics;
    type Observe = Off;
    type Draws = G::Draws;
    type Horizon = Around<Plies>;
    type Options = Off;
    type Quiescence = Off;
    type Memory = Off;
    type Knowledge = Off;
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type Order = Off;
    type LateMovePruning = Spare<KBest>;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
    type Windows = Asking;
    type Aspiration = Openings;
    type Deepening = Spare<MoveAndRefutation>;
}

/// Principal variation search over the depth rule `H` with the table `M`, for games with hash keys; what any
/// such game can have is behind a switch.
#[derive(Debug)]
pub struct Remembering<H, M = Table>(PhantomData<(H, M)>);

impl<G: Playable + Keyed, H: Horizon<G>, M: Memory<G>> Recipe<G> for Remembering<H, M> {
    type Evaluate = Statics;
    type Observe = Off;
    type Draws = G::Draws;
    type Horizon = Around<H>;
    type Options = Off;
    type Quiescence = Off;
    type Memory = M;
    type Knowledge = Off;
    type InternalReduction = Spare<InternalReduction>;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type Order = Off;
    type LateMovePruning = Spare<KBest>;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = (Spare<Singular>, Spare<FailHighSingular>);
    type LateMoveReduction = Off;
    type Windows = Asking;
    type Aspiration = Openings;
    type Deepening = Spare<MoveAndRefutation>;
}

/// The same with quiescence and order, for games that have noisy moves and checks too.
#[derive(Debug)]
pub struct Bare<H>(PhantomData<H>);

impl<G: Playable + Keyed + Slotted + Noisy + Checks, H: Horizon<G>> Recipe<G> for Bare<H> {
    type Evaluate = Statics;
    type Observe = Off;
    type Draws = G::Draws;
    type Horizon = Around<H>;
    type Options = Off;
    type Quiescence = Switch<Captures>;
    type Memory = Table;
    type Knowledge = Off;
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type Order = (
        Switch<NoisyFirst>,
        Switch<ChecksFirst>,
        Switch<Killers>,
        Switch<Countermove>,
        Switch<History>,
        Switch<Continuation>,
    );
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
    type Windows = Asking;
    type Aspiration = Openings;
    type Deepening = Spare<MoveAndRefutation>;
}

/// Every component there is behind a switch, over the depth rule `H` and with the quiescence `Q`.
pub type Laboratory<H, Q = Switch<Captures>> = cassius_search::Laboratory<Board, H, Q>;

/// What a game of this crate brings: its own static values, its draws, no tables.
#[derive(Debug)]
pub enum Board {}

impl<G: Playable> Setting<G> for Board {
    type Evaluate = Statics;
    type Draws = G::Draws;
    type Knowledge = Off;
}
