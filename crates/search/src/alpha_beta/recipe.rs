//! A recipe: which component fills each slot of the skeleton.

use super::aspiration::Aspire;
use super::correction::Correct;
use super::deepening::Deepen;
use super::draws::Draws;
use super::horizon::Horizon;
use super::knowledge::Knowledge;
use super::memory::Memory;
use super::observe::Observe;
use super::options::Options;
use super::order::Order;
use super::quiescence::Quiescence;
use super::selectivity::{Extend, Reduce, Selectivity, Selectors};
use super::windows::Windows;
use crate::component::{Component, Off, Visitor};
use crate::game::{Evaluate, Game};

/// Names a type for every slot of the alpha-beta skeleton.
///
/// [`Off`] leaves a slot empty at no cost; [`Switch`](crate::component::Switch) makes it switchable at run
/// time. Evaluation, memory and endgame tables are given to [`Slots::new`]; everything else starts with the
/// settings that its component declares.
pub trait Recipe<G: Game>: Sized {
    /// What the game brings: evaluation, draws, endgame tables.
    type Setting: Setting<G>;
    /// Who is told what happens.
    type Observe: Observe<G>;
    /// The depth rule.
    type Horizon: Horizon<G>;
    /// How the options of a plan are counted, if the depth rule asks.
    type Options: Options<G>;
    /// What corrects static values.
    type Correction: Correct<G>;
    /// The value of a position at the horizon.
    type Quiescence: Quiescence<G>;
    /// The transposition table.
    type Memory: Memory<G>;
    /// What is searched to less depth, to more, or not at all.
    type Selectivity: Selectivity<G>;
    /// The order of moves.
    type Order: Order<G>;
    /// The windows with which the moves of a node are searched.
    type Windows: Windows;
    /// The windows with which the root is searched.
    type Aspiration: Aspire;
    /// The iterations.
    type Deepening: Deepen;

    /// Sets what differs in this recipe from what its components declare.
    fn set(slots: &mut Slots<G, Self>) {
        let _ = slots;
    }
}

/// Implements [`Recipe`] by naming what fills the slots. A slot that is not named is empty ([`Off`]);
/// `Setting`, `Horizon` and `Windows` have to be named. [`Recipe::set`] may follow in `and { … }`. A slot
/// that does not exist does not compile.
///
/// ```
/// use cassius_search::prelude::*;
/// use cassius_search::alpha_beta::windows::MinimalWindow;
/// use std::marker::PhantomData;
///
/// /// Principal variation search to a depth in plies, with the evaluation `E`.
/// struct Plain<E>(PhantomData<E>);
///
/// cassius_search::recipe! {
///     impl [G: Game, E: Evaluate<G>] Plain<E>, game G {
///         Setting = (E, Off);
///         Horizon = Plies;
///         Windows = MinimalWindow;
///     }
/// }
/// ```
///
/// ```compile_fail,E0437
/// # use cassius_search::{Game, Off, Static, Statics, alpha_beta::horizon::Plies};
/// # use cassius_search::alpha_beta::windows::MinimalWindow;
/// # struct Plain;
/// cassius_search::recipe! {
///     impl [G: Game + Static] Plain, game G {
///         Setting = (Statics, Off);
///         Horizon = Plies;
///         Windows = MinimalWindow;
///         Memmory = Off; // no such slot
///     }
/// }
/// ```
#[macro_export]
macro_rules! recipe {
    (
        impl [$($generics:tt)*] $recipe:ty, game $game:ty $(, where [$($bounds:tt)*])? {
            $($slot:ident = $filled:ty;)*
        }
        $(and { $($set:tt)* })?
    ) => {
        impl<$($generics)*> $crate::Recipe<$game> for $recipe $(where $($bounds)*)? {
            $crate::recipe!(@Setting $($slot = $filled;)*);
            $crate::recipe!(@Observe $($slot = $filled;)*);
            $crate::recipe!(@Horizon $($slot = $filled;)*);
            $crate::recipe!(@Options $($slot = $filled;)*);
            $crate::recipe!(@Correction $($slot = $filled;)*);
            $crate::recipe!(@Quiescence $($slot = $filled;)*);
            $crate::recipe!(@Memory $($slot = $filled;)*);
            $crate::recipe!(@Selectivity $($slot = $filled;)*);
            $crate::recipe!(@Order $($slot = $filled;)*);
            $crate::recipe!(@Windows $($slot = $filled;)*);
            $crate::recipe!(@Aspiration $($slot = $filled;)*);
            $crate::recipe!(@Deepening $($slot = $filled;)*);
            $(type $slot = $filled;)*
            $($($set)*)?
        }
    };
    (@Setting Setting = $filled:ty; $($rest:tt)*) => {};
    (@Observe Observe = $filled:ty; $($rest:tt)*) => {};
    (@Horizon Horizon = $filled:ty; $($rest:tt)*) => {};
    (@Options Options = $filled:ty; $($rest:tt)*) => {};
    (@Correction Correction = $filled:ty; $($rest:tt)*) => {};
    (@Quiescence Quiescence = $filled:ty; $($rest:tt)*) => {};
    (@Memory Memory = $filled:ty; $($rest:tt)*) => {};
    (@Selectivity Selectivity = $filled:ty; $($rest:tt)*) => {};
    (@Order Order = $filled:ty; $($rest:tt)*) => {};
    (@Windows Windows = $filled:ty; $($rest:tt)*) => {};
    (@Aspiration Aspiration = $filled:ty; $($rest:tt)*) => {};
    (@Deepening Deepening = $filled:ty; $($rest:tt)*) => {};
    (@$wanted:ident $other:ident = $filled:ty; $($rest:tt)*) => { $crate::recipe!(@$wanted $($rest)*); };
    (@Setting) => { compile_error!("a recipe names its `Setting`"); };
    (@Horizon) => { compile_error!("a recipe names its `Horizon`"); };
    (@Windows) => { compile_error!("a recipe names its `Windows`"); };
    (@$empty:ident) => { type $empty = $crate::Off; };
}

