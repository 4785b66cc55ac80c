//! The trees and lines drawn in the papers.
//!
//! *References:* McAllester, "Conspiracy numbers for min-max search", 1988 (here "CNS"), and McAllester
//! & Yuret, "Alpha-beta-conspiracy search", 1993 ("ABC"). Details that the text does not state have been
//! derived from what it says about the figure; each item documents them.

use crate::Tree;
use crate::explicit::NodeId;
use cassius_search::{Depth, Score, Window};

fn read(text: &str) -> Tree {
    text.parse().expect("a figure is well formed")
}

/// Returns CNS Fig. 1, a two-ply tree of value 4.
///
/// Raising E alone makes the value 5. To make it 6, D and E must conspire, or F and G. (The text
/// forces D = 5, E < 5, and F and G < 6, one of them < 5; the other values are ours. Inner nodes have their
/// minimax value.)
///
/// ```
/// use cassius_games::figures;
/// use cassius_search::{minimax, Score, Statics};
/// assert_eq!(minimax(&figures::cns_1().root(), &mut Statics, 2), Score(4));
/// ```
pub fn cns_1() -> Tree {
    read("A:4(B:4(D:5 E:4) C:3(F:3 G:3))")
}

/// Returns CNS Fig. 2, a tree of value 2: with 0, 1, 2 and 3 conspirators the root can be raised to 2,
/// 3, 4 and ∞, and lowered to 2, 1, 0 and −∞. (Leaves and inner values as for [`cns_1`].)
pub fn cns_2() -> Tree {
    read("A:2(B:2(E:3 F:2 G:4) C:0(H:0 I:1 J:2) D:1(K:1 L:3 M:4))")
}

