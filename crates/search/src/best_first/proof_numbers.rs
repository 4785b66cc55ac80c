//! Proof-number search: growing a tree until a question with two answers is decided.
//!
//! Does the side to move win? It does if it has a move after which the other side does not even draw; and it draws at least if it has one
//! after which the other side does not win. So there are two questions, and each passes to the other on the way down. A node keeps the
//! numbers of both, seen by its own side to move: then neither the node nor its children need know who asked at the root, and one rule
//! backs up both kinds of node. A draw is a no to the first and a yes to the second.
//!
//! *Reference:* Allis, van der Meulen & van den Herik 1994: proof and disproof numbers, the most-proving node. They come from conspiracy numbers
//! (McAllester 1988), for two values. First numbers by the number of moves: after Allis 1994.
//! *Deviations:* numbers of both questions, seen by the side to move, where the paper has OR and AND nodes and one question. Sums end short
//! of infinity.
//! *Soundness:* exact: what is proven is so, whatever leaves are given. A value is only more, less or as much as a draw.
//! *Worth:* not measured; depth-first, with a table, they are what proves mates (`cassius mate`).

use super::{Assess, Choice, Growth, Leaf, NodeId, Outlook, Payload, Tree, Whose};
use crate::{Component, Game, Score, Visitor};

/// What it takes at least to answer a question about a node: how many of the open leaves below it must be proven, or disproven.
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
    /// Leaves to be proven: 0 if the answer is yes, [`INFINITE`](Self::INFINITE) if it is no.
    pub proof: u32,
    /// Leaves to be disproven: 0 if the answer is no, [`INFINITE`](Self::INFINITE) if it is yes.
    pub disproof: u32,
}

impl ProofNumbers {
    /// No number of leaves suffices.
    pub const INFINITE: u32 = u32::MAX;
    /// The answer is yes.
    pub const PROVEN: ProofNumbers = ProofNumbers { proof: 0, disproof: Self::INFINITE };
    /// The answer is no.
    pub const DISPROVEN: ProofNumbers = ProofNumbers { proof: Self::INFINITE, disproof: 0 };

    /// Whether the answer is known.
    pub fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    fn answered(yes: bool) -> ProofNumbers {
        if yes { Self::PROVEN } else { Self::DISPROVEN }
    }

    /// One move is enough to prove it, all are needed to disprove it; `child` are the numbers of the other question for the other side.
    #[inline]
    fn has_move(&mut self, child: &ProofNumbers) {
        self.proof = self.proof.min(child.disproof);
        self.disproof = sum(self.disproof, child.proof);
    }
}

/// Of infinity and anything, infinity; else less than infinity.
fn sum(a: u32, b: u32) -> u32 {
    match a.max(b) {
        ProofNumbers::INFINITE => ProofNumbers::INFINITE,
        _ => a.saturating_add(b).min(ProofNumbers::INFINITE - 1),
    }
}

/// The numbers of both questions about a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proofs {
    /// Does the side to move win: is it worth more to it than a draw?
    pub win: ProofNumbers,
    /// Does the side to move draw at least?
    pub hold: ProofNumbers,
}

impl Proofs {
    /// Of a leaf, whose first numbers are at least 1.
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

    /// A [known win](Score::KNOWN_WIN), a known loss, or a draw as long as it is neither.
    fn value(&self) -> Score {
        match () {
            () if self.win == ProofNumbers::PROVEN => Score::KNOWN_WIN,
            () if self.hold == ProofNumbers::DISPROVEN => -Score::KNOWN_WIN,
            () => Score::DRAW,
        }
    }

    /// What is proven, however many leaves change: infinite on a side of which nothing is.
    fn range(&self, _: usize) -> (Score, Score) {
        match () {
            () if self.value().is_decided() => (self.value(), self.value()),
            () => (
                if self.hold == ProofNumbers::PROVEN { Score::DRAW } else { -Score::INFINITE },
                if self.win == ProofNumbers::DISPROVEN { Score::DRAW } else { Score::INFINITE },
            ),
        }
    }

    /// Proof and disproof numbers: the side to move wins, or draws; or the other side does.
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

/// What is asked about a node, for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    Win,
    Hold,
}

impl Question {
    /// What it comes to after a move: not the answer to that, for the other side.
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
        /// What is asked of the root: 0 whether the side to move wins, 1 whether it draws at least, 2 the one, and if it is answered with
        /// no the other.
        question: 2 in 0..=2 "0, 1 or 2",
    }
}

impl ProofNumberSearch {
    /// What is asked now.
    fn asked(&self, root: &Proofs) -> Question {
        match self.question {
            1 => Question::Hold,
            2 if root.win == ProofNumbers::DISPROVEN => Question::Hold,
            _ => Question::Win,
        }
    }
}

/// The move that takes the fewest leaves to answer the question with yes, the leftmost of several.
fn most_proving<M: Copy>(tree: &Tree<M, Proofs>, node: NodeId, question: Question) -> Option<NodeId> {
    tree.children(node).min_by_key(|&child| tree.payload(child).of(question.below()).disproof)
}

impl Growth<Proofs> for ProofNumberSearch {
    /// The most-proving node: whoever has the move goes where the fewest leaves give him the answer that he wants.
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

    /// The move that is proven to win, else one that is proven to draw at least, else the most proving.
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
    /// The first numbers of a leaf.
    ///
    /// ```
    /// use cassius_search::best_first::{FirstNumbers, Grower, NodeId, ProofNumberSearch, ProofNumbers, Proofs};
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
    /// let growth = ProofNumberSearch::default();
    /// let mut grower = Grower::<Stones, Proofs, _, _, Off>::new(1, growth, FirstNumbers::default())?; // 1 MiB
    /// let answer = grower.search(&Request::new(&Stones(4), &Nodes(1_000)), &mut |_| {});
    /// assert_eq!(answer.best(), Some(1)); // leaves three
    /// assert_eq!(grower.tree.payload(NodeId::ROOT).win, ProofNumbers::PROVEN);
    /// # Ok::<(), cassius_search::best_first::OutOfMemory>(())
    /// ```
    pub struct FirstNumbers {
        /// What it takes to disprove it: 1 as many leaves as it has moves, since none of them may prove it; 0 one. To prove it takes one.
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
