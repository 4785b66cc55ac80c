//! Controlled conspiracy number search: sets targets at the root, pushes them down and splits them, and
//! expands all leaves that a target needs.
//!
//! There are two kinds of target at the root: the best move must be worth at least a bar x, and every
//! other move at most x, each so safely that it takes more than N conspirators to change it. A node that
//! has not met its target passes it on to its children. If the side that could break the target is to
//! move, every child must withstand N conspirators. If the other side is to move, the conspirators of
//! the children add up, and the child that looks best is asked for the number that is missing. In this
//! way a target determines all the leaves that must be expanded before it can be met. They are expanded
//! one after the other, without a new descent from the root for each.
//!
//! *Reference:* U. Lorenz, "Controlled conspiracy-2 search", 2000, and his P.ConNerS; the conspiracy
//! numbers are McAllester's (1988).
//! *Deviations:* the algorithm follows the idea of the paper, not its text. Targets are tested with
//! bounds sequences, so that no number has to be counted again when the bar moves. The split asks one
//! child for everything that is missing. The bar lies between the best move and the second best. If
//! there is only one move, its value is determined as by conspiracy numbers.
//! *Soundness:* the same as that of conspiracy numbers: where it ends, the move is the best successor
//! under N conspirators. With `window` leaves keep bounds where the bar was when they were judged, so that
//! values and ranges may be wrong when it has moved.
//! *Worth:* Measured in chess, as `ccns` at 10, 100 and 400 ms: it solves 145, 215 and 224 of 300
//! exercises, where alpha-beta solves 211, 259 and 281; of the exercises that `ccns` solves, alpha-beta
//! misses 20, 11 and 5. It lost all of 200 games at 10 ms a move (results/best-first.md). Two threads
//! take 0.59 times the time of one (six positions, 3,000 nodes). Without searches of leaves and with
//! 30,000 nodes in the tree it solves 152 of 300; with `bar` 0 and 100 it solves 138 and 142, with
//! `leaves` 1 136, with `window` 100 147 in half the time.

use super::best_successor::Contest;
use super::{Bounds, Choice, Growth, NodeId, Outlook, Payload, Tree, Whose};
use crate::score::Score;
use crate::window::Window;

crate::component! {
    /// Sets targets for the best move and for the others, and expands all leaves that one of the targets
    /// needs.
    pub struct ControlledConspiracy {
        /// By how much another move may be better.
        margin: 0 in 0..=1000 "evaluation units",
        /// N_t: conspiracies of more leaves are not thought likely. A node takes 52 bytes for up to 8,
        /// at most 420 for more.
        threshold: 100 in 1..=100 "leaves",
        /// Where the bar lies: 0 at the value of the second best move, 100 at that of the best.
        bar: 50 in 0..=100 "percent",
        /// The most leaves that are expanded before targets are set anew.
        leaves: 16 in 1..=1000 "leaves",
        /// Values of leaves are told apart so far above and below the bar, and no further; 0:
        /// everywhere. Quiescence takes less time so, a search of leaves does not.
        window: 0 in 0..=3000 "evaluation units",
    }
}

/// The target that it takes at least `count` conspirators to raise the node to `bar` for `side`.
#[derive(Clone, Copy, Debug)]
struct Target {
    side: Whose,
    bar: Score,
    count: usize,
}

impl ControlledConspiracy {
    /// Adds the leaves below `node` that must be expanded before the target can be met.
    fn pursue<M: Copy, const N: usize>(
        &self,
        tree: &Tree<M, Bounds<N>>,
        node: NodeId,
        target: Target,
        choices: &mut Vec<Choice>,
    ) {
        // An explicit stack, not recursion: a line may be longer than the call stack allows.
        let mut ahead = vec![(node, target)];
        while let Some((node, Target { side, bar, count })) = ahead.pop() {
            if choices.len() >= self.leaves as usize {
                return;
            }
            if tree.payload(node).of(side).needed(bar) >= count {
                continue;
            }
            let below = side.below();
            let needed = |child: NodeId| tree.payload(child).of(below).needed(bar);
            match side {
                _ if tree.is_leaf(node) => {
                    choices.push(Choice { leaf: node, window: self.window(side, bar) });
                }
                // One child is enough for `side`, so every child must withstand `count` conspirators.
                Whose::Mover => {
                    let first = ahead.len();
                    ahead
                        .extend(tree.children(node).map(|child| (child, Target { side: below, bar, count })));
                    ahead[first..].reverse();
                }
                // `side` needs every child, so the numbers add up. Of the children that hold, the best
                // one has to make up for what is missing.
                Whose::Other => {
                    let total: usize = tree.children(node).map(needed).sum();
                    let holding = tree.children(node).filter(|&child| needed(child) > 0);
                    if let Some(child) = holding.min_by_key(|&child| tree.payload(child).value()) {
                        let count = needed(child) + (count - total);
                        ahead.push((child, Target { side: below, bar, count }));
                    }
                }
            }
        }
    }

    /// Returns the window in which values must be exact, for the side to move.
    fn window(&self, side: Whose, bar: Score) -> Window {
        let bar = match side {
            Whose::Mover => bar,
            Whose::Other => -bar,
        };
        match self.window {
            0 => Window::FULL,
            _ if bar.is_decided() => Window::FULL,
            // A move that is worth less is not to pass for one at the bar.
            far => {
                let far = Score(far.max(self.margin + 2));
                Window::new(bar - far, bar + far)
            }
        }
    }
}

impl<const N: usize> Growth<Bounds<N>> for ControlledConspiracy {
    const SEVERAL: bool = true;

    /// Sets the targets at the root and lists the leaves that they need.
    fn choose<M: Copy>(&self, tree: &Tree<M, Bounds<N>>, choices: &mut Vec<Choice>) {
        let contest = Contest::new(self.margin, self.threshold);
        if let Some(of_one) = contest.of_one(tree) {
            return of_one.choose(tree, choices);
        }
        let Some((conspirators, best)) = contest.open(tree) else { return };
        let value = |child: NodeId| -tree.payload(child).value();
        let rest = tree.children(NodeId::ROOT).filter(|&child| child != best);
        // With a margin, the best move may be worth less than another. It cannot be asked for more than
        // it is worth.
        let second = rest.clone().map(value).max().unwrap_or(value(best)).min(value(best));
        let bar = second + Score((value(best) - second).0 * self.bar / 100);
        let count = conspirators + 1;
        let (above, below) = (bar + Score(1 + self.margin), bar - Score(1));
        self.pursue(tree, best, Target { side: Whose::Mover, bar: -below, count }, choices);
        for rival in rest {
            self.pursue(tree, rival, Target { side: Whose::Other, bar: above, count }, choices);
        }
    }

    fn outlook<M: Copy>(&self, tree: &Tree<M, Bounds<N>>) -> Outlook {
        Contest::new(self.margin, self.threshold).outlook(tree)
    }
}
