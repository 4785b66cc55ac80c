//! The move picker: which move of a node comes next.
//!
//! The order of the moves, what is left out, what is deferred because another thread searches it, and what
//! is prefetched are decided here. The moves of all nodes on the line stand on one stack: no allocation per
//! node, no limit on their number.

use super::draws::Draws;
use super::memory::{Hit, Memory};
use super::node::{Candidate, Node, NodeKind};
use super::order::{Order, rank};
use super::recipe::{CountOf, Recipe};
use super::selectivity::Skipped;
use super::sharing::Sharing;
use super::worker::Worker;
use crate::depth::{Depth, Depths};
use crate::game::Game;
use crate::limits::Stopped;
use crate::score::Score;
use std::num::NonZeroU64;

/// The moves of a node, and how far the search of them has come.
pub(crate) struct Moves {
    /// Where they begin on the stack.
    pub first: usize,
    /// How many there are.
    pub listed: usize,
    /// How many the game has, left out or not.
    pub legal: usize,
    /// Whether some that might not lose were left out before any was tried.
    pub pruned: bool,
    /// How many were tried, the one being searched included.
    pub tried: usize,
    /// Where those begin on their stack.
    first_tried: usize,
    /// How many are deferred.
    deferred: usize,
    /// The remaining depths with which the node was entered.
    pub remaining: Depths,
    /// Code of a move that is left out.
    pub excluded: Option<u16>,
    /// Whether the node is divided among threads.
    pub divided: bool,
    /// The place of the hash move. It is tried before the others are even ranked: it may suffice.
    hash_move: Option<usize>,
    stage: Stage,
    /// The next move, if its table bucket was prefetched already.
    prefetched: Option<NonZeroU64>,
    prefetches: bool,
    reorders: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    HashMove,
    Rank,
    Ranked,
}

