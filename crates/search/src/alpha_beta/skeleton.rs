//! The alpha-beta skeleton.
//!
//! *Reference:* alphabeta of Marsland & Campbell 1981, §I (with the memory of the appendix), which is also
//! Fig. 6 of McAllester & Yuret 1993, "identical to the classical α-β search procedure except for the
//! termination test". It is written for the side to move, so that the paper's max and min cases are one.
//!
//! | step | the survey, §I and the appendix | ABC, Fig. 6 and 7 |
//! |---|---|---|
//! | 3 | `if depth = 0 then return evaluate(p)` | `terminate?` |
//! | 4 | `retrieve(p, …)` | |
//! | 9 | `generate(p)`; `if w = 0 then return evaluate(p)` | the options of §6, if the rule counts them |
//! | 10 | the loop over successors: `value := -alphabeta(p.i, -beta, -score, depth − 1)` | the two loops |
//! | 11 | `store(p, …)`; `return score` | `return` |
//!
//! Steps 5 to 8 and the branches of step 10 are the enhancements around it, each an empty slot unless the
//! [`Recipe`] fills it.
//!
//! *Soundness:* with nothing selective and no table the value is plain minimax's. A table may answer with
//! that of a deeper search.

use super::draws::Draws;
use super::horizon::{Horizon, Step, suffices};
use super::memory::{Found, Hit, Memory};
use super::node::{Node, NodeKind, Scout, Whole};
use super::observe::Observe;
use super::order::rank;
use super::picker::{Moves, Picked};
use super::recipe::{CountOf, Recipe, Slots};
use super::selectivity::{Reduce, ReduceNode};
use super::sharing::Sharing;
use super::steps::{Answered, Singular};
use super::windows::{Turn, Windows};
use super::worker::Worker;

use crate::depth::Depth;
use crate::game::Game;
use crate::limits::Stopped;
use crate::score::Score;
use crate::window::{Bound, Window};

