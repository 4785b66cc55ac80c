//! Checks certificates: replays a certificate with the rules and the evaluation, and returns what it
//! establishes.
//!
//! *Reference:* McAllester & Yuret 1993, §4 to §6: the definition of a strategy, the definition of
//! options, and what they add to its depth.
//! *Deviations:* see [`Certificate`].
//! *Soundness:* nothing of the search is used except the rules and the evaluation that both have in
//! common. What the certificate states – moves, options, values, depths – is compared with the rules,
//! the [`Referee`] and the definitions.

use super::written_out::Positions;
use super::{Certificate, Name, Plan, Step, Work, WorkLimit};
use crate::depth::Depth;
use crate::game::Game;
use crate::score::Score;
use crate::window::Window;
use std::collections::HashMap;
use std::fmt;

/// What a checker needs to know about a game beyond its rules.
pub trait Referee<G: Game> {
    /// Returns the static value of a position with moves, for the side to move. It is exact within the
    /// window and a bound outside. Spends the cost of finding it, in positions and their moves, from
    /// `work`.
    ///
    /// # Errors
    /// If not enough work is left.
    fn value(&mut self, position: &G, window: Window, work: &mut Work) -> Result<Score, WorkLimit>;

    /// Whether the game goes on in a position that has no moves. This occurs in a tree that is only
    /// partly written out. A line that reaches such a position ends as one that was not searched any
    /// further, and the position's [outcome](Game::outcome) is its static value.
    fn goes_on(&self, position: &G) -> bool {
        let _ = position;
        false
    }

    /// Returns the name of a legal move, without white space. Different moves of a position have
    /// different names.
    fn name(&self, position: &G, mv: G::Move) -> String;

    /// Whether two positions are the same, so that everything that follows is the same, except for
    /// repetitions. Then parts that two lines share are checked once. It is always correct to return
    /// false.
    fn same(&self, one: &G, other: &G) -> bool {
        let _ = (one, other);
        false
    }

    /// Returns a key that repeated positions have in common, and how many of the last plies could be
    /// repeated. It is needed for games in which draws depend on the line and in which
    /// [`same`](Referee::same) may return true.
    fn repetition(&self, position: &G) -> (u64, usize) {
        let _ = position;
        (0, 0)
    }

    /// Whether the last position of a line is drawn although it has moves, by repetition or by rule.
    fn is_drawn(&self, line: &[G]) -> bool {
        let _ = line;
        false
    }
}

/// What a certificate establishes.
#[derive(Clone, Debug, PartialEq)]
pub struct Established {
    /// The value is at least what the certificate says, for the side to move.
    pub at_least: Option<Held>,
    /// The value is at most what the certificate says, for the side to move.
    pub at_most: Option<Held>,
    /// The line that both plans have in common, if it ends in the same leaf of both. In that case the
    /// value of each plan is exactly that of the certificate, and together they establish it (§7).
    /// Otherwise the certificate shows one bound, or two.
    pub common: Option<Vec<Name>>,
}

/// How a certificate is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checking {
    /// The greatest amount of work, in positions and their moves; see [`Work`].
    pub work: u64,
    /// Whether two plans may be two bounds. If not, they must establish one value as in §7: each plan's
    /// value is that of the certificate, and the line that they have in common ends in a leaf of both.
    pub bounds: bool,
}

impl Checking {
    /// The work that any certificate may cost.
    pub const WORK: u64 = 20_000_000;
    /// The additional work for each byte of its [size](Certificate::size).
    pub const WORK_PER_BYTE: u64 = 200;

    /// Returns the customary check for a certificate of this size: two plans must establish one value,
    /// and the work limit is several times what correct certificates need.
    pub fn customary(certificate: &Certificate) -> Checking {
        Checking { work: Self::WORK + Self::WORK_PER_BYTE * certificate.size() as u64, bounds: false }
    }
}

/// A plan that holds the value it promises.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The depth of its least safe line; [`Depth::CERTAIN`] if every line is certain.
    pub depth: Depth,
    /// The first of the least safe lines, where the plan is weakest.
    pub weakest: Vec<Name>,
    /// The value for the owner at the end of that line.
    pub weakest_value: Score,
    /// The number of lines that end by a static value.
    pub leaves: usize,
    /// The number of lines that end for certain.
    pub over: usize,
}

