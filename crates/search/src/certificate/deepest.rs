//! How safely is a position worth at least so much? The deepest plan for it that can be shown with a given effort.
//!
//! The question is put for one depth after the other. Each time one side has a plan as deep as that: the side to move for at least the value, or
//! the other side for less. What is kept is the deepest plan of either.
//!
//! *Reference:* McAllester & Yuret 1993, §4 to §7: a minimal window asks which of the two plans there is, and both are measured against
//! the same value, so that it needs no list of bars.
//! *Deviations:* those of [`certify`](fn@super::certify). The paper leaves open how deep to ask; here depths grow by steps, and a plan that turns out deeper than
//! asked for skips those it has passed.
//! *Soundness:* each plan is a certificate: it says how deep it is, and can be checked.

use super::certify::{exact, write_down};
use super::{Certificate, Name, Plan, Referee, Step};
use crate::{
    Abc, Depth, Depths, Draws, Evaluate, Keyed, Limits, Order, Patience, Request, Score, Table, search,
};

/// What is asked of [`deepest`].
#[derive(Clone, Debug)]
pub struct Claim {
    /// The value that the side to move is to have at least.
    pub at_least: Score,
    /// By how much the depth grows from one question to the next, in own moves with all their options.
    pub step: Depth,
    /// The greatest depth that is asked for.
    pub most: Depth,
    /// What S and δ are.
    pub abc: Abc,
}

/// What [`deepest`] has shown.
#[derive(Clone, Debug, Default)]
pub struct Deepest {
    /// The deepest plan of the side to move for at least the value.
    pub held: Option<Certificate>,
    /// The deepest plan of the other side for less than the value.
    pub broken: Option<Certificate>,
    /// The greatest depth asked for to which there was an answer.
    pub answered: Depth,
    /// Nodes searched.
    pub nodes: u64,
}

impl Deepest {
    /// The depth of the plan that holds the value; none if none is known.
    pub fn depth(&self) -> Option<Depth> {
        Some(self.held.as_ref()?.at_least.as_ref()?.depth)
    }

    /// The depth of the other side's plan for less.
    pub fn refuted(&self) -> Option<Depth> {
        Some(self.broken.as_ref()?.at_most.as_ref()?.depth)
    }
}

/// Asks whether `position` is worth as much as `claim` says, for one depth after the other, until `limits` stop it, the greatest depth
/// is answered, or a plan is certain. Nothing is shown if the game is over.
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
        // A plan may be a little less deep than was asked for: the next question is deeper all the same.
        asked += step;
        while asked <= reached {
            asked += step;
        }
        asked = asked.min(claim.most);
    }
}

/// What is left of limits of which some has been spent.
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
    /// The least safe line of those that are [written out](Certificate::written_out), as all plans of [`deepest`](fn@deepest) are, its depth and what the owner gets at
    /// its end; none if every line is certain.
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
