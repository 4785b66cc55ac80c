//! Game trees written out in full, as in the figures of the papers.
//!
//! The text form is a node, `label:value`, followed by its children in parentheses: `A:0(B:1(E:0 F:1)
//! C:0)`. Labels may be omitted. Values are static values *seen by MAX*, who moves at the root; a
//! [`TreePosition`] negates them for MIN.
//!
//! A node without children is normally a position that was *not expanded*: in the papers the game
//! continues there, and the node can be a conspirator. A mark, `B:1!`, makes it *terminal*: the game is
//! over and the value is exact. To a search both look alike, since neither has a move to search: both
//! are [`Outcome::Points`] with the value. [`Node::is_terminal`] distinguishes them, and so does a
//! [certificate](cassius_search::plans::certificate): a line that ends at an unexpanded node has the
//! depth that its options give it; a line that ends at a terminal node is certain.

use crate::mix;
use cassius_search::best_first::{Assess, Bounds, Leaf, Payload};
use cassius_search::game::{Bounded, MoveIndexed};
use cassius_search::plans::strategy::{SearchTree, Side};
use cassius_search::{Game, Keyed, Off, Outcome, Score, Static, playable};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A game tree with a static value at every node. MAX moves at the root.
///
/// It is parsed from text or built node by node:
///
/// ```
/// use cassius_games::explicit::{NodeId, Tree};
/// use cassius_search::Score;
///
/// let mut tree = Tree::new("A", Score(0));
/// let b = tree.add(NodeId::ROOT, "B", Score(1));
/// tree.add(b, "E", Score(0));
/// tree.add(b, "F", Score(1));
/// tree.add(NodeId::ROOT, "C", Score(0));
/// assert_eq!(tree.to_string(), "A:0(B:1(E:0 F:1) C:0)");
/// assert_eq!("A:0 (B:1 (E:0  F:1) C:0)".parse(), Ok(tree));
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// The index of a node in its [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The root, which every tree has.
    pub const ROOT: NodeId = NodeId(0);

    /// Returns the index. Nodes are numbered from 0 in the order in which they were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node of a [`Tree`].
#[derive(Clone, Debug)]
pub struct Node {
    label: String,
    value: Score,
    ply: usize,
    terminal: bool,
    children: Vec<NodeId>,
}

impl Node {
    /// Returns the label. It is empty if the node has none.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the static value, seen by MAX.
    pub fn value(&self) -> Score {
        self.value
    }

    /// Returns the distance from the root. MAX moves at even plies.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// Whether MAX is to move.
    pub fn max_to_move(&self) -> bool {
        self.ply.is_multiple_of(2)
    }

    /// Whether the game is over here, so that the value is exact.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Returns the children, from left to right.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    fn new(label: &str, value: Score, ply: usize) -> Node {
        let label = label.chars().filter(|c| !c.is_whitespace() && !RESERVED.contains(*c)).collect();
        Node { label, value: value.clamp_estimate(), ply, terminal: false, children: Vec::new() }
    }
}

const RESERVED: &str = "():!";

impl Tree {
    /// The maximum number of children of a node: the number of distinct 16-bit move codes.
    pub const MAX_CHILDREN: usize = u16::MAX as usize;

    /// Creates a tree that consists of a root only. See [`Tree::add`] for `label` and `value`.
    pub fn new(label: &str, value: Score) -> Tree {
        Tree { nodes: vec![Node::new(label, value, 0)] }
    }

