//! The tree of a study: positions, the moves that lead from one to another, and at each position one leaf
//! that stands for all moves not followed.

use super::chances::Greatest;
use super::{Basis, Chances, Errors};
use crate::game::Game;
use crate::score::Score;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// The number of a position in its study, from 0 for the root, in the order in which they were added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PositionId(pub u32);

impl PositionId {
    /// The root of every study.
    pub const ROOT: PositionId = PositionId(0);

    /// Returns the number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Target {
    /// To a position of the study.
    Position(PositionId),
    /// Back to a position from which this one can be reached: the moves can be repeated, which counts as a
    /// draw.
    Repetition,
}

/// A move that is followed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Edge<M> {
    /// The move.
    pub mv: M,
    /// Where it leads.
    pub to: Target,
    /// Whether it is left out.
    pub excluded: bool,
}

/// The leaf of a position: the moves that are not followed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Leaf<M> {
    /// The value for the side to move, as far as it is known.
    pub value: Score,
    /// The move that is best among them, if they were judged.
    pub best: Option<M>,
    /// How the value is known.
    pub basis: Basis,
    /// The effort of the judgement on which the value is based.
    pub effort: u64,
    /// By what the width of its error is multiplied ([`Study::with_unrest`](super::Study::with_unrest)).
    pub unrest: f32,
    /// Whether it is being judged.
    pub in_work: bool,
}

impl<M> Leaf<M> {
    /// Whether the leaf itself was judged.
    pub fn is_judged(&self) -> bool {
        matches!(self.basis, Basis::Judged | Basis::Proven)
    }

    pub(super) fn chances(&self, errors: &Errors) -> Chances {
        match self.in_work {
            true => Chances::certain(errors.scale().of(self.value)),
            false => self.chances_if_free(errors),
        }
    }

