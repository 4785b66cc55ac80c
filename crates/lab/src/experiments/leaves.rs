//! Plain alpha-beta on small trees, with a record of each root search and its window; and the survey's
//! table of leaf counts.

use crate::experiment::Tolerance;
use cassius_games::random_tree::{RandomTree, Values};
use cassius_search::alpha_beta::aspiration::{Aspire, Failure};
use cassius_search::alpha_beta::horizon::{Discounted, FailHard, Horizon, Plies};
use cassius_search::alpha_beta::observe::{Observe, Recorded, TreeRecorder};
use cassius_search::alpha_beta::windows::{WholeWindow, Windows};
use cassius_search::{
    Component, Evaluate, Game, Off, Outcome, Request, Score, Slots, Unlimited, Window, search,
};
use std::cell::Cell;
use std::marker::PhantomData;

/// A simulated column of Table 1: mean and standard deviation.
#[derive(Clone, Copy)]
pub(super) struct Simulated {
    pub mean: f64,
    pub deviation: f64,
}

impl Simulated {
    /// Returns how far mean and deviation may be from the printed ones: the 95 % intervals of the
    /// differences. Ours are of `trials` trees and the printed ones of 100. The numbers of leaves are
    /// assumed to be distributed normally.
    pub fn intervals(self, printed: Simulated, trials: u64) -> (Tolerance, Tolerance) {
        const PRINTED_TRIALS: f64 = 100.0;
        let variance = self.deviation.powi(2) / trials as f64 + printed.deviation.powi(2) / PRINTED_TRIALS;
        (Tolerance::Interval(1.96 * variance.sqrt()), Tolerance::Interval(1.96 * (variance / 2.0).sqrt()))
    }
}

/// A row of Table 1 of Marsland & Campbell 1981: the leaves of trees of this width and depth.
pub(super) struct Printed {
    pub width: u16,
    pub depth: u16,
    /// The minimum.
    pub b: u64,
    /// The mean in strongly ordered trees.
    pub a: Simulated,
    /// The mean in random trees.
    pub r: Simulated,
    /// The leaves of minimax.
    pub m: u64,
}

/// Table 1 of Marsland & Campbell 1981.
pub(super) const TABLE_1: [Printed; 6] = [
    printed(8, 3, 71, (105, 21), (181, 36), 512),
    printed(16, 3, 271, (405, 64), (786, 114), 4096),
    printed(24, 3, 599, (857, 115), (1752, 250), 13_824),
    printed(8, 4, 127, (281, 88), (690, 153), 4096),
    printed(16, 4, 511, (1286, 430), (4125, 875), 65_536),
    printed(24, 4, 1151, (2946, 1013), (10_425, 1891), 331_776),
];

const fn printed(width: u16, depth: u16, b: u64, a: (u32, u32), r: (u32, u32), m: u64) -> Printed {
    const fn simulated((mean, deviation): (u32, u32)) -> Simulated {
        Simulated { mean: mean as f64, deviation: deviation as f64 }
    }
    Printed { width, depth, b, a: simulated(a), r: simulated(r), m }
}

/// Returns W^⌈D/2⌉ + W^⌊D/2⌋ − 1, the minimum number of leaves that alpha-beta can score.
pub(super) fn fewest(width: u64, depth: u32) -> u64 {
    width.pow(depth.div_ceil(2)) + width.pow(depth / 2) - 1
}

/// Alpha-beta as printed by Marsland & Campbell: no memory, no ordering, every move with the node's
/// whole window.
pub(super) struct PlainAlphaBeta<O, H, W = WholeWindow, E = Blank>(PhantomData<(O, H, W, E)>);

cassius_search::recipe! {
    impl [G, O, H, W, E] PlainAlphaBeta<O, H, W, E>, game G, where [
        G: Game,
        O: Observe<G>,
        H: Horizon<G>,
        W: Windows,
        E: Evaluate<G>,
    ] {
        Setting = (E, Off);
        Observe = O;
        Horizon = H;
        Windows = W;
        Aspiration = RootWindow;
    }
}

/// The value of a node that is not a leaf. It is the same for all, so that no iteration before the last
/// can distinguish the root's moves and reorder them.
pub(super) struct Blank;

impl<G> Evaluate<G> for Blank {
    fn evaluate(&mut self, _: &G) -> Score {
        Score::DRAW
    }
}

/// The searches of the root in order, and the numbers of nodes that each entered.
#[derive(Clone, Debug, Default)]
struct Visits(Vec<Visit>);

