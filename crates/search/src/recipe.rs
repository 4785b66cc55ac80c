//! A recipe: which component fills each slot of the skeleton.

use crate::{
    Aspire, Component, Deepen, Depth, Draws, Evaluate, Extend, Game, Horizon, Knowledge, Memory, Observe,
    Options, Order, Passing, Prune, Quiescence, Reduce, ReduceNode, Score, Skip, Visitor, Window, Windows,
};

/// Names a type for every slot of the alpha-beta skeleton, in the order in which a node visits them.
///
/// [`Off`](crate::Off) leaves a slot empty at no cost; [`Switch`](crate::Switch) makes it switchable at run time.
/// What fills a slot has a default setting; evaluation, memory and endgame tables come from outside.
pub trait Recipe<G: Game>: Sized {
    /// Static evaluation.
    type Evaluate: Evaluate<G>;
    /// Who is told what happens.
    type Observe: Observe<G>;
    /// Draws by repetition and by rule.
    type Draws: Draws<G>;
    /// The depth rule.
    type Horizon: Horizon<G>;
    /// How the options of a plan are counted, if the depth rule asks.
    type Options: Options<G>;
    /// How the value of a position at the horizon is found.
    type Quiescence: Quiescence<G>;
    /// The transposition table.
    type Memory: Memory<G>;
    /// Endgame tables.
    type Knowledge: Knowledge<G>;
    /// Shorter search of nodes for which the memory names no move.
    type InternalReduction: ReduceNode<G>;
    /// Fail high at once where the static value is far above β.
    type ReverseFutility: Prune<G>;
    /// Drop into quiescence where the static value is far below α.
    type Razoring: Prune<G>;
    /// Passing.
    type NullMove: Passing<G>;
    /// The order of moves.
    type Order: Order<G>;
    /// Leaving out moves that come late.
    type LateMovePruning: Skip<G>;
    /// Leaving out quiet moves where the static value is far below α.
    type Futility: Skip<G>;
    /// Leaving out moves that lose an exchange.
    type ExchangePruning: Skip<G>;
    /// Extending a move that is much better than the others.
    type Extend: Extend<G>;
    /// Searching late moves to a smaller depth first.
    type LateMoveReduction: Reduce<G>;
    /// Which windows the moves after the first are searched with.
    type Windows: Windows;
    /// Which window an iteration begins with.
    type Aspiration: Aspire;
    /// Which iterations there are.
    type Deepening: Deepen;

    /// Sets what is otherwise in this recipe than its components declare.
    fn set(slots: &mut Slots<G, Self>) {
        let _ = slots;
    }
}

/// The components of a recipe, in its slots.
#[allow(missing_docs)] // each slot is documented at `Recipe`
pub struct Slots<G: Game, R: Recipe<G>> {
    pub evaluate: R::Evaluate,
    pub observe: R::Observe,
    pub draws: R::Draws,
    pub horizon: R::Horizon,
    pub options: R::Options,
    pub quiescence: R::Quiescence,
    pub memory: R::Memory,
    pub knowledge: R::Knowledge,
    pub internal_reduction: R::InternalReduction,
    pub reverse_futility: R::ReverseFutility,
    pub razoring: R::Razoring,
    pub null_move: R::NullMove,
    pub order: R::Order,
    pub late_move_pruning: R::LateMovePruning,
    pub futility: R::Futility,
    pub exchange_pruning: R::ExchangePruning,
    pub extend: R::Extend,
    pub late_move_reduction: R::LateMoveReduction,
    pub windows: R::Windows,
    pub aspiration: R::Aspiration,
    pub deepening: R::Deepening,
}

