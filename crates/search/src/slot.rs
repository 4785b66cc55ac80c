//! The slots: what a component must be able to do to fill one.
//!
//! Each slot is a step of the skeleton. [`Off`] fills every one whose step can be left out, and
//! [`Switch`] every one whose component is a choice of the search rather than of the game.

use crate::worker::{LineOf, Worker};
use crate::{
    Bound, Candidate, Component, Depth, Depths, Evaluate, Game, Hit, Node, NodeKind, Off, Recipe, Score,
    Spare, Stopped, Switch, Window,
};

/// Is told what happens. Nothing it does changes the search.
pub trait Observe<G: Game>: Default {
    /// A node is entered.
    #[inline]
    fn enter(&mut self, position: &G, window: Window, ply: usize) {
        let _ = (position, window, ply);
    }

    /// The node entered last and not yet left is about to search this move.
    #[inline]
    fn play(&mut self, mv: G::Move, ply: usize) {
        let _ = (mv, ply);
    }

    /// The node entered last and not yet left has this value.
    #[inline]
    fn leave(&mut self, value: Score, ply: usize) {
        let _ = (value, ply);
    }
}
impl<G: Game> Observe<G> for Off {}
/// Both are told.
impl<G: Game, A: Observe<G>, B: Observe<G>> Observe<G> for (A, B) {
    #[inline]
    fn enter(&mut self, position: &G, window: Window, ply: usize) {
        self.0.enter(position, window, ply);
        self.1.enter(position, window, ply);
    }

    #[inline]
    fn play(&mut self, mv: G::Move, ply: usize) {
        self.0.play(mv, ply);
        self.1.play(mv, ply);
    }

    #[inline]
    fn leave(&mut self, value: Score, ply: usize) {
        self.0.leave(value, ply);
        self.1.leave(value, ply);
    }
}

/// Draws that need no search: by repetition, by rule.
pub trait Draws<G: Game>: Component + Default + Send {
    /// Forgets the line; `before` are the positions of the game before the root.
    fn start(&mut self, before: &[G]) {
        let _ = before;
    }
    /// Whether the position is drawn, given the line that leads to it.
    fn is_draw(&self, position: &G, ply: usize) -> bool;
    /// The line goes on from `position` …
    fn push(&mut self, position: &G);
    /// … and comes back to it.
    fn pop(&mut self);
    /// A key that repeated positions have in common, and how many of the last plies could be repeated; none if nothing is drawn by
    /// repetition.
    fn repetition(position: &G) -> Option<(u64, usize)> {
        let _ = position;
        None
    }
}
impl<G: Game> Draws<G> for Off {
    #[inline]
    fn is_draw(&self, _: &G, _: usize) -> bool {
        false
    }
    #[inline]
    fn push(&mut self, _: &G) {}
    #[inline]
    fn pop(&mut self) {}
}

/// Remembers results between nodes that are the same position.
pub trait Memory<G: Game>: Component {
    /// Whether a node that still owes so much is worth a look: near the horizon a search
    /// can be cheaper than a wait for memory.
    #[inline]
    fn serves(&self, owed: Depths) -> bool {
        let _ = owed;
        true
    }
    /// What is known of a position `ply` below the root.
    fn probe(&self, position: &G, ply: usize) -> Hit;
    /// Whether `code`, of a [`Hit`] at `position`, names the move `mv`.
    fn names(&self, code: u16, position: &G, mv: G::Move) -> bool;
    /// Stores what a search has found.
    fn store(&self, position: &G, ply: usize, found: &Found<G::Move>);
    /// Starts to bring what is known of the position after `mv` near the processor.
    #[inline]
    fn prefetch(&self, position: &G, mv: G::Move) {
        let _ = (position, mv);
    }
    /// Whether hits end the search of open-window nodes too. Off keeps principal variations whole.
    #[inline]
    fn answers_pv(&self) -> bool {
        true
    }
    /// The least and the greatest value that a position may have by itself, before any search of moves, if that is
    /// kept: where the [static value is a small search](crate::ExactQuiescence).
    #[inline]
    fn static_bounds(&self, position: &G) -> Option<(Score, Score)> {
        let _ = position;
        None
    }
    /// Keeps them.
    #[inline]
    fn keep_static(&self, position: &G, lower: Score, upper: Score) {
        let _ = (position, lower, upper);
    }
    /// Whether a bound that does not end the search of an open-window node narrows its window.
    #[inline]
    fn narrows(&self) -> bool {
        false
    }
    /// A new search by so many workers begins: what is stored is one search older.
    fn begin_search(&self, workers: usize) {
        let _ = workers;
    }
    /// Whether a node that still owes so much is shared out: what another worker searches is put off,
    /// and what it finds counts.
    #[inline]
    fn shares(&self, owed: Depths) -> bool {
        let _ = owed;
        false
    }
    /// Whether another worker searches `mv` at `position` now.
    #[inline]
    fn is_busy(&self, position: &G, mv: G::Move) -> bool {
        let _ = (position, mv);
        false
    }
    /// This worker begins to search `mv` at `position` …
    #[inline]
    fn begin(&self, position: &G, mv: G::Move) {
        let _ = (position, mv);
    }
    /// … and is done with it.
    #[inline]
    fn end(&self, position: &G, mv: G::Move) {
        let _ = (position, mv);
    }
    /// A worker has left its search without coming to the end of what it began.
    fn release(&self) {}
}