impl<G: Game, R: Recipe<G>> Worker<'_, G, R> {
    /// The value of `position` for the side to move, seen through `window`. `count` is the depth counted so
    /// far; `cut` says whether the node is expected to fail high: as a rule, if its parent is not, and its
    /// window is minimal.
    pub(crate) fn search<N: NodeKind>(
        &mut self,
        position: &G,
        window: Window,
        count: CountOf<G, R>,
        ply: usize,
        cut: bool,
    ) -> Result<Score, Stopped> {
        self.count(ply)?;
        self.slots.observe.enter(position, window, ply);
        let value = self.search_node::<N>(position, window, count, ply, cut)?;
        let value = if self.slots.horizon.fails_soft() { value } else { window.clip(value) };
        self.slots.observe.leave(value, ply);
        Ok(value)
    }

    fn search_node<N: NodeKind>(
        &mut self,
        position: &G,
        entry: Window,
        mut count: CountOf<G, R>,
        ply: usize,
        cut: bool,
    ) -> Result<Score, Stopped> {
        if N::PV {
            self.pv.clear(ply);
        }
        let excluded = self.frames[ply].excluded.take();
        if !N::ROOT {
            // 1 and 2. Is the game over for this node, or even the best line from here outside the window?
            if let Some(value) = self.without_search(position, entry, ply, excluded.is_some())? {
                return Ok(value);
            }

            // 3. terminate? – is the value safe enough to stop?
            if self.may_stop(position, &mut count, entry)? {
                let value = self.quiescence::<N>(position, entry, ply)?;
                if suffices(entry, value, self.remaining(&count, entry, value)) {
                    return Ok(value);
                }
            }
        }

        // 4. Does the memory, or a table of endgames, know the value to the same depths?
        let remaining = self.slots.horizon.remaining(&count, entry);
        let remembers = excluded.is_none() && self.slots.memory.serves(remaining);
        let hit = if remembers { self.slots.memory.probe(position, ply) } else { Hit::NONE };
        let window = match self.answer::<N>(position, &hit, &count, entry, ply) {
            Answered::Value(value) => return Ok(value),
            Answered::Open(window) => window,
        };

        let mut node = self.node::<N>(position, window, &hit, remaining, ply, cut)?;
        let mut singular = Depth::ZERO;
        if !N::ROOT {
            // 5. A node for which the memory names no move is searched to less depth.
            let reduction = self.slots.selectivity.internal_reduction.reduction(&node);
            if reduction != Depth::ZERO {
                count = self.slots.horizon.lengthen(&count, -reduction);
                node.fail_high_depth -= reduction;
                node.fail_low_depth -= reduction;
            }
            if excluded.is_none() {
                // 6 and 7. Is the static value far outside the window? Does even a pass fail high?
                if !N::PV
                    && let Some(value) = self.prune::<N>(&mut node, &hit, &count)?
                {
                    return Ok(value);
                }
                // 8. Is the remembered move the only good one? Then it is searched deeper.
                match self.singular_extension::<N>(&node, &hit, &count)? {
                    Singular::By(extension) => singular = extension,
                    Singular::OthersFailHigh(value) => return Ok(value),
                }
            }
        }

        // 9. Generate the moves.
        let Some(mut moves) = self.open::<N>(&node, &hit, &count, excluded, remaining)? else {
            return Ok(position.outcome().score(ply));
        };
        let fails_soft = self.slots.horizon.fails_soft();
        let publishes = N::PV && !N::ROOT && moves.divided && remembers && fails_soft;
        let mut best = Best::new(window, fails_soft && window.alpha == entry.alpha);

        // 10. Try them in order.
        while let Some(picked) = self.next_move::<N>(&node, &mut moves, best.value) {
            if publishes
                && moves.tried > 0
                && let Some((value, mv)) = self.found_elsewhere(&node, &moves, best.window.alpha)
            {
                best.take(mv, value);
                self.pv.begin_with(ply, mv);
                if best.fails_high() {
                    self.begin_move(&mut moves, mv);
                    break;
                }
            }
            self.begin_move(&mut moves, picked.mv);
            let nodes = self.nodes();
            let value = self.try_move::<N>(&mut node, &count, &moves, &picked, singular, best.window)?;
            if N::ROOT {
                self.record(picked.mv, value, best.window, self.nodes() - nodes, moves.tried);
            }
            if best.take(picked.mv, value) {
                if N::PV {
                    self.pv.prepend(ply, picked.mv);
                }
                if best.fails_high() {
                    break;
                }
                if publishes && self.found_elsewhere(&node, &moves, value).is_none() {
                    let found = self.found(&count, entry, value, best.mv, ply);
                    self.slots.memory.store(position, ply, &Found { bound: Bound::Lower, ..found });
                }
            }
        }
        self.slots.draws.pop();
        self.slots.horizon.leave();

        // 11. Learn from the value, and remember the result with the depths it was searched to.
        let value = if window.beta < entry.beta { best.value.min(window.beta) } else { best.value };
        // Where moves were left out, no loss is proven.
        let value = if moves.pruned { value.max(-Score::MAX_ESTIMATE) } else { value };
        self.learn(&node, &moves, entry, value, best.mv);
        self.stack.close(&moves);
        if moves.tried == 0 {
            return Ok(entry.alpha); // every move but the excluded one was the only move
        }
        if excluded.is_none() {
            self.note_reply(ply, best.mv);
        }
        // A root with some of its moves left out says nothing of its position.
        if remembers && !(N::ROOT && self.is_root_restricted()) {
            let found = self.found(&count, entry, value, best.mv, ply);
            self.slots.memory.store(position, ply, &found);
        }
        Ok(value)
    }
}