/// What a game brings to a recipe. A pair or a triple of types is a setting too: `(evaluation, draws)` has no
/// endgame tables.
pub trait Setting<G: Game> {
    /// Static evaluation.
    type Evaluate: Evaluate<G>;
    /// Draws by repetition and by rule.
    type Draws: Draws<G>;
    /// Endgame tables.
    type Knowledge: Knowledge<G>;
}

impl<G: Game, E: Evaluate<G>, D: Draws<G>> Setting<G> for (E, D) {
    type Evaluate = E;
    type Draws = D;
    type Knowledge = Off;
}

impl<G: Game, E: Evaluate<G>, D: Draws<G>, K: Knowledge<G>> Setting<G> for (E, D, K) {
    type Evaluate = E;
    type Draws = D;
    type Knowledge = K;
}

/// The evaluation of a recipe.
pub type EvaluateOf<G, R> = <<R as Recipe<G>>::Setting as Setting<G>>::Evaluate;
/// The draws of a recipe.
pub type DrawsOf<G, R> = <<R as Recipe<G>>::Setting as Setting<G>>::Draws;
/// The endgame tables of a recipe.
pub type KnowledgeOf<G, R> = <<R as Recipe<G>>::Setting as Setting<G>>::Knowledge;
/// How the depth rule of a recipe has counted the depth of a node.
pub type CountOf<G, R> = <<R as Recipe<G>>::Horizon as Horizon<G>>::Count;

/// The components of a recipe, in its slots.
#[allow(missing_docs)] // each slot is documented at `Recipe`
pub struct Slots<G: Game, R: Recipe<G>> {
    pub evaluate: EvaluateOf<G, R>,
    pub draws: DrawsOf<G, R>,
    pub knowledge: KnowledgeOf<G, R>,
    pub observe: R::Observe,
    pub horizon: R::Horizon,
    pub options: R::Options,
    pub correction: R::Correction,
    pub quiescence: R::Quiescence,
    pub memory: R::Memory,
    pub selectivity: Selectors<G, R::Selectivity>,
    pub order: R::Order,
    pub windows: R::Windows,
    pub aspiration: R::Aspiration,
    pub deepening: R::Deepening,
}

impl<G: Game, R: Recipe<G>> Slots<G, R> {
    /// Every slot filled with its component as declared, or as the recipe [sets](Recipe::set) it.
    pub fn new(evaluate: EvaluateOf<G, R>, memory: R::Memory, knowledge: KnowledgeOf<G, R>) -> Self {
        let mut slots = Slots {
            evaluate,
            draws: Default::default(),
            knowledge,
            observe: Default::default(),
            horizon: Default::default(),
            options: Default::default(),
            correction: Default::default(),
            quiescence: Default::default(),
            memory,
            selectivity: Default::default(),
            order: Default::default(),
            windows: Default::default(),
            aspiration: Default::default(),
            deepening: Default::default(),
        };
        R::set(&mut slots);
        slots
    }

    /// Whether any component uses the static value of interior nodes, or learns from it.
    pub(crate) const USES_STATIC_EVAL: bool = Selectors::<G, R::Selectivity>::USES_STATIC_EVAL
        || R::Options::USES_STATIC_EVAL
        || R::Correction::CORRECTS;

    /// Whether moves that raise α are tested for being the only good one.
    pub(crate) const VERIFIES: bool = <R::Selectivity as Selectivity<G>>::Extend::VERIFIES;

    /// A search begins; `before` are the positions of the game before the root.
    pub(crate) fn start(&mut self, before: &[G]) {
        self.draws.start(before);
        self.selectivity.late_move_reduction.start();
        self.order.start();
        self.correction.start();
    }

    /// From now on shares with `leader`, which has started, what its components learn.
    pub(crate) fn share(&mut self, leader: &Self) {
        self.order.share(&leader.order);
        self.correction.share(&leader.correction);
    }

    /// Forgets what the components have learned: a new game begins. The caller clears the memory.
    pub fn forget(&mut self) {
        self.order.forget();
        self.correction.forget();
        self.options.forget();
    }

    /// Shows every parameter of every component to `visitor`, which may change it.
    pub fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.horizon.visit(visitor);
        self.options.visit(visitor);
        self.correction.visit(visitor);
        self.quiescence.visit(visitor);
        self.memory.visit(visitor);
        self.selectivity.visit(visitor);
        self.order.visit(visitor);
        self.windows.visit(visitor);
        self.aspiration.visit(visitor);
        self.deepening.visit(visitor);
    }
}