/// A result to be stored: what the search with a window has shown, and to what depths.
#[derive(Clone, Copy, Debug)]
pub struct Found<M> {
    /// The value.
    pub value: Score,
    /// The value, clipped to the window: the claim whose depths are `depths`.
    pub at_edge: Score,
    /// Whether `value` is a lower bound, an upper bound or both.
    pub bound: Bound,
    /// `lower` counts if the bound is lower or exact, `upper` if it is upper or exact.
    pub depths: Depths,
    /// The best move.
    pub best: Option<M>,
    /// The static value, if it was computed.
    pub standing: Option<Score>,
}

impl<G: Game> Memory<G> for Off {
    #[inline]
    fn probe(&self, _: &G, _: usize) -> Hit {
        Hit::NONE
    }
    #[inline]
    fn names(&self, _: u16, _: &G, _: G::Move) -> bool {
        false
    }
    #[inline]
    fn store(&self, _: &G, _: usize, _: &Found<G::Move>) {}
}

/// Says what the moves of a node are worth to a depth rule that counts options ([`Horizon::COUNTS_OPTIONS`](crate::Horizon::COUNTS_OPTIONS)).
pub trait Options<G: Game>: Component + Default + Clone {
    /// Whether the static value of interior nodes is looked at.
    const USES_STANDING: bool = false;

    /// Appends values for the side to move at `node` to [`Worker::options`]; [`Worker::listed`] has its moves from `first` on, and
    /// `line` is what the depth rule carries. Says what they are values of, or nothing: then the next component is asked, and after
    /// the last the rule values every move statically. Values need be exact only within [`Horizon::option_window`](crate::Horizon::option_window).
    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        line: &LineOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped>;
}

/// What values on a list of options belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// One to each move, in their order: the move that is chosen is not an option beside itself.
    Moves,
    /// None in particular: so many options there are taken to be, whatever move is chosen.
    Guess,
}

impl<G: Game> Options<G> for Off {
    #[inline]
    fn list<R: Recipe<G>>(
        &self,
        _: &mut Worker<'_, G, R>,
        _: &Node<'_, G>,
        _: &LineOf<G, R>,
        _: usize,
    ) -> Result<Option<Listing>, Stopped> {
        Ok(None)
    }
}

impl<G: Game, C: Options<G>, const ON: bool> Options<G> for Switch<C, ON> {
    const USES_STANDING: bool = C::USES_STANDING;

    fn list<R: Recipe<G>>(
        &self,
        worker: &mut Worker<'_, G, R>,
        node: &Node<'_, G>,
        line: &LineOf<G, R>,
        first: usize,
    ) -> Result<Option<Listing>, Stopped> {
        if self.is_on() { self.component.list(worker, node, line, first) } else { Ok(None) }
    }
}