impl<G: Game, R: Recipe<G>> Worker<'_, G, R> {
    /// The value of one move: with which windows, and to what depth, is it searched?
    #[inline(always)]
    fn try_move<N: NodeKind>(
        &mut self,
        node: &mut Node<'_, G>,
        count: &CountOf<G, R>,
        moves: &Moves,
        picked: &Picked<G::Move>,
        singular: Depth,
        window: Window,
    ) -> Result<Score, Stopped> {
        let Node { position, ply, cut, .. } = *node;
        let (mv, index) = (picked.mv, picked.index());
        let mut child = position.clone();
        child.play(mv);
        self.descend::<N>(position, mv, &child, ply);
        let mut step = Step { position, child: &child, mv, index, moves: moves.legal, window, ply };
        let own = match picked.rank() {
            rank::HASH_MOVE => self.slots.horizon.lengthen_own(count, singular),
            _ => *count,
        };
        if moves.divided {
            self.slots.memory.sharing().begin(position, mv);
        }

        // a. All but the first are asked only whether they beat α, late ones to less depth first.
        let remaining = moves.remaining.lower.max(moves.remaining.upper);
        let turn = Turn { tried: moves.tried - 1, moves: moves.listed, remaining };
        let scout = !N::PV || N::VARIES && R::Windows::MINIMAL && self.slots.windows.minimal_first(&turn);
        let mut value = window.alpha;
        if scout {
            step.window = if N::PV { Window::above(window.alpha) } else { window };
            if N::PV || N::ROOT {
                self.pv.clear(ply + 1); // what stands there belongs to another move
            }
            let mut full = self.slots.horizon.child(&own, &step);
            node.child_cutoffs = self.frames[ply + 1].cutoffs;
            let reduction = match moves.tried {
                1 => Depth::ZERO,
                _ => {
                    let (candidate, noisy) = self.candidate::<N>(node, moves, picked);
                    self.slots.selectivity.late_move_reduction.reduction(node, &candidate, noisy, &child)
                }
            };
            if reduction > Depth::ZERO {
                let reduced = self.slots.horizon.lengthen(&full, -reduction);
                value = -self.search::<Scout>(&child, step.window.flip(), reduced, ply + 1, true)?;
                full = self.again(&full, reduction, value, window.alpha);
            }
            if reduction <= Depth::ZERO || value > window.alpha {
                value = -self.search::<Scout>(&child, step.window.flip(), full, ply + 1, !cut)?;
            }
        }
        // b. The first, and any that beats α of an open window, gets the whole window.
        if N::PV && !scout {
            let full = self.slots.horizon.child(&own, &step);
            value = -self.search::<N::First>(&child, window.flip(), full, ply + 1, false)?;
        } else if N::PV && window.contains(value) {
            step.window = self.slots.windows.again(window, value);
            let full = self.slots.horizon.child(&own, &step);
            let again = step.window.flip();
            value = -if R::Windows::PLAIN && self.slots.windows.is_plain() {
                self.search::<Whole>(&child, again, full, ply + 1, false)?
            } else {
                self.search::<N::First>(&child, again, full, ply + 1, false)?
            };
        }
        // c. Was it the only good one? Then it has to be good to more depth too.
        if Slots::<G, R>::VERIFIES && !N::ROOT && moves.excluded.is_none() && value > window.alpha {
            step.window = window;
            value = self.verify::<N>(node, count, &own, moves, &step, value)?;
        }
        if moves.divided {
            self.slots.memory.sharing().end(position, mv);
        }
        Ok(value)
    }
}

/// The best move of a node so far.
struct Best<M> {
    /// The window as the moves so far leave it.
    window: Window,
    value: Score,
    mv: Option<M>,
}

impl<M> Best<M> {
    /// Fail-soft values may lie below α; what the memory has shown to be reached is reached, whatever the
    /// moves show.
    #[inline]
    fn new(window: Window, below_alpha: bool) -> Self {
        Best { window, value: if below_alpha { -Score::INFINITE } else { window.alpha }, mv: None }
    }

    /// Whether this move has raised α.
    #[inline]
    fn take(&mut self, mv: M, value: Score) -> bool {
        self.value = self.value.max(value);
        let raises = value > self.window.alpha;
        if raises {
            self.window.alpha = value;
            self.mv = Some(mv);
        }
        raises
    }

    #[inline]
    fn fails_high(&self) -> bool {
        self.value >= self.window.beta
    }
}
