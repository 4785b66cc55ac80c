//! Proof-number search: grows a tree until a yes-or-no question is decided.
//!
//! The first question is whether the side to move wins. It wins if it has a move after which the other
//! side cannot even draw. The second question is whether it draws at least. It does if it has a move
//! after which the other side does not win. Each question turns into the other on the way down. A node
//! stores the numbers of both questions from the point of view of its own side to move. Therefore
//! neither the node nor its children need to know what is asked at the root, and one rule backs up both
//! kinds of node. A draw is a no to the first question and a yes to the second.
//!
//! *Reference:* Allis, van der Meulen & van den Herik 1994: proof and disproof numbers, the most-proving
//! node. The numbers are derived from conspiracy numbers (McAllester 1988) for two values. First numbers
//! by the number of moves are from Allis 1994.
//! *Deviations:* a node has numbers of both questions, from the point of view of the side to move, where
//! the paper has OR and AND nodes and one question. Sums are capped below infinity.
//! *Soundness:* exact: whatever is proven is true, whatever numbers leaves get. A value only says
//! whether a position is better than a draw, worse, or equal to it.
//! *Worth:* not measured; the depth-first form with a table is what proves mates (`cassius mate`).

use super::{Assess, Choice, Growth, Leaf, NodeId, Outlook, Payload, Tree, Whose};
use crate::component::{Component, Visitor};
use crate::game::Game;
use crate::score::Score;

/// The effort that is needed at least to answer a question about a node: how many of the open leaves
/// below it must be proven, or disproven.
///
/// ```
/// use cassius_search::Score;
/// use cassius_search::best_first::{Payload, ProofNumbers, Proofs};
///
/// let open = Proofs::open(1, 1);
/// let drawn = Proofs::over(Score::DRAW);
/// // The mover has three moves. One draws; to win it takes either of the others, and not to win both.
/// let node = Proofs::back_up([drawn, open, open].iter());
/// assert_eq!(node.win, ProofNumbers { proof: 1, disproof: 2 });
/// assert_eq!(node.hold, ProofNumbers::PROVEN);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofNumbers {
    /// The number of leaves to prove: 0 if the answer is yes, [`INFINITE`](Self::INFINITE) if it is no.
    pub proof: u32,
    /// The number of leaves to disprove: 0 if the answer is no, [`INFINITE`](Self::INFINITE) if it is
    /// yes.
    pub disproof: u32,
}

impl ProofNumbers {
    /// The number if no number of leaves suffices.
    pub const INFINITE: u32 = u32::MAX;
    /// The numbers if the answer is yes.
    pub const PROVEN: ProofNumbers = ProofNumbers { proof: 0, disproof: Self::INFINITE };
    /// The numbers if the answer is no.
    pub const DISPROVEN: ProofNumbers = ProofNumbers { proof: Self::INFINITE, disproof: 0 };

    /// Whether the answer is known.
    pub fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    fn answered(yes: bool) -> ProofNumbers {
        if yes { Self::PROVEN } else { Self::DISPROVEN }
    }

    /// Adds a move. One move is enough to prove the node; all are needed to disprove it. `child` has the
    /// numbers of the other question for the other side.
    #[inline]
    fn has_move(&mut self, child: &ProofNumbers) {
        self.proof = self.proof.min(child.disproof);
        self.disproof = sum(self.disproof, child.proof);
    }
}

/// Adds two numbers. The sum is infinite if one of them is, and otherwise less than infinity.
fn sum(a: u32, b: u32) -> u32 {
    match a.max(b) {
        ProofNumbers::INFINITE => ProofNumbers::INFINITE,
        _ => a.saturating_add(b).min(ProofNumbers::INFINITE - 1),
    }
}

/// The numbers of both questions about a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proofs {
    /// The numbers of the question whether the side to move wins, that is, whether the node is worth
    /// more to it than a draw.
    pub win: ProofNumbers,
    /// The numbers of the question whether the side to move draws at least.
    pub hold: ProofNumbers,
}