/// Returns the game of CNS §6 (Figs. 3–9), as far as tree growth with threshold 2 explores it: sixteen
/// expansions, 53 nodes, value 0.
///
/// Values are piece counts. Nodes A to W are named in the order in which they are added, as in the
/// figures; X is O's first child. The text determines most of the values. It leaves open the values of
/// O's other replies (at least 1: here 3) and which of P, Q, R, S and T has a child below 0 (here P).
pub fn cns_growth() -> Tree {
    read(
        "A:0(
            B:1(
                E:0(O:3(X:0(Y:0(0 0 0) Z:0(0 0 0) Z':0(0 0 0)) 3 3) P:0(-1 0 0) Q:0(0 0 0))
                F:1(R:2(2 2 2) S:1(1 1 1) T:1(1 1 1))
                G:1(U:1 V:1 W:1))
            C:0(H:-1 I:0 J:0 K:0)
            D:0(L:0 M:0 N:0))",
    )
}

/// The nodes in the order in which CNS §6 expands [`cns_growth`]. The root is not included: it is
/// expanded before Fig. 3. Figs. 4 to 9 show the tree after 1, 3, 4, 6, 9 and 16 of these expansions.
pub const CNS_GROWTH_ORDER: [&str; 16] =
    ["B", "C", "D", "E", "F", "G", "R", "S", "T", "O", "X", "Y", "Z", "Z'", "P", "Q"];

/// Returns an augmented max strategy with all statics 0 (ABC §4–§6).
///
/// At every other ply MAX has one planned move, the leftmost, and `options[i]` further moves, which are
/// leaves. MIN has `replies` replies to the planned move, and the plan covers all of them.
///
/// `augmented_strategy(&[1, 2, 2], 2)` is ABC Fig. 2, whose value six conspirators can lower (the figure
/// is lost; any three positive counts of sum 5 fit the text). `&[5, 1, 1]` and `&[3, 3, 1]` are the two
/// trees of Fig. 4, whose value eight conspirators can lower.
///
/// ```
/// use cassius_games::figures::augmented_strategy;
/// assert_eq!(augmented_strategy(&[1, 2], 2).to_string(), "0(0(0(0 0 0) 0(0 0 0)) 0)");
/// ```
pub fn augmented_strategy(options: &[usize], replies: usize) -> Tree {
    let mut tree = Tree::new("", Score(0));
    let mut plan = vec![NodeId::ROOT]; // positions of the plan with MAX to move
    for (level, &unplanned) in options.iter().enumerate() {
        let mut next = Vec::new();
        for node in plan {
            let planned = tree.add(node, "", Score(0));
            for _ in 0..unplanned {
                tree.add(node, "", Score(0));
            }
            if level + 1 < options.len() {
                next.extend((0..replies).map(|_| tree.add(planned, "", Score(0))));
            }
        }
        plan = next;
    }
    tree
}

/// Returns ABC Fig. 3, with all statics 0: six conspirators can lower its value, as for Fig. 2, but all
/// of them at one level.
pub fn abc_3() -> Tree {
    read("0(0(0(0 0) 0(0 0)) 0(0(0 0) 0(0 0)) 0(0(0 0) 0(0 0)))")
}

/// Returns a counterexample to Theorem 2 of ABC. The theorem says that no proper subtree of the
/// tree of an optimally ordered search establishes any value.
///
/// With S(k) = k/2 up to 1, any option margin up to 1 and targets of half a ply, ABC visits 13 of these
/// 15 nodes when they are optimally ordered, and finds 5. But the eight nodes of [`theorem_2_smaller`],
/// which are among them, establish 0 to the same depths. The proof presumes that the smaller plan is a
/// part of the plan found; the smaller plan here deviates from it by c2.
pub fn theorem_2() -> Tree {
    read("root:0(b:0(p:0(c1:-5(r1:5(5 5) r2:5(5 5)) c2:0 c3:0) q:-2(9 9)))")
}

/// Returns [`theorem_2`] with 0 instead of 5: ABC visits 10 nodes, and the eight nodes of
/// [`theorem_2_smaller`] establish the same value, 0.
pub fn theorem_2_same_value() -> Tree {
    read("root:0(b:0(p:0(c1:-5(r1:0(0 0) r2:0(0 0)) c2:0 c3:0) q:-2(9 9)))")
}

/// Returns the smaller tree that refutes Theorem 2: see [`theorem_2`].
pub fn theorem_2_smaller() -> Tree {
    read("root:0(b:0(p:0(c1:-5 c2:0 c3:0) q:-2(9)))")
}

/// Returns the tree of the papers with this name.
///
/// ```
/// use cassius_games::figures::{abc_3, named};
/// assert_eq!(named("abc-3"), Some(abc_3()));
/// assert_eq!(named("abc-5"), None);
/// ```
pub fn named(name: &str) -> Option<Tree> {
    Some(match name {
        "cns-1" => cns_1(),
        "cns-2" => cns_2(),
        "cns-growth" => cns_growth(),
        "abc-1" => augmented_strategy(&[0, 0, 0], 2), // only the plan of abc-2
        "abc-2" => augmented_strategy(&[1, 2, 2], 2),
        "abc-3" => abc_3(),
        "abc-4-left" => augmented_strategy(&[5, 1, 1], 2),
        "abc-4-right" => augmented_strategy(&[3, 3, 1], 2),
        "theorem-2" => theorem_2(),
        "theorem-2-same-value" => theorem_2_same_value(),
        "theorem-2-smaller" => theorem_2_smaller(),
        _ => return None,
    })
}

/// One line of play as in ABC Figs. 8–14, with the depths that ABC must measure along it.
///
/// The root is ply 0 with static 0 and MAX to move. The window stays the same down the line. All figures
/// have three moves at every node (except Figs. 13 and 14), margin δ = ½ (equivalent to 1 for integers),
/// S(k) = k/2 and targets of two plies.
///
/// ```
/// use cassius_games::figures::ABC_8;
/// use cassius_search::Depth;
///
/// assert_eq!(ABC_8.max[2], Some(Depth::plies(2))); // after the third ply
/// assert_eq!(ABC_8.stop, Some(4));
/// assert_eq!(ABC_8.tree().root().label(), "0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// What the figure shows.
    pub name: &'static str,
    /// The window at every node of the line, seen by MAX.
    pub window: Window,
    /// Static values at plies 1, 2, …, seen by MAX, as are all values here.
    pub backbone: &'static [i32],
    /// Static values of the siblings of the node at ply 1, 2, …
    pub siblings: &'static [&'static [i32]],
    /// The max depth at ply 1, 2, …; `None` where it is not measured.
    pub max: &'static [Option<Depth>],
    /// The min depth at ply 1, 2, …; `None` where it is not measured.
    pub min: &'static [Option<Depth>],
    /// The ply at which the search stops: the last ply of the line, or `None`.
    pub stop: Option<usize>,
}