    /// Adds a child to the right of the existing children of `parent`.
    ///
    /// White space and the characters `( ) : !` are removed from the label, and the value is clamped to
    /// the range of estimates.
    ///
    /// # Panics
    /// If `parent` is not in this tree, is terminal, or has [`Tree::MAX_CHILDREN`] children.
    pub fn add(&mut self, parent: NodeId, label: &str, value: Score) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        let parent = &mut self.nodes[parent.index()];
        assert!(!parent.terminal, "a terminal node has no children");
        assert!(parent.children.len() < Self::MAX_CHILDREN, "too many children");
        parent.children.push(id);
        let ply = parent.ply + 1;
        self.nodes.push(Node::new(label, value, ply));
        id
    }

    /// Marks `node`, which must have no children, as terminal.
    ///
    /// # Panics
    /// If `node` is not in this tree or has children.
    pub fn end(&mut self, node: NodeId) {
        let node = &mut self.nodes[node.index()];
        assert!(node.children.is_empty(), "a node with children is not terminal");
        node.terminal = true;
    }

    /// Returns the node at `id`.
    ///
    /// # Panics
    /// If `id` is not in this tree.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Returns the number of nodes.
    #[expect(clippy::len_without_is_empty, reason = "a tree has a root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the bounds sequences of a node (McAllester 1988, §4), for the side to move there: how far
    /// 0, 1, 2, … of the non-terminal leaves below it can move its minimax value.
    ///
    /// ```
    /// use cassius_games::{explicit::NodeId, figures};
    /// use cassius_search::Score;
    /// use cassius_search::best_first::{Bounds, Payload};
    ///
    /// let bounds: Bounds<4> = figures::cns_2().bounds(NodeId::ROOT);
    /// assert_eq!(bounds.range(1), (Score(1), Score(3)));
    /// assert_eq!(bounds.range(2), (Score(0), Score(4)));
    /// ```
    pub fn bounds<const N: usize>(&self, node: NodeId) -> Bounds<N> {
        let position = self.at(node);
        let node = self.node(node);
        if node.children.is_empty() {
            return match node.terminal {
                true => Bounds::over(position.static_value()),
                false => Bounds::leaf(position.static_value()),
            };
        }
        let children: Vec<Bounds<N>> = node.children.iter().map(|&child| self.bounds(child)).collect();
        Bounds::back_up(children.iter())
    }

    /// Returns the first node added with this label.
    pub fn find(&self, label: &str) -> Option<NodeId> {
        self.nodes.iter().position(|node| node.label == label).map(|index| NodeId(index as u32))
    }

    /// Iterates over all nodes, parents before children and left before right.
    pub fn preorder(&self) -> impl Iterator<Item = NodeId> {
        let mut open = vec![NodeId::ROOT];
        std::iter::from_fn(move || {
            let id = open.pop()?;
            open.extend(self.node(id).children.iter().rev());
            Some(id)
        })
    }

    /// Returns the position at the root, with MAX to move.
    pub fn root(&self) -> TreePosition<'_> {
        self.at(NodeId::ROOT)
    }

    /// Returns the position at a node.
    ///
    /// # Panics
    /// If `node` is not in this tree.
    pub fn at(&self, node: NodeId) -> TreePosition<'_> {
        TreePosition { tree: self, node }
    }
}

/// Lets the strategy analysis measure how safe the values of a tree are: McAllester & Yuret 1993, Figs.
/// 1 and 2.
///
/// ```
/// use cassius_games::figures::augmented_strategy;
/// use cassius_search::Score;
/// use cassius_search::plans::strategy::{Conspirators, best_strategy, lower_conspiracy_number, Side};
///
/// let augmentation = augmented_strategy(&[1, 2, 2], 2); // Fig. 2
/// let strategy = best_strategy(&augmentation, Side::Max); // Fig. 1
/// let (pure, margin) = (strategy.subtree(&augmentation), Score(1));
/// assert_eq!(lower_conspiracy_number(&pure, margin), Conspirators::Leaves(1));
/// assert_eq!(strategy.conspiracy_number(&augmentation, margin), Conspirators::Leaves(6));
/// let weakest = strategy.shallowest(&augmentation, margin).expect("no leaf is terminal");
/// assert_eq!(weakest.depth, 5);
/// ```
impl SearchTree for Tree {
    type Node = NodeId;

    fn root(&self) -> NodeId {
        NodeId::ROOT
    }

    fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.node(node).children.iter().copied()
    }

    fn static_value(&self, node: NodeId) -> Score {
        self.node(node).value
    }

    fn mover(&self, node: NodeId) -> Side {
        if self.node(node).max_to_move() { Side::Max } else { Side::Min }
    }

    fn is_terminal(&self, node: NodeId) -> bool {
        self.node(node).terminal
    }
}

/// Trees are equal if they have equal shape, labels, values and marks. The order in which nodes were
/// added does not matter.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        let face = |node: &Node| (node.ply, node.value, node.terminal);
        let same = |(a, b): (NodeId, NodeId)| {
            let (a, b) = (self.node(a), other.node(b));
            face(a) == face(b) && a.label == b.label
        };
        self.len() == other.len() && self.preorder().zip(other.preorder()).all(same)
    }
}

