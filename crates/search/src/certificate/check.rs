//! The checker: replays a certificate with the rules and the evaluation, and says what it establishes.
//!
//! *Reference:* McAllester & Yuret 1993, §4 to §6: what a strategy is, which moves are options, and what they add to its depth.
//! *Deviations:* see [`Certificate`].
//! *Soundness:* nothing is taken from the search but the rules and the evaluation that both play by. What the certificate states – moves, options, values, depths – is
//! compared with what the rules, the [`Referee`] and the definitions say.

use super::{Certificate, Name, Plan, Step, Work, WorkLimit};
use crate::{Depth, Game, Score, Window};
use std::collections::HashMap;
use std::fmt;

/// What a checker is told about a game beyond its rules.
pub trait Referee<G: Game> {
    /// The static value of a position with moves, for the side to move: exact within the window, a bound of it outside. What it costs
    /// to find it, positions and their moves, is spent from `work`.
    ///
    /// # Errors
    /// If there is not so much left.
    fn value(&mut self, position: &G, window: Window, work: &mut Work) -> Result<Score, WorkLimit>;

    /// Whether the game goes on in a position that has no moves: as in a tree that is written out in part. A line that comes there ends as one
    /// that was not searched any further, and its value, the position's [outcome](Game::outcome), is a static one.
    fn goes_on(&self, position: &G) -> bool {
        let _ = position;
        false
    }

    /// What a legal move is called: a word of its own for each move of a position, without white space.
    fn name(&self, position: &G, mv: G::Move) -> String;

    /// Whether the last position of a line is drawn although it has moves: by repetition, by rule.
    fn is_drawn(&self, line: &[G]) -> bool {
        let _ = line;
        false
    }
}

/// What a certificate has been found to establish.
#[derive(Clone, Debug, PartialEq)]
pub struct Established {
    /// The value is at least what the certificate says, for the side to move.
    pub at_least: Option<Held>,
    /// The value is at most what the certificate says, for the side to move.
    pub at_most: Option<Held>,
    /// The line that both plans have in common, if it ends in the same leaf of both: then the value of each is exactly what the certificate
    /// says, and together they establish it (§7). Otherwise they are one bound, or two.
    pub common: Option<Vec<Name>>,
}

/// How a certificate is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checking {
    /// How much may be looked at, in positions and their moves; see [`Work`].
    pub work: u64,
    /// Whether two plans may be two bounds. If not, they must establish one value, as §7 has it: each plan's value is that of the certificate,
    /// and the line that they have in common ends in a leaf of both.
    pub bounds: bool,
}

impl Checking {
    /// What any certificate may cost …
    pub const WORK: u64 = 2_000_000;
    /// … and for each byte of its [size](Certificate::size).
    pub const WORK_PER_BYTE: u64 = 200;

    /// As is customary for a certificate of this size: with a value, and with several times the work that honest ones need.
    pub fn customary(certificate: &Certificate) -> Checking {
        Checking { work: Self::WORK + Self::WORK_PER_BYTE * certificate.size() as u64, bounds: false }
    }
}

/// A plan that holds what it promises.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The depth of its least safe line; [`Depth::CERTAIN`] if every line is certain.
    pub depth: Depth,
    /// The first of the least safe lines: where the plan would break.
    pub weakest: Vec<Name>,
    /// What its owner gets at the end of that line.
    pub weakest_value: Score,
    /// How many lines end by a static value …
    pub leaves: usize,
    /// … and how many for certain.
    pub over: usize,
}

