//! Best-first search as an engine plays it: one tree in memory, leaves judged by quiescence values and endgame tables.

use crate::engine::Team;
use crate::tablebase::Endgames;
use crate::{Evaluator, Move, Position};
use cassius_search::best_first::{Assess, Bounds, Grower, Growth, Leaf, OutOfMemory, Tree};
use cassius_search::{
    Answer, Bound, Checks as _, Evaluate as _, Game as _, Knowledge as _, Repetition, Report, Request,
    StandPatOrCapture, Visitor,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Up to eight conspirators are told apart; a node takes 48 bytes.
///
/// ```
/// use cassius_chess::{ChessBounds, Move};
/// assert_eq!(cassius_search::best_first::Tree::<Move, ChessBounds>::NODE_BYTES, 48);
/// ```
pub type ChessBounds = Bounds<9>;

/// Judges leaves by the value of standing pat or capturing (McAllester 1988, §10: "a search of capture moves").
///
/// Mate is seen at once; stalemate when the leaf is expanded, and an endgame table's draw like the end of the game.
pub struct QuietLeaves {
    quiet: StandPatOrCapture<Position, Evaluator>,
    endgames: Endgames,
}

impl Default for QuietLeaves {
    /// Without endgame tables.
    fn default() -> Self {
        QuietLeaves::new(Endgames::default())
    }
}

impl QuietLeaves {
    fn new(endgames: Endgames) -> Self {
        QuietLeaves { quiet: StandPatOrCapture::new(Evaluator::new()), endgames }
    }
}

impl<const N: usize> Assess<Position, Bounds<N>> for QuietLeaves {
    fn assess(&mut self, position: &Position, ply: usize) -> Leaf<Bounds<N>> {
        if position.in_check() && position.is_over() {
            return Leaf::Over(position.outcome().score(ply));
        }
        match self.endgames.probe(position, ply) {
            Some((value, Bound::Exact)) => Leaf::Over(value),
            // How far the win is, is not known: it may become nearer.
            Some((value, _)) => Leaf::Open(Bounds::leaf(value)),
            None => Leaf::Open(Bounds::leaf(self.quiet.evaluate(position).clamp_estimate())),
        }
    }
}

/// A tree of a stated size and what grows it, for an [`Engine`](crate::Engine). It grows on one thread.
pub(crate) struct BestFirst<R> {
    grower: Grower<Position, ChessBounds, R, QuietLeaves, Repetition>,
    /// Thousandths of the tree in use, for who looks on.
    filled: Arc<AtomicUsize>,
}

impl<R: Growth<ChessBounds> + Default + Send + 'static> BestFirst<R> {
    /// A tree of so many MiB.
    pub(crate) fn team(
        (mib, filled): (usize, Arc<AtomicUsize>),
        endgames: &Endgames,
    ) -> Result<Box<dyn Team>, OutOfMemory> {
        let grower = Grower::new(mib, R::default(), QuietLeaves::new(endgames.clone()))?;
        Ok(Box::new(BestFirst { grower, filled }))
    }
}

impl<R: Growth<ChessBounds> + Send> Team for BestFirst<R> {
    fn search(
        &mut self,
        request: &Request<'_, Position>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Answer<Move> {
        let (filled, capacity) = (&self.filled, self.grower.tree.capacity() as u64);
        let fill = |nodes: u64| filled.store((nodes * 1_000 / capacity) as usize, Relaxed);
        let answer = self.grower.search(request, &mut |told| {
            fill(told.nodes);
            report(told);
        });
        fill(answer.nodes);
        answer
    }

    /// There is one tree, and it grows on one thread.
    fn resize(&mut self, _: usize) {}

    fn visit_first(&mut self, visitor: &mut Visitor<'_>) {
        self.grower.visit(visitor);
    }

    fn visit_all(&mut self, visitor: &mut Visitor<'_>) {
        self.grower.visit(visitor);
    }

    fn set_endgames(&mut self, endgames: &Endgames) {
        self.grower.assess.endgames = endgames.clone();
    }

    /// A search begins with a new tree anyway.
    fn forget(&mut self) {}

    fn tree(&self) -> Option<&Tree<Move, ChessBounds>> {
        Some(&self.grower.tree)
    }
}
