//! A study: a tree that grows for as long as anybody likes, whose leaves are judged by somebody else, and
//! that can say at any time what its verdict hangs on.
//!
//! A leaf is judged by a search of its own, which may take seconds. So few leaves are judged, and it is worth
//! while to choose each of them with care. [`Study::ask`] names the leaves worth judging. [`Study::tell`]
//! takes the judgements, in any order. Between the two anything may happen: the leaves may be judged by
//! several programs or machines at once, or some never.
//!
//! - **Leaves.** Each position has one leaf that stands for all moves not followed from there. A judge says
//!   which of them is best, and what it is worth. If more is to be known, the best move is *followed*: it
//!   leads to a new position with a leaf of its own, and the leaf before it stands for the other moves.
//! - **Chances.** Conspiracy numbers count the leaves that must change to change a verdict. Here each leaf
//!   counts as much as it is likely to be wrong ([`Errors`]). The distributions of the true values of
//!   leaves are backed up as those of independent variables ([`Chances`]), which gives the chance that
//!   another move is best.
//! - **Growth.** The next leaf is the one on which that chance depends most ([`Growth`]).
//! - **Verdict.** [`Study::verdict`] names the best move, the chances of all moves, and the most probable
//!   *conspiracies*: sets of leaves that would have to be misjudged together, by how much, for another move
//!   to be best.
//!
//! Positions with the same [key](Keyed::key) are shared between lines, so mirror images need keys of their
//! own. A move that would close a cycle counts as a draw by repetition.
//!
//! *References:* D. McAllester, Conspiracy Numbers for Min-Max Search, 1988; A. Palay, Searching with
//! Probabilities, 1985; E. Baum, W. Smith, A Bayesian Approach to Relevance in Game Playing, 1997; U. Lorenz,
//! Controlled Conspiracy-2 Search, 2000.
//!
//! ```
//! use cassius_search::study::{Judgement, Study};
//! use cassius_search::{Game, Keyed, Outcome, Score, mix};
//!
//! /// Take one or two stones; who takes the last one wins.
//! #[derive(Clone)]
//! struct Stones(u8);
//! impl Game for Stones {
//!     type Move = u8;
//!     fn moves(&self, moves: &mut Vec<u8>) {
//!         moves.extend((1..=2).filter(|taken| *taken <= self.0));
//!     }
//!     fn play(&mut self, taken: u8) {
//!         self.0 -= taken;
//!     }
//!     fn outcome(&self) -> Outcome {
//!         Outcome::Loss
//!     }
//! }
//! impl Keyed for Stones {
//!     fn key(&self) -> u64 {
//!         mix(self.0.into())
//!     }
//!     fn code(&self, mv: u8) -> u16 {
//!         mv.into()
//!     }
//! }
//!
//! let mut study = Study::new(Stones(5));
//! for _ in 0..100 {
//!     let Some(asked) = study.ask(1).pop() else { break };
//!     // A judge that knows nothing: it takes the first move that it may, and thinks of a draw.
//!     let mut moves = Vec::new();
//!     asked.position.moves(&mut moves);
//!     moves.retain(|mv| !asked.without.contains(mv));
//!     study.tell(asked.leaf, Judgement::estimate(Score::DRAW, moves[0], asked.effort)).unwrap();
//! }
//! let verdict = study.verdict();
//! assert_eq!(verdict.moves[0].mv, Some(2)); // leaves three
//! assert!(verdict.moves[0].value.unwrap().is_win());
//! ```

mod chances;
mod errors;
mod growth;
mod tree;
mod verdict;

pub use chances::{Chances, STEPS, Scale, chances_to_be_greatest};
pub use errors::{Basis, Errors};
pub use growth::{Growth, Steps};
pub use tree::{Edge, Leaf, PositionId, Target};
pub use verdict::{Candidate, Conspiracy, Conspirator, Verdict};

use crate::best_first::Whose;
use crate::game::{Game, Keyed};
use crate::score::Score;
use std::collections::HashSet;
use std::fmt;
use tree::Tree;

/// What a judge found about a leaf.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Judgement<M> {
    /// The value for the side to move; distances to the end of the game are counted from the leaf's position.
    pub value: Score,
    /// The best move among those not followed. A proven value needs none.
    pub best: Option<M>,
    /// The effort, in the unit of [`Errors`]: that which was asked for ([`Asked::effort`]), even if the judge
    /// needed less. A leaf that was judged with less than [`Steps`] allow is asked for again.
    pub effort: u64,
    /// Whether the value is proven, by an endgame table for example.
    pub proven: bool,
}

