//! The alpha-beta skeleton.
//!
//! *Reference:* the procedure is alphabeta of Marsland & Campbell 1981, §I (and
//! the appendix, for the memory), which is also Fig. 6 of McAllester & Yuret
//! 1993, "identical to the classical procedure except for the termination
//! test". It is written for the side to move, so that the paper's max and min
//! cases are one. Step 3 is that test; steps 5 to 8 and the branches of step 9 are
//! the enhancements around it, each an empty slot unless the [`Recipe`] fills it.
//!
//! *Soundness:* with steps 5 to 8, skipping and reduction off, the value is plain minimax's.

use crate::horizon::{Step, suffices};
use crate::slot::{Found, Skipped, rank};
use crate::worker::{MAX_PLY, Worker};
use crate::{
    Bound, Candidate, Deepen, Depth, Depths, Draws, Extend, Game, Hit, Horizon, Knowledge, Memory, Node,
    Observe, Order, Passing, Prune, Quiescence, Recipe, Reduce, ReduceNode, Score, Singularity, Stopped,
    Turn, Window, Windows,
};

/// What a node may be, known at compile time. Whether a node with a minimal window is expected to fail high
/// (Knuth and Moore's type 2) or low (type 3) is told at run time: one piece of machine code serves both and
/// stays in the processor's nearest cache, where two would drive each other out.
pub trait NodeKind {
    /// The root: its moves are the ones that the caller allows.
    const ROOT: bool = false;
    /// The window is open: the node may lie on the principal variation (type 1).
    const PV: bool = false;
    /// Whether moves may be searched with other windows than the node's ([`Windows`]).
    const VARIES: bool = true;
    /// The kind of the first child, and of the node itself once it is past the horizon.
    type First: NodeKind;
}

/// The root of the search.
pub enum Root {}
/// On the principal variation.
pub enum Pv {}
/// Asked only whether it beats a bound.
pub enum Scout {}
/// The root, asked only whether it beats a bound.
pub enum RootScout {}
/// The window is open, and every move is searched with the whole of it: plain alpha-beta from here on.
pub enum Whole {}

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type First = Pv;
}
impl NodeKind for Pv {
    const PV: bool = true;
    type First = Pv;
}
impl NodeKind for Scout {
    type First = Scout;
}
impl NodeKind for RootScout {
    const ROOT: bool = true;
    type First = Scout;
}
impl NodeKind for Whole {
    const PV: bool = true;
    const VARIES: bool = false;
    type First = Whole;
}

/// What a line of the recipe's depth rule carries.
type Line<G, R> = <<R as Recipe<G>>::Horizon as Horizon<G>>::Line;

