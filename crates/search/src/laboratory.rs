//! The laboratory: every component for alpha-beta behind a switch.

use crate::{
    Captures, Checks, ChecksFirst, Continuation, CounterKillers, Countermove, Defuse, Discounted, Discounts,
    DistantKillers, Draws, Evaluate, ExchangePruning, Futility, Game, History, Horizon, InternalReduction,
    KBest, Keyed, Killers, Knowledge, LateMovePruning, LateMoveReduction, MinimalWindow, MoveAndRefutation,
    Noisy, NoisyFirst, NoisyOnly, NullMove, Off, Openings, Options, Pass, Quiescence, Razoring, Recipe,
    Reorder, ReverseFutility, Singular, Spare, Switch, Table,
};
use std::marker::PhantomData;

/// What a game brings to a recipe that serves several.
pub trait Setting<G: Game> {
    /// Static evaluation.
    type Evaluate: Evaluate<G>;
    /// Draws by repetition and by rule.
    type Draws: Draws<G>;
    /// Endgame tables.
    type Knowledge: Knowledge<G>;
}

/// Every component there is behind a switch, over the depth rule `H` and with the quiescence `Q`, for the setting `S`; options, if the rule counts them, are counted by `O`. What a
/// strong search has is on, the rest off.
#[derive(Debug)]
pub struct Laboratory<S, H, Q = Switch<Captures>, O = Off>(PhantomData<(S, H, Q, O)>);

impl<G, S, H, Q, O> Recipe<G> for Laboratory<S, H, Q, O>
where
    G: Keyed + Noisy + Checks + Pass + Defuse,
    S: Setting<G>,
    H: Horizon<G>,
    Q: Quiescence<G>,
    O: Options<G>,
{
    type Evaluate = S::Evaluate;
    type Observe = Off;
    type Draws = S::Draws;
    type Horizon = Discounted<Discounts, H>;
    type Options = O;
    type Quiescence = Q;
    type Memory = Table;
    type Knowledge = S::Knowledge;
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