impl<G: Game, R: Recipe<G>> Worker<'_, G, R> {
    /// Lists the moves of a node and tells the depth rule of them. `None` if there are none.
    #[inline(always)]
    pub(super) fn open<N: NodeKind>(
        &mut self,
        node: &Node<'_, G>,
        hit: &Hit,
        count: &CountOf<G, R>,
        excluded: Option<u16>,
        remaining: Depths,
    ) -> Result<Option<Moves>, Stopped> {
        let position = node.position;
        let first = self.list::<N>(position);
        let legal = if N::ROOT { position.count_moves() } else { self.stack.moves.len() - first };
        let pruned = !N::ROOT && self.select(node, first)?;
        let listed = self.stack.moves.len() - first;
        if listed == 0 {
            return Ok(None);
        }
        self.count_options(node, count, first)?;
        self.slots.draws.push(position);
        let reorders = R::Order::REORDERS && self.slots.order.reorders();
        if reorders {
            self.slots.order.enter(node.ply);
        }
        let hash_move = match N::ROOT {
            true => None,
            false => self.hash_move(position, hit, first).or_else(|| self.known_reply(node.ply, first)),
        };
        let deepest = remaining.lower.max(remaining.upper);
        let below = (deepest - Depth::PLY).max(Depth::ZERO);
        Ok(Some(Moves {
            first,
            listed,
            legal,
            pruned,
            tried: 0,
            first_tried: self.stack.tried.len(),
            deferred: 0,
            remaining,
            excluded,
            divided: self.slots.memory.sharing().divides(deepest),
            hash_move,
            stage: if hash_move.is_some() { Stage::HashMove } else { Stage::Rank },
            prefetched: None,
            prefetches: self.slots.memory.serves(Depths::both(below)),
            reorders,
        }))
    }

    /// The move that is tried next, `best` being the value of the node so far.
    #[inline(always)]
    pub(super) fn next_move<N: NodeKind>(
        &mut self,
        node: &Node<'_, G>,
        moves: &mut Moves,
        best: Score,
    ) -> Option<Picked<G::Move>> {
        let position = node.position;
        loop {
            let prefetched = moves.prefetched.take();
            let picked = self.pick::<N>(node, moves, prefetched)?;
            let mv = picked.mv;
            if moves.excluded.is_some_and(|code| self.slots.memory.names(code, position, mv)) {
                continue;
            }
            moves.deferred -= usize::from(picked.is_deferred());
            let later = moves.tried > 0 && !picked.is_deferred();

            // Moves that come late, or promise little, are left out.
            let is_lost = best.is_decided() && best < Score::DRAW; // also by what tables know
            if !N::ROOT && later && !is_lost {
                let candidate = Candidate { mv, tried: moves.tried + moves.deferred, rank: picked.rank() };
                match self.slots.selectivity.skip(node, &candidate, picked.is_noisy()) {
                    Skipped::No => {}
                    Skipped::This => continue,
                    Skipped::Quiet => {
                        self.stack.drop_quiet(moves.first, &picked);
                        continue;
                    }
                }
            }

            // What another thread searches now is deferred: soon the memory may know its value.
            if moves.divided && later && self.slots.memory.sharing().is_searched(position, mv) {
                self.stack.defer(moves.first, &picked);
                moves.deferred += 1;
                continue;
            }

            if moves.prefetches {
                let likely = !node.cut || moves.tried > 0;
                let next = self.prefetch_next(position, mv, moves.first, prefetched.is_none(), likely);
                moves.prefetched = next.map(|next| next.key);
            }
            return Some(picked);
        }
    }

    /// Takes the next move from the stack.
    #[inline(always)]
    fn pick<N: NodeKind>(
        &mut self,
        node: &Node<'_, G>,
        moves: &mut Moves,
        prefetched: Option<NonZeroU64>,
    ) -> Option<Picked<G::Move>> {
        let first = moves.first;
        if moves.stage == Stage::HashMove {
            moves.stage = Stage::Rank;
            return moves.hash_move.and_then(|index| self.stack.at(first, index, rank::HASH_MOVE));
        }
        if moves.stage == Stage::Rank {
            self.rank::<N>(node, first);
            moves.hash_move.inspect(|&index| self.stack.take(first, index));
            moves.stage = Stage::Ranked;
        }
        let free = if moves.deferred > 0 { self.no_longer_searched(node.position, first) } else { None };
        let forward = if moves.reorders { self.comes_next(node, first) } else { None };
        let prefetched = prefetched.and_then(|key| self.stack.picked(first, key.get()));
        let picked = free.or(forward).or(prefetched).or_else(|| self.stack.peek(first))?;
        self.stack.take(first, picked.index());
        Some(picked)
    }

    /// Prefetches the table bucket of the position after `mv`, if that `is_new`, and, if the move after it is
    /// `likely` to be searched too, of the position after that one. Returns that next move.
    #[inline]
    pub(super) fn prefetch_next(
        &self,
        position: &G,
        mv: G::Move,
        first: usize,
        is_new: bool,
        likely: bool,
    ) -> Option<Picked<G::Move>> {
        if is_new {
            self.slots.memory.prefetch(position, mv);
        }
        let next = if likely { self.stack.peek(first) } else { None };
        if let Some(next) = next {
            self.slots.memory.prefetch(position, next.mv);
        }
        next
    }

    /// The move being searched as components see it, and whether it is noisy. The root's moves come in the
    /// order of the last iteration, so that their ranks are found here.
    #[inline(always)]
    pub(super) fn candidate<N: NodeKind>(
        &self,
        node: &Node<'_, G>,
        moves: &Moves,
        picked: &Picked<G::Move>,
    ) -> (Candidate<G::Move>, bool) {
        let (mv, order) = (picked.mv, &self.slots.order);
        let rank = match N::ROOT {
            true => order.rank(node, mv, order.facts(node.position, mv)),
            false => picked.rank(),
        };
        (Candidate { mv, tried: moves.tried - 1 + moves.deferred, rank }, rank::is_noisy(rank))
    }

    /// This move is searched now.
    #[inline]
    pub(super) fn begin_move(&mut self, moves: &mut Moves, mv: G::Move) {
        self.stack.tried.push(mv);
        moves.tried += 1;
    }

    /// Ranks the moves of the list that begins at `first`.
    #[inline]
    fn rank<N: NodeKind>(&mut self, node: &Node<'_, G>, first: usize) {
        let order = &self.slots.order;
        self.stack.rank(first, |mv| match N::ROOT {
            true => 0, // the root's moves come in order
            false => order.rank(node, mv, order.facts(node.position, mv)),
        });
    }

    /// The untried move, in the ranked list that begins at `first`, that the order wants next whatever its
    /// rank.
    fn comes_next(&self, node: &Node<'_, G>, first: usize) -> Option<Picked<G::Move>> {
        let order = &self.slots.order;
        self.stack
            .in_turn(first)
            .find(|&Picked { mv, .. }| order.comes_next(node, mv, order.facts(node.position, mv)))
    }

    /// A deferred move that no other thread searches any more.
    fn no_longer_searched(&self, position: &G, first: usize) -> Option<Picked<G::Move>> {
        let sharing = self.slots.memory.sharing();
        self.stack.deferred(first).find(|picked| !sharing.is_searched(position, picked.mv))
    }
}

/// The moves of every node on the line, in the order in which the game lists them, each with a key: whether
/// it was deferred, its rank, its place. Picking the best is one maximum over the keys of a node.
pub(crate) struct MoveStack<M> {
    /// The moves.
    pub moves: Vec<M>,
    keys: Vec<u64>,
    /// The moves already tried, of every node on the line.
    pub tried: Vec<M>,
}

/// A move picked from the stack.
#[derive(Clone, Copy)]
pub(crate) struct Picked<M> {
    pub mv: M,
    /// Its key, so that even an optional one travels in two registers.
    key: NonZeroU64,
}

impl<M> Picked<M> {
    pub fn rank(&self) -> i32 {
        rank_of(self.key.get())
    }

    #[inline]
    pub fn is_noisy(&self) -> bool {
        rank::is_noisy(self.rank())
    }

    /// Its place in the game's own list.
    pub fn index(&self) -> usize {
        (!self.key.get() & INDEX) as usize
    }