impl Line {
    /// The target that both depths must reach in every figure.
    pub const TARGET: Depth = Depth::plies(2);
    /// The depth that each option adds in every figure: S(k) = k/2.
    pub const PER_OPTION: Depth = Depth(Depth::PLY.0 / 2);
    /// The margin δ of every figure, rounded up to an integer: an option for MAX has a value *greater*
    /// than the reference minus the margin.
    pub const MARGIN: Score = Score(1);

    /// Returns the line as a tree. The backbone is leftmost and labelled by ply. Three moves labelled
    /// `beyond` follow it; a search that stops where it should visits none of them.
    pub fn tree(&self) -> Tree {
        let mut tree = Tree::new("0", Score(0));
        let mut node = NodeId::ROOT;
        for (ply, (&value, &siblings)) in (1..).zip(self.backbone.iter().zip(self.siblings)) {
            let parent = node;
            node = tree.add(parent, &format!("{ply}"), Score(value));
            for &sibling in siblings {
                tree.add(parent, "", Score(sibling));
            }
        }
        let last = tree.node(node).value();
        for _ in 0..3 {
            tree.add(node, "beyond", last);
        }
        tree
    }
}

const INF: i32 = Score::INFINITE.0;
const N: f64 = f64::NAN;

const fn window(alpha: i32, beta: i32) -> Window {
    Window { alpha: Score(alpha), beta: Score(beta) }
}

/// Converts depths in plies; [`N`] stands for depths that are not measured.
const fn plies<const LEN: usize>(plies: [f64; LEN]) -> [Option<Depth>; LEN] {
    let (mut depths, mut i) = ([None; LEN], 0);
    while i < LEN {
        if !plies[i].is_nan() {
            depths[i] = Some(Depth((plies[i] * Depth::PLY.0 as f64) as i32));
        }
        i += 1;
    }
    depths
}

/// ABC Fig. 8: the nominal case, a quiet position. MAX alone has enough depth at ply 3.
pub const ABC_8: Line = Line {
    name: "Fig. 8, the nominal case",
    window: window(-INF, INF),
    backbone: &[0, 0, 0, 0],
    siblings: &[&[0, 0], &[0, 0], &[0, 0], &[0, 0]],
    max: &plies([1., 1., 2., 2.]),
    min: &plies([0., 1., 1., 2.]),
    stop: Some(4),
};