impl Proofs {
    /// Returns the numbers of a leaf. The first numbers are raised to at least 1.
    pub fn open(proof: u32, disproof: u32) -> Proofs {
        let first = |number: u32| number.clamp(1, ProofNumbers::INFINITE - 1);
        let numbers = ProofNumbers { proof: first(proof), disproof: first(disproof) };
        Proofs { win: numbers, hold: numbers }
    }

    fn of(&self, question: Question) -> &ProofNumbers {
        match question {
            Question::Win => &self.win,
            Question::Hold => &self.hold,
        }
    }
}

impl Payload for Proofs {
    const MOST: usize = ProofNumbers::INFINITE as usize - 1;

    fn over(value: Score) -> Self {
        Proofs {
            win: ProofNumbers::answered(value > Score::DRAW),
            hold: ProofNumbers::answered(value >= Score::DRAW),
        }
    }

    fn back_up<'a>(children: impl Iterator<Item = &'a Self>) -> Self {
        let mut node = Proofs { win: ProofNumbers::DISPROVEN, hold: ProofNumbers::DISPROVEN };
        for child in children {
            node.win.has_move(&child.hold);
            node.hold.has_move(&child.win);
        }
        node
    }

    /// Of equal values one that is proven to be a draw at least is better than one of which that is open.
    fn best<'a>(children: impl Iterator<Item = &'a Self> + Clone) -> Option<usize> {
        let open = |child: &Proofs| child.win != ProofNumbers::DISPROVEN;
        children.enumerate().min_by_key(|(_, child)| (child.value(), open(child))).map(|(index, _)| index)
    }

    /// Returns a [known win](Score::KNOWN_WIN) or a known loss if one is proven, and otherwise a draw.
    fn value(&self) -> Score {
        match () {
            () if self.win == ProofNumbers::PROVEN => Score::KNOWN_WIN,
            () if self.hold == ProofNumbers::DISPROVEN => -Score::KNOWN_WIN,
            () => Score::DRAW,
        }
    }

    /// Returns the range that is proven, whatever the number of leaves. It is infinite on a side where
    /// nothing is proven.
    fn range(&self, _: usize) -> (Score, Score) {
        match () {
            () if self.value().is_decided() => (self.value(), self.value()),
            () => (
                if self.hold == ProofNumbers::PROVEN { Score::DRAW } else { -Score::INFINITE },
                if self.win == ProofNumbers::DISPROVEN { Score::DRAW } else { Score::INFINITE },
            ),
        }
    }

    /// Returns the number of leaves that must be proven for `side` to win if `value` is above a draw,
    /// and otherwise for `side` to draw at least.
    fn needed(&self, side: Whose, value: Score) -> Option<usize> {
        let needed = match (side, value > Score::DRAW) {
            (Whose::Mover, true) => self.win.proof,
            (Whose::Mover, false) => self.hold.proof,
            (Whose::Other, true) => self.hold.disproof,
            (Whose::Other, false) => self.win.disproof,
        };
        (needed != ProofNumbers::INFINITE).then_some(needed as usize)
    }
}

/// A question about a node, for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    Win,
    Hold,
}

impl Question {
    /// Returns the question about a child that decides this one. This question has the opposite answer.
    fn below(self) -> Question {
        match self {
            Question::Win => Question::Hold,
            Question::Hold => Question::Win,
        }
    }
}

crate::component! {
    /// Expands the most-proving node until the question is decided.
    pub struct ProofNumberSearch {
        /// What is asked of the root: 0 whether the side to move wins, 1 whether it draws at least, 2 the
        /// first, and if the answer is no, the second.
        question: 2 in 0..=2 "0, 1 or 2",
    }
}

impl ProofNumberSearch {
    /// Returns the question that is asked now.
    fn asked(&self, root: &Proofs) -> Question {
        match self.question {
            1 => Question::Hold,
            2 if root.win == ProofNumbers::DISPROVEN => Question::Hold,
            _ => Question::Win,
        }
    }
}

