//! Counts the leaves that a search scores, window by window.

use cassius_games::Statics;
use cassius_games::random_tree::RandomTree;
use cassius_search::{
    Aspire, Component, Failure, Game, Observe, Off, Outcome, Plies, Recipe, Request, Score, Slots, Unlimited,
    WholeWindow, Window, search,
};
use std::cell::Cell;

/// Alpha-beta as Marsland & Campbell print it: no memory, no ordering, every move with the node's whole window.
pub(super) struct PlainAlphaBeta;

impl Recipe<RandomTree> for PlainAlphaBeta {
    type Evaluate = Statics;
    type Observe = Visits;
    type Draws = Off;
    type Horizon = Plies;
    type Quiescence = Off;
    type Memory = Off;
    type Knowledge = Off;
    type InternalReduction = Off;
    type ReverseFutility = Off;
    type Razoring = Off;
    type NullMove = Off;
    type Order = Off;
    type LateMovePruning = Off;
    type Futility = Off;
    type ExchangePruning = Off;
    type Extend = Off;
    type LateMoveReduction = Off;
    type Windows = WholeWindow;
    type Aspiration = RootWindow;
}

/// The searches of the root, one after the other, and the leaves that each scored.
#[derive(Clone, Debug, Default)]
pub(super) struct Visits(pub Vec<Visit>);

/// One search of the root.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    /// Its window.
    pub window: Window,
    /// Nodes entered at each ply.
    pub nodes: Vec<u64>,
    /// Its value.
    pub value: Score,
}

impl Observe<RandomTree> for Visits {
    fn enter(&mut self, _: &RandomTree, window: Window, ply: usize) {
        if ply == 0 {
            self.0.push(Visit { window, nodes: Vec::new(), value: -Score::INFINITE });
        }
        let nodes = &mut self.0.last_mut().expect("the root is entered first").nodes;
        if nodes.len() <= ply {
            nodes.resize(ply + 1, 0);
        }
        nodes[ply] += 1;
    }

    fn leave(&mut self, value: Score, ply: usize) {
        if ply == 0 {
            self.0.last_mut().expect("the root was entered").value = value;
        }
    }
}

/// Begins every iteration but the first with one window, and ends with the full one.
#[derive(Clone, Debug)]
pub(super) struct RootWindow(pub Window);

impl Default for RootWindow {
    fn default() -> Self {
        RootWindow(Window::FULL)
    }
}

impl Component for RootWindow {
    const NAME: &'static str = "RootWindow";
}

impl Aspire for RootWindow {
    fn window(&self, previous: Option<Score>, _: usize) -> Window {
        previous.map_or(Window::FULL, |_| self.0)
    }

    fn widen(&self, _: &Failure) -> Window {
        Window::FULL
    }
}

/// Searches a tree of at least two plies to its bottom with a window at the root; returns that search.
pub(super) fn alpha_beta(tree: &RandomTree, depth: usize, window: Window) -> Visit {
    debug_assert!(depth >= 2, "the first iteration has the full window");
    let mut slots: Slots<RandomTree, PlainAlphaBeta> = Slots::new(Statics, Off, Off);
    slots.aspiration = RootWindow(window);
    search(&mut slots, &Request::new(tree, &Unlimited).to_iteration(depth), &mut |_| {});
    let to_the_bottom = |visit: &&Visit| visit.window == window && visit.nodes.len() == depth + 1;
    slots.observe.0.iter().find(to_the_bottom).cloned().expect("the last iteration begins with the window")
}

/// Plain minimax to the bottom of a tree: its value and the leaves it scores.
pub(super) fn minimax(tree: &RandomTree, depth: usize) -> (Score, u64) {
    let leaves = Cell::new(0);
    let root = Counted { tree: *tree, leaves: &leaves };
    let value =
        cassius_search::minimax(&root, &mut |_: &Counted<'_>| unreachable!("above the bottom"), depth);
    (value, leaves.get())
}

/// A tree that counts how often the value of a leaf is asked.
#[derive(Clone)]
struct Counted<'a> {
    tree: RandomTree,
    leaves: &'a Cell<u64>,
}

impl Game for Counted<'_> {
    type Move = u16;

    fn moves(&self, moves: &mut Vec<u16>) {
        self.tree.moves(moves);
    }

    fn play(&mut self, mv: u16) {
        self.tree.play(mv);
    }

    fn outcome(&self) -> Outcome {
        self.leaves.set(self.leaves.get() + 1);
        self.tree.outcome()
    }
}
