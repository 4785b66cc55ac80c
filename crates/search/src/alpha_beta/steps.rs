//! The steps of a node around its loop over moves: what the memory answers, what the static value decides,
//! which moves are singular.

use super::correction::Correct;
use super::draws::Draws;
use super::horizon::{Horizon, Step};
use super::knowledge::Knowledge;
use super::memory::{Hit, Memory};
use super::node::{Node, NodeKind, Scout};
use super::order::Order;
use super::picker::Moves;
use super::quiescence::Quiescence;
use super::recipe::{CountOf, Recipe};
use super::selectivity::{Confirm, Confirmation, Extend, Passing, Prune, Reduce};
use super::worker::{MAX_PLY, Worker};
use crate::depth::{Depth, Depths};
use crate::game::Game;
use crate::limits::Stopped;
use crate::score::Score;
use crate::window::{Bound, Window};

/// What is known of a node without search.
pub(super) enum Answered {
    /// Its value.
    Value(Score),
    /// That it lies in this window, or outside it as before.
    Open(Window),
}

/// What the test of the hash move has shown.
pub(super) enum Singular {
    /// The hash move is searched so much deeper, or less deep if this is negative.
    By(Depth),
    /// Other moves fail high too, with this value.
    OthersFailHigh(Score),
}

impl<G: Game, R: Recipe<G>> Worker<'_, G, R> {
    /// Steps 1 and 2: the value of a node that need not be searched.
    #[inline(always)]
    pub(super) fn without_search(
        &mut self,
        position: &G,
        window: Window,
        ply: usize,
        excluded: bool,
    ) -> Result<Option<Score>, Stopped> {
        if self.slots.draws.is_draw(position, ply) {
            return Ok(Some(Score::DRAW));
        }
        if window.beta <= Score::DRAW && !excluded && self.slots.draws.may_draw(position, ply) {
            return Ok(Some(Score::DRAW));
        }
        if ply >= MAX_PLY {
            if position.is_over() {
                return Ok(Some(position.outcome().score(ply)));
            }
            self.cut_off += 1;
            return self.evaluate(position).map(Some);
        }
        // No line from here can be better than winning, or worse than losing, at once.
        let (worst, best) = (Score::loss_in(ply), Score::win_in(ply));
        Ok(match window {
            Window { alpha, .. } if alpha >= best => Some(best),
            Window { beta, .. } if beta <= worst => Some(worst),
            _ => None,
        })
    }

    /// What the components are told of a node.
    #[inline(always)]
    pub(super) fn node<'a, N: NodeKind>(
        &mut self,
        position: &'a G,
        window: Window,
        hit: &Hit,
        remaining: Depths,
        ply: usize,
        cut: bool,
    ) -> Result<Node<'a, G>, Stopped> {
        let static_eval = self.static_eval(position, hit, ply)?;
        let was_pv = N::PV || hit.was_pv;
        self.frames[ply].was_pv = was_pv;
        self.frames[ply + 1].cutoffs = 0;
        Ok(Node {
            position,
            window,
            ply,
            pv: N::PV,
            was_pv,
            cut,
            fail_high_depth: remaining.lower,
            fail_low_depth: remaining.upper,
            static_eval,
            improving: self.is_improving(ply),
            has_hash_move: hit.mv != 0,
            previous: self.previous(ply),
            child_cutoffs: 0,
            pass_failed: false,
        })
    }

    /// The value of a position past the horizon.
    #[inline(always)]
    pub(super) fn quiescence<N: NodeKind>(
        &mut self,
        position: &G,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let quiescence = self.slots.quiescence.clone();
        quiescence.value::<R, N::First>(self, position, window, ply)
    }

    /// Step 4: what the memory and the endgame tables know.
    #[inline(always)]
    pub(super) fn answer<N: NodeKind>(
        &mut self,
        position: &G,
        hit: &Hit,
        count: &CountOf<G, R>,
        window: Window,
        ply: usize,
    ) -> Answered {
        if N::ROOT {
            return Answered::Open(window);
        }
        if (!N::PV || self.slots.memory.answers_pv())
            && let Some(value) = hit.answer(window, |value| self.remaining(count, window, value))
        {
            return Answered::Value(value);
        }
        if let Some((value, bound)) = self.slots.knowledge.probe(position, ply)
            && (bound == Bound::Exact || bound == window.bound(value))
        {
            return Answered::Value(value);
        }
        if N::PV && self.slots.memory.narrows() {
            let narrow = hit.narrow(window, |value| self.remaining(count, window, value));
            if narrow.alpha >= narrow.beta {
                let value = if narrow.alpha > window.alpha { narrow.alpha } else { narrow.beta };
                return Answered::Value(value);
            }
            return Answered::Open(narrow);
        }
        Answered::Open(window)
    }

    /// Steps 6 and 7: the value of a node that need not be searched, because its static value is far outside
    /// the window, because even a pass fails high, or because a move clearly does in a shallower search.
    #[inline(always)]
    pub(super) fn prune<N: NodeKind>(
        &mut self,
        node: &mut Node<'_, G>,
        hit: &Hit,
        count: &CountOf<G, R>,
    ) -> Result<Option<Score>, Stopped> {
        let Node { position, window, ply, cut, .. } = *node;
        if let Some(value) = self.slots.selectivity.reverse_futility.prune(node) {
            return Ok(Some(value));
        }
        if self.slots.selectivity.razoring.prune(node).is_some() {
            let value = self.quiescence::<N>(position, window, ply)?;
            if value <= window.alpha {
                return Ok(Some(value));
            }
        }
        if !self.frames[ply].passed
            && let Some((child, reduction)) = self.slots.selectivity.null_move.pass(node)
        {
            let passed = self.slots.horizon.pass(count);
            let shallower = self.slots.horizon.lengthen(&passed, -reduction);
            self.descend_by_pass(position, &child, ply);
            let value = -self.search::<Scout>(&child, window.flip(), shallower, ply + 1, !cut)?;
            self.slots.draws.pop();
            if value < window.beta {
                node.pass_failed = true;
            } else if !self.slots.selectivity.null_move.verifies(node)
                || self.without_pass(node, count, reduction)? >= window.beta
            {
                return Ok(Some(if value.is_decided() { window.beta } else { value }));
            }
        }
        match self.slots.selectivity.prob_cut.confirmation(node, hit) {
            Some(test) => self.confirm::<N>(node, count, &test),
            None => Ok(None),
        }
    }

    /// The value of a node that fails high by a move that reaches a target, at the horizon and then in a
    /// shallower search.
    fn confirm<N: NodeKind>(
        &mut self,
        node: &Node<'_, G>,
        count: &CountOf<G, R>,
        test: &Confirmation,
    ) -> Result<Option<Score>, Stopped> {
        let Node { position, ply, cut, .. } = *node;
        let (beta, deepest) = (node.window.beta, node.fail_high_depth.max(node.fail_low_depth));
        let below = Window::above(test.target - Score(1)).flip();
        let passed = self.slots.horizon.pass(count);
        let shallower = self.slots.horizon.lengthen(&passed, -test.reduction);
        let at_horizon = self.slots.horizon.lengthen(&passed, -deepest);
        let first = self.stack.moves.len();
        self.slots.selectivity.prob_cut.list(node, test.target, &mut self.stack.moves);
        self.slots.draws.push(position);
        let mut confirmed = None;
        for index in first..self.stack.moves.len() {
            let mv = self.stack.moves[index];
            let mut child = position.clone();
            child.play(mv);
            self.descend::<N>(position, mv, &child, ply);
            let mut value = -self.search::<Scout>(&child, below, at_horizon, ply + 1, !cut)?;
            if value >= test.target {
                value = -self.search::<Scout>(&child, below, shallower, ply + 1, !cut)?;
            }
            if value >= test.target {
                confirmed = Some((mv, value));
                break;
            }
        }
        self.slots.draws.pop();
        self.stack.truncate(first);
        let Some((mv, value)) = confirmed else { return Ok(None) };
        let reduced = self.slots.horizon.lengthen(count, -test.reduction);
        let found = self.found(&reduced, node.window, value, Some(mv), ply);
        if self.slots.memory.serves(found.depths) {
            self.slots.memory.store(position, ply, &found);
        }
        Ok(Some(if value.is_decided() { beta } else { value - (test.target - beta) }))
    }

    /// The value of a node at which no pass is tried, searched as much shallower as a pass.
    fn without_pass(
        &mut self,
        node: &Node<'_, G>,
        count: &CountOf<G, R>,
        reduction: Depth,
    ) -> Result<Score, Stopped> {
        let shallower = self.slots.horizon.lengthen(count, -(reduction + Depth::PLY));
        self.frames[node.ply].passed = true; // there are never two passes in a row
        let value = self.search::<Scout>(node.position, node.window, shallower, node.ply, node.cut);
        self.frames[node.ply].passed = false;
        value
    }

    /// Step 8: is the hash move the only good one? If others fail high too, the node does.
    #[inline(always)]
    pub(super) fn singular_extension<N: NodeKind>(
        &mut self,
        node: &Node<'_, G>,
        hit: &Hit,
        count: &CountOf<G, R>,
    ) -> Result<Singular, Stopped> {
        let Some(test) = self.slots.selectivity.extend.test(node, hit) else {
            return Ok(Singular::By(Depth::ZERO));
        };
        self.frames[node.ply].excluded = Some(hit.mv);
        let shallower = self.slots.horizon.lengthen(count, -test.reduction);
        let window = Window::above(test.target - Score(1));
        let others = self.search::<Scout>(node.position, window, shallower, node.ply, true)?;
        self.frames[node.ply].was_pv = node.was_pv; // the test knew nothing of it
        if others < test.target {
            let twice = !N::PV && others < test.target - test.double_margin;
            return Ok(Singular::By(if twice { test.extension + test.extension } else { test.extension }));
        }
        if test.target >= node.window.beta && !N::PV {
            let beta = node.window.beta;
            return Ok(Singular::OthersFailHigh(if others.is_decided() { beta } else { others }));
        }
        Ok(Singular::By(-test.shortening))
    }

    /// The depth, `full` as a rule, of the search of a move after its reduced search has had this value.
    #[inline(always)]
    pub(super) fn again(
        &self,
        full: &CountOf<G, R>,
        reduction: Depth,
        value: Score,
        alpha: Score,
    ) -> CountOf<G, R> {
        let more = match value > alpha {
            true => self.slots.selectivity.late_move_reduction.again(reduction, value, alpha),
            false => Depth::ZERO,
        };
        if more == Depth::ZERO { *full } else { self.slots.horizon.lengthen(full, more) }
    }

    /// Step 11: what the components learn from a node with the value `value`, some of whose moves were
    /// tried.
    #[inline(always)]
    pub(super) fn learn(
        &mut self,
        node: &Node<'_, G>,
        moves: &Moves,
        entry: Window,
        value: Score,
        best: Option<G::Move>,
    ) {
        let ply = node.ply;
        if value >= entry.beta
            && let Some(mv) = best
        {
            self.frames[ply].cutoffs += 1;
            self.slots.order.reward(node, mv, self.stack.tried_before(moves));
        }
        if !R::Correction::CORRECTS || moves.excluded.is_some() || self.frames[ply].raw.is_none() {
            return;
        }
        let error = value - self.frames[ply].level;
        let is_known = match entry.bound(value) {
            Bound::Lower => error > Score::DRAW,
            Bound::Upper => error < Score::DRAW,
            Bound::Exact => true,
        };
        if is_known && !value.is_decided() && !(ply == 0 && self.is_root_restricted()) {
            self.slots.correction.learn(node, best, error);
        }
    }

    /// The value of a move that has raised α with `value`, once more and deeper if it is the only good one.
    /// `own` is the depth counted for it so far, `count` that of the node.
    pub(super) fn verify<N: NodeKind>(
        &mut self,
        node: &Node<'_, G>,
        count: &CountOf<G, R>,
        own: &CountOf<G, R>,
        moves: &Moves,
        step: &Step<'_, G>,
        value: Score,
    ) -> Result<Score, Stopped> {
        let window = step.window;
        let Some(test) = self.slots.selectivity.extend.verify(&Node { window, ..*node }, value) else {
            return Ok(value);
        };
        let shallower = self.slots.horizon.lengthen(count, -test.reduction);
        let below = Window::above(test.target - Score(1));
        for index in (0..moves.listed).filter(|index| *index != step.index) {
            let mv = self.stack.moves[moves.first + index];
            let mut child = node.position.clone();
            child.play(mv);
            self.descend::<N>(node.position, mv, &child, node.ply);
            let other = Step { child: &child, mv, index, window: below, ..*step };
            let count = self.slots.horizon.child(&shallower, &other);
            if -self.search::<Scout>(&child, below.flip(), count, node.ply + 1, true)? >= test.target {
                return Ok(value);
            }
        }
        self.descend::<N>(node.position, step.mv, step.child, node.ply);
        let longer = self.slots.horizon.lengthen_own(own, test.extension);
        let count = self.slots.horizon.child(&longer, step);
        let cut = !N::PV && !node.cut;
        Ok(-self.search::<N::First>(step.child, window.flip(), count, node.ply + 1, cut)?)
    }
}