impl<M> Judgement<M> {
    /// Returns a judgement by search.
    pub fn estimate(value: Score, best: M, effort: u64) -> Judgement<M> {
        Judgement { value, best: Some(best), effort, proven: false }
    }

    /// Returns a proven value.
    pub fn proven(value: Score) -> Judgement<M> {
        Judgement { value, best: None, effort: 0, proven: true }
    }
}

/// The name of a leaf: the position, and how many moves were followed from there when it was named. The same
/// position has another leaf when one more move is followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeafId {
    /// The position.
    pub position: PositionId,
    /// The number of followed moves.
    pub followed: u16,
}

/// A leaf that is to be judged.
#[derive(Clone, Debug)]
pub struct Asked<G: Game> {
    /// The leaf.
    pub leaf: LeafId,
    /// The position.
    pub position: G,
    /// The moves that lead there from the root.
    pub line: Vec<G::Move>,
    /// The moves that are not to be considered, because they are followed or excluded.
    pub without: Vec<G::Move>,
    /// The effort, in the unit of [`Errors`].
    pub effort: u64,
}

/// A change of a study. A study is the result of its changes: replayed in order, they give the same study.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Change<M> {
    /// A move is followed from a position.
    Followed {
        /// The position.
        from: PositionId,
        /// The move.
        mv: M,
        /// Where it leads. A new position has the next number.
        to: Target,
    },
    /// A leaf was judged.
    Judged {
        /// The leaf.
        leaf: LeafId,
        /// The judgement.
        judgement: Judgement<M>,
    },
    /// A line is preferred, or no longer.
    Preferred {
        /// The last position of the line.
        position: PositionId,
        /// Whether it is preferred.
        preferred: bool,
    },
    /// A move is left out of consideration, or considered again.
    Excluded {
        /// The position.
        from: PositionId,
        /// The move.
        mv: M,
        /// Whether it is left out.
        excluded: bool,
    },
}

/// Why a judgement or a wish was refused. The study is unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// There is no such position.
    NoPosition,
    /// The leaf has changed: it was judged by somebody else and its best move followed, or it is closed.
    NoLeaf,
    /// The move is not among the moves that the leaf stands for, or is missing.
    Move,
    /// It is the last move of its position, and cannot be left out.
    LastMove,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::NoPosition => "the study has no such position",
            Refused::NoLeaf => "the leaf is no longer open",
            Refused::Move => "the move is not one of those that the leaf stands for",
            Refused::LastMove => "the last move of a position cannot be left out",
        })
    }
}

impl std::error::Error for Refused {}

/// A tree of positions whose leaves are judged by somebody else. See the [module](self).
#[derive(Clone)]
pub struct Study<G: Game> {
    /// How far judgements can be trusted.
    errors: Errors,
    /// How much effort is spent on a leaf.
    pub steps: Steps,
    /// Which leaf is next.
    pub growth: Growth,
    root: G,
    unrest: fn(&G) -> f32,
    /// By what a position is recognised on another line.
    key: fn(&G) -> u64,
    tree: Tree<G::Move>,
    /// The positions whose leaves are being judged.
    in_work: Vec<PositionId>,
    /// The positions to which a preferred line leads.
    preferred: Vec<PositionId>,
    /// The number of judgements.
    judged: usize,
    changes: Vec<Change<G::Move>>,
}

impl<G: Game + Keyed> Study<G> {
    /// Begins a study of a position, in a game whose positions are all judged equally well.
    pub fn new(root: G) -> Study<G> {
        Study::with_unrest(root, |_| 1.0)
    }