/// Returns the move that needs the fewest leaves to answer the question with yes, the leftmost of
/// equals.
fn most_proving<M: Copy>(tree: &Tree<M, Proofs>, node: NodeId, question: Question) -> Option<NodeId> {
    tree.children(node).min_by_key(|&child| tree.payload(child).of(question.below()).disproof)
}

impl Growth<Proofs> for ProofNumberSearch {
    /// Chooses the most-proving node: the side to move goes where the fewest leaves give it the answer
    /// that it wants.
    fn choose<M: Copy>(&self, tree: &Tree<M, Proofs>, choices: &mut Vec<Choice>) {
        let root = tree.payload(NodeId::ROOT);
        let mut question = self.asked(root);
        if root.of(question).is_decided() {
            return;
        }
        let mut node = NodeId::ROOT;
        while let Some(next) = most_proving(tree, node, question) {
            (node, question) = (next, question.below());
        }
        debug_assert!(tree.is_leaf(node), "an undecided node has undecided children");
        choices.push(Choice::new(node));
    }

    /// Returns as best the move that is proven to win, else one that is proven to draw at least, else
    /// the most-proving move.
    fn outlook<M: Copy>(&self, tree: &Tree<M, Proofs>) -> Outlook {
        let below = self.asked(tree.payload(NodeId::ROOT)).below();
        let best = tree.children(NodeId::ROOT).min_by_key(|&child| {
            let child = tree.payload(child);
            (
                child.hold != ProofNumbers::DISPROVEN,
                child.win != ProofNumbers::DISPROVEN,
                child.of(below).disproof,
            )
        });
        Outlook { conspirators: 0, best }
    }
}

crate::component! {
    /// Sets the first numbers of a leaf.
    ///
    /// ```
    /// use cassius_search::best_first::{FirstNumbers, Grower, NodeId};
    /// use cassius_search::best_first::{ProofNumberSearch, ProofNumbers, Proofs};
    /// use cassius_search::{Game, Nodes, Off, Outcome, Request};
    ///
    /// /// Take one or two stones; who takes the last one wins.
    /// #[derive(Clone)]
    /// struct Stones(u8);
    /// impl Game for Stones {
    ///     type Move = u8;
    ///     fn moves(&self, moves: &mut Vec<u8>) {
    ///         moves.extend((1..=2).filter(|taken| *taken <= self.0));
    ///     }
    ///     fn play(&mut self, taken: u8) {
    ///         self.0 -= taken;
    ///     }
    ///     fn outcome(&self) -> Outcome {
    ///         Outcome::Loss
    ///     }
    /// }
    ///
    /// let (growth, assess) = (ProofNumberSearch::default(), FirstNumbers::default());
    /// let mut grower = Grower::<Stones, Proofs, _, _, Off>::new(1, growth, assess)?; // 1 MiB
    /// let answer = grower.search(&Request::new(&Stones(4), &Nodes(1_000)), &mut |_| {});
    /// assert_eq!(answer.best(), Some(1)); // leaves three
    /// assert_eq!(grower.tree.payload(NodeId::ROOT).win, ProofNumbers::PROVEN);
    /// # Ok::<(), cassius_search::best_first::OutOfMemory>(())
    /// ```
    pub struct FirstNumbers {
        /// The first disproof number of a leaf: 1 the number of its moves, since each must be refuted; 0
        /// one. The first proof number is one.
        by_moves: 1 in 0..=1 "0 or 1",
    }
}

impl<G: Game> Assess<G, Proofs> for FirstNumbers {
    fn assess(&mut self, position: &G, ply: usize) -> Leaf<Proofs> {
        match () {
            () if position.is_over() => Leaf::Over(position.outcome().score(ply)),
            () if self.by_moves == 0 => Leaf::Open(Proofs::open(1, 1)),
            () => Leaf::Open(Proofs::open(1, position.count_moves() as u32)),
        }
    }

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        Component::visit(self, visitor);
    }
}