/// ABC Fig. 9: a combination. MIN has hardly any options up to ply 7 and loses the line at ply 8; then
/// MAX must show options as well.
#[rustfmt::skip]
pub const ABC_9: Line = Line {
    name: "Fig. 9, discovering a combination",
    window: window(-INF, INF),
    backbone: &[0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
    siblings: &[
        &[0, -1], &[0, 2], &[0, -1], &[1, 2], &[0, 0], &[1, 2], &[0, 0], &[1, 1], &[1, 0], &[1, 1],
        &[1, 0], &[1, 1], &[1, 1],
    ],
    max: &plies([0.5, 0.5, 1., 1., 2., 2., 3., 0., 0.5, 0.5, 1., 1., 2.]),
    min: &plies([0., 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 2.5, 2.5, 3.5, 3.5, 4.5, 4.5]),
    stop: Some(13),
};

/// ABC Fig. 10: Fig. 9 preceded by a sacrifice, so that the statics are below α until it succeeds. (The
/// window is not printed; α must lie between −1 and 1, β must be at least 1.)
#[rustfmt::skip]
pub const ABC_10: Line = Line {
    name: "Fig. 10, a sacrifice",
    window: window(0, INF),
    backbone: &[-1, -1, -1, -1, -1, -1, -1, 1, 1, 1, 1, 1, 1],
    siblings: &[
        &[0, 0], &[0, 2], &[-1, -1], &[1, 2], &[-1, -2], &[1, 2], &[-1, -1], &[1, 1], &[1, 0],
        &[1, 1], &[1, 0], &[1, 1], &[1, 1],
    ],
    max: &plies([N, N, N, N, N, N, N, 0., 0.5, 0.5, 1., 1., 2.]),
    min: ABC_9.min,
    stop: Some(13),
};

/// ABC Fig. 11: an attack that fails at ply 8, within the window (0, 1).
#[rustfmt::skip]
pub const ABC_11: Line = Line {
    name: "Fig. 11, a failed attack within a narrow window",
    window: window(0, 1),
    backbone: &[1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
    siblings: &[
        &[0, 0], &[1, 1], &[0, 0], &[1, 2], &[1, 0], &[1, 2], &[0, 0], &[1, 1], &[-1, -1], &[0, 0],
        &[-1, -1], &[0, 0],
    ],
    max: &plies([0., 0., 0., 0., 0.5, 0.5, 0.5, N, N, N, N, N]),
    min: &plies([N, N, N, N, N, N, N, 0., 0., 1., 1., 2.]),
    stop: Some(12),
};

/// [`ABC_11`] with α = −∞: MIN's moves at the end count as forced, and the search continues.
pub const ABC_11_OPEN: Line = Line {
    name: "Fig. 11 with alpha = -inf",
    window: window(-INF, 1),
    max: &plies([0., 0., 0., 0., 0.5, 0.5, 0.5, 4., 5., 5., 6., 6.]),
    min: &plies([N, N, N, N, N, N, N, 0., 0., 0., 0., 0.]),
    stop: None,
    ..ABC_11
};

/// ABC Fig. 12: a long exchange at the root, with plain static values.
#[rustfmt::skip]
pub const ABC_12: Line = Line {
    name: "Fig. 12, an exchange sequence",
    window: window(-INF, INF),
    backbone: &[3, 0, 3, 0, 3, 0, 3, 0, 3, 3, 3, 3, 3],
    siblings: &[
        &[0, 0], &[3, 3], &[0, 0], &[3, 3], &[0, 0], &[3, 3], &[0, 0], &[3, 3], &[0, 0], &[3, 3],
        &[3, 3], &[3, 3], &[3, 3],
    ],
    max: &plies([0., 1., 0., 2., 0., 3., 0., 4., 0., 0., 1., 1., 2.]),
    min: &plies([0., 0., 1., 0., 2., 0., 3., 0., 4., 5., 5., 6., 6.]),
    stop: Some(13),
};

/// [`ABC_12`] with quiescence values: the backbone has value 3 throughout.
pub const ABC_12_QUIESCENCE: Line = Line {
    name: "Fig. 12 with quiescence values",
    backbone: &[3; 13],
    max: &plies([0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 1., 1., 2.]),
    min: &plies([0., 1., 1., 2., 2., 3., 3., 4., 4., 5., 5., 6., 6.]),
    ..ABC_12
};

/// The beginning of [`ABC_12`] with β = 0: only max depth counts, and the line ends.
pub const ABC_12_BETA_0: Line = Line {
    name: "Fig. 12 with beta = 0",
    window: window(-INF, 0),
    backbone: &[3, 0, 3],
    siblings: &[&[0, 0], &[3, 3], &[0, 0]],
    max: &plies([1., 1., 2.]),
    min: &plies([N, N, N]),
    stop: Some(3),
};

/// ABC Fig. 13: an aggressive check at ply 1. MIN has one reply. MAX has enough depth at ply 3.
pub const ABC_13: Line = Line {
    name: "Fig. 13, an aggressive check",
    window: window(-INF, INF),
    backbone: &[0; 6],
    siblings: &[&[0, 0], &[], &[0, 0], &[0, 0], &[0, 0], &[0, 0]],
    max: &plies([1., 1., 2., 2., 3., 3.]),
    min: &plies([0., 0., 0., 1., 1., 2.]),
    stop: Some(6),
};

/// ABC Fig. 14: a defensive check. MAX's other moves lose a piece. MAX has enough depth at ply 5.
pub const ABC_14: Line = Line {
    name: "Fig. 14, a defensive check",
    siblings: &[&[-3, -3], &[], &[0, 0], &[0, 0], &[0, 0], &[0, 0]],
    max: &plies([0., 0., 1., 1., 2., 2.]),
    ..ABC_13
};

/// All lines of ABC §8 and §9.
pub const ABC_LINES: [Line; 10] =
    [ABC_8, ABC_9, ABC_10, ABC_11, ABC_11_OPEN, ABC_12, ABC_12_QUIESCENCE, ABC_12_BETA_0, ABC_13, ABC_14];

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_search::plans::strategy::{Conspirators, Subtree, lower_conspiracy_number, minimax_value};
    use cassius_search::{Statics, minimax};

    fn value(tree: &Tree) -> Score {
        minimax(&tree.root(), &mut Statics, 99)
    }

    #[test]
    fn roots_have_their_values() {
        assert_eq!(value(&cns_1()), Score(4));
        assert_eq!(value(&cns_2()), Score(2));
        assert_eq!(value(&abc_3()), Score(0));
        assert_eq!(value(&theorem_2()), Score(5));
        assert_eq!(value(&theorem_2_same_value()), Score(0));
        assert_eq!(value(&theorem_2_smaller()), Score(0));
    }

    /// Returns the minimax value of the tree in which only these nodes have been expanded.
    fn grown(tree: &Tree, expanded: &[&str]) -> Score {
        let expanded =
            tree.preorder().map(|id| tree.node(id)).filter(|node| expanded.contains(&node.label()));
        minimax_value(&Subtree::new(tree, expanded.flat_map(|node| node.children().iter().copied())))
    }

    #[test]
    fn the_growth_tree_has_the_root_values_of_its_figures() {
        let tree = cns_growth();
        assert_eq!(tree.len(), 53);
        let inner = tree.preorder().filter(|id| !tree.node(*id).children().is_empty());
        assert_eq!(inner.count(), 1 + CNS_GROWTH_ORDER.len());
        for (expansions, root) in [(0, 1), (1, 0), (3, 0), (4, 1), (6, 1), (9, 1), (10, 0), (16, 0)] {
            let expanded = [&["A"], &CNS_GROWTH_ORDER[..expansions]].concat();
            assert_eq!(grown(&tree, &expanded), Score(root), "after {expansions}");
        }
        assert_eq!(value(&tree), Score(0));
    }

    #[test]
    fn strategies_have_the_stated_conspiracies() {
        let [two, left, right] =
            [&[1, 2, 2], &[5, 1, 1], &[3, 3, 1]].map(|counts| augmented_strategy(counts, 2));
        for (tree, conspirators) in [(two, 6), (left, 8), (right, 8), (abc_3(), 6)] {
            let found = lower_conspiracy_number(&tree, Line::MARGIN);
            assert_eq!(found, Conspirators::Leaves(conspirators), "{tree}");
        }
    }

    /// A literal implementation of ABC (§7, Figs. 6 and 7). All values are seen by MAX, with S(k) = k/2
    /// up to `cap`.
    struct Abc<'t> {
        tree: &'t Tree,
        target: f64,
        cap: f64,
        max_lists: Vec<Vec<i32>>,
        min_lists: Vec<Vec<i32>>,
        visited: Vec<NodeId>,
    }

    impl<'t> Abc<'t> {
        fn new(tree: &'t Tree, target: f64, cap: f64) -> Abc<'t> {
            Abc { tree, target, cap, max_lists: vec![], min_lists: vec![], visited: vec![] }
        }

        /// Returns the depths that the rule measures: (max, min).
        fn depths(&self, value: i32, window: Window) -> (Option<f64>, Option<f64>) {
            let sum = |lists: &[Vec<i32>], option: &dyn Fn(i32) -> bool| -> f64 {
                let count = |list: &Vec<i32>| list.iter().filter(|y| option(**y)).count() as f64;
                lists.iter().map(|list| (count(list) / 2.).min(self.cap)).sum()
            };
            let (alpha, beta) = (window.alpha.0, window.beta.0);
            let reference = value.clamp(alpha, beta);
            let max = sum(&self.max_lists, &|y| y > reference - Line::MARGIN.0);
            let min = sum(&self.min_lists, &|y| y < reference + Line::MARGIN.0);
            ((value > alpha).then_some(max), (value < beta).then_some(min))
        }

        fn search(&mut self, id: NodeId, Window { mut alpha, mut beta }: Window) -> Score {
            self.visited.push(id);
            let node = self.tree.node(id);
            let (max, min) = self.depths(node.value().0, Window { alpha, beta });
            let enough = |depth: Option<f64>| depth.is_none_or(|depth| depth >= self.target);
            if enough(max) && enough(min) || node.children().is_empty() {
                return node.value().clamp(alpha, beta);
            }
            let maximizing = node.max_to_move();
            for (index, &child) in node.children().iter().enumerate() {
                let siblings = node.children().iter().enumerate().filter(|(other, _)| *other != index);
                let list = siblings.map(|(_, id)| self.tree.node(*id).value().0).collect();
                if maximizing {
                    self.max_lists.push(list)
                } else {
                    self.min_lists.push(list)
                }
                let value = self.search(child, Window { alpha, beta });
                if maximizing {
                    self.max_lists.pop()
                } else {
                    self.min_lists.pop()
                };
                if maximizing {
                    alpha = alpha.max(value)
                } else {
                    beta = beta.min(value)
                }
                if alpha >= beta {
                    break;
                }
            }
            if maximizing { alpha } else { beta }
        }
    }

    #[test]
    fn theorem_2_fails_as_described() {
        for (tree, value, visited) in
            [(theorem_2(), 5, 13), (theorem_2_same_value(), 0, 10), (theorem_2_smaller(), 0, 8)]
        {
            let mut abc = Abc::new(&tree, 0.5, 1.);
            assert_eq!(abc.search(NodeId::ROOT, Window::FULL), Score(value));
            assert_eq!(abc.visited.len(), visited);
        }
    }

    #[test]
    fn lines_measure_the_stated_depths() {
        for line in ABC_LINES {
            let tree = line.tree();
            let mut abc = Abc::new(&tree, 2., f64::INFINITY);
            let depth = |plies: Option<f64>| plies.map(Depth::from_f64);
            let target = Some(Line::TARGET);
            for (i, &value) in line.backbone.iter().enumerate() {
                let lists = if i % 2 == 0 { &mut abc.max_lists } else { &mut abc.min_lists };
                lists.push(line.siblings[i].to_vec());
                let (max, min) = abc.depths(value, line.window);
                assert_eq!(
                    (depth(max), depth(min)),
                    (line.max[i], line.min[i]),
                    "{} ply {}",
                    line.name,
                    i + 1
                );
                let enough = |depth: Option<Depth>| depth.is_none() || depth >= target;
                let stops = enough(line.max[i]) && enough(line.min[i]);
                assert_eq!(stops, line.stop == Some(i + 1), "{} ply {}", line.name, i + 1);
            }
            assert_eq!([line.siblings.len(), line.max.len(), line.min.len()], [line.backbone.len(); 3]);
        }
    }

    #[test]
    fn abc_stops_at_the_end_of_every_line() {
        for line in ABC_LINES {
            let tree = line.tree();
            let mut abc = Abc::new(&tree, 2., f64::INFINITY);
            abc.search(NodeId::ROOT, line.window);
            let deepest = abc.visited.iter().map(|id| tree.node(*id).ply()).max();
            assert_eq!(deepest, line.stop.or(Some(line.backbone.len() + 1)), "{}", line.name);
        }
    }
}