    /// Begins a study of a position. The widths of errors in a position are multiplied by its *unrest*: it is
    /// more than 1 where judgements are wrong by more than usual.
    ///
    /// ```
    /// use cassius_search::study::{PositionId, Study};
    /// # use cassius_search::{Game, Keyed, Outcome};
    /// # #[derive(Clone)]
    /// # struct Stones(u8);
    /// # impl Game for Stones {
    /// #     type Move = u8;
    /// #     fn moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=self.0.min(2)) }
    /// #     fn play(&mut self, taken: u8) { self.0 -= taken }
    /// #     fn outcome(&self) -> Outcome { Outcome::Loss }
    /// # }
    /// # impl Keyed for Stones {
    /// #     fn key(&self) -> u64 { cassius_search::mix(self.0.into()) }
    /// #     fn code(&self, mv: u8) -> u16 { mv.into() }
    /// # }
    /// let (calm, wild) = (Study::new(Stones(9)), Study::with_unrest(Stones(9), |_| 2.0));
    /// let chance = |study: &Study<Stones>| study.chances(PositionId::ROOT).above(1.0);
    /// assert!(chance(&wild) > chance(&calm));
    /// ```
    pub fn with_unrest(root: G, unrest: fn(&G) -> f32) -> Study<G> {
        Study::with_key(root, unrest, G::exact_key)
    }

    /// Begins a study in which positions with the same key are the same position if the same side is to
    /// move, whatever line leads there. They must have the same moves. In the other studies the key is the
    /// [exact one](Keyed::exact_key).
    pub fn with_key(root: G, unrest: fn(&G) -> f32, key: fn(&G) -> u64) -> Study<G> {
        let errors = Errors::default();
        let tree = Tree::new(&root, key(&root), unrest(&root), &errors);
        let (steps, growth) = (Steps::default(), Growth::default());
        let (in_work, preferred, changes) = (Vec::new(), Vec::new(), Vec::new());
        Study { errors, steps, growth, root, unrest, key, tree, in_work, preferred, judged: 0, changes }
    }

    /// Returns how far judgements are trusted.
    pub fn errors(&self) -> &Errors {
        &self.errors
    }

    /// Sets how far judgements are trusted. Values that are only supposed stay as they were supposed.
    pub fn trust(&mut self, errors: Errors) {
        self.errors = errors;
        self.tree.recompute(&self.errors);
    }

    /// Returns the position at the root.
    pub fn root(&self) -> &G {
        &self.root
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Whether nothing was judged and no move followed yet.
    pub fn is_empty(&self) -> bool {
        self.tree.nodes[0].edges.is_empty() && !self.tree.nodes[0].leaf.is_some_and(|leaf| leaf.is_judged())
    }

    /// Returns the moves that are followed from a position.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn edges(&self, position: PositionId) -> &[Edge<G::Move>] {
        &self.tree.nodes[position.index()].edges
    }

