//! The laboratory: every alpha-beta component behind a switch.

use crate::alpha_beta::Setting;
use crate::alpha_beta::aspiration::AspirationSwitches;
use crate::alpha_beta::correction::CorrectionHistory;
use crate::alpha_beta::deepening::MoveAndRefutation;
use crate::alpha_beta::horizon::{Discounted, Discounts, Horizon};
use crate::alpha_beta::memory::{Memory, Table};
use crate::alpha_beta::options::Options;
use crate::alpha_beta::order::{
    CaptureHistory, ChecksFirst, Continuation, CounterKillers, Countermove, DistantKillers, ExposureHistory,
    History, Killers, NoisyFirst, Reorder,
};
use crate::alpha_beta::quiescence::{Captures, Quiescence};
use crate::alpha_beta::selectivity::{
    ExchangePruning, FailHighSingular, Futility, HistoryPruning, InternalReduction, KBest, LateMovePruning,
    LateMoveReduction, NoisyOnly, NullMove, ProbCut, Razoring, ReverseFutility, Selectivity, Singular,
};
use crate::alpha_beta::windows::WindowSwitches;
use crate::component::{Off, Spare, Switch};
use crate::game::{Checks, Defuse, Keyed, Noisy, Pass, Structured};
use std::marker::PhantomData;

/// A recipe with every component behind a switch, for the setting `S`, with the depth rule `H` and the
/// quiescence search `Q`. `O` counts options, if the depth rule needs them, and `M` is the memory. The
/// components of a strong search are on by default, the rest are off. Other searches are obtained by
/// setting the switches.
#[derive(Debug)]
pub struct Laboratory<S, H, Q = Switch<Captures>, O = Off, M = Table>(PhantomData<(S, H, Q, O, M)>);

crate::recipe! {
    impl [G, S, H, Q, O, M] Laboratory<S, H, Q, O, M>, game G, where [
        G: Keyed + Noisy + Checks + Pass + Defuse + Structured,
        S: Setting<G>,
        H: Horizon<G>,
        Q: Quiescence<G>,
        O: Options<G>,
        M: Memory<G>,
    ] {
        Setting = S;
        Horizon = Discounted<Discounts, H>;
        Options = O;
        Correction = Switch<CorrectionHistory>;
        Quiescence = Q;
        Memory = M;
        Selectivity = Switches;
        Order = (
            Switch<NoisyFirst>,
            Switch<ChecksFirst>,
            Switch<Killers>,
            Switch<Countermove>,
            Switch<History>,
            Switch<Continuation>,
            Spare<DistantKillers>,
            Spare<CounterKillers>,
            Spare<Reorder>,
            Spare<CaptureHistory>,
            Spare<ExposureHistory>,
        );
        Windows = WindowSwitches;
        Aspiration = AspirationSwitches;
        Deepening = Spare<MoveAndRefutation>;
    }
}

/// All selective components, each behind a switch.
#[derive(Debug)]
pub enum Switches {}

impl<G: Keyed + Noisy + Checks + Pass + Defuse> Selectivity<G> for Switches {
    type InternalReduction = Switch<InternalReduction>;
    type ReverseFutility = Switch<ReverseFutility>;
    type Razoring = Switch<Razoring>;
    type NullMove = Switch<NullMove>;
    type ProbCut = Spare<ProbCut>;
    type LateMovePruning = (Switch<LateMovePruning>, Spare<KBest>);
    type Futility = (Switch<Futility>, (Spare<NoisyOnly>, Spare<HistoryPruning>));
    type ExchangePruning = Switch<ExchangePruning>;
    type Extend = (Switch<Singular>, Spare<FailHighSingular>);
    type LateMoveReduction = Switch<LateMoveReduction>;
}

/// Settings that turn a laboratory into other searches, as pairs of `Component.parameter` and value.
pub mod presets {
    /// A list of settings. Settings of components that a recipe lacks are ignored.
    pub type Preset = &'static [(&'static str, i32)];

    /// No move is pruned, reduced or extended, and no static value corrected: the search of the papers.
    pub const NOTHING_SELECTIVE: Preset = &[
        ("CorrectionHistory.on", 0),
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

    /// The full-width search and the quiescence search described by Kaindl 1983. Checks that leave one
    /// answer count as very forcing.
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

    /// The one page of the survey's appendix (Marsland & Campbell 1981): no move ordering except the
    /// hash move, no windows except those narrowed by the table, and static values at the horizon.
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

    /// Plain alpha-beta: every move is searched with the whole window.
    pub const WHOLE_WINDOW: Preset = &[("WholeWindow.on", 1)];

    /// palphabeta of the survey, §III.
    pub const PALPHABETA: Preset = &[("Palphabeta.on", 1)];

    /// SCOUT.
    pub const SCOUT: Preset = &[("ScoutWindow.on", 1)];

    /// Two coupled depths, in a recipe over [`AnyRule`](crate::alpha_beta::horizon::AnyRule).
    pub const COUPLED: Preset = &[("Coupled.on", 1)];

    /// Alpha-beta-conspiracy depths, in a recipe over [`AnyRule`](crate::alpha_beta::horizon::AnyRule).
    pub const ABC: Preset = &[("Abc.on", 1)];

    /// The search extension scheme, in a recipe over [`AnyRule`](crate::alpha_beta::horizon::AnyRule).
    pub const SEX: Preset = &[("Sex.on", 1)];

    /// Two credits for forced moves, in a recipe over [`AnyRule`](crate::alpha_beta::horizon::AnyRule).
    pub const DUAL_CREDIT: Preset = &[("DualCredit.on", 1)];

    /// Likelihoods of lines, in a recipe over [`AnyRule`](crate::alpha_beta::horizon::AnyRule).
    pub const LIKELIHOOD: Preset = &[("Likelihood.on", 1)];
}
