//! Plan safety: how deep a plan each side has, shown within a stated effort.
//!
//! The side to move wants to hold its value: is it worth at least v − δ? The other side wants to hold
//! its own: is it worth at most v + δ? Each is one question of alpha-beta-conspiracy search, asked for
//! increasing depths. A move adds the more to the depth of a plan, the more other moves would have held
//! as well.
//!
//! *Reference:* McAllester & Yuret 1993, §5 to §7.
//! *Deviations:* δ is a difference of win probabilities. Static values are those of standing pat or
//! capturing (§8): if it takes a quiet move to see that a value holds, the plan is shown only where it
//! is deep enough to see that move. Where v − δ is not positive there is nothing to hold, and no plan is
//! searched for: any plan would do, so that its depth would be meaningless.

use crate::score_of;
use cassius_chess::evaluation::Evaluation;
use cassius_chess::{Position, certificate};
use cassius_search::alpha_beta::horizon::Abc;
use cassius_search::plans::certificate::{Certificate, Claim, Plan};
use cassius_search::{Depth, Nodes, Score, Table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The safety of one side's plan. The default is that of a side with nothing to hold.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct PlanSafety {
    /// The minimum win probability of its side that the plan keeps; 0 if there is [nothing to
    /// hold](PlanSafety::nothing_to_hold).
    pub least: f64,
    /// The depth of the deepest plan that was shown, in own moves with all the options one could wish
    /// for; `None` if no plan was shown. It is a lower bound: more nodes may show more.
    pub depth: Option<f64>,
    /// Whether every line of that plan has a certain end: the end of the game, or a repetition.
    pub certain: bool,
    /// The depth of the deepest opposing plan that was shown, if any.
    pub against: Option<f64>,
    /// The plan's least safe line, in standard algebraic notation: where it would break.
    pub critical: Vec<String>,
    /// The greatest depth to which the question was answered within the effort.
    pub answered: f64,
    /// The certificates of the plan and of the opponent's plan, which can be replayed. They are not
    /// serialized, and are `None` after deserialization.
    #[serde(skip)]
    pub certificates: [Option<Certificate>; 2],
}

impl PlanSafety {
    /// Whether its side is already lost, or about to be mated: then no plan was searched for.
    ///
    /// ```
    /// use cassius_chess::Position;
    /// use cassius_insight::{Analyst, Effort};
    ///
    /// let position: Position = "7k/8/8/8/8/8/8/KQ6 w - - 0 1".parse()?;
    /// let mut analyst = Analyst::new(Effort { plan_nodes: 100, ..Effort::default() }, 1)?;
    /// let (black, nodes) = analyst.plan(&position, 0.97, false);
    /// assert!(black.nothing_to_hold() && black.depth.is_none() && nodes == 0);
    /// assert!(!analyst.plan(&position, 0.97, true).0.nothing_to_hold());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nothing_to_hold(&self) -> bool {
        self.least <= 0.0
    }
}

/// The plans of both sides for the value of one position.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Plans {
    /// The plan of the side to move, for at least v − δ.
    pub own: PlanSafety,
    /// The plan of the other side, for at most v + δ.
    pub other: PlanSafety,
    /// Nodes searched.
    pub nodes: u64,
}

/// Searches for a plan of the side to move, or of the other side, that keeps a win probability of at
/// least `least` for it. The search is limited to the depth `most` and to `nodes` nodes. Also returns
/// the number of nodes searched.
pub(crate) fn plan(
    position: &Position,
    (own, least): (bool, f64),
    (nodes, most): (u64, Depth),
    (evaluation, table): (&Evaluation, &Table),
) -> (PlanSafety, u64) {
    if nodes == 0 {
        return (PlanSafety { least, ..PlanSafety::default() }, 0);
    }
    table.clear();
    let at_least = if own { score_of(least) } else { score_of(1.0 - least) + Score(1) };
    let claim = Claim { at_least, step: Depth(Depth::PLY.0 / 4), most, abc: Abc::default() };
    let shown = certificate::deepest(position, &claim, evaluation, table.clone(), &Nodes(nodes));
    let (mine, theirs) = if own { (shown.held, shown.broken) } else { (shown.broken, shown.held) };
    let (plan, against) = (written(&mine, own), written(&theirs, !own));
    let weakest = plan.as_ref().and_then(Plan::weakest);
    let safety = PlanSafety {
        least,
        depth: plan.as_ref().map(|plan| in_moves(plan.depth, most)),
        certain: plan.is_some_and(|plan| plan.depth == Depth::CERTAIN),
        against: against.map(|plan| in_moves(plan.depth, most)),
        critical: weakest.map_or(Vec::new(), |(line, ..)| san(position, &line)),
        answered: shown.answered.to_f64(),
        certificates: [mine, theirs],
    };
    (safety, shown.nodes)
}

/// Returns the plan in a certificate: that of the side to move for at least its value, or that of the
/// other side for at most.
fn written(certificate: &Option<Certificate>, at_least: bool) -> Option<Plan> {
    let certificate = certificate.as_ref()?;
    if at_least { certificate.at_least.clone() } else { certificate.at_most.clone() }
}

/// Converts a depth to own moves. A certain plan counts as the maximum depth requested, and so does one that
/// goes on beyond it.
fn in_moves(depth: Depth, most: Depth) -> f64 {
    depth.min(most).to_f64()
}

fn san(position: &Position, line: &[Box<str>]) -> Vec<String> {
    use cassius_search::Game as _;
    let mut position = position.clone();
    let mut moves = Vec::new();
    for name in line {
        let Ok(mv) = position.parse_uci(name) else { break };
        moves.push(position.san(mv));
        position.play(mv);
    }
    moves
}