impl Eq for Tree {}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ply = 0;
        for node in self.preorder().map(|id| self.node(id)) {
            if node.ply > ply {
                f.write_str("(")?;
            } else if node.ply > 0 {
                write!(f, "{} ", ")".repeat(ply - node.ply))?;
            }
            ply = node.ply;
            if !node.label.is_empty() {
                write!(f, "{}:", node.label)?;
            }
            write!(f, "{}{}", node.value.0, if node.terminal { "!" } else { "" })?;
        }
        f.write_str(&")".repeat(ply))
    }
}

/// The reason why a text is not a [`Tree`], with its location. Lines and columns are counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct ParseError {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// The problem at this location.
    pub problem: Problem,
}

/// The possible problems in the text of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// The text contains no node.
    #[error("the tree is empty")]
    Empty,
    /// A node is not `value`, `label:value`, or one of these followed by `!`.
    #[error("expected a node: label:value, or value")]
    BadNode,
    /// A value lies in the range of proven scores.
    #[error("the value must be within ±{}", Score::MAX_ESTIMATE.0)]
    ValueOutOfRange,
    /// A second tree begins after the first.
    #[error("a second root; a tree has only one")]
    SecondRoot,
    /// A `(` that does not follow a node.
    #[error("children without a parent")]
    NoParent,
    /// A `(` after a terminal node.
    #[error("a terminal node cannot have children")]
    TerminalParent,
    /// A `)` without `(`.
    #[error("unmatched closing parenthesis")]
    Unopened,
    /// `()`.
    #[error("no child in the parentheses")]
    NoChild,
    /// A node with more than [`Tree::MAX_CHILDREN`] children.
    #[error("a node has more than {} children", Tree::MAX_CHILDREN)]
    TooManyChildren,
    /// The text ends inside parentheses.
    #[error("a parenthesis is not closed")]
    Unclosed,
}

impl FromStr for Tree {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Tree, ParseError> {
        let mut parser = Parser::default();
        let (mut line, mut column) = (1, 1);
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let ends = |c: char| c.is_whitespace() || c == '(' || c == ')';
            let length = if ends(first) { first.len_utf8() } else { rest.find(ends).unwrap_or(rest.len()) };
            let (word, after) = rest.split_at(length);
            parser.word(word).map_err(|problem| ParseError { line, column, problem })?;
            (line, column) =
                if first == '\n' { (line + 1, 1) } else { (line, column + word.chars().count()) };
            rest = after;
        }
        parser.finish().map_err(|problem| ParseError { line, column, problem })
    }
}

/// Parses one token after another: `(`, `)`, a node, or white space.
#[derive(Default)]
struct Parser {
    tree: Option<Tree>,
    open: Vec<NodeId>,
    /// The node just read, to which a parenthesis may add children.
    last: Option<NodeId>,
}

impl Parser {
    fn word(&mut self, word: &str) -> Result<(), Problem> {
        match (word, self.tree.as_mut()) {
            ("(", Some(tree)) => {
                let parent = self.last.take().ok_or(Problem::NoParent)?;
                if tree.node(parent).terminal {
                    return Err(Problem::TerminalParent);
                }
                self.open.push(parent);
            }
            (")", Some(tree)) => {
                let parent = self.open.pop().ok_or(Problem::Unopened)?;
                if tree.node(parent).children.is_empty() {
                    return Err(Problem::NoChild);
                }
                self.last = None;
            }
            ("(", None) => return Err(Problem::NoParent),
            (")", None) => return Err(Problem::Unopened),
            _ if word.trim().is_empty() => {}
            (_, tree) => {
                let (label, value, terminal) = Self::node(word)?;
                let id = match tree {
                    None => {
                        self.tree = Some(Tree::new(label, value));
                        NodeId::ROOT
                    }
                    Some(tree) => {
                        let parent = *self.open.last().ok_or(Problem::SecondRoot)?;
                        if tree.node(parent).children.len() == Tree::MAX_CHILDREN {
                            return Err(Problem::TooManyChildren);
                        }
                        tree.add(parent, label, value)
                    }
                };
                self.tree.iter_mut().for_each(|tree| tree.nodes[id.index()].terminal = terminal);
                self.last = Some(id);
            }
        }
        Ok(())
    }

    fn node(word: &str) -> Result<(&str, Score, bool), Problem> {
        let (word, terminal) = word.strip_suffix('!').map_or((word, false), |word| (word, true));
        let (label, value) = word.split_once(':').unwrap_or(("", word));
        let value = Score(value.parse().map_err(|_| Problem::BadNode)?);
        match () {
            _ if label.contains('!') => Err(Problem::BadNode),
            _ if value != value.clamp_estimate() => Err(Problem::ValueOutOfRange),
            _ => Ok((label, value, terminal)),
        }
    }