/// The first error in a certificate.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Whether the error is in the plan for at least the value. Otherwise it is in the plan for at most
    /// the value.
    pub at_least: bool,
    /// The moves from the first position to the one with the error.
    pub line: Vec<Name>,
    /// The kind of error.
    pub problem: Problem,
}

/// The kinds of errors in a position of a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// The move is not legal here.
    NotLegal(Name),
    /// The plan does not answer this move of the other side.
    NotAnswered(Name),
    /// The plan answers this move of the other side twice.
    AnsweredTwice(Name),
    /// A move is named as an option but does not hold the value.
    NoOption(Name),
    /// A move is named as an option twice.
    OptionTwice(Name),
    /// The side to move is not the one that the plan says.
    OtherSideMoves,
    /// The plan continues although the line is over.
    GoesOn,
    /// The plan says that the line is over where it is not.
    NotOver,
    /// The value at the end of the line is not the one stated.
    Value {
        /// The value in the certificate.
        stated: Score,
        /// The value according to the referee.
        found: Score,
    },
    /// The end of the line does not hold what the plan promises.
    TooLittle {
        /// The value for the owner.
        value: Score,
        /// The promised value.
        promised: Score,
    },
    /// The depth of the line is not the one stated.
    Depth {
        /// The depth in the certificate.
        stated: Depth,
        /// The depth according to the options.
        found: Depth,
    },
    /// The depth of the plan, which is that of its least safe line, is not the one stated.
    PlanDepth {
        /// The depth in the certificate.
        stated: Depth,
        /// The depth according to the options.
        found: Depth,
    },
    /// The certificate has no plan.
    NoPlan,
    /// The game is over in the first position, or the plan ends there.
    NothingToShow,
    /// The line is longer than any search.
    TooLong,
    /// The reference does not lead to an earlier position with which the plan could continue.
    NoSuchPosition(usize),
    /// Two moves have the same name.
    SameName(Name),
    /// Each plan holds its bound, but they are not plans for one value: here one plan ends and the other
    /// continues, or its end is worth more than the value.
    TwoBounds,
    /// The work limit was reached before the certificate was checked to its end.
    WorkLimit(u64),
    /// The depth of the line is out of range.
    TooDeep,
    /// What the certificate says before its plans is out of range.
    Terms(&'static str),
}

