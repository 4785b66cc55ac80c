//! Best-first search as an engine runs it: one tree in memory, with leaves evaluated by quiescence
//! values and endgame tables.

use super::{Basis, EngineError, Team};
use crate::recipes::Full;
use crate::tablebase::Endgames;
use crate::{Evaluator, Move, Position};
use cassius_search::alpha_beta::draws::Repetition;
use cassius_search::alpha_beta::horizon::Plies;
use cassius_search::alpha_beta::knowledge::Knowledge as _;
use cassius_search::alpha_beta::quiescence::StandPatOrCapture;
use cassius_search::best_first::{
    Asked, Assess, Bounds, Conspiracy, FirstNumbers, Furthest, Grower, Grown, Growth, Leaf, Length, Margin,
    Payload, Proofs, Searched, Star, Threat, Tree, stars,
};
use cassius_search::{
    Answer, Bound, Checks as _, Game as _, Keyed, Parameter, Report, Request, Score, Slots, Table, Visitor,
};
use std::iter::successors;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Evaluates leaves by the value of the stand-pat or capture game (McAllester 1988, §10: "a search of
/// capture moves").
///
/// Checkmate is recognised at the leaf, stalemate when the leaf is expanded. A draw by an endgame table
/// counts as the end of the game.
pub struct QuietLeaves {
    quiet: StandPatOrCapture<Position, Evaluator>,
    endgames: Endgames,
}

/// The maximum number of positions for the value of a leaf. No position that occurs in play needs as
/// many, but where many queens can take each other the capture search is practically unbounded.
const SETTLING: u64 = 1 << 14;

impl Default for QuietLeaves {
    /// Creates the assessor without endgame tables.
    fn default() -> Self {
        QuietLeaves::new(&Basis::default())
    }
}

impl QuietLeaves {
    fn new(basis: &Basis) -> Self {
        let quiet = StandPatOrCapture::new(basis.evaluator()).settling_within(SETTLING);
        QuietLeaves { quiet, endgames: basis.endgames.clone() }
    }
}

impl<const N: usize> Assess<Position, Bounds<N>> for QuietLeaves {
    fn assess(&mut self, position: &Position, ply: usize) -> Leaf<Bounds<N>> {
        self.assess_as(position, &Asked::anything(ply))
    }

    fn assess_as(&mut self, position: &Position, asked: &Asked<'_>) -> Leaf<Bounds<N>> {
        let ply = asked.ply;
        if position.in_check() && position.is_over() {
            return Leaf::Over(position.outcome().score(ply));
        }
        match self.endgames.probe(position, ply) {
            Some((value, Bound::Exact)) => Leaf::Over(value),
            // The distance to the win is unknown. The search may find a shorter win.
            Some((value, _)) => Leaf::Open(Bounds::leaf(value)),
            None => {
                let value = asked.value(&mut self.quiet, position);
                Leaf::Open(Bounds::leaf(value.clamp_estimate()))
            }
        }
    }

    fn begin(&mut self) {
        self.quiet.forget();
    }
}

/// The assessor of the leaves of an engine's tree: alpha-beta to a depth, or quiescence, optionally with
/// a margin or a threat.
type Judge = Threat<Margin<Searched<Position, Full<Plies>, QuietLeaves>>>;

/// Assesses leaves for a team.
pub(crate) trait Judges: Send + 'static {
    /// Creates an assessor with the team's setting and table.
    fn employed(setting: &Setting, table: &Table) -> Self;

    /// Replaces the endgame tables.
    fn set_endgames(&mut self, endgames: &Endgames);

    /// Returns the depth to which leaves are searched, for which a table is needed; 0 if leaves are not
    /// searched.
    fn depth(&self) -> i32 {
        0
    }

    /// Replaces the table used to search leaves.
    fn set_table(&mut self, table: &Table) {
        let _ = table;
    }

    /// Clears what was learned.
    fn forget(&mut self) {}
}

impl Judges for Judge {
    fn employed(setting: &Setting, table: &Table) -> Self {
        let slots = Slots::new(setting.basis.evaluator(), table.clone(), setting.basis.endgames.clone());
        let mut searched = Searched::new(QuietLeaves::new(&setting.basis), slots);
        searched.parameters.depth = setting.depth;
        Threat::new(Margin::new(searched))
    }