    /// Returns its chances as if it were not being judged.
    pub(super) fn chances_if_free(&self, errors: &Errors) -> Chances {
        errors.chances(self.value, self.basis, self.effort, self.unrest)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Node<M> {
    pub edges: Vec<Edge<M>>,
    /// The leaf, unless every move is followed or excluded, or the game is over.
    pub leaf: Option<Leaf<M>>,
    /// The positions from which moves lead here, in the order in which the moves were added. The first one is
    /// on the line by which the position was found.
    pub parents: Vec<PositionId>,
    /// The number of moves that are neither followed nor excluded.
    pub open: u16,
    /// The number of moves on the longest line from the root.
    pub rank: u32,
    /// Whether the side to move at the root is to move.
    pub mover: bool,
    /// Whether the game is over here.
    pub over: bool,
    /// The value by minimax of the values of leaves, for the side to move. What is only supposed does not
    /// count beside what is known.
    pub value: Score,
    /// Whether the value is known: it rests on a judgement, if only on one of the position before.
    pub known: bool,
    pub chances: Chances,
}

/// The tree: a graph without cycles, since positions are shared.
#[derive(Clone, Debug)]
pub(super) struct Tree<M> {
    pub nodes: Vec<Node<M>>,
    /// The positions by their keys, and whether the side to move at the root is to move.
    pub known: HashMap<(u64, bool), PositionId>,
    /// Whether nothing is backed up until everything is computed anew.
    pub waits: bool,
}

impl<M: Copy + PartialEq> Tree<M> {
    /// Returns a tree of a root that is a leaf.
    pub fn new<G: Game<Move = M>>(root: &G, key: u64, unrest: f32, errors: &Errors) -> Tree<M> {
        let mut tree = Tree { nodes: Vec::new(), known: HashMap::new(), waits: false };
        let (value, basis) = (Score::DRAW, Basis::Supposed);
        let leaf = Leaf { value, best: None, basis, effort: 1, unrest, in_work: false };
        tree.add(root, key, None, leaf, errors);
        tree
    }

    /// Adds a position.
    fn add<G: Game<Move = M>>(
        &mut self,
        position: &G,
        key: u64,
        parent: Option<PositionId>,
        leaf: Leaf<M>,
        errors: &Errors,
    ) -> PositionId {
        let id = PositionId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 positions"));
        let open = position.count_moves();
        let over = open == 0;
        let value = if over { position.outcome().score(0) } else { leaf.value };
        let mover = parent.is_none_or(|parent| !self.nodes[parent.index()].mover);
        let node = Node {
            edges: Vec::new(),
            leaf: (!over).then_some(leaf),
            parents: parent.into_iter().collect(),
            open: u16::try_from(open).unwrap_or(u16::MAX),
            rank: parent.map_or(0, |parent| self.nodes[parent.index()].rank + 1),
            mover,
            over,
            value,
            known: over,
            chances: Chances::certain(errors.scale().of(value)),
        };
        self.nodes.push(node);
        self.update(id, errors);
        self.known.insert((key, mover), id);
        id
    }

    /// Follows a move from a position to `child`, which may be new. `inherited` is what is known of it.
    pub fn follow<G: Game<Move = M>>(
        &mut self,
        from: PositionId,
        mv: M,
        child: &G,
        key: u64,
        inherited: Leaf<M>,
        errors: &Errors,
    ) -> Target {
        let to = match self.known.get(&(key, !self.nodes[from.index()].mover)) {
            Some(&known) if known == from || self.leads_to(known, from) => Target::Repetition,
            Some(&known) => {
                self.nodes[known.index()].parents.push(from);
                self.raise(known, self.nodes[from.index()].rank + 1);
                Target::Position(known)
            }
            None => Target::Position(self.add(child, key, Some(from), inherited, errors)),
        };
        let node = &mut self.nodes[from.index()];
        node.edges.push(Edge { mv, to, excluded: false });
        to
    }

    /// Raises the rank of a position to at least `rank`, and with it those of the positions after it.
    fn raise(&mut self, id: PositionId, rank: u32) {
        let mut waiting = vec![(id, rank)];
        while let Some((at, rank)) = waiting.pop() {
            let node = &mut self.nodes[at.index()];
            if node.rank < rank {
                node.rank = rank;
                waiting.extend(node.edges.iter().filter_map(|edge| match edge.to {
                    Target::Position(to) => Some((to, rank + 1)),
                    Target::Repetition => None,
                }));
            }
        }
    }

    /// Whether moves lead from one position to another.
    pub fn leads_to(&self, from: PositionId, to: PositionId) -> bool {
        let (mut waiting, mut seen) = (vec![to], HashSet::from([to]));
        while let Some(at) = waiting.pop() {
            for &parent in &self.nodes[at.index()].parents {
                if parent == from {
                    return true;
                }
                // What comes after a position has a higher rank.
                if self.nodes[parent.index()].rank > self.nodes[from.index()].rank && seen.insert(parent) {
                    waiting.push(parent);
                }
            }
        }
        false
    }

    /// Computes a position's value and chances from those after its moves. Returns whether they changed.
    fn update(&mut self, id: PositionId, errors: &Errors) -> bool {
        let node = &self.nodes[id.index()];
        if node.over {
            return false;
        }
        let mut greatest = Greatest::of_none();
        let (mut value, mut supposed): (Option<Score>, Option<Score>) = (None, None);
        for edge in node.edges.iter().filter(|edge| !edge.excluded) {
            match edge.to {
                Target::Position(to) => {
                    let child = &self.nodes[to.index()];
                    greatest.add_flipped(&child.chances);
                    let best = if child.known { &mut value } else { &mut supposed };
                    *best = (*best).max(Some((-child.value).at_root(1)));
                }
                Target::Repetition => {
                    greatest.add(&Chances::certain(0.0));
                    value = value.max(Some(Score::DRAW));
                }
            }
        }
        if let Some(leaf) = &node.leaf {
            greatest.add(&leaf.chances(errors));
            match leaf.basis {
                Basis::Judged | Basis::Proven => value = value.max(Some(leaf.value)),
                Basis::Inherited => value = value.or(Some(leaf.value)),
                Basis::Supposed => supposed = supposed.max(Some(leaf.value)),
            }
        }
        let known = value.is_some();
        let (value, chances) = (value.or(supposed).unwrap_or(node.value), greatest.chances());
        let node = &mut self.nodes[id.index()];
        let changed = value != node.value || known != node.known || chances != node.chances;
        (node.value, node.known, node.chances) = (value, known, chances);
        changed
    }

    /// Backs up a change at a position: updates it and all positions before it, as far as they change. Each
    /// is updated once, after all those to which its moves lead.
    pub fn back_up(&mut self, id: PositionId, errors: &Errors) {
        if self.waits {
            return;
        }
        let mut stale = BinaryHeap::from([(self.nodes[id.index()].rank, id)]);
        while let Some((rank, at)) = stale.pop() {
            while stale.peek() == Some(&(rank, at)) {
                stale.pop();
            }
            if self.update(at, errors) {
                let parents = &self.nodes[at.index()].parents;
                stale.extend(parents.iter().map(|parent| (self.nodes[parent.index()].rank, *parent)));
            }
        }
    }

    /// Returns all positions, each after those to which its moves lead.
    pub fn bottom_up(&self) -> Vec<PositionId> {
        let mut order: Vec<PositionId> = (0..self.nodes.len() as u32).map(PositionId).collect();
        order.sort_by_key(|id| std::cmp::Reverse(self.nodes[id.index()].rank));
        order
    }

    /// Computes every value and all chances anew.
    pub fn recompute(&mut self, errors: &Errors) {
        for id in self.bottom_up() {
            self.update(id, errors);
        }
    }

    /// Whether the value of a position is proven: that of a move that wins is, or that of every move.
    pub fn is_proven(&self, id: PositionId) -> bool {
        self.proven(id, &mut HashMap::new())
    }

    fn proven(&self, id: PositionId, known: &mut HashMap<PositionId, bool>) -> bool {
        if let Some(proven) = known.get(&id) {
            return *proven;
        }
        let node = &self.nodes[id.index()];
        let leaf = node.leaf.as_ref().map(|leaf| leaf.basis == Basis::Proven);
        let leaf_is_best = node.leaf.as_ref().is_some_and(|leaf| leaf.value == node.value);
        let is_won = node.value.is_decided() && node.value > Score::DRAW;
        let mut after = |edge: &Edge<M>| match edge.to {
            Target::Position(to) => self.proven(to, known),
            Target::Repetition => false,
        };
        let proven = node.over
            || match is_won {
                true => {
                    let is_best = |edge: &&Edge<M>| match edge.to {
                        Target::Position(to) if !edge.excluded => {
                            (-self.nodes[to.index()].value).at_root(1) == node.value
                        }
                        _ => false,
                    };
                    leaf_is_best && leaf == Some(true) || node.edges.iter().filter(is_best).any(&mut after)
                }
                false => leaf != Some(false) && node.edges.iter().all(|edge| !edge.excluded && after(edge)),
            };
        known.insert(id, proven);
        proven
    }

    /// Returns the moves from the root to a position, along the line by which it was found.
    pub fn line_to(&self, mut id: PositionId) -> Vec<M> {
        let mut line = Vec::new();
        while let Some(&parent) = self.nodes[id.index()].parents.first() {
            let edges = &self.nodes[parent.index()].edges;
            line.extend(edges.iter().find(|edge| edge.to == Target::Position(id)).map(|edge| edge.mv));
            id = parent;
        }
        line.reverse();
        line
    }
}
