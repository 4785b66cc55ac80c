//! Best-first search as an engine plays it: one tree in memory, leaves judged by quiescence values and endgame tables.

use crate::engine::{EngineError, Team};
use crate::recipes::Full;
use crate::tablebase::Endgames;
use crate::{Evaluator, Move, Position};
use cassius_search::best_first::{
    Asked, Assess, Bounds, Grower, Growth, Leaf, Margin, Searched, Threat, Tree,
};
use cassius_search::{
    Answer, Bound, Checks as _, Evaluate as _, Game as _, Knowledge as _, Plies, Repetition, Report, Request,
    Slots, StandPatOrCapture, Table, Visitor,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Up to eight conspirators are told apart; a node takes 52 bytes.
///
/// ```
/// use cassius_chess::{ChessBounds, Move};
/// assert_eq!(cassius_search::best_first::Tree::<Move, ChessBounds>::NODE_BYTES, 52);
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
        self.assess_as(position, &Asked::anything(ply))
    }

    fn assess_as(&mut self, position: &Position, asked: &Asked<'_>) -> Leaf<Bounds<N>> {
        let &Asked { ply, window, .. } = asked;
        if position.in_check() && position.is_over() {
            return Leaf::Over(position.outcome().score(ply));
        }
        match self.endgames.probe(position, ply) {
            Some((value, Bound::Exact)) => Leaf::Over(value),
            // How far the win is, is not known: it may become nearer.
            Some((value, _)) => Leaf::Open(Bounds::leaf(value)),
            None => {
                let value = window.clip(self.quiet.evaluate_within(position, window));
                Leaf::Open(Bounds::leaf(value.clamp_estimate()))
            }
        }
    }
}

/// Who judges the leaves of an engine's tree: alpha-beta to a depth, or quiescence; and there may be a margin or a threat.
type Judge = Threat<Margin<Searched<Position, Full<Plies>, QuietLeaves>>>;

/// A tree and what grows it, for an [`Engine`](crate::Engine).
pub(crate) struct BestFirst<R> {
    grower: Grower<Position, ChessBounds, R, Judge, Repetition>,
    /// How deep leaves are searched if nothing else is said …
    depth: i32,
    /// … and what these searches remember.
    table: Table,
    /// What tree and table may take together …
    mib: usize,
    /// … and how much of it is the table's.
    of_table: usize,
    endgames: Endgames,
    /// Thousandths of the tree in use, for who looks on.
    filled: Arc<AtomicUsize>,
}

/// Where leaves are searched, of so many MiB one is the table's, and one at least.
const TABLE_SHARE: usize = 4;

/// What is the table's if leaves are searched so deep: nothing if they are not searched.
fn table_share(mib: usize, depth: i32) -> usize {
    if depth == 0 { 0 } else { (mib / TABLE_SHARE).max(1) }
}

impl<R: Growth<ChessBounds> + Default + Send + 'static> BestFirst<R> {
    /// A tree and a table that take so many MiB together (where leaves are searched, two at least), and leaves that are searched so deep if
    /// nothing else is said.
    pub(crate) fn team(
        depth: i32,
        (mib, filled): (usize, Arc<AtomicUsize>),
        endgames: &Endgames,
    ) -> Result<Box<dyn Team>, EngineError> {
        let of_table = table_share(mib, depth);
        let table = Table::new(of_table)?;
        let judge = judge(depth, &table, endgames);
        let grower = Grower::new(mib.saturating_sub(of_table).max(1), R::default(), judge)?;
        let grower = grower.with_transpositions();
        Ok(Box::new(BestFirst { grower, depth, table, mib, of_table, endgames: endgames.clone(), filled }))
    }
}

impl<R: Growth<ChessBounds>> BestFirst<R> {
    /// Gives the tree and the table what is theirs, as deep as leaves are searched by now.
    fn share_out(&mut self) {
        let depth = self.grower.assessors().next().map_or(0, |judge| judge.value.value.parameters.depth);
        let of_table = table_share(self.mib, depth);
        if of_table == self.of_table {
            return;
        }
        // If the memory cannot be had, the tree and the table stay as they are: both are whole.
        let tree = Tree::new(self.mib.saturating_sub(of_table).max(1));
        if let (Ok(tree), Ok(table)) = (tree, Table::new(of_table)) {
            self.grower.tree = tree;
            self.grower.assessors().for_each(|judge| judge.value.value.slots.memory = table.clone());
            (self.table, self.of_table) = (table, of_table);
        }
    }
}

fn judge(depth: i32, table: &Table, endgames: &Endgames) -> Judge {
    let slots = Slots::new(Evaluator::new(), table.clone(), endgames.clone());
    let mut searched = Searched::new(QuietLeaves::new(endgames.clone()), slots);
    searched.parameters.depth = depth;
    Threat::new(Margin::new(searched))
}

impl<R: Growth<ChessBounds> + Send> Team for BestFirst<R> {
    fn search(
        &mut self,
        request: &Request<'_, Position>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Answer<Move> {
        self.share_out();
        let (filled, capacity) = (&self.filled, self.grower.tree.capacity() as u64);
        let fill = |nodes: u64| filled.store((nodes * 1_000 / capacity) as usize, Relaxed);
        let answer = self.grower.search(request, &mut |told| {
            fill(told.nodes);
            report(told);
        });
        fill(answer.nodes);
        answer
    }

    fn resize(&mut self, threads: usize) {
        let threads = if R::SEVERAL { threads } else { 1 };
        self.grower.employ((0..threads).map(|_| judge(self.depth, &self.table, &self.endgames)));
    }

    fn threads(&self) -> usize {
        self.grower.threads()
    }

    fn visit_first(&mut self, visitor: &mut Visitor<'_>) {
        self.grower.visit(visitor);
    }

    fn visit_all(&mut self, visitor: &mut Visitor<'_>) {
        self.grower.visit(visitor);
        self.grower.assessors().skip(1).for_each(|judge| Assess::<_, ChessBounds>::visit(judge, visitor));
    }

    fn set_endgames(&mut self, endgames: &Endgames) {
        self.endgames = endgames.clone();
        for judge in self.grower.assessors() {
            let searched = &mut judge.value.value;
            searched.glance.endgames = endgames.clone();
            searched.slots.knowledge = endgames.clone();
        }
    }

    fn forget(&mut self) {
        self.table.clear();
        self.grower.assessors().for_each(|judge| judge.value.value.slots.forget());
    }

    fn tree(&self) -> Option<&Tree<Move, ChessBounds>> {
        Some(&self.grower.tree)
    }
}