    fn set_endgames(&mut self, endgames: &Endgames) {
        let searched = &mut self.value.value;
        searched.glance.endgames = endgames.clone();
        searched.slots.knowledge = endgames.clone();
    }

    fn depth(&self) -> i32 {
        self.value.value.parameters.depth
    }

    fn set_table(&mut self, table: &Table) {
        self.value.value.slots.memory = table.clone();
    }

    fn forget(&mut self) {
        self.value.value.slots.forget();
    }
}

/// The assessor of leaves for B*. The interval's lower end is the value of a pass, or the margin below
/// the stand-pat or capture value. Its upper end is the margin above that value.
pub(crate) type IntervalJudge = Furthest<Threat<Margin<QuietLeaves>>>;

/// The default estimate of the most that a move changes the value.
const MARGIN: i32 = 50;

impl Judges for IntervalJudge {
    fn employed(setting: &Setting, _: &Table) -> Self {
        let mut margin = Margin::new(QuietLeaves::new(&setting.basis));
        margin.parameters.margin = MARGIN;
        let mut threat = Threat::new(margin);
        threat.parameters.on = 1;
        Furthest(threat)
    }

    fn set_endgames(&mut self, endgames: &Endgames) {
        self.0.value.value.endgames = endgames.clone();
    }
}

/// Initialises the proof numbers of leaves, unless an endgame table knows the result.
pub(crate) struct ProofLeaves {
    numbers: FirstNumbers,
    endgames: Endgames,
}

impl Judges for ProofLeaves {
    fn employed(setting: &Setting, _: &Table) -> Self {
        ProofLeaves { numbers: FirstNumbers::default(), endgames: setting.basis.endgames.clone() }
    }

    fn set_endgames(&mut self, endgames: &Endgames) {
        self.endgames = endgames.clone();
    }
}

/// Returns how a position ends by what the endgame tables say of it, if they decide it.
fn result(value: Score, bound: Bound) -> Option<Score> {
    match bound {
        // The distance to a win is irrelevant to proof numbers.
        _ if value.is_decided() => Some(value),
        // A win that the fifty-move rule takes away is a draw.
        Bound::Exact => Some(Score::DRAW),
        _ => None,
    }
}

impl Assess<Position, Proofs> for ProofLeaves {
    fn assess(&mut self, position: &Position, ply: usize) -> Leaf<Proofs> {
        match self.endgames.probe(position, ply).and_then(|(value, bound)| result(value, bound)) {
            Some(value) => Leaf::Over(value),
            None => self.numbers.assess(position, ply),
        }
    }

    fn visit(&mut self, visitor: &mut Visitor<'_>) {
        Assess::<Position, Proofs>::visit(&mut self.numbers, visitor);
    }
}

/// The initial setting of a team.
#[derive(Clone)]
pub(crate) struct Setting {
    /// The depth to which leaves are searched.
    pub depth: i32,
    /// The memory for tree and table together, in MiB.
    pub mib: usize,
    /// The used share of the tree, in thousandths, for other threads to read.
    pub filled: Arc<AtomicUsize>,
    pub basis: Basis,
}

impl Setting {
    /// Returns the table's share of the memory when leaves are searched to `depth`: 0 if they are not
    /// searched, else a quarter, and at least one MiB.
    fn of_table(&self, depth: i32) -> usize {
        if depth == 0 { 0 } else { (self.mib / 4).max(1) }
    }

    fn of_tree(&self, depth: i32) -> usize {
        self.mib.saturating_sub(self.of_table(depth)).max(1)
    }
}

/// A tree with the rule that grows it, for an [`Engine`](crate::Engine).
pub(crate) struct BestFirst<P, R, J: 'static> {
    grower: Grower<Position, P, R, J, Repetition>,
    setting: Setting,
    /// The table used to search leaves, and its size in MiB.
    table: Table,
    of_table: usize,
}