    fn finish(self) -> Result<Tree, Problem> {
        if self.open.is_empty() { self.tree.ok_or(Problem::Empty) } else { Err(Problem::Unclosed) }
    }
}

/// A position of the game that a [`Tree`] represents. A move is the index of a child.
///
/// ```
/// use cassius_games::Tree;
/// use cassius_search::{Game, Score, Static};
///
/// let tree: Tree = "A:0(B:1 C:-2)".parse()?;
/// let mut position = tree.root();
/// position.play(1);
/// assert_eq!(position.label(), "C");
/// assert_eq!(position.static_value(), Score(2)); // good for MIN, who is to move
/// # Ok::<(), cassius_games::explicit::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TreePosition<'t> {
    tree: &'t Tree,
    node: NodeId,
}

/// Positions are equal if they are the same node of the same tree.
impl PartialEq for TreePosition<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node && std::ptr::eq(self.tree, other.tree)
    }
}

impl<'t> TreePosition<'t> {
    /// Returns the node of this position.
    pub fn node(self) -> NodeId {
        self.node
    }

    /// Returns the label of the node.
    pub fn label(self) -> &'t str {
        self.tree.node(self.node).label()
    }
}

impl Game for TreePosition<'_> {
    type Move = u16;

    fn moves(&self, moves: &mut Vec<u16>) {
        moves.extend(0..self.tree.node(self.node).children.len() as u16);
    }

    fn play(&mut self, child: u16) {
        self.node = self.tree.node(self.node).children[usize::from(child)];
    }

    fn is_over(&self) -> bool {
        self.tree.node(self.node).children.is_empty()
    }

    fn outcome(&self) -> Outcome {
        Outcome::Points(self.static_value())
    }
}

impl Static for TreePosition<'_> {
    fn static_value(&self) -> Score {
        let node = self.tree.node(self.node);
        if node.max_to_move() { node.value } else { -node.value }
    }

    fn is_unexpanded(&self) -> bool {
        let node = self.tree.node(self.node);
        node.children.is_empty() && !node.terminal
    }
}

/// The bounds are the minimum and the maximum over the leaves below the node, since the tree is
/// explicit.
impl Bounded for TreePosition<'_> {
    fn bounds(&self, _: usize) -> (Score, Score) {
        let max_to_move = self.tree.node(self.node).max_to_move();
        let (mut least, mut greatest) = (Score::INFINITE, -Score::INFINITE);
        let mut ahead = vec![self.node];
        while let Some(node) = ahead.pop() {
            let node = self.tree.node(node);
            ahead.extend(&node.children);
            if node.children.is_empty() {
                let value = if max_to_move { node.value } else { -node.value };
                (least, greatest) = (least.min(value), greatest.max(value));
            }
        }
        (least, greatest)
    }
}

/// Evaluates leaves as the papers do: the game continues at a node without children unless the node is
/// marked as terminal.
///
/// ```
/// use cassius_games::{explicit::Unexpanded, figures};
/// use cassius_search::best_first::{Bounds, ConspiracyNumbers, Grower, NodeId, Payload};
/// use cassius_search::{Off, Request, Score, Unlimited};
///
/// let tree = figures::cns_growth();
/// let growth = ConspiracyNumbers { threshold: 2, deepened: 0, ..ConspiracyNumbers::default() };
/// let mut grower = Grower::<_, Bounds<6>, _, _, Off>::new(1, growth, Unexpanded)?;
/// let answer = grower.search(&Request::new(&tree.root(), &Unlimited), &mut |_| {});
/// assert_eq!(answer.score(), Some(Score(0)));
/// assert_eq!(grower.tree.len(), 53);
/// assert_eq!(grower.tree.payload(NodeId::ROOT).range(2), (Score(0), Score(0)));
/// # Ok::<(), cassius_search::best_first::OutOfMemory>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Unexpanded;

impl<const N: usize> Assess<TreePosition<'_>, Bounds<N>> for Unexpanded {
    fn assess(&mut self, position: &TreePosition<'_>, _: usize) -> Leaf<Bounds<N>> {
        match position.tree.node(position.node).is_terminal() {
            true => Leaf::Over(position.static_value()),
            false => Leaf::Open(Bounds::leaf(position.static_value())),
        }
    }
}