macro_rules! tuple_options {
    ($($name:ident.$index:tt)+) => {
        /// The first that says something is heard.
        impl<G: Game, $($name: Options<G>),+> Options<G> for ($($name,)+) {
            const USES_STANDING: bool = $($name::USES_STANDING)||+;

            fn list<R: Recipe<G>>(
                &self,
                worker: &mut Worker<'_, G, R>,
                node: &Node<'_, G>,
                line: &LineOf<G, R>,
                first: usize,
            ) -> Result<Option<Listing>, Stopped> {
                $(
                    let listing = self.$index.list(worker, node, line, first)?;
                    if listing.is_some() {
                        return Ok(listing);
                    }
                )+
                Ok(None)
            }
        }
    };
}
tuple_options!(A.0 B.1);
tuple_options!(A.0 B.1 C.2);
tuple_options!(A.0 B.1 C.2 D.3);
tuple_options!(A.0 B.1 C.2 D.3 E.4);
tuple_options!(A.0 B.1 C.2 D.3 E.4 F.5);
tuple_options!(A.0 B.1 C.2 D.3 E.4 F.5 H.6);
tuple_options!(A.0 B.1 C.2 D.3 E.4 F.5 H.6 I.7);

/// Positions whose value is known without search, such as endgame tables.
pub trait Knowledge<G: Game> {
    /// The value of a position, if it is known, and what it bounds.
    #[inline]
    fn probe(&mut self, position: &G, ply: usize) -> Option<(Score, Bound)> {
        let _ = (position, ply);
        None
    }
}
impl<G: Game> Knowledge<G> for Off {}

/// Gives a value to a position at the horizon.
pub trait Quiescence<G: Game>: Component + Default + Clone {
    /// The value of `position` seen through `window`. The node itself is already counted.
    fn value<R: Recipe<G>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped>;
}

/// The static value; the exact one if the game is over.
impl<G: Game> Quiescence<G> for Off {
    #[inline]
    fn value<R: Recipe<G>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        match position.is_over() {
            true => Ok(position.outcome().score(ply)),
            false => worker.evaluate_within(position, window),
        }
    }
}

impl<G: Game, C: Quiescence<G>, const ON: bool> Quiescence<G> for Switch<C, ON> {
    #[inline]
    fn value<R: Recipe<G>, N: NodeKind>(
        &self,
        worker: &mut Worker<'_, G, R>,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        match self.is_on() {
            true => self.component.value::<R, N>(worker, position, window, ply),
            false => Off.value::<R, N>(worker, position, window, ply),
        }
    }
}

