//! The checker: replays a certificate with the rules and the evaluation, and says what it establishes.
//!
//! *Reference:* McAllester & Yuret 1993, §4 to §6: what a strategy is, which moves are options, and what they add to its depth.
//! *Deviations:* see [`Certificate`].
//! *Soundness:* nothing is taken from the search but the rules and the evaluation that both play by. What the certificate states – moves, options, values, depths – is
//! compared with what the rules, the [`Referee`] and the definitions say.

use super::{Certificate, Name, Plan, Step};
use crate::{Depth, Game, Score};
use std::collections::HashSet;
use std::fmt;

/// What a checker is told about a game beyond its rules.
pub trait Referee<G: Game> {
    /// The static value of a position with moves, for the side to move.
    fn value(&mut self, position: &G) -> Score;

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
            Problem::Terms(what) => f.write_str(what),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plan for at {}, ", if self.at_least { "least" } else { "most" })?;
        match self.line.is_empty() {
            true => f.write_str("first position")?,
            false => write!(f, "after {}", self.line.join(" "))?,
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for Fault {}

/// Replays a certificate for `position` and says what it establishes.
///
/// # Errors
/// The first thing in it that is not so, and where.
pub fn check<G: Game>(
    position: &G,
    certificate: &Certificate,
    referee: &mut impl Referee<G>,
) -> Result<Established, Fault> {
    let mut replay = |at_least: bool, plan: &Option<Plan>| -> Result<Option<Held>, Fault> {
        let Some(plan) = plan else { return Ok(None) };
        let promised = if at_least { certificate.value } else { -certificate.value };
        let mut replay = Replay {
            certificate,
            referee,
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
        done.map_err(|problem| Fault { at_least, line: replay.moves, problem })?;
        Ok(Some(replay.held))
    };
    let whole = |problem| Fault { at_least: true, line: Vec::new(), problem };
    terms(certificate).map_err(whole)?;
    if certificate.at_least.is_none() && certificate.at_most.is_none() {
        return Err(whole(Problem::NothingToShow));
    }
    let at_least = replay(true, &certificate.at_least)?;
    let at_most = replay(false, &certificate.at_most)?;
    Ok(Established { at_least, at_most })
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
    let proper = safety.first() >= Some(&Depth::ZERO) && safety.last() <= Some(&Depth::CERTAIN);
    match proper && safety.windows(2).all(|pair| pair[0] <= pair[1]) {
        true => Ok(()),
        false => Err(Problem::Terms("S must have entries from 0 up that do not fall")),
    }
}

struct Replay<'a, G, R> {
    certificate: &'a Certificate,
    referee: &'a mut R,
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

    /// The value, for the owner of the plan, of a position that he has moved in to or moves from.
    fn seen_by_owner(own: bool, value: Score) -> Score {
        if own { value } else { -value }
    }

    /// The value of the present position for the owner, if the line is over there.
    fn over(&self, own: bool) -> Option<Score> {
        let ply = self.line.len() - 1;
        let position = self.position();
        if position.is_over() {
            return Some(Self::seen_by_owner(own, position.outcome().score(ply)));
        }
        (ply > 0 && self.referee.is_drawn(&self.line)).then_some(Score::DRAW)
    }

    /// Replays what comes from the present position on; `own` says whether the owner moves, `depth` how safe the line is so far.
    fn step(&mut self, step: &Step, own: bool, depth: Depth) -> Result<(), Problem> {
        if self.line.len() > crate::MAX_PLY + 1 {
            return Err(Problem::TooLong);
        }
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
                let found =
                    Self::seen_by_owner(own, self.referee.value(self.line.last().expect("a position")));
                self.held.leaves += 1;
                if depth >= Depth::CERTAIN {
                    return Err(Problem::Terms("S adds up to certainty"));
                }
                if *stated != depth {
                    return Err(Problem::Depth { stated: *stated, found: depth });
                }
                self.end(*value, found, depth)
            }
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
                let mut unanswered = self.legal()?;
                let known: HashSet<String> = unanswered.iter().map(|(_, name)| name.clone()).collect();
                let mut answered = Vec::with_capacity(replies.len());
                for (name, _) in replies {
                    match unanswered.iter().position(|(_, legal)| **legal == **name) {
                        Some(place) => answered.push(unanswered.swap_remove(place).0),
                        None if known.contains(&**name) => return Err(Problem::AnsweredTwice(name.clone())),
                        None => return Err(Problem::NotLegal(name.clone())),
                    }
                }
                if let Some((_, name)) = unanswered.into_iter().next() {
                    return Err(Problem::NotAnswered(name.into()));
                }
                let mut replies = answered.into_iter().zip(replies);
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
        let known: HashSet<String> = legal.iter().map(|(_, name)| name.clone()).collect();
        let bar = self.promised - self.certificate.margin;
        let ply = self.line.len();
        let mut found = 0;
        let mut played = None;
        let mut unnamed: Vec<&Name> = named.iter().collect();
        for (other, name) in legal {
            if **mv == *name {
                played = Some(other);
                continue;
            }
            let mut child = self.position().clone();
            child.play(other);
            let value = match child.is_over() {
                true => child.outcome().score(ply),
                false => self.referee.value(&child),
            };
            let place = unnamed.iter().position(|named| ***named == *name);
            if -value > bar {
                found += 1;
                if let Some(place) = place {
                    unnamed.swap_remove(place);
                }
            } else if place.is_some() {
                return Err(Problem::NoOption(name.into()));
            }
        }
        let played = played.ok_or_else(|| Problem::NotLegal(mv.clone()))?;
        match unnamed.first() {
            None if named.len() == found => Ok((played, found)),
            Some(name) if ***name == **mv => Err(Problem::NoOption(mv.clone())),
            Some(name) if !known.contains(&***name) => Err(Problem::NotLegal((*name).clone())),
            _ => Err(Problem::OptionsDiffer { stated: named.len(), found }),
        }
    }

    /// The legal moves and their names, which must differ.
    fn legal(&self) -> Result<Vec<(G::Move, String)>, Problem> {
        let position = self.position();
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let legal: Vec<_> = moves.into_iter().map(|mv| (mv, self.referee.name(position, mv))).collect();
        let mut names = HashSet::new();
        match legal.iter().find(|(_, name)| !names.insert(name)) {
            Some((_, name)) => Err(Problem::SameName(name.as_str().into())),
            None => Ok(legal),
        }
    }
}