/// The first thing in a certificate that is not so.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Whether it is in the plan for at least the value, or in the one for at most the value.
    pub at_least: bool,
    /// The moves from the first position to the one that is wrong.
    pub line: Vec<Name>,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong with a position of a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// A move that the rules do not know here.
    NotLegal(Name),
    /// A move of the other side that the plan does not answer.
    NotAnswered(Name),
    /// A move of the other side that the plan answers twice.
    AnsweredTwice(Name),
    /// A move is called an option and does not hold the value.
    NoOption(Name),
    /// A move holds the value and is not called an option, or called so twice.
    OptionsDiffer {
        /// What the certificate names.
        stated: usize,
        /// What there are.
        found: usize,
    },
    /// The side whose move it is is not the one that the plan says.
    OtherSideMoves,
    /// The plan goes on where the line is over.
    GoesOn,
    /// The plan says that the line is over where it is not.
    NotOver,
    /// The value of the end is not the one stated.
    Value {
        /// What the certificate says.
        stated: Score,
        /// What the referee says.
        found: Score,
    },
    /// The end does not hold what the plan promises.
    TooLittle {
        /// What it is worth to the owner.
        value: Score,
        /// What is promised.
        promised: Score,
    },
    /// The depth of the line, or of the plan, is not the one stated.
    Depth {
        /// What the certificate says.
        stated: Depth,
        /// What the options give.
        found: Depth,
    },
    /// There is no plan, the game is over in the first position, or a plan ends there.
    NothingToShow,
    /// Longer than any search.
    TooLong,
    /// Two moves have one name.
    SameName(Name),
    /// Each plan holds its bound, but here one ends and the other goes on, or its end is worth more than the value: they are not plans for one
    /// value.
    TwoBounds,
    /// The customary work is done, and the certificate is not checked to its end.
    WorkLimit(u64),
    /// The value, δ or S is none.
    Terms(&'static str),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = |depth: &Depth| match *depth {
            Depth::CERTAIN => "certain".to_string(),
            depth => format!("{:.4}", depth.to_f64()),
        };
        match self {
            Problem::NotLegal(mv) => write!(f, "{mv} is not legal"),
            Problem::NotAnswered(mv) => write!(f, "{mv} is not answered"),
            Problem::AnsweredTwice(mv) => write!(f, "{mv} is answered twice"),
            Problem::NoOption(mv) => write!(f, "{mv} is called an option and does not hold the value"),
            Problem::OptionsDiffer { stated, found } => {
                write!(f, "{stated} options are named, there are {found}")
            }
            Problem::OtherSideMoves => f.write_str("the other side moves here"),
            Problem::GoesOn => f.write_str("the plan goes on where the line is over"),
            Problem::NotOver => f.write_str("the line is not over here"),
            Problem::Value { stated, found } => write!(f, "the value here is {}, not {}", found.0, stated.0),
            Problem::TooLittle { value, promised } => {
                write!(f, "the value here is {}, less than the {} promised", value.0, promised.0)
            }
            Problem::Depth { stated, found } => {
                write!(f, "the depth here is {}, not {}", plies(found), plies(stated))
            }
            Problem::NothingToShow => f.write_str("no plan is needed here, or none is shown"),
            Problem::TooLong => write!(f, "longer than {} plies", crate::MAX_PLY),
            Problem::SameName(mv) => write!(f, "two moves are called {mv}"),
            Problem::TwoBounds => f.write_str(
                "one plan ends here and the other does not, or not with the value: they are two bounds, and establish no value",
            ),
            Problem::WorkLimit(most) => {
                write!(f, "checked no further: the work limit of {most} positions and moves is reached")
            }
            Problem::Terms(what) => f.write_str(what),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problem {
            Problem::TwoBounds => f.write_str("both plans, ")?,
            _ => write!(f, "plan for at {}, ", if self.at_least { "least" } else { "most" })?,
        }
        match self.line.is_empty() {
            true => f.write_str("first position")?,
            false => write!(f, "after {}", self.line.join(" "))?,
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for Fault {}

/// Replays a certificate for `position` and says what it establishes: a value if it has both plans, a bound if it has one; with the
/// [customary](Checking::customary) work.
///
/// # Errors
/// The first thing in it that is not so, and where.
pub fn check<G: Game>(
    position: &G,
    certificate: &Certificate,
    referee: &mut impl Referee<G>,
) -> Result<Established, Fault> {
    check_as(position, certificate, referee, &Checking::customary(certificate))
}

/// The same in another way than is customary.
///
/// # Errors
/// The first thing in it that is not so, and where.
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
        let mut replay = Replay {
            certificate,
            referee,
            work: &mut work,
            promised,
            line: vec![position.clone()],
            moves: Vec::new(),
            held: Held {
                depth: Depth::CERTAIN,
                weakest: Vec::new(),
                weakest_value: Score::INFINITE,
                leaves: 0,
                over: 0,
            },
        };
        let done = replay.plan(plan, at_least);
        done.map_err(|problem| {
            let problem = if problem == SPENT { Problem::WorkLimit(how.work) } else { problem };
            Fault { at_least, line: replay.moves, problem }
        })?;
        Ok(Some(replay.held))
    };
    let whole = |problem| Fault { at_least: true, line: Vec::new(), problem };
    terms(certificate).map_err(whole)?;
    if certificate.at_least.is_none() && certificate.at_most.is_none() {
        return Err(whole(Problem::NothingToShow));
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

/// Stands for the work limit until it is known how much that was.
const SPENT: Problem = Problem::WorkLimit(0);

impl From<WorkLimit> for Problem {
    fn from(_: WorkLimit) -> Problem {
        SPENT
    }
}

/// The line that two plans have in common, which is one line: wherever a side moves, its plan has one move, and the other plan an answer to it. §7
/// asks that every leaf of a plan is a leaf of the tree that both make: so the line ends in both plans at once. There its
/// value is at least that of one plan and at most that of the other; as both must be `value`, so must it, and then they are.
///
/// # Errors
/// The line to where that is not so.
fn common_line(value: Score, at_least: &Plan, at_most: &Plan) -> Result<Vec<Name>, Vec<Name>> {
    let mut line = Vec::new();
    let (mut least, mut most) = (&at_least.root, &at_most.root);
    let worth = |step: &Step| match step {
        Step::Leaf { value, .. } | Step::Over { value } => Some(*value),
        _ => None,
    };
    loop {
        let (mv, next, replies) = match (least, most) {
            (Step::Own { mv, next, .. }, Step::Other(replies)) => (mv, &**next, replies),
            (Step::Other(replies), Step::Own { mv, next, .. }) => (mv, &**next, replies),
            _ if worth(least) == Some(value) && worth(most) == Some(-value) => return Ok(line),
            _ => return Err(line),
        };
        let Some((_, reply)) = replies.iter().find(|(reply, _)| reply == mv) else { return Err(line) };
        line.push(mv.clone());
        (least, most) = if matches!(least, Step::Own { .. }) { (next, reply) } else { (reply, next) };
    }
}

/// Whether value, δ and S are such.
fn terms(certificate: &Certificate) -> Result<(), Problem> {
    let Certificate { value, margin, safety, .. } = certificate;
    if !(-Score::WIN..=Score::WIN).contains(value) {
        return Err(Problem::Terms("the value is beyond winning and losing at once"));
    }
    if !(Score(1)..=Score::INFINITE).contains(margin) {
        return Err(Problem::Terms("δ must be above 0, and a score"));
    }
    if safety.first() < Some(&Depth::ZERO) || safety.windows(2).any(|pair| pair[0] > pair[1]) {
        return Err(Problem::Terms("S must have entries from 0 up that do not fall"));
    }
    match safety.last() <= Some(&Depth::PLY) {
        true => Ok(()),
        false => Err(Problem::Terms("S must not be above 1, which is written 240")),
    }
}

struct Replay<'a, G, R> {
    certificate: &'a Certificate,
    referee: &'a mut R,
    work: &'a mut Work,
    /// What the owner of the plan is promised.
    promised: Score,
    /// The positions from the first to the present one …
    line: Vec<G>,
    /// … and the moves between them. After a fault: those that lead to it.
    moves: Vec<Name>,
    held: Held,
}

impl<G: Game, R: Referee<G>> Replay<'_, G, R> {
    fn plan(&mut self, plan: &Plan, own: bool) -> Result<(), Problem> {
        if self.line[0].is_over() || matches!(plan.root, Step::Leaf { .. } | Step::Over { .. }) {
            return Err(Problem::NothingToShow);
        }
        self.step(&plan.root, own, Depth::ZERO)?;
        match self.held.depth == plan.depth {
            true => Ok(()),
            false => {
                self.moves = self.held.weakest.clone();
                Err(Problem::Depth { stated: plan.depth, found: self.held.depth })
            }
        }
    }

    fn position(&self) -> &G {
        self.line.last().expect("a line has a first position")
    }

    /// Whether the game goes on in a position without moves; in version 1 none does.
    fn goes_on(&self, position: &G) -> bool {
        self.certificate.version > 1 && self.referee.goes_on(position)
    }

    /// The value, for the owner of the plan, of a position that he has moved in to or moves from.
    fn seen_by_owner(own: bool, value: Score) -> Score {
        if own { value } else { -value }
    }

    /// The value of the present position for the owner, if the line is over there.
    fn over(&self, own: bool) -> Option<Score> {
        let ply = self.line.len() - 1;
        let position = self.position();
        if position.is_over() && !self.goes_on(position) {
            return Some(Self::seen_by_owner(own, position.outcome().score(ply)));
        }
        (ply > 0 && self.referee.is_drawn(&self.line)).then_some(Score::DRAW)
    }

    /// Replays what comes from the present position on; `own` says whether the owner moves, `depth` how safe the line is so far.
    fn step(&mut self, step: &Step, own: bool, depth: Depth) -> Result<(), Problem> {
        if self.line.len() > crate::MAX_PLY + 1 {
            return Err(Problem::TooLong);
        }
        self.work.spend(1 + self.line.len() / 8)?;
        let over = self.over(own);
        match step {
            Step::Over { value } => {
                // Nobody loses sooner than at once.
                let at_once = Score::loss_in(self.line.len() - 1);
                let found = over.or((self.promised <= at_once).then_some(at_once)).ok_or(Problem::NotOver)?;
                self.held.over += 1;
                self.end(*value, found, Depth::CERTAIN)
            }
            _ if over.is_some() => Err(Problem::GoesOn),
            Step::Leaf { value, depth: stated } => {
                let found = self.leaf_value(own, *value)?;
                self.held.leaves += 1;
                if depth >= Depth::CERTAIN {
                    return Err(Problem::Terms("S adds up to certainty"));
                }
                if *stated != depth {
                    return Err(Problem::Depth { stated: *stated, found: depth });
                }
                self.end(*value, found, depth)
            }
            _ if self.position().is_over() => Err(Problem::GoesOn),
            Step::Own { mv, options, next } => {
                if !own {
                    return Err(Problem::OtherSideMoves);
                }
                let (played, found) = self.options(mv, options)?;
                self.go_on(played, mv, next, own, depth + self.certificate.safety_of(found))
            }
            Step::Other(replies) => {
                if own {
                    return Err(Problem::OtherSideMoves);
                }
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
                if let Some(place) = answered.iter().position(|answered| !answered) {
                    return Err(Problem::NotAnswered(legal[place].1.as_str().into()));
                }
                let mut replies = moves.into_iter().zip(replies);
                replies.try_for_each(|(mv, (name, next))| self.go_on(mv, name, next, own, depth))
            }
        }
    }

    /// Plays a legal move, replays what follows, and takes it back.
    fn go_on(
        &mut self,
        mv: G::Move,
        name: &Name,
        next: &Step,
        own: bool,
        depth: Depth,
    ) -> Result<(), Problem> {
        let mut child = self.position().clone();
        child.play(mv);
        self.line.push(child);
        self.moves.push(name.clone());
        self.step(next, !own, depth)?;
        self.line.pop();
        self.moves.pop();
        Ok(())
    }

    /// The static value of the present position for the owner. A narrow window around the one that is stated confirms it sooner.
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

    /// A line ends.
    fn end(&mut self, stated: Score, found: Score, depth: Depth) -> Result<(), Problem> {
        if stated != found {
            return Err(Problem::Value { stated, found });
        }
        if found < self.promised {
            return Err(Problem::TooLittle { value: found, promised: self.promised });
        }
        if depth < self.held.depth || self.held.weakest.is_empty() {
            self.held.depth = depth;
            self.held.weakest = self.moves.clone();
            self.held.weakest_value = found;
        }
        Ok(())
    }

    /// The move of this name, and how many others hold what is promised; they must be those named.
    fn options(&mut self, mv: &Name, named: &[Name]) -> Result<(G::Move, usize), Problem> {
        let legal = self.legal()?;
        let places = places(&legal);
        let bar = self.promised - self.certificate.margin;
        let ply = self.line.len();
        let played = *places.get(&**mv).ok_or_else(|| Problem::NotLegal(mv.clone()))?;
        let mut is_named = vec![false; legal.len()];
        let mut twice = false;
        for name in named {
            match places.get(&**name) {
                Some(&place) if place == played => return Err(Problem::NoOption(mv.clone())),
                Some(&place) => twice |= std::mem::replace(&mut is_named[place], true),
                None => return Err(Problem::NotLegal(name.clone())),
            }
        }
        let mut found = 0;
        for (place, (other, name)) in legal.iter().enumerate().filter(|(place, _)| *place != played) {
            let mut child = self.position().clone();
            child.play(*other);
            let value = match child.is_over() {
                true => child.outcome().score(ply),
                // Whether it is below −bar is all that is asked.
                false => self.referee.value(&child, Window::above(-bar - Score(1)), self.work)?,
            };
            if -value > bar {
                found += 1;
                twice |= !is_named[place];
            } else if is_named[place] {
                return Err(Problem::NoOption(name.as_str().into()));
            }
        }
        match twice {
            false => Ok((legal[played].0, found)),
            true => Err(Problem::OptionsDiffer { stated: named.len(), found }),
        }
    }

    /// The legal moves and their names, which must differ.
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

/// Where each name stands.
fn places<M>(legal: &[(M, String)]) -> HashMap<&str, usize> {
    legal.iter().enumerate().map(|(place, (_, name))| (name.as_str(), place)).collect()
}
