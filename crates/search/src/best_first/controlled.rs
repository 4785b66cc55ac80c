//! Controlled conspiracy number search: targets are set at the root, pushed down and split, and all leaves that a target needs are expanded.
//!
//! The root asks for two things: that the best move is worth at least a bar x, and every other move at most x, each so safely that it takes
//! more than N conspirators to change it. A target at a node that has not met it passes to its children. Where those who would break it have the
//! move, every child must hold against so many conspirators; where the others have it, the children's conspirators add up, and what is
//! lacking is asked of the child that looks best. So a target names all the leaves that must be expanded before it can be met, and they are
//! expanded one after the other, not one for each descent from the root.
//!
//! *Reference:* U. Lorenz, "Controlled conspiracy-2 search", 2000, and his P.ConNerS; the numbers are McAllester's (1988).
//! *Deviations:* in the spirit of, not as printed: targets are met by bounds sequences, so that no number has to be counted again
//! when the bar moves; the split asks one child for all that is lacking. The bar lies between the best move and the next. Where there
//! is one move, its value is asked, as conspiracy numbers do.
//! *Soundness:* as conspiracy numbers: the best successor under N conspirators, where it ends.
//! *Worth:* Measured in chess, as `ccns` at 10, 100 and 400 ms 145, 215 and 224 of 300 exercises, where alpha-beta solves 211, 259 and 281, of which it misses 20, 11 and 5;
//! all of 200 games lost at 10 ms a move (results/best-first.md). Two threads take 0.59 times the time of one (six positions, 3,000 nodes). Without searches of leaves, 30,000 nodes in the
//! tree: 152 of 300; with `bar` 0 and 100 138 and 142, with `leaves` 1 136, with `window` 100 147 in half the time.

use super::best_successor::Contest;
use super::{Bounds, Choice, Growth, NodeId, Outlook, Payload, Tree, Whose};
use crate::{Score, Window};

crate::component! {
    /// Sets targets for the best move and for the others, and expands all leaves that one of them needs.
    pub struct ControlledConspiracy {
        /// By how much another move may be better.
        margin: 0 in 0..=1000 "evaluation units",
        /// N_t: conspiracies of more leaves are not thought likely. A node takes 52 bytes for up to 8, 148 for up to 32, 420 for more.
        threshold: 100 in 1..=100 "leaves",
        /// Where the bar lies: 0 at the value of the second best move, 100 at that of the best.
        bar: 50 in 0..=100 "percent",
        /// The most leaves that are expanded before targets are set anew.
        leaves: 16 in 1..=1000 "leaves",
        /// Values of leaves are told apart so far above and below the bar, and no further; 0: everywhere. Quiescence takes less time so, a search of leaves does not.
        window: 0 in 0..=3000 "evaluation units",
    }
}

/// It must take at least `count` conspirators to raise the node to `bar` for `side`.
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
        // A list, not a recursion: lines may be longer than a stack is deep.
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
                // One child is enough for them: each must hold.
                Whose::Mover => {
                    let first = ahead.len();
                    ahead
                        .extend(tree.children(node).map(|child| (child, Target { side: below, bar, count })));
                    ahead[first..].reverse();
                }
                // They need every child: the numbers add up, and the best that holds makes up for what is lacking.
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

    /// What is asked of values, for the side to move.
    fn window(&self, side: Whose, bar: Score) -> Window {
        let bar = match side {
            Whose::Mover => bar,
            Whose::Other => -bar,
        };
        match self.window {
            0 => Window::FULL,
            _ if bar.is_decided() => Window::FULL,
            far => Window::new(bar - Score(far), bar + Score(far)),
        }
    }
}

impl<const N: usize> Growth<Bounds<N>> for ControlledConspiracy {
    const SEVERAL: bool = true;

    /// Sets the targets at the root, and lists what they need.
    fn choose<M: Copy>(&self, tree: &Tree<M, Bounds<N>>, choices: &mut Vec<Choice>) {
        let contest = Contest::new(self.margin, self.threshold);
        if let Some(of_one) = contest.of_one(tree) {
            return of_one.choose(tree, choices);
        }
        let Some((conspirators, best)) = contest.open(tree) else { return };
        let value = |child: NodeId| -tree.payload(child).value();
        let rest = tree.children(NodeId::ROOT).filter(|&child| child != best);
        // With a margin the best may be worth less than another: it cannot be asked for more than it is worth.
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
