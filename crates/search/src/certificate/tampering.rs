//! Ways to tamper with a certificate, for the tests of checkers: each must be refused.

use super::{Certificate, Name, Plan, Referee, Step, Work};
use crate::{Depth, Game, Score, Window};
use std::collections::HashSet;

/// Something that is not so any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tampering {
    /// A value that a plan does not hold.
    Value,
    /// The two plans are exchanged.
    Sides,
    /// The plan is deeper than it is.
    PlanDepth,
    /// A move of the other side is not answered.
    MoveLeftOut,
    /// A move of the other side is answered twice.
    MoveTwice,
    /// A move that is none is called an option.
    OptionInvented,
    /// An option is named twice, and another not at all.
    OptionTwice,
    /// An option gives way to a move that is not legal.
    OptionIllegal,
    /// An option is not named.
    OptionForgotten,
    /// A move that is not legal.
    IllegalMove,
    /// The end of a line has another value.
    LeafValue,
    /// A line is deeper than it is.
    LeafDepth,
    /// A line ends early.
    CutShort,
    /// A line that only ends is said to be over.
    CalledOver,
    /// A reference leads to another position.
    Elsewhere,
}

impl Tampering {
    /// All of them.
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

    /// Whether it is done to one position of a plan, which a checker must name.
    pub fn is_in_a_step(self) -> bool {
        !matches!(self, Tampering::Value | Tampering::Sides | Tampering::PlanDepth)
    }

    /// Tampers with one of the plans, if there is anything to tamper with; the moves that lead to the position
    /// that is wrong now.
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
                self.tamper(&mut plan.root, &mut line).then_some(line)
            }
        }
    }

    /// Tampers with the first step that allows it; whether there is one. `line` leads to it then.
    fn tamper(self, step: &mut Step, line: &mut Vec<Name>) -> bool {
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
            (Tampering::OptionForgotten, Step::Own { options, .. }) if !options.is_empty() => {
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
            (_, Step::Own { mv, next, .. }) => self.below(mv, next, line),
            (_, Step::Other(replies)) => replies.iter_mut().any(|(mv, next)| self.below(mv, next, line)),
            _ => false,
        }
    }

    fn below(self, mv: &Name, next: &mut Step, line: &mut Vec<Name>) -> bool {
        line.push(mv.clone());
        let done = self.tamper(next, line);
        if !done {
            line.pop();
        }
        done
    }
}

/// What a plan's owner gets at least, whatever it says; none if it has no end.
fn worst(step: &Step) -> Option<Score> {
    match step {
        Step::Own { next, .. } => worst(next),
        Step::Other(replies) => replies.iter().filter_map(|(_, next)| worst(next)).min(),
        Step::Leaf { value, .. } | Step::Over { value } => Some(*value),
        // What it refers to is counted where it stands.
        Step::Same(_) => None,
    }
}

/// Plans of two searches of `position` in one certificate: the first's for at least `value`, the second's for at most, with the options and
/// depths that they have for that value. None if one of them does not hold it. Each plan alone is right; whether they establish the value
/// together is another question ([`establishes_its_value`]).
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

/// No plan that these tests write out is larger.
const MOST_WRITTEN_OUT: usize = 10_000_000;

/// Writes a plan down once more, for another value.
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

/// Whether the plans of a certificate establish its value together, by the definition (McAllester & Yuret 1993, §7): the value of each is that value,
/// and each leaf of either is a leaf of the tree that both make. For tests: it looks at all lines, where a checker follows one.
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

/// The values that plans of two searches hold at the same time: from the second's for at most to the first's for at least.
pub fn common_values(first: &Certificate, second: &Certificate) -> Option<(Score, Score)> {
    let upper = worst(&first.at_least.as_ref()?.root)?;
    let lower = -worst(&second.at_most.as_ref()?.root)?;
    (lower <= upper).then_some((lower, upper))
}