impl<P, R, J> BestFirst<P, R, J>
where
    P: Payload + 'static,
    R: Growth<P> + Send + 'static,
    J: Judges + Assess<Position, P>,
{
    /// Creates a team whose tree and table together take the memory of `setting` (at least two MiB where
    /// leaves are searched).
    pub(crate) fn team(growth: R, setting: Setting) -> Result<Box<dyn Team>, EngineError> {
        let of_table = setting.of_table(setting.depth);
        let table = Table::new(of_table)?;
        let judge = J::employed(&setting, &table);
        let grower = Grower::new(setting.of_tree(setting.depth), growth, judge)?
            .with_transpositions_by(<Position as Keyed>::key);
        Ok(Box::new(BestFirst { grower, setting, table, of_table }))
    }

    /// Redistributes the memory between tree and table if the depth of the leaf searches has changed.
    fn share_out(&mut self) {
        let depth = self.grower.assessors().next().map_or(0, |judge| judge.depth());
        let of_table = self.setting.of_table(depth);
        if of_table == self.of_table {
            return;
        }
        // If the memory cannot be allocated, the tree and the table stay as they are. Both remain valid.
        let tree = Tree::new(self.setting.of_tree(depth));
        if let (Ok(tree), Ok(table)) = (tree, Table::new(of_table)) {
            self.grower.tree = tree;
            self.grower.assessors().for_each(|judge| judge.set_table(&table));
            (self.table, self.of_table) = (table, of_table);
        }
    }
}

impl<P, R, J> Team for BestFirst<P, R, J>
where
    P: Payload + 'static,
    R: Growth<P> + Send + 'static,
    J: Judges + Assess<Position, P>,
{
    fn search(
        &mut self,
        request: &Request<'_, Position>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Answer<Move> {
        self.share_out();
        let (filled, capacity) = (&self.setting.filled, self.grower.tree.capacity() as u64);
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
        self.grower.employ((0..threads).map(|_| J::employed(&self.setting, &self.table)));
    }

    fn work_with(&mut self, threads: usize) {
        self.grower.work_with(threads);
    }

    fn threads(&self) -> usize {
        self.grower.threads()
    }

    fn visit_first(&mut self, visitor: &mut Visitor<'_>) {
        self.grower.visit(visitor);
    }

    fn visit_all(&mut self, visitor: &mut Visitor<'_>) {
        self.grower.visit(visitor);
        self.grower.assessors().skip(1).for_each(|judge| judge.visit(visitor));
    }

    fn set_endgames(&mut self, endgames: &Endgames) {
        self.setting.basis.endgames = endgames.clone();
        self.grower.assessors().for_each(|judge| judge.set_endgames(endgames));
    }

    fn forget(&mut self) {
        self.table.clear();
        self.grower.assessors().for_each(Judges::forget);
    }

    fn tree(&self) -> Option<&dyn Grown<Move>> {
        Some(&self.grower.tree)
    }
}

/// The default number of conspirators that are distinguished. A node then takes 52 bytes.
const THRESHOLD: i32 = 8;

/// A tree grown by conspiracy numbers. The length of its sequences is set by the threshold in force when
/// a search begins.
pub(crate) struct Conspiring<R> {
    team: Box<dyn Team>,
    length: Length,
    setting: Setting,
    /// The most threads that the next search uses.
    working: usize,
    growth: PhantomData<fn() -> R>,
}

