//! Ways to tamper with a certificate, for the tests of checkers. A checker must reject each of them.

use super::{Certificate, Name, Plan, Referee, Step, Work};
use crate::depth::Depth;
use crate::game::Game;
use crate::score::Score;
use crate::window::Window;
use std::collections::HashSet;

/// A change that makes a certificate wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tampering {
    /// A value that a plan does not hold.
    Value,
    /// The two plans are exchanged.
    Sides,
    /// The plan claims to be deeper than it is.
    PlanDepth,
    /// A move of the other side is not answered.
    MoveLeftOut,
    /// A move of the other side is answered twice.
    MoveTwice,
    /// A move that is not an option is named as one.
    OptionInvented,
    /// An option is named twice, and another is left out.
    OptionTwice,
    /// An option is replaced by a move that is not legal.
    OptionIllegal,
    /// An option is left out, but the depths stay as they were.
    OptionForgotten,
    /// A move is replaced by one that is not legal.
    IllegalMove,
    /// The end of a line gets another value.
    LeafValue,
    /// A line claims to be deeper than it is.
    LeafDepth,
    /// A line ends early.
    CutShort,
    /// A line that ends by its static value is said to be over.
    CalledOver,
    /// A reference is changed to another position.
    Elsewhere,
}

impl Tampering {
    /// All kinds of tampering.
    pub const ALL: [Tampering; 15] = [
        Tampering::Value,
        Tampering::Sides,
        Tampering::PlanDepth,
        Tampering::MoveLeftOut,
        Tampering::MoveTwice,
        Tampering::OptionInvented,
        Tampering::OptionTwice,
        Tampering::OptionIllegal,
        Tampering::OptionForgotten,
        Tampering::IllegalMove,
        Tampering::LeafValue,
        Tampering::LeafDepth,
        Tampering::CutShort,
        Tampering::CalledOver,
        Tampering::Elsewhere,
    ];

    /// Whether the change is made at one position of a plan, which a checker must name.
    pub fn is_in_a_step(self) -> bool {
        !matches!(
            self,
            Tampering::Value | Tampering::Sides | Tampering::PlanDepth | Tampering::OptionForgotten
        )
    }

    /// Tampers with one of the plans, if there is something to tamper with. Returns the moves that lead
    /// to the position that is wrong afterwards.
    pub fn apply(self, certificate: &mut Certificate, at_least: bool) -> Option<Vec<Name>> {
        let plan = if at_least { &mut certificate.at_least } else { &mut certificate.at_most };
        let plan = plan.as_mut()?;
        match self {
            Tampering::Value => {
                let worst = worst(&plan.root)?;
                certificate.value = if at_least { worst + Score(1) } else { -worst - Score(1) };
                Some(Vec::new())
            }
            Tampering::Sides => {
                std::mem::swap(&mut certificate.at_least, &mut certificate.at_most);
                Some(Vec::new())
            }
            Tampering::PlanDepth => {
                plan.depth = if plan.depth == Depth::CERTAIN { Depth::ZERO } else { plan.depth + Depth(1) };
                Some(Vec::new())
            }
            _ => {
                let mut line = Vec::new();
                let done = self.tamper(&mut plan.root, &mut line, &certificate.safety);
                // A wrong depth is only noticed at an end of the line.
                done.then(|| if self.is_in_a_step() { line } else { Vec::new() })
            }
        }
    }