/// Declares a slot whose components are asked one question about a node and are silent when off.
macro_rules! asking_slot {
    ($(#[$meta:meta])* $slot:ident { $(#[$ask_meta:meta])* $ask:ident($($arg:ident: $type:ty),*) -> $answer:ty = $silent:expr; }) => {
        $(#[$meta])*
        pub trait $slot<G: Game>: Component + Default {
            /// Whether [`Node::standing`] and [`Node::improving`] are looked at.
            const USES_STANDING: bool = true;

            /// Prepares what depends on the parameters; a search begins.
            fn start(&mut self) {}

            $(#[$ask_meta])*
            fn $ask(&self, node: &Node<'_, G>, $($arg: $type),*) -> $answer;
        }

        impl<G: Game> $slot<G> for Off {
            const USES_STANDING: bool = false;

            #[inline]
            fn $ask(&self, _: &Node<'_, G>, $(_: $type),*) -> $answer {
                $silent
            }
        }

        impl<G: Game, C: $slot<G>, const ON: bool> $slot<G> for Switch<C, ON> {
            const USES_STANDING: bool = C::USES_STANDING;

            fn start(&mut self) {
                self.component.start();
            }

            #[inline]
            fn $ask(&self, node: &Node<'_, G>, $($arg: $type),*) -> $answer {
                if self.is_on() { self.component.$ask(node, $($arg),*) } else { $silent }
            }
        }
    };
}

asking_slot! {
    /// Searches a node to less depth.
    ReduceNode {
        /// How much less.
        reduction() -> Depth = Depth::ZERO;
    }
}

asking_slot! {
    /// Ends or doubts a node by its static value.
    Prune {
        /// The value, if the node can be pruned.
        prune() -> Option<Score> = None;
    }
}

asking_slot! {
    /// Tries to fail high by passing.
    Passing {
        /// The position after the pass and the depth to take off besides, if a pass is worth trying.
        pass() -> Option<(G, Depth)> = None;
    }
}

/// Leaves out moves without searching them.
pub trait Skip<G: Game>: Component + Default {
    /// Whether [`Node::standing`] and [`Node::improving`] are looked at.
    const USES_STANDING: bool = true;

    /// Prepares what depends on the parameters; a search begins.
    fn start(&mut self) {}

    /// Takes out of `moves`, from `first` on, what need not even be ranked: before any move of the node is
    /// tried, with all of them in view. One at least stays. The root's moves are not shown.
    #[inline]
    fn select(
        &self,
        node: &Node<'_, G>,
        moves: &mut Vec<G::Move>,
        first: usize,
        evaluate: &mut impl Evaluate<G>,
    ) {
        let _ = (node, moves, first, evaluate);
    }

    /// Whether to leave out this move, or this and all quiet ones after it.
    fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped;
}

impl<G: Game> Skip<G> for Off {
    const USES_STANDING: bool = false;

    #[inline]
    fn skip(&self, _: &Node<'_, G>, _: &Candidate<G::Move>, _: bool) -> Skipped {
        Skipped::No
    }
}

impl<G: Game, C: Skip<G>, const ON: bool> Skip<G> for Switch<C, ON> {
    const USES_STANDING: bool = C::USES_STANDING;

    fn start(&mut self) {
        self.component.start();
    }

    #[inline]
    fn select(
        &self,
        node: &Node<'_, G>,
        moves: &mut Vec<G::Move>,
        first: usize,
        evaluate: &mut impl Evaluate<G>,
    ) {
        if self.is_on() {
            self.component.select(node, moves, first, evaluate);
        }
    }

    #[inline]
    fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        if self.is_on() { self.component.skip(node, candidate, noisy) } else { Skipped::No }
    }
}

/// What either leaves out.
impl<G: Game, A: Skip<G>, B: Skip<G>> Skip<G> for (A, B) {
    const USES_STANDING: bool = A::USES_STANDING || B::USES_STANDING;

    fn start(&mut self) {
        self.0.start();
        self.1.start();
    }

    #[inline]
    fn select(
        &self,
        node: &Node<'_, G>,
        moves: &mut Vec<G::Move>,
        first: usize,
        evaluate: &mut impl Evaluate<G>,
    ) {
        self.0.select(node, moves, first, evaluate);
        self.1.select(node, moves, first, evaluate);
    }

    #[inline]
    fn skip(&self, node: &Node<'_, G>, candidate: &Candidate<G::Move>, noisy: bool) -> Skipped {
        match self.0.skip(node, candidate, noisy) {
            Skipped::No => self.1.skip(node, candidate, noisy),
            skipped => skipped,
        }
    }
}

/// Asks whether a move is much better than all others.
pub trait Extend<G: Game>: Component + Default {
    /// Prepares what depends on the parameters; a search begins.
    fn start(&mut self) {}

    /// The test of the remembered move to make before any move is tried, if one is worth making.
    #[inline]
    fn test(&self, node: &Node<'_, G>, hit: &Hit) -> Option<Singularity> {
        let _ = (node, hit);
        None
    }

    /// Whether [`Extend::verify`] is asked.
    const VERIFIES: bool = false;

    /// The test to make of a move that has been searched and is worth more than α, if one is worth making. The others are searched one by one.
    fn verify(&self, node: &Node<'_, G>, value: Score) -> Option<Singularity> {
        let _ = (node, value);
        None
    }
}

impl<G: Game> Extend<G> for Off {}

impl<G: Game, C: Extend<G>, const ON: bool> Extend<G> for Switch<C, ON> {
    fn start(&mut self) {
        self.component.start();
    }

    #[inline]
    fn test(&self, node: &Node<'_, G>, hit: &Hit) -> Option<Singularity> {
        if self.is_on() { self.component.test(node, hit) } else { None }
    }

    const VERIFIES: bool = C::VERIFIES;

    fn verify(&self, node: &Node<'_, G>, value: Score) -> Option<Singularity> {
        if self.is_on() { self.component.verify(node, value) } else { None }
    }
}

/// The first that wants a test has it.
impl<G: Game, A: Extend<G>, B: Extend<G>> Extend<G> for (A, B) {
    fn start(&mut self) {
        self.0.start();
        self.1.start();
    }

    #[inline]
    fn test(&self, node: &Node<'_, G>, hit: &Hit) -> Option<Singularity> {
        self.0.test(node, hit).or_else(|| self.1.test(node, hit))
    }

    const VERIFIES: bool = A::VERIFIES || B::VERIFIES;

    fn verify(&self, node: &Node<'_, G>, value: Score) -> Option<Singularity> {
        self.0.verify(node, value).or_else(|| self.1.verify(node, value))
    }
}

asking_slot! {
    /// Searches late moves to a smaller depth first.
    Reduce {
        /// How much smaller.
        reduction(candidate: &Candidate<G::Move>, noisy: bool, child: &G) -> Depth = Depth::ZERO;
    }
}

/// Answer of [`Skip::skip`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skipped {
    /// Search it.
    No,
    /// Leave it out.
    This,
    /// Leave it out, and all quiet moves after it.
    Quiet,
}

/// A test of [`Extend`]: do all other moves stay below `target` in a shallower search?
#[derive(Clone, Copy, Debug)]
pub struct Singularity {
    /// The value that the others must not reach.
    pub target: Score,
    /// How much shallower.
    pub reduction: Depth,
    /// What the move gains in depth if it is singular …
    pub extension: Depth,
    /// … and by how much the others must miss the target to gain it twice.
    pub double_margin: Score,
}

/// Orders moves, and learns from cutoffs.
pub trait Order<G: Game>: Component + Default {
    /// Whether a move may be brought forward while the moves of a node are being tried. Only then are
    /// [`Order::reorders`], [`Order::expand`] and [`Order::comes_next`] called.
    const REORDERS: bool = false;

    /// Whether it is switched on.
    fn reorders(&self) -> bool {
        Self::REORDERS
    }

    /// What the order needs to know of a move, gathered once for all its components.
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        let _ = (position, mv);
        Facts::default()
    }

    /// What the order says of a move; greater is earlier. Noisy winning moves are above
    /// [`rank::WINNING`], losing ones below [`rank::LOSING`], quiet ones between.
    fn rank(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> i32;

    /// `best` failed high at `node` after the moves `tried`, none of which did.
    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, tried: &[G::Move]) {
        let _ = (node, best, tried);
    }

    /// The moves of a node at `ply` are about to be tried.
    fn expand(&mut self, ply: usize) {
        let _ = ply;
    }

    /// Whether `mv`, which is still untried at `node`, comes next whatever its rank.
    fn comes_next(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> bool {
        let _ = (node, mv, facts);
        false
    }

    /// Slots ([`Slotted`](crate::Slotted)) of the quiet moves that failed high at a ply, if they are kept.
    fn killers(&self, ply: usize) -> [Option<usize>; 2] {
        let _ = ply;
        [None; 2]
    }

    /// A new search begins.
    fn start(&mut self) {}

    /// From now on this worker learns together with `leader`, which has started.
    fn share(&mut self, leader: &Self) {
        let _ = leader;
    }

    /// Forgets everything: a new game begins.
    fn forget(&mut self) {}
}
impl<G: Game> Order<G> for Off {
    #[inline]
    fn rank(&self, _: &Node<'_, G>, _: G::Move, _: Facts) -> i32 {
        0
    }
}

/// What components of the order know of a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// Its slot ([`Slotted`](crate::Slotted)), if a component remembers moves by slots.
    pub slot: Option<usize>,
    /// Whether it is noisy ([`Noisy`](crate::Noisy)), if a component asks.
    pub noisy: bool,
}

/// The tiers of the order.
pub mod rank {
    /// The move that the memory names.
    pub const REMEMBERED: i32 = i32::MAX;
    /// Noisy moves that do not lose material are above.
    pub const WINNING: i32 = 1_000_000_000;
    /// Killers and counter-moves are above.
    pub const KILLER: i32 = 100_000_000;
    /// Quiet moves that give check are above. Moves that are left out for their number or for α are below.
    pub const CHECK: i32 = 10_000_000;
    /// Noisy moves that lose material are below.
    pub const LOSING: i32 = -1_000_000_000;

    /// Whether a rank, other than that of the remembered move, is a noisy move's.
    #[inline]
    pub const fn is_noisy(rank: i32) -> bool {
        rank >= WINNING || rank <= LOSING
    }
}

macro_rules! tuple_order {
    ($($name:ident.$index:tt)+) => {
        impl<Z: Game, $($name: Order<Z>),+> Order<Z> for ($($name,)+) {
            const REORDERS: bool = false $(|| $name::REORDERS)+;

            fn reorders(&self) -> bool {
                false $(|| self.$index.reorders())+
            }

            #[inline(always)] // what is the same for all moves of a node is then computed once
            fn rank(&self, node: &Node<'_, Z>, mv: Z::Move, facts: Facts) -> i32 {
                0 $(+ self.$index.rank(node, mv, facts))+
            }
            #[inline]
            fn facts(&self, position: &Z, mv: Z::Move) -> Facts {
                let mut all = Facts::default();
                $(
                    let facts = self.$index.facts(position, mv);
                    all = Facts { slot: all.slot.or(facts.slot), noisy: all.noisy | facts.noisy };
                )+
                all
            }
            #[inline]
            fn reward(&mut self, node: &Node<'_, Z>, best: Z::Move, tried: &[Z::Move]) {
                $(self.$index.reward(node, best, tried);)+
            }
            fn expand(&mut self, ply: usize) {
                $(self.$index.expand(ply);)+
            }
            #[inline]
            fn comes_next(&self, node: &Node<'_, Z>, mv: Z::Move, facts: Facts) -> bool {
                false $(|| self.$index.comes_next(node, mv, facts))+
            }
            fn killers(&self, ply: usize) -> [Option<usize>; 2] {
                let mut all = [None; 2];
                $(
                    let killers = self.$index.killers(ply);
                    all = [all[0].or(killers[0]), all[1].or(killers[1])];
                )+
                all
            }
            fn start(&mut self) {
                $(self.$index.start();)+
            }
            fn share(&mut self, leader: &Self) {
                $(self.$index.share(&leader.$index);)+
            }
            fn forget(&mut self) {
                $(self.$index.forget();)+
            }
        }
    };
}
tuple_order!(A.0);
tuple_order!(A.0 B.1);
tuple_order!(A.0 B.1 C.2);
tuple_order!(A.0 B.1 C.2 D.3);
tuple_order!(A.0 B.1 C.2 D.3 E.4);
tuple_order!(A.0 B.1 C.2 D.3 E.4 F.5);
tuple_order!(A.0 B.1 C.2 D.3 E.4 F.5 G.6);
tuple_order!(A.0 B.1 C.2 D.3 E.4 F.5 G.6 H.7);
tuple_order!(A.0 B.1 C.2 D.3 E.4 F.5 G.6 H.7 I.8);

impl<G: Game, C: Order<G>, const ON: bool> Order<G> for Switch<C, ON> {
    const REORDERS: bool = C::REORDERS;

    fn reorders(&self) -> bool {
        self.is_on() && self.component.reorders()
    }

    #[inline]
    fn rank(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> i32 {
        if self.is_on() { self.component.rank(node, mv, facts) } else { 0 }
    }
    #[inline]
    fn facts(&self, position: &G, mv: G::Move) -> Facts {
        self.component.facts(position, mv)
    }
    #[inline]
    fn reward(&mut self, node: &Node<'_, G>, best: G::Move, tried: &[G::Move]) {
        if self.is_on() {
            self.component.reward(node, best, tried);
        }
    }
    fn expand(&mut self, ply: usize) {
        self.component.expand(ply);
    }
    #[inline]
    fn comes_next(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> bool {
        self.is_on() && self.component.comes_next(node, mv, facts)
    }

    fn killers(&self, ply: usize) -> [Option<usize>; 2] {
        if self.is_on() { self.component.killers(ply) } else { [None; 2] }
    }
    fn start(&mut self) {
        self.component.start();
    }
    fn share(&mut self, leader: &Self) {
        self.component.share(&leader.component);
    }
    fn forget(&mut self) {
        self.component.forget();
    }
}

/// Chooses the iterations.
pub trait Deepen: Component + Default {
    /// Whether the first iteration may find pairs: every root move by itself, and the best reply to it.
    const PAIRS: bool = false;

    /// Whether it does. The replies are then tried first.
    fn pairs(&self) -> bool {
        Self::PAIRS
    }

    /// The iteration after this one, which it must exceed; 0 stands before the first.
    fn next(&self, iteration: usize) -> usize {
        iteration + 1
    }
}
impl<C: Deepen, const ON: bool> Deepen for Switch<C, ON> {
    const PAIRS: bool = C::PAIRS;

    fn pairs(&self) -> bool {
        self.is_on() && self.component.pairs()
    }
    fn next(&self, iteration: usize) -> usize {
        if self.is_on() { self.component.next(iteration) } else { Off.next(iteration) }
    }
}
/// One ply more each time.
impl Deepen for Off {}

/// Chooses the windows of each iteration from the value of the last.
pub trait Aspire: Component + Default {
    /// Whether windows at the root may be minimal: questions to which the answer is yes or no.
    const TESTS: bool = false;

    /// The first window for an iteration; `previous` is the last value, if there is one.
    fn window(&self, previous: Option<Score>, iteration: usize) -> Window;

    /// The next window after a failure. The last one to come must be [`Window::FULL`].
    fn widen(&self, failure: &Failure) -> Window;

    /// Whether a value outside its window is an answer all the same: a bound is all that was asked for.
    fn takes_a_bound(&self) -> bool {
        false
    }
}
impl<C: Aspire, const ON: bool> Aspire for Switch<C, ON> {
    const TESTS: bool = C::TESTS;

    fn window(&self, previous: Option<Score>, iteration: usize) -> Window {
        if self.is_on() { self.component.window(previous, iteration) } else { Window::FULL }
    }
    fn widen(&self, failure: &Failure) -> Window {
        if self.is_on() { self.component.widen(failure) } else { Window::FULL }
    }
    fn takes_a_bound(&self) -> bool {
        self.is_on() && self.component.takes_a_bound()
    }
}
/// The second, if it is switched on, else the first.
impl<A: Aspire, B: Aspire> Aspire for (A, Spare<B>) {
    const TESTS: bool = A::TESTS || B::TESTS;

    fn window(&self, previous: Option<Score>, iteration: usize) -> Window {
        match self.1.is_on() {
            true => self.1.window(previous, iteration),
            false => self.0.window(previous, iteration),
        }
    }
    fn widen(&self, failure: &Failure) -> Window {
        if self.1.is_on() { self.1.widen(failure) } else { self.0.widen(failure) }
    }
    fn takes_a_bound(&self) -> bool {
        if self.1.is_on() { self.1.takes_a_bound() } else { self.0.takes_a_bound() }
    }
}
impl Aspire for Off {
    fn window(&self, _: Option<Score>, _: usize) -> Window {
        Window::FULL
    }
    fn widen(&self, _: &Failure) -> Window {
        Window::FULL
    }
}

/// A search of the root whose value is outside its window.
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    /// The window …
    pub window: Window,
    /// … and the value, which is a bound of the true one.
    pub value: Score,
    /// How many searches of this iteration have failed, this one included.
    pub count: u32,
    /// The greatest lower bound that this iteration has found …
    pub least: Score,
    /// … and the least upper bound. Less than `least` if two searches contradict each other, which
    /// selective ones may.
    pub most: Score,
}

/// Which windows the moves of an open node are searched with.
pub trait Windows: Component + Default {
    /// Whether any move is first asked only whether it beats α, with a minimal window.
    const MINIMAL: bool;

    /// Whether a move that is searched again may be searched by plain alpha-beta.
    const PLAIN: bool = false;

    /// Whether this move is asked first.
    fn asks(&self, turn: &Turn) -> bool;

    /// With which window a move is searched again that has beaten α with `value` and not reached β.
    #[inline]
    fn again(&self, window: Window, value: Score) -> Window {
        let _ = value;
        window
    }

    /// Whether it is then searched by plain alpha-beta.
    #[inline]
    fn is_plain(&self) -> bool {
        Self::PLAIN
    }
}

/// The first, if it is switched on, else the second.
impl<A: Windows, B: Windows> Windows for (Spare<A>, B) {
    const MINIMAL: bool = A::MINIMAL || B::MINIMAL;
    const PLAIN: bool = A::PLAIN || B::PLAIN;

    fn asks(&self, turn: &Turn) -> bool {
        if self.0.is_on() { self.0.component.asks(turn) } else { self.1.asks(turn) }
    }

    fn again(&self, window: Window, value: Score) -> Window {
        if self.0.is_on() { self.0.component.again(window, value) } else { self.1.again(window, value) }
    }

    fn is_plain(&self) -> bool {
        if self.0.is_on() { self.0.component.is_plain() } else { self.1.is_plain() }
    }
}

/// A move of an open node, as [`Windows::asks`] sees it.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// How many moves were tried before it.
    pub tried: usize,
    /// How many moves the node has.
    pub moves: usize,
    /// What the node still owes, the greater of both claims.
    pub owed: Depth,
}
