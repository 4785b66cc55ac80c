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

/// The iteration that is told for what a study has found.
const ITERATION: usize = 1;

impl StudyJudge {
    /// Creates a judge that asks the engine where the study has no answer.
    pub fn new(study: Arc<Study<Position>>, engine: Box<dyn Judge>) -> StudyJudge {
        StudyJudge { study, engine }
    }

    /// Returns a position of the study about which it knows more than the position before it did.
    fn known(&self, position: &Position) -> Option<PositionId> {
        let id = self.study.find(position)?;
        let judged = self.study.leaf(id).is_none_or(|leaf| leaf.is_judged());
        (judged || !self.study.edges(id).is_empty()).then_some(id)
    }

    /// Returns the value of a move, if the study knows it exactly.
    fn value_of(&self, id: PositionId, mv: Move) -> Option<Score> {
        let edge = self.study.edges(id).iter().find(|edge| edge.mv == mv);
        match edge.map(|edge| edge.to) {
            Some(Target::Position(to)) => Some((-self.study.value(to)).from_root(1)),
            Some(Target::Repetition) => Some(Score::DRAW),
            None => {
                let leaf = self.study.leaf(id).filter(|leaf| leaf.is_judged() && leaf.best == Some(mv))?;
                Some(leaf.value)
            }
        }
    }

    /// Returns the best line of the study from a position.
    fn line(&self, mut id: PositionId) -> Vec<Move> {
        let mut line = Vec::new();
        loop {
            let edges = self.study.edges(id).iter().filter(|edge| !edge.excluded);
            let moves = edges.map(|edge| edge.mv).chain(self.study.leaf(id).and_then(|leaf| leaf.best));
            let valued = moves.filter_map(|mv| Some((mv, self.value_of(id, mv)?)));
            // The first of equals.
            let best = valued.fold(None, |best: Option<(Move, Score)>, next| match best {
                Some(best) if best.1 >= next.1 => Some(best),
                _ => Some(next),
            });
            let Some((mv, _)) = best else { return line };
            line.push(mv);
            match self.study.edges(id).iter().find(|edge| edge.mv == mv).map(|edge| edge.to) {
                Some(Target::Position(to)) => id = to,
                _ => return line,
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
        let id = if moves.is_empty() { self.known(asked.position) } else { None };
        let found = id.map(|id| (self.line(id), self.study.value(id)));
        match found {
            Some((line, score)) if !line.is_empty() => Ok(Some(Found {
                score,
                bound: Bound::Exact,
                line,
                wdl: None,
                iteration: ITERATION,
                nodes: 0,
            })),
            _ => self.engine.value(asked, moves, iterations, nodes),
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
        // No move that is not followed is better than the leaf.
        let most = self.study.leaf(id).filter(|leaf| leaf.is_judged()).map(|leaf| leaf.value);
        let known = |mv: &Move| match self.value_of(id, *mv) {
            Some(value) => Some(value >= least),
            None => most.filter(|most| *most < least).map(|_| false),
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