impl<G: Game, R: Recipe<G>> Slots<G, R> {
    /// Every slot filled with its component as declared, or as the recipe [sets](Recipe::set) it; evaluation, memory and endgame tables are given.
    pub fn new(evaluate: R::Evaluate, memory: R::Memory, knowledge: R::Knowledge) -> Self {
        let mut slots = Slots {
            evaluate,
            observe: Default::default(),
            draws: Default::default(),
            horizon: Default::default(),
            options: Default::default(),
            quiescence: Default::default(),
            memory,
            knowledge,
            internal_reduction: Default::default(),
            reverse_futility: Default::default(),
            razoring: Default::default(),
            null_move: Default::default(),
            order: Default::default(),
            late_move_pruning: Default::default(),
            futility: Default::default(),
            exchange_pruning: Default::default(),
            extend: Default::default(),
            late_move_reduction: Default::default(),
            windows: Default::default(),
            aspiration: Default::default(),
            deepening: Default::default(),
        };
        R::set(&mut slots);
        slots
    }

    /// Whether any filled slot looks at the static value of interior nodes.
    pub(crate) const USES_STANDING: bool = R::InternalReduction::USES_STANDING
        || R::ReverseFutility::USES_STANDING
        || R::Razoring::USES_STANDING
        || R::NullMove::USES_STANDING
        || R::LateMovePruning::USES_STANDING
        || R::Futility::USES_STANDING
        || R::LateMoveReduction::USES_STANDING
        || R::Options::USES_STANDING;

    /// A new search begins; `before` are the positions of the game before the root.
    pub(crate) fn start(&mut self, before: &[G]) {
        self.draws.start(before);
        self.internal_reduction.start();
        self.reverse_futility.start();
        self.razoring.start();
        self.null_move.start();
        self.order.start();
        self.late_move_pruning.start();
        self.futility.start();
        self.exchange_pruning.start();
        self.extend.start();
        self.late_move_reduction.start();
    }

    /// Forgets what the order has learned: a new game begins. The memory is the caller's to clear.
    pub fn forget(&mut self) {
        self.order.forget();
    }

    /// Shows every parameter of every component to `visitor`, which may change it.
    pub fn visit(&mut self, visitor: &mut Visitor<'_>) {
        self.horizon.visit(visitor);
        self.options.visit(visitor);
        self.quiescence.visit(visitor);
        self.memory.visit(visitor);
        self.internal_reduction.visit(visitor);
        self.reverse_futility.visit(visitor);
        self.razoring.visit(visitor);
        self.null_move.visit(visitor);
        self.order.visit(visitor);
        self.late_move_pruning.visit(visitor);
        self.futility.visit(visitor);
        self.exchange_pruning.visit(visitor);
        self.extend.visit(visitor);
        self.late_move_reduction.visit(visitor);
        self.windows.visit(visitor);
        self.aspiration.visit(visitor);
        self.deepening.visit(visitor);
    }
}

/// What a slot sees of the node it works at.
pub struct Node<'a, G: Game> {
    /// The position.
    pub position: &'a G,
    /// The window, for the side to move.
    pub window: Window,
    /// Plies from the root.
    pub ply: usize,
    /// Whether the window was open when the node was entered.
    pub pv: bool,
    /// Whether the node is expected to fail high (Knuth and Moore's type 2).
    pub cut: bool,
    /// What the claim "at least β" still owes: the depth of a fail-high.
    pub high: Depth,
    /// What the claim "at most α" still owes: the depth of a fail-low.
    pub low: Depth,
    /// Static value, or a better estimate from the memory.
    pub standing: Score,
    /// Whether the static value has risen since the mover's last turn.
    pub improving: bool,
    /// Whether the memory names a move.
    pub remembered: bool,
    /// Slots (as of [`Slotted`](crate::Slotted)) of the moves that led here, last first.
    pub previous: [Option<usize>; 2],
    /// How many nodes one ply below have failed high since the node above was entered.
    pub child_cutoffs: u32,
    /// Whether the null move has been tried here and did not fail high: the other side threatens something.
    pub pass_failed: bool,
}

/// A move about to be tried.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// How many moves were tried before it.
    pub tried: usize,
    /// What the order says of it; greater is better.
    pub rank: i32,
}