/// Every node has its own key. Nodes of different trees may share one.
impl Keyed for TreePosition<'_> {
    fn key(&self) -> u64 {
        mix(u64::from(self.node.0) + 1)
    }

    fn code(&self, child: u16) -> u16 {
        child + 1
    }
}

playable!(TreePosition<'t>, "a written tree", draws: Off, lifetime: 't);

/// Moves with the same number share a slot. From the 64th on, all moves share one.
impl MoveIndexed for TreePosition<'_> {
    const MOVE_INDICES: usize = 64;

    fn move_index(&self, child: u16) -> usize {
        usize::from(child).min(Self::MOVE_INDICES - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius_search::{Statics, minimax};
    use proptest::prelude::*;

    fn error(text: &str) -> (usize, usize, Problem) {
        let error = text.parse::<Tree>().unwrap_err();
        (error.line, error.column, error.problem)
    }

    #[test]
    fn errors_name_the_place() {
        assert_eq!(error(""), (1, 1, Problem::Empty));
        assert_eq!(error("  \n"), (2, 1, Problem::Empty));
        assert_eq!(error("A"), (1, 1, Problem::BadNode));
        assert_eq!(error("A:0!!"), (1, 1, Problem::BadNode));
        assert_eq!(error("A:0(é:1 B:)"), (1, 9, Problem::BadNode));
        assert_eq!(error("A:0(\n B:29000)"), (2, 2, Problem::ValueOutOfRange));
        assert_eq!(error("A:0 B:0"), (1, 5, Problem::SecondRoot));
        assert_eq!(error("(A:0)"), (1, 1, Problem::NoParent));
        assert_eq!(error("A:0(B:0)(C:0)"), (1, 9, Problem::NoParent));
        assert_eq!(error("A:0!(B:0)"), (1, 5, Problem::TerminalParent));
        assert_eq!(error("A:0(B:0))"), (1, 9, Problem::Unopened));
        assert_eq!(error("A:0()"), (1, 5, Problem::NoChild));
        assert_eq!(error("A:0(B:0"), (1, 8, Problem::Unclosed));
        assert_eq!(
            "A:0(".parse::<Tree>().unwrap_err().to_string(),
            "line 1, column 5: a parenthesis is not closed"
        );
        let wide = format!("0({})", "0 ".repeat(70_000));
        assert_eq!(error(&wide), (1, 3 + 2 * Tree::MAX_CHILDREN, Problem::TooManyChildren));
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{}0{}", "0(".repeat(100_000), ")".repeat(100_000));
        assert_eq!(deep.parse::<Tree>().unwrap().to_string(), deep);
    }

    #[test]
    fn values_turn_with_the_mover() {
        let tree: Tree = "0(3(5 2!) 4(1 9))".parse().unwrap();
        assert_eq!(minimax(&tree.root(), &mut Statics, 0), Score(0));
        assert_eq!(minimax(&tree.root(), &mut Statics, 1), Score(4));
        assert_eq!(minimax(&tree.root(), &mut Statics, 2), Score(2));
        assert_eq!(minimax(&tree.root(), &mut Statics, 9), Score(2));
        let terminal: Vec<bool> = tree.preorder().map(|id| tree.node(id).is_terminal()).collect();
        assert_eq!(terminal, [false, false, false, true, false, false, false]);
    }

    /// Random trees: each new node picks its parent among those before it.
    fn trees() -> impl Strategy<Value = Tree> {
        let node = (any::<prop::sample::Index>(), ".{0,3}", -29_000..29_000, any::<bool>());
        prop::collection::vec(node, 0..40).prop_map(|nodes| {
            let mut tree = Tree::new("root", Score(7));
            let mut inner = vec![NodeId::ROOT];
            for (parent, label, value, terminal) in nodes {
                let id = tree.add(*parent.get(&inner), &label, Score(value));
                if terminal { tree.end(id) } else { inner.push(id) }
            }
            tree
        })
    }

    proptest! {
        #[test]
        fn trees_survive_printing(tree in trees()) {
            prop_assert_eq!(tree.to_string().parse::<Tree>(), Ok(tree));
        }

        #[test]
        fn no_text_panics(text in "[A-Z:0-9()! \n-]{0,40}|\\PC{0,20}") {
            if let Ok(tree) = text.parse::<Tree>() {
                prop_assert_eq!(tree.to_string().parse::<Tree>(), Ok(tree));
            }
        }
    }
}
