//! A judge that knows a study: positions of the study are judged by what the study has found, all others by
//! an engine.

use cassius_chess::{Move, Position};
use cassius_insight::{Asked, Found, Held, Judge, JudgeError};
use cassius_search::study::{PositionId, Study, Target};
use cassius_search::{Bound, Score};
use std::sync::Arc;

/// A judge with a study.
pub struct StudyJudge {
    study: Arc<Study<Position>>,
    engine: Box<dyn Judge>,
}

/// The iteration that is told for what a study has found: no search for the moves that it does not know is to
/// be stopped by it.
const ITERATION: usize = cassius_search::MAX_PLY;

impl StudyJudge {
    /// Creates a judge that asks the engine where the study has no answer.
    pub fn new(study: Arc<Study<Position>>, engine: Box<dyn Judge>) -> StudyJudge {
        StudyJudge { study, engine }
    }

    /// Returns a position of the study about which it knows more than the position before it did.
    fn known(&self, position: &Position) -> Option<PositionId> {
        let id = self.study.find(position)?;
        let judged = self.study.leaf(id).is_none_or(|leaf| leaf.is_judged());
        (self.study.is_known(id) && (judged || !self.study.edges(id).is_empty())).then_some(id)
    }

    /// Returns the best of some moves and what it is worth, as far as the study knows them, and those moves
    /// of which it only knows that they may be better.
    fn among(&self, id: PositionId, moves: &[Move]) -> (Option<(Move, Score)>, Vec<Move>) {
        let (mut best, mut open): (Option<(Move, Score)>, Vec<Move>) = (None, Vec::new());
        for mv in moves {
            match self.value_of(id, *mv) {
                Some(value) if best.is_none_or(|best| value > best.1) => best = Some((*mv, value)),
                Some(_) => (),
                None => open.push(*mv),
            }
        }
        open.retain(|mv| self.most(id, *mv).is_none_or(|most| best.is_none_or(|best| best.1 < most)));
        (best, open)
    }

    /// Returns the most that a move can be worth, if the study knows that: no move that is not followed is
    /// better than the leaf.
    fn most(&self, id: PositionId, mv: Move) -> Option<Score> {
        let is_followed = self.study.edges(id).iter().any(|edge| edge.mv == mv);
        let leaf = self.study.leaf(id).filter(|leaf| leaf.is_judged() && !is_followed);
        leaf.map(|leaf| leaf.value)
    }

    /// Returns the value of a move, if the study knows it exactly.
    fn value_of(&self, id: PositionId, mv: Move) -> Option<Score> {
        let edge = self.study.edges(id).iter().find(|edge| edge.mv == mv);
        match edge.map(|edge| edge.to) {
            Some(Target::Position(to)) => self.study.is_known(to).then(|| (-self.study.value(to)).at_root(1)),
            Some(Target::Repetition) => Some(Score::DRAW),
            None => {
                let leaf = self.study.leaf(id).filter(|leaf| leaf.is_judged() && leaf.best == Some(mv))?;
                Some(leaf.value)
            }
        }
    }

    /// Returns the line of the study that begins with a move.
    fn line(&self, mut id: PositionId, mut mv: Move) -> Vec<Move> {
        let mut line = Vec::new();
        loop {
            line.push(mv);
            match self.study.edges(id).iter().find(|edge| edge.mv == mv).map(|edge| edge.to) {
                Some(Target::Position(to)) => id = to,
                _ => return line,
            }
            let edges = self.study.edges(id).iter().filter(|edge| !edge.excluded);
            let moves: Vec<Move> =
                edges.map(|edge| edge.mv).chain(self.study.leaf(id).and_then(|leaf| leaf.best)).collect();
            match self.among(id, &moves).0 {
                Some((best, _)) => mv = best,
                None => return line,
            }
        }
    }
}

impl Judge for StudyJudge {
    fn name(&self) -> String {
        format!("{}, with a study", self.engine.name())
    }

    fn value(
        &mut self,
        asked: Asked<'_>,
        moves: &[Move],
        iterations: usize,
        nodes: u64,
    ) -> Result<Option<Found>, JudgeError> {
        let all = asked.position.legal_moves();
        let moves = if moves.is_empty() { &all } else { moves };
        let Some(id) = self.known(asked.position) else {
            return self.engine.value(asked, moves, iterations, nodes);
        };
        let (best, open) = self.among(id, moves);
        // What an engine finds in a search of its own does not change what the study knows.
        let (limited, free): (Vec<Move>, Vec<Move>) =
            open.into_iter().partition(|mv| self.most(id, *mv).is_some());
        let mut found: Option<Found> = None;
        for among in [limited, free] {
            let most = among.first().and_then(|mv| self.most(id, *mv));
            let answer = match among.is_empty() {
                true => None,
                false => self.engine.value(asked, &among, iterations, nodes)?,
            };
            let answer = answer.map(|answer| match most.filter(|most| answer.score > *most) {
                Some(most) => Found { score: most, wdl: None, ..answer },
                None => answer,
            });
            let spent = [&found, &answer].into_iter().flatten().map(|found| found.nodes).sum();
            found =
                [found, answer].into_iter().flatten().reduce(|a, b| if b.score > a.score { b } else { a });
            found.iter_mut().for_each(|found| found.nodes = spent);
        }
        let spent = found.as_ref().map_or(0, |found| found.nodes);
        match best {
            Some((mv, score)) if found.as_ref().is_none_or(|found| found.score <= score) => Ok(Some(Found {
                score,
                bound: Bound::Exact,
                line: self.line(id, mv),
                wdl: None,
                iteration: ITERATION,
                nodes: spent,
            })),
            _ => Ok(found),
        }
    }

    fn hold(
        &mut self,
        asked: Asked<'_>,
        moves: &[Move],
        least: Score,
        iterations: usize,
        nodes: u64,
    ) -> Result<(Vec<Held>, u64), JudgeError> {
        let Some(id) = self.known(asked.position) else {
            return self.engine.hold(asked, moves, least, iterations, nodes);
        };
        let known = |mv: &Move| match self.value_of(id, *mv) {
            Some(value) => Some(value >= least),
            None => self.most(id, *mv).filter(|most| *most < least).map(|_| false),
        };
        let mut held: Vec<Option<Held>> =
            moves.iter().map(|mv| known(mv).map(|holds| Held { holds, iteration: ITERATION })).collect();
        let open: Vec<Move> =
            moves.iter().zip(&held).filter(|(_, held)| held.is_none()).map(|(mv, _)| *mv).collect();
        let mut spent = 0;
        if !open.is_empty() {
            let (answers, nodes) = self.engine.hold(asked, &open, least, iterations, nodes)?;
            spent = nodes;
            let mut answers = answers.into_iter();
            held.iter_mut().filter(|held| held.is_none()).for_each(|held| *held = answers.next());
        }
        let nothing = Held { holds: false, iteration: 0 };
        Ok((held.into_iter().map(|held| held.unwrap_or(nothing)).collect(), spent))
    }

    fn forget(&mut self) {
        self.engine.forget();
    }
}
