//! Observers: what happens in a search, counted or recorded.

use crate::{Bound, Game, Keyed, Observe, Score, Window};

/// Counts nodes by ply.
#[derive(Clone, Debug, Default)]
pub struct Counters {
    /// Nodes entered at each ply.
    pub nodes: Vec<u64>,
    /// Of these, how many failed high, failed low, or had a value inside their window.
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
            self.windows.clear(); // the search before this may have been stopped
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

/// Records the tree that is searched, node by node in the order of entering.
#[derive(Clone, Debug)]
pub struct TreeRecorder<G> {
    /// The nodes; a node that is searched again appears again.
    pub nodes: Vec<Recorded<G>>,
    open: Vec<usize>,
}

/// A node of a [`TreeRecorder`].
#[derive(Clone, Debug)]
pub struct Recorded<G> {
    /// The position.
    pub position: G,
    /// Index of the node above.
    pub parent: Option<usize>,
    /// Plies from the root.
    pub ply: usize,
    /// The window it was searched with.
    pub window: Window,
    /// Its value, once it is left.
    pub value: Option<Score>,
    /// Whether no child of it was entered.
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
            self.open.clear(); // the search before this may have been stopped
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

/// Counts search instability: how often a node that is searched again with a wider window takes back the bound that it had.
///
/// A minimal window says that a move is better than α; the window is opened to learn by how much; and the open window finds
/// that the move is no better after all. With a depth rule that looks at nothing but the line, without memory and without
/// reductions, this does not happen; rules whose depths depend on the window (Levy, Broughton & Taylor 1989 warn of it), tables and
/// selectivity make it happen.
///
/// *Deviations:* the literature's *fail-high, fail-low* at the root is the case of ply 0 here.
#[derive(Clone, Debug, Default)]
pub struct Instability {
    /// Nodes searched again with a wider window at once, and bounded before.
    pub again: u64,
    /// Of these, how many had a value of at least β and now have less …
    pub high_then_low: u64,
    /// … and how many had at most α and now have more.
    pub low_then_high: u64,
    open: Vec<Visit>,
    /// What each open node's child, and above them the root, said last.
    last: Vec<Option<(Visit, Score)>>,
}

/// A node, as long as it is open.
#[derive(Clone, Copy, Debug)]
struct Visit {
    key: u64,
    ply: usize,
    window: Window,
}

impl Visit {
    /// The same node with a wider window.
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
            self.open.clear(); // the search before this may have been stopped
            self.last.truncate(1);
        }
        self.last.resize(self.open.len() + 1, None);
        self.open.push(Visit { key: position.key(), ply, window });
    }

    fn leave(&mut self, value: Score, _: usize) {
        let Some(visit) = self.open.pop() else { return };
        self.last.truncate(self.open.len() + 1); // its children are forgotten
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
    use crate::Outcome;

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

    /// A visit without children.
    fn visit(observer: &mut Instability, key: u64, ply: usize, (alpha, beta): (i32, i32), value: i32) {
        Observe::<Named>::enter(observer, &Named(key), Window::new(Score(alpha), Score(beta)), ply);
        Observe::<Named>::leave(observer, Score(value), ply);
    }

    #[test]
    fn a_bound_that_is_taken_back_is_counted() {
        let mut observer = Instability::default();
        let root = Window::new(Score(-100), Score(100));
        Observe::<Named>::enter(&mut observer, &Named(1), root, 0);
        visit(&mut observer, 2, 1, (-1, 0), -5); // the move is better than 0 …
        visit(&mut observer, 2, 1, (-100, 0), -3); // … by 3
        assert_eq!((observer.again, observer.low_then_high), (1, 0));
        visit(&mut observer, 3, 1, (-4, -3), -8);
        visit(&mut observer, 3, 1, (-100, -3), 7); // and this one is not
        assert_eq!((observer.again, observer.low_then_high, observer.high_then_low), (2, 1, 0));
        visit(&mut observer, 4, 1, (-4, -3), -8);
        visit(&mut observer, 5, 1, (-100, -3), 7); // another move
        visit(&mut observer, 5, 1, (-100, -3), 7); // the same window
        assert_eq!(observer.again, 2);
        Observe::<Named>::leave(&mut observer, Score(120), 0);
        visit(&mut observer, 1, 0, (-100, 500), 80); // the root fails high, and then not
        assert_eq!((observer.again, observer.high_then_low), (3, 1));
    }
}