    /// Tampers with the first step that allows it. Returns whether there is one; if so, `line` leads to
    /// it.
    fn tamper(self, step: &mut Step, line: &mut Vec<Name>, safety: &[Depth]) -> bool {
        match (self, &mut *step) {
            (Tampering::MoveLeftOut, Step::Other(replies)) => replies.pop().is_some(),
            (Tampering::MoveTwice, Step::Other(replies)) => {
                let first = replies.first().cloned();
                replies.extend(first);
                !replies.is_empty()
            }
            (Tampering::OptionInvented, Step::Own { mv, options, .. }) => {
                options.push(mv.clone());
                true
            }
            (Tampering::OptionTwice, Step::Own { options, .. }) if options.len() > 1 => {
                options[0] = options[1].clone();
                true
            }
            (Tampering::OptionIllegal, Step::Own { options, .. }) if !options.is_empty() => {
                options.fill("nowhere".into());
                true
            }
            // Only an option that counts for less depth, on a line that is not certain.
            (Tampering::OptionForgotten, Step::Own { options, next, .. })
                if (1..safety.len()).contains(&options.len())
                    && safety[options.len() - 1] < safety[options.len()]
                    && next.positions().any(|step| matches!(step, Step::Leaf { .. })) =>
            {
                options.pop().is_some()
            }
            (Tampering::IllegalMove, Step::Own { mv, .. }) => {
                *mv = "nowhere".into();
                true
            }
            (Tampering::LeafDepth, Step::Leaf { depth, .. }) => {
                *depth += Depth(1);
                true
            }
            (Tampering::LeafValue, Step::Leaf { value, .. } | Step::Over { value }) => {
                *value += Score(1);
                true
            }
            (Tampering::CalledOver, Step::Leaf { value, .. }) => {
                *step = Step::Over { value: *value };
                true
            }
            (Tampering::CutShort, Step::Own { next, .. })
                if !line.is_empty() && matches!(**next, Step::Other(_)) =>
            {
                *step = Step::Leaf { value: Score::DRAW, depth: Depth::plies(50) };
                true
            }
            (Tampering::Elsewhere, Step::Same(number)) => {
                *number += 1;
                true
            }
            (_, Step::Own { mv, next, .. }) => self.below(mv, next, line, safety),
            (_, Step::Other(replies)) => {
                replies.iter_mut().any(|(mv, next)| self.below(mv, next, line, safety))
            }
            _ => false,
        }
    }

    fn below(self, mv: &Name, next: &mut Step, line: &mut Vec<Name>, safety: &[Depth]) -> bool {
        line.push(mv.clone());
        let done = self.tamper(next, line, safety);
        if !done {
            line.pop();
        }
        done
    }
}

/// Returns the least value that a plan guarantees to its owner according to the ends of its lines;
/// `None` if it has no ends.
fn worst(step: &Step) -> Option<Score> {
    match step {
        Step::Own { next, .. } => worst(next),
        Step::Other(replies) => replies.iter().filter_map(|(_, next)| worst(next)).min(),
        Step::Leaf { value, .. } | Step::Over { value } => Some(*value),
        // The position that it refers to is counted in its own place.
        Step::Same(_) => None,
    }
}

/// Combines the plans of two searches of `position` in one certificate: the first's plan for at least
/// `value` and the second's for at most `value`, with the options and depths that they have for that
/// value. `None` if one of them does not hold it. Each plan alone is correct. Whether they establish the
/// value together is a separate question ([`establishes_its_value`]).
pub fn pasted<G: Game>(
    position: &G,
    (first, second): (&Certificate, &Certificate),
    value: Score,
    referee: &mut impl Referee<G>,
) -> Option<Certificate> {
    let head = Certificate { value, ..first.head() };
    let (first, second) = (first.written_out(MOST_WRITTEN_OUT)?, second.written_out(MOST_WRITTEN_OUT)?);
    let mut measured = |plan: &Plan, own: bool| {
        let promised = if own { value } else { -value };
        let mut measure = Measure { head: &head, referee, promised, least: Depth::CERTAIN };
        let root = measure.step(&plan.root, position, (own, 0), Depth::ZERO)?;
        Some(Plan { depth: measure.least, root })
    };
    let at_least = measured(first.at_least.as_ref()?, true)?;
    let at_most = measured(second.at_most.as_ref()?, false)?;
    Some(Certificate { at_least: Some(at_least), at_most: Some(at_most), ..head })
}

/// An upper bound for the size of the plans that these tests write out.
const MOST_WRITTEN_OUT: usize = 10_000_000;

/// Writes a plan down again, for another value.
struct Measure<'a, R> {
    head: &'a Certificate,
    referee: &'a mut R,
    promised: Score,
    least: Depth,
}