    /// Whether it was deferred before.
    pub fn is_deferred(&self) -> bool {
        self.key.get() & IN_TURN == 0
    }
}

/// The key of a move that has been picked or dropped.
const TAKEN: u64 = 0;
/// Set in the key of a move that was not deferred.
const IN_TURN: u64 = 1 << 63;
const INDEX: u64 = (1 << 31) - 1;

/// Greater for a greater rank; for equal ranks, for the move listed first. Never [`TAKEN`]. Without
/// [`IN_TURN`], less than that of any move in turn.
#[inline]
fn key(rank: i32, index: usize) -> u64 {
    IN_TURN | u64::from(rank as u32 ^ 1 << 31) << 31 | (!(index as u64) & INDEX)
}

#[inline]
fn rank_of(key: u64) -> i32 {
    ((key >> 31) as u32 ^ 1 << 31) as i32
}

impl<M: Copy> MoveStack<M> {
    pub fn new() -> Self {
        MoveStack {
            moves: Vec::with_capacity(4096),
            keys: Vec::with_capacity(4096),
            tried: Vec::with_capacity(4096),
        }
    }

    pub fn clear(&mut self) {
        self.truncate(0);
        self.tried.clear();
    }

    /// Gives every move listed from `first` on a rank.
    #[inline]
    pub fn rank(&mut self, first: usize, mut rank: impl FnMut(M) -> i32) {
        self.keys.resize(first, TAKEN); // a list below may not be ranked yet
        let keys = self.moves[first..].iter().enumerate().map(|(index, &mv)| key(rank(mv), index));
        self.keys.extend(keys);
    }

    /// Takes the move at this place of the list that begins at `first`, once it is ranked.
    #[inline]
    pub fn take(&mut self, first: usize, index: usize) {
        self.keys[first + index] = TAKEN;
    }

    /// Takes the best move of the list that begins at `first`, until none is left.
    #[inline]
    pub fn pick(&mut self, first: usize) -> Option<Picked<M>> {
        let picked = self.peek(first)?;
        self.take(first, picked.index());
        Some(picked)
    }

    /// The move that would be picked next, if the list that begins at `first` is ranked and has one.
    #[inline]
    pub fn peek(&self, first: usize) -> Option<Picked<M>> {
        let best = self.keys.get(first..)?.iter().copied().fold(TAKEN, u64::max);
        self.picked(first, best)
    }

    /// The move of this rank at this place of the list that begins at `first`, which need not be ranked yet.
    #[inline]
    pub fn at(&self, first: usize, index: usize, rank: i32) -> Option<Picked<M>> {
        self.picked(first, key(rank, index))
    }

    /// The move with this key in the list that begins at `first`, unless it is [`TAKEN`].
    #[inline]
    fn picked(&self, first: usize, key: u64) -> Option<Picked<M>> {
        let key = NonZeroU64::new(key)?;
        Some(Picked { mv: self.moves[first + (!key.get() & INDEX) as usize], key })
    }

    /// Puts a move that was picked behind all others of the list that begins at `first`.
    #[inline]
    fn defer(&mut self, first: usize, picked: &Picked<M>) {
        self.keys[first + picked.index()] = picked.key.get() & !IN_TURN;
    }

    /// The moves of the list that begins at `first` that were deferred, and not picked since.
    fn deferred(&self, first: usize) -> impl Iterator<Item = Picked<M>> {
        let keys = self.keys[first..].iter().filter(|&&key| key & IN_TURN == 0);
        keys.filter_map(move |&key| self.picked(first, key))
    }

    /// The moves of the ranked list that begins at `first` that were neither picked nor deferred.
    fn in_turn(&self, first: usize) -> impl Iterator<Item = Picked<M>> {
        let keys = self.keys[first..].iter().filter(|&&key| key & IN_TURN != 0);
        keys.filter_map(move |&key| self.picked(first, key))
    }

    /// Drops the quiet moves of the list that begins at `first` that rank below `picked`, but for deferred
    /// ones.
    #[inline]
    pub fn drop_quiet(&mut self, first: usize, picked: &Picked<M>) {
        let picked = picked.key.get();
        for key in &mut self.keys[first..] {
            let drops = (*key & IN_TURN != 0) & (*key < picked) & !rank::is_noisy(rank_of(*key));
            *key = if drops { TAKEN } else { *key }; // no branch: captures stand anywhere among the others
        }
    }

    /// The moves of a node that have been tried.
    #[inline]
    pub fn tried(&self, moves: &Moves) -> &[M] {
        &self.tried[moves.first_tried..]
    }

    /// Those but the last.
    #[inline]
    pub fn tried_before(&self, moves: &Moves) -> &[M] {
        &self.tried[moves.first_tried..moves.first_tried + moves.tried - 1]
    }

    /// Forgets the moves of a node.
    #[inline]
    pub fn close(&mut self, moves: &Moves) {
        self.truncate(moves.first);
        self.tried.truncate(moves.first_tried);
    }

    /// Forgets the list that begins at `first`, and those after it.
    #[inline]
    pub fn truncate(&mut self, first: usize) {
        self.moves.truncate(first);
        self.keys.truncate(first);
    }
}
