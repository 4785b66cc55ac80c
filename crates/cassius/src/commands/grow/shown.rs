//! The displayed part of a tree, as text.

use cassius_chess::notation::Pawns;
use cassius_chess::{Move, Position};
use cassius_search::best_first::{Grown, NodeId, Whose};
use cassius_search::{Game as _, Score};
use serde::Serialize;

/// A displayed node. Values are for White.
#[derive(Debug, Serialize)]
pub struct Shown {
    /// The move that leads to it; `None` for the root.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// The value in hundredths of a pawn; a mate is far beyond.
    pub value: i32,
    /// The number of wrong leaves that `least` and `greatest` refer to.
    pub conspirators: usize,
    /// The range of values that this number of wrong leaves could cause; `None` is no bound.
    pub least: Option<i32>,
    pub greatest: Option<i32>,
    /// The number of leaves that it takes to lower or raise the value by the margin. `None` if it takes
    /// more than are counted, or is impossible.
    pub to_lower: Option<usize>,
    pub to_raise: Option<usize>,
    /// The text for these numbers if they are `None`. It is `None` itself if leaves are not counted.
    #[serde(skip)]
    pub uncounted: Option<String>,
    /// Whether the game is over here.
    pub over: bool,
    /// The number of its children that are not displayed.
    pub hidden: usize,
    pub children: Vec<Shown>,
}

impl Shown {
    /// Returns the tree from the root to the given number of plies.
    pub fn of(
        tree: &dyn Grown<Move>,
        root: &Position,
        conspirators: usize,
        margin: u16,
        plies: usize,
        leaves: bool,
    ) -> Shown {
        let uncounted = match tree.most() {
            0 => None,
            most if most < 1_000 => Some(format!("{}+", most + 1)),
            _ => Some("∞".into()),
        };
        let view = View { tree, uncounted, conspirators, margin: Score(margin.into()), leaves };
        view.node(NodeId::ROOT, root, None, plies)
    }

    /// Returns the label of the node in one line: `+0.31 [−0.20, +∞] ↓2 ↑9+`.
    pub fn label(&self) -> String {
        let pawns = |value: i32| Pawns(Score(value)).to_string();
        let bound = |bound: Option<i32>, infinite: &str| bound.map_or_else(|| infinite.to_string(), pawns);
        let value = pawns(self.value);
        if self.over {
            return format!("{value} end");
        }
        let label = format!("{value} [{}, {}]", bound(self.least, "−∞"), bound(self.greatest, "+∞"));
        let Some(uncounted) = &self.uncounted else { return label };
        let count = |count: Option<usize>| count.map_or_else(|| uncounted.clone(), |count| count.to_string());
        format!("{label} ↓{} ↑{}", count(self.to_lower), count(self.to_raise))
    }
}

struct View<'a> {
    tree: &'a dyn Grown<Move>,
    uncounted: Option<String>,
    conspirators: usize,
    margin: Score,
    leaves: bool,
}

impl View<'_> {
    fn node(&self, node: NodeId, position: &Position, mv: Option<String>, plies: usize) -> Shown {
        let (value, (least, greatest)) = (self.tree.value(node), self.tree.range(node, self.conspirators));
        let ((value, least, greatest), white, black) = match position.turn().is_white() {
            true => ((value, least, greatest), Whose::Mover, Whose::Other),
            false => ((-value, -greatest, -least), Whose::Other, Whose::Mover),
        };
        let finite = |score: Score| (score.0.abs() < Score::INFINITE.0).then_some(score.0);
        let mut children = Vec::new();
        let all = self.tree.children(node);
        for &child in all.iter().filter(|_| plies > 0) {
            let expanded = !self.tree.children(child).is_empty();
            if let Some(mv) = self.tree.mv(child).filter(|_| expanded || self.leaves) {
                let mut after = position.clone();
                after.play(mv);
                children.push(self.node(child, &after, Some(position.san(mv)), plies - 1));
            }
        }
        Shown {
            mv,
            value: value.0,
            conspirators: self.conspirators,
            least: finite(least),
            greatest: finite(greatest),
            to_lower: self.tree.needed(node, black, -value + self.margin),
            to_raise: self.tree.needed(node, white, value + self.margin),
            uncounted: self.uncounted.clone(),
            over: self.tree.is_over(node),
            hidden: all.len() - children.len(),
            children,
        }
    }
}