impl<R: Conspiracy + Default + Send + 'static> Conspiring<R> {
    pub(crate) fn team(setting: Setting) -> Result<Box<dyn Team>, EngineError> {
        let length = Length::of(THRESHOLD as usize);
        let team = Self::of_length(length, setting.clone())?;
        Ok(Box::new(Conspiring::<R> { team, length, setting, working: usize::MAX, growth: PhantomData }))
    }

    fn of_length(length: Length, setting: Setting) -> Result<Box<dyn Team>, EngineError> {
        let growth = R::default().with_threshold(THRESHOLD);
        match length {
            Length::Short => BestFirst::<Bounds<{ Length::SHORT }>, R, Judge>::team(growth, setting),
            Length::Middle => BestFirst::<Bounds<{ Length::MIDDLE }>, R, Judge>::team(growth, setting),
            Length::Long => BestFirst::<Bounds<{ Length::LONG }>, R, Judge>::team(growth, setting),
        }
    }

    /// Replaces the tree by one with longer or shorter sequences, if the threshold now requires another
    /// length.
    fn fit(&mut self) {
        let mut set: Vec<(String, i32)> = Vec::new();
        self.team.visit_all(&mut |parameter, value| set.push((parameter.full_name(), *value)));
        let mut again = |parameter: &Parameter, value: &mut i32| {
            let name = parameter.full_name();
            *value = set.iter().find(|(set, _)| *set == name).map_or(*value, |(_, set)| *set);
        };
        let mut growth = R::default();
        growth.visit(&mut again);
        let length = Length::of(growth.threshold());
        if length == self.length {
            return;
        }
        let threads = self.team.threads();
        let sized = |mib: usize| Self::of_length(length, Setting { mib, ..self.setting.clone() });
        // The old tree is freed before the new one is allocated. If the full size cannot be allocated, a
        // smaller tree is used.
        let Ok(small) = sized(1) else { return };
        (self.team, self.length) = (small, length);
        let sizes = successors(Some(self.setting.mib), |mib| (*mib > 1).then_some(mib / 2));
        if let Some(team) = sizes.into_iter().find_map(|mib| sized(mib).ok()) {
            self.team = team;
        }
        self.team.resize(threads);
        self.team.work_with(self.working);
        self.team.visit_all(&mut again);
    }
}

impl<R: Conspiracy + Default + Send + 'static> Team for Conspiring<R> {
    fn search(
        &mut self,
        request: &Request<'_, Position>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Answer<Move> {
        self.fit();
        self.team.search(request, report)
    }

    fn resize(&mut self, threads: usize) {
        self.team.resize(threads);
    }

    fn work_with(&mut self, threads: usize) {
        self.working = threads;
        self.team.work_with(threads);
    }

    fn threads(&self) -> usize {
        self.team.threads()
    }

    fn visit_first(&mut self, visitor: &mut Visitor<'_>) {
        self.team.visit_first(visitor);
    }

    fn visit_all(&mut self, visitor: &mut Visitor<'_>) {
        self.team.visit_all(visitor);
    }

    fn set_endgames(&mut self, endgames: &Endgames) {
        self.setting.basis.endgames = endgames.clone();
        self.team.set_endgames(endgames);
    }

    fn forget(&mut self) {
        self.team.forget();
    }

    fn tree(&self) -> Option<&dyn Grown<Move>> {
        self.team.tree()
    }
}

/// SSS* or DUAL*. The list takes the memory of the table.
pub(crate) struct Stars {
    star: Star,
    mib: usize,
    quiet: StandPatOrCapture<Position, Evaluator>,
}

impl Stars {
    pub(crate) fn team(star: Star, mib: usize, basis: &Basis) -> Box<dyn Team> {
        Box::new(Stars {
            star,
            mib,
            quiet: StandPatOrCapture::new(basis.evaluator()).settling_within(SETTLING),
        })
    }
}

impl Team for Stars {
    fn search(
        &mut self,
        request: &Request<'_, Position>,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> Answer<Move> {
        stars::<_, Repetition>(request, &mut self.quiet, self.star, self.mib, report)
    }

    fn resize(&mut self, _: usize) {}

    fn work_with(&mut self, _: usize) {}

    fn threads(&self) -> usize {
        1
    }

    fn visit_first(&mut self, _: &mut Visitor<'_>) {}

    fn visit_all(&mut self, _: &mut Visitor<'_>) {}

    /// Does nothing: the engine probes the tables at the root, and this search probes nowhere else.
    fn set_endgames(&mut self, _: &Endgames) {}

    fn forget(&mut self) {
        self.quiet.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A win that the fifty-move rule takes away has the value of a draw by a hair, and proves no win.
    #[test]
    fn a_cursed_win_is_a_draw() {
        assert_eq!(result(Score(1), Bound::Exact), Some(Score::DRAW));
        assert_eq!(result(Score(-1), Bound::Exact), Some(Score::DRAW));
        assert_eq!(result(Score::win_in(5), Bound::Lower), Some(Score::win_in(5)));
        assert_eq!(result(Score(1), Bound::Lower), None);
    }
}
