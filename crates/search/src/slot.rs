//! The slots: what a component must be able to do to fill one.
//!
//! Each slot is a step of the skeleton. [`Off`] fills every one whose step can be left out, and
//! [`Switch`] every one whose component is a choice of the search rather than of the game.

use crate::worker::Worker;
use crate::{
    Bound, Candidate, Component, Depth, Depths, Game, Hit, Node, NodeKind, Off, Recipe, Score, Stopped,
    Switch, Window,
};

/// Is told what happens. Nothing it does changes the search.
pub trait Observe<G: Game> {
    /// A node is entered.
    #[inline]
    fn enter(&mut self, position: &G, window: Window, ply: usize) {
        let _ = (position, window, ply);
    }

    /// The node entered last and not yet left has this value.
    #[inline]
    fn leave(&mut self, value: Score, ply: usize) {
        let _ = (value, ply);
    }
}
impl<G: Game> Observe<G> for Off {}

/// Draws that need no search: by repetition, by rule.
pub trait Draws<G: Game>: Component {
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
pub trait Quiescence<G: Game>: Component + Clone {
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
        _: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        Ok(match position.is_over() {
            true => position.outcome().score(ply),
            false => worker.evaluate(position),
        })
    }
}

impl<G: Game, C: Quiescence<G>> Quiescence<G> for Switch<C> {
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
        pub trait $slot<G: Game>: Component {
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

        impl<G: Game, C: $slot<G>> $slot<G> for Switch<C> {
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

asking_slot! {
    /// Leaves out moves without searching them.
    Skip {
        /// Whether to leave out this move, or this and all quiet ones after it.
        skip(candidate: &Candidate<G::Move>, noisy: bool) -> Skipped = Skipped::No;
    }
}

asking_slot! {
    /// Asks whether the remembered move is much better than all others.
    Extend {
        /// The test to make, if one is worth making.
        test(hit: &Hit) -> Option<Singularity> = None;
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

/// The test of [`Extend::test`]: do all other moves stay below `target` in a shallower search?
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
pub trait Order<G: Game>: Component {
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
        impl<G: Game, $($name: Order<G>),+> Order<G> for ($($name,)+) {
            #[inline(always)] // what is the same for all moves of a node is then computed once
            fn rank(&self, node: &Node<'_, G>, mv: G::Move, facts: Facts) -> i32 {
                0 $(+ self.$index.rank(node, mv, facts))+
            }
            #[inline]
            fn facts(&self, position: &G, mv: G::Move) -> Facts {
                let mut all = Facts::default();
                $(
                    let facts = self.$index.facts(position, mv);
                    all = Facts { slot: all.slot.or(facts.slot), noisy: all.noisy | facts.noisy };
                )+
                all
            }
            #[inline]
            fn reward(&mut self, node: &Node<'_, G>, best: G::Move, tried: &[G::Move]) {
                $(self.$index.reward(node, best, tried);)+
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

impl<G: Game, C: Order<G>> Order<G> for Switch<C> {
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

/// Chooses the window of each iteration from the value of the last.
pub trait Aspire: Component {
    /// The first window for an iteration; `previous` is the last value.
    fn window(&self, previous: Score, iteration: usize) -> Window;
    /// The next window after a failure: `value` is the bound just found, `failures` how many there were.
    fn widen(&self, window: Window, value: Score, failures: u32) -> Window;
}
impl Aspire for Off {
    fn window(&self, _: Score, _: usize) -> Window {
        Window::FULL
    }
    fn widen(&self, _: Window, _: Score, _: u32) -> Window {
        Window::FULL
    }
}

/// Which windows the moves after the first are searched with.
pub trait Windows {
    /// Whether they are first asked only whether they beat α.
    const MINIMAL: bool;
}

/// Every move is searched with the node's own window: plain alpha-beta.
pub struct WholeWindow;
impl Windows for WholeWindow {
    const MINIMAL: bool = false;
}

/// The first move has the whole window, the others the minimal one, and the whole one
/// again if they beat it.
///
/// *Reference:* Marsland & Campbell 1981, §III: palphabeta; known as principal variation search.
/// *Soundness:* preserves the minimax value on integer scores.
pub struct MinimalWindow;
impl Windows for MinimalWindow {
    const MINIMAL: bool = true;
}
