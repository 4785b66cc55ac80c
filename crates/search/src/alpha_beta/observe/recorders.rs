//! Observers that count or record what happens in a search.

use crate::alpha_beta::observe::Observe;
use crate::game::{Game, Keyed};
use crate::score::Score;
use crate::window::{Bound, Window};

/// Counts nodes by ply.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Nodes entered at each ply.
    pub nodes: Vec<u64>,
    /// Numbers of nodes that failed high, that failed low, and that had a value inside their window.
    pub outcomes: [u64; 3],
    windows: Vec<Window>,
}

impl<G: Game> Observe<G> for Counters {
    fn enter(&mut self, _: &G, window: Window, ply: usize) {
        if self.nodes.len() <= ply {
            self.nodes.resize(ply + 1, 0);
        }
        self.nodes[ply] += 1;
        if ply == 0 {
            self.windows.clear(); // the previous search may have been stopped
        }
        self.windows.push(window);
    }

    fn leave(&mut self, value: Score, _: usize) {
        let Some(window) = self.windows.pop() else { return };
        let place = match window.bound(value) {
            Bound::Lower => 0,
            Bound::Upper => 1,
            Bound::Exact => 2,
        };
        self.outcomes[place] += 1;
    }
}

/// Records the searched tree, node by node in the order in which nodes are entered.
#[derive(Clone, Debug)]
pub struct TreeRecorder<G> {
    /// The nodes. A node that is searched again appears again.
    pub nodes: Vec<Recorded<G>>,
    open: Vec<usize>,
}

/// A node of a [`TreeRecorder`].
#[derive(Clone, Debug)]
pub struct Recorded<G> {
    /// The position.
    pub position: G,
    /// Index of the parent node.
    pub parent: Option<usize>,
    /// Plies from the root.
    pub ply: usize,
    /// The window it was searched with.
    pub window: Window,
    /// Its value, once the node has been left.
    pub value: Option<Score>,
    /// Whether no child of the node was entered.
    pub leaf: bool,
}

impl<G> Default for TreeRecorder<G> {
    fn default() -> Self {
        TreeRecorder { nodes: Vec::new(), open: Vec::new() }
    }
}

impl<G: Game> Observe<G> for TreeRecorder<G> {
    fn enter(&mut self, position: &G, window: Window, ply: usize) {
        if ply == 0 {
            self.open.clear(); // the previous search may have been stopped
        }
        let parent = self.open.last().copied();
        if let Some(parent) = parent {
            self.nodes[parent].leaf = false;
        }
        self.open.push(self.nodes.len());
        let position = position.clone();
        self.nodes.push(Recorded { position, parent, ply, window, value: None, leaf: true });
    }

    fn leave(&mut self, value: Score, _: usize) {
        let Some(node) = self.open.pop() else { return };
        self.nodes[node].value = Some(value);
    }
}

/// Counts search instability: how often a node, searched again with a wider window, contradicts its
/// earlier bound.
///
/// For example, a null window search shows that a move is better than α, the window is opened to find
/// the value, and the search with the open window finds that the move is not better. This cannot happen
/// if the depth rule depends only on the line and the search uses neither memory nor reductions. It does
/// happen with depth rules that depend on the window (Levy, Broughton & Taylor 1989 warn of it), with
/// tables and with selectivity.
///
/// *Deviations:* the *fail-high, fail-low* at the root described in the literature is the case of ply 0
/// here.
#[derive(Clone, Debug, Default)]
pub struct Instability {
    /// Nodes that were bounded and then at once searched again with a wider window.
    pub again: u64,
    /// Of these, nodes whose value was at least β and is now less.
    pub high_then_low: u64,
    /// Of these, nodes whose value was at most α and is now more.
    pub low_then_high: u64,
    open: Vec<Visit>,
    /// The last visit to a child of each open node, and first that to the root, with the value returned.
    last: Vec<Option<(Visit, Score)>>,
}

/// A visit to a node.
#[derive(Clone, Copy, Debug)]
struct Visit {
    key: u64,
    ply: usize,
    window: Window,
}

impl Visit {
    /// Whether this is the same node with a wider window.
    fn widens(&self, earlier: &Visit) -> bool {
        let (window, narrow) = (self.window, earlier.window);
        (self.key, self.ply) == (earlier.key, earlier.ply)
            && window != narrow
            && window.alpha <= narrow.alpha
            && narrow.beta <= window.beta
    }
}

impl<G: Keyed> Observe<G> for Instability {
    fn enter(&mut self, position: &G, window: Window, ply: usize) {
        if ply == 0 {
            self.open.clear(); // the previous search may have been stopped
            self.last.truncate(1);
        }
        self.last.resize(self.open.len() + 1, None);
        self.open.push(Visit { key: position.key(), ply, window });
    }

    fn leave(&mut self, value: Score, _: usize) {
        let Some(visit) = self.open.pop() else { return };
        self.last.truncate(self.open.len() + 1); // forget the children
        let Some(last) = self.last.last_mut() else { return };
        if let Some((earlier, before)) = last.replace((visit, value))
            && visit.widens(&earlier)
        {
            let narrow = earlier.window;
            match narrow.bound(before) {
                Bound::Exact => return,
                Bound::Lower => self.high_then_low += u64::from(value < narrow.beta),
                Bound::Upper => self.low_then_high += u64::from(value > narrow.alpha),
            }
            self.again += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;

    #[derive(Clone)]
    struct Named(u64);

    impl Game for Named {
        type Move = ();
        fn moves(&self, _: &mut Vec<()>) {}
        fn play(&mut self, (): ()) {}
        fn outcome(&self) -> Outcome {
            Outcome::Draw
        }
    }
    impl Keyed for Named {
        fn key(&self) -> u64 {
            self.0
        }
        fn code(&self, (): ()) -> u16 {
            1
        }
    }

    /// Visits a node without children.
    fn visit(observer: &mut Instability, key: u64, ply: usize, (alpha, beta): (i32, i32), value: i32) {
        Observe::<Named>::enter(observer, &Named(key), Window::new(Score(alpha), Score(beta)), ply);
        Observe::<Named>::leave(observer, Score(value), ply);
    }

    #[test]
    fn a_bound_that_is_taken_back_is_counted() {
        let mut observer = Instability::default();
        let root = Window::new(Score(-100), Score(100));
        Observe::<Named>::enter(&mut observer, &Named(1), root, 0);
        visit(&mut observer, 2, 1, (-1, 0), -5); // the move is better than 0
        visit(&mut observer, 2, 1, (-100, 0), -3); // by 3: consistent
        assert_eq!((observer.again, observer.low_then_high), (1, 0));
        visit(&mut observer, 3, 1, (-4, -3), -8);
        visit(&mut observer, 3, 1, (-100, -3), 7); // this one is not: contradiction
        assert_eq!((observer.again, observer.low_then_high, observer.high_then_low), (2, 1, 0));
        visit(&mut observer, 4, 1, (-4, -3), -8);
        visit(&mut observer, 5, 1, (-100, -3), 7); // another move
        visit(&mut observer, 5, 1, (-100, -3), 7); // the same window
        assert_eq!(observer.again, 2);
        Observe::<Named>::leave(&mut observer, Score(120), 0);
        visit(&mut observer, 1, 0, (-100, 500), 80); // the root fails high, then does not
        assert_eq!((observer.again, observer.high_then_low), (3, 1));
    }
}