impl<R> Measure<'_, R> {
    fn step<G: Game>(
        &mut self,
        step: &Step,
        position: &G,
        (own, ply): (bool, usize),
        depth: Depth,
    ) -> Option<Step>
    where
        R: Referee<G>,
    {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let after = |mv: G::Move| {
            let mut child = position.clone();
            child.play(mv);
            child
        };
        let named = |name: &Name, referee: &R| {
            moves.iter().copied().find(|mv| *referee.name(position, *mv) == **name)
        };
        Some(match step {
            Step::Own { mv, next, .. } => {
                let played = named(mv, self.referee)?;
                let mut options = Vec::new();
                for other in moves.iter().copied().filter(|other| *other != played) {
                    let child = after(other);
                    let value = match child.is_over() {
                        true => child.outcome().score(ply + 1),
                        false => self.referee.value(&child, Window::FULL, &mut Work::unlimited()).ok()?,
                    };
                    if -value > self.promised - self.head.margin {
                        options.push(self.referee.name(position, other).into());
                    }
                }
                let depth = depth + self.head.safety_of(options.len());
                let next = self.step(next, &after(played), (!own, ply + 1), depth)?;
                Step::Own { mv: mv.clone(), options, next: Box::new(next) }
            }
            Step::Other(replies) => {
                let mut measured = Vec::with_capacity(replies.len());
                for (name, next) in replies {
                    let mv = named(name, self.referee)?;
                    measured.push((name.clone(), self.step(next, &after(mv), (!own, ply + 1), depth)?));
                }
                Step::Other(measured)
            }
            Step::Leaf { value, .. } | Step::Over { value } if *value < self.promised => return None,
            Step::Leaf { value, .. } => {
                self.least = self.least.min(depth);
                Step::Leaf { value: *value, depth }
            }
            Step::Over { value } => Step::Over { value: *value },
            Step::Same(_) => return None,
        })
    }
}

/// Whether the plans of a certificate together establish its value, by the definition (McAllester &
/// Yuret 1993, §7): the value of each plan is that value, and each leaf of either plan is a leaf of the
/// tree that both form together. This is for tests: it examines all lines, where a checker follows only
/// one.
pub fn establishes_its_value(certificate: &Certificate) -> bool {
    fn lines<'a>(
        step: &'a Step,
        line: &mut Vec<&'a Name>,
        inner: &mut HashSet<Vec<&'a Name>>,
        ends: &mut HashSet<Vec<&'a Name>>,
    ) {
        let mut below = |mv: &'a Name, next: &'a Step| {
            line.push(mv);
            lines(next, line, inner, ends);
            line.pop();
        };
        match step {
            Step::Own { mv, next, .. } => below(mv, next),
            Step::Other(replies) => replies.iter().for_each(|(mv, next)| below(mv, next)),
            Step::Leaf { .. } | Step::Over { .. } | Step::Same(_) => {
                ends.insert(line.clone());
                return;
            }
        }
        inner.insert(line.clone());
    }
    let Some(certificate) = certificate.written_out(MOST_WRITTEN_OUT) else { return false };
    let (Some(least), Some(most)) = (&certificate.at_least, &certificate.at_most) else { return false };
    let of = |plan: &'_ Plan| worst(&plan.root);
    let values = of(least) == Some(certificate.value) && of(most) == Some(-certificate.value);
    let [mut inner_least, mut ends_least, mut inner_most, mut ends_most] = [(); 4].map(|()| HashSet::new());
    lines(&least.root, &mut Vec::new(), &mut inner_least, &mut ends_least);
    lines(&most.root, &mut Vec::new(), &mut inner_most, &mut ends_most);
    values && ends_least.is_disjoint(&inner_most) && ends_most.is_disjoint(&inner_least)
}

/// Returns the values that plans of two searches hold at the same time: from the value of the second's
/// plan for at most to that of the first's plan for at least.
pub fn common_values(first: &Certificate, second: &Certificate) -> Option<(Score, Score)> {
    let upper = worst(&first.at_least.as_ref()?.root)?;
    let lower = -worst(&second.at_most.as_ref()?.root)?;
    (lower <= upper).then_some((lower, upper))
}