impl Problem {
    /// Whether the error is in one of the plans, not in what stands before them or in both together.
    pub fn is_in_plan(&self) -> bool {
        !matches!(self, Problem::TwoBounds | Problem::NoPlan | Problem::Terms(_))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let as_written = |depth: &Depth| match *depth {
            Depth::CERTAIN => "certain".to_string(),
            depth => depth.0.to_string(),
        };
        match self {
            Problem::NotLegal(mv) => write!(f, "{mv} is not legal"),
            Problem::NotAnswered(mv) => write!(f, "{mv} is not answered"),
            Problem::AnsweredTwice(mv) => write!(f, "{mv} is answered twice"),
            Problem::NoOption(mv) => write!(f, "{mv} is listed as an option but does not hold the value"),
            Problem::OptionTwice(mv) => write!(f, "{mv} is listed as an option twice"),
            Problem::OtherSideMoves => f.write_str("the other side is to move here"),
            Problem::GoesOn => f.write_str("the plan continues where the line is over"),
            Problem::NotOver => f.write_str("the line is not over here"),
            Problem::Value { stated, found } => write!(f, "the value here is {}, not {}", found.0, stated.0),
            Problem::TooLittle { value, promised } => {
                write!(f, "the value here is {}, less than the {} promised", value.0, promised.0)
            }
            Problem::Depth { stated, found } => {
                write!(f, "the depth here is {}, not {}", as_written(found), as_written(stated))
            }
            Problem::PlanDepth { stated, found } => {
                write!(f, "its depth is {}, not {}", as_written(found), as_written(stated))
            }
            Problem::NoPlan => f.write_str("the certificate has no plan"),
            Problem::NothingToShow => f.write_str("the game is over here, or the plan ends here"),
            Problem::TooLong => write!(f, "the line is longer than {} plies", crate::alpha_beta::MAX_PLY),
            Problem::NoSuchPosition(number) => {
                write!(
                    f,
                    "position {number} is no earlier one outside this line, or the plan ends there: it \
                     cannot continue from it"
                )
            }
            Problem::SameName(mv) => write!(f, "two moves have the name {mv}"),
            Problem::TwoBounds => f.write_str(
                "one plan ends here and the other does not, or not with the value: they are two bounds and \
                 do not establish a value",
            ),
            Problem::WorkLimit(most) => {
                write!(f, "the check stopped at the work limit of {most} positions and moves")
            }
            Problem::TooDeep => f.write_str("the depth of this line is too large"),
            Problem::Terms(what) => f.write_str(what),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            problem @ (Problem::Terms(_) | Problem::NoPlan) => return write!(f, "{problem}"),
            Problem::TwoBounds => f.write_str("both plans")?,
            _ => write!(f, "plan for at {}", if self.at_least { "least" } else { "most" })?,
        }
        match self.line.is_empty() {
            _ if matches!(self.problem, Problem::PlanDepth { .. }) => {}
            true => f.write_str(", first position")?,
            false => write!(f, ", after {}", self.line.join(" "))?,
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for Fault {}

/// Replays a certificate for `position` with the [customary](Checking::customary) work limit, and
/// returns what it establishes: a value if it has both plans, a bound if it has one.
///
/// # Errors
/// Returns the first error and its place.
pub fn check<G: Game>(
    position: &G,
    certificate: &Certificate,
    referee: &mut impl Referee<G>,
) -> Result<Established, Fault> {
    check_as(position, certificate, referee, &Checking::customary(certificate))
}

/// Replays a certificate like [`check`](fn@check), with other settings.
///
/// # Errors
/// Returns the first error and its place.
pub fn check_as<G: Game>(
    position: &G,
    certificate: &Certificate,
    referee: &mut impl Referee<G>,
    how: &Checking,
) -> Result<Established, Fault> {
    let mut work = Work::new(how.work);
    let mut replay = |at_least: bool, plan: &Option<Plan>| -> Result<Option<Held>, Fault> {
        let Some(plan) = plan else { return Ok(None) };
        let promised = if at_least { certificate.value } else { -certificate.value };
        let positions = Positions::of(plan);
        let target = |(at, step): (usize, &&Step)| match step {
            Step::Same(number) => positions.target(at, *number),
            _ => None,
        };
        let shared =
            positions.steps.iter().enumerate().filter_map(target).map(|target| (target, None)).collect();
        let mut replay = Replay {
            certificate,
            referee,
            work: &mut work,
            promised,
            line: vec![position.clone()],
            moves: Vec::new(),
            below: vec![Below::NOTHING; positions.steps.len()],
            shared,
            positions,
        };
        let done = replay.plan(plan, at_least);
        let held = done.map_err(|problem| {
            let problem = if problem == SPENT { Problem::WorkLimit(how.work) } else { problem };
            Fault { at_least, line: replay.moves, problem }
        })?;
        Ok(Some(held))
    };
    let whole = |problem| Fault { at_least: true, line: Vec::new(), problem };
    terms(certificate).map_err(whole)?;
    if certificate.at_least.is_none() && certificate.at_most.is_none() {
        return Err(whole(Problem::NoPlan));
    }
    let mut plans = certificate.at_least.iter().chain(&certificate.at_most);
    let refers = |plan: &Plan| plan.root.positions().any(|step| matches!(step, Step::Same(_)));
    if certificate.version < 2 && plans.any(refers) {
        return Err(whole(Problem::Terms("version 1 has no references (`= N`)")));
    }
    let at_least = replay(true, &certificate.at_least)?;
    let at_most = replay(false, &certificate.at_most)?;
    let common = match (&certificate.at_least, &certificate.at_most) {
        (Some(least), Some(most)) => match common_line(certificate.value, least, most) {
            Err(_) if how.bounds => None,
            Err(line) => return Err(Fault { at_least: true, line, problem: Problem::TwoBounds }),
            Ok(line) => Some(line),
        },
        _ => None,
    };
    Ok(Established { at_least, at_most, common })
}

/// A placeholder for the work limit, until its amount is filled in.
const SPENT: Problem = Problem::WorkLimit(0);

impl From<WorkLimit> for Problem {
    fn from(_: WorkLimit) -> Problem {
        SPENT
    }
}

/// Returns the line that two plans have in common. There is only one such line, because wherever a side
/// moves, its own plan has one move and the other plan has an answer to it. §7 requires every leaf of a
/// plan to be a leaf of the tree that both plans form together, so the line must end in both plans at
/// the same time. The value there is at least that of one plan and at most that of the other. Both must
/// be `value`, so the value at the end must be `value` too; and if it is, the plans establish it.
///
/// # Errors
/// Returns the line up to the point where this does not hold.
fn common_line(value: Score, at_least: &Plan, at_most: &Plan) -> Result<Vec<Name>, Vec<Name>> {
    let mut line = Vec::new();
    let positions = [Positions::of(at_least), Positions::of(at_most)];
    let mut places = [0, 0];
    let worth = |step: &Step| match step {
        Step::Leaf { value, .. } | Step::Over { value } => Some(*value),
        _ => None,
    };
    loop {
        for (place, positions) in places.iter_mut().zip(&positions) {
            if let Step::Same(number) = positions.steps[*place] {
                *place = positions.target(*place, *number).ok_or_else(|| line.clone())?;
            }
        }
        let [least, most] = [0, 1].map(|plan| positions[plan].steps[places[plan]]);
        let (mv, replies, answering) = match (least, most) {
            (Step::Own { mv, .. }, Step::Other(replies)) => (mv, replies, 1),
            (Step::Other(replies), Step::Own { mv, .. }) => (mv, replies, 0),
            _ if worth(least) == Some(value) && worth(most) == Some(-value) => return Ok(line),
            _ => return Err(line),
        };
        let Some(reply) = replies.iter().position(|(reply, _)| reply == mv) else { return Err(line) };
        line.push(mv.clone());
        places[1 - answering] += 1;
        let ends = &positions[answering].ends;
        places[answering] = (0..reply).fold(places[answering] + 1, |next, _| ends[next]);
    }
}

/// Checks that the value, the margin δ and the safety S are in their ranges.
fn terms(certificate: &Certificate) -> Result<(), Problem> {
    let Certificate { value, margin, safety, .. } = certificate;
    if !(-Score::WIN..=Score::WIN).contains(value) {
        return Err(Problem::Terms("value: beyond an immediate win or loss"));
    }
    if !(Score(1)..=Score::INFINITE).contains(margin) {
        return Err(Problem::Terms("margin: must be a score above 0"));
    }
    if safety.first() < Some(&Depth::ZERO) || safety.windows(2).any(|pair| pair[0] > pair[1]) {
        return Err(Problem::Terms("safety: must be at least 0 and must not decrease"));
    }
    match safety.last() <= Some(&Depth::PLY) {
        true => Ok(()),
        false => Err(Problem::Terms("safety: must not be above 240, which is a whole ply")),
    }
}

/// What has been found about a plan from one of its positions on.
#[derive(Clone, Copy)]
struct Below {
    /// The depth of the least safe line from there on.
    depth: Depth,
    /// The index of the reply that leads to it.
    reply: usize,
    /// The value for the owner at the end of it.
    value: Score,
    leaves: usize,
    over: usize,
    /// Whether a line is drawn by repetition.
    leans: bool,
    /// The key that identifies repetitions of the position, and how many plies back they may be.
    key: u64,
    back: usize,
}

impl Below {
    const NOTHING: Below = Below {
        depth: Depth::CERTAIN,
        reply: 0,
        value: Score::INFINITE,
        leaves: 0,
        over: 0,
        leans: false,
        key: 0,
        back: 0,
    };
}

struct Replay<'a, G, R> {
    certificate: &'a Certificate,
    referee: &'a mut R,
    work: &'a mut Work,
    /// The value that the owner of the plan is promised.
    promised: Score,
    /// The positions from the first to the present one.
    line: Vec<G>,
    /// The moves between the positions. After an error, the moves that lead to it.
    moves: Vec<Name>,
    positions: Positions<'a>,
    /// What has been found from each position of the plan on.
    below: Vec<Below>,
    /// For each position of the plan that references lead to: the game position in which it was
    /// replayed, and the number of plies before it.
    shared: HashMap<usize, Option<(G, usize)>>,
}

impl<G: Game, R: Referee<G>> Replay<'_, G, R> {
    fn plan(&mut self, plan: &Plan, own: bool) -> Result<Held, Problem> {
        if self.line[0].is_over() || !matches!(plan.root, Step::Own { .. } | Step::Other(_)) {
            return Err(Problem::NothingToShow);
        }
        let Below { depth, value, leaves, over, .. } = self.step(0, own, Depth::ZERO, true)?;
        let weakest = self.weakest();
        match depth == plan.depth {
            true => Ok(Held { depth, weakest, weakest_value: value, leaves, over }),
            false => {
                self.moves = weakest;
                Err(Problem::PlanDepth { stated: plan.depth, found: depth })
            }
        }
    }

    /// Returns the first of the least safe lines of a plan that was replayed.
    fn weakest(&self) -> Vec<Name> {
        let (mut line, mut at) = (Vec::new(), 0);
        loop {
            match self.positions.steps[at] {
                Step::Own { mv, .. } => {
                    line.push(mv.clone());
                    at += 1;
                }
                Step::Other(replies) => {
                    let reply = self.below[at].reply;
                    line.push(replies[reply].0.clone());
                    at = (0..reply).fold(at + 1, |next, _| self.positions.ends[next]);
                }
                Step::Same(number) => match self.positions.target(at, *number) {
                    Some(target) => at = target,
                    None => return line,
                },
                Step::Leaf { .. } | Step::Over { .. } => return line,
            }
        }
    }

    fn position(&self) -> &G {
        self.line.last().expect("a line has a first position")
    }

    /// Whether the game goes on in a position without moves. In version 1 it never does.
    fn goes_on(&self, position: &G) -> bool {
        self.certificate.version > 1 && self.referee.goes_on(position)
    }

    /// Converts a value for the side to move into a value for the owner of the plan, or the other way
    /// round. `own` says whether the owner is to move.
    fn seen_by_owner(own: bool, value: Score) -> Score {
        if own { value } else { -value }
    }

    /// Returns the value of the present position for the owner, if the line is over there.
    fn over(&self, own: bool) -> Option<Score> {
        let ply = self.line.len() - 1;
        let position = self.position();
        if position.is_over() && !self.goes_on(position) {
            return Some(Self::seen_by_owner(own, position.outcome().score(ply)));
        }
        (ply > 0 && self.referee.is_drawn(&self.line)).then_some(Score::DRAW)
    }

    /// Replays the plan from its position `at` on. `own` says whether the owner is to move, and `depth`
    /// is the depth of the line so far. `written` says whether this is the line on which the position is
    /// written, not a line that refers to it.
    fn step(&mut self, at: usize, own: bool, depth: Depth, written: bool) -> Result<Below, Problem> {
        if self.line.len() > crate::alpha_beta::MAX_PLY + 1 {
            return Err(Problem::TooLong);
        }
        self.work.spend(1 + self.line.len() / 8)?;
        let step = self.positions.steps[at];
        if let Step::Same(number) = step {
            return self.refer(at, *number, own, depth);
        }
        let over = self.over(own);
        let below = match step {
            Step::Over { value } => {
                // No side can lose sooner than at once.
                let at_once = Score::loss_in(self.line.len() - 1);
                let found = over.or((self.promised <= at_once).then_some(at_once)).ok_or(Problem::NotOver)?;
                let alone = std::slice::from_ref(self.position());
                let leans = over.is_some() && !self.position().is_over() && !self.referee.is_drawn(alone);
                self.end(*value, found)?;
                Below { value: found, over: 1, leans, ..Below::NOTHING }
            }
            _ if over.is_some() => return Err(Problem::GoesOn),
            Step::Leaf { value, depth: stated } => {
                let found = self.leaf_value(own, *value)?;
                if depth >= Depth::CERTAIN {
                    return Err(Problem::TooDeep);
                }
                if written && *stated != depth {
                    return Err(Problem::Depth { stated: *stated, found: depth });
                }
                self.end(*value, found)?;
                Below { depth: Depth::ZERO, value: found, leaves: 1, ..Below::NOTHING }
            }
            _ if self.position().is_over() => return Err(Problem::GoesOn),
            Step::Own { mv, options, .. } => {
                if !own {
                    return Err(Problem::OtherSideMoves);
                }
                let played = self.options(mv, options)?;
                let safety = self.certificate.safety_of(options.len());
                let below = self.go_on(played, mv, at + 1, own, depth + safety, written)?;
                match below.depth {
                    Depth::CERTAIN => below,
                    below_it => Below { depth: safety + below_it, ..below },
                }
            }
            Step::Other(replies) => {
                if own {
                    return Err(Problem::OtherSideMoves);
                }
                let moves = self.answered(replies)?;
                let (mut next, mut all) = (at + 1, Below::NOTHING);
                for (reply, (mv, (name, _))) in moves.into_iter().zip(replies).enumerate() {
                    let below = self.go_on(mv, name, next, own, depth, written)?;
                    next = self.positions.ends[next];
                    all.leaves = all.leaves.saturating_add(below.leaves);
                    all.over = all.over.saturating_add(below.over);
                    all.leans |= below.leans;
                    if reply == 0 || below.depth < all.depth {
                        (all.depth, all.value, all.reply) = (below.depth, below.value, reply);
                    }
                }
                all
            }
            Step::Same(_) => return Err(Problem::NoSuchPosition(0)), // has been followed above
        };
        if !written {
            return Ok(below);
        }
        let (key, back) = self.referee.repetition(self.position());
        self.below[at] = Below { key, back, ..below };
        let (position, ply) = (self.line.last().expect("a line has a first position"), self.line.len() - 1);
        self.shared.entry(at).and_modify(|known| *known = Some((position.clone(), ply)));
        Ok(below)
    }

    /// Continues as from the position with this number. That position is replayed again, unless the game
    /// position is the same after the same number of plies, the line is not over in it, and no draw by
    /// repetition makes a difference.
    fn refer(&mut self, at: usize, number: usize, own: bool, depth: Depth) -> Result<Below, Problem> {
        let target = self.positions.target(at, number).ok_or(Problem::NoSuchPosition(number))?;
        let is_known = match self.shared.get(&target) {
            Some(Some((position, ply))) => {
                *ply == self.line.len() - 1
                    && self.referee.same(position, self.position())
                    && !self.below[target].leans
            }
            _ => false,
        };
        let whose = matches!(self.positions.steps[target], Step::Own { .. }) == own;
        if !whose || !is_known || self.over(own).is_some() || self.repeats(target)? {
            // On this line a different game position stands there than where the plan is written.
            return Ok(Below { leans: true, ..self.step(target, own, depth, false)? });
        }
        Ok(self.below[target])
    }

    /// Whether one of the positions that follow `target` has occurred on the line before the present
    /// position.
    fn repeats(&mut self, target: usize) -> Result<bool, Problem> {
        let (_, back) = self.referee.repetition(self.position());
        let (_, before) = self.line.split_last().expect("a line has a first position");
        let reach = back.min(before.len());
        let keys: Vec<u64> = before[before.len() - reach..]
            .iter()
            .map(|position| self.referee.repetition(position).0)
            .collect();
        if keys.is_empty() {
            return Ok(false);
        }
        let mut ahead = vec![(target, 0)];
        while let Some((at, after)) = ahead.pop() {
            self.work.spend(1)?;
            if let Step::Same(number) = self.positions.steps[at] {
                ahead.extend(self.positions.target(at, *number).map(|target| (target, after)));
                continue;
            }
            let Below { key, back, .. } = self.below[at];
            // From here on no ply back to the line is reversible, so no position of the line can recur.
            if after > 0 && back <= after {
                continue;
            }
            if after > 0 && keys.contains(&key) {
                return Ok(true);
            }
            match self.positions.steps[at] {
                Step::Own { .. } => ahead.push((at + 1, after + 1)),
                Step::Other(replies) => {
                    let mut next = at + 1;
                    for _ in replies {
                        ahead.push((next, after + 1));
                        next = self.positions.ends[next];
                    }
                }
                _ => {}
            }
        }
        Ok(false)
    }

    /// Returns the moves of the other side in the order of their answers. Each move must be answered
    /// exactly once.
    fn answered(&mut self, replies: &[(Name, Step)]) -> Result<Vec<G::Move>, Problem> {
        let legal = self.legal()?;
        let places = places(&legal);
        let mut answered = vec![false; legal.len()];
        let mut moves = Vec::with_capacity(replies.len());
        for (name, _) in replies {
            let place = *places.get(&**name).ok_or_else(|| Problem::NotLegal(name.clone()))?;
            if std::mem::replace(&mut answered[place], true) {
                return Err(Problem::AnsweredTwice(name.clone()));
            }
            moves.push(legal[place].0);
        }
        match answered.iter().position(|answered| !answered) {
            Some(place) => Err(Problem::NotAnswered(legal[place].1.as_str().into())),
            None => Ok(moves),
        }
    }

    /// Plays a legal move, replays the following step, and takes the move back.
    fn go_on(
        &mut self,
        mv: G::Move,
        name: &Name,
        next: usize,
        own: bool,
        depth: Depth,
        written: bool,
    ) -> Result<Below, Problem> {
        let mut child = self.position().clone();
        child.play(mv);
        self.line.push(child);
        self.moves.push(name.clone());
        let below = self.step(next, !own, depth, written)?;
        self.line.pop();
        self.moves.pop();
        Ok(below)
    }

    /// Returns the static value of the present position for the owner. A narrow window around the stated
    /// value is tried first, because it is cheaper.
    fn leaf_value(&mut self, own: bool, stated: Score) -> Result<Score, Problem> {
        let (ply, position) = (self.line.len() - 1, self.line.last().expect("a line has a first position"));
        if position.is_over() {
            return Ok(Self::seen_by_owner(own, position.outcome().score(ply)));
        }
        let stated = Self::seen_by_owner(own, stated);
        if !stated.is_decided() {
            let around = Window::new(stated - Score(1), stated + Score(1));
            if self.referee.value(position, around, self.work)? == stated {
                return Ok(Self::seen_by_owner(own, stated));
            }
        }
        Ok(Self::seen_by_owner(own, self.referee.value(position, Window::FULL, self.work)?))
    }

    /// Checks the value at the end of a line.
    fn end(&self, stated: Score, found: Score) -> Result<(), Problem> {
        if stated != found {
            return Err(Problem::Value { stated, found });
        }
        match found < self.promised {
            true => Err(Problem::TooLittle { value: found, promised: self.promised }),
            false => Ok(()),
        }
    }

    /// Returns the move of this name, and checks the options. Every move that is named as an option must
    /// hold the promised value and must be named once. A move that draws by rule holds a draw; repetitions
    /// are not looked for. Options that are not named do not matter, because the plan does not count them.
    fn options(&mut self, mv: &Name, named: &[Name]) -> Result<G::Move, Problem> {
        let legal = self.legal()?;
        let places = places(&legal);
        let bar = self.promised - self.certificate.margin;
        let ply = self.line.len();
        let played = *places.get(&**mv).ok_or_else(|| Problem::NotLegal(mv.clone()))?;
        let mut is_named = vec![false; legal.len()];
        for name in named {
            let place = *places.get(&**name).ok_or_else(|| Problem::NotLegal(name.clone()))?;
            if place == played {
                return Err(Problem::NoOption(mv.clone()));
            }
            if std::mem::replace(&mut is_named[place], true) {
                return Err(Problem::OptionTwice(name.clone()));
            }
            let mut child = self.position().clone();
            child.play(legal[place].0);
            let value = match child.is_over() {
                true => child.outcome().score(ply),
                false if self.referee.is_drawn(std::slice::from_ref(&child)) => Score::DRAW,
                // The only question is whether the value is below −bar.
                false => self.referee.value(&child, Window::above(-bar - Score(1)), self.work)?,
            };
            if -value <= bar {
                return Err(Problem::NoOption(name.clone()));
            }
        }
        Ok(legal[played].0)
    }

    /// Returns the legal moves and their names. The names must differ.
    fn legal(&mut self) -> Result<Vec<(G::Move, String)>, Problem> {
        let position = self.line.last().expect("a line has a first position");
        let mut moves = Vec::new();
        position.moves(&mut moves);
        self.work.spend(1 + moves.len())?;
        let legal: Vec<_> = moves.into_iter().map(|mv| (mv, self.referee.name(position, mv))).collect();
        let places = places(&legal);
        match legal.iter().enumerate().find(|(place, (_, name))| places[name.as_str()] != *place) {
            Some((_, (_, name))) => Err(Problem::SameName(name.as_str().into())),
            None => Ok(legal),
        }
    }
}

/// Maps each name to its index.
fn places<M>(legal: &[(M, String)]) -> HashMap<&str, usize> {
    legal.iter().enumerate().map(|(place, (_, name))| (name.as_str(), place)).collect()
}