/// One search of the root.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    /// The window.
    pub window: Window,
    /// The nodes entered at each ply.
    pub nodes: Vec<u64>,
    /// The value.
    pub value: Score,
}

impl<G: Game> Observe<G> for Visits {
    fn enter(&mut self, _: &G, window: Window, ply: usize) {
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

/// Starts every iteration but the first with the given window, and ends with the full one.
#[derive(Clone, Debug)]
pub(crate) struct RootWindow(pub Window);

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

/// Searches a tree of at least two plies to its bottom with a window at the root. Returns the observer.
fn watch<G, O, H, W>(tree: &G, depth: usize, window: Window) -> O
where
    G: Game,
    O: Observe<G>,
    H: Horizon<G>,
    W: Windows,
{
    debug_assert!(depth >= 2, "the first iteration has the full window");
    let mut slots: Slots<G, PlainAlphaBeta<O, H, W>> = Slots::new(Blank, Off, Off);
    slots.aspiration = RootWindow(window);
    search(&mut slots, &Request::new(tree, &Unlimited).to_iteration(depth), &mut |_| {});
    slots.observe
}

/// Searches a tree of at least two plies to its bottom with a window at the root.
pub(super) fn alpha_beta<G: Game>(tree: &G, depth: usize, window: Window) -> Visit {
    alpha_beta_with::<G, WholeWindow>(tree, depth, window)
}

/// Does the same with other windows for the moves.
pub(super) fn alpha_beta_with<G: Game, W: Windows>(tree: &G, depth: usize, window: Window) -> Visit {
    let visits: Visits = watch::<G, Visits, Plies, W>(tree, depth, window);
    let to_the_bottom = |visit: &&Visit| visit.window == window && visit.nodes.len() == depth + 1;
    visits.0.iter().find(to_the_bottom).cloned().expect("the last iteration begins with the window")
}

/// Returns the nodes of that search in the order of entering, the root first.
pub(super) fn nodes_of<G: Game>(tree: &G, depth: usize, window: Window) -> Vec<Recorded<G>> {
    last_iteration(watch::<G, TreeRecorder<G>, Plies, WholeWindow>(tree, depth, window), window)
}

/// Returns the same nodes, with values clipped to the windows of the nodes.
pub(super) fn nodes_of_fail_hard<G: Game>(tree: &G, depth: usize, window: Window) -> Vec<Recorded<G>> {
    last_iteration(
        watch::<G, TreeRecorder<G>, Discounted<FailHard, Plies>, WholeWindow>(tree, depth, window),
        window,
    )
}

/// Returns the nodes of the last search of the root with this window.
pub(super) fn last_iteration<G>(recorder: TreeRecorder<G>, window: Window) -> Vec<Recorded<G>> {
    let mut nodes = recorder.nodes;
    let root = |node: &Recorded<G>| node.ply == 0 && node.window == window;
    let first = nodes.iter().rposition(root).expect("the last iteration begins with the window");
    nodes.drain(..first);
    let end = nodes[1..].iter().position(|node| node.ply == 0).map_or(nodes.len(), |next| next + 1);
    nodes.truncate(end);
    for node in &mut nodes {
        node.parent = node.parent.map(|parent| parent - first);
    }
    nodes
}

/// Returns the mean and standard deviation of the number of leaves that plain alpha-beta scores, over
/// `trials` trees.
pub(super) fn simulate(values: Values, width: u16, depth: u16, trials: u64) -> Simulated {
    let leaves = |seed| {
        let tree = RandomTree::new(values, width, depth, seed);
        alpha_beta(&tree, depth.into(), Window::FULL).nodes[usize::from(depth)] as f64
    };
    let counts: Vec<f64> = (0..trials).map(leaves).collect();
    let mean = counts.iter().sum::<f64>() / trials as f64;
    let squares = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>();
    Simulated { mean, deviation: (squares / trials.saturating_sub(1).max(1) as f64).sqrt() }
}

/// Searches a tree to its bottom by plain minimax. Returns its value and the number of scored leaves.
pub(super) fn minimax(tree: &RandomTree, depth: usize) -> (Score, u64) {
    let leaves = Cell::new(0);
    let root = Counted { tree: *tree, leaves: &leaves };
    let value =
        cassius_search::minimax(&root, &mut |_: &Counted<'_>| unreachable!("above the bottom"), depth);
    (value, leaves.get())
}

/// A tree that counts how often the value of a leaf is requested.
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
