//! The laboratory: every component for alpha-beta behind a switch.

use crate::{
    Asking, Captures, Checks, ChecksFirst, Continuation, CounterKillers, Countermove, Defuse, Discounted,
    Discounts, DistantKillers, Draws, Evaluate, ExchangePruning, FailHighSingular, Futility, Game, History,
    Horizon, InternalReduction, KBest, Keyed, Killers, Knowledge, LateMovePruning, LateMoveReduction, Memory,
    MoveAndRefutation, Noisy, NoisyFirst, NoisyOnly, NullMove, Off, Openings, Options, Pass, Quiescence,
    Razoring, Recipe, Reorder, ReverseFutility, Singular, Spare, Switch, Table,
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

/// Every component there is behind a switch, over the depth rule `H` and with the quiescence `Q`, for the
/// setting `S`; options, if the rule counts them, are counted by `O`, and `M` remembers. What a strong search
/// has is on, the rest off. Other searches are settings of its switches.
#[derive(Debug)]
pub struct Laboratory<S, H, Q = Switch<Captures>, O = Off, M = Table>(PhantomData<(S, H, Q, O, M)>);

impl<G, S, H, Q, O, M> Recipe<G> for Laboratory<S, H, Q, O, M>
where
    G: Keyed + Noisy + Checks + Pass + Defuse,
    S: Setting<G>,
    H: Horizon<G>,
    Q: Quiescence<G>,
    O: Options<G>,
    M: Memory<G>,
{
    type Evaluate = S::Evaluate;
    type Observe = Off;
    type Draws = S::Draws;
    type Horizon = Discounted<Discounts, H>;
    type Options = O;
    type Quiescence = Q;
    type Memory = M;
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
    type Extend = (Switch<Singular>, Spare<FailHighSingular>);
    type LateMoveReduction = Switch<LateMoveReduction>;
    type Windows = Asking;
    type Aspiration = Openings;
    type Deepening = Spare<MoveAndRefutation>;
}

/// Settings that make other searches of a laboratory, as `Component.parameter` and value.
pub mod presets {
    /// Some settings. What a recipe lacks of them is no matter.
    pub type Preset = &'static [(&'static str, i32)];

    /// Nothing leaves out moves, or searches some less deep or deeper: the search of the papers.
    pub const NOTHING_SELECTIVE: Preset = &[
        ("InternalReduction.on", 0),
        ("ReverseFutility.on", 0),
        ("Razoring.on", 0),
        ("NullMove.on", 0),
        ("LateMovePruning.on", 0),
        ("Futility.on", 0),
        ("ExchangePruning.on", 0),
        ("Singular.on", 0),
        ("LateMoveReduction.on", 0),
    ];

    /// What Kaindl 1983 describes of full-width search and of quiescence search, with checks that leave one
    /// answer for very forcing ones.
    pub const KAINDL: Preset = &[
        ("CheckReplies.on", 1),
        ("UncountedChecks.on", 1),
        ("UncountedChecks.answers", 1),
        ("UncountedChecks.noisy", 0),
        ("Captures.evasions", 1),
        ("ForcingChecks.on", 1),
        ("HungMoves.on", 1),
        ("KillerMoves.on", 1),
        ("MateThreat.on", 1),
        ("PromotionThreat.on", 1),
        ("PassWhenHung.on", 1),
    ];

    /// The one page of the survey's appendix (Marsland & Campbell 1981): no order but the table's move, no
    /// windows but those that the table narrows, static values at the horizon.
    pub const APPENDIX: Preset = &[
        ("FailHard.on", 1),
        ("Captures.on", 0),
        ("SingleBound.narrow", 1),
        ("NoisyFirst.on", 0),
        ("ChecksFirst.on", 0),
        ("Killers.on", 0),
        ("Countermove.on", 0),
        ("History.on", 0),
        ("Continuation.on", 0),
        ("WholeWindow.on", 1),
        ("Aspiration.on", 0),
    ];

    /// Alpha-beta: every move with the whole window.
    pub const WHOLE_WINDOW: Preset = &[("WholeWindow.on", 1)];

    /// palphabeta of the survey, §III.
    pub const PALPHABETA: Preset = &[("Palphabeta.on", 1)];

    /// SCOUT.
    pub const SCOUT: Preset = &[("ScoutWindow.on", 1)];
}
