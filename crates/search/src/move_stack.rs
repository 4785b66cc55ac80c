//! The moves of every node on the line, on one stack: no allocation per node, no limit on their number.

use crate::slot::rank;
use std::num::NonZeroU64;

/// Moves in the order in which the game lists them, each with a key: in turn or put off, rank, place.
/// Picking the best is one maximum over the keys of a node.
pub(crate) struct MoveStack<M> {
    /// The moves.
    pub moves: Vec<M>,
    keys: Vec<u64>,
    /// The moves already searched, of every node on the line.
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

    /// Its place in the game's own list.
    pub fn index(&self) -> usize {
        (!self.key.get() & INDEX) as usize
    }

    /// Whether it was put off before.
    pub fn put_off(&self) -> bool {
        self.key.get() & IN_TURN == 0
    }
}

/// The key of a move that has been picked or dropped.
const TAKEN: u64 = 0;
/// Set in the key of a move that was not put off.
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
        self.close(0);
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
    pub fn put_off(&mut self, first: usize, picked: &Picked<M>) {
        self.keys[first + picked.index()] = picked.key.get() & !IN_TURN;
    }

    /// The moves of the list that begins at `first` that were put off, and not picked since.
    pub fn waiting(&self, first: usize) -> impl Iterator<Item = Picked<M>> {
        let keys = self.keys[first..].iter().filter(|&&key| key & IN_TURN == 0);
        keys.filter_map(move |&key| self.picked(first, key))
    }

    /// The moves of the ranked list that begins at `first` that were neither picked nor put off.
    pub fn in_turn(&self, first: usize) -> impl Iterator<Item = Picked<M>> {
        let keys = self.keys[first..].iter().filter(|&&key| key & IN_TURN != 0);
        keys.filter_map(move |&key| self.picked(first, key))
    }

    /// Takes all quiet moves of the list that begins at `first`, but for those that were put off.
    #[inline]
    pub fn drop_quiet(&mut self, first: usize) {
        for key in &mut self.keys[first..] {
            let drops = (*key & IN_TURN != 0) & !rank::is_noisy(rank_of(*key));
            *key = if drops { TAKEN } else { *key }; // no branch: captures stand anywhere among the others
        }
    }

    /// Forgets the list that begins at `first`, and those after it.
    #[inline]
    pub fn close(&mut self, first: usize) {
        self.moves.truncate(first);
        self.keys.truncate(first);
    }
}
