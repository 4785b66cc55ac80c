//! Finds the deepest plan that can be shown with a given effort for the claim that a position is worth
//! at least a given value.
//!
//! The question is asked for increasing depths. For each depth, one side has a plan of that depth: the
//! side to move for at least the value, or the other side for less. The deepest plan of each side is
//! kept.
//!
//! *Reference:* McAllester & Yuret 1993, §4 to §7: a null window asks which of the two plans exists.
//! Both are measured against the same value, so no list of bars is needed.
//! *Deviations:* those of [`certify`](fn@super::certify). The paper leaves open which depths to ask for.
//! Here depths grow in steps, and if a plan is deeper than was asked for, the steps that it has passed
//! are skipped.
//! *Soundness:* each plan is a certificate, which states its depth and can be checked.

use super::certify::{exact, write_down};
use super::{Certificate, Name, Plan, Referee, Step};
use crate::alpha_beta::draws::Draws;
use crate::alpha_beta::horizon::Abc;
use crate::alpha_beta::memory::Table;
use crate::alpha_beta::order::Order;
use crate::alpha_beta::{Request, search};
use crate::depth::{Depth, Depths};
use crate::game::{Evaluate, Keyed};
use crate::limits::{Limits, Patience};
use crate::score::Score;

/// The claim that [`deepest`] examines.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The value that the side to move is claimed to have at least.
    pub at_least: Score,
    /// The step by which the depth grows from one question to the next, in own moves with all their
    /// options.
    pub step: Depth,
    /// The greatest depth that is asked for.
    pub most: Depth,
    /// The settings of S and δ.
    pub abc: Abc,
}

/// The result of [`deepest`].
#[derive(Clone, Debug, Default)]
pub struct Deepest {
    /// The deepest plan of the side to move for at least the value.
    pub held: Option<Certificate>,
    /// The deepest plan of the other side for less than the value.
    pub broken: Option<Certificate>,
    /// The greatest depth asked for that was answered.
    pub answered: Depth,
    /// The number of nodes searched.
    pub nodes: u64,
}

impl Deepest {
    /// Returns the depth of the plan that holds the value; `None` if no plan is known.
    pub fn depth(&self) -> Option<Depth> {
        Some(self.held.as_ref()?.at_least.as_ref()?.depth)
    }

    /// Returns the depth of the other side's plan for less than the value.
    pub fn refuted(&self) -> Option<Depth> {
        Some(self.broken.as_ref()?.at_most.as_ref()?.depth)
    }
}

/// Asks whether `position` is worth as much as `claim` says, for increasing depths. Stops when `limits`
/// stop it, when the greatest depth is answered, or when a plan is certain. Nothing is shown if the game
/// is over.
pub fn deepest<G: Keyed, D: Draws<G>, O: Order<G>, E: Evaluate<G>>(
    position: &G,
    claim: &Claim,
    slots: (E, Table),
    limits: &dyn Limits,
    referee: &mut impl Referee<G>,
) -> Deepest {
    let mut slots = exact::<G, D, O, E>(claim.abc.clone(), slots);
    slots.aspiration.at_least = Some(claim.at_least);
    let mut shown = Deepest::default();
    let step = claim.step.max(Depth(1));
    let mut asked = step.min(claim.most);
    loop {
        slots.horizon = slots.horizon.asking(Depths::both(asked));
        let rest = Rest { limits, spent: shown.nodes };
        let request = Request::new(position, &rest).to_iteration(1);
        let answer = search(&mut slots, &request, &mut |_| {});
        shown.nodes += answer.nodes;
        if !answer.complete {
            return shown;
        }
        let patience = Patience::new(&rest);
        let written = write_down(&mut slots, position, referee, None, &patience);
        let Ok(Some(found)) = written else { return shown };
        let plan = found.at_least.as_ref().or(found.at_most.as_ref());
        let reached = plan.map_or(asked, |plan| plan.depth);
        let kept = if found.at_least.is_some() { &mut shown.held } else { &mut shown.broken };
        *kept = Some(found);
        shown.answered = asked.max(reached.min(claim.most));
        if shown.answered >= claim.most {
            return shown;
        }
        // A plan may be slightly less deep than was asked for. The next question is deeper in any case.
        asked += step;
        while asked <= reached {
            asked += step;
        }
        asked = asked.min(claim.most);
    }
}

/// The rest of the limits after some nodes have been spent.
struct Rest<'a> {
    limits: &'a dyn Limits,
    spent: u64,
}

impl Limits for Rest<'_> {
    fn poll(&self, nodes: u64) -> Option<u64> {
        Some(self.limits.poll(self.spent + nodes)? - self.spent)
    }

    fn ends_now(&self) -> bool {
        self.limits.ends_now()
    }
}

impl Plan {
    /// Returns the least safe line, its depth, and the owner's value at its end; `None` if every line is
    /// certain. Only lines that are [written out](Certificate::written_out) are considered, which is the
    /// case for all plans of [`deepest`](fn@deepest).
    pub fn weakest(&self) -> Option<(Vec<Name>, Depth, Score)> {
        let mut line = Vec::new();
        let mut weakest = None;
        descend(&self.root, &mut line, &mut weakest);
        weakest
    }
}

fn descend(step: &Step, line: &mut Vec<Name>, weakest: &mut Option<(Vec<Name>, Depth, Score)>) {
    match step {
        Step::Own { mv, next, .. } => {
            line.push(mv.clone());
            descend(next, line, weakest);
            line.pop();
        }
        Step::Other(replies) => {
            for (mv, next) in replies {
                line.push(mv.clone());
                descend(next, line, weakest);
                line.pop();
            }
        }
        Step::Leaf { value, depth } => {
            if weakest.as_ref().is_none_or(|(_, least, _)| depth < least) {
                *weakest = Some((line.clone(), *depth, *value));
            }
        }
        Step::Over { .. } | Step::Same(_) => {}
    }
}