impl<G: Game, R: Recipe<G>> Worker<'_, G, R> {
    /// The value of `position` for the side to move, seen through `window`; `line` says how much
    /// depth is left, and `cut` whether the node is expected to fail high: as a rule, just those nodes are
    /// whose parent is not, and none whose window is open.
    pub(crate) fn search<N: NodeKind>(
        &mut self,
        position: &G,
        window: Window,
        line: Line<G, R>,
        ply: usize,
        cut: bool,
    ) -> Result<Score, Stopped> {
        self.count(ply)?;
        self.slots.observe.enter(position, window, ply);
        let value = self.expand::<N>(position, window, line, ply, cut)?;
        let value = if self.slots.horizon.fails_soft() { value } else { window.clip(value) };
        self.slots.observe.leave(value, ply);
        Ok(value)
    }

    fn expand<N: NodeKind>(
        &mut self,
        position: &G,
        mut window: Window,
        mut line: Line<G, R>,
        ply: usize,
        cut: bool,
    ) -> Result<Score, Stopped> {
        if N::PV {
            self.pv.clear(ply);
        }
        let excluded = std::mem::take(&mut self.frames[ply].excluded);

        // 1. Draws that need no search, and the longest line that is followed.
        if !N::ROOT {
            if self.slots.draws.is_draw(position, ply) {
                return Ok(Score::DRAW);
            }
            if ply >= MAX_PLY {
                self.cut_off += 1;
                return self.evaluate(position);
            }
        }

        // 2. No line from here can be better than winning, or worse than losing, at once.
        if !N::ROOT {
            let (worst, best) = (Score::loss_in(ply), Score::win_in(ply));
            if window.alpha >= best || window.beta <= worst {
                return Ok(if window.alpha >= best { best } else { worst });
            }
        }

        // 3. terminate? – is the value safe enough to stop?
        if !N::ROOT && self.may_stop(position, &mut line, window)? {
            let quiescence = self.slots.quiescence.clone();
            let value = quiescence.value::<R, N::First>(self, position, window, ply)?;
            if suffices(window, value, self.owed(&line, window, value)) {
                return Ok(value);
            }
        }

        // 4. Does the memory, or a table of endgames, know the value to the same depths?
        let owed = self.slots.horizon.owed(&line, window);
        let shares = self.slots.memory.shares(owed);
        let remembers = excluded.is_none() && self.slots.memory.serves(owed);
        let hit = if remembers { self.slots.memory.probe(position, ply) } else { Hit::NONE };
        if !N::ROOT
            && (!N::PV || self.slots.memory.answers_pv())
            && let Some(value) = hit.answer(window, |value| self.owed(&line, window, value))
        {
            return Ok(value);
        }
        if !N::ROOT
            && let Some((value, bound)) = self.slots.knowledge.probe(position, ply)
            && (bound == Bound::Exact || bound == window.bound(value))
        {
            return Ok(value);
        }
        let entry = window;
        if !N::ROOT && N::PV && self.slots.memory.narrows() {
            window = hit.narrow(entry, |value| self.owed(&line, entry, value));
            if window.alpha >= window.beta {
                return Ok(if window.alpha > entry.alpha { window.alpha } else { window.beta });
            }
        }

        // What the slots below are told of the node.
        let standing = self.standing(position, &hit, ply)?;
        self.frames[ply + 1].cutoffs = 0;
        let mut node = Node {
            position,
            window,
            ply,
            pv: N::PV,
            cut,
            high: owed.lower,
            low: owed.upper,
            standing,
            improving: self.is_improving(ply),
            remembered: hit.mv != 0,
            previous: self.previous(ply),
            child_cutoffs: 0,
            pass_failed: false,
        };

        // 5. A node for which the memory names no move is searched to less depth.
        if !N::ROOT {
            let reduction = self.slots.internal_reduction.reduction(&node);
            if reduction != Depth::ZERO {
                line = self.slots.horizon.lengthen(&line, -reduction);
                node.high -= reduction;
                node.low -= reduction;
            }
        }

        // 6. Is the static value so far outside the window that the node need not be searched?
        if !N::PV && !N::ROOT && excluded.is_none() {
            if let Some(value) = self.slots.reverse_futility.prune(&node) {
                return Ok(value);
            }
            if self.slots.razoring.prune(&node).is_some() {
                let quiescence = self.slots.quiescence.clone();
                let value = quiescence.value::<R, N::First>(self, position, window, ply)?;
                if value <= window.alpha {
                    return Ok(value);
                }
            }

            // 7. Does even a pass fail high?
            if !self.frames[ply].passed
                && let Some((child, reduction)) = self.slots.null_move.pass(&node)
            {
                let child_line = self.slots.horizon.lengthen(&self.slots.horizon.pass(&line), -reduction);
                self.descend_by_pass(position, &child, ply);
                let refuted = -self.search::<Scout>(&child, window.flip(), child_line, ply + 1, !cut)?;
                self.slots.draws.pop();
                if refuted >= window.beta {
                    return Ok(if refuted.is_decided() { window.beta } else { refuted });
                }
                node.pass_failed = true;
            }
        }

        // 8. Is the remembered move the only good one? Then it is searched deeper. If others fail high
        //    too, the node does.
        let mut singular = Depth::ZERO;
        if !N::ROOT
            && excluded.is_none()
            && let Some(test) = self.slots.extend.test(&node, &hit)
        {
            self.frames[ply].excluded = Some(hit.mv);
            let shallower = self.slots.horizon.lengthen(&line, -test.reduction);
            let others =
                self.search::<Scout>(position, Window::above(test.target - Score(1)), shallower, ply, true)?;
            if others < test.target {
                let double = !N::PV && others < test.target - test.double_margin;
                singular = if double { test.extension + test.extension } else { test.extension };
            } else if test.target >= window.beta && !N::PV {
                return Ok(if others.is_decided() { window.beta } else { others });
            }
        }

        // 9. Generate the moves, leave out those that do not look good enough, and try the others in order.
        let first = self.list::<N>(position);
        let legal = if N::ROOT { position.count_moves() } else { self.stack.moves.len() - first };
        if !N::ROOT {
            self.select(&node, first)?;
        }
        let moves = self.stack.moves.len() - first;
        if moves == 0 {
            return Ok(position.outcome().score(ply));
        }
        self.widen(&node, &line, first)?;
        self.slots.draws.push(position);
        let reorders = R::Order::REORDERS && self.slots.order.reorders();
        if reorders {
            self.slots.order.expand(ply);
        }

        let ceiling = window.beta;
        let fails_soft = self.slots.horizon.fails_soft();
        // What the memory has shown to be reached is reached, whatever the moves show.
        let mut best =
            if fails_soft && window.alpha == entry.alpha { -Score::INFINITE } else { window.alpha };
        let mut best_move = None;
        let mut tried = 0;
        let mut waiting = 0;
        // The remembered move is tried before the others are even ranked: it may suffice.
        let remembered = if N::ROOT {
            None
        } else {
            self.remembered(position, &hit, first).or_else(|| self.known_reply(ply, first))
        };
        let mut untried = remembered;
        let mut is_ranked = false;
        let mut next = None;
        let first_tried = self.stack.tried.len();
        let below = (owed.lower.max(owed.upper) - Depth::PLY).max(Depth::ZERO);
        let publishes = N::PV && !N::ROOT && shares && remembers && fails_soft;
        let looks_ahead = self.slots.memory.serves(Depths::both(below));
        loop {
            let foreseen = next.take();
            let picked = match untried.take() {
                Some(index) => self.stack.at(first, index, rank::REMEMBERED),
                None => {
                    if !is_ranked {
                        self.rank::<N>(&node, first);
                        remembered.inspect(|&index| self.stack.take(first, index));
                        is_ranked = true;
                    }
                    let done = if waiting > 0 { self.done_elsewhere(position, first) } else { None };
                    let next = if reorders { self.comes_next(&node, first) } else { None };
                    let picked = done.or(next).or(foreseen).or_else(|| self.stack.peek(first));
                    picked.inspect(|picked| self.stack.take(first, picked.index()))
                }
            };
            let Some(picked) = picked else { break };
            let (mv, rank, put_off) = (picked.mv, picked.rank(), picked.put_off());
            if excluded.is_some_and(|code| self.slots.memory.names(code, position, mv)) {
                continue;
            }
            waiting -= usize::from(put_off);
            let candidate = Candidate { mv, tried: tried + waiting, rank };
            let noisy = rank::is_noisy(rank);

            // a. Moves that come late, or promise little, are left out.
            if !N::ROOT && tried > 0 && !put_off && !best.is_loss() {
                match self.skips(&node, &candidate, noisy) {
                    Skipped::No => {}
                    Skipped::This => continue,
                    Skipped::Quiet => {
                        self.stack.drop_quiet(first);
                        continue;
                    }
                }
            }

            // b. What another worker searches now is put off: soon the memory may know its value. What it
            //    has found counts.
            if shares && tried > 0 {
                if !put_off && self.slots.memory.is_busy(position, mv) {
                    self.stack.put_off(first, &picked);
                    waiting += 1;
                    continue;
                }
                if publishes
                    && let Some((value, mv)) =
                        self.found_elsewhere(position, node.high, window.alpha, first, first_tried, ply)
                {
                    (best, best_move, window.alpha) = (value, Some(mv), value);
                    self.pv.clear(ply + 1);
                    self.pv.prepend(ply, mv);
                    if value >= window.beta {
                        self.stack.tried.push(mv);
                        tried += 1;
                        break;
                    }
                }
            }

            if looks_ahead {
                let likely = !cut || tried > 0;
                next = self.look_ahead(position, mv, first, foreseen.is_none(), likely);
            }
            self.stack.tried.push(mv);
            if N::ROOT && R::Deepening::PAIRS {
                self.recall_reply(mv);
            }
            let mut child = position.clone();
            child.play(mv);
            self.descend(position, mv, &child, ply);
            let nodes = self.nodes();
            let mut step =
                Step { position, child: &child, mv, index: picked.index(), moves: legal, window, ply };
            let lengthened = match rank {
                rank::REMEMBERED => self.slots.horizon.lengthen_own(&line, singular),
                _ => line,
            };
            let mut value = best;
            if shares {
                self.slots.memory.begin(position, mv);
            }

            // c. The others are asked only whether they beat α, late ones to less depth first.
            let turn = Turn { tried, moves, owed: owed.lower.max(owed.upper) };
            let scout = !N::PV || N::VARIES && R::Windows::MINIMAL && self.slots.windows.asks(&turn);
            if scout {
                step.window = if N::PV { Window::above(window.alpha) } else { window };
                if N::PV || N::ROOT {
                    self.pv.clear(ply + 1); // what stands there belongs to another move
                }
                let full = self.slots.horizon.child(&lengthened, &step);
                node.child_cutoffs = self.frames[ply + 1].cutoffs;
                let reduction = if tried == 0 {
                    Depth::ZERO
                } else {
                    self.slots.late_move_reduction.reduction(&node, &candidate, noisy, &child)
                };
                if reduction > Depth::ZERO {
                    let reduced = self.slots.horizon.lengthen(&full, -reduction);
                    value = -self.search::<Scout>(&child, step.window.flip(), reduced, ply + 1, true)?;
                }
                if reduction <= Depth::ZERO || value > window.alpha {
                    value = -self.search::<Scout>(&child, step.window.flip(), full, ply + 1, !cut)?;
                }
            }
            // d. The first, and any that beats α of an open window, gets the whole window.
            if N::PV && !scout {
                let full = self.slots.horizon.child(&lengthened, &step);
                value = -self.search::<N::First>(&child, window.flip(), full, ply + 1, false)?;
            } else if N::PV && window.contains(value) {
                step.window = self.slots.windows.again(window, value);
                let full = self.slots.horizon.child(&lengthened, &step);
                let again = step.window.flip();
                value = -if R::Windows::PLAIN && self.slots.windows.is_plain() {
                    self.search::<Whole>(&child, again, full, ply + 1, false)?
                } else {
                    self.search::<N::First>(&child, again, full, ply + 1, false)?
                };
            }
            // e. Was it the only good one? Then it has to be good to more depth too.
            if R::Extend::VERIFIES
                && !N::ROOT
                && excluded.is_none()
                && value > window.alpha
                && let Some(test) = self.slots.extend.verify(&Node { window, ..node }, value)
                && self.others_stay_below(&test, &line, first, &step)?
            {
                self.descend(position, mv, &child, ply);
                step.window = window;
                let longer = self.slots.horizon.lengthen_own(&lengthened, test.extension);
                let full = self.slots.horizon.child(&longer, &step);
                value = -self.search::<N::First>(&child, window.flip(), full, ply + 1, !N::PV && !cut)?;
            }
            if shares {
                self.slots.memory.end(position, mv);
            }
            tried += 1;

            if N::ROOT {
                self.record(mv, value, window, self.nodes() - nodes, tried);
            }
            if value > best {
                best = value;
                if value > window.alpha {
                    best_move = Some(mv);
                    window.alpha = value;
                    if N::PV {
                        self.pv.prepend(ply, mv);
                    }
                    if value >= window.beta {
                        break;
                    }
                    if publishes
                        && self.found_elsewhere(position, node.high, value, first, first_tried, ply).is_none()
                    {
                        let found = self.found(&line, entry, value, best_move, ply);
                        self.slots.memory.store(position, ply, &Found { bound: Bound::Lower, ..found });
                    }
                }
            }
        }
        self.slots.draws.pop();
        self.slots.horizon.retract();

        // 10. Learn from a cutoff, and remember the result with the depths it was searched to. Nor is more
        // reached than the memory has shown.
        if ceiling < entry.beta {
            best = best.min(ceiling);
        }
        if best >= entry.beta
            && let Some(mv) = best_move
        {
            self.frames[ply].cutoffs += 1;
            self.slots.order.reward(&node, mv, &self.stack.tried[first_tried..first_tried + tried - 1]);
        }
        self.stack.close(first);
        self.stack.tried.truncate(first_tried);
        if tried == 0 {
            return Ok(entry.alpha); // every move but the excluded one was the only move
        }
        if excluded.is_none() {
            self.note_reply(ply, best_move);
        }
        // A root with some of its moves left out says nothing of its position.
        if remembers && !(N::ROOT && self.is_root_restricted()) {
            let found = self.found(&line, entry, best, best_move, ply);
            self.slots.memory.store(position, ply, &found);
        }
        Ok(best)
    }

    /// Whether every move of a node but the one of `tested`, searched to less depth, stays below a target. They are listed from `first`
    /// on, and the depth rule knows of the node.
    fn others_stay_below(
        &mut self,
        test: &Singularity,
        line: &Line<G, R>,
        first: usize,
        tested: &Step<'_, G>,
    ) -> Result<bool, Stopped> {
        let &Step { position, moves, ply, .. } = tested;
        let shallower = self.slots.horizon.lengthen(line, -test.reduction);
        let window = Window::above(test.target - Score(1));
        for index in (0..self.listed(first).len()).filter(|index| *index != tested.index) {
            let mv = self.listed(first)[index];
            let mut child = position.clone();
            child.play(mv);
            self.descend(position, mv, &child, ply);
            let step = Step { position, child: &child, mv, index, moves, window, ply };
            let below = self.slots.horizon.child(&shallower, &step);
            if -self.search::<Scout>(&child, window.flip(), below, ply + 1, true)? >= test.target {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