    /// Returns a position's leaf, unless all moves are followed or the game is over.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn leaf(&self, position: PositionId) -> Option<&Leaf<G::Move>> {
        self.tree.nodes[position.index()].leaf.as_ref()
    }

    /// Returns the value of a position for the side to move, by minimax of the judged values. If none is
    /// judged, it is what is supposed.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn value(&self, position: PositionId) -> Score {
        self.tree.nodes[position.index()].value
    }

    /// Whether the value of a position is known: it rests on a judgement, if only on one of the position
    /// before.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn is_known(&self, position: PositionId) -> bool {
        self.tree.nodes[position.index()].known
    }

    /// Returns the present value of the moves that a leaf stands for, or stood for when it was named. If it
    /// was not judged, that is what is supposed.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn worth(&self, leaf: LeafId) -> Score {
        let node = &self.tree.nodes[leaf.position.index()];
        let later = node.edges.iter().skip(leaf.followed.into()).filter(|edge| !edge.excluded);
        let values = later.map(|edge| match edge.to {
            Target::Position(to) => (-self.value(to)).at_root(1),
            Target::Repetition => Score::DRAW,
        });
        let rest = node.leaf.as_ref().filter(|rest| rest.is_judged()).map(|rest| rest.value);
        let supposed = || node.leaf.as_ref().map_or(node.value, |rest| rest.value);
        values.chain(rest).max().unwrap_or_else(supposed)
    }

    /// Whether the line to a position is preferred ([`Study::prefer`]).
    ///
    /// # Panics
    /// If there is no such position.
    pub fn is_preferred(&self, position: PositionId) -> bool {
        self.preferred.contains(&position)
    }

    /// Returns the chances of a position's true value, for the side to move.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn chances(&self, position: PositionId) -> &Chances {
        &self.tree.nodes[position.index()].chances
    }

    /// Returns the moves that lead from the root to a position, along the line by which it was found.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn line_to(&self, position: PositionId) -> Vec<G::Move> {
        self.tree.line_to(position)
    }

    /// Returns a position by its number, if there is such a position.
    pub fn get(&self, id: PositionId) -> Option<G> {
        (id.index() < self.len()).then(|| self.position(id))
    }

    /// Returns a position by its number.
    ///
    /// # Panics
    /// If there is no such position.
    pub fn position(&self, id: PositionId) -> G {
        let mut position = self.root.clone();
        self.line_to(id).into_iter().for_each(|mv| position.play(mv));
        position
    }

    /// Returns the number of a position, if it belongs to the study. In a game whose keys leave out whose
    /// move it is there may be two: then it is that in which the side to move at the root moves.
    pub fn find(&self, position: &G) -> Option<PositionId> {
        let key = (self.key)(position);
        [true, false].iter().find_map(|mover| self.tree.known.get(&(key, *mover)).copied())
    }

    /// Names up to `count` leaves worth judging, the most worthwhile first, and marks them as being judged.
    /// Fewer are named if no other leaf matters. Moves may be followed for this.
    pub fn ask(&mut self, count: usize) -> Vec<Asked<G>> {
        let mut asked = Vec::new();
        while asked.len() < count {
            let next = |start| growth::next(&self.tree, self.growth, &self.errors, start);
            let next = self.preferred_now().and_then(next).or_else(|| next(PositionId::ROOT));
            let Some(at) = next else { break };
            let Some(leaf) = self.leaf(at).copied() else { break };
            let effort = match leaf.is_judged() {
                false => Some(self.steps.effort as u64),
                true => self.steps.again(leaf.effort),
            };
            match (effort, leaf.best) {
                (Some(effort), _) => asked.push(self.take(at, effort)),
                (None, Some(best)) => {
                    self.follow(at, best);
                }
                (None, None) => break,
            }
        }
        asked
    }

    /// Returns the position of a preferred line if the next leaf is to be one after it: every second leaf, of
    /// each line in turn.
    fn preferred_now(&self) -> Option<PositionId> {
        let turn = self.judged + self.in_work.len();
        if turn.is_multiple_of(2) || self.preferred.is_empty() {
            return None;
        }
        let reached: Vec<PositionId> =
            self.preferred.iter().copied().filter(|at| self.is_reached(*at)).collect();
        (!reached.is_empty()).then(|| reached[turn / 2 % reached.len()])
    }

    /// Whether a line without moves that are left out leads to a position.
    pub fn is_reached(&self, position: PositionId) -> bool {
        let (mut seen, mut open) = (HashSet::new(), vec![position]);
        while let Some(at) = open.pop() {
            if at == PositionId::ROOT {
                return true;
            }
            let leads = |parent: PositionId| {
                let mut edges = self.edges(parent).iter();
                edges.any(|edge| !edge.excluded && edge.to == Target::Position(at))
            };
            let parents = self.tree.nodes.get(at.index()).map_or(&[][..], |node| &node.parents);
            open.extend(parents.iter().filter(|parent| leads(**parent) && seen.insert(**parent)));
        }
        false
    }

    /// Names the leaf of a position, if it is neither judged nor being judged, and marks it as being judged.
    pub fn ask_at(&mut self, position: PositionId) -> Option<Asked<G>> {
        let leaf = self.tree.nodes.get(position.index())?.leaf.as_ref()?;
        match leaf.is_judged() || leaf.in_work {
            true => None,
            false => Some(self.take(position, self.steps.effort as u64)),
        }
    }

    /// Marks a leaf as being judged.
    fn take(&mut self, at: PositionId, effort: u64) -> Asked<G> {
        let line = self.line_to(at);
        let position = self.position(at);
        let edges = self.edges(at);
        let leaf = LeafId { position: at, followed: edges.len() as u16 };
        let without = edges.iter().map(|edge| edge.mv).collect();
        self.in_work.push(at);
        self.mark(at, true);
        Asked { leaf, position, line, without, effort }
    }

    /// Follows a move from a position.
    fn follow(&mut self, from: PositionId, mv: G::Move) -> Target {
        let mut child = self.position(from);
        child.play(mv);
        let key = (self.key)(&child);
        let node = &self.tree.nodes[from.index()];
        let (value, effort, unrest) =
            node.leaf.as_ref().map_or((node.value, 1, 1.0), |leaf| (leaf.value, leaf.effort, leaf.unrest));
        let is_best = node.leaf.as_ref().is_some_and(|leaf| leaf.best == Some(mv));
        // A proof that names no move says nothing of the moves that are left, unless all of them lose.
        let may_be_by_it = node.leaf.as_ref().is_some_and(|leaf| {
            let is_lost = leaf.value.is_decided() && leaf.value < Score::DRAW;
            leaf.basis == Basis::Proven && leaf.best.is_none() && !is_lost
        });
        let others = Leaf {
            value: self.errors.others(value),
            best: None,
            basis: Basis::Supposed,
            effort,
            unrest,
            in_work: false,
        };
        let (of_move, basis) =
            if is_best { (value, Basis::Inherited) } else { (others.value, Basis::Supposed) };
        let unrest = (self.unrest)(&child);
        let inherited = Leaf { value: (-of_move).at_node(1), basis, unrest, ..others };
        let to = self.tree.follow(from, mv, &child, key, inherited, &self.errors);
        let node = &mut self.tree.nodes[from.index()];
        node.open -= 1;
        // The leaf stands for fewer moves now. What is being judged is another leaf.
        self.in_work.retain(|at| *at != from);
        node.leaf = match (node.open, node.leaf) {
            (0, _) | (_, None) => None,
            // The judgement was about the best move; the others are not judged.
            (_, Some(_)) if is_best || may_be_by_it => Some(others),
            (_, leaf) => leaf.map(|leaf| Leaf { in_work: false, ..leaf }),
        };
        self.tree.back_up(from, &self.errors);
        self.changes.push(Change::Followed { from, mv, to });
        to
    }

    /// Takes a judgement of a leaf, which need not have been asked for.
    ///
    /// # Errors
    /// If there is no such leaf (any more), or its best move is none of those that the leaf stands for.
    pub fn tell(&mut self, leaf: LeafId, judgement: Judgement<G::Move>) -> Result<(), Refused> {
        let node = self.tree.nodes.get(leaf.position.index()).ok_or(Refused::NoPosition)?;
        if node.leaf.is_none() || node.edges.len() != usize::from(leaf.followed) {
            return Err(Refused::NoLeaf);
        }
        match judgement.best {
            None if judgement.proven => (),
            None => return Err(Refused::Move),
            Some(mv) => {
                let mut moves = Vec::new();
                self.position(leaf.position).moves(&mut moves);
                if !moves.contains(&mv) || node.edges.iter().any(|edge| edge.mv == mv) {
                    return Err(Refused::Move);
                }
            }
        }
        let Judgement { value, best, effort, proven } = judgement;
        let basis = if proven { Basis::Proven } else { Basis::Judged };
        let at = leaf.position;
        self.in_work.retain(|other| *other != at);
        self.judged += 1;
        if let Some(leaf) = &mut self.tree.nodes[at.index()].leaf {
            *leaf = Leaf { value, best, basis, effort, unrest: leaf.unrest, in_work: false };
        }
        self.tree.back_up(at, &self.errors);
        self.changes.push(Change::Judged { leaf, judgement });
        Ok(())
    }

    /// Gives a leaf back that could not be judged. It may be named again.
    pub fn give_back(&mut self, leaf: LeafId) {
        let node = self.tree.nodes.get(leaf.position.index());
        if node.is_some_and(|node| node.edges.len() == usize::from(leaf.followed)) {
            self.in_work.retain(|at| *at != leaf.position);
            self.mark(leaf.position, false);
        }
    }

    /// Follows a move that somebody wants to be looked at. Returns where it leads.
    ///
    /// # Errors
    /// If there is no such position, or the move is not legal there.
    pub fn include(&mut self, from: PositionId, mv: G::Move) -> Result<Target, Refused> {
        let node = self.tree.nodes.get(from.index()).ok_or(Refused::NoPosition)?;
        if let Some(edge) = node.edges.iter().find(|edge| edge.mv == mv) {
            let to = edge.to;
            if edge.excluded {
                self.set_excluded(from, mv, false)?;
            }
            return Ok(to);
        }
        let mut moves = Vec::new();
        self.position(from).moves(&mut moves);
        if !moves.contains(&mv) {
            return Err(Refused::Move);
        }
        Ok(self.follow(from, mv))
    }

    /// Leaves a move out of consideration.
    ///
    /// # Errors
    /// If there is no such position, the move is not legal there, or it is the last one.
    pub fn exclude(&mut self, from: PositionId, mv: G::Move) -> Result<(), Refused> {
        let node = self.tree.nodes.get(from.index()).ok_or(Refused::NoPosition)?;
        let is_followed = node.edges.iter().any(|edge| edge.mv == mv);
        let has_others = node.edges.iter().any(|edge| !edge.excluded && edge.mv != mv)
            || node.leaf.is_some() && (is_followed || node.open > 1);
        if !has_others {
            let mut moves = Vec::new();
            self.position(from).moves(&mut moves);
            return Err(if moves.contains(&mv) { Refused::LastMove } else { Refused::Move });
        }
        self.include(from, mv)?;
        self.set_excluded(from, mv, true)
    }

    fn set_excluded(&mut self, from: PositionId, mv: G::Move, excluded: bool) -> Result<(), Refused> {
        let node = self.tree.nodes.get_mut(from.index()).ok_or(Refused::NoPosition)?;
        let others = node.edges.iter().any(|edge| !edge.excluded && edge.mv != mv) || node.leaf.is_some();
        let edge = node.edges.iter_mut().find(|edge| edge.mv == mv).ok_or(Refused::Move)?;
        if excluded && !others {
            return Err(Refused::LastMove);
        }
        edge.excluded = excluded;
        self.tree.back_up(from, &self.errors);
        self.changes.push(Change::Excluded { from, mv, excluded });
        Ok(())
    }

    /// Prefers the line to a position, or no longer: every second leaf is one of those after it. Values and
    /// chances stay as they are.
    ///
    /// # Errors
    /// If there is no such position.
    pub fn prefer(&mut self, position: PositionId, preferred: bool) -> Result<(), Refused> {
        self.tree.nodes.get(position.index()).ok_or(Refused::NoPosition)?;
        self.preferred.retain(|other| *other != position);
        self.preferred.extend(preferred.then_some(position));
        self.changes.push(Change::Preferred { position, preferred });
        Ok(())
    }

    /// Returns the changes since the last call, in order.
    pub fn changes(&mut self) -> Vec<Change<G::Move>> {
        std::mem::take(&mut self.changes)
    }

    /// Makes many changes. Values and chances are computed once, when all have been made; meanwhile they are
    /// those of before.
    ///
    /// ```
    /// use cassius_search::study::{PositionId, Study};
    /// # use cassius_search::{Game, Keyed, Outcome};
    /// # #[derive(Clone)]
    /// # struct Stones(u8);
    /// # impl Game for Stones {
    /// #     type Move = u8;
    /// #     fn moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=self.0.min(2)) }
    /// #     fn play(&mut self, taken: u8) { self.0 -= taken }
    /// #     fn outcome(&self) -> Outcome { Outcome::Loss }
    /// # }
    /// # impl Keyed for Stones {
    /// #     fn key(&self) -> u64 { cassius_search::mix(self.0.into()) }
    /// #     fn code(&self, mv: u8) -> u16 { mv.into() }
    /// # }
    /// let (mut study, root) = (Study::new(Stones(9)), PositionId::ROOT);
    /// study.include(root, 1).unwrap();
    /// study.include(root, 2).unwrap();
    /// let mut again = Study::new(Stones(9));
    /// let changes = study.changes();
    /// again.at_once(|again| changes.iter().try_for_each(|change| again.replay(change))).unwrap();
    /// assert_eq!(again.chances(root), study.chances(root));
    /// ```
    pub fn at_once<T>(&mut self, changes: impl FnOnce(&mut Self) -> T) -> T {
        self.tree.waits = true;
        let made = changes(self);
        self.tree.waits = false;
        self.tree.recompute(&self.errors);
        made
    }

    /// Makes a change that was recorded before.
    ///
    /// # Errors
    /// If it does not fit. The changes of one study always fit when they are made in order.
    pub fn replay(&mut self, change: &Change<G::Move>) -> Result<(), Refused> {
        let made = match *change {
            Change::Followed { from, mv, to } => {
                self.include(from, mv).and_then(|reached| match reached == to {
                    true => Ok(()),
                    false => Err(Refused::NoPosition),
                })
            }
            Change::Judged { leaf, judgement } => self.tell(leaf, judgement),
            Change::Preferred { position, preferred } => self.prefer(position, preferred),
            Change::Excluded { from, mv, excluded } => self.set_excluded(from, mv, excluded),
        };
        self.changes.clear();
        made
    }

    /// Returns the most probable conspiracy that gives the root at least this value for one of the sides,
    /// from that side's point of view. `None` if none can. If the root has the value already, the conspiracy
    /// has no members, unless a leaf of which nothing is known is supposed to spoil it.
    pub fn conspiracy(&self, side: Whose, value: Score) -> Option<Conspiracy<G::Move>> {
        verdict::conspiracy_to(&self.tree, &self.errors, side, value)
    }

    /// Returns the verdict at this moment. Leaves that are being judged count as what is known of them.
    pub fn verdict(&mut self) -> Verdict<G::Move> {
        self.undisturbed(|study| Verdict::of(&study.tree, &study.errors))
    }

    /// Returns the chance that another move than the one with the best value is best, as
    /// [`Verdict::doubt`] does, but without a look at more than the root.
    pub fn doubt(&mut self) -> f32 {
        self.undisturbed(|study| verdict::doubt(&study.tree, &study.errors))
    }

    /// Returns the move that would be best if these leaves had been judged to have these values, for the side
    /// to move there, and no other leaf changed: `None` if it is one of those that were not judged. Leaves
    /// that do not exist, or not any more, and proven ones are passed over.
    ///
    /// ```
    /// use cassius_search::study::{Judgement, PositionId, Study};
    /// # use cassius_search::{Game, Keyed, Outcome, Score};
    /// # #[derive(Clone)]
    /// # struct Stones(u8);
    /// # impl Game for Stones {
    /// #     type Move = u8;
    /// #     fn moves(&self, moves: &mut Vec<u8>) { moves.extend(1..=self.0.min(2)) }
    /// #     fn play(&mut self, taken: u8) { self.0 -= taken }
    /// #     fn outcome(&self) -> Outcome { Outcome::Loss }
    /// # }
    /// # impl Keyed for Stones {
    /// #     fn key(&self) -> u64 { cassius_search::mix(self.0.into()) }
    /// #     fn code(&self, mv: u8) -> u16 { mv.into() }
    /// # }
    /// let (mut study, root) = (Study::new(Stones(9)), PositionId::ROOT);
    /// let first = study.ask(1).pop().unwrap().leaf;
    /// study.tell(first, Judgement::estimate(Score(30), 1, 100_000)).unwrap();
    /// study.include(root, 1).unwrap();
    /// let other = study.ask_at(root).unwrap().leaf;
    /// study.tell(other, Judgement::estimate(Score(10), 2, 100_000)).unwrap();
    /// assert_eq!(study.best_if(&[]), Some(1));
    /// assert_eq!(study.best_if(&[(other, Score(40))]), Some(2));
    /// ```
    pub fn best_if(&mut self, judged: &[(LeafId, Score)]) -> Option<G::Move> {
        let mut before = Vec::new();
        for &(id, value) in judged {
            let node = self.tree.nodes.get_mut(id.position.index());
            let node = node.filter(|node| node.edges.len() == usize::from(id.followed));
            let Some(leaf) = node.and_then(|node| node.leaf.as_mut()) else { continue };
            if leaf.basis != Basis::Proven {
                before.push((id.position, *leaf));
                (leaf.value, leaf.basis) = (value, Basis::Judged);
                self.tree.back_up(id.position, &self.errors);
            }
        }
        let parts = growth::root_parts(&self.tree, &self.errors);
        let best = growth::best(&parts).and_then(|best| parts[best].mv);
        for (at, leaf) in before.into_iter().rev() {
            self.tree.nodes[at.index()].leaf = Some(leaf);
            self.tree.back_up(at, &self.errors);
        }
        best
    }

    /// Looks at the study as if no leaf were being judged: for the growth, such leaves count as confirmed.
    fn undisturbed<T>(&mut self, look: impl FnOnce(&Self) -> T) -> T {
        let in_work = self.in_work.clone();
        in_work.iter().for_each(|at| self.mark(*at, false));
        let seen = look(self);
        in_work.iter().for_each(|at| self.mark(*at, true));
        seen
    }

    /// Marks a leaf as being judged, or no longer.
    fn mark(&mut self, at: PositionId, in_work: bool) {
        let node = &mut self.tree.nodes[at.index()];
        node.leaf.iter_mut().for_each(|leaf| leaf.in_work = in_work);
        self.tree.back_up(at, &self.errors);
    }
}
