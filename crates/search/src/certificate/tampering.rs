//! Ways to tamper with a certificate, for the tests of checkers: each must be refused.

use super::{Certificate, Name, Step};
use crate::{Depth, Score};

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
}

impl Tampering {
    /// All of them.
    pub const ALL: [Tampering; 14] = [
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
    }
}
